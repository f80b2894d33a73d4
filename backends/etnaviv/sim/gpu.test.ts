// The simulated GPU under hostile streams, and a whole draw written by hand.

import { describe, expect, it } from 'vitest';
import { coreInfo, coreNamed } from '../hwdb/core-info.ts';
import type { FeatureName } from '../hwdb/features.table.ts';
import { assembleProgram } from '../isa/assemble.ts';
import { encodeProgram } from '../isa/encode.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS as R } from '../registers/registers.ts';
import { fixedToFloatBits } from './front-end.ts';
import { SimulatedGpu } from './gpu.ts';
import { randomSource } from './shader/random-program.ts';
import { pixelAddress } from './surface.ts';

const TARGET = 0x10000;
const VERTICES = 0x20000;
const SIZE = 64;

function floatBits(value: number): number {
  return fixedToFloatBits(value * 65536);
}

/** A stream that is written state by state. */
class Stream {
  readonly words: number[] = [];

  state(address: number, ...values: number[]): this {
    this.words.push(((1 << 27) | (values.length << 16) | (address >>> 2)) >>> 0, ...values);
    if (this.words.length % 2) this.words.push(0);
    return this;
  }

  draw(type: number, primitives: number): this {
    this.words.push((5 << 27) >>> 0, type, 0, primitives);
    return this;
  }
}

function createGpu(name = 'gc880', ...more: FeatureName[]) {
  const core = coreInfo(coreNamed(name)!);
  const gpu = new SimulatedGpu({ ...core, features: new Set([...core.features, ...more]) });
  const buffers = [
    { gpuAddress: TARGET, sizeBytes: SIZE * SIZE * 4, address: gpu.memory.allocate(SIZE * SIZE * 4) },
    { gpuAddress: VERTICES, sizeBytes: 4096, address: gpu.memory.allocate(4096) },
  ];
  gpu.mapBuffers(buffers);
  return { gpu, target: buffers[0]!.address, vertices: buffers[1]!.address };
}

/** A triangle over the lower left half of the target, in the colour of uniform 0. */
function triangleStream(shader: string): Stream {
  const code = (text: string) => [...encodeProgram(assembleProgram(text))];
  const vertex = code('nop void, void, void, void');
  const pixel = code(shader);
  const stream = new Stream()
    .state(
      R.FE_VERTEX_ELEMENT_CONFIG.address,
      packFields(R.FE_VERTEX_ELEMENT_CONFIG, { TYPE: 8, NUM: 2, NONCONSECUTIVE: 1 }),
    )
    .state(R.FE_VERTEX_STREAMS_BASE_ADDR.address, VERTICES)
    .state(R.FE_VERTEX_STREAMS_CONTROL.address, 8)
    .state(R.VS_INPUT_COUNT.address, 1)
    .state(R.VS_END_PC.address, vertex.length / 4)
    .state(R.SH_INST_MEM.address, ...vertex)
    .state(R.PS_RANGE.address, packFields(R.PS_RANGE, { LOW: 0x100, HIGH: 0x100 + pixel.length / 4 - 1 }))
    .state(R.PS_END_PC.address, pixel.length / 4)
    .state(R.PS_OUTPUT_REG.address, 1)
    .state(R.PS_UNIFORMS.address, ...[1, 0.5, 0, 1].map(floatBits))
    .state(R.PA_VIEWPORT_SCALE_X.address, ...[SIZE / 2, SIZE / 2, 1, SIZE / 2, SIZE / 2, 0].map(floatBits))
    .state(R.PA_CONFIG.address, packFields(R.PA_CONFIG, { SHADE_MODEL: 1, FILL_MODE: 2 }))
    .state(R.SE_SCISSOR_LEFT.address, ...[0, 0, SIZE, SIZE].map(floatBits))
    .state(R.PE_COLOR_FORMAT.address, packFields(R.PE_COLOR_FORMAT, { FORMAT: 6, COMPONENTS: 15, SUPER_TILED: 1 }))
    .state(R.PE_COLOR_ADDR.address, TARGET)
    .state(R.PE_COLOR_STRIDE.address, SIZE * 4);
  for (let at = 0; at < pixel.length; at += 4) stream.state(0xd000 + at * 4, ...pixel.slice(at, at + 4));
  return stream;
}

function writeTriangle(gpu: SimulatedGpu, vertices: number): void {
  gpu.memory.raster.f32.set([-1, -1, 1, -1, -1, 1], vertices >>> 2);
}

