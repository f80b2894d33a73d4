// pbo: pixels of every colour format read into a buffer.

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
  readTargetThroughBuffer,
  SIZE,
  SURFACE,
} from '../../harness/color-target.ts';
import { requireComplete } from '../../harness/framebuffer.ts';
import { sizedFormat, type TexelFormat } from '../../reference/texture-formats.ts';

/** Scissored clears in four columns. */
function clearColumns(t: CaseContext, format: TexelFormat, colors: readonly (readonly number[])[]): void {
  const { gl } = t;
  gl.glEnable(gl.GL_SCISSOR_TEST);
  for (const [column, color] of colors.entries()) {
    gl.glScissor((column * SIZE) / 4, 0, SIZE / 4, SIZE);
    clearColorBuffer(t, format, color);
  }
  gl.glDisable(gl.GL_SCISSOR_TEST);
}

/** `format` null: the default framebuffer. */
function runPixelBuffer(t: CaseContext, target: TexelFormat | null, how: 'clears' | 'triangles'): void {
  const format = target ?? sizedFormat('rgba8');
  if (target !== null) {
    bindNewFramebuffer(t);
    attachColor(t, format, 'rbo');
    requireComplete(t);
  }
  t.gl.glDisable(t.gl.GL_DITHER);
  const colors = Array.from({ length: 4 }, () => randomColor(t, format));
  if (how === 'clears') clearColumns(t, format, colors);
  else drawQuadrants(t, format, colors);
  const got = readTargetThroughBuffer(t, format);
  judgeTarget(t, format, got, (pixel) =>
    how === 'clears' ? colors[Math.floor(((pixel % SIZE) * 4) / SIZE)]! : colors[quadrantOf(pixel)]!,
  );
}

export function* pixelBufferCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  for (const how of ['clears', 'triangles'] as const) {
    yield functionalCase(3, `pbo.native.${how}`, (t) => runPixelBuffer(t, null, how), SURFACE);
    for (const format of RENDERABLE)
      yield functionalCase(3, `pbo.renderbuffer.${format.name}_${how}`, (t) => runPixelBuffer(t, format, how), SURFACE);
  }
}
