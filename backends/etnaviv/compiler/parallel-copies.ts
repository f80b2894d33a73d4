// Turns copies that happen at once into a sequence, with an extra register where they go in a circle.

import { type Destination, type MachineProgram, type Operand, operand, virtualDestination } from './machine.ts';

export interface Copy {
  readonly dst: Destination;
  readonly source: Operand;
}

function isIdentity({ dst, source }: Copy): boolean {
  return (
    source.file === 'virtual' &&
    source.index === dst.index &&
    !source.negate &&
    !source.absolute &&
    source.components.every((component, index) => component === dst.components[index])
  );
}

/** Copies to distinct registers, ordered so that each reads what its source held before all of them. */
export function orderCopies(program: MachineProgram, copies: readonly Copy[]): Copy[] {
  let pending = copies.filter((copy) => !isIdentity(copy));
  const ordered: Copy[] = [];
  const reads = ({ source }: Copy, register: number) => source.file === 'virtual' && source.index === register;
  while (pending.length > 0) {
    // One that nobody else still reads; reading its own destination is fine, an instruction reads first.
    const free = pending.findIndex((copy) => pending.every((other) => other === copy || !reads(other, copy.dst.index)));
    if (free >= 0) {
      ordered.push(pending[free]!);
      pending.splice(free, 1);
      continue;
    }
    const { dst } = pending[0]!;
    const { components } = program.registers[dst.index]!;
    const all = [0, 1, 2, 3].slice(0, components);
    const kept = program.newRegister(components);
    ordered.push({ dst: virtualDestination(kept, all), source: operand('virtual', dst.index, all) });
    pending = pending.map((copy) =>
      copy !== pending[0] && reads(copy, dst.index) ? { ...copy, source: { ...copy.source, index: kept } } : copy,
    );
  }
  return ordered;
}
