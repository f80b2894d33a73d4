// Builds one WebAssembly function, in two styles that mix freely:
// - stack style (`localGet`, `op`, `beginIf`, `end`): one call an instruction, for code generators;
// - expression style (`f.f32x4.mul(a, b)`, `f.if(cond, () => …)`, `f.let(expr)`): typed, for hand-written kernels (see expr.ts).

import { ByteWriter } from './byte-writer.ts';
import { MOVES_CONSTANTS } from './engine.ts';
import { bindNamespace, Expr, Local, type Operand, type OpNamespace, toExpr, vectorBytes } from './expr.ts';
import { OPCODES, type OpcodeName, type OpcodeRow } from './opcodes.table.ts';
import {
  type Callable,
  MAX_FUNCTION_BYTES,
  MAX_FUNCTION_LOCALS,
  type Namespace,
  tooComplex,
  VALUE_TYPE_CODES,
  type ValueType,
  WasmBuildError,
} from './types.ts';

const ROWS: Record<string, OpcodeRow> = OPCODES;
const EMPTY_BLOCK = 0x40;

/** A branch target: the block, loop or if it was opened with. */
export interface Label {
  readonly depth: number;
}

/** The two targets of a structured loop. */
export interface LoopLabels {
  readonly break: Label;
  readonly continue: Label;
}

export interface GlobalHandle<T extends ValueType = ValueType> {
  readonly index: number;
  readonly type: T;
}

/** What is emitted in front of a loop while its body is. */
interface Ahead {
  /** Where in the code. */
  readonly at: number;
  readonly code: ByteWriter;
  /** Whether vector constants are made here. */
  readonly takesConstants: boolean;
  /** Locals of constants by `constantKey`. */
  readonly constants: Map<number | string, number>;
}

const SPLAT = new Uint32Array(4);
const SPLAT_BYTES = new Uint8Array(SPLAT.buffer);

/** Zeros and ones are made by one instruction. */
function isCheap(bytes: Uint8Array): boolean {
  const first = bytes[0]!;
  if (first !== 0 && first !== 255) return false;
  for (let i = 1; i < 16; i++) if (bytes[i] !== first) return false;
  return true;
}

const KEY = new Uint32Array(4);
const KEY_BYTES = new Uint8Array(KEY.buffer);

/** The pattern of all four lanes as a number, else the lanes as text. */
function constantKey(bytes: Uint8Array): number | string {
  KEY_BYTES.set(bytes);
  const [first] = KEY;
  return first === KEY[1] && first === KEY[2] && first === KEY[3] ? first! : KEY.join();
}

function noLocals(): Record<ValueType, number[]> {
  return { i32: [], i64: [], f32: [], f64: [], v128: [] };
}

export class FunctionBuilder implements Callable {
  readonly index: number;
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
  code = new ByteWriter(4096);
  private readonly localTypes: ValueType[];
  private freeLocals = noLocals();
  private scopeLocals: Local[] | null = null;
  private depth = 0;
  private readonly namespaces = new Map<Namespace, unknown>();
  private ahead: Ahead | null = null;

  constructor(index: number, name: string, params: readonly ValueType[], results: readonly ValueType[]) {
    this.index = index;
    this.name = name;
    this.params = params;
    this.results = results;
    this.localTypes = [...params];
  }

  // ---- Stack style -------------------------------------------------------------------------------------------------------

  /** Any instruction of the table. Immediates: memory → (offset, alignment?); lane → (lane); memoryLane → (lane, offset). */
  op(name: OpcodeName, immediate0 = 0, immediate1 = 0): void {
    const row = ROWS[name];
    if (row === undefined) throw new WasmBuildError(`no instruction '${name}'`);
    const code = this.code;
    if (row[0] === 0) code.u8(row[1]);
    else {
      code.u8(row[0]);
      code.u32(row[1]);
    }
    if (row.length === 4) return;
    switch (row[4]) {
      case 'memory':
        code.u32(row[5]!);
        code.u32(immediate0);
        break;
      case 'memoryLane':
        code.u32(row[5]!);
        code.u32(immediate1);
        code.u8(immediate0);
        break;
      case 'lane':
        code.u8(immediate0);
        break;
      case 'zero':
        code.u8(0);
        break;
      case 'zero2':
        code.u8(0);
        code.u8(0);
        break;
      case 'shuffle':
        throw new WasmBuildError('i8x16.shuffle takes sixteen lanes: use shuffle()');
    }
  }

