// Emits blending of byte pixels with one colour in 16-bit integers: the common equations on R8G8B8A8 and B8G8R8A8, at half the cost
// of floats. Source and factors are rounded to bytes first, as in much hardware, so a result may differ from the exact one by
// 1.5 / 255 (2 / 255 where the two factors do not add up to one).
import { listOf } from '../base/list.ts';
import type { BlendFactor } from '../base/state-words.ts';
import type { Format } from '../format/format.ts';
import { formatDescription } from '../format/format.ts';
import { componentOfChannel } from '../format/pack.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { BlendKey } from './blend.ts';
import type { Vec, VecLocal } from './pixel-math.ts';
import { isUnormBytes } from './pixel-pack.ts';

const FACTORS: ReadonlySet<BlendFactor> = new Set<BlendFactor>([
  'zero',
  'one',
  'sourceColor',
  'oneMinusSourceColor',
  'destinationColor',
  'oneMinusDestinationColor',
  'sourceAlpha',
  'oneMinusSourceAlpha',
  'destinationAlpha',
  'oneMinusDestinationAlpha',
]);

/** Whether `emitByteBlend` can do it. */
export function isByteBlend(format: Format, blend: BlendKey): boolean {
  const { equationRgb, equationAlpha, sourceRgb, sourceAlpha, destinationRgb, destinationAlpha } = blend;
  if (!isUnormBytes(formatDescription(format)) || equationRgb !== 'add' || equationAlpha !== 'add') return false;
  return [sourceRgb, sourceAlpha, destinationRgb, destinationAlpha].every((factor) => FACTORS.has(factor));
}

/** Byte lanes of the alpha of each pixel, spread over the pixel. */
function alphaLanes(format: Format): number[] {
  const description = formatDescription(format);
  const at = description.channels.findIndex((_, index) => componentOfChannel(description, index) === 3);
  return listOf(16, (byte) => (byte & ~3) + at);
}

/** Sixteen bytes of a factor; null for one, undefined for zero. */
function factorBytes(
  f: FunctionBuilder,
  format: Format,
  factor: BlendFactor,
  source: VecLocal,
  old: VecLocal,
): Vec | null | undefined {
  const alpha = (pixels: Vec): Vec => f.i8x16.swizzle(pixels, f.i8x16.const(...alphaLanes(format)));
  const complement = (bytes: Vec): Vec => f.v128.xor(bytes, f.i32x4.const(-1));
  switch (factor) {
    case 'zero':
      return undefined;
    case 'one':
      return null;
    case 'sourceColor':
      return source;
    case 'oneMinusSourceColor':
      return complement(source);
    case 'destinationColor':
      return old;
    case 'oneMinusDestinationColor':
      return complement(old);
    case 'sourceAlpha':
      return alpha(source);
    case 'oneMinusSourceAlpha':
      return complement(alpha(source));
    case 'destinationAlpha':
      return alpha(old);
    case 'oneMinusDestinationAlpha':
      return complement(alpha(old));
    default:
      throw new Error(`${factor} is no factor of byte blending`);
  }
}

/** A factor that may differ between colour and alpha. */
function mixedFactor(
  f: FunctionBuilder,
  format: Format,
  rgb: BlendFactor,
  alpha: BlendFactor,
  source: VecLocal,
  old: VecLocal,
): Vec | null | undefined {
  const bytes = (factor: BlendFactor): Vec | null | undefined => factorBytes(f, format, factor, source, old);
  // Of alpha itself, colour and alpha factors are the same.
  const sameAs = (factor: BlendFactor): string => factor.replace('Color', 'Alpha');
  if (rgb === alpha || sameAs(rgb) === sameAs(alpha)) return bytes(rgb);
  const plain = (value: Vec | null | undefined): Vec => value ?? f.i32x4.const(value === null ? -1 : 0);
  const place = alphaLanes(format)[0]!;
  return f.v128.bitselect(plain(bytes(alpha)), plain(bytes(rgb)), f.i32x4.const(0xff << (8 * place)));
}

/** x / 255, rounded, of 16-bit x up to 255 · 255. */
function divideBy255(f: FunctionBuilder, x: Vec): Vec {
  const biased = f.let(f.i16x8.add(x, f.i16x8.const(128)));
  return f.i16x8.shr_u(f.i16x8.add(biased, f.i16x8.shr_u(biased, 8)), 8);
}

/** Whether a factor needs what is in the target. */
function isOfOld(factor: BlendFactor): boolean {
  return factor.toLowerCase().includes('destination');
}

/**
 * source · factor + old · factor; `source` and `old` hold the four pixels' bytes. `isAhead`: the source was made by `emitAhead`, and
 * what depends on it alone is too.
 */
export function emitByteBlend(
  f: FunctionBuilder,
  format: Format,
  blend: BlendKey,
  source: VecLocal,
  old: VecLocal,
  isAhead = false,
): Vec {
  const factor = (rgb: BlendFactor, alpha: BlendFactor): VecLocal | null | undefined => {
    const make = (): VecLocal | null | undefined => {
      const value = mixedFactor(f, format, rgb, alpha, source, old);
      return value ? f.let(value) : (value as null | undefined);
    };
    return isAhead && !isOfOld(rgb) && !isOfOld(alpha) ? f.emitAhead(make) : make();
  };
  const sourceFactor = factor(blend.sourceRgb, blend.sourceAlpha);
  const oldFactor = factor(blend.destinationRgb, blend.destinationAlpha);
  // Products whose factors add up to one fit 16 bits together: rounded once.
  const isMix =
    complementOf(blend.sourceRgb) === blend.destinationRgb &&
    complementOf(blend.sourceAlpha) === blend.destinationAlpha;
  const half = (isHigh: boolean): Vec => {
    const multiply = (bytes: VecLocal, by: VecLocal): Vec =>
      isHigh ? f.i16x8.extmul_high_i8x16_u(bytes, by) : f.i16x8.extmul_low_i8x16_u(bytes, by);
    const isSourceAhead = isAhead && !isOfOld(blend.sourceRgb) && !isOfOld(blend.sourceAlpha);
    const product = (bytes: VecLocal, by: VecLocal): Vec =>
      isSourceAhead && bytes === source ? f.emitAhead(() => f.let(multiply(bytes, by))) : multiply(bytes, by);
    const wide = (bytes: VecLocal): Vec =>
      isHigh ? f.i16x8.extend_high_i8x16_u(bytes) : f.i16x8.extend_low_i8x16_u(bytes);
    if (isMix && sourceFactor && oldFactor) {
      return divideBy255(f, f.i16x8.add(product(source, sourceFactor), product(old, oldFactor)));
    }
    const term = (bytes: VecLocal, by: VecLocal | null | undefined): Vec | null =>
      by === undefined ? null : by === null ? wide(bytes) : divideBy255(f, product(bytes, by));
    const first = term(source, sourceFactor);
    const second = term(old, oldFactor);
    if (first && second) return f.i16x8.add(first, second);
    return first ?? second ?? f.i16x8.const(0);
  };
  return f.i8x16.narrow_i16x8_u(half(false), half(true));
}

function complementOf(factor: BlendFactor): string {
  return factor.startsWith('oneMinus')
    ? factor.charAt(8).toLowerCase() + factor.slice(9)
    : `oneMinus${factor.charAt(0).toUpperCase()}${factor.slice(1)}`;
}
