// Splits variables into their parts: structs always, arrays and matrices where every index into them is constant, so
// that what remains are scalars and vectors (for SSA) and arrays of them. Whole-variable copies become copies of parts.
//
// A step is *kept* if some access takes it dynamically: then the part variable is an array over it, and what lies below
// is split on (an array of structs becomes a struct of arrays). Early in the pipeline a dynamic index may still become
// constant by unrolling, so everything dynamic is kept. With `final`, dynamic steps into matrices, vectors and arrays of
// up to SMALL_ARRAY elements are spelled out as selections among all elements instead, since per-lane addressing costs
// more than a few selects.
import { TooComplexError } from '../../base/too-complex.ts';
import { type Builder, createBuilder } from '../builder.ts';
import {
  type Block,
  childCount,
  childType,
  createVariable,
  dynamicStepSource,
  type Instruction,
  type Intrinsic,
  type IrType,
  MAX_EXPANSION,
  type Path,
  type Shader,
  type Value,
  type Variable,
  vectorType,
} from '../ir.ts';
import { forEachBlock, Replacements } from '../walk.ts';

const SMALL_ARRAY = 4;

type VariableAccess = Intrinsic<'loadVar'> | Intrinsic<'storeVar'> | Intrinsic<'copyVar'>;

/** A place in a variable's type tree, for all elements of kept steps at once. */
interface Part {
  type: IrType;
  isKept: boolean;
  /** By constant step; a kept part has only child 0. */
  children: (Part | undefined)[];
  /** The variable of a leaf, when made. */
  variable: Variable | null;
  name: string;
}

export function splitVariables(shader: Shader, options: { final: boolean }): boolean {
  const pass = new Splitter(shader, options.final);
  return pass.run();
}

export function isVariableAccess(instruction: Instruction): instruction is VariableAccess {
  const { op } = instruction;
  return instruction.kind === 'intrinsic' && (op === 'loadVar' || op === 'storeVar' || op === 'copyVar');
}

class Splitter {
  readonly shader: Shader;
  readonly final: boolean;
  readonly builder: Builder;
  readonly roots = new Map<Variable, Part>();
  readonly replacements: Replacements;
  progress = false;

  constructor(shader: Shader, final: boolean) {
    this.shader = shader;
    this.final = final;
    this.builder = createBuilder(shader);
    this.replacements = new Replacements(shader);
  }

  run(): boolean {
    const { main } = this.shader;
    const accesses: VariableAccess[] = [];
    forEachBlock(main.body, (block) => {
      for (const instruction of block.instructions) {
        if (!isVariableAccess(instruction)) continue;
        this.foldConstantSteps(instruction);
        accesses.push(instruction);
      }
    });
    if (accesses.length === 0) {
      main.locals = [];
      this.shader.globals = [];
      return false;
    }
    for (const access of accesses) {
      this.markKept(access.info.variable, access.info.path);
      if (access.op === 'copyVar') this.markKept(access.info.source, access.info.sourcePath);
    }
    const needsRewrite = ({ op, info }: VariableAccess) =>
      op === 'copyVar' || !this.isUntouched(info.variable, info.path);
    if (accesses.some(needsRewrite)) {
      forEachBlock(main.body, (block) => void this.rewriteBlock(block));
      this.progress = true;
    }
    this.replacements.applyTo(main.body);
    return this.progress;
  }

  /** Dynamic steps whose index has become constant. */
  foldConstantSteps(access: VariableAccess): void {
    const { sources } = access;
    const path = foldPath(access.info.variable, access.info.path, sources);
    // Copies of an instruction share its info, so that is never written in place.
    if (access.op === 'copyVar') {
      const sourcePath = foldPath(access.info.source, access.info.sourcePath, sources);
      if (path !== access.info.path || sourcePath !== access.info.sourcePath) {
        access.info = { ...access.info, path, sourcePath };
      }
    } else if (path !== access.info.path) {
      if (access.op === 'loadVar') access.info = { ...access.info, path };
      else access.info = { ...access.info, path };
    }
  }

  root(variable: Variable): Part {
    let root = this.roots.get(variable);
    if (root === undefined) this.roots.set(variable, (root = newPart(variable.type, variable.name)));
    return root;
  }

  child(part: Part, step: number): Part {
    const index = part.isKept ? 0 : step;
    const known = part.children[index];
    if (known !== undefined) return known;
    const { type } = part;
    const label = type.kind === 'struct' ? type.members[index]!.name : part.isKept ? '' : String(index);
    const child = newPart(childType(type, index)!, label ? `${part.name}_${label}` : part.name);
    part.children[index] = child;
    return child;
  }

