// Draws: reads the state in force, finds the code for it, runs vertices and primitives, leaves the rest to the tile pass.

import { blockBytes } from '../../../src/format/format.ts';
import type { FragmentKey, VertexKey } from '../../../src/jit/keys.ts';
import { isDepthStencilIdle } from '../../../src/raster/depth-stencil.ts';
import type { GeometryState, RasterEngine } from '../../../src/raster/engine.ts';
import {
  ATTRIBUTE,
  DRAW,
  GUARD_BAND_PIXELS,
  MAX_POINT_SIZE,
  STATUS,
  TEXTURE_BINDING,
  UBO,
} from '../../../src/raster/layout.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { REGISTERS } from '../registers/registers.ts';
import {
  type RasterState,
  readAlphaTest,
  readBlend,
  readBlendColor,
  readDepthStencil,
  readRasterState,
  readSampleMask,
  readStencilValues,
  readVertexElements,
  readVertexStream,
  type VertexElement,
} from './draw-state.ts';
import { type Job, LOOP_BUDGET, ShaderTimeout } from './job.ts';
import type { GpuMemory } from './memory.ts';
import type { Binary, ProgramCache, Translation } from './programs.ts';
import type { ShaderInterface } from './shader/translate.ts';
import {
  countVertexElements,
  readIdPlaces,
  readPixelInputs,
  readPixelOutputs,
  readProgram,
  readVaryingComponents,
  readVertexInputs,
  readVertexOutputs,
  type Stage,
  samplerBase,
  uniformBase,
} from './shader-state.ts';
import type { GpuState } from './state.ts';
import type { TextureStateReader } from './texture-state.ts';
import type { BoundTexture, TextureCache } from './textures.ts';

/** A draw command, whatever its form. */
export interface DrawCall {
  readonly topology: GeometryState['topology'];
  /** Vertices, or indices. */
  readonly count: number;
  readonly firstVertex: number;
  readonly isIndexed: boolean;
  /** Of an indexed draw: the first index. */
  readonly firstIndex: number;
  readonly instances: number;
}

/** The state of the units that a draw needs besides the state space. */
export interface DrawContext {
  readonly state: GpuState;
  readonly memory: GpuMemory;
  readonly facts: CoreFacts;
  readonly engine: RasterEngine;
  readonly programs: ProgramCache;
  readonly textures: TextureCache;
  readonly textureStates: TextureStateReader;
  /** Tells something once. */
  readonly notice: (text: string) => void;
}

const R = REGISTERS;
const MAX_UNIFORM_SLOTS = 512;
const MAX_ATTRIBUTES = 32;
/** Of texture wrap modes. */
const CLAMP_TO_BORDER = 3;
const INDEX_BYTES = [1, 2, 4] as const;

interface StageCode {
  readonly key: string;
  readonly binary: Binary;
  readonly translation: Translation;
  readonly textures: readonly (BoundTexture | null)[];
}

export class Drawer {
  private readonly c: DrawContext;
  private attributes = 0;
  private status = 0;
  private zeros = 0;
  /** For the counters. */
  vertices = 0;
  vertexInstructions = 0;
  textureFetches = 0;

  constructor(context: DrawContext) {
    this.c = context;
  }

  private reserve(): void {
    const { raster } = this.c.memory;
    this.attributes ||= raster.allocateZeroed(ATTRIBUTE.size * MAX_ATTRIBUTES);
    this.status ||= raster.allocateZeroed(STATUS.size);
    this.zeros ||= raster.allocateZeroed(256);
  }

  destroy(): void {
    for (const address of [this.attributes, this.status, this.zeros]) this.c.memory.raster.free(address);
    this.attributes = this.status = this.zeros = 0;
  }

