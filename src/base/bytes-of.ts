// Memory that applications hand in, as bytes.

// By internal slots, as WebIDL looks at memory: what scripts define over a view's properties or tag is no matter, and arrays of
// another realm (`vm`, jsdom) count too. Taken when the module loads: pages and test environments replace globals.
const getter = (prototype: object, name: string): ((this: object) => unknown) =>
  Object.getOwnPropertyDescriptor(prototype, name)!.get!;
const arrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const ARRAY = {
  buffer: getter(arrayPrototype, 'buffer'),
  byteOffset: getter(arrayPrototype, 'byteOffset'),
  byteLength: getter(arrayPrototype, 'byteLength'),
};
const DATA_VIEW = {
  buffer: getter(DataView.prototype, 'buffer'),
  byteOffset: getter(DataView.prototype, 'byteOffset'),
  byteLength: getter(DataView.prototype, 'byteLength'),
};
const nameOfArray = getter(arrayPrototype, Symbol.toStringTag as unknown as string);
const lengthGetters = [
  getter(ArrayBuffer.prototype, 'byteLength'),
  ...(typeof SharedArrayBuffer === 'undefined' ? [] : [getter(SharedArrayBuffer.prototype, 'byteLength')]),
];

/** Bytes of an ArrayBuffer or SharedArrayBuffer; undefined for anything else. */
function bufferLength(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const length of lengthGetters) {
    try {
      return length.call(value) as number;
    } catch {
      // Not this kind.
    }
  }
  return undefined;
}

/** An ArrayBuffer or SharedArrayBuffer of any realm. */
export function isBuffer(value: unknown): value is ArrayBufferLike {
  return bufferLength(value) !== undefined;
}

/** `Uint8Array`, `Float32Array`…; undefined for what is no typed array. */
export function typedArrayName(value: unknown): string | undefined {
  return nameOfArray.call(value as object) as string | undefined;
}

/**
 * The bytes of a view or buffer. A detached one has none (WebIDL §3.2.25), nor has a view that a resizable buffer has shrunk away
 * from, where the engine's constructors and getters would throw.
 */
export function bytesOf(source: ArrayBufferView | ArrayBufferLike): Uint8Array {
  if (!ArrayBuffer.isView(source)) return bufferLength(source) ? new Uint8Array(source) : new Uint8Array(0);
  if (typedArrayName(source) !== undefined) {
    const byteLength = ARRAY.byteLength.call(source) as number;
    if (byteLength === 0) return new Uint8Array(0);
    return new Uint8Array(
      ARRAY.buffer.call(source) as ArrayBuffer,
      ARRAY.byteOffset.call(source) as number,
      byteLength,
    );
  }
  try {
    const byteLength = DATA_VIEW.byteLength.call(source) as number;
    return new Uint8Array(
      DATA_VIEW.buffer.call(source) as ArrayBuffer,
      DATA_VIEW.byteOffset.call(source) as number,
      byteLength,
    );
  } catch {
    // A DataView tells by throwing that its memory is gone.
    return new Uint8Array(0);
  }
}
