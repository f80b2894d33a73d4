// What the kernel checks before it gives a submit to the GPU. Facts: drivers/gpu/drm/etnaviv of Linux 6.x (submit and command parser).

import { ENUMS } from '../../../registers/enums.table.ts';

export interface SubmitBuffer {
  readonly flags: number;
  readonly handle: number;
  readonly presumed: bigint;
}

export interface SubmitRelocation {
  readonly submitOffset: number;
  readonly bufferIndex: number;
  readonly bufferOffset: bigint;
  readonly flags: number;
}

export interface KernelSubmit {
  readonly execState: number;
  readonly flags: number;
  readonly streamBytes: number;
  readonly buffers: readonly SubmitBuffer[];
  readonly relocations: readonly SubmitRelocation[];
  readonly words: Uint32Array;
}

const SOFTPIN = 8;
const KNOWN_FLAGS = 15;
const MAX_STREAM_BYTES = 128 << 10;
export const SOFTPIN_START = 4 << 20;

const OP = ENUMS.FE_OPCODE;
/** Words of the commands that a program may give; all others are refused. */
const COMMAND_WORDS = new Map<number, number>([
  [OP.DRAW_PRIMITIVES, 4],
  [OP.DRAW_INDEXED_PRIMITIVES, 6],
  [OP.DRAW_INSTANCED, 4],
  [OP.NOP, 2],
  [OP.STALL, 2],
]);

/** States that hold addresses (byte address, count): without address spaces a program may only set them by relocation. */
// biome-ignore format: a table is read by its columns
const ADDRESS_STATES: readonly (readonly [address: number, count: number])[] = [
  // 2D
  [0x1200, 1], [0x1228, 1], [0x1238, 1], [0x1284, 1], [0x128c, 1], [0x1304, 1], [0x1310, 1], [0x1318, 1], [0x12800, 4], [0x128a0, 4],
  [0x128c0, 4], [0x12970, 4], [0x12a00, 8], [0x12b40, 8], [0x12b80, 8], [0x12ce0, 8],
  // 3D
  [0x0644, 1], [0x064c, 1], [0x0680, 8], [0x086c, 1], [0x1028, 1], [0x1410, 1], [0x1430, 1], [0x1458, 1], [0x1460, 8], [0x1480, 8],
  [0x1500, 8], [0x1520, 8], [0x1608, 1], [0x1610, 1], [0x1658, 1], [0x165c, 1], [0x1664, 1], [0x1668, 1], [0x16a4, 1], [0x16c0, 8],
  [0x16e0, 8], [0x1740, 8], [0x17c0, 8], [0x17e0, 8], [0x2400, 14 * 16], [0x3824, 1], [0x10800, 32 * 16], [0x14600, 16], [0x14800, 64],
];

const addressStates = new Set(
  ADDRESS_STATES.flatMap(([address, count]) => Array.from({ length: count }, (_, index) => address + index * 4)),
);

/** Walks the commands; why the kernel refuses them, or null. `isRelocated`: whether a relocation fills the word at a byte offset. */
function commandFault(words: Uint32Array, isRelocated: (offset: number) => boolean): string | null {
  let at = 0;
  while (at < words.length) {
    const header = words[at]!;
    const op = header >>> 27;
    if (op === OP.LOAD_STATE) {
      const count = (header >>> 16) & 0x3ff;
      for (let index = 0; index < count; index++) {
        const state = ((header & 0xffff) + index) * 4;
        const offset = (at + 1 + index) * 4;
        if (addressStates.has(state) && !isRelocated(offset)) {
          return `state 0x${state.toString(16)} at offset ${offset} is an address without a relocation`;
        }
      }
      at += (count + 2) & ~1;
      continue;
    }
    const length = COMMAND_WORDS.get(op);
    if (length === undefined) return `command ${op} at offset ${at * 4} is not allowed`;
    at += length;
  }
  return at > words.length ? 'the last command goes beyond the end' : null;
}

/** Why the kernel would refuse a submit, or null. `sizeOf`: bytes of a handle. */
export function submitFault(
  submit: KernelSubmit,
  sizeOf: (handle: number) => number | undefined,
  hasAddressSpaces: boolean,
): string | null {
  const isSoftpin = (submit.flags & SOFTPIN) !== 0;
  if (submit.streamBytes % 4 !== 0) return 'the size of the stream is no multiple of 4';
  if (submit.streamBytes > MAX_STREAM_BYTES) return 'the stream is too long';
  if (submit.execState > 2) return 'no such state of execution';
  if (submit.flags & ~KNOWN_FLAGS) return 'unknown flags';
  if (isSoftpin && !hasAddressSpaces) return 'this MMU has no addresses of the program';
  if (isSoftpin && submit.relocations.length > 0) return 'relocations beside addresses of the program';
  const handles = new Set<number>();
  for (const { flags, handle, presumed } of submit.buffers) {
    if (flags & ~3) return 'unknown flags of a buffer';
    if (isSoftpin && presumed < BigInt(SOFTPIN_START)) return 'an address of a buffer is too low';
    if (sizeOf(handle) === undefined) return `no handle ${handle}`;
    if (handles.has(handle)) return `handle ${handle} is listed twice`;
    handles.add(handle);
  }
  const relocated = new Set<number>();
  let last = 0;
  for (const { submitOffset, bufferIndex, bufferOffset, flags } of submit.relocations) {
    if (flags !== 0) return 'unknown flags of a relocation';
    if (submitOffset % 4 !== 0 || submitOffset >= submit.streamBytes)
      return `a relocation at ${submitOffset} is outside of the stream`;
    if (submitOffset < last) return 'the relocations are not sorted';
    const buffer = submit.buffers[bufferIndex];
    if (!buffer) return `a relocation wants buffer ${bufferIndex}`;
    if (bufferOffset > BigInt(sizeOf(buffer.handle)! - 4)) return 'a relocation points outside of its buffer';
    last = submitOffset;
    relocated.add(submitOffset);
  }
  // Why only then: with address spaces a program harms nobody but itself. Commands are walked all the same, so that a test sees them.
  return commandFault(submit.words, (offset) => hasAddressSpaces || relocated.has(offset));
}
