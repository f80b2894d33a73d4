// Endless shaders are stopped by counting; their screen's contexts are lost, others live on.

import { describe, expect, it } from 'vitest';
import { vectorType } from '../../src/ir/ir.ts';
import { endlessFragment, endlessVertex } from './endless.ts';
import { fragment, Rig } from './rig.ts';
import { SoftScreen } from './screen.ts';
import { PATIENCE } from './vertex-observer.ts';

const RGBA8 = 'R8G8B8A8_UNORM';

function setUp(): { rig: Rig; reasons: string[] } {
  const screen = new SoftScreen({});
  const reasons: string[] = [];
  screen.onLost((reason) => reasons.push(reason));
  const rig = new Rig(screen);
  const color = rig.texture(RGBA8, 300, 300);
  rig.target([color]);
  rig.clear([0, 0, 0, 1]);
  return { rig, reasons };
}

describe('an endless shader', () => {
  it('in the fragment stage ends within seconds and loses every context of its screen', () => {
    const { rig, reasons } = setUp();
    const neighbour = new Rig(rig.screen);
    const other = new Rig(new SoftScreen({}));
    rig.fragmentShader(endlessFragment());
    expect(rig.fill()).toBe('ok');
    const start = performance.now();
    const fence = rig.context.flush(0);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(fence.isSignalled()).toBe(true);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(/fragment shader did not end/);
    for (const lost of [rig, neighbour]) {
      const color = lost.texture(RGBA8, 4, 4);
      lost.target([color]);
      expect(lost.fill()).toBe('lost');
      expect(lost.clear([1, 1, 1, 1])).toBe('lost');
      expect(lost.context.generateMipmap(color, RGBA8, 0, 0, 0, 0)).toBe('lost');
      expect(lost.context.flush(0).isSignalled()).toBe(true);
      color.destroy();
    }
    const alive = other.texture(RGBA8, 4, 4);
    other.target([alive]);
    expect(other.fill()).toBe('ok');
    expect(other.pixel(alive, 1, 1)).toEqual([1, 1, 1, 1]);
  });

  it('in the vertex stage says so at the draw', () => {
    const { rig, reasons } = setUp();
    rig.vertexShader(endlessVertex());
    expect(rig.fill({ instances: 1000 })).toBe('lost');
    expect(reasons[0]).toMatch(/vertex shader did not end/);
    expect(rig.fill()).toBe('lost');
  });

  it('that a draw or a clear has to wait for makes them say so', () => {
    for (const next of ['draw', 'clear'] as const) {
      const { rig, reasons } = setUp();
      const color = rig.texture(RGBA8, 8, 8);
      rig.target([color]);
      rig.fragmentShader(endlessFragment());
      expect(rig.fill()).toBe('ok');
      // Another framebuffer of the same surface: the job before has to end first.
      rig.target([null, color]);
      expect(next === 'draw' ? rig.fill() : rig.clear([0, 0, 0, 1])).toBe('lost');
      expect(reasons).toHaveLength(1);
      rig.context.destroy();
    }
  });

  it('leaves a screen that new contexts can use, and no memory behind', () => {
    const { rig, reasons } = setUp();
    rig.fragmentShader(endlessFragment());
    rig.fill();
    rig.context.flush(0);
    const fresh = new Rig(rig.screen);
    const color = fresh.texture(RGBA8, 8, 8);
    fresh.target([color]);
    fresh.fill();
    expect(fresh.pixel(color, 7, 7)).toEqual([1, 1, 1, 1]);
    expect(reasons).toHaveLength(1);
    rig.context.destroy();
    fresh.context.destroy();
  });
});

describe('a draw of 2^31 vertices or instances', () => {
  it.each([
    [0x7fffffff, 1],
    [3, 0x7fffffff],
    [30_000, 0x7fffffff],
  ])('is given up when it takes too long: %d × %d', (count, instances) => {
    const { rig, reasons } = setUp();
    const patience = PATIENCE.drawMs;
    PATIENCE.drawMs = 50;
    try {
      const start = performance.now();
      expect(rig.draw({ mode: 'triangles', count, instanceCount: instances })).toBe('lost');
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(reasons).toHaveLength(1);
    } finally {
      PATIENCE.drawMs = patience;
    }
  });

  it('has no primitives: it ends at once', () => {
    const { rig } = setUp();
    const start = performance.now();
    expect(rig.draw({ mode: 'triangles', count: 2, instanceCount: 0x7fffffff })).toBe('ok');
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('long loops', () => {
  it('that end are let run', () => {
    const { rig, reasons } = setUp();
    const color = rig.texture('R32_FLOAT', 64, 64);
    rig.target([color]);
    rig.fragmentShader(
      fragment((b) => {
        const i = b.temporary('i', vectorType('float'));
        b.storeVar(i, [], b.constFloat(0));
        b.loop(() => {
          const value = b.loadVar(i);
          b.if(b.fge(value, b.constFloat(10_000)), () => b.break());
          b.storeVar(i, [], b.fadd(value, b.constFloat(1)));
        });
        b.storeOutput('color0', b.splat(b.loadVar(i), 4));
      }),
    );
    for (let i = 0; i < 3; i++) expect(rig.fill()).toBe('ok');
    expect(rig.pixel(color, 9, 9)[0]).toBe(10_000);
    expect(reasons).toEqual([]);
  });
});
