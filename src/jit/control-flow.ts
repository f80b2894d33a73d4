// Control flow by execution masks. A scope is a region that runs under one mask: the whole body, a side of a divergent if, a
// divergent loop. Where all lanes agree (uniform conditions) there are real branches within the same scope. Breaks and discards
// take their lanes out of every scope around them at once, so nothing has to be restored when scopes end.
//
// Values of lanes that are not in the mask are garbage and stay unread: a phi behind a divergent if is a bitselect by the condition,
// a phi behind a loop is merged at each break under the mask of the break; phis of loop headers are plainly set, because what
// lanes that have left compute there is never seen.
import type { BodyNode, IfNode, Instruction, Intrinsic, LoopNode, PhiInstruction, Value } from '../ir/ir.ts';
import type { Label } from '../wasm/function-builder.ts';
import { PLACE } from './analyze-body.ts';
import type { BodyCompiler } from './body-compiler.ts';

export interface Scope {
  readonly parent: Scope | null;
  /** Mask local by lane set; null: all lanes (or nothing inside reads it). */
  readonly exec: readonly number[] | null;
  readonly loop: LoopState | null;
  /** Some lanes may be out for another reason than a discard: stores must be masked. */
  readonly isDivergent: boolean;
}

interface LoopState {
  readonly exit: Label;
  readonly isUniform: boolean;
  /** Whose mask holds the lanes still looping (divergent loops). */
  scope: Scope | null;
  readonly exitPhis: readonly PhiInstruction[];
}

/** Below this many vector instructions running a side in vain is cheaper than testing whether any lane wants it. */
const SKIP_COST = 14;

/** Instructions of a loop's body that count as much as one empty step. */
const POSITIONS_A_STEP = 16;

export function emitNodes(c: BodyCompiler, list: readonly BodyNode[], scope: Scope): void {
  for (let i = 0; i < list.length; i++) {
    const node = list[i];
    if (node.kind === 'block') {
      for (const instruction of node.instructions) emitOne(c, instruction, scope, node.id);
      continue;
    }
    const phis = phisOf(list[i + 1]);
    if (node.kind === 'if') emitIf(c, node, phis, scope);
    else emitLoop(c, node, phis, scope, lastBlockId(list[i - 1]));
  }
}

function phisOf(node: BodyNode | undefined): PhiInstruction[] {
  if (node?.kind !== 'block') return [];
  return node.instructions.filter((instruction): instruction is PhiInstruction => instruction.kind === 'phi');
}

function lastBlockId(node: BodyNode): number {
  if (node.kind !== 'block') throw new Error('node lists alternate blocks and control flow');
  return node.id;
}

function emitOne(c: BodyCompiler, instruction: Instruction, scope: Scope, block: number): void {
  const place = c.analysis.place[instruction.id];
  if (instruction.kind === 'jump') emitBreak(c, scope, block);
  else if (instruction.kind === 'intrinsic' && instruction.op === 'discard') emitDiscard(c, instruction, scope);
  else if (place === PLACE.HERE) c.emitInstruction(instruction, scope);
  c.releaseUpTo(c.analysis.position[instruction.id]);
}

/** Leaves whether any lane of the masks is set. */
function pushAny(c: BodyCompiler, masks: readonly number[]): void {
  c.f.localGet(masks[0]);
  if (masks.length === 2) {
    c.f.localGet(masks[1]);
    c.f.op('v128.or');
  }
  c.f.op('v128.any_true');
}

/** Writes the phis of an edge, all read before any is written. `select` merges under a mask instead of overwriting. */
function emitEdge(
  c: BodyCompiler,
  phis: readonly PhiInstruction[],
  block: number,
  masks: readonly number[] | null,
): void {
  const targets: number[] = [];
  for (const phi of phis) {
    const index = phi.info.findIndex((predecessor) => predecessor.id === block);
    if (index < 0) continue;
    const source: Value = phi.sources[index];
    for (let component = 0; component < phi.components; component++) {
      if (!c.isUsed(phi, component)) continue;
      for (let k = 0; k < (c.isWide(phi) ? 2 : 1); k++) {
        const target = c.slot(phi, component, k);
        c.push(source, component, k);
        if (masks !== null) {
          c.f.localGet(target);
          c.f.localGet(masks[k]);
          c.f.op('v128.bitselect');
        }
        targets.push(target);
      }
    }
  }
  for (let i = targets.length - 1; i >= 0; i--) c.f.localSet(targets[i]);
}

function allocatePhis(c: BodyCompiler, phis: readonly PhiInstruction[]): void {
  for (const phi of phis) c.allocate(phi);
}

