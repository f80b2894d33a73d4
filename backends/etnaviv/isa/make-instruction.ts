// Instructions from the few fields that are not at their default: for code generators and tests.

import { encodingsNamed } from './description.ts';
import type { Instruction } from './instruction.ts';

const EMPTY: Instruction = {
  op: 'nop',
  condition: 'true',
  type: 'f32',
  saturate: false,
  rounding: 'default',
  pack: false,
  skipHelpers: false,
  local: false,
  denorm: false,
  dstFull: false,
  thread: 0,
  leftShift: 0,
  dst: null,
  memoryMask: null,
  texture: null,
  sources: [null, null, null],
  target: null,
};

/** An instruction from the fields that are not at their default. */
export function instruction(op: string, fields: Partial<Instruction> = {}): Instruction {
  const pack = encodingsNamed(op)[0]?.form.packsByDefault ?? false;
  return { ...EMPTY, pack, ...fields, op };
}
