// Looks over a lowered shader once before code is made: which instructions are needed at all, where each value is used last,
// which are uniform and can be computed before the loop over quads, and which are used once and can stay on the wasm stack.
//
// Everything is counted per component: an unused component of a vector costs nothing.
import type {
  Block,
  BodyNode,
  ConstInstruction,
  IfNode,
  Instruction,
  Intrinsic,
  LoopNode,
  PhiInstruction,
  Shader,
  Slot,
  Value,
} from '../ir/ir.ts';
import { MULTI_USE_OPS, QUAD_OPS } from './alu.ts';

/** Where an instruction's value comes from when it is asked for. */
export const PLACE = {
  /** Not needed. */
  DEAD: 0,
  /** vec, swizzle, mov: another value's component. */
  ALIAS: 1,
  CONSTANT: 2,
  /** Computed before the loop. */
  PREAMBLE: 3,
  /** Computed at the start of each step, because it stands in a loop and does not change in it. */
  EARLY: 4,
  /** Computed where it stands (single components of it may be folded into their user). */
  HERE: 5,
  /** A phi: written on the edges. */
  PHI: 6,
} as const;

/** What happens inside of an `if` or loop: decides whether masks and skips are needed. */
export interface RegionSummary {
  /** Rough number of vector instructions. */
  cost: number;
  /** A break of the loop around the region. */
  breaks: boolean;
  discards: boolean;
  /** Something reads the execution mask: a store, a loop, a texture instruction. */
  needsMask: boolean;
}

export interface BodyAnalysis {
  /** PLACE by value id. */
  readonly place: Uint8Array;
  /** Uses by value id · 4 + component. */
  readonly uses: Uint32Array;
  /** 1 by value id · 4 + component: emitted inside of its only user. */
  readonly folded: Uint8Array;
  /** Position of the last use by value id; the value's locals are free after it. */
  readonly lastUse: Int32Array;
  /** Position of an instruction, if or loop start: by value id; by node. */
  readonly position: Int32Array;
  readonly nodePosition: Map<IfNode | LoopNode, { start: number; end: number }>;
  readonly regions: Map<readonly BodyNode[], RegionSummary>;
  readonly preamble: readonly Instruction[];
  readonly early: readonly Instruction[];
  /** Uses of each 32-bit constant. */
  readonly constants: ReadonlyMap<number, number>;
  /** Bit c: component c of the input slot is read. */
  readonly inputs: ReadonlyMap<Slot, number>;
  /** Of the texture instructions that are needed. */
  readonly samplers: ReadonlySet<number>;
  /** Any loop at all: needs the iteration budget. */
  readonly hasLoops: boolean;
  readonly end: number;
}

/** Trees deeper than this are cut: they would not read better on the stack, and emission is recursive. */
const MAX_FOLD_DEPTH = 10;

/** What kind of block a phi heads. */
type PhiRole = 'none' | 'join' | 'header' | 'exit';

/** A value whose user is farther away is computed where it stands: moving it would keep its operands alive. In positions. */
const MAX_FOLD_DISTANCE = 24;

type LoopRange = { readonly parent: number; start: number; end: number };

export function analyzeBody(shader: Shader): BodyAnalysis {
  return new Analyzer(shader).run();
}

class Analyzer {
  private readonly shader: Shader;
  /** All but phis. */
  private readonly items: Instruction[] = [];
  private readonly phis: { phi: PhiInstruction; role: PhiRole }[] = [];
  private readonly conditions: { node: IfNode; loop: number }[] = [];
  private readonly loops: LoopRange[] = [];
  private readonly blockEnd: Int32Array;
  private readonly blockLoop: Int32Array;
  private readonly loopOf: Int32Array;
  /** Where code is emitted, by value id: a number for each block, 0 for the preamble. */
  private readonly blockOf: Int32Array;
  private readonly userBlock: Int32Array;
  private readonly userDepth: Uint8Array;
  private readonly place: Uint8Array;
  /** 1 by value id: known before the loop over steps. */
  private readonly hoisted: Uint8Array;
  private readonly uses: Uint32Array;
  private readonly folded: Uint8Array;
  private readonly lastUse: Int32Array;
  private readonly position: Int32Array;
  private readonly nodePosition = new Map<IfNode | LoopNode, { start: number; end: number }>();
  private readonly regions = new Map<readonly BodyNode[], RegionSummary>();
  private readonly preamble: Instruction[] = [];
  private readonly early: Instruction[] = [];
  private readonly inputs = new Map<Slot, number>();
  private readonly constants = new Map<number, number>();
  private readonly samplers = new Set<number>();
  private now = 1;
  private blocks = 1;

