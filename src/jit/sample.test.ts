// SPDX-License-Identifier: MIT
// Compares emitted texture code with a sampler written straight from GLES 3.0.6 §3.8.10 and §3.8.11 in double precision.
import { describe, expect, test } from 'vitest';
import type { TextureWrap } from '../base/state-words.ts';
import { unpackDepth } from '../format/depth-stencil.ts';
import { type Format, formatDescription } from '../format/format.ts';
import { unpackPixel } from '../format/unpack.ts';
import { SAMPLER, TEXTURE_BINDING, TEXTURE_LEVEL, TEXTURE_VIEW } from '../raster/layout.ts';
import { ModuleBuilder } from '../wasm/module-builder.ts';
import { emitTexture, type SamplerKey, type TexOp, type TextureRequest } from './sample.ts';
import { preloadTexture } from './sample-preload.ts';
import { givesBytes } from './texel.ts';

const BINDING = 64;
const VIEW = 1024;
const STATE = 2048;
const INPUT = 4096;
const OUTPUT = 8192;
const TEXELS = 0x10000;

const BASE: SamplerKey = {
  format: 'R8G8B8A8_UNORM',
  dim: '2d',
  wrapS: 'repeat',
  wrapT: 'repeat',
  wrapR: 'repeat',
  minFilter: 'nearest',
  magFilter: 'nearest',
  mipFilter: 'none',
  compare: null,
  swizzle: ['x', 'y', 'z', 'w'],
  seamlessCube: true,
  isAnisotropic: false,
};

interface LevelInfo {
  address: number;
  rowStride: number;
  layerStride: number;
  width: number;
  height: number;
  depth: number;
}

interface Options {
  op?: TexOp;
  shadow?: boolean;
  offset?: number[];
  implicitDerivatives?: boolean;
  minLod?: number;
  maxLod?: number;
  lodBias?: number;
  maxAnisotropy?: number;
  /** Asks for the result as bytes too. */
  asBytes?: boolean;
  /** The texture ends where memory ends, all before it is 0xff, and no texel byte is above 0x7f. */
  isFenced?: boolean;
}

