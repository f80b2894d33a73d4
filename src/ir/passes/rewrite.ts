// The engine of all local rewrites: one walk in text order in which each instruction is offered to a list of rules.
//
// A rule returns null (nothing to do), or the value that replaces the instruction: an existing visible one, or one that
// it builds with the given builder. What it builds is offered to the rules again, so one walk comes near the fixpoint.
// Sources are already rewritten when a rule sees them, except those of loop header phis that come from behind.
import { type Builder, BuilderCore } from '../builder.ts';
import type { Block, BodyNode, Instruction, PhiInstruction, Shader, Value } from '../ir.ts';
import { childLists, valueTable } from '../walk.ts';

export interface RewriteContext {
  readonly shader: Shader;
  /** Builds in front of the instruction that is being rewritten. */
  readonly builder: Builder;
  /** Whether a value may be used where the walk stands. */
  isVisible(value: Value): boolean;
  /** What a value that the rule built before has become, or null if that may not be used where the walk stands. */
  reuse(value: Value | undefined): Value | null;
}

export interface Rule {
  readonly name: string;
  /** The ops that the rule may do something about; all when absent. Others are not offered to it. */
  readonly ops?: ReadonlySet<string>;
  apply(instruction: Instruction, context: RewriteContext): Value | null;
  /** Called when the walk enters and leaves a list, for rules that remember visible values. */
  enterList?(): void;
  leaveList?(): void;
}

/** Gathers what rules build, for the rules to see it first. */
class Collector extends BuilderCore {
  /** Only the first `count` count. */
  readonly made: Instruction[] = [];
  count = 0;

  override insert<T extends Instruction>(instruction: T): T {
    this.made[this.count++] = instruction;
    return instruction;
  }
}

/** Rewrites of one instruction and of what it becomes, before it is left as it is. */
const FUEL = 2000;

/** Offers every instruction of `main` to the rules. True if something changed. */
export function rewrite(shader: Shader, rules: readonly Rule[]): boolean {
  return new Rewriter(shader, rules).run();
}

class Rewriter implements RewriteContext {
  readonly shader: Shader;
  readonly builder: Collector & Builder;
  readonly rules: readonly Rule[];
  readonly replacements: (Value | undefined)[];
  readonly phis: PhiInstruction[] = [];
  /** By value id: 1 if visible. */
  visible: Uint8Array;
  /** The ids of visible values that end with an open list: those of the outermost need no end. */
  opened: Int32Array = new Int32Array(256);
  openedCount = 0;
  depth = 0;
  /** What is kept of the block at hand; only the first `keptCount` count. */
  readonly kept: Instruction[] = [];
  keptCount = 0;
  readonly rulesByOp = new Map<string, readonly Rule[]>();
  /** The first id that the rule at work could give. */
  firstMade = 0;
  progress = false;
  fuel = 0;

  constructor(shader: Shader, rules: readonly Rule[]) {
    this.shader = shader;
    this.rules = rules;
    this.builder = new Collector(shader, shader.main) as Collector & Builder;
    this.replacements = valueTable(shader);
    this.visible = new Uint8Array(shader.nextValueId * 2 + 64);
  }

  run(): boolean {
    this.walk(this.shader.main.body);
    // Sources that come over back edges may have been replaced after their phi was seen.
    for (const phi of this.phis) {
      for (let i = 0; i < phi.sources.length; i++) phi.sources[i] = this.resolve(phi.sources[i]!);
    }
    return this.progress;
  }

  isVisible(value: Value): boolean {
    return this.visible[value.id] === 1;
  }

  reuse(value: Value | undefined): Value | null {
    if (value === undefined || value.id >= this.firstMade) return value ?? null;
    const now = this.resolve(value);
    return this.isVisible(now) ? now : null;
  }

  resolve(value: Value): Value {
    let result = value;
    for (let next = this.replacements[result.id]; next !== undefined; next = this.replacements[result.id])
      result = next;
    return result;
  }

