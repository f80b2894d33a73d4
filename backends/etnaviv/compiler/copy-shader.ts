// A copy of a lowered shader, which a variant's passes may change.

import { createShader, type Shader } from '../../../src/ir/ir.ts';
import { cloneList, createCloneMaps } from '../../../src/ir/passes/clone.ts';

export function copyShader(shader: Shader): Shader {
  const copy = createShader(shader.stage, shader.name);
  copy.inputs = [...shader.inputs];
  copy.outputs = [...shader.outputs];
  copy.samplers = [...shader.samplers];
  copy.uniformBlocks = [...shader.uniformBlocks];
  copy.uniformSlots = shader.uniformSlots;
  copy.locals = [...shader.locals];
  copy.isExact = shader.isExact;
  copy.earlyFragmentTests = shader.earlyFragmentTests;
  copy.clipDistances = shader.clipDistances;
  copy.cullDistances = shader.cullDistances;
  copy.sampleShading = shader.sampleShading;
  copy.main.body = cloneList(copy, shader.main.body, createCloneMaps());
  return copy;
}
