// Uniforms, uniform blocks and local arrays: what is read (and written) by an index.

import type { IntrinsicInstruction, Value } from '../../../src/ir/ir.ts';
import { UnsupportedShaderError } from './compiled-shader.ts';
import type { LocalPlace } from './local-arrays.ts';
import type { ConvertedUniform } from './lower-integers.ts';
import { type Operand, operand, virtualDestination } from './machine.ts';
import type { Selector } from './select.ts';

const ALL = [0, 1, 2, 3] as const;

export function selectUniform(
  selector: Selector,
  instruction: Extract<IntrinsicInstruction, { op: 'loadUniform' }>,
): void {
  const { base, range } = instruction.info;
  const convert = (instruction.info as ConvertedUniform).convert ?? false;
  const offset = instruction.sources[0];
  if (!offset) {
    const words = ALL.slice(0, instruction.components).map((component) =>
      selector.program.word({ kind: 'uniform', word: base * 4 + component, convert }),
    );
    return selector.alias(instruction, operand('word', 0, words));
  }
  setAddress(selector, offset);
  // The whole range stands in order in the uniform file; its first word stands for it.
  const first = selector.program.word({ kind: 'uniform', word: base * 4, convert });
  const source: Operand = {
    ...operand('uniform', first, ALL.slice(0, instruction.components)),
    addressing: 'a.x',
  };
  selector.ranges.push({ base, range, convert, first });
  selector.mov(selector.define(instruction), source);
}

/** a.x = the index, which is a float where there are no integers. */
function setAddress(selector: Selector, index: Value): void {
  let source = selector.plain(index);
  if (selector.target.hasIntegers) {
    const register = selector.program.newRegister(1);
    selector.emit('i2f', { type: 's32', dst: virtualDestination(register, [0]), sources: [source, null, null] });
    source = operand('virtual', register, [0]);
  }
  selector.emit('movar', {
    dst: { file: 'address', index: 0, components: [0], addressing: 'direct' },
    sources: [null, null, { ...source, each: false }],
  });
}

export function selectBlockLoad(
  selector: Selector,
  instruction: Extract<IntrinsicInstruction, { op: 'loadUbo' }>,
): void {
  if (!selector.target.hasMemoryLoads) throw new UnsupportedShaderError('the GPU has no uniform blocks');
  const { block, base } = instruction.info;
  const offset = instruction.sources[0];
  let place = selector.constant([base], false);
  if (offset) {
    place = selector.plain(offset);
    if (base !== 0) {
      const register = selector.program.newRegister(1);
      const sources: [Operand, null, Operand] = [place, null, selector.constant([base], false)];
      selector.emit('add', { type: 's32', dst: virtualDestination(register, [0]), sources });
      place = operand('virtual', register, [0]);
    }
  }
  const address = operand('word', 0, [selector.program.word({ kind: 'blockAddress', block })]);
  const register = selector.program.newRegister(instruction.components, { identity: true });
  const components = ALL.slice(0, instruction.components);
  selector.emit('load', {
    type: 'u32',
    dst: virtualDestination(register, components),
    sources: [{ ...place, each: false }, { ...address, each: false }, null],
    keepsComponents: true,
  });
  selector.alias(instruction, operand('virtual', register, components));
}

export function clearLocal(selector: Selector, place: LocalPlace): void {
  for (let element = 0; element < place.length; element++) {
    const components = ALL.slice(place.component, place.component + place.components);
    selector.mov(
      { file: 'temporary', index: place.register + element, components, addressing: 'direct' },
      selector.constant(new Array<number>(components.length).fill(0), false),
    );
  }
}

export function selectLocal(
  selector: Selector,
  instruction: Extract<IntrinsicInstruction, { op: 'loadLocal' | 'storeLocal' }>,
): void {
  const place = selector.locals[instruction.info.array]!;
  const [index, value] = instruction.sources as [Value, Value];
  const source = instruction.op === 'storeLocal' ? selector.plain(value) : null;
  setAddress(selector, index);
  const components = ALL.slice(place.component, place.component + place.components);
  const common = { file: 'temporary', index: place.register, addressing: 'a.x' } as const;
  if (instruction.op === 'loadLocal') {
    return selector.mov(selector.define(instruction), {
      ...operand('temporary', place.register, components),
      addressing: 'a.x',
    });
  }
  const written = components.map((_, c) => c).filter((c) => (instruction.info.writeMask >> c) & 1);
  selector.mov(
    { ...common, components: written.map((c) => components[c]!) },
    { ...source!, components: written.map((c) => source!.components[c]!) },
  );
}