  shuffle(lanes: readonly number[]): void {
    if (lanes.length !== 16) throw new WasmBuildError(`shuffle of ${lanes.length} lanes`);
    this.code.u8(0xfd);
    this.code.u8(0x0d);
    for (const lane of lanes) this.code.u8(lane);
  }

  i32Const(value: number): void {
    this.code.u8(0x41);
    this.code.s32(value);
  }

  i64Const(value: bigint): void {
    this.code.u8(0x42);
    this.code.s64(value);
  }

  f32Const(value: number): void {
    this.code.u8(0x43);
    this.code.f32(value);
  }

  f64Const(value: number): void {
    this.code.u8(0x44);
    this.code.f64(value);
  }

  vectorConst(bytes: Uint8Array): void {
    if (this.ahead?.takesConstants && !isCheap(bytes)) {
      const key = constantKey(bytes);
      const known = this.ahead.constants.get(key);
      this.localGet(known ?? this.constantAhead(this.ahead, key, bytes));
      return;
    }
    this.code.u8(0xfd);
    this.code.u8(0x0c);
    this.code.append(bytes);
  }

  private constantAhead({ code, constants }: Ahead, key: number | string, bytes: Uint8Array): number {
    // Never one that was given back: between the place ahead and here it had another use.
    const local = this.addLocal('v128');
    constants.set(key, local);
    code.u8(0xfd);
    code.u8(0x0c);
    code.append(bytes);
    code.u8(0x21);
    code.u32(local);
    return local;
  }

  /** A v128 constant with the same 32-bit pattern in each lane. */
  splatConst(bits: number): void {
    if (this.ahead?.takesConstants) {
      SPLAT.fill(bits);
      return this.vectorConst(SPLAT_BYTES);
    }
    this.code.u8(0xfd);
    this.code.u8(0x0c);
    for (let lane = 0; lane < 4; lane++) this.code.word(bits);
  }

  localGet(index: number): void {
    this.code.u8(0x20);
    this.code.u32(index);
  }

  localSet(index: number): void {
    this.code.u8(0x21);
    this.code.u32(index);
  }

  localTee(index: number): void {
    this.code.u8(0x22);
    this.code.u32(index);
  }

  globalGet(index: number): void {
    this.code.u8(0x23);
    this.code.u32(index);
  }

  globalSet(index: number): void {
    this.code.u8(0x24);
    this.code.u32(index);
  }

  /** Reserves a local (a freed one if there is one; its old content is not cleared). */
  newLocal(type: ValueType): number {
    const free = this.freeLocals[type].pop();
    return free ?? this.addLocal(type);
  }

  private addLocal(type: ValueType): number {
    if (this.localTypes.length >= MAX_FUNCTION_LOCALS) {
      throw tooComplex(this.name, this.localTypes.length + 1, 'locals');
    }
    return this.localTypes.push(type) - 1;
  }

  freeLocal(index: number): void {
    this.freeLocals[this.localTypes[index]].push(index);
  }

  localType(index: number): ValueType {
    return this.localTypes[index];
  }

  get localCount(): number {
    return this.localTypes.length;
  }

  private begin(opcode: number, result: ValueType | undefined): Label {
    this.code.u8(opcode);
    this.code.u8(result === undefined ? EMPTY_BLOCK : VALUE_TYPE_CODES[result]);
    return { depth: ++this.depth };
  }

  beginBlock(result?: ValueType): Label {
    return this.begin(0x02, result);
  }

  beginLoop(result?: ValueType): Label {
    return this.begin(0x03, result);
  }

  /** The condition is on the stack. */
  beginIf(result?: ValueType): Label {
    return this.begin(0x04, result);
  }

  beginElse(): void {
    this.code.u8(0x05);
  }

  end(): void {
    if (this.depth === 0) throw new WasmBuildError(`'${this.name}': end without a block`);
    this.depth--;
    this.code.u8(0x0b);
  }

  br(label: Label): void {
    this.code.u8(0x0c);
    this.code.u32(this.distance(label));
  }

  /** Branches when the condition (given, or on the stack) is not zero. */
  brIf(label: Label, condition?: Operand<'i32'>): void {
    if (condition !== undefined) toExpr(condition, 'i32', 'brIf').emit(this);
    this.code.u8(0x0d);
    this.code.u32(this.distance(label));
  }

