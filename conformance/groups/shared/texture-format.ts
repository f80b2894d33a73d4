// texture.{format, size, swizzle, units, completeness, shadow, vertex}.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad, setAttributes } from '../../harness/draw.ts';
import { generate } from '../../harness/framebuffer.ts';
import { buildProgram } from '../../harness/program.ts';
import { checkSampling, makeTexture, setSampler, type TextureShape, targetValue } from '../../harness/texture.ts';
import { checkTexture } from '../../harness/texture-levels.ts';
import type { CompareFunction } from '../../reference/fragment-pipeline.ts';
import {
  DEPTH_FORMATS,
  formatNamed,
  OTHER_FORMATS,
  SIZED_FORMATS,
  type TexelFormat,
  UNSIZED_FORMATS,
} from '../../reference/texture-formats.ts';
import {
  faceDirection,
  type MinFilter,
  type SamplerParameters,
  type TextureTarget,
} from '../../reference/texture-lookup.ts';
import { cellsFor, MIN_FILTERS, WRAPS } from './texture-filtering.ts';

const SURFACE = { width: 64, height: 64, depth: false, stencil: false };
const SMALL_SURFACE = { width: 48, height: 32, depth: false, stencil: false };

function runFormat(t: CaseContext, format: TexelFormat, shape: TextureShape): void {
  const texture = makeTexture(t, format, shape);
  checkTexture(t, { target: shape.target, format, images: texture.reference.images, tolerance: format.isSrgb ? 2 : 1 });
}

const SHAPES: Readonly<Record<'pot' | 'npot', Readonly<Record<TextureTarget, TextureShape>>>> = {
  pot: {
    '2d': { target: '2d', width: 32, height: 64 },
    cube: { target: 'cube', width: 32, height: 32 },
    '2d_array': { target: '2d_array', width: 32, height: 16, depth: 4 },
    '3d': { target: '3d', width: 16, height: 32, depth: 4 },
  },
  npot: {
    '2d': { target: '2d', width: 37, height: 29 },
    cube: { target: 'cube', width: 27, height: 27 },
    '2d_array': { target: '2d_array', width: 23, height: 19, depth: 3 },
    '3d': { target: '3d', width: 13, height: 29, depth: 5 },
  },
};

function* formatCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const kind of ['pot', 'npot'] as const) {
    if (api === 2) {
      for (const format of UNSIZED_FORMATS)
        for (const target of ['2d', 'cube'] as const)
          yield functionalCase(
            2,
            `texture.format.${format.name}_${target}_${kind}`,
            (t) => runFormat(t, format, SHAPES[kind][target]),
            SURFACE,
          );
      continue;
    }
    for (const target of ['2d', 'cube', '2d_array', '3d'] as const) {
      for (const format of target === '3d' ? SIZED_FORMATS : [...SIZED_FORMATS, ...DEPTH_FORMATS])
        yield functionalCase(
          3,
          `texture.format.sized.${target}.${format.name}_${kind}`,
          (t) => runFormat(t, format, SHAPES[kind][target]),
          SURFACE,
        );
      for (const format of OTHER_FORMATS.slice(0, 8))
        yield functionalCase(
          3,
          `texture.format.unsized.${format.name}_${target}_${kind}`,
          (t) => runFormat(t, format, SHAPES[kind][target]),
          SURFACE,
        );
    }
  }
}

function* sizeCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [name, format] of [
    ['l8', 'l8'],
    ['rgb888', 'rgb888'],
    ['rgba4444', 'rgba4444'],
    ['rgba8888', 'rgba8888'],
  ] as const)
    for (const suffix of ['', '_mipmap'] as const) {
      const run = (target: '2d' | 'cube', width: number, height: number) => (t: CaseContext) => {
        const shape: TextureShape = { target, width, height, levels: suffix ? 'full' : 1 };
        const texture = makeTexture(t, formatNamed(UNSIZED_FORMATS, format), shape);
        const how: SamplerParameters = {
          min: suffix ? 'nearest_mipmap_nearest' : 'nearest',
          mag: 'nearest',
          wrapS: 'clamp',
          wrapT: 'clamp',
          ...(api === 2 ? { seams: 'open' } : {}),
        };
        checkSampling(t, texture, how, cellsFor(t, texture, [0.7, 3.1]));
      };
      for (const size of [64, 512, 1024, 2048]) {
        if (api === 2 && size >= 512 && format === 'rgba4444' && suffix === '') continue;
        yield functionalCase(
          api,
          `texture.size.2d.${size}x${size}_${name}${suffix}`,
          run('2d', size, size),
          SMALL_SURFACE,
        );
      }
      if (suffix === '' && !(api === 2 && format === 'rgba4444'))
        yield functionalCase(api, `texture.size.2d.65x63_${name}`, run('2d', 65, 63), SMALL_SURFACE);
      for (const size of [15, 16, 64, 128, 256, 512]) {
        if (size === 15 && suffix !== '') continue;
        if (size >= 256 && format === 'rgba4444' && suffix === '') continue;
        yield functionalCase(
          api,
          `texture.size.cube.${size}x${size}_${name}${suffix}`,
          run('cube', size, size),
          SMALL_SURFACE,
        );
      }
    }
}

/** Channel sources: 0..3, zero, one. */
const SOURCES = ['red', 'green', 'blue', 'alpha', 'zero', 'one'] as const;
const SOURCE_VALUES = [0x1903, 0x1904, 0x1905, 0x1906, 0, 1];

function runSwizzle(t: CaseContext, format: TexelFormat, swizzle: readonly number[]): void {
  const { gl } = t;
  const texture = makeTexture(t, format, { target: '2d', width: 16, height: 16 });
  // A border of the clear colour stays: some swizzles give black everywhere.
  const cells = cellsFor(t, texture).map((cell) => ({ ...cell, height: cell.height - 4 }));
  for (const [channel, source] of swizzle.entries())
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_SWIZZLE_R + channel, SOURCE_VALUES[source]!);
  checkSampling(t, texture, { min: 'nearest', mag: 'nearest', wrapS: 'repeat', wrapT: 'repeat' }, cells, { swizzle });
}

function* swizzleCases(): Generator<CaseDefinition> {
  const rgba = formatNamed(SIZED_FORMATS, 'rgba8');
  for (const [channel, letter] of ['r', 'g', 'b', 'a'].entries())
    for (const [source, name] of SOURCES.entries()) {
      if (source === channel) continue;
      const swizzle = [0, 1, 2, 3].map((at) => (at === channel ? source : at));
      yield functionalCase(
        3,
        `texture.swizzle.single_channel.${letter}_${name}`,
        (t) => runSwizzle(t, rgba, swizzle),
        SMALL_SURFACE,
      );
    }
  const bases: readonly [string, TexelFormat][] = [
    ...['alpha', 'luminance', 'luminance_alpha'].map(
      (name) => [name, formatNamed(OTHER_FORMATS, name)] as [string, TexelFormat],
    ),
    ...(
      [
        ['red', 'r8'],
        ['rg', 'rg8'],
        ['rgb', 'rgb8'],
        ['rgba', 'rgba8'],
      ] as const
    ).map(([name, sized]) => [name, formatNamed(SIZED_FORMATS, sized)] as [string, TexelFormat]),
  ];
  for (const [name, format] of bases) {
    for (const [source, sourceName] of SOURCES.entries())
      yield functionalCase(
        3,
        `texture.swizzle.multi_channel.${name}_all_${sourceName}`,
        (t) => runSwizzle(t, format, [source, source, source, source]),
        SMALL_SURFACE,
      );
    for (const [suffix, swizzle] of [
      ['bgra', [2, 1, 0, 3]],
      ['abgr', [3, 2, 1, 0]],
      ['one_one_red_green', [5, 5, 0, 1]],
    ] as const)
      yield functionalCase(
        3,
        `texture.swizzle.multi_channel.${name}_${suffix}`,
        (t) => runSwizzle(t, format, swizzle),
        SMALL_SURFACE,
      );
  }
}

