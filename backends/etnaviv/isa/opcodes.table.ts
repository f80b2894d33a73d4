// Every instruction of the Vivante ISA: one row each, and the forms that say which fields a row has.
//
// Facts: rnndb isa.xml of the etnaviv project (operation codes, what they compute) and Mesa's isaspec description
// (operand positions, extended operations), checked against recorded shader binaries.

import type { FieldName } from './fields.table.ts';

export type Presence = 'none' | 'maybe' | 'must';

/** Which fields an instruction has. Bits that no field covers must be 0. */
export interface Form {
  readonly fields: readonly FieldName[];
  readonly dst: Presence;
  /** Bit 34 is usually 0 (text marks the other value). */
  readonly packsByDefault?: boolean;
  readonly doc: string;
}

const ALU_FIELDS = ['condition', 'saturate', 'type', 'rounding', 'noPack', 'skipHelpers', 'thread', 'dstFull'] as const;

export const FORMS = {
  alu: { fields: ALU_FIELDS, dst: 'maybe', doc: 'Arithmetic' },
  bare: { fields: ALU_FIELDS, dst: 'maybe', packsByDefault: true, doc: 'Without operands' },
  texture: {
    fields: ['condition', 'saturate', 'type', 'textureUnit', 'textureAddressing', 'textureSwizzle'],
    dst: 'maybe',
    doc: 'Texture look-up',
  },
  jump: {
    fields: ['condition', 'saturate', 'type', 'noPack', 'target'],
    dst: 'none',
    packsByDefault: true,
    doc: 'Jump',
  },
  load: {
    fields: [
      'condition',
      'saturate',
      'type',
      'noPack',
      'leftShift',
      'skipHelpers',
      'local',
      'denorm',
      'thread',
      'dstFull',
    ],
    dst: 'maybe',
    doc: 'Memory to register',
  },
  store: {
    fields: [
      'condition',
      'saturate',
      'type',
      'noPack',
      'leftShift',
      'skipHelpers',
      'local',
      'denorm',
      'thread',
      'dstFull',
      'memoryMask',
    ],
    dst: 'none',
    doc: 'Register to memory',
  },
  storeRegister: {
    fields: [
      'condition',
      'saturate',
      'type',
      'noPack',
      'leftShift',
      'skipHelpers',
      'local',
      'denorm',
      'thread',
      'dstFull',
    ],
    dst: 'must',
    doc: 'Register to memory with a destination register (synchronisation of local memory)',
  },
} as const satisfies Record<string, Form>;

export type FormName = keyof typeof FORMS;

/** Which GPUs have an encoding. A decoder works with a set of them. */
export type EncodingName = 'base' | 'extended';

export interface OpcodeRow {
  readonly name: string;
  readonly code: number;
  readonly form: FormName;
  /** Presence of the three sources. */
  readonly sources: readonly [Presence, Presence, Presence];
  readonly encoding: EncodingName;
  /** The operation code of the extended encoding: the register number of the last source. */
  readonly extendedCode?: number;
  /** The feature that brought it. Empty: every GPU. */
  readonly since: string;
  /** The result is one number, written to every enabled component. */
  readonly isScalar: boolean;
  readonly doc: string;
}

/** `012` must have all three sources, `?` after a digit makes it optional. */
function presence(pattern: string): [Presence, Presence, Presence] {
  const of = (digit: string): Presence =>
    pattern.includes(`${digit}?`) ? 'maybe' : pattern.includes(digit) ? 'must' : 'none';
  return [of('0'), of('1'), of('2')];
}

interface RowOptions {
  form?: FormName;
  since?: string;
  scalar?: boolean;
  extendedCode?: number;
}

function op(name: string, code: number, sources: string, doc: string, options: RowOptions = {}): OpcodeRow {
  return {
    name,
    code,
    form: options.form ?? 'alu',
    sources: presence(sources),
    encoding: options.extendedCode === undefined ? 'base' : 'extended',
    ...(options.extendedCode === undefined ? {} : { extendedCode: options.extendedCode }),
    since: options.since ?? '',
    isScalar: options.scalar ?? false,
    doc,
  };
}

