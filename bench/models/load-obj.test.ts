import { describe, expect, it } from 'vitest';
import { loadJobj, loadObj } from './load-obj.ts';
import { expandModel, modelBounds } from './model.ts';
import { ModelError } from './model-error.ts';

const SQUARE = ['# a square', 'o square', 'v 0 0 0', 'v 2  0 0', 'v 2 2 0', 'v 0 2 0'].join('\n');

describe('obj', () => {
  it('splits faces of more than three corners', () => {
    const { objects } = loadObj(`${SQUARE}\nf 1 2 3 4\n`);
    expect(objects[0]!.name).toBe('square');
    expect([...objects[0]!.faces]).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('takes separate indices for texture coordinates and normals, and negative ones', () => {
    const model = loadObj(`${SQUARE}\nvt 0 0\nvt 1 1\nvn 0 0 1\nf 1/1/1 2/2/1 -2/2/-1\n`);
    const [position, texcoord, normal] = expandModel(model, ['position', 'texcoord', 'normal']);
    expect([...position!.data]).toEqual([0, 0, 0, 2, 0, 0, 2, 2, 0]);
    expect([...texcoord!.data]).toEqual([0, 0, 1, 1, 1, 1]);
    expect([...normal!.data]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  });

  it('makes normals where there are none, and bounds', () => {
    const model = loadObj(`${SQUARE}\r\nf 1 2 3\r\nf 1 3 4\r\n`);
    expect([...expandModel(model, ['normal'])[0]!.data.slice(0, 3)]).toEqual([0, 0, 1]);
    expect(modelBounds(model)).toEqual({ center: [1, 1, 0], diameter: Math.hypot(2, 2) });
  });

  it.each([
    ['f 1 2 9', 'line 7 (offset 53): vertex 8 of 4'],
    ['f 1 2', 'a face of 2 corners'],
    ['f 1 2 x', "corner 'x'"],
    ['f 1 2 0', "corner '0'"],
    ['f 1 2 -7', 'names nothing'],
    ['v 1 2 wide', "'wide' is not a number"],
    ['v 1 2', "'' is not a number"],
    ['', 'no face'],
  ])("tells the line and offset of '%s'", (line, part) => {
    expect(() => loadObj(`${SQUARE}\n${line}\n`)).toThrow(ModelError);
    expect(() => loadObj(`${SQUARE}\n${line}\n`)).toThrow(part);
  });
});

describe('jobj', () => {
  const vertex = (x: number, y: number) => [`v ${x} ${y} 0`, 'vn 0 0 1', 'vc 1 0 0', 'vt 0 1 0'];
  const corners = [...vertex(0, 0), ...vertex(1, 0), ...vertex(0, 1)].join('\n');

  it('gives four lists and indices', () => {
    const { colored } = loadJobj(`${corners}\ni 0\ni 1\ni 2\n`);
    expect([...colored.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...colored.colors.slice(0, 3)]).toEqual([1, 0, 0]);
    expect([...colored.indices]).toEqual([0, 1, 2]);
  });

  it.each([
    ['i 0\ni 1\ni 3', 'vertex 3 of 3'],
    ['i 0\ni 1', '2 indices'],
    ['i 0\ni 1\ni 99999', "index '99999'"],
    ['v 1 1 1\ni 0\ni 1\ni 2', "lines 'vn'"],
  ])("refuses '%s'", (lines, part) => {
    expect(() => loadJobj(`${corners}\n${lines}\n`)).toThrow(part);
  });
});
