// The state space of the GPU: one word a register, written by LOAD_STATE, read by the units by name.

import {
  type FieldBits,
  fieldOf,
  mergeWord,
  REGISTERS,
  type Register,
  registerAt,
  STATE_BYTES,
} from '../registers/registers.ts';

type AnyFields = Readonly<Record<string, FieldBits>>;

const R = REGISTERS;
/** Mirror of shader memory: written at one address, seen at the other. */
const MIRROR = { from: 0x8000, to: 0xc000, bytes: 0x4000 } as const;

/** What a change of a word means for the next draw. */
const DRAW_STATE = 0;
/** Numbers that programs read: the draw is otherwise the same. */
const UNIFORM = 1;
/** Nothing: the word sets something off, or an engine reads it that does not draw. */
const NOTHING = 2;
/** Where something lies: much the same is drawn, from or to another place. */
const PLACE = 3;
const KIND = 3;
const MASKED = 4;

const UNIFORMS = [R.SH_UNIFORMS, R.SH_HALTI5_UNIFORMS_MIRROR, R.SH_HALTI5_UNIFORMS, R.VS_UNIFORMS, R.PS_UNIFORMS];
const TRIGGERS = [
  R.GL_FLUSH_CACHE,
  R.GL_SEMAPHORE_TOKEN,
  R.GL_STALL_TOKEN,
  R.TS_FLUSH_CACHE,
  R.NTE_DESCRIPTOR_INVALIDATE,
  R.SH_CONTROL,
];

const ENGINE = /^(RS|BLT)_|^GL_OCCLUSION/;
const ADDRESS = /^(PE|FE|NFE_VERTEX)_/;
const TILE_STATUS = /^TS_(?!SAMPLER)/;

const KINDS = new Uint8Array(STATE_BYTES / 4);
for (let word = 0; word < KINDS.length; word++) {
  const entry = registerAt(word * 4);
  if (!entry) continue;
  const { name, register } = entry;
  if (ENGINE.test(name)) KINDS[word] = NOTHING;
  else if (TILE_STATUS.test(name) || (register.kind === 'address' && ADDRESS.test(name))) KINDS[word] = PLACE;
  if (register.masked) KINDS[word]! |= MASKED;
}
for (const { address, repeat } of UNIFORMS) KINDS.fill(UNIFORM, address >>> 2, (address >>> 2) + repeat[0]![0]);
for (const { address } of TRIGGERS) KINDS[address >>> 2] = NOTHING;

/** Words of the state that something was found out from, and their values then. */
export interface StateReads {
  readonly indices: Int32Array;
  readonly values: Uint32Array;
}

/** A number for a value of a word; those of all words together make the hash of a state. */
function hashOf(word: number, value: number): number {
  let hash = Math.imul(word ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(value ^ (value >>> 15), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}

export class GpuState {
  readonly words = new Uint32Array(STATE_BYTES / 4);
  readonly floats = new Float32Array(this.words.buffer);
  /** Grow when a word of theirs changes: who has read the state knows by them that it would read the same again. */
  drawVersion = 1;
  uniformVersion = 1;
  /** Differs, most likely, for states that draw differently. Places are not in it. */
  drawHash = 0;
  private reads: number[] | null = null;
  /** By word: the recording that has it already. */
  private readonly readIn = new Uint32Array(STATE_BYTES / 4);
  private recording = 0;

  constructor() {
    // What the register holds after a reset, by the register data: among it, pixels are copied.
    this.words[R.PE_LOGIC_OP.address >>> 2] = 0x000e400c;
  }

  /** Stores a word as a LOAD_STATE does. Returns the byte address it went to. */
  write(address: number, value: number): number {
    const at =
      address >= MIRROR.from && address < MIRROR.from + MIRROR.bytes ? address + MIRROR.to - MIRROR.from : address;
    const word = at >>> 2;
    const kind = KINDS[word]!;
    const old = this.words[word]!;
    const next = kind & MASKED ? mergeWord(at, old, value) : value >>> 0;
    if (next === old) return at;
    this.words[word] = next;
    switch (kind & KIND) {
      case DRAW_STATE:
        this.drawVersion++;
        this.drawHash ^= hashOf(word, old) ^ hashOf(word, next);
        break;
      case PLACE:
        this.drawVersion++;
        break;
      case UNIFORM:
        this.uniformVersion++;
        break;
      default:
    }
    return at;
  }

  /** Which words `find` reads. What it gives is right again whenever they hold (`hold`) what they hold now. */
  record<T>(find: () => T): { readonly found: T; readonly reads: StateReads } {
    const outer = this.reads;
    const reads: number[] = [];
    this.reads = reads;
    this.recording++;
    try {
      const found = find();
      const indices = Int32Array.from(reads);
      return { found, reads: { indices, values: Uint32Array.from(reads, (word) => this.words[word]!) } };
    } finally {
      outer?.push(...reads);
      this.reads = outer;
      this.recording++;
    }
  }

  /** Whether words have the values that they had when they were read. */
  hold({ indices, values }: StateReads): boolean {
    const { words } = this;
    for (let i = 0; i < indices.length; i++) if (words[indices[i]!] !== values[i]) return false;
    return true;
  }

  private note(word: number): void {
    if (this.reads === null || this.readIn[word] === this.recording) return;
    this.readIn[word] = this.recording;
    this.reads.push(word);
  }

  /** The word at a byte address. */
  at(address: number): number {
    const word = address >>> 2;
    this.note(word);
    return this.words[word]!;
  }

  /** Words from a byte address on; they change when the state does. */
  range(address: number, count: number): Uint32Array {
    const first = address >>> 2;
    if (this.reads !== null) for (let word = first; word < first + count; word++) this.note(word);
    return this.words.subarray(first, first + count);
  }

  private addressOf(register: Register, indices: readonly number[]): number {
    let address = register.address;
    for (let dimension = 0; dimension < indices.length; dimension++) {
      address += indices[dimension]! * register.repeat[dimension]![1];
    }
    return address;
  }

  word(register: Register, ...indices: number[]): number {
    return this.at(this.addressOf(register, indices));
  }

  float(register: Register, ...indices: number[]): number {
    const address = this.addressOf(register, indices);
    this.note(address >>> 2);
    return this.floats[address >>> 2]!;
  }

  field<Fields extends AnyFields>(register: Register<Fields>, name: keyof Fields, ...indices: number[]): number {
    return fieldOf(register, name, this.word(register as Register, ...indices));
  }
}
