// The contract between the shader core and the emitters of texture sampling, vertex fetch and colour output, which live in
// sample*.ts, vertex-format*.ts and blend*.ts: each is prepared once before the loop over quads or vertices (`begin…`, which may
// load constants of the draw into locals) and then emits code as often as it is used.
//
// Vectors are v128, one lane a vertex or pixel of a quad. All operands are locals or constants: reading them twice costs nothing.
// Each returned expression is emitted exactly once, in order, right away. Emitters may use `f.local` freely; what they make
// inside `emit` is released after it, what they make inside `begin…` lives as long as the function.
import type { Format } from '../format/format.ts';
import type { Stage, TexInfo, TexOp } from '../ir/ir.ts';
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ColorTargetKey, TextureKey } from './keys.ts';

export type Vector = Expr<'v128'>;

/** One texture instruction, in the terms of `TexInfo`. */
export interface TextureUse {
  readonly op: TexOp;
  readonly info: TexInfo;
}

export interface TextureRequest extends TextureUse {
  /** 2 or 3 components (floats; ints for fetch). */
  readonly coord: readonly Vector[];
  readonly comparator: Vector | null;
  readonly bias: Vector | null;
  /** Level of detail: float for `lod`, int for `fetch` and `size`. */
  readonly lod: Vector | null;
  readonly ddx: readonly Vector[] | null;
  readonly ddy: readonly Vector[] | null;
  /** All ones in lanes whose result matters; null: all do. Memory safety must not depend on it. */
  readonly mask: Vector | null;
  /** True if coordinates (and lod) are equal in all lanes. */
  readonly isUniform: boolean;
}

export interface TextureUnit {
  /** The result: 4 components (32-bit floats or ints), 1 with `shadow`. */
  emit(request: TextureRequest): readonly Vector[];
}

export interface TextureSetup {
  readonly f: FunctionBuilder;
  readonly key: TextureKey;
  /** Implicit derivatives are taken from the quad in the fragment stage; elsewhere the level is 0. */
  readonly stage: Stage;
  /** Address of the TEXTURE_BINDING. */
  readonly binding: Expr<'i32'>;
  /** Every instruction that will use the unit: decides what is worth preparing. */
  readonly uses: readonly TextureUse[];
}
export type BeginTexture = (setup: TextureSetup) => TextureUnit;

export interface ColorRequest {
  /** Address of the quad in the (first) plane of the sample: plane + quad · 4 · min(4, bytes of a pixel). */
  readonly address: Expr<'i32'>;
  /** Red, green, blue, alpha as the shader wrote them (unclamped floats, or ints for integer formats). */
  readonly color: readonly [Vector, Vector, Vector, Vector];
  /** The second source of dual-source blending, or null. */
  readonly secondary: readonly [Vector, Vector, Vector, Vector] | null;
  /** All ones in the lanes to be written; null: all four. */
  readonly mask: Vector | null;
}

export interface ColorUnit {
  /** Blends and stores one quad of one sample. */
  emit(request: ColorRequest): void;
}

export interface ColorSetup {
  readonly f: FunctionBuilder;
  readonly key: ColorTargetKey;
  /** Address of the DRAW (blend colour). */
  readonly draw: Expr<'i32'>;
}
export type BeginColor = (setup: ColorSetup) => ColorUnit;

export interface FetchRequest {
  readonly f: FunctionBuilder;
  readonly format: Format;
  /** What the shader's input is: an integer input of a float format or the reverse is undefined but harmless. */
  readonly base: 'float' | 'int' | 'uint';
  /** Address of the element of each lane; one address: the same for all lanes. All bytes of the element are readable. */
  readonly addresses: readonly Expr<'i32'>[];
  /** Bit c: component c is read. */
  readonly components: number;
}
/** Four components; absent ones are 0, 0, 0, 1. Those not asked for may be any expression. */
export type EmitVertexFetch = (request: FetchRequest) => readonly Vector[];

/** What the programs need from the emitters (see `default-emitters.ts`); tests may pass simpler ones. */
export interface Emitters {
  readonly beginTexture: BeginTexture;
  readonly beginColor: BeginColor;
  readonly emitVertexFetch: EmitVertexFetch;
}
