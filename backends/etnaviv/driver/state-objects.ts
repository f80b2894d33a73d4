// State objects with their hardware words, packed when they are made.

import type {
  BlendDescription,
  BlendTarget,
  CompareFunction,
  DepthStencilAlphaDescription,
  RasterizerDescription,
  SamplerDescription,
  StateObject,
  StencilOperation,
  TextureFilter,
  TextureWrap,
  VertexElementsDescription,
} from '../../../src/pipe/pipe.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS } from '../registers/registers.ts';

const R = REGISTERS;

const COMPARE: Readonly<Record<CompareFunction, number>> = {
  never: ENUMS.COMPARE_FUNC.NEVER,
  less: ENUMS.COMPARE_FUNC.LESS,
  equal: ENUMS.COMPARE_FUNC.EQUAL,
  lessEqual: ENUMS.COMPARE_FUNC.LEQUAL,
  greater: ENUMS.COMPARE_FUNC.GREATER,
  notEqual: ENUMS.COMPARE_FUNC.NOTEQUAL,
  greaterEqual: ENUMS.COMPARE_FUNC.GEQUAL,
  always: ENUMS.COMPARE_FUNC.ALWAYS,
};

const STENCIL: Readonly<Record<StencilOperation, number>> = {
  keep: ENUMS.STENCIL_OP.KEEP,
  zero: ENUMS.STENCIL_OP.ZERO,
  replace: ENUMS.STENCIL_OP.REPLACE,
  increment: ENUMS.STENCIL_OP.INCR,
  decrement: ENUMS.STENCIL_OP.DECR,
  invert: ENUMS.STENCIL_OP.INVERT,
  incrementWrap: ENUMS.STENCIL_OP.INCR_WRAP,
  decrementWrap: ENUMS.STENCIL_OP.DECR_WRAP,
};

const EQUATION: Readonly<Record<BlendTarget['equationRgb'], number>> = {
  add: ENUMS.BLEND_EQ.ADD,
  subtract: ENUMS.BLEND_EQ.SUBTRACT,
  reverseSubtract: ENUMS.BLEND_EQ.REVERSE_SUBTRACT,
  min: ENUMS.BLEND_EQ.MIN,
  max: ENUMS.BLEND_EQ.MAX,
};

const FACTOR: Readonly<Partial<Record<BlendTarget['sourceRgb'], number>>> = {
  zero: ENUMS.BLEND_FUNC.ZERO,
  one: ENUMS.BLEND_FUNC.ONE,
  sourceColor: ENUMS.BLEND_FUNC.SRC_COLOR,
  oneMinusSourceColor: ENUMS.BLEND_FUNC.ONE_MINUS_SRC_COLOR,
  sourceAlpha: ENUMS.BLEND_FUNC.SRC_ALPHA,
  oneMinusSourceAlpha: ENUMS.BLEND_FUNC.ONE_MINUS_SRC_ALPHA,
  destinationAlpha: ENUMS.BLEND_FUNC.DST_ALPHA,
  oneMinusDestinationAlpha: ENUMS.BLEND_FUNC.ONE_MINUS_DST_ALPHA,
  destinationColor: ENUMS.BLEND_FUNC.DST_COLOR,
  oneMinusDestinationColor: ENUMS.BLEND_FUNC.ONE_MINUS_DST_COLOR,
  sourceAlphaSaturate: ENUMS.BLEND_FUNC.SRC_ALPHA_SATURATE,
  constantAlpha: ENUMS.BLEND_FUNC.CONSTANT_ALPHA,
  oneMinusConstantAlpha: ENUMS.BLEND_FUNC.ONE_MINUS_CONSTANT_ALPHA,
  constantColor: ENUMS.BLEND_FUNC.CONSTANT_COLOR,
  oneMinusConstantColor: ENUMS.BLEND_FUNC.ONE_MINUS_CONSTANT_COLOR,
};

function factor(name: BlendTarget['sourceRgb']): number {
  const code = FACTOR[name];
  if (code === undefined) throw new Error(`etnaviv: no hardware blends with factor ${name}`);
  return code;
}

export interface BlendWords {
  readonly alphaConfig: number;
  readonly colorMask: number;
  readonly isEnabled: boolean;
}

function blendWords(target: BlendTarget): BlendWords {
  const isSeparate =
    target.equationAlpha !== target.equationRgb ||
    target.sourceAlpha !== target.sourceRgb ||
    target.destinationAlpha !== target.destinationRgb;
  const alphaConfig = target.enabled
    ? packFields(R.PE_ALPHA_CONFIG, {
        BLEND_ENABLE_COLOR: 1,
        BLEND_SEPARATE_ALPHA: isSeparate,
        SRC_FUNC_COLOR: factor(target.sourceRgb),
        DST_FUNC_COLOR: factor(target.destinationRgb),
        EQ_COLOR: EQUATION[target.equationRgb],
        SRC_FUNC_ALPHA: factor(target.sourceAlpha),
        DST_FUNC_ALPHA: factor(target.destinationAlpha),
        EQ_ALPHA: EQUATION[target.equationAlpha],
      })
    : 0;
  return { alphaConfig, colorMask: target.colorMask, isEnabled: target.enabled };
}

export class EtnavivBlend implements StateObject<'blend', BlendDescription> {
  readonly kind = 'blend';
  readonly description: BlendDescription;
  readonly #words: readonly BlendWords[];

  constructor(description: BlendDescription) {
    this.description = description;
    this.#words = description.targets.map(blendWords);
  }