/** Deterministic numbers in [0, 1). */
function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** A texture with `levels` levels of random bytes, and a function that samples four lanes of it. */
function setup(key: SamplerKey, size: [number, number, number], levels: number, options: Options = {}) {
  const module = new ModuleBuilder();
  module.defineMemory({ minimumPages: 64 }, 'memory');
  const f = module.function('run', [], [], { exported: true });
  const input = (slot: number) => f.let(f.v128.load(f.i32.const(INPUT + slot * 16)));
  const op = options.op ?? 'lod';
  const isShadow = options.shadow ?? false;
  const request: TextureRequest = {
    op,
    dim: key.dim,
    shadow: isShadow,
    resultType: 'float',
    key,
    texture: preloadTexture(f, key, f.i32.const(BINDING)),
    coord: Array.from({ length: key.dim === '2d' ? 2 : 3 }, (_, k) => input(k)),
    comparator: isShadow ? input(3) : undefined,
    bias: op === 'bias' ? input(4) : undefined,
    lod: op === 'lod' || op === 'fetch' || op === 'size' ? input(5) : undefined,
    ddx: [input(6), input(7), input(8)],
    ddy: [input(9), input(10), input(11)],
    offset: options.offset ?? null,
    implicitDerivatives: options.implicitDerivatives ?? true,
    bytes: options.asBytes ? f.outerLocal('v128') : undefined,
  };
  emitTexture(f, request).forEach((value, c) => {
    f.v128.store(f.i32.const(OUTPUT), value, c * 16);
  });
  if (request.bytes) f.v128.store(f.i32.const(OUTPUT), request.bytes, 64);
  const { run, memory } = new WebAssembly.Instance(new WebAssembly.Module(module.build())).exports;
  const buffer = (memory as WebAssembly.Memory).buffer;
  const u32 = new Uint32Array(buffer);
  const f32 = new Float32Array(buffer);
  const bytes = new Uint8Array(buffer);
  u32[(BINDING + TEXTURE_BINDING.offset.view) >> 2] = VIEW;
  u32[(BINDING + TEXTURE_BINDING.offset.sampler) >> 2] = STATE;
  u32[(VIEW + TEXTURE_VIEW.offset.levelCount) >> 2] = levels;
  const border = [0.25, 0.5, 0.75, 1];
  border.forEach((value, c) => {
    f32[(STATE + SAMPLER.offset.borderColor + c * 4) >> 2] = value;
  });
  f32[(STATE + SAMPLER.offset.minLod) >> 2] = options.minLod ?? -1000;
  f32[(STATE + SAMPLER.offset.maxLod) >> 2] = options.maxLod ?? 1000;
  f32[(STATE + SAMPLER.offset.lodBias) >> 2] = options.lodBias ?? 0;
  f32[(STATE + SAMPLER.offset.maxAnisotropy) >> 2] = options.maxAnisotropy ?? 1;
  const { blockBytes } = formatDescription(key.format);
  const infos: LevelInfo[] = [];
  let address = TEXELS;
  for (let level = 0; level < levels; level++) {
    const width = Math.max(1, size[0] >> level);
    const height = Math.max(1, size[1] >> level);
    const depth = key.dim === '3d' ? Math.max(1, size[2] >> level) : key.dim === 'cube' ? 6 : size[2];
    const rowStride = ((width * blockBytes + 15) & ~15) + 16;
    const layerStride = rowStride * height + 32;
    const info: LevelInfo = { address, rowStride, layerStride, width, height, depth };
    infos.push(info);
    for (const [field, value] of Object.entries(info))
      u32[
        (VIEW +
          TEXTURE_VIEW.offset.levels +
          level * TEXTURE_LEVEL.size +
          TEXTURE_LEVEL.offset[field as keyof LevelInfo]) >>
          2
      ] = value;
    address += layerStride * depth;
  }
  const random = noise(key.format.length * 77 + levels);
  for (let i = TEXELS; i < address; i++) bytes[i] = random() * (options.isFenced ? 128 : 256);
  const isFloat = formatDescription(key.format).channels.some((channel) => channel.type === 'float');
  if (isFloat) for (let i = TEXELS; i < address; i++) if ((i & 1) === 1) bytes[i] = 0x38 + (bytes[i]! & 7);

  if (options.isFenced) {
    const shift = buffer.byteLength - address;
    bytes.copyWithin(TEXELS + shift, TEXELS, address);
    bytes.fill(0xff, TEXELS, TEXELS + shift);
    infos.forEach((info, level) => {
      info.address += shift;
      u32[(VIEW + TEXTURE_VIEW.offset.levels + level * TEXTURE_LEVEL.size) >> 2]! += shift;
    });
  }

  const texel = (level: number, x: number, y: number, z: number): number[] => {
    const at = infos[level]!;
    const place = at.address + z * at.layerStride + y * at.rowStride + x * blockBytes;
    const pixel = bytes.subarray(place, place + blockBytes);
    if (formatDescription(key.format).hasDepth) {
      const depth = new Float64Array(1);
      unpackDepth(key.format, depth, 0, 0, pixel, 0, 0, 1, 1);
      return [depth[0]!, 0, 0, 1];
    }
    return unpackPixel(key.format, pixel);
  };
  const call = (inputs: Record<number, number[]>, integers = false): number[][] => {
    const view = integers ? new Int32Array(buffer) : f32;
    for (const [slot, values] of Object.entries(inputs))
      values.forEach((value, lane) => {
        view[(INPUT >> 2) + Number(slot) * 4 + lane] = value;
      });
    (run as () => void)();
    return [0, 1, 2, 3].map((lane) => [0, 1, 2, 3].map((c) => f32[(OUTPUT >> 2) + c * 4 + lane]!));
  };
  return {
    call,
    texel,
    infos,
    border,
    ints: () => [...new Int32Array(buffer, OUTPUT, 16)],
    resultBytes: () => [...bytes.subarray(OUTPUT + 64, OUTPUT + 80)],
  };
}

type Setup = ReturnType<typeof setup>;

const modulo = (a: number, n: number): number => ((a % n) + n) % n;

/** Texel index of a wrap mode, or null for the border. */
function wrap(mode: TextureWrap, i: number, size: number): number | null {
  switch (mode) {
    case 'repeat':
      return modulo(i, size);
    case 'mirroredRepeat': {
      const m = modulo(i, 2 * size);
      return m < size ? m : 2 * size - 1 - m;
    }
    case 'clampToBorder':
      return i >= 0 && i < size ? i : null;
    default:
      return Math.min(Math.max(i, 0), size - 1);
  }
}

const mixAll = (a: number[], b: number[], t: number): number[] => a.map((value, c) => value + (b[c]! - value) * t);

function face(direction: number[]): [number, number, number] {
  const [x, y, z] = direction as [number, number, number];
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const project = (layer: number, sc: number, tc: number, ma: number): [number, number, number] => [
    layer,
    (sc / ma + 1) / 2,
    (tc / ma + 1) / 2,
  ];
  if (ax >= ay && ax >= az) return x >= 0 ? project(0, -z, -y, ax) : project(1, z, -y, ax);
  if (ay >= az) return y >= 0 ? project(2, x, z, ay) : project(3, x, -z, ay);
  return z >= 0 ? project(4, x, -y, az) : project(5, -x, -y, az);
}

