// The front end's entry point: GLSL ES text in, a checked AST or an info log out. It never throws on any text.

import { checkLimitations } from './appendix-a.ts';
import type { CheckedShader, ShaderProfile, ShaderStage } from './ast.ts';
import { finishShader } from './check-shader.ts';
import { CompilationAborted, type Diagnostic, Diagnostics, formatDiagnostic } from './diagnostics.ts';
import { DEFAULT_LIMITS, type ShaderLimits } from './limits.ts';
import { parseShader } from './parse-shader.ts';
import { Parser } from './parser.ts';
import { preprocess } from './preprocessor.ts';

export { type Diagnostic, formatWithSource } from './diagnostics.ts';
export { DEFAULT_LIMITS, type ShaderLimits } from './limits.ts';

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

export interface CompileResult {
  readonly ok: boolean;
  /** Info log, one `ERROR: 0:12: 'foo' : undeclared identifier` or `WARNING: …` line a diagnostic; empty when clean. */
  readonly log: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Present exactly when `ok`. */
  readonly shader?: CheckedShader;
}

/** WebGL 1 §6.22, WebGL 2 §4.3.1, GLSL ES 3.00 §3.8. */
function maxNameLength(options: CompileOptions): number {
  return options.profile === 'webgl' && options.api === 2 ? 256 : 1024;
}

function run(source: string, options: CompileOptions, diagnostics: Diagnostics): CheckedShader | undefined {
  const { stage, profile } = options;
  const preprocessed = preprocess(
    source,
    {
      stage,
      profile,
      maxVersion: options.api === 2 ? 100 : 300,
      maxNameLength: maxNameLength(options),
      extensions: options.extensions ?? [],
    },
    diagnostics,
  );
  if (diagnostics.errorCount > 0) return undefined;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const parser = new Parser(
    preprocessed,
    { stage, profile, limits, maxNameLength: maxNameLength(options) },
    diagnostics,
  );
  parseShader(parser);
  if (diagnostics.errorCount > 0) return undefined;
  const shader = finishShader(parser);
  if (shader !== undefined && shader.version === 100) checkLimitations(shader, diagnostics);
  return shader;
}

export function compileShader(source: string, options: CompileOptions): CompileResult {
  const diagnostics = new Diagnostics();
  let shader: CheckedShader | undefined;
  try {
    shader = run(source, options, diagnostics);
  } catch (error) {
    if (error instanceof RangeError) {
      // Stack or memory ran out before a limit of ours did (the caller may have used most of the stack).
      diagnostics.list.push({ severity: 'error', position: 0, token: '', message: 'shader is too complex' });
    } else if (!(error instanceof CompilationAborted)) {
      throw error;
    }
    shader = undefined;
  }
  const log = diagnostics.list.map(formatDiagnostic).join('');
  const ok = shader !== undefined && diagnostics.errorCount === 0;
  const result = { ok, log, diagnostics: diagnostics.list };
  return ok && shader !== undefined ? { ...result, shader } : result;
}
