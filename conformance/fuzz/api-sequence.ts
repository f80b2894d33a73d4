// Makes a random sequence of API calls over several contexts: calls with random arguments, and between them scenarios that bring
// contexts into states where much can happen.

import { imageBytes } from '../../src/format/format.ts';
import { GL } from '../../src/gl/constants.ts';
import { EXTENSIONS, type ExtensionName, webglName } from '../../src/gl/extensions.ts';
import { internalFormatRow } from '../../src/gl/gl-formats.ts';
import { Random } from '../reference/random.ts';
import { Arguments, EXTENSION_NAMES, type FaceName } from './api-arguments.ts';
import { SHARED_CALLS, WEBGL_CALLS } from './api-calls.table.ts';
import { CATALOGUES } from './api-catalogue.ts';
import { DOMAINS, TEXTURE_FORMATS } from './api-domains.table.ts';
import { fitsFace, PROGRAMS, type ProgramText } from './api-programs.ts';
import type { Encoded } from './api-values.ts';
import { ODD_NUMBERS } from './api-values.ts';

export interface ContextPlan {
  readonly face: FaceName;
  readonly width: number;
  readonly height: number;
  readonly attributes: Readonly<Record<string, boolean | number>>;
}

/**
 * One call in context `context`. Names with `@` are no GL: `@resize`, `@present`, `@lose`, `@restore`, `@dispose`, `@yield`, `@image`,
 * `@url`, `@blob`, `@context`.
 */
export interface Step {
  readonly context: number;
  readonly call: string;
  readonly args: readonly Encoded[];
}

export interface ApiCase {
  readonly kind: 'api';
  readonly seed: number;
  /** Device memory of each context: what is beyond must become GL_OUT_OF_MEMORY. */
  readonly memoryLimitBytes: number;
  /** GLES contexts draw on one screen. */
  readonly sharesScreen: boolean;
  readonly contexts: readonly ContextPlan[];
  readonly steps: readonly Step[];
}

const MEMORY_LIMIT = 256 << 20;
const SMALL_LIMITS = [1 << 20, 2 << 20, 3 << 20, 6 << 20, 16 << 20];
/** Nonsense in a thousand arguments, a case. */
const HOSTILITIES = [4, 15, 15, 15, 80];

const last = (object: string): Encoded => ({ object, at: -1 });

/** The contexts' attributes that the GLES face knows too. */
function randomAttributes(random: Random, isWeb: boolean): Record<string, boolean | number> {
  const attributes: Record<string, boolean | number> = {};
  for (const name of ['alpha', 'depth', 'stencil']) if (random.bool(0.3)) attributes[name] = random.bool();
  if (!isWeb) return random.bool(0.3) ? { ...attributes, samples: 4 } : attributes;
  for (const name of ['antialias', 'premultipliedAlpha', 'preserveDrawingBuffer'])
    if (random.bool(0.5)) attributes[name] = random.bool();
  return attributes;
}

class SequenceMaker {
  readonly random: Random;
  readonly contexts: ContextPlan[] = [];
  readonly steps: Step[] = [];
  current = 0;
  readonly hostility: number;

  constructor(seed: number) {
    this.random = new Random(`api ${seed}`);
    this.hostility = this.random.pick(HOSTILITIES);
  }

  get arguments(): Arguments {
    return new Arguments(this.random, this.face, this.contexts.length, this.hostility);
  }

  get face(): FaceName {
    return this.contexts[this.current]!.face;
  }

  get isWeb(): boolean {
    return this.face.startsWith('webgl');
  }

  get isVersion3(): boolean {
    return this.face === 'gles3' || this.face === 'webgl2';
  }

  call(call: string, ...args: Encoded[]): void {
    this.steps.push({ context: this.current, call, args });
  }

  /** A call with arguments of its row. */
  random1(call: string): void {
    this.call(call, ...this.arguments.make(SHARED_CALLS[call] ?? WEBGL_CALLS[call] ?? ''));
  }

  addContext(): void {
    const { random } = this;
    const face = random.pick(['gles2', 'gles3', 'gles3', 'webgl', 'webgl2', 'webgl2'] as const);
    const size = () => (random.bool(0.9) ? random.int(1, 80) : random.pick([1, 129, 300]));
    const isWeb = face.startsWith('webgl');
    this.contexts.push({ face, width: size(), height: size(), attributes: randomAttributes(random, isWeb) });
    this.current = this.contexts.length - 1;
    const names = random.bool(0.2)
      ? EXTENSION_NAMES
      : Array.from({ length: random.int(0, 8) }, () => random.pick(EXTENSION_NAMES));
    if (isWeb) for (const name of names) this.call('getExtension', name);
    this.program();
    this.geometry();
  }