  /** Adds a draw to the job. Throws GpuFault, IsaError, ShaderTimeout, OutOfMemoryError. */
  draw(call: DrawCall, job: Job, countsSamples: boolean): void {
    if (call.count <= 0 || call.instances <= 0) return;
    this.reserve();
    const { state, facts, engine, programs } = this.c;
    const raster = readRasterState(state);
    const varyings = readVaryingComponents(state, facts);
    const isPoint = call.topology === 'points';
    const vertex = this.vertexCode(varyings, isPoint && raster.programPointSize);
    const elements = readVertexElements(state, facts, countVertexElements(state));
    const fragment = this.pixelCode(job, varyings, raster);
    const vertexKey: VertexKey = {
      attributes: this.attributeKeys(elements),
      varyingSlots: varyings.length,
      textures: vertex.textures.map((texture) => texture?.key ?? null),
      capturesOutputs: false,
    };
    const fragmentKey = this.fragmentKey(job, fragment, countsSamples);
    const isLate =
      fragmentKey.lateDepthStencil !== null || this.isLate(fragment.translation, fragmentKey.alphaToCoverage);
    const tests = job.targets.depth ? readDepthStencil(state, job.targets.depth.format) : {};
    const samples = job.targets.samples === 1 ? 1 : 4;
    const address = job.allocate(DRAW.size);
    this.writeDraw(address, job, raster, vertex, fragment);
    job.draws.push({
      draw: address,
      coverage: engine.coverage({ samples, early: isLate ? {} : tests, counts: countsSamples && !isLate }),
      shade: programs.shade(fragment.key, fragment.translation, fragmentKey),
      counts: countsSamples,
      instructions: fragment.binary.program.length,
      fetches: fragment.binary.fetches,
    });
    this.writeAttributes(elements);
    const vertices = programs.vertices(vertex.key, vertex.translation, vertexKey);
    const geometry: GeometryState = {
      topology: call.topology,
      indexBytes: call.isIndexed ? INDEX_BYTES[state.field(R.FE_INDEX_STREAM_CONTROL, 'TYPE')]! : 0,
      restart: call.isIndexed && state.field(R.FE_INDEX_STREAM_CONTROL, 'PRIMITIVE_RESTART') !== 0,
      provokingFirst: !raster.provokingLast,
      depthClamp: false,
      clipHalfZ: false,
      slots: varyings.length,
      flatMask: flatMask(fragment.translation),
    };
    this.runGeometry(call, job, geometry, address, (draw, ids, count, out, instance) => {
      this.vertices += count;
      this.vertexInstructions += count * vertex.binary.program.length;
      this.textureFetches += count * vertex.binary.fetches;
      return vertices(draw, ids, count, out, instance);
    });
  }

  // --------------------------------------------------------------------------------------------------- programs

  private vertexCode(varyings: readonly number[], pointSize: boolean): StageCode {
    const { state, facts } = this.c;
    const ids = readIdPlaces(state, facts);
    return this.stageCode('vertex', () => ({
      inputs: readVertexInputs(state, facts),
      outputs: readVertexOutputs(state, facts, varyings, pointSize),
      vertexIdPlace: ids.vertexId,
      instanceIdPlace: ids.instanceId,
      zeroToOneDepth: facts.halti < 0,
      alphaTest: null,
      earlyTests: false,
    }));
  }

  private pixelCode(job: Job, varyings: readonly number[], raster: RasterState): StageCode {
    const { state, facts } = this.c;
    // Tests in the rasteriser (early) take place whatever the program does afterwards. Since HALTI5 a state says whether the
    // program's depth counts; before, what it leaves in t0.z does.
    const takesDepth =
      facts.halti >= 5
        ? state.field(R.RA_EARLY_DEPTH, 'FORWARD_Z') !== 0
        : state.field(R.RA_EARLY_DEPTH, 'TEST_ENABLE') === 0;
    return this.stageCode('fragment', (binary) => ({
      inputs: readPixelInputs(state, facts, varyings, raster.flatShade),
      outputs: readPixelOutputs(
        state,
        job.targets.colors.length,
        binary.writesDepth && takesDepth && job.targets.depth !== null,
      ),
      vertexIdPlace: null,
      instanceIdPlace: null,
      zeroToOneDepth: false,
      alphaTest: readAlphaTest(state),
      earlyTests: false,
    }));
  }

