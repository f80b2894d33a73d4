// Removes `continue` and appends each loop's `continuing` to its body, so that a loop has one way back. Variable form,
// without phis.
import {
  type BodyNode,
  createVariable,
  firstBlock,
  type IrFunction,
  type LoopNode,
  lastBlock,
  type Shader,
  vectorType,
} from '../ir.ts';
import { forEachNode, jumpOf, pushAll } from '../walk.ts';
import { JumpRemover } from './lower-jumps.ts';
import { appendList } from './splice.ts';

export function lowerContinues(shader: Shader): boolean {
  let progress = false;
  for (const fn of shader.functions) {
    forEachNode(fn.body, (node) => {
      if (node.kind === 'loop' && lowerLoop(shader, fn, node)) progress = true;
    });
  }
  return progress;
}

function lowerLoop(shader: Shader, fn: IrFunction, loop: LoopNode): boolean {
  const hasContinue = containsContinue(loop.body);
  if (!hasContinue && loop.continuing.length === 0) return false;
  if (hasContinue) {
    const flag = createVariable('continued', vectorType('bool'));
    fn.locals.push(flag);
    const remover = new JumpRemover(shader, fn, 'continue', flag);
    remover.lowerList(loop.body, 0, () => false);
    const header = firstBlock(loop.body);
    const rest = header.instructions;
    header.instructions = [];
    remover.setFlag(header, false);
    pushAll(header.instructions, rest);
  }
  if (loop.continuing.length > 0 && jumpOf(lastBlock(loop.body)) === undefined) appendList(loop.body, loop.continuing);
  loop.continuing = [];
  return true;
}

/** Whether a list contains a continue of its own loop. */
function containsContinue(list: readonly BodyNode[]): boolean {
  return list.some((node) => {
    if (node.kind === 'block') return jumpOf(node)?.op === 'continue';
    return node.kind === 'if' && (containsContinue(node.thenBody) || containsContinue(node.elseBody));
  });
}
