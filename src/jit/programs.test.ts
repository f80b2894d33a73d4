// Vertex and fragment programs against memory that is laid out by hand as src/raster/layout.ts says.
import { expect, test } from 'vitest';
import type { Shader, Slot } from '../ir/ir.ts';
import { parseShader } from '../ir/parse.ts';
import {
  ATTRIBUTE,
  colorPlaneBytes,
  DEPTH_PLANE_BYTES,
  DRAW,
  FRAGMENT_ENTRY,
  PRIMITIVE,
  primitiveVarying,
  QUEUE_ENTRY,
  STATUS,
  TILE,
  VERTEX,
  VERTEX_ENTRY,
  vertexStride,
  vertexVarying,
} from '../raster/layout.ts';
import type { Struct } from '../raster/struct.ts';
import { compileFragmentProgram, needsLateTests } from './fragment-program.ts';
import type { FragmentKey, VertexKey } from './keys.ts';
import type { ShaderModule } from './shader-module.ts';
import { compileVertexProgram } from './vertex-program.ts';

const memory = new WebAssembly.Memory({ initial: 64, maximum: 65536 });
const u32 = new Uint32Array(memory.buffer);
const f32 = new Float32Array(memory.buffer);
const u8 = new Uint8Array(memory.buffer);
const OPTIONS = { sharedMemory: false, names: true };
const [DRAW_AT, STATUS_AT, UNIFORMS_AT, LIST_AT, DATA_AT, IDS_AT, OUT_AT, TILE_AT, PRIMITIVE_AT, QUEUE_AT, SCRATCH_AT] =
  [0x1000, 0x1800, 0x2000, 0x3000, 0x4000, 0x8000, 0xa000, 0xc000, 0xd000, 0x10000, 0x18000];
const COLOR_AT = 0x100000;
const DEPTH_AT = 0x200000;

function load(module: ShaderModule, entry: string): (...args: number[]) => void {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.bytes), { env: { memory } });
  const scratch = instance.exports['scratch'] as WebAssembly.Global | undefined;
  expect(scratch !== undefined).toBe(module.scratchBytes > 0);
  if (scratch !== undefined) scratch.value = SCRATCH_AT;
  return instance.exports[entry] as (...args: number[]) => void;
}

function put<N extends string>(struct: Struct<N>, address: number, values: Partial<Record<N, number>>): void {
  for (const name of Object.keys(values) as N[]) {
    const at = (address >> 2) + struct.word[name];
    if (struct.type[name] === 'f32') f32[at] = values[name]!;
    else u32[at] = values[name]!;
  }
}

function usage(shader: Shader): Shader {
  for (const { slot } of shader.inputs) shader.usage.inputs.add(slot);
  for (const { slot } of shader.outputs) shader.usage.outputs.add(slot);
  return shader;
}

function reset(): void {
  u8.fill(0);
  put(DRAW, DRAW_AT, {
    status: STATUS_AT,
    vertexUniforms: UNIFORMS_AT,
    fragmentUniforms: UNIFORMS_AT,
    attributes: LIST_AT,
  });
  put(STATUS, STATUS_AT, { loopBudget: 1000 });
}

const TRANSFORM = `shader vertex "transform"
input smooth float4 attribute0 "a"
input smooth float2 attribute2 "b"
output smooth float4 position "gl_Position"
output smooth float4 var1 "v"
uniforms 1
function main() {
b0:
  %0:4 = loadInput attribute0
  %1:4 = loadUniform 0 # uniform
  %2:4 = fadd %0 %1
  storeOutput position %2
  %3:2 = loadInput attribute2
  %4 = sysval instanceId
  %5 = i2f %4
  %6 = sysval vertexId
  %7 = i2f %6
  %8:2 = vec %5 %7
  storeOutput var1 %3
  storeOutput var1@2 %8
}
`;

