// Shader states: the IR, what draws need to know of it, and the code compiled from it so far, oldest first out.

import type { BodyNode, Interpolation, Shader } from '../../src/ir/ir.ts';
import type { FragmentShaderState, ShaderDescription, VertexShaderState } from '../../src/pipe/pipe.ts';
import type { PipelineCache } from './pipeline-cache.ts';
import { SoftState } from './state.ts';

/** Variants that one shader keeps. State that changes code is small, so few shaders ever have more than a handful. */
const MAX_VARIANTS = 64;

function containsLoop(nodes: readonly BodyNode[]): boolean {
  return nodes.some(
    (node) =>
      node.kind === 'loop' || (node.kind === 'if' && (containsLoop(node.thenBody) || containsLoop(node.elseBody))),
  );
}

/** One past the highest varying slot of a list of inputs or outputs. */
function countSlots(variables: Shader['inputs']): number {
  let slots = 0;
  for (const { slot } of variables) if (slot.startsWith('var')) slots = Math.max(slots, Number(slot.slice(3)) + 1);
  return slots;
}

/** Bit i: the input in varying slot i is interpolated so. */
function maskOfSlots(variables: Shader['inputs'], wanted: Interpolation): number {
  let mask = 0;
  for (const { slot, interpolation } of variables) {
    if (interpolation === wanted && slot.startsWith('var')) mask |= 1 << Number(slot.slice(3));
  }
  return mask;
}

/** A shader of either stage with its compiled variants by key text. */
export class SoftShader<Kind extends 'vertexShader' | 'fragmentShader', Variant> extends SoftState<
  Kind,
  ShaderDescription
> {
  readonly hasLoops: boolean;
  /** Varying slots that it writes (vertex) or reads (fragment). */
  readonly varyingSlots: number;
  readonly flatMask: number;
  readonly noperspectiveMask: number;
  /** Vertex shaders: slots of clip and cull distances. */
  readonly distanceSlots: number;
  /** Fragment shaders: what was resolved with this shader bound. */
  pipelines: PipelineCache | null = null;
  readonly #variants = new Map<string, Variant>();

  constructor(kind: Kind, description: ShaderDescription) {
    super(kind, description);
    const { ir } = description;
    this.hasLoops = ir.functions.some((f) => containsLoop(f.body));
    this.varyingSlots = countSlots(kind === 'vertexShader' ? ir.outputs : ir.inputs);
    this.flatMask = maskOfSlots(ir.inputs, 'flat');
    this.noperspectiveMask = maskOfSlots(ir.inputs, 'noperspective');
    this.distanceSlots = Math.ceil((ir.clipDistances + ir.cullDistances) / 4);
  }

  /** The variant of `key`, made by `compile` when it is new. */
  variant(key: string, compile: () => Variant): Variant {
    let variant = this.#variants.get(key);
    if (variant === undefined) {
      variant = compile();
      if (this.#variants.size >= MAX_VARIANTS) this.#variants.delete(this.#variants.keys().next().value!);
      this.#variants.set(key, variant);
    }
    return variant;
  }

  destroy(): void {
    this.#variants.clear();
    this.pipelines = null;
  }
}

export type VerticesFunction = (draw: number, ids: number, count: number, out: number, instance: number) => unknown;
export type ShadeFunction = (tile: number, queue: number, count: number) => number;
export type SoftVertexShader = SoftShader<'vertexShader', VerticesFunction> & VertexShaderState;
export type SoftFragmentShader = SoftShader<'fragmentShader', ShadeFunction> & FragmentShaderState;
