import { describe, expect, it } from 'vitest';
import type { DrawInfo, Resource, VertexElement } from '../../src/pipe/pipe.ts';
import { fragment, Rig } from './rig.ts';
import { makeShader } from './testing.ts';

const WIDTH = 16;

/** A row of points, one pixel each: attribute 0 is x, attribute 1 the value. What a draw reads is what the row shows. */
function pointRow(): { rig: Rig; color: Resource } {
  const rig = new Rig();
  const color = rig.texture('R32_FLOAT', WIDTH, 1);
  rig.target([color]);
  rig.clear([-1, 0, 0, 0]);
  rig.vertexShader(POINT_SHADER);
  return { rig, color };
}

const POINT_SHADER = makeShader('vertex', ['attribute0', 'attribute1'], ['position', 'pointSize', 'var0'], (b) => {
  const x = b.channel(b.loadInput('attribute0', 4), 0);
  const clip = b.fsub(b.fmul(b.fadd(x, b.constFloat(0.5)), b.constFloat(2 / WIDTH)), b.constFloat(1));
  b.storeOutput('position', b.vec(clip, b.constFloat(0), b.constFloat(0), b.constFloat(1)));
  b.storeOutput('pointSize', b.constFloat(1));
  b.storeOutput('var0', b.loadInput('attribute1', 4));
});

const FLOAT: Omit<VertexElement, 'bufferIndex'> = { offsetBytes: 0, format: 'R32_FLOAT', instanceDivisor: 0 };

function bindFloats(rig: Rig, x: ArrayBufferView, values: ArrayBufferView, more: Partial<VertexElement> = {}): void {
  rig.context.bindVertexElementsState(
    rig.context.createVertexElementsState({
      elements: [
        { ...FLOAT, bufferIndex: 0 },
        { ...FLOAT, bufferIndex: 1, ...more },
      ],
    }),
  );
  rig.context.setVertexBuffers([
    { buffer: rig.buffer(x), offsetBytes: 0, strideBytes: 4 },
    { buffer: rig.buffer(values), offsetBytes: 0, strideBytes: 4 },
  ]);
}

const UP_TO_16 = Float32Array.from({ length: WIDTH }, (_, i) => i);
const VALUES = UP_TO_16.map((i) => 100 + i);

function row(rig: Rig, color: Resource): number[] {
  return rig.pixels(color).map(([red]) => red!);
}

function expectRow(rig: Rig, color: Resource, expected: Record<number, number>): void {
  const all = new Array(WIDTH).fill(-1);
  for (const [x, value] of Object.entries(expected)) all[Number(x)] = value;
  expect(row(rig, color)).toEqual(all);
}

function drawPoints(rig: Rig, info: Partial<DrawInfo> & { count: number }): void {
  expect(rig.draw({ mode: 'points', ...info })).toBe('ok');
}

describe('vertex ranges', () => {
  it('start and count', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    drawPoints(rig, { start: 3, count: 2 });
    expectRow(rig, color, { 3: 103, 4: 104 });
  });

  it.each([
    [1, Uint8Array],
    [2, Uint16Array],
    [4, Uint32Array],
  ] as const)('indices of %d bytes, at an offset, with a base vertex', (indexSize, View) => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    const indexBuffer = rig.buffer(View.from([9, 1, 5, 2]));
    drawPoints(rig, { indexBuffer, indexSize, indexOffsetBytes: indexSize, start: 1, count: 2, baseVertex: 3 });
    expectRow(rig, color, { 8: 108, 5: 105 });
  });

  it('a negative base vertex', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    const indexBuffer = rig.buffer(Uint16Array.from([9, 6]));
    drawPoints(rig, { indexBuffer, count: 2, baseVertex: -5 });
    expectRow(rig, color, { 4: 104, 1: 101 });
  });

  it('restart with the largest index of each size', () => {
    for (const [indexSize, data] of [
      [1, Uint8Array.from([0, 1, 255, 4, 5])],
      [2, Uint16Array.from([0, 1, 65535, 4, 5])],
      [4, Uint32Array.from([0, 1, 0xffffffff, 4, 5])],
    ] as const) {
      const { rig } = pointRow();
      bindFloats(rig, UP_TO_16, VALUES);
      const query = rig.context.createQuery('primitivesGenerated', 0);
      rig.context.beginQuery(query);
      const indexBuffer = rig.buffer(data);
      const restartIndex = 2 ** (indexSize * 8) - 1;
      rig.draw({ mode: 'lineStrip', indexBuffer, indexSize, count: 5, primitiveRestart: true, restartIndex });
      rig.context.endQuery(query);
      expect(rig.context.getQueryResult(query)).toBe(2);
    }
  });
});

