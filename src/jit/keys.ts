// What a compiled shader depends on besides its IR: the variant keys. They hold only state that changes code, as plain data that
// `keyText` turns into a string for caches. Everything else (addresses, blend colour, references) is read from memory.
// The state names are those of src/pipe, which this layer must not import.
import type { Format } from '../format/format.ts';
import type { TexDim } from '../ir/ir.ts';

export type CompareFunction =
  | 'never'
  | 'less'
  | 'equal'
  | 'lessEqual'
  | 'greater'
  | 'notEqual'
  | 'greaterEqual'
  | 'always';

export type BlendEquation = 'add' | 'subtract' | 'reverseSubtract' | 'min' | 'max';

export type BlendFactor =
  | 'zero'
  | 'one'
  | 'sourceColor'
  | 'oneMinusSourceColor'
  | 'destinationColor'
  | 'oneMinusDestinationColor'
  | 'sourceAlpha'
  | 'oneMinusSourceAlpha'
  | 'destinationAlpha'
  | 'oneMinusDestinationAlpha'
  | 'constantColor'
  | 'oneMinusConstantColor'
  | 'constantAlpha'
  | 'oneMinusConstantAlpha'
  | 'sourceAlphaSaturate'
  | 'source1Color'
  | 'oneMinusSource1Color'
  | 'source1Alpha'
  | 'oneMinusSource1Alpha';

/** Blending of one target: the part of src/pipe's BlendTarget that decides code. */
export interface BlendKey {
  readonly equationRgb: BlendEquation;
  readonly sourceRgb: BlendFactor;
  readonly destinationRgb: BlendFactor;
  readonly equationAlpha: BlendEquation;
  readonly sourceAlpha: BlendFactor;
  readonly destinationAlpha: BlendFactor;
}

/** How a colour output is packed and merged into the tile: format (pack code), blending (arithmetic), mask (merge). */
export interface ColorTargetKey {
  readonly format: Format;
  /** Null: blending is off. Integer formats never blend. */
  readonly blend: BlendKey | null;
  /** Bit 0 red … bit 3 alpha. A target with mask 0 is null in the key. */
  readonly colorMask: number;
}

export type TextureWrap = 'repeat' | 'clampToEdge' | 'mirroredRepeat' | 'mirrorClampToEdge' | 'clampToBorder';
export type TextureFilter = 'nearest' | 'linear';
export type MipFilter = 'none' | 'nearest' | 'linear';
export type SwizzleLetter = 'x' | 'y' | 'z' | 'w' | '0' | '1';

/** A sampler unit: how texels are unpacked (format, swizzle) and which of them are fetched (filters, wraps). Sizes, levels, lod
 * limits and border colour are data. */
export interface TextureKey {
  readonly format: Format;
  readonly dim: TexDim;
  readonly swizzle: readonly [SwizzleLetter, SwizzleLetter, SwizzleLetter, SwizzleLetter];
  readonly wrapS: TextureWrap;
  readonly wrapT: TextureWrap;
  readonly wrapR: TextureWrap;
  readonly minFilter: TextureFilter;
  readonly magFilter: TextureFilter;
  readonly mipFilter: MipFilter;
  /** Comparison of shadow samplers, null where the sampler does not compare. */
  readonly compare: CompareFunction | null;
  /** 1: isotropic. */
  readonly maxAnisotropy: number;
  readonly seamlessCube: boolean;
}

/** A vertex attribute: its format decides the unpack code. Null for a location that no input reads. */
export interface AttributeKey {
  readonly format: Format;
  /** True: the index is the instance's, the same for all vertices of a call (one fetch, splatted). */
  readonly isInstanced: boolean;
}

export interface VertexKey {
  /** By attribute location. */
  readonly attributes: readonly (AttributeKey | null)[];
  /** Varying slots of the vertex record: decides its stride. At least what the fragment shader reads. */
  readonly varyingSlots: number;
  /** By sampler index. */
  readonly textures: readonly (TextureKey | null)[];
  /** The memory of the module is shared. Must match the memory it is instantiated with. */
  readonly sharedMemory: boolean;
}

export interface StencilFaceKey {
  readonly func: CompareFunction;
  readonly failOp: StencilOperation;
  readonly depthFailOp: StencilOperation;
  readonly passOp: StencilOperation;
}

export type StencilOperation =
  | 'keep'
  | 'zero'
  | 'replace'
  | 'increment'
  | 'decrement'
  | 'incrementWrap'
  | 'decrementWrap'
  | 'invert';

/** A JSON text that is equal for equal keys (the keys are made with their fields in one order). */
export function keyText(key: VertexKey | TextureKey | ColorTargetKey | object): string {
  return JSON.stringify(key);
}
