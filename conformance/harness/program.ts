// Programs for test cases, written once for GLSL ES 1.00 and 3.00.

import type { CaseContext } from '../case.ts';

export interface ProgramText {
  /** Vertex attributes and their types. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** What goes from the vertex to the fragment shader; `flat int` and the like are fine in ES 3. */
  readonly varyings?: Readonly<Record<string, string>>;
  /** Declarations (uniforms, functions) of each stage. */
  readonly vertexHead?: string;
  readonly fragmentHead?: string;
  /** Bodies of main. The fragment shader writes `o_color` unless `outputs` says otherwise. */
  readonly vertex: string;
  readonly fragment: string;
  /** ES 3 only: output declarations that stand in for `out vec4 o_color`. */
  readonly outputs?: string;
  /** Precision of floats in the fragment shader. */
  readonly precision?: 'lowp' | 'mediump' | 'highp';
  /** Lines straight after `#version`, e.g. `#extension …`. */
  readonly extensions?: string;
}

export interface TestProgram {
  readonly name: number;
  readonly attributes: readonly string[];
  uniform(name: string): number;
}

/** GLSL ES 1.00 names of what ES 3.00 spells otherwise, so that bodies need one spelling only. */
const ES2_DEFINES = '#define o_color gl_FragColor\n#define texture2DLodVs texture2DLod\n';
const ES3_DEFINES = '#define texture2D texture\n#define textureCube texture\n#define texture2DLod textureLod\n';

function declare(qualifier: string, entries: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(entries ?? {})
    .map(([name, type]) => {
      const flat = /^(flat|centroid|smooth) /.exec(type);
      return `${flat ? flat[0] : ''}${qualifier} ${flat ? type.slice(flat[0].length) : type} ${name};\n`;
    })
    .join('');
}

export function vertexText(api: 2 | 3, text: ProgramText): string {
  const head =
    api === 3
      ? `#version 300 es\n${text.extensions ?? ''}${ES3_DEFINES}${declare('in', text.attributes)}${declare('out', text.varyings)}`
      : `#version 100\n${text.extensions ?? ''}${declare('attribute', text.attributes)}${declare('varying', text.varyings)}`;
  return `${head}${text.vertexHead ?? ''}\nvoid main() {\n${text.vertex}\n}\n`;
}

export function fragmentText(api: 2 | 3, text: ProgramText): string {
  const precision = `precision ${text.precision ?? 'highp'} float;\nprecision highp int;\n`;
  const head =
    api === 3
      ? `#version 300 es\n${text.extensions ?? ''}${precision}precision highp sampler2DShadow;\nprecision highp samplerCubeShadow;\n` +
        `precision highp sampler2DArrayShadow;\nprecision highp sampler3D;\nprecision highp sampler2DArray;\n` +
        `precision highp isampler2D;\nprecision highp usampler2D;\nprecision highp isampler3D;\nprecision highp usampler3D;\n` +
        `precision highp isamplerCube;\nprecision highp usamplerCube;\nprecision highp isampler2DArray;\nprecision highp usampler2DArray;\n` +
        `${ES3_DEFINES}${declare('in', text.varyings)}${text.outputs ?? 'layout(location = 0) out highp vec4 o_color;\n'}`
      : `#version 100\n${text.extensions ?? ''}${precision}${ES2_DEFINES}${declare('varying', text.varyings)}`;
  return `${head}${text.fragmentHead ?? ''}\nvoid main() {\n${text.fragment}\n}\n`;
}

export function compileShader(t: CaseContext, type: number, text: string): number {
  const { gl } = t;
  const shader = gl.glCreateShader(type);
  gl.glShaderSource(shader, 1, [text]);
  gl.glCompileShader(shader);
  const status = [0];
  gl.glGetShaderiv(shader, gl.GL_COMPILE_STATUS, status);
  if (status[0] === 0) t.fail(`shader does not compile: ${gl.glGetShaderInfoLog(shader)}\n${text}`);
  return shader;
}

/** Links shaders; `beforeLink` may bind attributes or choose varyings. */
export function linkProgram(
  t: CaseContext,
  vertex: string,
  fragment: string,
  beforeLink?: (program: number) => void,
): number {
  const { gl } = t;
  const program = gl.glCreateProgram();
  const shaders = [compileShader(t, gl.GL_VERTEX_SHADER, vertex), compileShader(t, gl.GL_FRAGMENT_SHADER, fragment)];
  for (const shader of shaders) {
    gl.glAttachShader(program, shader);
    gl.glDeleteShader(shader);
  }
  beforeLink?.(program);
  gl.glLinkProgram(program);
  const status = [0];
  gl.glGetProgramiv(program, gl.GL_LINK_STATUS, status);
  if (status[0] === 0) t.fail(`program does not link: ${gl.glGetProgramInfoLog(program)}\n${vertex}\n${fragment}`);
  return program;
}

/** Builds and uses a program. Attributes get the locations of their order. */
export function buildProgram(t: CaseContext, text: ProgramText, beforeLink?: (program: number) => void): TestProgram {
  const { gl } = t;
  const attributes = Object.keys(text.attributes ?? {});
  const name = linkProgram(t, vertexText(t.api, text), fragmentText(t.api, text), (program) => {
    let location = 0;
    for (const [attribute, type] of Object.entries(text.attributes ?? {})) {
      gl.glBindAttribLocation(program, location, attribute);
      location += type.includes('mat') ? Number(/mat(\d)/.exec(type)![1]) : 1;
    }
    beforeLink?.(program);
  });
  gl.glUseProgram(name);
  return { name, attributes, uniform: (uniform) => gl.glGetUniformLocation(name, uniform) };
}

/** Position and a colour for each vertex: what most cases draw with. */
export function colorProgram(t: CaseContext): TestProgram {
  return buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_color: 'highp vec4' },
    varyings: { v_color: 'highp vec4' },
    vertex: 'gl_Position = a_position; v_color = a_color;',
    fragment: 'o_color = v_color;',
  });
}
