// GLES entry points of the state vector, getters, errors and synchronisation.

import { GL } from '../gl/constants.ts';
import { disable, enable, isEnabled, isEnabledIndexed, setEnabledIndexed } from '../gl/enable.ts';
import { getError, invalidValue } from '../gl/errors.ts';
import * as fixed from '../gl/fixed-state.ts';
import {
  asBooleans,
  asFloats,
  asIntegers,
  getIndexedParameter,
  getParameter,
  getString,
  getStringIndexed,
} from '../gl/get.ts';
import { SyncObject } from '../gl/query-object.ts';
import { getShaderPrecisionFormat } from '../gl/shaders.ts';
import { clientWaitSync, deleteSync, fenceSync, finish, flush, getSyncParameter, waitSync } from '../gl/sync.ts';
import { type GLsync, type GlesFace, isNegative } from './face.ts';
import { type NumberList, store, storeWide, type WideList } from './memory.ts';

/** GLboolean arguments come as booleans or as 0 and 1. */
export type Boolish = boolean | number;

const truth = (value: Boolish): boolean => Boolean(value);

/** "INVALID_VALUE if sync is not the name of a sync object" (ES 3.0.6 §5.2.1). */
function isSync(face: GlesFace, call: string, sync: unknown): sync is GLsync {
  if (sync instanceof SyncObject && !sync.deleted) return true;
  invalidValue(face.context, call, 'this is no sync object');
  return false;
}

