// texture.mipmap: levels by scale, bias, limits of λ and levels, perspective, and generated levels.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad } from '../../harness/draw.ts';
import { buildProgram } from '../../harness/program.ts';
import {
  type Coordinate,
  checkSampling,
  levelCount,
  levelSize,
  makeTexture,
  type SampledCell,
  setSampler,
  type TestTexture,
  type TextureShape,
} from '../../harness/texture.ts';
import { formatNamed, SIZED_FORMATS, UNSIZED_FORMATS } from '../../reference/texture-formats.ts';
import {
  faceDirection,
  type MinFilter,
  type SamplerParameters,
  type TextureTarget,
} from '../../reference/texture-lookup.ts';
import { slantedCell, WRAPS } from './texture-filtering.ts';

const SURFACE = { width: 32, height: 32, depth: false, stencil: false };
const CELLS = 4;
/** Names of the filters here: within a level, then between levels. */
const FILTERS: readonly [string, MinFilter][] = [
  ['nearest_nearest', 'nearest_mipmap_nearest'],
  ['linear_nearest', 'linear_mipmap_nearest'],
  ['nearest_linear', 'nearest_mipmap_linear'],
  ['linear_linear', 'linear_mipmap_linear'],
];

type Kind = 'basic' | 'affine' | 'projected' | 'bias' | 'min_lod' | 'max_lod' | 'base_level' | 'max_level';

function gridCells(t: CaseContext, texture: TestTexture, kind: Kind): SampledCell[] {
  const { random, width } = t;
  const size = width / CELLS;
  const cells: SampledCell[] = [];
  for (let index = 0; index < CELLS * CELLS; index++) {
    const place = { x: (index % CELLS) * size, y: Math.floor(index / CELLS) * size, width: size, height: size };
    // Scales from a magnified texel of two pixels up to far beyond the last level.
    const scale = 2 ** ((index / (CELLS * CELLS)) * 8 - 1 + 0.2);
    if (texture.target === 'cube') {
      const face = index % 6;
      const n = texture.reference.images[0]![0]!.width;
      const ds = Math.min((scale * size * 2) / n, 1.9);
      const start = () => random.float(-0.95, 0.95 - ds + 1e-6);
      const [s0, t0] = [start(), start()];
      const corner = (x: number, y: number): Coordinate => faceDirection(face, s0 + ds * x, t0 + ds * y);
      cells.push({ ...place, corners: [corner(0, 0), corner(1, 0), corner(0, 1)] });
      continue;
    }
    const middle: Coordinate = [random.float(0, 1), random.float(0, 1), random.float(0, 1)];
    const cell = slantedCell(texture, place, scale, middle);
    if (kind === 'affine') {
      // Turned by some angle: both derivatives mix both coordinates.
      const turn = (corner: Coordinate): Coordinate => [
        corner[0] + 0.5 * (corner[1] - middle[1]),
        corner[1] - 0.7 * (corner[0] - middle[0]),
        corner[2],
      ];
      cells.push({ ...cell, corners: [turn(cell.corners[0]), turn(cell.corners[1]), turn(cell.corners[2])] });
    } else if (kind === 'projected') cells.push({ ...cell, w: [1, random.float(1.1, 1.6), random.float(1.1, 1.6)] });
    else cells.push(cell);
  }
  return cells;
}

function parametersFor(t: CaseContext, kind: Kind): Partial<SamplerParameters> {
  const { random } = t;
  switch (kind) {
    case 'min_lod':
      return { minLod: random.float(1, 3) };
    case 'max_lod':
      return { maxLod: random.float(0.5, 3) };
    case 'base_level':
      return { baseLevel: random.int(1, 3) };
    case 'max_level':
      return { maxLevel: random.int(1, 3) };
    default:
      return {};
  }
}

function runMipmap(t: CaseContext, kind: Kind, shape: TextureShape, how: SamplerParameters): void {
  const format = t.api === 2 ? formatNamed(UNSIZED_FORMATS, 'rgba8888') : formatNamed(SIZED_FORMATS, 'rgba8');
  const texture = makeTexture(t, format, { ...shape, levels: 'full' });
  const full: SamplerParameters = { ...how, ...parametersFor(t, kind), ...(t.api === 2 ? { seams: 'open' } : {}) };
  const bias = kind === 'bias' ? t.random.float(-1.5, 1.5) : undefined;
  checkSampling(
    t,
    texture,
    full,
    gridCells(t, texture, kind),
    bias === undefined ? {} : { bias: Number(bias.toFixed(2)) },
  );
}

