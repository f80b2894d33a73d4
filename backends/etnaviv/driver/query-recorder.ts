// Which queries count what a context draws: occlusion by the GPU, in stretches of streams; primitives by the driver.

import type { Query, QueryType } from '../../../src/pipe/pipe.ts';
import { REGISTERS } from '../registers/registers.ts';
import type { EtnavivContext } from './context.ts';
import { EtnavivQuery, QUERY_BUFFER_BYTES, SLOT_BYTES } from './query.ts';

const R = REGISTERS;
const OCCLUSION_END = 0x1df5e76;

export class QueryRecorder {
  readonly #context: EtnavivContext;
  readonly #occlusion = new Set<EtnavivQuery>();
  /** Queries that the driver itself counts for. */
  readonly #primitives = new Set<EtnavivQuery>();
  /** Queries that the stream at work counts for, until it has a fence. */
  readonly #inStream = new Set<EtnavivQuery>();

  constructor(context: EtnavivContext) {
    this.#context = context;
  }

  create(type: QueryType, index: number): Query {
    return new EtnavivQuery(type, index, (buffer) => this.#context.screen.releaseBuffer(buffer));
  }

  begin(query: Query): void {
    const etnaviv = query as EtnavivQuery;
    etnaviv.reset();
    if (etnaviv.countsPrimitives) this.#primitives.add(etnaviv);
    if (!etnaviv.isOcclusion) return;
    this.#occlusion.add(etnaviv);
    if (this.#context.isStarted) this.#startSlot(etnaviv);
  }

  end(query: Query): void {
    const etnaviv = query as EtnavivQuery;
    this.#primitives.delete(etnaviv);
    if (this.#occlusion.delete(etnaviv)) this.#endSlot(etnaviv);
  }

  get countsPrimitives(): boolean {
    return this.#primitives.size > 0;
  }

  addPrimitives({ emitted, generated }: { readonly emitted: number; readonly generated: number }): void {
    for (const query of this.#primitives) query.counted += query.type === 'primitivesEmitted' ? emitted : generated;
  }

  /** A stream begins: active queries count in it. */
  start(): void {
    for (const query of this.#occlusion) this.#startSlot(query);
  }

  /** A stream is about to end. */
  stop(): void {
    for (const query of this.#occlusion) this.#endSlot(query);
  }

  /** The stream that was stopped was given to the GPU. */
  submitted(fence: number): void {
    for (const query of this.#inStream) query.fence = fence;
    this.#inStream.clear();
  }

  #startSlot(query: EtnavivQuery): void {
    const { bindings, screen, stream } = this.#context;
    if (!bindings.queriesActive) return;
    if (query.isFull) {
      this.#collect(query);
      // Reading the counts has ended the stream: the next one starts the query anew.
      if (!this.#context.isStarted) return;
    }
    query.buffer ??= screen.createBuffer(QUERY_BUFFER_BYTES);
    // The next draw that should be counted says so.
    if (!query.buffer) return;
    // Why a trigger: the same address may follow itself.
    stream.triggerBuffer(R.GL_OCCLUSION_QUERY_ADDR, query.buffer, query.slots * SLOT_BYTES, true);
    query.slots++;
    query.isCounting = true;
    this.#inStream.add(query);
  }

  #endSlot(query: EtnavivQuery): void {
    if (!query.isCounting) return;
    query.isCounting = false;
    this.#context.stream.trigger(R.GL_OCCLUSION_QUERY_CONTROL, OCCLUSION_END);
  }

  /** Whether all active queries have memory to count in. */
  canCount(): boolean {
    const { bindings, screen, isStarted } = this.#context;
    if (!bindings.queriesActive) return true;
    for (const query of this.#occlusion) {
      if (query.isCounting) continue;
      query.buffer ??= screen.createBuffer(QUERY_BUFFER_BYTES);
      if (!query.buffer) return false;
      if (isStarted) this.#startSlot(query);
    }
    return true;
  }

  /** What the driver draws for itself is not counted. */
  setActive(active: boolean): void {
    const { bindings, isStarted } = this.#context;
    if (bindings.queriesActive === active) return;
    if (!active) this.stop();
    bindings.queriesActive = active;
    if (isStarted && active) this.start();
  }

  #collect(query: EtnavivQuery): void {
    if (!query.buffer) return;
    this.#context.screen.prepareBuffer(query.buffer, true);
    query.collect();
    this.#context.screen.winsys.finish(query.buffer);
  }

  /** Null: the GPU is not done, and nobody wants to wait. */
  result(query: Query, wait: boolean): number | null {
    const etnaviv = query as EtnavivQuery;
    const { screen, stream } = this.#context;
    if (!wait && etnaviv.buffer && etnaviv.slots > 0) {
      if (stream.uses(etnaviv.buffer)) this.#context.submit();
      if (!screen.isFenceDone(etnaviv.fence)) return null;
    }
    this.#collect(etnaviv);
    return etnaviv.result();
  }
}
