// Everything a draw depends on, as states: read from the bindings, written through the stream, which leaves out what it knows.
//
// Facts: rnndb, and the order and the unexplained values of recorded streams.

import { floatToHalf } from '../../../src/base/half.ts';
import type { Bindings } from '../../../src/util/bindings.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS, type Register } from '../registers/registers.ts';
import type { CommandStream } from './command-stream.ts';
import { emitSamples } from './emit-samples.ts';
import { formatRow } from './formats.table.ts';
import type { LinkedProgram } from './program.ts';
import { layerOffsets, type Storage } from './resource.ts';
import type { EtnavivScreen } from './screen.ts';
import type { EtnavivBlend, EtnavivDepthStencil, EtnavivRasterizer } from './state-objects.ts';
import { emitTileStatus } from './tile-status.ts';

const R = REGISTERS;

/** A surface as the pixel engine draws to it. */
export interface BoundTarget {
  /** Index among the framebuffer's colour targets: of the fragment output and of the blend state. */
  readonly index: number;
  readonly storage: Storage;
  readonly level: number;
  readonly layer: number;
  readonly format: Parameters<typeof formatRow>[0];
  /** The program writes red and blue exchanged because its memory is red first. */
  readonly swapsRedBlue: boolean;
}

/** Bits of a colour mask as the pixel engine has to see them. */
function maskFor({ swapsRedBlue }: BoundTarget, mask: number): number {
  return swapsRedBlue ? (mask & 10) | ((mask & 1) << 2) | ((mask >> 2) & 1) : mask;
}

export interface BoundFramebuffer {
  /** Targets without gaps: the hardware wants them packed. */
  readonly colors: readonly BoundTarget[];
  readonly depth: BoundTarget | null;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
}

const NO_DITHER = 0xffffffff;

/**
 * States that hold for whole streams: once at the start of each. Processes share the core, and what the one before has left
 * is unknown.
 */
export function emitStreamStart(stream: CommandStream, { facts }: EtnavivScreen): void {
  stream.set(R.GL_API_MODE, 0);
  stream.set(R.PA_W_CLIP_LIMIT, 0x34000001);
  stream.set(R.PA_FLAGS, 0);
  stream.set(R.PA_VIEWPORT_UNK00A80, 0x38a01404);
  stream.set(R.PA_VIEWPORT_UNK00A84, 0x46000000);
  stream.set(R.PA_ZFARCLIPPING, 0);
  stream.set(R.RA_HDEPTH_CONTROL, 0x7000);
  stream.set(R.PS_CONTROL_EXT, 0);
  // GL allows a dither that does nothing, and pictures are then the same on all GPUs.
  for (let word = 0; word < 2; word++) stream.set(R.PE_DITHER, NO_DITHER, word);
  if (facts.halti >= 1) stream.set(R.VS_HALTI1_UNK00884, 0x808);
  if (facts.halti >= 2) {
    stream.set(R.RA_UNK00E0C, 0);
    stream.set(R.GL_BUG_FIXES, 6);
  }
  if (facts.halti >= 3) stream.set(R.PS_HALTI3_UNK0103C, 0x76543210);
  if (facts.halti >= 4) stream.set(R.PE_HALTI4_UNK014C0, 0);
  if (facts.halti >= 5) {
    stream.set(R.NTE_DESCRIPTOR_CONTROL, 1);
    stream.set(R.FE_HALTI5_UNK007D8, 2);
    stream.set(R.PS_SAMPLER_BASE, 0);
    stream.set(R.VS_SAMPLER_BASE, 0x20);
    stream.set(R.SH_CONFIG, packFields(R.SH_CONFIG, { RTNE_ROUNDING: 1 }));
    stream.set(R.BLT_UNK140A0, 0x00040004);
    stream.set(R.BLT_UNK1409C, 0x00400040);
    stream.trigger(R.NTE_DESCRIPTOR_FLUSH, 0);
    stream.trigger(R.GL_FLUSH_CACHE, packFields(R.GL_FLUSH_CACHE, { DESCRIPTOR_UNK12: 1, DESCRIPTOR_UNK13: 1 }));
    stream.trigger(R.VS_ICACHE_INVALIDATE, 0x1f);
    return;
  }
  stream.set(R.RS_SINGLE_BUFFER, Number(facts.singleBuffer));
  // Other code may lie where that of an earlier stream lay.
  if (facts.hasInstructionCache)
    stream.trigger(R.SH_ICACHE_CONTROL, packFields(R.SH_ICACHE_CONTROL, { FLUSH_VS: 1, FLUSH_PS: 1 }));
  stream.set(R.GL_VERTEX_ELEMENT_CONFIG, packFields(R.GL_VERTEX_ELEMENT_CONFIG, { UNK0: 1 }));
}