function direction(layer: number, s: number, t: number): number[] {
  const [u, v] = [2 * s - 1, 2 * t - 1];
  return [
    [1, -v, -u],
    [-1, -v, u],
    [u, 1, v],
    [u, -1, -v],
    [u, -v, 1],
    [-u, -v, -1],
  ][layer]!;
}

function referenceLevel(
  key: SamplerKey,
  setup: Setup,
  level: number,
  coord: number[],
  linear: boolean,
  offset: number[],
): number[] {
  const info = setup.infos[level]!;
  const sizes = [info.width, info.height, info.depth];
  let layer = 0;
  let at = coord;
  if (key.dim === 'cube') {
    const [number, s, t] = face(coord);
    layer = number;
    at = [s, t];
  } else if (key.dim === '2dArray') layer = Math.min(Math.max(Math.round(coord[2]!), 0), info.depth - 1);
  const dimensions = key.dim === '3d' ? 3 : 2;
  const seamless = key.dim === 'cube' && key.seamlessCube;
  const wraps = seamless ? (['clampToEdge', 'clampToEdge', 'clampToEdge'] as const) : [key.wrapS, key.wrapT, key.wrapR];
  const position = (k: number): number =>
    wraps[k] === 'mirrorClampToEdge'
      ? Math.abs(at[k]! * sizes[k]! + (offset[k] ?? 0))
      : at[k]! * sizes[k]! + (offset[k] ?? 0);
  const fetch = (indices: number[]): number[] => {
    if (seamless) {
      const [i, j] = indices as [number, number];
      const n = info.width;
      const [outI, outJ] = [i < 0 || i >= n, j < 0 || j >= n];
      if (outI !== outJ) {
        const [otherLayer, s, t] = face(direction(layer, (i + 0.5) / n, (j + 0.5) / n));
        return setup.texel(level, Math.floor(s * n), Math.floor(t * n), otherLayer);
      }
    }
    const wrapped = indices.map((i, k) => wrap(wraps[k]!, i, sizes[k]!));
    if (wrapped.includes(null)) return setup.border;
    return setup.texel(level, wrapped[0]!, wrapped[1]!, dimensions === 3 ? wrapped[2]! : layer);
  };
  if (!linear) return fetch(Array.from({ length: dimensions }, (_, k) => Math.floor(position(k))));
  const base = Array.from({ length: dimensions }, (_, k) => Math.floor(position(k) - 0.5));
  const part = Array.from({ length: dimensions }, (_, k) => position(k) - 0.5 - base[k]!);
  if (seamless) {
    const n = info.width;
    const corners = [0, 1, 2, 3].map((k) => [base[0]! + (k & 1), base[1]! + (k >> 1)] as const);
    const isCorner = corners.map(([i, j]) => (i < 0 || i >= n) && (j < 0 || j >= n));
    const values = corners.map(([i, j]) => fetch([i, j]));
    const missing = isCorner.indexOf(true);
    if (missing >= 0)
      values[missing] = [0, 1, 2, 3].map((c) => values.reduce((sum, v, k) => sum + (k === missing ? 0 : v[c]!), 0) / 3);
    return mixAll(mixAll(values[0]!, values[1]!, part[0]!), mixAll(values[2]!, values[3]!, part[0]!), part[1]!);
  }
  const visit = (k: number, indices: number[]): number[] =>
    k < 0
      ? fetch(indices)
      : mixAll(visit(k - 1, [base[k]!, ...indices]), visit(k - 1, [base[k]! + 1, ...indices]), part[k]!);
  return visit(dimensions - 1, []);
}

function reference(key: SamplerKey, setup: Setup, coord: number[], lod: number, offset: number[] = []): number[] {
  const last = setup.infos.length - 1;
  const isMagnified = lod <= 0;
  const linear = (isMagnified ? key.magFilter : key.minFilter) === 'linear';
  if (isMagnified || key.mipFilter === 'none') return referenceLevel(key, setup, 0, coord, linear, offset);
  if (key.mipFilter === 'nearest') {
    const level = Math.min(Math.max(Math.ceil(lod + 0.5) - 1, 0), last);
    return referenceLevel(key, setup, level, coord, linear, offset);
  }
  const clamped = Math.min(Math.max(lod, 0), last);
  const level = Math.floor(clamped);
  const low = referenceLevel(key, setup, level, coord, linear, offset);
  const high = referenceLevel(key, setup, Math.min(level + 1, last), coord, linear, offset);
  return mixAll(low, high, clamped - level);
}

