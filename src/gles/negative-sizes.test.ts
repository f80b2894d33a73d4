// A negative size or count is INVALID_VALUE in every call that takes one (ES 3.0.6 §2.5). Which parameters these are is read off
// the entry points themselves, so that none can be forgotten: each needs a right call in the table.

import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { ES2, ES3, EXTENSION_POINTS } from './entry-points.ts';
import { createGlesContext, type EntryPointName, type GlesContext } from './index.ts';
import { useProgram } from './testing.ts';

const SIZES =
  /^_?(n|count|size|width|height|depth|length|bufSize|maxCount|maxLength|stride|instances|drawCount|imageSize|samples|levels)$/;
/** Parameters that are called like sizes and are none, and one of a function that ES 3.0 does not have: it has its own test. */
const NO_SIZES: readonly string[] = [
  'glClearBufferfi depth',
  'glClearDepthf depth',
  'glClipControlEXT depth',
  'glLineWidth width',
  'glDiscardFramebufferEXT n',
];

const ENTRY_POINTS = { ...ES2, ...ES3, ...EXTENSION_POINTS };

function parameterNames(name: string): string[] {
  const source = String(ENTRY_POINTS[name as keyof typeof ENTRY_POINTS]);
  const list = /\(([^)]*)\)/.exec(source)![1]!;
  const names = list.split(',').map((one) => /[\w$]+/.exec(one)?.[0] ?? '');
  return names.slice(1);
}

function sizesOf(name: string): number[] {
  return parameterNames(name).flatMap((parameter, at) =>
    SIZES.test(parameter) && !NO_SIZES.includes(`${name} ${parameter}`) ? [at] : [],
  );
}

interface Scene {
  readonly gl: GlesContext;
  readonly program: number;
  readonly shader: number;
  readonly buffer: number;
  readonly sync: ReturnType<GlesContext['glFenceSync']>;
}

const VERTEX =
  '#version 300 es\nin vec4 position; out vec4 v; uniform Block { vec4 b; }; uniform float u;' +
  'void main() { v = b * u; gl_Position = position; }';
const FRAGMENT = '#version 300 es\nprecision mediump float; in vec4 v; out vec4 o; void main() { o = v; }';

function open(): Scene {
  const gl = createGlesContext({ width: 8, height: 8, api: 3, backend: nullBackend });
  const program = useProgram(gl, VERTEX, FRAGMENT);
  const names: number[] = [];
  gl.glGetAttachedShaders(program, 1, null, names);
  const [shader] = names as [number];
  gl.glTransformFeedbackVaryings(program, 1, ['v'], gl.GL_INTERLEAVED_ATTRIBS);
  gl.glLinkProgram(program);
  gl.glUseProgram(program);
  gl.glGenBuffers(1, names);
  const [buffer] = names as [number];
  for (const target of [gl.GL_ARRAY_BUFFER, gl.GL_ELEMENT_ARRAY_BUFFER, gl.GL_COPY_READ_BUFFER])
    gl.glBindBuffer(target, buffer);
  gl.glBufferData(gl.GL_ARRAY_BUFFER, 64, null, gl.GL_STATIC_DRAW);
  gl.glGenRenderbuffers(1, names);
  gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, names[0]!);
  gl.glGenTextures(2, names);
  for (const [index, target] of [gl.GL_TEXTURE_2D, gl.GL_TEXTURE_3D].entries()) gl.glBindTexture(target, names[index]!);
  return { gl, program, shader, buffer, sync: gl.glFenceSync(gl.GL_SYNC_GPU_COMMANDS_COMPLETE, 0) };
}

const PIXELS = new Uint8Array(1024);

/** The texture images that sub-image calls write to. */
function withImages({ gl }: Scene, isCompressed = false): void {
  const format = isCompressed ? gl.GL_COMPRESSED_RGBA8_ETC2_EAC : gl.GL_RGBA8;
  gl.glTexStorage2D(gl.GL_TEXTURE_2D, 1, format, 8, 8);
  if (!isCompressed) gl.glTexStorage3D(gl.GL_TEXTURE_3D, 1, format, 8, 8, 2);
}

const generate = (): unknown[] => [1, [0]];
const remove = (): unknown[] => [1, [0]];
const uniform = (size: number) => (): unknown[] => [-1, 1, new Float32Array(size)];
const matrix = (size: number) => (): unknown[] => [-1, 1, false, new Float32Array(size)];
const elements = ({ gl }: Scene): unknown[] => [gl.GL_TRIANGLES, 3, gl.GL_UNSIGNED_SHORT, 0];

