// Links a vertex and a fragment shader: checks that they fit together, decides where everything stands, lowers both.
// SPDX-License-Identifier: MIT
import { listOf } from '../base/list.ts';
import { TooComplexError } from '../base/too-complex.ts';
import type { Shader, SlotInfo } from '../ir/ir.ts';
import { optimizeShader } from '../ir/optimize.ts';
import type { CheckedShader, VariableSymbol } from './ast.ts';
import { ConstantPool } from './constant-pool.ts';
import { glTypeInfo } from './gl-types.ts';
import { linkAttributes } from './link-attributes.ts';
import { matchBlocks, planBlocks, type StageBlocks } from './link-blocks.ts';
import { planDistances } from './link-distances.ts';
import { baseName, linkFeedback } from './link-feedback.ts';
import { planFragmentOutputs } from './link-outputs.ts';
import type { ActiveAttribute, LinkedProgram, LinkedStage, LinkOptions, LinkResult } from './link-result.ts';
import { matchUniforms, planUniforms, type StageUniforms, type StageUse } from './link-uniforms.ts';
import { collectUsedVariables } from './link-usage.ts';
import { matchVaryings, planVaryings, type VaryingPlan } from './link-varyings.ts';
import { lowerShader, type StageInterface, type StageLists, type VectorSlot } from './lower.ts';

/** Links a program. Never throws on any pair of checked shaders: what is wrong stands in the log. */
export function linkProgram(vertex: CheckedShader, fragment: CheckedShader, options: LinkOptions): LinkResult {
  const errors: string[] = [];
  const warnings: string[] = [];
  let program: LinkedProgram | undefined;
  try {
    program = link(vertex, fragment, options, errors);
  } catch (error) {
    // A RangeError is a full stack: the caller may have used most of it.
    if (!(error instanceof TooComplexError) && !(error instanceof RangeError)) throw error;
    errors.push(`The program is too complex: ${error.message}.`);
  }
  const ok = errors.length === 0 && program !== undefined;
  const lines = [...errors.map((text) => `ERROR: ${text}`), ...warnings.map((text) => `WARNING: ${text}`)];
  const log = lines.map((line) => `${line}\n`).join('');
  return ok ? { ok, log, program: program! } : { ok: false, log };
}

