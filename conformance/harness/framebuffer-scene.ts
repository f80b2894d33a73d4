// A framebuffer object together with what it should hold: each call draws with GL and computes the same pixel by pixel.

import type { CaseContext } from '../case.ts';
import type { TexelFormat } from '../reference/texture-formats.ts';
import { judgeTarget, outputBase, readTarget } from './color-target.ts';
import { makeBuffer } from './draw.ts';
import { generate } from './framebuffer.ts';
import { buildProgram, type TestProgram } from './program.ts';

/** An image that can be attached: how it is allocated. */
export interface ImageKind {
  readonly kind: 'rbo' | 'tex2d';
  readonly internal: number;
  readonly format: number;
  readonly type: number;
}

export interface AttachedImage extends ImageKind {
  readonly name: number;
}

/** Gives the image storage of a size, a second time as well. */
export function allocate(t: CaseContext, image: AttachedImage, width: number, height: number, samples = 0): void {
  const { gl } = t;
  if (image.kind === 'rbo') {
    gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, image.name);
    if (samples > 0) gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, image.internal, width, height);
    else gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, image.internal, width, height);
    return;
  }
  gl.glBindTexture(gl.GL_TEXTURE_2D, image.name);
  gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, image.internal, width, height, 0, image.format, image.type, null);
  for (const [name, value] of [
    [gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST],
    [gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST],
    [gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE],
    [gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE],
  ] as const)
    gl.glTexParameteri(gl.GL_TEXTURE_2D, name, value);
}

export function makeImage(t: CaseContext, kind: ImageKind, width: number, height: number, samples = 0): AttachedImage {
  const { gl } = t;
  const image = { ...kind, name: generate(kind.kind === 'rbo' ? gl.glGenRenderbuffers : gl.glGenTextures) };
  allocate(t, image, width, height, samples);
  return image;
}

export function attach(t: CaseContext, point: number, image: AttachedImage): void {
  const { gl } = t;
  if (image.kind === 'rbo') gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, point, gl.GL_RENDERBUFFER, image.name);
  else gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, point, gl.GL_TEXTURE_2D, image.name, 0);
}

export function remove(t: CaseContext, image: AttachedImage): void {
  if (image.kind === 'rbo') t.gl.glDeleteRenderbuffers(1, [image.name]);
  else t.gl.glDeleteTextures(1, [image.name]);
}

/** What the pixels of one framebuffer should be. Depth is in normalised device coordinates; null: there is no such buffer. */
export class PixelModel {
  readonly width: number;
  readonly height: number;
  color: (readonly number[] | null)[];
  depth: number[] | null;
  stencil: number[] | null;

  constructor(width: number, height: number, hasDepth: boolean, hasStencil: boolean) {
    this.width = width;
    this.height = height;
    this.color = new Array<null>(width * height).fill(null);
    this.depth = hasDepth ? new Array<number>(width * height).fill(1) : null;
    this.stencil = hasStencil ? new Array<number>(width * height).fill(0) : null;
  }