describe('robust access', () => {
  it('vertices beyond the buffer read its last element, or zero when there is none', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES.slice(0, 4));
    drawPoints(rig, { count: 16 });
    expect(row(rig, color)).toEqual([100, 101, 102, 103, ...new Array(12).fill(103)]);
    rig.context.setVertexBuffers([
      rig.context.bindings.vertexBuffers[0]!,
      { buffer: rig.buffer(new Uint8Array(3)), offsetBytes: 0, strideBytes: 4 },
    ]);
    drawPoints(rig, { count: 16 });
    expect(row(rig, color)).toEqual(new Array(16).fill(0));
  });

  it('offsets beyond the buffer read zero', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    const [first, second] = rig.context.bindings.vertexBuffers;
    rig.context.setVertexBuffers([first!, { ...second!, offsetBytes: 1 << 30 }]);
    drawPoints(rig, { count: 16 });
    expect(row(rig, color)).toEqual(new Array(16).fill(0));
  });

  it('huge indices stay inside', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    const indexBuffer = rig.buffer(Uint32Array.from([0x7fffffff, 0xfffffffe, 3]));
    drawPoints(rig, { indexBuffer, indexSize: 4, count: 3 });
    expect(row(rig, color)[3]).toBe(103);
    expect(row(rig, color)[15]).toBe(115);
  });

  it('indices beyond the index buffer are not drawn', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    const indexBuffer = rig.buffer(Uint16Array.from([2, 7]));
    drawPoints(rig, { indexBuffer, count: 100 });
    expectRow(rig, color, { 2: 102, 7: 107 });
    drawPoints(rig, { indexBuffer, count: 5, indexOffsetBytes: 1 << 20 });
    expectRow(rig, color, { 2: 102, 7: 107 });
  });

  it('uniform blocks shorter than the shader thinks give zero or their own data', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    rig.fragmentShader(
      makeShader('fragment', ['var0'], ['color0'], (b, s) => {
        s.uniformBlocks.push({ name: 'block', sizeBytes: 4096 });
        const index = b.f2i(b.channel(b.loadInput('var0', 4), 0));
        b.storeOutput('color0', b.loadUbo(4, 0, 0, b.imul(index, b.constInt(16))));
      }),
    );
    const buffer = rig.buffer(Float32Array.from([1, 1, 1, 1, 2, 2, 2, 2, 666, 666, 666, 666]));
    rig.context.setConstantBuffer('fragment', 1, { buffer, offsetBytes: 0, sizeBytes: 32 });
    drawPoints(rig, { count: 16 });
    for (const value of row(rig, color)) expect([0, 1, 2]).toContain(value);
  });

  it('uniform blocks without a buffer read zero, whatever was bound before', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    rig.fragmentShader(
      makeShader('fragment', ['var0'], ['color0'], (b, s) => {
        s.uniformBlocks.push({ name: 'first', sizeBytes: 64 }, { name: 'second', sizeBytes: 64 });
        b.storeOutput('color0', b.fadd(b.loadUbo(4, 0, 16), b.loadUbo(4, 1, 32)));
      }),
    );
    const buffer = rig.buffer(new Float32Array(64).fill(5));
    for (const index of [1, 2]) {
      rig.context.setConstantBuffer('fragment', index, { buffer, offsetBytes: 0, sizeBytes: 256 });
    }
    drawPoints(rig, { count: 16 });
    expect(row(rig, color)).toEqual(new Array(16).fill(10));
    for (const index of [1, 2]) rig.context.setConstantBuffer('fragment', index, null);
    drawPoints(rig, { count: 16 });
    expect(row(rig, color)).toEqual(new Array(16).fill(0));
  });

  it('attributes without a buffer read 0, 0, 0, 1', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    const [first] = rig.context.bindings.vertexBuffers;
    rig.context.setVertexBuffers([first!, { buffer: null, offsetBytes: 0, strideBytes: 0 }]);
    drawPoints(rig, { count: 4 });
    expectRow(rig, color, { 0: 0, 1: 0, 2: 0, 3: 0 });
    rig.context.setVertexBuffers([first!]);
    drawPoints(rig, { count: 5 });
    expectRow(rig, color, { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 });
  });

  it('empty draws draw nothing', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    drawPoints(rig, { count: 0 });
    drawPoints(rig, { count: 5, instanceCount: 0 });
    rig.draw({ mode: 'triangles', count: 2 });
    expectRow(rig, color, {});
  });
});

