// A framebuffer object, the default framebuffer included (ES 3.0.6 §4.4).

import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';

/** Attributes of the default framebuffer. */
export interface DefaultFramebufferAttributes {
  width: number;
  height: number;
  alpha: boolean;
  depth: boolean;
  stencil: boolean;
  samples: number;
}

export class Framebuffer extends GlObject {
  readonly isDefault: boolean;

  constructor(isDefault = false) {
    super();
    this.isDefault = isDefault;
  }

  protected destroy(_context: Context): void {}
}
