// Finds what is the same in all lanes of a draw: values that depend on constants and uniforms only, ifs whose condition
// is such a value, loops that all lanes leave together. Sets the `uniform` flags.
//
// Values start out as uniform and are taken back until nothing changes, since phis of loops depend on later values.
import type { Block, BodyNode, IfNode, Instruction, LoopNode, Shader, Value } from '../ir.ts';
import { childLists, jumpOf } from '../walk.ts';

export function gatherUniform(shader: Shader): void {
  setAll(shader.main.body);
  const pass = new Divergence();
  do {
    pass.progress = false;
    pass.walk(shader.main.body, [], null);
  } while (pass.progress);
}

function setAll(list: readonly BodyNode[]): void {
  for (const node of list) {
    if (node.kind === 'block') {
      for (const instruction of node.instructions) instruction.uniform = instruction.components > 0;
    } else {
      node.uniform = true;
      for (const child of childLists(node)) setAll(child);
    }
  }
}

class Divergence {
  progress = false;

  take(target: Value | IfNode | LoopNode): void {
    if (!target.uniform) return;
    target.uniform = false;
    this.progress = true;
  }

  /** `ifs` are the ifs around within the innermost loop. */
  walk(list: readonly BodyNode[], ifs: readonly IfNode[], loop: LoopNode | null): void {
    let before: IfNode | LoopNode | null = null;
    for (const node of list) {
      if (node.kind === 'block') {
        this.walkBlock(node, before);
        if (loop && jumpOf(node) && ifs.some((outer) => !outer.uniform)) this.take(loop);
      } else if (node.kind === 'if') {
        if (!node.condition.uniform) this.take(node);
        this.walk(node.thenBody, [...ifs, node], loop);
        this.walk(node.elseBody, [...ifs, node], loop);
      } else for (const child of childLists(node)) this.walk(child, [], node);
      if (node.kind !== 'block') before = node;
    }
  }

  walkBlock(block: Block, before: IfNode | LoopNode | null): void {
    for (const instruction of block.instructions) {
      if (!instruction.uniform) continue;
      // Behind a divergent if or loop lanes come with values of different origin.
      const mixes = instruction.kind === 'phi' && before !== null && !before.uniform;
      if (mixes || !isUniform(instruction)) this.take(instruction);
    }
  }
}

function isUniform(instruction: Instruction): boolean {
  if (instruction.kind === 'intrinsic') {
    switch (instruction.op) {
      case 'loadInput':
      case 'loadInputAt':
      case 'loadLocal':
      case 'loadVar':
      case 'sysval':
        return false;
    }
  }
  for (const source of instruction.sources) if (!source.uniform) return false;
  return true;
}
