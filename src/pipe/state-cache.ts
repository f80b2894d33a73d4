// Finds the state object of a description, so that equal descriptions share one object: Gallium's cso_cache.

import type { Context } from './context.ts';
import type {
  BlendDescription,
  BlendState,
  DepthStencilAlphaDescription,
  DepthStencilAlphaState,
  RasterizerDescription,
  RasterizerState,
  SamplerDescription,
  SamplerState,
  StateObject,
  VertexElementsDescription,
  VertexElementsState,
} from './state.ts';

/** Objects per kind that are kept before the oldest unused ones are deleted. */
const CAPACITY = 1024;

/** One kind of state object by the JSON text of its description. Map order is age: the first entry is the oldest used. */
class KindCache<State extends StateObject<string, Description>, Description extends object> {
  readonly #create: (description: Description) => State;
  readonly #delete: (state: State) => void;
  readonly #byKey = new Map<string, State>();
  /** Keys of descriptions that were asked for before. */
  readonly #keys = new WeakMap<object, string>();

  constructor(create: (description: Description) => State, remove: (state: State) => void) {
    this.#create = create;
    this.#delete = remove;
  }

  /** `inUse` is never evicted: it may be bound. */
  get(description: Description, inUse: State | null): State {
    const key = this.#keyOf(description);
    const found = this.#byKey.get(key);
    if (found !== undefined) {
      // Age counts only when something will have to go soon.
      if (this.#byKey.size > CAPACITY / 2) {
        this.#byKey.delete(key);
        this.#byKey.set(key, found);
      }
      return found;
    }
    const state = this.#create(description);
    this.#byKey.set(key, state);
    if (this.#byKey.size > CAPACITY) this.#evict(inUse);
    return state;
  }

  #keyOf(description: Description): string {
    let key = this.#keys.get(description);
    if (key === undefined) this.#keys.set(description, (key = JSON.stringify(description)));
    return key;
  }

  #evict(inUse: State | null): void {
    for (const [key, state] of this.#byKey) {
      if (state === inUse) continue;
      this.#byKey.delete(key);
      this.#delete(state);
      return;
    }
  }

  clear(): void {
    for (const state of this.#byKey.values()) this.#delete(state);
    this.#byKey.clear();
  }
}

/**
 * The state-object cache of one context. `bind*` binds only on change. Callers should keep descriptions and give the same object
 * again: the key of a new one takes microseconds.
 */
export class StateObjectCache {
  readonly #context: Context;
  readonly #blend: KindCache<BlendState, BlendDescription>;
  readonly #depthStencilAlpha: KindCache<DepthStencilAlphaState, DepthStencilAlphaDescription>;
  readonly #rasterizer: KindCache<RasterizerState, RasterizerDescription>;
  readonly #sampler: KindCache<SamplerState, SamplerDescription>;
  readonly #vertexElements: KindCache<VertexElementsState, VertexElementsDescription>;
  #boundBlend: BlendState | null = null;
  #boundDepthStencilAlpha: DepthStencilAlphaState | null = null;
  #boundRasterizer: RasterizerState | null = null;
  #boundVertexElements: VertexElementsState | null = null;

  constructor(context: Context) {
    this.#context = context;
    this.#blend = new KindCache(
      (d) => context.createBlendState(d),
      (s) => context.deleteBlendState(s),
    );
    this.#depthStencilAlpha = new KindCache(
      (d) => context.createDepthStencilAlphaState(d),
      (s) => context.deleteDepthStencilAlphaState(s),
    );
    this.#rasterizer = new KindCache(
      (d) => context.createRasterizerState(d),
      (s) => context.deleteRasterizerState(s),
    );
    this.#sampler = new KindCache(
      (d) => context.createSamplerState(d),
      (s) => context.deleteSamplerState(s),
    );
    this.#vertexElements = new KindCache(
      (d) => context.createVertexElementsState(d),
      (s) => context.deleteVertexElementsState(s),
    );
  }

  bindBlend(description: BlendDescription): void {
    const state = this.#blend.get(description, this.#boundBlend);
    if (state === this.#boundBlend) return;
    this.#boundBlend = state;
    this.#context.bindBlendState(state);
  }

  bindDepthStencilAlpha(description: DepthStencilAlphaDescription): void {
    const state = this.#depthStencilAlpha.get(description, this.#boundDepthStencilAlpha);
    if (state === this.#boundDepthStencilAlpha) return;
    this.#boundDepthStencilAlpha = state;
    this.#context.bindDepthStencilAlphaState(state);
  }

  bindRasterizer(description: RasterizerDescription): void {
    const state = this.#rasterizer.get(description, this.#boundRasterizer);
    if (state === this.#boundRasterizer) return;
    this.#boundRasterizer = state;
    this.#context.bindRasterizerState(state);
  }

  bindVertexElements(description: VertexElementsDescription): void {
    const state = this.#vertexElements.get(description, this.#boundVertexElements);
    if (state === this.#boundVertexElements) return;
    this.#boundVertexElements = state;
    this.#context.bindVertexElementsState(state);
  }

  /** Samplers are bound as lists, so this only finds the object. Bound samplers survive: the backend keeps what it was given. */
  sampler(description: SamplerDescription): SamplerState {
    return this.#sampler.get(description, null);
  }

  /** Deletes every object; for the end of a context. */
  clear(): void {
    this.#blend.clear();
    this.#depthStencilAlpha.clear();
    this.#rasterizer.clear();
    this.#sampler.clear();
    this.#vertexElements.clear();
  }
}
