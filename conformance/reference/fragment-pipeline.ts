// A model of everything that happens to a fragment after its shader, one pixel at a time, in plain numbers.
// Follows OpenGL ES 3.0.6 §4.1 in order: scissor, stencil, depth, blending, write masks. Colours are kept as
// what the buffer can hold; depth as its integer.

export type CompareFunction = 'never' | 'less' | 'equal' | 'lequal' | 'greater' | 'notequal' | 'gequal' | 'always';
export type StencilOperation = 'keep' | 'zero' | 'replace' | 'incr' | 'decr' | 'invert' | 'incr_wrap' | 'decr_wrap';
export type BlendEquation = 'add' | 'subtract' | 'reverse_subtract' | 'min' | 'max';
export type BlendFactor =
  | 'zero'
  | 'one'
  | 'src_color'
  | 'one_minus_src_color'
  | 'dst_color'
  | 'one_minus_dst_color'
  | 'src_alpha'
  | 'one_minus_src_alpha'
  | 'dst_alpha'
  | 'one_minus_dst_alpha'
  | 'constant_color'
  | 'one_minus_constant_color'
  | 'constant_alpha'
  | 'one_minus_constant_alpha'
  | 'src_alpha_saturate';
export type Color = readonly [number, number, number, number];

export interface StencilFace {
  func: CompareFunction;
  ref: number;
  readMask: number;
  writeMask: number;
  fail: StencilOperation;
  depthFail: StencilOperation;
  pass: StencilOperation;
}

export interface BlendState {
  rgbEquation: BlendEquation;
  alphaEquation: BlendEquation;
  srcRgb: BlendFactor;
  dstRgb: BlendFactor;
  srcAlpha: BlendFactor;
  dstAlpha: BlendFactor;
  constant: Color;
}

export interface FragmentState {
  scissor: { x: number; y: number; width: number; height: number } | null;
  stencil: { front: StencilFace; back: StencilFace } | null;
  depth: { func: CompareFunction; writes: boolean } | null;
  blend: BlendState | null;
  colorMask: readonly [boolean, boolean, boolean, boolean];
}

export const PLAIN_STATE: FragmentState = {
  scissor: null,
  stencil: null,
  depth: null,
  blend: null,
  colorMask: [true, true, true, true],
};

export function compare(func: CompareFunction, a: number, b: number): boolean {
  switch (func) {
    case 'never':
      return false;
    case 'less':
      return a < b;
    case 'equal':
      return a === b;
    case 'lequal':
      return a <= b;
    case 'greater':
      return a > b;
    case 'notequal':
      return a !== b;
    case 'gequal':
      return a >= b;
    case 'always':
      return true;
  }
}

/** An operation on a stencil value of 8 bits (§4.1.4). */
export function stencilResult(operation: StencilOperation, value: number, ref: number): number {
  switch (operation) {
    case 'keep':
      return value;
    case 'zero':
      return 0;
    case 'replace':
      return ref;
    case 'incr':
      return Math.min(value + 1, 255);
    case 'decr':
      return Math.max(value - 1, 0);
    case 'invert':
      return 255 - value;
    case 'incr_wrap':
      return (value + 1) % 256;
    case 'decr_wrap':
      return (value + 255) % 256;
  }
}

function factor(name: BlendFactor, channel: number, src: Color, dst: Color, constant: Color): number {
  switch (name) {
    case 'zero':
      return 0;
    case 'one':
      return 1;
    case 'src_color':
      return src[channel]!;
    case 'one_minus_src_color':
      return 1 - src[channel]!;
    case 'dst_color':
      return dst[channel]!;
    case 'one_minus_dst_color':
      return 1 - dst[channel]!;
    case 'src_alpha':
      return src[3];
    case 'one_minus_src_alpha':
      return 1 - src[3];
    case 'dst_alpha':
      return dst[3];
    case 'one_minus_dst_alpha':
      return 1 - dst[3];
    case 'constant_color':
      return constant[channel]!;
    case 'one_minus_constant_color':
      return 1 - constant[channel]!;
    case 'constant_alpha':
      return constant[3];
    case 'one_minus_constant_alpha':
      return 1 - constant[3];
    case 'src_alpha_saturate':
      return channel === 3 ? 1 : Math.min(src[3], 1 - dst[3]);
  }
}

/** One blended colour, not yet clamped (§4.1.7). */
export function blendColor(state: BlendState, src: Color, dst: Color): [number, number, number, number] {
  const result: [number, number, number, number] = [0, 0, 0, 0];
  for (let channel = 0; channel < 4; channel++) {
    const isAlpha = channel === 3;
    const s = src[channel]!;
    const d = dst[channel]!;
    const fs = factor(isAlpha ? state.srcAlpha : state.srcRgb, channel, src, dst, state.constant);
    const fd = factor(isAlpha ? state.dstAlpha : state.dstRgb, channel, src, dst, state.constant);
    switch (isAlpha ? state.alphaEquation : state.rgbEquation) {
      case 'add':
        result[channel] = s * fs + d * fd;
        break;
      case 'subtract':
        result[channel] = s * fs - d * fd;
        break;
      case 'reverse_subtract':
        result[channel] = d * fd - s * fs;
        break;
      case 'min':
        result[channel] = Math.min(s, d);
        break;
      case 'max':
        result[channel] = Math.max(s, d);
        break;
    }
  }
  return result;
}

export interface ReferenceFormat {
  /** Bits of red, green, blue, alpha; 0 bits of alpha read as 1. */
  readonly bits: readonly [number, number, number, number];
  readonly isSrgb?: boolean;
  readonly depthBits?: number;
}

export const RGBA8_FORMAT: ReferenceFormat = { bits: [8, 8, 8, 8] };

