// Test support: random shaders in lowered form (SSA, structured, only breaks), with uniform values, ifs and loops marked as
// gather-uniform would. They exercise what the code generator must get right: masks, phis, folding, local reuse.
import { listOf } from '../base/list.ts';
import { type Builder, createBuilder } from '../ir/builder.ts';
import { type Block, createShader, type LoopNode, type PhiInstruction, type Shader, type Value } from '../ir/ir.ts';
import { OPCODE_NAMES, opcodeRow } from '../ir/opcodes.ts';
import { isAluSupported } from './alu.ts';

export type Random = () => number;

/** A small deterministic generator (mulberry32): numbers in [0, 1). */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Kind = 'float' | 'int' | 'bool';
interface Typed {
  readonly value: Value;
  readonly kind: Kind;
}

const OPS = OPCODE_NAMES.filter(
  (op) => isAluSupported(op) && !['vec', 'swizzle', 'mov', 'select', 'fddx', 'fddy'].includes(op),
).map((op) => ({ op, row: opcodeRow(op) }));
const kindOf = (type: string): Kind => (type === 'float' ? 'float' : type === 'bool' ? 'bool' : 'int');

const INTERESTING_FLOATS = [0, -0, 1, -1, 0.5, 3.75, -2.5, 1e10, -1e10, 1e-40, Infinity, Number.NaN, 2147483648, 0.1];
const INTERESTING_INTS = [0, 1, -1, 2, 3, 7, 31, 32, -2147483648, 2147483647, 100, -5];
const floatWords = new Float32Array(1);
const floatBits = new Uint32Array(floatWords.buffer);

export function randomFloatBits(random: Random): number {
  floatWords[0] =
    random() < 0.3 ? INTERESTING_FLOATS[Math.floor(random() * INTERESTING_FLOATS.length)] : (random() - 0.5) * 20;
  return floatBits[0];
}

export function randomIntBits(random: Random): number {
  return (random() < 0.5 ? INTERESTING_INTS[Math.floor(random() * INTERESTING_INTS.length)] : random() * 2 ** 32) >>> 0;
}

export function randomBody(seed: number, size = 30): Shader {
  return new Generator(createRandom(seed)).run(size);
}

class Generator {
  private readonly random: Random;
  private readonly shader: Shader = createShader('fragment');
  private readonly b: Builder;
  /** Values that can be seen here, oldest first. */
  private pool: Typed[] = [];
  private loopDepth = 0;

  constructor(random: Random) {
    this.random = random;
    this.b = createBuilder(this.shader);
  }

