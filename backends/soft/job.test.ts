import { afterEach, describe, expect, it } from 'vitest';
import { CLEAR, FLUSH, MAP, type Resource } from '../../src/pipe/pipe.ts';
import { debugFlags, parseDebugFlags } from './debug.ts';
import { fetchShader, fragment, Rig, showVarying } from './rig.ts';
import { SoftScreen } from './screen.ts';
import { createTexture, makeShader, surfaceOf } from './testing.ts';

const RGBA8 = 'R8G8B8A8_UNORM';
const RED = [1, 0, 0, 1];
const GREEN = [0, 1, 0, 1];
const BLUE = [0, 0, 1, 1];

afterEach(() => {
  debugFlags.alwaysFlush = debugFlags.noMerge = false;
});

function twoTargets(): { rig: Rig; a: Resource; b: Resource } {
  const rig = new Rig();
  return { rig, a: rig.texture(RGBA8, 70, 66), b: rig.texture(RGBA8, 70, 66) };
}

describe('jobs', () => {
  it('go on when the framebuffer comes back: A → B → A', () => {
    const { rig, a, b } = twoTargets();
    rig.target([a]);
    rig.clear(RED);
    rig.rect(0, 0, 10, 10, { color: GREEN });
    const first = rig.context.openJob();
    rig.target([b]);
    rig.clear(BLUE);
    rig.target([a]);
    expect(rig.context.openJob()).toBe(first);
    rig.rect(5, 5, 15, 15, { color: BLUE });
    expect(rig.pixel(a, 0, 0)).toEqual(GREEN);
    expect(rig.pixel(a, 7, 7)).toEqual(BLUE);
    expect(rig.pixel(a, 69, 65)).toEqual(RED);
    expect(rig.pixel(b, 69, 65)).toEqual(BLUE);
  });

  it('sample what another job wrote, and what it writes later is not seen', () => {
    const { rig, a, b } = twoTargets();
    rig.target([a]);
    rig.clear(RED);
    rig.target([b]);
    rig.fragmentShader(fetchShader());
    rig.sample([rig.view(a)]);
    rig.fill({ color: [0, 0, 0, 0] });
    rig.target([a]);
    rig.fragmentShader(showVarying());
    rig.fill({ color: GREEN });
    expect(rig.pixel(b, 30, 30)).toEqual(RED);
    expect(rig.pixel(a, 30, 30)).toEqual(GREEN);
  });

  it('sample what they wrote themselves, layer by layer and level by level', () => {
    const rig = new Rig();
    const chain = rig.texture(RGBA8, 16, 16, { levels: 3 });
    rig.target([surfaceOf(chain, 0)]);
    rig.fill({ color: [1, 0, 0, 0] });
    rig.fragmentShader(
      makeShader('fragment', ['var0'], ['color0'], (b, s) => {
        s.samplers.push({ name: 'texture', dim: '2d', shadow: false, resultType: 'float' });
        const coord = b.f2i(b.swizzle(b.sysval('fragCoord'), [0, 1]));
        const texel = b.tex({ op: 'fetch', sampler: 0, dim: '2d', coord, lod: b.constInt(0) });
        b.storeOutput('color0', b.fadd(texel, b.loadInput('var0', 4)));
      }),
    );
    for (const level of [1, 2]) {
      rig.target([surfaceOf(chain, level)]);
      rig.sample([rig.view(chain, { firstLevel: level - 1, lastLevel: level - 1 })]);
      rig.fill({ color: level === 1 ? [0, 1, 0, 0] : [0, 0, 1, 0] });
    }
    expect(rig.pixel(chain, 1, 1, 2)).toEqual([1, 1, 1, 0]);
    expect(rig.pixel(chain, 1, 1, 1)).toEqual([1, 1, 0, 0]);
    expect(rig.pixel(chain, 1, 1, 0)).toEqual([1, 0, 0, 0]);
  });

  it('copy a target into a texture and go on drawing to it', () => {
    const { rig, a, b } = twoTargets();
    rig.target([a]);
    rig.clear(RED);
    const box = { x: 0, y: 0, z: 0, width: 70, height: 66, depth: 1 };
    rig.context.copyRegion(b, 0, 0, 0, 0, a, 0, box);
    rig.fill({ color: GREEN });
    rig.context.copyRegion(b, 0, 35, 0, 0, a, 0, { ...box, width: 35 });
    rig.fill({ color: BLUE });
    expect(rig.pixel(b, 34, 5)).toEqual(RED);
    expect(rig.pixel(b, 35, 5)).toEqual(GREEN);
    expect(rig.pixel(a, 35, 5)).toEqual(BLUE);
  });

  it('keep the order of uploads and draws that read the texture', () => {
    const { rig, a, b } = twoTargets();
    rig.target([b]);
    rig.fragmentShader(fetchShader());
    rig.sample([rig.view(a)]);
    for (const [x, color] of [
      [0, 255],
      [20, 51],
      [40, 102],
    ] as const) {
      rig.upload(a, new Uint8Array(70 * 66 * 4).fill(color));
      rig.rect(x, 0, x + 20, 66, { color: [0, 0, 0, 0] });
    }
    expect([5, 25, 45].map((x) => Math.round(rig.pixel(b, x, 9)[0]! * 255))).toEqual([255, 51, 102]);
  });

  it('keep the order of buffer updates and draws that read them', () => {
    const { rig, a } = twoTargets();
    rig.target([a]);
    const uniforms = createTexture(rig.screen, { target: 'buffer', format: 'R8_UNORM', width: 64, height: 1 });
    rig.context.setConstantBuffer('fragment', 1, { buffer: uniforms, offsetBytes: 16, sizeBytes: 16 });
    rig.fragmentShader(
      makeShader('fragment', ['var0'], ['color0'], (b, s) => {
        s.uniformBlocks.push({ name: 'block', sizeBytes: 16 });
        b.storeOutput('color0', b.loadUbo(4, 0, 0));
      }),
    );
    for (const [x, color] of [
      [0, RED],
      [20, GREEN],
      [40, BLUE],
    ] as const) {
      const data = new Uint8Array(Float32Array.from(color).buffer);
      rig.context.bufferSubdata(uniforms, MAP.WRITE, 16, data);
      rig.rect(x, 0, x + 20, 66);
    }
    expect([5, 25, 45].map((x) => rig.pixel(a, x, 9))).toEqual([RED, GREEN, BLUE]);
  });

  it('take default uniforms and vertices as they are at the draw', () => {
    const { rig, a } = twoTargets();
    rig.target([a]);
    rig.fragmentShader(fragment((b) => b.storeOutput('color0', b.loadUniform(4, 0)), ['color0'], 1));
    const vertices = rig.vertices([]);
    for (const [x, color] of [
      [0, RED],
      [20, GREEN],
    ] as const) {
      rig.constants(color);
      rig.rect(x, 0, x + 20, 66);
    }
    vertices.destroy();
    expect([5, 25].map((x) => rig.pixel(a, x, 9))).toEqual([RED, GREEN]);
  });

  it('load what is there when they do not clear', () => {
    const { rig, a } = twoTargets();
    rig.upload(a, new Uint8Array(70 * 66 * 4).fill(255));
    rig.target([a]);
    rig.rect(0, 0, 3, 3, { color: [0, 0, 0, 0] });
    expect(rig.pixel(a, 2, 2)).toEqual([0, 0, 0, 0]);
    expect(rig.pixel(a, 3, 2)).toEqual([1, 1, 1, 1]);
    expect(rig.pixel(a, 69, 65)).toEqual([1, 1, 1, 1]);
  });

  it('drop what is invalidated, unless something is drawn afterwards', () => {
    const rig = new Rig();
    const [color, zs] = [rig.texture(RGBA8, 8, 8), rig.texture('Z24_UNORM_S8_UINT', 8, 8)];
    rig.target([color], zs);
    rig.clear(RED);
    rig.clearDepthStencil(1, 7);
    rig.context.invalidateFramebuffer(CLEAR.DEPTH, null);
    rig.context.flush(0);
    expect(rig.stencils(zs)[0]).toBe(7);
    expect(rig.depths(zs)[0]).toBe(0);
    rig.clear(GREEN);
    rig.context.invalidateFramebuffer(CLEAR.COLOR0, null);
    rig.rect(0, 0, 2, 2, { color: BLUE });
    rig.context.invalidateFramebuffer(CLEAR.COLOR0, { minX: 0, minY: 0, maxX: 4, maxY: 4 });
    expect(rig.pixel(color, 0, 0)).toEqual(BLUE);
    expect(rig.pixel(color, 5, 5)).toEqual(GREEN);
  });

  it('take over clears of their surfaces, and run what else was to be cleared', () => {
    const rig = new Rig();
    const [color, other] = [rig.texture(RGBA8, 70, 66), rig.texture(RGBA8, 70, 66)];
    const depth = rig.texture('Z24_UNORM_S8_UINT', 70, 66);
    rig.target([other, color]);
    rig.clear(RED, { buffers: CLEAR.COLOR0 | (CLEAR.COLOR0 << 1) });
    const first = rig.context.openJob();
    rig.context.clearDepthStencil(surfaceOf(depth), CLEAR.DEPTH_STENCIL, 0.5, 7, {
      minX: 0,
      minY: 0,
      maxX: 70,
      maxY: 66,
    });
    rig.target([color], depth);
    const job = rig.context.currentJob();
    expect(first?.isDone).toBe(true);
    expect(job!.attachments.map(({ load, store }) => [load, store])).toEqual(new Array(3).fill(['clear', true]));
    expect([job!.depth?.clearValue[0], job!.stencil?.clearValue[0]]).toEqual([0x800000, 7]);
    rig.rect(0, 0, 10, 10, { color: GREEN });
    expect(rig.pixel(color, 5, 5)).toEqual(GREEN);
    expect(rig.pixel(color, 69, 65)).toEqual(RED);
    expect(rig.pixel(other, 69, 65)).toEqual(RED);
  });

  it('do not take over the clear of another level, layer or size', () => {
    const rig = new Rig();
    const chain = rig.texture(RGBA8, 16, 16, { levels: 2 });
    const depth = rig.texture('Z24_UNORM_S8_UINT', 8, 8);
    rig.target([surfaceOf(chain, 0)]);
    rig.clear(RED);
    rig.target([surfaceOf(chain, 1)], depth);
    rig.clear(GREEN);
    rig.target([surfaceOf(chain, 0)], depth);
    rig.rect(0, 0, 2, 2, { color: BLUE });
    expect(rig.pixel(chain, 1, 1, 0)).toEqual(BLUE);
    expect(rig.pixel(chain, 12, 12, 0)).toEqual(RED);
    expect(rig.pixel(chain, 4, 4, 1)).toEqual(GREEN);
  });

  it('outlive the resources that they use', () => {
    const screen = new SoftScreen({});
    const rig = new Rig(screen);
    const [a, b] = [rig.texture(RGBA8, 16, 16), rig.texture(RGBA8, 16, 16)];
    rig.upload(a, new Uint8Array(16 * 16 * 4).fill(255));
    rig.target([b]);
    rig.fragmentShader(fetchShader());
    const view = rig.view(a);
    rig.sample([view]);
    rig.fill({ color: [0, 0, 0, 0] });
    rig.context.setSamplerViews('fragment', []);
    view.destroy();
    a.destroy();
    // Would take the freed memory if it were free.
    const other = rig.texture(RGBA8, 16, 16);
    expect(rig.pixel(b, 3, 3)).toEqual([1, 1, 1, 1]);
    other.destroy();
  });

  it('are not gathered without bound', () => {
    const rig = new Rig();
    const targets = Array.from({ length: 100 }, () => rig.texture(RGBA8, 8, 8));
    const before = rig.screen.memoryStatistics().liveBytes;
    for (const target of targets) {
      rig.target([target]);
      rig.fill({ color: RED });
    }
    const grown = rig.screen.memoryStatistics().liveBytes - before;
    expect(grown).toBeLessThan(64 << 20);
    for (const target of targets) expect(rig.pixel(target, 7, 7)).toEqual(RED);
  });

  it('of two contexts see each other', () => {
    const screen = new SoftScreen({});
    const [first, second] = [new Rig(screen), new Rig(screen)];
    const a = first.texture(RGBA8, 9, 9);
    const b = second.texture(RGBA8, 9, 9);
    first.target([a]);
    first.fill({ color: GREEN });
    second.target([b]);
    second.fragmentShader(fetchShader());
    second.sample([second.view(a)]);
    second.fill({ color: [0, 0, 0, 0] });
    first.fill({ color: RED });
    expect(second.pixel(b, 4, 4)).toEqual(GREEN);
    expect(second.pixel(a, 4, 4)).toEqual(RED);
  });

  it('are split when their memory grows too large, with the same picture', () => {
    const rig = new Rig(new SoftScreen({ memoryLimitBytes: 24 << 20 }));
    const a = rig.texture(RGBA8, 4, 4);
    rig.target([a]);
    rig.clear(RED);
    const data: number[] = [];
    for (let i = 0; i < 3000; i++) data.push(-1, -1, 0, 1, ...GREEN, 3, -1, 0, 1, ...GREEN, -1, 3, 0, 1, ...GREEN);
    rig.vertices(data);
    for (let i = 0; i < 40; i++) expect(rig.draw({ count: 9000 })).toBe('ok');
    expect(rig.pixel(a, 3, 3)).toEqual(GREEN);
  });
});

