// Fixed-function state of a draw, read from the state space: vertex fetch, viewport, rasteriser, depth, stencil, blending.

import type { Format } from '../../../src/format/format.ts';
import type { BlendKey } from '../../../src/jit/blend.ts';
import { isVertexFormat } from '../../../src/jit/vertex-format.ts';
import type { DepthStencilKey, StencilFace } from '../../../src/raster/depth-stencil.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { fieldOf, REGISTERS } from '../registers/registers.ts';
import { NotSimulatedError } from './not-simulated.ts';
import type { GpuState } from './state.ts';

const R = REGISTERS;

type BlendEquation = BlendKey['equationRgb'];
type BlendFactor = BlendKey['sourceRgb'];
type CompareFunction = StencilFace['func'];
type StencilOperation = StencilFace['pass'];

// ------------------------------------------------------------------------------------------------- vertex fetch

export interface VertexElement {
  readonly format: Format;
  readonly stream: number;
  readonly offset: number;
}

export interface VertexStream {
  readonly gpuAddress: number;
  readonly stride: number;
  readonly divisor: number;
}

const FLOAT_TYPES: Readonly<Record<number, string>> = { 8: 'R32 FLOAT', 9: 'R16 FLOAT', 11: 'R32 FIXED' };
const CHANNELS = ['R', 'G', 'B', 'A'];

/** Formats by FE_DATA_TYPE, number of components and NORMALIZE. */
function elementFormat(type: number, count: number, normalize: number): Format {
  // Streams use both codes for normalized attributes.
  const isNormalized = normalize !== 0;
  const name = (bits: number, suffix: string) =>
    `${CHANNELS.slice(0, count)
      .map((channel) => channel + bits)
      .join('')}_${suffix}` as Format;
  const float = FLOAT_TYPES[type];
  if (float) {
    const [bits, suffix] = float.split(' ') as [string, string];
    return name(Number(bits.slice(1)), suffix);
  }
  switch (type) {
    case 0:
      return name(8, isNormalized ? 'SNORM' : 'SSCALED');
    case 1:
      return name(8, isNormalized ? 'UNORM' : 'USCALED');
    case 2:
      return name(16, isNormalized ? 'SNORM' : 'SSCALED');
    case 3:
      return name(16, isNormalized ? 'UNORM' : 'USCALED');
    case 4:
      return name(32, isNormalized ? 'SNORM' : 'SSCALED');
    case 5:
      return name(32, isNormalized ? 'UNORM' : 'USCALED');
    case 6:
      return isNormalized ? 'R10G10B10A2_SNORM' : 'R10G10B10A2_SSCALED';
    case 7:
      return isNormalized ? 'R10G10B10A2_UNORM' : 'R10G10B10A2_USCALED';
    case 14:
      return name(8, normalize === 1 ? 'SINT' : 'UINT');
    case 15:
      return name(16, normalize === 1 ? 'SINT' : 'UINT');
    default:
      throw new NotSimulatedError(`vertex type ${type} is not simulated`);
  }
}

/** Elements in order; `count` of them are fetched. */
export function readVertexElements(state: GpuState, facts: CoreFacts, count: number): VertexElement[] {
  const register = facts.halti >= 5 ? R.NFE_GENERIC_ATTRIB_CONFIG0 : R.FE_VERTEX_ELEMENT_CONFIG;
  const elements: VertexElement[] = [];
  for (let index = 0; index < count; index++) {
    const word = state.word(register, index);
    const field = (name: 'TYPE' | 'STREAM' | 'NUM' | 'NORMALIZE' | 'START') =>
      fieldOf<typeof R.FE_VERTEX_ELEMENT_CONFIG.fields>(R.FE_VERTEX_ELEMENT_CONFIG, name, word);
    const format = elementFormat(field('TYPE'), field('NUM') || 4, field('NORMALIZE'));
    if (!isVertexFormat(format)) throw new NotSimulatedError(`vertices of format ${format}`);
    elements.push({
      format,
      stream: field('STREAM'),
      offset: field('START'),
    });
  }
  return elements;
}

