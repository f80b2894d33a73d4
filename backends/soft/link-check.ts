// Finds shaders that are too complex for the engine while their program is linked, so that the link fails instead of every draw.

import type { Shader } from '../../src/ir/ir.ts';
import { compileFragmentProgram } from '../../src/jit/fragment-program.ts';
import type { FragmentKey, VertexKey } from '../../src/jit/keys.ts';
import { compileVertexProgram } from '../../src/jit/vertex-program.ts';

/**
 * Shaders with fewer instructions, and temporaries of fewer words, are not tried: an instruction makes some hundred bytes at most.
 * (A texture instruction can make more, by its state; of that only the draw knows.)
 */
const SAFE_INSTRUCTIONS = 8000;
const SAFE_ARRAY_WORDS = 16_384;

const VERTEX_KEY: VertexKey = {
  attributes: new Array<VertexKey['attributes'][0]>(32).fill({ format: 'R32G32B32A32_FLOAT', isInstanced: false }),
  varyingSlots: 31,
  textures: [],
  capturesOutputs: false,
};

const OPAQUE = {
  enabled: false,
  equationRgb: 'add',
  sourceRgb: 'one',
  destinationRgb: 'zero',
  equationAlpha: 'add',
  sourceAlpha: 'one',
  destinationAlpha: 'zero',
  colorMask: 15,
} as const;

function fragmentKey(ir: Shader): FragmentKey {
  // No target for integer outputs: their formats would have to suit them.
  const targets = ir.outputs
    .filter(({ slot, base }) => /^color\d+$/.test(slot) && base === 'float')
    .reduce<FragmentKey['targets'][0][]>((list, { slot }) => {
      list[Number(slot.slice(5))] = { format: 'R8G8B8A8_UNORM', blend: OPAQUE };
      return list;
    }, []);
  return {
    targets: [...targets].map((target) => target ?? null),
    samples: 1,
    lateDepthStencil: null,
    countsSamples: false,
    alphaToCoverage: false,
    textures: [],
    quadsPerStep: 1,
  };
}

function mayBeTooComplex(ir: Shader): boolean {
  if (ir.usage.instructions > SAFE_INSTRUCTIONS) return true;
  let words = 0;
  for (const { length, components } of ir.locals) words += length * components;
  return words > SAFE_ARRAY_WORDS;
}

/** Throws TooComplexError if not even a plain variant of the shader can be made. Costs nothing for shaders of usual size. */
export function checkComplexity(ir: Shader): void {
  if (!mayBeTooComplex(ir)) return;
  const options = { sharedMemory: true };
  const textures = ir.samplers.map(() => null);
  if (ir.stage === 'vertex') compileVertexProgram(ir, { ...VERTEX_KEY, textures }, options);
  else compileFragmentProgram(ir, { ...fragmentKey(ir), textures }, options);
}