/** Arguments of a call that records no error. */
const RIGHT: Partial<Record<EntryPointName, (scene: Scene) => unknown[]>> = {
  glViewport: () => [0, 0, 1, 1],
  glScissor: () => [0, 0, 1, 1],
  glGetSynciv: ({ gl, sync }) => [sync, gl.GL_SYNC_STATUS, 1, [], []],

  glGenBuffers: generate,
  glGenTextures: generate,
  glGenRenderbuffers: generate,
  glGenFramebuffers: generate,
  glGenVertexArrays: generate,
  glGenTransformFeedbacks: generate,
  glGenQueries: generate,
  glGenSamplers: generate,
  glDeleteBuffers: remove,
  glDeleteTextures: remove,
  glDeleteRenderbuffers: remove,
  glDeleteFramebuffers: remove,
  glDeleteVertexArrays: remove,
  glDeleteTransformFeedbacks: remove,
  glDeleteQueries: remove,
  glDeleteSamplers: remove,

  glBufferData: ({ gl }) => [gl.GL_ARRAY_BUFFER, 64, null, gl.GL_STATIC_DRAW],
  glBufferSubData: ({ gl }) => [gl.GL_ARRAY_BUFFER, 0, 4, PIXELS],
  glBindBufferRange: ({ gl, buffer }) => [gl.GL_UNIFORM_BUFFER, 0, buffer, 0, 16],
  glCopyBufferSubData: ({ gl }) => [gl.GL_COPY_READ_BUFFER, gl.GL_ARRAY_BUFFER, 0, 32, 16],
  glMapBufferRange: ({ gl }) => [gl.GL_ARRAY_BUFFER, 0, 16, gl.GL_MAP_READ_BIT],
  glFlushMappedBufferRange: ({ gl }) => {
    gl.glMapBufferRange(gl.GL_ARRAY_BUFFER, 0, 16, gl.GL_MAP_WRITE_BIT | gl.GL_MAP_FLUSH_EXPLICIT_BIT);
    return [gl.GL_ARRAY_BUFFER, 0, 16];
  },
  glVertexAttribPointer: ({ gl }) => [0, 4, gl.GL_FLOAT, false, 0, 0],
  glVertexAttribIPointer: ({ gl }) => [0, 4, gl.GL_INT, 0, 0],

  glDrawArrays: ({ gl }) => [gl.GL_TRIANGLES, 0, 3],
  glDrawElements: elements,
  glDrawArraysInstanced: ({ gl }) => [gl.GL_TRIANGLES, 0, 3, 1],
  glDrawElementsInstanced: (scene) => [...elements(scene), 1],
  glDrawRangeElements: ({ gl }) => [gl.GL_TRIANGLES, 0, 1, 3, gl.GL_UNSIGNED_SHORT, 0],
  glMultiDrawArraysEXT: ({ gl }) => [gl.GL_TRIANGLES, [0], [3], 1],
  glMultiDrawArraysANGLE: ({ gl }) => [gl.GL_TRIANGLES, [0], [3], 1],
  glMultiDrawArraysInstancedANGLE: ({ gl }) => [gl.GL_TRIANGLES, [0], [3], [1], 1],
  glMultiDrawArraysInstancedBaseInstanceANGLE: ({ gl }) => [gl.GL_TRIANGLES, [0], [3], [1], [0], 1],
  glMultiDrawElementsEXT: ({ gl }) => [gl.GL_TRIANGLES, [3], gl.GL_UNSIGNED_SHORT, [0], 1],
  glMultiDrawElementsANGLE: ({ gl }) => [gl.GL_TRIANGLES, [3], gl.GL_UNSIGNED_SHORT, [0], 1],
  glMultiDrawElementsInstancedANGLE: ({ gl }) => [gl.GL_TRIANGLES, [3], gl.GL_UNSIGNED_SHORT, [0], [1], 1],
  glMultiDrawElementsBaseVertexEXT: ({ gl }) => [gl.GL_TRIANGLES, [3], gl.GL_UNSIGNED_SHORT, [0], 1, [0]],
  glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE: ({ gl }) => [
    gl.GL_TRIANGLES,
    [3],
    gl.GL_UNSIGNED_SHORT,
    [0],
    [1],
    [0],
    [0],
    1,
  ],
  glDrawElementsBaseVertexEXT: (scene) => [...elements(scene), 0],
  glDrawElementsBaseVertexOES: (scene) => [...elements(scene), 0],
  glDrawRangeElementsBaseVertexEXT: ({ gl }) => [gl.GL_TRIANGLES, 0, 1, 3, gl.GL_UNSIGNED_SHORT, 0, 0],
  glDrawRangeElementsBaseVertexOES: ({ gl }) => [gl.GL_TRIANGLES, 0, 1, 3, gl.GL_UNSIGNED_SHORT, 0, 0],
  glDrawElementsInstancedBaseVertexEXT: (scene) => [...elements(scene), 1, 0],
  glDrawElementsInstancedBaseVertexOES: (scene) => [...elements(scene), 1, 0],
  glDrawArraysInstancedBaseInstanceEXT: ({ gl }) => [gl.GL_TRIANGLES, 0, 3, 1, 0],
  glDrawArraysInstancedBaseInstanceANGLE: ({ gl }) => [gl.GL_TRIANGLES, 0, 3, 1, 0],
  glDrawElementsInstancedBaseInstanceEXT: (scene) => [...elements(scene), 1, 0],
  glDrawElementsInstancedBaseVertexBaseInstanceEXT: (scene) => [...elements(scene), 1, 0, 0],
  glDrawElementsInstancedBaseVertexBaseInstanceANGLE: (scene) => [...elements(scene), 1, 0, 0],

  glShaderSource: ({ shader }) => [shader, 1, ['void main() {}'], null],
  glGetShaderInfoLog: ({ shader }) => [shader, 8, []],
  glGetShaderSource: ({ shader }) => [shader, 8, []],
  glGetProgramInfoLog: ({ program }) => [program, 8, []],
  glGetAttachedShaders: ({ program }) => [program, 2, null, []],
  glGetActiveAttrib: ({ program }) => [program, 0, 8, [], [], []],
  glGetActiveUniform: ({ program }) => [program, 0, 8, [], [], []],
  glGetUniformIndices: ({ program }) => [program, 2, ['u', 'b'], []],
  glGetActiveUniformsiv: ({ gl, program }) => [program, 1, [0], gl.GL_UNIFORM_TYPE, []],
  glGetActiveUniformBlockName: ({ program }) => [program, 0, 8, []],
  glTransformFeedbackVaryings: ({ gl, program }) => [program, 1, ['v'], gl.GL_INTERLEAVED_ATTRIBS],
  glGetTransformFeedbackVarying: ({ program }) => [program, 0, 8, [], [], []],

  glUniform1fv: uniform(1),
  glUniform2fv: uniform(2),
  glUniform3fv: uniform(3),
  glUniform4fv: uniform(4),
  glUniform1iv: uniform(1),
  glUniform2iv: uniform(2),
  glUniform3iv: uniform(3),
  glUniform4iv: uniform(4),
  glUniform1uiv: uniform(1),
  glUniform2uiv: uniform(2),
  glUniform3uiv: uniform(3),
  glUniform4uiv: uniform(4),
  glUniformMatrix2fv: matrix(4),
  glUniformMatrix3fv: matrix(9),
  glUniformMatrix4fv: matrix(16),
  glUniformMatrix2x3fv: matrix(6),
  glUniformMatrix3x2fv: matrix(6),
  glUniformMatrix2x4fv: matrix(8),
  glUniformMatrix4x2fv: matrix(8),
  glUniformMatrix3x4fv: matrix(12),
  glUniformMatrix4x3fv: matrix(12),

  glTexImage2D: ({ gl }) => [gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 1, 1, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, PIXELS],
  glTexImage3D: ({ gl }) => [gl.GL_TEXTURE_3D, 0, gl.GL_RGBA, 1, 1, 1, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, PIXELS],
  glTexSubImage2D: (scene) => {
    withImages(scene);
    const { gl } = scene;
    return [gl.GL_TEXTURE_2D, 0, 0, 0, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, PIXELS];
  },
  glTexSubImage3D: (scene) => {
    withImages(scene);
    const { gl } = scene;
    return [gl.GL_TEXTURE_3D, 0, 0, 0, 0, 1, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, PIXELS];
  },
  glCopyTexImage2D: ({ gl }) => [gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 0, 0, 1, 1, 0],
  glCopyTexSubImage2D: (scene) => {
    withImages(scene);
    return [scene.gl.GL_TEXTURE_2D, 0, 0, 0, 0, 0, 1, 1];
  },
  glCopyTexSubImage3D: (scene) => {
    withImages(scene);
    return [scene.gl.GL_TEXTURE_3D, 0, 0, 0, 0, 0, 0, 1, 1];
  },
  glCompressedTexImage2D: ({ gl }) => [
    gl.GL_TEXTURE_2D,
    0,
    gl.GL_COMPRESSED_RGBA8_ETC2_EAC,
    4,
    4,
    0,
    16,
    PIXELS.subarray(0, 16),
  ],
  glCompressedTexSubImage2D: (scene) => {
    withImages(scene, true);
    const { gl } = scene;
    return [gl.GL_TEXTURE_2D, 0, 0, 0, 4, 4, gl.GL_COMPRESSED_RGBA8_ETC2_EAC, 16, PIXELS.subarray(0, 16)];
  },
  glCompressedTexImage3D: ({ gl }) => {
    const names: number[] = [];
    gl.glGenTextures(1, names);
    gl.glBindTexture(gl.GL_TEXTURE_2D_ARRAY, names[0]!);
    return [gl.GL_TEXTURE_2D_ARRAY, 0, gl.GL_COMPRESSED_RGBA8_ETC2_EAC, 4, 4, 1, 0, 16, PIXELS.subarray(0, 16)];
  },
  glCompressedTexSubImage3D: ({ gl }) => {
    const names: number[] = [];
    gl.glGenTextures(1, names);
    gl.glBindTexture(gl.GL_TEXTURE_2D_ARRAY, names[0]!);
    gl.glTexStorage3D(gl.GL_TEXTURE_2D_ARRAY, 1, gl.GL_COMPRESSED_RGBA8_ETC2_EAC, 4, 4, 1);
    return [gl.GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 1, gl.GL_COMPRESSED_RGBA8_ETC2_EAC, 16, PIXELS.subarray(0, 16)];
  },
  glTexStorage2D: ({ gl }) => [gl.GL_TEXTURE_2D, 1, gl.GL_RGBA8, 1, 1],
  glTexStorage3D: ({ gl }) => [gl.GL_TEXTURE_3D, 1, gl.GL_RGBA8, 1, 1, 1],
  glGetInternalformativ: ({ gl }) => [gl.GL_RENDERBUFFER, gl.GL_RGBA8, gl.GL_SAMPLES, 1, []],
  glRenderbufferStorage: ({ gl }) => [gl.GL_RENDERBUFFER, gl.GL_RGBA8, 1, 1],
  glRenderbufferStorageMultisample: ({ gl }) => [gl.GL_RENDERBUFFER, 0, gl.GL_RGBA8, 1, 1],
  glReadPixels: ({ gl }) => [0, 0, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, PIXELS],
  glDrawBuffers: ({ gl }) => [1, [gl.GL_BACK]],
  glInvalidateFramebuffer: ({ gl }) => [gl.GL_FRAMEBUFFER, 1, [gl.GL_COLOR]],
  glInvalidateSubFramebuffer: ({ gl }) => [gl.GL_FRAMEBUFFER, 1, [gl.GL_COLOR], 0, 0, 1, 1],
};

