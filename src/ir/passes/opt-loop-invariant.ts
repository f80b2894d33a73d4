// Moves what a loop computes anew each time, though nothing it depends on changes, in front of the loop. Nothing traps,
// so computing in vain is harmless; what reads other lanes or memory stays.
import type { Block, BodyNode, Instruction, Shader } from '../ir.ts';
import { isQuadOpcode } from '../opcodes.ts';
import { childLists, valueTable } from '../walk.ts';

export function optLoopInvariant(shader: Shader): boolean {
  if (!hasLoop(shader.main.body)) return false;
  /** Loop depth at which a value is defined; undefined outside of all loops. */
  const depthOf = valueTable<number>(shader);
  /** The blocks in front of the open loops. */
  const before: Block[] = [];
  let progress = false;

  const walk = (list: readonly BodyNode[]): void => {
    list.forEach((node, i) => {
      if (node.kind !== 'block') {
        if (node.kind === 'loop') before.push(list[i - 1] as Block);
        for (const child of childLists(node)) walk(child);
        if (node.kind === 'loop') before.pop();
        return;
      }
      const depth = before.length;
      if (depth === 0) return;
      let kept: Instruction[] | null = null;
      node.instructions.forEach((instruction, at) => {
        const target = isMovable(instruction) ? deepestSource(instruction, depthOf) : depth;
        depthOf[instruction.id] = target;
        if (target < depth) {
          kept ??= node.instructions.slice(0, at);
          before[target]!.instructions.push(instruction);
        } else kept?.push(instruction);
      });
      if (kept === null) return;
      node.instructions = kept;
      progress = true;
    });
  };
  walk(shader.main.body);
  return progress;
}

function hasLoop(list: readonly BodyNode[]): boolean {
  return list.some((node) => node.kind === 'loop' || (node.kind === 'if' && childLists(node).some(hasLoop)));
}

function deepestSource(instruction: Instruction, depthOf: readonly (number | undefined)[]): number {
  let depth = 0;
  for (const source of instruction.sources) depth = Math.max(depth, depthOf[source.id] ?? 0);
  return depth;
}

function isMovable(instruction: Instruction): boolean {
  if (instruction.kind === 'alu') return !isQuadOpcode(instruction.op);
  // Constants must be where their readers move to.
  if (instruction.kind === 'const' || instruction.kind === 'undef') return true;
  if (instruction.kind !== 'intrinsic') return false;
  return (
    instruction.op === 'loadUniform' ||
    instruction.op === 'loadInput' ||
    instruction.op === 'loadUbo' ||
    instruction.op === 'sysval'
  );
}
