// Which typed array each pixel type takes (WebGL 1 §5.14.8, WebGL 2 §3.7.6): anything else is INVALID_OPERATION.

import { typedArrayName } from '../base/bytes-of.ts';
import { GL } from '../gl/constants.ts';

const BYTES = ['Uint8Array', 'Uint8ClampedArray'];

const VIEW_TYPES: ReadonlyMap<number, readonly string[]> = new Map<number, readonly string[]>([
  [GL.BYTE, ['Int8Array']],
  [GL.UNSIGNED_BYTE, BYTES],
  [GL.SHORT, ['Int16Array']],
  [GL.UNSIGNED_SHORT, ['Uint16Array']],
  [GL.UNSIGNED_SHORT_5_6_5, ['Uint16Array']],
  [GL.UNSIGNED_SHORT_5_5_5_1, ['Uint16Array']],
  [GL.UNSIGNED_SHORT_4_4_4_4, ['Uint16Array']],
  [GL.HALF_FLOAT, ['Uint16Array']],
  [GL.HALF_FLOAT_OES, ['Uint16Array']],
  [GL.INT, ['Int32Array']],
  [GL.UNSIGNED_INT, ['Uint32Array']],
  [GL.UNSIGNED_INT_5_9_9_9_REV, ['Uint32Array']],
  [GL.UNSIGNED_INT_2_10_10_10_REV, ['Uint32Array']],
  [GL.UNSIGNED_INT_10F_11F_11F_REV, ['Uint32Array']],
  [GL.UNSIGNED_INT_24_8, ['Uint32Array']],
  [GL.FLOAT, ['Float32Array']],
  // Nothing but null.
  [GL.FLOAT_32_UNSIGNED_INT_24_8_REV, []],
]);

/** What is wrong with `view` for a pixel type, in words; null: nothing, or the type is an error of its own. */
export function viewProblem(type: number, view: ArrayBufferView): string | null {
  const accepted = VIEW_TYPES.get(type);
  if (accepted === undefined) return null;
  const given = typedArrayName(view) ?? 'DataView';
  if (accepted.includes(given)) return null;
  return accepted.length === 0
    ? 'this type takes no pixels from memory'
    : `this type takes a ${accepted.join(' or ')}, not a ${given}`;
}