/** No binary format exists, so these are never right: the error must be that of the size all the same. */
const NEVER_RIGHT: Partial<Record<EntryPointName, (scene: Scene) => unknown[]>> = {
  glShaderBinary: ({ shader }) => [1, [shader], 0, null, 1],
  glProgramBinary: ({ program }) => [program, 0, null, 1],
  glGetProgramBinary: ({ program }) => [program, 1],
};

function call(scene: Scene, name: string, values: readonly unknown[]): number {
  const { gl } = scene;
  const functions = gl as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  while (gl.glGetError() !== gl.GL_NO_ERROR);
  functions[name]!(...values);
  return gl.glGetError();
}

const TABLE = { ...RIGHT, ...NEVER_RIGHT };
const WITH_SIZES = Object.keys(ENTRY_POINTS).filter((name) => sizesOf(name).length > 0) as EntryPointName[];

describe('negative sizes', () => {
  it('are looked for in every entry point that takes one', () => {
    expect(WITH_SIZES.filter((name) => TABLE[name] === undefined)).toEqual([]);
    expect(Object.keys(TABLE).filter((name) => !WITH_SIZES.includes(name as EntryPointName))).toEqual([]);
    expect(WITH_SIZES.length).toBeGreaterThan(100);
  });

  it.each(WITH_SIZES)('%s', (name) => {
    const scene = open();
    const values = TABLE[name]!(scene);
    for (const at of sizesOf(name)) {
      // Lists and pointers may be called so too.
      if (typeof values[at] !== 'number') continue;
      const negative = values.map((value, place) => (place === at ? -1 : value));
      expect(call(scene, name, negative), parameterNames(name)[at]).toBe(scene.gl.GL_INVALID_VALUE);
    }
    if (RIGHT[name] !== undefined) expect(call(scene, name, values), 'nothing else was wrong').toBe(0);
    scene.gl.dispose();
  });

  it('glDiscardFramebufferEXT', () => {
    const gl = createGlesContext({ width: 8, height: 8, api: 2, backend: nullBackend });
    gl.glDiscardFramebufferEXT(gl.GL_FRAMEBUFFER, 1, [gl.GL_COLOR]);
    expect(gl.glGetError()).toBe(0);
    gl.glDiscardFramebufferEXT(gl.GL_FRAMEBUFFER, -1, [gl.GL_COLOR]);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
    gl.dispose();
  });
});
