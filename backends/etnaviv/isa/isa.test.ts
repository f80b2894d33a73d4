// The instruction set: tables, round trips over random instructions and recorded vectors, refusal of bad words.

import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleInstruction, assembleProgram } from './assemble.ts';
import { decodeInstruction, decodeProgram } from './decode.ts';
import { checkDescription, ENCODINGS, type Encoding } from './description.ts';
import { disassembleInstruction, disassembleProgram } from './disassemble.ts';
import { isaDocument } from './document.ts';
import { encodeInstruction, encodeProgram } from './encode.ts';
import { ADDRESSING, CONDITIONS, GROUPS, IMMEDIATE_TYPES, ROUNDING, TYPES } from './enums.table.ts';
import { FIELDS, fieldWidth } from './fields.table.ts';
import { type Instruction, IsaError, type SourceOperand } from './instruction.ts';
import { instruction } from './make-instruction.ts';
import { verifyVectors } from './verify.ts';

const VECTORS = `${process.env.INDIUM_TEST_DATA ?? '../shared'}/golden/isa/vivante.jsonl`;

const among = <Name>(names: readonly (Name | undefined)[]) =>
  fc.constantFrom(...names.filter((name): name is Name => name !== undefined));

const registerOperand = fc.record({
  kind: fc.constant('register' as const),
  group: among(GROUPS.filter((group) => group !== 'immediate')),
  register: fc.nat(511),
  swizzle: fc.nat(255),
  negate: fc.boolean(),
  absolute: fc.boolean(),
  addressing: among(ADDRESSING),
});
const immediateOperand = fc.record({
  kind: fc.constant('immediate' as const),
  type: among(IMMEDIATE_TYPES),
  bits: fc.nat(2 ** 20 - 1),
});
const operand = fc.oneof(registerOperand, immediateOperand) as fc.Arbitrary<SourceOperand>;

/** Random instructions of one row of the opcode table. */
function anyInstruction({ row, form }: Encoding): fc.Arbitrary<Instruction> {
  const has = (name: keyof typeof FIELDS) => form.fields.includes(name);
  const upTo = (name: keyof typeof FIELDS) => (has(name) ? fc.nat(2 ** fieldWidth(FIELDS[name]) - 1) : fc.constant(0));
  const flag = (name: keyof typeof FIELDS) => (has(name) ? fc.boolean() : fc.constant(false));
  const dst = fc.record({ register: fc.nat(127), mask: fc.nat(15), addressing: among(ADDRESSING) });
  const source = (index: number) => {
    const presence = row.sources[index];
    return presence === 'none' ? fc.constant(null) : presence === 'must' ? operand : fc.option(operand);
  };
  return fc.record({
    op: fc.constant(row.name),
    condition: has('condition') ? among(CONDITIONS) : fc.constant('true' as const),
    type: has('type') ? among(TYPES) : fc.constant('f32' as const),
    saturate: flag('saturate'),
    rounding: has('rounding') ? among(ROUNDING) : fc.constant('default' as const),
    pack: flag('noPack'),
    skipHelpers: flag('skipHelpers'),
    local: flag('local'),
    denorm: flag('denorm'),
    dstFull: flag('dstFull'),
    thread: upTo('thread'),
    leftShift: upTo('leftShift'),
    dst: form.dst === 'none' ? fc.constant(null) : form.dst === 'must' ? dst : fc.option(dst),
    memoryMask: has('memoryMask') ? fc.nat(15) : fc.constant(null),
    texture: has('textureUnit')
      ? fc.record({ unit: fc.nat(31), swizzle: fc.nat(255), addressing: among(ADDRESSING) })
      : fc.constant(null),
    sources: fc.tuple(source(0), source(1), source(2)),
    target: has('target') ? fc.nat(0x7fff) : fc.constant(null),
  }) as fc.Arbitrary<Instruction>;
}

const anyOfAll = fc.constantFrom(...ENCODINGS).chain(anyInstruction);

describe('the description', () => {
  it('has no overlapping fields and no word that two rows match', () => {
    expect(checkDescription()).toEqual([]);
  });

  it('finds a pair of rows that one word could match', () => {
    const twin = ENCODINGS.find(({ row }) => row.name === 'add')!;
    expect(checkDescription([twin, twin])).toHaveLength(1);
  });

  it('documents every instruction', () => {
    const page = isaDocument();
    for (const { row } of ENCODINGS) expect(page).toContain(`| ${row.name} |`);
  });
});

describe('round trips', () => {
  it('decode undoes encode', () => {
    fc.assert(
      fc.property(anyOfAll, (value) => {
        expect(decodeInstruction(encodeInstruction(value))).toEqual(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('assemble undoes disassemble', () => {
    fc.assert(
      fc.property(anyOfAll, (value) => {
        const again = assembleInstruction(disassembleInstruction(value));
        expect(encodeInstruction(again)).toEqual(encodeInstruction(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('random words decode to what encodes to them, or are refused', () => {
    const word = fc.nat(0xffffffff);
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), (words) => {
        let decoded: Instruction;
        try {
          decoded = decodeInstruction(words);
        } catch (error) {
          expect(error).toBeInstanceOf(IsaError);
          return;
        }
        expect([...encodeInstruction(decoded)]).toEqual(words);
      }),
      { numRuns: 3000 },
    );
  });

  it.skipIf(!existsSync(VECTORS))('every recorded vector goes round', () => {
    const results = verifyVectors(readFileSync(VECTORS, 'utf8'));
    expect(results.length).toBeGreaterThan(7000);
    expect(results.filter(({ error }) => error !== null)).toEqual([]);
  });
});

describe('programs', () => {
  it('resolve labels', () => {
    const program = assembleProgram(`
      start: branch.not.u32 void, t1.xxxx, void, end ; leave
      add t1.x___, t1.xxxx, void, 1.0
      branch void, void, void, start
      end: nop void, void, void, void`);
    expect(program.map(({ target }) => target)).toEqual([3, null, 0, null]);
    expect(decodeProgram(encodeProgram(program))).toEqual(program);
    expect(assembleProgram(disassembleProgram(program))).toEqual(program);
  });

  it('an empty word is nop', () => {
    expect([...encodeInstruction(instruction('nop'))]).toEqual([0, 0, 0, 0]);
  });
});

describe('bad input', () => {
  it('names offset and word of a bad bit', () => {
    const words = new Uint32Array([0, 0, 0, 0, 0x00811001, 0x2804 | (1 << 10), 0, 0x28]);
    try {
      decodeProgram(words);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: 'IsaError', offset: 20, word: 0x2c04 });
    }
  });

  it('refuses reserved values and cut programs', () => {
    expect(() => decodeInstruction([17 << 6, 0, 0, 0])).toThrow(/reserved/);
    expect(() => decodeInstruction([0x7c & 63, 0, 1 << 16, 0])).toThrow(/operation code 124/);
    expect(() => decodeProgram([0, 0, 0])).toThrow(/ends inside/);
  });

  it('refuses text that no instruction has', () => {
    expect(() => assembleProgram('frobnicate void, void, void, void')).toThrow(/line 1: no instruction/);
    expect(() => assembleProgram('\nadd t1, t1.xyzw, void, 0.1')).toThrow(/line 2: '0.1'/);
    expect(() => assembleProgram('add.big t1, t1.xyzw, void, 1.0')).toThrow(/suffix/);
    expect(() => encodeProgram(assembleProgram('add t1, t1.xyzw, t2.xyzw, void'))).toThrow(
      /no source 1|needs source 2/,
    );
  });
});
