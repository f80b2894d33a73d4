// The DRAW structure: what kernels and shaders read as data rather than have compiled in. It is kept up to date here, group by
// group as state changes, and copied into the job for each draw.

import { formatDescription } from '../../src/format/format.ts';
import type { DrawInfo, RasterizerDescription, Rect } from '../../src/pipe/pipe.ts';
import { DRAW, GUARD_BAND_PIXELS, MAX_POINT_SIZE } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import type { Bindings } from '../../src/util/bindings.ts';
import type { Job } from './job.ts';
import { DIRTY } from './state.ts';

const { word } = DRAW;
const WHOLE_STENCIL = 0xff;
/** Rectangles are cut to this: far beyond any surface, far from overflow. */
const FAR = 1 << 24;

/** Coverage bits that the sample mask and GL_SAMPLE_COVERAGE leave: the latter the first `value · samples` samples. */
function sampleBits(bindings: Bindings, samples: number, multisample: boolean): number {
  const all = (1 << samples) - 1;
  if (samples === 1 || !multisample) return all;
  const { value, invert } = bindings.sampleCoverage;
  const covered = (1 << Math.round(Math.min(Math.max(value, 0), 1) * samples)) - 1;
  return bindings.sampleMask & (invert ? ~covered : covered) & all;
}

/** Smallest difference of a unorm depth format's values; 0 where there is no unorm depth. */
function depthResolution(job: Job): number {
  if (job.depth === null) return 0;
  const { depthBits, channels } = formatDescription(job.depth.format);
  return channels[0]?.type === 'float' ? 0 : 2 ** -depthBits;
}

function clampFar(value: number): number {
  return Math.min(Math.max(value, -FAR), FAR);
}

export class DrawState {
  /** The structure's words; whoever uploads something writes its address here. */
  readonly words = new Uint32Array(DRAW.size >>> 2);
  readonly #ints = new Int32Array(this.words.buffer);
  readonly #floats = new Float32Array(this.words.buffer);
  /** The pixels that the bound state lets a draw touch. */
  readonly #drawable: Rect = { minX: 0, minY: 0, maxX: 0, maxY: 0 };

  /** Writes the groups that `dirty` (bits of `DIRTY`) names. A new job dirties all of them. */
  update(dirty: number, bindings: Bindings, job: Job): void {
    if (dirty & (DIRTY.VIEWPORT | DIRTY.RASTERIZER)) this.#writeViewport(bindings, job);
    if (dirty & DIRTY.RASTERIZER) this.#writeRasterizer(bindings.rasterizer!.description, job);
    if (dirty & DIRTY.STENCIL) this.#writeStencil(bindings);
    if (dirty & (DIRTY.FRAGMENT | DIRTY.RASTERIZER)) {
      this.#floats.set(bindings.blendColor, word.blendColor);
      this.words[word.sampleMask] = sampleBits(bindings, job.samples, bindings.rasterizer!.description.multisample);
      this.words[word.samples] = job.samples;
    }
  }

  /** Writes which colour targets a primitive overwrites, unless the sample mask spares some of a pixel. */
  setOverwrites(targets: number): void {
    const { words } = this;
    const isWhole = words[word.sampleMask] === (1 << words[word.samples]!) - 1;
    words[word.overwrites] = isWhole ? targets : 0;
  }

  /** Copies the structure to `address`. */
  write(memory: RasterMemory, address: number, info: DrawInfo): void {
    this.words[word.identity] = address;
    this.words[word.baseInstance] = info.startInstance;
    this.words[word.drawId] = info.drawId;
    this.words[word.baseVertex] = info.indexBuffer === null ? 0 : info.baseVertex;
    memory.u32.set(this.words, address >>> 2);
  }

