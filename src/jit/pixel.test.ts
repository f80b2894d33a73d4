// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import type { BlendFactor } from '../base/state-words.ts';
import { FORMAT_NAMES, type Format, formatDescription } from '../format/format.ts';
import { packRgba } from '../format/pack.ts';
import { type PixelArray, unpackRgba } from '../format/unpack.ts';
import { WORD_PLANE_BYTES } from '../raster/layout.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { ModuleBuilder } from '../wasm/module-builder.ts';
import { type BlendKey, emitColorWrite, isRenderable } from './blend.ts';
import { isByteBlend } from './blend-bytes.ts';
import type { Vec4 } from './pixel-math.ts';
import { emitVertexFetch, isVertexFormat } from './vertex-format.ts';

/** A module with one function `run(address, …)` and a memory of four pages. */
function compile(params: number, body: (f: FunctionBuilder) => void) {
  const module = new ModuleBuilder();
  module.defineMemory({ minimumPages: 4 }, 'memory');
  body(module.function('run', new Array(params).fill('i32'), [], { exported: true }));
  const { run, memory } = new WebAssembly.Instance(new WebAssembly.Module(module.build())).exports;
  return { run: run as (...args: number[]) => void, memory: (memory as WebAssembly.Memory).buffer };
}

/** Deterministic noise. */
function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

function valuesFor(format: Format, count: number): PixelArray {
  const { numericClass } = formatDescription(format);
  return numericClass === 'int'
    ? new Int32Array(count)
    : numericClass === 'uint'
      ? new Uint32Array(count)
      : new Float32Array(count);
}

function isClose(a: number, b: number, relative: number): boolean {
  return Object.is(a, b) || a === b || Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b));
}

describe('vertex fetch agrees with unpackRgba', () => {
  test.each(FORMAT_NAMES.filter(isVertexFormat))('%s', (format) => {
    const { run, memory } = compile(5, (f) => {
      const at = (i: number) => f.param('i32', i + 1);
      const value = emitVertexFetch(f, format, [at(0), at(1), at(2), at(3)]);
      value.forEach((component, c) => {
        f.v128.store(f.param('i32', 0), component, c * 16);
      });
    });
    const bytes = new Uint8Array(memory);
    const random = noise(format.length * 31 + 7);
    const { blockBytes } = formatDescription(format);
    const out = valuesFor(format, 16);
    for (let round = 0; round < 50; round++) {
      for (let i = 1024; i < 2048; i++) bytes[i] = random() >>> 13;
      const addresses = [0, 1, 2, 3].map(() => 1024 + ((random() >>> 8) % 900));
      run(0, ...addresses);
      out.set(new (out.constructor as Float32ArrayConstructor)(memory, 0, 16));
      for (let lane = 0; lane < 4; lane++) {
        const expected = valuesFor(format, 4);
        unpackRgba(format, expected, 0, 4, bytes, addresses[lane]!, blockBytes, 1, 1);
        for (let c = 0; c < 4; c++)
          if (!isClose(out[c * 4 + lane]!, expected[c]!, 1.2e-7))
            throw new Error(`component ${c}: ${out[c * 4 + lane]} for ${expected[c]}`);
      }
    }
  });

  test('the last element of memory can be fetched', () => {
    for (const format of ['R8G8B8_UNORM', 'R32G32B32_FLOAT', 'R16G16B16_SNORM'] as const) {
      const { run, memory } = compile(2, (f) => {
        const address = f.param('i32', 1);
        f.v128.store(f.param('i32', 0), emitVertexFetch(f, format, [address, address, address, address])[0]);
      });
      run(0, memory.byteLength - formatDescription(format).blockBytes);
    }
  });
});

const OPAQUE: BlendKey = {
  enabled: false,
  equationRgb: 'add',
  sourceRgb: 'one',
  destinationRgb: 'zero',
  equationAlpha: 'add',
  sourceAlpha: 'one',
  destinationAlpha: 'zero',
  colorMask: 15,
};

const PLANE = 0x10000;
const COLOR = 1024;
const MASK = 2048;

/** Writes one quad: colours (SoA at COLOR, second at COLOR + 64, constant at COLOR + 128), lane mask at MASK, quad number 5. */
function writer(format: Format, blend: BlendKey, isFullMask = false, isUniform = false) {
  return compile(0, (f) => {
    const zero = f.i32.const(0);
    const color = (at: number): Vec4 =>
      [0, 1, 2, 3].map((c) => f.let(f.v128.load(zero, at + c * 16))) as unknown as Vec4;
    emitColorWrite(f, {
      format,
      blend,
      plane: f.i32.const(PLANE),
      quad: f.i32.const(5),
      mask: f.let(f.v128.load(zero, MASK)),
      isFullMask,
      isUniform,
      color: color(COLOR),
      rawComponents: 0,
      color1: color(COLOR + 64),
      blendColor: f.i32.const(COLOR + 128),
    });
  });
}

