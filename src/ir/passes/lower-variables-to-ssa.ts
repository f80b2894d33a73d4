// Turns scalar and vector variables that are accessed by constant paths into SSA values with phis. Needs lower-returns,
// lower-continues and inlining before; variables with dynamic steps or of other types are left alone.
//
// One walk in text order with the current value of each variable. Where ways meet, a phi is made for each variable that
// differs. To keep that near linear, changes are logged and undone per branch, and a variable whose accesses all lie in
// one list and that is set there before anything else is forgotten at the list's end: it needs no phi anywhere outside.
import { listOf } from '../../base/list.ts';
import { type Builder, createBuilder } from '../builder.ts';
import {
  type Block,
  type BodyNode,
  firstBlock,
  type Instruction,
  type LoopNode,
  lastBlock,
  type PhiInstruction,
  type Shader,
  type Value,
  type Variable,
} from '../ir.ts';
import { childLists, forEachInstruction, jumpOf, Replacements, valueTable } from '../walk.ts';
import { isVariableAccess } from './split-variables.ts';

export function lowerVariablesToSsa(shader: Shader): boolean {
  const candidates = findCandidates(shader);
  if (candidates.size === 0) return false;
  const pass = new SsaBuilder(shader, candidates);
  pass.run();
  shader.main.locals = shader.main.locals.filter((variable) => !candidates.has(variable));
  shader.globals = shader.globals.filter((variable) => !candidates.has(variable));
  return true;
}

/** The variables to be lowered, numbered. */
function findCandidates(shader: Shader): Map<Variable, number> {
  const refused = new Set<Variable>();
  const found = new Set<Variable>();
  forEachInstruction(shader.main.body, (instruction) => {
    if (instruction.kind !== 'intrinsic' || !isVariableAccess(instruction)) return;
    const { variable, path } = instruction.info;
    if (instruction.op === 'copyVar') refused.add(variable).add(instruction.info.source);
    else if (variable.type.kind !== 'vector' || path.some((step) => step < 0)) refused.add(variable);
    else found.add(variable);
  });
  const result = new Map<Variable, number>();
  for (const variable of found) if (!refused.has(variable)) result.set(variable, result.size);
  return result;
}

interface ListInfo {
  parent: ListInfo | null;
  depth: number;
  /** Variables that are stored in here or below and live outside. Of loop bodies only. */
  stored: Set<number> | null;
}

/** What a loop's breaks leave behind: by break the values of the stored variables. */
interface LoopState {
  info: ListInfo;
  variables: number[];
  breaks: { block: Block; values: Value[] }[];
}

class SsaBuilder {
  readonly shader: Shader;
  readonly index: ReadonlyMap<Variable, number>;
  readonly variables: Variable[];
  readonly builder: Builder;
  readonly replacements: Replacements;
  /** Current value of each variable; undefined is zero. */
  readonly state: (Value | undefined)[];
  /** Variables that have changed since the start of each open branch, with the value before. */
  readonly log: { variable: number; old: Value | undefined }[] = [];
  readonly infos = new Map<readonly BodyNode[], ListInfo>();
  /** Depth of the list to which a variable is confined, or -1. */
  readonly scopeDepth: number[];
  /** Depth of the list in which a value is defined. */
  readonly valueDepth: (number | undefined)[];
  readonly undefs = new Map<string, Value>();

  constructor(shader: Shader, index: ReadonlyMap<Variable, number>) {
    this.shader = shader;
    this.index = index;
    this.variables = [...index.keys()];
    this.builder = createBuilder(shader);
    this.replacements = new Replacements(shader);
    this.valueDepth = valueTable(shader, 2);
    this.state = new Array(this.variables.length);
    this.scopeDepth = new Array<number>(this.variables.length).fill(-1);
  }

  run(): void {
    const { body } = this.shader.main;
    this.analyse(body);
    this.walkList(body, null);
    const entry = firstBlock(body);
    entry.instructions = [...this.undefs.values(), ...entry.instructions];
    this.replacements.applyTo(body);
  }

  // ------------------------------------------------------------------------------------------------------ analysis

