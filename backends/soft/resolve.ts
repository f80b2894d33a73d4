// Resolves of multisampled levels into single-sampled copies, tile by tile.

import { blockBytes, type Format, formatDescription, isDepthOrStencil, isInteger } from '../../src/format/format.ts';
import { packWords } from '../../src/jit/pixel-pack.ts';
import { unpackWords } from '../../src/jit/pixel-unpack.ts';
import { BIND, BLIT, type BlitInfo, type Box, type PipeStatus, type Resource } from '../../src/pipe/pipe.ts';
import { colorPlaneBytes, TILE_SIZE } from '../../src/raster/layout.ts';
import { averageBytes, type PixelAverage } from '../../src/raster/resolve.ts';
import type { PixelBytes } from '../../src/raster/tile-transfer.ts';
import { cutsBox } from '../../src/util/blitter/boxes.ts';
import type { Expr } from '../../src/wasm/expr.ts';
import { finishUsers, finishWriters } from './hazards.ts';
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

/** One single-sampled image in memory. */
interface Destination {
  readonly address: number;
  readonly rowStride: number;
}

/** Averages level 0 of a layer of `source`, seen as `format`, into memory. False: no memory for the tile. */
function averageTiles(
  screen: SoftScreen,
  source: SoftResource,
  layer: number,
  to: Destination,
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
  const { rowStride, sampleStride } = source.layout[0]!;
  const from = source.levelAddress(0, layer);
  for (let y = 0; y < source.height; y += TILE_SIZE) {
    for (let x = 0; x < source.width; x += TILE_SIZE) {
      const width = Math.min(TILE_SIZE, source.width - x);
      const height = Math.min(TILE_SIZE, source.height - y);
      const corner = from + y * rowStride + x * bytes;
      for (let sample = 0; sample < source.samples; sample++) {
        load(planes + sample * sampleBytes, corner + sample * sampleStride, rowStride, width, height);
      }
      resolve(planes, planes);
      store(planes, to.address + y * to.rowStride + x * bytes, to.rowStride, width, height);
    }
  }
  memory.free(planes);
  return true;
}

/** Resolves a whole layer of `source`, seen as `format`, into memory: samples averaged, or sample 0 where that has no meaning. */
function resolveLayer(
  screen: SoftScreen,
  source: SoftResource,
  layer: number,
  to: Destination,
  format: Format,
): boolean {
  if (!isInteger(format) && !isDepthOrStencil(format)) return averageTiles(screen, source, layer, to, format);
  const { rowStride } = source.layout[0]!;
  const rowBytes = source.width * blockBytes(format);
  screen.engine.copyRect(to.address, to.rowStride, source.levelAddress(0, layer), rowStride, rowBytes, source.height);
  return true;
}

/** A blit that resolves whole images of one format goes straight into the destination. Undefined: it is not one. */
export function resolveDirect(screen: SoftScreen, info: BlitInfo): PipeStatus | undefined {
  const source = info.source.resource as SoftResource;
  const destination = info.destination.resource as SoftResource;
  const { format } = info.source;
  const from = info.source.box;
  const to = info.destination.box;
  const isWhole = (box: Box) =>
    box.x === 0 && box.y === 0 && box.width === source.width && box.height === source.height && box.depth === 1;
  const isDirect =
    source.samples > 1 &&
    destination.samples === 1 &&
    !cutsBox(info.scissor, to) &&
    info.mask === BLIT.COLOR &&
    info.destination.format === format &&
    destination.layout[info.destination.level]!.width === source.width &&
    destination.layout[info.destination.level]!.height === source.height &&
    isWhole(from) &&
    isWhole(to);
  if (!isDirect) return undefined;
  finishWriters(source.storage);
  finishUsers(destination.storage);
  const { level } = info.destination;
  const target = {
    address: destination.levelAddress(level, to.z),
    rowStride: destination.layout[level]!.rowStride,
  };
  return resolveLayer(screen, source, from.z, target, format) ? 'ok' : 'outOfMemory';
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
  const to = { address: target.levelAddress(0), rowStride: target.layout[0]!.rowStride };
  if (resolveLayer(screen, source, layer, to, format)) return target;
  target.destroy();
  return null;
}
