import { describe, expect, it } from 'vitest';
import type { BlitInfo, Query, Resource } from '../../src/pipe/pipe.ts';
import { Rig } from './rig.ts';

const RGBA8 = 'R8G8B8A8_UNORM';

/** A black target of 8 × 8, and a query over a draw elsewhere of `pixels` pixels whose job has not run. */
function setUp(pixels: number): { rig: Rig; color: Resource; query: Query } {
  const rig = new Rig();
  const elsewhere = rig.texture(RGBA8, 8, 8);
  rig.target([elsewhere]);
  const query = rig.context.createQuery('occlusionPredicate', 0);
  rig.context.beginQuery(query);
  rig.rect(0, 0, pixels, 1);
  rig.context.endQuery(query);
  const color = rig.texture(RGBA8, 8, 8);
  rig.target([color]);
  rig.clear([0, 0, 0, 0]);
  return { rig, color, query };
}

/** Red of the pixel, after the condition was turned off. */
function red(rig: Rig, color: Resource): number {
  rig.context.renderCondition(null, false, false);
  return rig.pixel(color, 5, 5)[0]!;
}

function blitOf(source: Resource, destination: Resource, followsRenderCondition: boolean): BlitInfo {
  const box = { x: 0, y: 0, z: 0, width: 8, height: 8, depth: 1 };
  return {
    source: { resource: source, level: 0, box, format: RGBA8 },
    destination: { resource: destination, level: 0, box, format: RGBA8 },
    mask: 1,
    filter: 'nearest',
    scissor: null,
    followsRenderCondition,
  };
}

describe('a render condition that waits', () => {
  // Skipped while "something passed" equals the condition.
  it.each([
    [0, false, 0],
    [3, false, 1],
    [0, true, 1],
    [3, true, 0],
  ])('of %d pixels and condition %s gives %d', (pixels, condition, expected) => {
    const { rig, color, query } = setUp(pixels);
    rig.context.renderCondition(query, condition, true);
    rig.fill();
    expect(red(rig, color)).toBe(expected);
  });

  it('runs what the query waits for', () => {
    const { rig, color, query } = setUp(3);
    rig.context.flush(0);
    rig.target([color]);
    rig.context.beginQuery(query);
    rig.rect(0, 0, 0, 0);
    rig.context.endQuery(query);
    rig.context.renderCondition(query, false, true);
    rig.fill();
    expect(red(rig, color)).toBe(0);
  });

  it('counts all jobs of its query', () => {
    const rig = new Rig();
    const [first, second, color] = [8, 9, 10].map((size) => rig.texture(RGBA8, size, size));
    const query = rig.context.createQuery('occlusionCounter', 0);
    rig.target([first!]);
    rig.context.beginQuery(query);
    rig.rect(0, 0, 2, 2);
    rig.target([second!]);
    rig.rect(0, 0, 3, 3);
    rig.context.flush(0);
    rig.target([first!]);
    rig.rect(0, 0, 1, 1);
    rig.context.endQuery(query);
    rig.target([color!]);
    rig.clear([0, 0, 0, 0]);
    rig.context.renderCondition(query, true, true);
    rig.fill();
    expect(red(rig, color!)).toBe(0);
    expect(rig.context.getQueryResult(query)).toBe(4 + 9 + 1);
  });
});

describe('a render condition that does not wait', () => {
  it.each([false, true])('draws while the result is not known (condition %s)', (condition) => {
    const { rig, color, query } = setUp(condition ? 3 : 0);
    rig.context.renderCondition(query, condition, false);
    rig.fill();
    expect(red(rig, color)).toBe(1);
  });

  it.each([false, true])('skips once it is known (condition %s)', (condition) => {
    const { rig, color, query } = setUp(condition ? 3 : 0);
    rig.context.getQueryResult(query);
    rig.context.renderCondition(query, condition, false);
    rig.fill();
    expect(red(rig, color)).toBe(0);
  });

  it('does a clear or blit as a whole, even if the result comes up meanwhile', () => {
    // The clear of two targets in parts goes through draws; the first may run the job that the query waits for.
    const { rig, color, query } = setUp(0);
    rig.context.renderCondition(query, false, false);
    rig.clear([1, 1, 1, 1], { scissor: { minX: 3, minY: 3, maxX: 6, maxY: 6 }, colorMasks: [1] });
    rig.context.renderCondition(null, false, false);
    expect(rig.pixel(color, 5, 5)).toEqual([1, 0, 0, 0]);
    expect(rig.pixel(color, 6, 5)).toEqual([0, 0, 0, 0]);
  });
});

describe('under a render condition that skips', () => {
  it('clears do nothing, whole or in part, colour, depth and stencil', () => {
    const { rig, color, query } = setUp(0);
    const zs = rig.texture('Z24_UNORM_S8_UINT', 8, 8);
    rig.target([color], zs);
    rig.clear([0, 0, 0, 0]);
    rig.clearDepthStencil(1, 7);
    rig.context.renderCondition(query, false, true);
    rig.clear([1, 1, 1, 1]);
    rig.clear([1, 1, 1, 1], { scissor: { minX: 0, minY: 0, maxX: 7, maxY: 7 } });
    rig.clearDepthStencil(0, 1);
    expect(red(rig, color)).toBe(0);
    rig.depthStencil({ depthTest: true, depthFunc: 'less' });
    rig.fill({ z: 0.5 });
    expect(red(rig, color)).toBe(1);
  });

  it('blits do what their flag says', () => {
    for (const follows of [true, false])
      for (const isWhole of [true, false]) {
        const { rig, color, query } = setUp(0);
        const source = rig.texture(RGBA8, 8, 8);
        rig.target([source]);
        rig.clear([1, 1, 1, 1]);
        rig.context.renderCondition(query, false, true);
        const info = blitOf(source, color, follows);
        const scissor = { minX: 1, minY: 1, maxX: 7, maxY: 7 };
        rig.context.blit(isWhole ? info : { ...info, scissor });
        expect(red(rig, color), `follows ${follows}, whole ${isWhole}`).toBe(follows ? 0 : 1);
      }
  });

  it('copies and mip levels are made all the same', () => {
    const { rig, color, query } = setUp(0);
    const source = rig.texture(RGBA8, 8, 8, { levels: 4 });
    rig.target([source]);
    rig.clear([1, 1, 1, 1]);
    rig.context.renderCondition(query, false, true);
    rig.context.generateMipmap(source, RGBA8, 0, 3, 0, 0);
    const box = { x: 0, y: 0, z: 0, width: 4, height: 4, depth: 1 };
    rig.context.copyRegion(color, 0, 4, 4, 0, source, 1, box);
    expect(red(rig, color)).toBe(1);
    // The condition outlives what the blitter did under it.
    rig.context.renderCondition(query, false, true);
    rig.context.generateMipmap(source, RGBA8, 0, 3, 0, 0);
    rig.fill({ color: [0, 0, 0, 0] });
    expect(red(rig, color)).toBe(1);
  });
});
