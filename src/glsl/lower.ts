// Lowers a checked shader to IR in variable form: `main` loads inputs, runs GLSL's main, and stores outputs.
// The linker has already decided where every input, output, uniform and block stands (`StageInterface`).
// SPDX-License-Identifier: MIT
import { createBuilder } from '../ir/builder.ts';
import { createShader, type SamplerInfo, type Shader, type SlotInfo, type UniformBlockInfo } from '../ir/ir.ts';
import type { CheckedShader } from './ast.ts';
import { createMainInstance } from './lower-calls.ts';
import { type LowerContext, type StageInterface, variableOf } from './lower-context.ts';
import { storeExpression } from './lower-expressions.ts';
import { initializeGlobals, loadInputs, storeOutputs } from './lower-interface.ts';
import { variablePlace } from './lower-places.ts';
import { lowerFunctionBody } from './lower-statements.ts';

export type { StageInterface, VectorSlot } from './lower-context.ts';

/** The lists that the IR shader shows to backends. */
export interface StageLists {
  readonly inputs: SlotInfo[];
  readonly outputs: SlotInfo[];
  readonly samplers: SamplerInfo[];
  readonly uniformBlocks: UniformBlockInfo[];
}

/**
 * IR of a whole stage. Throws `TooComplexError` when the shader exceeds the IR's limits. `uniformSlots` is set by the
 * linker, when both stages have added their constant tables.
 */
export function lowerShader(checked: CheckedShader, io: StageInterface, lists: StageLists): Shader {
  const shader = createShader(checked.stage, checked.stage);
  shader.inputs.push(...lists.inputs);
  shader.outputs.push(...lists.outputs);
  shader.samplers.push(...lists.samplers);
  shader.uniformBlocks.push(...lists.uniformBlocks);
  shader.isExact = isExact(checked);
  shader.sampleShading = isSampleShaded(checked);
  const b = createBuilder(shader);
  const base: Omit<LowerContext, 'current'> = {
    checked,
    shader,
    b,
    io,
    globals: new Map(),
    instances: new Map(),
    functionNumbers: new Map(),
    pending: [],
    constantTables: new Map(),
    fragDataWritten: new Set(),
    jumps: [],
  };
  const userMain = createMainInstance(base, checked.main);
  // Global initialisers may use built-in functions only, so they can be emitted as if they stood in main.
  const ctx: LowerContext = { ...base, current: { ...userMain, function: shader.main } };
  loadInputs(ctx);
  initializeGlobals(ctx, (symbol) => {
    storeExpression(ctx, variablePlace(variableOf(ctx, symbol), symbol.type), symbol.initializer!);
  });
  b.call(userMain.function, []);
  lowerFunctionBody(ctx, userMain);
  for (let instance = ctx.pending.pop(); instance !== undefined; instance = ctx.pending.pop()) {
    lowerFunctionBody(ctx, instance);
  }
  b.setFunction(shader.main);
  storeOutputs(ctx);
  if (ctx.fragDataWritten.size > 0) {
    const isWritten = ({ name, slot }: SlotInfo) =>
      name !== 'gl_FragData' || ctx.fragDataWritten.has(Number(slot.slice('color'.length)));
    shader.outputs = shader.outputs.filter(isWritten);
  }
  return shader;
}

/** OES_sample_variables, OES_shader_multisample_interpolation: static use of these makes a shader run once a sample. */
function isSampleShaded(checked: CheckedShader): boolean {
  return (
    checked.stage === 'fragment' &&
    (checked.builtinVariables.some(({ name }) => name === 'gl_SampleID' || name === 'gl_SamplePosition') ||
      checked.globals.some(({ storage, isSample }) => storage === 'in' && isSample))
  );
}

/** `invariant` on any output forbids value-changing rewrites in the whole shader. */
function isExact(checked: CheckedShader): boolean {
  const isInvariantOutput = (symbol: { storage: string; isInvariant: boolean }) =>
    symbol.storage === 'out' && symbol.isInvariant;
  return (
    checked.pragmas.invariantAll ||
    checked.globals.some(isInvariantOutput) ||
    checked.builtinVariables.some(isInvariantOutput)
  );
}
