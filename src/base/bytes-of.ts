// Memory that applications hand in, as bytes.

/** The bytes of a view or buffer. A detached one has none (WebIDL §3.2.25), where the engine's constructors would throw. */
export function bytesOf(source: ArrayBufferView | ArrayBufferLike): Uint8Array {
  if (!ArrayBuffer.isView(source)) return source.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(source);
  // First the buffer: a DataView of a detached one throws when its length is asked for.
  if (source.buffer.byteLength === 0) return new Uint8Array(0);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}
