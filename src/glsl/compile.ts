// The front end's entry point: GLSL ES text in, a checked AST or an info log out. It never throws on any text.

import type { CheckedShader, ShaderProfile, ShaderStage, SourcePosition } from './ast.ts';

/** The values of the gl_Max… constants; they also bound array sizes of built-ins such as gl_FragData. */
export interface ShaderLimits {
  readonly maxVertexAttribs: number;
  readonly maxVertexUniformVectors: number;
  /** GLSL ES 1.00: gl_MaxVaryingVectors. */
  readonly maxVaryingVectors: number;
  /** GLSL ES 3.00. */
  readonly maxVertexOutputVectors: number;
  readonly maxFragmentInputVectors: number;
  readonly maxVertexTextureImageUnits: number;
  readonly maxCombinedTextureImageUnits: number;
  readonly maxTextureImageUnits: number;
  readonly maxFragmentUniformVectors: number;
  readonly maxDrawBuffers: number;
  readonly minProgramTexelOffset: number;
  readonly maxProgramTexelOffset: number;
  readonly maxDualSourceDrawBuffers: number;
}

export const DEFAULT_LIMITS: ShaderLimits = {
  maxVertexAttribs: 16,
  maxVertexUniformVectors: 256,
  maxVaryingVectors: 15,
  maxVertexOutputVectors: 16,
  maxFragmentInputVectors: 15,
  maxVertexTextureImageUnits: 16,
  maxCombinedTextureImageUnits: 32,
  maxTextureImageUnits: 16,
  maxFragmentUniformVectors: 224,
  maxDrawBuffers: 4,
  minProgramTexelOffset: -8,
  maxProgramTexelOffset: 7,
  maxDualSourceDrawBuffers: 1,
};

export interface CompileOptions {
  readonly stage: ShaderStage;
  /** Which specification's extra rules hold: WebGL's (reserved prefixes, Appendix A, identifier lengths) or plain GLES. */
  readonly profile: ShaderProfile;
  /** 2: accepts version 100 only. 3: accepts 100 and `300 es`. */
  readonly api: 2 | 3;
  /** Extensions the context offers to shaders, by their `#extension` names (`GL_OES_standard_derivatives`, …). */
  readonly extensions?: readonly string[];
  readonly limits?: Partial<ShaderLimits>;
}

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly position: SourcePosition;
  /** The offending token, as in `'foo' : undeclared identifier`; may be empty. */
  readonly token: string;
  readonly message: string;
}

export interface CompileResult {
  readonly ok: boolean;
  /** Info log, one `ERROR: 0:12: 'foo' : undeclared identifier` or `WARNING: …` line a diagnostic; empty when clean. */
  readonly log: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Present exactly when `ok`. */
  readonly shader?: CheckedShader;
}

export function compileShader(source: string, options: CompileOptions): CompileResult {
  void source;
  void options;
  throw new Error('compileShader: not built yet');
}
