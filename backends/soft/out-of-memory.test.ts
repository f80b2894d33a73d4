// Makes each allocation of a frame fail in turn: a status, never an exception; what was there stays; the next frame is right.

import { describe, expect, it } from 'vitest';
import type { PipeStatus, Resource, ResourceTemplate } from '../../src/pipe/pipe.ts';
import { saveBindings } from '../../src/util/bindings.ts';
import { fetchShader, fragment, Rig, showVarying } from './rig.ts';
import { SoftScreen } from './screen.ts';
import { resourceTemplate } from './testing.ts';

const RGBA8 = 'R8G8B8A8_UNORM';
const SIZE = 80;

/** Counts allocations, and fails those from the `first` on (`times` of them). */
function failFrom(screen: SoftScreen, first: number, times: number): () => number {
  let count = 0;
  screen.memory.failureHook = () => {
    count++;
    return count >= first && count < first + times;
  };
  return () => {
    screen.memory.failureHook = undefined;
    return count;
  };
}

/** A shader whose code needs scratch memory. */
const indexed = () =>
  fragment((b) => {
    b.storeOutput('color0', b.loadInput('var0', 4));
  });

/** Everything a frame does; each step is tried even if others fail. */
class Frame {
  readonly rig: Rig;
  readonly color: Resource;
  readonly zs: Resource;
  readonly texture: Resource;
  readonly multisampled: Resource;
  readonly statuses: PipeStatus[] = [];
  readonly #made: (Resource | null)[] = [];

  constructor(screen: SoftScreen) {
    this.rig = new Rig(screen);
    const { rig } = this;
    this.color = rig.texture(RGBA8, SIZE, SIZE);
    this.zs = rig.texture('Z24_UNORM_S8_UINT', SIZE, SIZE);
    this.texture = rig.texture(RGBA8, 16, 16, { levels: 5 });
    this.multisampled = rig.texture(RGBA8, SIZE, SIZE, { samples: 4 });
    rig.upload(this.texture, new Uint8Array(16 * 16 * 4).fill(128));
  }

  #note(status: PipeStatus): void {
    this.statuses.push(status);
  }

  #create(template: Partial<ResourceTemplate>): Resource | null {
    const resource = this.rig.screen.createResource(resourceTemplate({ format: RGBA8, ...template }));
    this.#made.push(resource);
    return resource;
  }

  #rect(x0: number, y0: number, x1: number, y1: number, color: readonly number[], z = 0): void {
    const vertices = this.#create({ target: 'buffer', format: 'R8_UNORM', width: 96 * 2, height: 1 });
    if (!vertices) return this.#note('outOfMemory');
    const { context } = this.rig;
    const clip = (v: number) => (2 * v) / SIZE - 1;
    const corner = (x: number, y: number) => [clip(x), clip(y), 2 * z - 1, 1, ...color];
    const data = Float32Array.from([
      ...corner(x0, y0),
      ...corner(x1, y0),
      ...corner(x1, y1),
      ...corner(x0, y0),
      ...corner(x1, y1),
      ...corner(x0, y1),
    ]);
    this.#note(context.bufferSubdata(vertices, 2, 0, new Uint8Array(data.buffer)));
    context.setVertexBuffers([{ buffer: vertices, offsetBytes: 0, strideBytes: 32 }]);
    this.#note(this.rig.draw({ count: 6 }));
  }

  draw(): void {
    const { rig, color, zs, texture, multisampled } = this;
    const { context } = rig;
    rig.target([color], zs);
    rig.fragmentShader(SHOW);
    rig.blend();
    rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'lessEqual' });
    this.#note(rig.clear([0, 0, 1, 1]));
    this.#note(rig.clearDepthStencil(1, 3));
    this.#note(rig.clear([0, 1, 0, 1], { scissor: { minX: 0, minY: 0, maxX: 9, maxY: 9 } }));
    this.#rect(10, 10, 70, 70, [1, 0, 0, 1], 0.5);
    this.#note(context.generateMipmap(texture, RGBA8, 0, 4, 0, 0));
    rig.fragmentShader(FETCH);
    rig.sample([rig.view(texture)]);
    this.#rect(0, 70, 16, 80, [0, 0, 0, 0], 0.2);
    rig.target([multisampled]);
    rig.depthStencil();
    rig.fragmentShader(INDEXED);
    this.#note(rig.clear([0, 0, 0, 1]));
    this.#rect(0, 0, 40, 80, [1, 1, 0, 1]);
    const box = { x: 0, y: 0, z: 0, width: SIZE, height: SIZE, depth: 1 };
    this.#note(
      context.blit({
        source: { resource: multisampled, level: 0, box, format: RGBA8 },
        destination: { resource: color, level: 0, box: { ...box, x: 20, y: 20, width: 20, height: 20 }, format: RGBA8 },
        mask: 1,
        filter: 'nearest',
        scissor: null,
        followsRenderCondition: false,
      }),
    );
    this.#note(
      context.blit({
        source: { resource: color, level: 0, box: { ...box, width: 40, height: 40 }, format: RGBA8 },
        destination: { resource: color, level: 0, box: { ...box, x: 30, y: 30, width: 40, height: 40 }, format: RGBA8 },
        mask: 1,
        filter: 'linear',
        scissor: null,
        followsRenderCondition: false,
      }),
    );
    context.setSamplerViews('fragment', []);
    context.flush(0);
  }

  picture(): string {
    const { rig, color, zs, texture } = this;
    const parts = [rig.bytes(color), rig.bytes(zs), rig.bytes(texture, 3)];
    return Buffer.concat(parts).toString('base64');
  }

  dropMade(): void {
    for (const resource of this.#made) resource?.destroy();
    this.#made.length = 0;
  }

  destroy(): void {
    this.dropMade();
    this.rig.context.destroy();
    for (const resource of [this.color, this.zs, this.texture, this.multisampled]) resource.destroy();
  }
}

