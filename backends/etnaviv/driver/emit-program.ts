// Programs, their wiring, their uniforms and their textures as states.
//
// Facts: rnndb, and the order and the unexplained values of recorded streams.

import type { ShaderStage } from '../../../src/pipe/pipe.ts';
import type { StageBindings } from '../../../src/util/bindings.ts';
import type { CompiledShader } from '../compiler/compiled-shader.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS } from '../registers/registers.ts';
import { bitsOf, type CommandStream } from './command-stream.ts';
import type { BoundFramebuffer } from './emit.ts';
import { stallRasterizerForPixels } from './engine.ts';
import { formatRow } from './formats.table.ts';
import type { EtnavivFragmentShader, EtnavivVertexShader, LinkedProgram } from './program.ts';
import type { EtnavivResource } from './resource.ts';
import type { EtnavivScreen } from './screen.ts';
import type { EtnavivSampler } from './state-objects.ts';
import type { EtnavivSamplerView } from './texture.ts';
import { emitSamplerStatus, samplerStatus } from './tile-status.ts';

const R = REGISTERS;
/** Where the fragment stage's part of the shared instruction memory begins (in instructions). */
const FRAGMENT_CODE_START = 256;
const INSTRUCTION_WORDS = 4;
const NO_PLACE = 0x7f;

/** Packs a list of bytes into words of a repeated register, the rest zero. */
function bytesToWords(bytes: readonly number[], words: number): number[] {
  const result = new Array<number>(words).fill(0);
  for (const [index, byte] of bytes.entries()) result[index >> 2]! |= byte << ((index & 3) * 8);
  return result.map((word) => word >>> 0);
}

/** Packs component counts, four bits each, into `words` words. */
function componentWords(counts: readonly number[], words: number): number[] {
  const result = new Array<number>(words).fill(0);
  for (const [index, count] of counts.entries()) result[index >> 3]! |= count << ((index & 7) * 4);
  return result.map((word) => word >>> 0);
}

/** How a varying is interpolated: four bits a component. */
function varyingMode({ varyings }: LinkedProgram, index: number): number {
  return (varyings[index]?.isFlat ? ENUMS.VARYING_MODE.FLAT : 0) * 0x1111;
}

