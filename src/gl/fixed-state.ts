// Setters of the fixed-function state vector: rasterizer, depth, stencil, blend, masks, viewport, clear values, hints.

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import {
  accepts,
  BLEND_DESTINATION_FACTORS,
  BLEND_EQUATIONS,
  BLEND_SOURCE_FACTORS,
  CLIP_DEPTH_MODES,
  CLIP_ORIGINS,
  COMPARE_FUNCTIONS,
  CULL_FACES,
  type EnumTable,
  FRONT_FACES,
  HINT_MODES,
  POLYGON_MODES,
  PROVOKING_VERTICES,
  STENCIL_OPERATIONS,
} from './enums.table.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import type { BlendTargetState, StencilFaceState } from './state.ts';

function check<Pipe>(
  context: Context,
  call: string,
  parameter: string,
  table: EnumTable<Pipe>,
  value: number,
): boolean {
  if (accepts(context, table, value)) return true;
  invalidEnum(context, call, parameter, value);
  return false;
}

function clamp01(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0;
}

export function cullFace(context: Context, mode: number): void {
  if (!check(context, 'cullFace', 'mode', CULL_FACES, mode)) return;
  context.rasterizer.cullFace = mode;
  context.dirty |= DIRTY.RASTERIZER;
}

export function frontFace(context: Context, mode: number): void {
  if (!check(context, 'frontFace', 'mode', FRONT_FACES, mode)) return;
  context.rasterizer.frontFace = mode;
  context.dirty |= DIRTY.RASTERIZER;
}

/** WEBGL_provoking_vertex. */
export function provokingVertex(context: Context, mode: number): void {
  if (!check(context, 'provokingVertex', 'provokeMode', PROVOKING_VERTICES, mode)) return;
  context.rasterizer.provokingVertex = mode;
  context.dirty |= DIRTY.RASTERIZER;
}

/** WEBGL_polygon_mode: both faces together. */
export function polygonMode(context: Context, face: number, mode: number): void {
  if (face !== GL.FRONT_AND_BACK) return invalidEnum(context, 'polygonMode', 'face', face);
  if (!check(context, 'polygonMode', 'mode', POLYGON_MODES, mode)) return;
  context.rasterizer.polygonMode = mode;
  context.dirty |= DIRTY.RASTERIZER;
}

/** Widths beyond the implementation's range are kept as given and clamped when drawn (ES 3.0.6 §3.5). */
export function lineWidth(context: Context, width: number): void {
  if (!(width > 0)) return invalidValue(context, 'lineWidth', `width ${width} is not positive`);
  context.rasterizer.lineWidth = Math.fround(width);
  context.dirty |= DIRTY.RASTERIZER;
}

export function polygonOffset(context: Context, factor: number, units: number): void {
  polygonOffsetClamp(context, factor, units, 0);
}

/** EXT_polygon_offset_clamp: a clamp of 0 or NaN is none. */
export function polygonOffsetClamp(context: Context, factor: number, units: number, clamp: number): void {
  context.rasterizer.polygonOffsetFactor = Math.fround(factor);
  context.rasterizer.polygonOffsetUnits = Math.fround(units);
  context.rasterizer.polygonOffsetClamp = Math.fround(clamp);
  context.dirty |= DIRTY.RASTERIZER;
}

export function depthFunc(context: Context, func: number): void {
  if (!check(context, 'depthFunc', 'func', COMPARE_FUNCTIONS, func)) return;
  context.depth.func = func;
  context.dirty |= DIRTY.DEPTH_STENCIL;
}

export function depthMask(context: Context, flag: boolean): void {
  context.depth.writeMask = flag;
  context.dirty |= DIRTY.DEPTH_STENCIL;
}

export function depthRange(context: Context, near: number, far: number): void {
  if (context.rules.orderedDepthRange && near > far)
    return invalidOperation(context, 'depthRange', `near ${near} is greater than far ${far} (WebGL 1 §6.12)`);
  context.depth.near = clamp01(near);
  context.depth.far = clamp01(far);
  // gl_DepthRange is a uniform.
  context.dirty |= DIRTY.VIEWPORT | DIRTY.VERTEX_UNIFORMS | DIRTY.FRAGMENT_UNIFORMS;
}

/** EXT_clip_control. */
export function clipControl(context: Context, origin: number, depthMode: number): void {
  if (!check(context, 'clipControl', 'origin', CLIP_ORIGINS, origin)) return;
  if (!check(context, 'clipControl', 'depth', CLIP_DEPTH_MODES, depthMode)) return;
  Object.assign(context.clip, { origin, depthMode });
  context.dirty |= DIRTY.RASTERIZER | DIRTY.VIEWPORT;
}