  markKept(variable: Variable, path: Path): void {
    let part = this.root(variable);
    // First pass over a path may make children of a step that is kept later: only the marks matter, see partAt.
    for (const step of path) {
      if (step < 0 && this.keeps(part.type)) part.isKept = true;
      part = this.markChild(part, step);
    }
  }

  /** While marking, all elements of an array share their marks. */
  markChild(part: Part, step: number): Part {
    const index = part.type.kind === 'struct' ? step : 0;
    let child = part.children[index];
    if (child === undefined) {
      child = newPart(childType(part.type, index)!, '');
      part.children[index] = child;
    }
    return child;
  }

  /** Whether a dynamic step into this type stays dynamic. */
  keeps(type: IrType): boolean {
    return !this.final || (type.kind === 'array' && type.length > SMALL_ARRAY);
  }

  readonly parts = new Map<Variable, Part>();

  /** The part at a constant path, in the tree of real parts (which takes the marks from the tree of `roots`). */
  partAt(variable: Variable, path: readonly number[]): Part {
    let mark: Part | undefined = this.root(variable);
    let part = this.parts.get(variable);
    if (part === undefined) {
      part = newPart(variable.type, variable.name);
      part.isKept = mark.isKept;
      this.parts.set(variable, part);
    }
    for (const step of path) {
      mark = mark?.children[mark.type.kind === 'struct' ? step : 0];
      const isNew: boolean = part.children[part.isKept ? 0 : step] === undefined;
      part = this.child(part, step);
      if (isNew) part.isKept = mark?.isKept ?? false;
    }
    return part;
  }

  // ------------------------------------------------------------------------------------------------------- rewrite

  rewriteBlock(block: Block): void {
    if (!block.instructions.some(isVariableAccess)) return;
    const old = block.instructions;
    block.instructions = [];
    this.builder.setBlock(block);
    for (const instruction of old) {
      if (!isVariableAccess(instruction)) block.instructions.push(instruction);
      else if (instruction.op === 'copyVar') this.rewriteCopy(instruction);
      else {
        const { variable, path } = instruction.info;
        const steps = path.map((step) => (step >= 0 ? step : instruction.sources[dynamicStepSource(step)]!));
        if (instruction.op === 'loadVar') {
          if (this.isUntouched(variable, path)) block.instructions.push(instruction);
          else this.replacements.set(instruction, this.load(variable, [], steps));
        } else if (this.isUntouched(variable, path)) block.instructions.push(instruction);
        else this.store(variable, [], steps, instruction.sources[0]!, instruction.info.writeMask, null);
      }
    }
  }

  /** A vector variable that is accessed by constant steps stays as it is. */
  isUntouched(variable: Variable, path: Path): boolean {
    return variable.type.kind === 'vector' && (!this.final || path.every((step) => step >= 0));
  }

  /**
   * Loads the vector at `done` + `rest` (`done`: constant steps and dynamic ones that are kept). Spells out a dynamic
   * step that is not kept.
   */
  load(variable: Variable, done: (number | Value)[], rest: readonly (number | Value)[]): Value {
    const { builder } = this;
    const part = this.partOf(variable, done);
    if (rest.length === 0 || part.type.kind === 'vector') {
      const leaf = this.access(variable, done);
      if (rest.length === 0) return builder.loadVar(leaf.variable, leaf.steps);
      const step = rest[0]!;
      if (typeof step === 'number') return builder.channel(builder.loadVar(leaf.variable, leaf.steps), step);
      if (!this.final) return builder.loadVar(leaf.variable, [...leaf.steps, step]);
      const whole = builder.loadVar(leaf.variable, leaf.steps);
      return this.pick(builder.channels(whole), step);
    }
    const step = rest[0]!;
    if (typeof step === 'number' || part.isKept) return this.load(variable, [...done, step], rest.slice(1));
    const elements: Value[] = [];
    for (let i = 0; i < childCount(part.type); i++) elements.push(this.load(variable, [...done, i], rest.slice(1)));
    return this.pick(elements, step);
  }

  /** elements[min(index, last)] by selects. */
  pick(elements: readonly Value[], index: Value): Value {
    const { builder } = this;
    let result = elements[elements.length - 1]!;
    for (let i = elements.length - 2; i >= 0; i--) {
      const isHere = builder.splat(builder.ieq(index, builder.constInt(i)), result.components);
      result = builder.select(isHere, elements[i]!, result);
    }
    return result;
  }

