// What soft does with each format: how it is stored in memory, and for which uses it is supported.

import { type Format, formatDescription, isCompressed } from '../../src/format/format.ts';
import { BIND, type ResourceTarget } from '../../src/pipe/pipe.ts';

/** Compressed formats are decoded on upload: the sampler only ever sees these. */
const DECODED: readonly (readonly [pattern: RegExp, storage: Format])[] = [
  [/^ETC2_R11_UNORM$/, 'R16_UNORM'],
  [/^ETC2_R11_SNORM$/, 'R16_SNORM'],
  [/^ETC2_RG11_UNORM$/, 'R16G16_UNORM'],
  [/^ETC2_RG11_SNORM$/, 'R16G16_SNORM'],
  [/^(RGTC1|LATC1)_UNORM$/, 'R8_UNORM'],
  [/^(RGTC1|LATC1)_SNORM$/, 'R8_SNORM'],
  [/^(RGTC2|LATC2)_UNORM$/, 'R8G8_UNORM'],
  [/^(RGTC2|LATC2)_SNORM$/, 'R8G8_SNORM'],
  [/^BPTC_RGB_(U?)FLOAT$/, 'R16G16B16X16_FLOAT'],
];

/** The format whose bytes soft keeps for a resource of `format`. */
export function storageFormat(format: Format): Format {
  if (!isCompressed(format)) return format;
  for (const [pattern, storage] of DECODED) if (pattern.test(format)) return storage;
  return formatDescription(format).isSrgb ? 'R8G8B8A8_SRGB' : 'R8G8B8A8_UNORM';
}

/** Pixels of 3, 6 or 12 bytes are neither stored nor drawn to: the state tracker takes the four-channel twin. */
function isStorable(format: Format): boolean {
  const { blockBytes, channels } = formatDescription(storageFormat(format));
  return (
    (blockBytes & (blockBytes - 1)) === 0 &&
    blockBytes <= 16 &&
    !channels.some((channel) => channel.type === 'uscaled' || channel.type === 'sscaled' || channel.type === 'fixed')
  );
}

const DEPTH_STENCIL_FORMATS: readonly Format[] = [
  'Z16_UNORM',
  'Z24X8_UNORM',
  'Z24_UNORM_S8_UINT',
  'Z32_FLOAT',
  'Z32_FLOAT_S8X24_UINT',
  'S8_UINT',
];

/** Floats, which shaders write, hold no 32-bit normalized values. */
function isRenderable(format: Format): boolean {
  const { space, isCompressed, channels } = formatDescription(format);
  if (space === 'zs' || isCompressed) return false;
  return !channels.some(({ type, bits }) => bits === 32 && (type === 'unorm' || type === 'snorm'));
}

export const MAX_SAMPLES = 4;

export function isFormatSupported(format: Format, target: ResourceTarget, samples: number, bind: number): boolean {
  const description = formatDescription(format);
  if (target === 'buffer') return !description.isCompressed;
  if (samples !== 1 && samples !== MAX_SAMPLES) return false;
  if (samples > 1 && (target !== 'texture2D' || description.isCompressed)) return false;
  if (!isStorable(format)) return false;
  const isDepthStencil = description.space === 'zs';
  if (isDepthStencil && !DEPTH_STENCIL_FORMATS.includes(format)) return false;
  if (bind & BIND.DEPTH_STENCIL && (!isDepthStencil || target === 'texture3D')) return false;
  if (bind & (BIND.RENDER_TARGET | BIND.BLENDABLE) && !isRenderable(format)) return false;
  const isPureInteger = description.numericClass === 'int' || description.numericClass === 'uint';
  if (bind & (BIND.BLENDABLE | BIND.LINEAR_FILTER) && isPureInteger) return false;
  if (bind & BIND.LINEAR_FILTER && format === 'S8_UINT') return false;
  return true;
}
