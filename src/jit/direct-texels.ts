// SPDX-License-Identifier: MIT
// Finds colour outputs that are a texture instruction's result as it is (copies, blits, sprites): their texels can go to the target
// as the bytes they are, without becoming floats in between.

import { type Format, formatDescription } from '../format/format.ts';
import { componentOfChannel } from '../format/pack.ts';
import type { BodyNode, Instruction, Shader, Slot, TexInstruction, Value } from '../ir/ir.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { Vec } from './pixel-math.ts';
import { isUnormBytes } from './pixel-pack.ts';

/** Component of the texture instruction, or a constant. */
export type DirectComponent = number | 'zero' | 'one';

export interface DirectOutput {
  readonly slot: Slot;
  readonly components: readonly DirectComponent[];
}

const ONE = 0x3f800000;

/** What stands behind a component when moves are looked through. */
function sourceOf(value: Value, component: number): readonly [Instruction, number] {
  let v: Instruction = value;
  let c = component;
  while (v.op === 'vec' || v.op === 'swizzle' || v.op === 'mov') {
    if (v.op === 'swizzle') c = (v.info as readonly number[])[c];
    const isVec = v.op === 'vec';
    v = isVec ? v.sources[c] : v.sources[0];
    if (isVec) c = 0;
  }
  return [v, c];
}

/** By texture instruction: only outputs that are stored once, outside of branches and loops as the instruction is. */
export function findDirectOutputs(shader: Shader): Map<TexInstruction, DirectOutput> {
  const stores = new Map<Slot, number>();
  const candidates: { slot: Slot; value: Value }[] = [];
  const atTop = new Set<Instruction>();
  const visit = (list: readonly BodyNode[], isTop: boolean): void => {
    for (const node of list) {
      if (node.kind === 'if') {
        visit(node.thenBody, false);
        visit(node.elseBody, false);
      } else if (node.kind === 'loop') visit(node.body, false);
      else {
        for (const instruction of node.instructions) {
          if (isTop && instruction.kind === 'tex') atTop.add(instruction);
          if (instruction.kind !== 'intrinsic' || instruction.op !== 'storeOutput') continue;
          const { slot, component } = instruction.info;
          stores.set(slot, (stores.get(slot) ?? 0) + 1);
          const [value] = instruction.sources;
          if (isTop && component === 0 && value.components === 4) candidates.push({ slot, value });
        }
      }
    }
  };
  visit(shader.main.body, true);
  const result = new Map<TexInstruction, DirectOutput>();
  for (const { slot, value } of candidates) {
    if (stores.get(slot) !== 1) continue;
    const sources = [0, 1, 2, 3].map((c) => sourceOf(value, c));
    const texture = sources.find(([instruction]) => instruction.kind === 'tex')?.[0];
    if (texture?.kind !== 'tex' || !atTop.has(texture) || result.has(texture)) continue;
    const components = sources.map(([instruction, c]): DirectComponent | null => {
      if (instruction === texture) return c;
      if (instruction.kind !== 'const' || instruction.bits !== 32) return null;
      return instruction.info[c] === ONE ? 'one' : instruction.info[c] === 0 ? 'zero' : null;
    });
    if (components.every((component) => component !== null)) result.set(texture, { slot, components });
  }
  return result;
}

/** Whether texels can go to a target of this format directly. */
export function isDirectTarget(format: Format): boolean {
  return isUnormBytes(formatDescription(format));
}

/**
 * Bytes of four pixels in the target's order from bytes in the texture's. `places`: for each component of the texture instruction's
 * result the channel of the texel, or a constant.
 */
export function reorderBytes(
  f: FunctionBuilder,
  texels: Vec,
  places: readonly DirectComponent[],
  components: readonly DirectComponent[],
  target: Format,
): Vec {
  const description = formatDescription(target);
  const order = description.channels.map((_, channel) => {
    const component = components[componentOfChannel(description, channel)];
    return typeof component === 'number' ? places[component] : component;
  });
  if (order.every((place, byte) => place === byte)) return texels;
  const lanes = [0, 4, 8, 12].flatMap((pixel) =>
    order.map((place) => (typeof place === 'number' ? pixel + place : -1)),
  );
  const moved = f.i8x16.swizzle(texels, f.i8x16.const(...lanes));
  const ones = order.reduce((bits: number, place, byte) => (place === 'one' ? bits | (255 << (8 * byte)) : bits), 0);
  return ones === 0 ? moved : f.v128.or(moved, f.i32x4.const(ones));
}
