// SPDX-License-Identifier: MIT
// Emits the fetch of four texels and what becomes of their channels: which are needed, unpacking, border colour, swizzle.

import { listOf } from '../base/list.ts';
import type { Swizzle } from '../base/state-words.ts';
import { type FormatDescription, formatDescription, SWIZZLE_ONE, SWIZZLE_ZERO } from '../format/format.ts';
import type { Channel } from '../format/format-row.ts';
import { SAMPLER } from '../raster/layout.ts';
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { gatherWords, laneAddresses } from './pixel-gather.ts';
import { compareFloat, type Vec, type VecLocal } from './pixel-math.ts';
import { extractBits, unpackChannel, unpackExponent5 } from './pixel-unpack.ts';
import type { SamplerKey } from './sample.ts';

/** What the filter works on: only the channels that the result needs, each once. */
export interface TexelPlan {
  readonly key: SamplerKey;
  readonly isInteger: boolean;
  /** Channel indices of the format that are fetched and filtered. */
  readonly channels: readonly number[];
  /** For each result component an index into `channels`, or zero or one. */
  readonly places: readonly (number | 'zero' | 'one')[];
  /** Per channel: what the filtered value is multiplied by at the end (normalized formats are filtered as integers). */
  readonly scales: readonly number[];
  /** Four 8-bit channels, filtered linearly in a plane: done by 16-bit products (`sample-filter-bytes.ts`). */
  readonly usesBytes: boolean;
  /** Compared with each texel (percentage-closer filtering); null: plain lookup. */
  readonly reference: VecLocal | null;
  /** Address of the SAMPLER, for the border colour. */
  readonly sampler: Expr<'i32'>;
  /** Where the texels last fetched go as they stand in memory, for those of four bytes; null: nobody asks. */
  readonly word: VecLocal | null;
}

const COMPONENTS: Readonly<Record<Swizzle, number>> = { x: 0, y: 1, z: 2, w: 3, '0': -1, '1': -2 };

/** The format's swizzle after the view's: channel index, or a constant. */
function composedPlace(key: SamplerKey, component: number): number | 'zero' | 'one' {
  const source = COMPONENTS[key.swizzle[component]!];
  if (source < 0) return source === -1 ? 'zero' : 'one';
  const { swizzle, space, hasDepth } = formatDescription(key.format);
  if (space === 'zs') return source === 0 ? swizzle[hasDepth ? 0 : 1]! : source === 3 ? 'one' : 'zero';
  const place = swizzle[source]!;
  return place < SWIZZLE_ZERO ? place : place === SWIZZLE_ONE ? 'one' : 'zero';
}

/** Four 8-bit channels that mean fractions as they are. */
function isByteTexel({ layout, channels }: FormatDescription): boolean {
  const isByte = ({ bits, type }: Channel): boolean => bits === 8 && (type === 'unorm' || type === 'void');
  return layout === 'array' && channels.length === 4 && channels.every(isByte);
}

/** Whether four texels can be had as bytes of their channels, rounded as the packing of floats to bytes rounds. */
export function givesBytes(key: SamplerKey): boolean {
  const description = formatDescription(key.format);
  if (!isByteTexel(description) || description.isSrgb || key.isAnisotropic) return false;
  if (canFilterBytes(key)) return true;
  const isNearest = key.minFilter === 'nearest' && key.magFilter === 'nearest' && key.mipFilter !== 'linear';
  return isNearest && ![key.wrapS, key.wrapT, key.wrapR].includes('clampToBorder');
}

/** By component of the result: the texel's channel, or a constant. */
export function texelPlaces(key: SamplerKey): (number | 'zero' | 'one')[] {
  return [0, 1, 2, 3].map((component) => composedPlace(key, component));
}

/** Weights of byte filtering add up to this. */
export const BYTE_WEIGHTS = 16384;

