// Texture functions of both language versions → IR texture instructions: roles, projection, compare value, and the choice
// among samplers of an array that is indexed at run time.
// SPDX-License-Identifier: MIT
import { listOf } from '../base/list.ts';
import type { Builder, TexOptions } from '../ir/builder.ts';
import { type Value, vectorType } from '../ir/ir.ts';
import type { BuiltinFunction, Expression, TextureCall } from './ast.ts';
import type { LowerContext, SamplerChoice } from './lower-context.ts';
import { selectComponents } from './lower-values.ts';
import type { SamplerType } from './types.ts';

/** Arguments after the sampler by role; `offset` is a constant expression and comes from the tree. */
export type TextureArguments = Partial<Record<'coord' | 'bias' | 'lod' | 'ddx' | 'ddy', Value>>;

/** Emits a texture function for an already resolved sampler. */
export function lowerTexture(
  ctx: LowerContext,
  builtin: BuiltinFunction,
  samplerType: SamplerType,
  samplers: SamplerChoice,
  args: TextureArguments,
  argumentTrees: readonly Expression[],
): Value {
  const call = builtin.texture!;
  const options: Omit<TexOptions, 'sampler'> = {
    op: call.op,
    dim: samplerType.dimension,
    shadow: samplerType.isShadow,
    resultType: samplerType.base,
    ...coordinates(ctx.b, call, samplerType, args.coord),
    bias: args.bias,
    lod: args.lod ?? (call.op === 'size' || call.op === 'fetch' ? ctx.b.constInt(0) : undefined),
    ddx: args.ddx,
    ddy: args.ddy,
    offset: constantOffset(call, argumentTrees),
  };
  return emitForSamplers(ctx, samplers, options);
}

/** Splits the coordinate argument into coordinate and compare value and divides by the projection. */
function coordinates(
  b: Builder,
  call: TextureCall,
  sampler: SamplerType,
  coord: Value | undefined,
): Pick<TexOptions, 'coord' | 'comparator'> {
  if (coord === undefined) return {};
  const size = sampler.dimension === '2d' ? 2 : 3;
  const select = (from: number, count: number) =>
    selectComponents(
      b,
      coord,
      listOf(count, (i) => from + i),
    );
  if (!call.isProjected) {
    const comparator = sampler.isShadow ? b.channel(coord, size) : undefined;
    return { coord: select(0, size), comparator };
  }
  // `textureProj(sampler2D, vec4)` leaves the third component unused; the divisor is always the last one.
  const divisor = b.channel(coord, coord.components - 1);
  const count = sampler.isShadow ? size + 1 : size;
  const projected = b.fdiv(select(0, count), b.splat(divisor, count));
  if (!sampler.isShadow) return { coord: projected };
  const first = listOf(size, (i) => i);
  return { coord: selectComponents(b, projected, first), comparator: b.channel(projected, size) };
}

function constantOffset(call: TextureCall, argumentTrees: readonly Expression[]): readonly number[] | null {
  const index = call.roles.indexOf('offset');
  if (index < 0) return null;
  const offset = argumentTrees[index].constant;
  if (offset === undefined) throw new Error('a texel offset must be constant');
  return offset;
}

/** One instruction; or an if chain over the candidates, whose dead branches unrolling and folding remove. */
function emitForSamplers(ctx: LowerContext, choice: SamplerChoice, options: Omit<TexOptions, 'sampler'>): Value {
  const { b } = ctx;
  const { base, offset, candidates } = choice;
  if (offset === undefined || candidates.length === 1) {
    return b.tex({ ...options, sampler: base + candidates[0] });
  }
  const isInt = options.op === 'size' || options.resultType !== 'float';
  const first = b.tex({ ...options, sampler: base + candidates[0] });
  const result = b.temporary('texel', vectorType(isInt ? 'int' : 'float', first.components));
  b.storeVar(result, [], first);
  for (const candidate of candidates.slice(1)) {
    b.if(b.ieq(offset, b.constInt(candidate)), () => {
      b.storeVar(result, [], b.tex({ ...options, sampler: base + candidate }));
    });
  }
  return b.loadVar(result, []);
}
