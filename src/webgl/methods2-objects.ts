// WebGL 2: queries, samplers, sync objects and transform feedback (WebGL 2 §3.7.12 – §3.7.15).

import { GL } from '../gl/constants.ts';
import { invalidEnum } from '../gl/errors.ts';
import * as queries from '../gl/queries.ts';
import * as samplers from '../gl/sampler.ts';
import * as sync from '../gl/sync.ts';
import * as feedback from '../gl/transform-feedback.ts';
import { faceOf, glOf } from './context-base.ts';
import { currentEpoch } from './event-task.ts';
import { unwrap, WebGLQuery, WebGLSampler, WebGLSync, WebGLTransformFeedback, wrap } from './handles.ts';
import { Uniform2Methods } from './methods2-uniforms.ts';
import { endQuery, getQuery, getQueryParameter } from './queries.ts';
import { isDeletable, isUsable } from './validity.ts';

/**
 * Epochs in which results were asked to become visible: scripts may see them only once control has returned to the
 * event loop (WebGL 2 §3.7.14).
 */
const fencedIn = new WeakMap<WebGLSync, number>();

export abstract class Object2Methods extends Uniform2Methods {
  createQuery(): WebGLQuery {
    return wrap(WebGLQuery, faceOf(this), queries.createQuery(glOf(this)));
  }

  deleteQuery(query: WebGLQuery | null): void {
    if (isDeletable(faceOf(this), 'deleteQuery', query)) queries.deleteQuery(glOf(this), unwrap(query));
  }

  isQuery(query: WebGLQuery | null): boolean {
    return isUsable(faceOf(this), query) && unwrap(query).target !== 0;
  }

  beginQuery(target: number, query: WebGLQuery): void {
    queries.beginQuery(glOf(this), target, unwrap(query));
  }

  endQuery(target: number): void {
    endQuery(faceOf(this), target);
  }

  /** TypeScript's own declaration leaves out that EXT_disjoint_timer_query_webgl2 asks for numbers here. */
  getQuery(target: number, pname: number): WebGLQuery | null {
    return getQuery(faceOf(this), target, pname) as WebGLQuery | null;
  }

  getQueryParameter(query: WebGLQuery, pname: number): unknown {
    return getQueryParameter(faceOf(this), query, pname);
  }

  createSampler(): WebGLSampler {
    return wrap(WebGLSampler, faceOf(this), samplers.createSampler(glOf(this)));
  }

  deleteSampler(sampler: WebGLSampler | null): void {
    if (isDeletable(faceOf(this), 'deleteSampler', sampler)) samplers.deleteSampler(glOf(this), unwrap(sampler));
  }

  isSampler(sampler: WebGLSampler | null): boolean {
    return isUsable(faceOf(this), sampler);
  }

  bindSampler(unit: number, sampler: WebGLSampler | null): void {
    samplers.bindSampler(glOf(this), unit, unwrap(sampler));
  }

  samplerParameteri(sampler: WebGLSampler, pname: number, param: number): void {
    samplers.samplerParameter(glOf(this), 'samplerParameteri', unwrap(sampler), pname, param);
  }

  samplerParameterf(sampler: WebGLSampler, pname: number, param: number): void {
    samplers.samplerParameter(glOf(this), 'samplerParameterf', unwrap(sampler), pname, param);
  }

  getSamplerParameter(sampler: WebGLSampler, pname: number): unknown {
    return samplers.getSamplerParameter(glOf(this), 'getSamplerParameter', unwrap(sampler), pname) ?? null;
  }

  fenceSync(condition: number, flags: number): WebGLSync | null {
    const object = sync.fenceSync(glOf(this), condition, flags);
    if (object === null) return null;
    const handle = wrap(WebGLSync, faceOf(this), object);
    fencedIn.set(handle, currentEpoch());
    return handle;
  }

  isSync(handle: WebGLSync | null): boolean {
    return isUsable(faceOf(this), handle);
  }

  deleteSync(handle: WebGLSync | null): void {
    if (isDeletable(faceOf(this), 'deleteSync', handle)) sync.deleteSync(glOf(this), unwrap(handle));
  }

  clientWaitSync(handle: WebGLSync, flags: number, timeout: number): number {
    return sync.clientWaitSync(glOf(this), unwrap(handle), flags, timeout);
  }

  waitSync(handle: WebGLSync, flags: number, timeout: number): void {
    sync.waitSync(glOf(this), unwrap(handle), flags, timeout);
  }

  getSyncParameter(handle: WebGLSync, pname: number): unknown {
    const gl = glOf(this);
    if (pname === GL.SYNC_STATUS && fencedIn.get(handle) === currentEpoch()) return GL.UNSIGNALED;
    return sync.getSyncParameter(gl, unwrap(handle), pname) ?? null;
  }

  createTransformFeedback(): WebGLTransformFeedback {
    return wrap(WebGLTransformFeedback, faceOf(this), feedback.createTransformFeedback(glOf(this)));
  }

  deleteTransformFeedback(handle: WebGLTransformFeedback | null): void {
    if (isDeletable(faceOf(this), 'deleteTransformFeedback', handle))
      feedback.deleteTransformFeedback(glOf(this), unwrap(handle));
  }

  isTransformFeedback(handle: WebGLTransformFeedback | null): boolean {
    return isUsable(faceOf(this), handle) && unwrap(handle).wasBound;
  }

  bindTransformFeedback(target: number, handle: WebGLTransformFeedback | null): void {
    const gl = glOf(this);
    if (target !== GL.TRANSFORM_FEEDBACK) return invalidEnum(gl, 'bindTransformFeedback', 'target', target);
    feedback.bindTransformFeedback(gl, unwrap(handle));
  }

  beginTransformFeedback(primitiveMode: number): void {
    feedback.beginTransformFeedback(glOf(this), primitiveMode);
  }

  endTransformFeedback(): void {
    feedback.endTransformFeedback(glOf(this));
  }

  pauseTransformFeedback(): void {
    feedback.pauseTransformFeedback(glOf(this));
  }

  resumeTransformFeedback(): void {
    feedback.resumeTransformFeedback(glOf(this));
  }
}
