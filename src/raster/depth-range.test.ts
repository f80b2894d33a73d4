import { expect, test } from 'vitest';
import type { CompareFunction } from '../base/state-words.ts';
import { DEPTH_PLANE_BYTES, TILE } from './layout.ts';
import { random, TestScene } from './testing.ts';

const FUNCTIONS: CompareFunction[] = [
  'never',
  'less',
  'equal',
  'lessEqual',
  'greater',
  'notEqual',
  'greaterEqual',
  'always',
];

test.each([1, 4] as const)('known bounds of a tile change nothing but the time (%d samples)', (samples) => {
  const next = random(samples);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  let plane = new Int32Array((DEPTH_PLANE_BYTES / 4) * samples).fill(8_000_000);
  let range = { isDepthKnown: 1, depthLow: 8_000_000, depthHigh: 8_000_000 };
  for (let step = 0; step < 40 / samples; step++) {
    const depth = { format: 'unorm24', func: pick(FUNCTIONS), write: next() < 0.8 } as const;
    const isFlat = next() < 0.5;
    const level = pick([-0.5, 0, next() * 2 - 1]);
    const z = (): number => (isFlat ? level : Math.max(-1, Math.min(1, level + next() * 0.4 - 0.2)));
    const isWhole = next() < 0.7;
    const corners = [z(), z(), z()];
    const size = isWhole ? 256 : 120;
    const passes = [range, { isDepthKnown: 0, depthLow: 0, depthHigh: 0 }].map((words) => {
      // Two tiles, because bins say nothing of the only one.
      const scene = new TestScene(128, 64, samples);
      const { memory, tile } = scene;
      scene.tileWords = words;
      for (const address of scene.depth) memory.i32.set(plane, address >>> 2);
      scene.bin([scene.at(0, 0, corners[0]), scene.at(size, 0, corners[1]), scene.at(0, size, corners[2])]);
      let seen = 0;
      scene.cover({ early: { depth } }, ({ x, y, mask }) => {
        seen = Math.imul(seen ^ (x | (y << 8) | (mask << 16)), 16777619);
      });
      const word = tile >>> 2;
      return {
        seen,
        passed: scene.samplesPassed,
        planes: scene.depth.map((address) => memory.i32.slice(address >>> 2, (address >>> 2) + plane.length)),
        range: {
          isDepthKnown: memory.i32[word + TILE.word.isDepthKnown]!,
          depthLow: memory.i32[word + TILE.word.depthLow]!,
          depthHigh: memory.i32[word + TILE.word.depthHigh]!,
        },
      };
    });
    const [known, unknown] = passes as [(typeof passes)[0], (typeof passes)[0]];
    expect(known.seen).toBe(unknown.seen);
    expect(known.passed).toBe(unknown.passed);
    expect(known.planes).toEqual(unknown.planes);
    plane = known.planes[1]!;
    range = known.range;
    expect(range.isDepthKnown).toBe(1);
    expect(range.depthLow).toBeLessThanOrEqual(Math.min(...plane));
    expect(range.depthHigh).toBeGreaterThanOrEqual(Math.max(...plane));
    // Later steps should find bounds that say something.
    if (range.depthLow < 0 || range.depthHigh > 2 ** 24) {
      range = { isDepthKnown: 1, depthLow: Math.min(...plane), depthHigh: Math.max(...plane) };
    }
  }
});
