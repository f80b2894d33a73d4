// Which programs run and how they are wired, read from the state space: code, inputs, outputs, varyings, uniforms.

import type { CoreFacts } from '../hwdb/derived.ts';
import { REGISTERS } from '../registers/registers.ts';
import type { GpuMemory } from './memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import type { ShaderInput, ShaderOutput } from './shader/translate.ts';
import type { GpuState } from './state.ts';

const R = REGISTERS;
const INSTRUCTION_BYTES = 16;
const MAX_INSTRUCTIONS = 4096;
const MAX_VARYINGS = 16;

export type Stage = 'vertex' | 'fragment';

/** A program in memory, fetched by way of the instruction cache. */
export interface ProgramPlace {
  readonly gpuAddress: number;
  readonly count: number;
}

/** Where the stage's program lies in memory; null: in the state space. */
export function readProgramPlace(state: GpuState, facts: CoreFacts, stage: Stage): ProgramPlace | null {
  if (!facts.hasInstructionCache || state.field(R.SH_ICACHE_CONTROL, 'ENABLE') === 0) return null;
  const isVertex = stage === 'vertex';
  const count = facts.halti >= 5 ? instructionCount5(state, isVertex) : instructionCount(state, isVertex);
  return { gpuAddress: state.word(isVertex ? R.VS_INST_ADDR : R.PS_INST_ADDR), count };
}

/** The words of a program in memory. */
export function programInMemory(memory: GpuMemory, { gpuAddress, count }: ProgramPlace): Uint32Array {
  const { raster } = memory;
  const address = memory.resolve(gpuAddress, count * INSTRUCTION_BYTES, 'program');
  return raster.u32.subarray(address >>> 2, (address >>> 2) + count * 4);
}

/** The words of the stage's program in the state space. */
export function programInStates(state: GpuState, facts: CoreFacts, stage: Stage): Uint32Array {
  const isVertex = stage === 'vertex';
  const count = instructionCount(state, isVertex);
  let base: number;
  if (facts.halti < 0) base = isVertex ? R.VS_INST_MEM.address : R.PS_INST_MEM.address;
  else {
    // One instruction memory; the range says where the stage's part begins.
    const low = state.field(isVertex ? R.VS_RANGE : R.PS_RANGE, 'LOW');
    base = R.SH_INST_MEM.address + low * INSTRUCTION_BYTES;
  }
  return state.range(base, count * 4);
}

function checkCount(count: number): number {
  if (count < 1 || count > MAX_INSTRUCTIONS) throw new NotSimulatedError(`a program of ${count} instructions`);
  return count;
}

function instructionCount5(state: GpuState, isVertex: boolean): number {
  const low = state.word(isVertex ? R.VS_NEWRANGE_LOW : R.PS_NEWRANGE_LOW);
  const high = state.word(isVertex ? R.VS_HALTI5_RANGE_HIGH : R.PS_HALTI5_RANGE_HIGH);
  return checkCount(high - low);
}

function instructionCount(state: GpuState, isVertex: boolean): number {
  const start = state.word(isVertex ? R.VS_START_PC : R.PS_START_PC);
  if (start !== 0) throw new NotSimulatedError(`a program that starts at instruction ${start} is not simulated`);
  return checkCount(state.word(isVertex ? R.VS_END_PC : R.PS_END_PC));
}

/** Byte address in the state space of the stage's uniform 0. */
export function uniformBase(state: GpuState, facts: CoreFacts, stage: Stage): number {
  const isVertex = stage === 'vertex';
  const offset = facts.unifiedUniforms ? state.word(isVertex ? R.VS_UNIFORM_BASE : R.PS_UNIFORM_BASE) * 16 : 0;
  if (facts.halti >= 5) {
    return (isVertex ? R.SH_HALTI5_UNIFORMS_MIRROR : R.SH_HALTI5_UNIFORMS).address + offset;
  }
  if (facts.unifiedUniforms) return R.SH_UNIFORMS.address + offset;
  return (isVertex ? R.VS_UNIFORMS : R.PS_UNIFORMS).address;
}

