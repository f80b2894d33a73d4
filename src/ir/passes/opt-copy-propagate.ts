// Looks through instructions that only hand a value on: mov, vec of one, and phis whose sources are all the same.
import type { Instruction, Shader, Value } from '../ir.ts';
import { type RewriteContext, type Rule, rewrite } from './rewrite.ts';

const OPS = new Set(['mov', 'vec', 'phi']);

export function optCopyPropagate(shader: Shader): boolean {
  return rewrite(shader, [copyPropagateRule()]);
}

export function copyPropagateRule(): Rule {
  return { name: 'copy-propagate', ops: OPS, apply };
}

function apply(instruction: Instruction, context: RewriteContext): Value | null {
  if (instruction.kind === 'alu') {
    return instruction.op === 'mov' || (instruction.op === 'vec' && instruction.components === 1)
      ? instruction.sources[0]!
      : null;
  }
  if (instruction.kind !== 'phi') return null;
  // A source that is the phi itself (over a back edge) adds nothing.
  let only: Value | null = null;
  for (const source of instruction.sources) {
    if (source === instruction || source === only) continue;
    if (only !== null) return sameConstant(instruction, context);
    only = source;
  }
  if (only === null) return null;
  return context.isVisible(only) ? only : sameConstant(instruction, context);
}

/** Constants made in several places are equal by content, and need not be visible. */
function sameConstant(phi: Instruction, { builder }: RewriteContext): Value | null {
  const first = phi.sources[0]!;
  if (first.kind !== 'const') return null;
  for (const source of phi.sources) {
    if (source === phi) continue;
    if (source.kind !== 'const' || !source.info.every((word, i) => word === first.info[i])) return null;
  }
  return builder.constWords(first.info, first.bits);
}
