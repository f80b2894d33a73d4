// Programs the blit engine (BLT) of HALTI5 GPUs. Facts: rnndb and recorded streams.

import type { Format } from '../../../src/format/format.ts';
import { linearFormat } from '../../../src/format/format.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS } from '../registers/registers.ts';
import type { CommandStream } from './command-stream.ts';
import { type CopyArea, type Engine, exchangesRedBlue, flushPixelCaches, type LayerPlace, stall } from './engine.ts';
import { layerOffsets } from './resource.ts';
import { activeStatus, type TileStatus } from './tile-status.ts';

const R = REGISTERS;
const F = ENUMS.BLT_FORMAT;
const { RA, BLT } = ENUMS.SYNC_RECIPIENT;
/** Before and behind each command, as every recorded stream has it. */
const SET_COMMAND = 3;
const IDENTITY = {
  SWIZ_R: ENUMS.TEXTURE_SWIZZLE.RED,
  SWIZ_G: ENUMS.TEXTURE_SWIZZLE.GREEN,
  SWIZ_B: ENUMS.TEXTURE_SWIZZLE.BLUE,
  SWIZ_A: ENUMS.TEXTURE_SWIZZLE.ALPHA,
} as const;
const SOURCE_CHANNELS = { SRC_R: 0, SRC_G: 1, SRC_B: 2, SRC_A: 3 } as const;
const IDENTITY_SWIZZLE = packFields(R.BLT_SWIZZLE, { ...SOURCE_CHANNELS, DEST_R: 0, DEST_G: 1, DEST_B: 2, DEST_A: 3 });
const EXCHANGE_SWIZZLE = packFields(R.BLT_SWIZZLE, { ...SOURCE_CHANNELS, DEST_R: 2, DEST_G: 1, DEST_B: 0, DEST_A: 3 });

const BLT_FORMATS: Readonly<Partial<Record<Format, number>>> = {
  B4G4R4A4_UNORM: F.A4R4G4B4,
  B5G5R5A1_UNORM: F.A1R5G5B5,
  B5G6R5_UNORM: F.R5G6B5,
  B8G8R8A8_UNORM: F.A8R8G8B8,
  B8G8R8X8_UNORM: F.X8R8G8B8,
  R8G8B8A8_UNORM: F.A8R8G8B8,
  R8G8B8X8_UNORM: F.X8R8G8B8,
  R8_UNORM: F.R8,
  R8G8_UNORM: F.R8G8,
};
const RAW_FORMATS: Readonly<Record<number, number>> = { 1: F.L8, 2: F.D16, 4: F.X24S8, 8: F.A16R16G16B16 };

const ORIGINS = { sourceX: 0, sourceY: 0, targetX: 0, targetY: 0 } as const;

export class BlitEngineDriver implements Engine {
  fill(stream: CommandStream, target: LayerPlace, words: readonly [number, number], byteMask: number): boolean {
    const { layout } = target.storage;
    const { bytesPerPixel } = layout;
    const { paddedWidth, paddedHeight } = layout.levels[target.level]!;
    if (layout.tiling === 'linear' || bytesPerPixel > 8) return false;
    const mask = [0, 0];
    const value = [0, 0];
    for (let byte = 0; byte < 8; byte++) {
      const of = byte % bytesPerPixel;
      const shift = (byte & 3) * 8;
      if ((byteMask >>> of) & 1) mask[byte >> 2]! |= 0xff << shift;
      value[byte >> 2]! |= ((words[of >> 2]! >>> ((of & 3) * 8)) & 0xff) << shift;
    }
    this.#begin(stream);
    stream.set(R.BLT_CONFIG, packFields(R.BLT_CONFIG, { CLEAR_BPP: bytesPerPixel - 1 }));
    this.#side(stream, target, 'DEST', 0, null);
    this.#side(stream, target, 'SRC', 0, null);
    stream.set(R.BLT_DEST_POS, 0);
    stream.set(R.BLT_IMAGE_SIZE, packFields(R.BLT_IMAGE_SIZE, { WIDTH: paddedWidth, HEIGHT: paddedHeight }));
    stream.set(R.BLT_CLEAR_COLOR0, value[0]!);
    stream.set(R.BLT_CLEAR_COLOR1, value[1]!);
    stream.set(R.BLT_CLEAR_BITS0, mask[0]!);
    stream.set(R.BLT_CLEAR_BITS1, mask[1]!);
    this.#run(stream, ENUMS.BLT_COMMAND.CLEAR_IMAGE);
    return true;
  }

