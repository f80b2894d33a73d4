// The blit engine (HALTI5): clears and copies of images, copies of buffers, resolves in place, with tile status.

import type { Format } from '../../../src/format/format.ts';
import { fieldOf, REGISTERS } from '../registers/registers.ts';
import type { GpuMemory } from './memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import { type CopyEngine, type CopyJob, hasNothingBeside } from './pixel-copy.ts';
import type { GpuState } from './state.ts';
import { type SurfaceLayout, surfaceBytes, type Tiling } from './surface.ts';
import type { TargetReader } from './targets.ts';
import { isAllCleared, markCleared, resolveTileStatus, type TileStatus } from './tile-status.ts';

const R = REGISTERS;

/** BLT_FORMAT codes; null where pixels are only moved. */
const BLT_FORMATS: Readonly<Record<number, { bytes: number; format: Format | null }>> = {
  0: { bytes: 2, format: 'B4G4R4X4_UNORM' },
  1: { bytes: 2, format: 'B4G4R4A4_UNORM' },
  2: { bytes: 2, format: 'B5G5R5X1_UNORM' },
  3: { bytes: 2, format: 'B5G5R5A1_UNORM' },
  4: { bytes: 2, format: 'B5G6R5_UNORM' },
  5: { bytes: 4, format: 'B8G8R8X8_UNORM' },
  6: { bytes: 4, format: 'B8G8R8A8_UNORM' },
  16: { bytes: 1, format: 'A8_UNORM' },
  22: { bytes: 4, format: 'B10G10R10A2_UNORM' },
  23: { bytes: 4, format: null },
  24: { bytes: 2, format: null },
  28: { bytes: 8, format: null },
  32: { bytes: 2, format: 'L8A8_UNORM' },
  33: { bytes: 1, format: 'L8_UNORM' },
  35: { bytes: 1, format: 'R8_UNORM' },
  36: { bytes: 2, format: 'R8G8_UNORM' },
};

const COMMANDS = { CLEAR_IMAGE: 1, COPY_IMAGE: 2, COPY_BUFFER: 3, INPLACE: 4 } as const;
const IDENTITY_SWIZZLE = 0x688;
const LINEAR_TILING = 0;

export interface BltContext {
  readonly state: GpuState;
  readonly memory: GpuMemory;
  readonly targets: TargetReader;
  readonly copies: CopyEngine;
  /** The memory that was written, by GPU address. */
  readonly written: (gpuAddress: number) => void;
}

interface Side {
  readonly layout: SurfaceLayout;
  readonly format: Format | null;
  readonly gpuAddress: number;
  readonly status: TileStatus | null;
}

export class BlitEngine {
  private readonly c: BltContext;

  constructor(context: BltContext) {
    this.c = context;
  }

  /** A write to BLT_COMMAND. Throws GpuFault; Error where something is not simulated. */
  run(command: number): void {
    switch (command) {
      case COMMANDS.CLEAR_IMAGE:
        return this.clearImage();
      case COMMANDS.COPY_IMAGE:
        return this.copyImage();
      case COMMANDS.COPY_BUFFER:
        return this.copyBuffer();
      case COMMANDS.INPLACE:
        return this.resolveInPlace();
      default:
        throw new NotSimulatedError(`BLT command ${command} is not simulated`);
    }
  }

