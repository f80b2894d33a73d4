// Unrolls loops whose trip count is known and small. Lowered loops only (no continue, no variables stored across).
//
// The loop must have one break, in an if directly in its body: the terminator. Its condition is computed for iteration
// 0, 1, 2, … from the header phis by folding constants, whatever the form of counter and condition (float counters,
// shifts, counting down), until it says break.
import { foldAlu } from '../evaluate.ts';
import {
  type Block,
  type BodyNode,
  createBlock,
  firstBlock,
  type IfNode,
  type LoopNode,
  lastBlock,
  type PhiInstruction,
  type Shader,
  type Value,
} from '../ir.ts';
import { isQuadOpcode } from '../opcodes.ts';
import { childLists, forEachInstruction, jumpOf, phisOf, pushAll, Replacements } from '../walk.ts';
import { type CloneMaps, cloneList, createCloneMaps } from './clone.ts';
import { constantWords } from './opt-constant-fold.ts';

export interface UnrollLimits {
  maxTrips: number;
  /** Of the body, times trips; without those that only name values, of which there are many before the body is simplified. */
  maxInstructions: number;
}

export const DEFAULT_UNROLL: UnrollLimits = { maxTrips: 64, maxInstructions: 360 };

interface Terminator {
  /** Index of the if in the loop's body. */
  index: number;
  node: IfNode;
  breaksThen: boolean;
  breakBlock: Block;
}

export function optLoopUnroll(shader: Shader, limits: UnrollLimits = DEFAULT_UNROLL): boolean {
  const replacements = new Replacements(shader);
  let progress = false;
  const walk = (list: BodyNode[]): void => {
    for (let i = 1; i < list.length; i += 2) {
      const node = list[i]!;
      if (node.kind === 'block') continue;
      for (const child of childLists(node)) walk(child);
      if (node.kind !== 'loop' || node.continuing.length > 0) continue;
      // Copies must name what inner loops have become.
      replacements.applyTo([list[i]!, list[i + 1]!]);
      const terminator = findTerminator(node);
      if (terminator === null) continue;
      const trips = countTrips(node, terminator, limits.maxTrips, list[i - 1] as Block);
      if (trips === null || sizeOf(node.body) * trips > budget(node, limits)) continue;
      const unrolled = unroll(shader, node, terminator, trips, list[i - 1] as Block);
      const after = list[i + 1] as Block;
      for (const phi of phisOf(after)) {
        const value = phi.sources[0]!;
        replacements.set(phi, unrolled.values.get(value) ?? value);
      }
      const before = list[i - 1] as Block;
      const first = firstBlock(unrolled.nodes);
      const last = lastBlock(unrolled.nodes);
      // The block before goes into the first; the block after keeps its identity for the phis behind it.
      first.instructions = pushAll(before.instructions, first.instructions);
      after.instructions = pushAll(last.instructions, after.instructions, phisOf(after).length);
      const rest = list.splice(i - 1).slice(3);
      pushAll(list, unrolled.nodes);
      list[list.length - 1] = after;
      pushAll(list, rest);
      i += unrolled.nodes.length - 3;
      progress = true;
    }
  };
  walk(shader.main.body);
  replacements.applyTo(shader.main.body);
  return progress;
}

const NAMING = new Set<string>(['const', 'undef', 'swizzle', 'vec', 'mov']);

function sizeOf(list: readonly BodyNode[]): number {
  let size = 0;
  forEachInstruction(list, ({ op }) => {
    if (!NAMING.has(op)) size++;
  });
  return size;
}

/** Loops that index arrays may grow more: constant indices make the arrays vanish. */
function budget(loop: LoopNode, limits: UnrollLimits): number {
  const indexes = (list: readonly BodyNode[]): boolean =>
    list.some((node) => {
      if (node.kind !== 'block') return childLists(node).some(indexes);
      return node.instructions.some((i) => i.kind === 'intrinsic' && (i.op === 'loadVar' || i.op === 'storeVar'));
    });
  return indexes(loop.body) ? limits.maxInstructions * 4 : limits.maxInstructions;
}

function findTerminator(loop: LoopNode): Terminator | null {
  if (jumpOf(lastBlock(loop.body)) !== undefined) return null;
  let found: Terminator | null = null;
  for (let index = 1; index < loop.body.length; index += 2) {
    const node = loop.body[index]!;
    if (node.kind !== 'if') continue;
    const breaks = countBreaks(node.thenBody) + countBreaks(node.elseBody);
    if (breaks === 0) continue;
    const breaksThen = jumpOf(lastBlock(node.thenBody)) !== undefined;
    const side = breaksThen ? node.thenBody : node.elseBody;
    if (found !== null || breaks > 1 || jumpOf(lastBlock(side)) === undefined) return null;
    found = { index, node, breaksThen, breakBlock: lastBlock(side) };
  }
  return found;
}

function countBreaks(list: readonly BodyNode[]): number {
  let count = 0;
  for (const node of list) {
    if (node.kind === 'block') count += jumpOf(node) ? 1 : 0;
    else if (node.kind === 'if') count += countBreaks(node.thenBody) + countBreaks(node.elseBody);
  }
  return count;
}