  /** The selector is on the stack; label i is taken for i, the last one for everything beyond. */
  brTable(labels: readonly Label[]): void {
    this.code.u8(0x0e);
    this.code.u32(labels.length - 1);
    for (const label of labels) this.code.u32(this.distance(label));
  }

  private distance(label: Label): number {
    const distance = this.depth - label.depth;
    if (distance < 0) throw new WasmBuildError(`'${this.name}': branch to a block that has ended`);
    return distance;
  }

  emitReturn(): void {
    this.code.u8(0x0f);
  }

  emitDrop(): void {
    this.code.u8(0x1a);
  }

  /** value, value, i32 condition on the stack; the first value if the condition is not zero. */
  emitSelect(): void {
    this.code.u8(0x1b);
  }

  emitUnreachable(): void {
    this.code.u8(0x00);
  }

  emitCall(callee: Callable): void {
    this.code.u8(0x10);
    this.code.u32(callee.index);
  }

  // ---- Expression style --------------------------------------------------------------------------------------------------

  private space<N extends Namespace>(name: N): OpNamespace<N> {
    let bound = this.namespaces.get(name) as OpNamespace<N> | undefined;
    if (bound === undefined) this.namespaces.set(name, (bound = bindNamespace(name, this)));
    return bound;
  }

  get i32(): OpNamespace<'i32'> {
    return this.space('i32');
  }
  get i64(): OpNamespace<'i64'> {
    return this.space('i64');
  }
  get f32(): OpNamespace<'f32'> {
    return this.space('f32');
  }
  get f64(): OpNamespace<'f64'> {
    return this.space('f64');
  }
  get v128(): OpNamespace<'v128'> {
    return this.space('v128');
  }
  get i8x16(): OpNamespace<'i8x16'> {
    return this.space('i8x16');
  }
  get i16x8(): OpNamespace<'i16x8'> {
    return this.space('i16x8');
  }
  get i32x4(): OpNamespace<'i32x4'> {
    return this.space('i32x4');
  }
  get i64x2(): OpNamespace<'i64x2'> {
    return this.space('i64x2');
  }
  get f32x4(): OpNamespace<'f32x4'> {
    return this.space('f32x4');
  }
  get f64x2(): OpNamespace<'f64x2'> {
    return this.space('f64x2');
  }
  get memory(): OpNamespace<'memory'> {
    return this.space('memory');
  }
  get atomic(): OpNamespace<'atomic'> {
    return this.space('atomic');
  }

  /** Parameter i as a local. */
  param<T extends ValueType>(type: T, index: number): Local<T> {
    if (this.params[index] !== type) throw new WasmBuildError(`parameter ${index} of '${this.name}' is no ${type}`);
    return new Local(type, index, this);
  }

  /** A new variable that lives to the end of the enclosing body (`if`, `loop`, `scope`, …). Without `init` its content is
   * unspecified until set. */
  local<T extends ValueType>(type: T, init?: Operand<T>): Local<T> {
    const local = new Local(type, this.newLocal(type), this);
    this.scopeLocals?.push(local);
    if (init !== undefined) this.set(local, init);
    return local;
  }

  /** A new variable that outlives the enclosing bodies: to the end of the function, or until it is released. */
  outerLocal<T extends ValueType>(type: T): Local<T> {
    return new Local(type, this.newLocal(type), this);
  }

  /** A new variable holding the expression's value now. */
  let<T extends ValueType>(expression: Expr<T>): Local<T> {
    return this.local(expression.type, expression as Operand<T>);
  }

  set<T extends ValueType>(local: Local<T>, value: Operand<T>): void {
    if (local.owner !== this || local.isReleased)
      throw new WasmBuildError(`'${this.name}': set of a foreign or ended local`);
    toExpr(value, local.type, 'set').emit(this);
    this.localSet(local.index);
  }

  /** Gives the variable's slot back before its scope ends. */
  release(local: Local): void {
    if (local.isReleased) return;
    local.isReleased = true;
    this.freeLocal(local.index);
  }

  /** Runs a body whose variables end with it. */
  scope(body: () => void): void {
    const outer = this.scopeLocals;
    const own: Local[] = [];
    this.scopeLocals = own;
    body();
    this.scopeLocals = outer;
    for (const local of own) this.release(local);
  }

