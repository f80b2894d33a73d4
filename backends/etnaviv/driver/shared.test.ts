import { describe, expect, it } from 'vitest';
import type { Format } from '../../../src/format/format.ts';
import { linkOrThrow } from '../../../src/glsl/test-support.ts';
import { optimizeShader } from '../../../src/ir/optimize.ts';
import { BIND, BLIT, type Resource, type ResourceHandle } from '../../../src/pipe/pipe.ts';
import {
  bindPlainState,
  clearInfo,
  createBuffer,
  drawInfo,
  OPAQUE,
  pixelAt,
  readLevel,
  resourceTemplate,
  surfaceOf,
} from '../../soft/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { openSharedMemory } from '../winsys/shared-memory.ts';
import type { EtnavivContext } from './context.ts';
import type { EtnavivScreen } from './screen.ts';
import { isNativeOrder } from './shared.ts';
import { collectStates, type StreamStates } from './stream-states.ts';

const SIZE = 20;
const RED_HALF_BLUE = 'gl_FragColor = vec4(1.0, 0.6, 0.2, 1.0);';
const COLOR = [255, 153, 51, 255];
const SUPERTILED = (6n << 56n) | 2n;

interface Gpu {
  readonly screen: EtnavivScreen;
  readonly context: EtnavivContext;
}

function open(core: string, debug = ''): Gpu {
  const screen = etnavivBackend(core, { debug }).createScreen({}) as EtnavivScreen;
  return { screen, context: screen.createContext() };
}

function texture({ screen }: Gpu, bind = 0, format: Format = 'R8G8B8A8_UNORM'): Resource {
  const size = { width: SIZE, height: SIZE, bind: BIND.RENDER_TARGET | BIND.SAMPLER_VIEW | bind };
  return screen.createResource(resourceTemplate({ format, ...size }))!;
}

function importTexture({ screen }: Gpu, handle: ResourceHandle, format: Format = 'R8G8B8A8_UNORM'): Resource {
  return screen.importResource(resourceTemplate({ format, width: SIZE, height: SIZE }), handle);
}

/** A pixel as the outside sees it. */
function outside({ handle, strideBytes, offsetBytes }: ResourceHandle, x: number, y: number): number[] {
  const at = offsetBytes + y * strideBytes + x * 4;
  return [...openSharedMemory(handle).bytes.subarray(at, at + 4)];
}

function pixel({ context }: Gpu, resource: Resource, x: number, y: number): number[] {
  return pixelAt(readLevel(context, resource, 4), SIZE, x, y);
}

/** Draws a triangle over everything to targets. */
function draw(
  { screen, context }: Gpu,
  targets: readonly Resource[],
  fragment: string,
  colorMask = 15,
  blends = false,
) {
  const isNew = fragment.includes('#version');
  const vertex = isNew
    ? '#version 300 es\nin vec4 p; void main() { gl_Position = p; }'
    : 'attribute vec4 p; void main() { gl_Position = p; }';
  const source = isNew ? fragment : `precision mediump float; void main() { ${fragment} }`;
  const linked = linkOrThrow(vertex, source);
  const options = screen.caps.compiler;
  for (const { shader } of [linked.vertex, linked.fragment]) expect(optimizeShader(shader, options).ok).toBe(true);
  bindPlainState(context, surfaceOf(targets[0]!));
  const blend = blends
    ? { enabled: true, sourceRgb: 'constantColor' as const, destinationRgb: 'one' as const, colorMask }
    : { colorMask };
  context.bindBlendState(
    context.createBlendState({
      targets: [{ ...OPAQUE, ...blend }],
      alphaToCoverage: false,
      alphaToOne: false,
      dither: false,
    }),
  );
  context.setBlendColor(1, 0.5, 0.2, 1);
  context.setFramebufferState({
    width: SIZE,
    height: SIZE,
    samples: 1,
    layers: 1,
    colors: targets.map((target) => surfaceOf(target)),
    depthStencil: null,
  });
  const corners = new Float32Array([-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1]);
  const buffer = createBuffer(screen as never, context, corners);
  context.setVertexBuffers([{ buffer, offsetBytes: 0, strideBytes: 16 }]);
  context.bindVertexElementsState(
    context.createVertexElementsState({
      elements: [{ bufferIndex: 0, offsetBytes: 0, format: 'R32G32B32A32_FLOAT', instanceDivisor: 0 }],
    }),
  );
  const vertexShader = context.createVertexShaderState({ ir: linked.vertex.shader, streamOutput: null });
  const fragmentShader = context.createFragmentShaderState({ ir: linked.fragment.shader, streamOutput: null });
  context.bindVertexShaderState(vertexShader);
  context.bindFragmentShaderState(fragmentShader);
  expect(context.drawVbo(drawInfo({ count: 3 }))).toBe('ok');
}