  private int(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  run(size: number): Shader {
    const { shader, b } = this;
    shader.uniformSlots = 8;
    shader.uniformBlocks.push({ name: 'Block', sizeBytes: 128 });
    for (let i = 0; i < 3; i++) {
      const base = i === 2 ? 'int' : 'float';
      shader.inputs.push({
        name: `v${i}`,
        slot: `var${i}`,
        components: 4,
        base,
        interpolation: 'smooth',
        centroid: false,
      });
    }
    for (let i = 0; i < 3; i++) {
      const base = i === 2 ? 'int' : 'float';
      shader.outputs.push({
        name: `o${i}`,
        slot: `color${i}`,
        components: 4,
        base,
        interpolation: 'smooth',
        centroid: false,
      });
      shader.usage.outputs.add(`color${i}`);
    }
    shader.usage.uniformBlocks.add(0);
    shader.usage.derivatives = true;
    if (this.chance(0.4)) shader.locals.push({ name: 'a', length: 1 + this.int(5), components: 1 + this.int(4) });
    for (let i = 0; i < 4; i++) this.leaf();
    this.nodes(size, 0);
    for (let i = 0; i < 3; i++) {
      const value = this.vector(i === 2 ? 'int' : 'float', 4);
      b.storeOutput(`color${i}`, value);
    }
    return shader;
  }

  private add(value: Value, kind: Kind): Value {
    this.pool.push({ value, kind });
    return value;
  }

  private mark(value: Value): Value {
    value.uniform = value.sources.every((source) => source.uniform);
    return value;
  }

  /** A constant, input, uniform or the like. */
  private leaf(): Value {
    const { b } = this;
    const n = 1 + this.int(4);
    switch (this.int(6)) {
      case 0:
        return this.add(this.mark(b.constBits(...listOf(n, () => randomFloatBits(this.random)))), 'float');
      case 1:
        return this.add(this.mark(b.constBits(...listOf(n, () => randomIntBits(this.random)))), 'int');
      case 2:
        return this.add(b.loadInput(`var${this.int(2)}`, 1 + this.int(3), this.int(2)), 'float');
      case 3:
        return this.add(b.loadInput('var2', 1 + this.int(3), this.int(2)), 'int');
      case 4: {
        const offset = this.chance(0.5) ? this.scalar('int') : undefined;
        return this.add(this.mark(b.loadUniform(n, this.int(4), offset, 1 + this.int(4))), 'float');
      }
      default: {
        const offset = this.chance(0.5) ? this.scalar('int') : undefined;
        return this.add(this.mark(b.loadUbo(n, 0, this.int(8) * 4, offset)), 'int');
      }
    }
  }

  /** Any visible value of a kind, or a fresh constant. */
  private pick(kind: Kind): Value {
    const found = this.pool.filter((typed) => typed.kind === kind);
    if (found.length === 0 || this.chance(0.1)) {
      if (kind === 'bool') return this.mark(this.b.constBool(this.chance(0.5)));
      return this.mark(this.b.constBits(kind === 'float' ? randomFloatBits(this.random) : randomIntBits(this.random)));
    }
    // Mostly recent values, so that chains get long; some old ones, so that locals live long.
    const back = this.chance(0.7) ? this.int(Math.min(found.length, 5)) : this.int(found.length);
    return found[found.length - 1 - back].value;
  }

  private scalar(kind: Kind): Value {
    return this.vector(kind, 1);
  }

  private vector(kind: Kind, components: number): Value {
    const value = this.pick(kind);
    if (value.components === components) return value;
    if (this.chance(0.2) && components > 1) {
      return this.mark(this.b.vec(...listOf(components, () => this.scalar(kind))));
    }
    const selection = listOf(components, () => this.int(value.components));
    return this.mark(this.b.swizzle(value, selection));
  }

  private alu(): void {
    const { b } = this;
    const n = 1 + this.int(4);
    if (this.chance(0.1)) {
      const kind = (['float', 'int', 'bool'] as const)[this.int(3)];
      const value = b.alu('select', this.vector('bool', n), this.vector(kind, n), this.vector(kind, n));
      this.add(this.mark(value), kind);
      return;
    }
    const { op, row } = OPS[this.int(OPS.length)];
    const value = b.alu(op, ...row.in.map((type) => this.vector(kindOf(type), n)));
    // fcanonical gives bits that integers may look at.
    this.add(this.mark(value), op === 'fcanonical' && this.chance(0.5) ? 'int' : kindOf(row.out));
  }

  private nodes(size: number, depth: number): void {
    for (let i = 0; i < size; i++) {
      const dice = this.random();
      if (dice < 0.06 && depth < 4) this.ifNode(1 + this.int(size), depth);
      else if (dice < 0.09 && depth < 3 && this.loopDepth < 2) this.loopNode(1 + this.int(Math.min(size, 8)), depth);
      else if (dice < 0.1) this.discard();
      else if (dice < 0.16 && this.shader.locals.length > 0) this.local();
      else if (dice < 0.25) this.leaf();
      else this.alu();
    }
  }

  private discard(): void {
    this.shader.usage.discard = true;
    const condition = this.b.land(this.scalar('bool'), this.scalar('bool'));
    this.b.discard(this.mark(condition));
  }

  private local(): void {
    const { components } = this.shader.locals[0];
    const index = this.scalar('int');
    if (this.chance(0.5))
      this.b.storeLocal(0, index, this.vector('int', components), 1 + this.int((1 << components) - 1));
    else this.add(this.b.loadLocal(0, index), 'int');
  }

  private ifNode(size: number, depth: number): void {
    const { b } = this;
    const condition = this.scalar('bool');
    const outer = this.pool;
    const sides: { block: Block; pool: Typed[] }[] = [];
    const side = () => {
      this.pool = [...outer];
      this.nodes(this.int(size + 1), depth + 1);
      sides.push({ block: b.block, pool: this.pool });
    };
    const node = b.if(condition, side, this.chance(0.7) ? side : undefined);
    node.uniform = condition.uniform;
    if (sides.length === 1) sides.push({ block: node.elseBody[0] as Block, pool: [...outer] });
    this.pool = outer;
    for (let i = this.int(3); i > 0; i--) this.phi(sides, node.uniform);
  }

  private phi(sides: readonly { block: Block; pool: Typed[] }[], isUniform: boolean): void {
    const kind = (['float', 'int', 'bool'] as const)[this.int(3)];
    const sources = sides.map(({ block, pool }) => {
      const found = pool.filter((typed) => typed.kind === kind && typed.value.components > 0);
      return { block, value: found[found.length - 1 - this.int(Math.min(found.length, 4))]?.value };
    });
    const n = Math.min(...sources.map((source) => source.value?.components ?? 0));
    if (n === 0 || sources.some((source) => source.value?.components !== n)) return;
    const phi = this.b.phi(n, kind === 'bool' ? 1 : 32, sources as { block: Block; value: Value }[]);
    phi.uniform = isUniform && phi.sources.every((source) => source.uniform);
    this.add(phi, kind);
  }

  private loopNode(size: number, depth: number): void {
    const { b } = this;
    const outer = this.pool;
    const before = b.block;
    const bound = 1 + this.int(5);
    const zero = this.mark(b.constInt(0));
    const carried: { kind: Kind; start: Value; phi?: PhiInstruction }[] = [];
    for (let i = this.int(3); i > 0; i--) {
      const kind = (['float', 'int', 'bool'] as const)[this.int(3)];
      carried.push({ kind, start: this.vector(kind, 1 + this.int(3)) });
    }
    const exits: { block: Block; pool: Typed[] }[] = [];
    let isUniform = true;
    let node: LoopNode | null = null;
    const breakIf = (condition: Value): void => {
      isUniform &&= condition.uniform;
      const pool = [...this.pool];
      const at = b.if(condition, () => {
        if (this.chance(0.3)) this.alu();
        exits.push({ block: b.block, pool: [...this.pool] });
        b.break();
      });
      at.uniform = condition.uniform;
      this.pool = pool;
    };
    this.loopDepth++;
    node = b.loop(() => {
      this.pool = [...outer];
      const counter = b.phi(1, 32, [{ block: before, value: zero }]);
      counter.uniform = true;
      this.add(counter, 'int');
      for (const entry of carried) {
        entry.phi = b.phi(entry.start.components, entry.kind === 'bool' ? 1 : 32, [
          { block: before, value: entry.start },
        ]);
        this.add(entry.phi, entry.kind);
      }
      breakIf(this.mark(b.ige(counter, this.mark(b.constInt(bound)))));
      this.nodes(this.int(size + 1), depth + 1);
      if (this.chance(0.6)) {
        if (this.chance(0.5)) breakIf(this.scalar('bool'));
        else {
          const outerIf = this.scalar('bool');
          isUniform &&= outerIf.uniform;
          const pool = this.pool;
          const at = b.if(outerIf, () => {
            this.pool = [...pool];
            this.alu();
            breakIf(this.scalar('bool'));
            if (this.shader.locals.length > 0) this.local();
          });
          at.uniform = outerIf.uniform;
          this.pool = pool;
        }
        this.nodes(this.int(size + 1), depth + 1);
      }
      const next = this.mark(b.iadd(counter, this.mark(b.constInt(1))));
      const values = carried.map((entry) => this.vector(entry.kind, entry.start.components));
      const end = b.block;
      b.addPhiSource(counter, end, next);
      carried.forEach((entry, i) => {
        b.addPhiSource(entry.phi!, end, values[i]);
      });
    });
    this.loopDepth--;
    node.uniform = isUniform;
    this.pool = outer;
    for (let i = 1 + this.int(3); i > 0; i--) this.phi(exits, isUniform);
  }
}
