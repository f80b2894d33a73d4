// Drops fcanonical where its operand is integer bits: floatBitsToInt(intBitsToFloat(i)) is i, a NaN's payload included.
// What arithmetic made keeps it, because a NaN's bits would depend on the machine.
import type { Instruction, Shader, Value } from '../ir.ts';
import { opcodeRow } from '../opcodes.ts';
import type { Rule } from './rewrite.ts';

/** Values looked through on the way to where the bits come from. */
const MAX_DEPTH = 8;

const OPS = new Set(['fcanonical']);

export function rawBitsRule(): Rule {
  return {
    name: 'raw-bits',
    ops: OPS,
    apply: (instruction, { shader }) => {
      if (instruction.kind !== 'alu' || instruction.op !== 'fcanonical') return null;
      const source = instruction.sources[0]!;
      return areIntegerBits(source, shader, MAX_DEPTH) ? source : null;
    },
  };
}

function areIntegerBits(value: Value, shader: Shader, depth: number): boolean {
  if (depth === 0) return false;
  const definition: Instruction = value;
  if (definition.kind === 'intrinsic' && definition.op === 'loadInput') {
    const { slot } = definition.info;
    const input = shader.inputs.find((each) => each.slot === slot);
    return input !== undefined && input.base !== 'float';
  }
  if (definition.kind !== 'alu') return false;
  const { out } = opcodeRow(definition.op);
  if (out === 'int' || out === 'uint') return true;
  if (out !== 'bits') return false;
  const chosen = definition.op === 'select' ? definition.sources.slice(1) : definition.sources;
  return chosen.every((source) => areIntegerBits(source, shader, depth - 1));
}
