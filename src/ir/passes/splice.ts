// Surgery on node lists that keeps the list invariant and the identity of blocks that phis name.
import { type Block, type BodyNode, createBlock, lastBlock, type Shader } from '../ir.ts';
import { pushAll } from '../walk.ts';

/**
 * Appends `tail` to `list`: the last block of `list` and the first of `tail` become one. The result keeps the identity
 * of the tail's block, which phis behind it may name; so `list` must not be the predecessor of a phi there.
 */
export function appendList(list: BodyNode[], tail: readonly BodyNode[]): void {
  const last = list.pop() as Block;
  const first = tail[0] as Block;
  first.instructions = pushAll(last.instructions, first.instructions);
  pushAll(list, tail);
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
