// Writes the DRAW structure of a draw: what kernels and shaders read as data rather than have compiled in.

import { formatDescription } from '../../src/format/format.ts';
import type { RasterizerDescription, Rect } from '../../src/pipe/pipe.ts';
import { DRAW, GUARD_BAND_PIXELS, MAX_POINT_SIZE } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import type { Bindings } from '../../src/util/bindings.ts';
import type { Job } from './job.ts';

/** Addresses of what the job holds for a draw. */
export interface DrawAddresses {
  readonly vertexUniforms: number;
  readonly vertexUbos: number;
  readonly vertexTextures: number;
  readonly fragmentUniforms: number;
  readonly fragmentUbos: number;
  readonly fragmentTextures: number;
  readonly attributes: number;
  readonly status: number;
}

const WHOLE_STENCIL = 0xff;

/** Coverage bits that GL_SAMPLE_COVERAGE leaves: the first `value · samples` samples. */
function sampleBits(bindings: Bindings, samples: number, multisample: boolean): number {
  const all = (1 << samples) - 1;
  if (samples === 1 || !multisample) return all;
  const { value, invert } = bindings.sampleCoverage;
  const covered = (1 << Math.round(Math.min(Math.max(value, 0), 1) * samples)) - 1;
  return bindings.sampleMask & (invert ? ~covered : covered) & all;
}

function intersect(a: Rect, b: Rect): Rect {
  const minX = Math.max(a.minX, b.minX);
  const minY = Math.max(a.minY, b.minY);
  return {
    minX,
    minY,
    maxX: Math.max(minX, Math.min(a.maxX, b.maxX)),
    maxY: Math.max(minY, Math.min(a.maxY, b.maxY)),
  };
}

/** Smallest difference of a unorm depth format's values; 0 where there is no unorm depth. */
function depthResolution(job: Job): number {
  if (job.depth === null) return 0;
  const { depthBits, channels } = formatDescription(job.depth.format);
  return channels[0]?.type === 'float' ? 0 : 2 ** -depthBits;
}

function writeRect(words: Int32Array, at: number, rect: Rect): void {
  words[at] = rect.minX;
  words[at + 1] = rect.minY;
  words[at + 2] = rect.maxX;
  words[at + 3] = rect.maxY;
}

function writeViewport(memory: RasterMemory, base: number, bindings: Bindings, scissor: Rect): void {
  const { f32, i32 } = memory;
  const { word } = DRAW;
  const { scale, translate } = bindings.viewport;
  f32[base + word.viewportScaleX] = scale[0];
  f32[base + word.viewportScaleY] = scale[1];
  f32[base + word.viewportScaleZ] = scale[2];
  f32[base + word.viewportTranslateX] = translate[0];
  f32[base + word.viewportTranslateY] = translate[1];
  f32[base + word.viewportTranslateZ] = translate[2];
  f32[base + word.depthNear] = translate[2] - scale[2];
  f32[base + word.depthFar] = translate[2] + scale[2];
  writeRect(i32, base + word.scissorMinX, scissor);
  const halfWidth = Math.abs(scale[0]);
  const halfHeight = Math.abs(scale[1]);
  const viewport = {
    minX: Math.floor(translate[0] - halfWidth),
    minY: Math.floor(translate[1] - halfHeight),
    maxX: Math.ceil(translate[0] + halfWidth),
    maxY: Math.ceil(translate[1] + halfHeight),
  };
  writeRect(i32, base + word.clipMinX, intersect(scissor, viewport));
  // |window| <= guard band  ⇔  |ndc| <= (guard band − |centre|) / half size, at least the viewport itself.
  f32[base + word.guardX] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translate[0])) / Math.max(halfWidth, 0.5));
  f32[base + word.guardY] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translate[1])) / Math.max(halfHeight, 0.5));
}

function writeRasterizer(memory: RasterMemory, base: number, rasterizer: RasterizerDescription, job: Job): void {
  const { f32, u32 } = memory;
  const { word } = DRAW;
  const offset = rasterizer.polygonOffset;
  const resolution = depthResolution(job);
  const isFloat = offset !== null && resolution === 0;
  f32[base + word.offsetFactor] = offset?.factor ?? 0;
  f32[base + word.offsetUnits] = (offset?.units ?? 0) * (isFloat ? 1 : resolution);
  u32[base + word.offsetIsFloat] = Number(isFloat);
  f32[base + word.offsetClamp] = offset?.clamp ?? 0;
  const { cullFace, frontCounterClockwise } = rasterizer;
  const culls = (face: 'front' | 'back') => cullFace === face || cullFace === 'frontAndBack';
  u32[base + word.cullPositive] = Number(culls(frontCounterClockwise ? 'front' : 'back'));
  u32[base + word.cullNegative] = Number(culls(frontCounterClockwise ? 'back' : 'front'));
  u32[base + word.frontPositive] = Number(frontCounterClockwise);
  f32[base + word.lineWidth] = rasterizer.lineWidth;
  f32[base + word.pointSizeMin] = 1;
  f32[base + word.pointSizeMax] = MAX_POINT_SIZE;
}

function writeStencil(memory: RasterMemory, base: number, bindings: Bindings): void {
  const { u32 } = memory;
  const { word } = DRAW;
  const stencil = bindings.depthStencilAlpha?.description.stencil;
  u32[base + word.stencilRefFront] = bindings.stencilReference.front & WHOLE_STENCIL;
  u32[base + word.stencilRefBack] = bindings.stencilReference.back & WHOLE_STENCIL;
  u32[base + word.stencilReadMaskFront] = (stencil?.front.compareMask ?? 0) & WHOLE_STENCIL;
  u32[base + word.stencilReadMaskBack] = (stencil?.back.compareMask ?? 0) & WHOLE_STENCIL;
  u32[base + word.stencilWriteMaskFront] = (stencil?.front.writeMask ?? 0) & WHOLE_STENCIL;
  u32[base + word.stencilWriteMaskBack] = (stencil?.back.writeMask ?? 0) & WHOLE_STENCIL;
}

/** The pixels that the bound state lets a draw touch. */
export function drawableRect(bindings: Bindings, job: Job): Rect {
  const all = { minX: 0, minY: 0, maxX: job.width, maxY: job.height };
  return bindings.rasterizer?.description.scissor ? intersect(all, bindings.scissor) : all;
}

/** Fills the DRAW at `address` from what is bound. */
export function writeDraw(
  memory: RasterMemory,
  address: number,
  bindings: Bindings,
  job: Job,
  addresses: DrawAddresses,
  drawIndex: number,
  baseInstance: number,
): void {
  const base = address >>> 2;
  const { u32, f32 } = memory;
  const { word } = DRAW;
  u32.fill(0, base, base + (DRAW.size >>> 2));
  for (const [name, value] of Object.entries(addresses)) u32[base + word[name as keyof DrawAddresses]] = value;
  f32.set(bindings.blendColor, base + word.blendColor);
  const rasterizer = bindings.rasterizer!.description;
  u32[base + word.sampleMask] = sampleBits(bindings, job.samples, rasterizer.multisample);
  u32[base + word.samples] = job.samples;
  u32[base + word.baseInstance] = baseInstance;
  u32[base + word.drawIndex] = drawIndex;
  writeStencil(memory, base, bindings);
  writeViewport(memory, base, bindings, drawableRect(bindings, job));
  writeRasterizer(memory, base, rasterizer, job);
}