export function readVertexStream(state: GpuState, facts: CoreFacts, stream: number): VertexStream {
  if (facts.halti >= 2) {
    return {
      gpuAddress: state.word(R.NFE_VERTEX_STREAMS_BASE_ADDR, stream),
      stride: state.field(R.NFE_VERTEX_STREAMS_CONTROL, 'VERTEX_STRIDE', stream),
      divisor: state.word(R.NFE_VERTEX_STREAMS_VERTEX_DIVISOR, stream),
    };
  }
  // The single stream of the first GPUs lies elsewhere.
  const base = state.word(R.FE_VERTEX_STREAMS_BASE_ADDR, stream);
  if (base === 0 && stream === 0) {
    return {
      gpuAddress: state.word(R.FE_VERTEX_STREAM_BASE_ADDR),
      stride: state.field(R.FE_VERTEX_STREAM_CONTROL, 'VERTEX_STRIDE'),
      divisor: 0,
    };
  }
  const control = state.word(R.FE_VERTEX_STREAMS_CONTROL, stream);
  return {
    gpuAddress: base,
    stride: fieldOf(R.FE_VERTEX_STREAMS_CONTROL, 'VERTEX_STRIDE', control),
    divisor: fieldOf(R.FE_VERTEX_STREAMS_CONTROL, 'VERTEX_DIVISOR', control),
  };
}

/** Whether an attribute of the stream is one for each instance, or several: what its code depends on, wherever it lies. */
export function isInstancedStream(state: GpuState, facts: CoreFacts, stream: number): boolean {
  const divisor =
    facts.halti >= 2
      ? state.word(R.NFE_VERTEX_STREAMS_VERTEX_DIVISOR, stream)
      : readVertexStream(state, facts, stream).divisor;
  return divisor !== 0;
}

// -------------------------------------------------------------------------------------------- depth and stencil

const COMPARES: readonly CompareFunction[] = [
  'never',
  'less',
  'equal',
  'lessEqual',
  'greater',
  'notEqual',
  'greaterEqual',
  'always',
];
const STENCIL_OPS: readonly StencilOperation[] = [
  'keep',
  'zero',
  'replace',
  'increment',
  'decrement',
  'invert',
  'incrementWrap',
  'decrementWrap',
];

/** Which tests the pixel engine makes, as the engine's key. */
export function readDepthStencil(state: GpuState, format: 'D16' | 'D24S8'): DepthStencilKey {
  const config = state.word(R.PE_DEPTH_CONFIG);
  const depthOn = fieldOf(R.PE_DEPTH_CONFIG, 'DEPTH_MODE', config) !== 0;
  const mode = state.field(R.PE_STENCIL_CONFIG, 'MODE');
  const ops = state.word(R.PE_STENCIL_OP);
  const face = (side: 'FRONT' | 'BACK'): StencilFace => ({
    func: COMPARES[fieldOf(R.PE_STENCIL_OP, `FUNC_${side}`, ops)]!,
    stencilFail: STENCIL_OPS[fieldOf(R.PE_STENCIL_OP, `FAIL_${side}`, ops)]!,
    depthFail: STENCIL_OPS[fieldOf(R.PE_STENCIL_OP, `DEPTH_FAIL_${side}`, ops)]!,
    pass: STENCIL_OPS[fieldOf(R.PE_STENCIL_OP, `PASS_${side}`, ops)]!,
  });
  const front = face('FRONT');
  return {
    ...(depthOn && {
      depth: {
        format: format === 'D16' ? ('unorm16' as const) : ('unorm24' as const),
        func: COMPARES[fieldOf(R.PE_DEPTH_CONFIG, 'DEPTH_FUNC', config)]!,
        write: fieldOf(R.PE_DEPTH_CONFIG, 'WRITE_ENABLE', config) !== 0,
      },
    }),
    ...(mode !== 0 && format === 'D24S8' && { stencil: { front, back: mode === 2 ? face('BACK') : front } }),
  };
}

export interface AlphaTest {
  readonly func: CompareFunction;
  readonly reference: number;
}

/** The test of the first target's alpha; null: off. */
export function readAlphaTest(state: GpuState): AlphaTest | null {
  const word = state.word(R.PE_ALPHA_OP);
  const func = COMPARES[fieldOf(R.PE_ALPHA_OP, 'ALPHA_FUNC', word)]!;
  if (fieldOf(R.PE_ALPHA_OP, 'ALPHA_TEST', word) === 0 || func === 'always') return null;
  return { func, reference: fieldOf(R.PE_ALPHA_OP, 'ALPHA_REF', word) / 255 };
}

export interface StencilValues {
  readonly refFront: number;
  readonly refBack: number;
  readonly readFront: number;
  readonly readBack: number;
  readonly writeFront: number;
  readonly writeBack: number;
}

