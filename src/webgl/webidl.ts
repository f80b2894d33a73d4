// WebIDL conversions of arguments, as browsers make them (Web IDL §3.2): what does not convert is a TypeError.

import { isBuffer } from '../base/bytes-of.ts';

/** Turns one argument into its type, or throws a TypeError that names the method and the place. */
export type Conversion = (value: unknown, method: string, index: number) => unknown;

/** ToUint32: enums, bit fields, unsigned counts. */
export function toUint32(value: unknown): number {
  return Number(value) >>> 0;
}

/** ToInt32: sizes and indices. */
export function toInt32(value: unknown): number {
  return Number(value) | 0;
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** `long long` (GLintptr, GLsizeiptr): truncated, out-of-range wraps in the specification; nothing uses that, so it saturates. */
export function toInt64(value: unknown): number {
  const number = Math.trunc(Number(value));
  if (!Number.isFinite(number)) return 0;
  return Math.min(Math.max(number, -MAX_SAFE), MAX_SAFE);
}

/** `unsigned long long` (srcOffset, timeouts): negative numbers wrap to huge ones. */
export function toUint64(value: unknown): number {
  const number = toInt64(value);
  return number < 0 ? 2 ** 64 + number : number;
}

export function toFloat(value: unknown): number {
  return Math.fround(Number(value));
}

export function toBoolean(value: unknown): boolean {
  return Boolean(value);
}

/** A `DOMString`. */
export function toDomString(value: unknown): string {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return String(value);
}

export type InterfaceType = abstract new (...args: never[]) => object;

/** `Type?`: null and undefined give null, anything that is no `Type` is a TypeError. */
export function nullable(type: InterfaceType): Conversion {
  return (value, method, index) => {
    if (value === null || value === undefined) return null;
    if (value instanceof type) return value;
    throw new TypeError(`${method}: argument ${index + 1} is not a ${type.name}`);
  };
}

/** `Type`: anything else, null included, is a TypeError. */
export function required(type: InterfaceType): Conversion {
  return (value, method, index) => {
    if (value instanceof type) return value;
    throw new TypeError(`${method}: argument ${index + 1} is not a ${type.name}`);
  };
}

export function isBufferSource(value: unknown): value is ArrayBufferView | ArrayBufferLike {
  return ArrayBuffer.isView(value) || isBuffer(value);
}

export function toBufferSource(value: unknown, method: string, index: number): ArrayBufferView | ArrayBufferLike {
  if (isBufferSource(value)) return value;
  throw new TypeError(`${method}: argument ${index + 1} is not an ArrayBuffer or a view of one`);
}

export function toView(value: unknown, method: string, index: number): ArrayBufferView {
  if (ArrayBuffer.isView(value)) return value;
  throw new TypeError(`${method}: argument ${index + 1} is not a view of an ArrayBuffer`);
}

export function toNullableView(value: unknown, method: string, index: number): ArrayBufferView | null {
  return value === null || value === undefined ? null : toView(value, method, index);
}

/** `sequence<GLfloat>` or a Float32Array as Float32Array. */
export function toFloat32List(value: unknown, method: string, index: number): Float32Array {
  return value instanceof Float32Array ? value : new Float32Array(toSequence(value, method, index, Number));
}

export function toInt32List(value: unknown, method: string, index: number): Int32Array {
  return value instanceof Int32Array ? value : new Int32Array(toSequence(value, method, index, toInt32));
}

export function toUint32List(value: unknown, method: string, index: number): Uint32Array {
  return value instanceof Uint32Array ? value : new Uint32Array(toSequence(value, method, index, toUint32));
}

/** `sequence<GLenum>`, `sequence<GLuint>`. */
export function toEnums(value: unknown, method: string, index: number): number[] {
  return toSequence(value, method, index, toUint32);
}

export function toStrings(value: unknown, method: string, index: number): string[] {
  return toSequence(value, method, index, toDomString);
}

/** An iterable object's elements; holes of an array are undefined like any other element (Web IDL §3.2.21). */
function toSequence<T>(value: unknown, method: string, index: number, convert: (element: unknown) => T): T[] {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value))
    throw new TypeError(`${method}: argument ${index + 1} is not a sequence`);
  const elements: T[] = [];
  for (const element of value as Iterable<unknown>) elements.push(convert(element));
  return elements;
}
