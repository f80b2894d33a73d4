// Test support: random programs of GLSL ES 1.00, for GPUs on which general random shaders do not run.
//
// Two families of variables: e… are computed with operations that every GPU rounds alike, and alone decide branches and
// enter floor and the like; a… may carry small errors (division, square roots, sines) and are compared with a tolerance.

import { createRandom } from '../../../src/ir/random-shader.ts';

class Generator {
  private readonly random: () => number;
  private readonly lines: string[] = [];
  private indent = 1;
  private loops = 0;

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  private below(n: number): number {
    return this.random() % n;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  private type(n: number): string {
    return n === 1 ? 'float' : `vec${n}`;
  }

  /** A vec4 variable (or constant index) seen as n components. */
  private part(variable: string, n: number): string {
    const letters = Array.from({ length: n }, () => 'xyzw'[this.below(4)]).join('');
    return `${variable}.${letters}`;
  }

  private leaf(family: 'e' | 'a', n: number): string {
    switch (this.below(8)) {
      case 0:
        return this.part('v0', n);
      case 1:
        return this.part('v1', n);
      case 2:
        return this.part(`u[${this.loops > 0 && this.below(2) ? `i${this.loops}` : this.below(4)}]`, n);
      case 3:
        return `${this.type(n)}(${this.pick(['0.0', '1.0', '-0.5', '0.25', '3.0', '2.5'])})`;
      case 4:
        if (family === 'e') return this.part(`table[int(mod(${this.pick(['e0', 'e1'])}.x, 4.0))]`, n);
        return this.part(`a${this.below(2)}`, n);
      default:
        return this.part(`${family}${this.below(3)}`, n);
    }
  }

  private exact(n: number, depth: number): string {
    if (depth === 0) return this.leaf('e', n);
    const x = () => this.exact(n, depth - 1);
    switch (this.below(12)) {
      case 0:
        return `(${x()} + ${x()})`;
      case 1:
        return `(${x()} - ${x()})`;
      case 2:
        return `(${x()} * ${x()})`;
      case 3:
        return `${this.pick(['min', 'max', 'step'])}(${x()}, ${x()})`;
      case 4:
        return `clamp(${x()}, 0.0, 1.0)`;
      case 5:
        return `${this.pick(['abs', 'floor', 'fract', 'ceil', 'sign'])}(${x()})`;
      case 6:
        return `(-${x()})`;
      case 7:
        return `(${this.condition()} ? ${x()} : ${x()})`;
      case 8:
        return n > 1 ? `${this.type(n)}(${Array.from({ length: n }, () => this.exact(1, depth - 1)).join(', ')})` : x();
      case 9: {
        const m = 2 + this.below(3);
        const dot = `dot(${this.exact(m, depth - 1)}, ${this.exact(m, depth - 1)})`;
        return n === 1 ? dot : `${this.type(n)}(${dot})`;
      }
      case 10:
        return `${this.type(n)}(float(int(clamp(${this.exact(1, depth - 1)}, -99.0, 99.0)) ${this.pick(['+', '-', '*'])} ${this.below(5)}))`;
      default:
        return x();
    }
  }

  private inexact(n: number, depth: number): string {
    if (depth === 0) return this.leaf('a', n);
    const x = () => this.inexact(n, depth - 1);
    const e = () => this.exact(n, 1);
    switch (this.below(9)) {
      case 0:
        return `(${x()} / (abs(${e()}) + 1.0))`;
      case 1:
        return `sqrt(abs(${e()}))`;
      case 2:
        return `${this.pick(['sin', 'cos'])}(clamp(${e()}, -8.0, 8.0))`;
      case 3:
        return `exp2(clamp(${e()}, -3.0, 3.0))`;
      case 4:
        return `log2(abs(${e()}) + 0.5)`;
      case 5:
        return `pow(clamp(${e()}, 0.25, 2.0), clamp(${e()}, -2.0, 2.0))`;
      case 6:
        return `atan(clamp(${e()}, -9.0, 9.0), abs(${e()}) + 0.125)`;
      case 7:
        return `mix(${x()}, ${x()}, 0.25)`;
      default:
        return `(${e()} * 0.125 + ${x()})`;
    }
  }

  private condition(): string {
    const compare = `${this.exact(1, 1)} ${this.pick(['<', '>', '<=', '>=', '==', '!='])} ${this.exact(1, 1)}`;
    switch (this.below(6)) {
      case 0:
        return `(${compare} && ${this.exact(1, 0)} > 0.0)`;
      case 1:
        return `(${compare} || ${this.exact(1, 0)} > 0.0)`;
      case 2:
        return `!(${compare})`;
      case 3:
        return `any(lessThan(${this.exact(2, 0)}, ${this.exact(2, 0)}))`;
      default:
        return `(${compare})`;
    }
  }

  private line(text: string): void {
    this.lines.push('  '.repeat(this.indent) + text);
  }

  private statement(): void {
    const choice = this.below(10);
    const mask = this.pick(['x', 'yz', 'xyzw', 'xyzw', 'wx', 'zyx']);
    if (choice < 4) this.line(`e${this.below(3)}.${mask} = ${this.exact(mask.length, 2)};`);
    else if (choice < 7) this.line(`a${this.below(3)}.${mask} = ${this.inexact(mask.length, 2)};`);
    else if (choice < 9 && this.indent < 4) {
      this.line(`if (${this.condition()}) {`);
      this.nest();
      if (this.below(2)) {
        this.line('} else {');
        this.nest();
      }
      this.line('}');
    } else if (this.loops < 2 && this.indent < 4) {
      this.loops++;
      const i = `i${this.loops}`;
      this.line(`for (int ${i} = 0; ${i} < ${2 + this.below(3)}; ${i}++) {`);
      this.nest();
      if (this.below(2)) this.line(`  if (${this.condition()}) ${this.pick(['break', 'continue'])};`);
      this.nest();
      this.line('}');
      this.loops--;
    }
  }

  private nest(): void {
    this.indent++;
    for (let i = this.below(3); i >= 0; i--) this.statement();
    this.indent--;
  }

  generate(stage: 'vertex' | 'fragment', statements: number): string {
    for (let i = 0; i < statements; i++) this.statement();
    const input = stage === 'vertex' ? 'attribute' : 'varying';
    const discard = stage === 'fragment' && this.below(3) === 0 ? `  if (${this.condition()}) discard;\n` : '';
    const result = 'fract(e0 * 0.125) + e1 * 0.5 + min(e2, 4.0)';
    const outputs =
      stage === 'vertex'
        ? `  gl_Position = ${result};\n  o = a0 + a1 * 0.5 + a2;\n`
        : `${discard}  gl_FragColor = ${result} + (a0 + a1 + a2) * 0.5;\n`;
    return `precision highp float;\n${input} vec4 v0;\n${input} vec4 v1;\n${stage === 'vertex' ? 'varying vec4 o;\n' : ''}uniform vec4 u[4];
void main() {
  vec4 e0 = v0, e1 = v1, e2 = u[0], a0 = v0, a1 = v1, a2 = vec4(0.5);
  vec4 table[4];
  table[0] = v1; table[1] = u[2]; table[2] = vec4(1.0, 2.0, 3.0, 4.0); table[3] = v0;
${this.lines.join('\n')}
${outputs}}
`;
  }
}

export function randomGlsl(seed: number, stage: 'vertex' | 'fragment', statements = 8): string {
  return new Generator(seed).generate(stage, statements);
}