function check(got: number[], expected: number[], what: string, tolerance = 2e-4): void {
  got.forEach((value, c) => {
    const wanted = expected[c]!;
    if (
      !(Number.isNaN(value) && Number.isNaN(wanted)) &&
      !(Math.abs(value - wanted) <= tolerance * Math.max(1, Math.abs(wanted)))
    )
      throw new Error(`${what}, component ${c}: ${value} for ${wanted}`);
  });
}

/** Coordinates whose distance to any texel edge or centre is safe from rounding. */
function safe(random: () => number, size: number, spread: number): number {
  const steps = size * 32;
  return Math.fround((Math.floor(random() * spread * steps) + 0.37) / steps - spread / 2);
}

const WRAPS: TextureWrap[] = ['repeat', 'clampToEdge', 'mirroredRepeat', 'mirrorClampToEdge', 'clampToBorder'];

describe('explicit level of detail', () => {
  const cases: [string, Partial<SamplerKey>, [number, number, number], number[]?][] = [];
  for (const wrapS of WRAPS)
    for (const filter of ['nearest', 'linear'] as const)
      for (const [width, height] of [
        [8, 4],
        [5, 7],
      ] as const)
        cases.push([
          `2d ${wrapS} ${filter} ${width}x${height}`,
          { wrapS, wrapT: WRAPS[(WRAPS.indexOf(wrapS) + 1) % 5]!, minFilter: filter, magFilter: filter },
          [width, height, 1],
        ]);
  for (const wrapS of WRAPS)
    cases.push([
      `2d ${wrapS} linear with offset`,
      { wrapS, wrapT: wrapS, minFilter: 'linear', magFilter: 'linear' },
      [8, 4, 1],
      [-8, 7],
    ]);
  for (const mipFilter of ['none', 'nearest', 'linear'] as const)
    for (const minFilter of ['nearest', 'linear'] as const)
      for (const magFilter of ['nearest', 'linear'] as const)
        for (const dim of ['2d', '3d', '2dArray', 'cube'] as const)
          cases.push([
            `${dim} ${minFilter}-mip-${mipFilter} mag ${magFilter}`,
            { dim, minFilter, magFilter, mipFilter },
            dim === 'cube' ? [8, 8, 6] : [8, 16, 4],
          ]);
  cases.push([
    'cube without seams treatment',
    {
      dim: 'cube',
      seamlessCube: false,
      wrapS: 'clampToEdge',
      wrapT: 'clampToEdge',
      magFilter: 'linear',
      minFilter: 'linear',
    },
    [4, 4, 6],
  ]);
  cases.push(['cube 1x1', { dim: 'cube', magFilter: 'linear', minFilter: 'linear' }, [1, 1, 6]]);
  cases.push([
    '3d clamp linear',
    {
      dim: '3d',
      wrapS: 'clampToEdge',
      wrapT: 'mirroredRepeat',
      wrapR: 'clampToBorder',
      magFilter: 'linear',
      minFilter: 'linear',
    },
    [3, 4, 5],
  ]);
  test.each(cases)('%s', (_, change, size, offset) => {
    const key: SamplerKey = { ...BASE, ...change };
    const levels = key.mipFilter === 'none' ? 1 : 1 + Math.floor(Math.log2(Math.max(size[0], size[1])));
    const texture = setup(key, size, levels, offset ? { offset } : {});
    const random = noise(5);
    for (let round = 0; round < 200; round++) {
      const lanes = [0, 1, 2, 3];
      const coord =
        key.dim === 'cube'
          ? lanes.map(() => {
              const [s, t] = [safe(random, 256, 1) + 0.5, safe(random, 256, 1) + 0.5];
              return direction(Math.floor(random() * 6), s, t).map((v) => Math.fround(v * 3));
            })
          : lanes.map(() =>
              [0, 1, 2].map((k) =>
                k === 2 && key.dim === '2dArray' ? Math.fround(random() * 7 - 1.5) : safe(random, size[k]!, 6),
              ),
            );
      const lod = lanes.map(() => Math.fround(random() * (levels + 1) - 1.2));
      if (round & 1) lod.fill(lod[0]!);
      const out = texture.call({
        0: coord.map((c) => c[0]!),
        1: coord.map((c) => c[1]!),
        2: coord.map((c) => c[2]!),
        5: lod,
      });
      for (const lane of lanes)
        check(
          out[lane]!,
          reference(key, texture, coord[lane]!, lod[lane]!, offset),
          `round ${round} at ${coord[lane]} lod ${lod[lane]}`,
          2e-4,
        );
    }
  });
});

