// Text to instructions. The syntax is that of `disassemble`; `;` and `#` start a comment, `name:` sets a label.

import { encodingsNamed } from './description.ts';
import {
  ADDRESSING,
  type Addressing,
  CONDITIONS,
  type Condition,
  GROUP_PREFIXES,
  type OperandType,
  type RegisterGroup,
  ROUNDING,
  type Rounding,
  TYPES,
} from './enums.table.ts';
import {
  type DestinationOperand,
  type ImmediateOperand,
  type Instruction,
  IsaError,
  immediateFromWord,
  type SourceOperand,
  SWIZZLE_IDENTITY,
  type TextureOperand,
  wordFromFloat,
} from './instruction.ts';
import { instruction as makeInstruction } from './make-instruction.ts';

const MAX_TARGET = 0x7fff;

class LineParser {
  readonly line: number;
  readonly labels: ReadonlyMap<string, number>;

  constructor(line: number, labels: ReadonlyMap<string, number>) {
    this.line = line;
    this.labels = labels;
  }

  fail(message: string): never {
    throw new IsaError(`line ${this.line}: ${message}`, this.line);
  }

  parse(text: string): Instruction {
    const match = /^(\S+)\s*(.*)$/.exec(text);
    const [op = '', ...suffixes] = (match?.[1] ?? '').split('.');
    const rows = encodingsNamed(op);
    if (rows.length === 0) this.fail(`no instruction is named '${op}'`);
    const operands = (match![2] ?? '').split(',').map((operand) => operand.trim());
    const isTexture = rows[0]!.form.fields.includes('textureUnit');
    const isJump = rows[0]!.form.fields.includes('target');
    const count = isTexture ? 5 : 4;
    if (operands.length !== count) this.fail(`${op} takes ${count} operands (void for none), not ${operands.length}`);
    const dst = operands.shift()!;
    const memory = /^mem\.([xyzw_]{4})$/.exec(dst);
    const fields: Partial<Mutable<Instruction>> = this.suffixes(op, suffixes);
    if (memory) fields.memoryMask = this.mask(memory[1]!);
    else fields.dst = this.destination(dst);
    if (isTexture) fields.texture = this.texture(operands.shift()!);
    if (isJump) fields.target = this.target(operands[2]!);
    const [first, second] = [this.source(operands[0]!), this.source(operands[1]!)];
    fields.sources = [first, second, isJump ? null : this.source(operands[2]!)];
    return makeInstruction(op, fields);
  }

  private suffixes(op: string, suffixes: readonly string[]): Partial<Instruction> {
    const fields: Partial<Mutable<Instruction>> = {};
    for (const suffix of suffixes) {
      const leftShift = /^ls([1-7])$/.exec(suffix);
      if (suffix !== 'true' && CONDITIONS.includes(suffix as Condition)) fields.condition = suffix as Condition;
      else if (TYPES.includes(suffix as OperandType)) fields.type = suffix as OperandType;
      else if (suffix !== 'default' && ROUNDING.includes(suffix as Rounding)) fields.rounding = suffix as Rounding;
      else if (suffix === 'sat') fields.saturate = true;
      else if (suffix === 'skphp') fields.skipHelpers = true;
      else if (suffix === 'denorm') fields.denorm = true;
      else if (suffix === 'local') fields.local = true;
      else if (suffix === 'hp') fields.dstFull = true;
      else if (suffix === 'pack') fields.pack = true;
      else if (suffix === 'nopack') fields.pack = false;
      else if (suffix === 't0') fields.thread = (fields.thread ?? 0) | 1;
      else if (suffix === 't1') fields.thread = (fields.thread ?? 0) | 2;
      else if (leftShift) fields.leftShift = Number(leftShift[1]);
      else this.fail(`'${op}' has a suffix '.${suffix}' that no field knows`);
    }
    return fields;
  }

  private mask(text: string): number {
    let mask = 0;
    for (let component = 0; component < 4; component++) {
      if (text[component] === 'xyzw'[component]) mask |= 1 << component;
      else if (text[component] !== '_') this.fail(`'${text}' is not a write mask such as xy__ or _y_w`);
    }
    return mask;
  }

  private swizzle(text: string): number {
    let swizzle = 0;
    for (let component = 0; component < 4; component++) swizzle |= 'xyzw'.indexOf(text[component]!) << (2 * component);
    return swizzle;
  }

  private addressing(text: string | undefined): Addressing {
    if (text === undefined) return 'direct';
    const name = ADDRESSING.find((addressing) => addressing !== 'direct' && `[${addressing}]` === text);
    return name ?? this.fail(`'${text}' is not [a.x], [a.y], [a.z] or [a.w]`);
  }

