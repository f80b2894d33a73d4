// Contexts and programs for the tests of this folder. The screen is the test's: only tests may import a backend.

import type { Screen, ScreenOptions } from '../pipe/screen.ts';
import { GL } from './constants.ts';
import { Context, type ContextRules, GLES_RULES, WEBGL_RULES } from './context.ts';
import { getError } from './errors.ts';
import type { Program } from './program-object.ts';
import { attachShader, createProgram, linkProgram, useProgram } from './programs.ts';
import { compileShader, createShader, shaderSource } from './shaders.ts';

export interface TestOptions {
  version?: 2 | 3;
  webgl?: boolean;
  rules?: Partial<ContextRules>;
  memoryLimitBytes?: number;
}

/** Makes contexts of 16 × 16 pixels with all extensions on, each on a screen of its own. */
export function contextMaker(createScreen: (options: ScreenOptions) => Screen): (options?: TestOptions) => Context {
  return (options = {}) => {
    const { memoryLimitBytes } = options;
    return new Context(createScreen(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }), {
      version: options.version ?? 3,
      rules: { ...(options.webgl ? WEBGL_RULES : GLES_RULES), ...options.rules },
      framebuffer: { width: 16, height: 16, alpha: true, depth: true, stencil: true, samples: 0 },
      enableAllExtensions: true,
    });
  };
}

export const VERTEX_SHADER = 'attribute vec4 position; void main() { gl_Position = position; }';
export const FRAGMENT_SHADER = 'precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }';

/** Compiles, links and uses a program; throws with the log when that fails. */
export function testProgram(
  context: Context,
  vertex = VERTEX_SHADER,
  fragment = FRAGMENT_SHADER,
  beforeLink?: (program: Program) => void,
): Program {
  const program = createProgram(context);
  for (const [type, source] of [
    [GL.VERTEX_SHADER, vertex],
    [GL.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = createShader(context, type)!;
    shaderSource(context, shader, source);
    compileShader(context, shader);
    if (!shader.compiled?.ok) throw new Error(shader.infoLog);
    attachShader(context, program, shader);
  }
  beforeLink?.(program);
  linkProgram(context, program);
  if (!program.linkStatus) throw new Error(program.infoLog);
  useProgram(context, program);
  return program;
}

/** Names of all pending errors, in order; clears them. */
export function takeErrors(context: Context): string[] {
  const names: string[] = [];
  for (let code = getError(context); code !== GL.NO_ERROR; code = getError(context))
    names.push(
      {
        [GL.INVALID_ENUM]: 'INVALID_ENUM',
        [GL.INVALID_VALUE]: 'INVALID_VALUE',
        [GL.INVALID_OPERATION]: 'INVALID_OPERATION',
        [GL.OUT_OF_MEMORY]: 'OUT_OF_MEMORY',
        [GL.INVALID_FRAMEBUFFER_OPERATION]: 'INVALID_FRAMEBUFFER_OPERATION',
      }[code] ?? String(code),
    );
  return names;
}