const COMPARES: Readonly<Record<string, CompareFunction>> = {
  never: 'never',
  always: 'always',
  less: 'less',
  less_or_equal: 'lequal',
  equal: 'equal',
  greater_or_equal: 'gequal',
  greater: 'greater',
  not_equal: 'notequal',
};

function* shadowCases(): Generator<CaseDefinition> {
  for (const target of ['2d', 'cube', '2d_array'] as const)
    for (const min of MIN_FILTERS)
      for (const [name, compare] of Object.entries(COMPARES))
        for (const formatName of ['depth_component16', 'depth_component32f', 'depth24_stencil8']) {
          const shape: TextureShape = { target, width: 16, height: 16, ...(target === '2d_array' ? { depth: 4 } : {}) };
          yield functionalCase(
            3,
            `texture.shadow.${target}.${min}.${name}_${formatName}`,
            (t) => {
              const format = formatNamed(DEPTH_FORMATS, formatName);
              const texture = makeTexture(t, format, { ...shape, levels: min.includes('mipmap') ? 'full' : 1 });
              const { texels } = texture.reference.images[0]![0]!;
              // A value of the texture itself, so that equality happens; formats of fixed point round the reference as well.
              const exact = texels[t.random.int(0, 255) * 4]!;
              const reference = formatName === 'depth_component32f' ? exact : Math.fround(t.random.float(0.3, 0.7));
              const how: SamplerParameters = {
                min,
                mag: min.startsWith('nearest') ? 'nearest' : 'linear',
                wrapS: 'repeat',
                wrapT: 'repeat',
                compare,
              };
              const cells = cellsFor(t, texture, [0.37, 1.9]);
              checkSampling(t, texture, how, cells, { reference });
              // Fixed-point depth clamps the comparison value (§3.8.15); texels of 0 and 1 tell by equality.
              if (formatName === 'depth_component32f' || min.includes('mipmap')) return;
              const low = t.random.bool();
              checkSampling(t, texture, how, cells, { reference: low ? 0 : 1, givenReference: low ? -0.5 : 1.5 });
            },
            SMALL_SURFACE,
          );
        }
}

/** Textures that are not complete are black and opaque; those that are show their contents. */
interface CompletenessCase {
  readonly run: (
    t: CaseContext,
    upload: (face: number, level: number, width: number, height: number, format?: number) => void,
  ) => void;
  readonly isComplete: boolean;
  readonly isMipmapped?: boolean;
  readonly wrap?: number;
  readonly wrapT?: number;
}

