// What the pixel engine draws to, read from the state: colour targets, depth and stencil, their layouts and tile status.

import { blockBytes, type Format } from '../../../src/format/format.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { REGISTERS } from '../registers/registers.ts';
import { PE_FORMATS, SRGB_FORMATS } from './formats.table.ts';
import { GpuFault, type GpuMemory } from './memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import type { GpuState, StateReads } from './state.ts';
import type { SurfaceLayout, Tiling } from './surface.ts';
import type { TileStatus } from './tile-status.ts';

export interface ColorTarget {
  readonly format: Format;
  readonly layout: SurfaceLayout;
  readonly status: TileStatus | null;
}

export interface DepthTarget {
  /** As memory holds it: the stencil is the low byte of D24S8. */
  readonly format: 'D16' | 'D24S8';
  readonly layout: SurfaceLayout;
  readonly status: TileStatus | null;
}

export interface Targets {
  readonly colors: readonly (ColorTarget | null)[];
  readonly depth: DepthTarget | null;
  /** Samples in memory: 1, 2 (side by side) or 4 (two by two). */
  readonly samples: 1 | 2 | 4;
  /** Pixels that the memory of the targets has room for. */
  readonly width: number;
  readonly height: number;
  /** Equal texts draw to the same place. */
  readonly key: string;
  /** Equal texts are drawn to by the same code. */
  readonly shape: string;
  /** GPU addresses of what is drawn to. */
  readonly gpuAddresses: readonly number[];
}

/** Targets that are known again when streams go back to them. */
const MAX_KNOWN = 8;

interface KnownTargets {
  readonly targets: Targets;
  readonly reads: StateReads;
  readonly mappingVersion: number;
}

const MAX_EXTENT = 8192;
const { UIF32 } = ENUMS.COLOR_OUTPUT_MODE;
/** Bytes of tile status that a mode stands for. */
const TS_MODE_BYTES = [128, 256] as const;

export class TargetReader {
  private readonly state: GpuState;
  private readonly memory: GpuMemory;
  private readonly facts: CoreFacts;
  /** The last used ones first. */
  private readonly known: KnownTargets[] = [];

  constructor(state: GpuState, memory: GpuMemory, facts: CoreFacts) {
    this.state = state;
    this.memory = memory;
    this.facts = facts;
  }

  /** Throws GpuFault where an address is wrong, Error where a format is not simulated. */
  read(): Targets {
    const { state, memory, known } = this;
    const { mappingVersion } = memory;
    const place = known.findIndex((entry) => entry.mappingVersion === mappingVersion && state.hold(entry.reads));
    if (place === 0) return known[0]!.targets;
    const [entry] = place > 0 ? known.splice(place, 1) : [];
    if (entry) {
      known.unshift(entry);
      return entry.targets;
    }
    const { found: targets, reads } = state.record(() => this.find());
    known.unshift({ targets, reads, mappingVersion });
    known.length = Math.min(known.length, MAX_KNOWN);
    return targets;
  }

  private find(): Targets {
    const { state } = this;
    const samples = ([1, 2, 4] as const)[state.field(REGISTERS.GL_MULTI_SAMPLE_CONFIG, 'MSAA_SAMPLES')] ?? 1;
    const colors: (ColorTarget | null)[] = [];
    const keys: string[] = [];
    const gpuAddresses: number[] = [];
    const count = state.field(REGISTERS.PS_CONTROL, 'RT_COUNT') + 1;
    let width = MAX_EXTENT;
    let height = MAX_EXTENT;
    const bound = (gpuAddresses: readonly number[], layout: SurfaceLayout) => {
      const extent = this.extent(gpuAddresses, layout);
      width = Math.min(width, Math.floor(extent.width / (samples > 1 ? 2 : 1)));
      height = Math.min(height, Math.floor(extent.height / (samples > 2 ? 2 : 1)));
    };
    for (let index = 0; index < Math.min(count, this.facts.renderTargets); index++) {
      const place = index === 0 ? this.firstColor() : this.furtherColor(index);
      if (place === null) {
        colors.push(null);
        keys.push('-');
        continue;
      }
      const { format, tiling, addresses, strideBytes } = place;
      const layout = this.layout(tiling, addresses, strideBytes, blockBytes(format), `colour target ${index}`);
      bound(addresses, layout);
      gpuAddresses.push(...addresses);
      colors.push({ format, layout, status: this.colorStatus(index, addresses[0]!) });
      keys.push(`${format}@${addresses.join('+')}/${strideBytes}${tiling}`);
    }
    const depth = this.depth();
    if (depth) {
      bound(depth.addresses, depth.target.layout);
      gpuAddresses.push(...depth.addresses);
      keys.push(`${depth.target.format}@${depth.addresses.join('+')}/${depth.target.layout.strideBytes}`);
    }
    return {
      colors,
      depth: depth?.target ?? null,
      samples,
      width,
      height,
      key: `${samples}:${keys.join(',')}`,
      shape: `${samples}:${colors.map((color) => color?.format ?? '-')}:${depth?.target.format}:${width}x${height}`,
      gpuAddresses,
    };
  }

