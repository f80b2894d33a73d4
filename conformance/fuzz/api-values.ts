// Arguments of fuzzed calls as plain JSON, so that a sequence can be stored, replayed and cut down; and how they become values.

import { Random } from '../reference/random.ts';

export type Encoded =
  | number
  | string
  | boolean
  | null
  /** What JSON has no word for; see `ODD`. */
  | { readonly odd: string }
  /** One of the objects that the context `from` (default: the step's) made; negative counts from the newest. */
  | { readonly object: string; readonly at: number; readonly from?: number }
  /** A typed array with contents from its seed. */
  | { readonly view: ViewType; readonly length: number; readonly seed: number; readonly offset?: number }
  /** The same over a resizable buffer that has been cut to so many bytes since. */
  | { readonly view: ViewType; readonly length: number; readonly seed: number; readonly cut: number }
  | { readonly list: readonly Encoded[] }
  /** Something like ImageData or an image: width, height, bytes of data; does a special step when its data are asked for. */
  | { readonly image: readonly [number, number, number]; readonly act?: string }
  /** A value that does a special step (`@lose`…) while it is converted. */
  | { readonly act: string; readonly value: number | string }
  /** An array for results. */
  | { readonly out: number; readonly kind?: 'BigInt64Array' | 'Int32Array' | 'Float32Array' }
  /** The canvas of a context. */
  | { readonly canvas: number };

export type ViewType = keyof typeof VIEWS;

const VIEWS = {
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  DataView,
  ArrayBuffer,
  SharedArrayBuffer,
};

/** The error that hostile values throw: it must come out as it is. */
export class ThrownByValue extends Error {}

function throwing(): never {
  throw new ThrownByValue('thrown by a value');
}

function detachedView(): Uint8Array {
  const bytes = new Uint8Array(64);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

export const ODD: Readonly<Record<string, () => unknown>> = {
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  '-0': () => -0,
  undefined: () => undefined,
  symbol: () => Symbol('odd'),
  bigint: () => 5n,
  function: () => () => 1,
  object: () => ({}),
  array: () => [1, 2],
  nested: () => [[3], 'x', null],
  sparse: () => new Array(7),
  throwingNumber: () => ({ valueOf: throwing, toString: throwing }),
  throwingLength: () => ({
    get length() {
      return throwing();
    },
    get width() {
      return throwing();
    },
    [Symbol.iterator]: throwing,
  }),
  objectWithNumber: () => ({ valueOf: () => 3 }),
  date: () => new Date(0),
  map: () => new Map([[1, 2]]),
  detached: detachedView,
  nullPrototype: () => Object.create(null),
  proxy: () => new Proxy({}, { get: throwing, has: throwing, getPrototypeOf: throwing }),
  fakeBuffer: () => ({ [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 64 }),
  fakeView: () => ({ [Symbol.toStringTag]: 'Uint8Array', length: 1e9 }),
  lyingView: () => Object.defineProperties(new Float32Array(4), { byteLength: { value: 1e9 }, length: { value: 1e9 } }),
  loneSurrogate: () => 'a\ud800b',
  nul: () => 'gl_\u0000Position',
  longString: () => 'x'.repeat(70_000),
};

/** Odd values that C could pass too. */
export const ODD_NUMBERS: readonly Encoded[] = [
  { odd: 'NaN' },
  { odd: 'Infinity' },
  { odd: '-Infinity' },
  { odd: '-0' },
  -1,
  0x7fffffff,
  -0x80000000,
  0x80000000,
  0xffffffff,
  2 ** 32,
  2 ** 53,
  1e300,
  0.5,
  65536,
];

/** What a decoder asks of the running sequence. */
export interface Objects {
  object(kind: string, at: number, from: number | undefined): unknown;
  canvas(context: number): unknown;
  /** Does a special step. */
  act(name: string): void;
}

interface Resizable {
  resize(length: number): void;
}

/** A view whose buffer has been cut since. */
function makeCutView(type: ViewType, length: number, seed: number, cut: number): unknown {
  const full = makeView(type, length, seed);
  if (!ArrayBuffer.isView(full)) return full;
  const options = { maxByteLength: Math.max(full.byteLength, cut) };
  // Not yet in the library that this is checked with.
  const Buffer = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer & Resizable;
  const buffer = new Buffer(full.byteLength, options);
  new Uint8Array(buffer).set(new Uint8Array(full.buffer, full.byteOffset, full.byteLength));
  const View = VIEWS[type] as new (buffer: ArrayBuffer, offset?: number, length?: number) => ArrayBufferView;
  // With a length of its own, or as long as its buffer.
  const view = seed % 2 === 0 ? new View(buffer) : new View(buffer, 0, length);
  buffer.resize(cut);
  return view;
}

const OUTS = { BigInt64Array, Int32Array, Float32Array };

export function makeView(type: ViewType, length: number, seed: number, offset = 0): ArrayBufferView | ArrayBufferLike {
  const View = VIEWS[type];
  const unit = 'BYTES_PER_ELEMENT' in View ? View.BYTES_PER_ELEMENT : 1;
  const bytes = length * unit;
  const skip = Math.ceil(offset / unit) * unit;
  const buffer = type === 'SharedArrayBuffer' ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes + skip);
  fill(new Uint8Array(buffer, type === 'SharedArrayBuffer' ? 0 : skip, bytes), type, seed);
  if (type === 'ArrayBuffer' || type === 'SharedArrayBuffer') return buffer;
  if (type === 'DataView') return new DataView(buffer as ArrayBuffer, skip, bytes);
  return new (View as Uint8ArrayConstructor)(buffer as ArrayBuffer, skip, length);
}

/** Float data is mostly small numbers, the rest is any bits. */
function fill(bytes: Uint8Array, type: ViewType, seed: number): void {
  const random = new Random(`view ${seed}`);
  if (type === 'Float32Array' && bytes.length % 4 === 0 && bytes.byteOffset % 4 === 0) {
    const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const words = new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
    for (let i = 0; i < floats.length; i++) {
      if (random.bool(0.02)) words[i] = random.bits();
      else floats[i] = random.float(-1.5, 1.5);
    }
    return;
  }
  // Small numbers make indices that exist.
  const isSmall = random.bool(0.5);
  for (let i = 0; i < bytes.length; i++) bytes[i] = isSmall ? (i & 1 ? 0 : random.bits() & 15) : random.bits();
}

export function decode(value: Encoded, objects: Objects): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('odd' in value) return ODD[value.odd]!();
  if ('object' in value) return objects.object(value.object, value.at, value.from);
  if ('cut' in value) return makeCutView(value.view, value.length, value.seed, value.cut);
  if ('view' in value) return makeView(value.view, value.length, value.seed, value.offset);
  if ('list' in value) return value.list.map((item) => decode(item, objects));
  if ('out' in value) return value.kind ? new OUTS[value.kind](value.out) : new Array(value.out).fill(0);
  if ('canvas' in value) return objects.canvas(value.canvas);
  if ('image' in value) return makeImage(value.image, value.act, objects);
  const convert = (): number | string => {
    objects.act(value.act);
    return value.value;
  };
  return { valueOf: convert, toString: convert };
}

function makeImage(
  [width, height, bytes]: readonly [number, number, number],
  act: string | undefined,
  objects: Objects,
): unknown {
  const data = makeView('Uint8ClampedArray', bytes, width);
  if (act === undefined) return { width, height, data };
  return {
    width,
    height,
    get data() {
      objects.act(act);
      return data;
    },
  };
}
