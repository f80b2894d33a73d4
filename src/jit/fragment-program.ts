// Makes the module of a fragment shader and the fixed functions behind it: `shade(tile, queue, count)` goes through the queue of
// covered quads in drawing order; for each (or two at once) it interpolates, runs the shader, makes the late tests, blends and
// stores. Reading and writing of the tile happens quad by quad in queue order: the same pixel may come twice.
import type { Format } from '../format/format.ts';
import type { Interpolation, InterpolationPlace, Shader, Slot, SystemValue } from '../ir/ir.ts';
import { emitLaneMask } from '../raster/depth-stencil.ts';
import { FRAGMENT_ENTRY, PRIMITIVE, QUADS_PER_ROW, QUEUE_ENTRY, TILE } from '../raster/layout.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { BodyCompiler, loadResources, type StageAdapter } from './body-compiler.ts';
import { isDirectTarget } from './direct-texels.ts';
import { emitCentroids, emitSampleOffset, FragmentOutput } from './fragment-output.ts';
import { Interpolator } from './interpolate.ts';
import type { FragmentKey } from './keys.ts';
import { prepareShader } from './prepare-shader.ts';
import type { SamplerKey } from './sample.ts';
import { buildShaderModule, type CompileOptions, type ShaderGlobals, type ShaderModule } from './shader-module.ts';

export function compileFragmentProgram(ir: Shader, key: FragmentKey, options: CompileOptions): ShaderModule {
  const shader = prepareShader(ir);
  // Samples are shaded one after the other: a second quad would wait for nothing.
  const quadsPerStep = isSampleShaded(shader, key.samples) ? 1 : key.quadsPerStep;
  return buildShaderModule(shader, quadsPerStep, options, FRAGMENT_ENTRY, 3, (f, globals) => {
    new FragmentProgram(f, shader, { ...key, quadsPerStep }, globals).emit();
  });
}

/** Whether depth and stencil can only be tested after this shader has run (the `lateDepthStencil` of its key). */
export function needsLateTests(shader: Shader, alphaToCoverage: boolean): boolean {
  const { discard, writesDepth, writesSampleMask, sysvals } = shader.usage;
  // gl_SampleMaskIn tells what the primitive covers, not what the tests leave of it.
  const isLate = discard || writesDepth || writesSampleMask || alphaToCoverage || sysvals.has('sampleMaskIn');
  return isLate && !shader.earlyFragmentTests;
}

/** Whether the shader runs once a sample. */
function isSampleShaded(shader: Shader, samples: 1 | 4): boolean {
  return shader.sampleShading && samples > 1;
}

/** What is known of one of the quads of a step; locals written once a step. */
export interface QuadState {
  readonly primitive: Local<'i32'>;
  readonly quad: Local<'i32'>;
  /** QUEUE_ENTRY.mask. */
  readonly mask: Local<'i32'>;
  /** All lanes and samples are covered. */
  readonly isWhole: Local<'i32'>;
  /** Lanes with a covered sample that were not discarded. */
  readonly alive: Local<'v128'>;
  /** Window positions of the pixels' centres. */
  readonly x: Local<'v128'>;
  readonly y: Local<'v128'>;
  readonly weights: Interpolator;
  /** Weights at the nearest covered sample, for centroid varyings of multisampled targets. */
  readonly centroid: Interpolator | null;
  /** Weights at the sample that is shaded, for sample varyings. */
  readonly atSample: Interpolator | null;
  /** The sample that the shader runs for, and how far it is from the pixel's centre; null where it runs once for all. */
  readonly sample: { readonly index: Local<'i32'>; readonly dx: Local<'v128'>; readonly dy: Local<'v128'> } | null;
}

/** Varyings are kept in registers up to so many slots, in shaders of so many rough vector instructions: else they are only spilled (measured). */
const MAX_PRELOADED_SLOTS = 2;
const MAX_PRELOADING_COST = 100;

type InputPlace = 'center' | 'centroid' | 'sample';

