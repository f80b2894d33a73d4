// The resolve engine: clears, and copies with change of layout, format, size and order of channels.

import { blockBytes, type Format } from '../../../src/format/format.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { REGISTERS } from '../registers/registers.ts';
import type { GpuMemory } from './memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import type { CopyEngine } from './pixel-copy.ts';
import type { GpuState } from './state.ts';
import { type SurfaceLayout, surfaceBytes, type Tiling } from './surface.ts';
import type { TargetReader } from './targets.ts';
import { resolveTileStatus } from './tile-status.ts';

const R = REGISTERS;

/** RS_FORMAT codes; null where pixels are only moved. */
const RS_FORMATS: Readonly<Record<number, { bytes: number; format: Format | null }>> = {
  0: { bytes: 2, format: 'B4G4R4X4_UNORM' },
  1: { bytes: 2, format: 'B4G4R4A4_UNORM' },
  2: { bytes: 2, format: 'B5G5R5X1_UNORM' },
  3: { bytes: 2, format: 'B5G5R5A1_UNORM' },
  4: { bytes: 2, format: 'B5G6R5_UNORM' },
  5: { bytes: 4, format: 'B8G8R8X8_UNORM' },
  6: { bytes: 4, format: 'B8G8R8A8_UNORM' },
  16: { bytes: 1, format: null },
  21: { bytes: 8, format: null },
  22: { bytes: 4, format: 'B10G10R10A2_UNORM' },
  23: { bytes: 4, format: null },
  24: { bytes: 2, format: null },
};

const RED_BLUE_SWAP = [2, 1, 0, 3];
/** Bytes of the surface that each tile of a kick in place stands for. */
const INPLACE_TILE_BYTES = 64;

export interface RsContext {
  readonly state: GpuState;
  readonly memory: GpuMemory;
  readonly facts: CoreFacts;
  readonly targets: TargetReader;
  readonly copies: CopyEngine;
  /** The memory that was written, by GPU address. */
  readonly written: (gpuAddress: number) => void;
}

interface Side {
  readonly layout: SurfaceLayout;
  readonly format: Format | null;
  readonly gpuAddresses: readonly number[];
}

export class ResolveEngine {
  private readonly c: RsContext;

  constructor(context: RsContext) {
    this.c = context;
  }

  /** A write to RS_KICKER. Throws GpuFault; Error where something is not simulated. */
  kick(): void {
    const { state } = this.c;
    const clearMode = state.field(R.RS_CLEAR_CONTROL, 'MODE');
    for (const band of this.bands()) {
      if (clearMode !== 0) this.clear(band, clearMode);
      else this.copy(band);
    }
    for (const address of this.side('DEST', false).gpuAddresses) this.c.written(address);
  }

  /** A write to RS_KICKER_INPLACE: writes out the cleared tiles of the surface that the tile status belongs to. */
  kickInPlace(tiles: number): void {
    const { state, memory, targets } = this.c;
    const gpuAddress = state.word(R.TS_COLOR_SURFACE_BASE);
    const { address, available } = memory.resolveRange(gpuAddress, 'surface resolved in place');
    const bytes = Math.min(available, tiles * INPLACE_TILE_BYTES);
    const status = this.colorStatus(gpuAddress, true);
    // As one row of bytes: the order of tiles does not matter.
    const layout: SurfaceLayout = { tiling: 'linear', addresses: [address], strideBytes: bytes, bytesPerPixel: 1 };
    if (status) resolveTileStatus(memory.raster, status, layout, bytes, 1);
    void targets;
    this.c.written(gpuAddress);
  }

  /** The window for each pixel pipe: pipes work on bands of it. */
  private bands(): { y: number; x: number; width: number; height: number }[] {
    const { state, facts } = this.c;
    const width = state.field(R.RS_WINDOW_SIZE, 'WIDTH');
    const height = state.field(R.RS_WINDOW_SIZE, 'HEIGHT');
    if (facts.pixelPipes === 1) return [{ x: 0, y: 0, width, height }];
    const offsets = Array.from({ length: facts.pixelPipes }, (_, pipe) => ({
      x: state.field(R.RS_PIPE_OFFSET, 'X', pipe),
      y: state.field(R.RS_PIPE_OFFSET, 'Y', pipe),
    }));
    const bands = offsets.map(({ x, y }) => ({ x, y, width, height }));
    const isSame = bands.every((band) => band.x === bands[0]!.x && band.y === bands[0]!.y);
    return isSame ? bands.slice(0, 1) : bands;
  }

