// What the simulated GPU has done, by unit, and a rough idea of the time that hardware would take for it.

import type { CoreInfo } from '../hwdb/core-info.ts';

export interface Counters {
  submits: number;
  stateWords: number;
  draws: number;
  vertices: number;
  /** Pixels whose colour was computed (after early tests), and quads of two by two that they stand in. */
  pixels: number;
  quads: number;
  tiles: number;
  /** Each instruction of a program counted once an invocation: loops and branches are not followed. Quads run whole. */
  vertexInstructions: number;
  pixelInstructions: number;
  /** Texture instructions, counted in the same way. */
  textureFetches: number;
  /** Bytes that the pixel engine, and the resolve and blit engines, moved; and how often the latter ran. */
  pixelBytes: number;
  copyBytes: number;
  copies: number;
}

export function noCounts(): Counters {
  return {
    submits: 0,
    stateWords: 0,
    draws: 0,
    vertices: 0,
    pixels: 0,
    quads: 0,
    tiles: 0,
    vertexInstructions: 0,
    pixelInstructions: 0,
    textureFetches: 0,
    pixelBytes: 0,
    copyBytes: 0,
    copies: 0,
  };
}

/** Bytes that the memory interface moves a cycle for each pixel pipe. */
const BYTES_PER_CYCLE = 16;

/**
 * GPU cycles, as if the slowest of units that work side by side decided: one state word a cycle, one instruction of four
 * components a cycle and shader core, one texel quad a cycle and pixel pipe, and the memory interface. Engines that resolve
 * and blit work alone. No measured hardware stands behind it: use it to compare two streams.
 */
export function estimateCycles(counters: Counters, { limits }: CoreInfo): number {
  const pipes = Math.max(1, limits.pixelPipes);
  const shader = (counters.vertexInstructions + counters.pixelInstructions) / Math.max(1, limits.shaderCores);
  const texture = counters.textureFetches / 4 / pipes;
  const memory = counters.pixelBytes / BYTES_PER_CYCLE / pipes;
  const copies = counters.copyBytes / BYTES_PER_CYCLE / pipes;
  return Math.ceil(Math.max(counters.stateWords, shader, texture, memory) + copies);
}
