// Proves each algebraic rule: both sides are computed on random and edge values and must agree bit for bit (any NaN is
// as good as another); inexact rules must agree closely on ordinary values.
import { describe, expect, it } from 'vitest';
import { foldAlu } from '../evaluate.ts';
import type { AluInstruction } from '../ir.ts';
import { type OperandType, opcodeRow } from '../opcodes.ts';
import { ALGEBRAIC_RULES, type Pattern } from './algebraic.table.ts';
import { literalWord, patternOpcode } from './opt-algebraic.ts';

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

function floatWord(x: number): number {
  floats[0] = x;
  return words[0]!;
}

function wordFloat(word: number): number {
  words[0] = word;
  return floats[0]!;
}

const EDGE_FLOATS = [0, -0, 1, -1, 0.5, 2, 3.5, -2.5, 1e30, -1e-30, 1e-40, 3e38, Infinity, -Infinity, NaN, 0x7fffffff];
const EDGE_INTS = [0, 1, -1, 2, 3, 7, 31, 32, 33, 255, 256, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe];
const ORDINARY = [0.25, 0.5, 1, 1.5, 2, 3.7, 10, 100.5];

let seed = 12345;
function random(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed;
}

type Types = Map<string, OperandType>;

/** The operand type of each name in a pattern. */
function namesOf(pattern: Pattern, type: OperandType, names: Types): Types {
  if (typeof pattern === 'string') {
    if (!names.has(pattern) || names.get(pattern) === 'bits') names.set(pattern, type);
  } else if (typeof pattern === 'object') {
    const row = opcodeRow(patternOpcode(pattern).op);
    pattern.slice(1).forEach((operand, i) => void namesOf(operand, row.in[i]!, names));
  }
  return names;
}

function compute(pattern: Pattern, type: OperandType, values: ReadonlyMap<string, number>): number {
  if (typeof pattern === 'string') return values.get(pattern)!;
  if (typeof pattern !== 'object') return literalWord(pattern, type);
  const { op } = patternOpcode(pattern);
  const row = opcodeRow(op);
  const sources = pattern.slice(1).map((operand, i) => Uint32Array.of(compute(operand, row.in[i]!, values)));
  return foldAlu({ op, components: 1, info: null } as AluInstruction, sources)[0]!;
}

/** `select` works on words or booleans: booleans if a boolean literal stands in it. */
function bitsAre(pattern: Pattern): OperandType {
  const hasBool = (p: Pattern): boolean =>
    typeof p === 'boolean' || (typeof p === 'object' && p.slice(2).some(hasBool));
  return hasBool(pattern) ? 'bool' : 'int';
}

function sample(type: OperandType, round: number): number {
  if (type === 'bool') return random() >>> 31;
  if (type === 'float') {
    if (round < 200) return floatWord(EDGE_FLOATS[(random() >>> 8) % EDGE_FLOATS.length]!);
    return round % 2 ? floatWord((random() / 2 ** 31 - 1) * 100) : random();
  }
  return round < 200 ? EDGE_INTS[(random() >>> 8) % EDGE_INTS.length]! >>> 0 : random();
}

describe('algebraic rules', () => {
  it.each(ALGEBRAIC_RULES.map((rule) => [JSON.stringify(rule.slice(0, 2)), rule] as const))('%s', (_, rule) => {
    const [search, replacement, condition] = rule;
    if (typeof search !== 'object') throw new Error('no opcode');
    const { op, isInexact } = patternOpcode(search);
    const row = opcodeRow(op);
    const names = namesOf(search, row.out, new Map());
    let tried = 0;
    for (let round = 0; round < 3000; round++) {
      const values = new Map<string, number>();
      for (const [name, type] of names) {
        const wanted = type === 'bits' ? bitsAre(search) : type;
        let word = sample(wanted, round);
        if (isInexact && wanted === 'float') word = floatWord(ORDINARY[random() % ORDINARY.length]!);
        if (condition && name.startsWith('#') && round % 2)
          word = wanted === 'float' ? floatWord(2 ** ((random() % 20) - 10)) : 1 << (random() % 31);
        values.set(name, word >>> 0);
      }
      const constants = Object.fromEntries([...values].map(([name, word]) => [name, Uint32Array.of(word)]));
      if (condition && !condition(constants)) continue;
      tried++;
      const before = compute(search, row.out, values);
      const after = compute(replacement, row.out, values);
      if (before === after) continue;
      const [x, y] = [wordFloat(before), wordFloat(after)];
      const isFloat = row.out === 'float';
      if (isFloat && Number.isNaN(x) && Number.isNaN(y)) continue;
      if (isInexact && Math.abs(x - y) <= 1e-4 * Math.max(Math.abs(x), 1e-30)) continue;
      const inputs = [...values].map(([name, word]) => `${name}=${word.toString(16)} (${wordFloat(word)})`).join(', ');
      expect.fail(`${inputs}: ${before.toString(16)} (${x}) became ${after.toString(16)} (${y})`);
    }
    expect(tried).toBeGreaterThan(100);
  });
});
