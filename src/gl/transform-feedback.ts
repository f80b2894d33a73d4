// Transform feedback objects: begin, pause, resume, end, and the stream-output targets below (ES 3.0.6 §2.15).

import { boundRangeBytes } from './buffer-bindings.ts';
import { contentsChanged, isBoundElsewhere } from './buffer-data.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { accepts, FEEDBACK_PRIMITIVE_MODES, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation, outOfMemory } from './errors.ts';
import { exchange } from './gl-object.ts';
import type { Executable } from './program-executable.ts';
import { TransformFeedbackObject } from './query-object.ts';

export function createTransformFeedback(context: Context): TransformFeedbackObject {
  const object = new TransformFeedbackObject(context.limits.maxTransformFeedbackSeparateAttribs);
  context.feedbackObjects.add(object);
  return context.track(object);
}

/** null binds the default object. */
export function bindTransformFeedback(context: Context, object: TransformFeedbackObject | null): void {
  const current = context.transformFeedback;
  if (current.active && !current.paused)
    return invalidOperation(context, 'bindTransformFeedback', 'transform feedback is active and not paused');
  const next = object ?? context.defaultTransformFeedback;
  next.wasBound = true;
  context.transformFeedback = exchange(context, current, next);
  context.dirty |= DIRTY.TRANSFORM_FEEDBACK;
}

export function deleteTransformFeedback(context: Context, object: TransformFeedbackObject): void {
  if (object.deleted) return;
  if (object.active) return invalidOperation(context, 'deleteTransformFeedbacks', 'the object is active');
  if (context.transformFeedback === object) bindTransformFeedback(context, null);
  object.delete(context);
}

export function beginTransformFeedback(context: Context, primitiveMode: number): void {
  const call = 'beginTransformFeedback';
  const object = context.transformFeedback;
  if (!accepts(context, FEEDBACK_PRIMITIVE_MODES, primitiveMode))
    return invalidEnum(context, call, 'primitiveMode', primitiveMode);
  if (object.active) return invalidOperation(context, call, 'transform feedback is active already');
  const executable = context.program?.executable ?? null;
  if (executable === null) return invalidOperation(context, call, 'no program is in use');
  const feedback = executable.linked.feedback;
  if (feedback === undefined || feedback.varyings.length === 0)
    return invalidOperation(context, call, 'the program has no transform feedback varyings');
  for (let i = 0; i < feedback.strideWords.length; i++)
    if (object.bindings[i]!.buffer === null) return invalidOperation(context, call, `no buffer is bound to index ${i}`);
  if (context.rules.webgl && hasDoubleBinding(object))
    return invalidOperation(context, call, 'one buffer is bound to several indices');
  if (!createTargets(context, object, executable)) return outOfMemory(context, call, 'no memory for the targets');

  object.active = true;
  object.paused = false;
  object.started = false;
  object.primitiveMode = primitiveMode;
  object.capturedVertices = 0;
  object.program = exchange(context, object.program, context.program);
  context.dirty |= DIRTY.TRANSFORM_FEEDBACK;
}

/** Also where the program writes nothing. */
function hasDoubleBinding(object: TransformFeedbackObject): boolean {
  const buffers = object.bindings.map((binding) => binding.buffer).filter((buffer) => buffer !== null);
  return new Set(buffers).size !== buffers.length;
}

function createTargets(context: Context, object: TransformFeedbackObject, executable: Executable): boolean {
  const strides = executable.linked.feedback!.strideWords;
  let capacity = Number.POSITIVE_INFINITY;
  for (const target of object.targets) target.destroy();
  object.targets = [];
  for (let i = 0; i < strides.length; i++) {
    const binding = object.bindings[i]!;
    const bytes = boundRangeBytes(binding);
    const resource = binding.buffer!.resource;
    capacity = Math.min(capacity, strides[i]! === 0 ? capacity : Math.floor(bytes / (strides[i]! * 4)));
    // A buffer without storage holds no vertex: every draw is then an error, so no target is needed.
    if (resource === null || bytes === 0) continue;
    object.targets.push(context.pipe.createStreamOutputTarget(resource, binding.offset, bytes));
  }
  object.capacityVertices = capacity;
  return true;
}

