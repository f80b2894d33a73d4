// Transform feedback, which the GPU is not known to have: vertices run on the CPU once more and go to the bound buffers.

import type { DrawInfo, PipeStatus, Resource, StreamOutputTarget } from '../../../src/pipe/pipe.ts';
import { PRIMITIVE_VERTICES } from '../../../src/raster/assemble.ts';
import { VERTEX, vertexVarying } from '../../../src/raster/layout.ts';
import { OutOfMemoryError } from '../../../src/raster/memory.ts';
import { assemblePrimitives } from './assemble-primitives.ts';
import type { EtnavivContext } from './context.ts';
import type { EtnavivResource } from './resource.ts';
import { BATCH_VERTICES, VertexProcessor, VertexProcessorError } from './vertex-processor.ts';

export class EtnavivStreamOutputTarget implements StreamOutputTarget {
  readonly buffer: Resource;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /** How far it is filled. */
  writtenBytes = 0;

  constructor(buffer: Resource, offsetBytes: number, sizeBytes: number) {
    this.buffer = buffer;
    this.offsetBytes = offsetBytes;
    this.sizeBytes = sizeBytes;
  }

  /** Bytes left in the range; the buffer may be smaller than the range says. */
  get room(): number {
    const end = Math.min(this.offsetBytes + this.sizeBytes, this.buffer.width);
    return Math.max(0, end - this.offsetBytes - this.writtenBytes);
  }

  destroy(): void {
    this.writtenBytes = 0;
  }
}

export interface PrimitiveCounts {
  readonly generated: number;
  readonly emitted: number;
}

/** Word of a vertex record at which a slot stands. */
function recordWord(slot: string): number {
  if (slot === 'position') return VERTEX.offset.position >>> 2;
  if (slot === 'pointSize') return VERTEX.offset.pointSize >>> 2;
  return vertexVarying(Number(slot.slice(3))) >>> 2;
}

export class StreamOutput {
  readonly #context: EtnavivContext;
  #processor: VertexProcessor | null = null;

  constructor(context: EtnavivContext) {
    this.#context = context;
  }

  #indices({ indexBuffer }: DrawInfo): Uint8Array | null {
    if (!indexBuffer) return null;
    const { buffer } = (indexBuffer as EtnavivResource).base;
    this.#context.screen.prepareBuffer(buffer, false);
    const bytes = buffer.map().slice(0, indexBuffer.width);
    this.#context.screen.winsys.finish(buffer);
    return bytes;
  }

  /** Counts a draw's primitives, and writes those that fit where targets are bound. A status: nothing was written. */
  run(info: DrawInfo): PrimitiveCounts | PipeStatus {
    const { bindings } = this.#context;
    const ids = assemblePrimitives(info, this.#indices(info));
    const primitives = ids.length / PRIMITIVE_VERTICES[info.mode];
    const generated = primitives * info.instanceCount;
    const captures = bindings.vertexShader?.description.streamOutput && bindings.streamOutputTargets.length > 0;
    if (!captures || generated === 0) return { generated, emitted: 0 };
    try {
      return { generated, emitted: this.#capture(info, ids, generated) };
    } catch (error) {
      if (error instanceof OutOfMemoryError) return 'outOfMemory';
      if (!(error instanceof VertexProcessorError)) throw error;
      console.warn(`indium: ${this.#context.screen.name}: ${error.message}`);
      return 'tooComplex';
    }
  }

  /** Writes as many primitives as fit all targets. Returns how many. */
  #capture(info: DrawInfo, ids: Uint32Array, generated: number): number {
    const { bindings } = this.#context;
    const { varyings, strideBytes } = bindings.vertexShader!.description.streamOutput!;
    const targets = bindings.streamOutputTargets as readonly EtnavivStreamOutputTarget[];
    const per = PRIMITIVE_VERTICES[info.mode];
    let primitives = generated;
    for (const [index, stride] of strideBytes.entries()) {
      if (stride > 0) primitives = Math.min(primitives, Math.floor((targets[index]?.room ?? 0) / (stride * per)));
    }
    if (primitives === 0) return 0;
    const outputs = strideBytes.map((stride) => new Uint32Array((stride >>> 2) * per * primitives));
    const moves = varyings.map(({ slot, firstComponent, components, buffer, offsetBytes }) => ({
      from: recordWord(slot) + firstComponent,
      components,
      output: outputs[buffer]!,
      strideWords: strideBytes[buffer]! >>> 2,
      offsetWords: offsetBytes >>> 2,
    }));
    this.#processor ??= new VertexProcessor();
    const prepared = this.#processor.prepare(this.#context, info);
    try {
      const recordWords = prepared.strideBytes >>> 2;
      for (let done = 0; done < primitives * per; ) {
        const instance = Math.floor(done / ids.length);
        const at = done % ids.length;
        const count = Math.min(BATCH_VERTICES, ids.length - at, primitives * per - done);
        const { words, first } = prepared.run(ids.subarray(at, at + count), instance);
        for (const { from, components, output, strideWords, offsetWords } of moves) {
          for (let vertex = 0; vertex < count; vertex++) {
            const source = first + vertex * recordWords + from;
            output.set(words.subarray(source, source + components), (done + vertex) * strideWords + offsetWords);
          }
        }
        done += count;
      }
    } finally {
      prepared.release();
    }
    for (const [index, output] of outputs.entries()) {
      const target = targets[index];
      if (!target || output.length === 0) continue;
      const bytes = new Uint8Array(output.buffer);
      this.#context.bufferSubdata(target.buffer, 0, target.offsetBytes + target.writtenBytes, bytes);
      target.writtenBytes += bytes.byteLength;
    }
    return primitives;
  }

  destroy(): void {
    this.#processor?.destroy();
    this.#processor = null;
  }
}
