// For tests: compiles and links small programs and runs them through the IR interpreter.
// SPDX-License-Identifier: MIT
import { type Environment, interpret, type TextureRequest } from '../ir/interpret.ts';
import type { Slot, SystemValue } from '../ir/ir.ts';
import { type CompileOptions, compileShader } from './compile.ts';
import { linkProgram } from './link.ts';
import { DEFAULT_LINK_LIMITS, type LinkedProgram, type LinkOptions, type LinkResult } from './link-result.ts';

const PASS_300 = '#version 300 es\nvoid main() { gl_Position = vec4(0.0); }';
const PASS_100 = 'void main() { gl_Position = vec4(0.0); }';
export const TEST_EXTENSIONS = [
  'GL_OES_standard_derivatives',
  'GL_EXT_frag_depth',
  'GL_EXT_draw_buffers',
  'GL_EXT_shader_texture_lod',
];

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

/** 32-bit pattern of a float. */
export function floatWord(value: number): number {
  floats[0] = value;
  return words[0];
}

export function compileOrThrow(source: string, stage: 'vertex' | 'fragment', options: Partial<CompileOptions> = {}) {
  const result = compileShader(source, { stage, profile: 'gles', api: 3, extensions: TEST_EXTENSIONS, ...options });
  if (!result.ok || result.shader === undefined) throw new Error(`${result.log}\n${source}`);
  return result.shader;
}

/** Links two sources; compile errors throw, link errors come back in the result. */
export function link(vertex: string, fragment: string, options: Partial<LinkOptions> = {}): LinkResult {
  const profile = options.profile ?? 'gles';
  return linkProgram(compileOrThrow(vertex, 'vertex', { profile }), compileOrThrow(fragment, 'fragment', { profile }), {
    limits: DEFAULT_LINK_LIMITS,
    profile,
    ...options,
  });
}

export function linkOrThrow(vertex: string, fragment: string, options: Partial<LinkOptions> = {}): LinkedProgram {
  const result = link(vertex, fragment, options);
  if (result.program === undefined) throw new Error(result.log);
  return result.program;
}

/** A program with a trivial vertex shader. */
export function linkFragment(fragment: string, options: Partial<LinkOptions> = {}): LinkedProgram {
  return linkOrThrow(fragment.startsWith('#version 300 es') ? PASS_300 : PASS_100, fragment, options);
}

/** Inputs, uniforms and blocks are 32-bit patterns. */
export interface RunOptions {
  /** Values of default-block uniforms by GL name (arrays: `a[0]` with all elements). */
  uniforms?: Record<string, readonly number[]>;
  /** Contents of uniform blocks by name. */
  blocks?: Record<string, Uint32Array>;
  inputs?: Partial<Record<Slot, readonly number[]>>;
  sysvals?: Partial<Record<SystemValue, readonly number[]>>;
  texture?: (request: TextureRequest) => void;
  lanes?: number;
}

/** Runs one stage; the result is the outputs of lane 0 as floats (and their words). */
export function runStage(program: LinkedProgram, stage: 'vertex' | 'fragment', options: RunOptions = {}) {
  const linked = program[stage];
  const constants = program.initialConstants.slice();
  for (const [name, values] of Object.entries(options.uniforms ?? {})) {
    const uniform = program.uniforms.find((each) => each.name === name);
    // A test may hand over more than the expression at hand uses.
    if (uniform === undefined) continue;
    const perVector = values.length / (uniform.size * uniform.slotsPerElement);
    values.forEach((value, i) => {
      constants[(uniform.slot + Math.floor(i / perVector)) * 4 + (i % perVector)] = value;
    });
  }
  const environment: Environment = {
    lanes: options.lanes ?? 4,
    uniforms: constants,
    uniformBlocks: linked.uniformBlocks.map((index) => {
      return options.blocks?.[program.uniformBlocks[index].name] ?? new Uint32Array(0);
    }),
    input: (slot, _lane, result) => result.set(options.inputs?.[slot] ?? []),
    sysval: (name, _lane, result) => result.set(options.sysvals?.[name] ?? []),
    ...(options.texture === undefined ? {} : { texture: options.texture }),
  };
  const result = interpret(linked.shader, environment);
  const wordsOf = (slot: Slot): number[] => [...(result.outputs.get(slot)?.subarray(0, 4) ?? [])];
  const floatsOf = (slot: Slot): number[] => [...new Float32Array(Uint32Array.from(wordsOf(slot)).buffer)];
  return { ...result, words: wordsOf, floats: floatsOf };
}

/**
 * Value of a GLSL ES 3.00 expression as up to four floats; `setup` is code before it, `globals` stands outside of main.
 */
export function evaluate(
  expression: string,
  { globals = '', setup = '', ...run }: RunOptions & { globals?: string; setup?: string } = {},
): number[] {
  const program = linkFragment(`#version 300 es
    precision highp float; precision highp int; precision highp sampler3D; precision highp sampler2DArray;
    precision highp sampler2DShadow; precision highp isampler2D;
    layout(location = 0) out vec4 result;
    ${globals}
    void main() { ${setup} result = ${expression}; }`);
  return runStage(program, 'fragment', run).floats('color0');
}
