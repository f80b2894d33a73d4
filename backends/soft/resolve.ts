// Resolves of multisampled levels into single-sampled copies, tile by tile.

import { blockBytes, type Format, formatDescription, isDepthOrStencil, isInteger } from '../../src/format/format.ts';
import { packWords } from '../../src/jit/pixel-pack.ts';
import { unpackWords } from '../../src/jit/pixel-unpack.ts';
import { BIND, type Resource } from '../../src/pipe/pipe.ts';
import { colorPlaneBytes, TILE_SIZE } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import { averageBytes, type PixelAverage } from '../../src/raster/resolve.ts';
import type { PixelBytes } from '../../src/raster/tile-transfer.ts';
import type { Expr } from '../../src/wasm/expr.ts';
import { finishWriters } from './hazards.ts';
import type { SoftResource } from './resource.ts';
import type { SoftScreen } from './screen.ts';

/** The mean of the samples' colours as the format means them: linear light for sRGB, floats for float formats. */
function averageColors(format: Format): PixelAverage {
  return (f, samples) => {
    const colors = samples.map((words) => unpackWords(f, format, words).map((channel) => f.let(channel)));
    const mean = (channel: number): Expr<'v128'> => {
      const [a, b, c, d] = colors.map((color) => color[channel]!);
      const sum = f.f32x4.add(f.f32x4.add(a!, b!), f.f32x4.add(c!, d!));
      return f.let(f.f32x4.mul(sum, 0.25));
    };
    return packWords(f, format, [mean(0), mean(1), mean(2), mean(3)]);
  };
}

/** Plain 8-bit channels have a shorter way with the same result. */
function averageOf(format: Format): { key: string; average: PixelAverage } {
  const { channels, space } = formatDescription(format);
  const isBytes =
    space === 'rgb' && channels.every(({ type, bits }) => bits === 8 && (type === 'unorm' || type === 'void'));
  return isBytes ? { key: 'bytes', average: averageBytes } : { key: format, average: averageColors(format) };
}

function averageTiles(
  screen: SoftScreen,
  source: SoftResource,
  from: number,
  target: SoftResource,
  format: Format,
): boolean {
  const { memory, engine } = screen;
  const bytes = blockBytes(format) as PixelBytes;
  const sampleBytes = colorPlaneBytes(bytes);
  const planes = memory.tryAllocate(sampleBytes * source.samples);
  if (planes === 0) return false;
  const { load, store } = engine.tileTransfer(bytes);
  const { key, average } = averageOf(format);
  const resolve = engine.resolve(key, bytes, average);
  const sourceLayout = source.layout[0]!;
  const targetLayout = target.layout[0]!;
  const to = target.levelAddress(0);
  for (let y = 0; y < source.height; y += TILE_SIZE) {
    for (let x = 0; x < source.width; x += TILE_SIZE) {
      const width = Math.min(TILE_SIZE, source.width - x);
      const height = Math.min(TILE_SIZE, source.height - y);
      const corner = from + y * sourceLayout.rowStride + x * bytes;
      for (let sample = 0; sample < source.samples; sample++) {
        const address = corner + sample * sourceLayout.sampleStride;
        load(planes + sample * sampleBytes, address, sourceLayout.rowStride, width, height);
      }
      resolve(planes, planes);
      store(planes, to + y * targetLayout.rowStride + x * bytes, targetLayout.rowStride, width, height);
    }
  }
  memory.free(planes);
  return true;
}

function copyFirstSample(memory: RasterMemory, from: number, target: SoftResource): void {
  const to = target.levelAddress(0);
  // Equal sizes and formats give equal strides.
  memory.u8.copyWithin(to, from, from + target.layout[0]!.layerStride);
}

/** A single-sampled copy of one layer: samples averaged, or sample 0 of integers, depth and stencil. Null: no memory. */
export function resolveSamples(
  screen: SoftScreen,
  multisampled: Resource,
  layer: number,
  format: Format,
): Resource | null {
  const source = multisampled as SoftResource;
  finishWriters(source.storage);
  const target = screen.createResource({
    target: 'texture2D',
    format,
    width: source.width,
    height: source.height,
    depth: 1,
    arraySize: 1,
    levels: 1,
    samples: 1,
    bind: BIND.SAMPLER_VIEW,
    usage: 'default',
  }) as SoftResource | null;
  if (target === null) return null;
  const from = source.levelAddress(0, layer);
  if (isInteger(format) || isDepthOrStencil(source.format)) copyFirstSample(screen.memory, from, target);
  else if (!averageTiles(screen, source, from, target, format)) {
    target.destroy();
    return null;
  }
  return target;
}
