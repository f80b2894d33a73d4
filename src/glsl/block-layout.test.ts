import { describe, expect, it } from 'vitest';
import { layoutBlock } from './block-layout.ts';
import { arrayType, type StructMember, structType, type Type, typeByName } from './types.ts';

const member = (name: string, type: Type, isRowMajor = false): StructMember => ({
  name,
  type,
  precision: undefined,
  isRowMajor,
});
const offsets = (members: StructMember[]) => {
  const layout = layoutBlock(structType('B', members, true));
  return { offsets: layout.members.map((m) => m.offset), size: layout.size, layout };
};

describe('std140', () => {
  it('aligns vec3 to 16 bytes and lets a float follow in the gap', () => {
    const { offsets: at, size } = offsets([
      member('a', typeByName('float')),
      member('b', typeByName('vec3')),
      member('c', typeByName('float')),
      member('d', typeByName('vec2')),
      member('e', typeByName('bool')),
    ]);
    expect(at).toEqual([0, 16, 28, 32, 40]);
    expect(size).toBe(48);
  });

  it('gives array elements and matrix columns 16 bytes', () => {
    const { offsets: at, layout } = offsets([
      member('a', arrayType(typeByName('float') as never, 3)),
      member('m', typeByName('mat3')),
      member('n', typeByName('mat2x4'), true),
      member('z', typeByName('float')),
    ]);
    expect(at).toEqual([0, 48, 96, 160]);
    expect(layout.members[0].layout.arrayStride).toBe(16);
    expect(layout.members[2].layout).toMatchObject({ matrixStride: 16, isRowMajor: true, size: 64 });
  });

  it('pads structs to 16 bytes and hands the matrix order down', () => {
    const s = structType('S', [member('x', typeByName('float')), member('m', typeByName('mat2'))]);
    const { offsets: at, layout } = offsets([
      member('a', typeByName('float')),
      member('s', arrayType(s, 2), true),
      member('z', typeByName('float')),
    ]);
    expect(at).toEqual([0, 16, 112]);
    expect(layout.members[1].layout.arrayStride).toBe(48);
    expect(layout.members[1].layout.element?.members[1]).toMatchObject({ offset: 16, layout: { isRowMajor: true } });
  });
});
