import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/format/format.ts';
import type { CompareFunction, Resource, StencilFace, StencilOperation } from '../../src/pipe/pipe.ts';
import { fragment, Rig } from './rig.ts';

const FUNCTIONS: CompareFunction[] = [
  'never',
  'less',
  'equal',
  'lessEqual',
  'greater',
  'notEqual',
  'greaterEqual',
  'always',
];
const OPERATIONS: StencilOperation[] = [
  'keep',
  'zero',
  'replace',
  'increment',
  'decrement',
  'incrementWrap',
  'decrementWrap',
  'invert',
];
const FACE: StencilFace = {
  func: 'always',
  failOp: 'keep',
  depthFailOp: 'keep',
  passOp: 'keep',
  compareMask: 0xff,
  writeMask: 0xff,
};

function compare(func: CompareFunction, a: number, b: number): boolean {
  const results: Record<CompareFunction, boolean> = {
    never: false,
    less: a < b,
    equal: a === b,
    lessEqual: a <= b,
    greater: a > b,
    notEqual: a !== b,
    greaterEqual: a >= b,
    always: true,
  };
  return results[func];
}

function operate(operation: StencilOperation, value: number, reference: number): number {
  const results: Record<StencilOperation, number> = {
    keep: value,
    zero: 0,
    replace: reference,
    increment: Math.min(value + 1, 255),
    decrement: Math.max(value - 1, 0),
    incrementWrap: (value + 1) & 255,
    decrementWrap: (value - 1) & 255,
    invert: ~value & 255,
  };
  return results[operation];
}

/** Makes the tests late: a discard that never happens. */
const lateShader = () =>
  fragment((b) => {
    const color = b.loadInput('var0', 4);
    b.if(b.flt(b.channel(color, 3), b.constFloat(-5)), () => b.discard());
    b.storeOutput('color0', color);
  });

function setUp(format: Format, isLate: boolean, samples = 1): { rig: Rig; color: Resource; zs: Resource } {
  const rig = new Rig();
  const color = rig.texture('R8G8B8A8_UNORM', 4, 4, { samples });
  const zs = rig.texture(format, 4, 4, { samples });
  rig.target([color], zs);
  if (isLate) rig.fragmentShader(lateShader());
  return { rig, color, zs };
}

describe.each([false, true])('depth test, late: %s', (isLate) => {
  it.each<Format>(['Z16_UNORM', 'Z24X8_UNORM', 'Z24_UNORM_S8_UINT', 'Z32_FLOAT', 'Z32_FLOAT_S8X24_UINT'])(
    'compares and writes as each function says: %s',
    (format) => {
      for (const func of FUNCTIONS) {
        for (const [old, z] of [
          [0.5, 0.25],
          [0.5, 0.5],
          [0.5, 0.75],
        ] as const) {
          for (const depthWrite of [true, false]) {
            const { rig, color, zs } = setUp(format, isLate);
            rig.clearDepthStencil(old, 0);
            rig.depthStencil({ depthTest: true, depthWrite, depthFunc: func });
            rig.fill({ z });
            // 0.5 rounds alike in both ways only as a value of the test: the clear's own rounding is the kernels'.
            const passes = compare(func, z, old);
            expect(rig.pixel(color, 1, 1)[0], `${func} ${z}`).toBe(passes ? 1 : 0);
            expect(rig.depths(zs)[5], `${func} ${z}`).toBeCloseTo(passes && depthWrite ? z : old, 4);
          }
        }
      }
    },
  );

  it('is off without a depth buffer', () => {
    const rig = new Rig();
    const color = rig.texture('R8G8B8A8_UNORM', 4, 4);
    rig.target([color]);
    if (isLate) rig.fragmentShader(lateShader());
    rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'never', stencil: { front: FACE, back: FACE } });
    rig.fill();
    expect(rig.pixel(color, 0, 0)).toEqual([1, 1, 1, 1]);
  });
});

