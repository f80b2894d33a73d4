// Shader states: the IR and the variants compiled from it so far, oldest first out.

import type { FragmentShaderState, ShaderDescription, VertexShaderState } from '../../src/pipe/pipe.ts';

/** Variants that one shader keeps. State that changes code is small, so few shaders ever have more than a handful. */
const MAX_VARIANTS = 64;

let nextShaderId = 1;

/** A shader of either stage with its compiled variants by key text. */
export class SoftShader<Kind extends 'vertexShader' | 'fragmentShader', Variant> {
  readonly kind: Kind;
  readonly id = nextShaderId++;
  readonly description: ShaderDescription;
  readonly #variants = new Map<string, Variant>();

  constructor(kind: Kind, description: ShaderDescription) {
    this.kind = kind;
    this.description = description;
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
  }
}

export type VerticesFunction = (draw: number, ids: number, count: number, out: number, instance: number) => unknown;
export type ShadeFunction = (tile: number, queue: number, count: number) => unknown;
export type SoftVertexShader = SoftShader<'vertexShader', VerticesFunction> & VertexShaderState;
export type SoftFragmentShader = SoftShader<'fragmentShader', ShadeFunction> & FragmentShaderState;
