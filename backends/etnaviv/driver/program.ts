// Programs: a vertex and a fragment shader compiled for the core, and the way values take from one to the other.

import type { Shader } from '../../../src/ir/ir.ts';
import type { FragmentShaderState, ShaderDescription, VertexShaderState } from '../../../src/pipe/pipe.ts';
import { compileShader } from '../compiler/compile.ts';
import { type CompiledShader, DEFAULT_KEY, type ShaderKey } from '../compiler/compiled-shader.ts';
import { disassembleProgram } from '../isa/disassemble.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import type { EtnavivScreen } from './screen.ts';

/** Code of one variant of a shader; `code` holds its words on GPUs that fetch instructions from memory. */
export interface Variant {
  readonly compiled: CompiledShader;
  /** Indices of the uniform words that may change from draw to draw. */
  readonly changing: readonly number[];
  code: BufferObject | null;
}

function changingWords({ uniforms }: CompiledShader): number[] {
  return [...uniforms.keys()].filter((index) => !['unused', 'immediate'].includes(uniforms[index]!.kind));
}

abstract class EtnavivShader {
  readonly description: ShaderDescription;
  readonly #variants = new Map<string, Variant | string>();
  readonly #screen: EtnavivScreen;

  constructor(screen: EtnavivScreen, description: ShaderDescription) {
    this.#screen = screen;
    this.description = description;
  }

  get ir(): Shader {
    return this.description.ir;
  }

  /** Variants that were asked for so far. */
  get variantCount(): number {
    return this.#variants.size;
  }

  /** The code for a key, or the message why the GPU has none. */
  variant(key: ShaderKey = DEFAULT_KEY): Variant | string {
    // Why not always the key's own bit: a program that does not ask for the face needs one variant only.
    const asks = this.description.ir.usage.sysvals.has('frontFacing');
    const text = `${key.fragRbSwap},${key.clipHalfZ},${asks && key.frontClockwise}`;
    let found = this.#variants.get(text);
    if (found === undefined) {
      const result = compileShader(this.description.ir, this.#screen.target, {
        key,
        ...(this.#screen.debug.has('shaders') && {
          onProgram: (program) => console.error(`${this.description.ir.name}\n${disassembleProgram(program)}`),
        }),
      });
      found = result.ok
        ? { compiled: result.shader, changing: changingWords(result.shader), code: null }
        : result.message;
      this.#variants.set(text, found);
    }
    return found;
  }

  /** The buffer with the code, for GPUs with an instruction cache; null: out of memory. */
  codeBuffer(variant: Variant): BufferObject | null {
    if (variant.code) return variant.code;
    const { code } = variant.compiled;
    const buffer = this.#screen.createBuffer(code.byteLength);
    if (!buffer) return null;
    buffer.map().set(new Uint8Array(code.buffer, code.byteOffset, code.byteLength));
    this.#screen.winsys.finish(buffer);
    variant.code = buffer;
    return buffer;
  }

  destroy(): void {
    for (const variant of this.#variants.values()) {
      if (typeof variant !== 'string' && variant.code) this.#screen.releaseBuffer(variant.code);
    }
    this.#variants.clear();
  }
}

export class EtnavivVertexShader extends EtnavivShader implements VertexShaderState {
  readonly kind = 'vertexShader';
}

export class EtnavivFragmentShader extends EtnavivShader implements FragmentShaderState {
  readonly kind = 'fragmentShader';
}

/** A varying on its way: the temporary that the vertex program leaves it in, and what the fragment program makes of it. */
export interface LinkedVarying {
  readonly register: number;
  readonly components: number;
  readonly isFlat: boolean;
  readonly isPointCoord: boolean;
}

export interface LinkedProgram {
  readonly vertex: Variant;
  readonly fragment: Variant;
  readonly positionRegister: number;
  readonly pointSizeRegister: number | null;
  readonly varyings: readonly LinkedVarying[];
  readonly totalComponents: number;
  readonly hasFlat: boolean;
  /** Component at which gl_PointCoord stands among the varyings, or -1. */
  readonly pointCoordComponent: number;
}

const NO_REGISTER = 0;

/** Arranges the vertex program's outputs as the fragment program wants its inputs. */
export function linkProgram(vertex: Variant, fragment: Variant): LinkedProgram {
  const { outputs } = vertex.compiled;
  const find = (slot: string) => outputs.find((output) => output.slot === slot)?.register;
  let component = 0;
  let pointCoordComponent = -1;
  const varyings = fragment.compiled.inputs.map(({ slot, components, interpolation }): LinkedVarying => {
    const isPointCoord = slot === 'pointCoord';
    // Four bits a component: a varying starts where the one before ended.
    if (isPointCoord) pointCoordComponent = component;
    component += components;
    return {
      // A varying that nobody writes has no value: any register will do.
      register: isPointCoord ? NO_REGISTER : (find(slot) ?? NO_REGISTER),
      components,
      isFlat: interpolation === 'flat',
      isPointCoord,
    };
  });
  return {
    vertex,
    fragment,
    positionRegister: find('position') ?? NO_REGISTER,
    pointSizeRegister: find('pointSize') ?? null,
    varyings,
    totalComponents: component,
    hasFlat: varyings.some(({ isFlat }) => isFlat),
    pointCoordComponent,
  };
}
