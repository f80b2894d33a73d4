import { describe, expect, it } from 'vitest';
import { MAP, type PrimitiveMode, type Resource, type StreamOutputDescription } from '../../src/pipe/pipe.ts';
import { passThrough, Rig } from './rig.ts';
import { createTexture } from './testing.ts';

const INTERLEAVED: StreamOutputDescription = {
  varyings: [
    { slot: 'var0', firstComponent: 0, components: 2, buffer: 0, offsetBytes: 0 },
    { slot: 'position', firstComponent: 0, components: 4, buffer: 0, offsetBytes: 8 },
  ],
  strideBytes: [24],
};
const SEPARATE: StreamOutputDescription = {
  varyings: [
    { slot: 'var0', firstComponent: 1, components: 1, buffer: 0, offsetBytes: 0 },
    { slot: 'position', firstComponent: 2, components: 2, buffer: 1, offsetBytes: 0 },
  ],
  strideBytes: [4, 8],
};
/** One float: the vertex's number, as `vertices` below puts it into var0.x. */
const NUMBERS: StreamOutputDescription = {
  varyings: [{ slot: 'var0', firstComponent: 0, components: 1, buffer: 0, offsetBytes: 0 }],
  strideBytes: [4],
};

function setUp(description: StreamOutputDescription): Rig {
  const rig = new Rig();
  rig.target([rig.texture('R8G8B8A8_UNORM', 8, 8)]);
  rig.context.bindVertexShaderState(
    rig.context.createVertexShaderState({ ir: passThrough(), streamOutput: description }),
  );
  return rig;
}

function numbered(rig: Rig, count: number): void {
  rig.vertices(Array.from({ length: count }, (_, i) => [0, 0, 0.25, 1, i, 10 + i, 0, 0]).flat());
}

function emptyBuffer(rig: Rig, bytes: number): Resource {
  const buffer = createTexture(rig.screen, { target: 'buffer', format: 'R8_UNORM', width: bytes, height: 1 });
  rig.context.bufferSubdata(buffer, MAP.WRITE, 0, new Uint8Array(bytes).fill(0xee));
  return buffer;
}

function floats(rig: Rig, buffer: Resource, count: number, offset = 0): number[] {
  const box = { x: offset, y: 0, z: 0, width: count * 4, height: 1, depth: 1 };
  const transfer = rig.context.transferMap(buffer, 0, MAP.READ, box)!;
  const bytes = transfer.data.slice(0, count * 4);
  rig.context.transferUnmap(transfer);
  return [...new Float32Array(bytes.buffer)];
}

function isUntouched(rig: Rig, buffer: Resource, offset: number, bytes: number): boolean {
  const box = { x: offset, y: 0, z: 0, width: bytes, height: 1, depth: 1 };
  return rig.context.transferMap(buffer, 0, MAP.READ, box)!.data.every((byte) => byte === 0xee);
}

