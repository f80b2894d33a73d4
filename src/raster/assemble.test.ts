import { expect, test } from 'vitest';
import { PRIMITIVE_VERTICES, type Topology } from './assemble.ts';
import { RasterEngine } from './engine.ts';
import { BATCH, vertexStride } from './layout.ts';
import { RasterMemory } from './memory.ts';
import { random, TestScene, TRIANGLES } from './testing.ts';

const TOPOLOGIES = Object.keys(PRIMITIVE_VERTICES) as Topology[];

/** Primitives of a list of vertex ids (null: restart), by the tables of GLES 3.0.6 §2.10.1. */
function expand(topology: Topology, elements: readonly (number | null)[], provokingFirst: boolean): number[][] {
  const result: number[][] = [];
  let run: number[] = [];
  const flush = (): void => {
    const n = run.length;
    const v = (i: number): number => run[i]!;
    if (topology === 'points') for (let i = 0; i < n; i++) result.push([v(i)]);
    if (topology === 'lines') for (let i = 0; i + 1 < n; i += 2) result.push([v(i), v(i + 1)]);
    if (topology === 'lineStrip' || topology === 'lineLoop') {
      for (let i = 0; i + 1 < n; i++) result.push([v(i), v(i + 1)]);
    }
    if (topology === 'lineLoop' && n >= 2) result.push([v(n - 1), v(0)]);
    if (topology === 'triangles') for (let i = 0; i + 2 < n; i += 3) result.push([v(i), v(i + 1), v(i + 2)]);
    if (topology === 'triangleStrip') {
      for (let i = 0; i + 2 < n; i++) {
        if (i % 2 === 0) result.push([v(i), v(i + 1), v(i + 2)]);
        else result.push(provokingFirst ? [v(i), v(i + 2), v(i + 1)] : [v(i + 1), v(i), v(i + 2)]);
      }
    }
    if (topology === 'triangleFan') {
      for (let i = 1; i + 1 < n; i++) {
        result.push(provokingFirst ? [v(i), v(i + 1), v(0)] : [v(0), v(i), v(i + 1)]);
      }
    }
    run = [];
  };
  for (const element of elements) {
    if (element === null) flush();
    else run.push(element);
  }
  flush();
  return result;
}

const memory = new RasterMemory();
const engine = new RasterEngine(memory);

/** Runs `assemble` until it is done and reads the primitives as vertex ids. */
function assemble(
  topology: Topology,
  indexBytes: 0 | 1 | 2 | 4,
  elements: readonly (number | null)[],
  provokingFirst: boolean,
  firstVertex = 0,
  maxVertex = 0xffffffff,
): { primitives: number[][]; vertices: number; batches: number } {
  const kernels = engine.geometryKernels({ ...TRIANGLES, topology, indexBytes, restart: true, provokingFirst });
  const { batch } = engine;
  const address = memory.allocate(elements.length * 4 + 16);
  elements.forEach((element, i) => {
    const value = element ?? 0xffffffff;
    if (indexBytes === 1) memory.u8[address + i] = value;
    if (indexBytes === 2) memory.u16[(address >>> 1) + i] = value;
    if (indexBytes === 4) memory.u32[(address >>> 2) + i] = value;
  });
  const set = (field: keyof typeof BATCH.word, value: number): void => {
    memory.u32[(batch >>> 2) + BATCH.word[field]] = value;
  };
  const get = (field: keyof typeof BATCH.word): number => memory.u32[(batch >>> 2) + BATCH.word[field]]!;
  set('vertexStride', vertexStride(0));
  set('indices', address);
  set('elementCount', elements.length);
  set('element', 0);
  set('firstVertex', firstVertex);
  set('maxVertex', maxVertex);
  set('stripLength', 0);
  const primitives: number[][] = [];
  let vertices = 0;
  let batches = 0;
  let more = 1;
  while (more !== 0) {
    more = kernels.assemble(batch);
    batches++;
    vertices += get('vertexCount');
    const size = PRIMITIVE_VERTICES[topology];
    for (let i = 0; i < get('primitiveCount'); i++) {
      const primitive: number[] = [];
      for (let k = 0; k < size; k++) {
        const record = memory.u32[(get('primitives') >>> 2) + i * size + k]!;
        const local = (record - get('vertices')) / vertexStride(0);
        expect(local).toBeLessThan(get('vertexCount'));
        primitive.push(memory.u32[(get('ids') >>> 2) + local]!);
      }
      primitives.push(primitive);
    }
    expect(get('vertexCount')).toBeLessThanOrEqual(1024);
  }
  memory.free(address);
  return { primitives, vertices, batches };
}

test.each(TOPOLOGIES)('%s: indices of every size, with restarts, over many batches', (topology) => {
  const next = random(TOPOLOGIES.indexOf(topology) + 1);
  for (const [indexBytes, count, range] of [
    [1, 50, 250],
    [2, 9000, 5000],
    [4, 9000, 100000],
    [4, 1, 10],
    [4, 2, 10],
    [2, 0, 10],
  ] as const) {
    for (const provokingFirst of [false, true]) {
      const elements = Array.from({ length: count }, () => (next() < 0.02 ? null : Math.floor(next() * range)));
      const { primitives } = assemble(topology, indexBytes, elements, provokingFirst);
      expect(primitives).toEqual(expand(topology, elements, provokingFirst));
    }
  }
});

test.each(TOPOLOGIES)('%s: without indices, from a first vertex', (topology) => {
  const elements = Array.from({ length: 5000 }, (_, i) => i + 7);
  const { primitives } = assemble(topology, 0, elements, false, 7);
  expect(primitives).toEqual(expand(topology, elements, false));
});

test('vertices are shared within a batch and ids are clamped', () => {
  const grid: number[] = [];
  for (let y = 0; y < 20; y++) {
    for (let x = 0; x < 20; x++) {
      const a = y * 21 + x;
      grid.push(a, a + 1, a + 21, a + 21, a + 1, a + 22);
    }
  }
  const { vertices, batches } = assemble('triangles', 2, grid, false);
  expect([vertices, batches]).toEqual([441, 1]);
  expect(assemble('points', 4, [5, 1000000, 7], false, 0, 9).primitives).toEqual([[5], [9], [7]]);
});

test('every instance shades the vertices again, for a draw of one batch and of several', () => {
  for (const count of [3, 3000]) {
    const scene = new TestScene(64, 64);
    const kernels = scene.engine.geometryKernels(TRIANGLES);
    const seen = new Map<number, number>();
    const range = { indices: 0, count, firstVertex: 0, firstInstance: 10, instances: 3 };
    const shader = (_draw: number, _ids: number, vertices: number, _out: number, instance: number): void => {
      seen.set(instance, (seen.get(instance) ?? 0) + vertices);
    };
    const target = { job: scene.job, tiles: 1, addBlock: () => false };
    scene.engine.runGeometry(kernels, scene.draw, range, shader, target);
    expect([...seen]).toEqual([
      [10, count],
      [11, count],
      [12, count],
    ]);
  }
});