  program(chosen?: ProgramText): void {
    const { random } = this;
    const fitting = PROGRAMS.filter((program) => fitsFace(program, this.face));
    const { vertex, fragment, varyings, extensions = [] } = chosen ?? random.pick(fitting);
    if (this.isWeb && random.bool(0.9)) for (const name of extensions) this.call('getExtension', name);
    this.call('createProgram');
    for (const [type, text] of [
      [GL.VERTEX_SHADER, vertex],
      [GL.FRAGMENT_SHADER, fragment],
    ] as const) {
      this.call('createShader', type);
      this.call('shaderSource', last('Shader'), text);
      this.call('compileShader', last('Shader'));
      this.call('attachShader', last('Program'), last('Shader'));
      if (random.bool(0.2)) this.call('deleteShader', last('Shader'));
    }
    if (varyings && random.bool(0.6)) {
      const mode = random.pick([GL.INTERLEAVED_ATTRIBS, GL.SEPARATE_ATTRIBS]);
      this.call('transformFeedbackVaryings', last('Program'), { list: varyings }, mode);
    }
    for (let i = 0; i < 3; i++) this.call('bindAttribLocation', last('Program'), i, `a${i}`);
    this.call('linkProgram', last('Program'));
    this.call('useProgram', last('Program'));
    this.location('m');
    const view: Encoded = { view: 'Float32Array', length: 16, seed: random.int(0, 99) };
    this.call('uniformMatrix4fv', last('Location'), false, random.bool() ? view : { list: IDENTITY });
    this.location('u4');
    this.call('uniform4f', last('Location'), 0.5, 1, 0.25, 1);
    for (let unit = 0; unit < 7; unit++) {
      if (random.bool(0.15)) continue;
      this.location(`s${unit}`);
      this.call('uniform1i', last('Location'), random.bool(0.9) ? unit : random.int(0, 20));
    }
    this.location('i0');
    this.call('uniform1i', last('Location'), random.pick([0, 1, 3, -1, 1000]));
    if (random.bool(0.3)) {
      this.location('loops');
      this.call('uniform1f', last('Location'), random.pick<Encoded>([1, 100, 3e9, { odd: 'Infinity' }]));
    }
  }

  /** Shaders without end, pending for a texture: whatever comes next finds them. */
  endless(): void {
    if (!this.isVersion3) return;
    this.program(
      this.random.pick(PROGRAMS.filter(({ vertex, fragment }) => /uniform float loops/.test(vertex + fragment))),
    );
    this.location('loops');
    this.call('uniform1f', last('Location'), 3e9);
    this.framebuffer();
    this.call('drawArrays', GL.TRIANGLES, 0, 6);
    if (this.random.bool()) this.call('bindFramebuffer', GL.FRAMEBUFFER, this.isWeb ? null : 0);
    this.texture();
  }

  location(name: string): void {
    this.call('getUniformLocation', last('Program'), name);
  }

  buffer(target: number, bytes: Encoded): void {
    this.call('createBuffer');
    this.call('bindBuffer', target, last('Buffer'));
    this.call('bufferData', target, bytes, GL.STATIC_DRAW);
  }

  geometry(): void {
    const { random } = this;
    if (this.isVersion3 && random.bool(0.4)) {
      this.call('createVertexArray');
      this.call('bindVertexArray', last('VertexArrayObject'));
    }
    this.buffer(GL.ARRAY_BUFFER, {
      view: 'Float32Array',
      length: random.pick([48, 100, 600]),
      seed: random.int(0, 99),
    });
    const stride = random.pick([0, 16, 24]);
    for (let i = 0; i < 3; i++) {
      this.call('vertexAttribPointer', i, i === 1 ? 2 : 4, GL.FLOAT, false, stride, 4 * random.int(0, 3));
      if (random.bool(0.85)) this.call('enableVertexAttribArray', i);
    }
    if (random.bool(0.8)) {
      const type = random.pick(['Uint8Array', 'Uint16Array', 'Uint32Array'] as const);
      this.buffer(GL.ELEMENT_ARRAY_BUFFER, { view: type, length: 100, seed: random.int(0, 9) });
    }
    if (this.isVersion3 && random.bool(0.7)) {
      this.buffer(GL.UNIFORM_BUFFER, { view: 'Float32Array', length: random.pick([8, 64, 64, 200]), seed: 3 });
      this.call('bindBufferBase', GL.UNIFORM_BUFFER, 0, last('Buffer'));
    }
  }