export function emitInterface(
  stream: CommandStream,
  screen: EtnavivScreen,
  program: LinkedProgram,
  framebuffer: BoundFramebuffer,
  writesPointSize: boolean,
): void {
  const { facts } = screen;
  const vertex = program.vertex.compiled;
  const fragment = program.fragment.compiled;
  const outputs = [program.positionRegister, ...program.varyings.map(({ register }) => register)];
  if (writesPointSize) outputs.push(program.pointSizeRegister!);
  const usesIds = vertex.vertexIdPlace !== null || vertex.instanceIdPlace !== null;
  const inputs = vertex.inputs.map(({ register }) => register);
  const idRegister = (vertex.vertexIdPlace ?? vertex.instanceIdPlace ?? 0) >> 2;
  if (usesIds && facts.halti < 5) inputs.push(idRegister);
  // Why one input at least: the front end does not start a vertex without any.
  const inputCount = Math.max(1, vertex.inputs.length) + Number(usesIds);
  stream.set(
    R.VS_INPUT_COUNT,
    packFields(R.VS_INPUT_COUNT, {
      COUNT: inputCount,
      UNK8: Math.ceil((4 * inputCount + 4) / 16),
      ID_ENABLE: usesIds,
    }),
  );
  stream.set(R.VS_TEMP_REGISTER_CONTROL, Math.max(vertex.temporaries, 1));
  stream.set(R.VS_LOAD_BALANCING, loadBalancing(screen, outputs.length));
  stream.set(
    R.VS_OUTPUT_COUNT,
    packFields(R.VS_OUTPUT_COUNT, {
      COUNT: outputs.length,
      OUTPUT16_REG: outputs[16] ?? 0,
      OUTPUT17_REG: outputs[17] ?? 0,
    }),
  );
  stream.set(R.PA_ATTRIBUTE_ELEMENT_COUNT, program.varyings.length << 8);
  stream.set(R.GL_VARYING_TOTAL_COMPONENTS, (program.totalComponents + 1) & ~1);
  const counts = program.varyings.map(({ components }) => components);
  if (facts.halti >= 5) {
    for (const [i, word] of bytesToWords(outputs, 8).entries()) stream.set(R.VS_HALTI5_OUTPUT, word, i);
    for (const [i, word] of bytesToWords(inputs, 8).entries()) stream.set(R.VS_HALTI5_INPUT, word, i);
    stream.set(R.VS_HALTI5_OUTPUT_COUNT, outputs.length | (outputs.length << 12));
    stream.set(R.VS_HALTI5_UNK008A0, (0x1000e | (Math.floor(0x110 / outputs.length) << 20)) >>> 0);
    stream.set(R.PA_VS_OUTPUT_COUNT, outputs.length);
    for (const [i, word] of componentWords(counts, 2).entries()) {
      stream.set(R.PA_VARYING_NUM_COMPONENTS, word, i);
      stream.set(R.PS_VARYING_NUM_COMPONENTS, word, i);
    }
    stream.set(
      R.FE_HALTI5_ID_CONFIG,
      packFields(R.FE_HALTI5_ID_CONFIG, {
        VERTEX_ID_ENABLE: vertex.vertexIdPlace !== null,
        VERTEX_ID_REG: vertex.vertexIdPlace ?? 0,
        INSTANCE_ID_ENABLE: vertex.instanceIdPlace !== null,
        INSTANCE_ID_REG: vertex.instanceIdPlace ?? 0,
      }),
    );
    stream.set(
      R.GL_HALTI5_SH_SPECIALS,
      packFields(R.GL_HALTI5_SH_SPECIALS, {
        VS_PSIZE_OUT: writesPointSize ? program.pointSizeRegister! : 0,
        PS_PCOORD_IN: program.pointCoordComponent < 0 ? NO_PLACE : program.pointCoordComponent,
        UNK16: NO_PLACE,
        UNK24: NO_PLACE,
      }),
    );
    for (let pair = 0; pair < 8; pair++) {
      const modes = varyingMode(program, pair * 2) | (varyingMode(program, pair * 2 + 1) << 16);
      stream.set(R.GL_HALTI5_SHADER_ATTRIBUTES, modes, pair);
    }
  } else {
    for (const [i, word] of bytesToWords(outputs.slice(0, 16), 4).entries()) stream.set(R.VS_OUTPUT, word, i);
    for (const [i, word] of bytesToWords(inputs, 4).entries()) stream.set(R.VS_INPUT, word, i);
    const words = componentWords(counts, 2);
    stream.set(R.GL_VARYING_NUM_COMPONENTS, words[0]!);
    stream.set(R.GL_VARYING_NUM_COMPONENTS2, words[1]!);
    const uses = componentUses(program);
    stream.set(R.GL_VARYING_COMPONENT_USE, uses[0]!, 0);
    stream.set(R.GL_VARYING_COMPONENT_USE, uses[1]!, 1);
    stream.set(R.GL_VARYING_COMPONENT_USE2, uses[2]!);
    stream.set(R.GL_VARYING_COMPONENT_USE3, uses[3]!);
    for (const [index, { isFlat }] of program.varyings.entries()) {
      stream.set(R.PA_SHADER_ATTRIBUTES, isFlat ? 0x2f0 : 0x2f1, index);
    }
  }
  emitPixelOutputs(stream, screen, fragment, program.varyings.length, framebuffer);
}