function canFilterBytes(key: SamplerKey): boolean {
  const isPlane = key.dim === '2d' || key.dim === '2dArray' || (key.dim === 'cube' && !key.seamlessCube);
  const isLinear = key.minFilter === 'linear' || key.magFilter === 'linear';
  return (
    isByteTexel(formatDescription(key.format)) &&
    isPlane &&
    isLinear &&
    key.wrapS !== 'clampToBorder' &&
    key.wrapT !== 'clampToBorder'
  );
}

export function planTexel(
  key: SamplerKey,
  components: number,
  reference: VecLocal | null,
  sampler: Expr<'i32'>,
  filters: boolean,
  word: VecLocal | null = null,
): TexelPlan {
  const { channels: all, numericClass, isSrgb, hasDepth, layout } = formatDescription(key.format);
  const composed = listOf(components, (component) => composedPlace(key, component));
  const channels = [...new Set(composed.filter((place) => typeof place === 'number'))].sort();
  const isInteger = numericClass === 'int' || numericClass === 'uint' || (numericClass === 'depthStencil' && !hasDepth);
  const usesBytes = filters && reference === null && canFilterBytes(key);
  const scales = channels.map((index) => {
    if (usesBytes) return 1 / ((isSrgb ? 32767 : 255) * BYTE_WEIGHTS);
    const { type, bits } = all[index]!;
    const isDeferred = type === 'unorm' && bits <= 16 && !isSrgb && reference === null && layout !== 'exponent5';
    return isDeferred ? 1 / (2 ** bits - 1) : 1;
  });
  return {
    key,
    isInteger,
    channels,
    places: composed.map((place) => (typeof place === 'number' ? channels.indexOf(place) : place)),
    scales,
    usesBytes,
    reference,
    sampler,
    word,
  };
}

/** The border colour's value of a channel, in the unit that the filter works in. */
function borderChannel(f: FunctionBuilder, plan: TexelPlan, index: number): Vec {
  const { swizzle, space } = formatDescription(plan.key.format);
  const component = space === 'zs' ? 0 : swizzle.indexOf(plan.channels[index]!);
  const color = f.v128.load32_splat(plan.sampler, SAMPLER.offset.borderColor + component * 4);
  const scale = plan.scales[index]!;
  return scale === 1 ? color : f.f32x4.mul(color, 1 / scale);
}

/** The planned channels of the texels at four addresses, in locals of the current scope; `outside` lanes take the border. */
export function fetchTexels(f: FunctionBuilder, plan: TexelPlan, addresses: VecLocal, outside: Vec | null): VecLocal[] {
  const { format } = plan.key;
  const { blockBytes, channels, isSrgb, layout, swizzle } = formatDescription(format);
  const words = gatherWords(f, laneAddresses(f, addresses), blockBytes);
  if (plan.word) f.set(plan.word, words[0]!);
  const shared = layout === 'exponent5' ? unpackExponent5(f, words[0]!) : null;
  const values = plan.channels.map((channel, index) => {
    const isColor = swizzle.indexOf(channel) < 3;
    let value = shared
      ? shared[channel]!
      : plan.scales[index] === 1
        ? unpackChannel(f, words, channels[channel]!, isSrgb && isColor, blockBytes * 8)
        : f.f32x4.convert_i32x4_s(extractBits(f, words, channels[channel]!, false, blockBytes * 8));
    if (outside) value = f.v128.bitselect(borderChannel(f, plan, index), value, outside);
    return f.let(value);
  });
  if (!plan.reference || !plan.key.compare || values.length === 0) return values;
  const passes = compareFloat(f, plan.key.compare, plan.reference, values[0]!);
  return [f.let(f.v128.and(passes, f.f32x4.const(1)))];
}

/** Result components from filtered channels. */
export function swizzleResult(f: FunctionBuilder, plan: TexelPlan, channels: readonly VecLocal[]): Vec[] {
  const one = plan.isInteger ? f.i32x4.const(1) : f.f32x4.const(1);
  return plan.places.map((place) => {
    if (place === 'zero') return f.i32x4.const(0);
    if (place === 'one') return one;
    const scale = plan.scales[place]!;
    return scale === 1 ? channels[place]! : f.f32x4.mul(channels[place]!, scale);
  });
}
