// Facts about a core that follow from its features: what driver and simulator ask instead of model numbers.

import type { CoreInfo } from './core-info.ts';
import type { FeatureName } from './features.table.ts';

export interface CoreFacts {
  /** -1: before HALTI0. */
  readonly halti: -1 | 0 | 1 | 2 | 3 | 4 | 5;
  readonly pixelPipes: number;
  /** Both pixel pipes write one buffer (else each has its half). */
  readonly singleBuffer: boolean;
  /** The pixel engine can draw to linear memory. */
  readonly drawsLinear: boolean;
  readonly hasBlt: boolean;
  readonly hasTextureDescriptors: boolean;
  readonly hasInstructionCache: boolean;
  /** Uniforms of both stages stand in one file. */
  readonly unifiedUniforms: boolean;
  /** sin, cos and log give pairs whose product is the result. */
  readonly pairTranscendentals: boolean;
  /** An instruction may read more than one uniform. */
  readonly manyUniformsPerInstruction: boolean;
  /** Bits of tile status for each tile. */
  readonly tileStatusBits: 2 | 4;
  /** Bytes of colour that one tile status entry stands for in its smallest mode. */
  readonly tileStatusTileBytes: number;
  /** Texture units can look at the tile status of what they sample. */
  readonly samplesTileStatus: boolean;
  /** Integer ALU operations and comparisons that give all ones. */
  readonly hasIntegers: boolean;
  /** The pixel engine combines bits of new and old pixels. */
  readonly hasLogicOperations: boolean;
  readonly renderTargets: number;
  readonly fragmentSamplers: number;
  readonly vertexSamplers: number;
  readonly vertexSamplerOffset: number;
}

const HALTI: readonly FeatureName[] = ['HALTI0', 'HALTI1', 'HALTI2', 'HALTI3', 'HALTI4', 'HALTI5'];

function haltiLevel(features: ReadonlySet<FeatureName>): CoreFacts['halti'] {
  let level = -1;
  for (const [index, name] of HALTI.entries()) if (features.has(name)) level = index;
  return level as CoreFacts['halti'];
}

export function coreFacts({ features, limits }: CoreInfo): CoreFacts {
  const halti = haltiLevel(features);
  return {
    halti,
    pixelPipes: limits.pixelPipes,
    singleBuffer: features.has('SINGLE_BUFFER'),
    drawsLinear: features.has('LINEAR_PE'),
    hasBlt: features.has('BLT_ENGINE'),
    hasTextureDescriptors: halti >= 5,
    hasInstructionCache: features.has('INSTRUCTION_CACHE'),
    unifiedUniforms: halti >= 1,
    pairTranscendentals: features.has('HAS_FAST_TRANSCENDENTALS'),
    manyUniformsPerInstruction: features.has('SH_NO_ONECONST_LIMIT'),
    tileStatusBits: features.has('CACHE128B256BPERLINE') ? 4 : features.has('2BITPERTILE') ? 2 : 4,
    tileStatusTileBytes: features.has('CACHE128B256BPERLINE') ? 128 : 64,
    samplesTileStatus: features.has('FAST_CLEAR') && features.has('TEXTURE_TILED_READ') && halti >= 1,
    hasIntegers: halti >= 2,
    hasLogicOperations: features.has('LOGIC_OP'),
    renderTargets: halti >= 2 ? 8 : halti >= 0 ? 4 : 1,
    fragmentSamplers: halti >= 1 ? 16 : 8,
    vertexSamplers: halti >= 1 ? 16 : halti >= 0 ? 4 : 0,
    vertexSamplerOffset: halti >= 1 ? 16 : 8,
  };
}