  constructor(shader: Shader) {
    const values = shader.nextValueId;
    this.shader = shader;
    this.blockEnd = new Int32Array(shader.nextBlockId);
    this.blockLoop = new Int32Array(shader.nextBlockId).fill(-1);
    this.loopOf = new Int32Array(values).fill(-1);
    this.blockOf = new Int32Array(values);
    this.userBlock = new Int32Array(values * 4).fill(-1);
    this.userDepth = new Uint8Array(values * 4);
    this.place = new Uint8Array(values);
    this.hoisted = new Uint8Array(values);
    this.uses = new Uint32Array(values * 4);
    this.folded = new Uint8Array(values * 4);
    this.lastUse = new Int32Array(values);
    this.position = new Int32Array(values);
  }

  run(): BodyAnalysis {
    this.walk(this.shader.main.body, -1);
    for (const { phi, role } of this.phis) this.usePhi(phi, role);
    for (const { node, loop } of this.conditions) {
      this.use(node.condition, 0, 2, this.nodePosition.get(node)!.end, loop, -1, 0);
    }
    for (let i = this.items.length - 1; i >= 0; i--) this.useSources(this.items[i]);
    for (const instruction of this.items) {
      const place = this.place[instruction.id];
      if (place === PLACE.PREAMBLE && this.isUsed(instruction)) this.preamble.push(instruction);
      if (place === PLACE.EARLY && this.isUsed(instruction)) this.early.push(instruction);
      if (instruction.kind === 'intrinsic' && instruction.op === 'loadInput') this.readInput(instruction);
      if (instruction.kind === 'tex' && this.isUsed(instruction)) this.samplers.add(instruction.info.sampler);
      if (instruction.kind === 'const' && instruction.bits === 32) this.countConstant(instruction);
    }
    const { place, uses, folded, lastUse, position, nodePosition, regions } = this;
    const { preamble, early, inputs, samplers, constants } = this;
    return {
      place,
      uses,
      folded,
      lastUse,
      position,
      nodePosition,
      regions,
      preamble,
      early,
      inputs,
      samplers,
      constants,
      hasLoops: this.loops.length > 0,
      end: this.now,
    };
  }

  // ---- forward: positions, places, regions

  private walk(list: readonly BodyNode[], loop: number, isLoopBody = false): RegionSummary {
    const summary: RegionSummary = { cost: 0, breaks: false, discards: false, needsMask: false };
    for (let i = 0; i < list.length; i++) {
      const node = list[i];
      if (node.kind === 'block') {
        const role = i === 0 ? (isLoopBody ? 'header' : 'none') : list[i - 1].kind === 'if' ? 'join' : 'exit';
        this.walkBlock(node, loop, role, summary);
      } else if (node.kind === 'if') this.walkIf(node, loop, summary);
      else this.walkLoop(node, loop, summary);
    }
    this.regions.set(list, summary);
    return summary;
  }

  private walkBlock(block: Block, loop: number, role: PhiRole, summary: RegionSummary): void {
    const index = this.blocks++;
    this.blockLoop[block.id] = loop;
    for (const instruction of block.instructions) {
      this.position[instruction.id] = this.now++;
      this.loopOf[instruction.id] = loop;
      const place = this.placeOf(instruction, loop);
      this.place[instruction.id] = place;
      const isReady = place === PLACE.ALIAS ? this.areHoisted(instruction.sources) : place === PLACE.CONSTANT;
      if (isReady || place === PLACE.PREAMBLE) this.hoisted[instruction.id] = 1;
      if (place === PLACE.PHI) {
        this.phis.push({ phi: instruction as PhiInstruction, role });
        continue;
      }
      if (place === PLACE.EARLY || place === PLACE.PREAMBLE) this.loopOf[instruction.id] = -1;
      this.blockOf[instruction.id] = place === PLACE.PREAMBLE ? 0 : index;
      this.items.push(instruction);
      summarize(instruction, place, summary);
    }
    this.blockEnd[block.id] = this.now++;
  }

