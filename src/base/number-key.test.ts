import { expect, test } from 'vitest';
import { NumberKey, NumberMap } from './number-key.ts';

function keyOf(...numbers: number[]): NumberKey {
  const key = new NumberKey(8);
  for (const number of numbers) key.add(number);
  return key;
}

test('finds a value by equal numbers and by nothing else', () => {
  const map = new NumberMap<string>(10);
  map.set(keyOf(1, 2, 3), 'a');
  map.set(keyOf(1, 2), 'b');
  expect(map.get(keyOf(1, 2, 3))).toBe('a');
  expect(map.get(keyOf(1, 2))).toBe('b');
  expect(map.get(keyOf(1, 2, 4))).toBeUndefined();
  expect(map.get(keyOf())).toBeUndefined();
});

test('a key can be changed after it was used', () => {
  const map = new NumberMap<string>(10);
  const key = keyOf(5, 6);
  map.set(key, 'a');
  key.reset();
  key.add(7);
  expect(map.get(key)).toBeUndefined();
  expect(map.get(keyOf(5, 6))).toBe('a');
});

test('floats count by their bits', () => {
  const map = new NumberMap<string>(10);
  const key = new NumberKey(2);
  key.addFloat(0.5);
  map.set(key, 'half');
  key.reset();
  key.addFloat(0.25);
  expect(map.get(key)).toBeUndefined();
  key.reset();
  key.addFloat(0.5);
  expect(map.get(key)).toBe('half');
});

test('drops all when it is full', () => {
  const map = new NumberMap<number>(3);
  for (let number = 0; number < 4; number++) map.set(keyOf(number), number);
  expect([0, 1, 2, 3].map((number) => map.get(keyOf(number)))).toEqual([undefined, undefined, undefined, 3]);
});
