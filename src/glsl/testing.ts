// Short cuts of the front end's tests: wrap a statement in a shader, compile, look at the outcome.

import type { CheckedShader } from './ast.ts';
import { type CompileOptions, compileShader } from './compile.ts';

const GLES3: CompileOptions = { stage: 'fragment', profile: 'gles', api: 3 };

/** First error as `token : message`, or `ok`. */
export function outcome(source: string, options: Partial<CompileOptions> = {}): string {
  const { ok, diagnostics } = compileShader(source, { ...GLES3, ...options });
  if (ok) return 'ok';
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return error === undefined ? 'no error given' : `${error.token} : ${error.message}`;
}

/** The checked shader; throws with the log if there is none. */
export function compiled(source: string, options: Partial<CompileOptions> = {}): CheckedShader {
  const { shader, log } = compileShader(source, { ...GLES3, ...options });
  if (shader === undefined) throw new Error(log);
  return shader;
}

/** A GLSL ES 3.00 fragment shader with these global declarations and statements in main. */
export function fragment300(body: string, globals = ''): string {
  return `#version 300 es\nprecision highp float;\nuniform float u;\nuniform int n;\nout vec4 color;\n${globals}\nvoid main() {\n${body}\n}`;
}

/** A GLSL ES 1.00 fragment shader. */
export function fragment100(body: string, globals = ''): string {
  return `precision highp float;\nuniform float u;\nuniform int n;\n${globals}\nvoid main() {\n${body}\n}`;
}
