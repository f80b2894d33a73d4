// What happens to a shaded quad: alpha to coverage, late depth and stencil tests, counting, blending and the store to the tile, for
// each sample in turn.

import { blockBytes } from '../format/format.ts';
import type { Shader, Slot } from '../ir/ir.ts';
import {
  emitDepthStencil,
  emitLaneMask,
  emitPlaneDepth,
  emitTestDepth,
  isDepthStencilIdle,
} from '../raster/depth-stencil.ts';
import {
  colorPlaneBytes,
  DEPTH_PLANE_BYTES,
  DRAW,
  PRIMITIVE,
  SAMPLE_POSITIONS,
  STENCIL_PLANE_BYTES,
  SUBPIXEL_SCALE,
  TILE,
} from '../raster/layout.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { emitColorWrite, emitPacked, overwritesPixel } from './blend.ts';
import type { BodyCompiler } from './body-compiler.ts';
import type { QuadState } from './fragment-program.ts';
import type { ColorTargetKey, FragmentKey } from './keys.ts';
import type { Vec, Vec4, VecLocal } from './pixel-math.ts';

/** Number of a sample: known, or the one being shaded. */
type Sample = number | Local<'i32'>;

export interface FragmentOutputOptions {
  readonly f: FunctionBuilder;
  readonly key: FragmentKey;
  readonly shader: Shader;
  readonly tile: Local<'i32'>;
  readonly draw: Local<'i32'>;
  readonly body: BodyCompiler;
}

interface Target {
  readonly key: ColorTargetKey;
  readonly index: number;
  readonly plane: Local<'i32'>;
}

export class FragmentOutput {
  private readonly o: FragmentOutputOptions;
  private readonly targets: Target[] = [];
  private readonly depth: Local<'i32'> | null = null;
  private readonly stencil: Local<'i32'> | null = null;
  private readonly passed: Local<'i32'> | null;
  private readonly blendColor: Local<'i32'>;

  /** Emits what is loaded once a call. */
  constructor(options: FragmentOutputOptions) {
    const { f, key, tile, draw, shader } = options;
    this.o = options;
    this.blendColor = f.let(f.i32.add(draw, DRAW.offset.blendColor));
    key.targets.forEach((target, index) => {
      if (target === null || target.blend.colorMask === 0 || !shader.usage.outputs.has(`color${index}`)) return;
      const plane = f.let(f.i32.load(tile, TILE.offset.color + index * 4));
      this.targets.push({ key: target, index, plane });
    });
    const late = key.lateDepthStencil;
    if (late !== null && late.depth !== undefined) this.depth = f.let(f.i32.load(tile, TILE.offset.depth));
    // Coverage cannot know what is written here.
    if (late?.depth?.write) f.i32.store(tile, 0, TILE.offset.isDepthKnown);
    if (late !== null && late.stencil !== undefined) this.stencil = f.let(f.i32.load(tile, TILE.offset.stencil));
    this.passed = key.countsSamples ? f.local('i32', 0) : null;
  }

  /** Depth of the primitive's plane at the positions of a sample. */
  static planeDepth(f: FunctionBuilder, quad: QuadState, samples: 1 | 4, sample: Sample): Vec {
    if (typeof sample !== 'number') {
      const { dx, dy } = quad.sample!;
      return emitPlaneDepth(f, quad.primitive, f.f32x4.add(quad.x, dx), f.f32x4.add(quad.y, dy));
    }
    const [xs, ys] = SAMPLE_POSITIONS[samples][sample].map((position, axis) => {
      const fromCenter = position / SUBPIXEL_SCALE - 0.5;
      const center = axis === 0 ? quad.x : quad.y;
      return fromCenter === 0 ? center : f.f32x4.add(center, fromCenter);
    });
    return emitPlaneDepth(f, quad.primitive, xs, ys);
  }

  /** Emits everything behind the shader for quad k of the step. */
  emit(quad: QuadState, k: number): void {
    const { f, key, shader, body } = this.o;
    if (quad.sample !== null) return this.emitShadedSample(quad, k);
    f.scope(() => {
      const packed = this.targets.map(({ key: { format, blend }, index }) => {
        // Packed once for all samples and both ways below.
        const bytes = body.outputBytes(`color${index}`, k);
        if (bytes) return [bytes];
        const rawComponents = this.rawComponents(`color${index}`);
        const ahead = this.colorAhead(index);
        if (ahead) return f.emitAhead(() => emitPacked(f, { format, blend, color: ahead, rawComponents }));
        return emitPacked(f, { format, blend, color: this.color(`color${index}`, k)!, rawComponents });
      });
      const mayBeWhole = !shader.usage.discard && !key.alphaToCoverage && body.output('sampleMask', 0, k) === null;
      const isKnownHere = mayBeWhole && (key.lateDepthStencil === null || isDepthStencilIdle(key.lateDepthStencil));
      const masked = (): void => this.emitMasked(quad, k, packed);
      const isWorthIt = isKnownHere && this.passed === null && packed.some((words) => words !== null);
      if (!isWorthIt) return masked();
      const whole = (): void => {
        for (let s = 0; s < key.samples; s++) this.emitColors(quad, null, s, k, packed);
      };
      f.if(quad.isWhole, whole, masked);
    });
  }

