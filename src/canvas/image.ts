// Pictures as plain objects of the ImageData shape, and PNG files of them.

type Png = typeof import('pngjs');

/** Loaded when the first picture is written or read: most programs that draw never do, and it costs them a tenth of their start. */
function pngjs(): Png {
  if (loaded === undefined) {
    // Why not an import: browsers have no such module, and pages draw without PNG files.
    const node = globalThis.process?.getBuiltinModule?.('node:module');
    if (node === undefined)
      throw new Error(
        'PNG files are written and read in Node (20.16 or newer) only; in a browser, put toImageData() on a 2D canvas',
      );
    loaded = node.createRequire(import.meta.url)('pngjs') as Png;
  }
  return loaded;
}
let loaded: Png | undefined;

/** RGBA, 8 bits a channel, top row first, rows tightly packed: the shape of the DOM's ImageData. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray | Uint8Array;
}

/** Pixels of the largest picture that is made; browsers' canvases end there too. */
const MOST_PIXELS = 2 ** 28;

/** A transparent picture. Null: there is no memory for it. */
export function blankImage(width: number, height: number): Image | null {
  if (width * height > MOST_PIXELS) return null;
  try {
    return { width, height, data: new Uint8ClampedArray(width * height * 4) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** PNG bytes of an image. */
export function encodePng(image: Image): Buffer {
  const { PNG } = pngjs();
  const png = new PNG({ width: image.width, height: image.height });
  png.data.set(image.data);
  return PNG.sync.write(png, { colorType: 6 });
}

/** The RGBA image in PNG bytes. Throws with the reason when they are not a PNG. */
export function decodePng(bytes: Uint8Array): Image {
  const png = pngjs().PNG.sync.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return { width: png.width, height: png.height, data: new Uint8ClampedArray(png.data) };
}

/** The same pixels with the first row last: GL's row order made upright, or the reverse. */
export function flipRows(pixels: Uint8Array, width: number, height: number): Uint8ClampedArray {
  const rowBytes = width * 4;
  const flipped = new Uint8ClampedArray(rowBytes * height);
  for (let row = 0; row < height; row++) {
    flipped.set(pixels.subarray((height - 1 - row) * rowBytes, (height - row) * rowBytes), row * rowBytes);
  }
  return flipped;
}
