// PVRTC 1 (IMG_texture_compression_pvrtc): two low-resolution images A and B, enlarged bilinearly across block borders (wrapping at
// the image's), and a per-texel modulation between them. Needs the whole image, whose blocks stand in Morton order. An image
// smaller than two blocks is stored as two; the ones that it does not reach have no part in it: it wraps at its own.

/** Where block (x, y) stands: bits of y and x interleaved (y lowest) as far as both sides have bits, the rest above. */
function mortonIndex(x: number, y: number, columns: number, rows: number): number {
  const shared = Math.log2(Math.min(columns, rows));
  let index = 0;
  for (let bit = 0; bit < shared; bit++) index |= (((y >> bit) & 1) << (2 * bit)) | (((x >> bit) & 1) << (2 * bit + 1));
  return index | (((columns > rows ? x : y) >> shared) << (2 * shared));
}

/** Colours as 5 bits of r, g, b and 4 of alpha. */
function decodeColorA(word: number, out: Uint8Array, at: number): void {
  if (word & 0x8000) {
    const blue = (word >> 1) & 15;
    setColor(out, at, (word >> 10) & 31, (word >> 5) & 31, (blue << 1) | (blue >> 3), 15);
  } else {
    const [red, green, blue] = [(word >> 8) & 15, (word >> 4) & 15, (word >> 1) & 7];
    setColor(
      out,
      at,
      (red << 1) | (red >> 3),
      (green << 1) | (green >> 3),
      (blue << 2) | (blue >> 1),
      ((word >> 12) & 7) << 1,
    );
  }
}

function decodeColorB(word: number, out: Uint8Array, at: number): void {
  if (word & 0x8000) setColor(out, at, (word >> 10) & 31, (word >> 5) & 31, word & 31, 15);
  else {
    const [red, green, blue] = [(word >> 8) & 15, (word >> 4) & 15, word & 15];
    setColor(
      out,
      at,
      (red << 1) | (red >> 3),
      (green << 1) | (green >> 3),
      (blue << 1) | (blue >> 3),
      ((word >> 12) & 7) << 1,
    );
  }
}

function setColor(out: Uint8Array, at: number, r: number, g: number, b: number, a: number): void {
  out[at] = r;
  out[at + 1] = g;
  out[at + 2] = b;
  out[at + 3] = a;
}

interface Image {
  readonly columns: number;
  readonly rows: number;
  readonly blockWidth: number;
  readonly colorsA: Uint8Array;
  readonly colorsB: Uint8Array;
  /** Modulation of each texel of the image of blocks: 0, 3, 5 or 8 eighths; 4 + 16 = 4 eighths with alpha 0. */
  readonly modulation: Uint8Array;
}

const PUNCH_THROUGH = 16;
const WEIGHTS = [0, 3, 5, 8];
const WEIGHTS_PUNCH = [0, 4, 4 + PUNCH_THROUGH, 8];

function readModulation4(image: Image, x0: number, y0: number, bits: number, mode: number): void {
  const width = image.columns * 4;
  for (let i = 0; i < 16; i++) {
    const value = (bits >>> (i * 2)) & 3;
    image.modulation[(y0 + (i >> 2)) * width + x0 + (i & 3)] = (mode ? WEIGHTS_PUNCH : WEIGHTS)[value]!;
  }
}

const UNKNOWN = 255;

/** 2 bits a texel pair: mode 0 has one bit each, mode 1 two bits at every second texel of a checkerboard. */
function readModulation2(
  image: Image,
  x0: number,
  y0: number,
  bits: number,
  mode: number,
  modes: Uint8Array,
  block: number,
): void {
  const width = image.columns * 8;
  if (!mode) {
    modes[block] = 0;
    for (let i = 0; i < 32; i++) image.modulation[(y0 + (i >> 3)) * width + x0 + (i & 7)] = (bits >>> i) & 1 ? 8 : 0;
    return;
  }
  // The lowest bits of two texels choose how the others are interpolated; those texels' values then have one bit.
  let kind = 1;
  let values = bits;
  if (bits & 1) {
    kind = bits & (1 << 20) ? 3 : 2;
    values = bits & (1 << 21) ? values | (1 << 20) : values & ~(1 << 20);
  }
  values = values & 2 ? values | 1 : values & ~1;
  modes[block] = kind;
  let taken = 0;
  for (let y = 0; y < 4; y++)
    for (let x = 0; x < 8; x++) {
      const isStored = ((x ^ y) & 1) === 0;
      const value = isStored ? WEIGHTS[(values >>> (taken++ * 2)) & 3]! : UNKNOWN;
      image.modulation[(y0 + y) * width + x0 + x] = value;
    }
}

