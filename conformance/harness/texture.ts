// Textures with random contents, and quads that sample them and are compared pixel by pixel with the reference lookup.

import type { CaseContext } from '../case.ts';
import { displayRange, fillTexels, type TexelFormat } from '../reference/texture-formats.ts';
import {
  decodeImage,
  type MinFilter,
  type ReferenceImage,
  ReferenceTexture,
  type SamplerParameters,
  type TextureTarget,
  type Wrap,
} from '../reference/texture-lookup.ts';
import type { Picture } from '../result.ts';
import { setAttributes } from './draw.ts';
import { COMPARE_VALUES } from './fragment-state.ts';
import { generate } from './framebuffer.ts';
import { buildProgram } from './program.ts';

const TARGET_VALUES: Readonly<Record<TextureTarget, number>> = {
  '2d': 0x0de1,
  cube: 0x8513,
  '3d': 0x806f,
  '2d_array': 0x8c1a,
};
const WRAP_VALUES: Readonly<Record<Wrap, number>> = { clamp: 0x812f, repeat: 0x2901, mirror: 0x8370 };
const FILTER_VALUES: Readonly<Record<MinFilter, number>> = {
  nearest: 0x2600,
  linear: 0x2601,
  nearest_mipmap_nearest: 0x2700,
  linear_mipmap_nearest: 0x2701,
  nearest_mipmap_linear: 0x2702,
  linear_mipmap_linear: 0x2703,
};

export function targetValue(target: TextureTarget): number {
  return TARGET_VALUES[target];
}

export interface TestTexture {
  readonly name: number;
  readonly target: TextureTarget;
  readonly format: TexelFormat;
  readonly reference: ReferenceTexture;
}

export interface TextureShape {
  readonly target: TextureTarget;
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** Levels; `full` goes down to 1×1. */
  readonly levels?: number | 'full';
}

export function levelSize(shape: TextureShape, level: number): { width: number; height: number; depth: number } {
  const depth = shape.depth ?? 1;
  return {
    width: Math.max(shape.width >> level, 1),
    height: Math.max(shape.height >> level, 1),
    depth: shape.target === '3d' ? Math.max(depth >> level, 1) : depth,
  };
}

export function levelCount(shape: TextureShape): number {
  if (shape.levels !== 'full') return shape.levels ?? 1;
  const largest = Math.max(shape.width, shape.height, shape.target === '3d' ? (shape.depth ?? 1) : 1);
  return Math.floor(Math.log2(largest)) + 1;
}

/** One image of a texture in client memory. */
export function uploadImage(
  t: CaseContext,
  target: TextureTarget,
  face: number,
  level: number,
  format: TexelFormat,
  size: { width: number; height: number; depth: number },
  bytes: Uint8Array | number | null,
): void {
  const { gl } = t;
  const { width, height, depth } = size;
  if (target === '3d' || target === '2d_array')
    gl.glTexImage3D(
      TARGET_VALUES[target],
      level,
      format.internal,
      width,
      height,
      depth,
      0,
      format.format,
      format.type,
      bytes,
    );
  else {
    const imageTarget = target === 'cube' ? gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : gl.GL_TEXTURE_2D;
    gl.glTexImage2D(imageTarget, level, format.internal, width, height, 0, format.format, format.type, bytes);
  }
}

/** A texture with random texels in every level and face, bound to the active unit. */
export function makeTexture(t: CaseContext, format: TexelFormat, shape: TextureShape): TestTexture {
  const { gl } = t;
  const name = generate(gl.glGenTextures);
  gl.glBindTexture(TARGET_VALUES[shape.target], name);
  gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
  const images: ReferenceImage[][] = [];
  const faces = shape.target === 'cube' ? 6 : 1;
  for (let face = 0; face < faces; face++) {
    images.push([]);
    for (let level = 0; level < levelCount(shape); level++) {
      const size = levelSize(shape, level);
      const bytes = fillTexels(format, t.random, size.width * size.height * size.depth);
      uploadImage(t, shape.target, face, level, format, size, bytes);
      images[face]!.push(decodeImage(format, bytes, size.width, size.height, size.depth));
    }
  }
  t.noError(`making a ${format.name} texture`);
  return { name, target: shape.target, format, reference: new ReferenceTexture(shape.target, images) };
}

type Setter = (pname: number, value: number) => void;

