// The corners of opcodes that the contract in ir.ts promises.
import { describe, expect, it } from 'vitest';
import { foldAlu } from './evaluate.ts';
import type { AluInstruction } from './ir.ts';
import { OPCODE_NAMES, opcodeRow } from './opcodes.ts';

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

function word(value: number, isFloat: boolean): number {
  if (!isFloat) return value >>> 0;
  floats[0] = value;
  return words[0]!;
}

/** The result of a scalar opcode: float, signed int or boolean as the table says. */
function run(op: string, ...operands: number[]): number {
  const row = opcodeRow(op);
  const sources = operands.map((value, i) => Uint32Array.of(word(value, row.in[i] === 'float')));
  const result = foldAlu({ op, components: 1, info: null } as AluInstruction, sources)[0]!;
  if (row.out !== 'float') return row.out === 'uint' ? result : result | 0;
  words[0] = result;
  return floats[0]!;
}

describe('opcode table', () => {
  it('has a fold and a line of documentation for every opcode', () => {
    for (const name of OPCODE_NAMES) {
      const row = opcodeRow(name);
      expect(row.doc.length, name).toBeGreaterThan(0);
      const needsFold = row.shape !== 'gather' && name !== 'fddx' && name !== 'fddy';
      expect(row.fold !== null || row.foldVector !== null, name).toBe(needsFold);
      expect(row.sizes?.length ?? row.in.length + 1, name).toBe(row.in.length + 1);
    }
  });

  it.each([
    ['fmin', [NaN, 1], NaN],
    ['fmin', [1, NaN], 1],
    ['fmax', [NaN, 1], NaN],
    ['fmax', [1, NaN], 1],
    ['fsat', [NaN], 0],
    ['fsat', [-0], 0],
    ['fsign', [-3], -1],
    ['fsign', [NaN], 0],
    ['froundeven', [2.5], 2],
    ['froundeven', [-3.5], -4],
    ['froundeven', [0.49999997], 0],
    ['froundeven', [8388609], 8388609],
    ['fdiv', [1, -0], -Infinity],
    ['fneu', [NaN, NaN], 1],
    ['feq', [NaN, NaN], 0],
    ['fge', [NaN, 0], 0],
    ['idiv', [7, 0], -1],
    ['idiv', [-7, 2], -3],
    ['idiv', [-0x80000000, -1], -0x80000000],
    ['irem', [-7, 2], -1],
    ['irem', [7, 0], 7],
    ['irem', [-0x80000000, -1], 0],
    ['udiv', [-1, 2], 0x7fffffff],
    ['udiv', [5, 0], 0xffffffff],
    ['umod', [5, 0], 5],
    ['imul', [0x10001, 0x10001], 0x20001],
    ['iabs', [-0x80000000], -0x80000000],
    ['ishl', [1, 33], 2],
    ['ishr', [-8, 1], -4],
    ['ushr', [-1, 28], 15],
    ['f2i', [NaN], 0],
    ['f2i', [3e9], 0x7fffffff],
    ['f2i', [-1.9], -1],
    ['f2u', [-1], 0],
    ['f2u', [5e9], 0xffffffff],
    ['u2f', [-1], 4294967296],
    ['i2f', [16777217], 16777216],
  ])('%s %j gives %d', (op, operands, result) => {
    expect(run(op, ...operands)).toBe(result);
  });
});
