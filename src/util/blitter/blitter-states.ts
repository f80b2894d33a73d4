// The state objects and shaders of a blitter, made when first needed and kept by everything that decides them.

import type { Shader } from '../../ir/ir.ts';
import type {
  BlendState,
  Context,
  DepthStencilAlphaDescription,
  DepthStencilAlphaState,
  FragmentShaderState,
  RasterizerState,
  SamplerState,
  TextureFilter,
  VertexElementsState,
  VertexShaderState,
} from '../../pipe/pipe.ts';
import {
  type CopyShaderKey,
  createClearShader,
  createCopyShader,
  createMipmapShader,
  createVertexShader,
  type MipmapShaderKey,
} from './blit-shaders.ts';

/** The value of `key`, made by `create` when it is new. */
function cached<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

/** IR by key, for all contexts: backends may keep what they compile from one. */
const shaders = new Map<string, Shader>();

export class BlitterStates {
  readonly #context: Context;
  readonly #fragmentShaders = new Map<string, FragmentShaderState>();
  readonly #blends = new Map<string, BlendState>();
  readonly #depthStencils = new Map<string, DepthStencilAlphaState>();
  readonly #samplers = new Map<TextureFilter, SamplerState>();
  #vertexShader: VertexShaderState | null = null;
  #vertexElements: VertexElementsState | null = null;
  #rasterizer: RasterizerState | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  get vertexShader(): VertexShaderState {
    return (this.#vertexShader ??= this.#context.createVertexShaderState({
      ir: cached(shaders, 'vertex', createVertexShader),
      streamOutput: null,
    }));
  }

  /** Position and texture coordinate, vec4 each, interleaved in vertex buffer 0. */
  get vertexElements(): VertexElementsState {
    return (this.#vertexElements ??= this.#context.createVertexElementsState({
      elements: [0, 16].map((offsetBytes) => ({
        bufferIndex: 0,
        offsetBytes,
        format: 'R32G32B32A32_FLOAT',
        instanceDivisor: 0,
      })),
    }));
  }

  /** Everything plain, with scissor. */
  get rasterizer(): RasterizerState {
    return (this.#rasterizer ??= this.#context.createRasterizerState({
      frontCounterClockwise: true,
      cullFace: 'none',
      polygonMode: 'fill',
      scissor: true,
      rasterizerDiscard: false,
      depthClip: true,
      clipHalfZ: false,
      multisample: true,
      lineWidth: 1,
      pointSize: 1,
      provokingVertexFirst: false,
      pointCoordUpperLeft: true,
      polygonOffset: null,
      clipDistances: 0,
    }));
  }

  copyShader(key: CopyShaderKey): FragmentShaderState {
    return this.#fragmentShader(`copy ${JSON.stringify(key)}`, () => createCopyShader(key));
  }

  mipmapShader(key: MipmapShaderKey): FragmentShaderState {
    return this.#fragmentShader(`mipmap ${JSON.stringify(key)}`, () => createMipmapShader(key));
  }

  /** Writes one colour to the first `targets` targets. */
  clearShader(targets: number): FragmentShaderState {
    return this.#fragmentShader(`clear ${targets}`, () => createClearShader(targets));
  }

  #fragmentShader(key: string, create: () => Shader): FragmentShaderState {
    return cached(this.#fragmentShaders, key, () =>
      this.#context.createFragmentShaderState({ ir: cached(shaders, key, create), streamOutput: null }),
    );
  }

  /** No blending; one colour mask (bits of `COLOR_MASK`) a target. */
  blend(masks: readonly number[]): BlendState {
    return cached(this.#blends, masks.join(), () =>
      this.#context.createBlendState({
        targets: masks.map((colorMask) => ({
          enabled: false,
          equationRgb: 'add',
          sourceRgb: 'one',
          destinationRgb: 'zero',
          equationAlpha: 'add',
          sourceAlpha: 'one',
          destinationAlpha: 'zero',
          colorMask,
        })),
        alphaToCoverage: false,
        alphaToOne: false,
        dither: false,
      }),
    );
  }

  depthStencil(description: DepthStencilAlphaDescription): DepthStencilAlphaState {
    return cached(this.#depthStencils, JSON.stringify(description), () =>
      this.#context.createDepthStencilAlphaState(description),
    );
  }

  sampler(filter: TextureFilter): SamplerState {
    return cached(this.#samplers, filter, () =>
      this.#context.createSamplerState({
        wrapS: 'clampToEdge',
        wrapT: 'clampToEdge',
        wrapR: 'clampToEdge',
        minFilter: filter,
        magFilter: filter,
        mipFilter: 'none',
        compare: null,
        lodBias: 0,
        minLod: 0,
        maxLod: 0,
        maxAnisotropy: 1,
        seamlessCube: false,
        borderColor: [0, 0, 0, 0],
      }),
    );
  }

  /** Number of compiled fragment shaders, for tests. */
  get fragmentShaderCount(): number {
    return this.#fragmentShaders.size;
  }

  destroy(): void {
    const context = this.#context;
    if (this.#vertexShader) context.deleteVertexShaderState(this.#vertexShader);
    if (this.#vertexElements) context.deleteVertexElementsState(this.#vertexElements);
    if (this.#rasterizer) context.deleteRasterizerState(this.#rasterizer);
    for (const state of this.#fragmentShaders.values()) context.deleteFragmentShaderState(state);
    for (const state of this.#blends.values()) context.deleteBlendState(state);
    for (const state of this.#depthStencils.values()) context.deleteDepthStencilAlphaState(state);
    for (const state of this.#samplers.values()) context.deleteSamplerState(state);
  }
}