  private emitMasked(quad: QuadState, k: number, packed: readonly (readonly VecLocal[] | null)[]): void {
    const { f, key } = this.o;
    const { samples } = key;
    for (let s = 0; s < samples; s++) {
      f.scope(() => {
        const mask = f.let(samples === 1 ? quad.alive : f.v128.and(quad.alive, this.coveredBy(quad, s)));
        if (samples > 1 && key.alphaToCoverage) this.emitAlphaToCoverage(mask, s, k);
        if (samples > 1) this.emitSampleMask(mask, s, k);
        const write = (): void => {
          this.emitTests(quad, mask, s, k);
          this.emitColors(quad, mask, s, k, packed);
        };
        // Behind late tests, of a spare entry, or in a sample that a primitive's edge left out, there may be nothing to do.
        const mayBeEmpty = samples > 1 || this.o.body.width > 1 || this.o.shader.usage.discard;
        if (mayBeEmpty) f.if(f.v128.any_true(mask), write);
        else write();
      });
    }
  }

  /** The same for the one sample that the shader has just run for; `quad.alive` holds its lanes. */
  private emitShadedSample(quad: QuadState, k: number): void {
    const { f, key } = this.o;
    const sample = quad.sample!.index;
    f.scope(() => {
      const mask = f.let(quad.alive);
      if (key.alphaToCoverage) this.emitAlphaToCoverage(mask, sample, k);
      this.emitSampleMask(mask, sample, k);
      f.if(f.v128.any_true(mask), () => {
        this.emitTests(quad, mask, sample, k);
        this.emitColors(quad, mask, sample, k, []);
      });
    });
  }

  /** Writes back what was counted. */
  finish(): void {
    const { f, tile } = this.o;
    if (this.passed === null) return;
    const sum = f.i64.add(f.i64.load(tile, TILE.offset.samplesPassed), f.i64.extend_i32_u(this.passed));
    f.i64.store(tile, sum, TILE.offset.samplesPassed);
  }

  private coveredBy(quad: QuadState, sample: number): Vec {
    const { f } = this.o;
    return emitLaneMask(f, f.i32.shr_u(quad.mask, 4 * sample));
  }

  /** GLES 3.0.6 §4.1.3: alpha of output 0 becomes a coverage mask; ours switches samples on one after the other. */
  private emitAlphaToCoverage(mask: Local<'v128'>, sample: Sample, k: number): void {
    const { f, body, key } = this.o;
    const alpha = body.output('color0', 3, k);
    if (alpha === null) return;
    const share =
      typeof sample === 'number'
        ? (sample + 0.5) / key.samples
        : f.f32x4.splat(f.f32.mul(f.f32.add(f.f32.convert_i32_s(sample), 0.5), 1 / key.samples));
    f.set(mask, f.v128.and(mask, f.f32x4.gt(alpha, share)));
  }

  private emitSampleMask(mask: Local<'v128'>, sample: Sample, k: number): void {
    const { f, body } = this.o;
    const written = body.output('sampleMask', 0, k);
    if (written === null) return;
    const bit = typeof sample === 'number' ? f.i32x4.const(1 << sample) : f.i32x4.splat(f.i32.shl(1, sample));
    f.set(mask, f.v128.and(mask, f.i32x4.ne(f.v128.and(written, bit), f.i32x4.const(0))));
  }

  private emitTests(quad: QuadState, mask: Local<'v128'>, sample: Sample, k: number): void {
    const { f, key, body, draw } = this.o;
    const late = key.lateDepthStencil;
    if (late !== null && !isDepthStencilIdle(late)) {
      const written = body.output('depth', 0, k);
      const z = written ?? FragmentOutput.planeDepth(f, quad, key.samples, sample);
      emitDepthStencil(f, {
        key: late,
        draw,
        frontFacing:
          late.stencil === undefined ? f.i32.const(1) : f.let(f.i32.load(quad.primitive, PRIMITIVE.offset.frontFacing)),
        depthAddress: this.quadAddress(this.depth, quad, 4, this.planeOffset(sample, DEPTH_PLANE_BYTES)),
        stencilAddress: this.quadAddress(this.stencil, quad, 2, this.planeOffset(sample, STENCIL_PLANE_BYTES)),
        depth: late.depth === undefined ? f.i32x4.const(0) : emitTestDepth(f, draw, z, late.depth),
        mask,
      });
    }
    if (this.passed !== null) {
      f.set(this.passed, f.i32.add(this.passed, f.i32.popcnt(f.i32x4.bitmask(mask))));
    }
  }

  private planeOffset(sample: Sample, bytes: number): Expr<'i32'> | number {
    return typeof sample === 'number' ? sample * bytes : this.o.f.i32.mul(sample, bytes);
  }

