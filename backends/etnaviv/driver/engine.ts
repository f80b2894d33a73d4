// What the resolve engine (RS) and the blit engine (BLT) do for the driver, and the synchronisation both need.

import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS } from '../registers/registers.ts';
import type { CommandStream } from './command-stream.ts';
import type { Storage } from './resource.ts';
import type { TileStatus } from './tile-status.ts';

const R = REGISTERS;
const { FE, RA, PE } = ENUMS.SYNC_RECIPIENT;

/** One layer of one level. */
export interface LayerPlace {
  readonly storage: Storage;
  readonly level: number;
  readonly layer: number;
}

/** A part of two layers, in pixels. */
export interface CopyArea {
  readonly sourceX: number;
  readonly sourceY: number;
  readonly targetX: number;
  readonly targetY: number;
  readonly width: number;
  readonly height: number;
}

/** Moves and fills whole layers. What it can't do it refuses (false); the driver then draws. */
export interface Engine {
  /**
   * Fills a layer with a pixel of up to 8 bytes (`words`), leaving bytes alone whose bit of `byteMask` is clear.
   * Padding is filled too.
   */
  fill(stream: CommandStream, target: LayerPlace, words: readonly [number, number], byteMask: number): boolean;
  /** Marks every tile of a layer as cleared in its tile status: `fill` of all bytes without touching the pixels. */
  fastClear(stream: CommandStream, target: LayerPlace, status: TileStatus): void;
  /** Writes the tiles out that the layer's status says are cleared; afterwards none is. */
  writeOut(stream: CommandStream, target: LayerPlace, status: TileStatus): void;
  /**
   * Copies a layer, or an area of it, to one in another layout (without area: of the same size). Formats may differ in the
   * places of red and blue.
   */
  copy(stream: CommandStream, source: LayerPlace, target: LayerPlace, area?: CopyArea): boolean;
  /** Averages the samples of a layer into a single-sampled one of the same size. Formats may differ as for `copy`. */
  resolve(stream: CommandStream, source: LayerPlace, target: LayerPlace): boolean;
}

/** Red and blue change places between what two storages hold. */
export function exchangesRedBlue({ storage: a }: LayerPlace, { storage: b }: LayerPlace): boolean {
  return a.format !== b.format && a.format.startsWith('R8G8B8') !== b.format.startsWith('R8G8B8');
}

/** `to` waits until `from` has done all that came before. */
export function stall(stream: CommandStream, from: number, to: number): void {
  const token = packFields(R.GL_SEMAPHORE_TOKEN, { FROM: from, TO: to });
  stream.trigger(R.GL_SEMAPHORE_TOKEN, token);
  if (from === FE) stream.command((ENUMS.FE_OPCODE.STALL << 27) >>> 0, token);
  else stream.trigger(R.GL_STALL_TOKEN, token);
}

export function stallRasterizerForPixels(stream: CommandStream): void {
  stall(stream, RA, PE);
}

export function stallFrontEndForPixels(stream: CommandStream): void {
  stall(stream, FE, PE);
}

/** What the pixel engine has in its caches reaches memory. */
export function flushPixelCaches(stream: CommandStream): void {
  stream.trigger(R.GL_FLUSH_CACHE, packFields(R.GL_FLUSH_CACHE, { DEPTH: 1, COLOR: 1 }));
  stallRasterizerForPixels(stream);
}

/** Samplers see memory that an engine or the pixel engine has written. */
export function flushTextureCaches(stream: CommandStream): void {
  stream.trigger(R.GL_FLUSH_CACHE, packFields(R.GL_FLUSH_CACHE, { DEPTH: 1, COLOR: 1, TEXTURE: 1, SHADER_L1: 1 }));
  stream.trigger(R.GL_FLUSH_CACHE, packFields(R.GL_FLUSH_CACHE, { TEXTUREVS: 1 }));
  stallRasterizerForPixels(stream);
  stream.trigger(R.TS_FLUSH_CACHE, packFields(R.TS_FLUSH_CACHE, { FLUSH: 1 }));
}