  private stageCode(
    stage: Stage,
    wiring: (binary: Binary) => Omit<ShaderInterface, 'stage' | 'samplers' | 'samplerBase' | 'uniformSlots'>,
  ): StageCode {
    const { state, facts, memory, programs, textures, textureStates } = this.c;
    const { key, binary } = programs.binary(readProgram(state, memory, facts, stage));
    const base = samplerBase(state, facts, stage);
    const bound: (BoundTexture | null)[] = [];
    for (const unit of binary.samplerUnits) {
      const textureState = textureStates.read(unit + base);
      if (textureState?.wrap.includes(CLAMP_TO_BORDER)) this.c.notice('not simulated: border colours of samplers');
      while (bound.length <= unit + base) bound.push(null);
      bound[unit + base] = textureState && textures.bind(textureState, true);
    }
    const io: ShaderInterface = {
      stage,
      ...wiring(binary),
      samplers: bound.map(
        (texture) => texture && { dim: texture.key.dim, shadow: texture.shadow, resultType: texture.resultType },
      ),
      samplerBase: base,
      uniformSlots: Math.min(binary.uniformSlots, MAX_UNIFORM_SLOTS),
    };
    const { key: full, translation } = programs.translate(key, binary, io);
    return { key: full, binary, translation, textures: bound };
  }

  private isLate({ ir }: Translation, alphaToCoverage: boolean): boolean {
    return ir.usage.discard || ir.usage.writesDepth || alphaToCoverage;
  }

  private fragmentKey(job: Job, { translation, textures }: StageCode, countsSamples: boolean): FragmentKey {
    const { state, facts } = this.c;
    const { targets } = job;
    const tests = targets.depth ? readDepthStencil(state, targets.depth.format) : {};
    const alphaToCoverage = targets.samples > 1 && state.field(R.PS_MSAA_CONFIG, 'ALPHA_TO_COVERAGE') !== 0;
    const isLate = this.isLate(translation, alphaToCoverage);
    return {
      targets: targets.colors.map((color, index) => {
        const blend = readBlend(state, facts, index);
        return color && blend.colorMask !== 0 ? { format: color.format, blend } : null;
      }),
      samples: targets.samples === 1 ? 1 : 4,
      lateDepthStencil: isLate && !isDepthStencilIdle(tests) ? tests : null,
      countsSamples: countsSamples && isLate,
      alphaToCoverage,
      textures: textures.map((texture) => texture?.key ?? null),
      quadsPerStep: translation.quadsPerStep,
    };
  }

  // --------------------------------------------------------------------------------------------------- vertices

  private attributeKeys(elements: readonly VertexElement[]): VertexKey['attributes'] {
    const { state, facts } = this.c;
    return elements.map(({ format, stream }) => ({
      format,
      isInstanced: readVertexStream(state, facts, stream).divisor !== 0,
    }));
  }

  /** Points each attribute at its stream; what does not hold one whole element reads zeros. */
  private writeAttributes(elements: readonly VertexElement[]): void {
    const { state, facts, memory } = this.c;
    const { u32 } = memory.raster;
    for (const [location, { format, stream, offset }] of elements.entries()) {
      const { gpuAddress, stride, divisor } = readVertexStream(state, facts, stream);
      const { address, available } = memory.resolveRange(gpuAddress, `vertex stream ${stream}`);
      const word = (this.attributes + location * ATTRIBUTE.size) >>> 2;
      const room = available - offset - blockBytes(format);
      u32[word + ATTRIBUTE.word.address] = room >= 0 ? address + offset : this.zeros;
      u32[word + ATTRIBUTE.word.stride] = room >= 0 ? stride : 0;
      u32[word + ATTRIBUTE.word.divisor] = divisor;
      u32[word + ATTRIBUTE.word.maxIndex] = room >= 0 && stride > 0 ? Math.floor(room / stride) : 0;
    }
  }

