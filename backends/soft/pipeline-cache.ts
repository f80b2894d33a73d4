// Finds a draw's code by numbers alone, without making text or garbage: the fast way past the variant keys.

import type { Coverage, GeometryKernels } from '../../src/raster/engine.ts';
import type { GeometryExtras } from '../../src/raster/primitive-record.ts';
import type { ShadeFunction, VerticesFunction } from './shader.ts';

/** All code of a draw. */
export interface Pipeline {
  readonly vertices: VerticesFunction;
  /** Null: shading would have no effect (rasterizer discard, or only early depth and stencil writes). */
  readonly shade: ShadeFunction | null;
  readonly coverage: Coverage;
  /** Depth, stencil is tested or written. */
  readonly usesDepth: boolean;
  readonly usesStencil: boolean;
  readonly slots: number;
  readonly flatMask: number;
  readonly extras: GeometryExtras | undefined;
  readonly discardsPrimitives: boolean;
  /** By `geometryIndex`, filled as topologies are drawn. */
  readonly geometry: (GeometryKernels | undefined)[];
}

/** Room for a pipeline's key: state numbers, one a texture, and a few masks. */
const MAX_KEY_NUMBERS = 160;

/** A key under construction, reused from draw to draw. */
export class PipelineKey {
  readonly numbers = new Int32Array(MAX_KEY_NUMBERS);
  length = 0;

  reset(): void {
    this.length = 0;
  }

  add(number: number): void {
    this.numbers[this.length++] = number;
  }

  hash(): number {
    let hash = 0;
    for (let i = 0; i < this.length; i++) hash = (Math.imul(hash, 0x01000193) ^ this.numbers[i]!) | 0;
    // Small integers stay out of the heap.
    return hash & 0x3fffffff;
  }
}

interface Entry {
  readonly key: Int32Array;
  /** Null: the shader is too complex for this key; it will not get simpler. */
  readonly pipeline: Pipeline | null;
}

/** Entries kept; beyond, all are dropped: what is in use comes back from the shaders' variants. */
const CAPACITY = 256;

export class PipelineCache {
  readonly #buckets = new Map<number, Entry[]>();
  #size = 0;

  /** Undefined when the key is new. */
  get(key: PipelineKey): Pipeline | null | undefined {
    const bucket = this.#buckets.get(key.hash());
    if (bucket === undefined) return undefined;
    for (let i = 0; i < bucket.length; i++) if (isEqual(bucket[i]!.key, key)) return bucket[i]!.pipeline;
    return undefined;
  }

  set(key: PipelineKey, pipeline: Pipeline | null): void {
    if (this.#size++ >= CAPACITY) {
      this.#buckets.clear();
      this.#size = 1;
    }
    const hash = key.hash();
    const entry = { key: key.numbers.slice(0, key.length), pipeline };
    const bucket = this.#buckets.get(hash);
    if (bucket === undefined) this.#buckets.set(hash, [entry]);
    else bucket.push(entry);
  }
}

function isEqual(numbers: Int32Array, key: PipelineKey): boolean {
  if (numbers.length !== key.length) return false;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== key.numbers[i]) return false;
  return true;
}
