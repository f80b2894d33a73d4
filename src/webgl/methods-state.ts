// WebGL 1: the state vector, errors and the context itself (WebGL 1 §5.14.2 – §5.14.4).

import { disable, enable, isEnabled } from '../gl/enable.ts';
import { getError } from '../gl/errors.ts';
import * as fixed from '../gl/fixed-state.ts';
import { pixelStorei } from '../gl/pixel-store.ts';
import { getShaderPrecisionFormat } from '../gl/shaders.ts';
import { finish, flush } from '../gl/sync.ts';
import { ContextBase, faceOf, glOf } from './context-base.ts';
import { enableExtension, supportedExtensionNames } from './extension-objects.ts';
import { getParameter } from './get-parameter.ts';
import { makePrecisionFormat, type WebGLShaderPrecisionFormat } from './handles.ts';

export abstract class StateMethods extends ContextBase {
  getContextAttributes(): WebGLContextAttributes | null {
    const face = faceOf(this);
    return face.isLost ? null : face.attributes;
  }

  isContextLost(): boolean {
    return faceOf(this).isLost;
  }

  getSupportedExtensions(): string[] | null {
    return supportedExtensionNames(faceOf(this));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the DOM's own type, one overload a name
  getExtension(name: string): any {
    return enableExtension(faceOf(this), name);
  }

  getError(): number {
    const face = faceOf(this);
    return face.isLost ? (face.lostErrors.shift() ?? 0) : getError(face.context);
  }

  getParameter(pname: number): unknown {
    return getParameter(faceOf(this), pname);
  }

  getShaderPrecisionFormat(shaderType: number, precisionType: number): WebGLShaderPrecisionFormat | null {
    return makePrecisionFormat(getShaderPrecisionFormat(glOf(this), shaderType, precisionType));
  }

  enable(cap: number): void {
    enable(glOf(this), cap);
  }

  disable(cap: number): void {
    disable(glOf(this), cap);
  }

  isEnabled(cap: number): boolean {
    return isEnabled(glOf(this), cap);
  }

  blendColor(red: number, green: number, blue: number, alpha: number): void {
    fixed.blendColor(glOf(this), red, green, blue, alpha);
  }

  blendEquation(mode: number): void {
    fixed.blendEquation(glOf(this), mode);
  }

  blendEquationSeparate(modeRgb: number, modeAlpha: number): void {
    fixed.blendEquationSeparate(glOf(this), modeRgb, modeAlpha);
  }

  blendFunc(source: number, destination: number): void {
    fixed.blendFunc(glOf(this), source, destination);
  }

  blendFuncSeparate(sourceRgb: number, destinationRgb: number, sourceAlpha: number, destinationAlpha: number): void {
    fixed.blendFuncSeparate(glOf(this), sourceRgb, destinationRgb, sourceAlpha, destinationAlpha);
  }

  clearColor(red: number, green: number, blue: number, alpha: number): void {
    fixed.clearColor(glOf(this), red, green, blue, alpha);
  }

  clearDepth(depth: number): void {
    fixed.clearDepth(glOf(this), depth);
  }

  clearStencil(stencil: number): void {
    fixed.clearStencil(glOf(this), stencil);
  }

  colorMask(red: boolean, green: boolean, blue: boolean, alpha: boolean): void {
    fixed.colorMask(glOf(this), red, green, blue, alpha);
  }

  cullFace(mode: number): void {
    fixed.cullFace(glOf(this), mode);
  }

  depthFunc(func: number): void {
    fixed.depthFunc(glOf(this), func);
  }

  depthMask(flag: boolean): void {
    fixed.depthMask(glOf(this), flag);
  }

  depthRange(near: number, far: number): void {
    fixed.depthRange(glOf(this), near, far);
  }

  frontFace(mode: number): void {
    fixed.frontFace(glOf(this), mode);
  }

  hint(target: number, mode: number): void {
    fixed.hint(glOf(this), target, mode);
  }

  lineWidth(width: number): void {
    fixed.lineWidth(glOf(this), width);
  }

  pixelStorei(pname: number, param: number | boolean): void {
    pixelStorei(glOf(this), pname, Number(param));
  }

  polygonOffset(factor: number, units: number): void {
    fixed.polygonOffset(glOf(this), factor, units);
  }

  sampleCoverage(value: number, invert: boolean): void {
    fixed.sampleCoverage(glOf(this), value, invert);
  }

  scissor(x: number, y: number, width: number, height: number): void {
    fixed.scissor(glOf(this), x, y, width, height);
  }

  stencilFunc(func: number, reference: number, mask: number): void {
    fixed.stencilFunc(glOf(this), func, reference, mask);
  }

  stencilFuncSeparate(side: number, func: number, reference: number, mask: number): void {
    fixed.stencilFuncSeparate(glOf(this), side, func, reference, mask);
  }

  stencilMask(mask: number): void {
    fixed.stencilMask(glOf(this), mask);
  }

  stencilMaskSeparate(side: number, mask: number): void {
    fixed.stencilMaskSeparate(glOf(this), side, mask);
  }

  stencilOp(fail: number, depthFail: number, depthPass: number): void {
    fixed.stencilOp(glOf(this), fail, depthFail, depthPass);
  }

  stencilOpSeparate(side: number, fail: number, depthFail: number, depthPass: number): void {
    fixed.stencilOpSeparate(glOf(this), side, fail, depthFail, depthPass);
  }

  viewport(x: number, y: number, width: number, height: number): void {
    fixed.viewport(glOf(this), x, y, width, height);
  }

  /** There is no XR device, so no context is ever compatible with one (WebXR §5.1). */
  makeXRCompatible(): Promise<void> {
    return Promise.reject(new DOMException('there is no XR device', 'InvalidStateError'));
  }

  flush(): void {
    flush(glOf(this));
  }

  finish(): void {
    finish(glOf(this));
  }
}