/** The parameters that sampler objects have too. */
function setLookup({ gl, api }: CaseContext, how: SamplerParameters, setInteger: Setter, setFloat: Setter): void {
  setInteger(gl.GL_TEXTURE_MIN_FILTER, FILTER_VALUES[how.min]);
  setInteger(gl.GL_TEXTURE_MAG_FILTER, FILTER_VALUES[how.mag]);
  setInteger(gl.GL_TEXTURE_WRAP_S, WRAP_VALUES[how.wrapS]);
  setInteger(gl.GL_TEXTURE_WRAP_T, WRAP_VALUES[how.wrapT]);
  if (how.wrapR !== undefined && api === 3) setInteger(gl.GL_TEXTURE_WRAP_R, WRAP_VALUES[how.wrapR]);
  if (how.minLod !== undefined) setFloat(gl.GL_TEXTURE_MIN_LOD, how.minLod);
  if (how.maxLod !== undefined) setFloat(gl.GL_TEXTURE_MAX_LOD, how.maxLod);
  if (how.compare !== undefined) {
    setInteger(gl.GL_TEXTURE_COMPARE_MODE, gl.GL_COMPARE_REF_TO_TEXTURE);
    setInteger(gl.GL_TEXTURE_COMPARE_FUNC, COMPARE_VALUES[how.compare]);
  }
}

export function setSampler(t: CaseContext, target: TextureTarget, how: SamplerParameters): void {
  const { gl } = t;
  const value = TARGET_VALUES[target];
  setLookup(
    t,
    how,
    (pname, number) => gl.glTexParameteri(value, pname, number),
    (pname, number) => gl.glTexParameterf(value, pname, number),
  );
  if (how.baseLevel !== undefined) gl.glTexParameteri(value, gl.GL_TEXTURE_BASE_LEVEL, how.baseLevel);
  if (how.maxLevel !== undefined) gl.glTexParameteri(value, gl.GL_TEXTURE_MAX_LEVEL, how.maxLevel);
}

/** A new sampler object with the parameters. */
export function makeSampler(t: CaseContext, how: SamplerParameters): number {
  const { gl } = t;
  const name = generate(gl.glGenSamplers);
  setLookup(
    t,
    how,
    (pname, number) => gl.glSamplerParameteri(name, pname, number),
    (pname, number) => gl.glSamplerParameterf(name, pname, number),
  );
  return name;
}

export function samplerType(texture: { target: TextureTarget; format: TexelFormat }, isShadow = false): string {
  const prefix = texture.format.kind === 'int' ? 'i' : texture.format.kind === 'uint' ? 'u' : '';
  const dim = { '2d': '2D', cube: 'Cube', '3d': '3D', '2d_array': '2DArray' }[texture.target];
  return `${prefix}sampler${dim}${isShadow ? 'Shadow' : ''}`;
}

/** A rectangle of whole pixels over which coordinates (and their divisor q) run linearly. */
export interface SampledCell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Coordinates at bottom left, bottom right, top left: the fourth corner completes the parallelogram. */
  readonly corners: readonly [Coordinate, Coordinate, Coordinate];
  /** Clip w at the same corners; equal ones draw without perspective. */
  readonly w?: readonly [number, number, number];
}

export type Coordinate = readonly [number, number, number];

export interface SampleOptions {
  readonly bias?: number;
  /** The comparison value of shadow lookups. */
  readonly reference?: number;
  /** What the shader gives instead, which the lookup has to clamp to it. */
  readonly givenReference?: number;
  /** Colour tolerance in bytes beyond the bounds. */
  readonly tolerance?: number;
  /** Swizzle of the texture: channel index, or 4 for zero, 5 for one. */
  readonly swizzle?: readonly number[];
  /** What the texture itself says while a sampler object on its unit decides. */
  readonly textureState?: SamplerParameters;
  /** The texture's unit; it is the active one. Default 0. */
  readonly unit?: number;
}

function interpolated(corners: readonly Coordinate[], fx: number, fy: number): Coordinate {
  const [a, b, c] = corners as readonly [Coordinate, Coordinate, Coordinate];
  return [0, 1, 2].map((i) => a[i]! + (b[i]! - a[i]!) * fx + (c[i]! - a[i]!) * fy) as unknown as Coordinate;
}

/** Coordinates at a window position of a cell. */
function coordinateAt(cell: SampledCell, x: number, y: number): Coordinate {
  const fx = (x - cell.x) / cell.width;
  const fy = (y - cell.y) / cell.height;
  if (cell.w === undefined) return interpolated(cell.corners, fx, fy);
  const [wa, wb, wc] = cell.w;
  // Coordinates over w and 1/w are linear in the window.
  const over = cell.corners.map((corner, i) => corner.map((value) => value / cell.w![i]!) as unknown as Coordinate);
  const q = 1 / wa + (1 / wb - 1 / wa) * fx + (1 / wc - 1 / wa) * fy;
  return interpolated(over, fx, fy).map((value) => value / q) as unknown as Coordinate;
}

