// Where the members of a uniform block stand in memory: the std140 rules (OpenGL ES 3.0.6 §2.12.6.4).
// `shared` and `packed` blocks use the same layout, which both permit.
// SPDX-License-Identifier: MIT
import type { StructType, Type } from './types.ts';

/** Layout of one type inside a block; a tree as deep as the type. Sizes and offsets in bytes. */
export interface TypeLayout {
  readonly type: Type;
  readonly align: number;
  /** Including the padding that arrays and structs have at their end. */
  readonly size: number;
  /** Distance of array elements; 0 when the type is no array. */
  readonly arrayStride: number;
  /** Distance of a matrix's columns (of its rows when `isRowMajor`); 0 when no matrix, also for arrays of them. */
  readonly matrixStride: number;
  readonly isRowMajor: boolean;
  /** Of an array. */
  readonly element: TypeLayout | undefined;
  /** Of a struct, in order. */
  readonly members: readonly MemberLayout[];
}

export interface MemberLayout {
  readonly offset: number;
  readonly layout: TypeLayout;
}

const NO_MEMBERS: readonly MemberLayout[] = [];
const VEC4_BYTES = 16;

function roundUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}

/** Layout of a vector of `components` 32-bit components: rule 1 to 3. */
function vectorSizeAndAlign(components: number): { size: number; align: number } {
  return { size: components * 4, align: components === 3 ? VEC4_BYTES : components * 4 };
}

/**
 * std140 layout of a type. `isRowMajor` is the matrix order in force where the type is used: it goes down through arrays
 * and structs, because members of a struct declared outside of the block have no layout of their own.
 */
export function layoutType(type: Type, isRowMajor: boolean): TypeLayout {
  switch (type.kind) {
    case 'scalar':
    case 'vector': {
      const { size, align } = vectorSizeAndAlign(type.rows);
      return leaf(type, align, size, 0, false);
    }
    case 'matrix': {
      const vectors = isRowMajor ? type.rows : type.columns;
      return leaf(type, VEC4_BYTES, vectors * VEC4_BYTES, VEC4_BYTES, isRowMajor);
    }
    case 'array': {
      const element = layoutType(type.element, isRowMajor);
      const arrayStride = roundUp(element.size, VEC4_BYTES);
      const align = roundUp(element.align, VEC4_BYTES);
      const size = arrayStride * type.size;
      return { type, align, size, arrayStride, matrixStride: 0, isRowMajor, element, members: NO_MEMBERS };
    }
    case 'struct':
      return layoutStruct(type, () => isRowMajor);
    default:
      throw new Error(`a ${type.name} cannot stand in a uniform block`);
  }
}

/** Layout of a whole block: each member brings its own matrix order. `size` is the block's data size. */
export function layoutBlock(block: StructType): TypeLayout {
  return layoutStruct(block, (index) => block.members[index].isRowMajor);
}

function layoutStruct(type: StructType, isMemberRowMajor: (index: number) => boolean): TypeLayout {
  const members: MemberLayout[] = [];
  let end = 0;
  let align = VEC4_BYTES;
  for (let index = 0; index < type.members.length; index++) {
    const layout = layoutType(type.members[index].type, isMemberRowMajor(index));
    const offset = roundUp(end, layout.align);
    members.push({ offset, layout });
    end = offset + layout.size;
    align = Math.max(align, layout.align);
  }
  const size = roundUp(end, align);
  return { type, align, size, arrayStride: 0, matrixStride: 0, isRowMajor: false, element: undefined, members };
}

function leaf(type: Type, align: number, size: number, matrixStride: number, isRowMajor: boolean): TypeLayout {
  return { type, align, size, arrayStride: 0, matrixStride, isRowMajor, element: undefined, members: NO_MEMBERS };
}
