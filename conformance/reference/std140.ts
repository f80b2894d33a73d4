// Offsets and strides of uniform blocks in the std140 layout (ES 3.0.6 §2.12.6.4, rules 1 to 10).

import { glslType } from './glsl-types.ts';

export interface BlockMember {
  readonly name: string;
  /** A basic type, or the members of a struct. */
  readonly type: string | readonly BlockMember[];
  /** 0: no array. */
  readonly length: number;
  readonly isRowMajor?: boolean;
  readonly precision?: string;
}

export interface BlockLeaf {
  /** Path below the block: `s[1].a`. */
  readonly path: string;
  readonly type: string;
  readonly length: number;
  readonly offset: number;
  /** 0 when it is no array. */
  readonly arrayStride: number;
  /** 0 when it is no matrix. */
  readonly matrixStride: number;
  readonly isRowMajor: boolean;
}

function roundUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

/** Alignment of a vector of n components: two as two, three as four (rules 1 to 3). */
function vectorAlignment(components: number): number {
  return components === 3 ? 16 : components * 4;
}

function isRow(member: BlockMember, inherited: boolean): boolean {
  return member.isRowMajor ?? inherited;
}

interface Extent {
  alignment: number;
  size: number;
}

function extentOf(member: BlockMember, inherited: boolean): Extent {
  const row = isRow(member, inherited);
  if (typeof member.type !== 'string') {
    let offset = 0;
    let alignment = 16;
    for (const inner of member.type) {
      const extent = extentOf(inner, row);
      offset = roundUp(offset, extent.alignment) + extent.size;
      alignment = Math.max(alignment, extent.alignment);
    }
    const size = roundUp(offset, alignment);
    return { alignment, size: size * Math.max(member.length, 1) };
  }
  const type = glslType(member.type);
  if (type.isMatrix) {
    // A matrix is an array of its columns, or of its rows: each takes 16 bytes (rules 5 and 7).
    const vectors = row ? type.rows : type.columns;
    return { alignment: 16, size: 16 * vectors * Math.max(member.length, 1) };
  }
  if (member.length > 0) return { alignment: 16, size: 16 * member.length };
  return { alignment: vectorAlignment(type.rows), size: type.rows * 4 };
}

function place(
  members: readonly BlockMember[],
  prefix: string,
  start: number,
  inherited: boolean,
  leaves: BlockLeaf[],
): void {
  let offset = start;
  for (const member of members) {
    const row = isRow(member, inherited);
    const { alignment, size } = extentOf(member, inherited);
    offset = roundUp(offset, alignment);
    const path = `${prefix}${member.name}`;
    if (typeof member.type !== 'string') {
      const count = Math.max(member.length, 1);
      for (let element = 0; element < count; element++)
        place(
          member.type,
          `${path}${member.length > 0 ? `[${element}]` : ''}.`,
          offset + (element * size) / count,
          row,
          leaves,
        );
    } else {
      const type = glslType(member.type);
      const vectors = row ? type.rows : type.columns;
      const arrayStride = member.length === 0 ? 0 : type.isMatrix ? 16 * vectors : 16;
      leaves.push({
        path,
        type: member.type,
        length: member.length,
        offset,
        arrayStride,
        matrixStride: type.isMatrix ? 16 : 0,
        isRowMajor: type.isMatrix && row,
      });
    }
    offset += size;
  }
}

/** All leaves of a block, and the block's size (a multiple of 16). */
export function std140Layout(
  members: readonly BlockMember[],
  isRowMajor = false,
): { leaves: BlockLeaf[]; size: number } {
  const leaves: BlockLeaf[] = [];
  place(members, '', 0, isRowMajor, leaves);
  const { size } = extentOf({ name: '', type: members, length: 0 }, isRowMajor);
  return { leaves, size };
}
