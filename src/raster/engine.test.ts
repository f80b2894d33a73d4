import { expect, test } from 'vitest';
import { type GeometryState, RasterEngine } from './engine.ts';
import { JOB, vertexStride } from './layout.ts';
import { RasterMemory } from './memory.ts';
import { TestScene, TRIANGLES } from './testing.ts';

test('a memory that is not shared works as well', () => {
  const scene = new TestScene(64, 64, 1, false);
  expect(scene.memory.memory.buffer).toBeInstanceOf(ArrayBuffer);
  scene.bin([scene.at(0, 0), scene.at(128, 0), scene.at(0, 128)]);
  expect(scene.counts().every((count) => count === 1)).toBe(true);
});

test('an engine that cannot have its scratch memory gives back what it got, and works later', () => {
  const memory = new RasterMemory();
  for (let allowed = 0; allowed < 6; allowed++) {
    const engine = new RasterEngine(memory);
    let requests = 0;
    memory.failureHook = () => requests++ >= allowed;
    expect(() => engine.batch).toThrow(/out of memory/);
    expect(memory.liveBytes).toBe(0);
    memory.failureHook = undefined;
    expect(engine.batch).not.toBe(0);
    engine.dispose();
    expect(memory.liveBytes).toBe(0);
  }
});

test('geometry reports an arena that cannot grow', () => {
  const scene = new TestScene(64, 64);
  const kernels = scene.engine.geometryKernels(TRIANGLES);
  const shader = (_draw: number, _ids: number, count: number, out: number): void => {
    const positions = [-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1];
    for (let i = 0; i < count; i++)
      scene.memory.f32.set(positions.slice((i % 3) * 4, (i % 3) * 4 + 4), (out >>> 2) + i * 12);
  };
  const range = { indices: 0, count: 3000, firstVertex: 0, firstInstance: 0, instances: 1 };
  let blocks = 0;
  const addBlock = (bytes: number): boolean => {
    if (blocks++ > 0) return false;
    const block = scene.memory.allocate(bytes);
    scene.setWords(scene.job, JOB.word, { next: block, end: block + 60_000 });
    return true;
  };
  const target = { job: scene.job, tiles: 1, addBlock };
  expect(scene.engine.runGeometry(kernels, scene.draw, range, shader, target)).toBe(false);
  expect(blocks).toBe(2);
});

test('a mesh that is drawn again is not assembled again, and looks the same to the shader; any other is', () => {
  const scene = new TestScene(64, 64);
  const draws: {
    state?: Partial<GeometryState>;
    count?: number;
    firstVertex?: number;
    first?: number;
    instances?: number;
  }[] = [
    {},
    {},
    { instances: 3 },
    {},
    { count: 6 },
    { count: 6, first: 3 },
    { count: 6 },
    { firstVertex: 3 },
    { state: { topology: 'triangleStrip' } },
    {},
    { state: { provokingFirst: true } },
    { state: { slots: 2 } },
    { state: { indexBytes: 4 } },
    {},
    // More than one batch.
    { count: 9000 },
    { count: 9000 },
    {},
  ];
  /** What a draw's shader is called with, and how often elements are assembled. */
  const run = (
    engine: RasterEngine,
    { state, count = 9, firstVertex = 0, first, instances = 1 }: (typeof draws)[0],
  ) => {
    const kernels = engine.geometryKernels({ ...TRIANGLES, ...state });
    let assembled = 0;
    const assemble = (batch: number): number => {
      assembled++;
      return kernels.assemble(batch);
    };
    const calls: number[][] = [];
    const shader = (_draw: number, ids: number, vertices: number, out: number, instance: number): void => {
      calls.push([instance, ...scene.memory.u32.subarray(ids >>> 2, (ids >>> 2) + vertices)]);
      scene.memory.f32.fill(0, out >>> 2, (out >>> 2) + vertices * (vertexStride(kernels.state.slots) >>> 2));
    };
    const indices = kernels.state.indexBytes > 0 ? scene.memory.allocateZeroed(count * 4) : 0;
    const range = { indices, count, firstVertex, firstInstance: 0, instances, ...(first !== undefined && { first }) };
    const target = { job: scene.job, tiles: 1, addBlock: () => true };
    engine.runGeometry({ ...kernels, assemble }, scene.draw, range, shader, target);
    return { calls, assembled };
  };
  const assembled = draws.map((draw) => {
    const again = run(scene.engine, draw);
    const anew = run(new RasterEngine(scene.memory), draw);
    expect(again.calls).toEqual(anew.calls);
    expect(anew.assembled).toBeGreaterThan(0);
    return again.assembled > 0;
  });
  const isNew = [1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
  expect(assembled.map(Number)).toEqual(isNew);
});

test('each geometry state has kernels of its own, found again without compiling', () => {
  const engine = new RasterEngine(new RasterMemory());
  const states: GeometryState[] = [
    TRIANGLES,
    { ...TRIANGLES, topology: 'lines' },
    { ...TRIANGLES, indexBytes: 4 },
    { ...TRIANGLES, restart: true },
    { ...TRIANGLES, provokingFirst: true },
    { ...TRIANGLES, depthClamp: true },
    { ...TRIANGLES, slots: 32 },
    { ...TRIANGLES, slots: 32, flatMask: 0x80000000 },
    { ...TRIANGLES, slots: 32, flatMask: 1 },
  ];
  const kernels = states.map((state) => engine.geometryKernels(state));
  expect(new Set(kernels).size).toBe(states.length);
  states.forEach((state, i) => {
    expect(engine.geometryKernels({ ...state })).toBe(kernels[i]);
  });
  // Signed or not, the mask is the same set of slots.
  expect(engine.geometryKernels({ ...TRIANGLES, slots: 32, flatMask: 1 << 31 })).toBe(kernels[7]);
});