describe('instancing', () => {
  it('advances attributes every n instances from the base instance on', () => {
    const { rig, color } = pointRow();
    // x comes from instances, the value from instances / 2.
    rig.context.bindVertexElementsState(
      rig.context.createVertexElementsState({
        elements: [
          { ...FLOAT, bufferIndex: 0, instanceDivisor: 1 },
          { ...FLOAT, bufferIndex: 1, instanceDivisor: 2 },
        ],
      }),
    );
    rig.context.setVertexBuffers([
      { buffer: rig.buffer(UP_TO_16), offsetBytes: 0, strideBytes: 4 },
      { buffer: rig.buffer(VALUES), offsetBytes: 0, strideBytes: 4 },
    ]);
    drawPoints(rig, { count: 1, instanceCount: 5 });
    expectRow(rig, color, { 0: 100, 1: 100, 2: 101, 3: 101, 4: 102 });
    rig.clear([-1, 0, 0, 0]);
    drawPoints(rig, { count: 1, instanceCount: 3, startInstance: 4 });
    expectRow(rig, color, { 4: 104, 5: 104, 6: 105 });
  });

  it('a constant attribute has stride 0', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    const [first, second] = rig.context.bindings.vertexBuffers;
    rig.context.setVertexBuffers([first!, { ...second!, offsetBytes: 8, strideBytes: 0 }]);
    drawPoints(rig, { count: 3 });
    expectRow(rig, color, { 0: 102, 1: 102, 2: 102 });
  });

  it('shaders see vertex and instance numbers', () => {
    const { rig, color } = pointRow();
    bindFloats(rig, UP_TO_16, VALUES);
    rig.vertexShader(
      makeShader('vertex', [], ['position', 'pointSize', 'var0'], (b) => {
        const [vertex, instance] = [b.sysval('vertexId'), b.sysval('instanceId')];
        const x = b.i2f(b.iadd(vertex, b.imul(instance, b.constInt(4))));
        const clip = b.fsub(b.fmul(b.fadd(x, b.constFloat(0.5)), b.constFloat(2 / WIDTH)), b.constFloat(1));
        b.storeOutput('position', b.vec(clip, b.constFloat(0), b.constFloat(0), b.constFloat(1)));
        b.storeOutput('pointSize', b.constFloat(1));
        const value = b.i2f(b.iadd(b.imul(instance, b.constInt(10)), vertex));
        b.storeOutput('var0', b.splat(value, 4));
      }),
    );
    drawPoints(rig, { start: 1, count: 2, instanceCount: 3 });
    expectRow(rig, color, { 1: 1, 2: 2, 5: 11, 6: 12, 9: 21, 10: 22 });
  });
});

