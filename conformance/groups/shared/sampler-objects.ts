// samplers: the parameters of a sampler object stand in for the texture's own, on its unit only.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { checkSampling, makeSampler, makeTexture, type SampledCell, type TextureShape } from '../../harness/texture.ts';
import { sizedFormat } from '../../reference/texture-formats.ts';
import type { SamplerParameters } from '../../reference/texture-lookup.ts';

const SURFACE = { width: 32, height: 32 };

const SHAPES = {
  tex_2d: { target: '2d', width: 16, height: 16, levels: 'full' },
  tex_3d: { target: '3d', width: 8, height: 8, depth: 8, levels: 'full' },
  tex_cube: { target: 'cube', width: 16, height: 16, levels: 'full' },
} as const satisfies Readonly<Record<string, TextureShape>>;

const PLAIN: SamplerParameters = {
  min: 'nearest',
  mag: 'nearest',
  wrapS: 'clamp',
  wrapT: 'clamp',
  wrapR: 'clamp',
  minLod: -1000,
  maxLod: 1000,
};

/** What differs between the sampler object and the texture; the first is the object's. */
const DIFFERENCES: Readonly<Record<string, readonly [Partial<SamplerParameters>, Partial<SamplerParameters>]>> = {
  diff_wrap_s: [{ wrapS: 'repeat' }, { wrapS: 'clamp' }],
  diff_wrap_t: [{ wrapT: 'mirror' }, { wrapT: 'clamp' }],
  diff_wrap_r: [{ wrapR: 'repeat' }, { wrapR: 'clamp' }],
  diff_min_filter: [{ min: 'linear' }, { min: 'nearest_mipmap_nearest' }],
  diff_mag_filter: [{ mag: 'linear' }, { mag: 'nearest' }],
  diff_min_lod: [
    { min: 'nearest_mipmap_nearest', minLod: 2 },
    { min: 'nearest_mipmap_nearest', minLod: -1000 },
  ],
  diff_max_lod: [
    { min: 'nearest_mipmap_nearest', maxLod: 1 },
    { min: 'nearest_mipmap_nearest', maxLod: 1000 },
  ],
};

/** One cell magnified and beyond the edges, one minified. */
function cells(target: 'cube' | '2d' | '3d'): SampledCell[] {
  const over = (x: number, low: number, high: number): SampledCell => ({
    x,
    y: 0,
    width: 16,
    height: 32,
    corners:
      target === 'cube'
        ? [
            [1, low / 2, low / 2],
            [1, low / 2, high / 2],
            [1, high / 2, low / 2],
          ]
        : [
            [low, low, low + 0.05],
            [high, low, high + 0.05],
            [low, high, low + 0.05],
          ],
  });
  return [over(0, -0.23, 0.41), target === 'cube' ? over(16, -2, 2) : over(16, -3.2, 4.7)];
}

function runSamplerObject(t: CaseContext, kind: keyof typeof SHAPES, name: string, isMulti: boolean): void {
  const { gl } = t;
  const shape = SHAPES[kind];
  const [object, own] = DIFFERENCES[name]!;
  const [objectState, textureState] = [
    { ...PLAIN, ...object },
    { ...PLAIN, ...own },
  ];
  const sampler = makeSampler(t, objectState);
  const first = makeTexture(t, sizedFormat('rgba8'), shape);
  gl.glBindSampler(0, sampler);
  checkSampling(t, first, objectState, cells(shape.target), { textureState });
  if (isMulti) {
    // Another unit without a sampler object goes by its texture, one with the same object by the object.
    gl.glActiveTexture(gl.GL_TEXTURE1);
    const second = makeTexture(t, sizedFormat('rgba8'), shape);
    checkSampling(t, second, textureState, cells(shape.target), { textureState, unit: 1 });
    gl.glBindSampler(1, sampler);
    checkSampling(t, second, objectState, cells(shape.target), { textureState, unit: 1 });
    gl.glActiveTexture(gl.GL_TEXTURE0);
  }
  gl.glBindSampler(0, 0);
  checkSampling(t, first, textureState, cells(shape.target), { textureState });
}

export function* samplerObjectCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  for (const count of ['single', 'multi'])
    for (const kind of Object.keys(SHAPES) as (keyof typeof SHAPES)[])
      for (const name of Object.keys(DIFFERENCES))
        yield functionalCase(
          3,
          `samplers.${count}_${kind}.${name}`,
          (t) => runSamplerObject(t, kind, name, count === 'multi'),
          SURFACE,
        );
}