const COLOR = 'mov t1, void, void, u0.xyzw';

describe('a draw', () => {
  it('writes pixels in the layout of the target', () => {
    const { gpu, target, vertices } = createGpu();
    writeTriangle(gpu, vertices);
    const result = gpu.submit(Uint32Array.from(triangleStream(COLOR).draw(4, 1).words));
    expect(result.error).toBeNull();
    const layout = { tiling: 'supertiled', addresses: [target], strideBytes: SIZE * 4, bytesPerPixel: 4 } as const;
    const pixel = (x: number, y: number) => gpu.memory.raster.u32[pixelAddress(layout, x, y) >>> 2]!;
    expect(pixel(2, 3).toString(16)).toBe('ffff8000');
    expect(pixel(60, 2).toString(16)).toBe('ffff8000');
    expect(pixel(60, 60)).toBe(0);
    expect(gpu.counters.draws).toBe(1);
    expect(gpu.counters.vertices).toBeGreaterThanOrEqual(3);
    gpu.destroy();
    expect(gpu.memory.raster.liveBlocks).toBe(2);
  });
});

describe('the pixel engine', () => {
  const corner = (gpu: SimulatedGpu, target: number) => {
    const layout = { tiling: 'supertiled', addresses: [target], strideBytes: SIZE * 4, bytesPerPixel: 4 } as const;
    return gpu.memory.raster.u32[pixelAddress(layout, 2, 3) >>> 2]!;
  };

  // The alpha that is drawn is 1.
  it.each([
    ['LESS', 255, false],
    ['LEQUAL', 255, true],
    ['EQUAL', 255, true],
    ['GREATER', 128, true],
    ['NOTEQUAL', 255, false],
    ['NEVER', 0, false],
  ] as const)('tests alpha: %s %d', (func, reference, isDrawn) => {
    const { gpu, target, vertices } = createGpu();
    writeTriangle(gpu, vertices);
    const test = packFields(R.PE_ALPHA_OP, {
      ALPHA_TEST: 1,
      ALPHA_FUNC: ENUMS.COMPARE_FUNC[func],
      ALPHA_REF: reference,
    });
    const stream = triangleStream(COLOR).state(R.PE_ALPHA_OP.address, test).draw(4, 1);
    expect(gpu.submit(Uint32Array.from(stream.words))).toMatchObject({ error: null, notices: [] });
    expect(corner(gpu, target) !== 0).toBe(isDrawn);
    gpu.destroy();
  });

  it.each(Object.entries(ENUMS.LOGIC_OP))('combines bits: %s', (_, operation) => {
    const { gpu, target, vertices } = createGpu('gc880', 'LOGIC_OP');
    writeTriangle(gpu, vertices);
    gpu.memory.raster.u32.fill(0x0ff0a55a, target >>> 2, (target >>> 2) + SIZE * SIZE);
    const stream = triangleStream(COLOR)
      .state(R.PE_LOGIC_OP.address, packFields(R.PE_LOGIC_OP, { OP: operation }))
      .draw(4, 1);
    expect(gpu.submit(Uint32Array.from(stream.words))).toMatchObject({ error: null, notices: [] });
    let want = 0;
    for (let bit = 0; bit < 32; bit++) {
      const place = ((0xffff8000 >>> bit) & 1) * 2 + ((0x0ff0a55a >>> bit) & 1);
      if ((operation >> place) & 1) want |= 1 << bit;
    }
    expect(corner(gpu, target).toString(16)).toBe((want >>> 0).toString(16));
    gpu.destroy();
  });

  it('copies pixels where the core has no logic operations', () => {
    const { gpu, target, vertices } = createGpu();
    writeTriangle(gpu, vertices);
    const stream = triangleStream(COLOR).state(R.PE_LOGIC_OP.address, ENUMS.LOGIC_OP.INVERT).draw(4, 1);
    gpu.submit(Uint32Array.from(stream.words));
    expect(corner(gpu, target).toString(16)).toBe('ffff8000');
    gpu.destroy();
  });

  it('tells by name what it does not do, once', () => {
    const { gpu, vertices } = createGpu();
    writeTriangle(gpu, vertices);
    const stream = triangleStream(COLOR)
      .state(R.PE_DEPTH_CONFIG.address, packFields(R.PE_DEPTH_CONFIG, { DEPTH_MODE: 2 }))
      .state(R.TFB_COMMAND.address, 1)
      .draw(4, 1);
    const words = Uint32Array.from(stream.words);
    const { notices } = gpu.submit(words);
    expect(notices.some((text) => text.includes('PE_DEPTH_CONFIG.DEPTH_MODE = W'))).toBe(true);
    expect(notices.some((text) => text.includes('TFB_COMMAND'))).toBe(true);
    expect(gpu.submit(words).notices).toEqual([]);
    gpu.destroy();
  });

  it('counts pixels, instructions and bytes', () => {
    const { gpu, vertices } = createGpu();
    writeTriangle(gpu, vertices);
    gpu.submit(Uint32Array.from(triangleStream(COLOR).draw(4, 1).words));
    const { counters } = gpu;
    // Half of the square, with or without its diagonal.
    expect(Math.abs(counters.pixels - (SIZE * SIZE) / 2)).toBeLessThanOrEqual(SIZE / 2);
    expect(counters.quads * 4).toBeGreaterThanOrEqual(counters.pixels);
    expect(counters.pixelInstructions).toBe(counters.quads * 4);
    expect(counters).toMatchObject({ draws: 1, tiles: 1, textureFetches: 0, pixelBytes: SIZE * SIZE * 4 * 2 });
    expect(gpu.cycles).toBeGreaterThanOrEqual(counters.quads * 4);
    gpu.destroy();
  });
});