// ------------------------------------------------------------------------------------------------------- targets

export function emitFramebuffer(
  stream: CommandStream,
  screen: EtnavivScreen,
  framebuffer: BoundFramebuffer,
  blend: EtnavivBlend,
  bindings: Bindings,
): void {
  const { facts } = screen;
  const { colors, samples } = framebuffer;
  const drawsLinear = colors.some(({ storage }) => storage.layout.tiling === 'linear');
  emitFirstTarget(stream, screen, colors[0] ?? null, blend, drawsLinear, samples);
  for (let place = 1; place < Math.min(facts.renderTargets, 8); place++) {
    emitFurtherTarget(stream, screen, place, colors[place] ?? null, blend);
  }
  emitSamples(stream, facts, samples, blend, bindings);
  emitTileStatus(stream, screen, framebuffer);
}

function emitFirstTarget(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  target: BoundTarget | null,
  blend: EtnavivBlend,
  drawsLinear: boolean,
  samples: number,
): void {
  const row = target && formatRow(target.format);
  const { alphaConfig, colorMask, isEnabled } = blend.target(target?.index ?? 0);
  const hasBlend = isEnabled && row?.blends === true;
  const code = row?.render?.code ?? 0;
  stream.set(R.PE_ALPHA_CONFIG, hasBlend ? alphaConfig : 0);
  stream.set(
    R.PE_COLOR_FORMAT,
    packFields(R.PE_COLOR_FORMAT, {
      FORMAT: code < 16 ? code : 0,
      FORMAT_EXT: code < 16 ? 0 : code,
      COMPONENTS: target ? maskFor(target, colorMask) : 0,
      OVERWRITE: target !== null && colorMask === 15 && !hasBlend,
      SUPER_TILED: target?.storage.layout.tiling === 'supertiled',
      SUPER_TILED_NEW: facts.halti >= 5 && target?.storage.layout.tiling === 'supertiled',
    }),
  );
  stream.set(
    R.PE_LOGIC_OP,
    (LOGIC_OP_BASE |
      packFields(R.PE_LOGIC_OP, {
        SINGLE_BUFFER: drawsLinear ? 1 : facts.singleBuffer ? 2 : 0,
        UNK24: samples > 1 && facts.singleBuffer ? 5 : 0,
        SRGB: row?.isSrgb ?? false,
      })) >>>
      0,
  );
  stream.set(R.PE_COLOR_STRIDE, target ? target.storage.layout.levels[target.level]!.strideBytes : 0);
  if (target) emitAddresses(stream, facts, target, R.PE_COLOR_ADDR, R.PE_PIPE_COLOR_ADDR);
}

/** Cores with one pixel pipe have one address; whether those of HALTI5 still look there no recorded stream shows. */
function emitAddresses(
  stream: CommandStream,
  { pixelPipes, halti }: EtnavivScreen['facts'],
  { storage, level, layer }: BoundTarget,
  single: Register,
  byPipe: Register,
): void {
  const offsets = layerOffsets(storage, level, layer);
  if (pixelPipes === 1) stream.setBuffer(single, storage.buffer, offsets[0]!, true);
  if (pixelPipes === 1 && halti < 5) return;
  for (let pipe = 0; pipe < pixelPipes; pipe++) {
    stream.setBuffer(byPipe, storage.buffer, offsets[pipe] ?? offsets[0]!, true, pipe);
  }
}

/** OP = COPY, no dither, and bits that recorded streams always have. */
const LOGIC_OP_BASE = 0x000e406c;