export function readStencilValues(state: GpuState): StencilValues {
  const config = state.word(R.PE_STENCIL_CONFIG);
  const field = (name: 'MODE' | 'REF_FRONT' | 'MASK_FRONT' | 'WRITE_MASK_FRONT') =>
    fieldOf(R.PE_STENCIL_CONFIG, name, config);
  const front = { ref: field('REF_FRONT'), read: field('MASK_FRONT'), write: field('WRITE_MASK_FRONT') };
  const twoSided = field('MODE') === 2;
  const refBack = state.field(R.PE_STENCIL_CONFIG_EXT, 'REF_BACK');
  const readBack = state.field(R.PE_STENCIL_CONFIG_EXT2, 'MASK_BACK');
  const writeBack = state.field(R.PE_STENCIL_CONFIG_EXT2, 'WRITE_MASK_BACK');
  return {
    refFront: front.ref,
    readFront: front.read,
    writeFront: front.write,
    refBack: twoSided ? refBack : front.ref,
    readBack: twoSided ? readBack : front.read,
    writeBack: twoSided ? writeBack : front.write,
  };
}

// ----------------------------------------------------------------------------------------------------- blending

const EQUATIONS: readonly BlendEquation[] = ['add', 'subtract', 'reverseSubtract', 'min', 'max'];
const FACTORS: readonly BlendFactor[] = [
  'zero',
  'one',
  'sourceColor',
  'oneMinusSourceColor',
  'sourceAlpha',
  'oneMinusSourceAlpha',
  'destinationAlpha',
  'oneMinusDestinationAlpha',
  'destinationColor',
  'oneMinusDestinationColor',
  'sourceAlphaSaturate',
  'constantAlpha',
  'oneMinusConstantAlpha',
  'constantColor',
  'oneMinusConstantColor',
];

function blendOf(word: number, colorMask: number): BlendKey {
  const field = (
    name:
      | 'BLEND_ENABLE_COLOR'
      | 'BLEND_SEPARATE_ALPHA'
      | 'SRC_FUNC_COLOR'
      | 'DST_FUNC_COLOR'
      | 'EQ_COLOR'
      | 'SRC_FUNC_ALPHA'
      | 'DST_FUNC_ALPHA'
      | 'EQ_ALPHA',
  ) => fieldOf(R.PE_ALPHA_CONFIG, name, word);
  const separate = field('BLEND_SEPARATE_ALPHA') !== 0;
  const factor = (code: number): BlendFactor => FACTORS[code] ?? 'zero';
  const equation = (code: number): BlendEquation => EQUATIONS[code] ?? 'add';
  const color = {
    equation: equation(field('EQ_COLOR')),
    source: factor(field('SRC_FUNC_COLOR')),
    destination: factor(field('DST_FUNC_COLOR')),
  };
  return {
    enabled: field('BLEND_ENABLE_COLOR') !== 0,
    equationRgb: color.equation,
    sourceRgb: color.source,
    destinationRgb: color.destination,
    equationAlpha: separate ? equation(field('EQ_ALPHA')) : color.equation,
    sourceAlpha: separate ? factor(field('SRC_FUNC_ALPHA')) : color.source,
    destinationAlpha: separate ? factor(field('DST_FUNC_ALPHA')) : color.destination,
    colorMask,
  };
}

/** Blending of a target; before HALTI5 all share one state. */
export function readBlend(state: GpuState, facts: CoreFacts, target: number): BlendKey {
  const logic = facts.hasLogicOperations ? { logic: state.field(R.PE_LOGIC_OP, 'OP') } : {};
  if (target === 0 || facts.halti < 5) {
    return { ...blendOf(state.word(R.PE_ALPHA_CONFIG), state.field(R.PE_COLOR_FORMAT, 'COMPONENTS')), ...logic };
  }
  const place = target - 1;
  const blend = blendOf(
    state.word(R.PE_HALTI5_RT_ALPHA_CONFIG, place),
    state.field(R.PE_HALTI5_RT_COLORMASK, 'COMPONENTS', place),
  );
  const low = state.word(R.PE_HALTI5_RT_ALPHA_COLOR_EXT0, place);
  const high = state.word(R.PE_HALTI5_RT_ALPHA_COLOR_EXT1, place);
  const isFirst = low === state.word(R.PE_ALPHA_COLOR_EXT0) && high === state.word(R.PE_ALPHA_COLOR_EXT1);
  if (isFirst || !usesConstant(blend)) return { ...blend, ...logic };
  return { ...blend, ...logic, constant: [...halfPair(low), ...halfPair(high)] };
}

function usesConstant({ enabled, sourceRgb, destinationRgb, sourceAlpha, destinationAlpha }: BlendKey): boolean {
  return (
    enabled && [sourceRgb, destinationRgb, sourceAlpha, destinationAlpha].some((factor) => /constant/i.test(factor))
  );
}

