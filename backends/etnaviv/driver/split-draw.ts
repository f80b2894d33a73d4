// Draws of more vertices than one command takes, as several commands that make the same primitives in the same order.

import type { PrimitiveMode } from '../../../src/pipe/pipe.ts';

/** The counts of DRAW_INSTANCED have 24 bits. */
export const MAX_COMMAND_VERTICES = 0xffffff;
export const MAX_COMMAND_INSTANCES = 0xffffff;

export interface DrawPart {
  /** Vertices, or indices, that come before. */
  readonly first: number;
  readonly count: number;
}

/** Vertices that a part shares with the one before, and the grain of what it adds: strips turn every other triangle. */
const STEPS: Readonly<Partial<Record<PrimitiveMode, { readonly shared: number; readonly grain: number }>>> = {
  points: { shared: 0, grain: 1 },
  lines: { shared: 0, grain: 2 },
  triangles: { shared: 0, grain: 3 },
  lineStrip: { shared: 1, grain: 1 },
  triangleStrip: { shared: 2, grain: 2 },
};

/** The parts of a draw, or null: all of its primitives share a vertex. */
export function splitDraw(mode: PrimitiveMode, count: number, most = MAX_COMMAND_VERTICES): readonly DrawPart[] | null {
  if (count <= most) return [{ first: 0, count }];
  const step = STEPS[mode];
  if (!step) return null;
  const { shared, grain } = step;
  const added = Math.floor((most - shared) / grain) * grain;
  const parts: DrawPart[] = [];
  for (let first = 0; first + shared < count; first += added) {
    parts.push({ first, count: Math.min(added + shared, count - first) });
  }
  return parts;
}
