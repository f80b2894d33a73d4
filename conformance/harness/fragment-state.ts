// Sets GL to a state that the reference model also understands.

import type { CaseContext } from '../case.ts';
import type {
  BlendEquation,
  BlendFactor,
  CompareFunction,
  FragmentState,
  StencilFace,
  StencilOperation,
} from '../reference/fragment-pipeline.ts';

export const COMPARE_VALUES: Readonly<Record<CompareFunction, number>> = {
  never: 0x200,
  less: 0x201,
  equal: 0x202,
  lequal: 0x203,
  greater: 0x204,
  notequal: 0x205,
  gequal: 0x206,
  always: 0x207,
};

export const STENCIL_VALUES: Readonly<Record<StencilOperation, number>> = {
  keep: 0x1e00,
  zero: 0,
  replace: 0x1e01,
  incr: 0x1e02,
  decr: 0x1e03,
  invert: 0x150a,
  incr_wrap: 0x8507,
  decr_wrap: 0x8508,
};

export const EQUATION_VALUES: Readonly<Record<BlendEquation, number>> = {
  add: 0x8006,
  min: 0x8007,
  max: 0x8008,
  subtract: 0x800a,
  reverse_subtract: 0x800b,
};

export const FACTOR_VALUES: Readonly<Record<BlendFactor, number>> = {
  zero: 0,
  one: 1,
  src_color: 0x300,
  one_minus_src_color: 0x301,
  src_alpha: 0x302,
  one_minus_src_alpha: 0x303,
  dst_alpha: 0x304,
  one_minus_dst_alpha: 0x305,
  dst_color: 0x306,
  one_minus_dst_color: 0x307,
  src_alpha_saturate: 0x308,
  constant_color: 0x8001,
  one_minus_constant_color: 0x8002,
  constant_alpha: 0x8003,
  one_minus_constant_alpha: 0x8004,
};

function setStencilFace(t: CaseContext, face: number, state: StencilFace): void {
  const { gl } = t;
  gl.glStencilFuncSeparate(face, COMPARE_VALUES[state.func], state.ref, state.readMask);
  gl.glStencilMaskSeparate(face, state.writeMask);
  gl.glStencilOpSeparate(face, STENCIL_VALUES[state.fail], STENCIL_VALUES[state.depthFail], STENCIL_VALUES[state.pass]);
}

export function setFragmentState(t: CaseContext, state: FragmentState): void {
  const { gl } = t;
  const toggle = (name: number, on: boolean) => (on ? gl.glEnable(name) : gl.glDisable(name));
  toggle(gl.GL_SCISSOR_TEST, state.scissor !== null);
  if (state.scissor) gl.glScissor(state.scissor.x, state.scissor.y, state.scissor.width, state.scissor.height);
  toggle(gl.GL_STENCIL_TEST, state.stencil !== null);
  if (state.stencil) {
    setStencilFace(t, gl.GL_FRONT, state.stencil.front);
    setStencilFace(t, gl.GL_BACK, state.stencil.back);
  } else gl.glStencilMask(255);
  toggle(gl.GL_DEPTH_TEST, state.depth !== null);
  if (state.depth) {
    gl.glDepthFunc(COMPARE_VALUES[state.depth.func]);
    gl.glDepthMask(state.depth.writes);
  } else gl.glDepthMask(true);
  toggle(gl.GL_BLEND, state.blend !== null);
  const { blend } = state;
  if (blend) {
    gl.glBlendEquationSeparate(EQUATION_VALUES[blend.rgbEquation], EQUATION_VALUES[blend.alphaEquation]);
    gl.glBlendFuncSeparate(
      FACTOR_VALUES[blend.srcRgb],
      FACTOR_VALUES[blend.dstRgb],
      FACTOR_VALUES[blend.srcAlpha],
      FACTOR_VALUES[blend.dstAlpha],
    );
    gl.glBlendColor(blend.constant[0], blend.constant[1], blend.constant[2], blend.constant[3]);
  }
  gl.glColorMask(state.colorMask[0], state.colorMask[1], state.colorMask[2], state.colorMask[3]);
}