class FragmentProgram implements StageAdapter {
  readonly uniforms: Local<'i32'>;
  readonly ubos: Local<'i32'>;
  readonly textures: Local<'i32'>;
  private readonly f: FunctionBuilder;
  private readonly shader: Shader;
  private readonly key: FragmentKey;
  private readonly tile: Local<'i32'>;
  private readonly draw: Local<'i32'>;
  private readonly body: BodyCompiler;
  private readonly quads: QuadState[] = [];
  private readonly inputs = new Map<Slot, { interpolation: Interpolation; place: InputPlace }>();

  constructor(f: FunctionBuilder, shader: Shader, key: FragmentKey, { scratch, sink }: ShaderGlobals) {
    this.f = f;
    this.shader = shader;
    this.key = key;
    this.tile = f.param('i32', 0);
    this.draw = f.let(f.i32.load(this.tile, TILE.offset.draw));
    const resources = loadResources(f, this.draw, 'fragment');
    this.uniforms = resources.uniforms;
    this.ubos = resources.ubos;
    this.textures = resources.textures;
    const status = f.let(f.i32.load(this.tile, TILE.offset.status));
    for (const { slot, interpolation, centroid, sample, base } of shader.inputs) {
      const isFlat = base !== 'float' || interpolation === 'flat' || key.hasConstantVaryings === true;
      const isElsewhere = !isFlat && key.samples > 1;
      this.inputs.set(slot, {
        interpolation: isFlat ? 'flat' : interpolation,
        place: isElsewhere && sample ? 'sample' : isElsewhere && centroid ? 'centroid' : 'center',
      });
    }
    // The count is never negative.
    const never = f.let(f.i32.shr_u(f.param('i32', 2), 31));
    this.body = new BodyCompiler({ f, shader, width: key.quadsPerStep, adapter: this, status, never, sink }, scratch);
  }

  emit(): void {
    const { f, body, key } = this;
    const width = key.quadsPerStep;
    const entry = f.param('i32', 1);
    const count = f.param('i32', 2);
    for (let k = 0; k < width; k++) this.quads.push(this.newQuad());
    const originX = this.tileCenters(TILE.offset.originX, [0.5, 1.5, 0.5, 1.5]);
    const originY = this.tileCenters(TILE.offset.originY, [0.5, 0.5, 1.5, 1.5]);
    body.emitPreamble();
    const output = new FragmentOutput({ f, key, shader: this.shader, tile: this.tile, draw: this.draw, body });
    const end = f.let(f.i32.add(entry, f.i32.mul(count, QUEUE_ENTRY.size)));
    f.beginAhead();
    body.openTimeout();
    if (width === 1) this.emitRuns(entry, end, count, originX, originY, output);
    else this.emitPairs(entry, end, count, originX, originY, output);
    body.closeTimeout();
    f.endAhead();
    output.finish();
  }

  private emitStep(output: FragmentOutput): void {
    const alive = this.quads.map((quad) => quad.alive);
    // Without derivatives nobody looks at uncovered lanes: they need not keep loops running.
    const exec = this.shader.usage.derivatives ? null : alive;
    this.body.emitStep({ exec, alive });
    this.quads.forEach((quad, k) => {
      output.emit(quad, k);
    });
  }

  /** Runs the shader for each sample that any lane covers. */
  private emitSamples(quad: QuadState, output: FragmentOutput): void {
    const { f, key } = this;
    const { index, dx, dy } = quad.sample!;
    f.for(index, 0, key.samples, 1, () => {
      f.set(quad.alive, this.lanesOfSample(quad));
      f.if(f.v128.any_true(quad.alive), () => {
        f.scope(() => {
          const offset = emitSampleOffset(f, key.samples, f.i32x4.splat(index));
          f.set(dx, offset.dx);
          f.set(dy, offset.dy);
        });
        quad.atSample?.emitWeights(f.f32x4.add(quad.x, dx), f.f32x4.add(quad.y, dy));
        this.emitStep(output);
      });
    });
  }

  /** Lanes that the primitive covers in the sample being shaded. */
  private lanesOfSample(quad: QuadState): Expr<'v128'> {
    const { f } = this;
    return emitLaneMask(f, f.i32.shr_u(quad.mask, f.i32.shl(quad.sample!.index, 2)));
  }

