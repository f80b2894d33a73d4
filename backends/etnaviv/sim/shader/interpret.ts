// A slow interpreter of decoded programs, instruction by instruction: the oracle that translated programs are compared with.
// It shares no code with `translate.ts` but the decoded form and the one definition of each transcendental function.

import * as scalar from '../../../../src/ir/scalar-math.ts';
import { ADDRESSING, type Condition, type OperandType } from '../../isa/enums.table.ts';
import { type Instruction, IsaError, immediateWord, type SourceOperand } from '../../isa/instruction.ts';

export interface InterpreterInput {
  /** Four lanes of a quad (0 left, 1 right, 2 and 3 the row above), or any number of vertices. */
  readonly lanes: number;
  /** 128 vec4 of temporaries for each lane, as words; changed in place. */
  readonly temporaries: Uint32Array;
  readonly uniforms: Uint32Array;
  readonly frontFacing?: boolean;
  /** Instructions that all lanes together may execute. */
  readonly maxSteps?: number;
}

export interface InterpreterResult {
  /** Bit for each lane that was discarded. */
  readonly killed: number;
  readonly steps: number;
  readonly timedOut: boolean;
}

const TEMPORARIES = 128;
const floatView = new Float32Array(1);
const wordView = new Uint32Array(floatView.buffer);

function toFloat(word: number): number {
  wordView[0] = word;
  return floatView[0]!;
}

function toWord(value: number): number {
  floatView[0] = value;
  return wordView[0]!;
}

const isFloatType = (type: OperandType) => type === 'f32' || type === 'f16';

function number(word: number, type: OperandType): number {
  return isFloatType(type) ? toFloat(word) : type.startsWith('u') ? word >>> 0 : word | 0;
}

/** Whether a condition holds for two numbers (the second is not looked at by conditions over one). */
function holds(condition: Condition, a: number, b: number): boolean {
  switch (condition) {
    case 'true':
      return true;
    case 'gt':
      return a > b;
    case 'lt':
      return a < b;
    case 'ge':
      return a >= b;
    case 'le':
      return a <= b;
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    // A value that is not a number is not zero.
    case 'and':
      return a !== 0 && b !== 0;
    case 'or':
      return a !== 0 || b !== 0;
    case 'xor':
      return (a !== 0) !== (b !== 0);
    case 'not':
      return a === 0;
    case 'nz':
      return a !== 0;
    case 'gez':
      return a >= 0;
    case 'gz':
      return a > 0;
    case 'lez':
      return a <= 0;
    case 'lz':
      return a < 0;
    case 'selmsb':
      return (toWord(a) | 0) < 0;
  }
}

const UNARY: readonly Condition[] = ['not', 'nz', 'gez', 'gz', 'lez', 'lz', 'selmsb'];

const f = Math.fround;
const dot = (a: number[], b: number[], count: number): number => {
  const products = a.slice(0, count).map((x, i) => f(x * b[i]!));
  const first = f(products[0]! + products[1]!);
  if (count === 2) return first;
  return count === 3 ? f(first + products[2]!) : f(first + f(products[2]! + products[3]!));
};

function turns(x: number, period: number): number {
  const scaled = f(x * f(1 / period));
  return f(f(scaled - scalar.roundEven(scaled)) * period);
}

class Lane {
  readonly index: number;
  pc = 0;
  isKilled = false;
  readonly address = new Int32Array(4);

  constructor(index: number) {
    this.index = index;
  }
}

class Interpreter {
  private readonly program: readonly Instruction[];
  private readonly input: InterpreterInput;
  private readonly lanes: Lane[];

  constructor(program: readonly Instruction[], input: InterpreterInput) {
    this.program = program;
    this.input = input;
    this.lanes = Array.from({ length: input.lanes }, (_, index) => new Lane(index));
  }

  run(): InterpreterResult {
    const { program, lanes } = this;
    const maxSteps = this.input.maxSteps ?? 1_000_000;
    let steps = 0;
    for (;;) {
      // Lanes that are furthest behind go first, so that they meet again behind every branch.
      const running = lanes.filter((lane) => lane.pc < program.length);
      if (running.length === 0) break;
      const pc = Math.min(...running.map((lane) => lane.pc));
      const group = running.filter((lane) => lane.pc === pc);
      steps += group.length;
      if (steps > maxSteps) return { killed: this.killed(), steps, timedOut: true };
      const instruction = program[pc]!;
      const results = group.map((lane) => this.execute(lane, instruction));
      for (const [place, lane] of group.entries()) {
        const result = results[place];
        if (result) this.write(lane, instruction, result);
        if (lane.pc === pc) lane.pc++;
      }
    }
    return { killed: this.killed(), steps, timedOut: false };
  }