  private walkIf(node: IfNode, loop: number, summary: RegionSummary): void {
    const start = this.now++;
    this.conditions.push({ node, loop });
    for (const side of [node.thenBody, node.elseBody]) {
      const inner = this.walk(side, loop);
      summary.cost += inner.cost + 2;
      summary.breaks ||= inner.breaks;
      summary.discards ||= inner.discards;
      summary.needsMask ||= inner.needsMask;
    }
    this.nodePosition.set(node, { start, end: this.now++ });
  }

  private walkLoop(node: LoopNode, loop: number, summary: RegionSummary): void {
    if (node.continuing.length > 0) throw new Error('a loop with a continuing part must be lowered first');
    const range: LoopRange = { parent: loop, start: this.now++, end: 0 };
    const inner = this.walk(node.body, this.loops.push(range) - 1, true);
    range.end = this.now++;
    this.nodePosition.set(node, { start: range.start, end: range.end });
    summary.cost += 100;
    summary.discards ||= inner.discards;
    summary.needsMask = true;
  }

  private placeOf(instruction: Instruction, loop: number): number {
    switch (instruction.kind) {
      case 'const':
      case 'undef':
        return PLACE.CONSTANT;
      case 'phi':
        return PLACE.PHI;
      case 'alu':
        if (instruction.op === 'vec' || instruction.op === 'swizzle' || instruction.op === 'mov') return PLACE.ALIAS;
        return instruction.uniform && !QUAD_OPS.has(instruction.op) && this.areHoisted(instruction.sources)
          ? PLACE.PREAMBLE
          : PLACE.HERE;
      case 'intrinsic':
        if (instruction.op === 'loadUniform' || instruction.op === 'loadUbo') {
          return this.areHoisted(instruction.sources) ? PLACE.PREAMBLE : PLACE.HERE;
        }
        if ((instruction.op === 'loadInput' || instruction.op === 'sysval') && loop >= 0) return PLACE.EARLY;
        return PLACE.HERE;
      default:
        return PLACE.HERE;
    }
  }

  private areHoisted(sources: readonly Value[]): boolean {
    for (const { id } of sources) if (this.hoisted[id] === 0) return false;
    return true;
  }

  private countConstant({ id, components, info }: ConstInstruction): void {
    for (let c = 0; c < components; c++) {
      const uses = this.uses[id * 4 + c];
      if (uses > 0) this.constants.set(info[c], (this.constants.get(info[c]) ?? 0) + uses);
    }
  }

  private readInput({ id, components, info }: Intrinsic<'loadInput'>): void {
    let mask = this.inputs.get(info.slot) ?? 0;
    for (let c = 0; c < components; c++) if (this.uses[id * 4 + c] > 0) mask |= 1 << (info.component + c);
    if (mask !== 0) this.inputs.set(info.slot, mask);
  }

  // ---- backward: uses

  /** `count` uses of a component at a position inside of `loop`; `block` is where they are emitted (-1: never fold). */
  private use(
    value: Value,
    component: number,
    count: number,
    position: number,
    loop: number,
    block: number,
    depth: number,
  ): void {
    const id = value.id;
    const slot = id * 4 + component;
    const before = this.uses[slot];
    this.uses[slot] = before + count;
    this.userBlock[slot] = before === 0 ? block : -1;
    this.userDepth[slot] = depth;
    // A use inside of a loop that the value is older than is repeated: the value must live until that loop ends.
    const home = this.loopOf[id];
    let end = position;
    for (let inner = loop; inner !== home && inner >= 0; inner = this.loops[inner].parent) end = this.loops[inner].end;
    if (end > this.lastUse[id]) this.lastUse[id] = end;
  }

  private usePhi(phi: PhiInstruction, role: PhiRole): void {
    // The back edge writes the phi of a header, so its locals belong to it until the loop ends.
    if (role === 'header') {
      const loop = this.loops[this.loopOf[phi.id]];
      this.lastUse[phi.id] = Math.max(this.lastUse[phi.id], loop.end);
    }
    for (let i = 0; i < phi.sources.length; i++) {
      const block = phi.info[i].id;
      // Behind a divergent if both sides' values are read at the join.
      const position = role === 'join' ? Math.max(this.blockEnd[block], this.position[phi.id]) : this.blockEnd[block];
      for (let c = 0; c < phi.components; c++) {
        this.use(phi.sources[i], c, 2, position, this.blockLoop[block], -1, 0);
      }
    }
  }

