// The command stream under construction: states merged into LOAD_STATE commands, unchanged ones left out, buffers remembered.

import { ENUMS } from '../registers/enums.table.ts';
import { type Register, STATE_BYTES } from '../registers/registers.ts';
import type { BufferObject, Relocation, Submit } from '../winsys/winsys.ts';

const OP = ENUMS.FE_OPCODE;
const LOAD_STATE = OP.LOAD_STATE << 27;
const FIXED_POINT = 1 << 26;
/** States that one LOAD_STATE may hold (0 of its ten bits would mean 1024). */
const MAX_COUNT = 1023;
const FIRST_WORDS = 1 << 14;
/** Words after which a stream is handed over: newer kernels take 128 KiB, and a draw with all its states is far below the rest. */
const LONG_WORDS = 24 << 10;

const floatView = new Float32Array(1);
const floatBits = new Uint32Array(floatView.buffer);

export function bitsOf(value: number): number {
  floatView[0] = value;
  return floatBits[0]!;
}

/** Byte address of one register of a repeated one. */
export function addressOf(register: Register, i = 0, j = 0): number {
  const [outer, inner] = register.repeat;
  return register.address + i * (outer?.[1] ?? 0) + j * (inner?.[1] ?? 0);
}

export class CommandStream {
  #words = new Uint32Array(FIRST_WORDS);
  #length = 0;
  /** Index of the LOAD_STATE that may still grow, or -1. */
  #header = -1;
  #headerIsFixed = false;
  #nextAddress = 0;
  /** What each state was last set to, and in which stream: a new stream knows nothing of the one before. */
  readonly #known = new Uint32Array(STATE_BYTES / 4);
  readonly #knownIn = new Uint32Array(STATE_BYTES / 4);
  #stream = 1;
  /** What comes before the next state that is written. */
  readonly #before: ((stream: CommandStream) => void)[] = [];
  #relocations: Relocation[] = [];
  #buffers = new Map<BufferObject, { writes: boolean }>();

  get lengthWords(): number {
    return this.#length;
  }

  /** It is time to hand it over. */
  get isLong(): boolean {
    return this.#length > LONG_WORDS;
  }

  uses(buffer: BufferObject): boolean {
    return this.#buffers.has(buffer);
  }

  writes(buffer: BufferObject): boolean {
    return this.#buffers.get(buffer)?.writes ?? false;
  }

  /** The stream reaches a buffer by a way that no state names (descriptors, programs). */
  reference(buffer: BufferObject, writes: boolean): void {
    const entry = this.#buffers.get(buffer);
    if (!entry) this.#buffers.set(buffer, { writes });
    else if (writes) entry.writes = true;
  }

  /** `action` writes something that must stand before the next state that is written, and is for nothing where none is. */
  beforeNextState(action: (stream: CommandStream) => void): void {
    this.#before.push(action);
  }

  /** Takes back what has not come before anything. */
  endBefore(): void {
    this.#before.length = 0;
  }

  /** A state whose value lasts: written only when it changes. */
  set(register: Register, word: number, i = 0, j = 0): void {
    this.setAt(addressOf(register, i, j), word);
  }

  /** Whether `set` would write a word: the state has another value, or nobody knows which. */
  changes(register: Register, word: number, i = 0): boolean {
    const index = addressOf(register, i) >>> 2;
    return this.#knownIn[index] !== this.#stream || this.#known[index] !== word >>> 0;
  }

  setAt(address: number, word: number, isFixed = false): void {
    const index = address >>> 2;
    const value = word >>> 0;
    if (this.#knownIn[index] === this.#stream && this.#known[index] === value) return;
    this.#knownIn[index] = this.#stream;
    this.#known[index] = value;
    this.#write(address, value, isFixed);
  }

  setFloat(register: Register, value: number, i = 0): void {
    this.set(register, bitsOf(value), i);
  }

  /** A float that is given as 16.16 fixed point. */
  setFixed(register: Register, value: number, i = 0): void {
    this.setAt(addressOf(register, i), Math.round(value * 65536), true);
  }

  /** An address. It is written even where the number is the same: kernels may want to put another one there. */
  setBuffer(register: Register, buffer: BufferObject, offsetBytes: number, writes: boolean, i = 0, j = 0): void {
    this.setBufferAt(addressOf(register, i, j), buffer, offsetBytes, writes);
  }

  setBufferAt(address: number, buffer: BufferObject, offsetBytes: number, writes: boolean): void {
    this.reference(buffer, writes);
    const index = address >>> 2;
    const value = (buffer.gpuAddress + offsetBytes) >>> 0;
    if (this.#knownIn[index] === this.#stream && this.#known[index] === value) return;
    this.#knownIn[index] = this.#stream;
    this.#known[index] = value;
    this.#write(address, value, false);
    this.#relocations.push({ word: this.#length - 1, buffer, offsetBytes, writes });
  }

  /** A state that does something each time it is written: a kick, a flush, a token. */
  trigger(register: Register, word: number, i = 0): void {
    this.#write(addressOf(register, i), word >>> 0, false);
  }

  /** The same with an address, which the kernel may want to put there itself. */
  triggerBuffer(register: Register, buffer: BufferObject, offsetBytes: number, writes: boolean): void {
    this.reference(buffer, writes);
    this.#write(register.address, (buffer.gpuAddress + offsetBytes) >>> 0, false);
    this.#relocations.push({ word: this.#length - 1, buffer, offsetBytes, writes });
  }

  #write(address: number, word: number, isFixed: boolean): void {
    if (this.#before.length > 0) for (const action of this.#before.splice(0)) action(this);
    const header = this.#header;
    if (header >= 0 && address === this.#nextAddress && isFixed === this.#headerIsFixed) {
      const count = this.#length - header - 1;
      if (count < MAX_COUNT) {
        this.#reserve(1);
        this.#words[this.#length++] = word;
        this.#words[header] = (this.#words[header]! & ~(0x3ff << 16)) | ((count + 1) << 16);
        this.#nextAddress = address + 4;
        return;
      }
    }
    this.#align();
    this.#reserve(2);
    this.#header = this.#length;
    this.#headerIsFixed = isFixed;
    this.#words[this.#length++] = (LOAD_STATE | (isFixed ? FIXED_POINT : 0) | (1 << 16) | (address >>> 2)) >>> 0;
    this.#words[this.#length++] = word;
    this.#nextAddress = address + 4;
  }

  /** A command that is no LOAD_STATE. */
  command(...words: number[]): void {
    this.#align();
    this.#reserve(words.length);
    for (const word of words) this.#words[this.#length++] = word >>> 0;
    this.#align();
  }

  /** Commands start at multiples of 64 bits; the LOAD_STATE at work ends here. */
  #align(): void {
    this.#header = -1;
    if (this.#length & 1) {
      this.#reserve(1);
      this.#words[this.#length++] = 0;
    }
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#words.length) return;
    const words = new Uint32Array(this.#words.length * 2);
    words.set(this.#words);
    this.#words = words;
  }

  /** The stream as it is, for the winsys; then `restart`. */
  finish(): Submit {
    this.#align();
    return { words: this.#words.slice(0, this.#length), relocations: this.#relocations, buffers: this.#buffers };
  }

  /** A new, empty stream in which nothing is known. */
  restart(): void {
    this.#length = 0;
    this.#header = -1;
    this.#before.length = 0;
    this.#stream++;
    this.#relocations = [];
    this.#buffers = new Map();
  }
}