function emitFurtherTarget(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  place: number,
  target: BoundTarget | null,
  blend: EtnavivBlend,
): void {
  const isEight = facts.halti >= 2;
  const config = isEight ? R.PE_RT_CONFIG_8 : R.PE_RT_CONFIG_4;
  const at = place - 1;
  if (!target) {
    stream.set(config, 0, at);
    return;
  }
  const row = formatRow(target.format)!;
  const layout = target.storage.layout;
  const isSuper = layout.tiling === 'supertiled';
  stream.set(
    config,
    packFields(R.PE_RT_CONFIG_8, {
      STRIDE: layout.levels[target.level]!.strideBytes,
      FORMAT: row.render!.code,
      SUPER_TILED: isSuper,
      SUPER_TILED_NEW: facts.halti >= 5 && isSuper,
      SRGB: row.isSrgb,
    }),
    at,
  );
  const offsets = layerOffsets(target.storage, target.level, target.layer);
  for (let pipe = 0; pipe < facts.pixelPipes; pipe++) {
    const offset = offsets[pipe] ?? offsets[0]!;
    const address = isEight ? R.PE_RT_ADDR_8_PIPE : R.PE_RT_ADDR_4_PIPE;
    stream.setBuffer(address, target.storage.buffer, offset, true, at, pipe);
  }
  if (facts.halti < 5) return;
  const { alphaConfig, colorMask, isEnabled } = blend.target(target.index);
  const hasBlend = isEnabled && row.blends;
  stream.set(
    R.PE_HALTI5_RT_COLORMASK,
    packFields(R.PE_HALTI5_RT_COLORMASK, {
      COMPONENTS: maskFor(target, colorMask),
      OVERWRITE: colorMask === 15 && !hasBlend,
    }),
    at,
  );
  stream.set(R.PE_HALTI5_RT_ALPHA_CONFIG, hasBlend ? alphaConfig : 0, at);
}

export function emitBlendColor(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  color: Float32Array,
  colors: readonly BoundTarget[],
): void {
  const [red, g, blue, a] = color as unknown as [number, number, number, number];
  // Red and blue as a target's channels lie.
  const [r, b] = colors[0]?.swapsRedBlue ? [blue, red] : [red, blue];
  stream.set(
    R.PE_ALPHA_BLEND_COLOR,
    packFields(R.PE_ALPHA_BLEND_COLOR, { B: toByte(b), G: toByte(g), R: toByte(r), A: toByte(a) }),
  );
  if (facts.halti < 0) return;
  const low = halfPair(red, g);
  const high = halfPair(blue, a);
  const swapsAny = colors.some(({ swapsRedBlue }) => swapsRedBlue);
  const [swappedLow, swappedHigh] = swapsAny ? [halfPair(blue, g), halfPair(red, a)] : [low, high];
  const swapsFirst = colors[0]?.swapsRedBlue;
  stream.set(R.PE_ALPHA_COLOR_EXT0, swapsFirst ? swappedLow : low);
  stream.set(R.PE_ALPHA_COLOR_EXT1, swapsFirst ? swappedHigh : high);
  if (facts.halti < 5) return;
  for (let place = 0; place < 7; place++) {
    const swaps = colors[place + 1]?.swapsRedBlue;
    stream.set(R.PE_HALTI5_RT_ALPHA_COLOR_EXT0, swaps ? swappedLow : low, place);
    stream.set(R.PE_HALTI5_RT_ALPHA_COLOR_EXT1, swaps ? swappedHigh : high, place);
  }
}

function toByte(value: number): number {
  return Math.round(Math.min(Math.max(value, 0), 1) * 255);
}

function halfPair(low: number, high: number): number {
  return (floatToHalf(low) | (floatToHalf(high) << 16)) >>> 0;
}

// ---------------------------------------------------------------------------------------------- depth and stencil

export function emitDepthStencil(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  target: BoundTarget | null,
  state: EtnavivDepthStencil,
  rasterizer: EtnavivRasterizer,
  bindings: Bindings,
  isEarly: boolean,
): void {
  const { description } = state;
  const kind = target ? formatRow(target.format)!.depth : null;
  const isDeep = kind === 'D24S8';
  stream.set(
    R.PE_DEPTH_CONFIG,
    packFields(R.PE_DEPTH_CONFIG, {
      DEPTH_MODE: target ? ENUMS.DEPTH_MODE.Z : ENUMS.DEPTH_MODE.NONE,
      DEPTH_FORMAT: isDeep ? ENUMS.DEPTH_FORMAT.D24S8 : ENUMS.DEPTH_FORMAT.D16,
      DEPTH_FUNC: target ? state.depthFunc : ENUMS.COMPARE_FUNC.ALWAYS,
      WRITE_ENABLE: target !== null && description.depthWrite,
      EARLY_Z: isEarly,
      // The rasteriser does it all: before HALTI5 it only tests.
      DISABLE_ZS: target === null || (isEarly && (facts.halti >= 5 || !description.depthWrite)),
      UNK18: target !== null,
      SUPER_TILED: target?.storage.layout.tiling === 'supertiled',
    }),
  );
  stream.setFloat(R.PE_DEPTH_NEAR, 0);
  stream.setFloat(R.PE_DEPTH_FAR, 1);
  stream.setFloat(R.PE_DEPTH_NORMALIZE, target ? (isDeep ? 0xffffff : 0xffff) : 0);
  stream.set(R.PE_DEPTH_STRIDE, target ? target.storage.layout.levels[target.level]!.strideBytes : 0);
  stream.set(R.PE_HDEPTH_CONTROL, 0);
  if (target) emitAddresses(stream, facts, target, R.PE_DEPTH_ADDR, R.PE_PIPE_DEPTH_ADDR);
  emitStencil(stream, isDeep ? state : null, rasterizer, bindings);
}

