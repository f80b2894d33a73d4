// Tile status: a few bits for each tile of a private surface say that it is cleared, and its memory is not to be looked at.
// A clear then writes the status alone; who can't read the status gets the cleared tiles written out before.
//
// Facts: rnndb and recorded streams. Only level 0 of single-layered surfaces has one, as in every recorded stream.

import type { Format } from '../../../src/format/format.ts';
import { formatDescription } from '../../../src/format/format.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS, type Register } from '../registers/registers.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import type { CommandStream } from './command-stream.ts';
import type { BoundFramebuffer, BoundTarget } from './emit.ts';
import { flushPixelCaches } from './engine.ts';
import type { LevelLayout, ResourceLayout } from './layout.ts';
import type { EtnavivResource, Storage } from './resource.ts';
import type { EtnavivScreen } from './screen.ts';

const R = REGISTERS;

export interface TileStatus {
  readonly buffer: BufferObject;
  /** The status bytes as a surface that the resolve engine can fill. */
  readonly layout: ResourceLayout;
  /** Bytes of the surface that one entry stands for, and entries of it. */
  readonly tileBytes: number;
  readonly tileCount: number;
  /** A status word in which every tile is cleared. */
  readonly clearedWord: number;
  /** What the cleared tiles hold: two words that repeat. */
  clearValue: readonly [number, number];
  /** Whether some tile may be cleared in the status alone. */
  isActive: boolean;
}

const CLEARED_WORD: Readonly<Record<2 | 4, number>> = { 2: 0x55555555, 4: 0xffffffff };
const ROW_PIXELS = 16;

/** The storage's tile status, made when first wanted; null where there can be none. */
export function tileStatusOf(screen: EtnavivScreen, storage: Storage): TileStatus | null {
  if (storage.tileStatus || !canHaveTileStatus(screen, storage)) return storage.tileStatus;
  const { tileStatusBits, tileStatusTileBytes, pixelPipes } = screen.facts;
  // The larger of two modes: less status to write.
  const tileBytes = tileStatusTileBytes === 128 ? 256 : tileStatusTileBytes;
  const tileCount = Math.ceil(storage.layout.levels[0]!.layerStrideBytes / tileBytes);
  const grain = 256 * pixelPipes;
  const sizeBytes = Math.ceil((tileCount * tileStatusBits) / 8 / grain) * grain;
  const buffer = screen.createBuffer(sizeBytes);
  if (!buffer) return null;
  storage.tileStatus = {
    buffer,
    layout: statusLayout(sizeBytes),
    tileBytes,
    tileCount,
    clearedWord: CLEARED_WORD[tileStatusBits],
    clearValue: [0, 0],
    isActive: false,
  };
  return storage.tileStatus;
}

function canHaveTileStatus({ winsys, facts, debug }: EtnavivScreen, { layout, isShared }: Storage): boolean {
  if (isShared || !winsys.core.features.has('FAST_CLEAR') || debug.has('no_ts')) return false;
  const { bytesPerPixel } = layout;
  const hasPixelSize = bytesPerPixel === 2 || bytesPerPixel === 4 || (facts.hasBlt && bytesPerPixel < 16);
  return layout.tiling !== 'linear' && layout.levels[0]!.depth === 1 && hasPixelSize;
}

function statusLayout(sizeBytes: number): ResourceLayout {
  const strideBytes = ROW_PIXELS * 4;
  const height = sizeBytes / strideBytes;
  const level: LevelLayout = {
    width: ROW_PIXELS,
    height,
    depth: 1,
    paddedWidth: ROW_PIXELS,
    paddedHeight: height,
    offsetBytes: 0,
    strideBytes,
    layerStrideBytes: sizeBytes,
  };
  return { tiling: 'tiled', pipes: 1, bytesPerPixel: 4, scaleX: 1, scaleY: 1, levels: [level], sizeBytes };
}

