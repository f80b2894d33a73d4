// The blitter's shaders as IR: a pass-through vertex shader, copies by dimension and type, constant clears.

import { type Builder, createBuilder } from '../../ir/builder.ts';
import { createShader, type Shader, type Slot, type TexDim, type Value } from '../../ir/ir.ts';
import { optimizeShader } from '../../ir/optimize.ts';
import type { Swizzle } from '../../pipe/pipe.ts';

/**
 * How a copy finds its texel. `exact`: integer arithmetic from the pixel's own position, right for every size.
 * `interpolated`: from the texture coordinate across the primitive, in texels. `linear`: the same, normalized and filtered.
 */
export type CoordinateMode = 'exact' | 'interpolated' | 'linear';

/** Everything that decides a copy's code; its JSON text is the cache key. */
export interface CopyShaderKey {
  readonly dim: Extract<TexDim, '2d' | '3d'>;
  readonly resultType: 'float' | 'int' | 'uint';
  readonly mode: CoordinateMode;
  /** The source runs against the destination. */
  readonly flipX: boolean;
  readonly flipY: boolean;
  /** Where each output channel comes from. */
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
}

/** Uniform slots of copies. Slot 0: source x, y, width, height; slot 1: destination's; slot 2: slice (int, float). */
export const COPY_SLOTS = 3;

function finish(shader: Shader): Shader {
  const result = optimizeShader(shader);
  if (!result.ok) throw new Error(`blitter shader: ${result.message}`);
  return shader;
}

/** Position from attribute 0, texture coordinate from attribute 1 into var0. */
export function createVertexShader(): Shader {
  const shader = createShader('vertex', 'blit');
  for (const [index, name] of ['position', 'texcoord'].entries()) {
    const slot: Slot = `attribute${index}`;
    shader.inputs.push({ name, slot, components: 4, base: 'float', interpolation: 'smooth', centroid: false });
  }
  for (const slot of ['position', 'var0'] as const) {
    shader.outputs.push({ name: slot, slot, components: 4, base: 'float', interpolation: 'smooth', centroid: false });
  }
  const b = createBuilder(shader);
  b.storeOutput('position', b.loadInput('attribute0', 4));
  b.storeOutput('var0', b.loadInput('attribute1', 4));
  return finish(shader);
}

/** Texel index of one axis: source + floor((2·i + 1)·sourceSize / (2·destinationSize)), i counted from the box's edge. */
function exactTexel(b: Builder, pixel: Value, axis: 0 | 1, isFlipped: boolean): Value {
  const source = b.loadUniform(4, 0);
  const destination = b.loadUniform(4, 1);
  const index = b.isub(b.f2i(pixel), b.channel(destination, axis));
  const odd = b.iadd(b.iadd(index, index), b.constInt(1));
  const numerator = b.imul(odd, b.channel(source, axis + 2));
  const size = b.channel(destination, axis + 2);
  const denominator = b.iadd(size, size);
  const start = b.channel(source, axis);
  if (!isFlipped) return b.iadd(start, b.idiv(numerator, denominator));
  const rounded = b.isub(b.iadd(numerator, denominator), b.constInt(1));
  return b.isub(start, b.idiv(rounded, denominator));
}

function texelCoordinate(b: Builder, key: CopyShaderKey): Value {
  const slice = b.channel(b.loadUniform(2, 2), 0);
  let texels: Value[];
  if (key.mode === 'exact') {
    const position = b.sysval('fragCoord');
    texels = [exactTexel(b, b.channel(position, 0), 0, key.flipX), exactTexel(b, b.channel(position, 1), 1, key.flipY)];
  } else {
    texels = b.channels(b.f2i(b.ffloor(b.loadInput('var0', 2))));
  }
  return b.vec(...texels, ...(key.dim === '3d' ? [slice] : []));
}

function swizzled(b: Builder, texel: Value, key: CopyShaderKey): Value {
  const one = key.resultType === 'float' ? b.constFloat(1) : b.constInt(1);
  const channels = key.swizzle.map((letter) => {
    if (letter === '0') return b.constInt(0);
    return letter === '1' ? one : b.channel(texel, 'xyzw'.indexOf(letter));
  });
  return b.vec(...channels);
}

export function createCopyShader(key: CopyShaderKey): Shader {
  const shader = createShader('fragment', 'blit copy');
  shader.inputs.push({
    name: 'texcoord',
    slot: 'var0',
    components: 4,
    base: 'float',
    interpolation: 'smooth',
    centroid: false,
  });
  shader.samplers.push({ name: 'source', dim: key.dim, shadow: false, resultType: key.resultType });
  shader.uniformSlots = COPY_SLOTS;
  const b = createBuilder(shader);
  let texel: Value;
  if (key.mode === 'linear') {
    const slice = b.channel(b.loadUniform(2, 2), 1);
    const input = b.loadInput('var0', 2);
    const coord = key.dim === '3d' ? b.vec(b.channel(input, 0), b.channel(input, 1), slice) : input;
    texel = b.tex({ op: 'lod', sampler: 0, dim: key.dim, coord, lod: b.constFloat(0) });
  } else {
    const coord = texelCoordinate(b, key);
    texel = b.tex({
      op: 'fetch',
      sampler: 0,
      dim: key.dim,
      resultType: key.resultType,
      coord,
      lod: b.constInt(0),
    });
  }
  pushColorOutput(shader, 0, key.resultType);
  b.storeOutput('color0', swizzled(b, texel, key));
  return finish(shader);
}

function pushColorOutput(shader: Shader, index: number, base: 'float' | 'int' | 'uint'): void {
  const slot: Slot = `color${index}`;
  shader.outputs.push({ name: slot, slot, components: 4, base, interpolation: 'smooth', centroid: false });
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
