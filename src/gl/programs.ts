// Program objects: attaching, linking, using, validating (ES 3.0.6 §2.12.3).

import { TooComplexError } from '../base/too-complex.ts';
import { linkCached } from './compile-cache.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { accepts, FEEDBACK_BUFFER_MODES, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { exchange } from './gl-object.ts';
import { createExecutable, destroyExecutable, type Executable } from './program-executable.ts';
import { Program, type ShaderObject } from './program-object.ts';
import { samplerConflict } from './uniforms.ts';

export function createProgram(context: Context): Program {
  return context.track(new Program(GL.INTERLEAVED_ATTRIBS));
}

export function attachShader(context: Context, program: Program, shader: ShaderObject): void {
  const isVertex = shader.type === GL.VERTEX_SHADER;
  if ((isVertex ? program.vertexShader : program.fragmentShader) !== null)
    return invalidOperation(
      context,
      'attachShader',
      `the program has a ${isVertex ? 'vertex' : 'fragment'} shader already`,
    );
  shader.retain();
  if (isVertex) program.vertexShader = shader;
  else program.fragmentShader = shader;
}

export function detachShader(context: Context, program: Program, shader: ShaderObject): void {
  if (program.vertexShader === shader) program.vertexShader = null;
  else if (program.fragmentShader === shader) program.fragmentShader = null;
  else return invalidOperation(context, 'detachShader', 'the shader is not attached');
  shader.release(context);
}

export function attachedShaders(program: Program): ShaderObject[] {
  return [program.vertexShader, program.fragmentShader].filter((shader) => shader !== null);
}

export function bindAttribLocation(context: Context, program: Program, index: number, name: string): void {
  const call = 'bindAttribLocation';
  if (!(index >= 0 && index < context.limits.maxVertexAttribs))
    return invalidValue(context, call, `index ${index} is not below MAX_VERTEX_ATTRIBS`);
  if (name.startsWith('gl_')) return invalidOperation(context, call, `${name} is a reserved name`);
  program.attributeBindings.set(name, index);
}

export function transformFeedbackVaryings(
  context: Context,
  program: Program,
  varyings: readonly string[],
  bufferMode: number,
): void {
  const call = 'transformFeedbackVaryings';
  if (!accepts(context, FEEDBACK_BUFFER_MODES, bufferMode)) return invalidEnum(context, call, 'bufferMode', bufferMode);
  const separateLimit = context.limits.maxTransformFeedbackSeparateAttribs;
  if (bufferMode === GL.SEPARATE_ATTRIBS && varyings.length > separateLimit)
    return invalidValue(
      context,
      call,
      `${varyings.length} varyings, at most ${separateLimit} can be captured separately`,
    );
  program.feedbackVaryings = [...varyings];
  program.feedbackMode = bufferMode;
}

/** A program that an active transform feedback object uses may not change (ES 3.0.6 §2.15.2). */
function isUsedByActiveFeedback(context: Context, program: Program): boolean {
  for (const object of context.feedbackObjects) if (object.active && object.program === program) return true;
  return false;
}

export function linkProgram(context: Context, program: Program): void {
  if (isUsedByActiveFeedback(context, program))
    return invalidOperation(context, 'linkProgram', 'transform feedback with this program is active');
  if (context.program === program) context.dirty |= DIRTY.PROGRAM;
  program.linkStatus = false;
  program.validateStatus = false;
  program.linkCount++;
  program.linked = null;
  program.infoLog = '';
  const vertex = program.vertexShader;
  const fragment = program.fragmentShader;
  const failure = attachmentProblem(vertex, fragment);
  if (failure !== null) {
    program.infoLog = `ERROR: ${failure}\n`;
    return;
  }
  const result = linkCached(vertex!.compiled!, fragment!.compiled!, {
    // Results are kept: nothing of them may change with the program.
    attribBindings: new Map(program.attributeBindings),
    transformFeedbackVaryings: program.feedbackVaryings,
    transformFeedbackMode: toPipe(FEEDBACK_BUFFER_MODES, program.feedbackMode),
    limits: context.limits,
    profile: context.rules.webgl ? 'webgl' : 'gles',
    optimize: context.screen.caps.compiler,
  });
  program.infoLog = result.log;
  if (!result.ok || result.program === undefined) return;
  let executable: Executable;
  try {
    executable = createExecutable(context, result.program);
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    program.infoLog = `${result.log}ERROR: ${error.message}\n`;
    return;
  }
  // Only now is the old code given up: a failed relink leaves it in use.
  if (program.executable) destroyExecutable(context, program.executable);
  program.executable = executable;
  program.linked = result.program;
  program.linkStatus = true;
}

function attachmentProblem(vertex: ShaderObject | null, fragment: ShaderObject | null): string | null {
  if (vertex === null) return 'no vertex shader is attached';
  if (fragment === null) return 'no fragment shader is attached';
  if (!vertex.compiled?.ok) return 'the attached vertex shader is not compiled';
  if (!fragment.compiled?.ok) return 'the attached fragment shader is not compiled';
  return null;
}

export function useProgram(context: Context, program: Program | null): void {
  const feedback = context.transformFeedback;
  if (feedback.active && !feedback.paused)
    return invalidOperation(context, 'useProgram', 'transform feedback is active and not paused');
  if (program !== null && !program.linkStatus)
    return invalidOperation(context, 'useProgram', 'the program is not linked successfully');
  if (context.program === program) return;
  context.program = exchange(context, context.program, program);
  context.dirty |= DIRTY.PROGRAM;
}

export function deleteProgram(context: Context, program: Program): void {
  if (!program.deleted) program.delete(context);
}

/** Whether the program could run with the state of now (ES 3.0.6 §2.12.8). */
export function validateProgram(_context: Context, program: Program): void {
  const conflict = program.executable === null ? null : samplerConflict(program.executable);
  program.validateStatus = program.linkStatus && conflict === null;
  if (!program.linkStatus) program.infoLog = 'ERROR: the program is not linked\n';
  else program.infoLog = conflict === null ? '' : `ERROR: ${conflict}\n`;
}
