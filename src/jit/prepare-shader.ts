// The scalar form of a shader that was optimised for other machines, or built by hand. What GL programs bring is scalar already
// (`scalars` in the pipeline's options). The shader that is given stays as it is; it is prepared once, whatever the number of its
// variants.
import type { Shader } from '../ir/ir.ts';
import { cloneList, createCloneMaps } from '../ir/passes/clone.ts';
import { gatherInfo } from '../ir/passes/gather-info.ts';
import { gatherUniform } from '../ir/passes/gather-uniform.ts';
import { scalarsRule } from '../ir/passes/lower-to-scalars.ts';
import { algebraicRule } from '../ir/passes/opt-algebraic.ts';
import { constantFoldRule } from '../ir/passes/opt-constant-fold.ts';
import { copyPropagateRule } from '../ir/passes/opt-copy-propagate.ts';
import { cseRule } from '../ir/passes/opt-cse.ts';
import { optDeadCode } from '../ir/passes/opt-dead-code.ts';
import { swizzleRule } from '../ir/passes/opt-swizzle.ts';
import { rewrite } from '../ir/passes/rewrite.ts';

const PREPARED = new WeakMap<Shader, Shader>();

/** The form of a lowered shader that code is made from. */
export function prepareShader(shader: Shader): Shader {
  if (shader.isScalar) return shader;
  let prepared = PREPARED.get(shader);
  if (prepared === undefined) {
    prepared = scalarizeShader(shader);
    PREPARED.set(shader, prepared);
  }
  return prepared;
}

function scalarizeShader(shader: Shader): Shader {
  const main = { ...shader.main };
  const copy: Shader = { ...shader, main, functions: [main], isScalar: true, nextValueId: 0, nextBlockId: 0 };
  main.body = cloneList(copy, shader.main.body, createCloneMaps());
  rewrite(copy, [
    copyPropagateRule(),
    swizzleRule(),
    scalarsRule(),
    constantFoldRule(),
    algebraicRule(shader.isExact),
    cseRule(copy.nextValueId),
  ]);
  optDeadCode(copy);
  gatherUniform(copy);
  gatherInfo(copy);
  // Optimising may have removed an output's last store; programs still ask for what the interface names.
  for (const slot of shader.usage.outputs) copy.usage.outputs.add(slot);
  copy.usage.derivatives ||= shader.usage.derivatives;
  return copy;
}