function runCompleteness(t: CaseContext, target: '2d' | 'cube', test: CompletenessCase): void {
  const { gl, width, height } = t;
  gl.glBindTexture(targetValue(target), generate(gl.glGenTextures));
  gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
  const upload = (face: number, level: number, w: number, h: number, format: number = gl.GL_RGBA): void => {
    const imageTarget = target === 'cube' ? gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : gl.GL_TEXTURE_2D;
    gl.glTexImage2D(
      imageTarget,
      level,
      format,
      w,
      h,
      0,
      format,
      gl.GL_UNSIGNED_BYTE,
      new Uint8Array(w * h * 4).fill(255),
    );
  };
  test.run(t, upload);
  setSampler(t, target, {
    min: test.isMipmapped === false ? 'nearest' : 'nearest_mipmap_nearest',
    mag: 'nearest',
    wrapS: 'clamp',
    wrapT: 'clamp',
  });
  if (test.wrap !== undefined) gl.glTexParameteri(targetValue(target), gl.GL_TEXTURE_WRAP_S, test.wrap);
  if (test.wrapT !== undefined) gl.glTexParameteri(targetValue(target), gl.GL_TEXTURE_WRAP_T, test.wrapT);
  t.noError('making the texture');
  buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_coord: 'highp vec3' },
    varyings: { v_coord: 'highp vec3' },
    vertex: 'gl_Position = a_position; v_coord = a_coord;',
    fragmentHead: target === '2d' ? 'uniform sampler2D u_sampler;' : 'uniform samplerCube u_sampler;',
    fragment: `o_color = ${target === '2d' ? 'texture2D(u_sampler, v_coord.xy)' : 'textureCube(u_sampler, v_coord)'};`,
  });
  gl.glClearColor(0.5, 0.5, 0.5, 0.5);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  drawFullQuad(t, [
    {
      size: 3,
      data: [
        ...faceDirection(0, -0.9, -0.9),
        ...faceDirection(0, 0.9, -0.9),
        ...faceDirection(0, -0.9, 0.9),
        ...faceDirection(0, 0.9, 0.9),
      ],
    },
  ]);
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set(test.isComplete ? [255, 255, 255, 255] : [0, 0, 0, 255], at);
  t.comparePicture(t.readPixels(), { width, height, data });
}

