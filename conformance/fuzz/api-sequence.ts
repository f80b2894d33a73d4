// Makes a random sequence of API calls over several contexts: calls with random arguments, and between them scenarios that bring
// contexts into states where much can happen.

import { GL } from '../../src/gl/constants.ts';
import { ES2, ES3, EXTENSION_POINTS } from '../../src/gles/entry-points.ts';
import { EXTENSION_OBJECTS } from '../../src/webgl/extensions.table.ts';
import { WEBGL1_SIGNATURES, WEBGL2_SIGNATURES } from '../../src/webgl/signatures.table.ts';
import { Random } from '../reference/random.ts';
import { Arguments, EXTENSION_NAMES, type FaceName } from './api-arguments.ts';
import { GLES_CALLS, SHARED_CALLS, WEBGL_CALLS, WEBGL_FORMS, WEIGHTS } from './api-calls.table.ts';
import { TEXTURE_FORMATS } from './api-domains.table.ts';
import { PROGRAMS } from './api-programs.ts';
import type { Encoded } from './api-values.ts';
import { ODD_NUMBERS } from './api-values.ts';

export interface ContextPlan {
  readonly face: FaceName;
  readonly width: number;
  readonly height: number;
  readonly attributes: Readonly<Record<string, boolean | number>>;
}

/** One call in context `context`. Names with `@` are no GL: `@resize`, `@present`, `@lose`, `@restore`, `@dispose`, `@yield`, `@image`. */
export interface Step {
  readonly context: number;
  readonly call: string;
  readonly args: readonly Encoded[];
}

export interface ApiCase {
  readonly kind: 'api';
  readonly seed: number;
  readonly contexts: readonly ContextPlan[];
  readonly steps: readonly Step[];
}

/** A call as often as its weight, for each face. */
type Catalogue = readonly (readonly [call: string, words: string])[];

function weighted(rows: Iterable<readonly [string, string]>): Catalogue {
  return [...rows].flatMap((row) => Array.from({ length: WEIGHTS[row[0]] ?? 1 }, () => row));
}

/** `a b | c ; d` of the WebIDL table as the words of one form. */
function wordsOf(signature: string): string {
  return signature.split('->')[0]!.split(';')[0]!.replace('|', ' ').trim();
}

function webCalls(signatures: Readonly<Record<string, string>>): Catalogue {
  const rows: (readonly [string, string])[] = [];
  for (const [name, signature] of Object.entries(signatures)) {
    rows.push([name, SHARED_CALLS[name] ?? WEBGL_CALLS[name] ?? wordsOf(signature)]);
    if (WEBGL_FORMS[name] !== undefined) rows.push([name, WEBGL_FORMS[name]]);
  }
  for (const [extension, { methods }] of Object.entries(EXTENSION_OBJECTS))
    for (const [method, [signature]] of Object.entries(methods ?? {})) {
      const plain = method.replace(/(ANGLE|OES|EXT|WEBGL)$/, '');
      rows.push([`${extension}.${method}`, SHARED_CALLS[plain] ?? WEBGL_CALLS[plain] ?? wordsOf(signature)]);
    }
  return weighted(rows);
}

/** The row of a GLES function; undefined: there is none. */
export function glesWords(name: string): string | undefined {
  if (GLES_CALLS[name] !== undefined) return GLES_CALLS[name];
  const plain = `${name[2]!.toLowerCase()}${name.slice(3)}`;
  return SHARED_CALLS[plain];
}

function glesCalls(tables: readonly object[]): Catalogue {
  const names = tables.flatMap((table) => Object.keys(table));
  const rows = names.map((name): [string, string] => [name, glesWords(name) ?? '']);
  return rows.flatMap((row) => {
    const plain = `${row[0][2]!.toLowerCase()}${row[0].slice(3)}`;
    return Array.from({ length: WEIGHTS[plain] ?? 1 }, () => row);
  });
}

const CATALOGUES: Readonly<Record<FaceName, Catalogue>> = {
  webgl: webCalls(WEBGL1_SIGNATURES),
  webgl2: webCalls({ ...WEBGL1_SIGNATURES, ...WEBGL2_SIGNATURES }),
  gles2: glesCalls([ES2, EXTENSION_POINTS]),
  gles3: glesCalls([ES2, ES3, EXTENSION_POINTS]),
};

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

  constructor(seed: number) {
    this.random = new Random(`api ${seed}`);
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
    const args = new Arguments(this.random, this.face, this.contexts.length);
    this.call(call, ...args.make(SHARED_CALLS[call] ?? WEBGL_CALLS[call] ?? ''));
  }

  addContext(): void {
    const { random } = this;
    const face = random.pick(['gles2', 'gles3', 'gles3', 'webgl', 'webgl2', 'webgl2'] as const);
    const size = () => (random.bool(0.9) ? random.int(1, 80) : random.pick([1, 129, 300]));
    const isWeb = face.startsWith('webgl');
    this.contexts.push({ face, width: size(), height: size(), attributes: randomAttributes(random, isWeb) });
    this.current = this.contexts.length - 1;
    if (isWeb) for (let i = random.int(0, 8); i > 0; i--) this.call('getExtension', random.pick(EXTENSION_NAMES));
    this.program();
    this.geometry();
  }

  program(): void {
    const { random } = this;
    const fitting = PROGRAMS.filter(({ version }) => this.isVersion3 || version === 100);
    const { vertex, fragment, varyings } = random.pick(random.bool(0.5) ? fitting.slice(-3) : fitting);
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
    if (random.bool(0.3)) {
      this.location('loops');
      this.call('uniform1f', last('Location'), random.pick<Encoded>([1, 100, 3e9, { odd: 'Infinity' }]));
    }
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

  image(target: number, face: number, level: number, size: number, format: readonly [number, number, number]): void {
    const { random } = this;
    const pixels: Encoded = random.bool(0.4) ? null : new Arguments(random, this.face, 1).argument('pixels');
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
    if (this.random.bool(0.7)) this.call('endTransformFeedback');
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
    const choice = random.int(0, 11);
    const args = new Arguments(random, this.face, 1);
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
    ] as const;
    const choice = this.random.int(0, scenarios.length + 1);
    if (choice < scenarios.length) this[scenarios[choice]!]();
    else if (choice === scenarios.length) this.feedbackLoop();
    else this.life();
  }

  make(seed: number): ApiCase {
    const { random } = this;
    for (let i = random.pick([1, 1, 1, 2, 3]); i > 0; i--) this.addContext();
    for (let count = random.int(20, 120); count > 0; count--) {
      if (this.contexts.length > 1 && random.bool(0.2)) this.current = random.int(0, this.contexts.length - 1);
      if (random.bool(0.2)) this.scenario();
      else if (random.bool(0.01)) this.call('@yield');
      else {
        const [call, words] = random.pick(CATALOGUES[this.face]);
        const args = new Arguments(random, this.face, this.contexts.length).make(words);
        this.call(call, ...(args.length === 0 && !this.isWeb && random.bool(0.01) ? [random.pick(ODD_NUMBERS)] : args));
      }
    }
    return { kind: 'api', seed, contexts: this.contexts, steps: this.steps };
  }
}

const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const READ_VIEW: Encoded = { view: 'Uint8Array', length: 64, seed: 0 };

/** The sequence of a seed. */
export function makeApiCase(seed: number): ApiCase {
  return new SequenceMaker(seed).make(seed);
}