  replace(instruction: Instruction, value: Value): void {
    const { replacements } = this;
    // Rules may build many more values than there were: the table grows without holes, which would make it slow.
    while (replacements.length <= instruction.id) replacements.push(undefined);
    replacements[instruction.id] = value;
  }

  walk(list: readonly BodyNode[]): void {
    const mark = this.openedCount;
    this.depth++;
    for (const rule of this.rules) rule.enterList?.();
    for (const node of list) {
      if (node.kind !== 'block') {
        if (node.kind === 'if') node.condition = this.resolve(node.condition);
        for (const child of childLists(node)) this.walk(child);
        continue;
      }
      this.walkBlock(node);
    }
    for (const rule of this.rules) rule.leaveList?.();
    for (let i = mark; i < this.openedCount; i++) this.visible[this.opened[i]!] = 0;
    this.openedCount = mark;
    this.depth--;
  }

  walkBlock(block: Block): void {
    const { instructions } = block;
    this.keptCount = 0;
    let at = 0;
    const late: Instruction[] = [];
    for (; at < instructions.length; at++) {
      const instruction = instructions[at]!;
      if (instruction.kind !== 'phi') break;
      this.processPhi(instruction, late);
    }
    this.fuel = FUEL;
    for (const fresh of late) this.process(fresh);
    for (; at < instructions.length; at++) {
      this.fuel = FUEL;
      this.process(instructions[at]!);
    }
    block.instructions = this.kept.slice(0, this.keptCount);
  }

  rulesFor(op: string): readonly Rule[] {
    let rules = this.rulesByOp.get(op);
    if (rules === undefined) {
      rules = this.rules.filter((rule) => rule.ops === undefined || rule.ops.has(op));
      this.rulesByOp.set(op, rules);
    }
    return rules;
  }

  /** Like process, but what rules build goes behind the last phi of the block. */
  processPhi(phi: PhiInstruction, late: Instruction[]): void {
    for (let i = 0; i < phi.sources.length; i++) phi.sources[i] = this.resolve(phi.sources[i]!);
    const { builder } = this;
    for (const rule of this.rulesFor('phi')) {
      const value = rule.apply(phi, this);
      if (value === null) continue;
      this.progress = true;
      for (let i = 0; i < builder.count; i++) late.push(builder.made[i]!);
      builder.count = 0;
      this.replace(phi, value);
      return;
    }
    this.phis.push(phi);
    this.keep(phi);
  }

  /** Offers an instruction to the rules and keeps it if none replaces it. */
  process(instruction: Instruction): void {
    const { sources } = instruction;
    const { replacements } = this;
    for (let i = 0; i < sources.length; i++) {
      if (replacements[sources[i]!.id] !== undefined) sources[i] = this.resolve(sources[i]!);
    }
    if (this.fuel > 0) {
      const { builder, shader } = this;
      const rules = this.rulesFor(instruction.op);
      const start = builder.count;
      this.firstMade = shader.nextValueId;
      for (let i = 0; i < rules.length; i++) {
        const value = rules[i]!.apply(instruction, this);
        if (value === null) continue;
        this.progress = true;
        this.fuel--;
        const end = builder.count;
        for (let k = start; k < end; k++) this.process(builder.made[k]!);
        builder.count = start;
        this.replace(instruction, this.resolve(value));
        return;
      }
    }
    this.keep(instruction);
  }

  keep(instruction: Instruction): void {
    this.kept[this.keptCount++] = instruction;
    if (instruction.components === 0) return;
    if (instruction.id >= this.visible.length) {
      const larger = new Uint8Array(instruction.id * 2);
      larger.set(this.visible);
      this.visible = larger;
    }
    this.visible[instruction.id] = 1;
    if (this.depth === 1) return;
    if (this.openedCount === this.opened.length) this.opened = doubled(this.opened);
    this.opened[this.openedCount++] = instruction.id;
  }
}

/** A list of numbers with twice the room. */
export function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
