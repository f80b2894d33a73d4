// Shared by lower-returns and lower-continues: removes one kind of jump by moving what it would skip into the other side
// of its if, or, where that is not enough, behind a flag. Works on variable form without phis.
//
//   if c { A; jump } B   →   if c { A } else { B }
//   if c { if d { jump } A } B   →   if c { if d { flag = true } else { A } } if !flag { B }
import { TooComplexError } from '../../base/too-complex.ts';
import { type Builder, createBuilder } from '../builder.ts';
import {
  type Block,
  type BodyNode,
  createBlock,
  type IfNode,
  type IrFunction,
  type JumpKind,
  lastBlock,
  MAX_NESTING,
  type Shader,
  type Variable,
} from '../ir.ts';
import { jumpOf } from '../walk.ts';
import { appendList, cutRest, isEmptyList } from './splice.ts';

/**
 * How control leaves a list: `falls` always at its end; `sometimes` it reached a removed jump, and then the flag is set;
 * `always` it did; `ends` by another jump or never.
 */
type ListEnd = 'falls' | 'sometimes' | 'always' | 'ends';

export class JumpRemover {
  readonly shader: Shader;
  readonly kind: JumpKind;
  readonly flag: Variable;
  readonly builder: Builder;

  constructor(shader: Shader, fn: IrFunction, kind: JumpKind, flag: Variable) {
    this.shader = shader;
    this.kind = kind;
    this.flag = flag;
    this.builder = createBuilder(shader, fn);
  }

  /** Appends `flag = value` to a block. */
  setFlag(block: Block, value: boolean): void {
    this.builder.setBlock(block);
    this.builder.storeVar(this.flag, [], this.builder.constBool(value));
  }

  /** Removes the jumps of a list that is not in a loop of its own. `loopRule` deals with loops found in it. */
  lowerList(list: BodyNode[], depth: number, loopRule: (list: BodyNode[], index: number) => boolean): ListEnd {
    if (depth > MAX_NESTING) throw new TooComplexError(`too many ${this.kind} statements`);
    for (let i = 0; i < list.length; i++) {
      const node = list[i]!;
      if (node.kind === 'block') {
        const jump = jumpOf(node);
        if (jump === undefined) continue;
        if (jump.op !== this.kind) return 'ends';
        node.instructions.pop();
        this.setFlag(node, true);
        return 'always';
      }
      if (node.kind === 'if') {
        const end = this.lowerIf(list, i, node, depth, loopRule);
        if (end !== 'falls') return end;
      } else if (loopRule(list, i)) {
        const rest = cutRest(this.shader, list, i);
        this.guard(list, rest, depth, loopRule);
        return 'sometimes';
      }
    }
    return 'falls';
  }

  lowerIf(
    list: BodyNode[],
    index: number,
    node: IfNode,
    depth: number,
    loopRule: (list: BodyNode[], index: number) => boolean,
  ): ListEnd {
    const lower = (side: BodyNode[]) => this.lowerList(side, depth + 1, loopRule);
    const thenEnd = lower(node.thenBody);
    if (thenEnd === 'always' && jumpOf(lastBlock(node.elseBody)) === undefined) {
      appendList(node.elseBody, cutRest(this.shader, list, index));
      return lower(node.elseBody) === 'always' ? 'always' : 'sometimes';
    }
    const elseEnd = lower(node.elseBody);
    if (thenEnd === 'falls' && elseEnd === 'falls') return 'falls';
    const isOver = (end: ListEnd) => end === 'always' || end === 'ends';
    if (isOver(thenEnd) && isOver(elseEnd)) {
      cutRest(this.shader, list, index);
      if (thenEnd === 'ends' && elseEnd === 'ends') return 'ends';
      return thenEnd === 'always' && elseEnd === 'always' ? 'always' : 'sometimes';
    }
    if (thenEnd !== 'sometimes' && elseEnd !== 'sometimes' && (thenEnd === 'ends' || elseEnd === 'ends'))
      return 'falls';
    const rest = cutRest(this.shader, list, index);
    if (elseEnd === 'always' && thenEnd === 'falls') {
      appendList(node.thenBody, rest);
      lower(node.thenBody);
    } else if (elseEnd === 'always') this.guard(node.thenBody, rest, depth + 1, loopRule);
    else this.guard(list, rest, depth, loopRule);
    return 'sometimes';
  }

  /** Appends `if !flag { rest }` to the list. */
  guard(
    list: BodyNode[],
    rest: BodyNode[],
    depth: number,
    loopRule: (list: BodyNode[], index: number) => boolean,
  ): void {
    if (isEmptyList(rest)) return;
    const { builder, shader } = this;
    this.lowerList(rest, depth + 1, loopRule);
    builder.setBlock(lastBlock(list));
    const condition = builder.lnot(builder.loadVar(this.flag));
    list.push({ kind: 'if', condition, thenBody: rest, elseBody: [createBlock(shader)], uniform: false });
    list.push(createBlock(shader));
  }
}
