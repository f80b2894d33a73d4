// Computes ALU instructions on bit patterns, for the folder (one lane) and the interpreter (many).
import type { AluInstruction, Value } from './ir.ts';
import type { OpcodeRow, OperandType } from './opcodes.ts';
import { opcodeRow } from './opcodes.ts';

const CANONICAL_NAN = 0x7fc00000;

/** Components of a value for some lanes, lane by lane, seen as each type. */
export class Register {
  readonly u: Uint32Array;
  readonly i: Int32Array;
  readonly f: Float32Array;
  readonly components: number;

  constructor(components: number, lanes: number, words: Uint32Array = new Uint32Array(components * lanes)) {
    this.components = components;
    this.u = words;
    this.i = new Int32Array(words.buffer, words.byteOffset, words.length);
    this.f = new Float32Array(words.buffer, words.byteOffset, words.length);
  }
}

function view(register: Register, type: OperandType): Uint32Array | Int32Array | Float32Array {
  return type === 'float' ? register.f : type === 'int' ? register.i : register.u;
}

/** Computes `instruction` for all lanes. fddx and fddy are the interpreter's. */
export function evaluateAlu(
  instruction: Pick<AluInstruction, 'op' | 'info' | 'components'>,
  sources: readonly Register[],
  result: Register,
  lanes: number,
): void {
  const { op, components } = instruction;
  if (op === 'vec') {
    for (let lane = 0; lane < lanes; lane++) {
      for (let c = 0; c < components; c++) result.u[lane * components + c] = sources[c]!.u[lane]!;
    }
    return;
  }
  if (op === 'swizzle') {
    const source = sources[0]!;
    for (let lane = 0; lane < lanes; lane++) {
      for (let c = 0; c < components; c++) {
        result.u[lane * components + c] = source.u[lane * source.components + instruction.info![c]!]!;
      }
    }
    return;
  }
  const row = opcodeRow(op);
  if (row.fold === null) evaluateVector(row, sources, result, lanes);
  else {
    const out = view(result, row.out);
    const a = view(sources[0]!, row.in[0]!);
    const b = sources.length > 1 ? view(sources[1]!, row.in[1]!) : a;
    const c = sources.length > 2 ? view(sources[2]!, row.in[2]!) : a;
    const fold = row.fold;
    const count = lanes * components;
    for (let k = 0; k < count; k++) out[k] = fold(a[k]!, b[k]!, c[k]!);
    if (op === 'fcanonical') {
      for (let k = 0; k < count; k++) if (Number.isNaN(a[k])) result.u[k] = CANONICAL_NAN;
    }
  }
}

function evaluateVector(row: OpcodeRow, sources: readonly Register[], result: Register, lanes: number): void {
  if (row.foldVector === null) throw new Error('this opcode has no fold');
  const out = view(result, row.out);
  const values: number[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    const operands = sources.map((source, i) =>
      view(source, row.in[i]!).subarray(lane * source.components, (lane + 1) * source.components),
    );
    row.foldVector(operands, values);
    for (let c = 0; c < result.components; c++) out[lane * result.components + c] = values[c]!;
  }
}

const bySize = () => [1, 2, 3, 4].map((components) => new Register(components, 1));
const FOLD_OPERANDS = [bySize(), bySize(), bySize(), bySize()];
const FOLD_RESULTS = bySize();

/** The constant result of an ALU instruction whose sources have these constant words. */
export function foldAlu(instruction: AluInstruction, sources: readonly Uint32Array[]): Uint32Array {
  return foldAluOnce(instruction, sources).slice();
}

/** The same; the result is overwritten by the next call. */
export function foldAluOnce(instruction: AluInstruction, sources: readonly Uint32Array[]): Uint32Array {
  // Typed arrays are dear to make, so operands are copied into registers that stay.
  const operands: Register[] = [];
  for (let i = 0; i < sources.length; i++) {
    const words = sources[i]!;
    const register = FOLD_OPERANDS[i]![words.length - 1]!;
    for (let c = 0; c < words.length; c++) register.u[c] = words[c]!;
    operands.push(register);
  }
  const result = FOLD_RESULTS[instruction.components - 1]!;
  evaluateAlu(instruction, operands, result, 1);
  return result.u;
}

/** Whether every component of a value is known to be this 32-bit pattern (or 0 / 1 of a boolean). */
export function isConstantWord(value: Value, word: number): boolean {
  if (value.kind === 'undef') return word === 0;
  if (value.kind !== 'const') return false;
  for (let i = 0; i < value.info.length; i++) if (value.info[i] !== word) return false;
  return true;
}
