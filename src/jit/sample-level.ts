// SPDX-License-Identifier: MIT
// Emits the reading of mip level descriptors (TEXTURE_LEVEL) into vectors, one level a lane or one for all.
import { TEXTURE_LEVEL, TEXTURE_VIEW } from '../raster/layout.ts';
import type { Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { transpose } from './pixel-gather.ts';
import type { Vec, VecLocal } from './pixel-math.ts';

/** Fields of planes, and those that layers add. */
const FIELDS = {
  size: [['width', 'height'], ['depth']],
  all: [
    ['address', 'rowStride', 'width', 'height'],
    ['layerStride', 'depth'],
  ],
} as const;
type LevelField = (typeof FIELDS)['all'][0 | 1][number];
/** Only what was loaded is there: by `fields`; `layerStride` and `depth` of layered levels. */
export type LevelVectors = Readonly<Record<LevelField, VecLocal>>;

/** `level`: numbers from 0 to levelCount − 1. With `isUniform` all lanes are known to be equal, else it is tested. */
export function loadLevel(
  f: FunctionBuilder,
  view: Local<'i32'>,
  level: VecLocal | null,
  isUniform: boolean,
  wanted: keyof typeof FIELDS,
  isLayered: boolean,
): LevelVectors {
  const [plane, layers] = FIELDS[wanted];
  const fields: readonly LevelField[] = isLayered ? [...plane, ...layers] : plane;
  const result = Object.fromEntries(fields.map((field) => [field, f.local('v128')])) as LevelVectors;
  const levels = TEXTURE_VIEW.offset.levels;
  const loadUniform = (): void => {
    const base = level ? f.let(levelAddress(f, view, level, 0)) : view;
    for (const field of fields) f.set(result[field], f.v128.load32_splat(base, levels + TEXTURE_LEVEL.offset[field]));
  };
  const loadEach = (): void => {
    const bases = [0, 1, 2, 3].map((lane) => f.let(levelAddress(f, view, level!, lane)));
    const rows = (offset: number): [Vec, Vec, Vec, Vec] =>
      bases.map((base) => f.let(f.v128.load(base, levels + offset))) as [VecLocal, VecLocal, VecLocal, VecLocal];
    const columns = [...transpose(f, rows(0), 4), ...transpose(f, rows(16), isLayered ? 2 : 1)];
    for (const field of fields) f.set(result[field], columns[TEXTURE_LEVEL.word[field]]!);
  };
  if (!level || isUniform) f.scope(loadUniform);
  else {
    const first = f.i32x4.splat(f.i32x4.extract_lane(level, 0));
    f.if(f.i32x4.all_true(f.i32x4.eq(level, first)), loadUniform, loadEach);
  }
  return result;
}

function levelAddress(f: FunctionBuilder, view: Local<'i32'>, level: VecLocal, lane: number) {
  return f.i32.add(view, f.i32.mul(f.i32x4.extract_lane(level, lane), TEXTURE_LEVEL.size));
}
