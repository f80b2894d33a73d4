// fragment_out and fbo.color: colour targets of every format, drawn to, cleared, blended and sampled.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import {
  type Attachment,
  attachColor,
  bindNewFramebuffer,
  CHANNELS,
  clearColorBuffer,
  drawQuadrants,
  judgeTarget,
  outputBase,
  quadrantOf,
  RENDERABLE,
  randomColor,
  readTarget,
  SIZE,
  SURFACE,
  stored,
} from '../../harness/color-target.ts';
import { drawFullQuad } from '../../harness/draw.ts';
import { requireComplete } from '../../harness/framebuffer.ts';
import { buildProgram } from '../../harness/program.ts';
import { srgbToLinear } from '../../reference/fragment-pipeline.ts';
import { PRECISIONS, vectorName } from '../../reference/glsl-types.ts';
import type { TexelFormat } from '../../reference/texture-formats.ts';

function runFragmentOut(
  t: CaseContext,
  format: TexelFormat,
  size: number,
  precision: string,
  arrayLength: number,
): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const count = Math.max(arrayLength, 1);
  for (let index = 0; index < count; index++) attachColor(t, format, 'rbo', index);
  gl.glDrawBuffers(
    count,
    Array.from({ length: count }, (_, index) => gl.GL_COLOR_ATTACHMENT0 + index),
  );
  requireComplete(t);
  const colors = Array.from({ length: 4 }, () => randomColor(t, format));
  drawQuadrants(t, format, colors, size, precision, arrayLength);
  for (let index = 0; index < count; index++) {
    gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT0 + index);
    // Channels that the output lacks are undefined: only given ones are looked at, missing ones of the format are fixed.
    const got = Array.from(readTarget(t, format));
    for (let at = 0; at < got.length; at++) {
      const channel = at % 4;
      if (channel >= size && channel < CHANNELS[format.base]!)
        got[at] = stored(format, colors[quadrantOf(Math.floor(at / 4))]!).want[channel]!;
    }
    judgeTarget(t, format, got, (pixel) => colors[quadrantOf(pixel)]!, outputError(format, precision));
  }
}

/** What an output of a precision may lose (GLSL ES 3.00 §4.5.1): colours here are below 2. */
function outputError({ kind }: TexelFormat, precision: string): number {
  if (kind === 'int' || kind === 'uint') return 0;
  return { lowp: 2 ** -8, mediump: 2 ** -10, highp: 0 }[precision]!;
}

function* fragmentOutCases(): Generator<CaseDefinition> {
  const kinds = { unorm: 'fixed', float: 'float', int: 'int', uint: 'uint' } as const;
  for (const format of RENDERABLE)
    for (const [group, arrayLength] of [
      ['basic', 0],
      ['array', 3],
    ] as const)
      for (const precision of PRECISIONS)
        for (const size of [1, 2, 3, 4])
          yield functionalCase(
            3,
            `fragment_out.${group}.${kinds[format.kind as keyof typeof kinds]}.${format.name}_${precision}_${vectorName(outputBase(format), size)}`,
            (t) => runFragmentOut(t, format, size, precision, arrayLength),
            SURFACE,
          );
}

function runColorTarget(t: CaseContext, format: TexelFormat, kind: Attachment): void {
  bindNewFramebuffer(t);
  attachColor(t, format, kind);
  requireComplete(t);
  const clear = randomColor(t, format);
  clearColorBuffer(t, format, clear);
  const colors = Array.from({ length: 3 }, () => randomColor(t, format));
  drawQuadrants(t, format, colors);
  judgeTarget(t, format, readTarget(t, format), (pixel) => colors[quadrantOf(pixel)] ?? clear);
}

function runColorClear(t: CaseContext, format: TexelFormat): void {
  const { gl, random } = t;
  bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  const pixels: number[][] = Array.from({ length: SIZE * SIZE }, () => []);
  gl.glEnable(gl.GL_SCISSOR_TEST);
  for (let index = 0; index < 8; index++) {
    const [x, y] = index === 0 ? [0, 0] : [random.int(0, SIZE - 2), random.int(0, SIZE - 2)];
    const [w, h] = index === 0 ? [SIZE, SIZE] : [random.int(1, SIZE - x), random.int(1, SIZE - y)];
    gl.glScissor(x, y, w, h);
    const color = randomColor(t, format);
    clearColorBuffer(t, format, color);
    for (let py = y; py < y + h; py++) for (let px = x; px < x + w; px++) pixels[py * SIZE + px] = color;
  }
  judgeTarget(t, format, readTarget(t, format), (pixel) => pixels[pixel]!);
}

