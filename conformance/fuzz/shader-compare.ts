// Compares what the compiler makes of a program with the interpreter's result for the unoptimised shader, bit for bit.

import { compileShader } from '../../src/glsl/compile.ts';
import { linkProgram } from '../../src/glsl/link.ts';
import { DEFAULT_LINK_LIMITS, type LinkedProgram } from '../../src/glsl/link-result.ts';
import type { Shader, Slot } from '../../src/ir/ir.ts';
import { optimizeShader } from '../../src/ir/optimize.ts';
import { compareWithInterpreter, type HarnessInputs } from '../../src/jit/body-harness.ts';
import { layoutLocals } from '../../src/jit/memory-access.ts';
import { prepareShader } from '../../src/jit/prepare-shader.ts';
import { Random } from '../reference/random.ts';
import { Fault } from './fault.ts';
import type { ShaderCase } from './shader-case.ts';

/** What the test module of `body-harness.ts` has room for. */
const MOST_UNIFORM_SLOTS = 256;
const MOST_BLOCK_BYTES = 4096;
const MOST_INPUTS = 60;
const MOST_LOCAL_BYTES = 96 << 10;

function link(theCase: ShaderCase): LinkedProgram | null {
  const profile = theCase.face.startsWith('gles') ? 'gles' : 'webgl';
  const api = theCase.face === 'gles2' || theCase.face === 'webgl' ? 2 : 3;
  const [vertex, fragment] = (['vertex', 'fragment'] as const).map(
    (stage) => compileShader(theCase[stage], { stage, profile, api }).shader,
  );
  if (!vertex || !fragment) return null;
  const result = linkProgram(vertex, fragment, { limits: DEFAULT_LINK_LIMITS, profile, optimize: false });
  return result.program ?? null;
}

/** Inputs and constants of a shader, from the seed. */
function environmentOf(shader: Shader, program: LinkedProgram, random: Random, lanes: number): HarnessInputs {
  const word = (): number => {
    if (random.bool(0.1)) return random.pick([0, 1, -1, 0x7fffffff, 0x7f800000, 0x80000000, 0x3f800000]);
    return random.bool(0.3) ? random.int(-4, 9) : floatBits(random.float(-4, 4));
  };
  const words = (count: number) => Uint32Array.from({ length: count }, word);
  const uniforms = words(Math.max(program.constantSlotCount, 1) * 4);
  // Tables of constants stay; zeros in them may become anything, as both sides see the same.
  program.initialConstants.forEach((constant, i) => {
    if (constant !== 0) uniforms[i] = constant;
  });
  const blocks = shader.uniformBlocks.map(({ sizeBytes }) => words(Math.ceil(sizeBytes / 16) * 4));
  const inputs = new Map<Slot, Uint32Array>();
  for (const { slot, base } of shader.inputs) {
    const values = words(lanes * 4);
    if (base === 'float') for (let i = 0; i < values.length; i++) values[i] = floatBits(random.float(-4, 4));
    inputs.set(slot, values);
  }
  return { inputs, uniforms, blocks };
}

function floatBits(value: number): number {
  BITS_FLOAT[0] = value;
  return BITS[0]!;
}
const BITS = new Uint32Array(1);
const BITS_FLOAT = new Float32Array(BITS.buffer);

function fits(shader: Shader, width: 1 | 2): boolean {
  const blockBytes = shader.uniformBlocks.reduce((sum, block) => sum + block.sizeBytes + 16, 0);
  return (
    shader.samplers.length === 0 &&
    shader.uniformSlots <= MOST_UNIFORM_SLOTS &&
    blockBytes <= MOST_BLOCK_BYTES &&
    shader.inputs.length + shader.outputs.length <= MOST_INPUTS &&
    layoutLocals(shader, width).bytes <= MOST_LOCAL_BYTES
  );
}

export function compareWithReference(theCase: ShaderCase): void {
  const reference = link(theCase);
  const compiled = link(theCase);
  if (reference === null || compiled === null) return;
  const random = new Random(`inputs ${theCase.seed}`);
  for (const stage of ['vertex', 'fragment'] as const) {
    const width = stage === 'fragment' && random.bool() ? 2 : 1;
    const original = reference[stage].shader;
    if (original.samplers.length > 0) continue;
    const shader = compiled[stage].shader;
    // Inexact rules change bits by design.
    shader.isExact = true;
    if (!optimizeShader(shader).ok) continue;
    const prepared = prepareShader(shader);
    if (!fits(prepared, width)) continue;
    const environment = environmentOf(original, reference, random, width * 4);
    const difference = compareWithInterpreter(prepared, width, environment, original);
    if (difference !== null) throw new Fault('difference', `${stage}: ${difference}`);
  }
}
