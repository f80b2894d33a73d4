// Test support: random programs that end, with structured branches and loops, as an assembler's text.

/** A small generator of numbers that repeats for a seed. */
export function randomSource(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Temporaries that programs compute with; loop counters lie above. */
export const PROGRAM_TEMPORARIES = 6;
export const PROGRAM_UNIFORMS = 4;
const COMPONENTS = 'xyzw';

export class ProgramGenerator {
  private readonly next: (below: number) => number;
  private readonly lines: string[] = [];
  private labels = 0;
  private counters = 0;
  private readonly integers: boolean;

  constructor(seed: number, integers: boolean) {
    this.next = randomSource(seed * 2654435761 + 12345);
    this.integers = integers;
  }

  generate(statements: number): string {
    this.block(statements, 0);
    return this.lines.join('\n');
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.next(items.length)]!;
  }

  private mask(): string {
    const bits = this.next(15) + 1;
    return [...COMPONENTS].map((letter, c) => ((bits >> c) & 1 ? letter : '_')).join('');
  }

  private swizzle(): string {
    return Array.from({ length: 4 }, () => COMPONENTS[this.next(4)]).join('');
  }

  private source(isFloat = true): string {
    const kind = this.next(8);
    if (kind === 0)
      return isFloat ? this.pick(['0.0', '1.0', '-0.5', '2.0', '0.25']) : this.pick(['0', '1', '-1', '7u', '31']);
    const register = kind < 3 ? `u${this.next(PROGRAM_UNIFORMS)}` : `t${this.next(PROGRAM_TEMPORARIES)}`;
    const plain = `${register}.${this.swizzle()}`;
    if (!isFloat) return plain;
    return this.pick([plain, plain, `-${plain}`, `|${plain}|`, `-|${plain}|`]);
  }

  private destination(): string {
    return `t${this.next(PROGRAM_TEMPORARIES)}.${this.mask()}`;
  }

  private instruction(): string {
    const d = this.destination();
    const s = () => this.source();
    const i = () => this.source(false);
    const sat = this.next(5) === 0 ? '.sat' : '';
    const compare = this.pick(['gt', 'lt', 'ge', 'le', 'eq', 'ne']);
    const floats = [
      () => `add${sat} ${d}, ${s()}, void, ${s()}`,
      () => `mul${sat} ${d}, ${s()}, ${s()}, void`,
      () => `mad${sat} ${d}, ${s()}, ${s()}, ${s()}`,
      () => `mov${sat} ${d}, void, void, ${s()}`,
      () => `dp${this.pick([2, 3, 4])} ${d}, ${s()}, ${s()}, void`,
      () => `set.${compare} ${d}, ${s()}, ${s()}, void`,
      () => `select.${compare} ${d}, ${s()}, ${s()}, ${s()}`,
      () => `select.${this.pick(['nz', 'not', 'gz', 'lez'])} ${d}, ${s()}, ${s()}, ${s()}`,
      () =>
        `${this.pick(['frc', 'floor', 'ceil', 'sign', 'rcp', 'rsq', 'sqrt', 'exp', 'log', 'sin', 'cos'])} ${d}, void, void, ${s()}`,
      () => `${this.pick(['sin', 'cos', 'log'])}.rtz ${d}, void, void, ${s()}`,
    ];
    const integers = [
      () => `add.s32 ${d}, ${i()}, void, ${i()}`,
      () => `imullo0.s32 ${d}, ${i()}, ${i()}, void`,
      () =>
        `${this.pick(['and', 'or', 'xor', 'lshift', 'rshift'])}.${this.pick(['s32', 'u32'])} ${d}, ${i()}, void, ${i()}`,
      () => `not.s32 ${d}, void, void, ${i()}`,
      () => `cmp.${compare}.${this.pick(['s32', 'u32'])} ${d}, ${i()}, ${i()}, -1`,
      () => `cmp.${compare} ${d}, ${s()}, ${s()}, -1`,
      () => `i2f.${this.pick(['s32', 'u32'])} ${d}, ${i()}, void, void`,
      () => `f2i.${this.pick(['s32', 'u32'])} ${d}, ${s()}, void, void`,
      () => `iabs.s32 ${d}, void, void, ${i()}`,
      () => `sign.s32 ${d}, void, void, ${i()}`,
    ];
    return this.pick(this.integers && this.next(2) === 0 ? integers : floats)();
  }

  private condition(): string {
    return this.pick([
      `.${this.pick(['gt', 'lt', 'ge', 'le', 'eq', 'ne'])} void, ${this.source()}, ${this.source()}`,
      `.${this.pick(['not', 'nz', 'gz', 'lez'])} void, ${this.source()}, void`,
    ]);
  }

  private label(): string {
    return `label${this.labels++}`;
  }

  private block(statements: number, depth: number): void {
    for (let at = 0; at < statements; at++) {
      const kind = depth < 3 ? this.next(12) : 11;
      if (kind === 0) this.ifElse(depth);
      else if (kind === 1) this.loop(depth);
      else if (kind === 2) this.lines.push(`texkill${this.condition()}, void`);
      else this.lines.push(this.instruction());
    }
  }

  private ifElse(depth: number): void {
    const [otherwise, end] = [this.label(), this.label()];
    this.lines.push(`branch${this.condition()}, ${otherwise}`);
    this.block(1 + this.next(4), depth + 1);
    if (this.next(2) === 0) {
      this.lines.push(`branch void, void, void, ${end}`, `${otherwise}:`);
      this.block(1 + this.next(3), depth + 1);
      this.lines.push(`${end}:`);
    } else this.lines.push(`${otherwise}:`, `${end}:`);
    this.lines.push('nop void, void, void, void');
  }

  /** A loop of a few rounds that may be left early. */
  private loop(depth: number): void {
    const counter = `t${PROGRAM_TEMPORARIES + this.counters++}`;
    const [head, exit] = [this.label(), this.label()];
    this.lines.push(`mov ${counter}, void, void, 0.0`, `${head}:`);
    this.lines.push(`branch.ge void, ${counter}.xxxx, ${(1 + this.next(4)).toFixed(1)}, ${exit}`);
    this.lines.push(`add ${counter}, ${counter}.xyzw, void, 1.0`);
    this.block(1 + this.next(3), depth + 1);
    if (this.next(3) === 0) this.lines.push(`branch${this.condition()}, ${exit}`);
    if (this.next(4) === 0) this.lines.push(`branch${this.condition()}, ${head}`);
    this.block(this.next(2), depth + 1);
    this.lines.push(`branch void, void, void, ${head}`, `${exit}:`, 'nop void, void, void, void');
  }
}
