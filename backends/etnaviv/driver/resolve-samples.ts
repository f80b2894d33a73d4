// Averages samples: by the engine where it can, by drawing where none does.

import type { Format } from '../../../src/format/format.ts';
import { BIND, BLIT, type BlitInfo, type Box, type Resource } from '../../../src/pipe/pipe.ts';
import type { Blitter } from '../../../src/util/blitter/blitter.ts';
import type { EtnavivContext } from './context.ts';
import { type EtnavivResource, newest, type Storage } from './resource.ts';
import { forgetStatus } from './tile-status.ts';

export class SampleResolver {
  readonly #context: EtnavivContext;
  readonly #blitter: () => Blitter;

  constructor(context: EtnavivContext, blitter: () => Blitter) {
    this.#context = context;
    this.#blitter = blitter;
  }

  /** A blit that resolves all of a layer goes to the engine. False: it is another, or the engine can't. */
  resolveWhole({ source, destination, mask, scissor }: BlitInfo): boolean {
    const from = source.resource as EtnavivResource;
    const to = destination.resource as EtnavivResource;
    const isWhole = (box: Box, resource: EtnavivResource) =>
      box.x === 0 && box.y === 0 && box.width === resource.width && box.height === resource.height;
    if (
      from.samples < 2 ||
      to.samples > 1 ||
      mask !== BLIT.COLOR ||
      scissor !== null ||
      source.format !== destination.format ||
      from.format !== to.format ||
      destination.level !== 0 ||
      source.box.depth !== 1 ||
      !isWhole(source.box, from) ||
      !isWhole(destination.box, to)
    ) {
      return false;
    }
    return this.#resolveLayer(from, source.box.z, to, destination.box.z);
  }

  #resolveLayer(from: EtnavivResource, fromLayer: number, to: EtnavivResource, toLayer: number): boolean {
    this.#context.beginStream();
    const source = { storage: newest(from, 0), level: 0, layer: fromLayer };
    const target = { storage: to.base, level: 0, layer: toLayer };
    if (!this.#context.engine.resolve(this.#context.stream, source, target)) return false;
    forgetStatus(target);
    this.#context.copies.markWritten(to, to.base, 0);
    return true;
  }

  /** A single-sampled copy for the blitter. Null: no memory. */
  copyOf(resource: EtnavivResource, layer: number, format: Format): Resource | null {
    const { width, height, bind } = resource;
    const copy = this.#scratch(resource, width, height, bind | BIND.SAMPLER_VIEW);
    if (!copy || this.#resolveLayer(resource, layer, copy, 0)) return copy;
    if (this.#resolveByDrawing(resource, layer, copy, format)) return copy;
    copy.destroy();
    return null;
  }

  /** Samples lie side by side: no engine averages them, so they are read as texels of a larger texture. */
  #resolveByDrawing(from: EtnavivResource, layer: number, to: EtnavivResource, format: Format): boolean {
    const storage = newest(from, 0);
    const { layout } = storage;
    const { scaleX, scaleY } = layout;
    const samples = this.#scratch(from, from.width * scaleX, from.height * scaleY, BIND.SAMPLER_VIEW);
    if (!samples) return false;
    this.#context.beginStream();
    const asTexels: Storage = { ...storage, layout: { ...layout, scaleX: 1, scaleY: 1 } };
    const source = { storage: asTexels, level: 0, layer };
    if (!this.#context.engine.copy(this.#context.stream, source, { storage: samples.base, level: 0, layer: 0 }))
      throw new Error(`${this.#context.screen.name}: no engine copies ${storage.format} between layouts`);
    this.#context.copies.markWritten(samples, samples.base, 0);
    const status = this.#blitter().resolveBlocks(samples, to, format, scaleX, scaleY);
    samples.destroy();
    return status === 'ok';
  }

  /** A single-sampled texture of the same format. */
  #scratch({ format }: EtnavivResource, width: number, height: number, bind: number): EtnavivResource | null {
    return this.#context.screen.createResource({
      target: 'texture2D',
      format,
      width,
      height,
      depth: 1,
      arraySize: 1,
      levels: 1,
      samples: 1,
      bind,
      usage: 'default',
    }) as EtnavivResource | null;
  }
}
