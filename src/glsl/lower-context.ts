// What the lowering of one shader carries along: builder, interface, symbols and the functions still to be lowered.
// SPDX-License-Identifier: MIT
import type { Builder } from '../ir/builder.ts';
import type { IrFunction, Shader, Slot, Value, Variable } from '../ir/ir.ts';
import type { CheckedShader, ConstantValue, FunctionSymbol, VariableSymbol } from './ast.ts';
import type { TypeLayout } from './block-layout.ts';
import type { ConstantPool } from './constant-pool.ts';
import { irTypeOf } from './lower-values.ts';

/** Where one vector of an input or output stands. */
export interface VectorSlot {
  readonly slot: Slot;
  /** First component used in the slot. */
  readonly component: number;
}

/** What the linker decided for one stage; names are GLSL names. */
export interface StageInterface {
  /** Default-block uniforms: first slot in constant buffer 0 and first index of the stage's sampler list. */
  readonly uniforms: ReadonlyMap<string, UniformPlacement>;
  /** Uniform blocks: index of the (first) IR uniform buffer and memory layout. */
  readonly blocks: ReadonlyMap<string, BlockPlacement>;
  /** Inputs to load: for each scalar, vector and matrix column in order its slot. */
  readonly inputs: ReadonlyMap<string, readonly VectorSlot[]>;
  /** Outputs to store; an output that is not listed is not needed by anybody. */
  readonly outputs: ReadonlyMap<string, readonly VectorSlot[]>;
  /** Number of colour outputs that gl_FragColor is written to. */
  readonly fragColorCount: number;
  readonly constants: ConstantPool;
  /** Variables that code reachable from main names. */
  readonly used: ReadonlySet<VariableSymbol>;
}

export interface UniformPlacement {
  readonly slot: number;
  readonly sampler: number;
}

export interface BlockPlacement {
  readonly index: number;
  readonly layout: TypeLayout;
}

/**
 * Which samplers an opaque value may be. Element number = `base` + the run-time `offset` (0 when undefined), and the
 * offset is one of `candidates`.
 */
export interface SamplerChoice {
  readonly base: number;
  readonly offset: Value | undefined;
  readonly candidates: readonly number[];
}

/** A sampler parameter inside of a specialised function: the offset comes in through a hidden int parameter. */
export interface SamplerParameter {
  readonly base: number;
  readonly candidates: readonly number[];
  readonly offset: Variable | undefined;
}

/** One IR function made from a GLSL function for one set of sampler arguments. */
export interface FunctionInstance {
  readonly symbol: FunctionSymbol;
  readonly function: IrFunction;
  readonly variables: Map<VariableSymbol, Variable>;
  readonly samplers: Map<VariableSymbol, SamplerParameter>;
  readonly result: Variable | undefined;
}

/** What `break` and `continue` mean where a statement stands. */
export interface JumpTarget {
  readonly kind: 'loop' | 'switchTail' | 'switchLoop';
  /** Of a switch lowered as a loop: set before leaving it when the loop around it is to continue. */
  continueFlag: Variable | undefined;
}

export interface LowerContext {
  readonly checked: CheckedShader;
  readonly shader: Shader;
  readonly b: Builder;
  readonly io: StageInterface;
  readonly globals: Map<VariableSymbol, Variable>;
  readonly instances: Map<string, FunctionInstance>;
  readonly functionNumbers: Map<FunctionSymbol, number>;
  /** Made by a call, body not yet lowered. */
  readonly pending: FunctionInstance[];
  /** Constant arrays that are indexed at run time → first slot in constant buffer 0. */
  readonly constantTables: Map<ConstantValue, number>;
  /** Elements of gl_FragData that some code writes. */
  readonly fragDataWritten: Set<number>;
  current: FunctionInstance;
  jumps: JumpTarget[];
}

/** The IR variable of a local, parameter or global symbol, made when first asked for. */
export function variableOf(ctx: LowerContext, symbol: VariableSymbol): Variable {
  const isLocal = symbol.storage === 'local' || symbol.storage === 'parameter' || symbol.storage === 'const';
  const map = isLocal ? ctx.current.variables : ctx.globals;
  let variable = map.get(symbol);
  if (variable === undefined) {
    const precision = symbol.precision === 'lowp' ? 'low' : symbol.precision === 'mediump' ? 'medium' : 'high';
    const type = irTypeOf(symbol.type);
    variable = isLocal ? ctx.b.temporary(symbol.name, type, precision) : ctx.b.global(symbol.name, type, precision);
    map.set(symbol, variable);
  }
  return variable;
}
