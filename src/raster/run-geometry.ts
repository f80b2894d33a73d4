// Runs the geometry of a draw batch by batch: from elements to binned primitives. Any thread can do it with a batch of its own.

import type { DrawRange, GeometryKernels, GeometryTarget, VertexShader } from './engine.ts';
import { BATCH, BIN_BYTES_PER_TILE, DRAW, primitiveStride, STATUS, vertexStride } from './layout.ts';

/**
 * Vertices are fetched and shaded by `vertices`, primitives are set up and binned into the target's job. False if its arena could
 * not grow: the draw is then binned in part, as it is when the status that the draw points to says `timedOut`.
 */
export function runGeometry(
  memory: { readonly u32: Uint32Array },
  batch: number,
  kernels: Pick<GeometryKernels, 'assembly' | 'assemble' | 'transform' | 'setup'>,
  slots: number,
  draw: number,
  range: DrawRange,
  vertices: VertexShader,
  target: GeometryTarget,
): boolean {
  const { assembly, assemble, transform, setup } = kernels;
  const { word } = BATCH;
  const base = batch >>> 2;
  const block = arenaBlockBytes(target.tiles, slots);
  // The same mesh is often drawn again with other uniforms.
  let isWhole = assembly !== 0 && holdsRange(memory.u32, base, assembly, range, slots);
  for (let instance = 0; instance < range.instances; instance++) {
    let more = 0;
    let isFirst = true;
    do {
      // A draw that fits one batch is assembled once for all its instances.
      if (!isWhole) {
        if (isFirst) beginDraw(memory.u32, base, range, slots);
        more = assemble(batch);
        isWhole = isFirst && more === 0;
        if (isWhole && !range.first) memory.u32[base + word.holds] = assembly;
        isFirst = false;
      }
      const { u32 } = memory;
      const count = u32[base + word.vertexCount] as number;
      if (u32[base + word.primitiveCount] === 0) {
        if (isWhole) return true;
        continue;
      }
      u32[base + word.cursor] = 0;
      u32[base + word.fan] = 0;
      vertices(
        draw,
        u32[base + word.ids] as number,
        count,
        u32[base + word.vertices] as number,
        range.firstInstance + instance,
      );
      if (u32[(u32[(draw >>> 2) + DRAW.word.status]! >>> 2) + STATUS.word.timedOut] !== 0) return true;
      transform(draw, batch);
      while (setup(draw, batch, target.job) !== 0) {
        if (!target.addBlock(block)) return false;
      }
    } while (more !== 0);
  }
  return true;
}

/** Bytes of arena that are enough for any primitive of a job with so many tiles. */
export function arenaBlockBytes(tiles: number, slots: number): number {
  return Math.max(1 << 18, tiles * BIN_BYTES_PER_TILE * 2 + primitiveStride(slots) * 16);
}

/** Whether the batch still holds the elements of a draw like this one. */
function holdsRange(u32: Uint32Array, base: number, assembly: number, range: DrawRange, slots: number): boolean {
  const { word } = BATCH;
  return (
    u32[base + word.holds] === assembly &&
    u32[base + word.elementCount] === range.count &&
    u32[base + word.firstVertex] === range.firstVertex >>> 0 &&
    u32[base + word.maxVertex] === (range.maxVertex ?? 0xffffffff) &&
    u32[base + word.vertexStride] === vertexStride(slots) &&
    !range.first
  );
}

function beginDraw(u32: Uint32Array, base: number, range: DrawRange, slots: number): void {
  const { word } = BATCH;
  u32[base + word.vertexStride] = vertexStride(slots);
  u32[base + word.indices] = range.indices;
  u32[base + word.elementCount] = range.count;
  u32[base + word.element] = range.first ?? 0;
  u32[base + word.firstVertex] = range.firstVertex;
  u32[base + word.maxVertex] = range.maxVertex ?? 0xffffffff;
  u32[base + word.stripLength] = 0;
  u32[base + word.holds] = 0;
}