  each(area: Area | null, visit: (pixel: number) => void): void {
    const { x, y, width, height } = area ?? { x: 0, y: 0, width: this.width, height: this.height };
    for (let py = y; py < Math.min(y + height, this.height); py++)
      for (let px = x; px < Math.min(x + width, this.width); px++) visit(py * this.width + px);
  }
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SceneRect extends Area {
  readonly color: readonly number[];
  readonly depth?: number;
  /** `write`: replaces the stencil value by `reference`; `equal`: draws where it is `reference`. */
  readonly stencil?: { readonly how: 'write' | 'equal'; readonly reference: number };
}

const programs = new WeakMap<CaseContext, Map<string, TestProgram>>();

function solidProgram(t: CaseContext, base: 'float' | 'int' | 'uint'): TestProgram {
  const made = programs.get(t) ?? new Map<string, TestProgram>();
  programs.set(t, made);
  const prefix = { float: '', int: 'i', uint: 'u' }[base];
  const known = made.get(base);
  const program =
    known ??
    buildProgram(t, {
      attributes: { a_position: 'highp vec4' },
      vertex: 'gl_Position = a_position;',
      fragmentHead: `uniform highp ${prefix}vec4 u_color;`,
      ...(t.api === 3
        ? { outputs: `layout(location = 0) out highp ${prefix}vec4 o_value;\n`, fragment: 'o_value = u_color;' }
        : { fragment: 'o_color = u_color;' }),
    });
  made.set(base, program);
  t.gl.glUseProgram(program.name);
  return program;
}

/** Draws a rectangle with depth test LESS and the stencil test as asked, in GL and in the model. */
export function drawSceneRect(t: CaseContext, format: TexelFormat, model: PixelModel, rect: SceneRect): void {
  const { gl } = t;
  const base = outputBase(format);
  const program = solidProgram(t, base);
  const location = program.uniform('u_color');
  if (base === 'float') gl.glUniform4fv(location, 1, Float32Array.from(rect.color));
  else if (base === 'int') gl.glUniform4iv(location, 1, Int32Array.from(rect.color));
  else gl.glUniform4uiv(location, 1, Uint32Array.from(rect.color));
  const { depth = 0, stencil } = rect;
  gl.glViewport(0, 0, model.width, model.height);
  gl.glEnable(gl.GL_DEPTH_TEST);
  gl.glDepthFunc(gl.GL_LESS);
  gl.glEnable(gl.GL_STENCIL_TEST);
  const replaces = stencil?.how === 'write';
  gl.glStencilFunc(stencil?.how === 'equal' ? gl.GL_EQUAL : gl.GL_ALWAYS, stencil?.reference ?? 0, 255);
  gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, replaces ? gl.GL_REPLACE : gl.GL_KEEP);
  const [left, right] = [(rect.x / model.width) * 2 - 1, ((rect.x + rect.width) / model.width) * 2 - 1];
  const [low, high] = [(rect.y / model.height) * 2 - 1, ((rect.y + rect.height) / model.height) * 2 - 1];
  const corners = [left, low, depth, 1, right, low, depth, 1, left, high, depth, 1, right, high, depth, 1];
  makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(corners));
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 4, gl.GL_FLOAT, false, 0, 0);
  gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4);
  gl.glDisable(gl.GL_DEPTH_TEST);
  gl.glDisable(gl.GL_STENCIL_TEST);
  model.each(rect, (pixel) => {
    if (model.stencil && stencil?.how === 'equal' && model.stencil[pixel] !== stencil.reference) return;
    if (model.depth && !(depth < model.depth[pixel]!)) return;
    if (model.depth) model.depth[pixel] = depth;
    if (model.stencil && replaces) model.stencil[pixel] = stencil.reference;
    model.color[pixel] = rect.color;
  });
}

/** Clears the given buffers, within an area if there is one. */
export function clearScene(
  t: CaseContext,
  format: TexelFormat,
  model: PixelModel,
  values: { readonly color?: readonly number[]; readonly depth?: number; readonly stencil?: number },
  area: Area | null = null,
): void {
  const { gl } = t;
  if (area) {
    gl.glEnable(gl.GL_SCISSOR_TEST);
    gl.glScissor(area.x, area.y, area.width, area.height);
  }
  const { color, depth, stencil } = values;
  if (color) {
    const base = outputBase(format);
    if (base === 'int') gl.glClearBufferiv(gl.GL_COLOR, 0, color);
    else if (base === 'uint') gl.glClearBufferuiv(gl.GL_COLOR, 0, color);
    else if (t.api === 3) gl.glClearBufferfv(gl.GL_COLOR, 0, color);
    else {
      gl.glClearColor(color[0]!, color[1]!, color[2]!, color[3]!);
      gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    }
  }
  if (depth !== undefined) gl.glClearDepthf((depth + 1) / 2);
  if (stencil !== undefined) gl.glClearStencil(stencil);
  const bits =
    (depth === undefined ? 0 : gl.GL_DEPTH_BUFFER_BIT) | (stencil === undefined ? 0 : gl.GL_STENCIL_BUFFER_BIT);
  if (bits) gl.glClear(bits);
  gl.glDisable(gl.GL_SCISSOR_TEST);
  model.each(area, (pixel) => {
    if (color) model.color[pixel] = color;
    if (depth !== undefined && model.depth) model.depth[pixel] = depth;
    if (stencil !== undefined && model.stencil) model.stencil[pixel] = stencil;
  });
}

/** Reads the bound framebuffer and compares every pixel whose colour is known. */
export function judgeScene(t: CaseContext, format: TexelFormat, model: PixelModel, extra = 0): void {
  t.check(
    model.color.some((color) => color?.some((value, channel) => channel < 3 && value !== 0)),
    'the reference is blank',
  );
  const got = readTarget(t, format, model.width, model.height);
  judgeTarget(t, format, got, (pixel) => model.color[pixel]!, extra);
}
