// Value types, limits and errors shared by the encoder and its users.
import { TooComplexError } from '../base/too-complex.ts';
import type { OPCODES } from './opcodes.table.ts';

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

export const VALUE_TYPE_CODES = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const satisfies Record<
  ValueType,
  number
>;

/** The table's one-letter spelling of a value type. */
export const TYPE_OF_LETTER = { i: 'i32', l: 'i64', f: 'f32', d: 'f64', v: 'v128' } as const;
export type TypeLetter = keyof typeof TYPE_OF_LETTER;

/** What V8 accepts in one function (kV8MaxWasmFunctionLocals, kV8MaxWasmFunctionSize). */
export const MAX_FUNCTION_LOCALS = 50_000;
export const MAX_FUNCTION_BYTES = 7_654_321;

/** The error for a function that is larger than an engine compiles. */
export function tooComplex(functionName: string, amount: number, what: 'locals' | 'bytes'): TooComplexError {
  return new TooComplexError(`function '${functionName}' is too complex: ${amount} ${what}`);
}

/** A mistake in the program that builds the code (wrong operand type, unbalanced block). */
export class WasmBuildError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WasmBuildError';
  }
}

/** Something that can be called: an imported function or one under construction. */
export interface Callable {
  readonly index: number;
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

type Table = typeof OPCODES;

/** 'i32.atomic.rmw.add' without its namespace, dots as underscores: the method name 'atomic_rmw_add'. */
type Underscored<S extends string> = S extends `${infer A}.${infer B}` ? `${A}_${Underscored<B>}` : S;
export type MethodName<K extends string, N extends string> = K extends `${N}.${infer M}` ? Underscored<M> : never;
export type Namespace = keyof Table extends infer K ? (K extends `${infer N}.${string}` ? N : never) : never;