/** How often the loop passes its terminator without breaking, or null if that cannot be computed. */
function countTrips(loop: LoopNode, terminator: Terminator, maxTrips: number, before: Block): number | null {
  const phis = phisOf(firstBlock(loop.body));
  const last = lastBlock(loop.body);
  const initial = (phi: PhiInstruction) => phi.sources[phi.info.indexOf(before)]!;
  const next = (phi: PhiInstruction) => phi.sources[phi.info.indexOf(last)]!;
  const order = dependencies(terminator.node.condition, phis, next);
  if (order === null) return null;
  const current = new Map<Value, Uint32Array>();
  for (const phi of phis) {
    if (!order.phis.has(phi)) continue;
    const words = constantWords(initial(phi));
    if (words === undefined) return null;
    current.set(phi, words);
  }
  for (let trip = 0; trip <= maxTrips; trip++) {
    for (const value of order.values) {
      if (value.kind === 'alu')
        current.set(
          value,
          foldAlu(
            value,
            value.sources.map((s) => current.get(s) ?? constantWords(s)!),
          ),
        );
    }
    const condition = current.get(terminator.node.condition) ?? constantWords(terminator.node.condition);
    if (condition === undefined) return null;
    if ((condition[0] !== 0) === terminator.breaksThen) return trip;
    const fresh = [...order.phis].map((phi) => [phi, current.get(next(phi)) ?? constantWords(next(phi))!] as const);
    for (const [phi, words] of fresh) current.set(phi, words);
  }
  return null;
}

const MAX_SLICE = 40;

/** What the condition depends on: phis, and ALU values in an order in which they can be computed; null if on more. */
function dependencies(
  condition: Value,
  phis: readonly PhiInstruction[],
  next: (phi: PhiInstruction) => Value,
): { phis: Set<PhiInstruction>; values: Value[] } | null {
  const needed = new Set<PhiInstruction>();
  const values: Value[] = [];
  const state = new Map<Value, 'open' | 'done'>();
  const stack: Value[] = [condition];
  while (stack.length > 0) {
    const value = stack[stack.length - 1]!;
    if (state.get(value) === 'done' || value.kind === 'const' || value.kind === 'undef') {
      stack.pop();
      continue;
    }
    if (value.kind === 'phi') {
      stack.pop();
      state.set(value, 'done');
      if (!phis.includes(value)) return null;
      needed.add(value);
      stack.unshift(next(value));
      continue;
    }
    if (value.kind !== 'alu' || isQuadOpcode(value.op)) return null;
    if (state.get(value) === 'open') {
      stack.pop();
      state.set(value, 'done');
      if (values.push(value) > MAX_SLICE) return null;
      continue;
    }
    state.set(value, 'open');
    for (const source of value.sources) if (state.get(source) === undefined) stack.push(source);
  }
  return { phis: needed, values };
}

/** The body `trips` times, and its part up to the break once more; `values` maps what the break leaves. */
function unroll(
  shader: Shader,
  loop: LoopNode,
  terminator: Terminator,
  trips: number,
  before: Block,
): { nodes: BodyNode[]; values: Map<Value, Value> } {
  const phis = phisOf(firstBlock(loop.body));
  const last = lastBlock(loop.body);
  const staySide = terminator.breaksThen ? terminator.node.elseBody : terminator.node.thenBody;
  const leaveSide = terminator.breaksThen ? terminator.node.thenBody : terminator.node.elseBody;
  const exitIf = loop.body[terminator.index + 1] as Block;
  const nodes: BodyNode[] = [createBlock(shader)];
  let values = new Map<Value, Value>();
  for (const phi of phis) values.set(phi, phi.sources[phi.info.indexOf(before)]!);

  for (let trip = 0; ; trip++) {
    const maps: CloneMaps = { ...createCloneMaps(), values };
    append(nodes, cloneWithoutPhis(shader, loop.body.slice(0, terminator.index), maps));
    if (trip === trips) {
      const leaving = cloneWithoutPhis(shader, leaveSide, maps);
      lastBlock(leaving).instructions.pop();
      append(nodes, leaving);
      return { nodes, values };
    }
    append(nodes, cloneWithoutPhis(shader, staySide, maps));
    // The block behind the terminator has one predecessor: its phis are what the staying side gives.
    for (const phi of phisOf(exitIf)) values.set(phi, values.get(phi.sources[0]!) ?? phi.sources[0]!);
    append(nodes, cloneWithoutPhis(shader, loop.body.slice(terminator.index + 1), maps));
    const carried = phis.map((phi) => {
      const source = phi.sources[phi.info.indexOf(last)]!;
      return [phi, values.get(source) ?? source] as const;
    });
    values = new Map();
    for (const [phi, value] of carried) values.set(phi, value);
  }
}

/** A copy whose first block has no phis: those are mapped already. */
function cloneWithoutPhis(shader: Shader, list: readonly BodyNode[], maps: CloneMaps): BodyNode[] {
  const first = firstBlock(list as BodyNode[]);
  const phis = phisOf(first);
  if (phis.length === 0) return cloneList(shader, list, maps);
  const { instructions } = first;
  first.instructions = instructions.slice(phis.length);
  const copy = cloneList(shader, list, maps);
  first.instructions = instructions;
  return copy;
}

/** Appends nodes; the last block so far and their first become one, which keeps the identity of the latter. */
function append(nodes: BodyNode[], more: readonly BodyNode[]): void {
  const end = nodes.pop() as Block;
  const first = more[0] as Block;
  first.instructions = pushAll(end.instructions, first.instructions);
  pushAll(nodes, more);
}