  fastClear(stream: CommandStream, target: LayerPlace, status: TileStatus): void {
    const { layout } = target.storage;
    const { paddedWidth, paddedHeight } = layout.levels[target.level]!;
    const [low, high] = status.clearValue;
    this.#begin(stream);
    stream.set(R.BLT_CONFIG, packFields(R.BLT_CONFIG, { CLEAR_BPP: layout.bytesPerPixel - 1 }));
    this.#side(stream, target, 'DEST', 0, status);
    this.#side(stream, target, 'SRC', 0, status);
    stream.set(R.BLT_DEST_POS, 0);
    stream.set(R.BLT_IMAGE_SIZE, packFields(R.BLT_IMAGE_SIZE, { WIDTH: paddedWidth, HEIGHT: paddedHeight }));
    stream.set(R.BLT_CLEAR_COLOR0, low);
    stream.set(R.BLT_CLEAR_COLOR1, high);
    stream.set(R.BLT_CLEAR_BITS0, 0xffffffff);
    stream.set(R.BLT_CLEAR_BITS1, 0xffffffff);
    this.#run(stream, ENUMS.BLT_COMMAND.CLEAR_IMAGE);
  }

  writeOut(stream: CommandStream, { storage, level, layer }: LayerPlace, status: TileStatus): void {
    this.#begin(stream);
    stream.set(
      R.BLT_CONFIG,
      packFields(R.BLT_CONFIG, {
        INPLACE_TS_MODE: status.tileBytes === 256 ? 1 : 0,
        INPLACE_BOTH: 1,
        INPLACE_BPP: Math.log2(storage.layout.bytesPerPixel),
      }),
    );
    this.#status(stream, 'DEST', status);
    stream.setBuffer(R.BLT_DEST_ADDR, storage.buffer, layerOffsets(storage, level, layer)[0]!, true);
    stream.set(R.BLT_INPLACE_TILE_COUNT, status.tileCount);
    this.#run(stream, ENUMS.BLT_COMMAND.INPLACE);
  }

