// Uniforms of the default block: do both stages agree, where does each stand in constant buffer 0, which samplers are there?
// SPDX-License-Identifier: MIT
import type { SamplerInfo } from '../ir/ir.ts';
import type { CheckedShader, ShaderStage, VariableSymbol } from './ast.ts';
import { forEachPart, glInfoOf, type NamedPart } from './link-names.ts';
import { countedItem, type PackItem, packRows } from './link-packing.ts';
import type { ActiveUniform, LinkOptions, SamplerElement, UniformLocation } from './link-result.ts';
import type { UniformPlacement } from './lower-context.ts';
import { DEPTH_RANGE } from './lower-interface.ts';
import { samplerCount, uniformSlotCount } from './lower-values.ts';
import { areTypesEquivalent, componentCount, isNumeric, type SamplerType, type Type } from './types.ts';

/** A stage and the variables its reachable code names. */
export interface StageUse {
  readonly shader: CheckedShader;
  readonly used: ReadonlySet<VariableSymbol>;
}

export interface StageUniforms {
  readonly placements: Map<string, UniformPlacement>;
  /** Stage sampler index → index into `samplerElements`. */
  readonly samplers: number[];
  readonly samplerInfos: SamplerInfo[];
}

export interface UniformPlan {
  readonly uniforms: ActiveUniform[];
  readonly locations: UniformLocation[];
  readonly samplerElements: SamplerElement[];
  readonly slotCount: number;
  readonly depthRangeSlot: number;
  readonly vertex: StageUniforms;
  readonly fragment: StageUniforms;
}

function isDefaultUniform(symbol: VariableSymbol): boolean {
  return symbol.storage === 'uniform' && symbol.block === undefined;
}

/** GLSL ES 3.00.6 §4.3.5: a uniform that both stages declare has one type and precision. */
export function matchUniforms(vertex: CheckedShader, fragment: CheckedShader, errors: string[]): void {
  const byName = new Map<string, VariableSymbol>();
  for (const symbol of vertex.globals) if (isDefaultUniform(symbol)) byName.set(symbol.name, symbol);
  for (const symbol of fragment.globals) {
    const other = isDefaultUniform(symbol) ? byName.get(symbol.name) : undefined;
    if (other === undefined) continue;
    if (!areTypesEquivalent(other.type, symbol.type)) {
      errors.push(`Types of uniform '${symbol.name}' differ between the vertex and the fragment shader.`);
    } else if (other.precision !== symbol.precision || !areTypesEquivalent(other.type, symbol.type, true)) {
      errors.push(`Precisions of uniform '${symbol.name}' differ between the vertex and the fragment shader.`);
    }
  }
}

interface MergedUniform {
  readonly name: string;
  readonly type: Type;
  readonly isBuiltin: boolean;
  usedInVertex: boolean;
  usedInFragment: boolean;
}

export function planUniforms(
  vertex: StageUse,
  fragment: StageUse,
  options: LinkOptions,
  errors: string[],
): UniformPlan {
  const merged = checkLimits(mergeUniforms(vertex, fragment), options, errors) ?? [];
  // GL lists samplers behind the others, built-in uniforms behind these.
  const rank = (uniform: MergedUniform) => (uniform.isBuiltin ? 2 : isOnlySamplers(uniform.type) ? 1 : 0);
  merged.sort((a, b) => rank(a) - rank(b));
  const plan: UniformPlan = {
    uniforms: [],
    locations: [],
    samplerElements: [],
    slotCount: merged.reduce((sum, uniform) => sum + uniformSlotCount(uniform.type), 0),
    depthRangeSlot: -1,
    vertex: { placements: new Map(), samplers: [], samplerInfos: [] },
    fragment: { placements: new Map(), samplers: [], samplerInfos: [] },
  };
  let slot = 0;
  let depthRangeSlot = -1;
  for (const uniform of merged) {
    if (uniform.isBuiltin && uniform.name === DEPTH_RANGE) depthRangeSlot = slot;
    placeUniform(plan, uniform, slot);
    slot += uniformSlotCount(uniform.type);
  }
  return { ...plan, depthRangeSlot };
}

/** Uniforms that reachable code names, the vertex shader's first. */
function mergeUniforms(vertex: StageUse, fragment: StageUse): MergedUniform[] {
  const byName = new Map<string, MergedUniform>();
  const add = ({ shader, used }: StageUse, stage: ShaderStage) => {
    for (const symbol of [...shader.globals, ...shader.builtinVariables]) {
      if (!isDefaultUniform(symbol) || !used.has(symbol)) continue;
      let uniform = byName.get(symbol.name);
      if (uniform === undefined) {
        const { name, type, isBuiltin } = symbol;
        uniform = { name, type, isBuiltin, usedInVertex: false, usedInFragment: false };
        byName.set(name, uniform);
      }
      if (stage === 'vertex') uniform.usedInVertex = true;
      else uniform.usedInFragment = true;
    }
  };
  add(vertex, 'vertex');
  add(fragment, 'fragment');
  return [...byName.values()];
}