  private newQuad(): QuadState {
    const { f } = this;
    const primitive = f.outerLocal('i32');
    const { sysvals } = this.shader.usage;
    const kinds = (place: InputPlace): Interpolation[] =>
      [...this.body.analysis.inputs.keys()]
        .map((slot) => this.inputs.get(slot))
        .filter((input) => input?.place === place)
        .map((input) => input!.interpolation);
    const needs = (list: Interpolation[], isMain: boolean) => ({
      linear: list.includes('noperspective') || (isMain && sysvals.has('pointCoord')),
      perspective: list.includes('smooth'),
      invW: isMain && sysvals.has('fragCoord'),
    });
    const centroid = kinds('centroid');
    const atSample = kinds('sample');
    const isSampled = isSampleShaded(this.shader, this.key.samples);
    return {
      primitive,
      quad: f.outerLocal('i32'),
      mask: f.outerLocal('i32'),
      isWhole: f.outerLocal('i32'),
      alive: f.outerLocal('v128'),
      x: f.outerLocal('v128'),
      y: f.outerLocal('v128'),
      weights: new Interpolator(f, primitive, needs(kinds('center'), true)),
      centroid: centroid.length > 0 ? new Interpolator(f, primitive, needs(centroid, false)) : null,
      atSample: atSample.length > 0 ? new Interpolator(f, primitive, needs(atSample, false)) : null,
      sample: isSampled ? { index: f.outerLocal('i32'), dx: f.outerLocal('v128'), dy: f.outerLocal('v128') } : null,
    };
  }

  /** One quad a step: a loop over entries, in it one along the run, whose y and primitive stay the same. */
  private emitRuns(
    entry: Local<'i32'>,
    end: Local<'i32'>,
    count: Local<'i32'>,
    originX: Local<'v128'>,
    originY: Local<'v128'>,
    output: FragmentOutput,
  ): void {
    const { f } = this;
    const quad = this.quads[0];
    f.doWhile(count, f.i32.lt_u(entry, end), () => {
      f.set(quad.primitive, f.i32.load(entry, QUEUE_ENTRY.offset.primitive));
      f.set(quad.quad, f.i32.load(entry, QUEUE_ENTRY.offset.quad));
      this.setMask(quad, f.i32.load(entry, QUEUE_ENTRY.offset.mask));
      const left = f.let(f.i32.load(entry, QUEUE_ENTRY.offset.run));
      const covered = f.let(this.coveredLanes(quad.mask));
      this.setPosition(quad, originX, originY);
      const row = quad.weights.startRow(quad.y);
      this.preloadVaryings(quad);
      const again = f.beginLoop();
      f.scope(() => {
        f.set(quad.alive, covered);
        if (row !== null) quad.weights.emitInRow(row, quad.x);
        this.emitCentroidWeights(quad);
        if (quad.sample === null) this.emitStep(output);
        else this.emitSamples(quad, output);
        f.set(quad.quad, f.i32.add(quad.quad, 1));
        // Exact: positions are multiples of 1/2 below 2^22.
        f.set(quad.x, f.f32x4.add(quad.x, 2));
        f.set(left, f.i32.sub(left, 1));
      });
      f.brIf(again, left);
      f.end();
      quad.weights.forgetVaryings();
      f.set(entry, f.i32.add(entry, QUEUE_ENTRY.size));
    });
  }

  /** Varyings of short shaders stay in registers all along a run. */
  private preloadVaryings(quad: QuadState): void {
    const { inputs, regions } = this.body.analysis;
    const slots = [...inputs.keys()];
    const { cost } = regions.get(this.shader.main.body)!;
    if (slots.length > MAX_PRELOADED_SLOTS || cost > MAX_PRELOADING_COST) return;
    for (const slot of slots) {
      const { interpolation, place } = this.inputs.get(slot) ?? { interpolation: 'smooth', place: 'center' };
      if (place === 'center') quad.weights.preloadVarying(this.varyingSlot(slot), interpolation);
    }
  }