describe('formats', () => {
  const formats: Format[] = [
    'R8_UNORM',
    'R8G8_SNORM',
    'B5G6R5_UNORM',
    'A1B5G5R5_UNORM',
    'L8A8_UNORM',
    'A8_UNORM',
    'R8G8B8X8_UNORM',
    'R8G8B8A8_SRGB',
    'R16G16B16A16_FLOAT',
    'R32G32B32A32_FLOAT',
    'R11G11B10_FLOAT',
    'R9G9B9E5_FLOAT',
    'R10G10B10A2_UNORM',
    'Z16_UNORM',
    'Z24_UNORM_S8_UINT',
    'Z32_FLOAT',
    'R16_UNORM',
  ];
  test.each(formats)('%s, filtered', (format) => {
    const key: SamplerKey = { ...BASE, format, minFilter: 'linear', magFilter: 'linear' };
    const texture = setup(key, [8, 8, 1], 1);
    const random = noise(3);
    for (let round = 0; round < 50; round++) {
      const coord = [0, 1, 2, 3].map(() => [safe(random, 8, 3), safe(random, 8, 3)]);
      const out = texture.call({ 0: coord.map((c) => c[0]!), 1: coord.map((c) => c[1]!), 5: [0, 0, 0, 0] });
      for (const lane of [0, 1, 2, 3])
        check(out[lane]!, reference(key, texture, coord[lane]!, 0), format, /SRGB|8X8/.test(format) ? 4e-4 : 3e-5);
    }
  });

  test('swizzles compose with the format', () => {
    const key: SamplerKey = { ...BASE, format: 'L8A8_UNORM', swizzle: ['w', '1', 'x', '0'] };
    const texture = setup(key, [4, 4, 1], 1);
    const [luminance, , , alpha] = texture.texel(0, 1, 2, 0);
    const out = texture.call({ 0: [0.3, 0.3, 0.3, 0.3], 1: [0.6, 0.6, 0.6, 0.6], 5: [0, 0, 0, 0] });
    check(out[2]!, [alpha!, 1, luminance!, 0], 'swizzle');
  });

  test('integer textures give integers, nearest', () => {
    const key: SamplerKey = { ...BASE, format: 'R16G16_SINT', minFilter: 'linear', magFilter: 'linear' };
    const texture = setup(key, [4, 4, 1], 1);
    texture.call({ 0: [0.1, 0.4, 0.6, 0.9], 1: [0.1, 0.1, 0.6, 0.9], 5: [0, 0, 0, 0] });
    const out = texture.ints();
    [
      [0, 0],
      [1, 0],
      [2, 2],
      [3, 3],
    ].forEach(([x, y], lane) => {
      expect([0, 1, 2, 3].map((c) => out[c * 4 + lane])).toEqual(texture.texel(0, x!, y!, 0));
    });
  });
});

describe('implicit level of detail', () => {
  test.each(['2d', '3d', 'cube'] as const)('%s: log2 of the largest derivative, plus bias, clamped', (dim) => {
    const key: SamplerKey = { ...BASE, dim, mipFilter: 'nearest' };
    const size: [number, number, number] = dim === 'cube' ? [64, 64, 6] : [64, 32, dim === '3d' ? 16 : 1];
    for (const [bias, minLod, maxLod] of [
      [0, -1000, 1000],
      [1.2, -1000, 1000],
      [0, 2.6, 1000],
      [0, -1000, 1.4],
    ] as const) {
      const texture = setup(key, size, 7, { op: 'bias', minLod, maxLod });
      const random = noise(8);
      for (let round = 0; round < 60; round++) {
        const scale = 2 ** (random() * 6 - 1) / 64;
        const axis = [random() - 0.5, random() - 0.5, random() - 0.5];
        const origin =
          dim === 'cube'
            ? direction(round % 6, 0.3 + random() * 0.3, 0.3 + random() * 0.3)
            : axis.map((_, k) => safe(random, size[k]!, 2));
        const other = [random() - 0.5, random() - 0.5, random() - 0.5];
        const lane = (x: number, y: number): number[] =>
          origin.map((v, k) => Math.fround(v + scale * (x * axis[k]! + y * other[k]!)));
        const coord = [lane(0, 0), lane(1, 0), lane(0, 1), lane(1, 1)];
        const flat = (c: number[]): number[] => (dim === 'cube' ? face(c).slice(1) : c.slice(0, dim === '3d' ? 3 : 2));
        const largest = (to: number[], from: number[]): number =>
          Math.max(...flat(to).map((v, k) => Math.abs((v - flat(from)[k]!) * size[k]!)));
        const lambda = Math.log2(Math.max(largest(coord[3]!, coord[2]!), largest(coord[2]!, coord[0]!)));
        const lod = Math.min(Math.max(lambda + bias, minLod), maxLod);
        // Close to the switch between levels (or to a face's edge) either is right.
        if (Math.abs(modulo(lod, 1) - 0.5) < (dim === 'cube' ? 0.2 : 0.01)) continue;
        if (dim === 'cube' && new Set(coord.map((c) => face(c)[0])).size > 1) continue;
        const out = texture.call({
          0: coord.map((c) => c[0]!),
          1: coord.map((c) => c[1]!),
          2: coord.map((c) => c[2]!),
          4: new Array(4).fill(bias),
        });
        check(out[0]!, reference(key, texture, coord[0]!, lod), `round ${round} λ ${lod}`);
      }
    }
  });

  test('grad gives the same level from given derivatives', () => {
    const key: SamplerKey = { ...BASE, mipFilter: 'nearest' };
    const texture = setup(key, [64, 64, 1], 7, { op: 'grad' });
    const dx = [2, 8, 1, 32].map((texels) => texels / 64);
    const out = texture.call({
      0: [0.3, 0.3, 0.3, 0.3],
      1: [0.7, 0.7, 0.7, 0.7],
      6: dx,
      7: [0, 0, 0, 0],
      9: [0, 0, 0, 0],
      10: [0, 0, 0, 0],
    });
    [1, 3, 0, 5].forEach((level, lane) => {
      check(out[lane]!, referenceLevel(key, texture, level, [0.3, 0.7], false, []), `lane ${lane}`);
    });
  });

  test('a vertex shader samples level 0', () => {
    const key: SamplerKey = { ...BASE, mipFilter: 'linear', minFilter: 'linear', magFilter: 'linear' };
    const texture = setup(key, [8, 8, 1], 4, { op: 'sample', implicitDerivatives: false });
    const out = texture.call({ 0: [0.11, 0.9, 0.5, 0.3], 1: [0.2, 0.33, 0.3, 0.7] });
    check(out[1]!, referenceLevel(key, texture, 0, [0.9, 0.33], true, []), 'level 0');
  });
});

