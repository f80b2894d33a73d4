// Transform feedback, which the GPU is not known to have: vertices run on the CPU once more and go to the bound buffers.

import type { DrawInfo, PipeStatus, Resource, StreamOutputTarget } from '../../../src/pipe/pipe.ts';
import { PRIMITIVE_VERTICES } from '../../../src/raster/assemble.ts';
import { VERTEX, vertexVarying } from '../../../src/raster/layout.ts';
import { OutOfMemoryError } from '../../../src/raster/memory.ts';
import { countPrimitives, type IndexReader, indexReader, PrimitiveWalk } from './assemble-primitives.ts';
import type { EtnavivContext } from './context.ts';
import type { EtnavivResource } from './resource.ts';
import { prepareForWrite } from './transfer.ts';
import { BATCH_VERTICES, type PreparedVertices, VertexProcessor, VertexProcessorError } from './vertex-processor.ts';

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

  #indices(info: DrawInfo): IndexReader | null {
    if (!info.indexBuffer) return null;
    const { screen } = this.#context;
    const { base, width } = info.indexBuffer as EtnavivResource;
    screen.prepareBuffer(base.buffer, false);
    screen.winsys.finish(base.buffer);
    return indexReader(info, width, () => base.buffer.map());
  }

  /** Counts a draw's primitives, and writes those that fit where targets are bound. A status: nothing was written. */
  run(info: DrawInfo): PrimitiveCounts | PipeStatus {
    const { bindings } = this.#context;
    const indices = this.#indices(info);
    const generated = countPrimitives(info, indices) * info.instanceCount;
    const captures = bindings.vertexShader?.description.streamOutput && bindings.streamOutputTargets.length > 0;
    if (!captures || generated === 0) return { generated, emitted: 0 };
    try {
      return { generated, emitted: this.#capture(info, indices, generated) };
    } catch (error) {
      if (error instanceof OutOfMemoryError) return 'outOfMemory';
      if (!(error instanceof VertexProcessorError)) throw error;
      console.warn(`indium: ${this.#context.screen.name}: ${error.message}`);
      return 'tooComplex';
    }
  }

  /** Writes as many primitives as fit all targets. Returns how many. */
  #capture(info: DrawInfo, indices: IndexReader | null, generated: number): number {
    const { bindings, screen } = this.#context;
    const { strideBytes } = bindings.vertexShader!.description.streamOutput!;
    const targets = bindings.streamOutputTargets as readonly EtnavivStreamOutputTarget[];
    const per = PRIMITIVE_VERTICES[info.mode];
    let primitives = generated;
    for (const [index, stride] of strideBytes.entries()) {
      if (stride > 0) primitives = Math.min(primitives, Math.floor((targets[index]?.room ?? 0) / (stride * per)));
    }
    if (primitives === 0) return 0;
    this.#processor ??= new VertexProcessor();
    const prepared = this.#processor.prepare(this.#context, info);
    const written = strideBytes.map((stride) => stride * per * primitives);
    const used = targets.filter((_, index) => (written[index] ?? 0) > 0);
    for (const target of used) {
      const bytes = written[targets.indexOf(target)]!;
      prepareForWrite(screen, target.buffer, target.offsetBytes + target.writtenBytes, bytes);
    }
    try {
      this.#write(info, indices, primitives * per, prepared, (index) => {
        const { buffer, offsetBytes, writtenBytes } = targets[index]!;
        const bytes = (buffer as EtnavivResource).base.buffer.map();
        return new Uint32Array(bytes.buffer, bytes.byteOffset + offsetBytes + writtenBytes, written[index]! >>> 2);
      });
    } finally {
      prepared.release();
      for (const { buffer } of used) screen.winsys.finish((buffer as EtnavivResource).base.buffer);
    }
    for (const target of used) target.writtenBytes += written[targets.indexOf(target)]!;
    return primitives;
  }

  /** Runs `vertices` vertices of primitives, and puts their outputs where `outputWords` says: asked for each time, as memory may move. */
  #write(
    info: DrawInfo,
    indices: IndexReader | null,
    vertices: number,
    prepared: PreparedVertices,
    outputWords: (buffer: number) => Uint32Array,
  ): void {
    const { varyings, strideBytes } = this.#context.bindings.vertexShader!.description.streamOutput!;
    const recordWords = prepared.strideBytes >>> 2;
    const ids = new Uint32Array(BATCH_VERTICES);
    let walk = new PrimitiveWalk(info, indices);
    for (let done = 0, instance = 0; done < vertices; ) {
      const count = walk.fill(ids.subarray(0, Math.min(BATCH_VERTICES, vertices - done)));
      if (count === 0) {
        walk = new PrimitiveWalk(info, indices);
        instance++;
        continue;
      }
      const { words, first } = prepared.run(ids.subarray(0, count), instance);
      for (const { slot, firstComponent, components, buffer, offsetBytes } of varyings) {
        const output = outputWords(buffer);
        const strideWords = strideBytes[buffer]! >>> 2;
        let from = first + recordWord(slot) + firstComponent;
        let to = done * strideWords + (offsetBytes >>> 2);
        for (let vertex = 0; vertex < count; vertex++, from += recordWords, to += strideWords) {
          for (let component = 0; component < components; component++)
            output[to + component] = words[from + component]!;
        }
      }
      done += count;
    }
  }

  destroy(): void {
    this.#processor?.destroy();
    this.#processor = null;
  }
}
