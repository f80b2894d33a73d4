// Hands the textures and samplers that the current program uses to the pipe, and checks them for a draw.

import type { Context } from './context.ts';

/**
 * Sets sampler views and sampler states of both stages from the current executable (`context.pipeState.executable`):
 * stage's IR sampler k → `linked.<stage>.samplers[k]` → `executable.samplerUnits[…]` → texture unit. Called while DIRTY.TEXTURES is set.
 */
export function updateSamplerViews(_context: Context): void {
  throw new Error('updateSamplerViews: not built yet');
}

/** Rules at draw time: feedback loops (`rules.feedbackLoopIsError`). Returns false after recording an error. */
export function checkDrawTextures(_context: Context, _call: string): boolean {
  throw new Error('checkDrawTextures: not built yet');
}