/** EXT_texture_filter_anisotropic's formulas; footprint axes in units of the coordinate, `flat` brings them to texels of level 0. */
function anisotropicReference(
  key: SamplerKey,
  texture: Setup,
  coord: number[],
  axes: readonly [number[], number[]],
  most: number,
  flat: (axis: number[]) => number[],
): { expected: number[]; lod: number; ratio: number } {
  const [px, py] = axes.map((axis) => Math.hypot(...flat(axis))) as [number, number];
  const [longer, shorter] = [Math.max(px, py), Math.min(px, py)];
  const ratio = longer / Math.max(shorter, 1);
  const count = Math.min(Math.max(Math.ceil(ratio), 1), most);
  const axis = px >= py ? axes[0] : axes[1];
  const lod = Math.log2(longer / count);
  const samples = Array.from({ length: count }, (_, i) => {
    const place = (i + 1) / (count + 1) - 0.5;
    return reference(
      key,
      texture,
      coord.map((v, k) => v + (axis[k] ?? 0) * place),
      lod,
    );
  });
  return {
    expected: [0, 1, 2, 3].map((c) => samples.reduce((sum, s) => sum + s[c]!, 0) / count),
    lod,
    ratio,
  };
}

describe('anisotropic filtering', () => {
  const TRILINEAR = { minFilter: 'linear', magFilter: 'linear', mipFilter: 'linear', isAnisotropic: true } as const;

  test.each([
    ['2d', 'R8G8B8A8_UNORM', 'linear', 16],
    ['2d', 'R32G32B32A32_FLOAT', 'none', 16],
    ['2d', 'R8G8B8A8_UNORM', 'nearest', 4],
    ['2dArray', 'R8G8B8A8_UNORM', 'linear', 2],
    ['3d', 'R8G8B8A8_UNORM', 'linear', 16],
    ['cube', 'R32G32B32A32_FLOAT', 'linear', 16],
  ] as const)('%s %s, mip %s, up to %d: the mean along the longer axis', (dim, format, mipFilter, most) => {
    const key: SamplerKey = { ...BASE, ...TRILINEAR, dim, format, mipFilter };
    const size: [number, number, number] = dim === 'cube' ? [64, 64, 6] : [64, 32, dim === '3d' ? 16 : 3];
    const texture = setup(key, size, 6, { op: 'grad', maxAnisotropy: most });
    const random = noise(21);
    let several = 0;
    for (let round = 0; round < 80; round++) {
      const components = dim === '3d' || dim === 'cube' ? 3 : 2;
      const spread = 2 ** (random() * 5) / 64;
      const vector = (length: number): number[] =>
        Array.from({ length: components }, () => Math.fround((random() - 0.5) * length));
      const lanes = [0, 1, 2, 3].map(() => ({
        coord:
          dim === 'cube'
            ? direction(4, 0.3 + random() * 0.4, 0.3 + random() * 0.4)
            : [random(), random(), dim === '2dArray' ? Math.floor(random() * 3) : random()],
        x: vector(spread * 8),
        y: vector(spread),
      }));
      const input: Record<number, number[]> = {};
      for (let k = 0; k < 3; k++) {
        input[k] = lanes.map(({ coord }) => coord[k]!);
        input[6 + k] = lanes.map(({ x }) => x[k] ?? 0);
        input[9 + k] = lanes.map(({ y }) => y[k] ?? 0);
      }
      const out = texture.call(input);
      lanes.forEach(({ coord, x, y }, lane) => {
        // The face +z: s = (x/z + 1)/2, t = (1 − y/z)/2.
        const flat = (d: number[]): number[] =>
          dim === 'cube'
            ? [(d[0]! - (coord[0]! / coord[2]!) * d[2]!) * 32, (-d[1]! + (coord[1]! / coord[2]!) * d[2]!) * 32]
            : d.map((v, k) => v * size[k]!);
        const at = coord.map(Math.fround);
        const { expected, lod, ratio } = anisotropicReference(key, texture, at, [x, y], most, flat);
        // Close to a change of N, or to a switch of levels, either is right.
        if (ratio < most && Math.abs(ratio - Math.round(ratio)) < 0.01) return;
        if (mipFilter === 'nearest' && Math.abs(modulo(lod, 1) - 0.5) < 0.02) return;
        if (dim === 'cube' && ratio > 1 && [x, y].some((d) => d.some((v) => Math.abs(v) > 0.6))) return;
        if (ratio > 2) several++;
        check(out[lane]!, expected, `round ${round} lane ${lane} N ${ratio}`, 2e-3);
      });
    }
    expect(several).toBeGreaterThan(50);
  });

  test('takes the quad’s own derivatives', () => {
    const key: SamplerKey = { ...BASE, ...TRILINEAR };
    const texture = setup(key, [64, 64, 1], 7, { op: 'sample', maxAnisotropy: 16 });
    // 12 texels to the right, 3 upward: four samples of three texels each.
    const [s, t] = [0.31, 0.42];
    const out = texture.call({ 0: [s, s + 12 / 64, s, s + 12 / 64], 1: [t, t, t + 3 / 64, t + 3 / 64] });
    const axes: [number[], number[]] = [
      [12 / 64, 0],
      [0, 3 / 64],
    ];
    const flat = (d: number[]): number[] => d.map((v) => v * 64);
    const { expected, lod, ratio } = anisotropicReference(key, texture, [s, t], axes, 16, flat);
    expect([lod, ratio]).toEqual([Math.log2(3), 4]);
    check(out[0]!, expected, 'sample', 2e-3);
  });

  test('is that of one sample for square footprints, without derivatives, and with nearest minification', () => {
    for (const [options, filters] of [
      [{ op: 'sample' }, {}],
      [{ op: 'sample', implicitDerivatives: false }, {}],
      [{ op: 'sample' }, { minFilter: 'nearest' }],
    ] as const) {
      const key: SamplerKey = { ...BASE, ...TRILINEAR, ...filters };
      const [s, t] = [0.31, 0.42];
      const input = { 0: [s, s + 2 / 64, s, s + 2 / 64], 1: [t, t, t + 2 / 64, t + 2 / 64] };
      const with16 = setup(key, [64, 64, 1], 7, { ...options, maxAnisotropy: 16 }).call(input);
      const without = setup({ ...key, isAnisotropic: false }, [64, 64, 1], 7, options).call(input);
      with16.forEach((value, lane) => {
        check(value, without[lane]!, `lane ${lane}`, 1e-5);
      });
    }
  });

  test('hostile derivatives read inside of the texture', () => {
    const key: SamplerKey = { ...BASE, ...TRILINEAR };
    const texture = setup(key, [8, 8, 1], 4, { op: 'grad', maxAnisotropy: 16, isFenced: true });
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e30, -1e30, 0]) {
      const all = [value, 1, -value, 0];
      const out = texture.call({ 0: [0.1, 0.2, 0.3, 0.4], 1: [0.5, 0.6, 0.7, 0.8], 6: all, 7: all, 9: all, 10: all });
      for (const channel of out.flat()) expect(channel).toBeLessThan(0.51);
    }
  });
});

