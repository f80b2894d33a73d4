import { describe, expect, it } from 'vitest';
import type { Query, QueryType } from '../../src/pipe/pipe.ts';
import { fragment, Rig } from './rig.ts';
import { drawInfo } from './testing.ts';

const RGBA8 = 'R8G8B8A8_UNORM';

function setUp(
  samples = 1,
  size = 70,
): { rig: Rig; begin: (type: QueryType) => Query; end: (query: Query) => number | null } {
  const rig = new Rig();
  const color = rig.texture(RGBA8, size, size, { samples });
  const zs = rig.texture('Z24_UNORM_S8_UINT', size, size, { samples });
  rig.target([color], zs);
  rig.clear([0, 0, 0, 0]);
  rig.clearDepthStencil(1, 0);
  return {
    rig,
    begin: (type) => {
      const query = rig.context.createQuery(type, 0);
      rig.context.beginQuery(query);
      return query;
    },
    end: (query) => {
      rig.context.endQuery(query);
      return rig.context.getQueryResult(query);
    },
  };
}

const discardLeftHalf = () =>
  fragment((b) => {
    b.if(b.flt(b.channel(b.sysval('fragCoord'), 0), b.constFloat(35)), () => b.discard());
    b.storeOutput('color0', b.loadInput('var0', 4));
  });

describe('occlusion queries', () => {
  it.each([1, 4])('count samples that pass, with %d samples a pixel', (samples) => {
    const { rig, begin, end } = setUp(samples);
    const query = begin('occlusionCounter');
    rig.rect(0, 0, 70, 2);
    rig.rect(10, 10, 20, 20);
    expect(end(query)).toBe((140 + 100) * samples);
  });

  it('count what depth and stencil let through, early and late', () => {
    for (const isLate of [false, true]) {
      const { rig, begin, end } = setUp();
      if (isLate) rig.fragmentShader(discardLeftHalf());
      rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less' });
      rig.rect(0, 0, 70, 10, { z: 0.2 });
      const query = begin('occlusionCounter');
      rig.rect(0, 0, 70, 20, { z: 0.5 });
      expect(end(query)).toBe(isLate ? 35 * 10 : 70 * 10);
    }
  });

  it('count fragments that survive discard without any depth test', () => {
    const { rig, begin, end } = setUp();
    rig.fragmentShader(discardLeftHalf());
    const query = begin('occlusionCounter');
    rig.fill();
    expect(end(query)).toBe(35 * 70);
  });

  it('count with all colours masked', () => {
    for (const shader of [null, discardLeftHalf()]) {
      const { rig, begin, end } = setUp();
      rig.blend([{ colorMask: 0 }]);
      if (shader) rig.fragmentShader(shader);
      const query = begin('occlusionCounter');
      rig.fill();
      expect(end(query)).toBe((shader ? 35 : 70) * 70);
    }
  });

  it('span jobs', () => {
    const { rig, begin, end } = setUp();
    const other = rig.texture(RGBA8, 16, 16);
    const query = begin('occlusionCounter');
    rig.rect(0, 0, 10, 10);
    rig.context.flush(0);
    rig.rect(0, 0, 10, 10);
    rig.target([other]);
    rig.fill();
    expect(end(query)).toBe(100 + 100 + 256);
  });

  it('are polled without running jobs, but not for ever', () => {
    const { rig, begin } = setUp();
    const query = begin('occlusionCounter');
    rig.rect(0, 0, 10, 10);
    rig.context.endQuery(query);
    const job = rig.context.openJob()!;
    expect(rig.context.getQueryResult(query, false)).toBeNull();
    expect(job.isDone).toBe(false);
    expect(rig.context.getQueryResult(query, false)).toBe(100);
    rig.context.beginQuery(query);
    rig.rect(0, 0, 3, 3);
    rig.context.flush(0);
    rig.rect(0, 0, 2, 2);
    rig.context.endQuery(query);
    expect(rig.context.getQueryResult(query, false)).toBeNull();
    rig.context.flush(0);
    expect(rig.context.getQueryResult(query, false)).toBe(13);
    rig.context.beginQuery(query);
    rig.context.endQuery(query);
    expect(rig.context.getQueryResult(query, false)).toBe(0);
  });

  it('count a draw for each active query, and only between begin and end', () => {
    const { rig, begin, end } = setUp();
    rig.fill();
    const first = begin('occlusionCounter');
    rig.rect(0, 0, 1, 1);
    const second = begin('occlusionPredicate');
    rig.rect(0, 0, 2, 2);
    rig.context.endQuery(first);
    rig.rect(0, 0, 3, 3);
    expect(end(second)).toBe(1);
    expect(rig.context.getQueryResult(first)).toBe(5);
  });

  it('begun anew forget what was pending from before', () => {
    const { rig, begin, end } = setUp();
    const query = begin('occlusionCounter');
    rig.fill();
    rig.context.endQuery(query);
    rig.context.beginQuery(query);
    rig.rect(0, 0, 1, 1);
    expect(end(query)).toBe(1);
  });

  it('predicates tell whether anything passed', () => {
    const { rig, begin, end } = setUp();
    const none = begin('occlusionPredicate');
    rig.rect(0, 0, 0, 5);
    expect(end(none)).toBe(0);
    const some = begin('occlusionPredicateConservative');
    rig.rect(69, 69, 70, 70);
    expect(end(some)).toBe(1);
  });

  it('do not see clears, blits and mip levels, nor draws while paused', () => {
    const { rig, begin, end } = setUp();
    const texture = rig.texture(RGBA8, 16, 16, { levels: 3 });
    const query = begin('occlusionCounter');
    rig.clear([1, 1, 1, 1], { scissor: { minX: 0, minY: 0, maxX: 5, maxY: 5 } });
    rig.context.generateMipmap(texture, RGBA8, 0, 2, 0, 0);
    rig.context.setActiveQueryState(false);
    rig.fill();
    rig.context.setActiveQueryState(true);
    rig.rect(0, 0, 3, 1);
    expect(end(query)).toBe(3);
  });

  it('count exactly over many tiles and primitives', () => {
    const { rig, begin, end } = setUp(1, 200);
    const query = begin('occlusionCounter');
    for (let i = 0; i < 50; i++) rig.fill();
    expect(end(query)).toBe(50 * 200 * 200);
  });
});