  /** Two quads a step, of any runs. */
  private emitPairs(
    entry: Local<'i32'>,
    end: Local<'i32'>,
    count: Local<'i32'>,
    originX: Local<'v128'>,
    originY: Local<'v128'>,
    output: FragmentOutput,
  ): void {
    const { f } = this;
    /** Quads of the entry's run that have been taken. */
    const taken = f.local('i32', 0);
    f.doWhile(count, f.i32.lt_u(entry, end), () => {
      this.quads.forEach((quad, k) => {
        f.scope(() => {
          // Beyond the end it is the last entry again with no lane covered.
          const isThere = k === 0 ? null : f.let(f.i32.lt_u(entry, end));
          const at = isThere === null ? entry : f.let(f.select(isThere, entry, f.i32.sub(entry, QUEUE_ENTRY.size)));
          f.set(quad.primitive, f.i32.load(at, QUEUE_ENTRY.offset.primitive));
          f.set(quad.quad, f.i32.add(f.i32.load(at, QUEUE_ENTRY.offset.quad), taken));
          const mask = f.i32.load(at, QUEUE_ENTRY.offset.mask);
          this.setMask(quad, isThere === null ? mask : f.select(isThere, mask, 0));
          f.set(quad.alive, this.coveredLanes(quad.mask));
          f.set(taken, f.i32.add(taken, 1));
          const isDone = f.i32.ge_u(taken, f.i32.load(at, QUEUE_ENTRY.offset.run));
          const isLast = f.let(isThere === null ? isDone : f.i32.or(isDone, f.i32.eqz(isThere)));
          const bytes = f.i32.mul(isLast, QUEUE_ENTRY.size);
          f.set(entry, f.i32.add(at, bytes));
          f.set(taken, f.select(isLast, f.i32.const(0), taken));
          this.setPosition(quad, originX, originY);
          quad.weights.emitWeights(quad.x, quad.y);
          this.emitCentroidWeights(quad);
        });
      });
      this.emitStep(output);
    });
  }

  private setMask(quad: QuadState, mask: Expr<'i32'>): void {
    const { f, key } = this;
    f.set(quad.mask, mask);
    f.set(quad.isWhole, f.i32.eq(quad.mask, key.samples === 1 ? 15 : 0xffff));
  }

  private setPosition(quad: QuadState, originX: Local<'v128'>, originY: Local<'v128'>): void {
    const { f } = this;
    f.scope(() => {
      const index = f.let(f.i32x4.splat(quad.quad));
      f.set(quad.x, this.addPixels(originX, f.i32x4.shl(index, 1)));
      f.set(quad.y, this.addPixels(originY, f.i32x4.shr_u(index, Math.log2(QUADS_PER_ROW) - 1)));
    });
  }

  private emitCentroidWeights(quad: QuadState): void {
    const { f, key } = this;
    if (quad.centroid === null) return;
    f.scope(() => {
      const { x, y } = emitCentroids(f, quad, key.samples);
      quad.centroid!.emitWeights(x, y);
    });
  }

  /** 2^23 less the centres of the tile's first quad: what `addPixels` starts from. */
  private tileCenters(originOffset: number, centers: readonly number[]): Local<'v128'> {
    const { f } = this;
    const origin = f.f32x4.splat(f.f32.convert_i32_s(f.i32.load(this.tile, originOffset)));
    return f.let(f.f32x4.sub(f.f32x4.sub(2 ** 23, origin), f.f32x4.const(...centers)));
  }

  /** Centres of a quad whose even number of pixels from the tile's edge stands in bits 1 to 5. As bits below 2^23 the number needs no
   * conversion, and all of this is exact (positions are multiples of 1/2 below 2^22). */
  private addPixels(origin: Local<'v128'>, pixels: Expr<'v128'>): Expr<'v128'> {
    const { f } = this;
    const bits = f.v128.and(pixels, f.i32x4.const(2 * (QUADS_PER_ROW - 1)));
    return f.f32x4.sub(f.v128.or(bits, f.f32x4.const(2 ** 23)), origin);
  }

  /** Lanes of which any sample is covered. */
  private coveredLanes(mask: Local<'i32'>): Expr<'v128'> {
    const { f, key } = this;
    const lanes = key.samples === 1 ? f.i32x4.const(1, 2, 4, 8) : f.i32x4.const(0x1111, 0x2222, 0x4444, 0x8888);
    return f.i32x4.ne(f.v128.and(f.i32x4.splat(mask), lanes), f.i32x4.const(0));
  }

  // ---- StageAdapter