function componentUses({ varyings }: LinkedProgram): number[] {
  const { GENERIC, POINTCOORD_X, POINTCOORD_Y } = ENUMS.VARYING_COMPONENT_USE;
  const words = [0, 0, 0, 0];
  let component = 0;
  for (const { components, isPointCoord } of varyings) {
    for (let i = 0; i < components; i++, component++) {
      const use = !isPointCoord ? GENERIC : i === 0 ? POINTCOORD_X : i === 1 ? POINTCOORD_Y : GENERIC;
      words[component >> 4]! |= use << ((component & 15) * 2);
    }
  }
  return words.map((word) => word >>> 0);
}

/** Threads for vertices and pixels; the formula is that of the recording driver. */
function loadBalancing({ winsys }: EtnavivScreen, outputs: number): number {
  const { vertexOutputBuffer, vertexCache, shaderCores } = winsys.core.limits;
  const half = Math.floor((outputs + 1) / 2);
  const room = Math.max(1, vertexOutputBuffer - 2 * half * vertexCache);
  const b = Math.floor((Math.floor(20480 / room) + 9) / 10);
  const a = Math.floor((b + Math.floor(256 / (shaderCores * half))) / 2);
  return packFields(R.VS_LOAD_BALANCING, { A: Math.min(a, 255), B: Math.min(b, 255), C: 0x3f, D: 0xf });
}

function emitPixelOutputs(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  fragment: CompiledShader,
  varyings: number,
  { colors }: BoundFramebuffer,
): void {
  const register = (index: number): number => {
    const slot = colors[index] ? `color${colors[index].index}` : 'color0';
    return (fragment.outputs.find((output) => output.slot === slot) ?? fragment.outputs[0])?.register ?? 0;
  };
  const registers = [0, 1, 2, 3].map(register);
  stream.set(R.PS_OUTPUT_REG, bytesToWords(registers, 1)[0]!);
  stream.set(R.PS_INPUT_COUNT, packFields(R.PS_INPUT_COUNT, { COUNT: varyings + 1, UNK8: 31 }));
  stream.set(R.PS_TEMP_REGISTER_CONTROL, Math.max(fragment.temporaries, varyings + 1));
  let control = packFields(R.PS_CONTROL, { RT_COUNT: Math.max(colors.length - 1, 0) });
  let modes = 0;
  for (const [index, { format }] of colors.entries()) {
    const row = formatRow(format)!;
    if (!row.isInteger && /_(UNORM|SRGB)$/.test(format) && index < 4) control |= 2 << index;
    modes |= row.render!.outputMode << (index * 4);
  }
  stream.set(R.PS_CONTROL, control);
  stream.set(R.PS_CONTROL_EXT, modes >>> 0);
  if (facts.halti < 2) return;
  let word = 0;
  for (let index = 4; index < 8; index++) {
    const format = colors[index]?.format;
    const saturates = format !== undefined && /_(UNORM|SRGB)$/.test(format);
    word |= (register(index) | (saturates ? 0x80 : 0)) << ((index - 4) * 8);
  }
  stream.set(R.PS_OUTPUT_REG2, word >>> 0);
}

// ----------------------------------------------------------------------------------------------------------- code

