// Shortens ways through vec and swizzle: a component of a vec is its operand, swizzles of swizzles are one, a vec of a
// vector's components is a swizzle, and one that takes all components in order is the vector itself.
import type { AluInstruction, Instruction, Shader, Value } from '../ir.ts';
import { type RewriteContext, type Rule, rewrite } from './rewrite.ts';

export function optSwizzle(shader: Shader): boolean {
  return rewrite(shader, [swizzleRule()]);
}

export function swizzleRule(): Rule {
  return { name: 'swizzle', apply };
}

function apply(instruction: Instruction, context: RewriteContext): Value | null {
  if (instruction.kind !== 'alu') return null;
  if (instruction.op === 'swizzle') return rewriteSwizzle(instruction, context);
  return instruction.op === 'vec' ? rewriteVec(instruction, context) : null;
}

function isIdentity(selection: readonly number[], components: number): boolean {
  return selection.length === components && selection.every((c, i) => c === i);
}

function rewriteSwizzle(instruction: AluInstruction, { builder }: RewriteContext): Value | null {
  const source = instruction.sources[0]!;
  const selection = instruction.info!;
  if (isIdentity(selection, source.components)) return source;
  if (source.kind !== 'alu') return null;
  if (source.op === 'swizzle') {
    return builder.swizzle(
      source.sources[0]!,
      selection.map((c) => source.info![c]!),
    );
  }
  if (source.op === 'vec') {
    const chosen = selection.map((c) => source.sources[c]!);
    if (chosen.length === 1) return chosen[0]!;
    if (chosen.every((value) => value === chosen[0])) return builder.splat(chosen[0]!, chosen.length);
    return builder.vec(...chosen);
  }
  return null;
}

function rewriteVec(instruction: AluInstruction, { builder }: RewriteContext): Value | null {
  const { sources } = instruction;
  if (sources.length === 1) return null;
  let vector: Value | null = null;
  const selection: number[] = [];
  for (const source of sources) {
    const isComponent = source.kind === 'alu' && source.op === 'swizzle';
    const from: Value = isComponent ? source.sources[0]! : source;
    if (vector !== null && vector !== from) return null;
    vector = from;
    selection.push(isComponent ? source.info![0]! : 0);
  }
  return isIdentity(selection, vector!.components) ? vector : builder.swizzle(vector!, selection);
}
