// Applies the rules of algebraic.table.ts. Patterns are compiled into a list of rules for each root opcode when it is first met.
import type { Builder } from '../builder.ts';
import { isConstantWord } from '../evaluate.ts';
import type { AluInstruction, Shader, Value } from '../ir.ts';
import type { Opcode } from '../opcodes.table.ts';
import { isCommutative, type OperandType, opcodeRow } from '../opcodes.ts';
import { ALGEBRAIC_RULES, type AlgebraicRule, type Condition, type Pattern } from './algebraic.table.ts';
import { constantFoldRule } from './opt-constant-fold.ts';
import { type Rule, rewrite } from './rewrite.ts';

export function optAlgebraic(shader: Shader): boolean {
  return rewrite(shader, [constantFoldRule(), algebraicRule(shader.isExact)]);
}

type Compiled =
  | { kind: 'name'; slot: number; constantOnly: boolean }
  | { kind: 'literal'; word: number; isBool: boolean }
  | { kind: 'alu'; op: Opcode; operands: Compiled[]; isCommutative: boolean };

type CompiledAlu = Extract<Compiled, { kind: 'alu' }>;

interface CompiledRule {
  search: CompiledAlu;
  replacement: Compiled;
  condition: Condition | undefined;
  names: string[];
  isInexact: boolean;
}

const floatBits = new Float32Array(1);
const intBits = new Uint32Array(floatBits.buffer);

/** The word that a literal means where an operand of this type is wanted. */
export function literalWord(literal: number | boolean, type: OperandType): number {
  if (typeof literal === 'boolean') return literal ? 1 : 0;
  if (type !== 'float') return literal >>> 0;
  floatBits[0] = literal;
  return intBits[0]!;
}

/** The opcode of a pattern without its mark, and whether the mark was there. */
export function patternOpcode(pattern: readonly [string, ...Pattern[]]): { op: Opcode; isInexact: boolean } {
  const isInexact = pattern[0].startsWith('~');
  return { op: pattern[0].slice(isInexact ? 1 : 0) as Opcode, isInexact };
}

function compilePattern(pattern: Pattern, type: OperandType, names: string[]): Compiled {
  if (typeof pattern === 'string') {
    let slot = names.indexOf(pattern);
    if (slot < 0) slot = names.push(pattern) - 1;
    return { kind: 'name', slot, constantOnly: pattern.startsWith('#') };
  }
  if (typeof pattern !== 'object') {
    return { kind: 'literal', word: literalWord(pattern, type), isBool: typeof pattern === 'boolean' };
  }
  const { op } = patternOpcode(pattern);
  const types = opcodeRow(op).in;
  const operands = pattern.slice(1).map((operand, i) => compilePattern(operand as Pattern, types[i]!, names));
  return { kind: 'alu', op, operands, isCommutative: isCommutative(op) };
}

/**
 * The rules of one root opcode, by what makes them worth trying: a constant operand, an operand with a certain opcode,
 * or two operands that are the same value.
 */
interface RuleSet {
  withConstant: CompiledRule[];
  withOpcode: Map<string, CompiledRule[]>;
  withEqual: CompiledRule[];
}

function rootOpcode([pattern]: AlgebraicRule): { op: Opcode; isInexact: boolean } {
  if (typeof pattern !== 'object') throw new Error('a rule searches for an opcode');
  return patternOpcode(pattern);
}

function compileRules(rules: readonly AlgebraicRule[]): RuleSet {
  const set: RuleSet = { withConstant: [], withOpcode: new Map(), withEqual: [] };
  for (const row of rules) {
    const [pattern, replacement, condition] = row;
    const { op, isInexact } = rootOpcode(row);
    const names: string[] = [];
    const { out } = opcodeRow(op);
    const search = compilePattern(pattern, out, names) as CompiledAlu;
    const rule = { search, replacement: compilePattern(replacement, out, names), condition, names, isInexact };
    const inner = search.operands.find((operand) => operand.kind === 'alu');
    if (search.operands.some((o) => o.kind === 'literal' || (o.kind === 'name' && o.constantOnly))) {
      set.withConstant.push(rule);
    } else if (inner?.kind === 'alu') {
      const known = set.withOpcode.get(inner.op);
      if (known) known.push(rule);
      else set.withOpcode.set(inner.op, [rule]);
    } else set.withEqual.push(rule);
  }
  return set;
}

const rulesByOpcode = new Map<string, AlgebraicRule[]>();
for (const row of ALGEBRAIC_RULES) {
  const { op } = rootOpcode(row);
  const list = rulesByOpcode.get(op);
  if (list) list.push(row);
  else rulesByOpcode.set(op, [row]);
}
const OPS: ReadonlySet<string> = new Set(rulesByOpcode.keys());

