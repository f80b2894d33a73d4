// A texture object: identity and target; images, parameters and storage are kept by the texture files.

import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';

export class Texture extends GlObject {
  /** Target of the first bind, 0 before: isTexture is false. Default textures have their target from the start. */
  target: number;

  constructor(target = 0) {
    super();
    this.target = target;
  }

  protected destroy(_context: Context): void {}
}
