// Uniform blocks: do both stages agree (GLSL ES 3.00.6 §4.3.7), how is each laid out, and what GL shows of it.
// SPDX-License-Identifier: MIT
import type { UniformBlockInfo } from '../ir/ir.ts';
import type { CheckedShader, InterfaceBlock } from './ast.ts';
import { layoutBlock, type MemberLayout, type TypeLayout } from './block-layout.ts';
import { glTypeOf } from './link-names.ts';
import type { ActiveUniform, ActiveUniformBlock, LinkOptions } from './link-result.ts';
import type { StageUse } from './link-uniforms.ts';
import type { BlockPlacement } from './lower-context.ts';
import { areTypesEquivalent } from './types.ts';

export interface StageBlocks {
  readonly placements: Map<string, BlockPlacement>;
  /** IR uniform buffer index → index of the program's block. */
  readonly indices: number[];
  readonly infos: UniformBlockInfo[];
}

export interface BlockPlan {
  readonly blocks: ActiveUniformBlock[];
  readonly vertex: StageBlocks;
  readonly fragment: StageBlocks;
}

/** A block that both shaders declare must be the same in both: members, layout, number of instances. */
export function matchBlocks(vertex: CheckedShader, fragment: CheckedShader, errors: string[]): void {
  for (const block of fragment.blocks) {
    const other = vertex.blocks.find((each) => each.name === block.name);
    if (other === undefined) continue;
    const difference = blockDifference(other, block);
    if (difference !== undefined) {
      errors.push(`Uniform block '${block.name}' differs between the vertex and the fragment shader: ${difference}.`);
    }
  }
}

function blockDifference(a: InterfaceBlock, b: InterfaceBlock): string | undefined {
  if (a.arraySize !== b.arraySize) return 'number of instances';
  if (a.blockStorage !== b.blockStorage) return `layout(${a.blockStorage}) and layout(${b.blockStorage})`;
  if (a.type.members.length !== b.type.members.length) return 'number of members';
  for (let i = 0; i < a.type.members.length; i++) {
    const left = a.type.members[i];
    const right = b.type.members[i];
    if (left.name !== right.name) return `members '${left.name}' and '${right.name}'`;
    if (!areTypesEquivalent(left.type, right.type, true)) return `type of member '${left.name}'`;
    // GLSL ES 3.00.6 §9.2: uniforms, and so members of uniform blocks, match in precision too.
    if (left.precision !== right.precision) return `precision of member '${left.name}'`;
    if (left.isRowMajor !== right.isRowMajor) return `matrix layout of member '${left.name}'`;
  }
  return undefined;
}

/** Lays out the active blocks and appends their members to `uniforms`. */
export function planBlocks(
  vertex: StageUse,
  fragment: StageUse,
  uniforms: ActiveUniform[],
  options: LinkOptions,
  errors: string[],
): BlockPlan {
  const plan: BlockPlan = {
    blocks: [],
    vertex: { placements: new Map(), indices: [], infos: [] },
    fragment: { placements: new Map(), indices: [], infos: [] },
  };
  const usedInVertex = usedBlocks(vertex);
  const usedInFragment = usedBlocks(fragment);
  const seen = new Map<string, { block: InterfaceBlock; inVertex: boolean; inFragment: boolean }>();
  for (const block of vertex.shader.blocks) {
    if (isActive(block, usedInVertex)) seen.set(block.name, { block, inVertex: true, inFragment: false });
  }
  for (const block of fragment.shader.blocks) {
    if (!isActive(block, usedInFragment)) continue;
    const entry = seen.get(block.name);
    if (entry === undefined) seen.set(block.name, { block, inVertex: false, inFragment: true });
    else entry.inFragment = true;
  }
  for (const { block, inVertex, inFragment } of seen.values()) {
    placeBlock(plan, block, inVertex, inFragment, uniforms, options, errors);
  }
  checkLimits(plan, options, errors);
  return plan;
}

function usedBlocks({ used }: StageUse): Set<string> {
  const result = new Set<string>();
  for (const symbol of used) if (symbol.block !== undefined) result.add(symbol.block.name);
  return result;
}

