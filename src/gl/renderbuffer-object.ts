// A renderbuffer object (ES 3.0.6 §4.4.2.1).

import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';

export class Renderbuffer extends GlObject {
  protected destroy(_context: Context): void {}
}