describe.each([false, true])('stencil test, late: %s', (isLate) => {
  it('compares reference and value under the mask', () => {
    for (const func of FUNCTIONS) {
      for (const reference of [0x12, 0x35, 0xf7]) {
        const { rig, color } = setUp('Z24_UNORM_S8_UINT', isLate);
        rig.clearDepthStencil(1, 0x35);
        const face = { ...FACE, func, compareMask: 0x0f };
        rig.depthStencil({ stencil: { front: face, back: face } });
        rig.context.setStencilReference({ front: reference, back: reference });
        rig.fill();
        expect(rig.pixel(color, 1, 1)[0], `${func} ${reference}`).toBe(
          compare(func, reference & 0x0f, 0x35 & 0x0f) ? 1 : 0,
        );
      }
    }
  });

  it.each<Format>(['S8_UINT', 'Z24_UNORM_S8_UINT', 'Z32_FLOAT_S8X24_UINT'])('does each operation: %s', (format) => {
    for (const operation of OPERATIONS) {
      for (const value of [0, 1, 0x80, 0xff]) {
        for (const writeMask of [0xff, 0x3c]) {
          const { rig, zs } = setUp(format, isLate);
          rig.clearDepthStencil(1, value);
          const face = { ...FACE, passOp: operation, writeMask };
          rig.depthStencil({ stencil: { front: face, back: face } });
          rig.context.setStencilReference({ front: 0x5a, back: 0x5a });
          rig.fill();
          const result = operate(operation, value, 0x5a);
          const expected = (result & writeMask) | (value & ~writeMask);
          expect(rig.stencils(zs)[5], `${operation} of ${value}`).toBe(expected);
        }
      }
    }
  });

  it('chooses the operation by both tests and the face by winding', () => {
    const front: StencilFace = {
      ...FACE,
      func: 'lessEqual',
      failOp: 'zero',
      depthFailOp: 'invert',
      passOp: 'increment',
    };
    const back: StencilFace = {
      ...FACE,
      func: 'greater',
      failOp: 'invert',
      depthFailOp: 'decrement',
      passOp: 'replace',
    };
    for (const clockwise of [false, true]) {
      const face = clockwise ? back : front;
      for (const reference of [3, 7]) {
        for (const z of [0.2, 0.8]) {
          const { rig, color, zs } = setUp('Z24_UNORM_S8_UINT', isLate);
          rig.clearDepthStencil(0.5, 5);
          rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less', stencil: { front, back } });
          rig.context.setStencilReference(clockwise ? { front: 99, back: reference } : { front: reference, back: 99 });
          rig.fill({ z, clockwise });
          const passesStencil = compare(face.func, reference, 5);
          const passesDepth = z < 0.5;
          const operation = passesStencil ? (passesDepth ? face.passOp : face.depthFailOp) : face.failOp;
          expect(rig.stencils(zs)[5]).toBe(operate(operation, 5, reference));
          expect(rig.pixel(color, 1, 1)[0]).toBe(passesStencil && passesDepth ? 1 : 0);
          expect(rig.depths(zs)[5]).toBeCloseTo(passesStencil && passesDepth ? z : 0.5, 5);
        }
      }
    }
  });

  it('clamps references to eight bits', () => {
    const { rig, zs } = setUp('S8_UINT', isLate);
    const face = { ...FACE, passOp: 'replace' as const };
    rig.depthStencil({ stencil: { front: face, back: face } });
    rig.context.setStencilReference({ front: 0x1ff, back: 0 });
    rig.fill();
    expect(rig.stencils(zs)[0]).toBe(0xff);
  });

  it('changes a surface without stencil in nothing', () => {
    const { rig, color, zs } = setUp('Z24X8_UNORM', isLate);
    const raw = new Uint32Array(16).fill(0x77ffffff);
    rig.upload(zs, raw);
    const face: StencilFace = { ...FACE, func: 'never', failOp: 'invert' };
    rig.depthStencil({ stencil: { front: face, back: face } });
    rig.fill();
    expect(rig.pixel(color, 0, 0)).toEqual([1, 1, 1, 1]);
    expect(new Uint32Array(rig.bytes(zs).buffer)).toEqual(raw);
  });
});

