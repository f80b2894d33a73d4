// Parts of array buffer views by element: the `srcOffset` and `length` arguments of WebGL 2.

import { bytesOf } from '../base/bytes-of.ts';
import type { Context } from '../gl/context.ts';
import { invalidValue } from '../gl/errors.ts';

/** Bytes of an element of a view; a DataView or a plain buffer counts in bytes. */
export function elementBytes(source: ArrayBufferView | ArrayBufferLike): number {
  return ArrayBuffer.isView(source) ? ((source as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1) : 1;
}

/** `length` elements from `offset` on; 0 stands for all that follow. Undefined after INVALID_VALUE. */
export function elementRange(
  context: Context,
  call: string,
  source: ArrayBufferView | ArrayBufferLike,
  offset: number,
  length: number,
): Uint8Array | undefined {
  const bytes = bytesOf(source);
  if (offset === 0 && length === 0) return bytes;
  const size = elementBytes(source);
  const count = Math.floor(bytes.byteLength / size);
  if (offset > count) return invalidValue(context, call, `offset ${offset} is beyond the view's ${count} elements`);
  const wanted = length === 0 ? count - offset : length;
  if (offset + wanted > count)
    return invalidValue(context, call, `elements ${offset}…${offset + wanted} are beyond the view's ${count}`);
  return bytes.subarray(offset * size, (offset + wanted) * size);
}
