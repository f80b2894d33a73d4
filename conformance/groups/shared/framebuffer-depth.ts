// fbo.{depth, stencil, msaa}: depth and stencil attachments, and multisampled ones that are resolved.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import {
  attachColor,
  bindNewFramebuffer,
  clearColorBuffer,
  drawQuadrants,
  judgeTarget,
  quadrantOf,
  RENDERABLE,
  randomColor,
  readTarget,
  SIZE,
  SURFACE,
} from '../../harness/color-target.ts';
import { drawRects } from '../../harness/draw.ts';
import { attachRenderbuffer, maxSamples, requireComplete } from '../../harness/framebuffer.ts';
import { colorProgram } from '../../harness/program.ts';
import { DEPTH_FORMATS, SIZED_FORMATS, type TexelFormat } from '../../reference/texture-formats.ts';

/** Multisampled targets: a full-size clear and a quad resolve to exact colours away from edges. */
function runMsaaColor(t: CaseContext, format: TexelFormat, samples: number): void {
  const { gl } = t;
  const most = [0];
  gl.glGetInternalformativ(gl.GL_RENDERBUFFER, format.internal, gl.GL_SAMPLES, 1, most);
  if (Math.max(most[0]!, 0) < samples || maxSamples(t) < samples) t.skip(`${format.name} has no ${samples} samples`);
  const source = bindNewFramebuffer(t);
  attachColor(t, format, 'rbo', 0, samples);
  requireComplete(t);
  const clear = randomColor(t, format);
  clearColorBuffer(t, format, clear);
  const colors = Array.from({ length: 3 }, () => randomColor(t, format));
  drawQuadrants(t, format, colors);
  const resolved = bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
  gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
  t.noError('resolving');
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, resolved);
  judgeTarget(
    t,
    format,
    readTarget(t, format),
    (pixel) => colors[quadrantOf(pixel)] ?? clear,
    format.name === 'r11f_g11f_b10f' ? 0.02 : 0.002,
  );
}

/** Depth and stencil attachments: values written by clears and draws decide what later draws may show. */
function runDepthTarget(t: CaseContext, format: TexelFormat | null, samples: number, isDepthUsed: boolean): void {
  const { gl } = t;
  if (samples > maxSamples(t)) t.skip(`there are no ${samples} samples`);
  const rgba8 = SIZED_FORMATS.find(({ name }) => name === 'rgba8')!;
  const source = bindNewFramebuffer(t);
  attachColor(t, rgba8, 'rbo', 0, samples);
  const hasDepth = format !== null;
  const hasStencil = format === null || format.kind === 'depth_stencil';
  const point =
    hasDepth && hasStencil
      ? gl.GL_DEPTH_STENCIL_ATTACHMENT
      : hasDepth
        ? gl.GL_DEPTH_ATTACHMENT
        : gl.GL_STENCIL_ATTACHMENT;
  attachRenderbuffer(t, point, format?.internal ?? gl.GL_STENCIL_INDEX8, samples, SIZE, SIZE);
  requireComplete(t);
  gl.glClearColor(0, 0, 0, 1);
  gl.glClearDepthf(1);
  gl.glClearStencil(0);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT | gl.GL_STENCIL_BUFFER_BIT);
  colorProgram(t);
  const testsDepth = hasDepth && isDepthUsed;
  if (testsDepth) {
    gl.glEnable(gl.GL_DEPTH_TEST);
    gl.glDepthFunc(gl.GL_LESS);
    drawRects(t, [{ x: 0, y: 0, width: SIZE / 2, height: SIZE, color: [1, 0, 0, 1], depth: -0.5 }], SIZE, SIZE);
    drawRects(t, [{ x: 0, y: 0, width: SIZE, height: SIZE / 2, color: [0, 1, 0, 1], depth: 0.25 }], SIZE, SIZE);
    gl.glDisable(gl.GL_DEPTH_TEST);
  } else {
    gl.glEnable(gl.GL_STENCIL_TEST);
    gl.glStencilFunc(gl.GL_ALWAYS, 5, 255);
    gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_REPLACE);
    drawRects(t, [{ x: 0, y: 0, width: SIZE / 2, height: SIZE, color: [1, 0, 0, 1] }], SIZE, SIZE);
    gl.glStencilFunc(gl.GL_NOTEQUAL, 5, 255);
    gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_KEEP);
    drawRects(t, [{ x: 0, y: 0, width: SIZE, height: SIZE / 2, color: [0, 1, 0, 1] }], SIZE, SIZE);
    gl.glDisable(gl.GL_STENCIL_TEST);
  }
  if (samples > 0) {
    const resolved = bindNewFramebuffer(t);
    attachColor(t, rgba8, 'rbo');
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
    gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, resolved);
  }
  const data = new Uint8Array(SIZE * SIZE * 4);
  for (let pixel = 0; pixel < SIZE * SIZE; pixel++) {
    const isLeft = pixel % SIZE < SIZE / 2;
    const isLow = Math.floor(pixel / SIZE) < SIZE / 2;
    data.set(isLeft ? [255, 0, 0, 255] : isLow ? [0, 255, 0, 255] : [0, 0, 0, 255], pixel * 4);
  }
  t.comparePicture(t.readPixels(0, 0, SIZE, SIZE), { width: SIZE, height: SIZE, data });
}

function* depthStencilTargets(): Generator<CaseDefinition> {
  for (const format of DEPTH_FORMATS)
    yield functionalCase(3, `fbo.depth.basic.${format.name}`, (t) => runDepthTarget(t, format, 0, true), SURFACE);
  for (const format of DEPTH_FORMATS.filter(({ kind }) => kind === 'depth_stencil'))
    for (const suffix of ['', '_depth'])
      yield functionalCase(
        3,
        `fbo.stencil.basic.${format.name}${suffix}`,
        (t) => runDepthTarget(t, format, 0, suffix !== ''),
        SURFACE,
      );
  yield functionalCase(3, 'fbo.stencil.basic.stencil_index8', (t) => runDepthTarget(t, null, 0, false), SURFACE);
  for (const samples of [2, 4, 8]) {
    for (const format of RENDERABLE)
      if (format.kind === 'unorm' || format.kind === 'float')
        yield functionalCase(
          3,
          `fbo.msaa.${samples}_samples.${format.name}`,
          (t) => runMsaaColor(t, format, samples),
          SURFACE,
        );
    for (const format of DEPTH_FORMATS)
      yield functionalCase(
        3,
        `fbo.msaa.${samples}_samples.${format.name}`,
        (t) => runDepthTarget(t, format, samples, true),
        SURFACE,
      );
    yield functionalCase(
      3,
      `fbo.msaa.${samples}_samples.stencil_index8`,
      (t) => runDepthTarget(t, null, samples, false),
      SURFACE,
    );
  }
}

export function* framebufferDepthCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  yield* depthStencilTargets();
}
