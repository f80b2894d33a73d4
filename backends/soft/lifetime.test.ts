// Objects made and dropped in large numbers leave nothing behind.

import { describe, expect, it } from 'vitest';
import { fragment, Rig } from './rig.ts';
import { SoftScreen } from './screen.ts';

const RGBA8 = 'R8G8B8A8_UNORM';

describe('lifetimes', () => {
  it('10,000 shaders, drawn with or not, leave no memory behind', () => {
    const screen = new SoftScreen({});
    const rig = new Rig(screen);
    const color = rig.texture(RGBA8, 4, 4);
    rig.target([color]);
    rig.fill();
    rig.context.flush(0);
    const before = screen.memoryStatistics().liveBytes;
    const ir = fragment((b) => b.storeOutput('color0', b.loadInput('var0', 4)));
    for (let i = 0; i < 10_000; i++) {
      const shader = rig.context.createFragmentShaderState({ ir, streamOutput: null });
      if (i % 10 === 0) {
        rig.context.bindFragmentShaderState(shader);
        rig.fill();
      }
      rig.context.bindFragmentShaderState(null);
      rig.context.deleteFragmentShaderState(shader);
    }
    rig.context.flush(0);
    expect(screen.memoryStatistics().liveBytes).toBe(before);
  });

  it('shaders that need scratch memory share it', () => {
    const screen = new SoftScreen({});
    const rig = new Rig(screen);
    const color = rig.texture('R32_FLOAT', 4, 4);
    rig.target([color]);
    rig.fill();
    rig.context.flush(0);
    const before = screen.memoryStatistics().liveBytes;
    const pending: (() => void)[] = [];
    for (let i = 1; i <= 20; i++) {
      const ir = fragment((b) => {
        b.shader.locals.push({ name: 'table', length: i * 8, components: 1 });
        const index = b.f2i(b.channel(b.loadInput('var0', 4), 0));
        b.storeLocal(0, b.constInt(i), b.constFloat(i));
        b.storeOutput('color0', b.splat(b.loadLocal(0, index), 4));
      });
      const shader = rig.context.createFragmentShaderState({ ir, streamOutput: null });
      rig.context.bindFragmentShaderState(shader);
      rig.rect(0, 0, 4, 4, { color: [i, 0, 0, 0] });
      // Deleted while its draw is pending and larger ones replace its scratch memory.
      rig.context.deleteFragmentShaderState(shader);
      if (i === 10) pending.push(() => expect(rig.pixel(color, 1, 1)[0]).toBe(20));
    }
    for (const check of pending) check();
    expect(screen.memoryStatistics().liveBytes - before).toBeLessThan(64 << 10);
    rig.context.destroy();
  });

  it('2,000 contexts that drew leave no memory behind', () => {
    const screen = new SoftScreen({});
    const one = (): void => {
      const rig = new Rig(screen);
      const color = rig.texture(RGBA8, 4, 4);
      rig.target([color]);
      rig.clear([0, 1, 0, 1], { scissor: { minX: 0, minY: 0, maxX: 2, maxY: 2 } });
      rig.fill();
      rig.context.destroy();
      color.destroy();
    };
    one();
    const before = screen.memoryStatistics();
    for (let i = 0; i < 2000; i++) one();
    const after = screen.memoryStatistics();
    expect(after.liveBytes).toBe(before.liveBytes);
    expect(after.liveAllocations).toBe(before.liveAllocations);
    expect(after.capacityBytes).toBe(before.capacityBytes);
  });

  it('views, samplers, targets and queries own nothing', () => {
    const screen = new SoftScreen({});
    const rig = new Rig(screen);
    const [color, texture] = [rig.texture(RGBA8, 4, 4), rig.texture(RGBA8, 4, 4)];
    rig.target([color]);
    rig.fill();
    rig.context.flush(0);
    const before = screen.memoryStatistics().liveBytes;
    for (let i = 0; i < 1000; i++) {
      const view = rig.view(texture);
      rig.sample([view]);
      rig.fill();
      const query = rig.context.createQuery('occlusionCounter', 0);
      rig.context.beginQuery(query);
      rig.context.endQuery(query);
      query.destroy();
      view.destroy();
    }
    rig.context.setSamplerViews('fragment', []);
    rig.context.flush(0);
    expect(screen.memoryStatistics().liveBytes).toBe(before);
  });

  it('a screen gives everything back, contexts included', () => {
    const screen = new SoftScreen({});
    const rig = new Rig(screen);
    const color = rig.texture(RGBA8, 100, 100);
    rig.target([color]);
    rig.fill();
    color.destroy();
    color.destroy();
    screen.destroy();
    expect(screen.memoryStatistics().liveBytes).toBe(0);
    expect(rig.fill).toThrow();
  });
});