describe('primitives', () => {
  it('points take their size and give point coordinates', () => {
    const rig = new Rig();
    const color = rig.texture('R32G32B32A32_FLOAT', 8, 8);
    rig.target([color]);
    rig.vertexShader(
      makeShader('vertex', ['attribute0', 'attribute1'], ['position', 'pointSize', 'var0'], (b) => {
        b.storeOutput('position', b.loadInput('attribute0', 4));
        b.storeOutput('pointSize', b.constFloat(4));
        b.storeOutput('var0', b.loadInput('attribute1', 4));
      }),
    );
    rig.fragmentShader(
      fragment((b) => {
        const coord = b.sysval('pointCoord');
        b.storeOutput('color0', b.vec(b.channel(coord, 0), b.channel(coord, 1), b.constFloat(0), b.constFloat(1)));
      }),
    );
    rig.vertices([0, 0, 0, 1, 0, 0, 0, 0]);
    drawPoints(rig, { count: 1 });
    const covered = rig.pixels(color).filter(([, , , a]) => a === 1);
    expect(covered).toHaveLength(16);
    // The origin is upper left.
    expect(rig.pixel(color, 2, 5)).toEqual([0.125, 0.125, 0, 1]);
    expect(rig.pixel(color, 5, 2)).toEqual([0.875, 0.875, 0, 1]);
  });

  it('lines cover a pixel a step along their length', () => {
    const rig = new Rig();
    const color = rig.texture('R8G8B8A8_UNORM', 16, 16);
    rig.target([color]);
    rig.clear([0, 0, 0, 0]);
    rig.vertices([-1, -0.97, 0, 1, 1, 1, 1, 1, 1, 0.9, 0, 1, 1, 1, 1, 1]);
    rig.draw({ mode: 'lines', count: 2 });
    const pixels = rig.pixels(color);
    for (let x = 0; x < 16; x++) {
      expect(pixels.filter(([red], i) => red === 1 && i % 16 === x)).toHaveLength(1);
    }
  });

  it('culls by winding', () => {
    for (const [cullFace, frontCounterClockwise, clockwise, isDrawn] of [
      ['none', true, true, true],
      ['back', true, false, true],
      ['back', true, true, false],
      ['front', true, true, true],
      ['front', false, true, false],
      ['back', false, true, true],
      ['frontAndBack', true, false, false],
    ] as const) {
      const rig = new Rig();
      const color = rig.texture('R8G8B8A8_UNORM', 4, 4);
      rig.target([color]);
      rig.rasterizer({ cullFace, frontCounterClockwise });
      rig.fill({ clockwise });
      expect(rig.pixel(color, 1, 1)[0], `${cullFace} ${clockwise}`).toBe(isDrawn ? 1 : 0);
    }
  });

  it('the scissor holds only while the rasterizer state has it', () => {
    const rig = new Rig();
    const color = rig.texture('R8G8B8A8_UNORM', 66, 66);
    rig.target([color]);
    rig.context.setScissor({ minX: 3, minY: 4, maxX: 65, maxY: 65 });
    rig.rasterizer({ scissor: true });
    rig.fill();
    expect(rig.pixels(color).filter(([red]) => red === 1)).toHaveLength(62 * 61);
    rig.context.setScissor({ minX: 100, minY: 100, maxX: 0, maxY: 0 });
    rig.fill({ color: [0, 0, 0, 0] });
    expect(rig.pixels(color).filter(([red]) => red === 1)).toHaveLength(62 * 61);
    rig.rasterizer({ scissor: false });
    rig.fill();
    expect(rig.pixels(color).filter(([red]) => red === 1)).toHaveLength(66 * 66);
  });

  it('state of one draw does not leak into the next', () => {
    const rig = new Rig();
    const color = rig.texture('R32G32B32A32_FLOAT', 64, 8);
    rig.target([color]);
    rig.viewport(0, 0, 32, 8);
    rig.width = 64;
    rig.rect(0, 0, 64, 8, { color: [1, 0, 0, 0] });
    rig.viewport(0, 0, 64, 8);
    rig.blend([{ enabled: true, sourceRgb: 'constantColor', destinationRgb: 'one' }]);
    rig.context.setBlendColor(0, 0.5, 0, 0);
    rig.fill({ color: [0, 1, 0, 0] });
    rig.context.setBlendColor(0, 0.25, 0, 0);
    rig.fill({ color: [0, 1, 0, 0] });
    rig.blend();
    rig.rect(0, 0, 8, 8, { color: [9, 9, 9, 9] });
    expect(rig.pixel(color, 4, 4)).toEqual([9, 9, 9, 9]);
    expect(rig.pixel(color, 20, 4)[1]).toBe(0.75);
    expect([rig.pixel(color, 20, 4)[0], rig.pixel(color, 40, 4)[0]]).toEqual([1, 0]);
  });
});
