// Draws every level, face and layer of a texture one texel a pixel, and compares each with what it should hold.

import type { CaseContext } from '../case.ts';
import { displayRange, type TexelFormat } from '../reference/texture-formats.ts';
import { faceDirection, type ReferenceImage, type TextureTarget } from '../reference/texture-lookup.ts';
import { makeBuffer } from './draw.ts';
import { buildProgram, type TestProgram } from './program.ts';
import { samplerType, setSampler } from './texture.ts';

export interface ExpectedTexture {
  readonly target: TextureTarget;
  readonly format: TexelFormat;
  /** images[face][level]; null: the level is not there and is not looked at. */
  readonly images: readonly (readonly (ReferenceImage | null)[])[];
  readonly tolerance?: number | readonly [number, number, number, number];
}

function levelProgram(t: CaseContext, expected: ExpectedTexture): TestProgram {
  const { scale, bias } = displayRange(expected.format);
  const vector = (values: readonly number[]) => `vec4(${values.map((value) => value.toExponential(9)).join(', ')})`;
  const isFlat = expected.target === '2d';
  const call = t.api === 3 ? 'textureLod' : isFlat ? 'texture2D' : 'textureCube';
  const lod = t.api === 3 ? ', u_lod' : '';
  return buildProgram(t, {
    attributes: { a_position: 'highp vec2', a_coord: 'highp vec3' },
    varyings: { v_coord: 'highp vec3' },
    vertex: 'gl_Position = vec4(a_position, 0.0, 1.0); v_coord = a_coord;',
    fragmentHead: `uniform highp ${samplerType(expected)} u_sampler;\nuniform highp float u_lod;`,
    fragment: `o_color = vec4(${call}(u_sampler, ${isFlat ? 'v_coord.xy' : 'v_coord'}${lod})) * ${vector(scale)} + ${vector(bias)};`,
  });
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
  const program = levelProgram(t, expected);
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
        const got = t.readPixels(0, 0, width, height);
        const what = `${format.name} ${target} face ${face} level ${level} layer ${layer}`;
        const data = showImage(format, image, layer);
        // A single random texel may happen to be black.
        if (data.some((value) => value !== 0))
          t.comparePicture(got, { width, height, data }, { tolerance: expected.tolerance ?? 1 }, what);
        else t.near(got.data, data, 1, what);
      }
    }
  t.noError('sampling');
}

/** An image layer in display colours. */
export function showImage(format: TexelFormat, image: ReferenceImage, layer: number): Uint8Array {
  const { scale, bias } = displayRange(format);
  const count = image.width * image.height * 4;
  const data = new Uint8Array(count);
  for (let at = 0; at < count; at++) {
    const value = image.texels[layer * count + at]! * scale[at % 4]! + bias[at % 4]!;
    data[at] = Math.round(Math.min(Math.max(value, 0), 1) * 255);
  }
  return data;
}
