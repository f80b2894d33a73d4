import { expect, test } from 'vitest';
import type { CompareFunction, StencilOperation } from '../base/state-words.ts';
import type { DepthFormat, DepthStencilKey, StencilFace } from './depth-stencil.ts';
import { DEPTH_PLANE_BYTES, DRAW, SAMPLE_POSITIONS, STENCIL_PLANE_BYTES } from './layout.ts';
import { random, TestScene } from './testing.ts';

const COMPARE: Record<CompareFunction, (a: number, b: number) => boolean> = {
  never: () => false,
  less: (a, b) => a < b,
  equal: (a, b) => a === b,
  lessEqual: (a, b) => a <= b,
  greater: (a, b) => a > b,
  notEqual: (a, b) => a !== b,
  greaterEqual: (a, b) => a >= b,
  always: () => true,
};
const OPERATE: Record<StencilOperation, (s: number, ref: number) => number> = {
  keep: (s) => s,
  zero: () => 0,
  replace: (_, ref) => ref,
  increment: (s) => Math.min(s + 1, 255),
  decrement: (s) => Math.max(s - 1, 0),
  incrementWrap: (s) => (s + 1) & 255,
  decrementWrap: (s) => (s - 1) & 255,
  invert: (s) => ~s & 255,
};
const FORMATS: DepthFormat[] = ['unorm16', 'unorm24', 'float32'];

/** Depth as a plane holds it. */
function toPlane(z: number, format: DepthFormat): number {
  const clamped = Math.fround(Math.min(Math.max(z, 0), 1));
  if (format === 'float32') return new Uint32Array(Float32Array.of(clamped).buffer)[0]!;
  const product = Math.fround(clamped * (format === 'unorm16' ? 65535 : 16777215));
  const low = Math.floor(product);
  const isUp = product - low > 0.5 || (product - low === 0.5 && low % 2 === 1);
  return low + (isUp ? 1 : 0);
}

function pick<T>(next: () => number, list: readonly T[]): T {
  return list[Math.floor(next() * list.length)]!;
}

