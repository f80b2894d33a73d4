// Programs the resolve engine (RS) of GPUs before HALTI5.
//
// Facts: rnndb and recorded streams. With two pixel pipes each works on one half of the window; the stride of a tiled
// side is that of a row of tiles.

import type { Format } from '../../../src/format/format.ts';
import { linearFormat } from '../../../src/format/format.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS } from '../registers/registers.ts';
import type { CommandStream } from './command-stream.ts';
import {
  type CopyArea,
  type Engine,
  exchangesRedBlue,
  flushPixelCaches,
  type LayerPlace,
  stallRasterizerForPixels,
} from './engine.ts';
import { layerOffsets, type Storage } from './resource.ts';
import { activeStatus, emitSourceStatus, repeatPixel, type TileStatus } from './tile-status.ts';

const R = REGISTERS;
const F = ENUMS.RS_FORMAT;
const KICK = 0xbeebbeeb;
const ALL_BYTES = 0xffff;
/** What a kick in place counts in. */
const INPLACE_BYTES = 64;

/** Formats whose samples the engine can average. */
const RS_FORMATS: Readonly<Partial<Record<Format, number>>> = {
  B4G4R4A4_UNORM: F.A4R4G4B4,
  B5G5R5A1_UNORM: F.A1R5G5B5,
  B5G6R5_UNORM: F.R5G6B5,
  B8G8R8A8_UNORM: F.A8R8G8B8,
  B8G8R8X8_UNORM: F.X8R8G8B8,
  R8G8B8A8_UNORM: F.A8R8G8B8,
  R8G8B8X8_UNORM: F.X8R8G8B8,
};

/** Codes that move pixels of a size unchanged. */
const RAW_FORMATS: Readonly<Record<number, number>> = { 1: F.S8, 2: F.A4R4G4B4, 4: F.A8R8G8B8 };

export class ResolveEngineDriver implements Engine {
  readonly #facts: CoreFacts;

  constructor(facts: CoreFacts) {
    this.#facts = facts;
  }

  fill(stream: CommandStream, target: LayerPlace, words: readonly [number, number], byteMask: number): boolean {
    const { layout } = target.storage;
    const { bytesPerPixel } = layout;
    const code = bytesPerPixel === 8 ? F['64BPP_CLEAR'] : RAW_FORMATS[bytesPerPixel];
    if (code === undefined || layout.tiling === 'linear') return false;
    const { paddedWidth, paddedHeight } = layout.levels[target.level]!;
    // One bit for each byte of four words.
    let bits = 0;
    for (let byte = 0; byte < 16; byte++) if ((byteMask >>> (byte % bytesPerPixel)) & 1) bits |= 1 << byte;
    const repeated = repeatPixel(words, bytesPerPixel);
    this.#begin(stream);
    stream.set(R.RS_CONFIG, packFields(R.RS_CONFIG, { SOURCE_FORMAT: code, DEST_FORMAT: code, DEST_TILED: 1 }));
    stream.set(R.RS_SOURCE_STRIDE, 0);
    this.#side(stream, target, 'DEST');
    this.#window(stream, paddedWidth, paddedHeight);
    stream.set(R.RS_CLEAR_CONTROL, packFields(R.RS_CLEAR_CONTROL, { BITS: bits & ALL_BYTES, MODE: 1 }));
    for (let word = 0; word < 4; word++) stream.set(R.RS_FILL_VALUE, repeated[word & 1]!, word);
    this.#kick(stream);
    return true;
  }

  fastClear(stream: CommandStream, _target: LayerPlace, status: TileStatus): void {
    const { buffer, layout, clearedWord } = status;
    const storage: Storage = { buffer, layout, format: 'B8G8R8A8_UNORM', sequence: [0], tileStatus: null };
    this.fill(stream, { storage, level: 0, layer: 0 }, [clearedWord, clearedWord], ALL_BYTES);
  }

  writeOut(stream: CommandStream, target: LayerPlace, { tileBytes, tileCount }: TileStatus): void {
    const { layout } = target.storage;
    if (layout.pipes === 2) {
      // The kick in place knows one surface; a copy onto itself knows both halves.
      this.#move(stream, target, target, RAW_FORMATS[layout.bytesPerPixel]!, false);
      return;
    }
    this.#begin(stream);
    emitSourceStatus(stream, target);
    stream.set(R.RS_EXTRA_CONFIG, 0);
    this.#side(stream, target, 'SOURCE');
    stream.trigger(R.RS_KICKER_INPLACE, Math.ceil((tileCount * tileBytes) / INPLACE_BYTES));
    stallRasterizerForPixels(stream);
  }