test('shadow lookups compare each texel, then filter', () => {
  for (const format of ['Z16_UNORM', 'Z32_FLOAT'] as const) {
    const key: SamplerKey = { ...BASE, format, compare: 'lessEqual', minFilter: 'linear', magFilter: 'linear' };
    const texture = setup(key, [4, 4, 1], 1, { shadow: true });
    const random = noise(2);
    for (let round = 0; round < 40; round++) {
      const [s, t, d] = [safe(random, 4, 1) + 0.5, safe(random, 4, 1) + 0.5, random()];
      const out = texture.call({ 0: [s, s, s, s], 1: [t, t, t, t], 3: [d, d, d, d], 5: [0, 0, 0, 0] });
      const compared: Setup = { ...texture, texel: (...at) => [d <= texture.texel(...at)[0]! ? 1 : 0, 0, 0, 1] };
      check([out[0]![0]!], reference(key, compared, [s, t], 0), 'shadow');
    }
  }
});

test('texelFetch reads texels and gives zeros outside', () => {
  const texture = setup({ ...BASE, dim: '2dArray' }, [4, 4, 3], 3, { op: 'fetch' });
  const out = texture.call({ 0: [1, 3, 4, 0], 1: [2, 3, 0, 0], 2: [2, 0, 0, 1], 5: [0, 0, 0, 2] }, true);
  check(out[0]!, texture.texel(0, 1, 2, 2), 'in');
  check(out[1]!, texture.texel(0, 3, 3, 0), 'last');
  check(out[2]!, [0, 0, 0, 0], 'out');
  check(out[3]!, texture.texel(2, 0, 0, 1), 'level 2');
  const bad = texture.call({ 0: [-1, 0, 0, 1], 1: [0, -2147483648, 0, 0], 2: [0, 0, 3, 0], 5: [0, 0, 0, 3] }, true);
  for (const lane of bad) check(lane, [0, 0, 0, 0], 'out of range');
});

