// Places: what an l-value or a readable variable path denotes, how to step into it, load it and store to it.
// A place keeps its dynamic indices as values, so the index expressions of an l-value are evaluated exactly once.
// SPDX-License-Identifier: MIT
import { listOf } from '../base/list.ts';
import type { Value, Variable } from '../ir/ir.ts';
import { layoutType, type TypeLayout } from './block-layout.ts';
import type { LowerContext, SamplerChoice } from './lower-context.ts';
import {
  buildTree,
  childCountOf,
  childrenOf,
  childTypeOf,
  fromStoredWords,
  isVector,
  samplerCount,
  selectComponents,
  type Tree,
  uniformSlotCount,
  vectorFrom,
  vectorOf,
} from './lower-values.ts';
import { type ScalarType, type Type, type VectorType, vectorType } from './types.ts';

interface PlaceBase {
  readonly type: Type;
  /** Selected components when the place is a swizzle of the vector it stands for (then `type` is the swizzle's). */
  readonly components: readonly number[] | undefined;
  /** Samplers inside of it, when the type has any. */
  readonly samplers: SamplerChoice | undefined;
}

export interface VariablePlace extends PlaceBase {
  readonly kind: 'variable';
  readonly variable: Variable;
  readonly path: readonly (number | Value)[];
}

/** In constant buffer 0: slot = base + offset, clamped to `end`. */
export interface UniformPlace extends PlaceBase {
  readonly kind: 'uniform';
  readonly base: number;
  readonly offset: Value | undefined;
  /** One past the last slot that the access may reach. */
  readonly end: number;
}

/** In a uniform block: byte = base + offset. */
export interface BlockPlace extends PlaceBase {
  readonly kind: 'block';
  readonly block: number;
  readonly base: number;
  readonly offset: Value | undefined;
  readonly layout: TypeLayout;
  /** Bytes between the components of a vector: not 4 in a column of a row-major matrix. */
  readonly componentStride: number;
}

/** A sampler or an array of samplers. */
export interface SamplerPlace extends PlaceBase {
  readonly kind: 'sampler';
  readonly samplers: SamplerChoice;
}

export type Place = VariablePlace | UniformPlace | BlockPlace | SamplerPlace;

export function variablePlace(variable: Variable, type: Type, samplers?: SamplerChoice): VariablePlace {
  return { kind: 'variable', variable, path: [], type, components: undefined, samplers };
}

export function uniformPlace(type: Type, base: number, sampler: number): Place {
  const samplers: SamplerChoice | undefined =
    samplerCount(type) > 0 ? { base: sampler, offset: undefined, candidates: [0] } : undefined;
  const end = base + uniformSlotCount(type);
  return withSamplers({ kind: 'uniform', base, offset: undefined, end, type, components: undefined, samplers });
}

export function blockPlace(block: number, layout: TypeLayout): BlockPlace {
  return {
    kind: 'block',
    block,
    base: 0,
    offset: undefined,
    layout,
    componentStride: 4,
    type: layout.type,
    components: undefined,
    samplers: undefined,
  };
}

/** A uniform or variable place that has come down to samplers only is a sampler place. */
function withSamplers(place: UniformPlace | VariablePlace): Place {
  const leaf = place.type.kind === 'array' ? place.type.element : place.type;
  if (leaf.kind !== 'sampler' || place.samplers === undefined) return place;
  return { kind: 'sampler', type: place.type, components: undefined, samplers: place.samplers };
}

// ---- stepping in --------------------------------------------------------------------------------------------------

/** The place of `place.member`. */
export function memberPlace(ctx: LowerContext, place: Place, member: number): Place {
  return childPlace(ctx, place, member, undefined);
}

/**
 * The place of `place[index]` for a constant or dynamic index; undefined when it can only be read as a value (a
 * dynamic component of a vector that is no variable).
 */
export function elementPlace(ctx: LowerContext, place: Place, index: number | Value): Place | undefined {
  if (place.type.kind !== 'vector') {
    return typeof index === 'number' ? childPlace(ctx, place, index, undefined) : childPlace(ctx, place, 0, index);
  }
  if (typeof index === 'number') return swizzlePlace(place, [index]);
  if (place.kind !== 'variable') return undefined;
  const step = place.components === undefined ? index : selectedComponent(ctx, place.components, index);
  const type = vectorType(place.type.base, 1);
  return { ...place, path: [...place.path, step], type, components: undefined };
}

