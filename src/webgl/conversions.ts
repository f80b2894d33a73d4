// The kinds of `signatures.table.ts`: each with its WebIDL conversion, and whether the object must be valid in the context.

import * as handles from './handles.ts';
import type { Conversion, InterfaceType } from './webidl.ts';
import * as webidl from './webidl.ts';

export interface Kind {
  readonly convert: Conversion | null;
  /** An object that must belong to the context and be alive when it is given. */
  readonly isChecked: boolean;
}

const VALUES: Readonly<Record<string, Conversion | null>> = {
  any: null,
  enum: webidl.toUint32,
  uint: webidl.toUint32,
  int: webidl.toInt32,
  int64: webidl.toInt64,
  uint64: webidl.toUint64,
  float: webidl.toFloat,
  bool: webidl.toBoolean,
  string: webidl.toDomString,
  floats: webidl.toFloat32List,
  ints: webidl.toInt32List,
  uints: webidl.toUint32List,
  enums: webidl.toEnums,
  strings: webidl.toStrings,
  view: webidl.toView,
  'view?': webidl.toNullableView,
  source: webidl.toBufferSource,
  /** `(GLsizeiptr or AllowSharedBufferSource?)`. */
  sizeOrSource: (value) => {
    if (value === null || value === undefined) return null;
    return webidl.isBufferSource(value) ? value : webidl.toInt64(value);
  },
};

const INTERFACES: Readonly<Record<string, InterfaceType>> = {
  Buffer: handles.WebGLBuffer,
  Framebuffer: handles.WebGLFramebuffer,
  Program: handles.WebGLProgram,
  Query: handles.WebGLQuery,
  Renderbuffer: handles.WebGLRenderbuffer,
  Sampler: handles.WebGLSampler,
  Shader: handles.WebGLShader,
  Sync: handles.WebGLSync,
  Texture: handles.WebGLTexture,
  TimerQueryEXT: handles.WebGLTimerQueryEXT,
  TransformFeedback: handles.WebGLTransformFeedback,
  VertexArrayObject: handles.WebGLVertexArrayObject,
  VertexArrayObjectOES: handles.WebGLVertexArrayObjectOES,
  Location: handles.WebGLUniformLocation,
};

const kinds = new Map<string, Kind>();

/** The kind that a word of the table names. */
export function kindOf(word: string): Kind {
  let kind = kinds.get(word);
  if (kind === undefined) kinds.set(word, (kind = makeKind(word)));
  return kind;
}

function makeKind(word: string): Kind {
  if (Object.hasOwn(VALUES, word)) return { convert: VALUES[word]!, isChecked: false };
  const name = word.replace(/[?*]$/, '');
  const type = INTERFACES[name];
  if (type === undefined) throw new Error(`signatures: unknown kind '${word}'`);
  const convert = name === word ? webidl.required(type) : webidl.nullable(type);
  return { convert, isChecked: !word.endsWith('*') && name !== 'Location' };
}