export function srgbToLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

export function linearToSrgb(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

const clamp = (value: number): number => (value >= 0 ? Math.min(value, 1) : 0);

/** A framebuffer of one colour, depth and stencil buffer, and what drawing does to it. */
export class ReferenceFramebuffer {
  readonly width: number;
  readonly height: number;
  readonly format: ReferenceFormat;
  /** Linear values that the colour buffer holds. */
  readonly color: Float64Array;
  readonly depth: Float64Array;
  readonly stencil: Uint8Array;

  constructor(width: number, height: number, format: ReferenceFormat = RGBA8_FORMAT) {
    this.width = width;
    this.height = height;
    this.format = format;
    this.color = new Float64Array(width * height * 4);
    this.depth = new Float64Array(width * height).fill(this.quantizeDepth(1));
    this.stencil = new Uint8Array(width * height);
  }

  quantizeDepth(depth: number): number {
    const bits = this.format.depthBits ?? 24;
    return bits === 32 ? Math.fround(clamp(depth)) : Math.round(clamp(depth) * (2 ** bits - 1));
  }

  /** What a colour becomes by being stored and loaded again. */
  quantizeColor(value: number, channel: number): number {
    const bits = this.format.bits[channel]!;
    if (bits === 0) return channel === 3 ? 1 : 0;
    const steps = 2 ** bits - 1;
    if (this.format.isSrgb && channel < 3) return srgbToLinear(Math.round(linearToSrgb(clamp(value)) * steps) / steps);
    return Math.round(clamp(value) * steps) / steps;
  }

  setColor(pixel: number, color: Color, mask: FragmentState['colorMask']): void {
    for (let channel = 0; channel < 4; channel++)
      if (mask[channel]) this.color[pixel * 4 + channel] = this.quantizeColor(color[channel]!, channel);
  }

  /** Clears within scissor and masks; undefined buffers stay. */
  clear(
    state: FragmentState,
    values: { color?: Color; depth?: number; stencil?: number; stencilMask?: number; depthMask?: boolean },
  ): void {
    const { color, depth, stencil, stencilMask = 255, depthMask = true } = values;
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        if (!isInside(state.scissor, x, y)) continue;
        const pixel = y * this.width + x;
        if (color !== undefined) this.setColor(pixel, color, state.colorMask);
        if (depth !== undefined && depthMask) this.depth[pixel] = this.quantizeDepth(depth);
        if (stencil !== undefined)
          this.stencil[pixel] = (this.stencil[pixel]! & ~stencilMask) | (stencil & stencilMask);
      }
    }
  }

  /** One fragment; `depth` is in window coordinates. Returns whether it was written. */
  fragment(x: number, y: number, color: Color, depth: number, isFront: boolean, state: FragmentState): boolean {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || !isInside(state.scissor, x, y)) return false;
    const pixel = y * this.width + x;
    const face = state.stencil && (isFront ? state.stencil.front : state.stencil.back);
    // References are clamped to what the buffer holds, not cut to its bits (§4.1.4).
    const ref = Math.min(Math.max(face?.ref ?? 0, 0), 255);
    const update = (operation: StencilOperation): void => {
      const old = this.stencil[pixel]!;
      const value = stencilResult(operation, old, ref);
      this.stencil[pixel] = (old & ~face!.writeMask) | (value & face!.writeMask);
    };
    if (face) {
      const passes = compare(face.func, ref & face.readMask, this.stencil[pixel]! & face.readMask);
      if (!passes) {
        update(face.fail);
        return false;
      }
    }
    if (state.depth) {
      const value = this.quantizeDepth(depth);
      if (!compare(state.depth.func, value, this.depth[pixel]!)) {
        if (face) update(face.depthFail);
        return false;
      }
      if (state.depth.writes) this.depth[pixel] = value;
    }
    if (face) update(face.pass);
    const source: Color = [clamp(color[0]), clamp(color[1]), clamp(color[2]), clamp(color[3])];
    const at = pixel * 4;
    const [r, g, b, a] = [this.color[at]!, this.color[at + 1]!, this.color[at + 2]!, this.color[at + 3]!];
    const alpha = this.format.bits[3] === 0 ? 1 : a;
    this.setColor(pixel, state.blend ? blendColor(state.blend, source, [r, g, b, alpha]) : source, state.colorMask);
    return true;
  }

  /** A rectangle of whole pixels. */
  rect(
    rect: {
      x: number;
      y: number;
      width: number;
      height: number;
      color: Color;
      depth?: number;
      facing?: 'front' | 'back';
    },
    state: FragmentState,
  ): void {
    const depth = (rect.depth ?? 0) * 0.5 + 0.5;
    for (let y = rect.y; y < rect.y + rect.height; y++)
      for (let x = rect.x; x < rect.x + rect.width; x++)
        this.fragment(x, y, rect.color, depth, rect.facing !== 'back', state);
  }

  /** As glReadPixels gives it in RGBA and bytes: sRGB buffers are read without conversion. */
  picture(): { width: number; height: number; data: Uint8Array } {
    const { width, height, color, format } = this;
    const data = new Uint8Array(width * height * 4);
    for (let at = 0; at < data.length; at++) {
      const channel = at % 4;
      const value = format.bits[channel] === 0 ? (channel === 3 ? 1 : 0) : color[at]!;
      data[at] = Math.round((format.isSrgb && channel < 3 ? linearToSrgb(value) : value) * 255);
    }
    return { width, height, data };
  }
}

function isInside(scissor: FragmentState['scissor'], x: number, y: number): boolean {
  if (scissor === null) return true;
  return x >= scissor.x && y >= scissor.y && x < scissor.x + scissor.width && y < scissor.y + scissor.height;
}