/** The tile status in force for a layer of a storage. */
export function activeStatus(place: { storage: Storage; level: number } | null | undefined): TileStatus | null {
  const status = place?.storage.tileStatus;
  return status?.isActive && place!.level === 0 ? status : null;
}

/** The status names no cleared tile any more: the whole surface was written otherwise. */
export function forgetStatus({ storage, level }: { storage: Storage; level: number }): void {
  if (level === 0 && storage.tileStatus) storage.tileStatus.isActive = false;
}

/** A pixel of up to 8 bytes as two words that repeat. */
export function repeatPixel(words: readonly [number, number], bytesPerPixel: number): readonly [number, number] {
  if (bytesPerPixel >= 8) return words;
  if (bytesPerPixel === 4) return [words[0], words[0]];
  const pixel = bytesPerPixel === 2 ? words[0] & 0xffff : (words[0] & 0xff) * 0x101;
  const word = (pixel | (pixel << 16)) >>> 0;
  return [word, word];
}

// ---------------------------------------------------------------------------------------------------- pixel engine

interface Entry {
  readonly register: Register;
  readonly index: number;
  readonly word: number;
  readonly buffer: BufferObject | null;
  readonly offsetBytes: number;
}

/** The tile status of all targets of a draw. */
export function emitTileStatus(
  stream: CommandStream,
  { facts, winsys }: EtnavivScreen,
  { colors, depth }: BoundFramebuffer,
): void {
  if (!winsys.core.features.has('FAST_CLEAR')) {
    stream.set(R.TS_MEM_CONFIG, 0);
    return;
  }
  const entries: Entry[] = [];
  const word = (register: Register, value: number, index = 0) =>
    entries.push({ register, index, word: value >>> 0, buffer: null, offsetBytes: 0 });
  const address = (register: Register, buffer: BufferObject, offsetBytes: number, index = 0) =>
    entries.push({ register, index, word: (buffer.gpuAddress + offsetBytes) >>> 0, buffer, offsetBytes });
  const color = activeStatus(colors[0]);
  const deep = activeStatus(depth);
  if (facts.tileStatusTileBytes === 128) word(R.PE_MEM_CONFIG, modeFields(color, deep));
  word(R.TS_MEM_CONFIG, configFields(facts.halti, color, deep, depth));
  if (color) {
    address(R.TS_COLOR_STATUS_BASE, color.buffer, 0);
    address(R.TS_COLOR_SURFACE_BASE, colors[0]!.storage.buffer, 0);
    word(R.TS_COLOR_CLEAR_VALUE, color.clearValue[0]);
    word(R.TS_COLOR_CLEAR_VALUE_EXT, color.clearValue[1]);
  }
  if (deep) {
    address(R.TS_DEPTH_STATUS_BASE, deep.buffer, 0);
    address(R.TS_DEPTH_SURFACE_BASE, depth!.storage.buffer, 0);
    word(R.TS_DEPTH_CLEAR_VALUE, deep.clearValue[0]);
  }
  for (let place = 1; hasFurtherStatus(facts.halti) && place < facts.renderTargets; place++) {
    const status = activeStatus(colors[place]);
    word(R.TS_RT_CONFIG, packFields(R.TS_RT_CONFIG, { ENABLE: status !== null }), place);
    if (!status) continue;
    address(R.TS_RT_STATUS_BASE, status.buffer, 0, place);
    address(R.TS_RT_SURFACE_BASE, colors[place]!.storage.buffer, 0, place);
    word(R.TS_RT_CLEAR_VALUE, status.clearValue[0], place);
    word(R.TS_RT_CLEAR_VALUE2, status.clearValue[1], place);
  }
  emitStatusStates(stream, entries);
}

/** Targets behind the first have a status of their own since HALTI2; on GC2000 a framebuffer of several has none. */
export function hasFurtherStatus(halti: number): boolean {
  return halti >= 2;
}

function modeFields(color: TileStatus | null, deep: TileStatus | null): number {
  return packFields(R.PE_MEM_CONFIG, { COLOR_TS_MODE: color ? 1 : 0, DEPTH_TS_MODE: deep ? 1 : 0 });
}

