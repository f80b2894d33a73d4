// What the compiler hands to the part of the driver that emits state: the contract between the two.

import type { Interpolation, Slot, Stage } from '../../../src/ir/ir.ts';

/**
 * What changes a program beyond its source. Every field is plain data, so that a key's JSON text is its identity.
 * Most states of Vivante GPUs need no variant: point coordinates, flat shading and varying counts are registers.
 */
export interface ShaderKey {
  /** Bit i: colour target i wants red and blue exchanged by the program (LINEAR_PE rendering to a shared buffer). */
  readonly fragRbSwap: number;
  /** Vertex programs of cores without depth range hardware leave clip z alone when it is 0..w already. */
  readonly clipHalfZ: boolean;
  /** The rasterizer state's front face is the one that GL sees clockwise: the hardware's bit says the opposite then. */
  readonly frontClockwise: boolean;
}

export const DEFAULT_KEY: ShaderKey = { fragRbSwap: 0, clipHalfZ: false, frontClockwise: false };

/** A value that the hardware puts into a temporary before the program starts. */
export interface ProgramInput {
  readonly slot: Slot | 'pointCoord';
  readonly register: number;
  /** Components from x on that are read: what a varying is declared with. */
  readonly components: number;
  readonly interpolation: Interpolation;
  readonly base: 'float' | 'int' | 'uint';
}

/** A temporary that leaves the program. */
export interface ProgramOutput {
  readonly slot: Slot;
  readonly register: number;
  /** First component of the register: 0 but for depth. */
  readonly component: number;
  readonly components: number;
}

/** One 32-bit word of the stage's uniform file. */
export type UniformWord =
  | { readonly kind: 'unused' }
  | { readonly kind: 'immediate'; readonly value: number }
  /** Word `word` of constant buffer 0; `convert`: the buffer has an int, the program wants its value as float. */
  | { readonly kind: 'uniform'; readonly word: number; readonly convert: boolean }
  /** GPU address of a bound uniform block. */
  | { readonly kind: 'blockAddress'; readonly block: number }
  /** Width, height or depth (or layers) of the texture bound to a sampler of the program, level 0 of the view: an int, a float on GPUs without integers. */
  | { readonly kind: 'textureSize'; readonly sampler: number; readonly component: number };

export interface ProgramSampler {
  /** Index in the program's sampler list. */
  readonly sampler: number;
  /** Hardware sampler number (the vertex stage's offset added). */
  readonly unit: number;
}

export interface CompiledShader {
  readonly stage: Stage;
  /** Four words an instruction; at least one instruction. */
  readonly code: Uint32Array;
  readonly instructions: number;
  /** Temporaries in use: NUM_TEMPS. */
  readonly temporaries: number;
  /**
   * In register order. Vertex: attributes from t0 on. Fragment: varyings from t1 on (t0 is gl_FragCoord); their order is
   * the order of varyings, to which the driver arranges the vertex program's outputs.
   */
  readonly inputs: readonly ProgramInput[];
  readonly outputs: readonly ProgramOutput[];
  /** Four times the temporary plus the component, or null. */
  readonly vertexIdPlace: number | null;
  readonly instanceIdPlace: number | null;
  /** The stage's uniform file, four words a slot. */
  readonly uniforms: readonly UniformWord[];
  readonly samplers: readonly ProgramSampler[];
  readonly flags: {
    readonly usesDiscard: boolean;
    readonly writesDepth: boolean;
    readonly usesFragCoord: boolean;
    readonly usesFrontFacing: boolean;
    /** Whole quads must run. */
    readonly usesDerivatives: boolean;
    /** The code must be fetched from memory: it is longer than the stage's part of the instruction memory. */
    readonly needsInstructionCache: boolean;
  };
  readonly statistics: ShaderStatistics;
}

/** One row of the shader report. */
export interface ShaderStatistics {
  readonly instructions: number;
  readonly temporaries: number;
  readonly loops: number;
  readonly immediates: number;
  readonly uniforms: number;
}

export type CompileResult =
  | { readonly ok: true; readonly shader: CompiledShader }
  | { readonly ok: false; readonly message: string };

/** A program the GPU cannot run: too many registers, instructions, uniforms, or an operation it has not. */
export class UnsupportedShaderError extends Error {
  override readonly name = 'UnsupportedShaderError';
}
