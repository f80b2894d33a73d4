// What the compiler asks of a GPU: one field a question, answered from the hardware database.

import type { CoreInfo } from '../hwdb/core-info.ts';
import { coreFacts } from '../hwdb/derived.ts';

export interface CompilerTarget {
  readonly name: string;
  /** Integer operations and comparisons that give all ones. Else integers and booleans are floats. */
  readonly hasIntegers: boolean;
  /** An operand may be a 20-bit immediate. */
  readonly hasImmediates: boolean;
  readonly hasSqrtTrig: boolean;
  readonly hasFloorCeilSign: boolean;
  /** sin, cos and log give pairs whose product is the result; sin and cos take their argument in units of π. */
  readonly pairTranscendentals: boolean;
  readonly hasDp2: boolean;
  readonly hasMemoryLoads: boolean;
  readonly hasTexelFetch: boolean;
  /** Level, bias and reference value are operands of their own (else level and bias are the coordinate's fourth). */
  readonly textureOperands: boolean;
  readonly manyUniformsPerInstruction: boolean;
  /** The vertex program maps -w..w to 0..w itself. */
  readonly vertexDividesDepth: boolean;
  readonly temporaries: number;
  /** Instructions that fit into the instruction memory of a stage (0: code is always fetched through the cache). */
  readonly residentInstructions: number;
  /** Instructions of the longest program. */
  readonly maxInstructions: number;
  readonly vertexUniforms: number;
  readonly fragmentUniforms: number;
  readonly vertexSamplers: number;
  readonly fragmentSamplers: number;
  readonly vertexSamplerOffset: number;
  readonly renderTargets: number;
  readonly varyings: number;
}

/** Programs longer than this are refused even with an instruction cache. */
const CACHED_INSTRUCTIONS = 4096;

/** One stage's vec4 of the uniform file, by the number of constants a core announces. */
function uniformLimits(constants: number): { vertex: number; fragment: number } {
  if (constants >= 512) return { vertex: 256, fragment: 256 };
  if (constants >= 320) return { vertex: 256, fragment: 64 };
  if (constants >= 256) return { vertex: 256, fragment: 256 };
  return { vertex: 168, fragment: 64 };
}

export function compilerTarget(core: CoreInfo): CompilerTarget {
  const facts = coreFacts(core);
  const { features, limits } = core;
  const uniforms = uniformLimits(limits.constants);
  // Why half: both stages share the instruction memory of cores from HALTI0 on.
  const resident = facts.halti >= 5 ? 0 : 256;
  return {
    name: core.name,
    hasIntegers: facts.hasIntegers,
    hasImmediates: facts.halti >= 2,
    hasSqrtTrig: features.has('HAS_SQRT_TRIG'),
    hasFloorCeilSign: features.has('HAS_SIGN_FLOOR_CEIL'),
    pairTranscendentals: facts.pairTranscendentals,
    hasDp2: facts.halti >= 2,
    hasMemoryLoads: facts.halti >= 2,
    hasTexelFetch: facts.halti >= 5,
    textureOperands: facts.halti >= 2,
    manyUniformsPerInstruction: facts.manyUniformsPerInstruction,
    vertexDividesDepth: facts.halti < 0,
    temporaries: limits.registers,
    residentInstructions: resident,
    maxInstructions: facts.hasInstructionCache ? CACHED_INSTRUCTIONS : Math.min(resident, limits.instructions),
    // With one file for both stages the driver places the fragment stage behind the vertex stage: only the sum counts.
    vertexUniforms: uniforms.vertex,
    fragmentUniforms: facts.unifiedUniforms ? Math.max(uniforms.fragment, 256) : uniforms.fragment,
    vertexSamplers: facts.vertexSamplers,
    fragmentSamplers: facts.fragmentSamplers,
    vertexSamplerOffset: facts.vertexSamplerOffset,
    renderTargets: facts.renderTargets,
    varyings: limits.varyings,
  };
}