function blit({ context }: Gpu, from: Resource, to: Resource): void {
  const box = { x: 0, y: 0, z: 0, width: SIZE, height: SIZE, depth: 1 };
  const side = (resource: Resource) => ({ resource, level: 0, box, format: resource.format });
  const status = context.blit({
    source: side(from),
    destination: side(to),
    mask: BLIT.COLOR,
    filter: 'nearest',
    scissor: null,
    followsRenderCondition: false,
  });
  expect(status).toBe('ok');
}

function upload({ context }: Gpu, resource: Resource, color: readonly number[]): void {
  const data = new Uint8Array(SIZE * SIZE * 4);
  for (let i = 0; i < data.length; i++) data[i] = color[i & 3]!;
  const box = { x: 0, y: 0, z: 0, width: SIZE, height: SIZE, depth: 1 };
  context.textureSubdata(resource, 0, box, data, SIZE * 4, SIZE * SIZE * 4);
}

const WAYS: [core: string, debug: string][] = [
  ['gc880', ''],
  ['gc2000', ''],
  ['gc3000', ''],
  ['gc7000', ''],
  ['gc3000', 'linear_pe'],
  ['gc7000', 'linear_pe'],
];

describe.each(WAYS)('shared resources on %s %s', (core, debug) => {
  it('render → export: the outside sees native order after a flush', () => {
    const gpu = open(core, debug);
    const target = texture(gpu, BIND.SHARED);
    const handle = gpu.screen.exportResource(target);
    draw(gpu, [target], RED_HALF_BLUE);
    expect(pixel(gpu, target, 3, 5)).toEqual(COLOR);
    gpu.context.flushResource(target);
    gpu.context.flush(0);
    expect(outside(handle, 3, 5)).toEqual(COLOR);
    expect(outside(handle, SIZE - 1, SIZE - 1)).toEqual(COLOR);
    expect(handle).toMatchObject({ kind: 'name', modifier: 0n });
    gpu.screen.destroy();
  });

  it('clears, masks and blends shared targets as private ones', () => {
    const gpu = open(core, debug);
    const target = texture(gpu, BIND.SHARED);
    const handle = gpu.screen.exportResource(target);
    bindPlainState(gpu.context, surfaceOf(target));
    gpu.context.clear(clearInfo([0.2, 0.4, 0.6, 1]));
    draw(gpu, [target], RED_HALF_BLUE, 1);
    gpu.context.flushResource(target);
    gpu.context.flush(0);
    expect(outside(handle, 7, 2)).toEqual([255, 102, 153, 255]);
    draw(gpu, [target], 'gl_FragColor = vec4(0.0, 0.4, 1.0, 0.0);', 7, true);
    gpu.context.flushResource(target);
    gpu.context.flush(0);
    const [red, green, blue] = outside(handle, 7, 2);
    expect([red, Math.abs(green! - 153) <= 1, Math.abs(blue! - 204) <= 1]).toEqual([255, true, true]);
    gpu.screen.destroy();
  });

  it('import → sample, and what the outside writes later', () => {
    const gpu = open(core, debug);
    const other = open(core, debug);
    const source = texture(other, BIND.SHARED);
    upload(other, source, COLOR);
    const handle = other.screen.exportResource(source);
    const imported = importTexture(gpu, handle);
    const target = texture(gpu);
    blit(gpu, imported, target);
    expect(pixel(gpu, target, 11, 4)).toEqual(COLOR);
    openSharedMemory(handle.handle).bytes.fill(0x40);
    blit(gpu, imported, target);
    expect(pixel(gpu, target, 11, 4)).toEqual([64, 64, 64, 64]);
    gpu.screen.destroy();
    other.screen.destroy();
  });

  it('GPU → GPU: one screen draws, another draws over it, the first samples', () => {
    const [first, second] = [open(core, debug), open(core, debug)];
    const mine = texture(first, BIND.SHARED);
    const theirs = importTexture(second, first.screen.exportResource(mine));
    draw(first, [mine], RED_HALF_BLUE);
    first.context.flushResource(mine);
    first.context.flush(0);
    expect(pixel(second, theirs, 9, 9)).toEqual(COLOR);
    draw(second, [theirs], 'gl_FragColor = vec4(0.0, 0.0, 0.8, 1.0);', 4);
    second.context.flushResource(theirs);
    second.context.flush(0);
    const target = texture(first);
    blit(first, mine, target);
    expect(pixel(first, target, 9, 9)).toEqual([255, 153, 204, 255]);
    draw(first, [mine], 'gl_FragColor = vec4(0.0, 0.2, 0.0, 1.0);', 2);
    expect(pixel(first, mine, 9, 9)).toEqual([255, 51, 204, 255]);
    first.screen.destroy();
    second.screen.destroy();
  });

  it('CPU → GPU → CPU, and blits from framebuffer to framebuffer, shared or not', () => {
    const gpu = open(core, debug);
    const resources = [texture(gpu, BIND.SHARED), texture(gpu), texture(gpu, BIND.SHARED, 'B8G8R8A8_UNORM')];
    for (const from of resources) {
      draw(gpu, [from], RED_HALF_BLUE);
      for (const to of resources) {
        if (to === from) continue;
        blit(gpu, from, to);
        const want = to.format === 'B8G8R8A8_UNORM' ? [51, 153, 255, 255] : COLOR;
        expect(pixel(gpu, to, 2, 17), `${resources.indexOf(from)} → ${resources.indexOf(to)}`).toEqual(want);
      }
    }
    upload(gpu, resources[0]!, [10, 20, 30, 40]);
    blit(gpu, resources[0]!, resources[1]!);
    expect(pixel(gpu, resources[1]!, 2, 17)).toEqual([10, 20, 30, 40]);
    gpu.screen.destroy();
  });

  it('widens scalar outputs before it exchanges them', () => {
    const gpu = open(core, debug);
    if (gpu.screen.caps.glesVersion < 3) return gpu.screen.destroy();
    const target = texture(gpu, BIND.SHARED, 'R8G8B8X8_UNORM');
    const handle = gpu.screen.exportResource(target);
    draw(gpu, [target], '#version 300 es\nprecision mediump float; out lowp float o; void main() { o = 0.6; }', 1);
    gpu.context.flushResource(target);
    gpu.context.flush(0);
    expect(outside(handle, 1, 1).slice(0, 3)).toEqual([153, 0, 0]);
    gpu.screen.destroy();
  });

  it('draws to shared and private targets at once', () => {
    const gpu = open(core, debug);
    if (gpu.screen.caps.glesVersion < 3) return gpu.screen.destroy();
    const targets = [texture(gpu), texture(gpu, BIND.SHARED), texture(gpu)];
    const handle = gpu.screen.exportResource(targets[1]!);
    const outputs = [0, 1, 2].map((place) => `layout(location = ${place}) out vec4 o${place};`).join(' ');
    const values = 'o0 = vec4(1, 0.6, 0.2, 1); o1 = o0; o2 = o0.zyxw;';
    draw(gpu, targets, `#version 300 es\nprecision highp float; ${outputs} void main() { ${values} }`, 5);
    gpu.context.flushResource(targets[1]!);
    gpu.context.flush(0);
    expect(outside(handle, 4, 4)).toEqual([255, 0, 51, 0]);
    expect(pixel(gpu, targets[0]!, 4, 4)).toEqual([255, 0, 51, 0]);
    expect(pixel(gpu, targets[2]!, 4, 4)).toEqual([51, 0, 255, 0]);
    gpu.screen.destroy();
  });
});

