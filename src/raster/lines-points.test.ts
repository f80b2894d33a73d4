import { expect, test } from 'vitest';
import { DRAW, SAMPLE_POSITIONS } from './layout.ts';
import { random, TestScene, type TestVertex } from './testing.ts';

type Point = readonly [x: number, y: number];

/** GLES 3.0.6 §3.5.1: the line passes through the open diamond around the centre and does not end in it. */
function exitsDiamond(a: Point, b: Point, cx: number, cy: number): boolean | undefined {
  const distance = (t: number): number =>
    Math.abs(a[0] + t * (b[0] - a[0]) - cx) + Math.abs(a[1] + t * (b[1] - a[1]) - cy);
  // Convex and piecewise linear: the least value is at an end or where the line crosses the centre's row or column.
  const turns = [0, 1, (cx - a[0]) / (b[0] - a[0]), (cy - a[1]) / (b[1] - a[1])].filter((t) => t >= 0 && t <= 1);
  const least = Math.min(...turns.map(distance));
  if (Math.abs(least - 0.5) < 1e-9) return undefined;
  return least < 0.5 && distance(1) >= 0.5;
}

test('lines of width 1 follow the diamond-exit rule', () => {
  const next = random(21);
  const wrong: string[] = [];
  for (let round = 0; round < 300; round++) {
    const scene = new TestScene(32, 32);
    const size = [40, 3, 12][round % 3]!;
    const step = round % 2 ? 1 : 32;
    const snap = (v: number): number => (Math.round(v * step) / step) as number;
    const a: Point = [snap(next() * 32) + 1 / 256, snap(next() * 32) + 1 / 128];
    const b: Point = [snap(a[0] + (next() - 0.5) * size) + 1 / 256, snap(a[1] + (next() - 0.5) * size) + 3 / 256];
    if (Math.abs(b[0] - a[0]) === Math.abs(b[1] - a[1])) continue;
    scene.bin([scene.at(...a), scene.at(...b)], { topology: 'lines' });
    const counts = scene.counts();
    for (let y = 0; y < 32; y++) {
      for (let x = 0; x < 32; x++) {
        const expected = exitsDiamond(a, b, x + 0.5, y + 0.5);
        if (expected !== undefined && counts[y * 32 + x] !== Number(expected)) {
          wrong.push(`${a} → ${b} at ${x}, ${y}: ${counts[y * 32 + x]}`);
        }
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

test('a closed line strip touches no pixel twice where lines meet', () => {
  const scene = new TestScene(64, 64);
  const corners: Point[] = [
    [10.3, 9.7],
    [50.2, 15.9],
    [44.4, 49.1],
    [12.8, 40.6],
  ];
  scene.bin(
    corners.map((corner) => scene.at(...corner)),
    { topology: 'lineLoop' },
  );
  scene.counts().forEach((count, i) => {
    const isOn = corners.some((a, k) =>
      exitsDiamond(a, corners[(k + 1) % 4]!, (i % 64) + 0.5, Math.floor(i / 64) + 0.5),
    );
    expect(count).toBe(Number(isOn));
  });
});

test.each([2, 3, 5, 8])('lines of width %i are that many pixels across along the minor axis', (width) => {
  const scene = new TestScene(64, 64);
  scene.setFloats({ lineWidth: width });
  scene.bin([scene.at(8.1, 20.2), scene.at(50.1, 33.3), scene.at(20.4, 60.5), scene.at(9.4, 10.5)], {
    topology: 'lines',
  });
  const perColumn = new Map<string, number>();
  scene.cover({}, ({ primitive, x, y, mask }) => {
    for (let lane = 0; lane < 4; lane++) {
      if (((mask >> lane) & 1) === 0) continue;
      const isSteep = Math.abs(scene.float(primitive, 'b1y')) > Math.abs(scene.float(primitive, 'b1x'));
      const key = isSteep ? `y${y + (lane >> 1)}` : `x${x + (lane & 1)}`;
      perColumn.set(key, (perColumn.get(key) ?? 0) + 1);
    }
  });
  expect(new Set(perColumn.values())).toEqual(new Set([width]));
  expect(perColumn.size).toBe(42 + 50);
});

test('values run along a line, in perspective', () => {
  const scene = new TestScene(64, 64);
  const vertex = (x: number, y: number, z: number, w: number, value: number): TestVertex => ({
    position: [(x / 32 - 1) * w, (y / 32 - 1) * w, z * w, w],
    varyings: [value, 0, 0, 0],
  });
  scene.bin([vertex(0, 10, -1, 1, 0), vertex(64, 10, 1, 4, 8)], { topology: 'lines', slots: 1 });
  let checked = 0;
  scene.cover({}, ({ primitive, x }) => {
    const t = (x + 0.5) / 64;
    const expected = (8 * t) / 4 / (1 - t + t / 4);
    expect(scene.interpolate(primitive, x + 0.5, 10, 0, 0)).toBeCloseTo(expected, 4);
    expect(scene.depthAt(primitive, x + 0.5, 10)).toBeCloseTo(t, 5);
    checked++;
  });
  expect(checked).toBe(32);
});

test('multisampled lines and points are rectangles, each sample covered once', () => {
  for (const topology of ['lines', 'points'] as const) {
    const scene = new TestScene(64, 64, 4);
    scene.setFloats({ lineWidth: 3 });
    scene.bin(
      topology === 'lines' ? [scene.at(10, 20), scene.at(50, 20)] : [{ ...scene.at(30.5, 31.25), pointSize: 7.5 }],
      { topology },
    );
    const [left, right, bottom, top] = topology === 'lines' ? [10, 50, 18.5, 21.5] : [26.75, 34.25, 27.5, 35];
    const counts = scene.counts();
    const wrong: string[] = [];
    for (let y = 0; y < 64; y++) {
      for (let x = 0; x < 64; x++) {
        SAMPLE_POSITIONS[4].forEach(([sx, sy], s) => {
          const [px, py] = [x + sx / 256, y + sy / 256];
          const expected = px >= left && px < right && py > bottom && py <= top;
          if (counts[(y * 64 + x) * 4 + s] !== Number(expected)) wrong.push(`${x}, ${y}, ${s}`);
        });
      }
    }
    expect(wrong).toEqual([]);
  }
});

test('points cover the centres inside of their square; gl_PointCoord has its origin top left', () => {
  const next = random(5);
  for (let round = 0; round < 40; round++) {
    const scene = new TestScene(64, 64);
    const [x, y] = [Math.round(next() * 64 * 256) / 256, Math.round(next() * 64 * 256) / 256];
    const size = Math.max(1, Math.round(next() * (round % 2 ? 5 : 40)));
    scene.bin([{ ...scene.at(x, y), pointSize: size, varyings: [3, 2, 1, 0] }], { topology: 'points', slots: 1 });
    const wrong: string[] = [];
    const counts = scene.counts();
    for (let py = 0; py < 64; py++) {
      for (let px = 0; px < 64; px++) {
        const [dx, dy] = [px + 0.5 - x, py + 0.5 - y];
        const expected = dx >= -size / 2 && dx < size / 2 && dy > -size / 2 && dy <= size / 2;
        if (counts[py * 64 + px] !== Number(expected)) wrong.push(`${px}, ${py}`);
      }
    }
    expect(wrong).toEqual([]);
    scene.cover({}, ({ primitive }) => {
      const p = (field: 'b1x' | 'b2y' | 'x0' | 'y0') => scene.float(primitive, field);
      expect(p('b1x') * (x - size / 2 - p('x0'))).toBeCloseTo(0, 6);
      expect(p('b1x') * (x + size / 2 - p('x0'))).toBeCloseTo(1, 6);
      expect(p('b2y') * (y + size / 2 - p('y0'))).toBeCloseTo(0, 6);
      expect(p('b2y') * (y - size / 2 - p('y0'))).toBeCloseTo(1, 6);
      expect(scene.interpolate(primitive, x, y, 0, 0)).toBe(3);
    });
  }
});

test('points across tiles and scissors cover the same centres as points inside of one tile', () => {
  const next = random(6);
  for (let round = 0; round < 60; round++) {
    const scene = new TestScene(128, 128);
    // Around the corner that four tiles share.
    const [x, y] = [64 + Math.round((next() - 0.5) * 12 * 256) / 256, 64 + Math.round((next() - 0.5) * 12 * 256) / 256];
    const size = 1 + Math.floor(next() * 6);
    const [left, top] = round % 3 === 0 ? [x - 0.5, y + 0.5].map(Math.floor) : [0, 128];
    scene.setWords(scene.draw, DRAW.word, { scissorMinX: left!, scissorMaxY: top! });
    scene.bin([{ ...scene.at(x, y), pointSize: size }], { topology: 'points' });
    const wrong: string[] = [];
    const counts = scene.counts({ early: { depth: { format: 'unorm24', func: 'always', write: true } } });
    for (let py = 56; py < 72; py++) {
      for (let px = 56; px < 72; px++) {
        const [dx, dy] = [px + 0.5 - x, py + 0.5 - y];
        const isInside = dx >= -size / 2 && dx < size / 2 && dy > -size / 2 && dy <= size / 2;
        const expected = isInside && px >= left! && py < top!;
        if (counts[py * 128 + px] !== Number(expected)) wrong.push(`${px}, ${py}`);
      }
    }
    expect(wrong).toEqual([]);
  }
});

test('point sizes are clamped; points beyond the sides of the view volume reach in', () => {
  const total = (vertex: TestVertex): number => {
    const scene = new TestScene(64, 64);
    scene.setFloats({ pointSizeMin: 2, pointSizeMax: 8 });
    scene.bin([vertex], { topology: 'points' });
    return scene.counts().reduce((a, b) => a + b, 0);
  };
  const scene = new TestScene(64, 64);
  const at = (x: number, pointSize: number): TestVertex => ({ ...scene.at(x, 32), pointSize });
  expect(total(at(32, 100))).toBe(64);
  expect(total(at(32, 0))).toBe(4);
  expect(total(at(32, Number.NaN))).toBe(4);
  expect(total(at(0, 8))).toBe(32);
  expect(total(at(-0.5, 8))).toBe(24);
  expect(total(at(-5, 8))).toBe(0);
  expect(total({ position: [0, 0, 2, 1], pointSize: 8 })).toBe(0);
});
