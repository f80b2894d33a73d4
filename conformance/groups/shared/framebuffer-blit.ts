// fbo.blit: conversions between formats, and rectangles scaled, mirrored and over the edges.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import {
  attachColor,
  bindNewFramebuffer,
  drawQuadrants,
  judgeTarget,
  quadrantOf,
  RENDERABLE,
  randomColor,
  readTarget,
  SIZE,
  SURFACE,
  stored,
} from '../../harness/color-target.ts';
import { drawRects } from '../../harness/draw.ts';
import { requireComplete } from '../../harness/framebuffer.ts';
import { colorProgram } from '../../harness/program.ts';
import { srgbToLinear } from '../../reference/fragment-pipeline.ts';
import { SIZED_FORMATS, type TexelFormat } from '../../reference/texture-formats.ts';

/** The kinds of value that a blit may convert between (§4.3.2). */
function blitClass(format: TexelFormat): string {
  return format.kind === 'unorm' ? 'float' : format.kind;
}

function runConversion(t: CaseContext, from: TexelFormat, to: TexelFormat): void {
  const { gl } = t;
  const source = bindNewFramebuffer(t);
  attachColor(t, from, 'rbo');
  requireComplete(t);
  const colors = Array.from({ length: 4 }, () => {
    const color = randomColor(t, from);
    return from.kind === 'float' && to.kind === 'float' ? color.map(Math.abs) : color;
  });
  drawQuadrants(t, from, colors);
  bindNewFramebuffer(t);
  attachColor(t, to, 'rbo');
  requireComplete(t);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
  gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
  t.noError('glBlitFramebuffer');
  const drawn = [0];
  gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, drawn);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, drawn[0]!);
  const steps = [0, 0, 0, 0];
  const held = colors.map((color) => {
    const { want, tolerance } = stored(from, color);
    for (const [channel, step] of tolerance.entries()) steps[channel] = Math.max(steps[channel]!, step);
    // Blits decode sRGB sources and encode sRGB targets.
    return want.map((value, channel) => (from.isSrgb && channel < 3 ? srgbToLinear(value) : value));
  });
  const slope = to.isSrgb && !from.isSrgb ? 13 : from.isSrgb && !to.isSrgb ? 2.3 : 1;
  judgeTarget(
    t,
    to,
    readTarget(t, to),
    (pixel) => held[quadrantOf(pixel)]!,
    steps.map((step, channel) => (channel < 3 ? step * slope : step)),
  );
}

function* conversionCases(): Generator<CaseDefinition> {
  for (const from of RENDERABLE)
    for (const to of RENDERABLE) {
      if (blitClass(from) !== blitClass(to)) continue;
      yield functionalCase(
        3,
        `fbo.blit.conversion.${from.name}_to_${to.name}`,
        (t) => runConversion(t, from, to),
        SURFACE,
      );
    }
}

