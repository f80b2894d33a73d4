// The work that the resolve engine and the blit engine share: filling and copying rectangles between surfaces of any layout,
// with conversion of format, exchange of channels, averaging of samples and turning upside down.

import { type Format, formatDescription } from '../../../src/format/format.ts';
import { packRgba } from '../../../src/format/pack.ts';
import { unpackRgba } from '../../../src/format/unpack.ts';
import type { RasterEngine } from '../../../src/raster/engine.ts';
import { KernelLibrary } from '../../../src/raster/kernel.ts';
import type { RasterMemory } from '../../../src/raster/memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import type { Patience } from './patience.ts';
import { buildAverage, type PixelKernel } from './pixel-kernels.ts';
import { ScratchBlock } from './scratch-block.ts';
import { moveWholeTiles, pixelAddress, readRect, type SurfaceLayout, surfaceBytes, writeRect } from './surface.ts';

export interface CopySide {
  readonly layout: SurfaceLayout;
  readonly format: Format | null;
  readonly x: number;
  readonly y: number;
}

export interface CopyJob {
  readonly source: CopySide;
  readonly target: CopySide;
  /** Pixels of the source. */
  readonly width: number;
  readonly height: number;
  readonly downsampleX: boolean;
  readonly downsampleY: boolean;
  /** Downsampling takes the first sample instead of the average. */
  readonly firstSample: boolean;
  readonly flipY: boolean;
  /** Channel of the source for each channel of the target (4: zero, 5: one), or null. */
  readonly swizzle: readonly number[] | null;
}

/** The swizzle that exchanges red and blue. */
const EXCHANGE = '2,1,0,3';
const BYTE_FORMATS: readonly Format[] = ['R8G8B8A8_UNORM', 'B8G8R8A8_UNORM'];

/** Kernels read and write whole vectors. */
const SLACK_BYTES = 80;
/** Rows that are handled at once. */
const BAND_ROWS = 64;

/** Rows of pixels on their way: as they were read, and as they will be written. */
interface Band {
  /** Addresses of the rows that were read, `scaleY` for each that is written, and of those to write. */
  readonly input: number;
  readonly inStride: number;
  readonly output: number;
  readonly outStride: number;
  /** In pixels that are written. */
  readonly width: number;
  height: number;
  /** Samples that become one pixel. */
  readonly scaleX: 1 | 2;
  readonly scaleY: 1 | 2;
  /** Red and blue change places. */
  readonly exchanges: boolean;
}

/** A rectangle from the origin on is all of the memory from its first to its last byte. */
export function hasNothingBeside(layout: SurfaceLayout, width: number, height: number): boolean {
  const { tiling, addresses, strideBytes, bytesPerPixel } = layout;
  const unit = tiling === 'supertiled' ? 64 : tiling === 'tiled' ? 4 : 1;
  return width * bytesPerPixel === strideBytes && width % unit === 0 && height % (unit * addresses.length) === 0;
}

export class CopyEngine {
  private readonly memory: RasterMemory;
  private readonly engine: RasterEngine;
  private readonly patience: Patience;
  private readonly library: KernelLibrary;
  /** For bands. */
  private readonly scratch: ScratchBlock;
  /** For the counters. */
  bytesMoved = 0;

  constructor(memory: RasterMemory, engine: RasterEngine, patience: Patience) {
    this.memory = memory;
    this.engine = engine;
    this.library = new KernelLibrary(memory);
    this.patience = patience;
    this.scratch = new ScratchBlock(memory);
  }

