// Replays a recorded GLES program: a JSON list of calls, `["glClear", 16384]`, as traces of GLES programs store them.
// Numbers that GL handed out in the recording are translated to what it hands out now; `{"returns": n}` is a returned value,
// `"hex:…"` is memory handed in, null a pointer that is not needed.

import type { Gles } from './index.ts';

type Argument = number | string | boolean | null | readonly number[] | { readonly returns: number };
type RecordedCall = readonly [name: string, ...args: Argument[]];

/** One glReadPixels of the program. Rows as GL has them: bottom first. */
export interface ReadPixelsResult {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Spaces of numbers that GL hands out. */
type NameKind =
  | 'buffer'
  | 'texture'
  | 'renderbuffer'
  | 'framebuffer'
  | 'vertexArray'
  | 'query'
  | 'sampler'
  | 'transformFeedback'
  | 'shaderObject'
  | 'uniform'
  | 'uniformBlock';

/** Which arguments (counted from 0) are such numbers. */
const NAME_ARGUMENTS: Readonly<Record<string, Readonly<Record<number, NameKind>>>> = {
  glBindBuffer: { 1: 'buffer' },
  glBindBufferBase: { 2: 'buffer' },
  glBindBufferRange: { 2: 'buffer' },
  glBindTexture: { 1: 'texture' },
  glBindRenderbuffer: { 1: 'renderbuffer' },
  glBindFramebuffer: { 1: 'framebuffer' },
  glBindVertexArray: { 0: 'vertexArray' },
  glBindSampler: { 1: 'sampler' },
  glSamplerParameteri: { 0: 'sampler' },
  glSamplerParameterf: { 0: 'sampler' },
  glBindTransformFeedback: { 1: 'transformFeedback' },
  glBeginQuery: { 1: 'query' },
  glQueryCounterEXT: { 0: 'query' },
  glFramebufferTexture2D: { 3: 'texture' },
  glFramebufferTextureLayer: { 2: 'texture' },
  glFramebufferRenderbuffer: { 3: 'renderbuffer' },
  glShaderSource: { 0: 'shaderObject' },
  glCompileShader: { 0: 'shaderObject' },
  glDeleteShader: { 0: 'shaderObject' },
  glDeleteProgram: { 0: 'shaderObject' },
  glAttachShader: { 0: 'shaderObject', 1: 'shaderObject' },
  glDetachShader: { 0: 'shaderObject', 1: 'shaderObject' },
  glBindAttribLocation: { 0: 'shaderObject' },
  glLinkProgram: { 0: 'shaderObject' },
  glValidateProgram: { 0: 'shaderObject' },
  glUseProgram: { 0: 'shaderObject' },
  glGetUniformLocation: { 0: 'shaderObject' },
  glGetAttribLocation: { 0: 'shaderObject' },
  glGetUniformBlockIndex: { 0: 'shaderObject' },
  glUniformBlockBinding: { 0: 'shaderObject', 1: 'uniformBlock' },
  glTransformFeedbackVaryings: { 0: 'shaderObject' },
};

const GENERATED: Readonly<Record<string, NameKind>> = {
  Buffers: 'buffer',
  Textures: 'texture',
  Renderbuffers: 'renderbuffer',
  Framebuffers: 'framebuffer',
  VertexArrays: 'vertexArray',
  Queries: 'query',
  Samplers: 'sampler',
  TransformFeedbacks: 'transformFeedback',
};

const RETURNED: Readonly<Record<string, NameKind>> = {
  glCreateShader: 'shaderObject',
  glCreateProgram: 'shaderObject',
  glGetUniformLocation: 'uniform',
  glGetUniformBlockIndex: 'uniformBlock',
};

const UNIFORM_CALL = /^glUniform(Matrix)?\d/;

function nameKind(call: string, index: number): NameKind | undefined {
  if (index === 0 && UNIFORM_CALL.test(call)) return 'uniform';
  return NAME_ARGUMENTS[call]?.[index];
}

function decodeHex(text: string, call: string): Uint8Array {
  const digits = text.slice('hex:'.length);
  if (digits.length % 2 !== 0 || /[^0-9a-fA-F]/.test(digits)) throw new Error(`${call}: bad hex data`);
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16));
}

class Replayer {
  readonly #gl: Gles;
  readonly #names = new Map<NameKind, Map<number, number>>();
  readonly pictures: ReadPixelsResult[] = [];

  constructor(gl: Gles) {
    this.#gl = gl;
  }

  run(call: RecordedCall): void {
    const [name, ...args] = call;
    const plural = /^gl(Gen|Delete)(\w+)$/.exec(name);
    const kind = plural ? GENERATED[plural[2]!] : undefined;
    if (kind) this.#generateOrDelete(name, plural![1]!, kind, args);
    else if (name === 'glReadPixels') this.#readPixels(args as number[]);
    else this.#forward(name, args);
  }

  #method(name: string): (...args: unknown[]) => unknown {
    const method = (this.#gl as unknown as Record<string, unknown>)[name];
    if (typeof method !== 'function') throw new Error(`${name} is no GLES function`);
    return method.bind(this.#gl) as (...args: unknown[]) => unknown;
  }

  #translate(kind: NameKind, recorded: number): number {
    return this.#names.get(kind)?.get(recorded) ?? recorded;
  }