describe('fences', () => {
  it('signal after all earlier work, at once when there is none', () => {
    const { rig, a } = twoTargets();
    expect(rig.context.flush(0).isSignalled()).toBe(true);
    rig.target([a]);
    rig.clear(RED);
    const fence = rig.context.flush(FLUSH.DEFERRED);
    expect(fence.isSignalled()).toBe(false);
    expect(rig.screen.fenceFinish(fence, 0)).toBe(false);
    expect(rig.screen.fenceFinish(fence, 1)).toBe(true);
    expect(fence.isSignalled()).toBe(true);
    rig.clear(GREEN);
    expect(rig.context.flush(FLUSH.END_OF_FRAME).isSignalled()).toBe(true);
  });
});

describe('maps', () => {
  it('read what is pending, or say that they would wait', () => {
    const { rig, a } = twoTargets();
    rig.target([a]);
    rig.clear(RED);
    const box = { x: 0, y: 0, z: 0, width: 1, height: 1, depth: 1 };
    expect(rig.context.transferMap(a, 0, MAP.READ | MAP.DONT_BLOCK, box)).toBeNull();
    const transfer = rig.context.transferMap(a, 0, MAP.READ, box)!;
    expect([...transfer.data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
    rig.context.transferUnmap(transfer);
    expect(rig.context.transferMap(a, 0, MAP.READ | MAP.DONT_BLOCK, box)).not.toBeNull();
  });

  it('written while a draw reads do not reach that draw', () => {
    const { rig, a, b } = twoTargets();
    rig.upload(a, new Uint8Array(70 * 66 * 4).fill(255));
    rig.target([b]);
    rig.fragmentShader(fetchShader());
    rig.sample([rig.view(a)]);
    rig.fill({ color: [0, 0, 0, 0] });
    const box = { x: 0, y: 0, z: 0, width: 70, height: 66, depth: 1 };
    const transfer = rig.context.transferMap(a, 0, MAP.WRITE, box)!;
    transfer.data.fill(0);
    rig.context.transferUnmap(transfer);
    expect(rig.pixel(b, 69, 65)).toEqual([1, 1, 1, 1]);
    expect(rig.pixel(a, 69, 65)).toEqual([0, 0, 0, 0]);
  });
});

describe('debug flags', () => {
  it('are read from a list of names', () => {
    expect(parseDebugFlags('validate, no_merge')).toEqual({ alwaysFlush: false, noMerge: true, quadsPerStep: 0 });
    expect(parseDebugFlags('always_flush')).toEqual({ alwaysFlush: true, noMerge: false, quadsPerStep: 0 });
    expect(parseDebugFlags('two_quads')).toEqual({ alwaysFlush: false, noMerge: false, quadsPerStep: 2 });
  });

  it('no_merge runs a job when its framebuffer is left', () => {
    debugFlags.noMerge = true;
    const { rig, a, b } = twoTargets();
    rig.target([a]);
    rig.fill({ color: RED });
    const first = rig.context.openJob()!;
    rig.target([b]);
    expect(first.isDone).toBe(true);
  });

  it('always_flush runs each draw at once', () => {
    debugFlags.alwaysFlush = true;
    const { rig, a } = twoTargets();
    rig.target([a]);
    rig.fill({ color: RED });
    expect(rig.context.openJob()).toBeNull();
  });
});
