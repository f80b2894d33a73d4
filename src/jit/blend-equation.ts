// SPDX-License-Identifier: MIT
// Emits the blend equation (GLES 3.0.6 §4.1.7) on floats: source, destination and constant are clamped to the range of a
// fixed-point target first, and products with factor zero or one are left out.

import type { BlendEquation, BlendFactor } from '../base/state-words.ts';
import { type Format, formatDescription } from '../format/format.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ColorWrite } from './blend.ts';
import { clampFloat, type Vec, type Vec4 } from './pixel-math.ts';
import type { KnownRange } from './pixel-pack.ts';

/** The range of colours that a target can hold: what blending clamps its inputs to. */
function clampRange(format: Format): readonly [low: number, high: number] | null {
  const types = formatDescription(format).channels.map((channel) => channel.type);
  if (types.includes('unorm')) return [0, 1];
  return types.includes('snorm') ? [-1, 1] : null;
}

interface Inputs {
  readonly source: Vec4;
  readonly source1: Vec4;
  readonly destination: Vec4;
  readonly constant: Vec4;
}

/** The factor for a component; null for one, undefined for zero. */
function factorOf(f: FunctionBuilder, factor: BlendFactor, component: number, inputs: Inputs): Vec | null | undefined {
  const { source, source1, destination, constant } = inputs;
  const complement = (value: Vec): Vec => f.f32x4.sub(1, value);
  switch (factor) {
    case 'zero':
      return undefined;
    case 'one':
      return null;
    case 'sourceColor':
      return source[component]!;
    case 'oneMinusSourceColor':
      return complement(source[component]!);
    case 'destinationColor':
      return destination[component]!;
    case 'oneMinusDestinationColor':
      return complement(destination[component]!);
    case 'sourceAlpha':
      return source[3];
    case 'oneMinusSourceAlpha':
      return complement(source[3]);
    case 'destinationAlpha':
      return destination[3];
    case 'oneMinusDestinationAlpha':
      return complement(destination[3]);
    case 'constantColor':
      return constant[component]!;
    case 'oneMinusConstantColor':
      return complement(constant[component]!);
    case 'constantAlpha':
      return constant[3];
    case 'oneMinusConstantAlpha':
      return complement(constant[3]);
    case 'sourceAlphaSaturate':
      return component === 3 ? null : f.f32x4.pmin(source[3], complement(destination[3]));
    case 'source1Color':
      return source1[component]!;
    case 'oneMinusSource1Color':
      return complement(source1[component]!);
    case 'source1Alpha':
      return source1[3];
    case 'oneMinusSource1Alpha':
      return complement(source1[3]);
  }
}

function term(f: FunctionBuilder, value: Vec, factor: Vec | null | undefined): Vec | undefined {
  return factor === undefined ? undefined : factor === null ? value : f.f32x4.mul(value, factor);
}

function combine(
  f: FunctionBuilder,
  equation: BlendEquation,
  source: Vec | undefined,
  destination: Vec | undefined,
): Vec {
  const zero = f.f32x4.const(0);
  switch (equation) {
    case 'subtract':
      return destination ? f.f32x4.sub(source ?? zero, destination) : (source ?? zero);
    case 'reverseSubtract':
      return source ? f.f32x4.sub(destination ?? zero, source) : (destination ?? zero);
    default:
      return source && destination ? f.f32x4.add(source, destination) : (source ?? destination ?? zero);
  }
}

/** Whether two places of the blend need the constant colour or the second source. */
function usesFactor(write: ColorWrite, word: string): boolean {
  const { sourceRgb, destinationRgb, sourceAlpha, destinationAlpha } = write.blend;
  return [sourceRgb, destinationRgb, sourceAlpha, destinationAlpha].some((factor) => factor.includes(word));
}

/**
 * What is known of a component blended for a fixed-point target, whose inputs are clamped to [0, 1] (no NaN is left): sums of products
 * are not negative, and a weighted mean stays inside.
 */
export function blendedRange({ blend, format }: Pick<ColorWrite, 'blend' | 'format'>, component: number): KnownRange {
  const isAlpha = component === 3;
  const equation = isAlpha ? blend.equationAlpha : blend.equationRgb;
  const source = isAlpha ? blend.sourceAlpha : blend.sourceRgb;
  const destination = isAlpha ? blend.destinationAlpha : blend.destinationRgb;
  if (clampRange(format)?.[0] !== 0) return 'any';
  if (equation === 'min' || equation === 'max') return 'inside';
  if (equation !== 'add') return 'any';
  const complement = `oneMinus${source[0]!.toUpperCase()}${source.slice(1)}`;
  const isMean = destination === complement || (source === 'one' && destination === 'zero');
  return isMean ? 'inside' : 'notBelow';
}

/** The blended colour, unclamped (packing clamps it), in locals of the current scope. `destination`: what the tile holds. */
export function emitBlend(f: FunctionBuilder, write: ColorWrite, destination: Vec4): Vec4 {
  const { blend, format } = write;
  const range = clampRange(format);
  const prepare = (color: Vec4, clamped: boolean): Vec4 =>
    color.map((value) => f.let(range && clamped ? clampFloat(f, value, range[0], range[1]) : value)) as unknown as Vec4;
  const black: Vec4 = [f.f32x4.const(0), f.f32x4.const(0), f.f32x4.const(0), f.f32x4.const(0)];
  // A second source that the shader does not write is undefined: black.
  const usesSource1 = usesFactor(write, 'ource1') && write.color1 !== undefined;
  const constant = (component: number): Vec =>
    blend.constant ? f.f32x4.const(blend.constant[component]!) : f.v128.load32_splat(write.blendColor, component * 4);
  const inputs: Inputs = {
    source: prepare(write.color, true),
    source1: usesSource1 ? prepare(write.color1!, true) : black,
    destination: prepare(destination, false),
    constant: usesFactor(write, 'onstant')
      ? prepare([constant(0), constant(1), constant(2), constant(3)], true)
      : black,
  };
  return [0, 1, 2, 3].map((component) => {
    const isAlpha = component === 3;
    const equation = isAlpha ? blend.equationAlpha : blend.equationRgb;
    const source = inputs.source[component]!;
    const destinationValue = inputs.destination[component]!;
    if (equation === 'min') return f.let(f.f32x4.pmin(source, destinationValue));
    if (equation === 'max') return f.let(f.f32x4.pmax(source, destinationValue));
    const sourceFactor = factorOf(f, isAlpha ? blend.sourceAlpha : blend.sourceRgb, component, inputs);
    const destinationFactor = factorOf(f, isAlpha ? blend.destinationAlpha : blend.destinationRgb, component, inputs);
    return f.let(combine(f, equation, term(f, source, sourceFactor), term(f, destinationValue, destinationFactor)));
  }) as unknown as Vec4;
}
