// texture.completeness.gathered: images that were specified so that no driver can have put them into one texture from the start (small
// levels first, faces in turn, another size or format before) are together when they are sampled: each face and level its own.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad } from '../../harness/draw.ts';
import { generate } from '../../harness/framebuffer.ts';
import { buildProgram } from '../../harness/program.ts';
import { setSampler, targetValue, uploadImage } from '../../harness/texture.ts';
import { checkTexture } from '../../harness/texture-levels.ts';
import {
  fillTexels,
  formatNamed,
  SIZED_FORMATS,
  type TexelFormat,
  UNSIZED_FORMATS,
} from '../../reference/texture-formats.ts';
import { decodeImage, type ReferenceImage } from '../../reference/texture-lookup.ts';

const SIDE = 16;
const SURFACE = { width: SIDE, height: SIDE, depth: false, stencil: false };
const LEVELS = 5;

type Target = '2d' | 'cube' | '2d_array';
type Place = readonly [face: number, level: number];

interface Specification {
  /** The order in which the images come. */
  readonly order: (faces: number) => readonly Place[];
  /** First with images of another size, in the same order. */
  readonly isResized?: boolean;
  /** Complete without mipmaps, and drawn with, after the levels 0. */
  readonly isUsedBetween?: boolean;
  /** Only level 0 is there and looked at. */
  readonly isFlat?: boolean;
}

const places = (faces: number, levels: readonly number[]): Place[] =>
  levels.flatMap((level) => Array.from({ length: faces }, (_, face): Place => [face, level]));
const ALL = [0, 1, 2, 3, 4];

const SPECIFICATIONS: Readonly<Record<string, Specification>> = {
  small_levels_first: { order: (faces) => places(faces, [4, 3, 2, 1, 0]) },
  last_level_last: { order: (faces) => places(faces, [0, 1, 2, 4, 3]) },
  faces_backwards: { order: (faces) => places(faces, ALL).reverse() },
  face_by_face: { order: (faces) => places(faces, ALL).sort((a, b) => b[0] - a[0] || b[1] - a[1]) },
  base_replaced: { order: (faces) => [...places(faces, ALL), ...places(faces, [0])] },
  resized: { order: (faces) => places(faces, ALL), isResized: true },
  resized_backwards: { order: (faces) => places(faces, [4, 3, 2, 1, 0]), isResized: true },
  used_between: { order: (faces) => places(faces, ALL), isUsedBetween: true },
  one_level: { order: (faces) => places(faces, [0]).reverse(), isFlat: true },
  one_level_resized: { order: (faces) => places(faces, [0]), isFlat: true, isResized: true },
};

const DEPTH = 3;

function runGathering(t: CaseContext, target: Target, format: TexelFormat, how: Specification): void {
  const { gl, random } = t;
  const faces = target === 'cube' ? 6 : 1;
  const depth = target === '2d_array' ? DEPTH : 1;
  gl.glBindTexture(targetValue(target), generate(gl.glGenTextures));
  gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
  // Nearest without mipmaps: nothing says that there will be levels.
  setSampler(t, target, { min: 'nearest', mag: 'nearest', wrapS: 'clamp', wrapT: 'clamp' });
  const images: (ReferenceImage | null)[][] = Array.from({ length: faces }, () =>
    new Array<null>(how.isFlat ? 1 : LEVELS).fill(null),
  );
  const specify = ([face, level]: Place, side: number): void => {
    const size = Math.max(side >> level, 1);
    const bytes = fillTexels(format, random, size * size * depth);
    uploadImage(t, target, face, level, format, { width: size, height: size, depth }, bytes);
    images[face]![level] = decodeImage(format, bytes, size, size, depth);
  };
  const order = how.order(faces);
  if (how.isResized) for (const place of order) specify(place, SIDE / 2);
  for (const place of order) {
    specify(place, SIDE);
    if (how.isUsedBetween && place[1] === 0 && place[0] === faces - 1) drawWith(t, target);
  }
  t.noError('specifying');
  checkTexture(t, { target, format, images });
}

/** A draw that samples the texture as it is now. */
function drawWith(t: CaseContext, target: Target): void {
  const call = { '2d': 'texture2D(u_sampler, vec2(0.5))', cube: 'textureCube(u_sampler, vec3(1.0))' };
  const type = { '2d': 'sampler2D', cube: 'samplerCube', '2d_array': 'highp sampler2DArray' }[target];
  const text = target === '2d_array' ? 'texture(u_sampler, vec3(0.5))' : call[target];
  buildProgram(t, {
    attributes: { a_position: 'highp vec4' },
    vertex: 'gl_Position = a_position;',
    fragmentHead: `uniform ${type} u_sampler;`,
    fragment: `o_color = ${text};`,
  });
  drawFullQuad(t);
}

export function* textureGatheringCases(api: 2 | 3): Generator<CaseDefinition> {
  const targets: readonly Target[] = api === 3 ? ['2d', 'cube', '2d_array'] : ['2d', 'cube'];
  const formats =
    api === 3
      ? ['rgba8', 'r16f', 'rgb565'].map((name) => formatNamed(SIZED_FORMATS, name))
      : ['rgba8888', 'rgb565'].map((name) => formatNamed(UNSIZED_FORMATS, name));
  for (const target of targets)
    for (const format of formats)
      for (const [name, how] of Object.entries(SPECIFICATIONS))
        yield functionalCase(
          api,
          `texture.completeness.gathered.${target}_${name}_${format.name}`,
          (t) => runGathering(t, target, format, how),
          SURFACE,
        );
}