  private useSources(instruction: Instruction): void {
    const { id, sources } = instruction;
    const block = this.blockOf[id];
    const loop = this.loopOf[id];
    const place = this.place[id];
    if (place === PLACE.CONSTANT) return;
    if (place === PLACE.ALIAS) return this.useAlias(instruction, loop);
    if (instruction.kind !== 'alu') {
      const isEffect =
        instruction.kind === 'jump' || (instruction.kind === 'intrinsic' && isEffectIntrinsic(instruction.op));
      if (!isEffect && !this.isUsed(instruction)) {
        this.place[id] = PLACE.DEAD;
        return;
      }
      const position = place === PLACE.EARLY || place === PLACE.PREAMBLE ? 0 : this.position[id];
      for (const source of sources) {
        for (let c = 0; c < source.components; c++) this.use(source, c, 2, position, loop, -1, 0);
      }
      return;
    }
    if (!this.isUsed(instruction)) {
      this.place[id] = PLACE.DEAD;
      return;
    }
    const count = MULTI_USE_OPS.has(instruction.op) ? 2 : 1;
    const isReduction = instruction.components === 1 && sources[0].components > 1;
    for (let c = 0; c < instruction.components; c++) {
      const slot = id * 4 + c;
      if (this.uses[slot] === 0) continue;
      const isFolded =
        this.uses[slot] === 1 &&
        this.userBlock[slot] === block &&
        this.userDepth[slot] < MAX_FOLD_DEPTH &&
        this.lastUse[id] - this.position[id] <= MAX_FOLD_DISTANCE &&
        !QUAD_OPS.has(instruction.op);
      this.folded[slot] = isFolded ? 1 : 0;
      const depth = isFolded ? this.userDepth[slot] + 1 : 0;
      const position = isFolded ? this.lastUse[id] : this.position[id];
      for (const source of sources) {
        if (isReduction) {
          for (let s = 0; s < source.components; s++) this.use(source, s, count, position, loop, block, depth);
        } else this.use(source, source.components === 1 ? 0 : c, count, position, loop, block, depth);
      }
    }
  }

  /** Passes the uses of a vec, swizzle or mov on to what it stands for. */
  private useAlias({ id, op, components, sources, info }: Instruction, loop: number): void {
    for (let c = 0; c < components; c++) {
      const slot = id * 4 + c;
      if (this.uses[slot] === 0) continue;
      const source = op === 'vec' ? sources[c] : sources[0];
      const component = op === 'vec' ? 0 : op === 'swizzle' ? (info as readonly number[])[c] : c;
      this.use(source, component, this.uses[slot], this.lastUse[id], loop, this.userBlock[slot], this.userDepth[slot]);
    }
  }

  private isUsed({ id, components }: Instruction): boolean {
    for (let c = 0; c < components; c++) if (this.uses[id * 4 + c] > 0) return true;
    return false;
  }
}

function isEffectIntrinsic(op: string): boolean {
  return op === 'storeOutput' || op === 'storeLocal' || op === 'discard';
}

function summarize(instruction: Instruction, place: number, summary: RegionSummary): void {
  if (place !== PLACE.HERE) return;
  if (instruction.kind === 'alu') summary.cost += instruction.components;
  else if (instruction.kind === 'tex') {
    summary.cost += 60;
    summary.needsMask = true;
  } else if (instruction.kind === 'jump') {
    if (instruction.op !== 'break') throw new Error(`${instruction.op} must be lowered first`);
    summary.breaks = true;
    summary.needsMask = true;
  } else if (instruction.kind === 'intrinsic') {
    if (instruction.op === 'discard') summary.discards = true;
    if (isEffectIntrinsic(instruction.op)) summary.needsMask = true;
    summary.cost += instruction.op === 'storeOutput' || instruction.op === 'discard' ? 1 : 6 * instruction.components;
  } else throw new Error(`${instruction.kind} ${instruction.op} must be lowered first`);
}
