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
/** Nothing: the word sets something off. */
const ACTION = 2;
const MASKED = 4;

const UNIFORMS = [R.SH_UNIFORMS, R.SH_HALTI5_UNIFORMS_MIRROR, R.SH_HALTI5_UNIFORMS, R.VS_UNIFORMS, R.PS_UNIFORMS];
const ACTIONS = [
  R.GL_FLUSH_CACHE,
  R.GL_SEMAPHORE_TOKEN,
  R.GL_STALL_TOKEN,
  R.TS_FLUSH_CACHE,
  R.NTE_DESCRIPTOR_INVALIDATE,
  R.SH_CONTROL,
];

const KINDS = new Uint8Array(STATE_BYTES / 4);
for (const { address, repeat } of UNIFORMS) KINDS.fill(UNIFORM, address >>> 2, (address >>> 2) + repeat[0]![0]);
for (const { address } of ACTIONS) KINDS[address >>> 2] = ACTION;
for (let word = 0; word < KINDS.length; word++) if (registerAt(word * 4)?.register.masked) KINDS[word]! |= MASKED;

export class GpuState {
  readonly words = new Uint32Array(STATE_BYTES / 4);
  readonly floats = new Float32Array(this.words.buffer);
  /** Grow when a word of theirs changes: who has read the state knows by them that it would read the same again. */
  drawVersion = 1;
  uniformVersion = 1;

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
    if ((kind & 3) === DRAW_STATE) this.drawVersion++;
    else if ((kind & 3) === UNIFORM) this.uniformVersion++;
    return at;
  }

  private addressOf(register: Register, indices: readonly number[]): number {
    let address = register.address;
    for (let dimension = 0; dimension < indices.length; dimension++) {
      address += indices[dimension]! * register.repeat[dimension]![1];
    }
    return address;
  }

  word(register: Register, ...indices: number[]): number {
    return this.words[this.addressOf(register, indices) >>> 2]!;
  }

  float(register: Register, ...indices: number[]): number {
    return this.floats[this.addressOf(register, indices) >>> 2]!;
  }

  field<Fields extends AnyFields>(register: Register<Fields>, name: keyof Fields, ...indices: number[]): number {
    return fieldOf(register, name, this.word(register as Register, ...indices));
  }
}