  // ---- Ahead of a loop ---------------------------------------------------------------------------------------------------

  /**
   * From here to `endAhead`, `emitAhead` emits at this place, and so are vector constants, which are kept in locals. For loops: the
   * TurboFan of Node 20 and 22 moves what does not change out of them by itself, that of Node 24 does not.
   */
  beginAhead(takesConstants = !MOVES_CONSTANTS): void {
    if (this.ahead !== null) throw new WasmBuildError(`'${this.name}': beginAhead in beginAhead`);
    this.ahead = { at: this.code.length, code: new ByteWriter(256), takesConstants, constants: new Map() };
  }

  /** Runs a body that emits at the place of `beginAhead`. It may read what is set there and nowhere else; its variables stay. */
  emitAhead<T>(body: () => T): T {
    const { ahead, code, freeLocals, scopeLocals } = this;
    if (ahead === null) return body();
    this.ahead = null;
    this.code = ahead.code;
    this.freeLocals = noLocals();
    this.scopeLocals = null;
    const result = body();
    this.ahead = ahead;
    this.code = code;
    this.freeLocals = freeLocals;
    this.scopeLocals = scopeLocals;
    return result;
  }

  endAhead(): void {
    const { ahead, code } = this;
    if (ahead === null) throw new WasmBuildError(`'${this.name}': endAhead without beginAhead`);
    this.ahead = null;
    code.insert(ahead.at, ahead.code.written());
  }

  global<T extends ValueType>(handle: GlobalHandle<T>): Expr<T> {
    return new Expr(handle.type, (f) => f.globalGet(handle.index));
  }

  setGlobal<T extends ValueType>(handle: GlobalHandle<T>, value: Operand<T>): void {
    toExpr(value, handle.type, 'setGlobal').emit(this);
    this.globalSet(handle.index);
  }

  /** Evaluates for its effect only. */
  drop(expression: Expr): void {
    expression.emit(this);
    this.emitDrop();
  }

  /** `condition ? whenTrue : whenFalse`, both evaluated. The type is that of the first expression among the two. */
  select<T extends ValueType>(condition: Operand<'i32'>, whenTrue: Expr<T>, whenFalse: Operand<T>): Expr<T> {
    const a = whenTrue;
    const b = toExpr(whenFalse, a.type, 'select');
    const c = toExpr(condition, 'i32', 'select condition');
    return new Expr(a.type, (f) => {
      a.emit(f);
      b.emit(f);
      c.emit(f);
      f.emitSelect();
    });
  }

  /** `condition ? whenTrue : whenFalse`, only one of the two evaluated. */
  choose<T extends ValueType>(condition: Operand<'i32'>, whenTrue: Expr<T>, whenFalse: Operand<T>): Expr<T> {
    const b = toExpr(whenFalse, whenTrue.type, 'choose');
    const c = toExpr(condition, 'i32', 'choose condition');
    return new Expr(whenTrue.type, (f) => {
      c.emit(f);
      f.beginIf(whenTrue.type);
      whenTrue.emit(f);
      f.beginElse();
      b.emit(f);
      f.end();
    });
  }

  if(condition: Operand<'i32'>, then: () => void, otherwise?: () => void): void {
    toExpr(condition, 'i32', 'if').emit(this);
    this.beginIf();
    this.scope(then);
    if (otherwise !== undefined) {
      this.beginElse();
      this.scope(otherwise);
    }
    this.end();
  }

  /** A block: `br(label)` leaves it. */
  block(body: (label: Label) => void): void {
    const label = this.beginBlock();
    this.scope(() => body(label));
    this.end();
  }

  /** Loops until `break` is branched to; the end of the body goes on with the next round. */
  loop(body: (labels: LoopLabels) => void): void {
    const out = this.beginBlock();
    const head = this.beginLoop();
    const again = this.beginBlock();
    this.scope(() => body({ break: out, continue: again }));
    this.end();
    this.br(head);
    this.end();
    this.end();
  }

  while(condition: Operand<'i32'>, body: (labels: LoopLabels) => void): void {
    this.loop((labels) => {
      this.brIf(labels.break, this.i32.eqz(condition));
      body(labels);
    });
  }