  private destination(text: string): DestinationOperand | null {
    if (text === 'void') return null;
    const match = /^t(\d+)(\[[^\]]*\])?(?:\.([xyzw_]{4}))?$/.exec(text);
    if (!match) this.fail(`'${text}' is not a destination such as t1.xy__, or void`);
    const register = Number(match![1]);
    if (register > 127) this.fail(`'${text}': destination registers go from t0 to t127`);
    return {
      register,
      mask: match![3] === undefined ? 15 : this.mask(match![3]),
      addressing: this.addressing(match![2]),
    };
  }

  private texture(text: string): TextureOperand {
    const match = /^tex(\d+)(\[[^\]]*\])?(?:\.([xyzw]{4}))?$/.exec(text);
    if (!match || Number(match[1]) > 31) this.fail(`'${text}' is not a sampler such as tex0.xyzw`);
    return {
      unit: Number(match![1]),
      swizzle: match![3] === undefined ? SWIZZLE_IDENTITY : this.swizzle(match![3]),
      addressing: this.addressing(match![2]),
    };
  }

  private target(text: string): number {
    const target = this.labels.get(text) ?? (/^l\d+$/.test(text) ? Number(text.slice(1)) : -1);
    if (target < 0 || target > MAX_TARGET) this.fail(`'${text}' is not a label or an instruction number such as l12`);
    return target;
  }

  private source(text: string): SourceOperand | null {
    if (text === 'void') return null;
    const match = /^(-?)(\|?)([a-z]+)(\d+)(\[[^\]]*\])?(?:\.([xyzw]{4}))?(\|?)$/.exec(text);
    const group = match && (Object.keys(GROUP_PREFIXES) as RegisterGroup[]).find((g) => GROUP_PREFIXES[g] === match[3]);
    if (!match || !group) return this.immediate(text);
    if (match[2] !== match[7]) this.fail(`'${text}' has one | only`);
    const register = Number(match[4]);
    if (register > 511) this.fail(`'${text}': register numbers go to 511`);
    return {
      kind: 'register',
      group,
      register,
      swizzle: match[6] === undefined ? SWIZZLE_IDENTITY : this.swizzle(match[6]),
      negate: match[1] === '-',
      absolute: match[2] === '|',
      addressing: this.addressing(match[5]),
    };
  }

  private immediate(text: string): ImmediateOperand {
    const raw = /^([fh]):(0x[0-9a-f]{1,5})$/i.exec(text);
    if (raw) return { kind: 'immediate', type: raw[1] === 'f' ? 'float' : 'half', bits: Number(raw[2]) };
    const operand = this.number(text);
    return operand ?? this.fail(`'${text}' is neither a register nor a number that 20 bits can hold`);
  }

  private number(text: string): ImmediateOperand | null {
    if (/^\d+u$/.test(text)) {
      const value = Number(text.slice(0, -1));
      return value < 2 ** 20 ? immediateFromWord('uint', value) : null;
    }
    if (/^-?\d+$/.test(text)) {
      const value = Number(text);
      return Math.abs(value) < 2 ** 20 ? immediateFromWord('int', value >>> 0) : null;
    }
    if (text === 'inf' || text === '-inf')
      return immediateFromWord('float', wordFromFloat(text === 'inf' ? Infinity : -Infinity));
    if (!/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return null;
    const value = Number(text);
    return Math.fround(value) === value ? immediateFromWord('float', wordFromFloat(value)) : null;
  }
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** One instruction, without label. */
export function assembleInstruction(text: string, line = 1): Instruction {
  return new LineParser(line, new Map()).parse(text.trim());
}

/** A whole program. Throws `IsaError` whose offset is the line number. */
export function assembleProgram(text: string): Instruction[] {
  const labels = new Map<string, number>();
  const lines: [text: string, line: number][] = [];
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    let rest = whole.replace(/[;#].*$/, '').trim();
    for (let match = /^([A-Za-z_]\w*):\s*/.exec(rest); match; match = /^([A-Za-z_]\w*):\s*/.exec(rest)) {
      if (labels.has(match[1]!)) throw new IsaError(`line ${index + 1}: label ${match[1]} is set twice`, index + 1);
      labels.set(match[1]!, lines.length);
      rest = rest.slice(match[0].length);
    }
    if (rest !== '') lines.push([rest, index + 1]);
  }
  return lines.map(([line, number]) => new LineParser(number, labels).parse(line));
}
