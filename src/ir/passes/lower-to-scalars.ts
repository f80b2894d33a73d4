// Makes scalar arithmetic of vector arithmetic, for code that holds each component in a vector of its own: components can then be
// shared, folded and dropped one by one (a hash of vec2(x, y) and of vec2(x + 1, y) has half in common). Results keep every bit.
import { listOf } from '../../base/list.ts';
import type { AluInstruction, Instruction, Shader, Value } from '../ir.ts';
import type { Opcode } from '../opcodes.table.ts';
import { OPCODE_NAMES, opcodeRow } from '../opcodes.ts';
import { type RewriteContext, type Rule, rewrite } from './rewrite.ts';

const isSplit = (op: Opcode): boolean => op !== 'vec' && op !== 'swizzle' && opcodeRow(op).shape === 'componentwise';
const OPS: ReadonlySet<string> = new Set(['fdot', 'ball', 'bany', ...OPCODE_NAMES.filter(isSplit)]);

export function lowerToScalars(shader: Shader): boolean {
  shader.isScalar = true;
  return rewrite(shader, [scalarsRule()]);
}

/**
 * Splits componentwise opcodes, dot products and boolean reductions into scalar ones. Remembers the components that it has taken; use
 * it for one walk only.
 */
export function scalarsRule(): Rule {
  return new ScalarsRule();
}

class ScalarsRule implements Rule {
  readonly name = 'scalars';
  readonly ops = OPS;
  /** By value id and component. */
  private readonly taken = new Map<number, Value>();

  apply(instruction: Instruction, context: RewriteContext): Value | null {
    if (instruction.kind !== 'alu') return null;
    const { op, components, sources } = instruction;
    if (op === 'fdot') return sources[0]!.components > 1 ? this.dot(context, sources) : null;
    if (op === 'ball' || op === 'bany') return this.reduction(context, instruction);
    if (components === 1) return null;
    // Copies of an array hold no spare room, which arrays that grow by pushing do.
    const scalars = sources.slice(0, 1);
    for (let c = 0; c < components; c++) {
      const operands = sources.slice();
      for (let i = 0; i < operands.length; i++) operands[i] = this.channel(context, operands[i]!, c);
      scalars[c] = context.builder.aluOf(op as Opcode, operands);
    }
    return context.builder.vecOf(scalars);
  }

  /** A component: what a vec was made of, or where a swizzle took it from. */
  private channel(context: RewriteContext, value: Value, component: number): Value {
    let from = value;
    let at = component;
    while (from.kind === 'alu' && from.op === 'swizzle') {
      at = from.info![at]!;
      from = from.sources[0]!;
    }
    if (from.kind === 'alu' && from.op === 'vec') return from.sources[at]!;
    if (from.components === 1) return from;
    const key = from.id * 4 + at;
    let scalar = context.reuse(this.taken.get(key));
    if (scalar === null) this.taken.set(key, (scalar = context.builder.channel(from, at)));
    return scalar;
  }

  /** In the order of additions that fdot is defined with. */
  private dot(context: RewriteContext, sources: readonly Value[]): Value {
    const { builder: b } = context;
    const [left, right] = [sources[0]!, sources[1]!];
    const product = (c: number): Value => b.fmul(this.channel(context, left, c), this.channel(context, right, c));
    const products = listOf(left.components, product);
    const sum = b.fadd(products[0]!, products[1]!);
    if (products.length === 2) return sum;
    return b.fadd(sum, products.length === 3 ? products[2]! : b.fadd(products[2]!, products[3]!));
  }

  private reduction(context: RewriteContext, { op, sources }: AluInstruction): Value {
    const { builder: b } = context;
    const vector = sources[0]!;
    let result = this.channel(context, vector, 0);
    for (let c = 1; c < vector.components; c++) {
      const next = this.channel(context, vector, c);
      result = op === 'ball' ? b.land(result, next) : b.lor(result, next);
    }
    return result;
  }
}
