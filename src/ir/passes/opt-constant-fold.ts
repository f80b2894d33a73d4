// Computes ALU instructions whose operands are all constant, and puts constant offsets into loads.
import { foldAluOnce } from '../evaluate.ts';
import type { AluInstruction, Instruction, Intrinsic, Shader, Value } from '../ir.ts';
import { isQuadOpcode, OPCODE_NAMES } from '../opcodes.ts';
import { type RewriteContext, type Rule, rewrite } from './rewrite.ts';

const OPS = new Set<string>([...OPCODE_NAMES, 'loadUniform', 'loadUbo']);

export function optConstantFold(shader: Shader): boolean {
  return rewrite(shader, [constantFoldRule()]);
}

export function constantFoldRule(): Rule {
  return { name: 'constant-fold', ops: OPS, apply };
}

function apply(instruction: Instruction, context: RewriteContext): Value | null {
  if (instruction.kind === 'alu') return foldInstruction(instruction, context);
  if (instruction.kind !== 'intrinsic') return null;
  if (instruction.op === 'loadUniform' || instruction.op === 'loadUbo') return foldOffset(instruction, context);
  return null;
}

/** The words of a constant value, undefined for others. */
export function constantWords(value: Value): Uint32Array | undefined {
  if (value.kind === 'const') return value.info;
  return value.kind === 'undef' ? new Uint32Array(value.components) : undefined;
}

function foldInstruction(instruction: AluInstruction, { builder }: RewriteContext): Value | null {
  const { sources } = instruction;
  for (let i = 0; i < sources.length; i++) {
    if (sources[i]!.kind !== 'const' && sources[i]!.kind !== 'undef') return null;
  }
  const words = isQuadOpcode(instruction.op)
    ? constantWords(sources[0]!)!.map((word) => ((word & 0x7f800000) === 0x7f800000 ? 0x7fc00000 : 0))
    : foldAluOnce(
        instruction,
        sources.map((source) => constantWords(source)!),
      );
  return builder.constWords(words, instruction.bits);
}

function foldOffset(
  instruction: Intrinsic<'loadUniform'> | Intrinsic<'loadUbo'>,
  { builder }: RewriteContext,
): Value | null {
  const offset = instruction.sources[0] && constantWords(instruction.sources[0])?.[0];
  if (offset === undefined) return null;
  if (instruction.op === 'loadUniform') {
    const { base, range } = instruction.info;
    return builder.loadUniform(instruction.components, base + Math.min(offset, range - 1));
  }
  const { block, base } = instruction.info;
  return builder.loadUbo(instruction.components, block, (base + offset) >>> 0);
}
