// interpolateAtCentroid, interpolateAtSample, interpolateAtOffset (OES_shader_multisample_interpolation) → loadInputAt.

import type { InterpolationPlace, Value } from '../ir/ir.ts';
import type { BuiltinCallExpression, Expression } from './ast.ts';
import { interpolant } from './interpolant.ts';
import type { LowerContext } from './lower-context.ts';
import { splatTo } from './lower-operators.ts';
import { type Tree, vectorOf } from './lower-values.ts';

const PLACES: Readonly<Record<string, InterpolationPlace>> = {
  interpolateAtCentroid: 'centroid',
  interpolateAtSample: 'sample',
  interpolateAtOffset: 'offset',
};

export function lowerInterpolation(
  ctx: LowerContext,
  { builtin, arguments: list }: BuiltinCallExpression,
  lowerExpression: (ctx: LowerContext, expression: Expression) => Tree,
): Value {
  const { b } = ctx;
  const { symbol, index } = interpolant(list[0])!;
  const slots = ctx.io.inputs.get(symbol.name);
  const indexValue = index === undefined ? undefined : vectorOf(lowerExpression(ctx, index));
  const place = list[1] === undefined ? undefined : vectorOf(lowerExpression(ctx, list[1]));
  // Flat inputs are the same everywhere; what nobody wrote is zero everywhere.
  if (slots === undefined || symbol.interpolation === 'flat') return vectorOf(lowerExpression(ctx, list[0]));
  const at = PLACES[builtin.name];
  const size = builtin.returnType.kind === 'vector' ? builtin.returnType.rows : 1;
  const load = (element: number): Value => {
    const { slot, component } = slots[element];
    return b.loadInputAt(at, slot, size, component, place);
  };
  const constant = index === undefined ? 0 : index.constant?.[0];
  if (constant !== undefined) return load(constant);
  let result = load(0);
  for (let i = 1; i < slots.length; i++)
    result = b.select(splatTo(b, b.ieq(indexValue!, b.constInt(i)), size), load(i), result);
  return result;
}
