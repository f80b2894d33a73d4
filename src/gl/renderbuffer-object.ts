// A renderbuffer object (ES 3.0.6 §4.4.2.1): one image that can be rendered to and never sampled.

import type { Resource } from '../pipe/resource.ts';
import type { Context } from './context.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import type { StorageChoice } from './gl-formats.ts';
import { GlObject } from './gl-object.ts';

export class Renderbuffer extends GlObject {
  /** Bound once: isRenderbuffer is true. */
  wasBound = false;
  width = 0;
  height = 0;
  /** As given to renderbufferStorage; RGBA4 before (ES 3.0.6 table 6.26). */
  internalFormat = 0x8056;
  /** 0: single-sampled, as RENDERBUFFER_SAMPLES tells. */
  samples = 0;
  /** Null before storage was given. */
  row: InternalFormatRow | null = null;
  storage: StorageChoice | null = null;
  resource: Resource | null = null;

  protected destroy(_context: Context): void {
    this.resource?.destroy();
    this.resource = null;
  }
}