/** The bytes of lane `lane` of quad 5. */
function pixelBytes(memory: ArrayBuffer, format: Format, lane: number): Uint8Array {
  const { blockBytes } = formatDescription(format);
  const pixel = new Uint8Array(blockBytes);
  const per = Math.min(blockBytes, 4);
  for (let i = 0; i < blockBytes; i++)
    pixel[i] = new Uint8Array(memory)[PLANE + (i >> 2) * WORD_PLANE_BYTES + 5 * 4 * per + lane * per + (i & 3)]!;
  return pixel;
}

function setPixel(memory: ArrayBuffer, lane: number, pixel: Uint8Array): void {
  const per = Math.min(pixel.length, 4);
  pixel.forEach((byte, i) => {
    new Uint8Array(memory)[PLANE + (i >> 2) * WORD_PLANE_BYTES + 5 * 4 * per + lane * per + (i & 3)] = byte;
  });
}

function randomColor(format: Format, random: () => number): PixelArray {
  const values = valuesFor(format, 4);
  const { numericClass } = formatDescription(format);
  for (let c = 0; c < 4; c++) {
    if (numericClass === 'float') values[c] = ((random() >>> 8) / 2 ** 24) * 2.4 - 0.7;
    else values[c] = random() >>> (random() >>> 27);
  }
  if (random() >>> 30 === 0 && numericClass === 'float') values[(random() >>> 20) & 3] = 2 ** ((random() >>> 25) - 64);
  return values;
}

describe('unblended writes store what packRgba gives, under the lane mask', () => {
  test.each(FORMAT_NAMES.filter(isRenderable))('%s', (format) => {
    const { channels, isSrgb, blockBytes } = formatDescription(format);
    if (
      channels.some(({ type }) => /scaled|fixed/.test(type)) ||
      channels.some(({ bits, type }) => bits === 32 && /norm/.test(type))
    )
      return;
    const { run, memory } = writer(format, OPAQUE);
    const random = noise(format.length);
    const old = Uint8Array.from({ length: blockBytes }, (_, i) => 0x40 + i);
    for (let round = 0; round < 300; round++) {
      const colors = [0, 1, 2, 3].map(() => randomColor(format, random));
      const view = valuesFor(format, 0).constructor as Float32ArrayConstructor;
      const soa = new view(memory, COLOR, 16);
      for (let i = 0; i < 16; i++) soa[i] = colors[i & 3]![i >> 2]!;
      const lanes = random() >>> 28;
      for (let lane = 0; lane < 4; lane++) {
        new Int32Array(memory, MASK, 4)[lane] = lanes & (1 << lane) ? -1 : 0;
        setPixel(memory, lane, old);
      }
      run();
      for (let lane = 0; lane < 4; lane++) {
        const expected = new Uint8Array(blockBytes);
        if (lanes & (1 << lane)) packRgba(format, expected, 0, 0, colors[lane]!, 0, 0, 1, 1);
        else expected.set(old);
        const got = pixelBytes(memory, format, lane);
        // The sRGB polynomial may take the other neighbour at a tie; all else is exact.
        for (let i = 0; i < blockBytes; i++)
          if (Math.abs(got[i]! - expected[i]!) > (isSrgb && isTie(format, colors[lane]!, got) ? 1 : 0))
            throw new Error(`round ${round}: ${got} for ${expected}, colour ${colors[lane]}`);
      }
    }
  });
});

/** Whether a got sRGB pixel is right within 1e-5 of the value written. */
function isTie(format: Format, color: PixelArray, got: Uint8Array): boolean {
  const nudge = [1e-5, -1e-5].map((delta) => {
    const bytes = new Uint8Array(got.length);
    packRgba(
      format,
      bytes,
      0,
      0,
      Float32Array.from(color, (v) => v + delta),
      0,
      0,
      1,
      1,
    );
    return bytes;
  });
  return got.every((byte, i) => nudge.some((bytes) => bytes[i] === byte));
}

test('colour masks keep the other channels', () => {
  for (const format of [
    'R8G8B8A8_UNORM',
    'B5G6R5_UNORM',
    'R16G16B16A16_FLOAT',
    'R32G32B32A32_UINT',
    'R8G8_UNORM',
  ] as const) {
    const { blockBytes } = formatDescription(format);
    const { run, memory } = writer(format, { ...OPAQUE, colorMask: 2 }, true);
    new Int32Array(memory, MASK, 4).fill(-1);
    const old = packed(format, [0.25, 0.25, 0.25, 0.25]);
    for (let lane = 0; lane < 4; lane++) setPixel(memory, lane, old);
    const values = valuesFor(format, 4).map(() => 1);
    (values instanceof Float32Array ? new Float32Array(memory, COLOR, 16) : new Int32Array(memory, COLOR, 16)).fill(1);
    run();
    const before = valuesFor(format, 4);
    unpackRgba(format, before, 0, 4, old, 0, blockBytes, 1, 1);
    const after = valuesFor(format, 4);
    unpackRgba(format, after, 0, 4, pixelBytes(memory, format, 3), 0, blockBytes, 1, 1);
    expect([...after]).toEqual([before[0], 1, before[2], before[3]]);
  }
});