  private side(which: 'SOURCE' | 'DEST', resolveStatus: boolean): Side {
    const { state, memory, facts } = this.c;
    const isSource = which === 'SOURCE';
    const code = state.field(R.RS_CONFIG, isSource ? 'SOURCE_FORMAT' : 'DEST_FORMAT');
    const row = RS_FORMATS[code];
    if (!row) throw new NotSimulatedError(`RS format ${code} is not simulated`);
    const isTiled = state.field(R.RS_CONFIG, isSource ? 'SOURCE_TILED' : 'DEST_TILED') !== 0;
    const register = isSource ? R.RS_SOURCE_STRIDE : R.RS_DEST_STRIDE;
    const word = state.word(register);
    const stride = word & 0x3ffff;
    const isSuper = word >>> 31 !== 0;
    const isMulti = ((word >>> 30) & 1) !== 0;
    const tiling: Tiling = isTiled ? (isSuper ? 'supertiled' : 'tiled') : 'linear';
    const pipe = isSource ? R.RS_PIPE_SOURCE_ADDR : R.RS_PIPE_DEST_ADDR;
    const single = isSource ? R.RS_SOURCE_ADDR : R.RS_DEST_ADDR;
    const first = (facts.pixelPipes > 1 ? state.word(pipe, 0) : 0) || state.word(single) || state.word(pipe, 0);
    const gpuAddresses = isMulti ? [first, state.word(pipe, 1)] : [first];
    const addresses = gpuAddresses.map((address) => memory.resolveRange(address, `RS ${which.toLowerCase()}`).address);
    // The stride of tiled surfaces is that of a row of tiles.
    const strideBytes = isTiled ? stride >>> 2 : stride;
    void resolveStatus;
    return { layout: { tiling, addresses, strideBytes, bytesPerPixel: row.bytes }, format: row.format, gpuAddresses };
  }

  /** Throws GpuFault when the rectangle leaves the memory of a side. */
  private check({ layout, gpuAddresses }: Side, right: number, bottom: number, what: string): void {
    const bytes = surfaceBytes(layout, right, bottom);
    for (const address of gpuAddresses) this.c.memory.resolve(address, bytes, what);
  }

  private clear(band: { x: number; y: number; width: number; height: number }, mode: number): void {
    const { state, copies } = this.c;
    if (mode !== 1) throw new NotSimulatedError(`RS clear mode ${mode} is not simulated`);
    const target = this.side('DEST', false);
    this.check(target, band.x + band.width, band.y + band.height, 'RS clear');
    const bytes = target.layout.bytesPerPixel;
    const pixel = new Uint8Array(bytes);
    const mask = new Uint8Array(bytes);
    const bits = state.field(R.RS_CLEAR_CONTROL, 'BITS');
    for (let i = 0; i < bytes; i++) {
      pixel[i] = (state.word(R.RS_FILL_VALUE, i >> 2) >>> ((i & 3) * 8)) & 0xff;
      // A bit for each byte of four words.
      mask[i] = (bits >>> i) & 1 ? 0xff : 0;
    }
    copies.fill(target.layout, band.x, band.y, band.width, band.height, pixel, mask);
  }

  private copy(band: { x: number; y: number; width: number; height: number }): void {
    const { state, copies, memory } = this.c;
    const source = this.side('SOURCE', true);
    const target = this.side('DEST', false);
    const config = (name: 'DOWNSAMPLE_X' | 'DOWNSAMPLE_Y' | 'SWAP_RB' | 'FLIP') => state.field(R.RS_CONFIG, name) !== 0;
    const [downsampleX, downsampleY] = [config('DOWNSAMPLE_X'), config('DOWNSAMPLE_Y')];
    const right = band.x + band.width;
    const bottom = band.y + band.height;
    this.check(source, right, bottom, 'RS source');
    this.check(target, right >> Number(downsampleX), bottom >> Number(downsampleY), 'RS destination');
    const status = this.colorStatus(source.gpuAddresses[0]!, false);
    if (status) resolveTileStatus(memory.raster, status, source.layout, right, bottom);
    copies.copy({
      source: { layout: source.layout, format: source.format, x: band.x, y: band.y },
      target: {
        layout: target.layout,
        format: target.format,
        x: band.x >> Number(downsampleX),
        y: band.y >> Number(downsampleY),
      },
      width: band.width,
      height: band.height,
      downsampleX,
      downsampleY,
      firstSample: state.field(R.RS_SINGLE_BUFFER, 'DOWNSAMPLE_ONE_SAMPLE') !== 0,
      flipY: config('FLIP'),
      swizzle: config('SWAP_RB') ? RED_BLUE_SWAP : null,
    });
  }

  /** The tile status of the surface at `gpuAddress`, if fast clear is on for it. */
  private colorStatus(gpuAddress: number, always: boolean) {
    const { state, targets } = this.c;
    if (!always && !state.field(R.TS_MEM_CONFIG, 'COLOR_FAST_CLEAR')) return null;
    if (state.word(R.TS_COLOR_SURFACE_BASE) !== gpuAddress) return null;
    const mode = state.field(R.RS_SOURCE_STRIDE, 'TS_MODE') ? 256 : 128;
    const tileBytes = this.c.facts.tileStatusTileBytes === 64 ? 64 : mode;
    return targets.status(state.word(R.TS_COLOR_STATUS_BASE), gpuAddress, tileBytes, [
      state.word(R.TS_COLOR_CLEAR_VALUE),
      state.word(R.TS_COLOR_CLEAR_VALUE_EXT),
    ]);
  }
}

/** Bytes of a pixel of an RS format, for tests and dumps. */
export function rsFormatBytes(code: number): number | undefined {
  return RS_FORMATS[code]?.bytes ?? (RS_FORMATS[code]?.format ? blockBytes(RS_FORMATS[code]!.format!) : undefined);
}
