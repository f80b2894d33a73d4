// Texture lookup by the book, in doubles (ES 3.0.6 §3.8.9 to §3.8.14): wrapping, filters, mipmaps, cube faces, comparison.
// A lookup gives all colours that the rules allow within the precision of coordinates and level of detail, as bounds.

import { type CompareFunction, compare, srgbToLinear } from './fragment-pipeline.ts';
import { readTexel, type TexelFormat, toRgba } from './texture-formats.ts';

export type TextureTarget = '2d' | 'cube' | '3d' | '2d_array';
export type Wrap = 'clamp' | 'repeat' | 'mirror';
export type MinFilter =
  | 'nearest'
  | 'linear'
  | 'nearest_mipmap_nearest'
  | 'linear_mipmap_nearest'
  | 'nearest_mipmap_linear'
  | 'linear_mipmap_linear';

export interface SamplerParameters {
  readonly min: MinFilter;
  readonly mag: 'nearest' | 'linear';
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
  readonly wrapR?: Wrap;
  readonly minLod?: number;
  readonly maxLod?: number;
  readonly baseLevel?: number;
  readonly maxLevel?: number;
  readonly compare?: CompareFunction;
  /** GLES 3 filters over the edges of cube faces; GLES 2 leaves it open, or wraps each face as a texture of its own. */
  readonly seams?: 'seamless' | 'open';
}

/** An image of one level (and cube face): its values as a shader sees them. */
export interface ReferenceImage {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** All values, decoded when asked for the first time. */
  readonly texels: Float64Array;
  texel(index: number): Rgba;
}

export type Rgba = [number, number, number, number];

/** Texels of client memory, tightly packed; large images are decoded only where they are looked at. */
class DecodedImage implements ReferenceImage {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly #format: TexelFormat;
  readonly #view: DataView;
  #texels: Float64Array | null = null;

  constructor(format: TexelFormat, bytes: Uint8Array, width: number, height: number, depth: number) {
    this.width = width;
    this.height = height;
    this.depth = depth;
    this.#format = format;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get texels(): Float64Array {
    if (this.#texels === null) {
      const count = this.width * this.height * this.depth;
      this.#texels = new Float64Array(count * 4);
      for (let index = 0; index < count; index++) this.#texels.set(this.texel(index), index * 4);
    }
    return this.#texels;
  }

  texel(index: number): Rgba {
    const format = this.#format;
    const color = toRgba(format.base, readTexel(format, this.#view, index * format.bytes));
    if (format.isSrgb) for (let channel = 0; channel < 3; channel++) color[channel] = srgbToLinear(color[channel]!);
    return color;
  }
}

export function decodeImage(
  format: TexelFormat,
  bytes: Uint8Array,
  width: number,
  height: number,
  depth = 1,
): ReferenceImage {
  return new DecodedImage(format, bytes, width, height, depth);
}

function wrapIndex(wrap: Wrap, index: number, size: number): number {
  if (wrap === 'clamp') return Math.min(Math.max(index, 0), size - 1);
  const period = wrap === 'repeat' ? size : 2 * size;
  const at = ((index % period) + period) % period;
  return at < size ? at : 2 * size - 1 - at;
}

/** Faces in GL's order: +x −x +y −y +z −z. Returns face and coordinates from −1 to 1 on it (§3.8.10, table 3.18). */
export function cubeFace(x: number, y: number, z: number): { face: number; s: number; t: number; major: number } {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (ax >= ay && ax >= az) return { face: x >= 0 ? 0 : 1, s: (x >= 0 ? -z : z) / ax, t: -y / ax, major: ax };
  if (ay >= az) return { face: y >= 0 ? 2 : 3, s: x / ay, t: (y >= 0 ? z : -z) / ay, major: ay };
  return { face: z >= 0 ? 4 : 5, s: (z >= 0 ? x : -x) / az, t: -y / az, major: az };
}

/** The direction of a point of a face. */
export function faceDirection(face: number, s: number, t: number, major = 1): [number, number, number] {
  switch (face) {
    case 0:
      return [major, -t, -s];
    case 1:
      return [-major, -t, s];
    case 2:
      return [s, major, t];
    case 3:
      return [s, -major, -t];
    case 4:
      return [s, -t, major];
    default:
      return [-s, -t, -major];
  }
}

/** What a filter sees beyond a cube face's edge. */
type Seam = 'over' | 'clamp' | 'wrap';

/** Half a step of the coordinates that samplers must keep apart, in texels. */
const COORDINATE_SLACK = 1 / 128;
const LOD_SLACK = 1 / 32;

export class ReferenceTexture {
  readonly target: TextureTarget;
  /** images[face][level]; one face unless it is a cube. */
  readonly images: readonly (readonly ReferenceImage[])[];

  constructor(target: TextureTarget, images: readonly (readonly ReferenceImage[])[]) {
    this.target = target;
    this.images = images;
  }

  #texel(image: ReferenceImage, i: number, j: number, k: number): Rgba {
    return image.texel((k * image.height + j) * image.width + i);
  }

  /** A texel of a cube face that may lie one step over an edge; null over a corner. */
  #cubeTexel(level: number, face: number, i: number, j: number): Rgba | null {
    const size = this.images[0]![level]!.width;
    const isOut = (at: number) => at < 0 || at >= size;
    if (isOut(i) && isOut(j)) return null;
    if (!isOut(i) && !isOut(j)) return this.#texel(this.images[face]![level]!, i, j, 0);
    const s = ((i + 0.5) / size) * 2 - 1;
    const t = ((j + 0.5) / size) * 2 - 1;
    // Folded over the edge: as far down the neighbour as it is beyond this face.
    const over = Math.max(Math.abs(s), Math.abs(t)) - 1;
    const clampOne = (value: number) => Math.min(Math.max(value, -1), 1);
    const [x, y, z] = faceDirection(face, clampOne(s), clampOne(t), 1 - over);
    const there = cubeFace(x, y, z);
    const index = (value: number) => Math.min(Math.max(Math.floor(((value + 1) / 2) * size), 0), size - 1);
    return this.#texel(this.images[there.face]![level]!, index(there.s), index(there.t), 0);
  }