test('a vertex program fetches, clamps indices, transposes and writes zeros where the shader writes nothing', () => {
  reset();
  const key: VertexKey = {
    attributes: [{ format: 'R32G32B32_FLOAT', isInstanced: false }, null, { format: 'R8G8_UNORM', isInstanced: true }],
    varyingSlots: 3,
    textures: [],
    capturesOutputs: false,
  };
  const run = load(compileVertexProgram(usage(parseShader(TRANSFORM)), key, OPTIONS), VERTEX_ENTRY);
  f32.set([10, 20, 30, 40], UNIFORMS_AT >> 2);
  for (let i = 0; i < 12; i++) f32[(DATA_AT >> 2) + i] = i;
  u8.set([0, 0, 255, 51, 0, 0], DATA_AT + 100);
  put(ATTRIBUTE, LIST_AT, { address: DATA_AT, stride: 12, maxIndex: 3 });
  put(ATTRIBUTE, LIST_AT + 2 * ATTRIBUTE.size, { address: DATA_AT + 100, stride: 2, divisor: 3, maxIndex: 2 });
  u32.set([3, 0, 999, 1, 2, 2, 2, 2], IDS_AT >> 2);
  f32.fill(7, OUT_AT >> 2, (OUT_AT >> 2) + 1000);
  run(DRAW_AT, IDS_AT, 5, OUT_AT, 4);
  const record = (i: number, offset: number) => [
    ...f32.subarray((OUT_AT + i * vertexStride(3) + offset) >> 2).subarray(0, 4),
  ];
  expect(record(0, VERTEX.offset.position)).toEqual([19, 30, 41, 41]);
  expect(record(2, VERTEX.offset.position)).toEqual([19, 30, 41, 41]);
  expect(record(4, VERTEX.offset.position)).toEqual([16, 27, 38, 41]);
  expect(record(2, vertexVarying(1))).toEqual([1, Math.fround(51 * Math.fround(1 / 255)), 4, 999]);
  expect(record(3, vertexVarying(0))).toEqual([0, 0, 0, 0]);
  expect(record(3, VERTEX.offset.pointSize)[0]).toBe(1);
  expect(record(8, 0)[0]).toBe(7);
});

const NO_BLEND = {
  enabled: false,
  equationRgb: 'add',
  sourceRgb: 'one',
  destinationRgb: 'zero',
  equationAlpha: 'add',
  sourceAlpha: 'one',
  destinationAlpha: 'zero',
  colorMask: 15,
} as const;

function fragmentKey(changes: Partial<FragmentKey> = {}): FragmentKey {
  return {
    targets: [{ format: 'R32G32B32A32_FLOAT', blend: NO_BLEND }],
    samples: 1,
    lateDepthStencil: null,
    countsSamples: false,
    alphaToCoverage: false,
    textures: [],
    quadsPerStep: 1,
    ...changes,
  };
}

function queue(entries: readonly { quad: number; mask: number; primitive?: number; run?: number }[]): void {
  entries.forEach(({ quad, mask, primitive, run }, i) => {
    const entry = { primitive: primitive ?? PRIMITIVE_AT, quad, mask, run: run ?? 1 };
    put(QUEUE_ENTRY, QUEUE_AT + i * QUEUE_ENTRY.size, entry);
  });
}

/** Channel c of a pixel of the R32G32B32A32 tile. */
function pixel(quad: number, lane: number, sample = 0): number[] {
  const base = COLOR_AT + sample * colorPlaneBytes(16);
  return [0, 1, 2, 3].map((c) => f32[(base + c * colorPlaneBytes(4) + quad * 16 + lane * 4) >> 2]);
}

function prepareTile(): void {
  reset();
  put(TILE, TILE_AT, { originX: 64, originY: 128, draw: DRAW_AT, status: STATUS_AT, color: COLOR_AT, depth: DEPTH_AT });
  put(PRIMITIVE, PRIMITIVE_AT, {
    x0: 64,
    y0: 128,
    b1x: 0.25,
    b2y: 0.5,
    invW0: 1,
    dInvW1: 0,
    dInvW2: 0,
    invW1: 1,
    invW2: 1,
    z0: 0.25,
    zx: 0.125,
    frontFacing: 1,
  });
  f32.set([1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400], (PRIMITIVE_AT + primitiveVarying(0)) >> 2);
}

