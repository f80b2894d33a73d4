// What linking a program yields: everything the GL state tracker asks of a program object, as plain data.
// It is a contract between `glsl` and `gl`: names and numbers follow OpenGL ES 3.0.6 §2.12, so that queries can be answered from it directly.
// SPDX-License-Identifier: MIT
import type { Shader } from '../ir/ir.ts';
import type { OptimizeOptions } from '../ir/optimize.ts';
import type { GlType } from './gl-types.ts';

/** Implementation limits the linker checks. The state tracker fills it from its own caps. */
export interface LinkLimits {
  maxVertexAttribs: number;
  maxVaryingVectors: number;
  /** Clip and cull distances together. */
  maxClipDistances: number;
  maxVertexUniformVectors: number;
  maxFragmentUniformVectors: number;
  maxVertexTextureImageUnits: number;
  maxTextureImageUnits: number;
  maxCombinedTextureImageUnits: number;
  maxDrawBuffers: number;
  maxVertexUniformBlocks: number;
  maxFragmentUniformBlocks: number;
  maxCombinedUniformBlocks: number;
  maxUniformBlockSize: number;
  maxTransformFeedbackSeparateAttribs: number;
  maxTransformFeedbackSeparateComponents: number;
  maxTransformFeedbackInterleavedComponents: number;
}

/** Smallest values that OpenGL ES 3.0 allows (table 6.31 and following); a start for callers and tests. */
export const DEFAULT_LINK_LIMITS: LinkLimits = {
  maxVertexAttribs: 16,
  maxVaryingVectors: 15,
  maxClipDistances: 8,
  maxVertexUniformVectors: 256,
  maxFragmentUniformVectors: 224,
  maxVertexTextureImageUnits: 16,
  maxTextureImageUnits: 16,
  maxCombinedTextureImageUnits: 32,
  maxDrawBuffers: 4,
  maxVertexUniformBlocks: 12,
  maxFragmentUniformBlocks: 12,
  maxCombinedUniformBlocks: 24,
  maxUniformBlockSize: 16384,
  maxTransformFeedbackSeparateAttribs: 4,
  maxTransformFeedbackSeparateComponents: 4,
  maxTransformFeedbackInterleavedComponents: 64,
};

export interface LinkOptions {
  /** `bindAttribLocation` bindings in force: name → location. */
  attribBindings?: ReadonlyMap<string, number>;
  /** Names given to `transformFeedbackVaryings`, in order. */
  transformFeedbackVaryings?: readonly string[];
  transformFeedbackMode?: FeedbackMode;
  limits: LinkLimits;
  /** WebGL has rules of its own (attribute aliasing is an error, static use decides). */
  profile: 'gles' | 'webgl';
  /** How the IR is optimised; false leaves it in variable form (for tests and dumps). */
  optimize?: OptimizeOptions | false;
}

export interface LinkResult {
  ok: boolean;
  /** The program's info log; empty or warnings only when `ok`. */
  log: string;
  /** Present exactly when `ok`. */
  program?: LinkedProgram;
}

/** The whole outcome of a successful link. Immutable; the values of uniforms live in the state tracker. */
export interface LinkedProgram {
  vertex: LinkedStage;
  fragment: LinkedStage;
  /** Active attributes, built-in ones (`gl_VertexID`, `gl_InstanceID`) included with location −1. */
  attributes: ActiveAttribute[];
  /** All active uniforms in GL index order: default block, samplers, built-ins, then members of uniform blocks. */
  uniforms: ActiveUniform[];
  /** Location → uniform and array element. Built-ins and block members have no location. */
  uniformLocations: UniformLocation[];
  uniformBlocks: ActiveUniformBlock[];
  /** Size of constant buffer 0 in vec4 slots; both stages use the one layout. */
  constantSlotCount: number;
  /**
   * What constant buffer 0 holds before any uniform is set (`constantSlotCount` × 4 words): zeros, and behind the
   * uniforms the program's constant tables. The state tracker starts its copy from it.
   */
  initialConstants: Uint32Array;
  /** Slot of `gl_DepthRange` in constant buffer 0 (three slots: x = near, x = far, x = diff), or −1 when unused. */
  depthRangeSlot: number;
  /** One entry per sampler uniform element. The state tracker keeps an array of texture units of this length. */
  samplerElements: SamplerElement[];
  fragmentOutputs: FragmentOutput[];
  varyings: LinkedVarying[];
  /** Present when transform feedback varyings were given at link time. */
  feedback?: FeedbackLayout;
  /** The fragment shader may discard, so early depth writes are not allowed. */
  usesDiscard: boolean;
  /** The vertex shader writes gl_PointSize. */
  writesPointSize: boolean;
  /** A gl_FragColor write goes to every draw buffer (EXT_draw_buffers enabled in the shader). */
  broadcastsFragColor: boolean;
  /** GLSL version of both shaders: 100 or 300. */
  version: number;
}