function* completenessCases(): Generator<CaseDefinition> {
  const NPOT = true;
  const full = (
    upload: (face: number, level: number, w: number, h: number, format?: number) => void,
    faces: number,
    change: (face: number, level: number) => { skip?: boolean; format?: number; size?: number } = () => ({}),
  ): void => {
    for (let face = 0; face < faces; face++)
      for (let level = 0; level < 5; level++) {
        const { skip, format, size } = change(face, level);
        const edge = size ?? 16 >> level;
        if (!skip) upload(face, level, edge, edge, format);
      }
  };
  const flat: Record<string, CompletenessCase> = {
    empty_object: { run: () => {}, isComplete: false },
    extra_level: {
      run: (_t, upload) => {
        full(upload, 1);
        upload(0, 5, 1, 1);
      },
      isComplete: true,
    },
    missing_level_1: {
      run: (_t, upload) => full(upload, 1, (_f, level) => ({ skip: level === 1 })),
      isComplete: false,
    },
    missing_level_3: {
      run: (_t, upload) => full(upload, 1, (_f, level) => ({ skip: level === 3 })),
      isComplete: false,
    },
    last_level_missing: {
      run: (_t, upload) => full(upload, 1, (_f, level) => ({ skip: level === 4 })),
      isComplete: false,
    },
    not_positive_level_0: { run: (_t, upload) => upload(0, 0, 0, 0), isComplete: false, isMipmapped: false },
    npot_size_level_1: {
      run: (_t, upload) => full(upload, 1, (_f, level) => (level === 1 ? { size: 7 } : {})),
      isComplete: false,
    },
  };
  for (const [a, b] of [
    ['rgba', 'rgb'],
    ['rgb', 'rgba'],
    ['luminance', 'luminance_alpha'],
    ['luminance_alpha', 'luminance'],
  ] as const) {
    const values = { rgba: 0x1908, rgb: 0x1907, luminance: 0x1909, luminance_alpha: 0x190a };
    flat[`format_mismatch_${a}_${b}`] = {
      run: (_t, upload) => full(upload, 1, (_f, level) => ({ format: level === 1 ? values[b] : values[a] })),
      isComplete: false,
    };
  }
  // OES_texture_npot lifts the rules on sizes: with it these are complete.
  const npot: Record<string, CompletenessCase> = {
    npot_size: { run: (_t, upload) => upload(0, 0, 13, 11), isComplete: true, isMipmapped: false },
    npot_size_level_0: { run: (_t, upload) => upload(0, 0, 13, 11), isComplete: !NPOT },
    npot_s_repeat: { run: (_t, upload) => upload(0, 0, 13, 11), isComplete: NPOT, isMipmapped: false, wrap: 0x2901 },
    npot_t_repeat: { run: (_t, upload) => upload(0, 0, 13, 11), isComplete: NPOT, isMipmapped: false, wrapT: 0x2901 },
    npot_all_repeat: {
      run: (_t, upload) => upload(0, 0, 13, 11),
      isComplete: NPOT,
      isMipmapped: false,
      wrap: 0x2901,
      wrapT: 0x2901,
    },
    npot_mirrored_repeat: {
      run: (_t, upload) => upload(0, 0, 13, 11),
      isComplete: NPOT,
      isMipmapped: false,
      wrap: 0x8370,
      wrapT: 0x8370,
    },
    repeat_width_npot: {
      run: (_t, upload) => upload(0, 0, 13, 16),
      isComplete: NPOT,
      isMipmapped: false,
      wrap: 0x2901,
      wrapT: 0x2901,
    },
    repeat_height_npot: {
      run: (_t, upload) => upload(0, 0, 16, 13),
      isComplete: NPOT,
      isMipmapped: false,
      wrap: 0x2901,
      wrapT: 0x2901,
    },
  };
  for (const [name, test] of [...Object.entries(flat), ...Object.entries(npot)])
    yield functionalCase(2, `texture.completeness.2d.${name}`, (t) => runCompleteness(t, '2d', test));
  const cube: Record<string, CompletenessCase> = {
    empty_object: flat['empty_object']!,
    extra_level: {
      run: (_t, upload) => {
        full(upload, 6);
        upload(2, 5, 1, 1);
      },
      isComplete: true,
    },
    missing_level_1: {
      run: (_t, upload) => full(upload, 6, (_f, level) => ({ skip: level === 1 })),
      isComplete: false,
    },
    missing_level_3: {
      run: (_t, upload) => full(upload, 6, (_f, level) => ({ skip: level === 3 })),
      isComplete: false,
    },
    missing_level_1_pos_y: {
      run: (_t, upload) => full(upload, 6, (face, level) => ({ skip: face === 2 && level === 1 })),
      isComplete: false,
    },
    missing_level_3_neg_y: {
      run: (_t, upload) => full(upload, 6, (face, level) => ({ skip: face === 3 && level === 3 })),
      isComplete: false,
    },
    format_mismatch_rgba_rgb_level_0: {
      run: (_t, upload) => full(upload, 6, (_f, level) => ({ format: level === 0 ? 0x1908 : 0x1907 })),
      isComplete: false,
    },
    format_mismatch_rgb_rgba_level_0: {
      run: (_t, upload) => full(upload, 6, (_f, level) => ({ format: level === 0 ? 0x1907 : 0x1908 })),
      isComplete: false,
    },
    format_mismatch_luminance_luminance_alpha_level_0: {
      run: (_t, upload) => full(upload, 6, (_f, level) => ({ format: level === 0 ? 0x1909 : 0x190a })),
      isComplete: false,
    },
    format_mismatch_luminance_alpha_luminance_level_0: {
      run: (_t, upload) => full(upload, 6, (_f, level) => ({ format: level === 0 ? 0x190a : 0x1909 })),
      isComplete: false,
    },
    format_mismatch_rgb_rgba_level_0_pos_z: {
      run: (_t, upload) => full(upload, 6, (face, level) => ({ format: face === 4 && level === 0 ? 0x1908 : 0x1907 })),
      isComplete: false,
    },
    format_mismatch_rgba_rgb_level_0_neg_z: {
      run: (_t, upload) => full(upload, 6, (face, level) => ({ format: face === 5 && level === 0 ? 0x1907 : 0x1908 })),
      isComplete: false,
    },
    not_positive_level_0: {
      run: (_t, upload) => {
        for (let face = 0; face < 6; face++) upload(face, 0, 0, 0);
      },
      isComplete: false,
      isMipmapped: false,
    },
    npot_size_level_0_pos_x: {
      run: (_t, upload) => full(upload, 6, (face, level) => (face === 0 && level === 0 ? { size: 13 } : {})),
      isComplete: false,
    },
    npot_size_level_1: {
      run: (_t, upload) => full(upload, 6, (_f, level) => (level === 1 ? { size: 7 } : {})),
      isComplete: false,
    },
    npot_size_level_1_neg_x: {
      run: (_t, upload) => full(upload, 6, (face, level) => (face === 1 && level === 1 ? { size: 7 } : {})),
      isComplete: false,
    },
  };
  const allNpot = (_t: CaseContext, upload: (face: number, level: number, w: number, h: number) => void) => {
    for (let face = 0; face < 6; face++) upload(face, 0, 13, 13);
  };
  cube['npot_size_level_0'] = { run: allNpot, isComplete: false };
  cube['npot_s_repeat'] = { run: allNpot, isComplete: NPOT, isMipmapped: false, wrap: 0x2901 };
  cube['npot_t_repeat'] = { run: allNpot, isComplete: NPOT, isMipmapped: false, wrapT: 0x2901 };
  cube['npot_all_repeat'] = { run: allNpot, isComplete: NPOT, isMipmapped: false, wrap: 0x2901, wrapT: 0x2901 };
  cube['npot_mirrored_repeat'] = { run: allNpot, isComplete: NPOT, isMipmapped: false, wrap: 0x8370, wrapT: 0x8370 };
  for (const [name, test] of Object.entries(cube))
    yield functionalCase(2, `texture.completeness.cube.${name}`, (t) => runCompleteness(t, 'cube', test));
}

