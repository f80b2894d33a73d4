// A buffer object: its size, usage, storage below and current mapping.

import { listOf } from '../base/list.ts';
import type { Resource } from '../pipe/resource.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';
import type { IndexRanges } from './index-range.ts';

/** A range mapped by glMapBufferRange; `bytes` is what the face handed out. */
export interface BufferMapping {
  readonly access: number;
  readonly offset: number;
  readonly length: number;
  readonly bytes: Uint8Array;
  /** Writes back what the caller stored in [start, start + length) of the mapping. */
  flush(start: number, length: number): void;
  /** Ends the mapping below. */
  end(): void;
}

export class BufferObject extends GlObject {
  /** Bound once: isBuffer is true. */
  wasBound = false;
  size = 0;
  usage: number = GL.STATIC_DRAW;
  /** Storage, absent while the size is 0. Replaced by bufferData, so keep the object, not the resource. */
  resource: Resource | null = null;
  mapping: BufferMapping | null = null;
  /** WebGL 2 §5.1: a buffer first bound as an element array never becomes another kind, and the other way round. */
  webglKind: 'undefined' | 'element' | 'other' = 'undefined';
  /** Grows with every change of contents: caches keyed by it (largest index) stay honest. */
  contentVersion = 0;
  /** Index ranges by offset, count and type; see `index-range.ts`. */
  indexRanges: IndexRanges | null = null;
  /** Bindings to transform feedback, for WebGL's rule that a buffer may not be read and written at once. */
  transformFeedbackBindings = 0;

  protected destroy(_context: Context): void {
    this.mapping?.end();
    this.mapping = null;
    if (this.resource) this.resource.destroy();
    this.resource = null;
  }
}

/** One indexed binding point (uniform buffers, transform feedback). `size` 0 means the whole buffer, as its size is at the time of use. */
export interface IndexedBufferBinding {
  buffer: BufferObject | null;
  offset: number;
  size: number;
}

export function createIndexedBindings(count: number): IndexedBufferBinding[] {
  return listOf(count, () => ({ buffer: null, offset: 0, size: 0 }));
}