const VARYING = `shader fragment "varying"
input smooth float4 var0 "v"
output smooth float4 color0 "c"
function main() {
b0:
  %0:4 = loadInput var0
  storeOutput color0 %0
}
`;

test.each([1, 2] as const)(
  'a fragment program interpolates at pixel centres and writes covered lanes only (%d quads a step)',
  (quads) => {
    prepareTile();
    const run = load(
      compileFragmentProgram(usage(parseShader(VARYING)), fragmentKey({ quadsPerStep: quads }), OPTIONS),
      FRAGMENT_ENTRY,
    );
    queue([
      { quad: 0, mask: 15 },
      { quad: 33, mask: 0b0110 },
      { quad: 1, mask: 1 },
    ]);
    run(TILE_AT, QUEUE_AT, 3);
    // v0 + b1 · d1 + b2 · d2 with b1 = (x - 64) / 4, b2 = (y - 128) / 2.
    const at = (x: number, y: number) => [1, 2, 3, 4].map((k) => k + (x / 4) * 10 * k + (y / 2) * 100 * k);
    expect([0, 1, 2, 3].map((lane) => pixel(0, lane))).toEqual([
      at(0.5, 0.5),
      at(1.5, 0.5),
      at(0.5, 1.5),
      at(1.5, 1.5),
    ]);
    expect([0, 1, 2, 3].map((lane) => pixel(33, lane))).toEqual([
      [0, 0, 0, 0],
      at(3.5, 2.5),
      at(2.5, 3.5),
      [0, 0, 0, 0],
    ]);
    expect(pixel(1, 0)).toEqual(at(2.5, 0.5));
    expect(pixel(1, 1)).toEqual([0, 0, 0, 0]);
  },
);

test.each([1, 2] as const)('runs of quads are shaded to their ends (%d quads a step)', (quads) => {
  prepareTile();
  const key = fragmentKey({ quadsPerStep: quads });
  const shade = load(compileFragmentProgram(usage(parseShader(VARYING)), key, OPTIONS), FRAGMENT_ENTRY);
  const runs = [
    { quad: 2, mask: 15, run: 3 },
    { quad: 40, mask: 0b0101, run: 2 },
    { quad: 64, mask: 15, run: 4 },
    { quad: 70, mask: 15, run: 2 },
  ];
  queue(runs);
  for (const count of [1, 2, 3, 4]) {
    f32.fill(0, COLOR_AT >> 2, (COLOR_AT + colorPlaneBytes(16)) >> 2);
    shade(TILE_AT, QUEUE_AT, count);
    const seen = runs.slice(0, count);
    for (let q = 0; q < 80; q++) {
      const entry = seen.find(({ quad, run }) => q >= quad && q < quad + run);
      const [x, y] = [(q % 32) * 2 + 0.5, (q >> 5) * 2 + 0.5];
      expect(pixel(q, 0)[0]).toBe(entry ? 1 + (x / 4) * 10 + (y / 2) * 100 : 0);
      expect(pixel(q, 1)[0] !== 0).toBe(entry?.mask === 15);
    }
  }
});

const DISCARD = `shader fragment "discard"
output smooth float4 color0 "c"
function main() {
b0:
  %0:4 = sysval fragCoord
  %1 = swizzle %0.x
  %2 = const 65.0
  %3:b = flt %1 %2
  discard %3
  storeOutput color0 %0
}
`;

