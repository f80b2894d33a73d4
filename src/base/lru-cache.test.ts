import { expect, test } from 'vitest';
import { LruCache } from './lru-cache.ts';

test('what was used longest ago goes first', () => {
  const cache = new LruCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('costs count, and what is too dear alone is not kept', () => {
  const cache = new LruCache<number>(10);
  cache.set('a', 1, 6);
  cache.set('b', 2, 6);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 2]);
  cache.set('b', 3, 11);
  expect(cache.size).toBe(0);
  cache.set('c', 4, 10);
  expect(cache.get('c')).toBe(4);
});
