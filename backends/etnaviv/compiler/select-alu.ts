// Arithmetic: rows of the opcode table, and the operations that take more than one instruction.

import type { AluInstruction, Value } from '../../../src/ir/ir.ts';
import type { AluRow } from './alu.table.ts';
import { UnsupportedShaderError } from './compiled-shader.ts';
import { type Operand, operand, virtualDestination } from './machine.ts';
import type { Selector } from './select.ts';

const ONE = 0x3f800000;

export function selectAlu(selector: Selector, instruction: AluInstruction): void {
  const [a, b, c] = instruction.sources as [Value, Value, Value];
  const { op } = instruction;
  switch (op) {
    case 'mov':
      return selector.alias(instruction, selector.ref(a));
    case 'swizzle': {
      const ref = selector.ref(a);
      const components = instruction.info!.map((component) => ref.components[component]!);
      return selector.alias(instruction, { ...ref, components });
    }
    case 'fneg': {
      const ref = selector.ref(a);
      return selector.alias(instruction, { ...ref, negate: !ref.negate });
    }
    case 'fabs':
      return selector.alias(instruction, { ...selector.ref(a), negate: false, absolute: true });
    case 'vec':
      return selectVec(selector, instruction);
    case 'fsat':
      return selectSaturate(selector, instruction, a);
    case 'fadd':
    case 'fsub':
      return selectSum(selector, instruction);
    case 'fdot':
      return selectDot(selector, instruction, a, b);
    case 'select':
      return selectSelect(selector, instruction, a, b, c);
    case 'isub':
      return selector.emit('add', {
        type: 's32',
        dst: selector.define(instruction),
        sources: [selector.plain(a), null, { ...selector.plain(b), negate: true }],
      });
    case 'ineg':
      return selector.emit('add', {
        type: 's32',
        dst: selector.define(instruction),
        sources: [
          selector.constant(new Array<number>(instruction.components).fill(0), false),
          null,
          { ...selector.plain(a), negate: true },
        ],
      });
    case 'b2f':
    case 'b2i': {
      if (!selector.target.hasIntegers) return selector.alias(instruction, selector.ref(a));
      const one = new Array<number>(instruction.components).fill(op === 'b2f' ? ONE : 1);
      return selector.emit('and', {
        type: 'u32',
        dst: selector.define(instruction),
        sources: [selector.plain(a), null, selector.constant(one, false)],
      });
    }
    case 'fsin':
    case 'fcos':
    case 'flog2':
      if (op !== 'flog2' || selector.target.pairTranscendentals) return selectPair(selector, instruction, a);
  }
  if (op === 'lnot' && !selector.target.hasIntegers) {
    const zero = selector.constant(new Array<number>(instruction.components).fill(0), false);
    return selector.emit('set', {
      condition: 'eq',
      dst: selector.define(instruction),
      sources: [selector.plain(a), zero, null],
    });
  }
  const row = selector.rows[op];
  if (!row) throw new UnsupportedShaderError(`the GPU has no ${op}`);
  selectRow(selector, instruction, row);
}

function selectRow(selector: Selector, instruction: AluInstruction, row: AluRow): void {
  const operands = instruction.sources.map((source) => (row.modifiers ? selector.ref(source) : selector.plain(source)));
  const saturate = selector.analysis.saturating.has(instruction);
  const dst = selector.define(instruction);
  const fill = (parts: readonly Operand[]): [Operand | null, Operand | null, Operand | null] => {
    const sources: [Operand | null, Operand | null, Operand | null] = [null, null, null];
    row.slots.forEach((slots, index) => {
      for (const slot of slots) sources[slot] = parts[index]!;
    });
    if (row.op === 'cmp') {
      const count = parts[0]!.components.length;
      sources[2] = selector.constant(new Array<number>(count).fill(0xffffffff), false);
    }
    return sources;
  };
  const { op, type, condition } = row;
  if (row.scalar === null) {
    selector.emit(op, { type, condition, saturate, dst, sources: fill(operands) });
    return;
  }
  // Reading on after the first component is written is safe: the result has its own register.
  dst.components.forEach((component, index) => {
    const parts = operands.map((part) => ({
      ...part,
      components: [part.components[index]!],
      each: row.scalar === 'each',
    }));
    selector.emit(op, { type, condition, saturate, dst: { ...dst, components: [component] }, sources: fill(parts) });
  });
}

