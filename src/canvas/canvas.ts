// A canvas without a document: what three.js, PixiJS and the WebGL specification need of HTMLCanvasElement.

import { CanvasEventTarget, WebGLContextEvent } from './events.ts';
import { encodePng, type Image } from './image.ts';

export type ContextType = 'webgl' | 'webgl2';

/** Pixels of a canvas as the source of a texture. */
export interface SourcePixels {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly premultiplied: boolean;
}

/** What draws into a canvas: made by the context factory. */
export interface CanvasSurface {
  readonly type: ContextType;
  /** The object that `getContext` hands out. */
  readonly context: object;
  /** The canvas has this size now: the drawing buffer follows, and is cleared. */
  resize(width: number, height: number): void;
  /** The frame ends. */
  present(): void;
  /** Not premultiplied, top row first. */
  readImage(): Image;
  sourcePixels(): SourcePixels;
  dispose(): void;
}

/** Throws when a context is impossible; the reason is told in the message. */
export type SurfaceFactory = (canvas: Canvas, type: ContextType, attributes: unknown) => CanvasSurface;

/** HTMLCanvasElement's default size. */
const DEFAULT_WIDTH = 300;
const DEFAULT_HEIGHT = 150;
const LARGEST = 0x7fffffff;

/** `unsigned long` attributes that reflect: negative and huge values fall back. */
function toSize(value: unknown, fallback: number): number {
  const size = Number(value) >>> 0;
  return size > LARGEST ? fallback : size;
}

const CONTEXT_TYPES: ReadonlyMap<string, ContextType> = new Map<string, ContextType>([
  ['webgl', 'webgl'],
  ['experimental-webgl', 'webgl'],
  ['webgl2', 'webgl2'],
]);

export class Canvas extends CanvasEventTarget {
  #width: number;
  #height: number;
  #surface: CanvasSurface | null = null;
  #isDisposed = false;
  readonly #createSurface: SurfaceFactory;
  /** For libraries that set CSS sizes; nothing reads it here. */
  readonly style: Record<string, string> = {};

  constructor(width: number, height: number, createSurface: SurfaceFactory) {
    super();
    this.#width = toSize(width, DEFAULT_WIDTH);
    this.#height = toSize(height, DEFAULT_HEIGHT);
    this.#createSurface = createSurface;
  }

  get width(): number {
    return this.#width;
  }

  /** Resizes and clears the drawing buffer; all GL state stays as it is. The size it has already changes nothing, as in browsers. */
  set width(value: number) {
    this.#resize(toSize(value, DEFAULT_WIDTH), this.#height);
  }

  get height(): number {
    return this.#height;
  }

  set height(value: number) {
    this.#resize(this.#width, toSize(value, DEFAULT_HEIGHT));
  }

  #resize(width: number, height: number): void {
    if (width === this.#width && height === this.#height) return;
    this.#width = width;
    this.#height = height;
    this.#surface?.resize(width, height);
  }

  get clientWidth(): number {
    return this.#width;
  }

  get clientHeight(): number {
    return this.#height;
  }

  getBoundingClientRect(): DOMRect {
    const box = { x: 0, y: 0, width: this.#width, height: this.#height };
    const rect = { ...box, top: 0, left: 0, right: box.width, bottom: box.height };
    return { ...rect, toJSON: () => rect };
  }

  getContext(type: 'webgl' | 'experimental-webgl', attributes?: WebGLContextAttributes): WebGLRenderingContext | null;
  getContext(type: 'webgl2', attributes?: WebGLContextAttributes): WebGL2RenderingContext | null;
  getContext(type: string, attributes?: unknown): WebGLRenderingContext | WebGL2RenderingContext | null;
  /**
   * The context of a type: the same one each time, null once there is one of another type, null for types that don't exist.
   * When a context can't be made, webglcontextcreationerror is sent and the result is null.
   */
  getContext(type: string, attributes?: unknown): WebGLRenderingContext | WebGL2RenderingContext | null {
    const known = CONTEXT_TYPES.get(String(type));
    if (known === undefined || this.#isDisposed) return null;
    if (this.#surface === null) {
      try {
        this.#surface = this.#createSurface(this, known, attributes);
      } catch (error) {
        if (error instanceof TypeError) throw error;
        this.sendEvent('webglcontextcreationerror', (error as Error).message);
        return null;
      }
    }
    return this.#surface.type === known ? (this.#surface.context as WebGL2RenderingContext) : null;
  }

  /** Sends a WebGLContextEvent; true when a listener prevented its default. */
  sendEvent(type: string, statusMessage: string): boolean {
    return !this.dispatchEvent(new WebGLContextEvent(type, { cancelable: true, statusMessage }));
  }

  /**
   * Ends the frame, as a browser's compositor does: without `preserveDrawingBuffer` the next one starts cleared.
   * Nothing presents by itself.
   */
  present(): void {
    this.#surface?.present();
  }

  /** The picture as ImageData has it: RGBA, not premultiplied, top row first. */
  toImageData(): Image {
    if (this.#surface && this.#width > 0 && this.#height > 0) return this.#surface.readImage();
    const [width, height] = [this.#width, this.#height];
    return { width, height, data: new Uint8ClampedArray(width * height * 4) };
  }

  /** Pixels for texImage2D and its kin. */
  sourcePixels(): SourcePixels {
    if (this.#surface && this.#width > 0 && this.#height > 0) return this.#surface.sourcePixels();
    return { ...this.toImageData(), premultiplied: false };
  }

  /** A PNG file, or with `raw` the bytes of `toImageData`. */
  toBuffer(type: 'image/png' | 'raw' = 'image/png'): Buffer {
    const image = this.toImageData();
    if (type === 'raw') return Buffer.from(image.data.buffer, image.data.byteOffset, image.data.byteLength);
    if (type !== 'image/png') throw new Error(`toBuffer: type '${type}' is neither 'image/png' nor 'raw'`);
    if (image.width === 0 || image.height === 0) throw new Error('toBuffer: a canvas of no size has no picture');
    return encodePng(image);
  }

  /** Always PNG: what HTML asks for when a type is not supported. */
  toDataURL(_type?: string): string {
    if (this.#width === 0 || this.#height === 0) return 'data:,';
    return `data:image/png;base64,${this.toBuffer('image/png').toString('base64')}`;
  }

  /** Calls back in a later task, with null for a canvas of no size. */
  toBlob(callback: (blob: Blob | null) => void, _type?: string): void {
    if (typeof callback !== 'function') throw new TypeError('toBlob: argument 1 is not a function');
    const isEmpty = this.#width === 0 || this.#height === 0;
    const blob = isEmpty ? null : new Blob([new Uint8Array(this.toBuffer('image/png'))], { type: 'image/png' });
    setTimeout(() => callback(blob), 0);
  }

  /** Gives everything back; the context is lost for good. */
  dispose(): void {
    this.#isDisposed = true;
    this.#surface?.dispose();
    this.#surface = null;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