test('textureSize tells the size of a level', () => {
  const texture = setup({ ...BASE, dim: '2dArray' }, [8, 4, 3], 4, { op: 'size' });
  texture.call({ 5: [0, 1, 3, 2] }, true);
  expect(texture.ints().slice(0, 12)).toEqual([8, 4, 1, 2, 4, 2, 1, 1, 3, 3, 3, 3]);
});

test('a result taken as bytes is what packing its floats gives', () => {
  const random = noise(5);
  for (const op of ['sample', 'grad'] as const)
    for (const mipFilter of ['none', 'nearest', 'linear'] as const)
      for (const filter of ['nearest', 'linear'] as const)
        for (const wrapS of ['repeat', 'clampToEdge', 'mirroredRepeat'] as const) {
          const key: SamplerKey = { ...BASE, wrapS, minFilter: filter, magFilter: filter, mipFilter };
          if (!givesBytes(key)) {
            expect([filter, mipFilter]).toEqual(['nearest', 'linear']);
            continue;
          }
          const texture = setup(key, [8, 8, 1], 4, { op, asBytes: true });
          for (let round = 0; round < 50; round++) {
            const four = (scale: number): number[] => [0, 1, 2, 3].map(() => (random() - 0.5) * scale);
            const inputs = { 0: four(3), 1: four(3), 6: four(1), 7: four(1), 9: four(1), 10: four(1) };
            const pixels = texture.call(inputs).map((pixel) => pixel.map((value) => Math.fround(value * 255)));
            expect(texture.resultBytes()).toEqual(
              pixels.flat().map((value) => Math.fround(value + 12582912) - 12582912),
            );
          }
        }
});

test('no coordinate reads outside of the texture', () => {
  const evil = [Number.NaN, Number.POSITIVE_INFINITY, -Infinity, 1e38, -1e38, 1e-40, -1e-9, 2 ** 31, 0.5];
  for (const dim of ['2d', '3d', 'cube', '2dArray'] as const)
    for (const wrapS of WRAPS)
      for (const filter of ['nearest', 'linear'] as const) {
        const key: SamplerKey = {
          ...BASE,
          dim,
          wrapS,
          wrapT: wrapS,
          wrapR: wrapS,
          minFilter: filter,
          magFilter: filter,
          mipFilter: 'linear',
        };
        const texture = setup(key, [4, 4, dim === 'cube' ? 6 : 4], 3, {
          op: 'bias',
          isFenced: true,
          offset: dim === 'cube' ? [0, 0] : [3, -7, 1],
        });
        for (let round = 0; round < 60; round++) {
          const pick = (k: number): number[] =>
            [0, 1, 2, 3].map((lane) => evil[(round * (k + 2) + lane * (k + 1)) % evil.length]!);
          const out = texture.call({ 0: pick(0), 1: pick(1), 2: pick(2), 4: pick(3) });
          if (wrapS !== 'clampToBorder') for (const value of out.flat()) expect(value > 0.5).toBe(false);
        }
      }
});