function emitStencil(
  stream: CommandStream,
  state: EtnavivDepthStencil | null,
  rasterizer: EtnavivRasterizer,
  { stencilReference }: Bindings,
): void {
  const stencil = state?.description.stencil ?? null;
  if (!state || !stencil) {
    stream.set(R.PE_STENCIL_OP, 0);
    stream.set(R.PE_STENCIL_CONFIG, 0);
    stream.set(R.PE_STENCIL_CONFIG_EXT, 0);
    stream.set(R.PE_STENCIL_CONFIG_EXT2, 0);
    return;
  }
  const isSwapped = !rasterizer.description.frontCounterClockwise;
  const [front, back] = isSwapped ? [stencil.back, stencil.front] : [stencil.front, stencil.back];
  const [frontReference, backReference] = isSwapped
    ? [stencilReference.back, stencilReference.front]
    : [stencilReference.front, stencilReference.back];
  stream.set(R.PE_STENCIL_OP, isSwapped ? state.stencilOpSwapped : state.stencilOp);
  stream.set(
    R.PE_STENCIL_CONFIG,
    packFields(R.PE_STENCIL_CONFIG, {
      MODE: ENUMS.STENCIL_MODE.TWO_SIDED,
      REF_FRONT: frontReference & 0xff,
      MASK_FRONT: front.compareMask & 0xff,
      WRITE_MASK_FRONT: front.writeMask & 0xff,
    }),
  );
  stream.set(R.PE_STENCIL_CONFIG_EXT, packFields(R.PE_STENCIL_CONFIG_EXT, { REF_BACK: backReference & 0xff }));
  stream.set(
    R.PE_STENCIL_CONFIG_EXT2,
    packFields(R.PE_STENCIL_CONFIG_EXT2, {
      MASK_BACK: back.compareMask & 0xff,
      WRITE_MASK_BACK: back.writeMask & 0xff,
    }),
  );
}

// ------------------------------------------------------------------------------------------------------ rasteriser