  /** Fills a rectangle with a pixel; `mask` says which of its bits are written. */
  fill(
    layout: SurfaceLayout,
    x: number,
    y: number,
    width: number,
    height: number,
    pixel: Uint8Array,
    mask: Uint8Array,
  ): void {
    if (width <= 0 || height <= 0) return;
    const { engine } = this;
    const { bytesPerPixel } = layout;
    const stride = width * bytesPerPixel;
    const bits = mask.every((byte) => byte === 0xff) ? undefined : mask;
    if (x === 0 && y === 0 && hasNothingBeside(layout, width, height)) {
      const pixels = surfaceBytes(layout, width, height) / bytesPerPixel;
      for (const address of layout.addresses) engine.fillRect(address, 0, pixels, 1, pixel, bits);
      this.bytesMoved += stride * height;
      return;
    }
    if (layout.tiling === 'linear') {
      engine.fillRect(pixelAddress(layout, x, y), layout.strideBytes, width, height, pixel, bits);
      this.bytesMoved += stride * height;
      return;
    }
    const band = this.scratch.reserve(stride * BAND_ROWS);
    if (!bits) engine.fillRect(band, stride, width, Math.min(BAND_ROWS, height), pixel);
    for (let row = 0; row < height; row += BAND_ROWS) {
      this.patience.check();
      const rect = { x, y: y + row, width, height: Math.min(BAND_ROWS, height - row) };
      if (bits) {
        readRect(this.memory, layout, rect, band, stride);
        engine.fillRect(band, stride, width, rect.height, pixel, bits);
      }
      writeRect(this.memory, layout, rect, band, stride);
      this.bytesMoved += stride * rect.height;
    }
  }

  /** A copy of a source whose pixels are all the same: filled where that is the same. False: it has to be read. */
  copyUniform(job: CopyJob, pixel: Uint8Array): boolean {
    const { source, target, width, height, swizzle } = job;
    if (source.format !== target.format || source.layout.bytesPerPixel !== target.layout.bytesPerPixel) return false;
    const bytes = pixel.slice();
    if (swizzle !== null) {
      if (swizzle.join() !== EXCHANGE || source.format === null || !BYTE_FORMATS.includes(source.format)) return false;
      [bytes[0], bytes[2]] = [pixel[2]!, pixel[0]!];
    }
    const outWidth = width >> Number(job.downsampleX);
    const outHeight = height >> Number(job.downsampleY);
    this.fill(target.layout, target.x, target.y, outWidth, outHeight, bytes, new Uint8Array(bytes.length).fill(0xff));
    return true;
  }

  copy(job: CopyJob): void {
    const { source, target, width, height, flipY, swizzle } = job;
    if (width <= 0 || height <= 0) return;
    const [scaleX, scaleY] = [job.downsampleX ? 2 : 1, job.downsampleY ? 2 : 1] as const;
    const outWidth = Math.floor(width / scaleX);
    const outHeight = Math.floor(height / scaleY);
    const inStride = width * source.layout.bytesPerPixel;
    const outStride = outWidth * target.layout.bytesPerPixel;
    const rows = BAND_ROWS;
    const input = this.scratch.reserve(inStride * rows * scaleY + outStride * rows + SLACK_BYTES);
    const output = (input + inStride * rows * scaleY + 15) & ~15;
    const exchanges = swizzle?.join() === EXCHANGE;
    if (this.moveTiles(job, exchanges)) return;
    const band: Band = { input, inStride, output, outStride, width: outWidth, height: 0, scaleX, scaleY, exchanges };
    for (let row = 0; row < outHeight; row += rows) {
      this.patience.check();
      const count = Math.min(rows, outHeight - row);
      const rect = { x: source.x, y: source.y + row * scaleY, width, height: count * scaleY };
      readRect(this.memory, source.layout, rect, input, inStride);
      band.height = count;
      const isRaw = this.convert(job, band);
      const from = isRaw ? input : output;
      const stride = isRaw ? inStride : outStride;
      if (flipY) this.flip(from, stride, count);
      const y = flipY ? target.y + outHeight - row - count : target.y + row;
      writeRect(this.memory, target.layout, { x: target.x, y, width: outWidth, height: count }, from, stride);
      this.bytesMoved += (inStride * scaleY + stride) * count;
    }
  }

  /** Whole tiles to or from linear memory, at most with red and blue exchanged: in one go. */
  private moveTiles(
    { source, target, width, height, flipY, downsampleX, downsampleY, swizzle }: CopyJob,
    exchanges: boolean,
  ) {
    const { bytesPerPixel } = source.layout;
    const isPlain = swizzle === null || (exchanges && source.format !== null && BYTE_FORMATS.includes(source.format));
    const isAlike = source.format === target.format && bytesPerPixel === target.layout.bytesPerPixel;
    if (!isPlain || !isAlike || flipY || downsampleX || downsampleY) return false;
    const toLinear = target.layout.tiling === 'linear';
    if (toLinear === (source.layout.tiling === 'linear')) return false;
    const [tiled, linear] = toLinear ? [source, target] : [target, source];
    const rect = { x: tiled.x, y: tiled.y, width, height };
    const address = pixelAddress(linear.layout, linear.x, linear.y);
    const { strideBytes } = linear.layout;
    if (!moveWholeTiles(this.memory, tiled.layout, rect, address, strideBytes, toLinear, exchanges)) return false;
    this.bytesMoved += 2 * width * height * bytesPerPixel;
    return true;
  }

