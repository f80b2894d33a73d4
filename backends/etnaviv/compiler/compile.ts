// The compiler: a lowered shader and a key in, a program for one GPU out. The order of its stages stands here.

import { TooComplexError } from '../../../src/base/too-complex.ts';
import type { Shader } from '../../../src/ir/ir.ts';
import { gatherInfo } from '../../../src/ir/passes/gather-info.ts';
import { constantFoldRule } from '../../../src/ir/passes/opt-constant-fold.ts';
import { copyPropagateRule } from '../../../src/ir/passes/opt-copy-propagate.ts';
import { cseRule } from '../../../src/ir/passes/opt-cse.ts';
import { optDeadCode } from '../../../src/ir/passes/opt-dead-code.ts';
import { swizzleRule } from '../../../src/ir/passes/opt-swizzle.ts';
import { type Rule, rewrite } from '../../../src/ir/passes/rewrite.ts';
import { assertValid } from '../../../src/ir/validate.ts';
import { renumber } from '../../../src/ir/walk.ts';
import type { Instruction } from '../isa/instruction.ts';
import { allocateRegisters } from './allocate-registers.ts';
import { assignUniforms } from './assign-uniforms.ts';
import {
  type CompiledShader,
  type CompileResult,
  DEFAULT_KEY,
  type ProgramOutput,
  type ShaderKey,
  UnsupportedShaderError,
} from './compiled-shader.ts';
import { copyShader } from './copy-shader.ts';
import { finishProgram } from './finish.ts';
import { nodeOf, removeDeadWrites } from './liveness.ts';
import { functionsRule } from './lower-functions.ts';
import { indirectRule } from './lower-indirect.ts';
import { lowerIntegers } from './lower-integers.ts';
import { lowerInterface } from './lower-interface.ts';
import { texturesRule } from './lower-textures.ts';
import { select } from './select.ts';
import type { CompilerTarget } from './target.ts';

export interface CompileOptions {
  readonly key?: ShaderKey;
  /** Check the shader after every pass (default: INDIUM_DEBUG contains `validate`). */
  readonly validate?: boolean;
  /** Called with the finished instructions, for dumps. */
  readonly onProgram?: (program: readonly Instruction[]) => void;
}

function debugValidate(): boolean {
  const flags = typeof process === 'undefined' ? undefined : process.env['INDIUM_DEBUG'];
  return flags?.split(',').includes('validate') ?? false;
}

/** Compiles what `optimizeShader` made with `lowerTranscendentals: false`. The shader stays as it is. */
export function compileShader(shader: Shader, target: CompilerTarget, options: CompileOptions = {}): CompileResult {
  try {
    return { ok: true, shader: compile(shader, target, options) };
  } catch (error) {
    if (error instanceof UnsupportedShaderError || error instanceof TooComplexError) {
      return { ok: false, message: `${shader.name} cannot run on ${target.name}: ${error.message}` };
    }
    throw error;
  }
}

/** Brings the copy of a shader into terms of the GPU.*/
function lower(copy: Shader, target: CompilerTarget, options: CompileOptions): void {
  const validate = options.validate ?? debugValidate();
  const run = (name: string, pass: (shader: Shader) => unknown): void => {
    pass(copy);
    if (validate) assertValid(copy, { lowered: true, after: name });
  };
  const simplify = (name: string, rules: readonly Rule[]) =>
    run(name, (s) =>
      rewrite(s, [copyPropagateRule(), swizzleRule(), constantFoldRule(), ...rules, cseRule(s.nextValueId)]),
    );
  run('interface', (s) => lowerInterface(s, target, options.key ?? DEFAULT_KEY));
  simplify('indirect and textures', [indirectRule(), texturesRule(target)]);
  if (!target.hasIntegers) run('integers', lowerIntegers);
  simplify('hardware functions', [functionsRule(target)]);
  run('dead code', optDeadCode);
  renumber(copy);
  gatherInfo(copy);
}

function checkLength(instructions: number, target: CompilerTarget): void {
  if (instructions <= target.maxInstructions) return;
  throw new UnsupportedShaderError(`it has ${instructions} instructions, ${target.maxInstructions} fit`);
}

function compile(shader: Shader, target: CompilerTarget, options: CompileOptions): CompiledShader {
  const copy = copyShader(shader);
  lower(copy, target, options);
  const selection = select(copy, target, options.key ?? DEFAULT_KEY);
  const { program } = selection;
  if (copy.stage === 'fragment' && selection.inputs.length > target.varyings) {
    throw new UnsupportedShaderError(`it has ${selection.inputs.length} varyings, the GPU has ${target.varyings}`);
  }
  removeDeadWrites(program);
  // Copies may vanish; the rest stays, and what is too long is refused before the costly steps.
  checkLength(program.code.filter(({ op }) => op !== 'mov' && op !== 'label').length, target);
  const limit = copy.stage === 'vertex' ? target.vertexUniforms : target.fragmentUniforms;
  const file = assignUniforms(program, selection.ranges, target, limit);
  const allocation = allocateRegisters(program, target.temporaries, selection.reserved);
  const finished = finishProgram(program, allocation);
  options.onProgram?.(finished.program);
  const instructions = finished.program.length;
  checkLength(instructions, target);
  const inputEnd = selection.inputs.reduce((end, input) => Math.max(end, input.register + 1), 0);
  const temporaries = Math.max(allocation.temporaries, inputEnd, 1);
  const { usage } = copy;
  const place = (register: number | null, component: number): number | null =>
    register === null ? null : allocation.places[nodeOf(register, component)]!;
  return {
    stage: copy.stage,
    code: finished.code,
    instructions,
    temporaries,
    inputs: selection.inputs,
    outputs: selection.outputs.map(
      ({ slot, register, components }): ProgramOutput =>
        slot === 'depth'
          ? { slot, register: 0, component: 2, components: 1 }
          : { slot, register: allocation.places[nodeOf(register, 0)]! >> 2, component: 0, components },
    ),
    vertexIdPlace: place(selection.vertexId, 0),
    instanceIdPlace: place(selection.instanceId, 1),
    uniforms: file.words,
    samplers: selection.samplers,
    flags: {
      usesDiscard: usage.discard,
      writesDepth: selection.depth,
      usesFragCoord: usage.sysvals.has('fragCoord'),
      usesFrontFacing: usage.sysvals.has('frontFacing'),
      usesDerivatives: usage.derivatives,
      needsInstructionCache: instructions > target.residentInstructions,
    },
    statistics: {
      instructions,
      temporaries,
      loops: selection.loops,
      immediates: file.immediates,
      uniforms: file.words.length / 4,
    },
  };
}