/** Draws the cells with the bound texture and compares the pixels. */
export function checkSampling(
  t: CaseContext,
  texture: TestTexture,
  how: SamplerParameters,
  cells: readonly SampledCell[],
  options: SampleOptions = {},
): void {
  const { gl, width, height } = t;
  setSampler(t, texture.target, options.textureState ?? how);
  const { scale, bias } = displayRange(texture.format);
  const isShadow = how.compare !== undefined;
  const vector = (values: readonly number[]) => `vec4(${values.map((value) => value.toExponential(9)).join(', ')})`;
  const size = texture.target === '2d' ? 'v_coord.xy' : 'v_coord';
  const call = textureCall(t, texture, isShadow, size, options);
  const program = buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_coord: 'highp vec3' },
    varyings: { v_coord: 'highp vec3' },
    vertex: 'gl_Position = a_position; v_coord = a_coord;',
    fragmentHead: `uniform highp ${samplerType(texture, isShadow)} u_sampler;\nuniform highp float u_reference;`,
    fragment: `o_color = ${call} * ${vector(scale)} + ${vector(bias)};`,
  });
  gl.glUniform1i(program.uniform('u_sampler'), options.unit ?? 0);
  if (options.reference !== undefined)
    gl.glUniform1f(program.uniform('u_reference'), options.givenReference ?? options.reference);
  gl.glClearColor(0.125, 0.25, 0.5, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  drawCells(t, cells);
  t.noError('drawing');
  const result = t.readPixels();
  judgeSampling(t, result, texture, how, cells, options, width, height);
}

function textureCall(
  t: CaseContext,
  texture: TestTexture,
  isShadow: boolean,
  coordinate: string,
  options: SampleOptions,
): string {
  const bias = options.bias === undefined ? '' : `, ${options.bias.toFixed(4)}`;
  if (t.api === 2) {
    const name = texture.target === 'cube' ? 'textureCube' : 'texture2D';
    return `${name}(u_sampler, ${coordinate}${bias})`;
  }
  if (!isShadow) return `vec4(texture(u_sampler, ${coordinate}${bias}))`;
  const packed = texture.target === '2d' ? 'vec3(v_coord.xy, u_reference)' : 'vec4(v_coord, u_reference)';
  return `vec4(texture(u_sampler, ${packed}${bias}), 0.0, 0.0, 1.0)`;
}

function drawCells(t: CaseContext, cells: readonly SampledCell[]): void {
  const positions: number[] = [];
  const coords: number[] = [];
  for (const { x, y, width, height, corners, w = [1, 1, 1] } of cells) {
    const [a, b, c] = corners;
    // 1/w and coordinates over w are linear on the screen, so that both triangles lie in one plane.
    const wd = 1 / (1 / w[1] + 1 / w[2] - 1 / w[0]);
    const d = [0, 1, 2].map((i) => (b[i]! / w[1] + c[i]! / w[2] - a[i]! / w[0]) * wd);
    const place = (fx: number, fy: number, cw: number) => [
      (((x + fx * width) / t.width) * 2 - 1) * cw,
      (((y + fy * height) / t.height) * 2 - 1) * cw,
      0,
      cw,
    ];
    const quad = [
      { at: place(0, 0, w[0]), coord: a },
      { at: place(1, 0, w[1]), coord: b },
      { at: place(0, 1, w[2]), coord: c },
      { at: place(1, 1, wd), coord: d },
    ];
    for (const corner of [0, 1, 2, 2, 1, 3]) {
      positions.push(...quad[corner]!.at);
      coords.push(...quad[corner]!.coord);
    }
  }
  setAttributes(t, [
    { size: 4, data: positions },
    { size: 3, data: coords },
  ]);
  t.gl.glDrawArrays(t.gl.GL_TRIANGLES, 0, positions.length / 4);
}

