// What block decoders share: the shape of a decoder and a cursor-free bit reader.

/**
 * Decodes one block of `src` at byte `at` into `out`: texels in rows of the block's width, each in the bytes of the decoded format
 * (see `decodedFormat`). Any input bits give some defined texels.
 */
export type BlockDecoder = (src: Uint8Array, at: number, out: Uint8Array) => void;

export function clampByte(value: number): number {
  return Math.max(0, Math.min(value, 255));
}

/** Bits `start`…`start + count − 1` (count ≤ 24) of a little-endian block, bit 0 = least significant of its first byte. */
export function readBits(src: Uint8Array, at: number, start: number, count: number): number {
  const byte = at + (start >> 3);
  const word = src[byte]! | ((src[byte + 1] ?? 0) << 8) | ((src[byte + 2] ?? 0) << 16) | ((src[byte + 3] ?? 0) << 24);
  return (word >>> (start & 7)) & ((1 << count) - 1);
}

export function readBigEndian32(src: Uint8Array, at: number): number {
  return ((src[at]! << 24) | (src[at + 1]! << 16) | (src[at + 2]! << 8) | src[at + 3]!) >>> 0;
}
