// Surgery on node lists that keeps the list invariant and the identity of blocks that phis name.
import { type Block, type BodyNode, createBlock, lastBlock, type Shader } from '../ir.ts';

/**
 * Appends `tail` to `list`: the last block of `list` and the first of `tail` become one. The result keeps the identity
 * of the tail's block, which phis behind it may name; so `list` must not be the predecessor of a phi there.
 */
export function appendList(list: BodyNode[], tail: readonly BodyNode[]): void {
  const last = list.pop() as Block;
  const first = tail[0] as Block;
  first.instructions = last.instructions.concat(first.instructions);
  for (const node of tail) list.push(node);
}

/**
 * Replaces the node at `index` by a list of nodes (which may be one empty block). The block before it, the list and the
 * block behind it grow together; phis in the list's first block and behind the node must be gone already. If the list
 * ends with a jump, all that follows goes away.
 */
export function replaceNode(list: BodyNode[], index: number, inner: readonly BodyNode[], endsList: boolean): void {
  const rest = list.splice(index);
  appendList(list, inner);
  if (endsList) return;
  appendList(list, rest.slice(1));
}

/** Takes the nodes behind index `index` off the list and leaves an empty block in their place. */
export function cutRest(shader: Shader, list: BodyNode[], index: number): BodyNode[] {
  const rest = list.splice(index + 1);
  list.push(createBlock(shader));
  return rest;
}

export function isEmptyList(list: readonly BodyNode[]): boolean {
  return list.length === 1 && lastBlock(list).instructions.length === 0;
}
