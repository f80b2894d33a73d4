// What the GPU wants of outputs: depth range of positions, red and blue exchanged, all components of colours.

import type { Builder } from '../../../src/ir/builder.ts';
import { createBuilder } from '../../../src/ir/builder.ts';
import type { Intrinsic, Shader, Value } from '../../../src/ir/ir.ts';
import { forEachBlock } from '../../../src/ir/walk.ts';
import { type ShaderKey, UnsupportedShaderError } from './compiled-shader.ts';
import type { CompilerTarget } from './target.ts';

export function lowerInterface(shader: Shader, target: CompilerTarget, key: ShaderKey): boolean {
  let progress = false;
  const b = createBuilder(shader);
  forEachBlock(shader.main.body, (block) => {
    const old = block.instructions;
    if (!old.some((instruction) => instruction.kind === 'intrinsic' && instruction.op === 'storeOutput')) return;
    block.instructions = [];
    b.setBlock(block);
    for (const instruction of old) {
      const changed =
        instruction.kind === 'intrinsic' && instruction.op === 'storeOutput'
          ? lowerStore(b, shader, target, key, instruction)
          : false;
      if (!changed) block.instructions.push(instruction);
      progress ||= changed;
    }
  });
  return progress;
}

/** Builds another store in its place; false where it stays. */
function lowerStore(
  b: Builder,
  shader: Shader,
  target: CompilerTarget,
  key: ShaderKey,
  store: Intrinsic<'storeOutput'>,
): boolean {
  const { slot, component } = store.info;
  const value = store.sources[0]!;
  if (slot === 'sampleMask' || slot.endsWith('Secondary')) throw new UnsupportedShaderError(`the GPU has no ${slot}`);
  if (slot === 'position' && target.vertexDividesDepth && !key.clipHalfZ && shader.stage === 'vertex') {
    if (component !== 0 || value.components !== 4) throw new UnsupportedShaderError('a position is written in parts');
    const [x, y, z, w] = b.channels(value) as [Value, Value, Value, Value];
    b.storeOutput(slot, b.vec(x, y, b.fmul(b.fadd(z, w), b.constFloat(0.5)), w));
    return true;
  }
  const match = /^color(\d+)$/.exec(slot);
  if (!match) return false;
  const index = Number(match[1]);
  if (index >= target.renderTargets)
    throw new UnsupportedShaderError(`the GPU has ${target.renderTargets} colour targets`);
  if (!((key.fragRbSwap >> index) & 1)) return false;
  if (component !== 0) throw new UnsupportedShaderError('a colour is written in parts');
  // Scalar outputs are widened first: what is missing is 0, 0, 1.
  const isInteger = shader.outputs.find((output) => output.slot === slot)?.base !== 'float';
  const one = isInteger ? b.constInt(1) : b.constFloat(1);
  const rest = [b.constInt(0), b.constInt(0), b.constInt(0), one].slice(value.components);
  const [red, green, blue, alpha] = [...b.channels(value), ...rest] as [Value, Value, Value, Value];
  b.storeOutput(slot, b.vec(blue, green, red, alpha));
  return true;
}