function packed(format: Format, color: number[]): Uint8Array {
  const bytes = new Uint8Array(formatDescription(format).blockBytes);
  const values = valuesFor(format, 4);
  values.set(color);
  packRgba(format, bytes, 0, 0, values, 0, 0, 1, 1);
  return bytes;
}

const FACTORS: Record<BlendFactor, (s: number[], d: number[], c: number[], t: number[], i: number) => number> = {
  zero: () => 0,
  one: () => 1,
  sourceColor: (s, _d, _c, _t, i) => s[i]!,
  oneMinusSourceColor: (s, _d, _c, _t, i) => 1 - s[i]!,
  destinationColor: (_s, d, _c, _t, i) => d[i]!,
  oneMinusDestinationColor: (_s, d, _c, _t, i) => 1 - d[i]!,
  sourceAlpha: (s) => s[3]!,
  oneMinusSourceAlpha: (s) => 1 - s[3]!,
  destinationAlpha: (_s, d) => d[3]!,
  oneMinusDestinationAlpha: (_s, d) => 1 - d[3]!,
  constantColor: (_s, _d, c, _t, i) => c[i]!,
  oneMinusConstantColor: (_s, _d, c, _t, i) => 1 - c[i]!,
  constantAlpha: (_s, _d, c) => c[3]!,
  oneMinusConstantAlpha: (_s, _d, c) => 1 - c[3]!,
  sourceAlphaSaturate: (s, d, _c, _t, i) => (i === 3 ? 1 : Math.min(s[3]!, 1 - d[3]!)),
  source1Color: (_s, _d, _c, t, i) => t[i]!,
  oneMinusSource1Color: (_s, _d, _c, t, i) => 1 - t[i]!,
  source1Alpha: (_s, _d, _c, t) => t[3]!,
  oneMinusSource1Alpha: (_s, _d, _c, t) => 1 - t[3]!,
};

describe('blending of bytes', () => {
  test.each([
    ['sourceAlpha', 'oneMinusSourceAlpha', 'sourceAlpha', 'oneMinusSourceAlpha'],
    ['one', 'oneMinusSourceAlpha', 'one', 'oneMinusSourceAlpha'],
    ['one', 'one', 'one', 'one'],
    ['sourceAlpha', 'one', 'zero', 'one'],
    ['destinationColor', 'zero', 'one', 'zero'],
    ['zero', 'oneMinusSourceColor', 'destinationAlpha', 'sourceColor'],
    ['oneMinusDestinationAlpha', 'destinationColor', 'oneMinusDestinationColor', 'zero'],
  ] as const)('%s, %s; %s, %s', (sourceRgb, destinationRgb, sourceAlpha, destinationAlpha) => {
    const blend: BlendKey = {
      enabled: true,
      equationRgb: 'add',
      equationAlpha: 'add',
      sourceRgb,
      destinationRgb,
      sourceAlpha,
      destinationAlpha,
      colorMask: 15,
    };
    const random = noise(7);
    for (const format of ['R8G8B8A8_UNORM', 'B8G8R8A8_UNORM'] as const) {
      expect(isByteBlend(format, blend)).toBe(true);
      const { run, memory } = writer(format, blend, false, true);
      new Int32Array(memory, MASK, 4).fill(-1);
      for (let round = 0; round < 200; round++) {
        const f32 = new Float32Array(memory, COLOR, 36);
        for (let k = 0; k < 36; k++) f32[k] = ((random() >>> 8) / 2 ** 24) * 1.4 - 0.2;
        const old = Uint8Array.from({ length: 4 }, () => random() >>> 24);
        const d = valuesFor(format, 4) as Float32Array;
        unpackRgba(format, d, 0, 4, old, 0, 4, 1, 1);
        for (let lane = 0; lane < 4; lane++) setPixel(memory, lane, old);
        run();
        for (let lane = 0; lane < 4; lane++) {
          const s = [0, 1, 2, 3].map((c) => Math.min(Math.max(f32[c * 4 + lane]!, 0), 1));
          const got = valuesFor(format, 4);
          unpackRgba(format, got, 0, 4, pixelBytes(memory, format, lane), 0, 4, 1, 1);
          for (let c = 0; c < 4; c++) {
            const [a, b] = c === 3 ? [sourceAlpha, destinationAlpha] : [sourceRgb, destinationRgb];
            const exact = s[c]! * FACTORS[a](s, [...d], s, s, c) + d[c]! * FACTORS[b](s, [...d], s, s, c);
            expect(Math.abs(got[c]! - Math.min(exact, 1))).toBeLessThan(2.01 / 255);
          }
        }
      }
    }
  });
});