  private quadAddress(
    plane: Local<'i32'> | null,
    quad: QuadState,
    shift: number,
    offset: Expr<'i32'> | number,
  ): Expr<'i32'> {
    const { f } = this.o;
    return plane === null ? f.i32.const(0) : f.i32.add(plane, f.i32.add(f.i32.shl(quad.quad, shift), offset));
  }

  /** Without a mask all lanes are written. */
  private emitColors(
    quad: QuadState,
    mask: VecLocal | null,
    sample: Sample,
    k: number,
    packed: readonly (readonly VecLocal[] | null)[],
  ): void {
    const { f } = this.o;
    for (const [place, { key, index, plane }] of this.targets.entries()) {
      const secondary: Slot = `color${index}Secondary`;
      f.scope(() => {
        const offset = this.planeOffset(sample, colorPlaneBytes(blockBytes(key.format)));
        emitColorWrite(f, {
          format: key.format,
          blend: key.blend,
          plane: offset === 0 ? plane : f.let(f.i32.add(plane, offset)),
          quad: quad.quad,
          mask: mask ?? f.i32x4.const(-1),
          isFullMask: mask === null,
          packed: packed[place] ?? undefined,
          isUniform: this.o.body.isOutputUniform(`color${index}`),
          color: this.color(`color${index}`, k)!,
          rawComponents: this.rawComponents(`color${index}`),
          colorAhead: this.colorAhead(index) ?? undefined,
          color1: this.color(secondary, k) ?? undefined,
          blendColor: this.blendColor,
        });
      });
    }
  }

  private rawComponents(slot: Slot): number {
    return this.o.shader.outputs.find((output) => output.slot === slot)?.rawComponents ?? 0;
  }

  /** A colour that no step changes. */
  private colorAhead(index: number): Vec4 | null {
    return this.o.body.outputAhead(`color${index}`) as Vec4 | null;
  }

  private color(slot: Slot, k: number): Vec4 | null {
    const { body } = this.o;
    if (body.output(slot, 0, k) === null) return null;
    return [0, 1, 2, 3].map((c) => body.output(slot, c, k)!) as unknown as Vec4;
  }
}

/** Bit i: every quad that is covered whole overwrites its pixels in colour target i. */
export function overwrittenTargets(shader: Shader, key: FragmentKey): number {
  const { discard, writesSampleMask, outputs } = shader.usage;
  if (discard || writesSampleMask || key.alphaToCoverage || key.lateDepthStencil !== null) return 0;
  return key.targets.reduce((bits, target, index) => {
    const isOverwritten =
      target !== null && outputs.has(`color${index}`) && overwritesPixel(target.format, target.blend);
    return isOverwritten ? bits | (1 << index) : bits;
  }, 0);
}

/**
 * Positions for centroid varyings: the pixel's centre if all its samples are covered, else its first covered sample (GLES 3.0.6
 * §3.6.1 leaves the choice among points inside of both pixel and primitive).
 */
export function emitCentroids(f: FunctionBuilder, quad: QuadState, samples: 1 | 4): { x: Vec; y: Vec } {
  const offset = [f.let(f.f32x4.const(0)), f.let(f.f32x4.const(0))];
  const all = f.let(f.i32x4.const(-1));
  for (let s = samples - 1; s >= 0; s--) {
    f.scope(() => {
      const covered = f.let(emitLaneMask(f, f.i32.shr_u(quad.mask, 4 * s)));
      SAMPLE_POSITIONS[samples][s].forEach((position, axis) => {
        const fromCenter = f.f32x4.const(position / SUBPIXEL_SCALE - 0.5);
        f.set(offset[axis], f.v128.bitselect(fromCenter, offset[axis], covered));
      });
      f.set(all, f.v128.and(all, covered));
    });
  }
  const [x, y] = offset.map((value) => f.v128.andnot(value, all));
  return { x: f.let(f.f32x4.add(quad.x, x)), y: f.let(f.f32x4.add(quad.y, y)) };
}

/** By lane: how far sample number `sample` is from the pixel's centre. Numbers that no sample has give the centre. */
export function emitSampleOffset(f: FunctionBuilder, samples: 1 | 4, sample: Expr<'v128'>): { dx: Vec; dy: Vec } {
  const number = f.let(sample);
  const [dx, dy] = [f.let(f.f32x4.const(0)), f.let(f.f32x4.const(0))];
  SAMPLE_POSITIONS[samples].forEach(([x, y], s) => {
    f.scope(() => {
      const isIt = f.let(f.i32x4.eq(number, f.i32x4.const(s)));
      f.set(dx, f.v128.bitselect(f.f32x4.const(x / SUBPIXEL_SCALE - 0.5), dx, isIt));
      f.set(dy, f.v128.bitselect(f.f32x4.const(y / SUBPIXEL_SCALE - 0.5), dy, isIt));
    });
  });
  return { dx, dy };
}