describe('early and late tests', () => {
  it('agree on slanted, overlapping triangles, with four samples too', () => {
    const draw = (isLate: boolean, samples: number) => {
      const rig = new Rig();
      const color = rig.texture('R8G8B8A8_UNORM', 100, 90, { samples });
      const zs = rig.texture('Z24_UNORM_S8_UINT', 100, 90, { samples });
      rig.target([color], zs);
      rig.clear([0, 0, 0, 0]);
      rig.clearDepthStencil(1, 0);
      if (isLate) rig.fragmentShader(lateShader());
      const face: StencilFace = { ...FACE, depthFailOp: 'increment', passOp: 'incrementWrap' };
      rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less', stencil: { front: face, back: face } });
      let seed = 7;
      const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
      const data: number[] = [];
      for (let i = 0; i < 60; i++) {
        data.push(random() * 3 - 1.5, random() * 3 - 1.5, random() * 2 - 1, 1, random(), random(), random(), 1);
      }
      rig.vertices(data);
      rig.draw({ count: 60 });
      const single = samples > 1 ? rig.resolved(color) : color;
      return { bytes: rig.bytes(single), stencils: samples > 1 ? [] : rig.stencils(zs) };
    };
    for (const samples of [1, 4]) expect(draw(true, samples)).toEqual(draw(false, samples));
  });

  it('a discarded fragment writes neither colour nor depth nor stencil', () => {
    const { rig, color, zs } = setUp('Z24_UNORM_S8_UINT', false);
    rig.clearDepthStencil(1, 3);
    rig.fragmentShader(
      fragment((b) => {
        const position = b.sysval('fragCoord');
        b.if(b.flt(b.channel(position, 0), b.constFloat(2)), () => b.discard());
        b.storeOutput('color0', b.loadInput('var0', 4));
      }),
    );
    const face: StencilFace = { ...FACE, passOp: 'increment', failOp: 'invert', depthFailOp: 'invert' };
    rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less', stencil: { front: face, back: face } });
    rig.fill({ z: 0.5 });
    expect(rig.pixels(color).map(([red]) => red)).toEqual([0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]);
    expect(rig.stencils(zs).slice(0, 4)).toEqual([3, 3, 4, 4]);
    expect(rig.depths(zs)[0]).toBe(1);
    expect(rig.depths(zs)[2]).toBeCloseTo(0.5, 6);
  });

  it('gl_FragDepth is what is tested and written', () => {
    const { rig, color, zs } = setUp('Z32_FLOAT', false);
    rig.clearDepthStencil(0.5, 0);
    rig.fragmentShader(
      fragment(
        (b) => {
          const x = b.channel(b.sysval('fragCoord'), 0);
          b.storeOutput('depth', b.fmul(x, b.constFloat(0.25)));
          b.storeOutput('color0', b.loadInput('var0', 4));
        },
        ['color0', 'depth'],
      ),
    );
    rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less' });
    rig.fill({ z: 0.9 });
    expect(rig.depths(zs).slice(0, 4)).toEqual([0.125, 0.375, 0.5, 0.5]);
    expect(
      rig
        .pixels(color)
        .slice(0, 4)
        .map(([red]) => red),
    ).toEqual([1, 1, 0, 0]);
  });
});

describe('polygon offset', () => {
  it('moves depth by units of the smallest step', () => {
    for (const [format, step] of [
      ['Z16_UNORM', 1 / 65535],
      ['Z24X8_UNORM', 1 / 16777215],
    ] as const) {
      const { rig, zs } = setUp(format, false);
      rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'always' });
      rig.rasterizer({ polygonOffset: { factor: 0, units: 64, clamp: 0 } });
      rig.fill({ z: 0.25 });
      expect((rig.depths(zs)[5]! - 0.25) / step).toBeGreaterThan(63);
      expect((rig.depths(zs)[5]! - 0.25) / step).toBeLessThan(65);
    }
  });

  it('moves slanted depth by the slope', () => {
    const { rig, zs } = setUp('Z32_FLOAT', false);
    rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'always' });
    const slanted = [-1, -1, -1, 1, 0, 0, 0, 0, 3, -1, 1, 1, 0, 0, 0, 0, -1, 3, -1, 1, 0, 0, 0, 0];
    rig.vertices(slanted);
    rig.draw({ count: 3 });
    const plain = rig.depths(zs)[5]!;
    rig.rasterizer({ polygonOffset: { factor: 2, units: 0, clamp: 0 } });
    rig.draw({ count: 3 });
    // 4 pixels cover half of the slope from 0 to 1 over 8.
    expect(rig.depths(zs)[5]! - plain).toBeCloseTo(2 / 8, 5);
    rig.rasterizer({ polygonOffset: { factor: 2, units: 0, clamp: 0.125 } });
    rig.draw({ count: 3 });
    expect(rig.depths(zs)[5]! - plain).toBeCloseTo(0.125, 5);
  });
});