const SHAPES: Readonly<Record<TextureTarget, Readonly<Record<string, TextureShape>>>> = {
  '2d': {
    '': { target: '2d', width: 64, height: 64 },
    _non_square: { target: '2d', width: 32, height: 64 },
    _npot: { target: '2d', width: 63, height: 57 },
  },
  cube: { '': { target: 'cube', width: 64, height: 64 } },
  '3d': {
    '': { target: '3d', width: 32, height: 32, depth: 32 },
    _npot: { target: '3d', width: 33, height: 29, depth: 27 },
  },
  '2d_array': {},
};

export function* textureMipmapCases(api: 2 | 3): Generator<CaseDefinition> {
  const targets: readonly TextureTarget[] = api === 2 ? ['2d', 'cube'] : ['2d', 'cube', '3d'];
  for (const target of targets) {
    const make = (path: string, kind: Kind, shape: TextureShape, how: SamplerParameters) =>
      functionalCase(api, `texture.mipmap.${target}.${path}`, (t) => runMipmap(t, kind, shape, how), SURFACE);
    for (const [filterName, min] of FILTERS) {
      const mag = 'nearest';
      const repeat: SamplerParameters = { min, mag, wrapS: 'repeat', wrapT: 'repeat', wrapR: 'repeat' };
      const plain = SHAPES[target]['']!;
      if (target === 'cube') {
        yield make(`basic.${filterName}`, 'basic', plain, { ...repeat, wrapS: 'clamp', wrapT: 'clamp' });
      } else
        for (const wrap of WRAPS) {
          const how: SamplerParameters = { min, mag, wrapS: wrap, wrapT: wrap, wrapR: wrap };
          for (const [suffix, shape] of Object.entries(SHAPES[target])) {
            if (api === 2 && suffix === '_npot') continue;
            yield make(`basic.${filterName}_${wrap}${suffix}`, 'basic', shape, how);
          }
          yield make(`affine.${filterName}_${wrap}`, 'affine', plain, how);
          yield make(`projected.${filterName}_${wrap}`, 'projected', plain, how);
        }
      yield make(`bias.${filterName}`, 'bias', plain, repeat);
      if (api === 3)
        for (const kind of ['min_lod', 'max_lod', 'base_level', 'max_level'] as const) {
          if (target === 'cube' && kind === 'max_lod' && filterName.startsWith('linear')) continue;
          yield make(`${kind}.${filterName}`, kind, plain, repeat);
        }
    }
  }
  for (const target of ['2d', 'cube'] as const)
    for (const { name } of UNSIZED_FORMATS)
      for (const hint of ['fastest', 'nicest'] as const)
        for (const kind of target === 'cube' ? [''] : api === 2 ? ['', '_non_square'] : ['', '_non_square', '_npot'])
          yield functionalCase(
            api,
            `texture.mipmap.${target}.generate.${name}${kind}_${hint}`,
            (t) => runGenerate(t, target, name, kind, hint),
            SURFACE,
          );
}

/**
 * Generated levels of a smooth picture: how to filter is left to the implementation, so that each level is compared with
 * the box filter of the level above, within what other sensible filters give on a smooth picture.
 */
function runGenerate(
  t: CaseContext,
  target: '2d' | 'cube',
  name: string,
  kind: string,
  hint: 'fastest' | 'nicest',
): void {
  const { gl } = t;
  const format = formatNamed(UNSIZED_FORMATS, name);
  const width = kind === '_npot' ? 63 : 32;
  const height = kind === '_npot' ? 57 : kind === '_non_square' ? 64 : 32;
  const shape: TextureShape = { target, width, height: target === 'cube' ? width : height, levels: 'full' };
  const texture = makeSmoothTexture(t, shape, name);
  gl.glHint(gl.GL_GENERATE_MIPMAP_HINT, hint === 'fastest' ? gl.GL_FASTEST : gl.GL_NICEST);
  gl.glGenerateMipmap(target === 'cube' ? gl.GL_TEXTURE_CUBE_MAP : gl.GL_TEXTURE_2D);
  t.noError('glGenerateMipmap');
  setSampler(t, target, { min: 'nearest_mipmap_nearest', mag: 'nearest', wrapS: 'clamp', wrapT: 'clamp' });
  const faces = target === 'cube' ? 6 : 1;
  for (let level = 1; level < levelCount(shape); level++) {
    const size = levelSize(shape, level);
    const face = level % faces;
    // Texels of the level, one a pixel.
    gl.glViewport(0, 0, size.width, size.height);
    const coordinate = target === '2d' ? 'v_coord' : directionText(face);
    buildProgram(t, {
      attributes: { a_position: 'highp vec4', a_coord: 'highp vec2' },
      varyings: { v_coord: 'highp vec2' },
      vertex: 'gl_Position = a_position; v_coord = a_coord;',
      fragmentHead: target === '2d' ? 'uniform sampler2D u_sampler;' : 'uniform samplerCube u_sampler;',
      fragment: `o_color = ${target === '2d' ? 'texture2D' : 'textureCube'}(u_sampler, ${coordinate});`,
    });
    drawFullQuad(t, [{ size: 2, data: [0, 0, 1, 0, 0, 1, 1, 1] }]);
    const got = t.readPixels(0, 0, size.width, size.height);
    const want = texture(face, size.width, size.height);
    // Quantisation of few bits, and other filters on a slope.
    const tolerance = format.type === gl.GL_UNSIGNED_BYTE ? 10 : 26;
    t.comparePicture(got, { ...got, data: want }, { tolerance }, `level ${level}`);
  }
}