const compiledByOpcode = new Map<string, RuleSet>();

/** Undefined: no rule has this root. */
function rulesOf(op: string): RuleSet | undefined {
  const known = compiledByOpcode.get(op);
  if (known !== undefined) return known;
  const rules = rulesByOpcode.get(op);
  if (rules === undefined) return undefined;
  const set = compileRules(rules);
  compiledByOpcode.set(op, set);
  return set;
}

/** What the names of the rule at hand stand for; only one match is going on at a time. */
const slots: (Value | undefined)[] = new Array(8).fill(undefined);

/** Bit i: slot i stands for something. */
function boundSlots(): number {
  let bound = 0;
  for (let i = 0; i < slots.length; i++) if (slots[i] !== undefined) bound |= 1 << i;
  return bound;
}

function clearSlots(): void {
  for (let i = 0; i < slots.length; i++) slots[i] = undefined;
}

/** The rule for rewrite(); `exact` leaves out what may change results. */
export function algebraicRule(exact: boolean): Rule {
  const tryRules = (rules: readonly CompiledRule[], instruction: AluInstruction, builder: Builder): Value | null => {
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i]!;
      if ((exact && rule.isInexact) || !matchRule(rule, instruction.sources)) continue;
      return build(builder, rule.replacement, instruction.components);
    }
    return null;
  };
  return {
    name: 'algebraic',
    ops: OPS,
    apply(instruction, { builder }): Value | null {
      if (instruction.kind !== 'alu') return null;
      const set = rulesOf(instruction.op);
      if (set === undefined) return null;
      const { sources } = instruction;
      let result: Value | null = null;
      let hasConstant = false;
      for (let i = 0; i < sources.length && result === null; i++) {
        const source = sources[i]!;
        if (source.kind === 'const' || source.kind === 'undef') hasConstant = true;
        else if (source.kind === 'alu') {
          const rules = set.withOpcode.get(source.op);
          if (rules !== undefined) result = tryRules(rules, instruction, builder);
        }
        for (let j = 0; j < i && result === null && set.withEqual.length > 0; j++) {
          if (sources[j] === source) result = tryRules(set.withEqual, instruction, builder);
        }
      }
      return result ?? (hasConstant ? tryRules(set.withConstant, instruction, builder) : null);
    },
  };
}

function matchRule(rule: CompiledRule, sources: readonly Value[]): boolean {
  const { search } = rule;
  clearSlots();
  if (matchOperands(search.operands, sources, false) && holds(rule)) return true;
  if (!search.isCommutative) return false;
  clearSlots();
  return matchOperands(search.operands, sources, true) && holds(rule);
}

function holds(rule: CompiledRule): boolean {
  if (rule.condition === undefined) return true;
  const constants: Record<string, Uint32Array> = {};
  for (let slot = 0; slot < rule.names.length; slot++) {
    const value = slots[slot];
    if (value?.kind === 'const') constants[rule.names[slot]!] = value.info;
  }
  return rule.condition(constants);
}

function matchOperands(patterns: readonly Compiled[], sources: readonly Value[], swapped: boolean): boolean {
  for (let i = 0; i < patterns.length; i++) {
    if (!matchValue(patterns[i]!, sources[swapped && i < 2 ? 1 - i : i]!)) return false;
  }
  return true;
}

function matchValue(pattern: Compiled, value: Value): boolean {
  if (pattern.kind === 'name') {
    if (pattern.constantOnly && value.kind !== 'const') return false;
    const bound = slots[pattern.slot];
    if (bound !== undefined) return bound === value;
    slots[pattern.slot] = value;
    return true;
  }
  if (pattern.kind === 'literal') {
    // A boolean literal only matches booleans, a number only words: `select` takes either.
    return pattern.isBool === (value.bits === 1) && isConstantWord(value, pattern.word);
  }
  if (value.kind !== 'alu' || value.op !== pattern.op) return false;
  if (!pattern.isCommutative) return matchOperands(pattern.operands, value.sources, false);
  const bound = boundSlots();
  if (matchOperands(pattern.operands, value.sources, false)) return true;
  for (let i = 0; i < slots.length; i++) if ((bound & (1 << i)) === 0) slots[i] = undefined;
  return matchOperands(pattern.operands, value.sources, true);
}

function build(builder: Builder, pattern: Compiled, components: number): Value {
  if (pattern.kind === 'name') return slots[pattern.slot]!;
  if (pattern.kind === 'literal') {
    const words = new Array<number>(components).fill(pattern.word);
    return builder.constWords(words, pattern.isBool ? 1 : 32);
  }
  return builder.aluOf(
    pattern.op,
    pattern.operands.map((operand) => build(builder, operand, components)),
  );
}
