// Integers as floats, for GPUs without integer operations. Values within ±2^24 come out exact; bit operations exist
// where arithmetic can do them.

import type { Builder } from '../../../src/ir/builder.ts';
import {
  type AluInstruction,
  type ConstInstruction,
  createInstruction,
  firstBlock,
  type Instruction,
  type IntrinsicInfo,
  type Shader,
  type Value,
} from '../../../src/ir/ir.ts';
import { opcodeRow } from '../../../src/ir/opcodes.ts';
import { type Rule, rewrite } from '../../../src/ir/passes/rewrite.ts';
import { forEachInstruction } from '../../../src/ir/walk.ts';
import { UnsupportedShaderError } from './compiled-shader.ts';

/** A uniform load of the lowered form: the driver uploads the int's value as a float. */
export interface ConvertedUniform {
  readonly convert?: boolean;
}

type Kind = 'int' | 'float';

/** Which typeless values hold integers: values that flow into each other are of one kind. */
class Kinds {
  private readonly parents: number[] = [];
  private readonly kinds: (Kind | undefined)[] = [];

  find(node: number): number {
    let root = node;
    while (this.parents[root] !== undefined && this.parents[root] !== root) root = this.parents[root]!;
    for (let at = node; at !== root; ) {
      const next = this.parents[at]!;
      this.parents[at] = root;
      at = next;
    }
    return root;
  }

  join(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)];
    if (x === y) return;
    this.parents[y] = x;
    const kind = this.kinds[y];
    if (kind) this.mark(x, kind);
  }

  mark(node: number, kind: Kind): void {
    const root = this.find(node);
    if (this.kinds[root] !== undefined && this.kinds[root] !== kind) {
      throw new UnsupportedShaderError('it reads the bits of a float as integer, and the GPU has no integers');
    }
    this.kinds[root] = kind;
  }

  of(node: number): Kind | undefined {
    return this.kinds[this.find(node)];
  }
}

const kindOf = (type: string): Kind | null =>
  type === 'float' ? 'float' : type === 'int' || type === 'uint' ? 'int' : null;

/** The operands that have the kind of the result, or of each other. */
function flowing(instruction: Instruction): readonly Value[] {
  const { kind, op, sources } = instruction;
  if (instruction.bits === 1) return [];
  if (kind === 'phi') return sources;
  if (kind !== 'alu') return [];
  if (op === 'vec' || op === 'swizzle' || op === 'mov') return sources;
  return op === 'select' ? [sources[1]!, sources[2]!] : [];
}

/** Operands that are integers by the nature of the instruction. */
function integerSources(instruction: Instruction): readonly Value[] {
  if (instruction.kind === 'intrinsic') {
    const { op, sources } = instruction;
    if (op === 'loadUniform' || op === 'loadUbo') return sources;
    return op === 'loadLocal' || op === 'storeLocal' ? sources.slice(0, 1) : [];
  }
  if (instruction.kind !== 'tex' || (instruction.op !== 'fetch' && instruction.op !== 'size')) return [];
  return instruction.sources;
}

export function lowerIntegers(shader: Shader): boolean {
  const kinds = inferKinds(shader);
  convertConstants(shader, kinds);
  forEachInstruction(shader.main.body, (instruction) => {
    if (instruction.kind !== 'intrinsic') return;
    const isInt = kinds.of(instruction.id) === 'int';
    if (instruction.op === 'loadUniform' && isInt)
      instruction.info = { ...instruction.info, convert: true } as IntrinsicInfo['loadUniform'];
    if (instruction.op === 'sysval' && isInt)
      throw new UnsupportedShaderError(`the GPU has no ${instruction.info.name}`);
  });
  return rewrite(shader, [integersRule()]);
}

