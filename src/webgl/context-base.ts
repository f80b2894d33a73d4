// The root of both context classes: the private state, and the attributes of WebGLRenderingContextBase.

import type { Context } from '../gl/context.ts';
import type { Face } from './face.ts';

/** Only `createRenderingContext` knows it: scripts can't construct contexts. */
export const CONTEXT_TOKEN = Symbol('context');

/** The state of a context; a TypeError when `this` of a method is something else. */
export let faceOf!: (context: ContextBase) => Face;

export abstract class ContextBase {
  readonly #face: Face;

  static {
    faceOf = (context) => context.#face;
  }

  constructor(token?: unknown, face?: Face) {
    if (token !== CONTEXT_TOKEN) throw new TypeError('Illegal constructor');
    this.#face = face!;
  }

  /** The canvas object of this package: it has of HTMLCanvasElement what makes sense without a document. */
  get canvas(): HTMLCanvasElement {
    return faceOf(this).host.canvas as unknown as HTMLCanvasElement;
  }

  get drawingBufferWidth(): number {
    const face = faceOf(this);
    return face.isLost ? 0 : face.context.framebufferAttributes.width;
  }

  get drawingBufferHeight(): number {
    const face = faceOf(this);
    return face.isLost ? 0 : face.context.framebufferAttributes.height;
  }

  get drawingBufferColorSpace(): PredefinedColorSpace {
    faceOf(this);
    return 'srgb';
  }

  /** Only sRGB exists here; as for every unknown value of an enumeration, others change nothing (Web IDL §3.7.6). */
  set drawingBufferColorSpace(_value: PredefinedColorSpace) {
    faceOf(this);
  }

  get unpackColorSpace(): PredefinedColorSpace {
    faceOf(this);
    return 'srgb';
  }

  set unpackColorSpace(_value: PredefinedColorSpace) {
    faceOf(this);
  }
}

/** The GL context below. */
export function glOf(context: ContextBase): Context {
  return faceOf(context).context;
}