  /** One level, one filter. Coordinates are in texels of that level, for cubes of the face. */
  filter(
    level: number,
    isLinear: boolean,
    u: number,
    v: number,
    w: number,
    face: number,
    how: SamplerParameters,
    reference?: number,
    seam: Seam = 'over',
  ): Rgba {
    const image = this.images[face]![level]!;
    const isCube = this.target === 'cube';
    const wrapS = isCube && seam !== 'wrap' ? 'clamp' : how.wrapS;
    const wrapT = isCube && seam !== 'wrap' ? 'clamp' : how.wrapT;
    const is3d = this.target === '3d';
    const layer = this.target === '2d_array' ? Math.min(Math.max(Math.floor(w + 0.5), 0), image.depth - 1) : 0;
    const judge = (color: Rgba): Rgba =>
      how.compare === undefined ? color : [compare(how.compare, reference!, color[0]) ? 1 : 0, 0, 0, 1];
    if (!isLinear) {
      const i = wrapIndex(wrapS, Math.floor(u), image.width);
      const j = wrapIndex(wrapT, Math.floor(v), image.height);
      const k = is3d ? wrapIndex(how.wrapR ?? 'repeat', Math.floor(w), image.depth) : layer;
      return judge(this.#texel(image, i, j, k));
    }
    const [i0, j0, k0] = [Math.floor(u - 0.5), Math.floor(v - 0.5), is3d ? Math.floor(w - 0.5) : 0];
    const [fu, fv, fw] = [u - 0.5 - i0, v - 0.5 - j0, is3d ? w - 0.5 - k0 : 0];
    const sum: Rgba = [0, 0, 0, 0];
    const corners: { color: Rgba | null; weight: number }[] = [];
    for (const dk of is3d ? [0, 1] : [0])
      for (const dj of [0, 1])
        for (const di of [0, 1]) {
          const weight = (di ? fu : 1 - fu) * (dj ? fv : 1 - fv) * (is3d ? (dk ? fw : 1 - fw) : 1);
          const [i, j] = [i0 + di, j0 + dj];
          const color =
            isCube && seam === 'over'
              ? this.#cubeTexel(level, face, i, j)
              : this.#texel(
                  image,
                  wrapIndex(wrapS, i, image.width),
                  wrapIndex(wrapT, j, image.height),
                  is3d ? wrapIndex(how.wrapR ?? 'repeat', k0 + dk, image.depth) : layer,
                );
          corners.push({ color: color && judge(color), weight });
        }
    const present = corners.filter(({ color }) => color !== null);
    // The texel that a cube's corner lacks is the mean of the other three.
    const mean = [0, 1, 2, 3].map((c) => present.reduce((total, { color }) => total + color![c]!, 0) / present.length);
    for (const { color, weight } of corners)
      for (let channel = 0; channel < 4; channel++) sum[channel]! += weight * (color ?? mean)[channel]!;
    return sum;
  }