const TRIG = { since: 'HAS_SQRT_TRIG', scalar: true } as const;
const ROUND = { since: 'HAS_SIGN_FLOOR_CEIL' } as const;
const CL = { since: 'OpenCL' } as const;
const HALTI2 = { since: 'HALTI2' } as const;
const HALTI5 = { since: 'HALTI5' } as const;
const TEX = { form: 'texture' } as const;
const BARE = { form: 'bare' } as const;

/** The operation code behind which extended operations stand. */
export const EXTENDED_OPCODE = 0x7f;

export const OPCODES: readonly OpcodeRow[] = [
  op('nop', 0x00, '', 'Nothing', BARE),
  op('add', 0x01, '02', 'dst = src0 + src2'),
  op('mad', 0x02, '012', 'dst = src0 · src1 + src2'),
  op('mul', 0x03, '01', 'dst = src0 · src1'),
  op('dst', 0x04, '01', 'Distance vector (1, y0·y1, z0, w1)'),
  op('dp3', 0x05, '01', 'Dot product of three components', { scalar: true }),
  op('dp4', 0x06, '01', 'Dot product of four components', { scalar: true }),
  op('dsx', 0x07, '02', 'Difference to the horizontal neighbour'),
  op('dsy', 0x08, '02', 'Difference to the vertical neighbour'),
  op('mov', 0x09, '2', 'dst = src2'),
  op('movar', 0x0a, '2', 'Address register from a float; rounds down'),
  op('movaf', 0x0b, '2', 'Address register from a float'),
  op('rcp', 0x0c, '2', 'dst = 1 / src2', { scalar: true }),
  op('rsq', 0x0d, '2', 'dst = 1 / √src2', { scalar: true }),
  op('litp', 0x0e, '0?12', 'Part of the fixed-function lighting formula'),
  op(
    'select',
    0x0f,
    '012',
    'With two-operand conditions: src0 cond src1 ? src1 : src2; with one: cond(src0) ? src1 : src2',
  ),
  op('set', 0x10, '01', 'dst = (src0 cond src1) ? 1.0 : 0.0'),
  op('exp', 0x11, '2', 'dst = 2^src2', { scalar: true }),
  op('log', 0x12, '2', 'dst = log2(src2); rtz selects the pair form: the result is x·y', { scalar: true }),
  op('frc', 0x13, '2', 'dst = src2 − floor(src2)'),
  op('call', 0x14, '', 'Call', { form: 'jump' }),
  op('ret', 0x15, '', 'Return', BARE),
  op('branch', 0x16, '0?1?', 'Jump when the condition holds', { form: 'jump' }),
  op('texkill', 0x17, '0?1?', 'Discard the pixel when the condition holds'),
  op('texld', 0x18, '02?', 'Texture at src0', TEX),
  op('texldb', 0x19, '01?2?', 'Texture, biased by src1 (else by src0.w)', TEX),
  op('texldd', 0x1a, '012', 'Texture with gradients', TEX),
  op('texldl', 0x1b, '01?2?', 'Texture at the level of src1 (else src0.w)', TEX),
  op('texldpcf', 0x1c, '01?2?', 'Texture with comparison', TEX),
  op('rep', 0x1d, '0?1?2?', 'Begins a repeat block'),
  op('endrep', 0x1e, '0?1?2?', 'Ends a repeat block'),
  op('loop', 0x1f, '0?1?2?', 'Begins a loop block'),
  op('endloop', 0x20, '0?1?2?', 'Ends a loop block'),
  op('sqrt', 0x21, '2', 'dst = √src2', TRIG),
  op('sin', 0x22, '2', 'dst = sin(src2 · π/2); rtz selects the pair form: x·y = sin(src2 · π)', TRIG),
  op('cos', 0x23, '2', 'dst = cos(src2 · π/2); rtz selects the pair form: x·y = cos(src2 · π)', TRIG),
  op('branch_any', 0x24, '01', 'Jump when the condition holds for any component', { form: 'jump' }),
  op('floor', 0x25, '2', 'dst = floor(src2)', ROUND),
  op('ceil', 0x26, '2', 'dst = ceil(src2)', ROUND),
  op('sign', 0x27, '2', 'dst = sign of src2', ROUND),
  op('addlo', 0x28, '0?1?2?', 'Low part of a sum', CL),
  op('mullo', 0x29, '0?1?2?', 'Low part of a product', CL),
  op('barrier', 0x2a, '', 'Waits for the work group', { ...BARE, ...CL }),
  op('swizzle', 0x2b, '012', 'Permutes the bytes or halves of src0 by src1, masked by src2', CL),
  op('i2i', 0x2c, '01', 'Integer to integer', CL),
  op('i2f', 0x2d, '0', 'Integer to float', CL),
  op('f2i', 0x2e, '0', 'Float to integer, toward zero', CL),
  op('f2irnd', 0x2f, '0', 'Float to integer, rounded', CL),
  op('f2i7', 0x30, '0?1?2?', 'Float to integer', CL),
  op('cmp', 0x31, '012', 'dst = (src0 cond src1) ? src2 : 0', HALTI2),
  op('load', 0x32, '01', 'dst = memory[src0 + src1]', { form: 'load', ...CL }),
  op('store', 0x33, '012', 'memory[src0 + src1] = src2', { form: 'store', ...CL }),
  op('store', 0x33, '012', 'The same with a register operand', { form: 'storeRegister', ...CL }),
  op('img_load_3d', 0x34, '0?1?2?', 'Image load', CL),
  op('img_store_3d', 0x35, '0?1?2?', 'Image store', CL),
  op('clamp0_max', 0x36, '01', 'dst = min(max(src0, 0), src1)', CL),
  op('nan', 0x37, '0?1?2?', 'Not a number', CL),
  op('nextafter', 0x38, '0?1?2?', 'Neighbouring float', CL),
  op('roundeven', 0x39, '0?1?2?', 'Nearest integer, ties to even', CL),
  op('roundaway', 0x3a, '0?1?2?', 'Nearest integer, ties away', CL),
  op('iaddsat', 0x3b, '02', 'Saturating integer sum', CL),
  op('imullo0', 0x3c, '01', 'Low half of an integer product', CL),
  op('imullo1', 0x3d, '0?1?2?', 'Low half of an integer product', CL),
  op('imullosat0', 0x3e, '0?1?2?', 'Saturating product', CL),
  op('imullosat1', 0x3f, '0?1?2?', 'Saturating product', CL),
  op('imulhi0', 0x40, '01', 'High half of an integer product', CL),
  op('imulhi1', 0x41, '0?1?2?', 'High half of an integer product', CL),
  op('imul0', 0x42, '0?1?2?', 'Integer product', CL),
  op('imul1', 0x43, '0?1?2?', 'Integer product', CL),
  op('idiv0', 0x44, '01', 'Integer quotient', CL),
  op('idiv1', 0x45, '0?1?2?', 'Integer quotient', CL),
  op('idiv2', 0x46, '0?1?2?', 'Integer quotient', CL),
  op('idiv3', 0x47, '0?1?2?', 'Integer quotient', CL),
  op('imod0', 0x48, '01', 'Integer remainder', CL),
  op('texelfetch', 0x49, '01?2?', 'Texel at integer coordinates', { form: 'texture', ...HALTI5 }),
  op('imod2', 0x4a, '0?1?2?', 'Integer remainder', CL),
  op('imod3', 0x4b, '0?1?2?', 'Integer remainder', CL),
  op('imadlo0', 0x4c, '012', 'Low half of src0 · src1, plus src2', CL),
  op('imadlo1', 0x4d, '0?1?2?', 'Integer multiply and add', CL),
  op('imadlosat0', 0x4e, '012', 'Saturating multiply and add', CL),
  op('imadlosat1', 0x4f, '0?1?2?', 'Saturating multiply and add', CL),
  op('imadhi0', 0x50, '0?1?2?', 'High half of a product, plus', CL),
  op('imadhi1', 0x51, '0?1?2?', 'High half of a product, plus', CL),
  op('imadhisat0', 0x52, '0?1?2?', 'Saturating', CL),
  op('imadhisat1', 0x53, '0?1?2?', 'Saturating', CL),
  op('halfadd', 0x54, '0?1?2?', 'Half of a sum', CL),
  op('halfaddinc', 0x55, '0?1?2?', 'Half of a sum, rounded up', CL),
  op('movai', 0x56, '2', 'Address register from an integer', CL),
  op('iabs', 0x57, '2', 'Absolute value of an integer', CL),
  op('leadzero', 0x58, '2', 'Number of leading zeros', CL),
  op('lshift', 0x59, '02', 'dst = src0 << (src2 & 31)', CL),
  op('rshift', 0x5a, '02', 'dst = src0 >> (src2 & 31); keeps the sign for signed types', CL),
  op('rotate', 0x5b, '02', 'Rotate left', CL),
  op('or', 0x5c, '02', 'Bitwise or', CL),
  op('and', 0x5d, '02', 'Bitwise and', CL),
  op('xor', 0x5e, '02', 'Bitwise exclusive or', CL),
  op('not', 0x5f, '2', 'Bitwise not', CL),
  op('bit_extract', 0x60, '012', 'Field of bits', HALTI2),
  op('popcount', 0x61, '2', 'Number of one bits', HALTI2),
  op('storeb', 0x62, '0?1?2?', 'Byte store', HALTI2),
  op('rgb2yuv', 0x63, '0?1?2?', 'Colour conversion', HALTI2),
  op('div', 0x64, '12', 'Pair form of src1 / src2: the result is x·y', { since: 'HAS_FAST_TRANSCENDENTALS' }),
  op('atomic_add', 0x65, '012', 'Atomic sum', HALTI5),
  op('atomic_xchg', 0x66, '012', 'Atomic exchange', HALTI5),
  op('atomic_cmp_xchg', 0x67, '012', 'Atomic compare and exchange', HALTI5),
  op('atomic_min', 0x68, '012', 'Atomic minimum', HALTI5),
  op('atomic_max', 0x69, '012', 'Atomic maximum', HALTI5),
  op('atomic_or', 0x6a, '012', 'Atomic or', HALTI5),
  op('atomic_and', 0x6b, '012', 'Atomic and', HALTI5),
  op('atomic_xor', 0x6c, '012', 'Atomic exclusive or', HALTI5),
  op('bit_rev', 0x6d, '0', 'Bits in reverse order', HALTI5),
  op('byte_rev', 0x6e, '0?1?2?', 'Bytes in reverse order', HALTI5),
  op('texldlpcf', 0x6f, '012', 'Texture with level and comparison', { form: 'texture', ...HALTI5 }),
  op('texldgpcf', 0x70, '01?2?', 'Texture with gradients and comparison', { form: 'texture', ...HALTI5 }),
  op('pack', 0x71, '0?1?2?', 'Packs components', HALTI5),
  op('conv', 0x72, '01', 'Conversion of type', HALTI5),
  op('dp2', 0x73, '01', 'Dot product of two components', { scalar: true, ...HALTI2 }),
  op('norm_dp2', 0x74, '0', 'First half of a normalisation', { scalar: true, ...HALTI2 }),
  op('norm_dp3', 0x75, '0', 'First half of a normalisation', { scalar: true, ...HALTI2 }),
  op('norm_dp4', 0x76, '0', 'First half of a normalisation', { scalar: true, ...HALTI2 }),
  op('norm_mul', 0x77, '0?1?2?', 'Second half of a normalisation', HALTI2),
  op('store_attr', 0x78, '0?1?2?', 'Stores an attribute', HALTI5),
  op('img_load', 0x79, '01', 'Image load', { form: 'load', ...CL }),
  op('img_store', 0x7a, '012', 'Image store', { form: 'store', ...CL }),
  op('restart', 0x7b, '0?1?2?', 'Restarts a primitive', HALTI5),
  op('bit_findlsb', EXTENDED_OPCODE, '0', 'Lowest one bit', { extendedCode: 0x0b, ...HALTI5 }),
  op('bit_findmsb', EXTENDED_OPCODE, '0', 'Highest one bit', { extendedCode: 0x0c, ...HALTI5 }),
];