const [SHOW, FETCH, INDEXED] = [showVarying(), fetchShader(), indexed()];

describe('a frame without enough memory', () => {
  const reference = (() => {
    const frame = new Frame(new SoftScreen({}));
    frame.draw();
    expect(frame.statuses.every((status) => status === 'ok')).toBe(true);
    return frame.picture();
  })();

  it.each([
    ['once', 1],
    ['for good', 1_000_000],
  ])('reports each allocation that fails %s, and draws the next frame right', (_, times) => {
    const screen = new SoftScreen({});
    const counting = new Frame(screen);
    const stop = failFrom(screen, Infinity, 0);
    counting.draw();
    const allocations = stop();
    expect(allocations).toBeGreaterThan(30);
    counting.destroy();
    let failures = 0;
    for (let first = 1; first <= allocations; first++) {
      // A fresh screen now and then, so that what is made once fails too.
      const frame = new Frame(first % 4 === 0 ? screen : new SoftScreen({}));
      const before = frame.rig.context.bindings;
      const end = failFrom(frame.rig.screen, first, times);
      frame.draw();
      end();
      failures += frame.statuses.filter((status) => status !== 'ok').length;
      expect(frame.statuses.filter((status) => status !== 'ok' && status !== 'outOfMemory')).toEqual([]);
      expect(frame.rig.context.bindings).toBe(before);
      frame.dropMade();
      // The same frame again gives the picture it should.
      frame.rig.upload(frame.color, new Uint8Array(SIZE * SIZE * 4));
      frame.rig.upload(frame.texture, new Uint8Array(16 * 16 * 4).fill(128));
      frame.draw();
      expect(frame.picture()).toBe(reference);
      frame.destroy();
    }
    // A single failure is mostly made up for by running what is pending; lasting ones are reported.
    if (times > 1) expect(failures).toBeGreaterThan(0);
  });

  it('leaves contents and state as they were when a draw fails', () => {
    const screen = new SoftScreen({});
    const rig = new Rig(screen);
    const color = rig.texture(RGBA8, SIZE, SIZE);
    rig.target([color]);
    rig.clear([0, 0, 1, 1]);
    rig.rect(0, 0, 10, 10, { color: [1, 0, 0, 1] });
    const picture = rig.bytes(color);
    // Small triangles, and one over everything.
    const data: number[] = [];
    for (let i = 0; i < 20_000; i++) {
      const edge = i === 0 ? 3 : -0.97;
      data.push(-1, -1, 0, 1, 0, 1, 0, 1, edge, -1, 0, 1, 0, 1, 0, 1, -1, edge, 0, 1, 0, 1, 0, 1);
    }
    rig.vertices(data);
    const bindings = saveBindings(rig.context.bindings);
    // Room for the job, but not for all of the draw's primitives.
    let left = 3;
    screen.memory.failureHook = (bytes) => bytes > 100_000 && left-- <= 0;
    expect(rig.draw({ count: 60_000 })).toBe('outOfMemory');
    screen.memory.failureHook = undefined;
    expect(rig.bytes(color)).toEqual(picture);
    expect(rig.context.bindings).toEqual(bindings);
    expect(rig.draw({ count: 60_000 })).toBe('ok');
    expect(rig.pixel(color, 5, 5)).toEqual([0, 1, 0, 1]);
  });

  it('takes back counts and captured primitives of a draw that fails', () => {
    const screen = new SoftScreen({});
    const rig = new Rig(screen);
    rig.target([rig.texture(RGBA8, SIZE, SIZE)]);
    rig.fill();
    const query = rig.context.createQuery('primitivesGenerated', 0);
    rig.context.beginQuery(query);
    const triangle = [-1, -1, 0, 1, 0, 0, 0, 0, -0.97, -1, 0, 1, 0, 0, 0, 0, -1, -0.97, 0, 1, 0, 0, 0, 0];
    rig.vertices(Array.from({ length: 60_000 * 8 }, (_, i) => triangle[i % 24]!));
    screen.memory.failureHook = (bytes) => bytes > 100_000;
    expect(rig.draw({ count: 60_000 })).toBe('outOfMemory');
    screen.memory.failureHook = undefined;
    rig.rect(0, 0, 1, 1);
    rig.context.endQuery(query);
    expect(rig.context.getQueryResult(query)).toBe(2);
  });

  it('runs what it has taken in without any more memory', () => {
    for (const work of ['clear', 'draw', 'partial clear'] as const) {
      const screen = new SoftScreen({});
      const rig = new Rig(screen);
      const [color, zs] = [rig.texture(RGBA8, SIZE, SIZE), rig.texture('Z24_UNORM_S8_UINT', SIZE, SIZE)];
      rig.target([color], zs);
      rig.clear([1, 0, 0, 1]);
      rig.clearDepthStencil(0.5, 7);
      if (work === 'draw') rig.fill({ color: [1, 0, 0, 1] });
      if (work === 'partial clear') rig.clear([1, 0, 0, 1], { scissor: { minX: 0, minY: 0, maxX: 3, maxY: 3 } });
      screen.memory.failureHook = () => true;
      expect(rig.context.flush(0).isSignalled()).toBe(true);
      screen.memory.failureHook = undefined;
      expect(rig.pixel(color, 79, 79)).toEqual([1, 0, 0, 1]);
      expect(rig.stencils(zs)[0]).toBe(7);
    }
  });

  it('gives null for resources that do not fit, and frees pending work first', () => {
    const screen = new SoftScreen({ memoryLimitBytes: 8 << 20 });
    expect(screen.createResource(resourceTemplate({ format: RGBA8, width: 4096, height: 4096 }))).toBeNull();
    expect(screen.createResource(resourceTemplate({ format: RGBA8, width: 50, height: 2 ** 31 }))).toBeNull();
    expect(
      screen.createResource(resourceTemplate({ target: 'buffer', format: 'R8_UNORM', width: 2 ** 31 })),
    ).toBeNull();
    expect(
      screen.createResource(resourceTemplate({ format: 'R32G32B32A32_FLOAT', width: 8192, height: 8192, samples: 4 })),
    ).toBeNull();
    const small = screen.createResource(resourceTemplate({ format: RGBA8 }));
    expect(small).not.toBeNull();
    small!.destroy();
    expect(screen.memoryStatistics().liveBytes).toBe(0);
  });
});