  samplerKey(sampler: number): SamplerKey | null {
    return this.key.textures[sampler] ?? null;
  }

  input(slot: Slot, mask: number, k: number): (component: number) => Expr<'v128'> {
    const { interpolation, place } = this.inputs.get(slot) ?? { interpolation: 'smooth', place: 'center' };
    const { weights, centroid, atSample } = this.quads[k];
    const elsewhere = place === 'centroid' ? centroid : place === 'sample' ? atSample : null;
    return (elsewhere ?? weights).varying(this.varyingSlot(slot), mask, interpolation);
  }

  inputAt(
    slot: Slot,
    mask: number,
    k: number,
    at: InterpolationPlace,
    given: readonly Local<'v128'>[],
  ): (component: number) => Expr<'v128'> {
    const { f, key } = this;
    const quad = this.quads[k];
    const interpolation = this.inputs.get(slot)?.interpolation ?? 'smooth';
    const needs = { linear: true, perspective: interpolation === 'smooth', invW: false };
    const weights = new Interpolator(f, quad.primitive, needs);
    if (at === 'centroid') {
      const { x, y } = emitCentroids(f, quad, key.samples);
      weights.emitWeights(x, y);
    } else {
      const { dx, dy } = at === 'sample' ? emitSampleOffset(f, key.samples, given[0]) : { dx: given[0], dy: given[1] };
      weights.emitWeights(f.f32x4.add(quad.x, dx), f.f32x4.add(quad.y, dy));
    }
    return weights.varying(this.varyingSlot(slot), mask, interpolation);
  }

  private varyingSlot(slot: Slot): number {
    if (slot.startsWith('clip')) return (this.key.distanceSlot ?? 0) + Number(slot.slice('clip'.length));
    return Number(slot.slice('var'.length));
  }

  directTarget(slot: Slot): Format | null {
    const target = slot.startsWith('color') ? this.key.targets[Number(slot.slice('color'.length))] : null;
    return target && !target.blend.enabled && isDirectTarget(target.format) ? target.format : null;
  }

  pushSystemValue(name: SystemValue, component: number, k: number): void {
    this.systemValue(name, component, this.quads[k]).emit(this.f);
  }

  private systemValue(name: SystemValue, component: number, quad: QuadState): Expr<'v128'> {
    const { f } = this;
    switch (name) {
      case 'fragCoord':
        if (component === 0) return quad.x;
        if (component === 1) return quad.y;
        if (component === 3) return quad.weights.invW!;
        return FragmentOutput.planeDepth(f, quad, 1, 0);
      case 'frontFacing':
        return f.i32x4.splat(f.i32.sub(0, f.i32.load(quad.primitive, PRIMITIVE.offset.frontFacing)));
      case 'pointCoord':
        return (component === 0 ? quad.weights.b1 : quad.weights.b2)!;
      case 'sampleId':
        return quad.sample === null ? f.i32x4.const(0) : f.i32x4.splat(quad.sample.index);
      case 'samplePosition': {
        if (quad.sample === null) return f.f32x4.const(0.5);
        return f.f32x4.add(component === 0 ? quad.sample.dx : quad.sample.dy, 0.5);
      }
      case 'sampleCount':
        return f.i32x4.const(this.key.samples);
      case 'sampleMaskIn':
        if (quad.sample !== null)
          return f.v128.and(this.lanesOfSample(quad), f.i32x4.splat(f.i32.shl(1, quad.sample.index)));
        return sampleBits(f, quad, this.key.samples);
      default:
        throw new Error(`${name} is no value of a fragment shader`);
    }
  }
}

/** By lane: bit s set for each covered sample s. */
function sampleBits(f: FunctionBuilder, quad: QuadState, samples: number): Expr<'v128'> {
  let bits: Expr<'v128'> = f.i32x4.const(0);
  for (let s = 0; s < samples; s++) {
    const lanes = f.i32x4.const(...[0, 1, 2, 3].map((lane) => 1 << (4 * s + lane)));
    const isSet = f.i32x4.ne(f.v128.and(f.i32x4.splat(quad.mask), lanes), f.i32x4.const(0));
    bits = f.v128.or(bits, f.v128.and(isSet, f.i32x4.const(1 << s)));
  }
  return bits;
}
