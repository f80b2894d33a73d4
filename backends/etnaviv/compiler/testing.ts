// Test support: runs a compiled program on the simulator's translation of its binary, and compares it with the IR
// interpreter.

import { linkOrThrow } from '../../../src/glsl/test-support.ts';
import { type Environment, interpret } from '../../../src/ir/interpret.ts';
import type { Shader, Slot } from '../../../src/ir/ir.ts';
import { type OptimizeOptions, optimizeShader } from '../../../src/ir/optimize.ts';
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
function interfaceOf(shader: Shader, compiled: CompiledShader): ShaderInterface {
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
    zeroToOneDepth: false,
    alphaTest: null,
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
export function runBinary(shader: Shader, compiled: CompiledShader, environment: Environment): Run {
  const program = decodeProgram(compiled.code);
  const translated = translateShader(program, program.length, interfaceOf(shader, compiled));
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

/** The lowered shader of a stage of GLSL source, as a state tracker would hand it over. */
export function lowered(source: string, stage: 'vertex' | 'fragment', options: OptimizeOptions = {}): Shader {
  const is300 = source.startsWith('#version 300 es');
  const [read, write] = is300 ? ['in', 'out'] : ['attribute', 'varying'];
  const version = is300 ? '#version 300 es\n' : '';
  const varyings = [...source.matchAll(/(?:flat )?(?:in|out|varying) (?:highp |mediump )?(\w+) (\w+);/g)];
  const others = varyings.filter(([, type]) => type !== 'sampler2D');
  let pair: [string, string];
  if (stage === 'fragment') {
    const list = others.filter(([text]) => !text.startsWith('out'));
    const declarations = list.map(([text]) => text.replace(/(in|varying) /, `${write} `)).join('\n');
    const assigns = list.map(([, type, name]) => `${name} = ${type}(attribute0);`).join(' ');
    pair = [
      `${version}${read} vec4 attribute0; ${declarations}\nvoid main() { ${assigns} gl_Position = attribute0; }`,
      source,
    ];
  } else {
    const list = others.filter(([text]) => !text.startsWith('in'));
    const declarations = list.map(([text]) => text.replace(/(out|varying) /, is300 ? 'in ' : 'varying ')).join('\n');
    const sum = list.map(([, , name]) => ` + vec4(float(${name}))`).join('');
    const result = is300 ? 'result' : 'gl_FragColor';
    const output = is300 ? 'out vec4 result;' : '';
    const fragment = `precision highp float; ${declarations} ${output} void main() { ${result} = vec4(1.0)${sum}; }`;
    pair = [source, `${version}${fragment}`];
  }
  const program = linkOrThrow(...pair, { optimize: false });
  const { shader } = program[stage];
  const result = optimizeShader(shader, { lowerTranscendentals: false, validate: true, ...options });
  if (!result.ok) throw new Error(result.message);
  return shader;
}

/** Compiles, or fails the test with the reason. */
export function mustCompile(shader: Shader, target: CompilerTarget, options: CompileOptions = {}): CompiledShader {
  const result = compileShader(shader, target, { validate: true, ...options });
  if (!result.ok) throw new Error(result.message);
  return result.shader;
}

/** Runs a lowered shader both ways. */
export function compare(
  shader: Shader,
  target: CompilerTarget,
  environment: Environment,
  tolerance?: Tolerance,
  options: CompileOptions = {},
): { differences: Difference[]; expected: Run; actual: Run; compiled: CompiledShader } {
  const compiled = mustCompile(shader, target, options);
  const expected = interpret(shader, environment);
  const actual = runBinary(shader, compiled, environment);
  return { differences: differences(shader, expected, actual, tolerance), expected, actual, compiled };
}