/** Vertex shaders sample one coordinate and level for each of a grid of cells. */
function runVertexTexture(t: CaseContext, target: TextureTarget, how: SamplerParameters): void {
  const { gl, random, width, height } = t;
  const format = t.api === 2 ? formatNamed(UNSIZED_FORMATS, 'rgba8888') : formatNamed(SIZED_FORMATS, 'rgba8');
  const shape: TextureShape = {
    target,
    width: 16,
    height: 16,
    ...(target === '3d' || target === '2d_array' ? { depth: target === '3d' ? 8 : 5 } : {}),
    levels: how.min.includes('mipmap') ? 'full' : 1,
  };
  const units = [0];
  gl.glGetIntegerv(gl.GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, units);
  if (units[0] === 0) t.skip('vertex shaders have no textures');
  const texture = makeTexture(t, format, shape);
  const full: SamplerParameters = t.api === 2 ? { ...how, seams: 'open' } : how;
  setSampler(t, target, full);
  const coordinate = target === '2d' ? 'a_coord.xy' : 'a_coord.xyz';
  const call = t.api === 3 ? 'textureLod' : target === 'cube' ? 'textureCubeLod' : 'texture2DLod';
  const dim = { '2d': '2D', cube: 'Cube', '3d': '3D', '2d_array': '2DArray' }[target];
  buildProgram(t, {
    attributes: { a_position: 'highp vec2', a_coord: 'highp vec4' },
    varyings: { v_color: 'highp vec4' },
    vertexHead: `uniform highp sampler${dim} u_sampler;`,
    vertex: `gl_Position = vec4(a_position, 0.0, 1.0); v_color = ${call}(u_sampler, ${coordinate}, a_coord.w);`,
    fragment: 'o_color = v_color;',
  });
  const cells = 8;
  const positions: number[] = [];
  const coords: number[] = [];
  const low = new Uint8Array(width * height * 4);
  const high = new Uint8Array(width * height * 4);
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) {
      const coord =
        target === 'cube'
          ? faceDirection((i + j * cells) % 6, random.float(-0.98, 0.98), random.float(-0.98, 0.98))
          : [
              random.float(-1.5, 2.5),
              random.float(-1.5, 2.5),
              target === '2d_array' ? random.int(0, 4) + random.float(-0.4, 0.4) : random.float(-1.5, 2.5),
            ];
      const [s, u, r] = coord.map(Math.fround) as [number, number, number];
      const lod = Math.fround(random.float(-1, 5));
      const corners = [
        [i, j],
        [i + 1, j],
        [i, j + 1],
        [i, j + 1],
        [i + 1, j],
        [i + 1, j + 1],
      ];
      for (const [x, y] of corners) positions.push((x! / cells) * 2 - 1, (y! / cells) * 2 - 1);
      for (let vertex = 0; vertex < 6; vertex++) coords.push(s, u, r, lod);
      const bounds = texture.reference.bounds(s, u, r, lod, lod, full);
      for (let y = (j * height) / cells; y < ((j + 1) * height) / cells; y++)
        for (let x = (i * width) / cells; x < ((i + 1) * width) / cells; x++)
          for (let channel = 0; channel < 4; channel++) {
            low[(y * width + x) * 4 + channel] = Math.max(0, Math.floor(bounds.low[channel]! * 255 - 1.6));
            high[(y * width + x) * 4 + channel] = Math.min(255, Math.ceil(bounds.high[channel]! * 255 + 1.6));
          }
    }
  setAttributes(t, [
    { size: 2, data: positions },
    { size: 4, data: coords },
  ]);
  gl.glDrawArrays(gl.GL_TRIANGLES, 0, positions.length / 2);
  const got = t.readPixels();
  const shown = got.data.map((value, at) =>
    value >= low[at]! && value <= high[at]! ? value : (low[at]! + high[at]!) / 2,
  );
  t.comparePicture(got, { width, height, data: shown }, {});
}