/** Added to sampler numbers of the stage's instructions, modulo 32. */
export function samplerBase(state: GpuState, facts: CoreFacts, stage: Stage): number {
  if (facts.halti < 5) return 0;
  return state.word(stage === 'vertex' ? R.VS_SAMPLER_BASE : R.PS_SAMPLER_BASE) & 31;
}

function byteOf(state: GpuState, address: number, index: number): number {
  return (state.at(address + (index & ~3)) >>> ((index & 3) * 8)) & 0xff;
}

/** Elements that are fetched; the ids, where they are wanted, are one more input. */
export function countVertexElements(state: GpuState): number {
  return Math.max(0, state.field(R.VS_INPUT_COUNT, 'COUNT') - state.field(R.VS_INPUT_COUNT, 'ID_ENABLE'));
}

function inputRegister(state: GpuState, facts: CoreFacts, index: number): number {
  return byteOf(state, (facts.halti >= 5 ? R.VS_HALTI5_INPUT : R.VS_INPUT).address, index);
}

/** Temporaries that the fetched elements go to, in order. */
export function readVertexInputs(state: GpuState, facts: CoreFacts): ShaderInput[] {
  return Array.from({ length: countVertexElements(state) }, (_, index) => ({
    register: inputRegister(state, facts, index),
    slot: `attribute${index}` as const,
    components: 4,
    interpolation: 'smooth' as const,
  }));
}

/** Where gl_VertexID and gl_InstanceID go: four times the temporary plus the component. */
export interface IdPlaces {
  readonly vertexId: number | null;
  readonly instanceId: number | null;
}

export function readIdPlaces(state: GpuState, facts: CoreFacts): IdPlaces {
  if (!state.field(R.VS_INPUT_COUNT, 'ID_ENABLE')) return { vertexId: null, instanceId: null };
  if (facts.halti < 5) {
    const place = inputRegister(state, facts, countVertexElements(state)) * 4;
    return { vertexId: place, instanceId: place + 1 };
  }
  const config = R.FE_HALTI5_ID_CONFIG;
  const place = (enable: 'VERTEX_ID_ENABLE' | 'INSTANCE_ID_ENABLE', name: 'VERTEX_ID_REG' | 'INSTANCE_ID_REG') =>
    state.field(config, enable) ? state.field(config, name) : null;
  return {
    vertexId: place('VERTEX_ID_ENABLE', 'VERTEX_ID_REG'),
    instanceId: place('INSTANCE_ID_ENABLE', 'INSTANCE_ID_REG'),
  };
}

/** Components of each varying that goes from vertex to pixel program. */
export function readVaryingComponents(state: GpuState, facts: CoreFacts): number[] {
  const words =
    facts.halti >= 5
      ? [0, 1].map((index) => state.word(R.PA_VARYING_NUM_COMPONENTS, index))
      : [state.word(R.GL_VARYING_NUM_COMPONENTS), state.word(R.GL_VARYING_NUM_COMPONENTS2)];
  const components: number[] = [];
  for (let varying = 0; varying < MAX_VARYINGS; varying++) {
    const count = (words[varying >> 3]! >>> ((varying & 7) * 4)) & 7;
    if (count === 0) break;
    components.push(Math.min(count, 4));
  }
  return components;
}

/** Position, varyings and point size; output 0 is the position. */
export function readVertexOutputs(
  state: GpuState,
  facts: CoreFacts,
  varyings: readonly number[],
  pointSize: boolean,
): ShaderOutput[] {
  const table = facts.halti >= 5 ? R.VS_HALTI5_OUTPUT.address : R.VS_OUTPUT.address;
  const register = (index: number): number => {
    // The seventeenth and eighteenth have their place in the count register.
    if (facts.halti < 5 && index === 16) return state.field(R.VS_OUTPUT_COUNT, 'OUTPUT16_REG');
    if (facts.halti < 5 && index === 17) return state.field(R.VS_OUTPUT_COUNT, 'OUTPUT17_REG');
    return byteOf(state, table, index);
  };
  const output = (index: number, slot: ShaderOutput['slot'], components: number): ShaderOutput => ({
    register: register(index),
    slot,
    components,
    component: 0,
    saturate: false,
  });
  const outputs = [output(0, 'position', 4)];
  for (const index of varyings.keys()) outputs.push(output(index + 1, `var${index}`, 4));
  if (pointSize) outputs.push(output(varyings.length + 1, 'pointSize', 1));
  return outputs;
}

