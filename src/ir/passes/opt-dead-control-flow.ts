// Simplifies control flow whose way is known: ifs with a constant condition, ifs of which nothing is left,
// code behind jumps, and loops that run exactly once.
import {
  type Block,
  type BodyNode,
  endsWithJump,
  firstBlock,
  type IfNode,
  type LoopNode,
  lastBlock,
  type Shader,
} from '../ir.ts';
import { childLists, jumpOf, phisOf, pushAll, Replacements } from '../walk.ts';
import { isEmptyList } from './splice.ts';

export function optDeadControlFlow(shader: Shader): boolean {
  const replacements = new Replacements(shader);
  let progress = false;

  /** Puts the nodes of `inner` in the place of the node at `index`; phis behind it become their source from `exit`. */
  function splice(list: BodyNode[], index: number, inner: BodyNode[], exit: Block | null): void {
    progress = true;
    const before = list[index - 1] as Block;
    const after = list[index + 1] as Block;
    const first = firstBlock(inner);
    for (const phi of phisOf(first)) replacements.set(phi, phi.sources[phi.info.indexOf(before)]!);
    first.instructions = pushAll(before.instructions, first.instructions, phisOf(first).length);
    const phis = phisOf(after);
    if (exit === null) {
      // The end of `inner` jumps away: nothing behind it is reached.
      list.length = index - 1;
      pushAll(list, inner);
      return;
    }
    for (const phi of phis) replacements.set(phi, phi.sources[phi.info.indexOf(exit)]!);
    after.instructions = pushAll(lastBlock(inner).instructions, after.instructions, phis.length);
    const rest = list.splice(index - 1).slice(3);
    pushAll(list, inner);
    list[list.length - 1] = after;
    pushAll(list, rest);
  }

  function walk(list: BodyNode[]): void {
    for (let i = 1; i < list.length; i += 2) {
      const node = list[i] as IfNode | LoopNode;
      for (const child of childLists(node)) walk(child);
      if (node.kind === 'if' ? simplifyIf(list, i, node) : simplifyLoop(list, i, node)) i = Math.max(i - 2, -1);
    }
  }

  function simplifyIf(list: BodyNode[], i: number, node: IfNode): boolean {
    const after = list[i + 1] as Block;
    const { condition } = node;
    if (condition.kind === 'const' || condition.kind === 'undef') {
      const taken = condition.kind === 'const' && condition.info[0] ? node.thenBody : node.elseBody;
      // The way not taken may hold breaks: their phi sources behind the loop go with them.
      splice(list, i, taken, endsWithJump(taken) ? null : lastBlock(taken));
      return true;
    }
    if (isEmptyList(node.thenBody) && isEmptyList(node.elseBody) && phisOf(after).length === 0) {
      splice(list, i, node.elseBody, lastBlock(node.elseBody));
      return true;
    }
    return false;
  }

  function simplifyLoop(list: BodyNode[], i: number, node: LoopNode): boolean {
    if (node.continuing.length > 0) return false;
    const breaks = breaksOf(node.body);
    const last = lastBlock(node.body);
    const runsOnce = breaks.length === 1 && breaks[0] === last;
    if (!runsOnce) return false;
    last.instructions.pop();
    splice(list, i, node.body, last);
    return true;
  }

  walk(shader.main.body);
  if (!progress) return false;
  replacements.applyTo(shader.main.body);
  dropStalePhiSources(shader.main.body);
  return true;
}

/** The blocks that break this loop. */
function breaksOf(list: readonly BodyNode[]): Block[] {
  return list.flatMap((node) => {
    if (node.kind === 'block') return jumpOf(node)?.op === 'break' ? [node] : [];
    return node.kind === 'if' ? [...breaksOf(node.thenBody), ...breaksOf(node.elseBody)] : [];
  });
}

/** Removes phi sources whose predecessor is gone. */
function dropStalePhiSources(list: readonly BodyNode[]): void {
  const prune = (block: Block, predecessors: readonly Block[]): void => {
    for (const phi of phisOf(block)) {
      if (phi.info.length === predecessors.length && phi.info.every((from) => predecessors.includes(from))) continue;
      const kept = phi.info
        .map((from, i) => ({ from, value: phi.sources[i]! }))
        .filter((s) => predecessors.includes(s.from));
      phi.info = kept.map((s) => s.from);
      phi.sources = kept.map((s) => s.value);
    }
  };
  list.forEach((node, i) => {
    if (node.kind === 'block') return;
    const after = list[i + 1] as Block;
    if (node.kind === 'if') {
      const ends = [node.thenBody, node.elseBody].filter((side) => !endsWithJump(side)).map(lastBlock);
      prune(after, ends);
    } else {
      prune(after, breaksOf(node.body));
      const before = list[i - 1] as Block;
      prune(firstBlock(node.body), endsWithJump(node.body) ? [before] : [before, lastBlock(node.body)]);
    }
    for (const child of childLists(node)) dropStalePhiSources(child);
  });
}
