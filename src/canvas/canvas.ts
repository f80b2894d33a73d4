// A canvas without a document: what three.js, PixiJS and the WebGL specification need of HTMLCanvasElement.

import { CanvasEventTarget, WebGLContextEvent } from './events.ts';
import { blankImage, encodePng, type Image } from './image.ts';

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
  /** Not premultiplied, top row first. Null: there is no memory for it. */
  readImage(): Image | null;
  /** Null: there is no memory for them. */
  sourcePixels(): SourcePixels | null;
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
      let surface: CanvasSurface;
      try {
        surface = this.#createSurface(this, known, attributes);
      } catch (error) {
        if (error instanceof TypeError) throw error;
        this.sendEvent('webglcontextcreationerror', (error as Error).message);
        return null;
      }
      // What the attributes' getters have done meanwhile stands: a context of their making, or the end of the canvas.
      if (this.#surface === null && !this.#isDisposed) this.#surface = surface;
      else surface.dispose();
    }
    return this.#surface?.type === known ? (this.#surface.context as WebGL2RenderingContext) : null;
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

  #image(): Image | null {
    if (this.#surface && this.#width > 0 && this.#height > 0) return this.#surface.readImage();
    return blankImage(this.#width, this.#height);
  }

  /** The picture as ImageData has it: RGBA, not premultiplied, top row first. Throws where there is no memory for it. */
  toImageData(): Image {
    const image = this.#image();
    if (image === null) throw new Error(`no memory for a picture of ${this.#width} × ${this.#height}`);
    return image;
  }

  /** Pixels for texImage2D and its kin. Null: there is no memory for them. */
  sourcePixels(): SourcePixels | null {
    if (this.#surface && this.#width > 0 && this.#height > 0) return this.#surface.sourcePixels();
    const image = blankImage(this.#width, this.#height);
    return image && { ...image, premultiplied: false };
  }

  /** A PNG file, or with `raw` the bytes of `toImageData`. */
  toBuffer(type: 'image/png' | 'raw' = 'image/png'): Buffer {
    const image = this.toImageData();
    if (type === 'raw') return Buffer.from(image.data.buffer, image.data.byteOffset, image.data.byteLength);
    if (type !== 'image/png') throw new Error(`toBuffer: type '${type}' is neither 'image/png' nor 'raw'`);
    if (image.width === 0 || image.height === 0) throw new Error('toBuffer: a canvas of no size has no picture');
    return encodePng(image);
  }

  /** PNG bytes; null for a canvas of no size, and of one too large. */
  #png(): Buffer | null {
    const image = this.#width === 0 || this.#height === 0 ? null : this.#image();
    return image && encodePng(image);
  }

  /** Always PNG: what HTML asks for when a type is not supported. */
  toDataURL(_type?: string): string {
    const png = this.#png();
    return png === null ? 'data:,' : `data:image/png;base64,${png.toString('base64')}`;
  }

  /** Calls back in a later task, with null for a canvas of no size, and of one too large. */
  toBlob(callback: (blob: Blob | null) => void, _type?: string): void {
    if (typeof callback !== 'function') throw new TypeError('toBlob: argument 1 is not a function');
    const png = this.#png();
    const blob = png && new Blob([new Uint8Array(png)], { type: 'image/png' });
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
