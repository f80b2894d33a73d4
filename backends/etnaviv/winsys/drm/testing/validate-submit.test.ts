import { describe, expect, it } from 'vitest';
import { type KernelSubmit, submitFault } from './validate-submit.ts';

const LOAD_STATE = 1 << 27;
const COLOR_ADDRESS = 0x1430;
const relocation = { submitOffset: 4, bufferIndex: 0, bufferOffset: 0n, flags: 0 };

function submit(more: Partial<KernelSubmit> = {}): KernelSubmit {
  const words = more.words ?? new Uint32Array([LOAD_STATE | (1 << 16) | (COLOR_ADDRESS >> 2), 0]);
  const buffers = [{ flags: 3, handle: 1, presumed: 0n }];
  return { execState: 0, flags: 0, streamBytes: words.byteLength, buffers, relocations: [relocation], ...more, words };
}

const fault = (more: Partial<KernelSubmit>, hasAddressSpaces = false) =>
  submitFault(submit(more), (handle) => (handle === 1 ? 4096 : undefined), hasAddressSpaces);

describe("the kernel's rules of a submit", () => {
  it('takes a stream whose addresses are relocations', () => {
    expect(fault({})).toBe(null);
  });

  it.each<[string, Partial<KernelSubmit>, RegExp]>([
    ['an address of its own', { relocations: [] }, /without a relocation/],
    ['a jump', { words: new Uint32Array([8 << 27, 0]), relocations: [] }, /not allowed/],
    ['a handle twice', { buffers: [1, 1].map((handle) => ({ flags: 1, handle, presumed: 0n })) }, /twice/],
    ['an unknown handle', { buffers: [{ flags: 1, handle: 9, presumed: 0n }] }, /no handle 9/],
    ['relocations out of order', { relocations: [relocation, { ...relocation, submitOffset: 0 }] }, /sorted/],
    ['a relocation outside', { relocations: [{ ...relocation, submitOffset: 8 }] }, /outside of the stream/],
    ['an offset outside', { relocations: [{ ...relocation, bufferOffset: 4096n }] }, /outside of its buffer/],
    ['a stream too long', { streamBytes: 1 << 18 }, /too long/],
    ['softpin on an old MMU', { flags: 8 }, /this MMU/],
  ])('refuses %s', (_, more, message) => {
    expect(fault(more)).toMatch(message);
  });

  it('refuses addresses that are too low, and relocations beside addresses', () => {
    expect(fault({ flags: 8 }, true)).toMatch(/relocations beside/);
    expect(fault({ flags: 8, relocations: [] }, true)).toMatch(/too low/);
  });
});
