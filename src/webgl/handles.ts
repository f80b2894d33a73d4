// The objects that scripts hold (WebGLBuffer …): opaque, compared by identity, each one the only wrapper of its GL object.

import type { BufferObject } from '../gl/buffer-object.ts';
import type { Framebuffer } from '../gl/framebuffer-object.ts';
import type { GlObject } from '../gl/gl-object.ts';
import type { Program, ShaderObject } from '../gl/program-object.ts';
import type { QueryObject, SyncObject, TransformFeedbackObject } from '../gl/query-object.ts';
import type { Renderbuffer } from '../gl/renderbuffer-object.ts';
import type { Sampler } from '../gl/sampler-object.ts';
import type { Texture } from '../gl/texture-object.ts';
import type { VertexArrayObject } from '../gl/vertex-array-object.ts';
import type { Face } from './face.ts';

/** Only this module's makers know it, so that `new WebGLBuffer()` throws for everybody else. */
const TOKEN = Symbol('maker');

function checkToken(token: unknown): void {
  if (token !== TOKEN) throw new TypeError('Illegal constructor');
}

let ownerOf!: (handle: Handle<GlObject>) => Face;
let generationOf!: (handle: Handle<GlObject>) => number;
let targetOf!: <T extends GlObject>(handle: Handle<T>) => T;

export abstract class Handle<T extends GlObject> {
  readonly #face: Face;
  readonly #generation: number;
  readonly #object: T;

  static {
    ownerOf = (handle) => handle.#face;
    generationOf = (handle) => handle.#generation;
    targetOf = <U extends GlObject>(handle: Handle<U>): U => handle.#object;
  }

  constructor(token: symbol, face: Face, object: T) {
    checkToken(token);
    this.#face = face;
    this.#generation = face.generation;
    this.#object = object;
    object.handle = this;
  }
}

export class WebGLBuffer extends Handle<BufferObject> {}
export class WebGLFramebuffer extends Handle<Framebuffer> {}
export class WebGLProgram extends Handle<Program> {}
export class WebGLQuery extends Handle<QueryObject> {}
/** WebGL 1's queries have a class of their own (EXT_disjoint_timer_query). */
export class WebGLTimerQueryEXT extends Handle<QueryObject> {}
export class WebGLRenderbuffer extends Handle<Renderbuffer> {}
export class WebGLSampler extends Handle<Sampler> {}
export class WebGLShader extends Handle<ShaderObject> {}
export class WebGLSync extends Handle<SyncObject> {}
export class WebGLTexture extends Handle<Texture> {}
export class WebGLTransformFeedback extends Handle<TransformFeedbackObject> {}
export class WebGLVertexArrayObject extends Handle<VertexArrayObject> {}
/** WebGL 1's vertex arrays have a class of their own (OES_vertex_array_object). */
export class WebGLVertexArrayObjectOES extends Handle<VertexArrayObject> {}

type HandleClass<T extends GlObject, H extends Handle<T>> = new (token: symbol, face: Face, object: T) => H;

/** Makes the wrapper of a GL object that has none yet. */
export function wrap<T extends GlObject, H extends Handle<T>>(type: HandleClass<T, H>, face: Face, object: T): H {
  return new type(TOKEN, face, object);
}

/** The GL object of a handle. */
export function unwrap<T extends GlObject>(handle: Handle<T>): T;
export function unwrap<T extends GlObject>(handle: Handle<T> | null): T | null;
export function unwrap<T extends GlObject>(handle: Handle<T> | null): T | null {
  return handle === null ? null : targetOf(handle);
}

/** The wrapper that was handed out for a GL object; null for none. */
export function handleOf(object: GlObject | null): object | null {
  return object?.handle ?? null;
}

/** Whether the handle was made by this context since it was last restored. */
export function belongsTo(face: Face, handle: Handle<GlObject>): boolean {
  return ownerOf(handle) === face && generationOf(handle) === face.generation;
}

/** What each shader's last compilation compiled; its source may have been replaced since. */
const compiledSources = new WeakMap<WebGLShader, string>();

export function rememberCompiledSource(shader: WebGLShader): void {
  compiledSources.set(shader, unwrap(shader).source);
}

export function compiledSource(shader: WebGLShader): string {
  return compiledSources.get(shader) ?? '';
}

interface Location {
  readonly face: Face;
  readonly program: Program;
  /** The link that it belongs to: a later one makes it stale. */
  readonly link: number;
  readonly location: number;
}

let locationOf!: (handle: WebGLUniformLocation) => Location;

export class WebGLUniformLocation {
  readonly #location: Location;

  static {
    locationOf = (handle) => handle.#location;
  }

  constructor(token: symbol, location: Location) {
    checkToken(token);
    this.#location = location;
  }
}

export function makeLocation(face: Face, program: Program, location: number): WebGLUniformLocation {
  return new WebGLUniformLocation(TOKEN, { face, program, link: program.linkCount, location });
}

export { locationOf };

export class WebGLActiveInfo {
  readonly #info: { readonly name: string; readonly size: number; readonly type: number };

  constructor(token: symbol, info: { readonly name: string; readonly size: number; readonly type: number }) {
    checkToken(token);
    this.#info = info;
  }

  get name(): string {
    return this.#info.name;
  }

  get size(): number {
    return this.#info.size;
  }

  get type(): number {
    return this.#info.type;
  }
}

export function makeActiveInfo(info: { name: string; size: number; type: number } | undefined): WebGLActiveInfo | null {
  return info === undefined ? null : new WebGLActiveInfo(TOKEN, info);
}

interface Precision {
  readonly rangeMin: number;
  readonly rangeMax: number;
  readonly precision: number;
}

export class WebGLShaderPrecisionFormat {
  readonly #format: Precision;

  constructor(token: symbol, format: Precision) {
    checkToken(token);
    this.#format = format;
  }

  get rangeMin(): number {
    return this.#format.rangeMin;
  }

  get rangeMax(): number {
    return this.#format.rangeMax;
  }

  get precision(): number {
    return this.#format.precision;
  }
}

export function makePrecisionFormat(format: Precision | undefined): WebGLShaderPrecisionFormat | null {
  return format === undefined ? null : new WebGLShaderPrecisionFormat(TOKEN, format);
}

const HANDLE_CLASSES = [
  WebGLBuffer,
  WebGLFramebuffer,
  WebGLProgram,
  WebGLQuery,
  WebGLRenderbuffer,
  WebGLSampler,
  WebGLShader,
  WebGLSync,
  WebGLTexture,
  WebGLTimerQueryEXT,
  WebGLTransformFeedback,
  WebGLVertexArrayObject,
  WebGLVertexArrayObjectOES,
];

// In the specification these interfaces inherit from nothing that scripts can see.
for (const type of HANDLE_CLASSES) Object.setPrototypeOf(type.prototype, Object.prototype);

for (const type of [...HANDLE_CLASSES, WebGLUniformLocation, WebGLActiveInfo, WebGLShaderPrecisionFormat])
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });

// Attributes of WebIDL interfaces are enumerable.
for (const type of [WebGLActiveInfo, WebGLShaderPrecisionFormat])
  for (const name of Object.getOwnPropertyNames(type.prototype))
    if (name !== 'constructor') Object.defineProperty(type.prototype, name, { enumerable: true });