function link(
  vertex: CheckedShader,
  fragment: CheckedShader,
  options: LinkOptions,
  errors: string[],
): LinkedProgram | undefined {
  if (vertex.version !== fragment.version) {
    errors.push('The vertex and the fragment shader have different language versions.');
    return undefined;
  }
  matchVaryings(vertex, fragment, errors);
  matchUniforms(vertex, fragment, errors);
  matchBlocks(vertex, fragment, errors);
  matchNames(vertex, fragment, errors);
  const vertexUse: StageUse = { shader: vertex, used: collectUsedVariables(vertex) };
  const fragmentUse: StageUse = { shader: fragment, used: collectUsedVariables(fragment) };
  const attributes = linkAttributes(vertex, vertexUse.used, options, errors);
  const uniforms = planUniforms(vertexUse, fragmentUse, options, errors);
  const blocks = planBlocks(vertexUse, fragmentUse, uniforms.uniforms, options, errors);
  const captured = new Set((options.transformFeedbackVaryings ?? []).map(baseName));
  const { maxVaryingVectors } = options.limits;
  const distances = planDistances(vertex, fragment, vertexUse.used, options.limits.maxClipDistances, errors);
  const distanceCount = distances.clip + distances.cull;
  const varyings = planVaryings(vertex, fragment, fragmentUse.used, captured, maxVaryingVectors, distanceCount, errors);
  const outputs = planFragmentOutputs(fragment, fragmentUse.used, options, errors);
  const feedback = linkFeedback(vertex, varyings.slots, options, errors);
  if (errors.length > 0) return undefined;

  const constants = new ConstantPool(uniforms.slotCount);
  const vertexShader = lowerStage(vertexUse, constants, uniforms.vertex, blocks.vertex, {
    inputs: attributeSlots(attributes),
    inputInfos: attributeInfos(attributes),
    outputs: new Map([...vertexOutputs(varyings, captured), ...distances.slots]),
    outputInfos: [...vertexOutputInfos(vertexUse.used, captured, varyings), ...distances.slotInfos],
    fragColorCount: 0,
  });
  const fragmentShader = lowerStage(fragmentUse, constants, uniforms.fragment, blocks.fragment, {
    inputs: new Map([...varyings.slots, ...distances.slots]),
    inputInfos: [
      ...fragmentInputInfos(varyings, fragment, fragmentUse.used),
      ...(readsDistances(fragmentUse.used) ? distances.slotInfos : []),
    ],
    outputs: outputs.slots,
    outputInfos: outputs.slotInfos,
    fragColorCount: outputs.fragColorCount,
  });
  vertexShader.clipDistances = distances.clip;
  vertexShader.cullDistances = distances.cull;
  for (const shader of [vertexShader, fragmentShader]) {
    shader.uniformSlots = constants.slotCount;
    optimize(shader, options);
  }
  const vertexStage = finishStage(vertexShader, uniforms.vertex, blocks.vertex);
  const fragmentStage = finishStage(fragmentShader, uniforms.fragment, blocks.fragment);
  return {
    vertex: vertexStage,
    fragment: fragmentStage,
    attributes,
    uniforms: uniforms.uniforms,
    uniformLocations: uniforms.locations,
    uniformBlocks: blocks.blocks,
    constantSlotCount: constants.slotCount,
    initialConstants: constants.image(),
    depthRangeSlot: uniforms.depthRangeSlot,
    samplerElements: uniforms.samplerElements,
    fragmentOutputs: outputs.outputs,
    varyings: [...varyings.varyings],
    ...(feedback === undefined ? {} : { feedback }),
    usesDiscard: fragmentStage.shader.usage.discard,
    writesPointSize: isBuiltinUsed(vertexUse.used, 'gl_PointSize'),
    broadcastsFragColor: outputs.broadcastsFragColor && isBuiltinUsed(fragmentUse.used, 'gl_FragColor'),
    version: vertex.version,
  };
}

/**
 * Uniforms and members of uniform blocks share one name space over both stages. Attributes and varyings have one a stage
 * (GLSL ES 1.00 §4.2.6, as the working group reads it), so their names never clash here.
 */
function matchNames(vertex: CheckedShader, fragment: CheckedShader, errors: string[]): void {
  const kinds = new Map<string, string>();
  const declare = (name: string, kind: string) => {
    const before = kinds.get(name);
    if (before !== undefined && before !== kind) errors.push(`'${name}' is both ${before} and ${kind}.`);
    kinds.set(name, kind);
  };
  for (const shader of [vertex, fragment]) {
    for (const symbol of shader.globals) {
      if (symbol.storage === 'uniform') {
        // An instance name is local to its shader; only the members of nameless instances are global names.
        if (symbol.block === undefined) declare(symbol.name, 'a uniform');
        else if (symbol.blockMember >= 0) declare(symbol.name, `a member of the uniform block '${symbol.block.name}'`);
      }
    }
  }
}

function isBuiltinUsed(used: ReadonlySet<VariableSymbol>, name: string): boolean {
  for (const symbol of used) if (symbol.isBuiltin && symbol.name === name) return true;
  return false;
}

function readsDistances(used: ReadonlySet<VariableSymbol>): boolean {
  for (const symbol of used) if (symbol.distances !== undefined) return true;
  return false;
}

interface StageEdges {
  readonly inputs: ReadonlyMap<string, readonly VectorSlot[]>;
  readonly inputInfos: readonly SlotInfo[];
  readonly outputs: ReadonlyMap<string, readonly VectorSlot[]>;
  readonly outputInfos: readonly SlotInfo[];
  readonly fragColorCount: number;
}

