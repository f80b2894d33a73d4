// The GL state vector: plain typed groups with ES's initial values (ES 3.0.6 §6.2), without objects and bindings.

import { listOf } from '../base/list.ts';
import { GL } from './constants.ts';

export interface RasterizerState {
  cullEnabled: boolean;
  cullFace: number;
  frontFace: number;
  lineWidth: number;
  polygonOffsetEnabled: boolean;
  polygonOffsetFactor: number;
  polygonOffsetUnits: number;
  polygonOffsetClamp: number;
  depthClamp: boolean;
  discard: boolean;
  provokingVertex: number;
  polygonMode: number;
  polygonOffsetLineEnabled: boolean;
  /** Bit i: CLIP_DISTANCEi_EXT. */
  clipDistances: number;
  primitiveRestartFixedIndex: boolean;
}

/** EXT_clip_control. */
export interface ClipState {
  origin: number;
  depthMode: number;
}

export interface DepthState {
  testEnabled: boolean;
  writeMask: boolean;
  func: number;
  near: number;
  far: number;
}

export interface StencilFaceState {
  func: number;
  reference: number;
  readMask: number;
  writeMask: number;
  fail: number;
  depthFail: number;
  depthPass: number;
}

export interface StencilState {
  testEnabled: boolean;
  front: StencilFaceState;
  back: StencilFaceState;
}

/** Blend state of one draw buffer; plain ES 3.0 calls set all of them, OES_draw_buffers_indexed one. */
export interface BlendTargetState {
  enabled: boolean;
  equationRgb: number;
  equationAlpha: number;
  sourceRgb: number;
  destinationRgb: number;
  sourceAlpha: number;
  destinationAlpha: number;
  /** Bits 0..3: red, green, blue, alpha are written. */
  writeMask: number;
}

export interface BlendState {
  readonly targets: readonly BlendTargetState[];
  readonly color: Float32Array;
  dither: boolean;
}

export interface MultisampleState {
  alphaToCoverage: boolean;
  coverageEnabled: boolean;
  coverageValue: number;
  coverageInvert: boolean;
}

export interface Box2D {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ScissorState extends Box2D {
  enabled: boolean;
}

export interface ClearState {
  readonly color: Float32Array;
  depth: number;
  stencil: number;
}

/** One direction of pixelStorei. */
export interface PixelStoreState {
  alignment: number;
  rowLength: number;
  imageHeight: number;
  skipPixels: number;
  skipRows: number;
  skipImages: number;
}

/** WebGL's unpack additions (WebGL 1 §5.14.8); always at their defaults in the GLES face. */
export interface WebglUnpackState {
  flipY: boolean;
  premultiplyAlpha: boolean;
  colorspaceConversion: number;
}

export interface HintState {
  generateMipmap: number;
  fragmentShaderDerivative: number;
}

/** Values of a generic attribute that has no array (ES 3.0.6 §2.8): 4 words, and how they were set. */
export interface CurrentAttribute {
  readonly float: Float32Array;
  /** The same memory as signed and unsigned integers. */
  readonly int: Int32Array;
  readonly uint: Uint32Array;
  type: 'float' | 'int' | 'uint';
}

export function createRasterizerState(): RasterizerState {
  return {
    cullEnabled: false,
    cullFace: GL.BACK,
    frontFace: GL.CCW,
    lineWidth: 1,
    polygonOffsetEnabled: false,
    polygonOffsetFactor: 0,
    polygonOffsetUnits: 0,
    polygonOffsetClamp: 0,
    depthClamp: false,
    discard: false,
    provokingVertex: GL.LAST_VERTEX_CONVENTION_ANGLE,
    polygonMode: GL.FILL_ANGLE,
    polygonOffsetLineEnabled: false,
    clipDistances: 0,
    primitiveRestartFixedIndex: false,
  };
}

export function createClipState(): ClipState {
  return { origin: GL.LOWER_LEFT_EXT, depthMode: GL.NEGATIVE_ONE_TO_ONE_EXT };
}

export function createDepthState(): DepthState {
  return { testEnabled: false, writeMask: true, func: GL.LESS, near: 0, far: 1 };
}

export function createStencilState(): StencilState {
  return { testEnabled: false, front: createStencilFace(), back: createStencilFace() };
}

function createStencilFace(): StencilFaceState {
  return {
    func: GL.ALWAYS,
    reference: 0,
    readMask: 0xffffffff,
    writeMask: 0xffffffff,
    fail: GL.KEEP,
    depthFail: GL.KEEP,
    depthPass: GL.KEEP,
  };
}

export function createBlendState(targets: number): BlendState {
  return { targets: listOf(targets, createBlendTarget), color: new Float32Array(4), dither: true };
}

function createBlendTarget(): BlendTargetState {
  return {
    enabled: false,
    equationRgb: GL.FUNC_ADD,
    equationAlpha: GL.FUNC_ADD,
    sourceRgb: GL.ONE,
    destinationRgb: GL.ZERO,
    sourceAlpha: GL.ONE,
    destinationAlpha: GL.ZERO,
    writeMask: 15,
  };
}

export function createMultisampleState(): MultisampleState {
  return { alphaToCoverage: false, coverageEnabled: false, coverageValue: 1, coverageInvert: false };
}

export function createPixelStoreState(): PixelStoreState {
  return { alignment: 4, rowLength: 0, imageHeight: 0, skipPixels: 0, skipRows: 0, skipImages: 0 };
}

export function createCurrentAttribute(): CurrentAttribute {
  const float = new Float32Array([0, 0, 0, 1]);
  return { float, int: new Int32Array(float.buffer), uint: new Uint32Array(float.buffer), type: 'float' };
}
