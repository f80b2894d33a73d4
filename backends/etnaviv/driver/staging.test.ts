import { describe, expect, it } from 'vitest';
import { BIND, CLEAR, type Context, MAP, type Resource, type ResourceTemplate } from '../../../src/pipe/pipe.ts';
import { etnavivBackend } from '../backend.ts';
import type { EtnavivScreen } from './screen.ts';

const [WIDTH, HEIGHT] = [150, 101];

function open(core: string): { screen: EtnavivScreen; context: Context; submits: () => number } {
  const screen = etnavivBackend(core).createScreen({}) as EtnavivScreen;
  const { submit } = screen.winsys;
  let count = 0;
  screen.winsys.submit = (work) => {
    count++;
    return submit.call(screen.winsys, work);
  };
  return { screen, context: screen.createContext(), submits: () => count };
}

function image(screen: EtnavivScreen, format: ResourceTemplate['format'], bind: number): Resource {
  return screen.createResource({
    target: 'texture2D',
    format,
    width: WIDTH,
    height: HEIGHT,
    depth: 1,
    arraySize: 1,
    levels: 1,
    samples: 1,
    bind,
    usage: 'default',
  })!;
}

const noise = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => (i * 167 + (i >> 7) * 31) & 255);
const box = (x: number, y: number, width: number, height: number) => ({ x, y, z: 0, width, height, depth: 1 });

/** The pixels of a box, as the CPU reads them. */
function read(context: Context, resource: Resource, bytes: number, ...place: Parameters<typeof box>): number[][] {
  const transfer = context.transferMap(resource, 0, MAP.READ, box(...place))!;
  const rows = Array.from({ length: place[3] }, (_, y) => [
    ...transfer.data.subarray(y * transfer.strideBytes, y * transfer.strideBytes + place[2] * bytes),
  ]);
  context.transferUnmap(transfer);
  return rows;
}

describe.each(['gc2000', 'gc7000'])('boxes on their way to and from the CPU on %s', (core) => {
  it.each([
    ['R8G8B8A8_UNORM', 4],
    ['B8G8R8A8_UNORM', 4],
    ['B5G6R5_UNORM', 2],
    ['L8_UNORM', 1],
  ] as const)('%s comes back as it was, wherever the box lies', (format, bytes) => {
    const { screen, context } = open(core);
    const resource = image(screen, format, BIND.SAMPLER_VIEW);
    const all = noise(WIDTH * HEIGHT * bytes);
    context.textureSubdata(resource, 0, box(0, 0, WIDTH, HEIGHT), all, WIDTH * bytes, 0);
    const patch = noise(70 * 66 * bytes).reverse();
    context.textureSubdata(resource, 0, box(37, 22, 70, 66), patch, 70 * bytes, 0);
    const expected = Array.from({ length: HEIGHT }, (_, y) => {
      const row = [...all.subarray(y * WIDTH * bytes, (y + 1) * WIDTH * bytes)];
      if (y >= 22 && y < 88)
        row.splice(37 * bytes, 70 * bytes, ...patch.subarray((y - 22) * 70 * bytes, (y - 21) * 70 * bytes));
      return row;
    });
    expect(read(context, resource, bytes, 0, 0, WIDTH, HEIGHT)).toEqual(expected);
    const inner = expected.slice(5, 100).map((row) => row.slice(31 * bytes, 142 * bytes));
    expect(read(context, resource, bytes, 31, 5, 111, 95)).toEqual(inner);
    screen.destroy();
  });

  it('what was cleared, in part or as a whole, is read as cleared', () => {
    const { screen, context } = open(core);
    const resource = image(screen, 'R8G8B8A8_UNORM', BIND.RENDER_TARGET | BIND.SAMPLER_VIEW);
    const surface = { resource, format: resource.format, level: 0, firstLayer: 0, lastLayer: 0 };
    context.setFramebufferState({
      width: WIDTH,
      height: HEIGHT,
      samples: 1,
      layers: 1,
      colors: [surface],
      depthStencil: null,
    });
    const clear = (rgba: number[]) =>
      context.clear({
        buffers: CLEAR.COLOR0,
        color: { float: Float32Array.from(rgba), int: new Int32Array(4), uint: new Uint32Array(4) },
        colorMasks: [15],
        depth: 1,
        stencil: 0,
        stencilWriteMask: 255,
        scissor: null,
      });
    clear([1, 0.2, 0, 0.4]);
    const row = Array.from({ length: WIDTH }, () => [255, 51, 0, 102]).flat();
    expect(read(context, resource, 4, 0, 0, WIDTH, HEIGHT)).toEqual(Array.from({ length: HEIGHT }, () => row));
    clear([0, 0, 1, 1]);
    const patch = noise(100 * 50 * 4);
    context.textureSubdata(resource, 0, box(0, 0, 100, 50), patch, 400, 0);
    const rows = read(context, resource, 4, 0, 0, WIDTH, HEIGHT);
    expect(rows[0]!.slice(0, 400)).toEqual([...patch.subarray(0, 400)]);
    expect(rows[49]!.slice(396, 404)).toEqual([...patch.subarray(patch.length - 4), 0, 0, 255, 255]);
    expect(rows[50]!.slice(0, 4)).toEqual([0, 0, 255, 255]);
    screen.destroy();
  });

  it('a read of many pixels gives its buffer back', () => {
    const { screen, context } = open(core);
    const resource = image(screen, 'R8G8B8A8_UNORM', BIND.SAMPLER_VIEW);
    read(context, resource, 4, 0, 0, WIDTH, HEIGHT);
    const { liveBytes } = screen.memoryStatistics();
    for (let i = 0; i < 5; i++) read(context, resource, 4, 0, 0, WIDTH, HEIGHT);
    expect(screen.memoryStatistics().liveBytes).toBe(liveBytes);
    screen.destroy();
  });
});

it('pending work goes on while a texture is written on gc7000', () => {
  const { screen, context, submits } = open('gc7000');
  const resource = image(screen, 'R8G8B8A8_UNORM', BIND.SAMPLER_VIEW);
  const data = noise(WIDTH * HEIGHT * 4);
  for (let i = 0; i < 3; i++) context.textureSubdata(resource, 0, box(0, 0, WIDTH, HEIGHT), data, WIDTH * 4, 0);
  expect(submits()).toBe(0);
  screen.destroy();
});
