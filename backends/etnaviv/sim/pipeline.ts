// What a draw needs besides numbers and places: programs, kernels, the DRAW structure. Made from the state once, and found
// again while the words that it was made from hold.

import { type Format, formatDescription } from '../../../src/format/format.ts';
import type { FragmentKey, VertexKey } from '../../../src/jit/keys.ts';
import { isDepthStencilIdle } from '../../../src/raster/depth-stencil.ts';
import type { Coverage, GeometryKernels, GeometryState, RasterEngine } from '../../../src/raster/engine.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { REGISTERS } from '../registers/registers.ts';
import {
  isInstancedStream,
  type RasterState,
  readAlphaTest,
  readBlend,
  readDepthStencil,
  readRasterState,
  readVertexElements,
  type VertexElement,
} from './draw-state.ts';
import { drawWords } from './draw-words.ts';
import type { Job, ShadeFunction, VerticesFunction } from './job.ts';
import type { GpuMemory } from './memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import type { Binary, ProgramCache, Translation } from './programs.ts';
import type { ShaderInterface } from './shader/translate.ts';
import {
  countVertexElements,
  type ProgramPlace,
  programInMemory,
  programInStates,
  readIdPlaces,
  readPixelInputs,
  readPixelOutputs,
  readProgramPlace,
  readVaryingComponents,
  readVertexInputs,
  readVertexOutputs,
  type Stage,
  samplerBase,
} from './shader-state.ts';
import type { GpuState } from './state.ts';
import type { Targets } from './targets.ts';
import type { TextureStateReader } from './texture-state.ts';
import type { BoundTexture, TextureCache } from './textures.ts';
import { unsimulatedStates } from './unsimulated.ts';

/** The state of the units that pipelines are made from, besides the state space. */
export interface PipelineContext {
  readonly state: GpuState;
  readonly memory: GpuMemory;
  readonly facts: CoreFacts;
  readonly engine: RasterEngine;
  readonly programs: ProgramCache;
  readonly textures: TextureCache;
  readonly textureStates: TextureStateReader;
  /** Grows when the memory behind an address changes. */
  readonly versionOf: (gpuAddress: number) => number;
  /** Tells something once. */
  readonly notice: (text: string) => void;
}

/** What pipelines differ in besides the state. */
export interface DrawShape {
  readonly topology: GeometryState['topology'];
  readonly isIndexed: boolean;
  readonly countsSamples: boolean;
}

export interface StageCode {
  readonly stage: Stage;
  readonly key: string;
  /** Where the program came from, and its name among the binaries. */
  readonly place: ProgramPlace | null;
  readonly binaryKey: string;
  readonly binary: Binary;
  readonly translation: Translation;
  /** By sampler number; what is sampled may change, but not how. */
  textures: readonly (BoundTexture | null)[];
}

export interface PipelineCode {
  readonly vertex: StageCode;
  readonly fragment: StageCode;
  readonly elements: readonly VertexElement[];
  /** The DRAW structure without its addresses. */
  readonly words: Uint32Array;
  readonly coverage: Coverage;
  readonly shade: ShadeFunction;
  readonly vertices: VerticesFunction;
  readonly kernels: GeometryKernels;
}

const R = REGISTERS;
export const MAX_UNIFORM_SLOTS = 512;
/** Of texture wrap modes. */
const CLAMP_TO_BORDER = 3;
const INDEX_BYTES = [1, 2, 4] as const;

interface Located {
  readonly count: number;
  readonly version: number;
  readonly program: { readonly key: string; readonly binary: Binary };
}

export class PipelineMaker {
  private readonly c: PipelineContext;
  /** Programs in memory by their address. */
  private readonly located = new Map<number, Located>();

  constructor(context: PipelineContext) {
    this.c = context;
  }

  /** Reads all state but uniforms and places. */
  make({ targets }: Job, { topology, isIndexed, countsSamples }: DrawShape): PipelineCode {
    const { state, facts, engine, programs } = this.c;
    for (const text of unsimulatedStates(state, facts, targets)) this.c.notice(text);
    const raster = readRasterState(state);
    const varyings = readVaryingComponents(state, facts);
    const vertex = this.vertexCode(varyings, topology === 'points' && raster.programPointSize);
    const elements = readVertexElements(state, facts, countVertexElements(state));
    const fragment = this.pixelCode(targets, varyings, raster);
    const vertexKey: VertexKey = {
      attributes: elements.map(({ format, stream }) => ({
        format,
        isInstanced: isInstancedStream(state, facts, stream),
      })),
      varyingSlots: varyings.length,
      textures: vertex.textures.map((texture) => texture?.key ?? null),
      capturesOutputs: false,
    };
    const fragmentKey = this.fragmentKey(targets, fragment, countsSamples);
    const isLate =
      fragmentKey.lateDepthStencil !== null || this.isLate(fragment.translation, fragmentKey.alphaToCoverage);
    const tests = targets.depth ? readDepthStencil(state, targets.depth.format) : {};
    return {
      vertex,
      fragment,
      elements,
      words: drawWords(state, facts, targets, raster),
      coverage: engine.coverage({
        samples: targets.samples === 1 ? 1 : 4,
        early: isLate ? {} : tests,
        counts: countsSamples && !isLate,
      }),
      shade: programs.shade(fragment.key, fragment.translation, fragmentKey),
      vertices: programs.vertices(vertex.key, vertex.translation, vertexKey),
      kernels: engine.geometryKernels({
        topology,
        indexBytes: isIndexed ? this.indexBytes() : 0,
        restart: isIndexed && state.field(R.FE_INDEX_STREAM_CONTROL, 'PRIMITIVE_RESTART') !== 0,
        provokingFirst: !raster.provokingLast,
        depthClamp: false,
        clipHalfZ: false,
        slots: varyings.length,
        flatMask: flatMask(fragment.translation),
      }),
    };
  }

