import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DRAW, PRIMITIVE, SAMPLE_POSITIONS } from './layout.ts';
import { random, TestScene, type TestVertex } from './testing.ts';

type Point = readonly [x: number, y: number];

/** Exact coverage of a sample, in 1/256 pixel, by the definition of the fill rule. */
function isCovered(points: readonly Point[], sx: number, sy: number): boolean {
  const [a, b, c] = points.map(([x, y]) => [BigInt(x), BigInt(y)] as const);
  const cross = (p: readonly [bigint, bigint], q: readonly [bigint, bigint], x: bigint, y: bigint): bigint =>
    (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
  const area = cross(a!, b!, c![0], c![1]);
  if (area === 0n) return false;
  const corners = area > 0n ? [a!, b!, c!] : [a!, c!, b!];
  return corners.every((p, i) => {
    const q = corners[(i + 1) % 3]!;
    const e = cross(p, q, BigInt(sx), BigInt(sy));
    const isLeft = q[1] < p[1];
    const isTop = q[1] === p[1] && q[0] < p[0];
    return e > 0n || (e === 0n && (isLeft || isTop));
  });
}

function expectExact(scene: TestScene, triangles: readonly (readonly Point[])[]): void {
  const counts = scene.counts();
  const positions = SAMPLE_POSITIONS[scene.samples];
  const wrong: string[] = [];
  for (let y = 0; y < scene.height; y++) {
    for (let x = 0; x < scene.width; x++) {
      positions.forEach(([sx, sy], s) => {
        const expected = triangles.filter((t) => isCovered(t, x * 256 + sx, y * 256 + sy)).length;
        const got = counts[(y * scene.width + x) * scene.samples + s];
        if (got !== expected) wrong.push(`(${x}, ${y}) sample ${s}: ${got} instead of ${expected}`);
      });
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
}

test.each([1, 4] as const)('random triangles cover exactly the samples inside of them (%i samples)', (samples) => {
  const next = random(7);
  for (let round = 0; round < 12; round++) {
    const scene = new TestScene(128, 128, samples);
    const size = [4, 30, 200, 4000][round % 4]!;
    const triangles: Point[][] = [];
    const vertices: TestVertex[] = [];
    for (let i = 0; i < 6; i++) {
      const centre = [next() * 128, next() * 128];
      const points = [0, 1, 2].map(
        () => centre.map((c) => Math.round((c + (next() - 0.5) * size) * 256)) as unknown as Point,
      );
      triangles.push(points);
      for (const [x, y] of points) vertices.push(scene.at(x / 256, y / 256));
    }
    scene.bin(vertices);
    expectExact(scene, triangles);
  }
});

test.each([1, 4] as const)('sample positions on edges and vertices belong to one triangle (%i samples)', (samples) => {
  // Coordinates in half pixels or eighths: centres and samples lie on many edges.
  const next = random(11);
  for (let round = 0; round < 8; round++) {
    const scene = new TestScene(64, 64, samples);
    const grid = 9;
    const step = samples === 1 ? 128 : 32;
    const points: Point[] = [];
    for (let j = 0; j < grid; j++) {
      for (let i = 0; i < grid; i++) {
        const isEdge = i === 0 || j === 0 || i === grid - 1 || j === grid - 1;
        const jitter = () => (isEdge ? 0 : Math.round((next() - 0.5) * 1024) / step) * step;
        points.push([i * 2048 + Math.round(jitter() / step) * step, j * 2048 + Math.round(jitter() / step) * step]);
      }
    }
    const vertices: TestVertex[] = [];
    for (let j = 0; j < grid - 1; j++) {
      for (let i = 0; i < grid - 1; i++) {
        const [a, b, c, d] = [j * grid + i, j * grid + i + 1, (j + 1) * grid + i, (j + 1) * grid + i + 1];
        for (const k of next() < 0.5 ? [a, b, c, c, b, d] : [a, d, b, a, c, d]) {
          const [x, y] = points[k]!;
          vertices.push(scene.at(x / 256, y / 256));
        }
      }
    }
    scene.bin(vertices);
    expect(scene.counts().every((count) => count === 1)).toBe(true);
  }
});

test('edges are exact at the largest viewport, for vertices out to the guard band', () => {
  const next = random(17);
  const scene = new TestScene(8192, 64);
  scene.setViewport(0, 0, 8192, 8192);
  const at = (x: number, y: number): TestVertex => ({ position: [x / 1048576 - 1, y / 1048576 - 1, 0, 1] });
  const triangles: Point[][] = [];
  for (let i = 0; i < 4; i++) {
    // Long thin slivers from one end of the guard band to the other, some through the window.
    const points: Point[] = [
      [-4194304 + Math.floor(next() * 1000), Math.floor((next() - 0.5) * 60000)],
      [4194304 - Math.floor(next() * 1000), Math.floor((next() - 0.3) * 60000)],
      [4194304 - Math.floor(next() * 4000000), i % 2 ? 4194304 - Math.floor(next() * 1000) : Math.floor(next() * 9000)],
    ];
    triangles.push(points);
    scene.bin(points.map(([x, y]) => at(x, y)));
  }
  const counts = scene.counts();
  expect(counts.some((count) => count > 0)).toBe(true);
  const wrong: string[] = [];
  for (let y = 0; y < 64; y += 3) {
    for (let x = y % 7; x < 8192; x += 7) {
      const expected = triangles.filter((t) => isCovered(t, x * 256 + 128, y * 256 + 128)).length;
      if (counts[y * 8192 + x] !== expected) wrong.push(`(${x}, ${y}): ${counts[y * 8192 + x]} instead of ${expected}`);
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

test('nothing is drawn outside of the clip rectangle, on either side of tile and quad borders', () => {
  for (const [minX, minY, maxX, maxY] of [
    [3, 5, 70, 67],
    [63, 0, 65, 1],
    [0, 64, 128, 65],
    [10, 10, 10, 20],
  ] as const) {
    const scene = new TestScene(128, 128);
    scene.setWords(scene.draw, DRAW.word, { clipMinX: minX, clipMinY: minY, clipMaxX: maxX, clipMaxY: maxY });
    scene.bin([scene.at(-64, -64), scene.at(512, 0), scene.at(0, 512)]);
    scene.counts().forEach((count, i) => {
      const [x, y] = [i % 128, i >> 7];
      const isInside = x >= minX && x < maxX && y >= minY && y < maxY;
      if (count !== Number(isInside)) throw new Error(`${x}, ${y}: ${count}`);
    });
  }
});

test('rows of covered quads are cut exactly by edges and by any clip rectangle, tested or not', () => {
  const next = random(23);
  const whole = (limit: number): number => Math.floor(next() * limit);
  for (let round = 0; round < 24; round++) {
    const [minX, minY] = [whole(40), whole(40)];
    const [maxX, maxY] = [minX + 1 + whole(88), minY + 1 + whole(88)];
    const points = [0, 1, 2].map((): Point => [whole(60000) - 14000, whole(60000) - 14000]);
    const isIn = (x: number, y: number): boolean => x >= minX && x < maxX && y >= minY && y < maxY;
    const scene = new TestScene(128, 128);
    scene.setWords(scene.draw, DRAW.word, { clipMinX: minX, clipMinY: minY, clipMaxX: maxX, clipMaxY: maxY });
    scene.bin(points.map(([x, y]) => scene.at(x / 256, y / 256)));
    const depth = { format: 'unorm24', func: 'always', write: true } as const;
    for (const counts of [scene.counts(), scene.counts({ early: { depth } })]) {
      const wrong: string[] = [];
      counts.forEach((count, i) => {
        const [x, y] = [i % 128, i >> 7];
        const expected = Number(isIn(x, y) && isCovered(points, x * 256 + 128, y * 256 + 128));
        if (count !== expected) wrong.push(`(${x}, ${y}): ${count}`);
      });
      expect(wrong.slice(0, 5), `triangle ${points.join(' ')}`).toEqual([]);
    }
  }
});

test('polygon offset adds factor times the slope and units times the smallest difference', () => {
  const offsetOf = (values: Parameters<TestScene['setFloats']>[0], isFloat = false): number => {
    const z = (offset: boolean): number => {
      const scene = new TestScene(64, 64);
      scene.setFloats({ viewportScaleZ: 1, viewportTranslateZ: 0 });
      if (offset) scene.setFloats(values);
      scene.setWords(scene.draw, DRAW.word, { offsetIsFloat: Number(isFloat) });
      scene.bin([scene.at(0, 0, 0.25), scene.at(64, 0, 0.5), scene.at(0, 64, 0.125)]);
      let value = 0;
      scene.cover({}, ({ primitive }) => {
        value = scene.float(primitive, 'z0');
      });
      return value;
    };
    return z(true) - z(false);
  };
  expect(offsetOf({ offsetFactor: 2 })).toBeCloseTo((2 * 0.25) / 64, 6);
  expect(offsetOf({ offsetFactor: -1, offsetUnits: 0.125 })).toBeCloseTo(0.125 - 0.25 / 64, 6);
  expect(offsetOf({ offsetUnits: 0.25, offsetClamp: 0.0625 })).toBeCloseTo(0.0625, 6);
  expect(offsetOf({ offsetUnits: -0.25, offsetClamp: -0.0625 })).toBeCloseTo(-0.0625, 6);
  // Largest z 0.5: exponent −1, so r is 2^-24.
  expect(offsetOf({ offsetUnits: 2 ** 20 }, true)).toBeCloseTo(2 ** -4, 6);
});

test('small triangles cover the same samples whether their box is cut or not', () => {
  const next = random(12);
  for (let round = 0; round < 60; round++) {
    const [x, y] = [8 + next() * 48, 8 + next() * 48];
    const size = 2 + next() * 24;
    const corner = (): [number, number] => [
      Math.round((x + (next() - 0.5) * size) * 256) / 256,
      Math.round((y + (next() - 0.5) * size) * 256) / 256,
    ];
    const corners = [corner(), corner(), corner()];
    const counts = (isCut: boolean): Uint8Array => {
      const scene = new TestScene(64, 64);
      // Cut by a rectangle around the pixels that are compared.
      if (isCut) scene.setWords(scene.draw, DRAW.word, { clipMinX: Math.floor(x), clipMaxY: Math.floor(y) });
      scene.bin(corners.map(([cx, cy]) => scene.at(cx, cy, 0.5)));
      return scene.counts({ early: { depth: { format: 'unorm24', func: 'greater', write: true } } });
    };
    const [whole, cut] = [counts(false), counts(true)];
    for (let py = 0; py < Math.floor(y); py++) {
      for (let px = Math.floor(x); px < 64; px++) expect(cut[py * 64 + px]).toBe(whole[py * 64 + px]);
    }
  }
});

test('records and coverage of a fixed scene never change', () => {
  const next = random(99);
  const scene = new TestScene(256, 128, 4);
  const vertices = Array.from(
    { length: 300 },
    (): TestVertex => ({
      position: [(next() - 0.5) * 4, (next() - 0.5) * 4, next() - 0.5, next() * 2 - 0.2],
      varyings: [next(), next(), next(), next()],
    }),
  );
  scene.bin(vertices, { slots: 1 });
  const hash = createHash('sha256');
  scene.cover({}, ({ primitive, x, y, mask }) => {
    // Spare words are not written.
    const record = scene.memory.u8.slice(primitive + PRIMITIVE.offset.x0, primitive + PRIMITIVE.size);
    const slot = scene.memory.u8.slice(primitive + PRIMITIVE.size, primitive + PRIMITIVE.size + 48);
    hash
      .update(record)
      .update(slot)
      .update(Uint32Array.of(x, y, mask));
  });
  expect(hash.digest('hex').slice(0, 16)).toMatchInlineSnapshot(`"e37784bd8f8e4905"`);
});

test('a triangle over many tiles is found whole when the arena runs out again and again', () => {
  const scene = new TestScene(512, 256);
  scene.blockBytes = 40_000;
  const vertices: TestVertex[] = [];
  for (let i = 0; i < 40; i++) {
    vertices.push(scene.at(0, 0), scene.at(1024, 0), scene.at(0, 512));
  }
  scene.bin(vertices);
  expect(scene.counts().every((count) => count === 40)).toBe(true);
  expect(scene.samplesPassed).toBe(512 * 256 * 40);
});

test('culling looks at the winding, and facing at the front winding', () => {
  const scene = new TestScene(64, 64);
  const positive = [scene.at(0, 0), scene.at(64, 0), scene.at(0, 64)];
  const draw = (values: Record<string, number>, vertices: TestVertex[]): number => {
    const fresh = new TestScene(64, 64);
    fresh.setWords(fresh.draw, DRAW.word, values);
    fresh.bin(vertices);
    let facing = -1;
    fresh.cover({}, ({ primitive }) => {
      facing = fresh.memory.u32[(primitive >>> 2) + PRIMITIVE.word.frontFacing]!;
    });
    return facing;
  };
  const negative = [...positive].reverse();
  expect(draw({}, positive)).toBe(1);
  expect(draw({}, negative)).toBe(0);
  expect(draw({ frontPositive: 0 }, negative)).toBe(1);
  expect(draw({ cullPositive: 1 }, positive)).toBe(-1);
  expect(draw({ cullPositive: 1 }, negative)).toBe(0);
  expect(draw({ cullNegative: 1 }, negative)).toBe(-1);
});

test('varyings and depth are interpolated, with perspective and flat slots from the provoking vertex', () => {
  const vertex = (x: number, y: number, z: number, w: number, value: number): TestVertex => ({
    position: [(x / 32 - 1) * w, (y / 32 - 1) * w, z * w, w],
    varyings: [value, 2 * value, 3, 4, value, 0, 0, 0],
  });
  const [a, b, c] = [vertex(4, 4, -0.5, 1, 10), vertex(60, 8, 0, 2, 20), vertex(10, 60, 0.5, 4, 30)];
  for (const provokingFirst of [false, true]) {
    const fresh = new TestScene(64, 64);
    fresh.bin([a, b, c], { slots: 2, flatMask: 2, provokingFirst });
    let checked = 0;
    fresh.cover({}, ({ primitive, x, y, mask }) => {
      if (!(mask & 1)) return;
      const [px, py] = [x + 0.5, y + 0.5];
      // Barycentrics on the screen, then divided by w.
      const area = 56 * 56 - 6 * 4;
      const l1 = ((px - 4) * 56 - (py - 4) * 6) / area;
      const l2 = (56 * (py - 4) - 4 * (px - 4)) / area;
      const l0 = 1 - l1 - l2;
      const w = 1 / (l0 + l1 / 2 + l2 / 4);
      const value = (10 * l0 + (20 * l1) / 2 + (30 * l2) / 4) * w;
      expect(fresh.interpolate(primitive, px, py, 0, 0)).toBeCloseTo(value, 4);
      expect(fresh.interpolate(primitive, px, py, 0, 2)).toBe(3);
      expect(fresh.depthAt(primitive, px, py)).toBeCloseTo(0.25 * l0 + 0.5 * l1 + 0.75 * l2, 5);
      expect(fresh.memory.f32[(primitive + 128 + 48) >>> 2]).toBe(provokingFirst ? 10 : 30);
      checked++;
    });
    expect(checked).toBeGreaterThan(300);
  }
});