export function emitRasterizer(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  rasterizer: EtnavivRasterizer,
  bindings: Bindings,
  framebuffer: BoundFramebuffer,
  program: LinkedProgram,
  isPoints: boolean,
  isEarly: boolean,
): void {
  const { description } = rasterizer;
  const { viewport, scissor } = bindings;
  stream.setFixed(R.PA_VIEWPORT_SCALE_X, viewport.scale[0]);
  stream.setFixed(R.PA_VIEWPORT_SCALE_Y, viewport.scale[1]);
  // The hardware (or, before HALTI0, the program) has taken z from −w…w to 0…w.
  stream.setFloat(R.PA_VIEWPORT_SCALE_Z, viewport.scale[2] * 2);
  stream.setFixed(R.PA_VIEWPORT_OFFSET_X, viewport.translate[0]);
  stream.setFixed(R.PA_VIEWPORT_OFFSET_Y, viewport.translate[1]);
  stream.setFloat(R.PA_VIEWPORT_OFFSET_Z, viewport.translate[2] - viewport.scale[2]);
  const halfLine = description.lineWidth / 2;
  stream.setFloat(R.PA_LINE_WIDTH, halfLine);
  stream.setFloat(R.PA_POINT_SIZE, description.pointSize / 2);
  stream.setFloat(R.PA_WIDE_LINE_WIDTH0, halfLine);
  stream.setFloat(R.PA_WIDE_LINE_WIDTH1, halfLine);
  stream.set(
    R.PA_SYSTEM_MODE,
    packFields(R.PA_SYSTEM_MODE, { PROVOKING_VERTEX_LAST: !description.provokingVertexFirst, HALF_PIXEL_CENTER: 1 }),
  );
  const usesSprite = isPoints && program.pointCoordComponent >= 0;
  stream.set(
    R.PA_CONFIG,
    packFields(R.PA_CONFIG, {
      POINT_SIZE_ENABLE: isPoints && program.pointSizeRegister !== null,
      POINT_SPRITE_ENABLE: usesSprite,
      CULL_FACE_MODE: rasterizer.cullMode ?? ENUMS.CULL_FACE_MODE.OFF,
      FILL_MODE: 2,
      SHADE_MODEL: program.hasFlat && facts.halti < 5 ? ENUMS.SHADE_MODEL.FLAT : ENUMS.SHADE_MODEL.SMOOTH,
      WIDE_LINE: 1,
    }),
  );
  const full = { minX: 0, minY: 0, maxX: framebuffer.width, maxY: framebuffer.height };
  const rect = description.scissor ? clipRect(scissor, full) : full;
  // Behind the edge by the margins that recorded streams have.
  stream.setAt(R.SE_SCISSOR_LEFT.address, rect.minX * 65536, true);
  stream.setAt(R.SE_SCISSOR_TOP.address, rect.minY * 65536, true);
  stream.setAt(R.SE_SCISSOR_RIGHT.address, rect.maxX * 65536 + 0x1119, true);
  stream.setAt(R.SE_SCISSOR_BOTTOM.address, rect.maxY * 65536 + 0x1111, true);
  stream.setAt(R.SE_CLIP_RIGHT.address, rect.maxX * 65536 + 0xffff, true);
  stream.setAt(R.SE_CLIP_BOTTOM.address, rect.maxY * 65536 + 0xffff, true);
  const offset = description.polygonOffset;
  const unit = formatRow(framebuffer.depth?.format ?? 'Z16_UNORM')?.depth === 'D24S8' ? 1 / 0xffffff : 1 / 0xffff;
  stream.setFloat(R.SE_DEPTH_SCALE, offset?.factor ?? 0);
  stream.setFloat(R.SE_DEPTH_BIAS, (offset?.units ?? 0) * unit);
  stream.set(R.SE_CONFIG, 0);
  stream.set(R.RA_CONTROL, 1);
  stream.set(
    R.RA_EARLY_DEPTH,
    EARLY_DEPTH_BASE |
      packFields(R.RA_EARLY_DEPTH, {
        TEST_ENABLE: isEarly,
        FORWARD_Z: facts.halti >= 5 && program.fragment.compiled.flags.writesDepth,
        WRITE_DISABLE: facts.halti >= 5 && !(isEarly && bindings.depthStencilAlpha!.description.depthWrite),
      }),
  );
}

/** Bits that recorded streams always have. */
const EARLY_DEPTH_BASE = 0x30;

/**
 * Whether depth may be tested (since HALTI5: and written) before the pixel program runs: never when the program, alpha or
 * stencil has a say in it, and, as in every recorded stream, not where each pixel pipe has a memory of its own.
 */
export function testsDepthEarly(
  screen: EtnavivScreen,
  { depth, samples }: BoundFramebuffer,
  { description, depthFunc }: EtnavivDepthStencil,
  blend: EtnavivBlend,
  { fragment }: LinkedProgram,
): boolean {
  const { usesDiscard, writesDepth } = fragment.compiled.flags;
  const hasTest = depthFunc !== ENUMS.COMPARE_FUNC.ALWAYS || description.depthWrite;
  const decidesLater = usesDiscard || writesDepth || (samples > 1 && blend.description.alphaToCoverage);
  return depth !== null && hasTest && !decidesLater && description.stencil === null && screen.renderPipes === 1;
}

function clipRect(a: Bindings['scissor'], b: Bindings['scissor']): Bindings['scissor'] {
  const minX = Math.min(Math.max(a.minX, b.minX), b.maxX);
  const minY = Math.min(Math.max(a.minY, b.minY), b.maxY);
  return { minX, minY, maxX: Math.max(minX, Math.min(a.maxX, b.maxX)), maxY: Math.max(minY, Math.min(a.maxY, b.maxY)) };
}

/** A rectangle that holds no pixel: the hardware's scissor can't say that. */
export function isScissorEmpty({ rasterizer, scissor, framebuffer }: Bindings): boolean {
  if (!rasterizer?.description.scissor) return false;
  return (
    Math.min(scissor.maxX, framebuffer.width) <= Math.max(scissor.minX, 0) ||
    Math.min(scissor.maxY, framebuffer.height) <= Math.max(scissor.minY, 0)
  );
}
