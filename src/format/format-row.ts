// Parses the shorthand of a format table row into a plain frozen object.

export type ChannelType = 'unorm' | 'snorm' | 'uscaled' | 'sscaled' | 'uint' | 'sint' | 'float' | 'fixed' | 'void';

/** One bit field of a pixel: its type, width and offset from the pixel's least significant bit. */
export interface Channel {
  readonly type: ChannelType;
  readonly bits: number;
  readonly shift: number;
}

export type CompressedLayout = 'etc' | 's3tc' | 'rgtc' | 'bptc' | 'astc' | 'pvrtc';
export type FormatLayout = 'array' | 'packed' | 'float11' | 'exponent5' | CompressedLayout;
export type ColorSpace = 'rgb' | 'srgb' | 'zs';

export interface FormatRow {
  readonly layout: FormatLayout;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly blockBytes: number;
  /** From the least significant bit up, padding included. In compressed formats: what a decoded texel holds (shifts mean nothing). */
  readonly channels: readonly Channel[];
  /** Four places for red, green, blue, alpha (depth, stencil in space `zs`): a channel index 0…3, or SWIZZLE_ZERO, SWIZZLE_ONE, SWIZZLE_NONE. */
  readonly swizzle: readonly [number, number, number, number];
  readonly space: ColorSpace;
  readonly webgpu: GPUTextureFormat | 'none';
}

export const SWIZZLE_ZERO = 4;
export const SWIZZLE_ONE = 5;
export const SWIZZLE_NONE = 6;

const CHANNEL_TYPES: Readonly<Record<string, ChannelType>> = {
  un: 'unorm',
  sn: 'snorm',
  us: 'uscaled',
  ss: 'sscaled',
  u: 'uint',
  s: 'sint',
  f: 'float',
  h: 'fixed',
  x: 'void',
};

/** Hundreds of rows have the same few texts: each is parsed once. */
const channelLists = new Map<string, readonly Channel[]>();
const swizzles = new Map<string, FormatRow['swizzle']>();

function parseChannels(text: string): readonly Channel[] {
  let shift = 0;
  return Object.freeze(
    text.split(' ').map((word) => {
      const match = /^([a-z]+)(\d+)$/.exec(word);
      const type = match && CHANNEL_TYPES[match[1]!];
      if (!match || !type) throw new Error(`format table: bad channel '${word}'`);
      const channel: Channel = Object.freeze({ type, bits: Number(match[2]), shift });
      shift += channel.bits;
      return channel;
    }),
  );
}

function channelsOf(text: string): readonly Channel[] {
  let list = channelLists.get(text);
  if (list === undefined) channelLists.set(text, (list = parseChannels(text)));
  return list;
}

function parseSwizzle(text: string): FormatRow['swizzle'] {
  const places = [...text].map((letter) => 'xyzw01_'.indexOf(letter));
  if (places.length !== 4 || places.includes(-1)) throw new Error(`format table: bad swizzle '${text}'`);
  return Object.freeze(places) as unknown as FormatRow['swizzle'];
}

function swizzleOf(text: string): FormatRow['swizzle'] {
  let swizzle = swizzles.get(text);
  if (swizzle === undefined) swizzles.set(text, (swizzle = parseSwizzle(text)));
  return swizzle;
}

/** An uncompressed row: one pixel a block. */
export function plain(
  layout: 'array' | 'packed' | 'float11' | 'exponent5',
  channels: string,
  swizzle: string,
  space: ColorSpace,
  webgpu: GPUTextureFormat | 'none',
): FormatRow {
  const list = channelsOf(channels);
  const bits = list.reduce((sum, channel) => sum + channel.bits, 0);
  return Object.freeze({
    layout,
    blockWidth: 1,
    blockHeight: 1,
    blockBytes: bits >> 3,
    channels: list,
    swizzle: swizzleOf(swizzle),
    space,
    webgpu,
  });
}

/** A block-compressed row. */
export function compressed(
  layout: CompressedLayout,
  blockWidth: number,
  blockHeight: number,
  blockBytes: number,
  channels: string,
  swizzle: string,
  space: ColorSpace,
  webgpu: GPUTextureFormat | 'none',
): FormatRow {
  return Object.freeze({
    layout,
    blockWidth,
    blockHeight,
    blockBytes,
    channels: channelsOf(channels),
    swizzle: swizzleOf(swizzle),
    space,
    webgpu,
  });
}
