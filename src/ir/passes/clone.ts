// Copies node lists, for inlining and unrolling.
import { TooComplexError } from '../../base/too-complex.ts';
import {
  type Block,
  type BodyNode,
  createBlock,
  createInstruction,
  type Instruction,
  MAX_INSTRUCTIONS,
  type Shader,
  type Value,
  type Variable,
} from '../ir.ts';

/** What stands for what in the copy; anything not mapped stays itself. */
export interface CloneMaps {
  values: Map<Value, Value>;
  blocks: Map<Block, Block>;
  variables: Map<Variable, Variable>;
}

export function createCloneMaps(): CloneMaps {
  return { values: new Map(), blocks: new Map(), variables: new Map() };
}

/** A copy of `list`; `maps` gains its values and blocks. */
export function cloneList(shader: Shader, list: readonly BodyNode[], maps: CloneMaps): BodyNode[] {
  const phis: Instruction[] = [];
  const result = copyList(shader, list, maps, phis);
  // Phis of loop headers name values and blocks that come later.
  for (const phi of phis) {
    phi.sources = phi.sources.map((source) => maps.values.get(source) ?? source);
    phi.info = (phi.info as Block[]).map((block) => maps.blocks.get(block) ?? block);
  }
  return result;
}

function copyList(shader: Shader, list: readonly BodyNode[], maps: CloneMaps, phis: Instruction[]): BodyNode[] {
  return list.map((node) => {
    if (node.kind === 'block') {
      const block = createBlock(shader);
      maps.blocks.set(node, block);
      for (const instruction of node.instructions) {
        const copy = cloneInstruction(shader, instruction, maps);
        if (copy.kind === 'phi') phis.push(copy);
        block.instructions.push(copy);
      }
      return block;
    }
    if (node.kind === 'if') {
      const condition = maps.values.get(node.condition) ?? node.condition;
      const thenBody = copyList(shader, node.thenBody, maps, phis);
      const elseBody = copyList(shader, node.elseBody, maps, phis);
      return { kind: 'if', condition, thenBody, elseBody, uniform: node.uniform };
    }
    const body = copyList(shader, node.body, maps, phis);
    const continuing = copyList(shader, node.continuing, maps, phis);
    return { kind: 'loop', body, continuing, uniform: node.uniform };
  });
}

/** The info of an instruction whose variables have become others; infos are written anew, never in place. */
export function renameVariables(
  original: Instruction,
  variables: ReadonlyMap<Variable, Variable>,
): Instruction['info'] {
  if (original.kind === 'call') {
    const { callee, arguments: args } = original.info;
    return { callee, arguments: args.map((variable) => variables.get(variable) ?? variable) };
  }
  if (original.kind !== 'intrinsic') return original.info;
  if (original.op === 'loadVar') {
    const { variable, path } = original.info;
    const renamed = variables.get(variable);
    return renamed === undefined ? original.info : { variable: renamed, path };
  }
  if (original.op === 'storeVar') {
    const { variable, path, writeMask } = original.info;
    const renamed = variables.get(variable);
    return renamed === undefined ? original.info : { variable: renamed, path, writeMask };
  }
  if (original.op === 'copyVar') {
    const { variable, path, source, sourcePath } = original.info;
    const [to, from] = [variables.get(variable) ?? variable, variables.get(source) ?? source];
    return { variable: to, path, source: from, sourcePath };
  }
  return original.info;
}

/** A copy of one instruction with mapped sources (a phi's sources stay, as they may not be mapped yet). */
function cloneInstruction(shader: Shader, original: Instruction, maps: CloneMaps): Instruction {
  if (shader.nextValueId > MAX_INSTRUCTIONS) throw new TooComplexError('the shader has too many instructions');
  const { kind, op, components, bits } = original;
  let { info } = original;
  let sources: Value[];
  if (original.kind === 'phi') {
    sources = original.sources.slice();
    info = original.info.slice();
  } else {
    sources = original.sources.slice();
    for (let i = 0; i < sources.length; i++) sources[i] = maps.values.get(sources[i]!) ?? sources[i]!;
  }
  if (maps.variables.size > 0) info = renameVariables(original, maps.variables);
  const copy = createInstruction(shader, kind, op, components, bits, sources, info);
  if (components > 0) maps.values.set(original, copy);
  return copy;
}