  #status(stream: CommandStream, which: 'SRC' | 'DEST', { buffer, clearValue }: TileStatus): void {
    const isSource = which === 'SRC';
    stream.setBuffer(isSource ? R.BLT_SRC_TS : R.BLT_DEST_TS, buffer, 0, true);
    stream.set(isSource ? R.BLT_SRC_TS_CLEAR_VALUE0 : R.BLT_DEST_TS_CLEAR_VALUE0, clearValue[0]);
    stream.set(isSource ? R.BLT_SRC_TS_CLEAR_VALUE1 : R.BLT_DEST_TS_CLEAR_VALUE1, clearValue[1]);
  }

  copy(stream: CommandStream, source: LayerPlace, target: LayerPlace, area?: CopyArea): boolean {
    const code = exchangesRedBlue(source, target) ? F.A8R8G8B8 : RAW_FORMATS[source.storage.layout.bytesPerPixel];
    return code !== undefined && this.#move(stream, source, target, code, false, area);
  }

  resolve(stream: CommandStream, source: LayerPlace, target: LayerPlace): boolean {
    const code = BLT_FORMATS[linearFormat(source.storage.format)];
    return code !== undefined && this.#move(stream, source, target, code, true);
  }

  #move(
    stream: CommandStream,
    source: LayerPlace,
    target: LayerPlace,
    code: number,
    downsamples: boolean,
    area?: CopyArea,
  ): boolean {
    const from = source.storage.layout;
    const to = target.storage.layout;
    if (!downsamples && (from.scaleX !== to.scaleX || from.scaleY !== to.scaleY)) return false;
    const scaleX = downsamples ? from.scaleX : 1;
    const scaleY = downsamples ? from.scaleY : 1;
    const a = from.levels[source.level]!;
    const b = to.levels[target.level]!;
    const { sourceX, sourceY, targetX, targetY, width, height } = area ?? {
      ...ORIGINS,
      width: Math.min(a.paddedWidth, b.paddedWidth * scaleX),
      height: Math.min(a.paddedHeight, b.paddedHeight * scaleY),
    };
    this.#begin(stream);
    stream.set(R.BLT_CONFIG, 0);
    this.#side(stream, source, 'SRC', code, activeStatus(source), scaleX === 2, scaleY === 2);
    stream.set(R.BLT_SWIZZLE, exchangesRedBlue(source, target) ? EXCHANGE_SWIZZLE : IDENTITY_SWIZZLE);
    this.#side(stream, target, 'DEST', code, null);
    stream.set(R.BLT_SRC_POS, packFields(R.BLT_SRC_POS, { X: sourceX, Y: sourceY }));
    stream.set(R.BLT_DEST_POS, packFields(R.BLT_DEST_POS, { X: targetX, Y: targetY }));
    stream.set(R.BLT_IMAGE_SIZE, packFields(R.BLT_IMAGE_SIZE, { WIDTH: width, HEIGHT: height }));
    stream.set(R.BLT_UNK14058, 0xffffffff);
    stream.set(R.BLT_UNK1405C, 0xffffffff);
    this.#run(stream, ENUMS.BLT_COMMAND.COPY_IMAGE);
    return true;
  }

  #begin(stream: CommandStream): void {
    flushPixelCaches(stream);
    stream.trigger(R.TS_FLUSH_CACHE, packFields(R.TS_FLUSH_CACHE, { FLUSH: 1 }));
    stream.trigger(R.BLT_ENABLE, 1);
  }

  #side(
    stream: CommandStream,
    { storage, level, layer }: LayerPlace,
    which: 'SRC' | 'DEST',
    format: number,
    status: TileStatus | null,
    downsampleX = false,
    downsampleY = false,
  ): void {
    const { layout, buffer } = storage;
    const isSource = which === 'SRC';
    const isTiled = layout.tiling !== 'linear';
    const isSuper = layout.tiling === 'supertiled';
    const stride = layout.levels[level]!.strideBytes;
    const TILING = isTiled ? ENUMS.BLT_TILING.SUPER_TILED : ENUMS.BLT_TILING.LINEAR;
    const offset = layerOffsets(storage, level, layer)[0]!;
    const withStatus = { TS: status !== null, TS_MODE: status?.tileBytes === 256 ? 1 : 0 };
    if (status) this.#status(stream, which, status);
    if (isSource) {
      const fields = { STRIDE: stride, FORMAT: format, TILING, DOWNSAMPLE_X: downsampleX, DOWNSAMPLE_Y: downsampleY };
      stream.set(R.BLT_SRC_STRIDE, packFields(R.BLT_SRC_STRIDE, fields));
      stream.set(
        R.BLT_SRC_CONFIG,
        packFields(R.BLT_SRC_CONFIG, { ...IDENTITY, ...withStatus, FROM_SUPER_TILED: isSuper }),
      );
      stream.setBuffer(R.BLT_SRC_ADDR, buffer, offset, false);
      return;
    }
    stream.set(R.BLT_DEST_STRIDE, packFields(R.BLT_DEST_STRIDE, { STRIDE: stride, FORMAT: format, TILING }));
    stream.set(
      R.BLT_DEST_CONFIG,
      packFields(R.BLT_DEST_CONFIG, { ...IDENTITY, ...withStatus, UNK22: 1, TO_SUPER_TILED: isSuper }),
    );
    stream.setBuffer(R.BLT_DEST_ADDR, buffer, offset, true);
  }

  #run(stream: CommandStream, command: number): void {
    stream.trigger(R.BLT_SET_COMMAND, SET_COMMAND);
    stream.trigger(R.BLT_COMMAND, command);
    stream.trigger(R.BLT_SET_COMMAND, SET_COMMAND);
    stream.trigger(R.BLT_ENABLE, 0);
    stream.trigger(R.BLT_ENABLE, 1);
    stall(stream, RA, BLT);
    stream.trigger(R.BLT_ENABLE, 0);
  }
}