describe('primitive queries', () => {
  it('count what the vertex stage makes, culled or not', () => {
    const { rig, begin, end } = setUp();
    rig.rasterizer({ cullFace: 'frontAndBack' });
    const query = begin('primitivesGenerated');
    rig.rect(0, 0, 5, 5, { instances: 3 });
    rig.vertices(new Array(8 * 12).fill(0));
    rig.draw({ mode: 'triangleStrip', count: 12 });
    rig.draw({ mode: 'points', count: 12 });
    rig.draw({ mode: 'lineLoop', count: 12 });
    rig.draw({ mode: 'triangles', count: 11 });
    expect(end(query)).toBe(6 + 10 + 12 + 12 + 3);
  });

  it('emit nothing without stream output', () => {
    const { rig, begin, end } = setUp();
    const query = begin('primitivesEmitted');
    rig.fill();
    expect(end(query)).toBe(0);
  });
});

describe('time queries', () => {
  it('measure the work between begin and end', () => {
    const { rig, begin, end } = setUp();
    const query = begin('timeElapsed');
    rig.fill();
    expect(end(query)).toBeGreaterThan(0);
    const stamp = rig.context.createQuery('timestamp', 0);
    rig.context.endQuery(stamp);
    expect(rig.context.getQueryResult(stamp)).toBeGreaterThan(0);
  });
});

describe('render condition', () => {
  it('skips draws while the result equals the condition', () => {
    for (const [drawn, condition, isSkipped] of [
      [false, false, true],
      [true, false, false],
      [false, true, false],
      [true, true, true],
    ] as const) {
      const { rig, begin } = setUp();
      const query = begin('occlusionPredicate');
      if (drawn) rig.rect(0, 0, 1, 1, { color: [0, 0, 0, 0] });
      rig.context.endQuery(query);
      rig.context.renderCondition(query, condition, true);
      rig.fill();
      rig.context.renderCondition(null, false, false);
      const { resource } = rig.context.bindings.framebuffer.colors[0]!;
      expect(rig.pixel(resource, 5, 5)[0]).toBe(isSkipped ? 0 : 1);
    }
  });

  it('draws rather than wait when told so', () => {
    const { rig, begin } = setUp();
    const query = begin('occlusionPredicate');
    rig.rect(0, 0, 0, 0);
    rig.fill({ color: [0, 0, 0, 0] });
    rig.context.endQuery(query);
    rig.context.renderCondition(query, true, false);
    expect(rig.context.drawVbo(drawInfo({ count: 0 }))).toBe('ok');
    rig.fill();
    const { resource } = rig.context.bindings.framebuffer.colors[0]!;
    expect(rig.pixel(resource, 5, 5)[0]).toBe(1);
  });
});
