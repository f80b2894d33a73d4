// texture.filtering and texture.wrap: minified and magnified quads of every format, size, filter and wrap mode.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import {
  type Coordinate,
  checkSampling,
  makeTexture,
  type SampledCell,
  type TestTexture,
  type TextureShape,
} from '../../harness/texture.ts';
import {
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
  type Wrap,
} from '../../reference/texture-lookup.ts';

const SURFACE = { width: 48, height: 32, depth: false, stencil: false };

export const MIN_FILTERS: readonly MinFilter[] = [
  'nearest',
  'linear',
  'nearest_mipmap_nearest',
  'linear_mipmap_nearest',
  'nearest_mipmap_linear',
  'linear_mipmap_linear',
];
const MAG_FILTERS = ['nearest', 'linear'] as const;
export const WRAPS: readonly Wrap[] = ['clamp', 'repeat', 'mirror'];

/** A cell whose coordinates advance by texels a pixel, slightly slanted, around a middle. */
export function slantedCell(
  texture: TestTexture,
  place: { x: number; y: number; width: number; height: number },
  texelsPerPixel: number,
  middle: Coordinate,
): SampledCell {
  const { width, height, depth } = texture.reference.images[0]![0]!;
  const du = (texelsPerPixel * place.width) / width;
  const dv = (texelsPerPixel * 0.8 * place.height) / height;
  const dr = texture.target === '3d' ? (texelsPerPixel * 0.3 * place.width) / depth : 0;
  const corner = (x: number, y: number): Coordinate => [
    middle[0] + du * (x - 0.5) + du * 0.1 * (y - 0.5),
    middle[1] + dv * (y - 0.5) - dv * 0.1 * (x - 0.5),
    middle[2] + dr * (x + y - 1),
  ];
  return { ...place, corners: [corner(0, 0), corner(1, 0), corner(0, 1)] };
}

/** Cells for a target: magnified ones over the texture's edges, minified ones over several repeats. */
export function cellsFor(t: CaseContext, texture: TestTexture, scales: readonly number[] = [0.37, 2.7]): SampledCell[] {
  const { random, width, height } = t;
  if (texture.target === 'cube') return cubeCells(t, texture, scales);
  const cells: SampledCell[] = [];
  const step = width / scales.length;
  const { depth } = texture.reference.images[0]![0]!;
  for (const [index, scale] of scales.entries()) {
    const middle: Coordinate = [
      random.pick([0, 1]) + random.float(-0.03, 0.03),
      random.pick([0, 1]) + random.float(-0.03, 0.03),
      // Layers away from halves, a little over both ends too.
      texture.target === '2d_array' ? random.int(-1, depth) + random.float(-0.4, 0.4) : random.float(-0.2, 1.2),
    ];
    cells.push(slantedCell(texture, { x: index * step, y: 0, width: step, height }, scale, middle));
  }
  return cells;
}

/** Every face gets a cell of each scale; on a face the coordinates stay linear since the major axis stays 1. */
function cubeCells(t: CaseContext, texture: TestTexture, scales: readonly number[]): SampledCell[] {
  const { random, width, height } = t;
  const size = texture.reference.images[0]![0]!.width;
  const cells: SampledCell[] = [];
  const [w, h] = [width / 6, height / scales.length];
  for (let face = 0; face < 6; face++)
    for (const [index, scale] of scales.entries()) {
      const ds = Math.min((scale * w * 2) / size, 1.98);
      const dt = Math.min((scale * h * 2 * 0.5) / size, 1.98);
      const start = (range: number) => random.pick([-0.99, 0.99 - range, -0.99 + random.float() * (1.98 - range)]);
      const [s0, t0] = [start(ds), start(dt)];
      const corner = (x: number, y: number): Coordinate => faceDirection(face, s0 + ds * x, t0 + dt * y);
      cells.push({
        x: face * w,
        y: index * h,
        width: w,
        height: h,
        corners: [corner(0, 0), corner(1, 0), corner(0, 1)],
      });
    }
  return cells;
}