/** The block that ends a side of an if, unless it ends with a jump. */
function fallThrough(list: readonly BodyNode[]): number {
  const last = list[list.length - 1];
  if (last.kind !== 'block') throw new Error('node lists end with a block');
  return last.instructions.at(-1)?.kind === 'jump' ? -1 : last.id;
}

function isEmpty(list: readonly BodyNode[]): boolean {
  return list.length === 1 && list[0].kind === 'block' && list[0].instructions.length === 0;
}

// ---- if

function emitIf(c: BodyCompiler, node: IfNode, phis: readonly PhiInstruction[], scope: Scope): void {
  if (node.uniform) emitUniformIf(c, node, phis, scope);
  else emitDivergentIf(c, node, phis, scope);
  c.releaseUpTo(c.analysis.nodePosition.get(node)!.end);
  // Lanes may have left the loop for good: go when none is left.
  const { loop } = scope;
  if (loop === null || loop.isUniform || loop.scope !== scope) return;
  const sides = [c.analysis.regions.get(node.thenBody)!, c.analysis.regions.get(node.elseBody)!];
  if (!sides.some((side) => side.breaks || side.discards)) return;
  pushAny(c, scope.exec!);
  c.f.op('i32.eqz');
  c.f.brIf(loop.exit);
}

function emitUniformIf(c: BodyCompiler, node: IfNode, phis: readonly PhiInstruction[], scope: Scope): void {
  const { f } = c;
  allocatePhis(c, phis);
  c.push(node.condition, 0, 0);
  if (!node.condition.uniform && scope.exec !== null) {
    f.localGet(scope.exec[0]);
    f.op('v128.and');
  }
  f.op('v128.any_true');
  f.beginIf();
  emitNodes(c, node.thenBody, scope);
  emitEdge(c, phis, fallThrough(node.thenBody), null);
  if (!isEmpty(node.elseBody) || phis.length > 0) {
    f.beginElse();
    emitNodes(c, node.elseBody, scope);
    emitEdge(c, phis, fallThrough(node.elseBody), null);
  }
  f.end();
}

function emitDivergentIf(c: BodyCompiler, node: IfNode, phis: readonly PhiInstruction[], scope: Scope): void {
  const { f } = c;
  emitSide(c, node, true, scope);
  emitSide(c, node, false, scope);
  const thenBlock = fallThrough(node.thenBody);
  const elseBlock = fallThrough(node.elseBody);
  allocatePhis(c, phis);
  for (const phi of phis) {
    const fromThen = phi.sources[phi.info.findIndex((block) => block.id === thenBlock)];
    const fromElse = phi.sources[phi.info.findIndex((block) => block.id === elseBlock)];
    for (let component = 0; component < phi.components; component++) {
      if (!c.isUsed(phi, component)) continue;
      for (let k = 0; k < (c.isWide(phi) ? 2 : 1); k++) {
        if (fromThen !== undefined) c.push(fromThen, component, k);
        if (fromElse !== undefined) c.push(fromElse, component, k);
        if (fromThen !== undefined && fromElse !== undefined) {
          c.push(node.condition, 0, k);
          f.op('v128.bitselect');
        }
        f.localSet(c.slot(phi, component, k));
      }
    }
  }
}

/** One side of a divergent if, under the mask of the lanes that want it; skipped if there are none and it is worth a test. */
function emitSide(c: BodyCompiler, node: IfNode, isThen: boolean, scope: Scope): void {
  const { f } = c;
  const side = isThen ? node.thenBody : node.elseBody;
  if (isEmpty(side)) return;
  const region = c.analysis.regions.get(side)!;
  const isSkipped = region.cost >= SKIP_COST;
  if (!isSkipped && !region.needsMask) {
    emitNodes(c, side, { parent: scope, exec: null, loop: scope.loop, isDivergent: true });
    return;
  }
  const exec: number[] = [];
  for (let k = 0; k < c.width; k++) {
    const mask = f.newLocal('v128');
    exec.push(mask);
    if (scope.exec === null) {
      c.push(node.condition, 0, k);
      if (!isThen) f.op('v128.not');
    } else {
      f.localGet(scope.exec[k]);
      c.push(node.condition, 0, k);
      f.op(isThen ? 'v128.and' : 'v128.andnot');
    }
    f.localSet(mask);
  }
  if (isSkipped) {
    pushAny(c, exec);
    f.beginIf();
  }
  emitNodes(c, side, { parent: scope, exec, loop: scope.loop, isDivergent: true });
  if (isSkipped) f.end();
  for (const mask of exec) f.freeLocal(mask);
}

