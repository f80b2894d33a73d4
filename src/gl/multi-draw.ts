// Multi-draws: many draws in one call, numbered by gl_DrawID (WEBGL_multi_draw, ANGLE_multi_draw, EXT_multi_draw_arrays).
// One call is one command: every draw is checked before the first is drawn, so an error in any leaves nothing drawn.

import type { Context } from './context.ts';
import { checkDrawArrays, checkDrawElements, issueArrays, issueElements } from './draw.ts';
import { invalidValue } from './errors.ts';
import { checkFeedbackRoom } from './transform-feedback.ts';

/** Per draw, what plain draws do not have; null where none of the draws has it. */
export interface MultiDrawLists {
  readonly counts: ArrayLike<number>;
  readonly instanceCounts: ArrayLike<number> | null;
  readonly baseInstances: ArrayLike<number> | null;
}

export interface MultiDrawArraysLists extends MultiDrawLists {
  readonly firsts: ArrayLike<number>;
}

export interface MultiDrawElementsLists extends MultiDrawLists {
  /** Byte offsets into the element array buffer, or client memory where the rules allow it. */
  readonly indices: ArrayLike<number | ArrayBufferView | null>;
  readonly baseVertices: ArrayLike<number> | null;
}

function isNegative(context: Context, call: string, drawCount: number): boolean {
  if (drawCount >= 0) return false;
  invalidValue(context, call, `drawcount ${drawCount} is negative`);
  return true;
}

export function multiDrawArrays(
  context: Context,
  call: string,
  mode: number,
  lists: MultiDrawArraysLists,
  drawCount: number,
): void {
  if (isNegative(context, call, drawCount)) return;
  const { firsts, counts, instanceCounts, baseInstances } = lists;
  const isInstanced = instanceCounts !== null;
  for (let i = 0; i < drawCount; i++) {
    const instances = instanceCounts?.[i] ?? 1;
    const base = baseInstances?.[i] ?? 0;
    if (!checkDrawArrays(context, call, mode, firsts[i]!, counts[i]!, instances, isInstanced, base)) return;
  }
  if (!checkFeedbackRoom(context, call, counts, instanceCounts, drawCount)) return;
  for (let i = 0; i < drawCount; i++)
    issueArrays(context, call, mode, firsts[i]!, counts[i]!, instanceCounts?.[i] ?? 1, baseInstances?.[i] ?? 0, i);
}

export function multiDrawElements(
  context: Context,
  call: string,
  mode: number,
  type: number,
  lists: MultiDrawElementsLists,
  drawCount: number,
): void {
  if (isNegative(context, call, drawCount)) return;
  const { counts, indices, instanceCounts, baseVertices, baseInstances } = lists;
  const isInstanced = instanceCounts !== null;
  for (let i = 0; i < drawCount; i++) {
    const instances = instanceCounts?.[i] ?? 1;
    const vertex = baseVertices?.[i] ?? 0;
    const base = baseInstances?.[i] ?? 0;
    const at = indices[i]!;
    if (!checkDrawElements(context, call, mode, counts[i]!, type, at, instances, isInstanced, vertex, base)) return;
  }
  for (let i = 0; i < drawCount; i++) {
    const instances = instanceCounts?.[i] ?? 1;
    const vertex = baseVertices?.[i] ?? 0;
    issueElements(context, call, mode, counts[i]!, type, indices[i]!, instances, vertex, baseInstances?.[i] ?? 0, i);
  }
}