function inferKinds(shader: Shader): Kinds {
  const kinds = new Kinds();
  const isConstant = (value: Value) => value.kind === 'const' || value.kind === 'undef';
  const localNode = (array: number) => shader.nextValueId + array;
  forEachInstruction(shader.main.body, (instruction) => {
    for (const source of flowing(instruction)) if (!isConstant(source)) kinds.join(instruction.id, source.id);
    if (instruction.kind === 'intrinsic') {
      if (instruction.op === 'loadLocal') kinds.join(instruction.id, localNode(instruction.info.array));
      if (instruction.op === 'storeLocal' && !isConstant(instruction.sources[1]!)) {
        kinds.join(instruction.sources[1]!.id, localNode(instruction.info.array));
      }
    }
  });
  const mark = (value: Value, kind: Kind | null) => {
    if (kind !== null && !isConstant(value) && value.bits === 32) kinds.mark(value.id, kind);
  };
  forEachInstruction(shader.main.body, (instruction) => {
    for (const source of integerSources(instruction)) mark(source, 'int');
    if (instruction.kind === 'alu') {
      const row = opcodeRow(instruction.op);
      mark(instruction, kindOf(row.out));
      if (row.shape === 'gather') return;
      for (const [i, source] of instruction.sources.entries()) mark(source, kindOf(row.in[i]!));
    } else if (instruction.kind === 'tex') {
      if (instruction.op === 'size') return mark(instruction, 'int');
      if (instruction.info.resultType !== 'float') throw new UnsupportedShaderError('the GPU has no integer textures');
      mark(instruction, 'float');
    } else if (instruction.kind === 'intrinsic') markIntrinsic(instruction, shader, mark);
  });
  return kinds;
}

function markIntrinsic(
  instruction: Extract<Instruction, { kind: 'intrinsic' }>,
  shader: Shader,
  mark: (value: Value, kind: Kind) => void,
): void {
  if (instruction.op === 'sysval') {
    const { name } = instruction.info;
    const isInt = name === 'vertexId' || name === 'instanceId' || name === 'sampleId' || name === 'sampleMaskIn';
    mark(instruction, isInt ? 'int' : 'float');
  }
  if (instruction.op !== 'loadInput' && instruction.op !== 'storeOutput') return;
  const { slot } = instruction.info;
  const list = instruction.op === 'loadInput' ? shader.inputs : shader.outputs;
  const isInt = (list.find((info) => info.slot === slot)?.base ?? 'float') !== 'float';
  if (isInt) throw new UnsupportedShaderError('it has an integer input or output, and the GPU has no integers');
  mark(instruction.op === 'loadInput' ? instruction : instruction.sources[0]!, 'float');
}

/** Integer constants become floats of the same value, use by use: one constant may serve both kinds. */
function convertConstants(shader: Shader, kinds: Kinds): void {
  const converted = new Map<Value, Value>();
  const entry: Instruction[] = [];
  const convert = (constant: ConstInstruction): Value => {
    let value = converted.get(constant);
    if (!value) {
      const words = new Uint32Array(Float32Array.from(constant.info, (word) => word | 0).buffer);
      value = createInstruction(shader, 'const', 'const', constant.components, 32, [], words);
      converted.set(constant, value);
      entry.push(value);
    }
    return value;
  };
  forEachInstruction(shader.main.body, (instruction) => {
    const integers = new Set<number>();
    const { sources } = instruction;
    const all = integerSources(instruction);
    sources.forEach((source, index) => {
      if (all.includes(source)) integers.add(index);
    });
    if (flowing(instruction).length > 0 && kinds.of(instruction.id) === 'int') {
      const first = instruction.kind === 'alu' && instruction.op === 'select' ? 1 : 0;
      for (let index = first; index < sources.length; index++) integers.add(index);
    }
    if (instruction.kind === 'alu') {
      const row = opcodeRow(instruction.op);
      if (row.shape !== 'gather') {
        sources.forEach((_, index) => {
          if (kindOf(row.in[index]!) === 'int') integers.add(index);
        });
      }
    }
    if (instruction.kind === 'intrinsic' && instruction.op === 'storeLocal') {
      if (kinds.of(shader.nextValueId + instruction.info.array) === 'int') integers.add(1);
    }
    for (const index of integers) {
      const source = sources[index]!;
      if (source.kind === 'const' && source.bits === 32) sources[index] = convert(source);
    }
  });
  firstBlock(shader.main.body).instructions.unshift(...entry);
}

type Lowering = (b: Builder, a: Value, c: Value) => Value;

const floats = (b: Builder, like: Value, value: number): Value =>
  b.constFloat(...new Array<number>(like.components).fill(value));

/** |a| / |c| rounded down. Half a unit more keeps the inexact reciprocal from falling short; below 2^22 it is exact. */
function quotient(b: Builder, a: Value, c: Value): Value {
  return b.ffloor(b.fmul(b.fadd(b.fabs(a), floats(b, a, 0.5)), b.frcp(b.fabs(c))));
}