/** Component number of the whole vector for dynamic component `index` of a swizzle. */
function selectedComponent(ctx: LowerContext, components: readonly number[], index: Value): Value {
  const { b } = ctx;
  let result: Value = b.constInt(components[components.length - 1]);
  for (let i = components.length - 2; i >= 0; i--) {
    result = b.select(b.ieq(index, b.constInt(i)), b.constInt(components[i]), result);
  }
  return result;
}

/** The place of `place.xyz`. */
export function swizzlePlace(place: Place, components: readonly number[]): Place {
  const type = place.type as ScalarType | VectorType;
  const whole = place.components === undefined ? components : components.map((c) => place.components![c]);
  return { ...place, components: whole, type: vectorType(type.base, components.length) };
}

/** Steps to a member, element or column: `index`, plus the run-time `dynamic` index when there is one. */
function childPlace(ctx: LowerContext, place: Place, index: number, dynamic: Value | undefined): Place {
  const type = childTypeOf(place.type, index);
  const samplers = childSamplers(ctx, place, type, index, dynamic);
  switch (place.kind) {
    case 'variable':
      return withSamplers({ ...place, path: [...place.path, dynamic ?? index], type, samplers });
    case 'uniform':
      return withSamplers(childUniform(ctx, place, type, index, dynamic, samplers));
    case 'block':
      return childBlock(ctx, place, type, index, dynamic);
    case 'sampler':
      return { ...place, type, samplers: samplers! };
  }
}

function childUniform(
  ctx: LowerContext,
  place: UniformPlace,
  type: Type,
  index: number,
  dynamic: Value | undefined,
  samplers: SamplerChoice | undefined,
): UniformPlace {
  const stride = uniformSlotCount(type);
  if (dynamic !== undefined) {
    // The first dynamic step bounds all that follow: whatever the index, the access stays inside of this array.
    const end = place.offset === undefined ? place.base + stride * childCountOf(place.type) : place.end;
    return { ...place, type, samplers, end, offset: addScaled(ctx, place.offset, dynamic, stride) };
  }
  let before = index * stride;
  if (place.type.kind === 'struct') {
    before = 0;
    for (let i = 0; i < index; i++) before += uniformSlotCount(place.type.members[i].type);
  }
  return { ...place, type, samplers, base: place.base + before };
}

function childBlock(
  ctx: LowerContext,
  place: BlockPlace,
  type: Type,
  index: number,
  dynamic: Value | undefined,
): BlockPlace {
  const { layout } = place;
  if (place.type.kind === 'struct') {
    const member = layout.members[index];
    return { ...place, type, base: place.base + member.offset, layout: member.layout };
  }
  // An array of blocks: each instance is a buffer of its own (GLSL asks for a constant index there).
  if (layout.type.kind === 'struct' && place.type.kind === 'array') {
    return { ...place, type, block: place.block + index };
  }
  let stride = layout.arrayStride;
  let child = layout.element;
  let componentStride = 4;
  if (place.type.kind === 'matrix') {
    stride = layout.isRowMajor ? 4 : layout.matrixStride;
    componentStride = layout.isRowMajor ? layout.matrixStride : 4;
    child = layoutType(type, false);
  }
  const next = { ...place, type, componentStride, layout: child! };
  if (dynamic === undefined) return { ...next, base: place.base + index * stride };
  const clamped = clampIndex(ctx, dynamic, childCountOf(place.type));
  return { ...next, offset: addScaled(ctx, place.offset, clamped, stride) };
}

/** Keeps a byte offset from wrapping around: huge indices read the last element. */
function clampIndex(ctx: LowerContext, index: Value, count: number): Value {
  return ctx.b.umin(index, ctx.b.constInt(count - 1));
}

function childSamplers(
  ctx: LowerContext,
  place: Place,
  type: Type,
  index: number,
  dynamic: Value | undefined,
): SamplerChoice | undefined {
  const { samplers } = place;
  const stride = samplers === undefined ? 0 : samplerCount(type);
  if (samplers === undefined || stride === 0) return undefined;
  if (dynamic !== undefined) {
    const count = childCountOf(place.type);
    const candidates = samplers.candidates.flatMap((c) => listOf(count, (i) => c + i * stride));
    return { base: samplers.base, candidates, offset: addScaled(ctx, samplers.offset, dynamic, stride) };
  }
  let before = index * stride;
  if (place.type.kind === 'struct') {
    before = 0;
    for (let i = 0; i < index; i++) before += samplerCount(place.type.members[i].type);
  }
  return { ...samplers, base: samplers.base + before };
}

