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

/** `level`: numbers from 0 to levelCount − 1, which may differ by lane; null: 0. */
export function loadLevel(
  f: FunctionBuilder,
  view: Local<'i32'>,
  level: VecLocal | null,
  wanted: keyof typeof FIELDS,
  isLayered: boolean,
): LevelVectors {
  const fields = fieldsOf(wanted, isLayered);
  const result = levelLocals(f, fields);
  const levels = TEXTURE_VIEW.offset.levels;
  const loadOne = (): void => loadUniform(f, view, level, fields, result);
  const loadEach = (): void => {
    const bases = [0, 1, 2, 3].map((lane) => f.let(levelAddress(f, view, level!, lane)));
    const rows = (offset: number): [Vec, Vec, Vec, Vec] =>
      bases.map((base) => f.let(f.v128.load(base, levels + offset))) as [VecLocal, VecLocal, VecLocal, VecLocal];
    const columns = [...transpose(f, rows(0), 4), ...transpose(f, rows(16), isLayered ? 2 : 1)];
    for (const field of fields) f.set(result[field], columns[TEXTURE_LEVEL.word[field]]!);
  };
  if (!level) f.scope(loadOne);
  else {
    const first = f.i32x4.splat(f.i32x4.extract_lane(level, 0));
    f.if(f.i32x4.all_true(f.i32x4.eq(level, first)), loadOne, loadEach);
  }
  return result;
}

/** A level's vectors, loaded anew only where the level is another one than before: what needs them need not wait for its number. */
export interface KeptLevels {
  readonly number: Local<'i32'>;
  readonly lower: LevelVectors;
  /** The one that mips are filtered with. */
  readonly upper: LevelVectors;
}

export function keepLevels(f: FunctionBuilder, isLayered: boolean): KeptLevels {
  const vectors = (): LevelVectors => levelLocals(f, fieldsOf('all', isLayered));
  return { number: f.local('i32', -1), lower: vectors(), upper: vectors() };
}

/** Turns to the levels that all lanes are known to want. */
export function turnToLevels(
  f: FunctionBuilder,
  view: Local<'i32'>,
  kept: KeptLevels,
  level0: VecLocal,
  level1: VecLocal | null,
  isLayered: boolean,
): void {
  const number = f.let(f.i32x4.extract_lane(level0, 0));
  f.if(f.i32.ne(number, kept.number), () => {
    f.set(kept.number, number);
    const fields = fieldsOf('all', isLayered);
    loadUniform(f, view, level0, fields, kept.lower);
    if (level1) loadUniform(f, view, level1, fields, kept.upper);
  });
}

function fieldsOf(wanted: keyof typeof FIELDS, isLayered: boolean): readonly LevelField[] {
  const [plane, layers] = FIELDS[wanted];
  return isLayered ? [...plane, ...layers] : plane;
}

function levelLocals(f: FunctionBuilder, fields: readonly LevelField[]): LevelVectors {
  return Object.fromEntries(fields.map((field) => [field, f.local('v128')])) as LevelVectors;
}

function loadUniform(
  f: FunctionBuilder,
  view: Local<'i32'>,
  level: VecLocal | null,
  fields: readonly LevelField[],
  result: LevelVectors,
): void {
  const base = level ? f.let(levelAddress(f, view, level, 0)) : view;
  const levels = TEXTURE_VIEW.offset.levels;
  for (const field of fields) f.set(result[field], f.v128.load32_splat(base, levels + TEXTURE_LEVEL.offset[field]));
}

function levelAddress(f: FunctionBuilder, view: Local<'i32'>, level: VecLocal, lane: number) {
  return f.i32.add(view, f.i32.mul(f.i32x4.extract_lane(level, lane), TEXTURE_LEVEL.size));
}
