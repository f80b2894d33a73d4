// A vertex array object: attribute arrays and the element array binding.

import { listOf } from '../base/list.ts';
import type { BufferObject } from './buffer-object.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { exchange, GlObject } from './gl-object.ts';
import type { VertexLayout } from './vertex-update.ts';

export interface VertexAttribute {
  enabled: boolean;
  /** 1..4; BGRA arrays (EXT_vertex_array_bgra) are not part of ES. */
  size: number;
  type: number;
  normalized: boolean;
  /** Set by vertexAttribIPointer: values reach the shader as integers. */
  integer: boolean;
  /** Stride as given; 0 means tightly packed. */
  stride: number;
  offset: number;
  divisor: number;
  buffer: BufferObject | null;
  /** ES client memory, copied at each draw; null when a buffer is the source. */
  clientArray: ArrayBufferView | null;
}

export class VertexArrayObject extends GlObject {
  readonly attributes: readonly VertexAttribute[];
  elementBuffer: BufferObject | null = null;
  /** Bits of the enabled arrays. */
  enabledMask = 0;
  /** What it last was to the pipe; null once an attribute has changed. */
  layout: VertexLayout | null = null;
  /** isVertexArray is false before the first bind. */
  wasBound = false;

  constructor(attributeCount: number) {
    super();
    this.attributes = listOf(attributeCount, createVertexAttribute);
  }

  protected destroy(context: Context): void {
    for (const attribute of this.attributes) attribute.buffer = exchange(context, attribute.buffer, null);
    this.elementBuffer = exchange(context, this.elementBuffer, null);
  }
}

function createVertexAttribute(): VertexAttribute {
  return {
    enabled: false,
    size: 4,
    type: GL.FLOAT,
    normalized: false,
    integer: false,
    stride: 0,
    offset: 0,
    divisor: 0,
    buffer: null,
    clientArray: null,
  };
}