/** One pass of a full-screen triangle against random planes, compared sample by sample with plain code. */
function check(next: () => number, samples: 1 | 4): void {
  const scene = new TestScene(16, 16, samples);
  const { memory } = scene;
  const functions = Object.keys(COMPARE) as CompareFunction[];
  const operations = Object.keys(OPERATE) as StencilOperation[];
  const face = (): StencilFace => ({
    func: pick(next, functions),
    stencilFail: pick(next, operations),
    depthFail: pick(next, operations),
    pass: pick(next, operations),
  });
  const depth =
    next() < 0.8 ? { format: pick(next, FORMATS), func: pick(next, functions), write: next() < 0.7 } : undefined;
  const front = face();
  const stencil = next() < 0.8 ? { front, back: next() < 0.3 ? front : face() } : undefined;
  const early: DepthStencilKey = { ...(depth && { depth }), ...(stencil && { stencil }) };
  const words = {
    stencilRefFront: Math.floor(next() * 256),
    stencilRefBack: Math.floor(next() * 256),
    stencilReadMaskFront: pick(next, [255, 15, 0]),
    stencilReadMaskBack: pick(next, [255, 240]),
    stencilWriteMaskFront: pick(next, [255, 3, 0]),
    stencilWriteMaskBack: pick(next, [255, 0x55]),
    sampleMask: samples === 1 ? 1 : pick(next, [15, 5]),
  };
  scene.setWords(scene.draw, DRAW.word, words);
  const isFront = next() < 0.5;
  const corners = [scene.at(0, 0, -1), scene.at(32, 0, 0.9), scene.at(0, 32, 1)];
  scene.bin(isFront ? corners : corners.reverse());

  const [depthPlane, stencilPlane] = [scene.depth[0]!, scene.stencil[0]!];
  const before: { z: number; s: number }[][] = [];
  for (let s = 0; s < samples; s++) {
    const plane = [];
    for (let i = 0; i < 4096; i++) {
      const z = depth ? toPlane(next() < 0.2 ? 0.5 : next(), depth.format) : 0;
      const value = { z, s: pick(next, [0, 1, 255, 254, words.stencilRefFront, Math.floor(next() * 256)]) };
      memory.u32[((depthPlane + s * DEPTH_PLANE_BYTES) >>> 2) + i] = value.z;
      memory.u8[stencilPlane + s * STENCIL_PLANE_BYTES + i] = value.s;
      plane.push(value);
    }
    before.push(plane);
  }
  let primitive = 0;
  const passed = new Set<number>();
  // The planes of the primitive do not change with the tests.
  scene.cover({}, (fragment) => {
    primitive = fragment.primitive;
  });
  scene.cover({ early }, ({ x, y, mask }) => {
    for (let bit = 0; bit < 4 * samples; bit++) {
      if ((mask >>> bit) & 1) passed.add(((y + ((bit >> 1) & 1)) * 16 + x + (bit & 1)) * samples + (bit >> 2));
    }
  });
  const rules = stencil && (isFront ? stencil.front : stencil.back);
  const ref = isFront ? words.stencilRefFront : words.stencilRefBack;
  const read = isFront ? words.stencilReadMaskFront : words.stencilReadMaskBack;
  const write = isFront ? words.stencilWriteMaskFront : words.stencilWriteMaskBack;
  const f = Math.fround;
  const wrong: unknown[] = [];
  for (let y = 0; y < 16; y++) {
    for (let x = 0; x < 16; x++) {
      const i = ((y >> 1) * 32 + (x >> 1)) * 4 + (y & 1) * 2 + (x & 1);
      for (let s = 0; s < samples; s++) {
        const [sx, sy] = SAMPLE_POSITIONS[samples][s]!;
        const p = (field: 'z0' | 'zx' | 'zy' | 'x0' | 'y0') => scene.float(primitive, field);
        const alongX = f(p('zx') * f(x + sx / 256 - p('x0')));
        const alongY = f(p('zy') * f(y + sy / 256 - p('y0')));
        const z = depth ? toPlane(f(f(p('z0') + alongX) + alongY), depth.format) : 0;
        const old = before[s]![i]!;
        let expected = old;
        let passes = ((words.sampleMask >> s) & 1) === 1;
        if (passes) {
          const stencilOk = !rules || COMPARE[rules.func](ref & read, old.s & read);
          const depthOk = !depth || COMPARE[depth.func](z, old.z);
          passes = stencilOk && depthOk;
          const operation = !rules ? 'keep' : !stencilOk ? rules.stencilFail : !depthOk ? rules.depthFail : rules.pass;
          const updated = OPERATE[operation](old.s, ref);
          expected = {
            z: passes && depth?.write ? z : old.z,
            s: (old.s & ~write) | (updated & write),
          };
        }
        const got = {
          z: memory.u32[((depthPlane + s * DEPTH_PLANE_BYTES) >>> 2) + i],
          s: memory.u8[stencilPlane + s * STENCIL_PLANE_BYTES + i],
        };
        const isPassed = passed.has((y * 16 + x) * samples + s);
        if (got.z !== expected.z || got.s !== expected.s || isPassed !== passes) {
          wrong.push({ x, y, sample: s, got, isPassed, expected, passes, early });
        }
      }
    }
  }
  expect(wrong.slice(0, 2)).toEqual([]);
}

test.each([1, 4] as const)('random depth and stencil states do what their definition says (%i samples)', (samples) => {
  const next = random(samples);
  for (let i = 0; i < 60; i++) check(next, samples);
});

test('depths outside of 0 to 1 and negative zero are stored as numbers in the range', () => {
  for (const [z, expected] of [
    [-3, 0],
    [-0, 0],
    [4, 0x3f800000],
  ] as const) {
    const scene = new TestScene(16, 16);
    scene.setFloats({ viewportScaleZ: 0, viewportTranslateZ: z });
    scene.bin([scene.at(0, 0), scene.at(32, 0), scene.at(0, 32)]);
    scene.cover({ early: { depth: { format: 'float32', func: 'always', write: true } } }, () => {});
    expect(scene.memory.u32[scene.depth[0]! >>> 2]).toBe(expected);
  }
});
