// The vertices of a draw's primitives, one primitive behind the other, as transform feedback and primitive counts see them.

import type { DrawInfo, PrimitiveMode } from '../../../src/pipe/pipe.ts';
import { PRIMITIVE_VERTICES } from '../../../src/raster/assemble.ts';

/** Positions in a run of `count` vertices that primitives are made of. */
function positions(mode: PrimitiveMode, count: number): number[] {
  const list: number[] = [];
  switch (mode) {
    case 'points':
    case 'lines':
    case 'triangles': {
      const per = PRIMITIVE_VERTICES[mode];
      for (let i = 0; i < count - (count % per); i++) list.push(i);
      break;
    }
    case 'lineStrip':
    case 'lineLoop':
      for (let i = 1; i < count; i++) list.push(i - 1, i);
      if (mode === 'lineLoop' && count > 1) list.push(count - 1, 0);
      break;
    case 'triangleStrip':
      // Every other triangle turns its first two vertices, so that all face the same way.
      for (let i = 2; i < count; i++) list.push(...(i & 1 ? [i - 1, i - 2, i] : [i - 2, i - 1, i]));
      break;
    case 'triangleFan':
      for (let i = 2; i < count; i++) list.push(0, i - 1, i);
  }
  return list;
}

/** Vertex ids of all primitives of one instance. `indexBytes`: the index buffer's contents, null without indices. */
export function assemblePrimitives(info: DrawInfo, indexBytes: Uint8Array | null): Uint32Array {
  if (!indexBytes) return Uint32Array.from(positions(info.mode, info.count), (position) => info.start + position);
  const { mode, indexSize, indexOffsetBytes, start, baseVertex, primitiveRestart, restartIndex } = info;
  const ids: number[] = [];
  let run: number[] = [];
  const endRun = () => {
    for (const position of positions(mode, run.length)) ids.push(run[position]!);
    run = [];
  };
  const first = indexOffsetBytes + start * indexSize;
  const available = Math.max(0, Math.floor((indexBytes.length - first) / indexSize));
  for (let i = 0; i < Math.min(info.count, available); i++) {
    let index = 0;
    for (let byte = 0; byte < indexSize; byte++) index += indexBytes[first + i * indexSize + byte]! * 2 ** (byte * 8);
    if (primitiveRestart && index === restartIndex >>> 0) endRun();
    else run.push((index + baseVertex) >>> 0);
  }
  endRun();
  return Uint32Array.from(ids);
}
