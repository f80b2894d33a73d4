// Removes `return` from every function, so that calls can be inlined as plain lists. Variable form, without phis.
//
// Outside of loops the rest of the function moves to the other side of the if. In a loop, return becomes: set a flag and
// break; behind the loop the flag breaks the next outer loop, or guards the rest of the function. A function with very
// many returns is wrapped in a loop that runs once, with `break` for `return`, as moving would nest too deeply.
import {
  type BodyNode,
  createBlock,
  createInstruction,
  createVariable,
  firstBlock,
  type IrFunction,
  lastBlock,
  type Shader,
  vectorType,
} from '../ir.ts';
import { collectBlocks, jumpOf, pushAll } from '../walk.ts';
import { JumpRemover } from './lower-jumps.ts';

const MANY_RETURNS = 64;

export function lowerReturns(shader: Shader): boolean {
  let progress = false;
  for (const fn of shader.functions) if (lowerFunction(shader, fn)) progress = true;
  return progress;
}

function lowerFunction(shader: Shader, fn: IrFunction): boolean {
  const returns = collectBlocks(fn.body).filter((block) => jumpOf(block)?.op === 'return').length;
  if (returns === 0) return false;
  const flag = createVariable('returned', vectorType('bool'));
  const remover = new JumpRemover(shader, fn, 'return', flag);
  if (returns > MANY_RETURNS) {
    const body = fn.body.slice();
    if (jumpOf(lastBlock(body)) === undefined) {
      lastBlock(body).instructions.push(createInstruction(shader, 'jump', 'break', 0, 32, [], null));
    }
    lowerInLoop(shader, remover, body);
    fn.body = [createBlock(shader), { kind: 'loop', body, continuing: [], uniform: false }, createBlock(shader)];
  } else {
    remover.lowerList(fn.body, 0, (list, i) => {
      const node = list[i]!;
      return node.kind === 'loop' && lowerInLoop(shader, remover, node.body);
    });
  }
  fn.locals.push(flag);
  const entry = firstBlock(fn.body);
  const rest = entry.instructions;
  entry.instructions = [];
  remover.setFlag(entry, false);
  pushAll(entry.instructions, rest);
  return true;
}

/** Within a loop's body: return → flag and break. True if there was one. */
function lowerInLoop(shader: Shader, remover: JumpRemover, list: BodyNode[]): boolean {
  let found = false;
  for (let i = 0; i < list.length; i++) {
    const node = list[i]!;
    if (node.kind === 'block') {
      if (jumpOf(node)?.op !== 'return') continue;
      node.instructions.pop();
      remover.setFlag(node, true);
      node.instructions.push(createInstruction(shader, 'jump', 'break', 0, 32, [], null));
      found = true;
    } else if (node.kind === 'if') {
      if (lowerInLoop(shader, remover, node.thenBody)) found = true;
      if (lowerInLoop(shader, remover, node.elseBody)) found = true;
    } else if (lowerInLoop(shader, remover, node.body)) {
      found = true;
      // Behind the inner loop: if (returned) break;
      const check = createBlock(shader);
      const { builder } = remover;
      builder.setBlock(check);
      const condition = builder.loadVar(remover.flag);
      const leave = createBlock(shader);
      leave.instructions.push(createInstruction(shader, 'jump', 'break', 0, 32, [], null));
      const thenBody: BodyNode[] = [leave];
      list.splice(i + 1, 0, check, {
        kind: 'if',
        condition,
        thenBody,
        elseBody: [createBlock(shader)],
        uniform: false,
      });
    }
  }
  return found;
}
