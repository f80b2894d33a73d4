// Texture look-ups: operands in the places the hardware reads them from.

import { type TexInstruction, texSource, type Value } from '../../../src/ir/ir.ts';
import { UnsupportedShaderError } from './compiled-shader.ts';
import { type Operand, operand, virtualDestination } from './machine.ts';
import type { Selector } from './select.ts';

const ALL = [0, 1, 2, 3] as const;

/** The hardware sampler of a sampler of the program; numbers are given in order of use. */
function unitOf(selector: Selector, sampler: number): number {
  const { samplers, target, shader } = selector;
  const isVertex = shader.stage === 'vertex';
  const known = samplers.find((entry) => entry.sampler === sampler);
  if (known) return known.unit;
  const count = isVertex ? target.vertexSamplers : target.fragmentSamplers;
  if (samplers.length >= count) throw new UnsupportedShaderError(`it uses more than ${count} samplers`);
  const unit = samplers.length + (isVertex ? target.vertexSamplerOffset : 0);
  samplers.push({ sampler, unit });
  return unit;
}

export function selectTexture(selector: Selector, instruction: TexInstruction): void {
  const { target, shader } = selector;
  const { info } = instruction;
  if (instruction.op === 'size') return selectSize(selector, instruction);
  if (info.shadow && !target.textureOperands) throw new UnsupportedShaderError('the GPU has no shadow samplers');
  if (info.offset?.some((offset) => offset !== 0)) throw new Error('texture offsets must be lowered');
  const unit = unitOf(selector, info.sampler);
  const isFragment = shader.stage === 'fragment';
  const source = (role: Parameters<typeof texSource>[1]): Value | undefined => texSource(instruction, role);
  let op: string;
  let extra: Operand | null = null;
  if (instruction.op === 'grad') {
    if (info.shadow) throw new Error('gradients of shadow samplers must be lowered');
    op = 'texldd';
  } else if (instruction.op === 'fetch') {
    if (!target.hasTexelFetch) throw new UnsupportedShaderError('the GPU has no texel fetch');
    op = 'texelfetch';
    const level = source('lod');
    if (level) {
      // The level is a float, unlike the coordinates.
      const register = selector.program.newRegister(1);
      const sources: [Operand, null, null] = [selector.plain(level), null, null];
      selector.emit('i2f', { type: 's32', dst: virtualDestination(register, [0]), sources });
      extra = operand('virtual', register, [0]);
    } else extra = selector.constant([0], false);
  } else if (instruction.op === 'bias' && isFragment) {
    op = 'texldb';
    extra = selector.ref(source('bias')!);
  } else if (instruction.op === 'lod' || !isFragment) {
    // Without derivatives the level is 0.
    op = 'texldl';
    const level = source('lod') ?? source('bias');
    extra = level ? selector.ref(level) : selector.constant([0], false);
  } else op = 'texld';

  const fixed = (ref: Operand): Operand => ({ ...ref, each: false });
  let coordinates = inRegister(selector, selector.ref(source('coord')!));
  const sources: [Operand | null, Operand | null, Operand | null] = [null, null, null];
  if (op === 'texldd') {
    sources[1] = fixed(inRegister(selector, selector.ref(source('ddx')!)));
    sources[2] = fixed(inRegister(selector, selector.ref(source('ddy')!)));
  } else if (extra && target.textureOperands) {
    sources[1] = fixed(extra.file === 'word' ? extra : inRegister(selector, extra));
  } else if (extra) {
    // Level and bias are the coordinate's w.
    const register = selector.program.newRegister(4);
    const count = coordinates.components.length;
    selector.mov(virtualDestination(register, ALL.slice(0, count)), coordinates);
    selector.mov(virtualDestination(register, [3]), extra);
    const components = count === 2 ? [0, 1, 1, 3] : [0, 1, 2, 3];
    coordinates = operand('virtual', register, components);
  }
  sources[0] = fixed(coordinates);
  if (info.shadow) sources[2] = fixed(inRegister(selector, selector.ref(source('comparator')!)));
  selector.emit(op, {
    texture: { unit, components: ALL.slice(0, instruction.components) },
    dst: selector.define(instruction),
    sources,
  });
}

/** The look-up units read temporaries, as they are. */
function inRegister(selector: Selector, ref: Operand): Operand {
  return ref.file === 'virtual' && !ref.negate && !ref.absolute ? ref : selector.copy(ref);
}

/** The driver supplies sizes of level 0. */
function selectSize(selector: Selector, instruction: TexInstruction): void {
  const { program } = selector;
  const { sampler, dim } = instruction.info;
  const words = ALL.slice(0, instruction.components).map((component) =>
    program.word({ kind: 'textureSize', sampler, component }),
  );
  const size = operand('word', 0, words);
  const level = texSource(instruction, 'lod');
  const isLevel0 = !level || (level.kind === 'const' && level.info[0] === 0);
  if (isLevel0) return selector.alias(instruction, size);
  if (!selector.target.hasIntegers) throw new UnsupportedShaderError('the GPU has no integers for texture sizes');
  // Layers do not shrink.
  const shrinking = dim === '2dArray' ? 2 : instruction.components;
  const dst = selector.define(instruction);
  const lod = selector.plain(level);
  const part = { ...dst, components: dst.components.slice(0, shrinking) };
  const shifted = program.newRegister(shrinking);
  const all = ALL.slice(0, shrinking);
  selector.emit('rshift', {
    type: 's32',
    dst: virtualDestination(shifted, all),
    sources: [
      { ...size, components: words.slice(0, shrinking) },
      null,
      { ...lod, components: all.map(() => lod.components[0]!) },
    ],
  });
  const source = operand('virtual', shifted, all);
  const one = selector.constant(new Array<number>(shrinking).fill(1), false);
  selector.emit('select', { type: 's32', condition: 'lt', dst: part, sources: [source, one, source] });
  if (shrinking < instruction.components) {
    const last = words.length - 1;
    selector.mov({ ...dst, components: [dst.components[last]!] }, { ...size, components: [words[last]!] });
  }
}
