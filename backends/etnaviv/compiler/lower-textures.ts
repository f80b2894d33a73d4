// Texture look-ups in the forms the GPU has: offsets become coordinates, gradients of shadow samplers become a level.

import type { Builder } from '../../../src/ir/builder.ts';
import type { TexInstruction, Value } from '../../../src/ir/ir.ts';
import type { Rule } from '../../../src/ir/passes/rewrite.ts';
import { UnsupportedShaderError } from './compiled-shader.ts';
import type { CompilerTarget } from './target.ts';

export function texturesRule(target: CompilerTarget): Rule {
  return {
    name: 'textures',
    apply(instruction, { builder }) {
      if (instruction.kind !== 'tex' || instruction.op === 'size') return null;
      const { info } = instruction;
      if (instruction.op === 'fetch' && !target.hasTexelFetch) return lowerFetch(builder, instruction);
      if (info.offset?.some((offset) => offset !== 0)) return lowerOffset(builder, instruction, target);
      if (instruction.op === 'grad' && info.shadow) return lowerShadowGradient(builder, instruction);
      return null;
    },
  };
}

function rebuild(
  b: Builder,
  tex: TexInstruction,
  op: TexInstruction['op'],
  sources: Partial<Record<string, Value>>,
): Value {
  const { sampler, dim, shadow, resultType } = tex.info;
  const { coord, ...rest } = sources;
  return b.tex({ op, sampler, dim, shadow, resultType, coord: coord!, ...rest } as Parameters<Builder['tex']>[0]);
}

function sourcesOf(tex: TexInstruction): Record<string, Value> {
  return Object.fromEntries(tex.info.roles.map((role, index) => [role, tex.sources[index]!]));
}

/** The size in texels at level 0 of the dimensions that shrink, as floats. */
function levelSize(b: Builder, tex: TexInstruction): Value {
  const { sampler, dim } = tex.info;
  const size = b.tex({ op: 'size', sampler, dim, lod: b.constInt(0) } as Parameters<Builder['tex']>[0]);
  return b.i2f(dim === '3d' ? size : b.swizzle(size, [0, 1]));
}

/** Half of log2 of the larger squared length of two gradients in texels. */
function levelOf(b: Builder, ddx: Value, ddy: Value): Value {
  const longest = b.fmax(b.fdot(ddx, ddx), b.fdot(ddy, ddy));
  return b.fmul(b.flog2(longest), b.constFloat(0.5));
}

/**
 * The hardware's own offsets are not known, so they are added to the coordinates: exact where the level is, which is
 * computed the usual way where the look-up chooses it.
 */
function lowerOffset(b: Builder, tex: TexInstruction, target: CompilerTarget): Value {
  const { info } = tex;
  const offset = info.offset!;
  const sources = sourcesOf(tex);
  const coord = sources['coord']!;
  if (tex.op === 'fetch') {
    const ints = Array.from({ length: coord.components }, (_, i) => offset[i] ?? 0);
    sources['coord'] = b.iadd(coord, b.constInt(...ints));
    return rebuild(b, tex, tex.op, sources);
  }
  if (!target.hasIntegers) throw new UnsupportedShaderError('the GPU has no texture offsets');
  const count = info.dim === '3d' ? 3 : 2;
  const part = [0, 1, 2].slice(0, count);
  const size = levelSize(b, tex);
  const inTexels = (value: Value) => b.fmul(b.swizzle(value, part), size);
  const zero = b.constFloat(0);
  let level: Value = zero;
  if (tex.op === 'lod') level = sources['lod']!;
  else if (tex.op === 'grad') level = levelOf(b, inTexels(sources['ddx']!), inTexels(sources['ddy']!));
  else if (b.shader.stage === 'fragment') {
    level = levelOf(b, b.fddx(inTexels(coord)), b.fddy(inTexels(coord)));
    if (sources['bias']) level = b.fadd(level, sources['bias']);
  }
  const scale = b.fexp2(b.ffloor(b.fadd(b.fmax(level, zero), b.constFloat(0.5))));
  const texels = b.fmul(b.constFloat(...part.map((i) => offset[i] ?? 0)), b.splat(scale, count));
  const moved = b.fadd(b.swizzle(coord, part), b.fdiv(texels, size));
  sources['coord'] =
    coord.components === count ? moved : b.vec(...b.channels(moved), b.channel(coord, coord.components - 1));
  return rebuild(b, tex, tex.op, sources);
}

/** A texel of the only level of a view that is sampled as the nearest: the driver's own copies ask for no other. */
function lowerFetch(b: Builder, tex: TexInstruction): Value {
  const { coord, lod } = sourcesOf(tex);
  const { offset, dim } = tex.info;
  const isBase = lod === undefined || (lod.kind === 'const' && lod.info[0] === 0);
  if (dim === '2dArray' || offset?.some((step) => step !== 0) || !isBase) {
    throw new UnsupportedShaderError('the GPU has no texel fetch');
  }
  const middle = b.fadd(b.i2f(coord!), b.splat(b.constFloat(0.5), coord!.components));
  return rebuild(b, tex, 'sample', { coord: b.fdiv(middle, levelSize(b, tex)) });
}

function lowerShadowGradient(b: Builder, tex: TexInstruction): Value {
  const { dim } = tex.info;
  if (dim === 'cube') throw new UnsupportedShaderError('the GPU has no gradients of cube shadow samplers');
  const { ddx, ddy, ...rest } = sourcesOf(tex);
  const size = levelSize(b, tex);
  const part = dim === '3d' ? [0, 1, 2] : [0, 1];
  const inTexels = (value: Value) => b.fmul(b.swizzle(value, part), size);
  const lod = levelOf(b, inTexels(ddx!), inTexels(ddy!));
  return rebuild(b, tex, 'lod', { ...rest, lod });
}