  /** Stores to the vector at `done` + `rest` where `condition` (null: always) holds. */
  store(
    variable: Variable,
    done: (number | Value)[],
    rest: readonly (number | Value)[],
    value: Value,
    writeMask: number,
    condition: Value | null,
  ): void {
    const { builder } = this;
    const part = this.partOf(variable, done);
    if (rest.length > 0 && part.type.kind !== 'vector') {
      const step = rest[0]!;
      const below = rest.slice(1);
      if (typeof step === 'number' || part.isKept) {
        return this.store(variable, [...done, step], below, value, writeMask, condition);
      }
      const last = childCount(part.type) - 1;
      for (let i = 0; i <= last; i++) {
        const isHere = this.isElement(step, i, last);
        this.store(
          variable,
          [...done, i],
          below,
          value,
          writeMask,
          condition ? builder.land(condition, isHere) : isHere,
        );
      }
      return;
    }
    const leaf = this.access(variable, done);
    const step = rest[0];
    if (step !== undefined && typeof step !== 'number' && !this.final) {
      builder.storeVar(leaf.variable, [...leaf.steps, step], value, writeMask);
    } else if (step !== undefined && typeof step !== 'number') {
      const old = builder.channels(builder.loadVar(leaf.variable, leaf.steps));
      const fresh = old.map((channel, i) => {
        const isHere = this.isElement(step, i, old.length - 1);
        return builder.select(condition ? builder.land(condition, isHere) : isHere, value, channel);
      });
      builder.storeVar(leaf.variable, leaf.steps, builder.vec(...fresh));
    } else {
      const steps = step === undefined ? leaf.steps : [...leaf.steps, step];
      let stored = value;
      if (condition) {
        const old = builder.loadVar(leaf.variable, steps);
        stored = builder.select(builder.splat(condition, old.components), value, old);
      }
      builder.storeVar(leaf.variable, steps, stored, writeMask);
    }
  }

  /** Whether min(index, last) is i. */
  isElement(index: Value, i: number, last: number): Value {
    const { builder } = this;
    return i < last ? builder.ieq(index, builder.constInt(i)) : builder.uge(index, builder.constInt(last));
  }

  rewriteCopy(instruction: Intrinsic<'copyVar'>): void {
    const { variable, path, source, sourcePath } = instruction.info;
    const stepsOf = (p: Path) => p.map((step) => (step >= 0 ? step : instruction.sources[dynamicStepSource(step)]!));
    const to = stepsOf(path);
    const from = stepsOf(sourcePath);
    let type: IrType = source.type;
    for (const step of sourcePath) type = childType(type, Math.max(step, 0))!;
    // All loads come before all stores, as the parts may overlap.
    const leaves: { steps: number[]; value: Value }[] = [];
    const collect = (t: IrType, steps: number[]): void => {
      if (this.shader.nextValueId > MAX_EXPANSION) throw new TooComplexError('a copied variable is too large');
      if (t.kind === 'vector') leaves.push({ steps, value: this.load(source, [], [...from, ...steps]) });
      else for (let i = 0; i < childCount(t); i++) collect(childType(t, i)!, [...steps, i]);
    };
    collect(type, []);
    for (const { steps, value } of leaves) {
      this.store(variable, [], [...to, ...steps], value, (1 << value.components) - 1, null);
    }
  }

  partOf(variable: Variable, steps: readonly (number | Value)[]): Part {
    return this.partAt(
      variable,
      steps.map((step) => (typeof step === 'number' ? step : 0)),
    );
  }

  /** The variable that holds the part at `steps`, and the steps that remain within it: the kept ones. */
  access(variable: Variable, steps: readonly (number | Value)[]): { variable: Variable; steps: (number | Value)[] } {
    const part = this.partOf(variable, steps);
    const kept: (number | Value)[] = [];
    const lengths: IrType[] = [];
    for (let i = 0; i < steps.length; i++) {
      const above = this.partOf(variable, steps.slice(0, i));
      if (!above.isKept || above.type.kind === 'vector') continue;
      kept.push(steps[i]!);
      lengths.push(above.type);
    }
    if (part.variable === null) {
      let type = part.type;
      for (const above of lengths.reverse()) type = { kind: 'array', element: type, length: childCount(above) };
      if (steps.length === 0 && variable.type.kind === 'vector') part.variable = variable;
      else {
        part.variable = createVariable(part.name, type, 'temporary', variable.precision);
        this.shader.main.locals.push(part.variable);
        this.progress = true;
      }
    }
    return { variable: part.variable, steps: kept };
  }
}

function newPart(type: IrType, name: string): Part {
  return { type, isKept: false, children: [], variable: null, name };
}

function foldPath(variable: Variable, path: Path, sources: readonly Value[]): Path {
  if (path.every((step) => step >= 0)) return path;
  let type: IrType = variable.type;
  return path.map((step) => {
    const count = childCount(type);
    const index = step < 0 ? sources[dynamicStepSource(step)] : undefined;
    const constant = index?.kind === 'const' ? Math.min(index.info[0]!, count - 1) : step;
    type = childType(type, Math.max(constant, 0)) ?? vectorType('float');
    return constant;
  });
}
