// The blitter's shaders as IR: a pass-through vertex shader, copies, mip levels, constant clears.

import { type Builder, createBuilder } from '../../ir/builder.ts';
import { createShader, type Shader, type Slot, type TexDim, type Value } from '../../ir/ir.ts';
import { optimizeShader } from '../../ir/optimize.ts';
import type { Swizzle } from '../../pipe/pipe.ts';
import type { Taps } from './mipmap-taps.ts';

/**
 * How a copy finds its texel. `exact`: integer arithmetic from the pixel's own position (`TexelMapping`). `unscaled`: the same
 * for copies of one texel a pixel. `interpolated`: the texture coordinate across the primitive, in texels. `linear`: the same,
 * normalized and filtered.
 */
export type CoordinateMode = 'exact' | 'unscaled' | 'interpolated' | 'linear';

type BlitDim = Extract<TexDim, '2d' | '3d'>;
type ResultType = 'float' | 'int' | 'uint';

/** Everything that decides a copy's code; its JSON text is the cache key. */
export interface CopyShaderKey {
  readonly dim: BlitDim;
  readonly resultType: ResultType;
  readonly mode: CoordinateMode;
  /** The source runs against the destination. */
  readonly flipX: boolean;
  readonly flipY: boolean;
  /** Where each output channel comes from. */
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
}

/** Everything that decides the code of a mip level. */
export interface MipmapShaderKey {
  readonly dim: BlitDim;
  readonly tapsX: Taps;
  readonly tapsY: Taps;
  readonly tapsZ: Taps;
}

/**
 * Uniform slots of copies and mip levels, four words each. Copies: [origin x, y, step x, y], [first x, y, divisor x, y],
 * [offset x, y, slice, normalized slice (float)]. Mip levels: [size x, y, z of the smaller level, slice of it].
 */
export const COPY_SLOTS = 3;
export const COPY_WORD = {
  origin: 0,
  step: 2,
  first: 4,
  divisor: 6,
  offset: 8,
  slice: 10,
  normalizedSlice: 11,
} as const;

function finish(shader: Shader): Shader {
  const result = optimizeShader(shader);
  if (!result.ok) throw new Error(`blitter shader: ${result.message}`);
  return shader;
}

function varying(name: string, slot: Slot) {
  return { name, slot, components: 4, base: 'float', interpolation: 'smooth', centroid: false } as const;
}

/** Position from attribute 0, texture coordinate from attribute 1 into var0. */
export function createVertexShader(): Shader {
  const shader = createShader('vertex', 'blit');
  shader.inputs.push(varying('position', 'attribute0'), varying('texcoord', 'attribute1'));
  shader.outputs.push(varying('position', 'position'), varying('texcoord', 'var0'));
  const b = createBuilder(shader);
  b.storeOutput('position', b.loadInput('attribute0', 4));
  b.storeOutput('var0', b.loadInput('attribute1', 4));
  return finish(shader);
}

function pushColorOutput(shader: Shader, index: number, base: ResultType): void {
  const slot: Slot = `color${index}`;
  shader.outputs.push({ name: slot, slot, components: 4, base, interpolation: 'smooth', centroid: false });
}

function uniformWord(b: Builder, word: number): Value {
  return b.channel(b.loadUniform(4, word >> 2), word & 3);
}

/** Texel index of one axis, as `TexelMapping` says. */
function exactTexel(b: Builder, key: CopyShaderKey, axis: 0 | 1): Value {
  const pixel = b.isub(b.f2i(b.channel(b.sysval('fragCoord'), axis)), uniformWord(b, COPY_WORD.first + axis));
  const origin = uniformWord(b, COPY_WORD.origin + axis);
  const isFlipped = axis === 0 ? key.flipX : key.flipY;
  let steps = pixel;
  if (key.mode === 'exact') {
    const position = b.iadd(
      uniformWord(b, COPY_WORD.offset + axis),
      b.imul(pixel, uniformWord(b, COPY_WORD.step + axis)),
    );
    steps = b.udiv(position, uniformWord(b, COPY_WORD.divisor + axis));
  }
  return isFlipped ? b.isub(origin, steps) : b.iadd(origin, steps);
}

function fetch(b: Builder, dim: BlitDim, resultType: ResultType, texel: readonly Value[]): Value {
  return b.tex({ op: 'fetch', sampler: 0, dim, resultType, coord: b.vec(...texel), lod: b.constInt(0) });
}