/** One stage after optimisation, with the maps from the IR's own indices to the program's. */
export interface LinkedStage {
  shader: Shader;
  /** IR uniform buffer index k → index into `uniformBlocks`. */
  uniformBlocks: number[];
  /** IR sampler index k → index into `samplerElements`. */
  samplers: number[];
  /** The stage reads constant buffer 0. */
  usesConstants: boolean;
}

export interface ActiveAttribute {
  name: string;
  type: GlType;
  /** Array size as GL reports it; always 1 (attribute arrays do not exist in GLES). */
  size: number;
  /** First location, −1 for built-ins. A matrix takes one location per column. */
  location: number;
  locationCount: number;
  /** What the shader reads: a mismatch with the vertex array's kind gives undefined values in GLES and an error in WebGL. */
  baseType: 'float' | 'int' | 'uint';
}

export interface ActiveUniform {
  /** GL name: `a[0]` for arrays, `s.m[2].x` for members, `Block.member` for members of instance-named blocks. */
  name: string;
  type: GlType;
  /** Number of array elements, 1 when not an array. */
  size: number;
  isArray: boolean;
  /** Location of element 0, element i has `location + i`; −1 for built-ins and block members. */
  location: number;
  usedInVertex: boolean;
  usedInFragment: boolean;
  /**
   * First vec4 slot in constant buffer 0, −1 for samplers and block members. Element i, column c starts at slot
   * `slot + i * slotsPerElement + c`. Values are stored as 32-bit patterns of their type; a bool is 0 or 1 as an integer.
   */
  slot: number;
  slotsPerElement: number;
  /** First index into `samplerElements`, −1 when not a sampler. */
  samplerElement: number;
  /** Index into `uniformBlocks` (of the first instance for block arrays), −1 for the default block. */
  blockIndex: number;
  /** Byte offset in the block, −1 for the default block (as the strides below). */
  offset: number;
  arrayStride: number;
  matrixStride: number;
  isRowMajor: boolean;
}

export interface UniformLocation {
  uniform: number;
  element: number;
}

export interface ActiveUniformBlock {
  /** Block name, with `[k]` for an element of a block array. */
  name: string;
  /** Bytes a bound buffer range must have. */
  dataSize: number;
  /** Indices into `uniforms`. */
  members: number[];
  usedInVertex: boolean;
  usedInFragment: boolean;
}

export interface SamplerElement {
  uniform: number;
  element: number;
  type: GlType;
}

export interface FragmentOutput {
  name: string;
  type: GlType;
  /** Colour number of element 0. */
  location: number;
  /** 1 for the second source of dual-source blending, else 0. */
  index: number;
  size: number;
  baseType: 'float' | 'int' | 'uint';
}

export interface LinkedVarying {
  name: string;
  type: GlType;
  size: number;
  /** First slot number n of the IR's `var<n>`. */
  slot: number;
  slotCount: number;
  flat: boolean;
  centroid: boolean;
  invariant: boolean;
}

export type FeedbackMode = 'interleaved' | 'separate';

/** Transform feedback: what is captured and where it goes. Offsets and strides are in 32-bit words. */
export interface FeedbackLayout {
  mode: FeedbackMode;
  varyings: FeedbackVarying[];
  /** Words per vertex of each buffer binding. */
  strideWords: number[];
}

export interface FeedbackVarying {
  name: string;
  type: GlType;
  size: number;
  buffer: number;
  offsetWords: number;
  /** Pieces of IR outputs in memory order. */
  pieces: FeedbackPiece[];
}

export interface FeedbackPiece {
  /** IR output slot name: `position`, `pointSize`, `var0`… */
  slot: string;
  firstComponent: number;
  componentCount: number;
  offsetWords: number;
}