/** glBlitFramebuffer of rectangles: scaled, mirrored, and reaching over edges; nearest is exact, linear by the book. */
function runBlitRect(t: CaseContext, name: string): void {
  const { gl, random } = t;
  const source = bindNewFramebuffer(t);
  const rgba8 = SIZED_FORMATS.find((format) => format.name === 'rgba8')!;
  attachColor(t, rgba8, 'rbo');
  requireComplete(t);
  colorProgram(t);
  const texels: number[][] = [];
  gl.glViewport(0, 0, SIZE, SIZE);
  for (let pixel = 0; pixel < SIZE * SIZE; pixel++)
    texels.push([random.int(0, 255), random.int(0, 255), random.int(0, 255), 255]);
  drawRects(
    t,
    texels.map((color, pixel) => ({
      x: pixel % SIZE,
      y: Math.floor(pixel / SIZE),
      width: 1,
      height: 1,
      color: color.map((value) => value / 255) as [number, number, number, number],
    })),
    SIZE,
    SIZE,
  );
  bindNewFramebuffer(t);
  attachColor(t, rgba8, 'rbo');
  requireComplete(t);
  gl.glClearColor(0.2, 0.4, 0.6, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
  const isScaled = !name.startsWith('basic');
  const isOut = name.startsWith('out_of_bounds') || name.includes('out_of_bounds');
  let src = isOut ? [-3, -2, 13, 12] : [2, 1, 12, 11];
  let dst = name.startsWith('basic') ? [3, 4, 13, 14] : name.includes('_min') ? [4, 5, 11, 11] : [0, 1, 16, 15];
  if (name.includes('min')) src = isOut ? [-4, -3, 19, 18] : [0, 0, 16, 16];
  if (name.includes('mag')) src = isOut ? [-2, -1, 5, 4] : [3, 4, 8, 9];
  const flip = (box: number[], axis: number) => box.map((_, i) => box[i % 2 === axis ? (i + 2) % 4 : i]!);
  for (const axis of [0, 1]) {
    const letter = 'xy'[axis]!;
    if (name.includes(`reverse_src_${letter}`) || name.includes(`reverse_src_dst_${letter}`)) src = flip(src, axis);
    if (name.includes(`reverse_dst_${letter}`) || name.includes(`reverse_src_dst_${letter}`)) dst = flip(dst, axis);
  }
  const isLinear = name.endsWith('_linear');
  gl.glBlitFramebuffer(
    src[0]!,
    src[1]!,
    src[2]!,
    src[3]!,
    dst[0]!,
    dst[1]!,
    dst[2]!,
    dst[3]!,
    gl.GL_COLOR_BUFFER_BIT,
    isLinear ? gl.GL_LINEAR : gl.GL_NEAREST,
  );
  t.noError('glBlitFramebuffer');
  const drawn = [0];
  gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, drawn);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, drawn[0]!);
  const data = new Uint8Array(SIZE * SIZE * 4);
  const ignore = new Uint8Array(SIZE * SIZE);
  const [left, right] = [Math.min(dst[0]!, dst[2]!), Math.max(dst[0]!, dst[2]!)];
  const [bottom, top] = [Math.min(dst[1]!, dst[3]!), Math.max(dst[1]!, dst[3]!)];
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const pixel = y * SIZE + x;
      data.set([51, 102, 153, 255], pixel * 4);
      if (x < left || x >= right || y < bottom || y >= top) continue;
      const u = src[0]! + ((x + 0.5 - dst[0]!) / (dst[2]! - dst[0]!)) * (src[2]! - src[0]!);
      const v = src[1]! + ((y + 0.5 - dst[1]!) / (dst[3]! - dst[1]!)) * (src[3]! - src[1]!);
      // Pixels outside of the source buffer leave the destination as it is.
      if (u < 0 || v < 0 || u >= SIZE || v >= SIZE) continue;
      const nearEdge = (at: number) => Math.abs(at - Math.round(at)) < 1e-3;
      if (isScaled && !isLinear && (nearEdge(u) || nearEdge(v))) ignore[pixel] = 1;
      const clampIndex = (at: number) => Math.min(Math.max(at, 0), SIZE - 1);
      const texel = (i: number, j: number) => texels[clampIndex(j) * SIZE + clampIndex(i)]!;
      if (!isLinear) data.set(texel(Math.floor(u), Math.floor(v)), pixel * 4);
      else {
        const [i, j] = [Math.floor(u - 0.5), Math.floor(v - 0.5)];
        const [fu, fv] = [u - 0.5 - i, v - 0.5 - j];
        const mixed = [0, 1, 2, 3].map(
          (c) =>
            (texel(i, j)[c]! * (1 - fu) + texel(i + 1, j)[c]! * fu) * (1 - fv) +
            (texel(i, j + 1)[c]! * (1 - fu) + texel(i + 1, j + 1)[c]! * fu) * fv,
        );
        data.set(mixed.map(Math.round), pixel * 4);
      }
    }
  t.comparePicture(
    t.readPixels(0, 0, SIZE, SIZE),
    { width: SIZE, height: SIZE, data },
    { tolerance: isLinear ? 3 : 0, ignore },
  );
}

function* blitRectCases(): Generator<CaseDefinition> {
  const flips = [
    '',
    '_reverse_src_x',
    '_reverse_src_y',
    '_reverse_dst_x',
    '_reverse_dst_y',
    '_reverse_src_dst_x',
    '_reverse_src_dst_y',
  ];
  const make = (name: string) => functionalCase(3, `fbo.blit.rect.${name}`, (t) => runBlitRect(t, name), SURFACE);
  for (const flip of flips) {
    for (const filter of ['nearest', 'linear'])
      for (const base of ['basic', 'scale', 'out_of_bounds']) yield make(`${base}${flip}_${filter}`);
    for (const base of [
      'nearest_consistency_mag',
      'nearest_consistency_min',
      'nearest_consistency_out_of_bounds_mag',
      'nearest_consistency_out_of_bounds_min',
    ])
      yield make(`${base}${flip}`);
  }
}

export function* framebufferBlitCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  yield* conversionCases();
  yield* blitRectCases();
}
