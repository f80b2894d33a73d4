// Typed expressions for hand-written kernels, and the per-type namespaces (`f.f32x4.mul(a, b)`) made from the opcode table.
//
// An expression is a recipe, not a value: its code is emitted where it is used, and again at every further use, and it reads
// locals and memory as they are at that point. Name a value that is used twice, or that must be read now, with `f.let(expr)`.
import type { FunctionBuilder } from './function-builder.ts';
import { OPCODES, type OpcodeName, type OpcodeRow } from './opcodes.table.ts';
import {
  type MethodName,
  type Namespace,
  TYPE_OF_LETTER,
  type TypeLetter,
  type ValueType,
  WasmBuildError,
} from './types.ts';

export class Expr<T extends ValueType = ValueType> {
  readonly type: T;
  /** Appends the code that leaves the value on the stack. */
  readonly emit: (f: FunctionBuilder) => void;

  constructor(type: T, emit: (f: FunctionBuilder) => void) {
    this.type = type;
    this.emit = emit;
  }
}

/** A local variable; as an expression it reads the variable. */
export class Local<T extends ValueType = ValueType> extends Expr<T> {
  readonly index: number;
  readonly owner: FunctionBuilder;
  isReleased = false;

  constructor(type: T, index: number, owner: FunctionBuilder) {
    super(type, (f) => {
      if (f !== owner) throw new WasmBuildError(`local ${index} belongs to '${owner.name}', not to '${f.name}'`);
      if (this.isReleased) throw new WasmBuildError(`local ${index} of '${owner.name}' is used after its scope ended`);
      f.localGet(index);
    });
    this.index = index;
    this.owner = owner;
  }
}

/** What an operand may be: an expression, or a literal (for v128: splatted in the lane type of the instruction's namespace). */
export type Operand<T extends ValueType> = Expr<T> | (T extends 'i64' ? bigint | number : number);

/** Number of the constant's lane type a v128 literal is splatted with. */
type LaneShape = 'i8x16' | 'i16x8' | 'i32x4' | 'i64x2' | 'f32x4' | 'f64x2';
const LANE_SHAPES: readonly string[] = ['i8x16', 'i16x8', 'i32x4', 'i64x2', 'f32x4', 'f64x2'];

/** Sixteen bytes of a vector constant: one number is splatted, else as many as there are lanes. */
export function vectorBytes(shape: LaneShape, lanes: readonly (number | bigint)[]): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const count = Number(shape.slice(shape.indexOf('x') + 1));
  if (lanes.length !== 1 && lanes.length !== count)
    throw new WasmBuildError(`${shape} constant of ${lanes.length} lanes`);
  for (let lane = 0; lane < count; lane++) {
    const value = lanes.length === 1 ? lanes[0] : lanes[lane];
    if (shape === 'i64x2') view.setBigInt64(lane * 8, BigInt(value), true);
    else if (shape === 'f64x2') view.setFloat64(lane * 8, Number(value), true);
    else if (shape === 'f32x4') view.setFloat32(lane * 4, Number(value), true);
    else if (shape === 'i32x4') view.setInt32(lane * 4, Number(value), true);
    else if (shape === 'i16x8') view.setInt16(lane * 2, Number(value), true);
    else view.setInt8(lane, Number(value));
  }
  return bytes;
}

/** Turns an operand into an expression of the wanted type, or says what is wrong with it. */
export function toExpr(operand: Expr | number | bigint, type: ValueType, where: string, shape?: string): Expr {
  if (operand instanceof Expr) {
    if (operand.type !== type) throw new WasmBuildError(`${where} takes ${type}, got ${operand.type}`);
    return operand;
  }
  if (typeof operand !== 'number' && typeof operand !== 'bigint')
    throw new WasmBuildError(`${where} takes ${type}, got ${operand}`);
  if (type === 'v128') {
    if (shape === undefined || !LANE_SHAPES.includes(shape)) {
      throw new WasmBuildError(`${where}: a literal vector needs a lane type, write f.i32x4.const(${operand})`);
    }
    const bytes = vectorBytes(shape as LaneShape, [operand]);
    return new Expr('v128', (f) => f.vectorConst(bytes));
  }
  if (type === 'i64') return new Expr('i64', (f) => f.i64Const(BigInt(operand)));
  const value = Number(operand);
  if (type === 'i32') {
    if (!Number.isInteger(value) || value < -0x80000000 || value > 0xffffffff) {
      throw new WasmBuildError(`${where}: ${value} is no 32-bit integer`);
    }
    return new Expr('i32', (f) => f.i32Const(value));
  }
  return new Expr(type, type === 'f32' ? (f) => f.f32Const(value) : (f) => f.f64Const(value));
}

type Letters<S extends string> = S extends `${infer H extends TypeLetter}${infer R}`
  ? [Operand<(typeof TYPE_OF_LETTER)[H]>, ...Letters<R>]
  : [];
