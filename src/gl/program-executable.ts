// What a successful link leaves for draws: pipe shaders, uniform storage, sampler units and block bindings.

import { TooComplexError } from '../base/too-complex.ts';
import { type GlTypeInfo, glTypeInfo } from '../glsl/gl-types.ts';
import type { ActiveUniform, FeedbackLayout, LinkedProgram } from '../glsl/link-result.ts';
import type { FragmentShaderState, StreamOutputDescription, VertexShaderState } from '../pipe/state.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';

interface UniformUse {
  readonly type: GlTypeInfo;
  /** DIRTY bits of the stages that read it. */
  readonly dirty: number;
}

function useOf({ type, usedInVertex, usedInFragment }: ActiveUniform): UniformUse {
  const dirty = (usedInVertex ? DIRTY.VERTEX_UNIFORMS : 0) | (usedInFragment ? DIRTY.FRAGMENT_UNIFORMS : 0);
  return { type: glTypeInfo(type), dirty };
}

export interface Executable {
  readonly linked: LinkedProgram;
  readonly vertexState: VertexShaderState;
  readonly fragmentState: FragmentShaderState;
  /** Constant buffer 0: four words a slot, patterns of each uniform's own type. */
  readonly constants: Uint32Array;
  /** The same memory as floats. */
  readonly constantFloats: Float32Array;
  /** What setters need of each of `linked.uniforms`. */
  readonly uniforms: readonly UniformUse[];
  /** Texture unit of each sampler element. */
  readonly samplerUnits: Int32Array;
  /** Result of `samplerConflict`; undefined: to be found again. */
  samplerConflict: string | null | undefined;
  /** Uniform buffer binding point of each active block. */
  readonly blockBindings: Uint32Array;
  /** Bit i: the vertex shader reads attribute location i. */
  readonly attributeMask: number;
  /** Base type that the shader reads at each location, undefined where it reads none. */
  readonly attributeTypes: readonly ('float' | 'int' | 'uint' | undefined)[];
}

/** Throws TooComplexError with a line for the info log. */
export function createExecutable(context: Context, linked: LinkedProgram): Executable {
  const { pipe, limits } = context;
  const attributeTypes: ('float' | 'int' | 'uint' | undefined)[] = new Array(limits.maxVertexAttribs).fill(undefined);
  let attributeMask = 0;
  for (const attribute of linked.attributes) {
    if (attribute.location < 0) continue;
    for (let i = 0; i < attribute.locationCount; i++) {
      attributeMask |= 1 << (attribute.location + i);
      attributeTypes[attribute.location + i] = attribute.baseType;
    }
  }
  const vertexState = createState('vertex', () =>
    pipe.createVertexShaderState({
      ir: linked.vertex.shader,
      streamOutput: linked.feedback ? streamOutput(linked.feedback) : null,
    }),
  );
  let fragmentState: FragmentShaderState;
  try {
    fragmentState = createState('fragment', () =>
      pipe.createFragmentShaderState({ ir: linked.fragment.shader, streamOutput: null }),
    );
  } catch (error) {
    pipe.deleteVertexShaderState(vertexState);
    throw error;
  }
  const constants = linked.initialConstants.slice();
  return {
    linked,
    vertexState,
    fragmentState,
    constants,
    constantFloats: new Float32Array(constants.buffer),
    uniforms: linked.uniforms.map(useOf),
    samplerUnits: new Int32Array(linked.samplerElements.length),
    samplerConflict: undefined,
    blockBindings: new Uint32Array(linked.uniformBlocks.length),
    attributeMask,
    attributeTypes,
  };
}

/** Makes a shader state; what a backend says of a shader that is too complex gets the stage's name. */
function createState<State>(stage: 'vertex' | 'fragment', create: () => State): State {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    throw new TooComplexError(`The ${stage} shader is too complex: ${error.message}.`);
  }
}

function streamOutput(feedback: FeedbackLayout): StreamOutputDescription {
  return {
    varyings: feedback.varyings.flatMap((varying) =>
      varying.pieces.map((piece) => ({
        slot: piece.slot,
        firstComponent: piece.firstComponent,
        components: piece.componentCount,
        buffer: varying.buffer,
        offsetBytes: piece.offsetWords * 4,
      })),
    ),
    strideBytes: feedback.strideWords.map((words) => words * 4),
  };
}

export function destroyExecutable(context: Context, executable: Executable): void {
  const { pipe, pipeState } = context;
  if (pipeState.executable === executable) {
    pipe.bindVertexShaderState(null);
    pipe.bindFragmentShaderState(null);
    pipeState.executable = null;
    context.dirty |= DIRTY.PROGRAM;
  }
  pipe.deleteVertexShaderState(executable.vertexState);
  pipe.deleteFragmentShaderState(executable.fragmentState);
}
