// Finds the components of float outputs that hold integer bits in every store (`out float f; f = intBitsToFloat(i);`), and notes
// them in the outputs' `rawComponents`: such bits are kept, where a NaN of arithmetic would be made canonical.
// Like opt-raw-bits it must run before the transcendentals are spelled out.
import type { Shader, Slot } from '../ir.ts';
import { forEachInstruction } from '../walk.ts';
import { isIntegerBits } from './opt-raw-bits.ts';

export function gatherRawOutputs(shader: Shader): boolean {
  const stored = new Map<Slot, number>();
  const computed = new Map<Slot, number>();
  const add = (masks: Map<Slot, number>, slot: Slot, component: number): void => {
    masks.set(slot, (masks.get(slot) ?? 0) | (1 << component));
  };
  forEachInstruction(shader.main.body, (instruction) => {
    if (instruction.kind !== 'intrinsic' || instruction.op !== 'storeOutput') return;
    const { slot, component } = instruction.info;
    const value = instruction.sources[0]!;
    for (let c = 0; c < value.components; c++) {
      add(stored, slot, component + c);
      if (!isIntegerBits(value, c, shader)) add(computed, slot, component + c);
    }
  });
  let progress = false;
  shader.outputs = shader.outputs.map((output) => {
    const raw = (stored.get(output.slot) ?? 0) & ~(computed.get(output.slot) ?? 0);
    if (output.base !== 'float' || raw === 0) return output;
    progress = true;
    // The linker may share what describes a slot.
    return { ...output, rawComponents: raw };
  });
  return progress;
}