  private side(which: 'SRC' | 'DEST', bytesPerPixel: number | null): Side {
    const { state, memory, targets } = this.c;
    const isSource = which === 'SRC';
    const strideWord = state.word(isSource ? R.BLT_SRC_STRIDE : R.BLT_DEST_STRIDE);
    const config = state.word(isSource ? R.BLT_SRC_CONFIG : R.BLT_DEST_CONFIG);
    const code = (strideWord >>> 21) & (isSource ? 0x3f : 0xff);
    const row = BLT_FORMATS[code];
    if (!row && bytesPerPixel === null) throw new NotSimulatedError(`BLT format ${code} is not simulated`);
    const gpuAddress = state.word(isSource ? R.BLT_SRC_ADDR : R.BLT_DEST_ADDR);
    const { address } = memory.resolveRange(gpuAddress, `BLT ${which.toLowerCase()}`);
    const isLinear = ((strideWord >>> 29) & 3) === LINEAR_TILING;
    // Tiled images say in their configuration whether they are supertiled.
    const isSuper = fieldOf(R.BLT_SRC_CONFIG, isSource ? 'FROM_SUPER_TILED' : 'TO_SUPER_TILED', config) !== 0;
    const tiling: Tiling = isLinear ? 'linear' : isSuper ? 'supertiled' : 'tiled';
    let status: TileStatus | null = null;
    if (config & 1) {
      const value = (index: 0 | 1) =>
        state.word(
          isSource
            ? [R.BLT_SRC_TS_CLEAR_VALUE0, R.BLT_SRC_TS_CLEAR_VALUE1][index]!
            : [R.BLT_DEST_TS_CLEAR_VALUE0, R.BLT_DEST_TS_CLEAR_VALUE1][index]!,
        );
      const tileBytes = fieldOf(R.BLT_SRC_CONFIG, 'TS_MODE', config) ? 256 : 128;
      const base = state.word(isSource ? R.BLT_SRC_TS : R.BLT_DEST_TS);
      status = targets.status(base, gpuAddress, tileBytes, [value(0), value(1)]);
    }
    return {
      layout: {
        tiling,
        addresses: [address],
        strideBytes: strideWord & 0xfffff,
        bytesPerPixel: bytesPerPixel ?? row!.bytes,
      },
      format: row?.format ?? null,
      gpuAddress,
      status,
    };
  }

  private check({ layout, gpuAddress }: Side, right: number, bottom: number, what: string): void {
    this.c.memory.resolve(gpuAddress, surfaceBytes(layout, right, bottom), what);
  }

  private size(): { width: number; height: number } {
    const { state } = this.c;
    return { width: state.field(R.BLT_IMAGE_SIZE, 'WIDTH'), height: state.field(R.BLT_IMAGE_SIZE, 'HEIGHT') };
  }

  private clearImage(): void {
    const { state, copies, memory } = this.c;
    const bytes = state.field(R.BLT_CONFIG, 'CLEAR_BPP') + 1;
    if (![1, 2, 4, 8, 16].includes(bytes)) throw new NotSimulatedError(`BLT clear of pixels of ${bytes} bytes`);
    const target = this.side('DEST', bytes);
    const { width, height } = this.size();
    const [x, y] = [state.field(R.BLT_DEST_POS, 'X'), state.field(R.BLT_DEST_POS, 'Y')];
    this.check(target, x + width, y + height, 'BLT clear');
    const bits = [state.word(R.BLT_CLEAR_BITS0), state.word(R.BLT_CLEAR_BITS1)];
    const colors = [state.word(R.BLT_CLEAR_COLOR0), state.word(R.BLT_CLEAR_COLOR1)] as const;
    const { status, layout } = target;
    const isFast =
      status !== null &&
      (x | y) === 0 &&
      hasNothingBeside(layout, width, height) &&
      bits.every((word) => word === 0xffffffff) &&
      colors.every((word, index) => word === status.clearValue[index]);
    if (isFast && markCleared(memory.raster, status, surfaceBytes(layout, width, height))) {
      this.c.written(target.gpuAddress);
      return;
    }
    // What was cleared before, with another value, is written out first: a clear may leave bits or pixels as they are.
    if (target.status) {
      const before = this.side('SRC', bytes).status ?? target.status;
      resolveTileStatus(memory.raster, before, target.layout, x + width, y + height);
    }
    const pixel = new Uint8Array(bytes);
    const mask = new Uint8Array(bytes);
    for (let i = 0; i < bytes; i++) {
      pixel[i] = (colors[(i >> 2) & 1]! >>> ((i & 3) * 8)) & 0xff;
      mask[i] = (bits[(i >> 2) & 1]! >>> ((i & 3) * 8)) & 0xff;
    }
    copies.fill(target.layout, x, y, width, height, pixel, mask);
    this.c.written(target.gpuAddress);
  }