test('discard, late depth test, depth write and counting', () => {
  prepareTile();
  const shader = usage(parseShader(DISCARD));
  shader.usage.discard = true;
  shader.usage.sysvals.add('fragCoord');
  expect(needsLateTests(shader, false)).toBe(true);
  const key = fragmentKey({
    lateDepthStencil: { depth: { format: 'float32', func: 'less', write: true } },
    countsSamples: true,
  });
  const run = load(compileFragmentProgram(shader, key, OPTIONS), FRAGMENT_ENTRY);
  f32.fill(0.5, DEPTH_AT >> 2, (DEPTH_AT >> 2) + 8);
  queue([
    { quad: 0, mask: 15 },
    { quad: 1, mask: 15 },
  ]);
  run(TILE_AT, QUEUE_AT, 2);
  // z = 0.25 + 0.125 · (x - 64): 0.4375 at x = 65.5, then 0.5625, 0.6875.
  expect([0, 1, 2, 3].map((lane) => pixel(0, lane)[0])).toEqual([0, 65.5, 0, 65.5]);
  expect(pixel(0, 1)).toEqual([65.5, 128.5, 0.4375, 1]);
  expect(pixel(1, 0)).toEqual([0, 0, 0, 0]);
  expect([...f32.subarray(DEPTH_AT >> 2, (DEPTH_AT >> 2) + 8)]).toEqual([0.5, 0.4375, 0.5, 0.4375, 0.5, 0.5, 0.5, 0.5]);
  expect(u32[(TILE_AT >> 2) + TILE.word.samplesPassed]).toBe(2);
});

test('four samples: each is written under its own mask, alpha to coverage takes samples out', () => {
  prepareTile();
  const shader = usage(parseShader(VARYING));
  const key = fragmentKey({ samples: 4, countsSamples: true });
  queue([{ quad: 0, mask: 0x8421 }]);
  load(compileFragmentProgram(shader, key, OPTIONS), FRAGMENT_ENTRY)(TILE_AT, QUEUE_AT, 1);
  for (let s = 0; s < 4; s++) {
    expect([0, 1, 2, 3].map((lane) => pixel(0, lane, s)[0] !== 0)).toEqual([0, 1, 2, 3].map((lane) => lane === s));
  }
  expect(u32[(TILE_AT >> 2) + TILE.word.samplesPassed]).toBe(4);

  prepareTile();
  // Alpha 0.6 everywhere: samples 0 and 1 stay.
  f32.set([0.1, 0.2, 0.3, 0.6, 0, 0, 0, 0, 0, 0, 0, 0], (PRIMITIVE_AT + primitiveVarying(0)) >> 2);
  queue([{ quad: 0, mask: 0xffff }]);
  load(compileFragmentProgram(shader, { ...key, alphaToCoverage: true }, OPTIONS), FRAGMENT_ENTRY)(
    TILE_AT,
    QUEUE_AT,
    1,
  );
  expect([0, 1, 2, 3].map((s) => pixel(0, 2, s)[0])).toEqual([Math.fround(0.1), Math.fround(0.1), 0, 0]);
});

test('centroid varyings are evaluated inside of the primitive', () => {
  prepareTile();
  const shader = usage(parseShader(VARYING.replace('input smooth', 'input smooth centroid')));
  const key = fragmentKey({ samples: 4 });
  // Lane 0 has only sample 3 (160, 224), lane 1 all.
  queue([{ quad: 0, mask: 0x3222 }]);
  load(compileFragmentProgram(shader, key, OPTIONS), FRAGMENT_ENTRY)(TILE_AT, QUEUE_AT, 1);
  const at = (x: number, y: number) => Math.fround(1 + (x / 4) * 10 + (y / 2) * 100);
  expect(pixel(0, 0, 3)[0]).toBe(at(160 / 256, 224 / 256));
  expect(pixel(0, 1, 0)[0]).toBe(at(1.5, 0.5));
});

const ENDLESS = `shader fragment "endless"
output smooth float4 color0 "c"
uniforms 1
function main() {
b0:
  %0 = const 0.0
  %5 = loadUniform 0
  loop {
  b1:
    %1 = phi b0 %0, b4 %2
    %2 = fadd %1 %5
    %4 = const 1.0
    %3:b = fge %2 %4
    if %3 {
    b2:
      break
    } else {
    b3:
    }
  b4:
  }
b5:
  %6 = phi b2 %2
  storeOutput color0 %6
}
`;

