import { expect, it } from 'vitest';
import {
  createMatrix,
  inverseTranspose,
  lookAt,
  multiply,
  perspective,
  rotate,
  scale,
  transform,
  translate,
} from './matrix.ts';

const apply = (matrix: Float32Array, ...[x, y, z, w]: [number, number, number, number]) =>
  [...transform(new Float32Array(4), matrix, x, y, z, w)].map((value) => Math.round(value * 1e4) / 1e4 + 0);

it('transforms in the order in which steps are read backwards', () => {
  const matrix = translate(createMatrix(), 1, 2, 3);
  rotate(matrix, 90, 0, 0, 1);
  scale(matrix, 2, 2, 2);
  expect(apply(matrix, 1, 0, 0, 1)).toEqual([1, 4, 3, 1]);
  expect(apply(matrix, 1, 0, 0, 0)).toEqual([0, 2, 0, 0]);
});

it('looks at a centre from an eye', () => {
  const view = lookAt(createMatrix(), [0, 0, 5], [0, 0, 0]);
  expect(apply(view, 0, 0, 0, 1)).toEqual([0, 0, -5, 1]);
  expect(apply(view, 1, 1, 0, 1)).toEqual([1, 1, -5, 1]);
  expect(apply(lookAt(createMatrix(), [3, 4, 0], [3, 0, 4]), 3, 0, 4, 1)).toEqual([0, 0, -5.6569, 1]);
});

it('puts near and far planes at -1 and 1', () => {
  const projection = perspective(createMatrix(), 90, 2, 1, 10);
  expect(apply(projection, 0, 1, -1, 1)).toEqual([0, 1, -1, 1]);
  expect(apply(projection, 2, 0, -10, 1)).toEqual([1, 0, 10, 10]);
});

it('gives the transposed inverse', () => {
  const matrix = rotate(translate(createMatrix(), 1, 2, 3), 40, 1, 2, 3);
  scale(matrix, 1, 3, 2);
  const inverse = inverseTranspose(createMatrix(), matrix);
  const transposed = createMatrix();
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) transposed[row * 4 + column] = inverse[column * 4 + row]!;
  }
  const product = multiply(createMatrix(), transposed, matrix);
  for (let at = 0; at < 16; at++) expect(product[at]).toBeCloseTo(at % 5 === 0 ? 1 : 0, 5);
});
