// Drops fcanonical where its operand is integer bits: floatBitsToInt(intBitsToFloat(i)) is i, a NaN's payload included.
// What arithmetic made keeps it, because a NaN's bits would depend on the machine.
//
// It must run before the transcendentals are spelled out: their last step is often an integer operation (the sign of asin x is
// joined to its magnitude), and that is no reason to let a NaN of the steps before it through.
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
      for (let c = 0; c < source.components; c++) if (!isIntegerBits(source, c, shader)) return null;
      return source;
    },
  };
}

/** Whether a component holds the same bits on every machine, as none of them comes from float arithmetic. */
export function isIntegerBits(value: Value, component: number, shader: Shader, depth: number = MAX_DEPTH): boolean {
  const definition: Instruction = value;
  if (definition.kind === 'undef') return true;
  if (definition.kind === 'const') return !isNaNWord(definition.info[component]!);
  if (depth === 0) return false;
  if (definition.kind === 'intrinsic' && definition.op === 'loadInput') {
    const { slot } = definition.info;
    const input = shader.inputs.find((each) => each.slot === slot);
    return input !== undefined && input.base !== 'float';
  }
  if (definition.kind !== 'alu') return false;
  const { op, sources } = definition;
  const of = (source: number, c: number): boolean => isIntegerBits(sources[source]!, c, shader, depth - 1);
  switch (op) {
    case 'mov':
      return of(0, component);
    case 'vec':
      return of(component, 0);
    case 'swizzle':
      return of(0, definition.info![component]!);
    case 'select':
      return of(1, component) && of(2, component);
    default: {
      const { out } = opcodeRow(op);
      return out === 'int' || out === 'uint';
    }
  }
}

function isNaNWord(word: number): boolean {
  return (word & 0x7fffffff) > 0x7f800000;
}