export function viewport(context: Context, x: number, y: number, width: number, height: number): void {
  if (width < 0 || height < 0) return invalidValue(context, 'viewport', `size ${width} × ${height} is negative`);
  const limits = context.limits;
  Object.assign(context.viewport, {
    x,
    y,
    width: Math.min(width, limits.maxViewportWidth),
    height: Math.min(height, limits.maxViewportHeight),
  });
  context.dirty |= DIRTY.VIEWPORT;
}

export function scissor(context: Context, x: number, y: number, width: number, height: number): void {
  if (width < 0 || height < 0) return invalidValue(context, 'scissor', `size ${width} × ${height} is negative`);
  Object.assign(context.scissor, { x, y, width, height });
  context.dirty |= DIRTY.SCISSOR;
}

/** `value` is clamped, −0 and NaN give 0 (ES 3.0.6 §4.1.3). */
export function sampleCoverage(context: Context, value: number, invert: boolean): void {
  context.multisample.coverageValue = clamp01(value);
  context.multisample.coverageInvert = invert;
  context.dirty |= DIRTY.SAMPLE_MASK;
}

/** The stencil faces a `face` argument names, null after an error. */
function stencilFaces(context: Context, call: string, face: number): readonly StencilFaceState[] | null {
  const { front, back } = context.stencil;
  if (face === GL.FRONT_AND_BACK) return [front, back];
  if (face === GL.FRONT) return [front];
  if (face === GL.BACK) return [back];
  invalidEnum(context, call, 'face', face);
  return null;
}

export function stencilFunc(context: Context, func: number, reference: number, mask: number): void {
  stencilFuncSeparate(context, GL.FRONT_AND_BACK, func, reference, mask);
}

export function stencilFuncSeparate(
  context: Context,
  face: number,
  func: number,
  reference: number,
  mask: number,
): void {
  const faces = stencilFaces(context, 'stencilFuncSeparate', face);
  if (!faces || !check(context, 'stencilFuncSeparate', 'func', COMPARE_FUNCTIONS, func)) return;
  for (const state of faces) Object.assign(state, { func, reference: reference | 0, readMask: mask >>> 0 });
  context.dirty |= DIRTY.DEPTH_STENCIL | DIRTY.STENCIL_REFERENCE;
}

export function stencilOp(context: Context, fail: number, depthFail: number, depthPass: number): void {
  stencilOpSeparate(context, GL.FRONT_AND_BACK, fail, depthFail, depthPass);
}

export function stencilOpSeparate(
  context: Context,
  face: number,
  fail: number,
  depthFail: number,
  depthPass: number,
): void {
  const faces = stencilFaces(context, 'stencilOpSeparate', face);
  if (!faces) return;
  for (const operation of [fail, depthFail, depthPass])
    if (!check(context, 'stencilOpSeparate', 'operation', STENCIL_OPERATIONS, operation)) return;
  for (const state of faces) Object.assign(state, { fail, depthFail, depthPass });
  context.dirty |= DIRTY.DEPTH_STENCIL;
}

export function stencilMask(context: Context, mask: number): void {
  stencilMaskSeparate(context, GL.FRONT_AND_BACK, mask);
}

export function stencilMaskSeparate(context: Context, face: number, mask: number): void {
  const faces = stencilFaces(context, 'stencilMaskSeparate', face);
  if (!faces) return;
  for (const state of faces) state.writeMask = mask >>> 0;
  context.dirty |= DIRTY.DEPTH_STENCIL;
}

/** Applies a change to one draw buffer's blend state, or to all when `index` is null. Reports an index out of range. */
function blendTargets(context: Context, call: string, index: number | null): readonly BlendTargetState[] | null {
  if (index === null) return context.blend.targets;
  const target = context.blend.targets[index];
  if (target !== undefined && index < context.limits.maxDrawBuffers) return [target];
  invalidValue(context, call, `draw buffer ${index} is not below MAX_DRAW_BUFFERS`);
  return null;
}

export function blendColor(context: Context, red: number, green: number, blue: number, alpha: number): void {
  setColor(context, context.blend.color, red, green, blue, alpha);
  context.dirty |= DIRTY.BLEND_COLOR;
}

/** ES 2.0 clamps colours when they are set; with float targets (and in ES 3.0) they stay as given. */
function setColor(context: Context, color: Float32Array, ...values: [number, number, number, number]): void {
  const keeps =
    context.version >= 3 ||
    context.isEnabled('WEBGL_color_buffer_float') ||
    context.isEnabled('EXT_color_buffer_half_float');
  for (let i = 0; i < 4; i++) color[i] = keeps ? values[i]! : clamp01(values[i]!);
}

export function blendEquation(context: Context, mode: number): void {
  setBlendEquation(context, 'blendEquation', null, mode, mode);
}

export function blendEquationSeparate(context: Context, modeRgb: number, modeAlpha: number): void {
  setBlendEquation(context, 'blendEquationSeparate', null, modeRgb, modeAlpha);
}

export function blendEquationSeparatei(context: Context, index: number, modeRgb: number, modeAlpha: number): void {
  setBlendEquation(context, 'blendEquationSeparatei', index, modeRgb, modeAlpha);
}

