// One row per intrinsic and system value: what it makes and whether it may be removed, merged or moved.
import type { Bits, IntrinsicName, SystemValue } from './ir.ts';

export interface IntrinsicRow {
  /** Sources that are always there; more may follow (`optionalSources`, or dynamic indices of paths). */
  readonly sources: number;
  readonly optionalSources: number | 'indices';
  /** Does something besides making a value: never removed, never merged. */
  readonly hasSideEffect: boolean;
  /** The same sources always give the same result within one invocation: may be merged and moved. */
  readonly isPure: boolean;
}

export const INTRINSICS: Readonly<Record<IntrinsicName, IntrinsicRow>> = {
  loadVar: { sources: 0, optionalSources: 'indices', hasSideEffect: false, isPure: false },
  storeVar: { sources: 1, optionalSources: 'indices', hasSideEffect: true, isPure: false },
  copyVar: { sources: 0, optionalSources: 'indices', hasSideEffect: true, isPure: false },
  loadInput: { sources: 0, optionalSources: 0, hasSideEffect: false, isPure: true },
  storeOutput: { sources: 1, optionalSources: 0, hasSideEffect: true, isPure: false },
  loadInputAt: { sources: 0, optionalSources: 1, hasSideEffect: false, isPure: true },
  loadUniform: { sources: 0, optionalSources: 1, hasSideEffect: false, isPure: true },
  loadUbo: { sources: 0, optionalSources: 1, hasSideEffect: false, isPure: true },
  loadLocal: { sources: 1, optionalSources: 0, hasSideEffect: false, isPure: false },
  storeLocal: { sources: 2, optionalSources: 0, hasSideEffect: true, isPure: false },
  sysval: { sources: 0, optionalSources: 0, hasSideEffect: false, isPure: true },
  discard: { sources: 0, optionalSources: 1, hasSideEffect: true, isPure: false },
};

export interface SystemValueRow {
  readonly components: number;
  readonly bits: Bits;
  readonly base: 'float' | 'int' | 'bool';
  readonly doc: string;
}

export const SYSTEM_VALUES: Readonly<Record<SystemValue, SystemValueRow>> = {
  vertexId: { components: 1, bits: 32, base: 'int', doc: 'gl_VertexID' },
  instanceId: { components: 1, bits: 32, base: 'int', doc: 'gl_InstanceID' },
  drawId: { components: 1, bits: 32, base: 'int', doc: 'gl_DrawID: number of the draw in a multi-draw' },
  baseVertex: { components: 1, bits: 32, base: 'int', doc: 'gl_BaseVertex: added to indices, 0 without indices' },
  baseInstance: { components: 1, bits: 32, base: 'int', doc: 'gl_BaseInstance: added to instanced attribute indices' },
  fragCoord: { components: 4, bits: 32, base: 'float', doc: 'gl_FragCoord: window x, y (y up), z, 1/w' },
  frontFacing: { components: 1, bits: 1, base: 'bool', doc: 'gl_FrontFacing' },
  pointCoord: { components: 2, bits: 32, base: 'float', doc: 'gl_PointCoord: origin at the upper left' },
  sampleId: { components: 1, bits: 32, base: 'int', doc: 'index of the sample being shaded' },
  samplePosition: { components: 2, bits: 32, base: 'float', doc: 'position of the sample in the pixel' },
  sampleMaskIn: { components: 1, bits: 32, base: 'int', doc: 'samples covered by the primitive' },
  sampleCount: { components: 1, bits: 32, base: 'int', doc: 'samples of the framebuffer, at least 1' },
};