export function endTransformFeedback(context: Context): void {
  const object = context.transformFeedback;
  if (!object.active) return invalidOperation(context, 'endTransformFeedback', 'transform feedback is not active');
  object.active = false;
  object.paused = false;
  object.program = exchange(context, object.program, null);
  context.pipe.setStreamOutputTargets([], true);
  for (const target of object.targets) target.destroy();
  object.targets = [];
  context.dirty |= DIRTY.TRANSFORM_FEEDBACK;
}

export function pauseTransformFeedback(context: Context): void {
  const object = context.transformFeedback;
  if (!object.active || object.paused)
    return invalidOperation(context, 'pauseTransformFeedback', 'transform feedback is not active, or paused already');
  object.paused = true;
  context.dirty |= DIRTY.TRANSFORM_FEEDBACK;
}

export function resumeTransformFeedback(context: Context): void {
  const object = context.transformFeedback;
  if (!object.active || !object.paused)
    return invalidOperation(context, 'resumeTransformFeedback', 'transform feedback is not paused');
  if (object.program !== context.program)
    return invalidOperation(
      context,
      'resumeTransformFeedback',
      'the program in use is not the one feedback began with',
    );
  object.paused = false;
  context.dirty |= DIRTY.TRANSFORM_FEEDBACK;
}

/** Atom of DIRTY.TRANSFORM_FEEDBACK. */
export function updateTransformFeedback(context: Context): void {
  const object = context.transformFeedback;
  const isOn = object.active && !object.paused;
  context.pipe.setStreamOutputTargets(isOn ? object.targets : [], object.started || !isOn);
  if (isOn) object.started = true;
}

/** Vertices that a draw captures: whole primitives only. */
function capturedVertices(context: Context, count: number, instances: number): number {
  const perPrimitive = toPipe(FEEDBACK_PRIMITIVE_MODES, context.transformFeedback.primitiveMode);
  return (count - (count % perPrimitive)) * instances;
}

/** Rules for draws while feedback runs (ES 3.0.6 §2.15.2). `count` null: an indexed draw. Records and returns false when not allowed. */
export function checkFeedbackDraw(
  context: Context,
  call: string,
  mode: number,
  count: number | null,
  instances: number,
): boolean {
  const object = context.transformFeedback;
  if (!object.active || object.paused) return true;
  if (count === null) {
    invalidOperation(context, call, 'indexed draws are not allowed while transform feedback is active');
    return false;
  }
  if (mode !== object.primitiveMode) {
    invalidOperation(context, call, 'the mode is not the one given to beginTransformFeedback');
    return false;
  }
  if (context.rules.feedbackLoopIsError) {
    for (const { buffer } of object.bindings) {
      if (buffer === null || !isBoundElsewhere(context, buffer)) continue;
      invalidOperation(context, call, 'a transform feedback buffer is bound to another target too');
      return false;
    }
  }
  if (object.capturedVertices + capturedVertices(context, count, instances) > object.capacityVertices) {
    invalidOperation(context, call, 'the transform feedback buffers are too small for this draw');
    return false;
  }
  return true;
}

/** Whether the draws of a multi-draw fit into the feedback buffers together. */
export function checkFeedbackRoom(
  context: Context,
  call: string,
  counts: ArrayLike<number>,
  instanceCounts: ArrayLike<number> | null,
  drawCount: number,
): boolean {
  const object = context.transformFeedback;
  if (!object.active || object.paused) return true;
  let total = object.capturedVertices;
  for (let i = 0; i < drawCount; i++) total += capturedVertices(context, counts[i]!, instanceCounts?.[i] ?? 1);
  if (total <= object.capacityVertices) return true;
  invalidOperation(context, call, 'the transform feedback buffers are too small for these draws');
  return false;
}

/** After a captured draw: counts its vertices and tells the buffers that they changed. */
export function feedbackDrawn(context: Context, count: number, instances: number): void {
  const object = context.transformFeedback;
  if (!object.active || object.paused) return;
  object.capturedVertices += capturedVertices(context, count, instances);
  for (const { buffer } of object.bindings) if (buffer !== null) contentsChanged(buffer);
}
