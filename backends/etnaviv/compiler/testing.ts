// Test support: runs a compiled program on the simulator's translation of its binary, and compares it with the IR
// interpreter.

import { type Environment, interpret } from '../../../src/ir/interpret.ts';
import type { Shader, Slot } from '../../../src/ir/ir.ts';
import { coreInfo, coreNamed } from '../hwdb/core-info.ts';
import { decodeProgram } from '../isa/decode.ts';
import { disassembleInstruction } from '../isa/disassemble.ts';
import { type ShaderInterface, translateShader } from '../sim/shader/translate.ts';
import { type CompileOptions, compileShader } from './compile.ts';
import type { CompiledShader, UniformWord } from './compiled-shader.ts';
import { type CompilerTarget, compilerTarget } from './target.ts';

export function targetNamed(name: string): CompilerTarget {
  return compilerTarget(coreInfo(coreNamed(name)!));
}

export function textOf(shader: CompiledShader): string {
  return decodeProgram(shader.code)
    .map((instruction, index) => `${String(index).padStart(3)} ${disassembleInstruction(instruction)}`)
    .join('\n');
}

const wordView = new Uint32Array(1);
const floatView = new Float32Array(wordView.buffer);

function uniformValue(word: UniformWord, environment: Environment, textureSize: readonly number[]): number {
  switch (word.kind) {
    case 'immediate':
      return word.value;
    case 'uniform': {
      const value = environment.uniforms?.[word.word] ?? 0;
      if (!word.convert) return value;
      floatView[0] = value | 0;
      return wordView[0]!;
    }
    case 'textureSize':
      return textureSize[word.component]!;
    default:
      return 0;
  }
}

/** What the hardware would be told of a program. */
function interfaceOf(shader: Shader, compiled: CompiledShader, target: CompilerTarget): ShaderInterface {
  const samplers: ShaderInterface['samplers'][number][] = [];
  for (let unit = 0; unit < 32; unit++) {
    const entry = compiled.samplers.find((sampler) => sampler.unit === unit);
    samplers.push(entry ? shader.samplers[entry.sampler]! : null);
  }
  return {
    stage: compiled.stage,
    inputs: compiled.inputs.map((input) => ({
      register: input.register,
      slot: (input.slot === 'pointCoord' ? 'var31' : input.slot) as Slot,
      components: input.components,
      interpolation: input.interpolation,
      ...(input.slot === 'pointCoord' ? { pointCoord: ['x', 'y'] as const } : {}),
    })),
    outputs: compiled.outputs.map((output) => ({ ...output, saturate: false })),
    samplers,
    samplerBase: 0,
    uniformSlots: compiled.uniforms.length / 4,
    vertexIdPlace: compiled.vertexIdPlace,
    instanceIdPlace: compiled.instanceIdPlace,
    zeroToOneDepth: target.vertexDividesDepth && compiled.stage === 'vertex',
    earlyTests: false,
  };
}

export interface Run {
  readonly outputs: Map<Slot, Uint32Array>;
  readonly discarded: number;
  readonly timedOut: boolean;
}

const TEXTURE_SIZE = [32, 16, 4] as const;

/** Runs the binary. */
export function runBinary(
  shader: Shader,
  compiled: CompiledShader,
  target: CompilerTarget,
  environment: Environment,
): Run {
  const program = decodeProgram(compiled.code);
  const translated = translateShader(program, program.length, interfaceOf(shader, compiled, target));
  // The binary does not tell integers from floats; the canonical form of stored NaN must not meet integers.
  for (const output of translated.shader.outputs) {
    output.base = shader.outputs.find(({ slot }) => slot === output.slot)?.base ?? 'float';
  }
  const uniforms = Uint32Array.from(compiled.uniforms, (word) => uniformValue(word, environment, TEXTURE_SIZE));
  const uniformBlocks = translated.pointers.map(({ slot, component }) => {
    const word = compiled.uniforms[slot * 4 + component]!;
    if (word.kind !== 'blockAddress') throw new Error('a load through something that is no address');
    return environment.uniformBlocks![word.block]!;
  });
  return interpret(translated.shader, { ...environment, uniforms, uniformBlocks });
}

export interface Difference {
  readonly slot: Slot;
  readonly lane: number;
  readonly component: number;
  readonly expected: number;
  readonly actual: number;
}

/** Where two numbers may differ: by `relative` of their size or by `absolute`. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

const EXACT: Tolerance = { relative: 0, absolute: 0 };

export function differences(shader: Shader, expected: Run, actual: Run, tolerance: Tolerance = EXACT): Difference[] {
  const found: Difference[] = [];
  for (const { slot, components, base } of shader.outputs) {
    const [a, b] = [expected.outputs.get(slot), actual.outputs.get(slot)];
    if (!a) continue;
    const [left, right] = [new Float32Array(a.buffer), new Float32Array((b ?? new Uint32Array(a.length)).buffer)];
    for (let k = 0; k < a.length; k++) {
      const [lane, component] = [k >> 2, k & 3];
      if (component >= components || (expected.discarded >> lane) & 1) continue;
      if (a[k] === b?.[k]) continue;
      if (base === 'float') {
        const [x, y] = [left[k]!, right[k]!];
        if (Number.isNaN(x) && Number.isNaN(y)) continue;
        if (x === y) continue;
        if (Math.abs(x - y) <= Math.max(tolerance.absolute, tolerance.relative * Math.abs(x))) continue;
        found.push({ slot, lane, component, expected: x, actual: y });
      } else found.push({ slot, lane, component, expected: a[k]!, actual: b?.[k] ?? 0 });
    }
  }
  return found;
}

/** Compiles, or fails the test with the reason. */
export function mustCompile(shader: Shader, target: CompilerTarget, options: CompileOptions = {}): CompiledShader {
  const result = compileShader(shader, target, { validate: true, ...options });
  if (!result.ok) throw new Error(result.message);
  return result.shader;
}

/** Runs a lowered shader both ways. Null: the interpreter does not come to an end. */
export function compare(
  shader: Shader,
  target: CompilerTarget,
  environment: Environment,
  tolerance?: Tolerance,
): { differences: Difference[]; expected: Run; actual: Run; compiled: CompiledShader } {
  const compiled = mustCompile(shader, target);
  const expected = interpret(shader, environment);
  const actual = runBinary(shader, compiled, target, environment);
  return { differences: differences(shader, expected, actual, tolerance), expected, actual, compiled };
}