function directionText(face: number): string {
  const s = '(v_coord.x * 2.0 - 1.0)';
  const r = '(v_coord.y * 2.0 - 1.0)';
  return [
    `vec3(1.0, -${r}, -${s})`,
    `vec3(-1.0, -${r}, ${s})`,
    `vec3(${s}, 1.0, ${r})`,
    `vec3(${s}, -1.0, -${r})`,
    `vec3(${s}, -${r}, 1.0)`,
    `vec3(-${s}, -${r}, -1.0)`,
  ][face]!;
}

/** Slopes over the unit square, other ones on each face: averages over any symmetric area are the middle's value. */
function makeSmoothTexture(
  t: CaseContext,
  shape: TextureShape,
  name: string,
): (face: number, width: number, height: number) => Uint8Array {
  const { gl, random } = t;
  const format = formatNamed(UNSIZED_FORMATS, name);
  const faces = shape.target === 'cube' ? 6 : 1;
  const slopes = Array.from({ length: faces * 4 }, () => ({
    base: random.float(0.25, 0.45),
    x: random.float(0, 0.3),
    y: random.float(0, 0.25),
  }));
  const value = (face: number, channel: number, u: number, v: number) => {
    const { base, x, y } = slopes[face * 4 + channel]!;
    return base + x * u + y * v;
  };
  const names = [0];
  gl.glGenTextures(1, names);
  gl.glBindTexture(shape.target === 'cube' ? gl.GL_TEXTURE_CUBE_MAP : gl.GL_TEXTURE_2D, names[0]!);
  gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
  const bits = { 33635: [5, 6, 5], 32819: [4, 4, 4, 4], 32820: [5, 5, 5, 1] }[format.type as 33635];
  for (let face = 0; face < faces; face++) {
    const { width, height } = shape;
    const bytes = new Uint8Array(width * height * format.bytes);
    const view = new DataView(bytes.buffer);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * format.bytes;
        const colors = [0, 1, 2, 3].map((channel) => value(face, channel, (x + 0.5) / width, (y + 0.5) / height));
        if (bits) {
          let packed = 0;
          // One bit of alpha has no slope to average: it is set.
          for (const [channel, count] of bits.entries())
            packed = (packed << count) | (count === 1 ? 1 : Math.round(colors[channel]! * (2 ** count - 1)));
          view.setUint16(at, packed, true);
        } else
          for (let channel = 0; channel < format.bytes; channel++)
            bytes[at + channel] = Math.round(colors[channel]! * 255);
      }
    const target = shape.target === 'cube' ? gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : gl.GL_TEXTURE_2D;
    gl.glTexImage2D(target, 0, format.internal, width, height, 0, format.format, format.type, bytes);
  }
  return (face, width, height) => {
    const data = new Uint8Array(width * height * 4);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const c = [0, 1, 2, 3].map((channel) =>
          Math.round(value(face, channel, (x + 0.5) / width, (y + 0.5) / height) * 255),
        );
        const color = {
          alpha: [0, 0, 0, c[0]!],
          luminance: [c[0]!, c[0]!, c[0]!, 255],
          luminance_alpha: [c[0]!, c[0]!, c[0]!, c[1]!],
          rgb: [c[0]!, c[1]!, c[2]!, 255],
          rgba: [c[0]!, c[1]!, c[2]!, format.type === 32820 ? 255 : c[3]!],
        }[format.base as 'rgba'];
        data.set(color, (y * width + x) * 4);
      }
    return data;
  };
}
