// A sampler object (ES 3.0.6 §3.8.2).

import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';

export class Sampler extends GlObject {
  protected destroy(_context: Context): void {}
}