export interface SamplingSpec {
  readonly format: TexelFormat;
  readonly shape: TextureShape;
  readonly how: SamplerParameters;
}

export function runSampling(t: CaseContext, spec: SamplingSpec, scales?: readonly number[]): void {
  const { format } = spec;
  const shape = { ...spec.shape, levels: spec.how.min.includes('mipmap') ? ('full' as const) : 1 };
  const texture = makeTexture(t, format, shape);
  const how = t.api === 2 ? { ...spec.how, seams: 'open' as const } : spec.how;
  checkSampling(t, texture, how, cellsFor(t, texture, scales));
}

function defaults(min: MinFilter): SamplerParameters {
  // Seen as dEQP does: the magnifying filter goes with the minifying one.
  return {
    min,
    mag: min.startsWith('nearest') ? 'nearest' : 'linear',
    wrapS: 'repeat',
    wrapT: 'repeat',
    wrapR: 'repeat',
  };
}

const SIZES: Readonly<Record<TextureTarget, readonly (readonly number[])[]>> = {
  '2d': [
    [4, 8],
    [32, 64],
    [128, 128],
    [3, 7],
    [31, 55],
    [127, 99],
  ],
  cube: [
    [8, 8],
    [64, 64],
    [128, 128],
    [7, 7],
    [63, 63],
  ],
  '2d_array': [
    [4, 8, 8],
    [32, 64, 16],
    [128, 32, 64],
    [3, 7, 5],
    [63, 63, 63],
  ],
  '3d': [
    [4, 8, 8],
    [32, 64, 16],
    [128, 32, 64],
    [3, 7, 5],
    [63, 63, 63],
  ],
};

const FILTER_FORMATS = [
  'rgba16f',
  'r11f_g11f_b10f',
  'rgb9_e5',
  'rgba8',
  'rgba8_snorm',
  'rgb565',
  'rgba4',
  'rgb5_a1',
  'srgb8_alpha8',
  'rgb10_a2',
];

function shapeOf(target: TextureTarget, size: readonly number[]): TextureShape {
  return { target, width: size[0]!, height: size[1]!, ...(size[2] ? { depth: size[2] } : {}) };
}

function* filteringEs3(): Generator<CaseDefinition> {
  for (const target of ['2d', 'cube', '2d_array', '3d'] as const) {
    const make = (path: string, spec: SamplingSpec) =>
      functionalCase(3, `texture.filtering.${target}.${path}`, (t) => runSampling(t, spec), SURFACE);
    const rgba8 = formatNamed(SIZED_FORMATS, 'rgba8');
    const usual = { '2d': [32, 32], cube: [16, 16], '2d_array': [16, 16, 6], '3d': [16, 16, 8] }[target];
    for (const min of MIN_FILTERS) {
      for (const name of FILTER_FORMATS)
        yield make(`formats.${name}_${min}`, {
          format: formatNamed(SIZED_FORMATS, name),
          shape: shapeOf(target, usual),
          how: defaults(min),
        });
      if (target === '2d' || target === 'cube')
        yield make(`formats.bgra_${min}`, {
          format: formatNamed(OTHER_FORMATS, 'bgra'),
          shape: shapeOf(target, usual),
          how: defaults(min),
        });
      for (const size of SIZES[target])
        yield make(`sizes.${size.join('x')}_${min}`, {
          format: rgba8,
          shape: shapeOf(target, size),
          how: defaults(min),
        });
      for (const mag of MAG_FILTERS)
        for (const wrapS of WRAPS)
          for (const wrapT of WRAPS) {
            const names = `combinations.${min}_${mag}_${wrapS}_${wrapT}`;
            const shape = shapeOf(
              target,
              target === '2d' ? [37, 29] : target === 'cube' ? [15, 15] : target === '3d' ? [13, 15, 7] : [23, 19, 4],
            );
            if (target !== '3d') yield make(names, { format: rgba8, shape, how: { min, mag, wrapS, wrapT } });
            else
              for (const wrapR of WRAPS)
                yield make(`${names}_${wrapR}`, { format: rgba8, shape, how: { min, mag, wrapS, wrapT, wrapR } });
          }
    }
  }
}

