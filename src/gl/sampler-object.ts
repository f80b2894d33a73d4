// A sampler object (ES 3.0.6 §3.8.2): sampling parameters that replace those of the texture bound to the same unit.

import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';
import { createSamplingState, type SamplingState } from './sampler-state.ts';

export class Sampler extends GlObject {
  readonly sampling: SamplingState = createSamplingState();

  protected destroy(_context: Context): void {
    this.sampling.pipeStates.length = 0;
  }
}
