import { describe, expect, it } from 'vitest';
import { compare, comparisonColumns, geometricMean, median } from './compare.ts';
import { parseGlmarkOutput } from './glmark2.ts';
import { toPeerResult } from './peer.ts';
import { PEERS } from './peer-table.ts';

describe('comparison', () => {
  it('forms ratios within rounds, then their median', () => {
    const round = (fps: number, grid = [0, 0, 0]) => [{ title: 'a', fps, grid }];
    const [row] = compare(
      ['a'],
      [
        { name: 'own', rounds: [round(100), round(50), round(90)] },
        { name: 'peer', rounds: [round(50, [0, 3, 0]), round(25), round(10)] },
        { name: 'broken', rounds: [null, null, null] },
      ],
    );
    expect(row!.ratios[0]).toBe(2);
    expect(row!.ratios[1]).toBeNaN();
    expect(row!.fps.slice(0, 2)).toEqual([90, 25]);
    expect(row!.spread).toBe(5);
    expect(row!.distance).toBe(3);
    expect(comparisonColumns(['own', 'peer', 'broken']).map(({ cell }) => cell(row!))).toEqual([
      'a',
      '90.0',
      '25.0',
      '–',
      '2.00',
      '–',
      '5.00',
      '3.0',
    ]);
  });

  it('reads the results of micro scenes', () => {
    const results = [
      { scene: 'a', w: 2, h: 1, fps: 5, image: '00ff10' },
      { scene: 'b', w: 1, h: 1, error: 'x' },
    ];
    expect(results.map(toPeerResult)).toEqual([
      { title: 'a 2x1', fps: 5, grid: [0, 255, 16] },
      { title: 'b 1x1', fps: 0, message: 'x' },
    ]);
  });

  it('has means for what can be compared', () => {
    expect(geometricMean([1, 4, Number.NaN])).toBe(2);
    expect(median([3, 1, 2, 10])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it("reads glmark2's output", () => {
    const output =
      'glmark2\n[build] use-vbo=false: FPS: 79 FrameTime: 12.658 ms\n[clear] <default>: FPS: 50000 FrameTime: 0.020 ms\n';
    expect(parseGlmarkOutput(output)).toEqual([
      { scene: 'build', options: 'use-vbo=false', fps: 1000 / 12.658 },
      { scene: 'clear', options: '<default>', fps: 50000 },
    ]);
  });

  it('says what a peer is missing instead of throwing', () => {
    for (const peer of PEERS.values()) {
      const missing = peer.findMissing('micro');
      expect(missing === null || missing.length > 0).toBe(true);
    }
  });
});