  /** True where the pixels can be written as they were read. */
  private convert(job: CopyJob, band: Band): boolean {
    const { source, target, swizzle } = job;
    const { scaleX, scaleY } = band;
    const sameBytes = source.layout.bytesPerPixel === target.layout.bytesPerPixel;
    const sameFormat = source.format === target.format || source.format === null || target.format === null;
    const downsamples = scaleX * scaleY > 1;
    if (sameFormat && sameBytes && swizzle === null && !downsamples) return true;
    if (downsamples && job.firstSample && sameFormat && sameBytes && swizzle === null) {
      this.takeFirst(band, source.layout.bytesPerPixel);
      return false;
    }
    if (source.format === null || target.format === null || !sameClass(source.format, target.format)) {
      throw new NotSimulatedError(`a copy from ${source.format} to ${target.format} is not simulated`);
    }
    if (
      (swizzle === null || band.exchanges) &&
      BYTE_FORMATS.includes(source.format) &&
      source.format === target.format &&
      !job.firstSample &&
      sameBytes
    ) {
      this.copyBytes(band);
      return false;
    }
    this.copyColors(source.format, target.format, swizzle, band);
    return false;
  }

  /** Any format by way of floats. */
  private copyColors(from: Format, to: Format, swizzle: CopyJob['swizzle'], band: Band): void {
    const { input, inStride, output, outStride, width, height, scaleX, scaleY } = band;
    const { u8 } = this.memory;
    const inWidth = width * scaleX;
    const pixels = new Float32Array(inWidth * scaleY * 4);
    const row = new Float32Array(width * 4);
    for (let y = 0; y < height; y++) {
      unpackRgba(from, pixels, 0, inWidth * 4, u8, input + y * scaleY * inStride, inStride, inWidth, scaleY);
      for (let x = 0; x < width; x++) {
        for (let channel = 0; channel < 4; channel++) {
          const part = swizzle ? swizzle[channel]! : channel;
          if (part >= 4) {
            row[x * 4 + channel] = part === 5 ? 1 : 0;
            continue;
          }
          let sum = 0;
          for (let sy = 0; sy < scaleY; sy++)
            for (let sx = 0; sx < scaleX; sx++) sum += pixels[(sy * inWidth + x * scaleX + sx) * 4 + part]!;
          row[x * 4 + channel] = sum / (scaleX * scaleY);
        }
      }
      packRgba(to, u8, output + y * outStride, outStride, row, 0, width * 4, width, 1);
    }
  }

  /** Pixels of four bytes: channels change places, samples are averaged to the nearest byte. */
  private copyBytes({ input, inStride, output, outStride, width, height, scaleX, scaleY, exchanges }: Band): void {
    const exports = this.library.get(`etnaviv/average/${scaleX}${scaleY}${exchanges}`, (module) =>
      buildAverage(module, scaleX, scaleY, exchanges),
    );
    (exports['average'] as PixelKernel)(input, inStride, output, outStride, width, height);
  }

  private takeFirst({ input, inStride, output, outStride, width, height, scaleX, scaleY }: Band, bytes: number): void {
    const { u8 } = this.memory;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = input + y * scaleY * inStride + x * scaleX * bytes;
        const to = output + y * outStride + x * bytes;
        for (let i = 0; i < bytes; i++) u8[to + i] = u8[from + i]!;
      }
    }
  }

  private flip(address: number, stride: number, rows: number): void {
    const { u8 } = this.memory;
    for (let top = 0, bottom = rows - 1; top < bottom; top++, bottom--) {
      const row = u8.slice(address + top * stride, address + (top + 1) * stride);
      u8.copyWithin(address + top * stride, address + bottom * stride, address + (bottom + 1) * stride);
      u8.set(row, address + bottom * stride);
    }
  }

  destroy(): void {
    this.scratch.release();
  }
}

function sameClass(a: Format, b: Format): boolean {
  return formatDescription(a).numericClass === 'float' && formatDescription(b).numericClass === 'float';
}