  /** Finds the list each variable is confined to, and what each loop stores. */
  analyse(body: BodyNode[]): void {
    const common: (ListInfo | undefined)[] = [];
    const startsWithStore: boolean[] = [];
    const loops: { info: ListInfo; stores: number[] }[] = [];
    const openLoops: { info: ListInfo; stores: number[] }[] = [];

    const visit = (list: BodyNode[], parent: ListInfo | null, isLoop: boolean): void => {
      const info: ListInfo = { parent, depth: parent ? parent.depth + 1 : 0, stored: null };
      this.infos.set(list, info);
      if (isLoop) {
        const loop = { info, stores: [] };
        loops.push(loop);
        openLoops.push(loop);
      }
      for (const node of list) {
        if (node.kind !== 'block') {
          for (const child of childLists(node)) visit(child, info, node.kind === 'loop');
          continue;
        }
        for (const instruction of node.instructions) {
          const variable = this.variableOf(instruction);
          if (variable < 0) continue;
          const isStore = instruction.op === 'storeVar';
          const before = common[variable];
          if (before === undefined) {
            common[variable] = info;
            startsWithStore[variable] = isStore && this.isFullStore(instruction);
          } else {
            const joined = commonList(before, info);
            // The first access is then below the common list and may not happen.
            if (joined !== before) startsWithStore[variable] = false;
            common[variable] = joined;
          }
          if (isStore) openLoops[openLoops.length - 1]?.stores.push(variable);
        }
      }
      if (!isLoop) return;
      const closed = openLoops.pop()!;
      const outer = openLoops[openLoops.length - 1];
      const unique = [...new Set(closed.stores)];
      closed.stores = unique;
      if (outer) for (const variable of unique) outer.stores.push(variable);
    };
    visit(body, null, false);

    for (let v = 0; v < this.variables.length; v++) if (startsWithStore[v]) this.scopeDepth[v] = common[v]!.depth;
    for (const { info, stores } of loops) info.stored = new Set(stores.filter((v) => this.livesAt(v, info.depth - 1)));
  }

  /** Whether a variable can matter in a list of this depth around the current place. */
  livesAt(variable: number, depth: number): boolean {
    return this.scopeDepth[variable]! <= depth;
  }

  variableOf(instruction: Instruction): number {
    if (instruction.kind !== 'intrinsic') return -1;
    if (instruction.op !== 'loadVar' && instruction.op !== 'storeVar') return -1;
    return this.index.get(instruction.info.variable) ?? -1;
  }

  isFullStore(instruction: Instruction): boolean {
    if (instruction.kind !== 'intrinsic' || instruction.op !== 'storeVar') return false;
    const { path, writeMask } = instruction.info;
    const value = instruction.sources[0]!;
    return path.length === 0 && writeMask === (1 << value.components) - 1;
  }

  // ---------------------------------------------------------------------------------------------------------- walk

  read(variable: number): Value {
    return this.state[variable] ?? this.undefOf(variable);
  }

  undefOf(variable: number): Value {
    const { type } = this.variables[variable]!;
    const components = type.kind === 'vector' ? type.components : 1;
    const bits = type.kind === 'vector' && type.base === 'bool' ? 1 : 32;
    const key = `${components}:${bits}`;
    let value = this.undefs.get(key);
    if (value === undefined) {
      // Made anywhere, moved to the entry at the end.
      const block = this.builder.block;
      this.builder.setBlock({ kind: 'block', id: -1, instructions: [] });
      value = this.builder.undef(components, bits);
      this.builder.setBlock(block);
      this.undefs.set(key, value);
      this.valueDepth[value.id] = 0;
    }
    return value;
  }

  assign(variable: number, value: Value): void {
    this.log.push({ variable, old: this.state[variable] });
    this.state[variable] = value;
  }

  /** Walks a list; false if its end is not reached. */
  walkList(list: BodyNode[], loop: LoopState | null): boolean {
    const info = this.infos.get(list)!;
    for (let i = 0; i < list.length; i++) {
      const node = list[i]!;
      if (node.kind === 'block') {
        this.walkBlock(node, info.depth);
        const jump = jumpOf(node);
        if (jump === undefined) continue;
        if (jump.op === 'break' && loop)
          loop.breaks.push({ block: node, values: loop.variables.map((v) => this.read(v)) });
        return false;
      }
      const after = list[i + 1] as Block;
      if (node.kind === 'loop') this.walkLoop(node, list[i - 1] as Block, after, info);
      else {
        node.condition = this.replacements.get(node.condition);
        const start = this.log.length;
        const thenReached = this.walkList(node.thenBody, loop);
        const thenValues = this.takeChanges(start, info.depth);
        const elseReached = this.walkList(node.elseBody, loop);
        const elseValues = this.takeChanges(start, info.depth);
        this.mergeIf(after, info.depth, [
          { reached: thenReached, block: lastBlock(node.thenBody), values: thenValues },
          { reached: elseReached, block: lastBlock(node.elseBody), values: elseValues },
        ]);
      }
    }
    return true;
  }

  /** Undoes the changes since `start`; the result is what had become of the variables that live at `depth`. */
  takeChanges(start: number, depth: number): Map<number, Value> {
    const values = new Map<number, Value>();
    while (this.log.length > start) {
      const { variable, old } = this.log.pop()!;
      if (!values.has(variable) && this.livesAt(variable, depth)) values.set(variable, this.read(variable));
      this.state[variable] = old;
    }
    return values;
  }

