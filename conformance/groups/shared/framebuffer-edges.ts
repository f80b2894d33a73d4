// Reads, copies and blits that reach over the framebuffer's edge or are cut by a scissor box: what lies inside lands where it belongs
// (ES 3.0.6 §4.3). What lies outside is undefined and not looked at.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { generate, requireComplete } from '../../harness/framebuffer.ts';

const SIDE = 8;
const SURFACE = { width: SIDE, height: SIDE, depth: false, stencil: false };

/** Fills the framebuffer with a colour for each pixel; gives its bytes. */
function fillPixels({ gl, random }: CaseContext): Uint8Array {
  const data = new Uint8Array(SIDE * SIDE * 4);
  gl.glEnable(gl.GL_SCISSOR_TEST);
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
    const color = [random.int(0, 255), random.int(0, 255), random.int(0, 255), 255] as const;
    data.set(color, pixel * 4);
    gl.glScissor(pixel % SIDE, Math.floor(pixel / SIDE), 1, 1);
    gl.glClearColor(color[0] / 255, color[1] / 255, color[2] / 255, 1);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  }
  gl.glDisable(gl.GL_SCISSOR_TEST);
  return data;
}

/** Rectangles over each edge and corner, and over all of them. */
const PLACES: Readonly<Record<string, readonly [x: number, y: number, width: number, height: number]>> = {
  left: [-3, 2, 6, 4],
  right: [5, 2, 6, 4],
  bottom: [2, -3, 4, 6],
  top: [2, 5, 4, 6],
  corner: [-2, -3, 6, 7],
  all: [-2, -1, 12, 11],
};

/** The pixels of a rectangle of the framebuffer; those outside are marked to be ignored. */
function cut(
  data: Uint8Array,
  [x, y, width, height]: (typeof PLACES)[string],
): { data: Uint8Array; ignore: Uint8Array } {
  const part = new Uint8Array(width * height * 4);
  const ignore = new Uint8Array(width * height).fill(1);
  for (let py = 0; py < height; py++)
    for (let px = 0; px < width; px++) {
      const [sx, sy] = [x + px, y + py];
      if (sx < 0 || sy < 0 || sx >= SIDE || sy >= SIDE) continue;
      const from = (sy * SIDE + sx) * 4;
      part.set(data.subarray(from, from + 4), (py * width + px) * 4);
      ignore[py * width + px] = 0;
    }
  return { data: part, ignore };
}

function runRead(t: CaseContext, place: (typeof PLACES)[string]): void {
  const [x, y, width, height] = place;
  const { data, ignore } = cut(fillPixels(t), place);
  t.comparePicture(t.readPixels(x, y, width, height), { width, height, data }, { ignore });
}

function runCopy(t: CaseContext, place: (typeof PLACES)[string]): void {
  const { gl } = t;
  const [x, y, width, height] = place;
  const { data, ignore } = cut(fillPixels(t), place);
  const texture = generate(gl.glGenTextures);
  gl.glBindTexture(gl.GL_TEXTURE_2D, texture);
  const texels = new Uint8Array(16 * 16 * 4).fill(7);
  gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 16, 16, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, texels);
  gl.glCopyTexSubImage2D(gl.GL_TEXTURE_2D, 0, 3, 2, x, y, width, height);
  t.noError('glCopyTexSubImage2D');
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
  gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, texture, 0);
  requireComplete(t);
  const want = new Uint8Array(16 * 16 * 4).fill(7);
  const open = new Uint8Array(16 * 16);
  for (let py = 0; py < height; py++)
    for (let px = 0; px < width; px++) {
      const [from, to] = [py * width + px, (py + 2) * 16 + px + 3];
      open[to] = ignore[from]!;
      want.set(data.subarray(from * 4, from * 4 + 4), to * 4);
    }
  t.comparePicture(t.readPixels(0, 0, 16, 16), { width: 16, height: 16, data: want }, { ignore: open });
}

/** A blit of everything under a scissor box: only the box changes. */
function runBlit(t: CaseContext, [x, y, width, height]: (typeof PLACES)[string]): void {
  const { gl } = t;
  const data = fillPixels(t);
  gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, generate(gl.glGenFramebuffers));
  const renderbuffer = generate(gl.glGenRenderbuffers);
  gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, renderbuffer);
  gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_RGBA8, SIDE, SIDE);
  gl.glFramebufferRenderbuffer(gl.GL_DRAW_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_RENDERBUFFER, renderbuffer);
  gl.glClearColor(0, 1, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glEnable(gl.GL_SCISSOR_TEST);
  gl.glScissor(x, y, width, height);
  gl.glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
  t.noError('glBlitFramebuffer');
  const drawn = [0];
  gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, drawn);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, drawn[0]!);
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
    const [px, py] = [pixel % SIDE, Math.floor(pixel / SIDE)];
    const isInside = px >= x && py >= y && px < x + width && py < y + height;
    if (!isInside) data.set([0, 255, 0, 255], pixel * 4);
  }
  t.comparePicture(t.readPixels(), { width: SIDE, height: SIDE, data });
}

export function* framebufferEdgeCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [name, place] of Object.entries(PLACES)) {
    yield functionalCase(api, `read_pixels.outside.${name}`, (t) => runRead(t, place), SURFACE);
    const copy = 'texture.specification.basic_copytexsubimage2d.outside';
    yield functionalCase(api, `${copy}_${name}`, (t) => runCopy(t, place), SURFACE);
    if (api === 3) yield functionalCase(3, `fbo.blit.scissor.${name}`, (t) => runBlit(t, place), SURFACE);
  }
}