  private runGeometry(
    call: DrawCall,
    job: Job,
    geometry: GeometryState,
    draw: number,
    vertices: (draw: number, ids: number, count: number, out: number, instance: number) => unknown,
  ): void {
    const { state, engine, memory } = this.c;
    const { i32, u32 } = memory.raster;
    i32[(this.status >>> 2) + STATUS.word.loopBudget] = LOOP_BUDGET;
    u32[(this.status >>> 2) + STATUS.word.timedOut] = 0;
    let indices = 0;
    let count = call.count;
    if (call.isIndexed) {
      const gpuAddress = state.word(R.FE_INDEX_STREAM_BASE_ADDR);
      const { address, available } = memory.resolveRange(gpuAddress, 'index stream');
      const first = call.firstIndex * geometry.indexBytes;
      indices = address + first;
      count = Math.max(0, Math.min(count, Math.floor((available - first) / geometry.indexBytes)));
    }
    if (count === 0) return;
    const isDone = engine.runGeometry(
      engine.geometryKernels(geometry),
      draw,
      { indices, count, firstVertex: call.firstVertex, firstInstance: 0, instances: call.instances },
      vertices,
      { job: job.header, tiles: job.tilesX * job.tilesY, addBlock: (bytes) => job.addBlock(bytes) },
    );
    if (!isDone) throw new Error('out of memory for primitives');
    if (memory.raster.u32[(this.status >>> 2) + STATUS.word.timedOut] !== 0) {
      throw new ShaderTimeout('a vertex shader did not end');
    }
  }

  // ------------------------------------------------------------------------------------------- the DRAW structure

