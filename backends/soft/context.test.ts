import { describe, expect, it } from 'vitest';
import { SoftScreen } from './screen.ts';
import {
  bindPlainState,
  clearInfo,
  createBuffer,
  createTexture,
  drawInfo,
  makeShader,
  pixelAt,
  readLevel,
  surfaceOf,
} from './testing.ts';

function passThrough() {
  return makeShader('vertex', ['attribute0', 'attribute1'], ['position', 'var0'], (b) => {
    b.storeOutput('position', b.loadInput('attribute0', 4));
    b.storeOutput('var0', b.loadInput('attribute1', 4));
  });
}

function showVarying() {
  return makeShader('fragment', ['var0'], ['color0'], (b) => b.storeOutput('color0', b.loadInput('var0', 4)));
}

function setUp(width: number, height: number) {
  const screen = new SoftScreen({});
  const context = screen.createContext();
  const target = createTexture(screen, { format: 'R8G8B8A8_UNORM', width, height });
  bindPlainState(context, surfaceOf(target));
  return { screen, context, target };
}

function bindTriangle({ screen, context }: ReturnType<typeof setUp>): void {
  const vertices = Float32Array.from([-1, -1, 0, 1, 1, 0, 0, 1, 3, -1, 0, 1, 1, 0, 0, 1, -1, 3, 0, 1, 1, 0, 0, 1]);
  context.bindVertexElementsState(
    context.createVertexElementsState({
      elements: [0, 16].map((offsetBytes) => ({
        bufferIndex: 0,
        offsetBytes,
        format: 'R32G32B32A32_FLOAT' as const,
        instanceDivisor: 0,
      })),
    }),
  );
  context.setVertexBuffers([{ buffer: createBuffer(screen, context, vertices), offsetBytes: 0, strideBytes: 32 }]);
  context.bindVertexShaderState(context.createVertexShaderState({ ir: passThrough(), streamOutput: null }));
  context.bindFragmentShaderState(context.createFragmentShaderState({ ir: showVarying(), streamOutput: null }));
}

describe('soft context', () => {
  it('clears the whole target', () => {
    const { context, target } = setUp(70, 5);
    context.clear(clearInfo([1, 0.5, 0, 1]));
    const bytes = readLevel(context, target, 4);
    for (const [x, y] of [
      [0, 0],
      [69, 4],
    ] as const) {
      expect(pixelAt(bytes, 70, x, y)).toEqual([255, 128, 0, 255]);
    }
  });

  it('draws a triangle over the whole target', () => {
    const all = setUp(70, 5);
    all.context.clear(clearInfo([0, 0, 1, 1]));
    bindTriangle(all);
    expect(all.context.drawVbo(drawInfo({ count: 3 }))).toBe('ok');
    const bytes = readLevel(all.context, all.target, 4);
    for (let i = 0; i < 70 * 5; i++) expect(pixelAt(bytes, 70, i % 70, Math.floor(i / 70))).toEqual([255, 0, 0, 255]);
  });

  it('draws a scissored clear to exact pixels', () => {
    const { context, target } = setUp(70, 70);
    context.clear(clearInfo([0, 0, 0, 1]));
    context.clear(clearInfo([0, 1, 0, 1], { scissor: { minX: 3, minY: 5, maxX: 67, maxY: 6 } }));
    const bytes = readLevel(context, target, 4);
    let green = 0;
    for (let i = 0; i < 70 * 70; i++) green += bytes[i * 4 + 1]! === 255 ? 1 : 0;
    expect(green).toBe(64);
    expect(pixelAt(bytes, 70, 3, 5)).toEqual([0, 255, 0, 255]);
    expect(pixelAt(bytes, 70, 67, 5)).toEqual([0, 0, 0, 255]);
  });

  it('gives all memory back', () => {
    const all = setUp(70, 70);
    bindTriangle(all);
    all.context.clear(clearInfo([0, 0, 0, 1], { scissor: { minX: 3, minY: 5, maxX: 67, maxY: 6 } }));
    all.context.drawVbo(drawInfo({ count: 3 }));
    all.context.destroy();
    all.screen.destroy();
    const left = all.screen.memoryStatistics().liveBytes;
    // The target and the vertex buffer are the test's own.
    expect(left).toBe(70 * 70 * 4 + 70 * 8 + 16 + 96 + 16);
  });
});