  texture(): void {
    const { random } = this;
    const isVolume = this.isVersion3 && random.bool(0.3);
    const target = isVolume
      ? random.pick([GL.TEXTURE_3D, GL.TEXTURE_2D_ARRAY])
      : random.pick([GL.TEXTURE_2D, GL.TEXTURE_2D, GL.TEXTURE_CUBE_MAP]);
    const faces = target === GL.TEXTURE_CUBE_MAP ? 6 : 1;
    const size = random.pick([1, 2, 7, 16, 33, 64]);
    const format = random.pick(TEXTURE_FORMATS);
    this.call('activeTexture', GL.TEXTURE0 + random.int(0, 6));
    this.call('createTexture');
    this.call('bindTexture', target, last('Texture'));
    if (this.isVersion3 && random.bool(0.3)) {
      const args = [random.int(1, 4), format[0], size, size];
      if (isVolume) this.call('texStorage3D', target, ...args, 3);
      else this.call('texStorage2D', target, ...args);
    } else {
      for (let level = 0; level < random.int(1, 3); level++)
        for (let face = 0; face < faces; face++)
          this.image(target, faces > 1 ? face : -1, level, size >> level, format);
    }
    if (random.bool(0.4)) this.call('generateMipmap', target);
    if (random.bool(0.7))
      this.call('texParameteri', target, GL.TEXTURE_MIN_FILTER, random.pick([GL.NEAREST, GL.LINEAR]));
  }

  /** Blocks that fit the format. */
  compressed(): void {
    const { random } = this;
    const format = random.pick(DOMAINS['compressedFormat']!);
    const candidate = internalFormatRow(format)?.candidates[0];
    if (candidate === undefined) return;
    const size = random.pick([4, 8, 16, 32, 12, 20]);
    const isArray = this.isVersion3 && random.bool(0.3);
    const target = isArray ? GL.TEXTURE_2D_ARRAY : GL.TEXTURE_2D;
    const bytes = imageBytes(candidate.format, size, size) * (isArray ? 2 : 1);
    const view = (): Encoded => ({ view: 'Uint8Array', length: bytes, seed: random.int(0, 999) });
    if (this.isWeb) for (const name of COMPRESSED_EXTENSIONS) this.call('getExtension', name);
    this.call('createTexture');
    this.call('bindTexture', target, last('Texture'));
    const sizes = isArray ? [size, size, 2] : [size, size];
    const corner = isArray ? [0, 0, 0] : [0, 0];
    const name = isArray ? '3D' : '2D';
    if (this.isVersion3 && random.bool(0.4)) this.call(`texStorage${name}`, target, 1, format, ...sizes);
    else this.call(`compressedTexImage${name}`, target, 0, format, ...sizes, 0, view());
    this.call(`compressedTexSubImage${name}`, target, 0, ...corner, ...sizes, format, view());
    if (random.bool()) this.draw();
  }