/** The programs' instructions. False: no memory for them. */
export function emitCode(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  program: LinkedProgram,
  shaders: { readonly vertex: EtnavivVertexShader; readonly fragment: EtnavivFragmentShader },
): boolean {
  const vertex = program.vertex.compiled;
  const fragment = program.fragment.compiled;
  if (facts.halti >= 5) {
    const vertexCode = shaders.vertex.codeBuffer(program.vertex);
    const fragmentCode = shaders.fragment.codeBuffer(program.fragment);
    if (!vertexCode || !fragmentCode) return false;
    stream.set(R.VS_NEWRANGE_LOW, 0);
    stream.set(R.VS_HALTI5_RANGE_HIGH, vertex.instructions);
    const isNew =
      stream.changes(R.VS_INST_ADDR, vertexCode.gpuAddress) || stream.changes(R.PS_INST_ADDR, fragmentCode.gpuAddress);
    stream.setBuffer(R.VS_INST_ADDR, vertexCode, 0, false);
    stream.set(R.SH_ICACHE_CONTROL, packFields(R.SH_ICACHE_CONTROL, { ENABLE: 1 }));
    stream.set(R.VS_ICACHE_COUNT, vertex.instructions - 1);
    stream.set(R.PS_NEWRANGE_LOW, 0);
    stream.set(R.PS_HALTI5_RANGE_HIGH, fragment.instructions);
    stream.setBuffer(R.PS_INST_ADDR, fragmentCode, 0, false);
    stream.set(R.PS_ICACHE_COUNT, fragment.instructions - 1);
    if (isNew) {
      stream.trigger(R.VS_ICACHE_PREFETCH, 0);
      stream.trigger(R.PS_ICACHE_PREFETCH, 0);
      stallRasterizerForPixels(stream);
    }
    return true;
  }
  stream.set(R.VS_START_PC, 0);
  stream.set(R.VS_END_PC, vertex.instructions);
  stream.set(R.PS_START_PC, 0);
  stream.set(R.PS_END_PC, fragment.instructions);
  const usesMemory = vertex.flags.needsInstructionCache || fragment.flags.needsInstructionCache;
  if (facts.hasInstructionCache) stream.set(R.SH_ICACHE_CONTROL, Number(usesMemory));
  if (usesMemory) {
    const vertexCode = shaders.vertex.codeBuffer(program.vertex);
    const fragmentCode = shaders.fragment.codeBuffer(program.fragment);
    if (!vertexCode || !fragmentCode) return false;
    stream.setBuffer(R.VS_INST_ADDR, vertexCode, 0, false);
    stream.setBuffer(R.PS_INST_ADDR, fragmentCode, 0, false);
    return true;
  }
  let fragmentBase: number = R.PS_INST_MEM.address;
  let vertexBase: number = R.VS_INST_MEM.address;
  if (facts.halti >= 0) {
    const range = (low: number, count: number) => packFields(R.VS_RANGE, { LOW: low, HIGH: low + count - 1 });
    stream.set(R.VS_RANGE, range(0, vertex.instructions));
    stream.set(R.PS_RANGE, range(FRAGMENT_CODE_START, fragment.instructions));
    vertexBase = R.SH_INST_MEM.address;
    fragmentBase = R.SH_INST_MEM.address + FRAGMENT_CODE_START * INSTRUCTION_WORDS * 4;
  }
  for (const [index, word] of vertex.code.entries()) stream.setAt(vertexBase + index * 4, word);
  for (const [index, word] of fragment.code.entries()) stream.setAt(fragmentBase + index * 4, word);
  return true;
}

// ------------------------------------------------------------------------------------------------------- uniforms

const intView = new Int32Array(1);

function emitUniforms(
  stream: CommandStream,
  { facts }: EtnavivScreen,
  program: LinkedProgram,
  stage: ShaderStage,
  bindings: StageBindings,
  onlyChanging: boolean,
): void {
  const isVertex = stage === 'vertex';
  const { compiled, changing } = isVertex ? program.vertex : program.fragment;
  const { uniforms } = compiled;
  const vertexSlots = Math.ceil(program.vertex.compiled.uniforms.length / 4);
  let base: number;
  if (facts.halti >= 5) {
    base = (isVertex ? R.SH_HALTI5_UNIFORMS_MIRROR : R.SH_HALTI5_UNIFORMS).address;
    stream.set(isVertex ? R.VS_UNIFORM_BASE : R.PS_UNIFORM_BASE, 0);
  } else if (facts.unifiedUniforms) {
    const first = isVertex ? 0 : vertexSlots;
    stream.set(isVertex ? R.VS_UNIFORM_BASE : R.PS_UNIFORM_BASE, first);
    base = R.SH_UNIFORMS.address + first * 16;
  } else base = (isVertex ? R.VS_UNIFORMS : R.PS_UNIFORMS).address;
  if (!onlyChanging) {
    for (let index = 0; index < uniforms.length; index++) emitUniform(stream, facts, base, index, compiled, bindings);
    return;
  }
  for (let i = 0; i < changing.length; i++) emitUniform(stream, facts, base, changing[i]!, compiled, bindings);
}