type Immediates<R> = R extends readonly [number, number, string, string, infer I, ...unknown[]]
  ? I extends 'memory'
    ? [offset?: number]
    : I extends 'lane'
      ? [lane: number]
      : I extends 'memoryLane'
        ? [lane: number, offset?: number]
        : I extends 'shuffle'
          ? [lanes: readonly number[]]
          : []
  : [];
type Result<S> = S extends TypeLetter ? Expr<(typeof TYPE_OF_LETTER)[S]> : undefined;
type Method<R> = R extends readonly [number, number, infer A extends string, infer B, ...unknown[]]
  ? (...operandsThenImmediates: [...Letters<A>, ...Immediates<R>]) => Result<B>
  : never;

type Constants = {
  i32: { const(value: number): Expr<'i32'> };
  i64: { const(value: bigint | number): Expr<'i64'> };
  f32: { const(value: number): Expr<'f32'> };
  f64: { const(value: number): Expr<'f64'> };
  i8x16: { const(...lanes: number[]): Expr<'v128'> };
  i16x8: { const(...lanes: number[]): Expr<'v128'> };
  i32x4: { const(...lanes: number[]): Expr<'v128'> };
  i64x2: { const(...lanes: (bigint | number)[]): Expr<'v128'> };
  f32x4: { const(...lanes: number[]): Expr<'v128'> };
  f64x2: { const(...lanes: number[]): Expr<'v128'> };
};

/** `f.i32`, `f.f32x4`, …: a method per opcode. Operands come first, then immediates (offset, lane). Instructions without a
 * result (stores) are emitted at once; the others return an expression. */
export type OpNamespace<N extends Namespace> = {
  [K in OpcodeName as MethodName<K, N>]: Method<(typeof OPCODES)[K]>;
} & (N extends keyof Constants ? Constants[N] : unknown);

type Bound = { f: FunctionBuilder };

/** The types of a row's operands; few rows differ in them. */
const operandTypes = new Map<string, readonly ValueType[]>();

function operandTypesOf(letters: string): readonly ValueType[] {
  let types = operandTypes.get(letters);
  if (types === undefined) {
    types = [...letters].map((letter) => TYPE_OF_LETTER[letter as TypeLetter]);
    operandTypes.set(letters, types);
  }
  return types;
}

function makeMethod(name: OpcodeName): (this: Bound, ...args: unknown[]) => Expr | undefined {
  const row: OpcodeRow = OPCODES[name];
  const types = operandTypesOf(row[2]);
  const count = types.length;
  const result = row[3] === '' ? undefined : TYPE_OF_LETTER[row[3] as TypeLetter];
  const isShuffle = row[4] === 'shuffle';
  return function (this: Bound, ...args: unknown[]) {
    // Every instruction of every shader passes here, so `args` is kept, and texts are made for literals and errors only.
    for (let i = 0; i < count; i++) {
      const operand = args[i];
      if (operand instanceof Expr && operand.type === types[i]) continue;
      const shape = name.slice(0, name.indexOf('.'));
      args[i] = toExpr(operand as Expr | number, types[i]!, `${name} operand ${i}`, shape);
    }
    const emit = (f: FunctionBuilder): void => {
      for (let i = 0; i < count; i++) (args[i] as Expr).emit(f);
      if (isShuffle) f.shuffle(args[count] as readonly number[]);
      else f.op(name, args[count] as number | undefined, args[count + 1] as number | undefined);
    };
    if (result !== undefined) return new Expr(result, emit);
    emit(this.f);
    return undefined;
  };
}

const NUMBER_TYPES: readonly string[] = ['i32', 'i64', 'f32', 'f64'];

function makeNamespace(space: string): object {
  const methods: Record<string, unknown> = {};
  const prefix = `${space}.`;
  for (const name of Object.keys(OPCODES) as OpcodeName[])
    if (name.startsWith(prefix)) methods[name.slice(prefix.length).replaceAll('.', '_')] = makeMethod(name);
  if (LANE_SHAPES.includes(space)) {
    methods['const'] = (...lanes: (number | bigint)[]) => {
      const bytes = vectorBytes(space as LaneShape, lanes);
      return new Expr('v128', (f) => f.vectorConst(bytes));
    };
  }
  if (NUMBER_TYPES.includes(space)) {
    methods['const'] = (value: number | bigint) => toExpr(value, space as ValueType, `${prefix}const`);
  }
  return methods;
}

/** Made at first use: a first triangle needs half of them. */
const namespaces = new Map<string, object>();

export function bindNamespace<N extends Namespace>(space: N, f: FunctionBuilder): OpNamespace<N> {
  let methods = namespaces.get(space);
  if (methods === undefined) namespaces.set(space, (methods = makeNamespace(space)));
  const bound = Object.create(methods) as Bound;
  bound.f = f;
  return bound as unknown as OpNamespace<N>;
}