  /** Parts of an image whose format is known. */
  parts(): void {
    const { random } = this;
    const format = random.pick(TEXTURE_FORMATS);
    this.call('createTexture');
    this.call('bindTexture', GL.TEXTURE_2D, last('Texture'));
    const pixels = (): Encoded => this.arguments.argument('pixels');
    this.call('texImage2D', GL.TEXTURE_2D, 0, format[0], 16, 16, 0, format[1], format[2], pixels());
    this.call('texSubImage2D', GL.TEXTURE_2D, 0, 3, 2, 8, 9, format[1], format[2], pixels());
    this.call('copyTexSubImage2D', GL.TEXTURE_2D, 0, 1, 2, random.int(-4, 4), 0, 8, 8);
    this.call('copyTexImage2D', GL.TEXTURE_2D, 0, format[0], random.int(-4, 4), 0, 16, 16, 0);
    this.call('texParameterf', GL.TEXTURE_2D, GL.TEXTURE_WRAP_S, GL.CLAMP_TO_EDGE);
    if (!this.isVersion3) return;
    this.call('createTexture');
    this.call('bindTexture', GL.TEXTURE_3D, last('Texture'));
    this.call('texImage3D', GL.TEXTURE_3D, 0, format[0], 8, 8, 3, 0, format[1], format[2], pixels());
    this.call('texSubImage3D', GL.TEXTURE_3D, 0, 1, 1, 1, 4, 4, 2, format[1], format[2], pixels());
    this.call('copyTexSubImage3D', GL.TEXTURE_3D, 0, 0, 0, 2, 0, 0, 4, 4);
    this.call('framebufferTextureLayer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, last('Texture'), 0, 1);
    this.call('clear', GL.COLOR_BUFFER_BIT);
  }

  /** Samplers, fences, counters: objects that are made and asked at once. */
  objects(): void {
    if (!this.isVersion3) return;
    const { random } = this;
    this.call('createSampler');
    this.call('bindSampler', random.int(0, 6), last('Sampler'));
    this.call('samplerParameteri', last('Sampler'), GL.TEXTURE_WRAP_T, GL.MIRRORED_REPEAT);
    this.call('samplerParameterf', last('Sampler'), GL.TEXTURE_MIN_LOD, random.pick<Encoded>([0, 3.5, { odd: 'NaN' }]));
    if (random.bool())
      this.call('samplerParameteri', last('Sampler'), GL.TEXTURE_COMPARE_MODE, GL.COMPARE_REF_TO_TEXTURE);
    this.draw();
    this.call('fenceSync', GL.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (random.bool()) this.draw();
    this.call('clientWaitSync', last('Sync'), random.pick([0, GL.SYNC_FLUSH_COMMANDS_BIT]), 0);
    this.call('waitSync', last('Sync'), 0, -1);
    if (random.bool()) this.call('deleteSampler', last('Sampler'));
    this.call('uniformBlockBinding', last('Program'), 0, random.int(0, 3));
  }

  /** Many draws at once, in the words of each face. */
  multiDraw(): void {
    const { random } = this;
    const mode = random.pick(DOMAINS['primitive']!);
    const list = (low: number, high: number): Encoded => ({ list: [random.int(low, high), random.int(low, high)] });
    if (!this.isWeb) {
      this.call('glMultiDrawArraysANGLE', mode, list(0, 3), list(0, 9), 2);
      this.call('glMultiDrawElementsANGLE', mode, list(0, 9), GL.UNSIGNED_SHORT, list(0, 4), 2);
      return;
    }
    const name = 'WEBGL_multi_draw';
    this.call('getExtension', name);
    this.call(`${name}.multiDrawArraysWEBGL`, mode, list(0, 3), 0, list(0, 9), 0, 2);
    this.call(`${name}.multiDrawElementsWEBGL`, mode, list(0, 9), 0, GL.UNSIGNED_SHORT, { list: [0, 4] }, 0, 2);
    this.call(`${name}.multiDrawArraysInstancedWEBGL`, mode, list(0, 3), 0, list(0, 9), 0, list(0, 3), 0, 2);
  }

  /** Pixels to and from buffers. */
  pixelBuffers(): void {
    if (!this.isVersion3) return;
    const { random } = this;
    const target = random.pick([GL.PIXEL_PACK_BUFFER, GL.PIXEL_UNPACK_BUFFER]);
    this.buffer(target, 4096);
    if (target === GL.PIXEL_PACK_BUFFER) this.call('readPixels', 0, 0, 8, 8, GL.RGBA, GL.UNSIGNED_BYTE, 4);
    else this.call('texSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 8, 8, GL.RGBA, GL.UNSIGNED_BYTE, 8);
    if (random.bool(0.8)) this.call('bindBuffer', target, this.isWeb ? null : 0);
  }

  blit(): void {
    if (!this.isVersion3) return;
    const { random } = this;
    this.framebuffer();
    if (random.bool()) this.framebuffer();
    this.call('bindFramebuffer', random.pick([GL.DRAW_FRAMEBUFFER, GL.READ_FRAMEBUFFER]), this.isWeb ? null : 0);
    const size = random.int(1, 70);
    const filter = random.pick([GL.NEAREST, GL.LINEAR]);
    this.call(
      'blitFramebuffer',
      0,
      0,
      size,
      size,
      0,
      0,
      random.int(1, 70),
      size,
      random.pick(DOMAINS['clearMask']!),
      filter,
    );
  }

  image(target: number, face: number, level: number, size: number, format: readonly [number, number, number]): void {
    const { random } = this;
    const pixels: Encoded = random.bool(0.4) ? null : this.arguments.argument('pixels');
    const edge = Math.max(size, 1);
    if (target === GL.TEXTURE_3D || target === GL.TEXTURE_2D_ARRAY)
      return this.call('texImage3D', target, level, format[0], edge, edge, 3, 0, format[1], format[2], pixels);
    const image = face < 0 ? target : GL.TEXTURE_CUBE_MAP_POSITIVE_X + face;
    this.call('texImage2D', image, level, format[0], edge, edge, 0, format[1], format[2], pixels);
  }

  framebuffer(): void {
    const { random } = this;
    this.call('createFramebuffer');
    this.call('bindFramebuffer', GL.FRAMEBUFFER, last('Framebuffer'));
    const samples = this.isVersion3 && random.bool(0.3) ? 4 : 0;
    const colors = this.isVersion3 ? random.int(1, 3) : 1;
    const size = random.int(1, 70);
    const formats = [GL.RGBA8, GL.RGBA4, GL.RGB565, GL.RGBA16F, GL.RGBA32UI, GL.R8, GL.RGB10_A2, GL.SRGB8_ALPHA8];
    for (let i = 0; i < colors; i++) {
      if (samples === 0 && random.bool()) {
        this.texture();
        const level = random.bool(0.8) ? 0 : 1;
        this.call(
          'framebufferTexture2D',
          GL.FRAMEBUFFER,
          GL.COLOR_ATTACHMENT0 + i,
          GL.TEXTURE_2D,
          last('Texture'),
          level,
        );
      } else this.renderbuffer(GL.COLOR_ATTACHMENT0 + i, random.pick(formats), samples, size);
    }
    if (random.bool(0.6)) this.renderbuffer(GL.DEPTH_STENCIL_ATTACHMENT, GL.DEPTH24_STENCIL8, samples, size);
    else if (random.bool(0.3)) this.renderbuffer(GL.DEPTH_ATTACHMENT, GL.DEPTH_COMPONENT16, samples, size);
    if (colors > 1)
      this.call('drawBuffers', { list: Array.from({ length: colors }, (_, i) => GL.COLOR_ATTACHMENT0 + i) });
  }

  renderbuffer(attachment: number, format: number, samples: number, size: number): void {
    this.call('createRenderbuffer');
    this.call('bindRenderbuffer', GL.RENDERBUFFER, last('Renderbuffer'));
    if (samples > 0) this.call('renderbufferStorageMultisample', GL.RENDERBUFFER, samples, format, size, size);
    else this.call('renderbufferStorage', GL.RENDERBUFFER, format, size, size);
    this.call('framebufferRenderbuffer', GL.FRAMEBUFFER, attachment, GL.RENDERBUFFER, last('Renderbuffer'));
  }

  feedback(): void {
    if (!this.isVersion3) return;
    this.call('bindBuffer', GL.ARRAY_BUFFER, null);
    this.buffer(GL.TRANSFORM_FEEDBACK_BUFFER, this.random.pick([0, 64, 4096]));
    for (let i = this.random.int(1, 4); i >= 0; i--)
      this.call('bindBufferBase', GL.TRANSFORM_FEEDBACK_BUFFER, i, last('Buffer'));
    const mode = this.random.pick([GL.POINTS, GL.TRIANGLES]);
    this.call('beginTransformFeedback', mode);
    this.call('drawArrays', mode, 0, 6);
    if (this.random.bool(0.3)) {
      this.call('pauseTransformFeedback');
      if (this.random.bool()) this.draw();
      this.call('resumeTransformFeedback');
    }
    if (this.random.bool(0.7)) this.call('endTransformFeedback');
  }

  /** Times, in the words of each face. */
  timer(): void {
    const elapsed = GL.TIME_ELAPSED_EXT;
    if (this.face === 'webgl') {
      const extension = 'EXT_disjoint_timer_query';
      this.call('getExtension', extension);
      this.call(`${extension}.createQueryEXT`);
      this.call(`${extension}.beginQueryEXT`, elapsed, last('TimerQueryEXT'));
      this.draw();
      this.call(`${extension}.endQueryEXT`, elapsed);
      this.call(`${extension}.getQueryObjectEXT`, last('TimerQueryEXT'), GL.QUERY_RESULT);
      return;
    }
    if (this.face === 'webgl2') this.call('getExtension', 'EXT_disjoint_timer_query_webgl2');
    if (this.face === 'gles2') return;
    this.call('createQuery');
    this.call('beginQuery', elapsed, last('Query'));
    this.draw();
    this.call('endQuery', elapsed);
  }

  vertexArrayOes(): void {
    if (this.face !== 'webgl') return this.geometry();
    this.call('getExtension', 'OES_vertex_array_object');
    this.call('OES_vertex_array_object.createVertexArrayOES');
    this.call('OES_vertex_array_object.bindVertexArrayOES', last('VertexArrayObjectOES'));
    this.geometry();
  }

  /** Memory of a buffer in the application's hands while other calls come. */
  mapped(): void {
    if (this.face !== 'gles3') return;
    const { random } = this;
    this.call(
      'glMapBufferRange',
      random.pick(DOMAINS['bufferTarget']!),
      0,
      random.pick([4, 64, 400]),
      random.pick(DOMAINS['mapAccess']!),
    );
    this.draw();
  }

  query(): void {
    if (!this.isVersion3) return;
    const target = this.random.pick([GL.ANY_SAMPLES_PASSED, GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN]);
    this.call('createQuery');
    this.call('beginQuery', target, last('Query'));
    this.draw();
    this.call('endQuery', target);
  }

  draw(): void {
    this.random1(this.random.pick(['drawArrays', 'drawElements']));
    if (this.random.bool(0.3)) this.call('readPixels', 0, 0, 4, 4, GL.RGBA, GL.UNSIGNED_BYTE, READ_VIEW);
  }

  feedbackLoop(): void {
    this.framebuffer();
    this.draw();
    this.call('copyTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
  }

  life(): void {
    const { random } = this;
    const choice = random.int(0, 14);
    const args = this.arguments;
    if (choice < 3) this.call('@present');
    else if (choice < 6) this.call('@resize', args.argument('size'), args.argument('size'));
    else if (choice < 8) this.call('@image');
    else if (choice === 8) this.call('@lose');
    else if (choice === 9) {
      this.call('@lose');
      this.call('@yield');
      this.call('@restore');
      this.call('@yield');
      this.program();
      this.geometry();
    } else if (choice === 10) this.call('@yield');
    else if (choice > 11) this.call(['@url', '@blob', '@context'][choice - 12]!);
    else if (random.bool(0.3)) this.call('@dispose');
  }

  scenario(): void {
    const scenarios = [
      'program',
      'geometry',
      'texture',
      'texture',
      'framebuffer',
      'feedback',
      'query',
      'draw',
      'draw',
      'draw',
      'compressed',
      'pixelBuffers',
      'blit',
      'timer',
      'vertexArrayOes',
      'mapped',
      'endless',
      'parts',
      'objects',
      'multiDraw',
    ] as const;
    const choice = this.random.int(0, scenarios.length + 1);
    // Each takes the context, and much of the time.
    const isTooMuch = scenarios[choice] === 'endless' && this.random.bool(0.7);
    if (isTooMuch) this.draw();
    else if (choice < scenarios.length) this[scenarios[choice]!]();
    else if (choice === scenarios.length) this.feedbackLoop();
    else this.life();
  }

  make(seed: number): ApiCase {
    const { random } = this;
    const memoryLimitBytes = random.bool(0.75) ? MEMORY_LIMIT : random.pick(SMALL_LIMITS);
    const sharesScreen = random.bool(0.3);
    for (let i = random.pick([1, 1, 1, 2, 3]); i > 0; i--) this.addContext();
    for (let count = random.int(20, 120); count > 0; count--) {
      if (this.contexts.length > 1 && random.bool(0.2)) this.current = random.int(0, this.contexts.length - 1);
      if (random.bool(0.2)) this.scenario();
      else if (random.bool(0.01)) this.call('@yield');
      else {
        const [call, words] = random.pick(CATALOGUES[this.face]);
        const args = this.arguments.make(words);
        this.call(call, ...(args.length === 0 && !this.isWeb && random.bool(0.01) ? [random.pick(ODD_NUMBERS)] : args));
      }
    }
    return { kind: 'api', seed, memoryLimitBytes, sharesScreen, contexts: this.contexts, steps: this.steps };
  }
}

const COMPRESSED_EXTENSIONS = (Object.keys(EXTENSIONS) as ExtensionName[])
  .map((name) => webglName(name, 2))
  .filter((name) => /compress/i.test(name));
const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const READ_VIEW: Encoded = { view: 'Uint8Array', length: 64, seed: 0 };

/** The sequence of a seed. */
export function makeApiCase(seed: number): ApiCase {
  return new SequenceMaker(seed).make(seed);
}
