// The GLES face: the state machine under GLES's C names, with integer object names, client memory and out-parameters as arrays.
// A demo in C is ported line by line: `glGenBuffers(1, ids)` becomes `gl.glGenBuffers(1, ids)`.

import { GL } from '../gl/constants.ts';
import { Context } from '../gl/context.ts';
import { type DebugMessage, invalidOperation } from '../gl/errors.ts';
import type { ExtensionName } from '../gl/extensions.ts';
import { clearDefaultFramebuffer, resizeDefaultFramebuffer } from '../gl/framebuffer-default.ts';
import { FLUSH } from '../pipe/query.ts';
import type { Backend, Screen } from '../pipe/screen.ts';
import { ALIASES, ES2, ES3, EXTENSION_OF, EXTENSION_POINTS, type GlesFunctions } from './entry-points.ts';
import { GlesFace } from './face.ts';

export type { DebugMessage } from '../gl/errors.ts';
export type { EntryPointName, GlesFunctions } from './entry-points.ts';
export type { GLsync } from './face.ts';
export type { NumberList, Pointer, WideList } from './memory.ts';

export interface GlesContextOptions {
  width: number;
  height: number;
  /** Version of the API: 2 (default) or 3. */
  api?: 2 | 3;
  /** Where to draw: a screen that is open, which stays the caller's… */
  screen?: Screen;
  /** …or a backend, of which a screen is opened and closed with the context. */
  backend?: Backend;
  /** The default framebuffer: RGBA8 with depth 24 and stencil 8 unless said otherwise. */
  alpha?: boolean;
  depth?: boolean;
  stencil?: boolean;
  samples?: number;
  /** Receives every GL error and warning in words. */
  debug?: (message: DebugMessage) => void;
}

/** Constants under their C names: `GL_TRIANGLES`. */
export type GlesConstants = { readonly [Name in keyof typeof GL as `GL_${Name}`]: (typeof GL)[Name] };

/** What is not GL: the life of the context, and its drawing buffer (what EGL would do). */
export interface GlesLife {
  readonly width: number;
  readonly height: number;
  readonly api: 2 | 3;
  /** The state tracker below, for tools. */
  readonly context: Context;
  /** Gives the default framebuffer another size. Its contents become zero. */
  resize(width: number, height: number): void;
  /** eglSwapBuffers with EGL_BUFFER_DESTROYED: the frame ends, the next starts with cleared buffers. */
  swapBuffers(): void;
  dispose(): void;
  [Symbol.dispose](): void;
}

export type GlesContext = GlesFunctions & GlesConstants & GlesLife;
export type Gles = GlesContext;

type AnyEntryPoint = (face: GlesFace, ...args: never[]) => unknown;

/** Opens a GLES 2 or 3 context. It works, or throws an error that says why not. */
export function createGlesContext(options: GlesContextOptions): GlesContext {
  const { width, height, api = 2, backend, debug } = options;
  if (api !== 2 && api !== 3) throw new Error(`createGlesContext: api must be 2 or 3, got ${api}`);
  checkSize('createGlesContext', width, height);
  const screen = options.screen ?? backend?.createScreen({});
  if (screen === undefined) throw new Error('createGlesContext: give a screen or a backend to draw with');
  const closeScreen = (): void => {
    if (options.screen === undefined) screen.destroy();
  };
  if (screen.caps.glesVersion < api) {
    closeScreen();
    throw new Error(`createGlesContext: ${screen.name} has GLES ${screen.caps.glesVersion} only`);
  }
  const context = new Context(screen, {
    version: api,
    framebuffer: {
      width,
      height,
      alpha: options.alpha ?? true,
      depth: options.depth ?? true,
      stencil: options.stencil ?? true,
      samples: options.samples ?? 0,
    },
    enableAllExtensions: true,
    ...(debug ? { debugSink: debug } : {}),
  });
  const dispose = (): void => {
    context.dispose();
    closeScreen();
  };
  const life: GlesLife = {
    get width() {
      return context.framebufferAttributes.width;
    },
    get height() {
      return context.framebufferAttributes.height;
    },
    api,
    context,
    resize: (newWidth, newHeight) => {
      checkSize('resize', newWidth, newHeight);
      if (!resizeDefaultFramebuffer(context, newWidth, newHeight))
        throw new Error(`resize: no memory for a drawing buffer of ${newWidth} × ${newHeight}`);
    },
    swapBuffers: () => {
      context.pipe.flush(FLUSH.END_OF_FRAME);
      clearDefaultFramebuffer(context);
    },
    dispose,
    [Symbol.dispose]: dispose,
  };
  const functions = bindEntryPoints(new GlesFace(context));
  // Accessors must stay accessors, so the properties are defined and not assigned.
  const face = Object.assign(Object.create(CONSTANTS) as GlesConstants, functions);
  return Object.defineProperties(face, Object.getOwnPropertyDescriptors(life)) as GlesContext;
}

function checkSize(call: string, width: number, height: number): void {
  if (Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0) return;
  throw new RangeError(`${call}: a drawing buffer of ${width} × ${height} pixels; give whole numbers from 1`);
}

const CONSTANTS = Object.fromEntries(Object.entries(GL).map(([name, value]) => [`GL_${name}`, value]));

/** Calls with GLfloat parameters by value; the numbers of all others are integers in C. */
const TAKES_FLOATS = /(\df|fi|[a-z]f|ClearColor|BlendColor|LineWidth|PolygonOffset(ClampEXT)?|SampleCoverage)$/;

/** A fraction never reaches an integer parameter in C; here it is cut off, and what is no number is 0. */
function truncateNumbers(args: never[]): never[] {
  const values: unknown[] = args;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === 'number' && !Number.isInteger(value))
      values[i] = Number.isFinite(value) ? Math.trunc(value) : 0;
  }
  return args;
}

/** Binds every entry point to the face; what the context does not have becomes a function that says so. */
function bindEntryPoints(face: GlesFace): GlesFunctions {
  const { context } = face;
  const functions: Record<string, (...args: never[]) => unknown> = {};
  const bind = (name: string, call: AnyEntryPoint, isAvailable: boolean, need: string): void => {
    const takesIntegers = !TAKES_FLOATS.test(name);
    functions[name] = isAvailable
      ? (...args) => call(face, ...(takesIntegers ? truncateNumbers(args) : args))
      : () => {
          invalidOperation(context, name, `needs ${need}`);
          return 0;
        };
  };
  for (const [name, call] of Object.entries<AnyEntryPoint>(ES2)) bind(name, call, true, '');
  for (const [name, call] of Object.entries<AnyEntryPoint>(ES3))
    bind(name, call, context.version >= 3, 'OpenGL ES 3.0');
  for (const [name, call] of Object.entries<AnyEntryPoint>(EXTENSION_POINTS)) {
    const extension: ExtensionName = EXTENSION_OF[name as keyof typeof EXTENSION_OF];
    bind(name, call, context.isEnabled(extension), extension);
  }
  for (const [name, [core, ...extensions]] of Object.entries(ALIASES)) {
    const isAvailable = extensions.some((extension) => context.isEnabled(extension));
    bind(name, ES3[core], isAvailable, extensions.join(' or '));
  }
  return functions as unknown as GlesFunctions;
}