  /** Level by level of detail: one colour of one exact λ. Coordinates are normalised (layers whole). */
  sampleAt(
    s: number,
    t: number,
    r: number,
    face: number,
    lod: number,
    how: SamplerParameters,
    reference?: number,
    seam: Seam = 'over',
  ): Rgba {
    const base = how.baseLevel ?? 0;
    const last = Math.min(how.maxLevel ?? 1000, this.images[face]!.length - 1);
    const at = (level: number, isLinear: boolean): Rgba => {
      const image = this.images[face]![level]!;
      const w = this.target === '2d_array' ? r : r * image.depth;
      return this.filter(level, isLinear, s * image.width, t * image.height, w, face, how, reference, seam);
    };
    if (lod <= 0) return at(base, how.mag === 'linear');
    const isLinear = how.min.startsWith('linear');
    if (!how.min.includes('mipmap')) return at(base, isLinear);
    const top = last - base;
    if (how.min.endsWith('mipmap_nearest'))
      return at(base + Math.min(Math.max(Math.ceil(lod + 0.5) - 1, 0), top), isLinear);
    const low = Math.min(Math.floor(lod), top);
    const high = Math.min(low + 1, top);
    const share = Math.min(lod, top) - low;
    const a = at(base + low, isLinear);
    const b = at(base + high, isLinear);
    return [0, 1, 2, 3].map((c) => a[c]! * (1 - share) + b[c]! * share) as Rgba;
  }

  /** The lookup of one exact coordinate and λ (before clamping). */
  sample(s: number, t: number, r: number, lod: number, how: SamplerParameters, reference?: number): Rgba {
    const clamped = Math.min(Math.max(lod, how.minLod ?? -1000), how.maxLod ?? 1000);
    if (this.target !== 'cube') return this.sampleAt(s, t, r, 0, clamped, how, reference);
    const on = cubeFace(s, t, r);
    return this.sampleAt((on.s + 1) / 2, (on.t + 1) / 2, 0, on.face, clamped, how, reference);
  }

  /**
   * Bounds of what a lookup may return: λ anywhere in [lodLow, lodHigh] before clamping, coordinates off by a
   * little. `reference` is the value of shadow comparisons.
   */
  bounds(
    s: number,
    t: number,
    r: number,
    lodLow: number,
    lodHigh: number,
    how: SamplerParameters,
    reference?: number,
    isExactCoordinate = false,
  ): { low: Rgba; high: Rgba } {
    const low: Rgba = [Infinity, Infinity, Infinity, Infinity];
    const high: Rgba = [-Infinity, -Infinity, -Infinity, -Infinity];
    let [face, fs, ft] = [0, s, t];
    if (this.target === 'cube') {
      const on = cubeFace(s, t, r);
      face = on.face;
      fs = (on.s + 1) / 2;
      ft = (on.t + 1) / 2;
    }
    const clampLod = (lod: number) => Math.min(Math.max(lod, how.minLod ?? -1000), how.maxLod ?? 1000);
    const [least, most] = [lodLow - LOD_SLACK, lodHigh + LOD_SLACK];
    const lods = new Set([least, most].map(clampLod));
    // Between the ends, colours turn at whole levels, and nearest levels change at halves.
    for (let level = Math.ceil(least); level < most; level++) lods.add(clampLod(level)).add(clampLod(level + 1e-6));
    for (let half = Math.ceil(least - 0.5) + 0.5; half < most; half++)
      lods.add(clampLod(half)).add(clampLod(half + 1e-6));
    const base = this.images[face]![how.baseLevel ?? 0]!;
    const slack = isExactCoordinate ? 0 : COORDINATE_SLACK;
    const du = slack / base.width + Math.abs(fs) * 1e-6;
    const dv = slack / base.height + Math.abs(ft) * 1e-6;
    const dr = this.target === '3d' ? slack / base.depth + Math.abs(r) * 1e-6 : 0;
    const steps = isExactCoordinate
      ? [[0, 0]]
      : [
          [0, 0],
          [-1, -1],
          [1, -1],
          [-1, 1],
          [1, 1],
        ];
    const isOpen = this.target === 'cube' && how.seams === 'open';
    const seams: readonly Seam[] = isOpen ? ['over', 'clamp', 'wrap'] : ['over'];
    const add = (lod: number): void => {
      for (const [x, y] of steps)
        for (const z of dr > 0 ? [-1, 1] : [0]) {
          for (const seam of seams) {
            const depth = this.target === 'cube' ? 0 : r + z * dr;
            const color = this.sampleAt(fs + x! * du, ft + y! * dv, depth, face, lod, how, reference, seam);
            for (let c = 0; c < 4; c++) {
              low[c] = Math.min(low[c]!, color[c]!);
              high[c] = Math.max(high[c]!, color[c]!);
            }
          }
        }
    };
    for (const lod of lods) add(lod);
    return { low, high };
  }
}