  #begin(stream: CommandStream): void {
    flushPixelCaches(stream);
    stream.trigger(R.TS_FLUSH_CACHE, packFields(R.TS_FLUSH_CACHE, { FLUSH: 1 }));
  }

  copy(stream: CommandStream, source: LayerPlace, target: LayerPlace, area?: CopyArea): boolean {
    // It knows whole tiles only, and moves the padding along: an area is all of a level or none.
    if (area && !coversBoth(area, source, target)) return false;
    const code = RAW_FORMATS[source.storage.layout.bytesPerPixel];
    return code !== undefined && this.#move(stream, source, target, code, false);
  }

  resolve(stream: CommandStream, source: LayerPlace, target: LayerPlace): boolean {
    const code = RS_FORMATS[linearFormat(source.storage.format)];
    return code !== undefined && this.#move(stream, source, target, code, true);
  }

  #move(stream: CommandStream, source: LayerPlace, target: LayerPlace, code: number, downsamples: boolean): boolean {
    const from = source.storage.layout;
    const to = target.storage.layout;
    if (!downsamples && (from.scaleX !== to.scaleX || from.scaleY !== to.scaleY)) return false;
    const scaleX = downsamples ? from.scaleX : 1;
    const scaleY = downsamples ? from.scaleY : 1;
    const a = from.levels[source.level]!;
    const b = to.levels[target.level]!;
    // Padding is moved along as far as both sides have it.
    const width = Math.min(a.paddedWidth, b.paddedWidth * scaleX);
    const height = Math.min(a.paddedHeight, b.paddedHeight * scaleY);
    this.#begin(stream);
    emitSourceStatus(stream, source);
    stream.set(
      R.RS_CONFIG,
      packFields(R.RS_CONFIG, {
        SOURCE_FORMAT: code,
        SOURCE_TILED: from.tiling !== 'linear',
        DEST_FORMAT: code,
        DEST_TILED: to.tiling !== 'linear',
        DOWNSAMPLE_X: scaleX === 2,
        DOWNSAMPLE_Y: scaleY === 2,
        SWAP_RB: exchangesRedBlue(source, target),
      }),
    );
    this.#side(stream, source, 'SOURCE');
    this.#side(stream, target, 'DEST');
    this.#window(stream, width, height);
    stream.set(R.RS_CLEAR_CONTROL, 0);
    for (let word = 0; word < 4; word++) stream.set(R.RS_FILL_VALUE, 0, word);
    this.#kick(stream);
    return true;
  }

  #side(stream: CommandStream, { storage, level, layer }: LayerPlace, which: 'SOURCE' | 'DEST'): void {
    const { layout, buffer } = storage;
    const isSource = which === 'SOURCE';
    const stride = layout.levels[level]!.strideBytes * (layout.tiling === 'linear' ? 1 : 4);
    const register = isSource ? R.RS_SOURCE_STRIDE : R.RS_DEST_STRIDE;
    stream.set(
      register,
      packFields(R.RS_SOURCE_STRIDE, {
        STRIDE: stride,
        MULTI: layout.pipes === 2,
        TILING: layout.tiling === 'supertiled',
        TS_MODE: isSource && activeStatus({ storage, level })?.tileBytes === 256 ? 1 : 0,
      }),
    );
    const offsets = layerOffsets(storage, level, layer);
    if (this.#facts.pixelPipes === 1) {
      stream.setBuffer(isSource ? R.RS_SOURCE_ADDR : R.RS_DEST_ADDR, buffer, offsets[0]!, !isSource);
      return;
    }
    const pipes = isSource ? R.RS_PIPE_SOURCE_ADDR : R.RS_PIPE_DEST_ADDR;
    for (let pipe = 0; pipe < 2; pipe++) {
      stream.setBuffer(pipes, buffer, offsets[pipe] ?? offsets[0]!, !isSource, pipe);
    }
  }

  #window(stream: CommandStream, width: number, height: number): void {
    const pipes = this.#facts.pixelPipes;
    const splits = pipes > 1 && height % 8 === 0;
    const band = splits ? height / 2 : height;
    if (pipes > 1) {
      for (let pipe = 0; pipe < 2; pipe++) {
        stream.set(R.RS_PIPE_OFFSET, packFields(R.RS_PIPE_OFFSET, { X: 0, Y: splits ? pipe * band : 0 }), pipe);
      }
    }
    stream.set(R.RS_WINDOW_SIZE, packFields(R.RS_WINDOW_SIZE, { WIDTH: width, HEIGHT: band }));
    for (let word = 0; word < 2; word++) stream.set(R.RS_DITHER, 0xffffffff, word);
  }

  #kick(stream: CommandStream): void {
    stream.set(R.RS_EXTRA_CONFIG, 0);
    if (this.#facts.singleBuffer) stream.set(R.RS_SINGLE_BUFFER, 1);
    stream.trigger(R.RS_KICKER, KICK);
    stallRasterizerForPixels(stream);
  }
}

function coversBoth(area: CopyArea, source: LayerPlace, target: LayerPlace): boolean {
  const isAll = (x: number, y: number, { storage, level }: LayerPlace): boolean => {
    const { width, height } = storage.layout.levels[level]!;
    return x === 0 && y === 0 && area.width >= width && area.height >= height;
  };
  return isAll(area.sourceX, area.sourceY, source) && isAll(area.targetX, area.targetY, target);
}
