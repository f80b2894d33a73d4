// Shortens ways through vec and swizzle: a component of a vec is its operand, swizzles of swizzles are one, a vec of a
// vector's components is a swizzle, and one that takes all components in order is the vector itself.
import type { AluInstruction, Instruction, Shader, Value } from '../ir.ts';
import { type RewriteContext, type Rule, rewrite } from './rewrite.ts';

const OPS = new Set(['swizzle', 'vec']);

export function optSwizzle(shader: Shader): boolean {
  return rewrite(shader, [swizzleRule()]);
}

export function swizzleRule(): Rule {
  return { name: 'swizzle', ops: OPS, apply };
}

function apply(instruction: Instruction, context: RewriteContext): Value | null {
  if (instruction.kind !== 'alu') return null;
  if (instruction.op === 'swizzle') return rewriteSwizzle(instruction, context);
  return instruction.op === 'vec' ? rewriteVec(instruction, context) : null;
}

function isIdentity(selection: readonly number[], components: number): boolean {
  if (selection.length !== components) return false;
  for (let i = 0; i < components; i++) if (selection[i] !== i) return false;
  return true;
}

/** The vector of which a scalar is a component (itself, if it is nobody's). */
function selectedFrom(scalar: Value): Value {
  return scalar.kind === 'alu' && scalar.op === 'swizzle' ? scalar.sources[0]! : scalar;
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
    if (selection.length === 1) return source.sources[selection[0]!]!;
    const chosen = selection.map((c) => source.sources[c]!);
    if (chosen.every((value) => value === chosen[0])) return builder.splat(chosen[0]!, chosen.length);
    return builder.vecOf(chosen);
  }
  return null;
}

function rewriteVec(instruction: AluInstruction, { builder }: RewriteContext): Value | null {
  const { sources } = instruction;
  if (sources.length === 1) return null;
  const vector = selectedFrom(sources[0]!);
  for (let i = 1; i < sources.length; i++) if (selectedFrom(sources[i]!) !== vector) return null;
  const selection = sources.map((source) => (source === vector ? 0 : (source as AluInstruction).info![0]!));
  return isIdentity(selection, vector.components) ? vector : builder.swizzle(vector, selection);
}