test('an endless loop is stopped by the budget and reported', () => {
  prepareTile();
  queue([{ quad: 0, mask: 15 }]);
  load(compileFragmentProgram(usage(parseShader(ENDLESS)), fragmentKey(), OPTIONS), FRAGMENT_ENTRY)(
    TILE_AT,
    QUEUE_AT,
    1,
  );
  expect(u32[(STATUS_AT >> 2) + STATUS.word.timedOut]).toBe(1);
  expect(u32[(STATUS_AT >> 2) + STATUS.word.loopBudget]).toBe(0);
});

const ARRAY = `shader fragment "array"
output smooth float4 color0 "c"
local 4 1 "a"
function main() {
b0:
  %0:4 = sysval fragCoord
  %1 = swizzle %0.x
  %2 = f2i %1
  %3 = const 3
  %4 = iand %2 %3
  storeLocal 0 %4 %1
  %5 = const 1
  %6 = loadLocal 0 %5
  %7 = loadLocal 0 %4
  %8:4 = vec %6 %7 %1 %1
  storeOutput color0 %8
}
`;

test('temporary arrays start as zeros for every quad', () => {
  prepareTile();
  const shader = usage(parseShader(ARRAY));
  shader.usage.sysvals.add('fragCoord');
  queue([
    { quad: 0, mask: 15 },
    { quad: 1, mask: 15 },
  ]);
  load(compileFragmentProgram(shader, fragmentKey(), OPTIONS), FRAGMENT_ENTRY)(TILE_AT, QUEUE_AT, 2);
  expect([0, 1].map((lane) => pixel(0, lane).slice(0, 2))).toEqual([
    [0, 64.5],
    [65.5, 65.5],
  ]);
  expect([0, 1].map((lane) => pixel(1, lane).slice(0, 2))).toEqual([
    [0, 66.5],
    [0, 67.5],
  ]);
});

test('depth planes of other samples are tested at their own positions', () => {
  prepareTile();
  const shader = usage(parseShader(VARYING));
  const key = fragmentKey({
    samples: 4,
    lateDepthStencil: { depth: { format: 'float32', func: 'always', write: true } },
  });
  queue([{ quad: 0, mask: 0xffff }]);
  load(compileFragmentProgram(shader, key, OPTIONS), FRAGMENT_ENTRY)(TILE_AT, QUEUE_AT, 1);
  const depth = (sample: number) => f32[(DEPTH_AT + sample * DEPTH_PLANE_BYTES) >> 2];
  expect([0, 1, 2, 3].map(depth)).toEqual([96, 224, 32, 160].map((x) => 0.25 + (0.125 * x) / 256));
});

test('a second colour feeds dual-source blending', () => {
  prepareTile();
  const text = VARYING.replace('function', 'output smooth float4 color0Secondary "d"\nfunction').replace(
    'storeOutput color0 %0',
    'storeOutput color0 %0\n  %1:4 = const 0.5 0.5 0.5 0.5\n  storeOutput color0Secondary %1',
  );
  const slots: Slot[] = ['color0Secondary'];
  const blend = { ...NO_BLEND, enabled: true, sourceRgb: 'source1Color', destinationRgb: 'zero' } as const;
  const shader = usage(parseShader(text));
  expect(shader.usage.outputs.has(slots[0])).toBe(true);
  queue([{ quad: 0, mask: 15 }]);
  const key = fragmentKey({ targets: [{ format: 'R32G32B32A32_FLOAT', blend }] });
  load(compileFragmentProgram(shader, key, OPTIONS), FRAGMENT_ENTRY)(TILE_AT, QUEUE_AT, 1);
  expect(pixel(0, 0)[0]).toBe((1 + 1.25 + 25) / 2);
});