describe('blending follows the equation', () => {
  const names = Object.keys(FACTORS) as BlendFactor[];
  const random = noise(99);
  const equations = ['add', 'subtract', 'reverseSubtract', 'min', 'max'] as const;
  const formats = [
    'R8G8B8A8_UNORM',
    'B5G6R5_UNORM',
    'R8G8B8A8_SRGB',
    'R16G16B16A16_FLOAT',
    'R32G32B32A32_FLOAT',
    'R8_UNORM',
    'R8G8B8A8_SNORM',
    'R11G11B10_FLOAT',
    'R8G8B8X8_UNORM',
  ] as const;
  test.each(
    names.flatMap((source, i) =>
      [0, 1].map((k) => [source, names[(i * 7 + 3 + k * 5) % names.length]!, i * 2 + k] as const),
    ),
  )('%s, %s', (source, destination, i) => {
    const format = formats[i % formats.length]!;
    const equation = equations[i % 5]!;
    const blend: BlendKey = {
      enabled: true,
      equationRgb: equation,
      equationAlpha: equations[(i + 1) % 5]!,
      sourceRgb: source,
      destinationRgb: destination,
      sourceAlpha: destination,
      destinationAlpha: source,
      colorMask: 15,
    };
    const { run, memory } = writer(format, blend);
    new Int32Array(memory, MASK, 4).fill(-1);
    const { channels, blockBytes } = formatDescription(format);
    const [low, high] = channels.some(({ type }) => type === 'unorm')
      ? [0, 1]
      : channels.some(({ type }) => type === 'snorm')
        ? [-1, 1]
        : [-Infinity, Infinity];
    const clamp = (value: number): number => Math.min(Math.max(value, low), high);
    for (let round = 0; round < 50; round++) {
      const f32 = new Float32Array(memory, COLOR, 36);
      for (let k = 0; k < 36; k++) f32[k] = ((random() >>> 8) / 2 ** 24) * 1.4 - 0.2;
      const old = packed(
        format,
        [0, 1, 2, 3].map(() => (random() >>> 8) / 2 ** 24),
      );
      const d = valuesFor(format, 4);
      unpackRgba(format, d, 0, 4, old, 0, blockBytes, 1, 1);
      for (let lane = 0; lane < 4; lane++) setPixel(memory, lane, old);
      run();
      const lane = round & 3;
      const s = [0, 1, 2, 3].map((c) => clamp(f32[c * 4 + lane]!));
      const t = [0, 1, 2, 3].map((c) => clamp(f32[16 + c * 4 + lane]!));
      const constant = [0, 1, 2, 3].map((c) => clamp(f32[32 + c]!));
      const expected = [0, 1, 2, 3].map((c) => {
        const e = c === 3 ? blend.equationAlpha : blend.equationRgb;
        const a = s[c]! * FACTORS[c === 3 ? blend.sourceAlpha : blend.sourceRgb](s, [...d], constant, t, c);
        const b = d[c]! * FACTORS[c === 3 ? blend.destinationAlpha : blend.destinationRgb](s, [...d], constant, t, c);
        return e === 'add'
          ? a + b
          : e === 'subtract'
            ? a - b
            : e === 'reverseSubtract'
              ? b - a
              : e === 'min'
                ? Math.min(s[c]!, d[c]!)
                : Math.max(s[c]!, d[c]!);
      });
      const got = valuesFor(format, 4);
      unpackRgba(format, got, 0, 4, pixelBytes(memory, format, lane), 0, blockBytes, 1, 1);
      const nearest = valuesFor(format, 4);
      unpackRgba(format, nearest, 0, 4, packed(format, expected), 0, blockBytes, 1, 1);
      for (let c = 0; c < 4; c++) {
        const step =
          format === 'R32G32B32A32_FLOAT'
            ? 1e-6
            : format === 'R16G16B16A16_FLOAT'
              ? 1e-3
              : format === 'R11G11B10_FLOAT'
                ? 0.04
                : 1.01 *
                  2 **
                    -Math.min(
                      8,
                      ...channels.map((ch) => (ch.type === 'void' ? 8 : ch.bits - (ch.type === 'snorm' ? 1 : 0))),
                    ) *
                  1.2;
        if (got[c] !== nearest[c] && Math.abs(got[c]! - clamp(expected[c]!)) > step)
          throw new Error(`${format} component ${c}: ${got[c]} for ${expected[c]} (${nearest[c]})`);
      }
    }
  });
});