describe('what hardware would choke on', () => {
  it('faults are reported with their address', () => {
    const { gpu } = createGpu();
    const stream = triangleStream(COLOR).state(R.FE_VERTEX_STREAMS_BASE_ADDR.address, 0xdead0000).draw(4, 1);
    const { error, position } = gpu.submit(Uint32Array.from(stream.words));
    expect(error).toMatchObject({ name: 'GpuFault', address: 0xdead0000 });
    // The draw is the last command, of four words.
    expect(position).toEqual({ offset: (stream.words.length - 4) * 4, word: (5 << 27) >>> 0 });
    expect(gpu.submit(Uint32Array.from(triangleStream(COLOR).draw(4, 1).words)).error).toBeNull();
  });

  it('bad shaders are refused with offset and word', () => {
    const { gpu } = createGpu();
    const stream = triangleStream(COLOR).state(0xd000, 0x3f, 0, 0, 0).draw(4, 1);
    expect(gpu.submit(Uint32Array.from(stream.words)).error).toMatchObject({ name: 'IsaError', offset: 0 });
  });

  it('endless shaders are stopped', () => {
    const { gpu, vertices } = createGpu();
    writeTriangle(gpu, vertices);
    const endless = `
      mov t1, void, void, u0.xyzw
      head: add t1, t1.xyzw, void, u0.xyzw
      branch.gt void, t1.xxxx, 0.0, head`;
    const result = gpu.submit(Uint32Array.from(triangleStream(endless).draw(4, 1).words));
    expect(result.error).toMatchObject({ name: 'ShaderTimeout' });
  });

  it('unknown states are reported once', () => {
    const { gpu } = createGpu();
    const stream = Uint32Array.from(new Stream().state(0x3f000, 1).words);
    expect(gpu.submit(stream).notices).toEqual(['a state that no table names: state 3f000']);
    expect(gpu.submit(stream).notices).toEqual([]);
  });

  it('random and damaged streams give errors, never exceptions', () => {
    const { gpu, vertices } = createGpu();
    writeTriangle(gpu, vertices);
    const good = triangleStream(COLOR).draw(4, 1).words;
    const next = randomSource(7);
    for (let round = 0; round < 300; round++) {
      const words = Uint32Array.from(good);
      for (let change = 0; change <= next(4); change++)
        words[next(words.length)] = (next(0x7fffffff) * 2 + next(2)) >>> 0;
      const { error } = gpu.submit(words);
      if (error) expect(error.message).not.toBe('');
    }
    for (let round = 0; round < 200; round++) {
      const words = Uint32Array.from({ length: next(40) }, () => (next(0x7fffffff) * 2 + next(2)) >>> 0);
      gpu.submit(words);
    }
    // The states may be in any disorder now; a fresh GPU still works.
    const fresh = createGpu();
    writeTriangle(fresh.gpu, fresh.vertices);
    expect(fresh.gpu.submit(Uint32Array.from(good)).error).toBeNull();
  });
});