  mergeIf(after: Block, depth: number, sides: { reached: boolean; block: Block; values: Map<number, Value> }[]): void {
    const reached = sides.filter((side) => side.reached);
    if (reached.length === 0) return;
    const changed = new Set<number>();
    for (const side of reached) for (const variable of side.values.keys()) changed.add(variable);
    const phis: PhiInstruction[] = [];
    for (const variable of changed) {
      const values = reached.map((side) => side.values.get(variable) ?? this.read(variable));
      this.assign(
        variable,
        this.merge(
          phis,
          depth,
          values,
          reached.map((side) => side.block),
        ),
      );
    }
    if (phis.length > 0) after.instructions = [...phis, ...after.instructions];
  }

  /** One value if all are the same and visible here, else a new phi. */
  merge(phis: PhiInstruction[], depth: number, values: Value[], blocks: Block[]): Value {
    const first = values[0]!;
    if ((this.valueDepth[first.id] ?? 0) <= depth && values.every((value) => value === first)) return first;
    const phi = this.makePhi(first.components, first.bits, values, blocks, depth);
    phis.push(phi);
    return phi;
  }

  makePhi(components: number, bits: 1 | 32, values: Value[], blocks: Block[], depth: number): PhiInstruction {
    this.builder.setBlock({ kind: 'block', id: -1, instructions: [] });
    const sources = values.map((value, i) => ({ value, block: blocks[i]! }));
    const phi = this.builder.phi(components, bits, sources);
    this.valueDepth[phi.id] = depth;
    return phi;
  }

  walkLoop(node: LoopNode, before: Block, after: Block, info: ListInfo): void {
    const header = firstBlock(node.body);
    const bodyInfo = this.infos.get(node.body)!;
    const variables = [...bodyInfo.stored!];
    const start = this.log.length;
    const phis = variables.map((variable) => {
      const value = this.read(variable);
      const phi = this.makePhi(value.components, value.bits, [value], [before], bodyInfo.depth);
      this.assign(variable, phi);
      return phi;
    });
    const state: LoopState = { info: bodyInfo, variables, breaks: [] };
    const reached = this.walkList(node.body, state);
    if (reached) {
      phis.forEach((phi, i) => {
        phi.sources.push(this.read(variables[i]!));
        phi.info.push(lastBlock(node.body));
      });
    }
    header.instructions = [...phis, ...header.instructions];
    this.takeChanges(start, info.depth);
    if (state.breaks.length === 0) return;
    const exits: PhiInstruction[] = [];
    const blocks = state.breaks.map((exit) => exit.block);
    variables.forEach((variable, i) => {
      const values = state.breaks.map((exit) => exit.values[i]!);
      this.assign(variable, this.merge(exits, info.depth, values, blocks));
    });
    if (exits.length > 0) after.instructions = [...exits, ...after.instructions];
  }

  walkBlock(block: Block, depth: number): void {
    const kept: Instruction[] = [];
    this.builder.setBlock({ kind: 'block', id: -1, instructions: kept });
    for (const instruction of block.instructions) {
      const variable = this.variableOf(instruction);
      if (variable < 0) {
        if (instruction.components > 0) this.valueDepth[instruction.id] = depth;
        kept.push(instruction);
        continue;
      }
      const made = kept.length;
      if (instruction.op === 'loadVar') this.replacements.set(instruction, this.loadPart(variable, instruction));
      else this.assign(variable, this.storedValue(variable, instruction));
      for (let i = made; i < kept.length; i++) this.valueDepth[kept[i]!.id] = depth;
    }
    block.instructions = kept;
  }

  loadPart(variable: number, instruction: Instruction): Value {
    const { path } = instruction.info as { path: readonly number[] };
    const value = this.read(variable);
    return path.length === 0 ? value : this.builder.channel(value, path[0]!);
  }

  /** The variable's whole new value after a store to all or some of its components. */
  storedValue(variable: number, instruction: Instruction): Value {
    const { path, writeMask } = instruction.info as { path: readonly number[]; writeMask: number };
    const value = this.replacements.get(instruction.sources[0]!);
    if (this.isFullStore(instruction)) return value;
    const { builder } = this;
    const old = this.read(variable);
    if (path.length > 0 && old.components === 1) return value;
    const channels = listOf(old.components, (c) => {
      if (path.length > 0) return c === path[0] ? value : builder.channel(old, c);
      return (writeMask >> c) & 1 ? builder.channel(value, c) : builder.channel(old, c);
    });
    return builder.vec(...channels);
  }
}

function commonList(a: ListInfo, b: ListInfo): ListInfo {
  let x = a;
  let y = b;
  while (x.depth > y.depth) x = x.parent!;
  while (y.depth > x.depth) y = y.parent!;
  while (x !== y) {
    x = x.parent!;
    y = y.parent!;
  }
  return x;
}
