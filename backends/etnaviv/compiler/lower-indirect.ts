// Keeps dynamic indices and offsets within their arrays, for hardware reads whatever stands there.

import { createInstruction, type Intrinsic, type Shader, type Value } from '../../../src/ir/ir.ts';
import type { Rule } from '../../../src/ir/passes/rewrite.ts';

/** Clamps the index of uniforms and local arrays, and the offset of uniform blocks, as the IR has it. */
export function indirectRule(): Rule {
  // An access with its index clamped is not clamped again.
  const done = new Set<Value>();
  return {
    name: 'indirect',
    apply(instruction, { builder: b, shader }) {
      if (instruction.kind !== 'intrinsic' || done.has(instruction)) return null;
      const clamp = (index: Value, last: number): Value =>
        index.kind === 'const' && index.info[0]! <= last ? index : b.umin(index, b.constInt(last));
      const again = (sources: Value[], info: unknown): Value => {
        const { op, components, bits } = instruction;
        const made = createInstruction(shader, 'intrinsic', op, components, bits, sources, info as never);
        done.add(made);
        return b.insert(made);
      };
      switch (instruction.op) {
        case 'loadUniform': {
          const { base, range } = instruction.info;
          const [index] = instruction.sources;
          if (!index) return null;
          if (index.kind === 'const') {
            return again([], { base: base + Math.min(index.info[0]!, range - 1), range: 1 });
          }
          return again([clamp(index, range - 1)], instruction.info);
        }
        case 'loadUbo': {
          const { block, base } = instruction.info;
          const [offset] = instruction.sources;
          if (!offset) return null;
          const last = Math.max(sizeOf(shader, block) - 4 * instruction.components, 0) & ~3;
          const address = base === 0 ? offset : b.iadd(offset, b.constInt(base));
          return again([b.iand(clamp(address, last), b.constInt(~3))], { block, base: 0 });
        }
        case 'loadLocal':
        case 'storeLocal': {
          const [index, ...rest] = instruction.sources as [Value, ...Value[]];
          const last = shader.locals[instruction.info.array]!.length - 1;
          const made = again([clamp(index, last), ...rest], instruction.info) as Intrinsic<'loadLocal'>;
          return made;
        }
        default:
          return null;
      }
    },
  };
}

function sizeOf(shader: Shader, block: number): number {
  return shader.uniformBlocks[block]?.sizeBytes ?? 0;
}