/** sin, cos (their arguments scaled by lower-functions) and log, in pairs where the hardware has them so. */
function selectPair(selector: Selector, instruction: AluInstruction, a: Value): void {
  const op = { fsin: 'sin', fcos: 'cos', flog2: 'log' }[instruction.op as 'fsin' | 'fcos' | 'flog2'];
  const argument = selector.ref(a);
  const dst = selector.define(instruction);
  const saturate = selector.analysis.saturating.has(instruction);
  dst.components.forEach((component, index) => {
    const source = { ...argument, components: [argument.components[index]!], each: false };
    const result = { ...dst, components: [component] };
    if (!selector.target.pairTranscendentals) {
      selector.emit(op, { dst: result, saturate, sources: [null, null, source] });
      return;
    }
    const pair = selector.program.newRegister(2);
    selector.emit(op, {
      rounding: 'rtz',
      dst: virtualDestination(pair, [0, 1]),
      sources: [null, null, source],
      keepsComponents: true,
    });
    selector.emit('mul', {
      dst: result,
      saturate,
      sources: [operand('virtual', pair, [0]), operand('virtual', pair, [1]), null],
    });
  });
}

function selectSaturate(selector: Selector, instruction: AluInstruction, a: Value): void {
  if (selector.analysis.saturated.has(instruction)) return selector.alias(instruction, selector.ref(a));
  const dst = selector.define(instruction);
  selector.emit('mov', { saturate: true, dst, sources: [null, null, selector.ref(a)] });
}

function selectSum(selector: Selector, instruction: AluInstruction): void {
  const saturate = selector.analysis.saturating.has(instruction);
  const negated = (ref: Operand, negate: boolean): Operand => (negate ? { ...ref, negate: !ref.negate } : ref);
  const fused = selector.analysis.products.get(instruction);
  if (fused) {
    const other = selector.ref(instruction.sources[1 - fused.operand]!);
    const [x, y] = fused.product.sources as [Value, Value];
    const sources: [Operand, Operand, Operand] = [
      negated(selector.ref(x), fused.negate),
      selector.ref(y),
      negated(other, instruction.op === 'fsub' && fused.operand === 0),
    ];
    return selector.emit('mad', { saturate, dst: selector.define(instruction), sources });
  }
  const [a, b] = instruction.sources as [Value, Value];
  const sources: [Operand, null, Operand] = [
    selector.ref(a),
    null,
    negated(selector.ref(b), instruction.op === 'fsub'),
  ];
  selector.emit('add', { saturate, dst: selector.define(instruction), sources });
}

function selectDot(selector: Selector, instruction: AluInstruction, a: Value, b: Value): void {
  const whole = (value: Value): Operand => ({ ...selector.ref(value), each: false });
  const sources: [Operand, Operand, null] = [whole(a), whole(b), null];
  const saturate = selector.analysis.saturating.has(instruction);
  selector.emit(`dp${a.components}`, { saturate, dst: selector.define(instruction), sources });
}

function selectSelect(selector: Selector, instruction: AluInstruction, condition: Value, a: Value, b: Value): void {
  const { hasIntegers } = selector.target;
  // Why no modifiers with integers: the type of the selection would make them integer negation.
  const side = (value: Value) => (hasIntegers ? selector.plain(value) : selector.ref(value));
  const sources: [Operand, Operand, Operand] = [selector.plain(condition), side(a), side(b)];
  selector.emit('select', {
    condition: 'nz',
    type: hasIntegers ? 'u32' : 'f32',
    dst: selector.define(instruction),
    sources,
  });
}

/** Moves the parts that are not computed in place, those of one register together. */
function selectVec(selector: Selector, instruction: AluInstruction): void {
  const { homes, saturated } = selector.analysis;
  const isInPlace = (part: Value): boolean => {
    const whole = part.kind === 'alu' && part.op === 'swizzle' ? part.sources[0]! : part;
    const computing = whole.kind === 'alu' && saturated.has(whole) ? whole.sources[0]! : whole;
    const home = homes.get(computing);
    return home?.kind === 'vector' && home.vector === instruction;
  };
  const moved = instruction.sources.map((part, index) => ({ part, index })).filter(({ part }) => !isInPlace(part));
  const refs = moved.map(({ part, index }) => ({ ref: selector.ref(part), index }));
  const first = refs[0]?.ref;
  const isWords = refs.length === instruction.components && refs.every(({ ref }) => ref.file === 'word');
  const sameSigns = refs.every(({ ref }) => ref.negate === first?.negate && ref.absolute === first?.absolute);
  if (isWords && sameSigns && !homes.has(instruction)) {
    return selector.alias(instruction, { ...first!, components: refs.map(({ ref }) => ref.components[0]!) });
  }
  const dst = selector.vectorLocation(instruction);
  const groups = new Map<string, { ref: Operand; components: number[]; places: number[] }>();
  for (const { ref, index } of refs) {
    const key = `${ref.file} ${ref.index} ${ref.negate} ${ref.absolute} ${ref.addressing}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { ref, components: [], places: [] }));
    group.components.push(ref.components[0]!);
    group.places.push(dst.components[index]!);
  }
  for (const { ref, components, places } of groups.values()) {
    selector.mov({ ...dst, components: places }, { ...ref, components });
  }
}
