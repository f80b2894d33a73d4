// Draws every level, face and layer of a texture one texel a pixel, and compares each with what it should hold.

import type { CaseContext } from '../case.ts';
import { displayRange, storedTolerance, type TexelFormat } from '../reference/texture-formats.ts';
import { faceDirection, type ReferenceImage, type TextureTarget } from '../reference/texture-lookup.ts';
import { makeBuffer } from './draw.ts';
import { attachRenderbuffer, generate } from './framebuffer.ts';
import { buildProgram, type TestProgram } from './program.ts';
import { samplerType, setSampler } from './texture.ts';

export interface ExpectedTexture {
  readonly target: TextureTarget;
  readonly format: TexelFormat;
  /** images[face][level]; null: the level is not there and is not looked at. */
  readonly images: readonly (readonly (ReferenceImage | null)[])[];
  readonly tolerance?: number | readonly [number, number, number, number];
}

/**
 * GLES 3 reads what a shader sees to the bit: from a target of 32-bit words, where the implementation has one. GLES 2 shows it in
 * bytes, which hide the low bits of larger texels.
 */
function levelProgram(t: CaseContext, expected: ExpectedTexture, isExact: boolean): TestProgram {
  const { scale, bias } = displayRange(expected.format);
  const vector = (values: readonly number[]) => `vec4(${values.map((value) => value.toExponential(9)).join(', ')})`;
  const isFlat = expected.target === '2d';
  const call = t.api === 3 ? 'textureLod' : isFlat ? 'texture2D' : 'textureCube';
  const lod = t.api === 3 ? ', u_lod' : '';
  const texel = `${call}(u_sampler, ${isFlat ? 'v_coord.xy' : 'v_coord'}${lod})`;
  return buildProgram(t, {
    attributes: { a_position: 'highp vec2', a_coord: 'highp vec3' },
    varyings: { v_coord: 'highp vec3' },
    vertex: 'gl_Position = vec4(a_position, 0.0, 1.0); v_coord = a_coord;',
    fragmentHead: `uniform highp ${samplerType(expected)} u_sampler;\nuniform highp float u_lod;`,
    ...(isExact
      ? {
          outputs: 'layout(location = 0) out highp uvec4 o_bits;\n',
          fragment: `o_bits = ${isIntegerKind(expected.format) ? `uvec4(${texel})` : `floatBitsToUint(${texel})`};`,
        }
      : { fragment: `o_color = vec4(${texel}) * ${vector(scale)} + ${vector(bias)};` }),
  });
}

function isIntegerKind({ kind }: TexelFormat): boolean {
  return kind === 'int' || kind === 'uint';
}

/** Binds a target of four words a pixel; false where there is none. */
function bindWords(t: CaseContext): boolean {
  const { gl } = t;
  if (t.api === 2) return false;
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
  attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA32UI);
  if (gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) === gl.GL_FRAMEBUFFER_COMPLETE) return true;
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
  while (gl.glGetError() !== gl.GL_NO_ERROR);
  return false;
}

/** Compares the bound texture, texel by texel. Levels must fit into the case's surface. */
export function checkTexture(t: CaseContext, expected: ExpectedTexture): void {
  const { gl } = t;
  const { target, format, images } = expected;
  const hasLevels = images[0]!.length > 1;
  setSampler(t, target, {
    min: hasLevels ? 'nearest_mipmap_nearest' : 'nearest',
    mag: 'nearest',
    wrapS: 'clamp',
    wrapT: 'clamp',
    wrapR: 'clamp',
  });
  const isExact = bindWords(t);
  const program = levelProgram(t, expected, isExact);
  makeBuffer(t, gl.GL_ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
  gl.glEnableVertexAttribArray(1);
  for (const [face, levels] of images.entries())
    for (const [level, image] of levels.entries()) {
      if (image === null) continue;
      const { width, height, depth } = image;
      gl.glViewport(0, 0, width, height);
      if (t.api === 3) gl.glUniform1f(program.uniform('u_lod'), level);
      for (let layer = 0; layer < depth; layer++) {
        const r = target === '3d' ? (layer + 0.5) / depth : layer;
        const corner = (s: number, u: number) =>
          target === 'cube' ? faceDirection(face, s * 2 - 1, u * 2 - 1) : [s, u, r];
        makeBuffer(
          t,
          gl.GL_ARRAY_BUFFER,
          Float32Array.from([corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)].flat()),
        );
        gl.glVertexAttribPointer(1, 3, gl.GL_FLOAT, false, 0, 0);
        gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4);
        const what = `${format.name} ${target} face ${face} level ${level} layer ${layer}`;
        if (isExact) judgeWords(t, format, image, layer, what);
        else judgeBytes(t, expected, image, layer, what);
      }
    }
  t.noError('sampling');
}

