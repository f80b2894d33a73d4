// Control flow: lists of blocks, ifs and loops as jumps and labels, phis as copies on the edges.

import {
  type Block,
  type BodyNode,
  endsWithJump,
  firstBlock,
  type IfNode,
  type LoopNode,
  lastBlock,
  type PhiInstruction,
  type Value,
} from '../../../src/ir/ir.ts';
import { phisOf } from '../../../src/ir/walk.ts';
import type { Condition, OperandType } from '../isa/enums.table.ts';
import { JUMP_CONDITIONS } from './analyze.ts';
import { type MachineInstruction, type Operand, virtualDestination } from './machine.ts';
import { orderCopies } from './parallel-copies.ts';
import type { Selector } from './select.ts';
import { selectAlu } from './select-alu.ts';

export function selectList(selector: Selector, list: readonly BodyNode[]): void {
  for (let i = 0; i < list.length; i++) {
    const node = list[i]!;
    if (node.kind === 'block') selector.selectBlock(node);
    else if (node.kind === 'if') selectIf(selector, node, list[i + 1] as Block);
    else selectLoop(selector, node, list[i - 1] as Block, list[i + 1] as Block);
  }
}

/** What `body` selects, as a list of its own. */
function aside(selector: Selector, body: () => void): MachineInstruction[] {
  const { program } = selector;
  const outer = program.code;
  program.code = [];
  body();
  const inner = program.code;
  program.code = outer;
  return inner;
}

function selectIf(selector: Selector, node: IfNode, after: Block): void {
  const side = (list: BodyNode[]) =>
    aside(selector, () => {
      selectList(selector, list);
      if (!endsWithJump(list)) copyToPhis(selector, lastBlock(list), after);
    });
  const test = jumpTest(selector, node.condition);
  const then = side(node.thenBody);
  const otherwise = side(node.elseBody);
  selector.plainRefs.length = 0;
  const { program } = selector;
  if (then.length === 0 && otherwise.length === 0) return;
  const only = then.length === 1 && then[0]!.op === 'branch' && then[0]!.condition === 'true' ? then[0]! : null;
  if (only) {
    test(true, only.label);
    program.code = program.code.concat(otherwise);
    return;
  }
  if (then.length === 0) {
    const end = program.newLabel();
    test(true, end);
    program.code = program.code.concat(otherwise);
    selector.emit('label', { label: end });
    return;
  }
  const end = program.newLabel();
  const other = otherwise.length > 0 ? program.newLabel() : end;
  test(false, other);
  program.code = program.code.concat(then);
  if (otherwise.length > 0) {
    if (!endsWithJump(node.thenBody)) selector.emit('branch', { label: end });
    selector.emit('label', { label: other });
    program.code = program.code.concat(otherwise);
  }
  selector.emit('label', { label: end });
}

/** Emits a jump that is taken when the condition is as wanted. Reads the condition's operands now. */
function jumpTest(selector: Selector, value: Value): (wanted: boolean, label: number) => void {
  const { folded } = selector.analysis;
  const unary = (ref: Operand) => (wanted: boolean, label: number) =>
    selector.emit('branch', {
      condition: wanted ? 'nz' : 'not',
      type: 'u32',
      label,
      sources: [{ ...ref, each: false }, null, null],
    });
  if (value.kind !== 'alu' || !folded.has(value)) return unary(toRegister(selector, selector.plain(value)));
  const { condition, opposite } = JUMP_CONDITIONS[value.op]!;
  const isFloat = value.op.startsWith('f');
  const type: OperandType = isFloat ? 'f32' : value.op.startsWith('u') ? 'u32' : 's32';
  const [a, b] = value.sources.map((source) => ({
    ...(isFloat ? selector.ref(source) : selector.plain(source)),
    each: false,
  })) as [Operand, Operand];
  return (wanted, label) => {
    const chosen: Condition | null = wanted ? condition : opposite;
    if (chosen) return selector.emit('branch', { condition: chosen, type, label, sources: [a, b, null] });
    selectAlu(selector, value);
    unary(selector.ref(value))(wanted, label);
  };
}

/** Jumps over constants do not pay; conditions are read from registers. */
function toRegister(selector: Selector, ref: Operand): Operand {
  return ref.file === 'virtual' ? ref : selector.copy(ref);
}

function selectLoop(selector: Selector, node: LoopNode, before: Block, after: Block): void {
  const { program } = selector;
  selector.loops++;
  const header = firstBlock(node.body);
  copyToPhis(selector, before, header);
  const [start, exit] = [program.newLabel(), program.newLabel()];
  selector.emit('label', { label: start });
  selector.exits.push({ label: exit, after });
  selectList(selector, node.body);
  selector.exits.pop();
  if (!endsWithJump(node.body)) {
    copyToPhis(selector, lastBlock(node.body), header);
    selector.emit('branch', { label: start });
  }
  selector.emit('label', { label: exit });
  selector.plainRefs.length = 0;
}

/** Gives the phis of a block their values on the edge from another: all are read before any is written. */
export function copyToPhis(selector: Selector, from: Block, to: Block): void {
  const copies: { phi: PhiInstruction; source: Value }[] = [];
  for (const phi of phisOf(to)) {
    const index = phi.info.indexOf(from);
    if (index >= 0) copies.push({ phi, source: phi.sources[index]! });
  }
  if (copies.length === 0) return;
  const moves = copies.map(({ phi, source }) => {
    const { index, components } = selector.ref(phi);
    return { dst: virtualDestination(index, components), source: selector.ref(source) };
  });
  for (const { dst, source } of orderCopies(selector.program, moves)) selector.mov(dst, source);
}