/** Fills the texels that were not stored: from four, two horizontal or two vertical neighbours. */
function interpolateModulation2(image: Image, modes: Uint8Array): void {
  const width = image.columns * 8;
  const height = image.rows * 4;
  const stored = image.modulation.slice();
  const at = (x: number, y: number): number => stored[((y + height) % height) * width + ((x + width) % width)]!;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (stored[y * width + x] !== UNKNOWN) continue;
      const kind = modes[(y >> 2) * image.columns + (x >> 3)];
      const horizontal = at(x - 1, y) + at(x + 1, y);
      const vertical = at(x, y - 1) + at(x, y + 1);
      const value =
        kind === 1 ? (horizontal + vertical + 2) >> 2 : kind === 2 ? (horizontal + 1) >> 1 : (vertical + 1) >> 1;
      image.modulation[y * width + x] = value;
    }
}

function readImage(src: Uint8Array, columns: number, rows: number, blockWidth: number): Image {
  const image: Image = {
    columns,
    rows,
    blockWidth,
    colorsA: new Uint8Array(columns * rows * 4),
    colorsB: new Uint8Array(columns * rows * 4),
    modulation: new Uint8Array(columns * rows * blockWidth * 4),
  };
  const modes = new Uint8Array(columns * rows);
  const view = new DataView(src.buffer, src.byteOffset, src.byteLength);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const at = mortonIndex(x, y, Math.max(columns, 2), Math.max(rows, 2)) * 8;
      const isThere = at + 8 <= src.length;
      const bits = isThere ? view.getUint32(at, true) : 0;
      const colors = isThere ? view.getUint32(at + 4, true) : 0;
      const block = y * columns + x;
      decodeColorA(colors & 0xffff, image.colorsA, block * 4);
      decodeColorB(colors >>> 16, image.colorsB, block * 4);
      if (blockWidth === 4) readModulation4(image, x * 4, y * 4, bits, colors & 1);
      else readModulation2(image, x * 8, y * 4, bits, colors & 1, modes, block);
    }
  if (blockWidth === 8) interpolateModulation2(image, modes);
  return image;
}

/** 5 bits (alpha: 4) times a weight of 16 → 8 bits: the fraction is kept for the widening. */
function widen(sum: number, c: number): number {
  return c === 3 ? sum + (sum >> 4) : (sum >> 1) + (sum >> 6);
}

/** Decodes a whole level into RGBA8. Sides must be powers of two. */
export function decodePvrtc(
  src: Uint8Array,
  blockWidth: 4 | 8,
  width: number,
  height: number,
  isOpaque: boolean,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
): void {
  const blockShift = blockWidth === 8 ? 3 : 2;
  const powerOfTwo = (count: number): number => 2 ** Math.ceil(Math.log2(count));
  const image = readImage(
    src,
    powerOfTwo(Math.ceil(width / blockWidth)),
    powerOfTwo(Math.ceil(height / 4)),
    blockWidth,
  );
  const { columns, rows, colorsA, colorsB, modulation } = image;
  for (let y = 0; y < height; y++) {
    // The four blocks whose centres surround a texel: x0, x1 in rows y0, y1.
    const sy = y + rows * 4 - 2;
    const row0 = ((sy >> 2) % rows) * columns;
    const row1 = (((sy >> 2) + 1) % rows) * columns;
    const fy = sy & 3;
    for (let x = 0; x < width; x++) {
      const sx = x + columns * blockWidth - blockWidth / 2;
      const column0 = (sx >> blockShift) % columns;
      const column1 = (column0 + 1) % columns;
      const fx = sx & (blockWidth - 1);
      const [w00, w10] = [(blockWidth - fx) * (4 - fy), fx * (4 - fy)];
      const [w01, w11] = [(blockWidth - fx) * fy, fx * fy];
      const texelModulation = modulation[y * columns * blockWidth + x]!;
      const weight = texelModulation & 15;
      const o = dstOffset + y * dstStride + x * 4;
      for (let c = 0; c < 4; c++) {
        const [i00, i10] = [(row0 + column0) * 4 + c, (row0 + column1) * 4 + c];
        const [i01, i11] = [(row1 + column0) * 4 + c, (row1 + column1) * 4 + c];
        const sumA = colorsA[i00]! * w00 + colorsA[i10]! * w10 + colorsA[i01]! * w01 + colorsA[i11]! * w11;
        const sumB = colorsB[i00]! * w00 + colorsB[i10]! * w10 + colorsB[i01]! * w01 + colorsB[i11]! * w11;
        const a = widen(sumA >> (blockShift - 2), c);
        const b = widen(sumB >> (blockShift - 2), c);
        dst[o + c] = (a * (8 - weight) + b * weight) >> 3;
      }
      if (texelModulation & PUNCH_THROUGH) dst[o + 3] = 0;
      if (isOpaque) dst[o + 3] = 255;
    }
  }
}
