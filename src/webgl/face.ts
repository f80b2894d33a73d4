// The state of one WebGL context: the GL context below, what was asked for, loss and restoration, enabled extensions.

import { GL } from '../gl/constants.ts';
import { Context, WEBGL_RULES } from '../gl/context.ts';
import { type DebugMessage, recordError } from '../gl/errors.ts';
import type { Screen } from '../pipe/screen.ts';
import { actualAttributes, type RequestedAttributes } from './attributes.ts';
import { chooseSize, type Size } from './drawing-buffer.ts';
import { queueEvent } from './event-task.ts';

/** What a context needs of the canvas it belongs to. */
export interface FaceHost {
  /** What scripts see as `context.canvas`. */
  readonly canvas: object;
  /** Sends webglcontextlost or webglcontextrestored; true when its default was prevented. */
  dispatch(type: string, statusMessage: string): boolean;
}

export interface FaceOptions {
  readonly version: 1 | 2;
  readonly attributes: RequestedAttributes;
  readonly width: number;
  readonly height: number;
  readonly debug: ((message: DebugMessage) => void) | null;
}

/** Samples of an antialiased drawing buffer. */
const ANTIALIAS_SAMPLES = 4;

/** The extension whose object stays the same through loss and restoration: it is the one that restores. */
export const SURVIVES_LOSS = 'WEBGL_lose_context';

export class Face {
  readonly version: 1 | 2;
  readonly host: FaceHost;
  readonly screen: Screen;
  readonly requested: RequestedAttributes;
  readonly debug: ((message: DebugMessage) => void) | null;
  /** Replaced when a lost context is restored. */
  context: Context;
  /** Grows at loss and at restoration: handles of another generation are invalid. */
  generation = 0;
  isLost = false;
  /** The overlay is in this frame's picture. */
  hasHud = false;
  isDisposed = false;
  /** Errors that getError tells while the context is lost. */
  readonly lostErrors: number[] = [];
  /** Objects of enabled extensions by their name. */
  readonly extensions = new Map<string, object>();
  /** Size of the canvas; the drawing buffer may be smaller. */
  canvasSize: Size;

  constructor(screen: Screen, host: FaceHost, options: FaceOptions) {
    this.version = options.version;
    this.host = host;
    this.screen = screen;
    this.requested = options.attributes;
    this.debug = options.debug;
    this.canvasSize = { width: options.width, height: options.height };
    this.context = this.#createContext();
  }

  #createContext(): Context {
    const { alpha, depth, stencil, antialias } = this.requested;
    const context = new Context(this.screen, {
      version: this.version === 1 ? 2 : 3,
      rules: WEBGL_RULES,
      framebuffer: { width: 0, height: 0, alpha, depth, stencil, samples: antialias ? ANTIALIAS_SAMPLES : 0 },
      ...(this.debug ? { debugSink: this.debug } : {}),
    });
    if (!chooseSize(context, this.canvasSize)) {
      context.dispose();
      throw new Error(`no memory for a drawing buffer of ${this.canvasSize.width} × ${this.canvasSize.height}`);
    }
    const { width, height } = context.framebufferAttributes;
    Object.assign(context.viewport, { width, height });
    Object.assign(context.scissor, { width, height });
    return context;
  }

  /** Samples of the drawing buffer; 1 is none. */
  get samples(): number {
    return this.context.defaultFramebuffer.defaultStorage?.samples ?? 1;
  }

  get attributes(): WebGLContextAttributes {
    return actualAttributes(this.requested, this.samples);
  }

  /** A GL error of the face's own, lost or not. */
  error(code: number, message: string): void {
    if (!this.isLost) recordError(this.context, code, message);
    else if (!this.lostErrors.includes(code)) this.lostErrors.push(code);
  }

  /**
   * Everything of the GL context is gone at once for scripts; the event comes later. A device is lost in the middle of a call, which
   * goes on with objects that it holds: then memory is given back in a later task.
   */
  markLost(isInCall: boolean): void {
    this.isLost = true;
    this.generation++;
    this.lostErrors.length = 0;
    this.lostErrors.push(GL.CONTEXT_LOST_WEBGL);
    for (const name of this.extensions.keys()) if (name !== SURVIVES_LOSS) this.extensions.delete(name);
    const { context } = this;
    if (isInCall) queueEvent(() => context.dispose());
    else context.dispose();
  }

  /** False when there is no memory to start again. */
  restore(): boolean {
    try {
      this.context = this.#createContext();
    } catch {
      return false;
    }
    this.isLost = false;
    this.generation++;
    this.lostErrors.length = 0;
    return true;
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    if (!this.isLost) this.generation++;
    this.isLost = true;
    // Also after a loss whose task has not come yet; a second time does nothing.
    this.context.dispose();
  }
}