/** Varyings as the pixel program finds them: one temporary each from t1 on. */
export function readPixelInputs(
  state: GpuState,
  facts: CoreFacts,
  varyings: readonly number[],
  flatShade: boolean,
): ShaderInput[] {
  const inputs: ShaderInput[] = [];
  let component = 0;
  for (const [index, count] of varyings.entries()) {
    inputs.push({
      register: index + 1,
      slot: `var${index}`,
      components: count,
      interpolation: interpolationOf(state, facts, index, flatShade),
      ...pointCoordOf(state, facts, component, count),
    });
    component += count;
  }
  return inputs;
}

function interpolationOf(state: GpuState, facts: CoreFacts, index: number, flatShade: boolean) {
  if (facts.halti >= 5) {
    // Four bits a component: the first decides.
    const mode = (state.word(R.GL_HALTI5_SHADER_ATTRIBUTES, index >> 1) >>> ((index & 1) * 16)) & 3;
    return mode === 2 ? ('flat' as const) : mode === 1 ? ('noperspective' as const) : ('smooth' as const);
  }
  const bypasses = state.field(R.PA_SHADER_ATTRIBUTES, 'BYPASS_FLAT', index) !== 0;
  return flatShade && !bypasses ? ('flat' as const) : ('smooth' as const);
}

const USE_POINTCOORD_X = 2;
const USE_POINTCOORD_Y = 3;

function pointCoordOf(state: GpuState, facts: CoreFacts, first: number, count: number) {
  if (facts.halti >= 5) {
    const place = state.field(R.GL_HALTI5_SH_SPECIALS, 'PS_PCOORD_IN');
    // The place is that of the varying in components.
    return place === first && place !== 0x7f ? { pointCoord: ['x', 'y'] as const } : {};
  }
  const words = [
    state.word(R.GL_VARYING_COMPONENT_USE, 0),
    state.word(R.GL_VARYING_COMPONENT_USE, 1),
    state.word(R.GL_VARYING_COMPONENT_USE2),
    state.word(R.GL_VARYING_COMPONENT_USE3),
  ];
  const uses = Array.from({ length: count }, (_, offset) => {
    const component = first + offset;
    const use = (words[component >> 4]! >>> ((component & 15) * 2)) & 3;
    return use === USE_POINTCOORD_X ? ('x' as const) : use === USE_POINTCOORD_Y ? ('y' as const) : null;
  });
  return uses.some((use) => use !== null) ? { pointCoord: uses } : {};
}

/**
 * Temporaries that hold the colours at the end, and the depth where it is tested after the program. `clamps`: by target,
 * whether its format clamps colours anyway: then the program need not.
 */
export function readPixelOutputs(state: GpuState, clamps: readonly boolean[], writesDepth: boolean): ShaderOutput[] {
  const outputs: ShaderOutput[] = [];
  for (const [target, isClamped] of clamps.entries()) {
    const register = target < 4 ? R.PS_OUTPUT_REG.address : R.PS_OUTPUT_REG2.address;
    const saturate =
      target < 4
        ? (state.word(R.PS_CONTROL) >>> (target + 1)) & 1
        : (state.word(R.PS_OUTPUT_REG2) >>> ((target & 3) * 8 + 7)) & 1;
    outputs.push({
      register: byteOf(state, register, target & 3) & 0x7f,
      slot: `color${target}`,
      components: 4,
      component: 0,
      saturate: saturate !== 0 && !isClamped,
    });
  }
  if (writesDepth) outputs.push({ register: 0, slot: 'depth', components: 1, component: 2, saturate: true });
  return outputs;
}
