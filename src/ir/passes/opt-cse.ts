// Computes equal things once: an instruction that a visible one equals is replaced by it.
import { INTRINSICS } from '../intrinsics.ts';
import type { Instruction, Shader, Value } from '../ir.ts';
import { isCommutative, OPCODE_NAMES } from '../opcodes.ts';
import { type Rule, rewrite } from './rewrite.ts';

export function optCse(shader: Shader): boolean {
  return rewrite(shader, [cseRule(shader.nextValueId)]);
}

const OP_NUMBERS = new Map<string, number>();
for (const name of ['const', 'undef', 'sample', 'bias', 'lod', 'grad', 'fetch', 'size', ...Object.keys(INTRINSICS)]) {
  OP_NUMBERS.set(name, OP_NUMBERS.size + 1);
}
for (const name of OPCODE_NAMES) OP_NUMBERS.set(name, OP_NUMBERS.size + 1);

/** A rule with its own memory for about `expected` instructions; use it for one walk only. */
export function cseRule(expected: number): Rule {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(expected, 64)));
  // A hash table with chains: heads by slot, links by value id. What a list adds is taken out again at its end, newest
  // first, so that each chain's head is restored by following one link.
  const heads: (Instruction | undefined)[] = new Array(slots);
  const links: (Instruction | undefined)[] = new Array(expected * 4);
  const added: number[] = [];
  const marks: number[] = [];

  return {
    name: 'cse',
    enterList() {
      marks.push(added.length);
    },
    leaveList() {
      const mark = marks.pop()!;
      while (added.length > mark) {
        const slot = added.pop()!;
        heads[slot] = links[heads[slot]!.id];
      }
    },
    apply(instruction): Value | null {
      if (!isShareable(instruction)) return null;
      const slot = hashOf(instruction) & (slots - 1);
      const head = heads[slot];
      for (let other = head; other !== undefined; other = links[other.id]) {
        if (isEqual(other, instruction)) return other;
      }
      links[instruction.id] = head;
      heads[slot] = instruction;
      added.push(slot);
      return null;
    },
  };
}

function isShareable(instruction: Instruction): boolean {
  switch (instruction.kind) {
    case 'alu':
    case 'const':
    case 'undef':
    case 'tex':
      return true;
    case 'intrinsic':
      return INTRINSICS[instruction.op].isPure;
    default:
      return false;
  }
}

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
}

function hashOf(instruction: Instruction): number {
  const { sources } = instruction;
  let hash = mix(instruction.components, OP_NUMBERS.get(instruction.op) ?? 0);
  if (instruction.kind === 'alu' && sources.length === 2 && isCommutative(instruction.op)) {
    const [a, b] = [sources[0]!.id, sources[1]!.id];
    hash = mix(mix(hash, Math.min(a, b)), Math.max(a, b));
  } else for (const source of sources) hash = mix(hash, source.id);
  switch (instruction.kind) {
    case 'alu':
      if (instruction.info) for (const c of instruction.info) hash = mix(hash, c);
      break;
    case 'const':
      for (const word of instruction.info) hash = mix(hash, word);
      break;
    case 'tex':
      hash = mix(hash, instruction.info.sampler);
      break;
    case 'intrinsic':
      if (instruction.op === 'loadUniform' || instruction.op === 'loadUbo') hash = mix(hash, instruction.info.base);
      break;
  }
  return hash ^ (hash >>> 16);
}

function isEqual(a: Instruction, b: Instruction): boolean {
  if (a.kind !== b.kind || a.op !== b.op || a.components !== b.components || a.bits !== b.bits) return false;
  const n = a.sources.length;
  if (n !== b.sources.length) return false;
  let same = true;
  for (let i = 0; i < n && same; i++) same = a.sources[i] === b.sources[i];
  if (!same) {
    const swapped = n >= 2 && a.sources[0] === b.sources[1] && a.sources[1] === b.sources[0];
    if (n !== 2 || !swapped || a.kind !== 'alu' || !isCommutative(a.op)) return false;
  }
  return isEqualInfo(a, b);
}

function isEqualInfo(a: Instruction, b: Instruction): boolean {
  if (a.kind === 'const' && b.kind === 'const') return a.info.every((word, i) => word === b.info[i]);
  if (a.kind === 'alu' && b.kind === 'alu') {
    return a.info === b.info || (a.info?.every((c, i) => c === b.info![i]) ?? false);
  }
  if (a.kind === 'tex' && b.kind === 'tex') {
    const [x, y] = [a.info, b.info];
    return (
      x.sampler === y.sampler &&
      x.shadow === y.shadow &&
      x.roles.join() === y.roles.join() &&
      (x.offset ?? []).join() === (y.offset ?? []).join()
    );
  }
  if (a.kind !== 'intrinsic' || b.kind !== 'intrinsic') return true;
  if (a.op === 'loadInput' && b.op === 'loadInput') {
    return a.info.slot === b.info.slot && a.info.component === b.info.component;
  }
  if (a.op === 'loadUniform' && b.op === 'loadUniform') {
    return a.info.base === b.info.base && a.info.range === b.info.range;
  }
  if (a.op === 'loadUbo' && b.op === 'loadUbo') return a.info.base === b.info.base && a.info.block === b.info.block;
  return a.op === 'sysval' && b.op === 'sysval' && a.info.name === b.info.name;
}
