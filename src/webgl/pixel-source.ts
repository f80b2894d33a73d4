// The last arguments of texImage and texSubImage: memory, an offset into the pixel unpack buffer, a picture, or nothing.

import { bytesOf } from '../base/bytes-of.ts';
import type { Context } from '../gl/context.ts';
import type { PixelSource } from '../gl/pixel-transfer.ts';
import { elementBytes } from './element-range.ts';
import { imagePixels } from './image-source.ts';
import { viewProblem } from './view-types.ts';
import { toInt64, toUint64 } from './webidl.ts';

/** Pixels in a view from element `srcOffset` on; what is wrong with them is told after the other checks of the call. */
function viewPixels(view: ArrayBufferView, type: number, srcOffset: number): PixelSource {
  const problem = viewProblem(type, view);
  if (problem !== null) return { problem };
  const bytes = bytesOf(view);
  const start = srcOffset * elementBytes(view);
  return start > bytes.byteLength
    ? { problem: `offset ${srcOffset} is beyond the end of the view` }
    : bytes.subarray(start);
}

/** WebGL 1's form with sizes: a view or null. */
export function pixels1(value: unknown, type: number, method: string, index: number): PixelSource {
  if (value === null || value === undefined) return null;
  if (ArrayBuffer.isView(value)) return viewPixels(value, type, 0);
  throw new TypeError(`${method}: argument ${index + 1} is not a view of an ArrayBuffer`);
}

/** WebGL 2's form with sizes: also pictures and offsets, and `srcOffset` for views. Undefined after an error. */
export function pixels2(
  gl: Context,
  value: unknown,
  type: number,
  srcOffset: unknown,
  method: string,
  index: number,
): PixelSource | undefined {
  if (value === null || value === undefined) {
    if (srcOffset !== undefined)
      throw new TypeError(`${method}: argument ${index + 1} is not a view of an ArrayBuffer`);
    return null;
  }
  if (ArrayBuffer.isView(value)) return viewPixels(value, type, srcOffset === undefined ? 0 : toUint64(srcOffset));
  if (srcOffset !== undefined) throw new TypeError(`${method}: argument ${index + 1} is not a view of an ArrayBuffer`);
  return typeof value === 'object' ? imagePixels(gl, value, method, index) : toInt64(value);
}