function runColorBlend(t: CaseContext, format: TexelFormat): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  // No channel of few bits may stand half way between two values: either would be right.
  const under = [0.2, 0.4, 0.7, 0.7];
  clearColorBuffer(t, format, under);
  gl.glEnable(gl.GL_BLEND);
  gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA);
  const colors = Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => Math.fround(t.random.float())));
  drawQuadrants(t, format, colors);
  const held = stored(format, under).want;
  const dst = held.map((value, channel) => (format.isSrgb && channel < 3 ? srgbToLinear(value) : value));
  const blended = colors.map((src) => {
    const a = src[3]!;
    return [0, 1, 2, 3].map((channel) =>
      channel === 3 ? a + dst[3]! * (1 - a) : src[channel]! * a + dst[channel]! * (1 - a),
    );
  });
  judgeTarget(t, format, readTarget(t, format), (pixel) => blended[quadrantOf(pixel)]!, 0.004);
}

/** Clears several times and copies or samples the target after each clear: stale contents would show. */
function runRepeatedClear(t: CaseContext, format: TexelFormat, how: 'blit' | 'sample', kind: 'rbo' | 'tex2d'): void {
  const { gl } = t;
  const source = bindNewFramebuffer(t);
  const texture = attachColor(t, format, kind);
  requireComplete(t);
  const destination = bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  clearColorBuffer(t, format, [0, 0, 0, 0]);
  const colors = Array.from({ length: 16 }, () => randomColor(t, format));
  const cell = SIZE / 4;
  for (const [index, color] of colors.entries()) {
    const [x, y] = [(index % 4) * cell, Math.floor(index / 4) * cell];
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, source);
    clearColorBuffer(t, format, color);
    if (how === 'blit') {
      gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
      gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, destination);
      gl.glBlitFramebuffer(0, 0, cell, cell, x, y, x + cell, y + cell, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
      continue;
    }
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, destination);
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST);
    const prefix = { float: '', int: 'i', uint: 'u' }[outputBase(format)];
    buildProgram(t, {
      attributes: { a_position: 'highp vec4' },
      vertex: 'gl_Position = a_position;',
      fragmentHead: `uniform highp ${prefix}sampler2D u_sampler;`,
      outputs: `layout(location = 0) out highp ${prefix}vec4 o_value;\n`,
      fragment: 'o_value = texelFetch(u_sampler, ivec2(1), 0);',
    });
    gl.glViewport(x, y, cell, cell);
    drawFullQuad(t);
  }
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, destination);
  // sRGB is decoded by sampling and encoded again by writing: one more rounding.
  judgeTarget(
    t,
    format,
    readTarget(t, format),
    (pixel) => colors[Math.floor((pixel % SIZE) / cell) + 4 * Math.floor(pixel / SIZE / cell)]!,
    how === 'sample' && format.isSrgb ? 1 / 255 : 0,
  );
}

function* colorCases(): Generator<CaseDefinition> {
  const make = (path: string, run: (t: CaseContext) => void) => functionalCase(3, `fbo.color.${path}`, run, SURFACE);
  for (const format of RENDERABLE) {
    for (const kind of ['tex2d', 'texcube', 'tex2darray', 'tex3d'] as const)
      yield make(`${kind}.${format.name}`, (t) => runColorTarget(t, format, kind));
    yield make(`clear.${format.name}`, (t) => runColorClear(t, format));
    yield make(`repeated_clear.sample.tex2d.${format.name}`, (t) => runRepeatedClear(t, format, 'sample', 'tex2d'));
    for (const kind of ['rbo', 'tex2d'] as const)
      yield make(`repeated_clear.blit.${kind}.${format.name}`, (t) => runRepeatedClear(t, format, 'blit', kind));
    if ((format.kind === 'unorm' || format.kind === 'float') && !format.name.includes('32f'))
      yield make(`blend.${format.name}_src_over`, (t) => runColorBlend(t, format));
  }
}

export function* framebufferColorCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  yield* fragmentOutCases();
  yield* colorCases();
}
