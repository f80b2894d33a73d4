// gl_ClipDistance and gl_CullDistance: sizes, limits, and the slots that both share (EXT_clip_cull_distance).

import { listOf } from '../base/list.ts';
import type { SlotInfo } from '../ir/ir.ts';
import type { CheckedShader, VariableSymbol } from './ast.ts';
import type { VectorSlot } from './lower-context.ts';

export interface DistancePlan {
  /** Distances that the vertex shader writes. */
  readonly clip: number;
  readonly cull: number;
  readonly slotInfos: readonly SlotInfo[];
  /** By name, for each element that the vertex shader writes. */
  readonly slots: ReadonlyMap<string, readonly VectorSlot[]>;
}

/** How many elements a shader's array has; 0 where it does not name it. */
function sizeOf(shader: CheckedShader, name: string): number {
  const distances = shader.builtinVariables.find((variable) => variable.name === name)?.distances;
  return distances?.declaredSize ?? distances?.indexedSize ?? 0;
}

function declaredSize(shader: CheckedShader, name: string): number | undefined {
  return shader.builtinVariables.find((variable) => variable.name === name)?.distances?.declaredSize;
}

export function planDistances(
  vertex: CheckedShader,
  fragment: CheckedShader,
  vertexUsed: ReadonlySet<VariableSymbol>,
  limit: number,
  errors: string[],
): DistancePlan {
  for (const name of ['gl_ClipDistance', 'gl_CullDistance']) {
    const [out, input] = [declaredSize(vertex, name), declaredSize(fragment, name)];
    if (out !== undefined && input !== undefined && out !== input)
      errors.push(`Sizes of '${name}' differ between the vertex and the fragment shader.`);
  }
  for (const shader of [vertex, fragment]) {
    const sum = sizeOf(shader, 'gl_ClipDistance') + sizeOf(shader, 'gl_CullDistance');
    if (sum > limit) errors.push(`The ${shader.stage} shader has ${sum} clip and cull distances, more than ${limit}.`);
  }
  const isUsed = (name: string) => [...vertexUsed].some((symbol) => symbol.isBuiltin && symbol.name === name);
  const written = (name: string) => (isUsed(name) ? sizeOf(vertex, name) : 0);
  const clip = written('gl_ClipDistance');
  const cull = written('gl_CullDistance');
  const all = listOf(clip + cull, (i): VectorSlot => ({ slot: `clip${i >> 2}`, component: i & 3 }));
  const slotInfos = listOf(Math.ceil(all.length / 4), (i): SlotInfo => {
    const components = Math.min(all.length - i * 4, 4);
    const name = i * 4 < clip ? 'gl_ClipDistance' : 'gl_CullDistance';
    return { name, slot: `clip${i}`, components, base: 'float', interpolation: 'smooth', centroid: false };
  });
  const slots = new Map([
    ['gl_ClipDistance', all.slice(0, clip)],
    ['gl_CullDistance', all.slice(clip)],
  ]);
  return { clip, cull, slotInfos, slots };
}