  private killed(): number {
    return this.lanes.reduce((mask, lane) => mask | (Number(lane.isKilled) << lane.index), 0);
  }

  private base(lane: Lane, register: number, addressing: string): number {
    const offset = addressing === 'direct' ? 0 : lane.address[ADDRESSING.indexOf(addressing as 'a.x') - 1]!;
    // An index that leaves the file goes to its last register.
    const clamped = addressing === 'direct' ? register : Math.min((register + offset) >>> 0, TEMPORARIES - 1);
    return (lane.index * TEMPORARIES + clamped) * 4;
  }

  /** Words of an operand's four components. */
  private words(lane: Lane, operand: SourceOperand | null, type: OperandType): number[] {
    if (!operand) return [0, 0, 0, 0];
    if (operand.kind === 'immediate') return new Array<number>(4).fill(immediateWord(operand));
    const { temporaries, uniforms } = this.input;
    let all: number[];
    if (operand.group === 'temp' || operand.group === 'tempFull') {
      const at = this.base(lane, operand.register, operand.addressing);
      all = [0, 1, 2, 3].map((c) => temporaries[at + c]!);
    } else if (operand.group === 'internal') {
      all = new Array<number>(4).fill(toWord(Number(this.input.frontFacing ?? true)));
    } else {
      const first = operand.register + (operand.group === 'uniformHigh' ? 128 : 0);
      const slots = uniforms.length / 4;
      const slot =
        operand.addressing === 'direct'
          ? first
          : first + Math.min(lane.address[ADDRESSING.indexOf(operand.addressing) - 1]! >>> 0, slots - first - 1);
      all = [0, 1, 2, 3].map((c) => uniforms[slot * 4 + c] ?? 0);
    }
    return [0, 1, 2, 3].map((c) => {
      let word = all[(operand.swizzle >> (2 * c)) & 3]!;
      if (operand.absolute) word = isFloatType(type) ? word & 0x7fffffff : Math.abs(word | 0);
      if (operand.negate) word = isFloatType(type) ? word ^ 0x80000000 : -word;
      return word >>> 0;
    });
  }

  private numbers(lane: Lane, instruction: Instruction, index: 0 | 1 | 2, type = instruction.type): number[] {
    return this.words(lane, instruction.sources[index], type).map((word) => number(word, type));
  }

  /** The words to write, by component; null where nothing is written. */
  private execute(lane: Lane, instruction: Instruction): number[] | null {
    const { op, condition, type } = instruction;
    const source = (index: 0 | 1 | 2) => this.numbers(lane, instruction, index);
    switch (op) {
      case 'nop':
        return null;
      case 'branch': {
        if (this.test(lane, instruction)) lane.pc = instruction.target!;
        return null;
      }
      case 'texkill':
        if (this.test(lane, instruction)) lane.isKilled = true;
        return null;
      case 'movar': {
        const [values, mask] = [this.numbers(lane, instruction, 2, 'f32'), instruction.dst?.mask ?? 0];
        for (let c = 0; c < 4; c++) if ((mask >> c) & 1) lane.address[c] = scalar.toInt(Math.floor(values[c]!));
        return null;
      }
      case 'dsx':
      case 'dsy':
        return this.derivative(lane, instruction);
      case 'select': {
        const [a, b] = [source(0), source(1)];
        const [second, third] = [1, 2].map((i) => this.words(lane, instruction.sources[i]!, type)) as [
          number[],
          number[],
        ];
        return a.map((x, c) => (holds(condition, x, b[c]!) ? second[c]! : third[c]!));
      }
      case 'cmp': {
        const [a, b] = [source(0), source(1)];
        const third = this.words(lane, instruction.sources[2], type);
        return a.map((x, c) => (holds(condition, x, b[c]!) ? third[c]! : 0));
      }
      case 'set': {
        const [a, b] = [source(0), source(1)];
        return a.map((x, c) => toWord(holds(condition, x, b[c]!) ? 1 : 0));
      }
      default:
        return this.arithmetic(lane, instruction);
    }
  }

  private test(lane: Lane, instruction: Instruction): boolean {
    const [a, b] = [this.numbers(lane, instruction, 0), this.numbers(lane, instruction, 1)];
    return holds(instruction.condition, a[0]!, UNARY.includes(instruction.condition) ? 0 : b[0]!);
  }

  private derivative(lane: Lane, instruction: Instruction): number[] {
    const step = instruction.op === 'dsx' ? 1 : 2;
    const first = lane.index & ~step;
    const low = this.numbers(this.lanes[first]!, instruction, 0);
    const high = this.numbers(this.lanes[first | step]!, instruction, 0);
    return low.map((value, c) => toWord(high[c]! - value));
  }

