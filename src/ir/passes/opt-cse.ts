// Computes equal things once: an instruction that a visible one equals is replaced by it.
import { INTRINSICS } from '../intrinsics.ts';
import type { Instruction, Shader, Value } from '../ir.ts';
import { isCommutative, OPCODE_NAMES } from '../opcodes.ts';
import { doubled, type Rule, rewrite } from './rewrite.ts';

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
  // A hash table with chains: heads by slot and links by entry, one past the entry's index (0: none). What a list adds is taken out
  // again at its end, newest first, so that each chain's head is restored by following one link.
  const heads = new Int32Array(slots);
  const entries: Instruction[] = [];
  let hashes = new Int32Array(slots);
  let links = new Int32Array(slots);
  const marks: number[] = [];

  return {
    name: 'cse',
    enterList() {
      marks.push(entries.length);
    },
    leaveList() {
      const mark = marks.pop()!;
      while (entries.length > mark) {
        entries.pop();
        heads[hashes[entries.length]! & (slots - 1)] = links[entries.length]!;
      }
    },
    apply(instruction): Value | null {
      if (!isShareable(instruction)) return null;
      const hash = hashOf(instruction);
      const slot = hash & (slots - 1);
      const head = heads[slot]!;
      for (let at = head; at !== 0; at = links[at - 1]!) {
        if (hashes[at - 1] === hash && isEqual(entries[at - 1]!, instruction)) return entries[at - 1]!;
      }
      const at = entries.length;
      if (at === hashes.length) {
        hashes = doubled(hashes);
        links = doubled(links);
      }
      hashes[at] = hash;
      links[at] = head;
      heads[slot] = entries.push(instruction);
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
    const a = sources[0]!.id;
    const b = sources[1]!.id;
    hash = a < b ? mix(mix(hash, a), b) : mix(mix(hash, b), a);
  } else for (let i = 0; i < sources.length; i++) hash = mix(hash, sources[i]!.id);
  switch (instruction.kind) {
    case 'alu':
      if (instruction.info) for (let i = 0; i < instruction.info.length; i++) hash = mix(hash, instruction.info[i]!);
      break;
    case 'const':
      for (let i = 0; i < instruction.info.length; i++) hash = mix(hash, instruction.info[i]!);
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
  if (a.kind === 'const' && b.kind === 'const') return sameNumbers(a.info, b.info);
  if (a.kind === 'alu' && b.kind === 'alu') {
    return a.info === b.info || (a.info !== null && b.info !== null && sameNumbers(a.info, b.info));
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
  if (a.op === 'loadInputAt' && b.op === 'loadInputAt') {
    const { slot, component, at } = a.info;
    return slot === b.info.slot && component === b.info.component && at === b.info.at;
  }
  if (a.op === 'loadUniform' && b.op === 'loadUniform') {
    return a.info.base === b.info.base && a.info.range === b.info.range;
  }
  if (a.op === 'loadUbo' && b.op === 'loadUbo') return a.info.base === b.info.base && a.info.block === b.info.block;
  return a.op === 'sysval' && b.op === 'sysval' && a.info.name === b.info.name;
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