describe('stream output', () => {
  it('writes interleaved varyings from the offset on', () => {
    const rig = setUp(INTERLEAVED);
    const buffer = emptyBuffer(rig, 256);
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 16, 240)], false);
    numbered(rig, 3);
    rig.draw({ count: 3 });
    expect(floats(rig, buffer, 18, 16)).toEqual([0, 1, 2].flatMap((i) => [i, 10 + i, 0, 0, 0.25, 1]));
    expect(isUntouched(rig, buffer, 0, 16)).toBe(true);
    expect(isUntouched(rig, buffer, 16 + 72, 100)).toBe(true);
  });

  it('writes separate buffers', () => {
    const rig = setUp(SEPARATE);
    const [first, second] = [emptyBuffer(rig, 64), emptyBuffer(rig, 64)];
    const targets = [first, second].map((buffer) => rig.context.createStreamOutputTarget(buffer, 0, 64));
    rig.context.setStreamOutputTargets(targets, false);
    numbered(rig, 3);
    rig.draw({ mode: 'points', count: 3 });
    expect(floats(rig, first, 3)).toEqual([10, 11, 12]);
    expect(floats(rig, second, 6)).toEqual([0.25, 1, 0.25, 1, 0.25, 1]);
  });

  it.each<[PrimitiveMode, number, number[]]>([
    ['points', 3, [0, 1, 2]],
    ['lines', 5, [0, 1, 2, 3]],
    ['lineStrip', 4, [0, 1, 1, 2, 2, 3]],
    ['lineLoop', 3, [0, 1, 1, 2, 2, 0]],
    ['triangles', 7, [0, 1, 2, 3, 4, 5]],
    ['triangleFan', 4, [0, 1, 2, 0, 2, 3]],
  ])('writes whole primitives: %s', (mode, count, expected) => {
    const rig = setUp(NUMBERS);
    const buffer = emptyBuffer(rig, 256);
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 0, 256)], false);
    numbered(rig, count);
    rig.draw({ mode, count });
    expect(floats(rig, buffer, expected.length)).toEqual(expected);
    expect(isUntouched(rig, buffer, expected.length * 4, 4)).toBe(true);
  });

  it('writes triangle strips with the winding of each triangle', () => {
    const rig = setUp(NUMBERS);
    const buffer = emptyBuffer(rig, 256);
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 0, 256)], false);
    numbered(rig, 5);
    rig.draw({ mode: 'triangleStrip', count: 5 });
    const all = floats(rig, buffer, 9);
    const triangles = [all.slice(0, 3), all.slice(3, 6), all.slice(6, 9)];
    expect(triangles.map((t) => [...t].sort())).toEqual([
      [0, 1, 2],
      [1, 2, 3],
      [2, 3, 4],
    ]);
    // Even ones are a rotation of their order in the strip, the odd one of the reverse.
    const isRotation = (t: number[], order: number[]) =>
      order.some((_, i) => t.every((v, k) => v === order[(i + k) % 3]));
    expect(isRotation(triangles[0]!, [0, 1, 2])).toBe(true);
    expect(isRotation(triangles[1]!, [2, 1, 3])).toBe(true);
    expect(isRotation(triangles[2]!, [2, 3, 4])).toBe(true);
  });

  it('stops at whole primitives that fit every buffer, and counts them', () => {
    const rig = setUp(SEPARATE);
    const [first, second] = [emptyBuffer(rig, 64), emptyBuffer(rig, 64)];
    // 5 vertices fit the first, 4 the second: one triangle.
    const targets = [
      rig.context.createStreamOutputTarget(first, 0, 20),
      rig.context.createStreamOutputTarget(second, 0, 32),
    ];
    rig.context.setStreamOutputTargets(targets, false);
    const [emitted, generated] = [
      rig.context.createQuery('primitivesEmitted', 0),
      rig.context.createQuery('primitivesGenerated', 0),
    ];
    rig.context.beginQuery(emitted);
    rig.context.beginQuery(generated);
    numbered(rig, 9);
    rig.draw({ count: 9 });
    rig.context.endQuery(emitted);
    rig.context.endQuery(generated);
    expect(rig.context.getQueryResult(emitted)).toBe(1);
    expect(rig.context.getQueryResult(generated)).toBe(3);
    expect(floats(rig, first, 3)).toEqual([10, 11, 12]);
    expect(isUntouched(rig, first, 12, 52)).toBe(true);
    expect(isUntouched(rig, second, 24, 40)).toBe(true);
  });

  it('never writes beyond the buffer, whatever the range says', () => {
    const rig = setUp(NUMBERS);
    const buffer = emptyBuffer(rig, 16);
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 8, 1 << 20)], false);
    numbered(rig, 3);
    rig.draw({ mode: 'points', count: 3 });
    expect(floats(rig, buffer, 2, 8)).toEqual([0, 1]);
  });

  it('appends after a pause and starts anew when told', () => {
    const rig = setUp(NUMBERS);
    const buffer = emptyBuffer(rig, 64);
    const target = rig.context.createStreamOutputTarget(buffer, 0, 64);
    numbered(rig, 2);
    rig.context.setStreamOutputTargets([target], false);
    rig.draw({ mode: 'points', count: 2 });
    rig.context.setStreamOutputTargets([], true);
    rig.draw({ mode: 'points', count: 2 });
    rig.context.setStreamOutputTargets([target], true);
    rig.draw({ mode: 'points', count: 1, start: 1 });
    expect(floats(rig, buffer, 3)).toEqual([0, 1, 1]);
    expect(isUntouched(rig, buffer, 12, 4)).toBe(true);
    rig.context.setStreamOutputTargets([target], false);
    rig.draw({ mode: 'points', count: 1, start: 1 });
    expect(floats(rig, buffer, 3)).toEqual([1, 1, 1]);
  });

  it('goes on across blits and clears in between', () => {
    const rig = setUp(NUMBERS);
    const buffer = emptyBuffer(rig, 64);
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 0, 64)], false);
    numbered(rig, 2);
    rig.draw({ mode: 'points', count: 2 });
    rig.clear([1, 1, 1, 1], { scissor: { minX: 0, minY: 0, maxX: 2, maxY: 2 } });
    rig.draw({ mode: 'points', count: 2 });
    expect(floats(rig, buffer, 4)).toEqual([0, 1, 0, 1]);
    expect(isUntouched(rig, buffer, 16, 48)).toBe(true);
  });

  it('works with rasterizer discard, which draws no pixel', () => {
    const rig = setUp(NUMBERS);
    const buffer = emptyBuffer(rig, 64);
    const { resource } = rig.context.bindings.framebuffer.colors[0]!;
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 0, 64)], false);
    rig.rasterizer({ rasterizerDiscard: true });
    rig.fill({ color: [5, 6, 7, 8] });
    expect(floats(rig, buffer, 6)).toEqual([5, 5, 5, 5, 5, 5]);
    expect(rig.pixel(resource, 3, 3)).toEqual([0, 0, 0, 0]);
  });

  it('writes every instance, and batch after batch in order', () => {
    const rig = setUp(NUMBERS);
    const count = 5000;
    const buffer = emptyBuffer(rig, count * 2 * 4);
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 0, count * 8)], false);
    numbered(rig, count);
    rig.draw({ mode: 'points', count, instanceCount: 2 });
    const expected = Array.from({ length: count }, (_, i) => i);
    expect(floats(rig, buffer, count * 2)).toEqual([...expected, ...expected]);
  });

  it('feeds the next draw', () => {
    const rig = setUp(INTERLEAVED);
    const { resource } = rig.context.bindings.framebuffer.colors[0]!;
    const buffer = emptyBuffer(rig, 24 * 6);
    rig.context.setStreamOutputTargets([rig.context.createStreamOutputTarget(buffer, 0, 24 * 6)], false);
    rig.rasterizer({ rasterizerDiscard: true });
    rig.fill({ color: [1, 0, 1, 1] });
    rig.context.setStreamOutputTargets([], true);
    rig.rasterizer();
    rig.context.bindVertexElementsState(
      rig.context.createVertexElementsState({
        elements: [
          { bufferIndex: 0, offsetBytes: 8, format: 'R32G32B32A32_FLOAT', instanceDivisor: 0 },
          { bufferIndex: 0, offsetBytes: 0, format: 'R32G32_FLOAT', instanceDivisor: 0 },
        ],
      }),
    );
    rig.context.setVertexBuffers([{ buffer, offsetBytes: 0, strideBytes: 24 }]);
    rig.draw({ count: 6 });
    expect(rig.pixel(resource, 7, 7)).toEqual([1, 0, 0, 1]);
  });
});
