// Where each field of a 128-bit Vivante instruction lies; every other file of this folder asks this table.
//
// Facts: rnndb isa.xml of the etnaviv project (etna_viv) and the isaspec description in Mesa (src/etnaviv/isa).

/** A run of bits `[low, high]`, both included, counted from bit 0 of word 0. A run never leaves its 32-bit word. */
export type BitRun = readonly [low: number, high: number];

export interface Field {
  /** The runs of the field, least significant first. */
  readonly runs: readonly BitRun[];
  readonly doc: string;
}

const bits = (doc: string, ...runs: BitRun[]): Field => ({ runs, doc });
const bit = (doc: string, position: number): Field => bits(doc, [position, position]);

/** The fields that do not belong to a source operand. A bit with a second meaning has a second name. */
export const FIELDS = {
  opcode: bits('Operation; bit 6 stands apart because the first GPUs had 64 operations', [0, 5], [80, 80]),
  condition: bits('Comparison that the operation makes', [6, 10]),
  saturate: bit('Clamp the result to 0..1', 11),
  dstUse: bit('The instruction writes a register', 12),
  dstAddressing: bits('Address register component added to the destination', [13, 15]),
  dstRegister: bits('Destination temporary', [16, 22]),
  dstMask: bits('Components that are written, x in the lowest bit', [23, 26]),
  memoryMask: bits('Components that are stored to memory', [23, 26]),
  textureUnit: bits('Sampler', [27, 31]),
  textureAddressing: bits('Address register component added to the sampler', [32, 34]),
  textureSwizzle: bits('Selection of components from the fetched texel', [35, 42]),
  rounding: bits('Rounding of the result (and the pair form of transcendentals)', [32, 33]),
  noPack: bit('Operands are not packed (inverted: 0 packs)', 34),
  leftShift: bits('The offset operand is shifted left by this', [35, 37]),
  skipHelpers: bit('Helper pixels do not execute it', 39),
  local: bit('The address lies in local memory', 40),
  denorm: bit('Denormals are kept', 42),
  type: bits('Type of the operation; its highest bit stands apart', [94, 95], [53, 53]),
  target: bits('Instruction that a jump goes to; lies over the second source', [103, 117]),
  thread: bits('Which of the two threads of dual-16 mode runs it', [109, 109], [120, 120]),
  dstFull: bit('The destination is a full-precision register in dual-16 mode', 127),
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof FIELDS;

/** The fields of one source operand. */
export interface SourceFields {
  readonly use: Field;
  readonly register: Field;
  readonly swizzle: Field;
  readonly negate: Field;
  readonly absolute: Field;
  readonly addressing: Field;
  readonly group: Field;
  /** The same bits when `group` says immediate. */
  readonly immediate: Field;
  readonly immediateType: Field;
}

function source(use: number, register: number, swizzle: number, addressing: number, group: number): SourceFields {
  const [negate, absolute] = [swizzle + 8, swizzle + 9];
  return {
    use: bit('The operand exists', use),
    register: bits('Register number', [register, register + 8]),
    swizzle: bits('Selection of components, two bits each, x lowest', [swizzle, swizzle + 7]),
    negate: bit('Negate, after the absolute value', negate),
    absolute: bit('Absolute value', absolute),
    addressing: bits('Address register component added to the register number', [addressing, addressing + 2]),
    group: bits('Register group', [group, group + 2]),
    immediate: bits(
      '20-bit immediate',
      [register, register + 8],
      [swizzle, swizzle + 7],
      [negate, negate],
      [absolute, absolute],
      [addressing, addressing],
    ),
    immediateType: bits('Type of the immediate', [addressing + 1, addressing + 2]),
  };
}

export const SOURCES: readonly [SourceFields, SourceFields, SourceFields] = [
  source(43, 44, 54, 64, 67),
  source(70, 71, 81, 91, 96),
  source(99, 100, 110, 121, 124),
];

export const INSTRUCTION_BITS = 128;
export const INSTRUCTION_WORDS = 4;

export function fieldWidth(field: Field): number {
  return field.runs.reduce((sum, [low, high]) => sum + high - low + 1, 0);
}

/** Reads a field of the instruction at `words[at]`. */
export function getField(words: ArrayLike<number>, at: number, field: Field): number {
  let value = 0;
  let shift = 0;
  for (const [low, high] of field.runs) {
    const width = high - low + 1;
    const run = (words[at + (low >> 5)]! >>> (low & 31)) & (2 ** width - 1);
    value |= run << shift;
    shift += width;
  }
  return value >>> 0;
}

/** Writes a field; its bits must be 0 before. Throws when the value does not fit. */
export function setField(words: Uint32Array | number[], at: number, field: Field, value: number): void {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** fieldWidth(field)) {
    throw new RangeError(`${value} does not fit into ${fieldWidth(field)} bits (${field.doc})`);
  }
  let rest = value;
  for (const [low, high] of field.runs) {
    const width = high - low + 1;
    const word = at + (low >> 5);
    words[word] = (words[word]! | ((rest & (2 ** width - 1)) << (low & 31))) >>> 0;
    rest >>>= width;
  }
}

/** Sets all bits of a field in a mask of four words. */
export function markField(mask: Uint32Array, field: Field): void {
  for (const [low, high] of field.runs) {
    for (let position = low; position <= high; position++) mask[position >> 5]! |= 1 << (position & 31);
  }
}
