// The public entry of the package: contexts and canvases, backends, and the WebGL classes.

import { Canvas } from './canvas/canvas.ts';
import type { DebugMessage } from './gl/errors.ts';
import { defaultBackend } from './open-backend.ts';
import type { Backend } from './pipe/pipe.ts';
import { openSurface, type SurfaceOptions } from './webgl/surface.ts';

export type { Canvas } from './canvas/canvas.ts';
export { WebGLContextEvent } from './canvas/events.ts';
export type { Image } from './canvas/image.ts';
export type { DemoInstance, DemoModule, DemoSetup } from './demo.ts';
export type { DebugMessage } from './gl/errors.ts';
export { openBackend } from './open-backend.ts';
export type { Backend } from './pipe/pipe.ts';
export {
  WebGLActiveInfo,
  WebGLBuffer,
  WebGLFramebuffer,
  WebGLProgram,
  WebGLQuery,
  WebGLRenderbuffer,
  WebGLSampler,
  WebGLShader,
  WebGLShaderPrecisionFormat,
  WebGLSync,
  WebGLTexture,
  WebGLTransformFeedback,
  WebGLUniformLocation,
  WebGLVertexArrayObject,
} from './webgl/handles.ts';
export { WebGL2RenderingContext, WebGLRenderingContext } from './webgl/rendering-context.ts';

export interface CanvasOptions {
  /** What draws; default: soft, or the backend that INDIUM_BACKEND names. `await openBackend(…)` makes one. */
  readonly backend?: Backend;
  /** Threads that a software backend may use, the calling one included. */
  readonly threads?: number;
  /** Explains every GL error and warning in words: with true on the console. */
  readonly debug?: boolean | ((message: DebugMessage) => void);
}

export interface ContextOptions extends CanvasOptions, WebGLContextAttributes {
  /** Default: 'webgl2'. */
  readonly api?: 'webgl' | 'webgl2';
}

/** What a context has beside the specified names. `dispose` gives everything back; it is not enumerable. */
export interface ContextLife {
  /** The canvas that the context draws to, with what it can beside a page's: `toBuffer`, `present`, `dispose`… */
  readonly canvas: (HTMLCanvasElement | OffscreenCanvas) & Canvas;
  dispose(): void;
  [Symbol.dispose](): void;
}

function warnOnConsole({ code, name, message }: DebugMessage): void {
  console.warn(code === 0 ? `indium: ${message}` : `indium: ${name}: ${message}`);
}

function surfaceOptions({ backend, threads, debug }: CanvasOptions): SurfaceOptions {
  if (backend !== undefined && typeof backend?.createScreen !== 'function') {
    const hint = typeof backend === 'string' ? `await openBackend('${String(backend)}')` : 'await openBackend(…)';
    throw new TypeError(`backend is not a backend: ${hint} makes one`);
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1)) {
    throw new TypeError(`threads is ${String(threads)}, it must be a whole number from 1`);
  }
  const listener = debug === true ? warnOnConsole : debug || undefined;
  return { backend: backend ?? defaultBackend(), ...(threads === undefined ? {} : { threads }), debug: listener };
}

/** A canvas that draws with a backend; `getContext('webgl2')` opens its context. */
export function createCanvas(width: number, height: number, options: CanvasOptions = {}): Canvas {
  const resolved = surfaceOptions(options);
  return new Canvas(width, height, (canvas, type, attributes) => openSurface(canvas, type, attributes, resolved));
}

export function createContext(
  width: number,
  height: number,
  options: ContextOptions & { readonly api: 'webgl' },
): WebGLRenderingContext & ContextLife;
export function createContext(
  width: number,
  height: number,
  options?: ContextOptions & { readonly api?: 'webgl2' },
): WebGL2RenderingContext & ContextLife;
export function createContext(
  width: number,
  height: number,
  options: ContextOptions,
): (WebGLRenderingContext | WebGL2RenderingContext) & ContextLife;
/** A context on a canvas of its own (`context.canvas`). It works, or throws an error that names what was tried. */
export function createContext(
  width: number,
  height: number,
  options: ContextOptions = {},
): (WebGLRenderingContext | WebGL2RenderingContext) & ContextLife {
  const { api = 'webgl2', backend, threads, debug, ...attributes } = options;
  if (api !== 'webgl' && api !== 'webgl2')
    throw new TypeError(`createContext: api is '${String(api)}', it must be 'webgl' or 'webgl2'`);
  const given: CanvasOptions = {
    ...(backend !== undefined && { backend }),
    ...(threads !== undefined && { threads }),
    ...(debug !== undefined && { debug }),
  };
  const canvas = createCanvas(width, height, given);
  let reason = '';
  canvas.addEventListener('webglcontextcreationerror', (event) => {
    reason = (event as WebGLContextEvent).statusMessage;
  });
  const context = canvas.getContext(api, attributes);
  if (context === null) throw new Error(`createContext: ${reason}`);
  return context as WebGL2RenderingContext & ContextLife;
}