  private layout(
    tiling: Tiling,
    gpuAddresses: readonly number[],
    strideBytes: number,
    bytesPerPixel: number,
    what: string,
  ): SurfaceLayout {
    const addresses = gpuAddresses.map((address) => this.memory.resolveRange(address, what).address);
    return { tiling, addresses, strideBytes, bytesPerPixel };
  }

  /** Pixels (samples) of a surface that memory has room for. */
  private extent(gpuAddresses: readonly number[], layout: SurfaceLayout): { width: number; height: number } {
    const { strideBytes, bytesPerPixel, tiling } = layout;
    if (strideBytes === 0) throw new NotSimulatedError('a render target has a stride of 0');
    const { available } = this.memory.resolveRange(gpuAddresses[gpuAddresses.length - 1]!, 'render target');
    const unit = tiling === 'supertiled' ? 64 : tiling === 'tiled' ? 4 : 1;
    const rows = Math.floor(available / (strideBytes * unit)) * unit * gpuAddresses.length;
    return { width: Math.floor(strideBytes / bytesPerPixel), height: rows };
  }

  /** Addresses for each pixel pipe; one where both write the same buffer. */
  private pipes(address: (pipe: number) => number, fallback: number): number[] {
    const { facts, state } = this;
    if (facts.pixelPipes === 1) return [address(0) || fallback];
    const single = facts.singleBuffer && state.field(REGISTERS.PE_LOGIC_OP, 'SINGLE_BUFFER') !== 0;
    const [first, second] = [address(0) || fallback, address(1)];
    return single || first === second || second === 0 ? [first] : [first, second];
  }

  /** Older cores with one pixel pipe have the single addresses only. */
  private get hasPipeAddresses(): boolean {
    return this.facts.pixelPipes > 1 || this.facts.halti >= 5;
  }

  private firstColor() {
    const { state } = this;
    const register = REGISTERS.PE_COLOR_FORMAT;
    const addresses = this.pipes(
      (pipe) => (this.hasPipeAddresses ? state.word(REGISTERS.PE_PIPE_COLOR_ADDR, pipe) : 0),
      state.word(REGISTERS.PE_COLOR_ADDR),
    );
    const strideBytes = state.word(REGISTERS.PE_COLOR_STRIDE) & 0xffff;
    if (addresses[0] === 0 || strideBytes === 0) return null;
    const code = state.field(register, 'FORMAT') || state.field(register, 'FORMAT_EXT');
    const extended = state.field(register, 'FORMAT_EXT');
    return {
      format: this.colorFormat(extended !== 0 ? extended : code, state.field(REGISTERS.PE_LOGIC_OP, 'SRGB') !== 0, 0),
      tiling: this.colorTiling(state.field(register, 'SUPER_TILED') !== 0),
      addresses,
      strideBytes,
    };
  }

  private furtherColor(index: number) {
    const { state, facts } = this;
    const eight = facts.halti >= 2;
    const config = eight ? REGISTERS.PE_RT_CONFIG_8 : REGISTERS.PE_RT_CONFIG_4;
    const address = eight ? REGISTERS.PE_RT_ADDR_8_PIPE : REGISTERS.PE_RT_ADDR_4_PIPE;
    const place = index - 1;
    const addresses = this.pipes((pipe) => state.word(address, place, pipe), 0);
    const strideBytes = state.field(config, 'STRIDE', place);
    if (addresses[0] === 0 || strideBytes === 0) return null;
    return {
      format: this.colorFormat(state.field(config, 'FORMAT', place), state.field(config, 'SRGB', place) !== 0, index),
      tiling: this.colorTiling(state.field(config, 'SUPER_TILED', place) !== 0),
      addresses,
      strideBytes,
    };
  }

  /** SINGLE_BUFFER 1, the mode of linear targets, is one switch for all that are not supertiled. */
  private colorTiling(isSuper: boolean): Tiling {
    if (isSuper) return 'supertiled';
    const mode = this.state.field(REGISTERS.PE_LOGIC_OP, 'SINGLE_BUFFER');
    return this.facts.drawsLinear && mode === 1 ? 'linear' : 'tiled';
  }