/** Entry points of ES 2.0. */
export const STATE_ES2 = {
  glGetError: (face: GlesFace): number => getError(face.context),
  glEnable: (face: GlesFace, cap: number): void => enable(face.context, cap),
  glDisable: (face: GlesFace, cap: number): void => disable(face.context, cap),
  glIsEnabled: (face: GlesFace, cap: number): boolean => isEnabled(face.context, cap),
  glCullFace: (face: GlesFace, mode: number): void => fixed.cullFace(face.context, mode),
  glFrontFace: (face: GlesFace, mode: number): void => fixed.frontFace(face.context, mode),
  glLineWidth: (face: GlesFace, width: number): void => fixed.lineWidth(face.context, width),
  glPolygonOffset: (face: GlesFace, factor: number, units: number): void =>
    fixed.polygonOffset(face.context, factor, units),
  glDepthFunc: (face: GlesFace, func: number): void => fixed.depthFunc(face.context, func),
  glDepthMask: (face: GlesFace, flag: Boolish): void => fixed.depthMask(face.context, truth(flag)),
  glDepthRangef: (face: GlesFace, near: number, far: number): void => fixed.depthRange(face.context, near, far),
  glViewport: (face: GlesFace, x: number, y: number, width: number, height: number): void =>
    fixed.viewport(face.context, x, y, width, height),
  glScissor: (face: GlesFace, x: number, y: number, width: number, height: number): void =>
    fixed.scissor(face.context, x, y, width, height),
  glSampleCoverage: (face: GlesFace, value: number, invert: Boolish): void =>
    fixed.sampleCoverage(face.context, value, truth(invert)),
  glStencilFunc: (face: GlesFace, func: number, ref: number, mask: number): void =>
    fixed.stencilFunc(face.context, func, ref, mask),
  glStencilFuncSeparate: (face: GlesFace, side: number, func: number, ref: number, mask: number): void =>
    fixed.stencilFuncSeparate(face.context, side, func, ref, mask),
  glStencilOp: (face: GlesFace, fail: number, zfail: number, zpass: number): void =>
    fixed.stencilOp(face.context, fail, zfail, zpass),
  glStencilOpSeparate: (face: GlesFace, side: number, fail: number, zfail: number, zpass: number): void =>
    fixed.stencilOpSeparate(face.context, side, fail, zfail, zpass),
  glStencilMask: (face: GlesFace, mask: number): void => fixed.stencilMask(face.context, mask),
  glStencilMaskSeparate: (face: GlesFace, side: number, mask: number): void =>
    fixed.stencilMaskSeparate(face.context, side, mask),
  glBlendColor: (face: GlesFace, red: number, green: number, blue: number, alpha: number): void =>
    fixed.blendColor(face.context, red, green, blue, alpha),
  glBlendEquation: (face: GlesFace, mode: number): void => fixed.blendEquation(face.context, mode),
  glBlendEquationSeparate: (face: GlesFace, modeRgb: number, modeAlpha: number): void =>
    fixed.blendEquationSeparate(face.context, modeRgb, modeAlpha),
  glBlendFunc: (face: GlesFace, source: number, destination: number): void =>
    fixed.blendFunc(face.context, source, destination),
  glBlendFuncSeparate: (face: GlesFace, srcRgb: number, dstRgb: number, srcAlpha: number, dstAlpha: number): void =>
    fixed.blendFuncSeparate(face.context, srcRgb, dstRgb, srcAlpha, dstAlpha),
  glColorMask: (face: GlesFace, red: Boolish, green: Boolish, blue: Boolish, alpha: Boolish): void =>
    fixed.colorMask(face.context, truth(red), truth(green), truth(blue), truth(alpha)),
  glClearColor: (face: GlesFace, red: number, green: number, blue: number, alpha: number): void =>
    fixed.clearColor(face.context, red, green, blue, alpha),
  glClearDepthf: (face: GlesFace, depth: number): void => fixed.clearDepth(face.context, depth),
  glClearStencil: (face: GlesFace, stencil: number): void => fixed.clearStencil(face.context, stencil),
  glHint: (face: GlesFace, target: number, mode: number): void => fixed.hint(face.context, target, mode),
  glFlush: (face: GlesFace): void => flush(face.context),
  glFinish: (face: GlesFace): void => finish(face.context),

  glGetBooleanv: (face: GlesFace, pname: number, params: NumberList): void => {
    const parameter = getParameter(face.context, pname);
    if (parameter) store(params, asBooleans(parameter).map(Number));
  },
  glGetIntegerv: (face: GlesFace, pname: number, params: NumberList): void => {
    const parameter = getParameter(face.context, pname);
    if (parameter) store(params, asIntegers(parameter, 32));
  },
  glGetFloatv: (face: GlesFace, pname: number, params: NumberList): void => {
    const parameter = getParameter(face.context, pname);
    if (parameter) store(params, asFloats(parameter));
  },
  glGetString: (face: GlesFace, name: number): string | null => getString(face.context, name),
  glGetShaderPrecisionFormat: (
    face: GlesFace,
    shaderType: number,
    precisionType: number,
    range: NumberList,
    precision: NumberList,
  ): void => {
    const format = getShaderPrecisionFormat(face.context, shaderType, precisionType);
    if (!format) return;
    store(range, [format.rangeMin, format.rangeMax]);
    store(precision, [format.precision]);
  },
};