// ---- loop

function emitLoop(
  c: BodyCompiler,
  node: LoopNode,
  exitPhis: readonly PhiInstruction[],
  scope: Scope,
  blockBefore: number,
): void {
  const { f } = c;
  const header = phisOf(node.body[0]);
  allocatePhis(c, exitPhis);
  allocatePhis(c, header);
  emitEdge(c, header, blockBefore, null);
  const exec: number[] = [];
  if (!node.uniform) {
    for (let k = 0; k < c.width; k++) {
      const mask = f.newLocal('v128');
      exec.push(mask);
      if (scope.exec === null) f.splatConst(-1);
      else f.localGet(scope.exec[k]);
      f.localSet(mask);
    }
  }
  const exit = f.beginBlock();
  const head = f.beginLoop();
  const loop: LoopState = { exit, isUniform: node.uniform, scope: null, exitPhis };
  const inner: Scope = node.uniform
    ? { parent: scope, exec: scope.exec, loop, isDivergent: scope.isDivergent }
    : { parent: scope, exec, loop, isDivergent: true };
  loop.scope = inner;
  emitNodes(c, node.body, inner);
  const last = fallThrough(node.body);
  if (last >= 0) {
    emitEdge(c, header, last, null);
    // Endless shaders are stopped by counting back edges, those of long bodies for more.
    const { start, end } = c.analysis.nodePosition.get(node)!;
    f.localGet(c.budget!.index);
    f.i32Const(1 + Math.floor((end - start) / POSITIONS_A_STEP));
    f.op('i32.sub');
    f.localTee(c.budget!.index);
    f.i32Const(0);
    f.op('i32.lt_s');
    f.brIf(c.timeout!);
    f.br(head);
  }
  f.end();
  f.end();
  c.releaseUpTo(c.analysis.nodePosition.get(node)!.end);
  for (const mask of exec) f.freeLocal(mask);
}

function emitBreak(c: BodyCompiler, scope: Scope, block: number): void {
  const { f } = c;
  const loop = scope.loop!;
  if (loop.isUniform) {
    emitEdge(c, loop.exitPhis, block, null);
    f.br(loop.exit);
    return;
  }
  emitEdge(c, loop.exitPhis, block, scope.exec);
  // All lanes still in the loop leave together.
  if (scope === loop.scope) return f.br(loop.exit);
  takeOut(c, scope.exec!, scope.parent, loop.scope);
  // The jump may stand in a real branch within the scope, whose code goes on behind it.
  for (const mask of scope.exec!) {
    f.splatConst(0);
    f.localSet(mask);
  }
}

/** Removes lanes from the masks of a scope and those around it, up to `last` (null: all). */
function takeOut(c: BodyCompiler, masks: readonly number[], first: Scope | null, last: Scope | null): void {
  const { f } = c;
  const done = new Set<number>(masks);
  for (let scope = first; scope !== null; scope = scope.parent) {
    for (let k = 0; scope.exec !== null && k < c.width; k++) {
      const mask = scope.exec[k];
      if (done.has(mask)) continue;
      done.add(mask);
      f.localGet(mask);
      f.localGet(masks[k]);
      f.op('v128.andnot');
      f.localSet(mask);
    }
    if (scope === last) return;
  }
}

// ---- discard

function emitDiscard(c: BodyCompiler, instruction: Intrinsic<'discard'>, scope: Scope): void {
  const { f, alive } = c;
  if (alive === null) throw new Error('discard without a mask of live lanes');
  const condition: Value | undefined = instruction.sources[0];
  const gone: number[] = [];
  for (let k = 0; k < c.width; k++) {
    const mask = f.newLocal('v128');
    gone.push(mask);
    f.localGet(scope.exec![k]);
    if (condition !== undefined) {
      c.push(condition, 0, k);
      f.op('v128.and');
    }
    f.localSet(mask);
  }
  takeOut(c, gone, scope, null);
  for (let k = 0; k < c.width; k++) {
    const mask = alive[k].index;
    if (rootExec(scope)?.[k] === mask) continue;
    f.localGet(mask);
    f.localGet(gone[k]);
    f.op('v128.andnot');
    f.localSet(mask);
  }
  for (const mask of gone) f.freeLocal(mask);
  pushAny(
    c,
    alive.map((mask) => mask.index),
  );
  f.op('i32.eqz');
  f.brIf(c.stepEnd!);
}

function rootExec(scope: Scope): readonly number[] | null {
  let root = scope;
  while (root.parent !== null) root = root.parent;
  return root.exec;
}
