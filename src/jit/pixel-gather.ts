// SPDX-License-Identifier: MIT
// Emits gathers: elements of 1 to 16 bytes at four addresses, brought into word vectors (vector k holds word k of each element).
// Exactly the element's bytes are read; no alignment is needed.
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { Vec, VecLocal } from './pixel-math.ts';

export type FourAddresses = readonly [Expr<'i32'>, Expr<'i32'>, Expr<'i32'>, Expr<'i32'>];

/** The lanes of a vector of addresses. */
export function laneAddresses(f: FunctionBuilder, addresses: VecLocal): FourAddresses {
  const lane = (index: number): Expr<'i32'> => f.i32x4.extract_lane(addresses, index);
  return [lane(0), lane(1), lane(2), lane(3)];
}

/** Row i of the result is vector i's lane; the usual 4×4 transpose, of the first `columns` columns. */
export function transpose(f: FunctionBuilder, rows: readonly [Vec, Vec, Vec, Vec], columns: number): VecLocal[] {
  const low01 = f.let(f.shuffle32(rows[0], rows[1], [0, 4, 1, 5]));
  const low23 = f.let(f.shuffle32(rows[2], rows[3], [0, 4, 1, 5]));
  const result = [f.let(f.shuffle32(low01, low23, [0, 1, 4, 5]))];
  if (columns > 1) result.push(f.let(f.shuffle32(low01, low23, [2, 3, 6, 7])));
  if (columns > 2) {
    const high01 = f.let(f.shuffle32(rows[0], rows[1], [2, 6, 3, 7]));
    const high23 = f.let(f.shuffle32(rows[2], rows[3], [2, 6, 3, 7]));
    result.push(f.let(f.shuffle32(high01, high23, [0, 1, 4, 5])));
    if (columns > 3) result.push(f.let(f.shuffle32(high01, high23, [2, 3, 6, 7])));
  }
  return result;
}

/** One 32-bit word, or the 1 to 3 bytes of the last word zero-extended, of each address. */
function gatherWord(f: FunctionBuilder, addresses: FourAddresses, offset: number, bytes: number): VecLocal {
  const result = f.local('v128', bytes === 4 ? f.v128.load32_zero(addresses[0], offset) : f.i32x4.const(0));
  addresses.forEach((address, lane) => {
    if (bytes === 4) {
      if (lane > 0) f.set(result, f.v128.load32_lane(address, result, lane, offset));
      return;
    }
    if (bytes >= 2) f.set(result, f.v128.load16_lane(address, result, lane * 2, offset));
    if (bytes !== 2) f.set(result, f.v128.load8_lane(address, result, lane * 4 + bytes - 1, offset + bytes - 1));
  });
  return result;
}

/** The elements' words: vector k holds word k of each of the four elements. */
export function gatherWords(f: FunctionBuilder, addresses: FourAddresses, bytes: number): VecLocal[] {
  const whole = bytes >> 2;
  const words: VecLocal[] = [];
  if (whole === 4 || whole === 3) {
    const rows = addresses.map((address) => {
      if (whole === 4) return f.let(f.v128.load(address));
      return f.let(f.v128.load32_lane(address, f.v128.load64_zero(address), 2, 8));
    });
    words.push(...transpose(f, rows as unknown as [Vec, Vec, Vec, Vec], whole));
  } else if (whole === 2) {
    const pair = (low: number): VecLocal =>
      f.let(f.v128.load64_lane(addresses[low + 1]!, f.v128.load64_zero(addresses[low]!), 1));
    const low = pair(0);
    const high = pair(2);
    words.push(f.let(f.shuffle32(low, high, [0, 2, 4, 6])), f.let(f.shuffle32(low, high, [1, 3, 5, 7])));
  } else if (whole === 1) words.push(gatherWord(f, addresses, 0, 4));
  if (bytes & 3) words.push(gatherWord(f, addresses, whole * 4, bytes & 3));
  return words;
}