  /** if (first) do body while (again): without a test at its head, so that engines can move invariants out of the loop. */
  doWhile(first: Operand<'i32'>, again: Operand<'i32'>, body: () => void): void {
    this.if(first, () => {
      const head = this.beginLoop();
      this.scope(body);
      this.brIf(head, again);
      this.end();
    });
  }

  /** for (counter = start; counter < end; counter += step), unsigned compare; `end` is evaluated every round. */
  for(
    counter: Local<'i32'>,
    start: Operand<'i32'>,
    end: Operand<'i32'>,
    step: Operand<'i32'>,
    body: (labels: LoopLabels) => void,
  ): void {
    this.set(counter, start);
    const out = this.beginBlock();
    const head = this.beginLoop();
    this.brIf(out, this.i32.ge_u(counter, end));
    const again = this.beginBlock();
    this.scope(() => body({ break: out, continue: again }));
    this.end();
    this.set(counter, this.i32.add(counter, step));
    this.br(head);
    this.end();
    this.end();
  }

  return(value?: Expr | number): void {
    if (value !== undefined) {
      if (this.results.length !== 1) throw new WasmBuildError(`'${this.name}' returns ${this.results.length} values`);
      toExpr(value, this.results[0], 'return').emit(this);
    }
    this.emitReturn();
  }

  /** A call of a function with exactly one result. */
  call<T extends ValueType = ValueType>(callee: Callable, ...args: (Expr | number | bigint)[]): Expr<T> {
    if (callee.results.length !== 1)
      throw new WasmBuildError(`'${callee.name}' has ${callee.results.length} results: callVoid`);
    const operands = this.callOperands(callee, args);
    return new Expr(callee.results[0] as T, (f) => {
      for (const operand of operands) operand.emit(f);
      f.emitCall(callee);
    });
  }

  /** A call for its effect; results are dropped. */
  callVoid(callee: Callable, ...args: (Expr | number | bigint)[]): void {
    for (const operand of this.callOperands(callee, args)) operand.emit(this);
    this.emitCall(callee);
    for (let i = 0; i < callee.results.length; i++) this.emitDrop();
  }

  private callOperands(callee: Callable, args: (Expr | number | bigint)[]): Expr[] {
    if (args.length !== callee.params.length) {
      throw new WasmBuildError(`'${callee.name}' takes ${callee.params.length} arguments, got ${args.length}`);
    }
    return args.map((arg, i) => toExpr(arg, callee.params[i], `'${callee.name}' argument ${i}`));
  }

  /** An i8x16.shuffle of 32-bit lanes: 0..3 of `a`, 4..7 of `b`. */
  shuffle32(a: Expr<'v128'>, b: Expr<'v128'>, lanes: readonly [number, number, number, number]): Expr<'v128'> {
    return this.i8x16.shuffle(a, b, wordShuffle(lanes));
  }

  /** A vector constant from 32-bit patterns. */
  words(...patterns: number[]): Expr<'v128'> {
    const bytes = vectorBytes('i32x4', patterns);
    return new Expr('v128', (f) => f.vectorConst(bytes));
  }

  // ---- Encoding ----------------------------------------------------------------------------------------------------------

  /** The code section entry without its size. */
  encodeBody(): Uint8Array {
    if (this.depth !== 0) throw new WasmBuildError(`'${this.name}': ${this.depth} blocks are not ended`);
    const out = new ByteWriter(this.code.length + 64);
    const runs: [count: number, type: ValueType][] = [];
    for (let i = this.params.length; i < this.localTypes.length; i++) {
      const last = runs.at(-1);
      if (last !== undefined && last[1] === this.localTypes[i]) last[0]++;
      else runs.push([1, this.localTypes[i]]);
    }
    out.u32(runs.length);
    for (const [count, type] of runs) {
      out.u32(count);
      out.u8(VALUE_TYPE_CODES[type]);
    }
    out.append(this.code.written());
    out.u8(0x0b);
    if (out.length > MAX_FUNCTION_BYTES) throw tooComplex(this.name, out.length, 'bytes');
    return out.written();
  }
}

/** Byte lanes of a shuffle given in 32-bit lanes. */
function wordShuffle(lanes: readonly number[]): number[] {
  const bytes = new Array<number>(16);
  for (let i = 0; i < 16; i++) bytes[i] = lanes[i >> 2] * 4 + (i & 3);
  return bytes;
}