function sampleLinear(b: Builder, dim: BlitDim): Value {
  const input = b.loadInput('var0', 2);
  const slice = uniformWord(b, COPY_WORD.normalizedSlice);
  const coord = dim === '3d' ? b.vec(b.channel(input, 0), b.channel(input, 1), slice) : input;
  return b.tex({ op: 'lod', sampler: 0, dim, coord, lod: b.constFloat(0) });
}

function swizzled(b: Builder, texel: Value, key: CopyShaderKey): Value {
  const one = key.resultType === 'float' ? b.constFloat(1) : b.constInt(1);
  const channels = key.swizzle.map((letter) => {
    if (letter === '0') return b.constInt(0);
    return letter === '1' ? one : b.channel(texel, 'xyzw'.indexOf(letter));
  });
  return b.vec(...channels);
}

function createTexturedShader(name: string, dim: BlitDim, resultType: ResultType): Shader {
  const shader = createShader('fragment', name);
  shader.samplers.push({ name: 'source', dim, shadow: false, resultType });
  shader.uniformSlots = COPY_SLOTS;
  pushColorOutput(shader, 0, resultType);
  return shader;
}

export function createCopyShader(key: CopyShaderKey): Shader {
  const { dim, resultType, mode } = key;
  const shader = createTexturedShader('blit copy', dim, resultType);
  const b = createBuilder(shader);
  if (mode === 'linear' || mode === 'interpolated') shader.inputs.push(varying('texcoord', 'var0'));
  let texel: Value;
  if (mode === 'linear') texel = sampleLinear(b, dim);
  else {
    const slice = dim === '3d' ? [uniformWord(b, COPY_WORD.slice)] : [];
    const plane =
      mode === 'interpolated'
        ? b.channels(b.f2i(b.ffloor(b.loadInput('var0', 2))))
        : [exactTexel(b, key, 0), exactTexel(b, key, 1)];
    texel = fetch(b, dim, resultType, [...plane, ...slice]);
  }
  b.storeOutput('color0', swizzled(b, texel, key));
  return finish(shader);
}

/** Texels of one axis with their weights. */
function tapList(b: Builder, taps: Taps, place: Value, size: Value): { texel: Value; weight: Value | null }[] {
  if (taps === 1) return [{ texel: b.constInt(0), weight: null }];
  const first = b.iadd(place, place);
  const second = b.iadd(first, b.constInt(1));
  if (taps === 2) {
    const half = b.constFloat(0.5);
    return [
      { texel: first, weight: half },
      { texel: second, weight: half },
    ];
  }
  // Size 2n + 1 to n: weights n − i, n, i + 1 of 2n + 1.
  const total = b.i2f(b.iadd(b.iadd(size, size), b.constInt(1)));
  const share = (count: Value): Value => b.fdiv(b.i2f(count), total);
  return [
    { texel: first, weight: share(b.isub(size, place)) },
    { texel: second, weight: share(size) },
    { texel: b.iadd(second, b.constInt(1)), weight: share(b.iadd(place, b.constInt(1))) },
  ];
}

/** One texel of a mip level: the mean of the box of texels above it. */
export function createMipmapShader({ dim, tapsX, tapsY, tapsZ }: MipmapShaderKey): Shader {
  const shader = createTexturedShader('mip level', dim, 'float');
  const b = createBuilder(shader);
  const position = b.f2i(b.swizzle(b.sysval('fragCoord'), [0, 1]));
  const along = (axis: 0 | 1, taps: Taps) => tapList(b, taps, b.channel(position, axis), uniformWord(b, axis));
  const slices =
    dim === '3d' ? tapList(b, tapsZ, uniformWord(b, 3), uniformWord(b, 2)) : [{ texel: null, weight: null }];
  let sum: Value | null = null;
  for (const z of slices) {
    for (const y of along(1, tapsY)) {
      for (const x of along(0, tapsX)) {
        let term = fetch(b, dim, 'float', [x.texel, y.texel, ...(z.texel ? [z.texel] : [])]);
        for (const { weight } of [x, y, z]) if (weight) term = b.fmul(term, b.vec(weight, weight, weight, weight));
        sum = sum ? b.fadd(sum, term) : term;
      }
    }
  }
  b.storeOutput('color0', sum!);
  return finish(shader);
}

/** Writes uniform slot 0 to the first `targets` colour outputs. */
export function createClearShader(targets: number): Shader {
  const shader = createShader('fragment', 'clear');
  shader.uniformSlots = 1;
  const b = createBuilder(shader);
  for (let index = 0; index < targets; index++) {
    pushColorOutput(shader, index, 'float');
    b.storeOutput(`color${index}`, b.loadUniform(4, 0));
  }
  return finish(shader);
}
