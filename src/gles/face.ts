// The state of the GLES face: a GL context and the integer names of its objects.

import { listOf } from '../base/list.ts';
import { createBuffer } from '../gl/buffer-bindings.ts';
import type { BufferObject } from '../gl/buffer-object.ts';
import type { Context } from '../gl/context.ts';
import { invalidOperation, invalidValue, outOfMemory } from '../gl/errors.ts';
import { createFramebuffer } from '../gl/framebuffer.ts';
import type { Framebuffer } from '../gl/framebuffer-object.ts';
import { Program, ShaderObject } from '../gl/program-object.ts';
import { createProgram } from '../gl/programs.ts';
import { createQuery } from '../gl/queries.ts';
import type { QueryObject, SyncObject, TransformFeedbackObject } from '../gl/query-object.ts';
import { createRenderbuffer } from '../gl/renderbuffer.ts';
import type { Renderbuffer } from '../gl/renderbuffer-object.ts';
import { createSampler } from '../gl/sampler.ts';
import type { Sampler } from '../gl/sampler-object.ts';
import { createTexture } from '../gl/texture.ts';
import type { Texture } from '../gl/texture-object.ts';
import { createTransformFeedback } from '../gl/transform-feedback.ts';
import type { VertexArrayObject } from '../gl/vertex-array-object.ts';
import { createVertexArray } from '../gl/vertex-arrays.ts';
import { NameTable } from './name-table.ts';

export class GlesFace {
  readonly context: Context;
  readonly buffers = new NameTable<BufferObject>(createBuffer);
  readonly textures = new NameTable<Texture>(createTexture);
  readonly samplers = new NameTable<Sampler>(createSampler);
  readonly renderbuffers = new NameTable<Renderbuffer>(createRenderbuffer);
  readonly framebuffers = new NameTable<Framebuffer>(createFramebuffer);
  readonly vertexArrays = new NameTable<VertexArrayObject>(createVertexArray);
  readonly queries = new NameTable<QueryObject>(createQuery);
  readonly transformFeedbacks = new NameTable<TransformFeedbackObject>(createTransformFeedback);
  /** Shaders and programs share one namespace (ES 3.0.6 §2.12). */
  readonly shaderObjects = new NameTable<ShaderObject | Program>(createProgram);

  constructor(context: Context) {
    this.context = context;
  }

  /** The program of a name; INVALID_VALUE for no object, INVALID_OPERATION for a shader (ES 3.0.6 §2.12.3). */
  program(call: string, name: number): Program | undefined {
    const object = this.shaderObjects.find(name);
    if (object instanceof Program) return object;
    if (object === undefined) return invalidValue(this.context, call, `${name} is no program`);
    return invalidOperation(this.context, call, `${name} is a shader, not a program`);
  }

  shader(call: string, name: number): ShaderObject | undefined {
    const object = this.shaderObjects.find(name);
    if (object instanceof ShaderObject) return object;
    if (object === undefined) return invalidValue(this.context, call, `${name} is no shader`);
    return invalidOperation(this.context, call, `${name} is a program, not a shader`);
  }
}

/** A sync object as the face hands it out; opaque to the caller. */
export type GLsync = SyncObject;

/** A negative size or count is INVALID_VALUE in every call (ES 3.0.6 §2.5). True: it was recorded. */
export function isNegative(face: GlesFace, call: string, what: string, value: number | undefined): boolean {
  if (value === undefined || value >= 0) return false;
  invalidValue(face.context, call, `${what} ${value} is negative`);
  return true;
}

/** The first `count` of the values handed in, as far as they are there; undefined after an error. */
export function listed<T>(face: GlesFace, call: string, count: number, values: ArrayLike<T>): T[] | undefined {
  if (isNegative(face, call, 'count', count)) return undefined;
  return listOf(Math.min(count, values.length), (i) => values[i]!);
}

/** A count beyond this is a mistake, not a wish: it would take minutes and all memory. */
const MAX_NAMES_A_CALL = 1 << 20;

/** Generates `n` names into `names`. */
export function generateNames(
  face: GlesFace,
  call: string,
  table: { generate(): number },
  n: number,
  names: { [index: number]: number },
): void {
  if (isNegative(face, call, 'n', n)) return;
  if (n > MAX_NAMES_A_CALL) return outOfMemory(face.context, call, `${n} names are too many at once`);
  for (let i = 0; i < n; i++) names[i] = table.generate();
}

/** Deletes `n` names; 0 and unknown names are ignored silently, as ES wants it. */
export function deleteNames<T>(
  face: GlesFace,
  call: string,
  table: { remove(name: number): T | undefined },
  n: number,
  names: ArrayLike<number>,
  remove: (context: Context, object: T) => void,
): void {
  if (isNegative(face, call, 'n', n)) return;
  // What the memory handed in does not hold is not read.
  const count = Math.min(n, names.length);
  for (let i = 0; i < count; i++) {
    const name = names[i]!;
    if (name === 0) continue;
    const object = table.remove(name);
    if (object !== undefined) remove(face.context, object);
  }
}