  private writeDraw(address: number, job: Job, raster: RasterState, vertex: StageCode, fragment: StageCode): void {
    const { state, facts, memory } = this.c;
    const vertexUniforms = this.uploadUniforms(job, 'vertex', vertex);
    const fragmentUniforms = this.uploadUniforms(job, 'fragment', fragment);
    const vertexTextures = this.uploadTextures(job, vertex);
    const fragmentTextures = this.uploadTextures(job, fragment);
    const vertexUbos = this.uploadPointers(job, 'vertex', vertex);
    const fragmentUbos = this.uploadPointers(job, 'fragment', fragment);
    const { u32, f32, i32 } = memory.raster;
    const base = address >>> 2;
    const { word } = DRAW;
    u32.fill(0, base, base + (DRAW.size >>> 2));
    u32[base + word.vertexUniforms] = vertexUniforms;
    u32[base + word.fragmentUniforms] = fragmentUniforms;
    u32[base + word.vertexTextures] = vertexTextures;
    u32[base + word.fragmentTextures] = fragmentTextures;
    u32[base + word.vertexUbos] = vertexUbos;
    u32[base + word.fragmentUbos] = fragmentUbos;
    u32[base + word.attributes] = this.attributes;
    u32[base + word.status] = this.status;
    f32.set(readBlendColor(state, facts), base + word.blendColor);
    const stencil = readStencilValues(state);
    u32[base + word.stencilRefFront] = stencil.refFront;
    u32[base + word.stencilRefBack] = stencil.refBack;
    u32[base + word.stencilReadMaskFront] = stencil.readFront;
    u32[base + word.stencilReadMaskBack] = stencil.readBack;
    u32[base + word.stencilWriteMaskFront] = stencil.writeFront;
    u32[base + word.stencilWriteMaskBack] = stencil.writeBack;
    u32[base + word.sampleMask] = readSampleMask(state, job.targets.samples);
    u32[base + word.samples] = job.targets.samples === 1 ? 1 : 4;
    u32[base + word.identity] = job.draws.length;
    const [scaleX, scaleY, scaleZ] = raster.scale;
    const [translateX, translateY, translateZ] = raster.translate;
    f32.set([scaleX, scaleY, scaleZ], base + word.viewportScaleX);
    f32.set([translateX, translateY, translateZ], base + word.viewportTranslateX);
    f32[base + word.depthMin] = translateZ - scaleZ;
    f32[base + word.depthMax] = translateZ + scaleZ;
    const scissor = clipRect(raster.scissor, [0, 0, job.targets.width, job.targets.height]);
    i32.set(scissor, base + word.scissorMinX);
    const [halfWidth, halfHeight] = [Math.abs(scaleX), Math.abs(scaleY)];
    const viewport = [
      Math.floor(translateX - halfWidth),
      Math.floor(translateY - halfHeight),
      Math.ceil(translateX + halfWidth),
      Math.ceil(translateY + halfHeight),
    ] as const;
    i32.set(clipRect(scissor, viewport), base + word.clipMinX);
    f32[base + word.guardX] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translateX)) / Math.max(halfWidth, 0.5));
    f32[base + word.guardY] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translateY)) / Math.max(halfHeight, 0.5));
    f32[base + word.offsetFactor] = raster.offsetFactor;
    f32[base + word.offsetUnits] = raster.offsetUnits;
    // Windows of the hardware run downwards in memory, the engine's upwards: what the hardware calls clockwise (which is its
    // front) is counter-clockwise to the engine.
    u32[base + word.cullPositive] = Number(raster.cull === 'cw');
    u32[base + word.cullNegative] = Number(raster.cull === 'ccw');
    u32[base + word.frontPositive] = 1;
    f32[base + word.lineWidth] = Math.max(raster.lineWidth, 1);
    const fixedSize = raster.programPointSize ? null : raster.pointSize;
    f32[base + word.pointSizeMin] = fixedSize ?? 1;
    f32[base + word.pointSizeMax] = fixedSize ?? MAX_POINT_SIZE;
  }

  private uploadUniforms(job: Job, stage: Stage, code: StageCode): number {
    const { state, facts, memory } = this.c;
    const slots = Math.max(1, Math.min(code.binary.uniformSlots, MAX_UNIFORM_SLOTS));
    const address = job.allocate(slots * 16);
    const from = uniformBase(state, facts, stage) >>> 2;
    memory.raster.u32.set(state.words.subarray(from, from + slots * 4), address >>> 2);
    return address;
  }

  private uploadTextures(job: Job, { textures }: StageCode): number {
    const { raster } = this.c.memory;
    const address = job.allocate(Math.max(1, textures.length) * TEXTURE_BINDING.size);
    for (const [index, texture] of textures.entries()) {
      const word = (address + index * TEXTURE_BINDING.size) >>> 2;
      raster.u32[word + TEXTURE_BINDING.word.view] = texture?.view ?? 0;
      raster.u32[word + TEXTURE_BINDING.word.sampler] = texture?.sampler ?? 0;
    }
    return address;
  }

  /** Buffers behind the pointers in uniforms. */
  private uploadPointers(job: Job, stage: Stage, { translation }: StageCode): number {
    const { state, facts, memory } = this.c;
    const { pointers } = translation;
    const address = job.allocate(Math.max(1, pointers.length) * UBO.size);
    const base = uniformBase(state, facts, stage) >>> 2;
    for (const [index, { slot, component }] of pointers.entries()) {
      const gpuAddress = state.words[base + slot * 4 + component]!;
      const range = memory.resolveRange(gpuAddress, `buffer at uniform ${slot}`);
      const word = (address + index * UBO.size) >>> 2;
      memory.raster.u32[word + UBO.word.address] = range.address;
      memory.raster.u32[word + UBO.word.size] = range.available;
    }
    return address;
  }
}

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

function clipRect(a: Box, b: Box): [number, number, number, number] {
  const minX = Math.max(a[0], b[0]);
  const minY = Math.max(a[1], b[1]);
  return [minX, minY, Math.max(minX, Math.min(a[2], b[2])), Math.max(minY, Math.min(a[3], b[3]))];
}

function flatMask({ ir }: Translation): number {
  let mask = 0;
  for (const { slot, interpolation } of ir.inputs) {
    if (interpolation === 'flat' && slot.startsWith('var')) mask |= 1 << Number(slot.slice(3));
  }
  return mask;
}