function lowerStage(
  { shader, used }: StageUse,
  constants: ConstantPool,
  uniforms: StageUniforms,
  blocks: StageBlocks,
  edges: StageEdges,
): Shader {
  const io: StageInterface = {
    uniforms: uniforms.placements,
    blocks: blocks.placements,
    inputs: edges.inputs,
    outputs: edges.outputs,
    fragColorCount: edges.fragColorCount,
    constants,
    used,
  };
  const lists: StageLists = {
    inputs: [...edges.inputInfos],
    outputs: [...edges.outputInfos],
    samplers: uniforms.samplerInfos,
    uniformBlocks: blocks.infos,
  };
  return lowerShader(shader, io, lists);
}

function optimize(shader: Shader, options: LinkOptions): void {
  if (options.optimize === false) return;
  const result = optimizeShader(shader, options.optimize);
  if (!result.ok) throw new TooComplexError(`${shader.stage} shader: ${result.message}`);
}

function finishStage(shader: Shader, uniforms: StageUniforms, blocks: StageBlocks): LinkedStage {
  const { usage } = shader;
  return { shader, uniformBlocks: blocks.indices, samplers: uniforms.samplers, usesConstants: usage.uniformSlots > 0 };
}

function attributeSlots(attributes: readonly ActiveAttribute[]): Map<string, VectorSlot[]> {
  const result = new Map<string, VectorSlot[]>();
  for (const { name, location, locationCount } of attributes) {
    if (location < 0) continue;
    result.set(
      name,
      listOf(locationCount, (i) => ({ slot: `attribute${location + i}` as const, component: 0 })),
    );
  }
  return result;
}

function attributeInfos(attributes: readonly ActiveAttribute[]): SlotInfo[] {
  const infos: SlotInfo[] = [];
  for (const { name, location, locationCount, type, baseType } of attributes) {
    for (let i = 0; location >= 0 && i < locationCount; i++) {
      infos.push({
        name: locationCount === 1 ? name : `${name}[${i}]`,
        slot: `attribute${location + i}`,
        components: glTypeInfo(type).rows,
        base: baseType,
        interpolation: 'smooth',
        centroid: false,
      });
    }
  }
  return infos;
}

/** What the vertex shader stores: varyings, and gl_PointSize when only transform feedback asks for it. */
function vertexOutputs(
  varyings: VaryingPlan,
  captured: ReadonlySet<string>,
): ReadonlyMap<string, readonly VectorSlot[]> {
  if (!captured.has('gl_PointSize')) return varyings.slots;
  return new Map([...varyings.slots, ['gl_PointSize', [{ slot: 'pointSize', component: 0 }]]]);
}

function vertexOutputInfos(
  used: ReadonlySet<VariableSymbol>,
  captured: ReadonlySet<string>,
  varyings: VaryingPlan,
): SlotInfo[] {
  const builtin = (name: string, slot: 'position' | 'pointSize', components: number): SlotInfo => ({
    name,
    slot,
    components,
    base: 'float',
    interpolation: 'smooth',
    centroid: false,
  });
  const infos = [builtin('gl_Position', 'position', 4)];
  if (isBuiltinUsed(used, 'gl_PointSize') || captured.has('gl_PointSize')) {
    infos.push(builtin('gl_PointSize', 'pointSize', 1));
  }
  return [...infos, ...varyings.slotInfos];
}

/** Slots of varyings that the fragment shader reads (others are there for transform feedback only). */
function fragmentInputInfos(
  varyings: VaryingPlan,
  fragment: CheckedShader,
  used: ReadonlySet<VariableSymbol>,
): SlotInfo[] {
  const slots = new Set<string>();
  for (const symbol of fragment.globals) {
    if (symbol.storage !== 'in' || !used.has(symbol)) continue;
    for (const { slot } of varyings.slots.get(symbol.name) ?? []) slots.add(slot);
  }
  return varyings.slotInfos.filter((info) => slots.has(info.slot));
}