function halfPair(word: number): [number, number] {
  const half = (bits: number): number => {
    const exponent = (bits >> 10) & 31;
    const mantissa = bits & 1023;
    const sign = bits & 0x8000 ? -1 : 1;
    if (exponent === 0) return sign * mantissa * 2 ** -24;
    if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
  };
  return [half(word & 0xffff), half(word >>> 16)];
}

/** Red, green, blue, alpha. GPUs with half-float colours take those. */
export function readBlendColor(state: GpuState, facts: CoreFacts): [number, number, number, number] {
  if (facts.halti >= 0) {
    const [r, g] = halfPair(state.word(R.PE_ALPHA_COLOR_EXT0));
    const [b, a] = halfPair(state.word(R.PE_ALPHA_COLOR_EXT1));
    if (r !== 0 || g !== 0 || b !== 0 || a !== 0) return [r, g, b, a];
  }
  const word = state.word(R.PE_ALPHA_BLEND_COLOR);
  const byte = (name: 'R' | 'G' | 'B' | 'A') => fieldOf(R.PE_ALPHA_BLEND_COLOR, name, word) / 255;
  return [byte('R'), byte('G'), byte('B'), byte('A')];
}

/** The engine's samples that the mask leaves; of two samples in memory the second is the engine's last. */
export function readSampleMask(state: GpuState, samples: 1 | 2 | 4): number {
  if (samples === 1) return 1;
  let enables = state.field(R.GL_MULTI_SAMPLE_CONFIG, 'MSAA_ENABLES');
  if (state.field(R.PS_MSAA_CONFIG, 'SAMPLE_MASK_ENABLE')) enables &= state.field(R.PS_MSAA_CONFIG, 'SAMPLE_MASK');
  return samples === 4 ? enables : (enables & 1) | ((enables & 2) << 2);
}

// --------------------------------------------------------------------------------------------------- rasteriser

export interface RasterState {
  readonly scale: readonly [number, number, number];
  readonly translate: readonly [number, number, number];
  /** Pixels that may be touched, [min, max). */
  readonly scissor: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly cull: 'off' | 'cw' | 'ccw';
  readonly lineWidth: number;
  readonly pointSize: number;
  readonly programPointSize: boolean;
  readonly pointSprite: boolean;
  readonly provokingLast: boolean;
  readonly flatShade: boolean;
  readonly offsetFactor: number;
  readonly offsetUnits: number;
}

export function readRasterState(state: GpuState): RasterState {
  const config = state.word(R.PA_CONFIG);
  const cull = fieldOf(R.PA_CONFIG, 'CULL_FACE_MODE', config);
  // The hardware maps z from -1…1 to 0…1 before it scales.
  const scaleZ = state.float(R.PA_VIEWPORT_SCALE_Z) / 2;
  return {
    scale: [state.float(R.PA_VIEWPORT_SCALE_X), state.float(R.PA_VIEWPORT_SCALE_Y), scaleZ],
    translate: [
      state.float(R.PA_VIEWPORT_OFFSET_X),
      state.float(R.PA_VIEWPORT_OFFSET_Y),
      state.float(R.PA_VIEWPORT_OFFSET_Z) + scaleZ,
    ],
    scissor: [
      Math.floor(state.float(R.SE_SCISSOR_LEFT)),
      Math.floor(state.float(R.SE_SCISSOR_TOP)),
      Math.floor(state.float(R.SE_SCISSOR_RIGHT)),
      Math.floor(state.float(R.SE_SCISSOR_BOTTOM)),
    ],
    cull: cull === 1 ? 'cw' : cull === 2 ? 'ccw' : 'off',
    lineWidth: state.float(R.PA_LINE_WIDTH) * 2,
    pointSize: state.float(R.PA_POINT_SIZE) * 2,
    programPointSize: fieldOf(R.PA_CONFIG, 'POINT_SIZE_ENABLE', config) !== 0,
    pointSprite: fieldOf(R.PA_CONFIG, 'POINT_SPRITE_ENABLE', config) !== 0,
    provokingLast: state.field(R.PA_SYSTEM_MODE, 'PROVOKING_VERTEX_LAST') !== 0,
    flatShade: fieldOf(R.PA_CONFIG, 'SHADE_MODEL', config) === 0,
    offsetFactor: state.float(R.SE_DEPTH_SCALE),
    offsetUnits: state.float(R.SE_DEPTH_BIAS),
  };
}
