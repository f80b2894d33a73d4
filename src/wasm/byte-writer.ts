// A growing byte buffer with WebAssembly's number encodings (LEB128, little-endian floats).

const FLOAT_SCRATCH = new DataView(new ArrayBuffer(8));

export class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  private grow(extra: number): void {
    let capacity = this.bytes.length * 2;
    while (capacity < this.length + extra) capacity *= 2;
    const bytes = new Uint8Array(capacity);
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
  }

  u8(value: number): void {
    if (this.length === this.bytes.length) this.grow(1);
    this.bytes[this.length++] = value;
  }

  /** Unsigned LEB128 of a 32-bit number (a negative number is taken modulo 2^32). */
  u32(value: number): void {
    if (this.length + 5 > this.bytes.length) this.grow(5);
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** Signed LEB128 of a 32-bit number. */
  s32(value: number): void {
    if (this.length + 5 > this.bytes.length) this.grow(5);
    let rest = value | 0;
    while (rest < -64 || rest > 63) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>= 7;
    }
    this.bytes[this.length++] = rest & 0x7f;
  }

  /** Signed LEB128 of a 64-bit number. */
  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    while (rest < -64n || rest > 63n) {
      this.u8(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.u8(Number(rest & 0x7fn));
  }

  f32(value: number): void {
    FLOAT_SCRATCH.setFloat32(0, value, true);
    for (let i = 0; i < 4; i++) this.u8(FLOAT_SCRATCH.getUint8(i));
  }

  f64(value: number): void {
    FLOAT_SCRATCH.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.u8(FLOAT_SCRATCH.getUint8(i));
  }

  /** Four little-endian bytes of a 32-bit pattern. */
  word(value: number): void {
    if (this.length + 4 > this.bytes.length) this.grow(4);
    this.bytes[this.length++] = value;
    this.bytes[this.length++] = value >>> 8;
    this.bytes[this.length++] = value >>> 16;
    this.bytes[this.length++] = value >>> 24;
  }

  append(source: Uint8Array): void {
    if (this.length + source.length > this.bytes.length) this.grow(source.length);
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  /** Puts bytes between what is written. */
  insert(at: number, source: Uint8Array): void {
    if (this.length + source.length > this.bytes.length) this.grow(source.length);
    this.bytes.copyWithin(at + source.length, at, this.length);
    this.bytes.set(source, at);
    this.length += source.length;
  }

  /** A vector of bytes: its length, then the bytes. */
  sized(source: Uint8Array): void {
    this.u32(source.length);
    this.append(source);
  }

  text(value: string): void {
    this.sized(new TextEncoder().encode(value));
  }

  /** The written part (a view, not a copy). */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}
