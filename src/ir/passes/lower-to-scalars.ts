// Makes scalar arithmetic of vector arithmetic, for code that holds each component in a vector of its own: components can then be
// shared, folded and dropped one by one (a hash of vec2(x, y) and of vec2(x + 1, y) has half in common). Results keep every bit.
import { listOf } from '../../base/list.ts';
import type { Builder } from '../builder.ts';
import type { AluInstruction, Shader, Value } from '../ir.ts';
import type { Opcode } from '../opcodes.table.ts';
import { opcodeRow } from '../opcodes.ts';
import { type RewriteContext, type Rule, rewrite } from './rewrite.ts';

export function lowerToScalars(shader: Shader): boolean {
  shader.isScalar = true;
  return rewrite(shader, [scalarsRule()]);
}

type ChannelOf = (value: Value, component: number) => Value;

/**
 * Splits componentwise opcodes, dot products and boolean reductions into scalar ones. Remembers the components that it has taken; use
 * it for one walk only.
 */
export function scalarsRule(): Rule {
  /** By value id and component. */
  const taken = new Map<number, Value>();
  return {
    name: 'scalars',
    apply(instruction, context) {
      if (instruction.kind !== 'alu') return null;
      const { op, components, sources } = instruction;
      if (components === 1 && op !== 'fdot' && op !== 'ball' && op !== 'bany') return null;
      const { builder } = context;
      const channelOf: ChannelOf = (value, component) => channel(context, taken, value, component);
      if (op === 'fdot') return sources[0].components > 1 ? scalarDot(builder, channelOf, sources) : null;
      if (op === 'ball' || op === 'bany') return scalarReduction(builder, channelOf, instruction);
      if (op === 'vec' || op === 'swizzle' || opcodeRow(op).shape !== 'componentwise') return null;
      // Copies of an array hold no spare room, which arrays that grow by pushing do.
      const scalars = sources.slice(0, 1);
      for (let c = 0; c < components; c++) {
        const operands = sources.slice();
        for (let i = 0; i < operands.length; i++) operands[i] = channelOf(operands[i]!, c);
        scalars[c] = builder.aluOf(op as Opcode, operands);
      }
      return builder.vecOf(scalars);
    },
  };
}

/** A component: what a vec was made of, or where a swizzle took it from. */
function channel(context: RewriteContext, taken: Map<number, Value>, value: Value, component: number): Value {
  let from = value;
  let at = component;
  while (from.kind === 'alu' && from.op === 'swizzle') {
    at = from.info![at]!;
    from = from.sources[0]!;
  }
  if (from.kind === 'alu' && from.op === 'vec') return from.sources[at]!;
  if (from.components === 1) return from;
  const key = from.id * 4 + at;
  let scalar = context.reuse(taken.get(key));
  if (scalar === null) taken.set(key, (scalar = context.builder.channel(from, at)));
  return scalar;
}

/** In the order of additions that fdot is defined with. */
function scalarDot(b: Builder, channelOf: ChannelOf, [left, right]: readonly Value[]): Value {
  const products = listOf(left!.components, (c) => b.fmul(channelOf(left!, c), channelOf(right!, c)));
  const sum = b.fadd(products[0], products[1]);
  if (products.length === 2) return sum;
  return b.fadd(sum, products.length === 3 ? products[2] : b.fadd(products[2], products[3]));
}

function scalarReduction(b: Builder, channelOf: ChannelOf, { op, sources }: AluInstruction): Value {
  let result = channelOf(sources[0], 0);
  for (let c = 1; c < sources[0].components; c++) {
    const next = channelOf(sources[0], c);
    result = op === 'ball' ? b.land(result, next) : b.lor(result, next);
  }
  return result;
}
