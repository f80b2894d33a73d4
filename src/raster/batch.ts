// Makes the batch scratch of a thread.

import {
  BATCH,
  CLIP_SCRATCH_HEADER,
  CLIP_SCRATCH_VERTICES,
  MAX_VARYING_SLOTS,
  VERTEX_CACHE_ENTRIES,
  vertexStride,
} from './layout.ts';
import type { RasterMemory } from './memory.ts';

/** Vertices and primitives of a batch: small enough to stay in the cache, large enough that calls do not matter. */
const BATCH_VERTICES = 1024;
const BATCH_PRIMITIVES = 2048;
/** An element can complete more than one primitive (the end of a line loop). */
const PRIMITIVE_SLACK = 4;

/** Address of a new BATCH. All blocks taken are added to `blocks`, also when it throws OutOfMemoryError. */
export function allocateBatch(memory: RasterMemory, blocks: number[]): number {
  const sizes: Partial<Record<keyof typeof BATCH.word, number>> = {
    ids: (BATCH_VERTICES + 4) * 4,
    primitives: (BATCH_PRIMITIVES + PRIMITIVE_SLACK) * 12,
    vertices: (BATCH_VERTICES + 4) * vertexStride(MAX_VARYING_SLOTS),
    cache: VERTEX_CACHE_ENTRIES * 4,
    clipScratch: CLIP_SCRATCH_HEADER + CLIP_SCRATCH_VERTICES * vertexStride(MAX_VARYING_SLOTS),
  };
  const batch = memory.allocateZeroed(BATCH.size);
  blocks.push(batch);
  for (const [field, bytes] of Object.entries(sizes) as [keyof typeof BATCH.word, number][]) {
    const block = memory.allocateZeroed(bytes);
    blocks.push(block);
    memory.u32[(batch >>> 2) + BATCH.word[field]] = block;
  }
  memory.u32[(batch >>> 2) + BATCH.word.maxVertices] = BATCH_VERTICES;
  memory.u32[(batch >>> 2) + BATCH.word.maxPrimitives] = BATCH_PRIMITIVES;
  return batch;
}