function configFields(
  halti: number,
  color: TileStatus | null,
  deep: TileStatus | null,
  depth: BoundTarget | null,
): number {
  const format: Format | null = depth ? depth.storage.format : null;
  return packFields(R.TS_MEM_CONFIG, {
    COLOR_FAST_CLEAR: color !== null,
    DEPTH_FAST_CLEAR: deep !== null,
    DEPTH_16BPP: deep !== null && depth!.storage.layout.bytesPerPixel === 2,
    STENCIL_ENABLE: halti >= 5 && deep !== null && formatDescription(format!).hasStencil,
  });
}

/** What the caches hold belongs to the status before: it is written back first. */
function emitStatusStates(stream: CommandStream, entries: readonly Entry[]): void {
  if (entries.some(({ register, index, word }) => stream.changes(register, word, index))) {
    flushPixelCaches(stream);
    stream.trigger(R.TS_FLUSH_CACHE, packFields(R.TS_FLUSH_CACHE, { FLUSH: 1 }));
  }
  for (const { register, index, word, buffer, offsetBytes } of entries) {
    if (buffer) stream.setBuffer(register, buffer, offsetBytes, true, index);
    else stream.set(register, word, index);
  }
}

// ---------------------------------------------------------------------------------------------------------- samplers

/** Texture units that have a tile status: the first of them. */
const SAMPLER_STATUSES = 8;

/**
 * The tile status that a unit can look at itself. Null: there is none in force, or it has to be written out before: of level 0
 * alone there is one, and what the 64-bit mode of a unit does no recorded stream shows.
 */
export function samplerStatus(
  { facts }: EtnavivScreen,
  { resource, firstLevel, lastLevel }: { resource: EtnavivResource; firstLevel: number; lastLevel: number },
  unit: number,
): TileStatus | null {
  const { base } = resource;
  if (!facts.samplesTileStatus || unit >= SAMPLER_STATUSES || lastLevel > 0 || base.layout.bytesPerPixel > 4)
    return null;
  return activeStatus({ storage: base, level: firstLevel });
}

export function emitSamplerStatus(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  unit: number,
  status: TileStatus | null,
  surface: BufferObject,
): void {
  if (!facts.samplesTileStatus || unit >= SAMPLER_STATUSES) return;
  const fields = { ENABLE: 1, COMPRESSION_FORMAT: ENUMS.COMPRESSION_FORMAT.NONE };
  stream.set(R.TS_SAMPLER_CONFIG, status ? packFields(R.TS_SAMPLER_CONFIG, fields) : 0, unit);
  if (!status) return;
  stream.setBuffer(R.TS_SAMPLER_STATUS_BASE, status.buffer, 0, false, unit);
  stream.set(R.TS_SAMPLER_CLEAR_VALUE, status.clearValue[0], unit);
  stream.set(R.TS_SAMPLER_CLEAR_VALUE2, status.clearValue[1], unit);
  if (facts.halti >= 5) stream.setBuffer(R.TS_SAMPLER_SURFACE_BASE, surface, 0, false, unit);
}

// ----------------------------------------------------------------------------------------------------------- engines

/** The resolve engine reads the source's status where the pixel engine reads that of its first target. */
export function emitSourceStatus(stream: CommandStream, source: { storage: Storage; level: number } | null): void {
  const status = activeStatus(source);
  stream.set(R.TS_MEM_CONFIG, packFields(R.TS_MEM_CONFIG, { COLOR_FAST_CLEAR: status !== null }));
  if (!status) return;
  stream.setBuffer(R.TS_COLOR_STATUS_BASE, status.buffer, 0, true);
  stream.setBuffer(R.TS_COLOR_SURFACE_BASE, source!.storage.buffer, 0, true);
  stream.set(R.TS_COLOR_CLEAR_VALUE, status.clearValue[0]);
  stream.set(R.TS_COLOR_CLEAR_VALUE_EXT, status.clearValue[1]);
}
