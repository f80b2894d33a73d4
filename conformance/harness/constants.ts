// Runs a piece of GLSL on constants that stand in the shader's text, so that the compiler and not the program computes the results.

import type { CaseContext } from '../case.ts';
import { componentCount, type GlslType, glslType, type Precision, type Stage } from '../reference/glsl-types.ts';
import { checkExpression } from './expression.ts';

/** A few runs say enough: each is code of its own, in one program. */
export const CONSTANT_RUNS = 12;

export interface ConstantSpec {
  readonly stage: Stage;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly precision?: Precision | '';
  /** `res = …;` with a constant expression of `in0`, `in1`… */
  readonly code: string;
  readonly head?: string;
  readonly values: readonly (readonly (readonly number[])[])[];
  readonly expected: readonly (readonly number[])[];
  readonly tolerance?: (want: number, k: number, component: number) => number;
}

function scalarLiteral(base: GlslType['base'], value: number): string {
  switch (base) {
    case 'bool':
      return value === 0 ? 'false' : 'true';
    case 'uint':
      return `${value}u`;
    case 'int':
      // The lowest integer has no literal: the minus sign is an operator.
      return value === -(2 ** 31) ? '(-2147483647 - 1)' : `${value}`;
    default:
      return /[.e]/.test(`${value}`) ? `${value}` : `${value}.0`;
  }
}

/** A value as GLSL text. */
export function literal(name: string, value: readonly number[]): string {
  const type = glslType(name);
  const scalars = value.map((scalar) => scalarLiteral(type.base, scalar));
  return componentCount(type) === 1 ? scalars[0]! : `${name}(${scalars.join(', ')})`;
}

/** Every input and the result are declared `const`; which run a point shows is the one number that is no constant. */
export function checkConstants(t: CaseContext, spec: ConstantSpec): void {
  const { stage, inputs, output, precision = 'highp', values, expected, tolerance, head } = spec;
  const qualified = (type: string) => (glslType(type).base === 'bool' ? type : `${precision} ${type}`);
  const expression = /^res = (.*);$/.exec(spec.code)?.[1];
  if (expression === undefined) throw new Error(`'${spec.code}' is no expression`);
  const blocks = values.map((args, k) => {
    const constants = inputs.map((type, i) => `const ${qualified(type)} in${i} = ${literal(type, args[i]!)};`);
    const folded = `const ${qualified(output)} folded = ${expression};`;
    return `if (in0 == ${k}.0) { ${[...constants, folded].join(' ')} res = folded; }`;
  });
  const place = glslType(output);
  const nothing = literal(output, new Array<number>(componentCount(place)).fill(0));
  checkExpression(t, {
    stage,
    inputs: [{ type: 'float', precision: 'highp' }],
    output: { type: output, precision: place.base === 'bool' ? '' : precision },
    code: `res = ${nothing};\n  ${blocks.join('\n  ')}`,
    values: values.map((_, k) => [[k]]),
    expected,
    ...(head === undefined ? {} : { head }),
    ...(tolerance === undefined ? {} : { tolerance }),
    describe: (k) => `${spec.code} of constants ${values[k]!.map((input) => `(${input.join(', ')})`).join(' ')}`,
  });
}