describe('the order of red and blue in shared memory', () => {
  it('stays native with a shadow; is the engine’s while a tiled buffer is drawn to in place', () => {
    const gpu = open('gc3000');
    const linear = texture(gpu, BIND.SHARED);
    draw(gpu, [linear], RED_HALF_BLUE);
    expect(isNativeOrder(linear as never)).toBe(true);

    const bytes = 64 * 64 * 4;
    const buffer = gpu.screen.winsys.createBuffer(bytes)!;
    const shared = gpu.screen.winsys.exportBuffer!(buffer);
    const place = { strideBytes: 64 * 4, offsetBytes: 0, modifier: SUPERTILED };
    const tiled = importTexture(gpu, { ...shared, ...place });
    expect(isNativeOrder(tiled as never)).toBe(true);
    draw(gpu, [tiled], RED_HALF_BLUE);
    expect(isNativeOrder(tiled as never)).toBe(false);
    const target = texture(gpu);
    blit(gpu, tiled, target);
    expect(pixel(gpu, target, 6, 6)).toEqual(COLOR);
    expect(pixel(gpu, tiled, 6, 6)).toEqual(COLOR);
    gpu.context.flushResource(tiled);
    expect(isNativeOrder(tiled as never)).toBe(true);
    gpu.context.flush(0);
    // The first pixel of the first tile.
    expect([...openSharedMemory(shared.handle).bytes.subarray(0, 4)]).toEqual(COLOR);
    blit(gpu, tiled, target);
    expect(pixel(gpu, target, 6, 6)).toEqual(COLOR);
    gpu.screen.destroy();
  });

  it('costs private targets no variant and no instruction', () => {
    for (const debug of ['', 'linear_pe']) {
      const gpu = open('gc7000', debug);
      draw(gpu, [texture(gpu)], RED_HALF_BLUE);
      expect(gpu.context.targets.fragmentKey().fragRbSwap).toBe(0);
      const shader = gpu.context.bindings.fragmentShader as unknown as { variantCount: number };
      expect(shader.variantCount).toBe(1);
      draw(gpu, [texture(gpu, BIND.SHARED)], RED_HALF_BLUE);
      expect(gpu.context.targets.fragmentKey().fragRbSwap).toBe(debug === '' ? 0 : 1);
      gpu.screen.destroy();
    }
  });

  it.each(['gc2000', 'gc3000', 'gc7000'])('is left alone by a flush of what is native already, on %s', (core) => {
    const gpu = open(core);
    const target = texture(gpu, BIND.SHARED);
    draw(gpu, [target], RED_HALF_BLUE);
    const drawn = gpu.context.stream.lengthWords;
    gpu.context.flushResource(target);
    const flushed = gpu.context.stream.lengthWords;
    expect(flushed).toBeGreaterThan(drawn);
    gpu.context.flushResource(target);
    expect(gpu.context.stream.lengthWords).toBe(flushed);
    gpu.screen.destroy();
  });

  it.each(['gc2000', 'gc3000', 'gc7000'])('is changed by no engine in private resources, on %s', (core) => {
    const states: StreamStates = new Map();
    const onSubmit = (words: Uint32Array) => collectStates(words, states);
    const screen = etnavivBackend(core, { onSubmit }).createScreen({}) as EtnavivScreen;
    const gpu = { screen, context: screen.createContext() };
    const size = { width: SIZE, height: SIZE, bind: BIND.RENDER_TARGET | BIND.SAMPLER_VIEW, levels: 3 };
    const mipmapped = screen.createResource(resourceTemplate({ format: 'R8G8B8A8_UNORM', ...size }))!;
    bindPlainState(gpu.context, surfaceOf(mipmapped));
    gpu.context.clear(clearInfo([0.2, 0.4, 0.6, 1]));
    draw(gpu, [mipmapped], RED_HALF_BLUE, 1);
    gpu.context.generateMipmap(mipmapped, 'R8G8B8A8_UNORM', 0, 2, 0, 0);
    const target = texture(gpu);
    blit(gpu, mipmapped, target);
    expect(pixel(gpu, target, 7, 2)).toEqual([255, 102, 153, 255]);
    gpu.context.flush(0);
    const all = [...states.values()].flatMap((values) => [...values]);
    expect(all.some((text) => text.includes('SWAP_RB'))).toBe(false);
    expect([...(states.get('BLT_SWIZZLE') ?? [])].every((text) => text.startsWith('00688688'))).toBe(true);
    screen.destroy();
  });

  it('is told apart from what can’t be shared', () => {
    const gpu = open('gc2000');
    const shared = texture(gpu, BIND.SHARED);
    const handle = gpu.screen.exportResource(shared);
    expect(() => gpu.screen.exportResource(texture(gpu))).toThrow('BIND.SHARED');
    expect(() => importTexture(gpu, { ...handle, modifier: 99n })).toThrow('modifier 0x63');
    expect(() => importTexture(gpu, { ...handle, strideBytes: 64 })).toThrow('stride 64');
    expect(() => importTexture(gpu, { ...handle, offsetBytes: 1 << 20 })).toThrow('too small');
    expect(() => importTexture(gpu, { ...handle, handle: 1e6 })).toThrow('no shared buffer is named');
    expect(() => importTexture(gpu, { ...handle, kind: 'fd' })).toThrow('by name');
    // The same buffer twice is one object, which lives until both are gone.
    const again = importTexture(gpu, handle);
    upload(gpu, shared, COLOR);
    shared.destroy();
    expect(pixel(gpu, again, 0, 0)).toEqual(COLOR);
    again.destroy();
    expect(() => openSharedMemory(handle.handle)).toThrow('no shared buffer');
    gpu.screen.destroy();
  });
});