  private copyImage(): void {
    const { state, copies, memory } = this.c;
    const source = this.side('SRC', null);
    const target = this.side('DEST', null);
    const { width, height } = this.size();
    const strideWord = R.BLT_SRC_STRIDE;
    const downsampleX = state.field(strideWord, 'DOWNSAMPLE_X') !== 0;
    const downsampleY = state.field(strideWord, 'DOWNSAMPLE_Y') !== 0;
    const [sx, sy] = [state.field(R.BLT_SRC_POS, 'X'), state.field(R.BLT_SRC_POS, 'Y')];
    const [dx, dy] = [state.field(R.BLT_DEST_POS, 'X'), state.field(R.BLT_DEST_POS, 'Y')];
    const outWidth = width >> Number(downsampleX);
    const outHeight = height >> Number(downsampleY);
    this.check(source, sx + width, sy + height, 'BLT source');
    this.check(target, dx + outWidth, dy + outHeight, 'BLT destination');
    if (target.status) resolveTileStatus(memory.raster, target.status, target.layout, dx + outWidth, dy + outHeight);
    const job: CopyJob = {
      source: { layout: source.layout, format: source.format, x: sx, y: sy },
      target: { layout: target.layout, format: target.format, x: dx, y: dy },
      width,
      height,
      downsampleX,
      downsampleY,
      firstSample: state.field(R.BLT_CONFIG, 'DOWNSAMPLE_ONE_SAMPLE') !== 0,
      flipY: state.field(R.BLT_DEST_CONFIG, 'FLIP_Y') !== 0,
      swizzle: this.swizzle(),
    };
    if (!this.copyCleared(job, source)) {
      if (source.status) resolveTileStatus(memory.raster, source.status, source.layout, sx + width, sy + height);
      copies.copy(job);
    }
    this.c.written(target.gpuAddress);
  }

  /** Tiles that the status says are cleared are not read. True: that was all of them. */
  private copyCleared(job: CopyJob, { status, layout }: Side): boolean {
    if (!status || layout.bytesPerPixel > 8) return false;
    const bytes = surfaceBytes(layout, job.source.x + job.width, job.source.y + job.height);
    if (!isAllCleared(this.c.memory.raster, status, bytes)) return false;
    const pixel = new Uint8Array(Uint32Array.from(status.clearValue).buffer, 0, layout.bytesPerPixel);
    return this.c.copies.copyUniform(job, pixel);
  }

  /** Source channel for each channel of the target: through both swizzles. */
  private swizzle(): number[] | null {
    const word = this.c.state.word(R.BLT_SWIZZLE);
    const [source, target] = [word & 0xfff, (word >>> 12) & 0xfff];
    if (source === IDENTITY_SWIZZLE && target === IDENTITY_SWIZZLE) return null;
    const pick = (bits: number, channel: number) => (bits >>> (channel * 3)) & 7;
    return [0, 1, 2, 3].map((channel) => {
      const middle = pick(target, channel);
      return middle < 4 ? pick(source, middle) : middle;
    });
  }

  private copyBuffer(): void {
    const { state, memory } = this.c;
    const size = state.word(R.BLT_BUFFER_SIZE);
    const [from, to] = [state.word(R.BLT_SRC_ADDR), state.word(R.BLT_DEST_ADDR)];
    const source = memory.resolve(from, size, 'BLT buffer source');
    const target = memory.resolve(to, size, 'BLT buffer destination');
    memory.raster.u8.copyWithin(target, source, source + size);
    this.c.written(to);
  }

  private resolveInPlace(): void {
    const { state, memory, targets } = this.c;
    const gpuAddress = state.word(R.BLT_DEST_ADDR);
    const tileBytes = state.field(R.BLT_CONFIG, 'INPLACE_TS_MODE') ? 256 : 128;
    const { address, available } = memory.resolveRange(gpuAddress, 'BLT in place');
    const bytes = Math.min(available, state.word(R.BLT_INPLACE_TILE_COUNT) * tileBytes);
    const status = targets.status(state.word(R.BLT_DEST_TS), gpuAddress, tileBytes, [
      state.word(R.BLT_DEST_TS_CLEAR_VALUE0),
      state.word(R.BLT_DEST_TS_CLEAR_VALUE1),
    ]);
    const layout: SurfaceLayout = { tiling: 'linear', addresses: [address], strideBytes: bytes, bytesPerPixel: 1 };
    resolveTileStatus(memory.raster, status, layout, bytes, 1);
    this.c.written(gpuAddress);
  }
}
