import { expect, test } from 'vitest';
import { random, TestScene, type TestVertex } from './testing.ts';

/** Homogeneous barycentrics of the clip-space point behind a pixel: λ with Σ λ·(x, y, w) = s·(ndcX, ndcY, 1), Σ λ = 1. */
function barycentrics(vertices: readonly TestVertex[], ndcX: number, ndcY: number): number[] | undefined {
  const [a, b, c] = vertices.map(({ position }) => [position[0]!, position[1]!, position[3]!] as const);
  const cross = (p: readonly number[], q: readonly number[]): number[] => [
    p[1]! * q[2]! - p[2]! * q[1]!,
    p[2]! * q[0]! - p[0]! * q[2]!,
    p[0]! * q[1]! - p[1]! * q[0]!,
  ];
  const dot = (p: readonly number[], q: readonly number[]): number => p.reduce((sum, v, i) => sum + v * q[i]!, 0);
  const ray = [ndcX, ndcY, 1];
  const raw = [dot(cross(b!, c!), ray), dot(cross(c!, a!), ray), dot(cross(a!, b!), ray)];
  const sum = raw[0]! + raw[1]! + raw[2]!;
  return sum === 0 ? undefined : raw.map((v) => v / sum);
}

test('triangles that cross the near and far plane, the eye, or reach far out are cut, their values kept', () => {
  const next = random(3);
  let checked = 0;
  const wrong: string[] = [];
  for (let round = 0; round < 60; round++) {
    const scene = new TestScene(64, 64);
    const reach = round % 3 === 0 ? 3000 : 3;
    const vertices: TestVertex[] = [0, 1, 2].map(() => {
      const w = next() * 4 - 1;
      return {
        position: [(next() - 0.5) * reach, (next() - 0.5) * reach, (next() - 0.5) * 6, w],
        varyings: [next() * 10, next() * 10, 0, 0],
      };
    });
    scene.bin(vertices, { slots: 1 });
    const found = new Map<number, number>();
    scene.cover({}, ({ primitive, x, y, mask }) => {
      for (let lane = 0; lane < 4; lane++) {
        if ((mask >> lane) & 1) found.set((y + (lane >> 1)) * 64 + x + (lane & 1), primitive);
      }
    });
    for (let y = 0; y < 64; y++) {
      for (let x = 0; x < 64; x++) {
        const l = barycentrics(vertices, (x + 0.5) / 32 - 1, (y + 0.5) / 32 - 1);
        if (!l) continue;
        const mix = (pick: (v: TestVertex) => number): number =>
          l.reduce((sum, weight, i) => sum + weight * pick(vertices[i]!), 0);
        const z = mix((v) => v.position[2]!);
        const w = mix((v) => v.position[3]!);
        // Distance to what bounds the visible part; near zero rounding may decide either way.
        const margin = Math.min(...l, (w - z) / (Math.abs(w) + 1e-9), (w + z) / (Math.abs(w) + 1e-9), w);
        if (Math.abs(margin) < 0.05) continue;
        const primitive = found.get(y * 64 + x);
        if ((primitive !== undefined) !== margin > 0) wrong.push(`round ${round}: ${x}, ${y} ${margin}`);
        if (primitive === undefined) continue;
        const value = mix((v) => v.varyings![0]!);
        const got = scene.interpolate(primitive, x + 0.5, y + 0.5, 0, 0);
        const tolerance = reach > 100 ? 0.4 : 0.02;
        if (Math.abs(got - value) > tolerance) wrong.push(`round ${round}: ${x}, ${y} has ${got}, not ${value}`);
        const depth = scene.depthAt(primitive, x + 0.5, y + 0.5);
        if (Math.abs(depth - (z / w / 2 + 0.5)) > 0.01) wrong.push(`round ${round}: ${x}, ${y} has depth ${depth}`);
        checked++;
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(checked).toBeGreaterThan(2000);
});

test('a plane through the eye and out to the horizon covers each pixel below it once', () => {
  const scene = new TestScene(64, 64);
  // A ground plane as a grid of triangles, far wider than the guard band, partly behind the eye.
  const corner = (i: number, j: number): TestVertex => {
    const [x, depth] = [(i - 4) * 100_000, (j - 1) * 3];
    return { position: [x, -1, depth * 0.99, depth] };
  };
  const vertices: TestVertex[] = [];
  for (let j = 0; j < 4; j++) {
    for (let i = 0; i < 8; i++) {
      const [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
      vertices.push(a, b, c, c, b, d);
    }
  }
  scene.bin(vertices);
  const counts = scene.counts();
  for (let y = 0; y < 64; y++) {
    // Rows that the plane's far end and the bottom of the view leave clear of doubt.
    const ndc = (y + 0.5) / 32 - 1;
    const depth = -1 / ndc;
    if (ndc > 0 || depth > 8.5) expect([...counts.subarray(y * 64, y * 64 + 64)].every((c) => c === 0)).toBe(true);
    else if (depth < 8.5) expect([...counts.subarray(y * 64, y * 64 + 64)].every((c) => c === 1)).toBe(true);
  }
});

test('coordinates that are not finite, and w of zero everywhere, draw nothing and break nothing', () => {
  const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 1e38, -1e38, 1e-40, 1];
  const next = random(9);
  for (const topology of ['triangles', 'lines', 'points'] as const) {
    const scene = new TestScene(64, 64);
    const vertices: TestVertex[] = Array.from({ length: 600 }, () => ({
      position: [0, 1, 2, 3].map(() => bad[Math.floor(next() * bad.length)]!),
      pointSize: bad[Math.floor(next() * bad.length)]!,
      varyings: [1, 2, 3, 4],
    }));
    scene.setFloats({ lineWidth: 4 });
    scene.bin(vertices, { topology, slots: 1 });
    scene.cover({}, ({ primitive }) => expect(Number.isFinite(scene.float(primitive, 'z0'))).toBe(true));
    const zero: TestVertex = { position: [0, 0, 0, 0] };
    const clean = new TestScene(64, 64);
    clean.bin([zero, zero, zero, zero, zero, zero], { topology });
    expect(clean.counts().every((count) => count === 0)).toBe(true);
  }
});

test('with depth clamp near and far do not cut', () => {
  const scene = new TestScene(64, 64);
  scene.bin([scene.at(0, 0, -5), scene.at(128, 0, 5), scene.at(0, 128, 5)], { depthClamp: true });
  expect(scene.counts().every((count) => count === 1)).toBe(true);
});

test('wide lines are cut where they leave the view, not narrowed along its sides', () => {
  const scene = new TestScene(64, 64);
  scene.setViewport(16, 16, 32, 32);
  scene.setWords(scene.draw, { clipMinX: 40, clipMinY: 41, clipMaxX: 42, clipMaxY: 43 }, {});
  scene.setFloats({ lineWidth: 5 });
  // Along the right side of the viewport, from below its bottom to above its top.
  scene.bin([{ position: [0.98, -3, 0, 1] }, { position: [0.98, 3, 0, 1] }], { topology: 'lines' });
  const counts = scene.counts();
  const columns = new Set<number>();
  const rows = new Set<number>();
  counts.forEach((count, i) => {
    if (count === 0) return;
    columns.add(i % 64);
    rows.add(Math.floor(i / 64));
  });
  expect([...columns].sort((a, b) => a - b)).toEqual([45, 46, 47, 48, 49]);
  expect([Math.min(...rows), Math.max(...rows)]).toEqual([16, 47]);
});