function isOnlySamplers(type: Type): boolean {
  return type.kind === 'sampler' || (type.kind === 'array' && type.element.kind === 'sampler');
}

function placeUniform(plan: UniformPlan, uniform: MergedUniform, firstSlot: number): void {
  const { name, usedInVertex, usedInFragment } = uniform;
  if (usedInVertex) plan.vertex.placements.set(name, { slot: firstSlot, sampler: plan.vertex.samplers.length });
  if (usedInFragment) plan.fragment.placements.set(name, { slot: firstSlot, sampler: plan.fragment.samplers.length });
  let slot = firstSlot;
  forEachPart(uniform.type, name, (part) => {
    const index = plan.uniforms.length;
    const isSampler = part.type.kind === 'sampler';
    const samplerElement = isSampler ? plan.samplerElements.length : -1;
    if (isSampler) addSamplers(plan, uniform, part, index);
    plan.uniforms.push(describe(plan, uniform, part, isSampler ? -1 : slot, samplerElement));
    if (!isSampler) slot += part.size * uniformSlotCount(part.type);
    if (uniform.isBuiltin) return;
    for (let element = 0; element < part.size; element++) plan.locations.push({ uniform: index, element });
  });
}

function describe(
  plan: UniformPlan,
  uniform: MergedUniform,
  part: NamedPart,
  slot: number,
  samplerElement: number,
): ActiveUniform {
  return {
    name: part.isArray ? `${part.name}[0]` : part.name,
    type: glInfoOf(part.type).enum,
    size: part.size,
    isArray: part.isArray,
    location: uniform.isBuiltin ? -1 : plan.locations.length,
    usedInVertex: uniform.usedInVertex,
    usedInFragment: uniform.usedInFragment,
    slot,
    slotsPerElement: uniformSlotCount(part.type),
    samplerElement,
    blockIndex: -1,
    offset: -1,
    arrayStride: -1,
    matrixStride: -1,
    isRowMajor: false,
  };
}

function addSamplers(plan: UniformPlan, uniform: MergedUniform, part: NamedPart, index: number): void {
  const type = part.type as SamplerType;
  for (let element = 0; element < part.size; element++) {
    const number = plan.samplerElements.length;
    plan.samplerElements.push({ uniform: index, element, type: glInfoOf(type).enum });
    const info: SamplerInfo = {
      name: part.isArray ? `${part.name}[${element}]` : part.name,
      dim: type.dimension,
      shadow: type.isShadow,
      resultType: type.base,
    };
    for (const [isUsed, stage] of [
      [uniform.usedInVertex, plan.vertex],
      [uniform.usedInFragment, plan.fragment],
    ] as const) {
      if (!isUsed) continue;
      stage.samplers.push(number);
      stage.samplerInfos.push(info);
    }
  }
}

/** The uniforms if they fit the limits. Sizes are compared before anything is listed: arrays may be absurdly long. */
function checkLimits(merged: MergedUniform[], options: LinkOptions, errors: string[]): MergedUniform[] | undefined {
  const { limits } = options;
  const stages = [
    ['vertex', limits.maxVertexUniformVectors, limits.maxVertexTextureImageUnits],
    ['fragment', limits.maxFragmentUniformVectors, limits.maxTextureImageUnits],
  ] as const;
  const errorsBefore = errors.length;
  let totalSamplers = 0;
  for (const [name, maxVectors, maxSamplers] of stages) {
    const used = merged.filter((uniform) => (name === 'vertex' ? uniform.usedInVertex : uniform.usedInFragment));
    if (!fitsVectors(used, maxVectors)) {
      errors.push(`Too many uniforms in the ${name} shader: they do not fit into ${maxVectors} vectors.`);
    }
    const samplers = used.reduce((sum, uniform) => sum + samplerCount(uniform.type), 0);
    if (samplers > maxSamplers) {
      errors.push(`Too many samplers in the ${name} shader: ${samplers}, at most ${maxSamplers}.`);
    }
    totalSamplers += samplers;
  }
  if (totalSamplers > limits.maxCombinedTextureImageUnits) {
    errors.push(`Too many samplers in both shaders: ${totalSamplers}, at most ${limits.maxCombinedTextureImageUnits}.`);
  }
  return errors.length === errorsBefore ? merged : undefined;
}

function fitsVectors(uniforms: readonly MergedUniform[], maxVectors: number): boolean {
  const own = uniforms.filter((uniform) => !uniform.isBuiltin);
  const components = own.reduce((sum, uniform) => sum + componentCount(uniform.type), 0);
  if (components > maxVectors * 4) return false;
  const items: PackItem[] = [];
  for (const uniform of own) {
    forEachPart(uniform.type, '', ({ type, size }) => {
      if (isNumeric(type)) items.push(countedItem(type.rows, type.columns, size));
    });
  }
  return packRows(items, maxVectors) !== undefined;
}