  #writeRect(at: number, minX: number, minY: number, maxX: number, maxY: number): void {
    this.#ints[at] = clampFar(minX);
    this.#ints[at + 1] = clampFar(minY);
    this.#ints[at + 2] = clampFar(Math.max(minX, maxX));
    this.#ints[at + 3] = clampFar(Math.max(minY, maxY));
  }

  #updateDrawable(bindings: Bindings, job: Job): Rect {
    const rect = this.#drawable;
    const scissor = bindings.rasterizer!.description.scissor ? bindings.scissor : null;
    rect.minX = Math.max(0, scissor?.minX ?? 0);
    rect.minY = Math.max(0, scissor?.minY ?? 0);
    rect.maxX = Math.min(job.width, scissor?.maxX ?? job.width);
    rect.maxY = Math.min(job.height, scissor?.maxY ?? job.height);
    return rect;
  }

  #writeViewport(bindings: Bindings, job: Job): void {
    const floats = this.#floats;
    const { scale, translate } = bindings.viewport;
    floats[word.viewportScaleX] = scale[0];
    floats[word.viewportScaleY] = scale[1];
    floats[word.viewportScaleZ] = scale[2];
    floats[word.viewportTranslateX] = translate[0];
    floats[word.viewportTranslateY] = translate[1];
    floats[word.viewportTranslateZ] = translate[2];
    const near = bindings.rasterizer!.description.clipHalfZ ? translate[2] : translate[2] - scale[2];
    const far = translate[2] + scale[2];
    floats[word.depthMin] = Math.min(near, far);
    floats[word.depthMax] = Math.max(near, far);
    const { minX, minY, maxX, maxY } = this.#updateDrawable(bindings, job);
    this.#writeRect(word.scissorMinX, minX, minY, maxX, maxY);
    const halfWidth = Math.abs(scale[0]);
    const halfHeight = Math.abs(scale[1]);
    this.#writeRect(
      word.clipMinX,
      Math.max(minX, Math.floor(translate[0] - halfWidth)),
      Math.max(minY, Math.floor(translate[1] - halfHeight)),
      Math.min(maxX, Math.ceil(translate[0] + halfWidth)),
      Math.min(maxY, Math.ceil(translate[1] + halfHeight)),
    );
    // |window| <= guard band  ⇔  |ndc| <= (guard band − |centre|) / half size, at least the viewport itself.
    floats[word.guardX] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translate[0])) / Math.max(halfWidth, 0.5));
    floats[word.guardY] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translate[1])) / Math.max(halfHeight, 0.5));
  }

  #writeRasterizer(rasterizer: RasterizerDescription, job: Job): void {
    const { words } = this;
    const floats = this.#floats;
    const offset = rasterizer.polygonOffset;
    const resolution = depthResolution(job);
    const isFloat = offset !== null && resolution === 0;
    floats[word.offsetFactor] = offset?.factor ?? 0;
    floats[word.offsetUnits] = (offset?.units ?? 0) * (isFloat ? 1 : resolution);
    words[word.offsetIsFloat] = Number(isFloat);
    floats[word.offsetClamp] = offset?.clamp ?? 0;
    const { cullFace, frontCounterClockwise } = rasterizer;
    const cullsFront = cullFace === 'front' || cullFace === 'frontAndBack';
    const cullsBack = cullFace === 'back' || cullFace === 'frontAndBack';
    words[word.cullPositive] = Number(frontCounterClockwise ? cullsFront : cullsBack);
    words[word.cullNegative] = Number(frontCounterClockwise ? cullsBack : cullsFront);
    words[word.frontPositive] = Number(frontCounterClockwise);
    floats[word.lineWidth] = rasterizer.lineWidth;
    floats[word.pointSizeMin] = 1;
    floats[word.pointSizeMax] = MAX_POINT_SIZE;
  }

  #writeStencil(bindings: Bindings): void {
    const { words } = this;
    const stencil = bindings.depthStencilAlpha!.description.stencil;
    words[word.stencilRefFront] = bindings.stencilReference.front & WHOLE_STENCIL;
    words[word.stencilRefBack] = bindings.stencilReference.back & WHOLE_STENCIL;
    words[word.stencilReadMaskFront] = (stencil?.front.compareMask ?? 0) & WHOLE_STENCIL;
    words[word.stencilReadMaskBack] = (stencil?.back.compareMask ?? 0) & WHOLE_STENCIL;
    words[word.stencilWriteMaskFront] = (stencil?.front.writeMask ?? 0) & WHOLE_STENCIL;
    words[word.stencilWriteMaskBack] = (stencil?.back.writeMask ?? 0) & WHOLE_STENCIL;
  }
}