function setBlendEquation(context: Context, call: string, index: number | null, rgb: number, alpha: number): void {
  for (const mode of [rgb, alpha]) if (!check(context, call, 'mode', BLEND_EQUATIONS, mode)) return;
  const targets = blendTargets(context, call, index);
  if (!targets) return;
  for (const target of targets) {
    target.equationRgb = rgb;
    target.equationAlpha = alpha;
  }
  context.dirty |= DIRTY.BLEND;
}

export function blendFunc(context: Context, source: number, destination: number): void {
  setBlendFunc(context, 'blendFunc', null, source, destination, source, destination);
}

export function blendFuncSeparate(
  context: Context,
  sourceRgb: number,
  destinationRgb: number,
  sourceAlpha: number,
  destinationAlpha: number,
): void {
  setBlendFunc(context, 'blendFuncSeparate', null, sourceRgb, destinationRgb, sourceAlpha, destinationAlpha);
}

export function blendFuncSeparatei(
  context: Context,
  index: number,
  sourceRgb: number,
  destinationRgb: number,
  sourceAlpha: number,
  destinationAlpha: number,
): void {
  setBlendFunc(context, 'blendFuncSeparatei', index, sourceRgb, destinationRgb, sourceAlpha, destinationAlpha);
}

function isConstantColor(factor: number): boolean {
  return factor === GL.CONSTANT_COLOR || factor === GL.ONE_MINUS_CONSTANT_COLOR;
}

function isConstantAlpha(factor: number): boolean {
  return factor === GL.CONSTANT_ALPHA || factor === GL.ONE_MINUS_CONSTANT_ALPHA;
}

function setBlendFunc(
  context: Context,
  call: string,
  index: number | null,
  sourceRgb: number,
  destinationRgb: number,
  sourceAlpha: number,
  destinationAlpha: number,
): void {
  if (!check(context, call, 'source factor', BLEND_SOURCE_FACTORS, sourceRgb)) return;
  if (!check(context, call, 'source factor', BLEND_SOURCE_FACTORS, sourceAlpha)) return;
  if (!check(context, call, 'destination factor', BLEND_DESTINATION_FACTORS, destinationRgb)) return;
  if (!check(context, call, 'destination factor', BLEND_DESTINATION_FACTORS, destinationAlpha)) return;
  const mixed =
    (isConstantColor(sourceRgb) && isConstantAlpha(destinationRgb)) ||
    (isConstantAlpha(sourceRgb) && isConstantColor(destinationRgb));
  if (mixed && context.rules.noMixedConstantBlend)
    return invalidOperation(
      context,
      call,
      'constant colour and constant alpha cannot be used together (WebGL 1 §6.13)',
    );
  const targets = blendTargets(context, call, index);
  if (!targets) return;
  for (const target of targets) {
    target.sourceRgb = sourceRgb;
    target.destinationRgb = destinationRgb;
    target.sourceAlpha = sourceAlpha;
    target.destinationAlpha = destinationAlpha;
  }
  context.dirty |= DIRTY.BLEND;
}

export function colorMask(context: Context, red: boolean, green: boolean, blue: boolean, alpha: boolean): void {
  for (const target of context.blend.targets) target.writeMask = maskBits(red, green, blue, alpha);
  context.dirty |= DIRTY.BLEND;
}

export function colorMaski(
  context: Context,
  index: number,
  red: boolean,
  green: boolean,
  blue: boolean,
  alpha: boolean,
): void {
  const targets = blendTargets(context, 'colorMaski', index);
  if (!targets) return;
  for (const target of targets) target.writeMask = maskBits(red, green, blue, alpha);
  context.dirty |= DIRTY.BLEND;
}

function maskBits(red: boolean, green: boolean, blue: boolean, alpha: boolean): number {
  return (red ? 1 : 0) | (green ? 2 : 0) | (blue ? 4 : 0) | (alpha ? 8 : 0);
}

export function clearColor(context: Context, red: number, green: number, blue: number, alpha: number): void {
  setColor(context, context.clear.color, red, green, blue, alpha);
}

export function clearDepth(context: Context, depth: number): void {
  context.clear.depth = clamp01(depth);
}

export function clearStencil(context: Context, stencil: number): void {
  context.clear.stencil = stencil | 0;
}

export function hint(context: Context, target: number, mode: number): void {
  if (!check(context, 'hint', 'mode', HINT_MODES, mode)) return;
  const derivatives = context.version >= 3 || context.isEnabled('OES_standard_derivatives');
  if (target === GL.GENERATE_MIPMAP_HINT) context.hints.generateMipmap = mode;
  else if (target === GL.FRAGMENT_SHADER_DERIVATIVE_HINT && derivatives) context.hints.fragmentShaderDerivative = mode;
  else invalidEnum(context, 'hint', 'target', target);
}