function* vertexCases(api: 2 | 3): Generator<CaseDefinition> {
  const targets: readonly TextureTarget[] = api === 2 ? ['2d', 'cube'] : ['2d', 'cube', '2d_array', '3d'];
  for (const target of targets) {
    const make = (path: string, how: SamplerParameters) =>
      functionalCase(api, `texture.vertex.${target}.${path}`, (t) => runVertexTexture(t, target, how), SMALL_SURFACE);
    for (const min of MIN_FILTERS)
      for (const mag of ['nearest', 'linear'] as const)
        for (const wrap of WRAPS)
          yield make(`filtering.${min}_${mag}_${wrap}`, { min, mag, wrapS: wrap, wrapT: wrap, wrapR: wrap });
    for (const wrapS of WRAPS)
      for (const wrapT of WRAPS) {
        const how = { min: 'linear_mipmap_linear', mag: 'linear', wrapS, wrapT } as const;
        if (target !== '3d') yield make(`wrap.${wrapS}_${wrapT}`, how);
        else for (const wrapR of WRAPS) yield make(`wrap.${wrapS}_${wrapT}_${wrapR}`, { ...how, wrapR });
      }
  }
}

/** Several units at once: cell by cell the sum of all textures' colours, each divided by their number. */
function runUnits(t: CaseContext, count: number, kind: string): void {
  const { gl, random, width, height } = t;
  const format = formatNamed(SIZED_FORMATS, 'rgba8');
  const targets = ['2d', 'cube', '2d_array', '3d'] as const;
  const textures = Array.from({ length: count }, (_, unit) => {
    const target = kind === 'mixed' ? random.pick(targets) : (kind.replace('only_', '') as TextureTarget);
    gl.glActiveTexture(gl.GL_TEXTURE0 + unit);
    const texture = makeTexture(t, format, {
      target,
      width: 8,
      height: 8,
      ...(target === '3d' || target === '2d_array' ? { depth: 3 } : {}),
    });
    const min: MinFilter = random.pick(['nearest', 'linear']);
    const how: SamplerParameters = {
      min,
      mag: min === 'linear' ? 'linear' : 'nearest',
      wrapS: random.pick(WRAPS),
      wrapT: random.pick(WRAPS),
      wrapR: random.pick(WRAPS),
    };
    setSampler(t, target, how);
    return { texture, how };
  });
  const dim = { '2d': '2D', cube: 'Cube', '3d': '3D', '2d_array': '2DArray' };
  const program = buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_coord: 'highp vec3' },
    varyings: { v_coord: 'highp vec3' },
    vertex: 'gl_Position = a_position; v_coord = a_coord;',
    fragmentHead: textures
      .map(({ texture }, unit) => `uniform highp sampler${dim[texture.target]} u_sampler${unit};`)
      .join('\n'),
    fragment: `o_color = (${textures.map(({ texture }, unit) => `textureLod(u_sampler${unit}, ${texture.target === '2d' ? 'v_coord.xy' : 'v_coord'}, 0.0)`).join(' + ')}) / ${count.toFixed(1)};`,
  });
  for (let unit = 0; unit < count; unit++) gl.glUniform1i(program.uniform(`u_sampler${unit}`), unit);
  const corners = [
    [-0.7, -0.8, 0.9],
    [1.6, -0.5, 1.1],
    [-0.4, 1.5, 1.3],
  ] as const;
  const fourth = [0, 1, 2].map((i) => corners[1][i]! + corners[2][i]! - corners[0][i]!);
  drawFullQuad(t, [{ size: 3, data: [...corners.flat(), ...fourth] }]);
  const got = t.readPixels();
  const shown = got.data.slice();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [fx, fy] = [(x + 0.5) / width, (y + 0.5) / height];
      const [s, u, r] = [0, 1, 2].map(
        (i) => corners[0][i]! + (corners[1][i]! - corners[0][i]!) * fx + (corners[2][i]! - corners[0][i]!) * fy,
      ) as [number, number, number];
      const sum = [0, 0, 0, 0];
      for (const { texture, how } of textures)
        for (const [c, value] of texture.reference.sample(s, u, r, 0, how).entries()) sum[c]! += value / count;
      const pixel = (y * width + x) * 4;
      if (sum.every((value, c) => Math.abs(value * 255 - got.data[pixel + c]!) <= 1.6)) continue;
      const low = [0, 0, 0, 0];
      const high = [0, 0, 0, 0];
      for (const { texture, how } of textures) {
        const bounds = texture.reference.bounds(s, u, r, 0, 0, how);
        for (let c = 0; c < 4; c++) {
          low[c]! += bounds.low[c]! / count;
          high[c]! += bounds.high[c]! / count;
        }
      }
      for (let c = 0; c < 4; c++) {
        const at = (y * width + x) * 4 + c;
        if (got.data[at]! < low[c]! * 255 - 1.6 || got.data[at]! > high[c]! * 255 + 1.6)
          shown[at] = Math.round(((low[c]! + high[c]!) / 2) * 255);
      }
    }
  // Where the direction changes faces, rounding decides which face is sampled: a few pixels.
  t.comparePicture(
    got,
    { width, height, data: shown },
    { tolerance: 1, wrongPixels: textures.some(({ texture }) => texture.target === 'cube') ? 12 : 0 },
  );
}

function* unitCases(): Generator<CaseDefinition> {
  for (const [name, count] of [
    ['2_units', 2],
    ['4_units', 4],
    ['8_units', 8],
    ['all_units', 16],
  ] as const)
    for (const kind of ['mixed', 'only_2d', 'only_cube', 'only_2d_array', 'only_3d'])
      for (let index = 0; index < 10; index++)
        yield functionalCase(3, `texture.units.${name}.${kind}.${index}`, (t) => runUnits(t, count, kind), {
          width: 24,
          height: 24,
          depth: false,
          stencil: false,
        });
}

export function* textureFormatCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* formatCases(api);
  yield* sizeCases(api);
  yield* vertexCases(api);
  if (api === 2) yield* completenessCases();
  else {
    yield* swizzleCases();
    yield* shadowCases();
    yield* unitCases();
  }
}