/** All members of shared and std140 blocks are active, used or not (OpenGL ES 3.0.6 §2.12.6). */
function isActive(block: InterfaceBlock, used: ReadonlySet<string>): boolean {
  return block.blockStorage !== 'packed' || used.has(block.name);
}

function placeBlock(
  plan: BlockPlan,
  block: InterfaceBlock,
  usedInVertex: boolean,
  usedInFragment: boolean,
  uniforms: ActiveUniform[],
  options: LinkOptions,
  errors: string[],
): void {
  const layout = layoutBlock(block.type);
  const first = plan.blocks.length;
  if (layout.size > options.limits.maxUniformBlockSize) {
    errors.push(
      `Uniform block '${block.name}' has ${layout.size} bytes, at most ${options.limits.maxUniformBlockSize}.`,
    );
  }
  const members = addMembers(uniforms, block, layout, first, usedInVertex, usedInFragment);
  for (const [isUsed, stage] of [
    [usedInVertex, plan.vertex],
    [usedInFragment, plan.fragment],
  ] as const) {
    if (isUsed) stage.placements.set(block.name, { index: stage.indices.length, layout });
  }
  for (let i = 0; i < Math.max(1, block.arraySize); i++) {
    const name = block.arraySize === 0 ? block.name : `${block.name}[${i}]`;
    for (const [isUsed, stage] of [
      [usedInVertex, plan.vertex],
      [usedInFragment, plan.fragment],
    ] as const) {
      if (!isUsed) continue;
      stage.indices.push(plan.blocks.length);
      stage.infos.push({ name, sizeBytes: layout.size });
    }
    plan.blocks.push({ name, dataSize: layout.size, members, usedInVertex, usedInFragment });
  }
}

function addMembers(
  uniforms: ActiveUniform[],
  block: InterfaceBlock,
  layout: TypeLayout,
  blockIndex: number,
  usedInVertex: boolean,
  usedInFragment: boolean,
): number[] {
  const indices: number[] = [];
  const prefix = block.instanceName === '' ? '' : `${block.name}.`;
  const visit = (name: string, { offset, layout: part }: MemberLayout): void => {
    const { type } = part;
    if (type.kind === 'struct') {
      part.members.forEach((member, i) => {
        visit(`${name}.${type.members[i].name}`, { offset: offset + member.offset, layout: member.layout });
      });
      return;
    }
    if (type.kind === 'array' && type.element.kind === 'struct') {
      for (let i = 0; i < type.size; i++) {
        visit(`${name}[${i}]`, { offset: offset + i * part.arrayStride, layout: part.element! });
      }
      return;
    }
    const leaf = part.element ?? part;
    indices.push(uniforms.length);
    uniforms.push({
      name: type.kind === 'array' ? `${name}[0]` : name,
      type: glTypeOf(leaf.type),
      size: type.kind === 'array' ? type.size : 1,
      isArray: type.kind === 'array',
      location: -1,
      usedInVertex,
      usedInFragment,
      slot: -1,
      slotsPerElement: 0,
      samplerElement: -1,
      blockIndex,
      offset,
      arrayStride: part.arrayStride,
      matrixStride: leaf.matrixStride,
      isRowMajor: leaf.isRowMajor,
    });
  };
  layout.members.forEach((member, i) => {
    visit(prefix + block.type.members[i].name, member);
  });
  return indices;
}

function checkLimits(plan: BlockPlan, options: LinkOptions, errors: string[]): void {
  const { limits } = options;
  const counts = [
    ['the vertex shader', plan.vertex.indices.length, limits.maxVertexUniformBlocks],
    ['the fragment shader', plan.fragment.indices.length, limits.maxFragmentUniformBlocks],
    ['both shaders', plan.vertex.indices.length + plan.fragment.indices.length, limits.maxCombinedUniformBlocks],
  ] as const;
  for (const [where, count, limit] of counts) {
    if (count > limit) errors.push(`Too many uniform blocks in ${where}: ${count}, at most ${limit}.`);
  }
}