  #learn(kind: NameKind, recorded: number, actual: number): void {
    let names = this.#names.get(kind);
    if (!names) this.#names.set(kind, (names = new Map()));
    names.set(recorded, actual);
  }

  #generateOrDelete(name: string, verb: string, kind: NameKind, args: readonly Argument[]): void {
    const count = args[0] as number;
    const recorded = (typeof args[1] === 'number' ? [args[1]] : args[1]) as readonly number[];
    if (verb === 'Delete') {
      this.#method(name)(
        count,
        recorded.map((value) => this.#translate(kind, value)),
      );
      return;
    }
    const actual = new Array<number>(count).fill(0);
    this.#method(name)(count, actual);
    for (let i = 0; i < count; i++) this.#learn(kind, recorded[i]!, actual[i]!);
  }

  #readPixels(args: readonly number[]): void {
    const [x, y, width, height, format, type] = args as [number, number, number, number, number, number];
    const pixels = new Uint8Array(width * height * 4);
    this.#method('glReadPixels')(x, y, width, height, format, type, pixels);
    this.pictures.push({ width, height, pixels });
  }

  #forward(name: string, args: readonly Argument[]): void {
    let returned: number | undefined;
    const actual: unknown[] = [];
    for (const [index, argument] of args.entries()) {
      if (argument !== null && typeof argument === 'object' && 'returns' in argument) {
        returned = argument.returns;
        continue;
      }
      const kind = nameKind(name, index);
      if (kind && typeof argument === 'number') actual.push(this.#translate(kind, argument));
      else if (typeof argument === 'string' && argument.startsWith('hex:')) actual.push(decodeHex(argument, name));
      else actual.push(argument);
    }
    const result = this.#method(name)(...actual);
    if (returned !== undefined && RETURNED[name]) this.#learn(RETURNED[name]!, returned, result as number);
  }
}

/** The calls of a recording. Throws with the place of what is wrong. */
export function parseCalls(text: string): RecordedCall[] {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) throw new Error('a recording is a JSON array of calls');
  for (const [index, call] of parsed.entries()) {
    if (!Array.isArray(call) || typeof call[0] !== 'string') throw new Error(`call ${index}: not [name, …arguments]`);
  }
  return parsed as RecordedCall[];
}

const GLES3_CALL =
  /^gl(Bind(VertexArray|Sampler|BufferBase|BufferRange|TransformFeedback)|BeginQuery|BlitFramebuffer|ReadBuffer|DrawBuffers|ClearBuffer|TexImage3D|TexSubImage3D|TexStorage|CopyTexSubImage3D|VertexAttribDivisor|VertexAttribI|Draw\w+Instanced|DrawRangeElements|RenderbufferStorageMultisample|FramebufferTextureLayer|GetUniformBlock|UniformBlockBinding|GenQueries|GenVertexArrays|GenSamplers|FenceSync|InvalidateFramebuffer|Uniform\d?ui|UniformMatrix\dx)/;
/** Enums that only GLES 3 takes: sized formats, array and 3D targets, MIN / MAX blending, primitive restart… */
const GLES3_ENUMS = new Set([
  0x806f, 0x8c1a, 0x8058, 0x8051, 0x8c43, 0x8229, 0x822b, 0x8007, 0x8008, 0x8d69, 0x1903, 0x8227, 0x8a11, 0x8ca8,
  0x8ca9, 0x881a, 0x8814, 0x8c3a, 0x8059, 0x906f, 0x8368, 0x8cac, 0x8cad, 0x884c, 0x884d, 0x813a, 0x813b, 0x813c,
  0x813d, 0x9274, 0x9275, 0x9276, 0x9277, 0x9278, 0x9279, 0x9270, 0x9271, 0x9272, 0x9273, 0x8d9f,
]);

/** The API version that a recording needs: 3 when any call, enum or shader text is of GLES 3, else 2. */
export function requiredVersion(calls: readonly RecordedCall[]): 2 | 3 {
  const needs3 = calls.some(
    ([name, ...args]) =>
      GLES3_CALL.test(name) ||
      args.some(
        (argument) =>
          (typeof argument === 'string' && argument.trimStart().startsWith('#version 300')) ||
          (typeof argument === 'number' && takesEnums(name) && GLES3_ENUMS.has(argument)),
      ),
  );
  return needs3 ? 3 : 2;
}

/** Calls whose numbers are sizes, names or indices must not be taken for enums. */
function takesEnums(name: string): boolean {
  return /^gl(Enable|Disable|BlendEquation|TexImage|TexParameter|RenderbufferStorage|BindFramebuffer|BindBuffer|BindTexture|Framebuffer|CompressedTexImage)/.test(
    name,
  );
}

/** Runs all calls and returns what glReadPixels read, in order. Throws on an unknown function, with the call's index. */
export function replayCalls(gl: Gles, calls: readonly RecordedCall[]): ReadPixelsResult[] {
  const replayer = new Replayer(gl);
  for (const [index, call] of calls.entries()) {
    try {
      replayer.run(call);
    } catch (error) {
      throw new Error(`call ${index}, ${call[0]}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  return replayer.pictures;
}