  private indexBytes(): 1 | 2 | 4 {
    const code = this.c.state.field(R.FE_INDEX_STREAM_CONTROL, 'TYPE');
    const bytes = INDEX_BYTES[code];
    if (!bytes) throw new NotSimulatedError(`indices of type ${code}`);
    return bytes;
  }

  // --------------------------------------------------------------------------------------------------- programs

  private program(place: ProgramPlace | null, stage: Stage): { key: string; binary: Binary } {
    const { state, memory, facts, programs } = this.c;
    if (place === null) return programs.binary(programInStates(state, facts, stage));
    const version = this.c.versionOf(place.gpuAddress);
    const known = this.located.get(place.gpuAddress);
    if (known && known.version === version && known.count === place.count) return known.program;
    const program = programs.binary(programInMemory(memory, place));
    this.located.set(place.gpuAddress, { count: place.count, version, program });
    return program;
  }

  /** Memory has changed: whether the stage's program is what it was and what it samples is sampled alike; binds that anew. */
  refresh(code: StageCode): boolean {
    if (code.place !== null && this.program(code.place, code.stage).key !== code.binaryKey) return false;
    const textures = this.bind(code.stage, code.binary);
    if (textures.length !== code.textures.length) return false;
    for (const [sampler, texture] of textures.entries()) {
      if (texture?.kind !== code.textures[sampler]?.kind) return false;
    }
    code.textures = textures;
    return true;
  }

  /** Programs in memory that is gone are not looked for again. */
  forget(): void {
    this.located.clear();
  }

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

  private pixelCode(targets: Targets, varyings: readonly number[], raster: RasterState): StageCode {
    const { state, facts } = this.c;
    // Tests in the rasteriser (early) take place whatever the program does afterwards. Since HALTI5 a state says whether the
    // program's depth counts; before, what it leaves in t0.z does.
    const takesDepth =
      facts.halti >= 5
        ? state.field(R.RA_EARLY_DEPTH, 'FORWARD_Z') !== 0
        : state.field(R.RA_EARLY_DEPTH, 'TEST_ENABLE') === 0;
    const alphaTest = readAlphaTest(state);
    return this.stageCode('fragment', (binary) => ({
      inputs: readPixelInputs(state, facts, varyings, raster.flatShade),
      outputs: readPixelOutputs(
        state,
        targets.colors.map((color) => alphaTest === null && color !== null && clampsColors(color.format)),
        binary.writesDepth && takesDepth && targets.depth !== null,
      ),
      vertexIdPlace: null,
      instanceIdPlace: null,
      zeroToOneDepth: false,
      alphaTest,
      earlyTests: false,
    }));
  }

  /** What the stage's program samples. */
  private bind(stage: Stage, binary: Binary): (BoundTexture | null)[] {
    const { state, facts, textures, textureStates } = this.c;
    const base = samplerBase(state, facts, stage);
    const bound: (BoundTexture | null)[] = [];
    for (const unit of binary.samplerUnits) {
      const textureState = textureStates.read(unit + base);
      if (textureState?.border === null && textureState.wrap.includes(CLAMP_TO_BORDER)) {
        this.c.notice('not simulated: border colours of samplers without descriptors');
      }
      while (bound.length <= unit + base) bound.push(null);
      bound[unit + base] = textureState && textures.bind(textureState, true);
    }
    return bound;
  }

  private stageCode(
    stage: Stage,
    wiring: (binary: Binary) => Omit<ShaderInterface, 'stage' | 'samplers' | 'samplerBase' | 'uniformSlots'>,
  ): StageCode {
    const { state, facts, programs } = this.c;
    const place = readProgramPlace(state, facts, stage);
    const { key: binaryKey, binary } = this.program(place, stage);
    const textures = this.bind(stage, binary);
    const io: ShaderInterface = {
      stage,
      ...wiring(binary),
      samplers: textures.map(
        (texture) => texture && { dim: texture.key.dim, shadow: texture.shadow, resultType: texture.resultType },
      ),
      samplerBase: samplerBase(state, facts, stage),
      uniformSlots: Math.min(binary.uniformSlots, MAX_UNIFORM_SLOTS),
    };
    const { key, translation } = programs.translate(binaryKey, binary, io);
    return { stage, key, place, binaryKey, binary, translation, textures };
  }

  private isLate({ ir }: Translation, alphaToCoverage: boolean): boolean {
    return ir.usage.discard || ir.usage.writesDepth || alphaToCoverage;
  }

  private fragmentKey(targets: Targets, { translation, textures }: StageCode, countsSamples: boolean): FragmentKey {
    const { state, facts } = this.c;
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
}

/** Whatever is stored in the format is brought to 0…1 then, and before it is blended. */
function clampsColors(format: Format): boolean {
  return formatDescription(format).channels.every(({ type }) => type === 'unorm' || type === 'void');
}

function flatMask({ ir }: Translation): number {
  let mask = 0;
  for (const { slot, interpolation } of ir.inputs) {
    if (interpolation === 'flat' && slot.startsWith('var')) mask |= 1 << Number(slot.slice(3));
  }
  return mask;
}