function emitUniform(
  stream: CommandStream,
  facts: EtnavivScreen['facts'],
  base: number,
  index: number,
  { uniforms }: CompiledShader,
  { constants, buffers, views }: StageBindings,
): void {
  const word = uniforms[index]!;
  const address = base + index * 4;
  switch (word.kind) {
    case 'immediate':
      stream.setAt(address, word.value);
      break;
    case 'uniform': {
      let value = constants[word.word] ?? 0;
      if (word.convert) {
        intView[0] = value;
        value = bitsOf(intView[0]!);
      }
      stream.setAt(address, value);
      break;
    }
    case 'blockAddress': {
      const bound = buffers[word.block + 1];
      if (bound) {
        stream.setBufferAt(address, (bound.buffer as EtnavivResource).base.buffer, bound.offsetBytes, false);
      }
      break;
    }
    case 'textureSize': {
      const view = views[word.sampler] as EtnavivSamplerView | null | undefined;
      const size = view ? [view.width, view.height, view.depth][word.component]! : 0;
      stream.setAt(address, facts.hasIntegers ? size : bitsOf(size));
      break;
    }
    default:
  }
}

// ------------------------------------------------------------------------------------------------------- textures

/** False: no memory for a descriptor. */
export function emitTextures(
  stream: CommandStream,
  screen: EtnavivScreen,
  program: LinkedProgram,
  vertex: StageBindings,
  fragment: StageBindings,
): boolean {
  const { facts } = screen;
  const used = [
    { samplers: program.vertex.compiled.samplers, bindings: vertex },
    { samplers: program.fragment.compiled.samplers, bindings: fragment },
  ];
  for (const { samplers, bindings } of used) {
    for (const { sampler, unit } of samplers) {
      const view = bindings.views[sampler] as EtnavivSamplerView | null | undefined;
      const state = bindings.samplers[sampler] as EtnavivSampler | null | undefined;
      if (!view || !state) {
        if (facts.hasTextureDescriptors) stream.set(R.NTE_DESCRIPTOR_ADDR, 0, unit);
        else stream.set(facts.halti >= 1 ? R.NTE_SAMPLER_CONFIG0 : R.TE_SAMPLER_CONFIG0, 0, unit);
        continue;
      }
      const status = samplerStatus(screen, view, unit);
      emitSamplerStatus(stream, screen, unit, status, view.resource.base.buffer);
      if (!facts.hasTextureDescriptors) view.emitStates(stream, unit, state, facts.halti >= 1);
      else if (!view.emitDescriptor(stream, unit, state, status)) return false;
    }
  }
  return true;
}

// Before HALTI5 the uniforms of both stages go through one door, which is told whose come next.
const VERTEX_DOOR = packFields(R.SH_CONTROL, { PS_CODE: 1 });
const FRAGMENT_DOOR = packFields(R.SH_CONTROL, { PS_CODE: 1, PS_UNIFORM: 1 });
const openForVertex = (stream: CommandStream): void => stream.trigger(R.SH_CONTROL, VERTEX_DOOR);
const openForFragment = (stream: CommandStream): void => stream.trigger(R.SH_CONTROL, FRAGMENT_DOOR);

/** The uniforms of both stages: all, or only the words that may have changed since the draw before. */
export function emitAllUniforms(
  stream: CommandStream,
  screen: EtnavivScreen,
  program: LinkedProgram,
  { vertex, fragment }: { readonly vertex: StageBindings; readonly fragment: StageBindings },
  onlyChanging: boolean,
): void {
  const hasDoor = screen.facts.halti < 5;
  if (hasDoor) stream.beforeNextState(openForVertex);
  emitUniforms(stream, screen, program, 'vertex', vertex, onlyChanging);
  if (hasDoor) stream.beforeNextState(openForFragment);
  emitUniforms(stream, screen, program, 'fragment', fragment, onlyChanging);
}
