// Client memory as the GLES face takes it: views for what is read, lists of numbers for what is written.

import { bytesOf } from '../base/bytes-of.ts';

/** Where results go: the `params` of a C call. */
export interface NumberList {
  readonly length: number;
  [index: number]: number;
}

/** 64-bit results are numbers too (exact up to 2^53) or, into a BigInt64Array, bigints. */
export type WideList = NumberList | BigInt64Array;

/** Memory or a byte offset into the buffer that is bound for it; null is offset 0. */
export type Pointer = ArrayBufferView | ArrayBuffer | number | null;

export function viewOf(pointer: Pointer): ArrayBufferView | number | null {
  return pointer instanceof ArrayBuffer ? bytesOf(pointer) : pointer;
}

/** Stores as much of `values` as the list has room for. */
export function store(into: NumberList | null | undefined, values: ArrayLike<number>, limit = values.length): void {
  if (!into) return;
  // Plain arrays grow, typed arrays have the room they have.
  const room = Array.isArray(into) ? limit : Math.min(limit, into.length);
  for (let i = 0; i < room; i++) into[i] = values[i]!;
}

export function storeWide(into: WideList, values: ArrayLike<number>): void {
  if (into instanceof BigInt64Array) {
    for (let i = 0; i < Math.min(values.length, into.length); i++)
      into[i] = BigInt(Math.min(values[i]!, Number.MAX_SAFE_INTEGER));
  } else store(into, values);
}

/** A string result: cut to `bufSize − 1` characters, its length stored. */
export function storeString(text: string, bufSize: number | undefined, length: NumberList | null | undefined): string {
  const cut = bufSize === undefined ? text : text.slice(0, Math.max(bufSize - 1, 0));
  store(length, [cut.length]);
  return cut;
}