function* filteringEs2(): Generator<CaseDefinition> {
  const formats = ['l8', 'rgb888', 'rgba4444', 'rgba8888'];
  for (const target of ['2d', 'cube'] as const) {
    const make = (name: string, spec: SamplingSpec) =>
      functionalCase(2, `texture.filtering.${target}.${name}`, (t) => runSampling(t, spec), SURFACE);
    const pot = target === '2d' ? [32, 64] : [32, 32];
    const npot = target === '2d' ? [31, 55] : [31, 31];
    for (const min of MIN_FILTERS)
      for (const mag of MAG_FILTERS)
        for (const wrap of WRAPS)
          for (const name of formats) {
            const format = formatNamed(UNSIZED_FORMATS, name);
            const how = { min, mag, wrapS: wrap, wrapT: wrap };
            const base = `${min}_${mag}_${wrap}_${name}`;
            if (min.includes('mipmap')) {
              if (name !== 'rgba8888' && !isMipmapListed(min, mag, wrap)) continue;
              yield make(base, { format, shape: shapeOf(target, pot), how });
            } else {
              yield make(`${base}_pot`, { format, shape: shapeOf(target, pot), how });
              if (wrap === 'clamp') yield make(`${base}_npot`, { format, shape: shapeOf(target, npot), how });
            }
          }
  }
}

/** dEQP tests the other formats with the filters that mix one level and repeat. */
function isMipmapListed(min: MinFilter, mag: string, wrap: Wrap): boolean {
  return min.includes('mipmap') && mag === 'nearest' && wrap === 'repeat';
}

function* wrapCases(api: 2 | 3): Generator<CaseDefinition> {
  const make = (path: string, spec: SamplingSpec) =>
    functionalCase(api, `texture.wrap.${path}`, (t) => runSampling(t, spec, [0.45, 1.3]), SURFACE);
  if (api === 3) {
    for (const wrapS of WRAPS)
      for (const wrapT of WRAPS)
        for (const filter of MAG_FILTERS)
          for (const kind of ['pot', 'npot'] as const)
            yield make(`rgba8.${wrapS}_${wrapT}_${filter}_${kind}`, {
              format: formatNamed(SIZED_FORMATS, 'rgba8'),
              shape: shapeOf('2d', kind === 'pot' ? [16, 8] : [11, 13]),
              how: { min: filter, mag: filter, wrapS, wrapT },
            });
    return;
  }
  const how = (wrapS: Wrap, wrapT: Wrap, filter: 'nearest' | 'linear'): SamplerParameters => ({
    min: filter,
    mag: filter,
    wrapS,
    wrapT,
  });
  for (const name of ['l8', 'rgb888', 'rgba4444', 'rgba8888'])
    for (const kind of ['pot', 'npot'])
      yield make(`clamp_clamp_linear_${kind}_${name}`, {
        format: formatNamed(UNSIZED_FORMATS, name),
        shape: shapeOf('2d', kind === 'pot' ? [16, 8] : [11, 13]),
        how: how('clamp', 'clamp', 'linear'),
      });
  for (const name of ['l8', 'rgb888'])
    yield make(`clamp_clamp_nearest_npot_${name}`, {
      format: formatNamed(UNSIZED_FORMATS, name),
      shape: shapeOf('2d', [11, 13]),
      how: how('clamp', 'clamp', 'nearest'),
    });
  for (const [wrapS, wrapT] of [
    ['clamp', 'mirror'],
    ['mirror', 'clamp'],
    ['mirror', 'mirror'],
  ] as const)
    yield make(`${wrapS}_${wrapT}_linear_pot_rgba8888`, {
      format: formatNamed(UNSIZED_FORMATS, 'rgba8888'),
      shape: shapeOf('2d', [16, 8]),
      how: how(wrapS, wrapT, 'linear'),
    });
}

export function* textureFilteringCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* api === 2 ? filteringEs2() : filteringEs3();
  yield* wrapCases(api);
}