/** λ from differences over the 2×2 quad of a pixel: the least and largest that the rules allow (§3.8.10.1). */
function lodRange(
  cell: SampledCell,
  texture: TestTexture,
  base: ReferenceImage,
  px: number,
  py: number,
): [number, number] {
  const [qx, qy] = [px - (px % 2), py - (py % 2)];
  const texels = (x: number, y: number): number[] => {
    const [s, r, q] = coordinateAt(cell, x + 0.5, y + 0.5);
    if (texture.target === 'cube') {
      const major = Math.max(Math.abs(s), Math.abs(r), Math.abs(q));
      return [(s / major) * base.width * 0.5, (r / major) * base.width * 0.5, (q / major) * base.width * 0.5];
    }
    return [s * base.width, r * base.height, texture.target === '3d' ? q * base.depth : 0];
  };
  const corner = [texels(qx, qy), texels(qx + 1, qy), texels(qx, qy + 1), texels(qx + 1, qy + 1)];
  let least = Infinity;
  let most = 0;
  const difference = (a: number[], b: number[]) => a.map((value, i) => Math.abs(b[i]! - value));
  for (const dx of [difference(corner[0]!, corner[1]!), difference(corner[2]!, corner[3]!)])
    for (const dy of [difference(corner[0]!, corner[2]!), difference(corner[1]!, corner[3]!)]) {
      const axis = [0, 1, 2].map((i) => Math.max(dx[i]!, dy[i]!));
      least = Math.min(least, Math.max(...axis), Math.max(Math.hypot(...dx), Math.hypot(...dy)));
      most = Math.max(most, Math.max(Math.hypot(...dx), Math.hypot(...dy)), Math.max(...axis));
    }
  return [Math.log2(Math.max(least, 1e-12)), Math.log2(Math.max(most, 1e-12))];
}

function judgeSampling(
  t: CaseContext,
  result: Picture,
  texture: TestTexture,
  how: SamplerParameters,
  cells: readonly SampledCell[],
  options: SampleOptions,
  width: number,
  height: number,
): void {
  const { scale, bias } = displayRange(texture.format);
  const base = texture.reference.images[0]![how.baseLevel ?? 0]!;
  const clear = [32, 64, 128, 255];
  const expected = new Uint8Array(width * height * 4);
  const wrongPixel = new Uint8Array(width * height).fill(1);
  const tolerance = (options.tolerance ?? 1.6) / 255;
  for (let pixel = 0; pixel < width * height; pixel++) expected.set(clear, pixel * 4);
  for (const cell of cells) {
    // Without perspective the derivatives are the same all over the cell.
    const constant = cell.w === undefined ? lodRange(cell, texture, base, cell.x, cell.y) : null;
    for (let y = cell.y; y < cell.y + cell.height; y++)
      for (let x = cell.x; x < cell.x + cell.width; x++) {
        const pixel = y * width + x;
        const [lodLow, lodHigh] = constant ?? lodRange(cell, texture, base, x, y);
        const [s, r, q] = coordinateAt(cell, x + 0.5, y + 0.5);
        const add = options.bias ?? 0;
        const display = (bound: readonly number[], channel: number): number => {
          const from = options.swizzle?.[channel] ?? channel;
          const value = from === 4 ? 0 : from === 5 ? 1 : bound[from]!;
          return Math.min(Math.max(value * scale[channel]! + bias[channel]!, 0), 1);
        };
        const isBetween = (low: readonly number[], high: readonly number[]): boolean => {
          for (let channel = 0; channel < 4; channel++) {
            const got = result.data[pixel * 4 + channel]! / 255;
            if (got < display(low, channel) - tolerance || got > display(high, channel) + tolerance) return false;
          }
          return true;
        };
        // Most pixels are the exact lookup; only others need the bounds, which cost dozens of lookups.
        const exact = texture.reference.sample(s, r, q, lodLow + add, how, options.reference);
        if (isBetween(exact, exact)) {
          wrongPixel[pixel] = 0;
          continue;
        }
        const { low, high } = texture.reference.bounds(s, r, q, lodLow + add, lodHigh + add, how, options.reference);
        const isRight = isBetween(low, high);
        for (let channel = 0; channel < 4; channel++)
          expected[pixel * 4 + channel] = Math.round(((display(low, channel) + display(high, channel)) / 2) * 255);
        wrongPixel[pixel] = isRight ? 0 : 2;
      }
  }
  // A right pixel shows itself as its own reference; the bounds have judged it.
  const shown = expected.slice();
  for (let pixel = 0; pixel < wrongPixel.length; pixel++)
    if (wrongPixel[pixel] === 0) shown.set(result.data.subarray(pixel * 4, pixel * 4 + 4), pixel * 4);
  t.comparePicture(
    result,
    { width, height, data: shown },
    { tolerance: 1 },
    `${texture.format.name} ${texture.target}`,
  );
}