/** Entry points that came with ES 3.0. */
export const STATE_ES3 = {
  glGetInteger64v: (face: GlesFace, pname: number, params: WideList): void => {
    const parameter = getParameter(face.context, pname);
    if (parameter) storeWide(params, asIntegers(parameter, 64));
  },
  glGetIntegeri_v: (face: GlesFace, pname: number, index: number, params: NumberList): void => {
    const parameter = getIndexedParameter(face.context, pname, index);
    if (parameter) store(params, asIntegers(parameter, 32));
  },
  glGetInteger64i_v: (face: GlesFace, pname: number, index: number, params: WideList): void => {
    const parameter = getIndexedParameter(face.context, pname, index);
    if (parameter) storeWide(params, asIntegers(parameter, 64));
  },
  glGetStringi: (face: GlesFace, name: number, index: number): string | null =>
    getStringIndexed(face.context, name, index),

  glFenceSync: (face: GlesFace, condition: number, flags: number): GLsync | null =>
    fenceSync(face.context, condition, flags),
  glIsSync: (_face: GlesFace, sync: GLsync | null): boolean => sync instanceof SyncObject && !sync.deleted,
  glDeleteSync: (face: GlesFace, sync: GLsync | null): void => {
    // The null pointer is ignored, whatever way the caller writes it.
    if (sync && isSync(face, 'glDeleteSync', sync)) deleteSync(face.context, sync);
  },
  glClientWaitSync: (face: GlesFace, sync: GLsync, flags: number, timeout: number | bigint): number =>
    isSync(face, 'glClientWaitSync', sync)
      ? clientWaitSync(face.context, sync, flags, Number(timeout))
      : GL.WAIT_FAILED,
  glWaitSync: (face: GlesFace, sync: GLsync, flags: number, timeout: number | bigint): void => {
    if (isSync(face, 'glWaitSync', sync)) waitSync(face.context, sync, flags, timeout);
  },
  glGetSynciv: (
    face: GlesFace,
    sync: GLsync,
    pname: number,
    bufSize: number,
    length: NumberList | null,
    values: NumberList,
  ): void => {
    if (isNegative(face, 'glGetSynciv', 'bufSize', bufSize)) return;
    const value = isSync(face, 'glGetSynciv', sync) ? getSyncParameter(face.context, sync, pname) : undefined;
    if (value === undefined) return;
    store(length, [Math.min(1, bufSize)]);
    store(values, [value], Math.min(1, bufSize));
  },
};

/** ANGLE_provoking_vertex, ANGLE_polygon_mode. */
export const STATE_ANGLE = {
  glProvokingVertexANGLE: (face: GlesFace, mode: number): void => fixed.provokingVertex(face.context, mode),
  glPolygonModeANGLE: (face: GlesFace, faces: number, mode: number): void =>
    fixed.polygonMode(face.context, faces, mode),
};

/** OES_draw_buffers_indexed, under its own suffix. */
export const STATE_DRAW_BUFFERS_INDEXED = {
  glEnableiOES: (face: GlesFace, cap: number, index: number): void => setEnabledIndexed(face.context, cap, index, true),
  glDisableiOES: (face: GlesFace, cap: number, index: number): void =>
    setEnabledIndexed(face.context, cap, index, false),
  glIsEnablediOES: (face: GlesFace, cap: number, index: number): boolean => isEnabledIndexed(face.context, cap, index),
  glBlendEquationiOES: (face: GlesFace, index: number, mode: number): void =>
    fixed.blendEquationSeparatei(face.context, index, mode, mode),
  glBlendEquationSeparateiOES: (face: GlesFace, index: number, modeRgb: number, modeAlpha: number): void =>
    fixed.blendEquationSeparatei(face.context, index, modeRgb, modeAlpha),
  glBlendFunciOES: (face: GlesFace, index: number, source: number, destination: number): void =>
    fixed.blendFuncSeparatei(face.context, index, source, destination, source, destination),
  glBlendFuncSeparateiOES: (
    face: GlesFace,
    index: number,
    srcRgb: number,
    dstRgb: number,
    srcAlpha: number,
    dstAlpha: number,
  ): void => fixed.blendFuncSeparatei(face.context, index, srcRgb, dstRgb, srcAlpha, dstAlpha),
  glColorMaskiOES: (face: GlesFace, index: number, red: Boolish, green: Boolish, blue: Boolish, alpha: Boolish): void =>
    fixed.colorMaski(face.context, index, truth(red), truth(green), truth(blue), truth(alpha)),
};

/** EXT_clip_control and EXT_polygon_offset_clamp. */
export const STATE_RASTERIZATION = {
  glClipControlEXT: (face: GlesFace, origin: number, depth: number): void =>
    fixed.clipControl(face.context, origin, depth),
  glPolygonOffsetClampEXT: (face: GlesFace, factor: number, units: number, clamp: number): void =>
    fixed.polygonOffsetClamp(face.context, factor, units, clamp),
};
