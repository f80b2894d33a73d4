// Collects what a shader uses into `shader.usage`.
import { createUsage, type Shader } from '../ir.ts';
import { forEachInstruction, forEachNode } from '../walk.ts';

export function gatherInfo(shader: Shader): void {
  const usage = createUsage();
  for (const fn of shader.functions) {
    forEachNode(fn.body, (node) => {
      if (node.kind === 'loop') usage.loops++;
    });
    forEachInstruction(fn.body, (instruction) => {
      usage.instructions++;
      if (instruction.kind === 'alu') {
        if (instruction.op === 'fddx' || instruction.op === 'fddy') usage.derivatives = true;
      } else if (instruction.kind === 'tex') {
        usage.samplers.add(instruction.info.sampler);
        const isImplicit = instruction.op === 'sample' || instruction.op === 'bias';
        if (isImplicit && shader.stage === 'fragment') usage.derivatives = true;
      } else if (instruction.kind === 'intrinsic') {
        switch (instruction.op) {
          case 'loadInput':
          case 'loadInputAt':
            usage.inputs.add(instruction.info.slot);
            break;
          case 'storeOutput':
            usage.outputs.add(instruction.info.slot);
            if (instruction.info.slot === 'depth') usage.writesDepth = true;
            if (instruction.info.slot === 'sampleMask') usage.writesSampleMask = true;
            break;
          case 'loadUniform': {
            const { base, range } = instruction.info;
            const end = base + (instruction.sources.length > 0 ? range : 1);
            usage.uniformSlots = Math.max(usage.uniformSlots, end);
            break;
          }
          case 'loadUbo':
            usage.uniformBlocks.add(instruction.info.block);
            break;
          case 'sysval':
            usage.sysvals.add(instruction.info.name);
            break;
          case 'discard':
            usage.discard = true;
            break;
        }
      }
    });
  }
  shader.usage = usage;
}