  private arithmetic(lane: Lane, instruction: Instruction): number[] {
    const { op, type, rounding } = instruction;
    const [a, b, c] = [0, 1, 2].map((i) => this.numbers(lane, instruction, i as 0 | 1 | 2)) as [
      number[],
      number[],
      number[],
    ];
    const isFloat = isFloatType(type);
    const floats = (values: readonly number[]) => values.map(toWord);
    const ints = (values: readonly number[]) => values.map((value) => value >>> 0);
    const each = (make: (k: number) => number) => [0, 1, 2, 3].map(make);
    const all = (value: number) => new Array<number>(4).fill(toWord(value));
    /** First written component, then 1 in the rest. */
    const pair = (value: number) => {
      const mask = instruction.dst?.mask ?? 0;
      const first = 31 - Math.clz32(mask & -mask);
      return each((k) => toWord(k === first ? value : 1));
    };
    switch (op) {
      case 'mov':
        return this.words(lane, instruction.sources[2], type);
      case 'add':
        return isFloat ? floats(each((k) => a[k]! + c[k]!)) : ints(each((k) => a[k]! + c[k]!));
      case 'mul':
        return floats(each((k) => a[k]! * b[k]!));
      case 'mad':
        return floats(each((k) => f(a[k]! * b[k]!) + c[k]!));
      case 'dp2':
      case 'dp3':
      case 'dp4':
        return all(dot(a, b, Number(op[2])));
      case 'rcp':
        return all(f(1 / c[0]!));
      case 'rsq':
        return all(f(1 / f(Math.sqrt(c[0]!))));
      case 'sqrt':
        return all(f(Math.sqrt(c[0]!)));
      case 'exp':
        return all(scalar.exp2(c[0]!));
      case 'log':
        return rounding === 'rtz' ? pair(scalar.log2(c[0]!)) : all(scalar.log2(c[0]!));
      case 'sin':
      case 'cos': {
        const isPair = rounding === 'rtz';
        const angle = f(turns(c[0]!, isPair ? 2 : 4) * f(isPair ? Math.PI : Math.PI / 2));
        const value = op === 'sin' ? scalar.sin(angle) : scalar.cos(angle);
        return isPair ? pair(value) : all(value);
      }
      case 'div':
        return pair(f(b[0]! / c[0]!));
      case 'frc':
        return floats(c.map((x) => f(x - Math.floor(x))));
      case 'floor':
        return floats(c.map(Math.floor));
      case 'ceil':
        return floats(c.map(Math.ceil));
      case 'sign':
        return isFloat ? floats(c.map((x) => Number(x > 0) - Number(x < 0))) : ints(c.map(Math.sign));
      case 'i2f':
        return floats(a);
      case 'f2i': {
        const values = this.numbers(lane, instruction, 0, 'f32');
        return ints(values.map(type.startsWith('u') ? scalar.toUint : scalar.toInt));
      }
      case 'imullo0':
        return ints(each((k) => Math.imul(a[k]!, b[k]!)));
      case 'imadlo0':
        return ints(each((k) => Math.imul(a[k]!, b[k]!) + c[k]!));
      case 'iabs':
        return ints(c.map(Math.abs));
      case 'and':
        return ints(each((k) => a[k]! & c[k]!));
      case 'or':
        return ints(each((k) => a[k]! | c[k]!));
      case 'xor':
        return ints(each((k) => a[k]! ^ c[k]!));
      case 'not':
        return ints(c.map((x) => ~x));
      case 'lshift':
        return ints(each((k) => a[k]! << (c[k]! & 31)));
      case 'rshift':
        return ints(each((k) => (type.startsWith('u') ? a[k]! >>> (c[k]! & 31) : a[k]! >> (c[k]! & 31))));
      default:
        throw new IsaError(`the interpreter has no ${op}`, 0);
    }
  }

  private write(lane: Lane, instruction: Instruction, words: readonly number[]): void {
    const { dst, saturate, type } = instruction;
    if (!dst) return;
    const at = this.base(lane, dst.register, dst.addressing);
    for (let c = 0; c < 4; c++) {
      if (((dst.mask >> c) & 1) === 0) continue;
      let word = words[c]!;
      if (saturate && isFloatType(type)) word = toWord(scalar.min(scalar.max(0, toFloat(word)), 1));
      this.input.temporaries[at + c] = word;
    }
  }
}

/** Runs a program to its end. */
export function interpretProgram(program: readonly Instruction[], input: InterpreterInput): InterpreterResult {
  return new Interpreter(program, input).run();
}