function divide(b: Builder, a: Value, c: Value): Value {
  return b.fmul(quotient(b, a, c), b.fmul(b.fsign(a), b.fsign(c)));
}

function floatsOf(value: Value): Float32Array | null {
  return value.kind === 'const' ? new Float32Array(value.info.slice().buffer) : null;
}

/** A factor of 2^±count for constant counts. */
function shiftFactor(b: Builder, count: Value, direction: 1 | -1): Value {
  const counts = floatsOf(count);
  if (!counts) throw new UnsupportedShaderError('it shifts by a variable, and the GPU has no integers');
  return b.constFloat(...Array.from(counts, (n) => 2 ** (direction * (n & 31))));
}

/** a & (2^n - 1). */
function lowBits(b: Builder, a: Value, mask: Value): Value {
  const masks = floatsOf(mask);
  if (!masks) {
    if (floatsOf(a)) return lowBits(b, mask, a);
    throw new UnsupportedShaderError('it has bit operations, and the GPU has no integers');
  }
  if (Array.from(masks).some((n) => n < 0 || ((n + 1) & n) !== 0)) {
    throw new UnsupportedShaderError('it has bit operations, and the GPU has no integers');
  }
  const size = b.constFloat(...Array.from(masks, (n) => n + 1));
  const inverse = b.constFloat(...Array.from(masks, (n) => 1 / (n + 1)));
  return b.fsub(a, b.fmul(b.ffloor(b.fmul(a, inverse)), size));
}

/** As unsigned numbers, negative ones are larger than all others. */
function unsignedMinimum(b: Builder, a: Value, c: Value): Value {
  const zero = floats(b, a, 0);
  if (c.kind === 'const') return b.select(b.flt(a, zero), c, b.fmin(a, c));
  if (a.kind === 'const') return unsignedMinimum(b, c, a);
  return b.fmin(a, c);
}

const LOWERINGS: Readonly<Record<string, Lowering>> = {
  iadd: (b, a, c) => b.fadd(a, c),
  isub: (b, a, c) => b.fsub(a, c),
  imul: (b, a, c) => b.fmul(a, c),
  idiv: divide,
  udiv: divide,
  irem: (b, a, c) => b.fsub(a, b.fmul(divide(b, a, c), c)),
  umod: (b, a, c) => b.fsub(a, b.fmul(divide(b, a, c), c)),
  ineg: (b, a) => b.fneg(a),
  iabs: (b, a) => b.fabs(a),
  isign: (b, a) => b.fsign(a),
  imin: (b, a, c) => b.fmin(a, c),
  imax: (b, a, c) => b.fmax(a, c),
  umin: unsignedMinimum,
  umax: (b, a, c) => b.fmax(a, c),
  ishl: (b, a, c) => b.fmul(a, shiftFactor(b, c, 1)),
  ishr: (b, a, c) => b.ffloor(b.fmul(a, shiftFactor(b, c, -1))),
  ushr: (b, a, c) => b.ffloor(b.fmul(a, shiftFactor(b, c, -1))),
  iand: lowBits,
  inot: (b, a) => b.fsub(floats(b, a, -1), a),
  ilt: (b, a, c) => b.flt(a, c),
  ige: (b, a, c) => b.fge(a, c),
  ult: (b, a, c) => b.flt(a, c),
  uge: (b, a, c) => b.fge(a, c),
  ieq: (b, a, c) => b.feq(a, c),
  ine: (b, a, c) => b.fneu(a, c),
  f2i: (b, a) => b.ftrunc(a),
  f2u: (b, a) => b.fmax(b.ftrunc(a), floats(b, a, 0)),
  i2f: (b, a) => b.mov(a),
  u2f: (b, a) => b.mov(a),
  b2i: (b, a) => b.b2f(a),
};

function integersRule(): Rule {
  return {
    name: 'integers',
    apply(instruction, { builder }) {
      if (instruction.kind !== 'alu') return null;
      return lowerInstruction(builder, instruction);
    },
  };
}

function lowerInstruction(b: Builder, instruction: AluInstruction): Value | null {
  const { op, sources } = instruction;
  const lowering = LOWERINGS[op];
  if (lowering) return lowering(b, sources[0]!, sources[1] ?? sources[0]!);
  const row = opcodeRow(op);
  if ([row.out, ...row.in].some((type) => kindOf(type) === 'int')) {
    throw new UnsupportedShaderError(`it uses ${op}, and the GPU has no integers`);
  }
  return null;
}
