// Framebuffer objects for cases: a colour attachment of a kind, resolved for reading when it is multisampled.

import type { CaseContext } from '../case.ts';

export interface TargetKind {
  readonly kind: 'texture' | 'renderbuffer';
  /** 0: single-sampled; -1: as many as there are. */
  readonly samples: number;
}

/** One new object name from a glGen function. */
export function generate(make: (n: number, names: number[]) => void): number {
  const names = [0];
  make(1, names);
  return names[0]!;
}

/** Binds a framebuffer object with an RGBA8 target of the case's size. Returns what to call before reading. */
export function attachTarget(t: CaseContext, target: TargetKind): () => void {
  const { gl, width, height } = t;
  const framebuffer = generate(gl.glGenFramebuffers);
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer);
  const samples = target.samples === -1 ? maxSamples(t) : target.samples;
  if (target.kind === 'texture') {
    const texture = generate(gl.glGenTextures);
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture);
    gl.glTexStorage2D(gl.GL_TEXTURE_2D, 1, gl.GL_RGBA8, width, height);
    gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, texture, 0);
  } else attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA8, samples);
  requireComplete(t);
  return () => {
    if (samples === 0) return;
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
    const resolved = gl;
    attachRenderbuffer(t, resolved.GL_COLOR_ATTACHMENT0, resolved.GL_RGBA8, 0);
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, framebuffer);
    gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
    const draw = [0];
    gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, draw);
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, draw[0]!);
  };
}

export function maxSamples(t: CaseContext): number {
  const value = [0];
  t.gl.glGetIntegerv(t.gl.GL_MAX_SAMPLES, value);
  return value[0]!;
}

/** A renderbuffer of the case's size (or another), attached to the bound framebuffer. */
export function attachRenderbuffer(
  t: CaseContext,
  attachment: number,
  format: number,
  samples = 0,
  width = t.width,
  height = t.height,
): number {
  const { gl } = t;
  const renderbuffer = generate(gl.glGenRenderbuffers);
  gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, renderbuffer);
  if (samples > 0) gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, format, width, height);
  else gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, format, width, height);
  gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, attachment, gl.GL_RENDERBUFFER, renderbuffer);
  return renderbuffer;
}

export function requireComplete(t: CaseContext): void {
  const { gl } = t;
  const status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER);
  t.check(status === gl.GL_FRAMEBUFFER_COMPLETE, `the framebuffer is not complete: 0x${status.toString(16)}`);
}