function addScaled(ctx: LowerContext, offset: Value | undefined, index: Value, scale: number): Value {
  const { b } = ctx;
  const scaled = scale === 1 ? index : b.imul(index, b.constInt(scale));
  return offset === undefined ? scaled : b.iadd(offset, scaled);
}

// ---- loading ------------------------------------------------------------------------------------------------------

/** Reads the whole place. */
export function loadPlace(ctx: LowerContext, place: Place): Tree {
  const { type } = place;
  if (type.kind === 'sampler') return ctx.b.constInt(0);
  if (type.kind === 'scalar' || type.kind === 'vector') {
    const whole = loadVector(ctx, place, type);
    return place.components === undefined ? whole : selectComponents(ctx.b, whole, place.components);
  }
  if (place.kind === 'sampler') return buildTree(type, () => ctx.b.constInt(0));
  const children: Tree[] = [];
  const count = childCountOf(type);
  for (let i = 0; i < count; i++) children.push(loadPlace(ctx, childPlace(ctx, place, i, undefined)));
  return children;
}

/** Reads the vector that a place selects from (all its components). */
function loadVector(ctx: LowerContext, place: Place, type: ScalarType | VectorType): Value {
  const { b } = ctx;
  switch (place.kind) {
    case 'variable':
      return b.loadVar(place.variable, place.path);
    case 'uniform': {
      const rows = wholeRows(place, type);
      const words =
        place.offset === undefined
          ? b.loadUniform(rows, place.base)
          : b.loadUniform(rows, place.base, place.offset, Math.max(1, place.end - place.base));
      return fromStoredWords(b, type.base, words);
    }
    case 'block': {
      const rows = wholeRows(place, type);
      if (place.componentStride === 4) {
        return fromStoredWords(b, type.base, b.loadUbo(rows, place.block, place.base, place.offset));
      }
      const scalars: Value[] = [];
      for (let i = 0; i < rows; i++) {
        scalars.push(b.loadUbo(1, place.block, place.base + i * place.componentStride, place.offset));
      }
      return vectorFrom(b, scalars);
    }
    case 'sampler':
      throw new Error('a sampler has no vector value');
  }
}

/** Components to read so that all selected ones are there. */
function wholeRows(place: Place, type: ScalarType | VectorType): number {
  return place.components === undefined ? type.rows : Math.max(...place.components) + 1;
}

// ---- storing ------------------------------------------------------------------------------------------------------

/** Writes a value of the place's type. Only variables can be written: the checker lets nothing else through. */
export function storePlace(ctx: LowerContext, place: Place, value: Tree): void {
  if (place.kind !== 'variable') throw new Error('only variables can be assigned');
  if (!isVector(value)) {
    const children = childrenOf(value);
    for (let i = 0; i < children.length; i++) storePlace(ctx, childPlace(ctx, place, i, undefined), children[i]);
    return;
  }
  const { b } = ctx;
  if (place.components === undefined) {
    b.storeVar(place.variable, place.path, value);
    return;
  }
  storeComponents(ctx, place, vectorOf(value), place.components);
}

function storeComponents(ctx: LowerContext, place: VariablePlace, value: Value, components: readonly number[]): void {
  const rows = rowsAt(place);
  if (rows === 1) {
    ctx.b.storeVar(place.variable, place.path, value);
    return;
  }
  // Component i of the stored vector comes from the value's component for it; masked ones may be anything.
  const selection = new Array<number>(rows).fill(0);
  let writeMask = 0;
  for (let i = 0; i < components.length; i++) {
    selection[components[i]] = i;
    writeMask |= 1 << components[i];
  }
  ctx.b.storeVar(place.variable, place.path, ctx.b.swizzle(value, selection), writeMask);
}

/** Components of the whole vector that a swizzled variable place belongs to. */
function rowsAt(place: VariablePlace): number {
  let type = place.variable.type;
  for (const step of place.path) {
    if (type.kind === 'array') type = type.element;
    else if (type.kind === 'struct') type = type.members[step as number].type;
    else return type.kind === 'matrix' ? type.rows : 1;
  }
  return type.kind === 'vector' ? type.components : 1;
}