function judgeBytes(
  t: CaseContext,
  { format, tolerance = 1 }: ExpectedTexture,
  image: ReferenceImage,
  layer: number,
  what: string,
): void {
  const { width, height } = image;
  const got = t.readPixels(0, 0, width, height);
  const data = showTexels(format, layerTexels(image, layer));
  // A single random texel may happen to be black.
  if (data.some((value) => value !== 0)) t.comparePicture(got, { width, height, data }, { tolerance }, what);
  else t.near(got.data, data, 1, what);
}

function judgeWords(t: CaseContext, format: TexelFormat, image: ReferenceImage, layer: number, what: string): void {
  const { gl } = t;
  const { width, height } = image;
  const words = new Uint32Array(width * height * 4);
  gl.glReadPixels(0, 0, width, height, gl.GL_RGBA_INTEGER, gl.GL_UNSIGNED_INT, words);
  const values =
    format.kind === 'uint'
      ? words
      : format.kind === 'int'
        ? new Int32Array(words.buffer)
        : new Float32Array(words.buffer);
  const wanted = layerTexels(image, layer);
  const toleranceOf = storedTolerance(format);
  t.comparisons++;
  t.pictureComparisons++;
  for (const [at, want] of wanted.entries()) {
    const tolerance = toleranceOf(want, at % 4);
    if (Math.abs(values[at]! - want) <= tolerance) continue;
    const pixel = Math.floor(at / 4);
    const place = `${pixel % width},${Math.floor(pixel / width)} channel ${at % 4}`;
    t.fail(`${what}: texel ${place} is ${values[at]}, expected ${want} ± ${tolerance}`, {
      result: { width, height, data: showTexels(format, values) },
      reference: { width, height, data: showTexels(format, wanted) },
      difference: { width, height, data: showDifference(values, wanted, toleranceOf) },
    });
  }
}

/** White where a texel is wrong. */
function showDifference(
  values: ArrayLike<number>,
  wanted: Float64Array,
  toleranceOf: (want: number, channel: number) => number,
): Uint8Array {
  const data = new Uint8Array(wanted.length);
  for (let at = 0; at < wanted.length; at += 4) {
    const isWrong = [0, 1, 2, 3].some(
      (channel) =>
        !(Math.abs(values[at + channel]! - wanted[at + channel]!) <= toleranceOf(wanted[at + channel]!, channel)),
    );
    data.set(isWrong ? [255, 255, 255, 255] : [0, 0, 0, 255], at);
  }
  return data;
}

function layerTexels(image: ReferenceImage, layer: number): Float64Array {
  const count = image.width * image.height * 4;
  return image.texels.subarray(layer * count, (layer + 1) * count);
}

/** Texels in display colours. */
function showTexels(format: TexelFormat, texels: ArrayLike<number>): Uint8Array {
  const { scale, bias } = displayRange(format);
  return Uint8Array.from(texels, (texel, at) => {
    const value = texel * scale[at % 4]! + bias[at % 4]!;
    return Math.round(Math.min(Math.max(value, 0), 1) * 255);
  });
}