  private colorFormat(code: number, isSrgb: boolean, index: number): Format {
    const format = PE_FORMATS[code];
    if (!format) throw new NotSimulatedError(`PE format ${code} is not simulated`);
    // Words as they are: a target of integers, or of floats that nothing blends.
    if (this.outputMode(index) === UIF32 && format.startsWith('R32'))
      return format.replace('_FLOAT', '_UINT') as Format;
    if (format.endsWith('_UINT') && this.isSignedOutput(index)) return format.replace('_UINT', '_SINT') as Format;
    return (isSrgb && SRGB_FORMATS[format]) || format;
  }

  /** Output modes I8 and I16 write signed integers. */
  private isSignedOutput(index: number): boolean {
    const mode = this.outputMode(index);
    return mode === ENUMS.COLOR_OUTPUT_MODE.I8 || mode === ENUMS.COLOR_OUTPUT_MODE.I16;
  }

  private outputMode(index: number): number {
    return (this.state.word(REGISTERS.PS_CONTROL_EXT) >>> (index * 4)) & 7;
  }

  private colorStatus(index: number, gpuAddress: number): TileStatus | null {
    const { state } = this;
    if (index === 0) {
      if (!state.field(REGISTERS.TS_MEM_CONFIG, 'COLOR_FAST_CLEAR')) return null;
      return this.status(state.word(REGISTERS.TS_COLOR_STATUS_BASE), gpuAddress, this.tileBytes('COLOR_TS_MODE'), [
        state.word(REGISTERS.TS_COLOR_CLEAR_VALUE),
        state.word(REGISTERS.TS_COLOR_CLEAR_VALUE_EXT),
      ]);
    }
    if (!state.field(REGISTERS.TS_RT_CONFIG, 'ENABLE', index)) return null;
    return this.status(state.word(REGISTERS.TS_RT_STATUS_BASE, index), gpuAddress, this.tileBytes('COLOR_TS_MODE'), [
      state.word(REGISTERS.TS_RT_CLEAR_VALUE, index),
      state.word(REGISTERS.TS_RT_CLEAR_VALUE2, index),
    ]);
  }

  tileBytes(mode: 'COLOR_TS_MODE' | 'DEPTH_TS_MODE'): number {
    if (this.facts.tileStatusTileBytes === 64) return 64;
    return TS_MODE_BYTES[this.state.field(REGISTERS.PE_MEM_CONFIG, mode)]!;
  }

  /** The status of a surface. Before HALTI4 there is one clear word. */
  status(
    statusAddress: number,
    surfaceAddress: number,
    tileBytes: number,
    clearValue: readonly [number, number],
  ): TileStatus {
    const { address, available } = this.memory.resolveRange(statusAddress, 'tile status');
    const surface = this.memory.find(surfaceAddress);
    if (!surface) throw new GpuFault(surfaceAddress, 'surface of a tile status');
    return {
      address,
      available,
      surface: surface.address + (surfaceAddress - surface.gpuAddress),
      surfaceBytes: surface.sizeBytes - (surfaceAddress - surface.gpuAddress),
      bits: this.facts.tileStatusBits,
      tileBytes,
      clearValue: this.facts.halti >= 2 ? clearValue : [clearValue[0], clearValue[0]],
    };
  }

  private depth(): { target: DepthTarget; addresses: number[] } | null {
    const { state } = this;
    const config = REGISTERS.PE_DEPTH_CONFIG;
    const stencil = state.field(REGISTERS.PE_STENCIL_CONFIG, 'MODE') !== 0;
    if (state.field(config, 'DEPTH_MODE') === 0 && !stencil) return null;
    const addresses = this.pipes(
      (pipe) => (this.hasPipeAddresses ? state.word(REGISTERS.PE_PIPE_DEPTH_ADDR, pipe) : 0),
      state.word(REGISTERS.PE_DEPTH_ADDR),
    );
    const strideBytes = state.word(REGISTERS.PE_DEPTH_STRIDE) & 0xffff;
    if (addresses[0] === 0 || strideBytes === 0) return null;
    const format = state.field(config, 'DEPTH_FORMAT') ? 'D24S8' : 'D16';
    const tiling: Tiling = state.field(config, 'SUPER_TILED') ? 'supertiled' : 'tiled';
    const layout = this.layout(tiling, addresses, strideBytes, format === 'D16' ? 2 : 4, 'depth buffer');
    let status: TileStatus | null = null;
    if (state.field(REGISTERS.TS_MEM_CONFIG, 'DEPTH_FAST_CLEAR')) {
      const clear = state.word(REGISTERS.TS_DEPTH_CLEAR_VALUE);
      status = this.status(state.word(REGISTERS.TS_DEPTH_STATUS_BASE), addresses[0]!, this.tileBytes('DEPTH_TS_MODE'), [
        clear,
        clear,
      ]);
    }
    return { target: { format, layout, status }, addresses };
  }
}