  target(index: number): BlendWords {
    return this.#words[index] ?? this.#words[0]!;
  }
}

export class EtnavivDepthStencil implements StateObject<'depthStencilAlpha', DepthStencilAlphaDescription> {
  readonly kind = 'depthStencilAlpha';
  readonly description: DepthStencilAlphaDescription;
  readonly depthFunc: number;
  readonly stencilOp: number;
  readonly hasStencil: boolean;
  readonly writesStencil: boolean;
  /** The hardware's front is what it sees clockwise; with the other winding the faces change places. */
  readonly stencilOpSwapped: number;

  constructor(description: DepthStencilAlphaDescription) {
    this.description = description;
    this.depthFunc = description.depthTest ? COMPARE[description.depthFunc] : ENUMS.COMPARE_FUNC.ALWAYS;
    const { stencil } = description;
    this.hasStencil = stencil !== null;
    this.writesStencil = stencil !== null && (stencil.front.writeMask | stencil.back.writeMask) !== 0;
    const pack = (front: NonNullable<typeof stencil>['front'], back: NonNullable<typeof stencil>['back']) =>
      packFields(R.PE_STENCIL_OP, {
        FUNC_FRONT: COMPARE[front.func],
        PASS_FRONT: STENCIL[front.passOp],
        FAIL_FRONT: STENCIL[front.failOp],
        DEPTH_FAIL_FRONT: STENCIL[front.depthFailOp],
        FUNC_BACK: COMPARE[back.func],
        PASS_BACK: STENCIL[back.passOp],
        FAIL_BACK: STENCIL[back.failOp],
        DEPTH_FAIL_BACK: STENCIL[back.depthFailOp],
      });
    this.stencilOp = stencil ? pack(stencil.front, stencil.back) : 0;
    this.stencilOpSwapped = stencil ? pack(stencil.back, stencil.front) : 0;
  }
}

export class EtnavivRasterizer implements StateObject<'rasterizer', RasterizerDescription> {
  readonly kind = 'rasterizer';
  readonly description: RasterizerDescription;
  /** CULL_FACE_MODE; null: every triangle is culled, which no mode says. */
  readonly cullMode: number | null;

  constructor(description: RasterizerDescription) {
    this.description = description;
    const { CW, CCW, OFF } = ENUMS.CULL_FACE_MODE;
    const { cullFace, frontCounterClockwise } = description;
    // Rows go up in GL's windows and down in the hardware's: what GL sees counter-clockwise the hardware sees clockwise.
    const front = frontCounterClockwise ? CW : CCW;
    const back = frontCounterClockwise ? CCW : CW;
    this.cullMode = cullFace === 'none' ? OFF : cullFace === 'front' ? front : cullFace === 'back' ? back : null;
  }
}

const WRAP: Readonly<Record<TextureWrap, number>> = {
  repeat: ENUMS.TEXTURE_WRAPMODE.REPEAT,
  mirroredRepeat: ENUMS.TEXTURE_WRAPMODE.MIRRORED_REPEAT,
  clampToEdge: ENUMS.TEXTURE_WRAPMODE.CLAMP_TO_EDGE,
  clampToBorder: ENUMS.TEXTURE_WRAPMODE.CLAMP_TO_BORDER,
} as Record<TextureWrap, number>;

const FILTER: Readonly<Record<TextureFilter, number>> = {
  nearest: ENUMS.TEXTURE_FILTER.NEAREST,
  linear: ENUMS.TEXTURE_FILTER.LINEAR,
};

const SAMPLER_COMPARE: Readonly<Record<CompareFunction, number>> = {
  lessEqual: ENUMS.TEXTURE_COMPARE_FUNC.LEQUAL,
  greaterEqual: ENUMS.TEXTURE_COMPARE_FUNC.GEQUAL,
  less: ENUMS.TEXTURE_COMPARE_FUNC.LESS,
  greater: ENUMS.TEXTURE_COMPARE_FUNC.GREATER,
  equal: ENUMS.TEXTURE_COMPARE_FUNC.EQUAL,
  notEqual: ENUMS.TEXTURE_COMPARE_FUNC.NOTEQUAL,
  always: ENUMS.TEXTURE_COMPARE_FUNC.ALWAYS,
  never: ENUMS.TEXTURE_COMPARE_FUNC.NEVER,
};

export class EtnavivSampler implements StateObject<'sampler', SamplerDescription> {
  readonly kind = 'sampler';
  readonly description: SamplerDescription;
  readonly wrapS: number;
  readonly wrapT: number;
  readonly wrapR: number;
  readonly minFilter: number;
  readonly magFilter: number;
  readonly mipFilter: number;
  readonly compare: number | null;

  constructor(description: SamplerDescription) {
    this.description = description;
    this.wrapS = WRAP[description.wrapS];
    this.wrapT = WRAP[description.wrapT];
    this.wrapR = WRAP[description.wrapR];
    this.minFilter = FILTER[description.minFilter];
    this.magFilter = FILTER[description.magFilter];
    this.mipFilter = description.mipFilter === 'none' ? ENUMS.TEXTURE_FILTER.NONE : FILTER[description.mipFilter];
    this.compare = description.compare === null ? null : SAMPLER_COMPARE[description.compare];
  }
}

export class EtnavivVertexElements implements StateObject<'vertexElements', VertexElementsDescription> {
  readonly kind = 'vertexElements';
  readonly description: VertexElementsDescription;

  constructor(description: VertexElementsDescription) {
    this.description = description;
  }
}
