// Memory filled with one pixel after the other.

/** Writes `pattern` again and again from `address` on; the last one is cut off where the `bytes` end. */
export function repeatBytes(u8: Uint8Array, address: number, bytes: number, pattern: Uint8Array): void {
  const end = address + bytes;
  if (pattern.every((byte) => byte === pattern[0])) {
    u8.fill(pattern[0]!, address, end);
    return;
  }
  let done = Math.min(bytes, pattern.length);
  u8.set(pattern.subarray(0, done), address);
  for (; done < bytes; done *= 2) u8.copyWithin(address + done, address, Math.min(address + done, end - done));
}
