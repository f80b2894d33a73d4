// shaders.switch: which clauses run. Selectors are literals, uniforms or inputs; the clauses are run again in plain numbers.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { checkExpression, MOST_RUNS } from '../../harness/expression.ts';
import { STAGES, type Stage } from '../../reference/glsl-types.ts';
import type { Random } from '../../reference/random.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };

/** What a program does to `res`, an integer. */
type Step =
  | { readonly kind: 'times'; readonly factor: number; readonly add: number }
  | { readonly kind: 'break' }
  /** Leaves where the other input, `in1`, is above a bound. */
  | { readonly kind: 'breakAbove'; readonly bound: number }
  | { readonly kind: 'switch'; readonly clauses: readonly Clause[] }
  /** Up to three rounds, as many as `in1` lets; `break` leaves them alone. */
  | { readonly kind: 'inner'; readonly form: keyof typeof INNER };

interface Clause {
  /** As GLSL writes it, with its number; null: `default`. */
  readonly labels: readonly (readonly [text: string, value: number] | null)[];
  readonly steps: readonly Step[];
}

const ROUND = 'if (j > in1) break; res = res * 3 + j;';
const INNER = {
  if: 'if (in1 >= 0) { res = res * 3; if (in1 >= 1) res = res * 3 + 1; if (in1 >= 2) res = res * 3 + 2; }',
  for_loop: `for (int j = 0; j < 3; j++) { ${ROUND} }`,
  while_loop: `{ int j = 0; while (j < 3) { ${ROUND} j++; } }`,
  do_while_loop: `{ int j = 0; do { ${ROUND} } while (++j < 3); }`,
} as const;

function stepText(step: Step, selector: string): string {
  switch (step.kind) {
    case 'times':
      return `res = res * ${step.factor} + ${step.add};`;
    case 'break':
      return 'break;';
    case 'breakAbove':
      return `if (in1 > ${step.bound}) break;`;
    case 'inner':
      return INNER[step.form];
    case 'switch':
      return switchText(step.clauses, selector);
  }
}

function switchText(clauses: readonly Clause[], selector: string): string {
  const texts = clauses.map(({ labels, steps }) => {
    const heads = labels.map((label) => (label === null ? 'default:' : `case ${label[0]}:`));
    return [...heads, ...steps.map((step) => stepText(step, selector))].join(' ');
  });
  return `switch (${selector}) { ${texts.join(' ')} }`;
}

function runSwitch(clauses: readonly Clause[], selector: number, bound: number, start: number): number {
  let at = clauses.findIndex(({ labels }) => labels.some((label) => label?.[1] === selector));
  if (at < 0) at = clauses.findIndex(({ labels }) => labels.includes(null));
  if (at < 0) return start;
  let result = start;
  for (const { steps } of clauses.slice(at))
    for (const step of steps) {
      if (step.kind === 'break' || (step.kind === 'breakAbove' && bound > step.bound)) return result;
      if (step.kind === 'times') result = (Math.imul(result, step.factor) + step.add) | 0;
      if (step.kind === 'inner') for (let j = 0; j < 3 && j <= bound; j++) result = (Math.imul(result, 3) + j) | 0;
      if (step.kind === 'switch') result = runSwitch(step.clauses, selector, bound, result);
    }
  return result;
}

const BREAK: Step = { kind: 'break' };
const times = (factor: number, add: number): Step => ({ kind: 'times', factor, add });
const above = (bound: number): Step => ({ kind: 'breakAbove', bound });

/** Numbers are labels as they are; `default` and texts like `1 + 1` are given with their value. */
function clause(
  labels: number | 'default' | readonly (number | 'default' | readonly [string, number])[],
  ...steps: Step[]
): Clause {
  const list = typeof labels === 'object' ? labels : [labels];
  return {
    labels: list.map((label) =>
      label === 'default' ? null : typeof label === 'number' ? [`${label}`, label] : [label[0], label[1]],
    ),
    steps,
  };
}

const holding = (form: keyof typeof INNER): readonly Clause[] => [
  clause(0, times(2, 1), { kind: 'inner', form }, BREAK),
  clause(1, { kind: 'inner', form }, times(5, 2)),
  clause('default', times(3, 7), { kind: 'inner', form }, above(1), times(7, 1)),
  clause(3, times(2, 9)),
];
const PLAIN = [0, 1, 2, 3].map((label) => clause(label, times(2, label + 5), BREAK));

/** Names of the lists; those of the last two lines are our own. */
const SWITCHES: Readonly<Record<string, readonly Clause[]>> = {
  basic: PLAIN,
  const_expr_in_label: [
    clause([['int(0.0)', 0]], times(2, 1), BREAK),
    clause([['2 - 1', 1]], times(3, 2), BREAK),
    clause([['two', 2]], times(5, 3), BREAK),
    clause([['two + 1', 3]], times(7, 4), BREAK),
  ],
  default_label: [...PLAIN.slice(0, 2), clause('default', times(7, 9)), clause(9, times(1, 50))],
  default_not_last: [
    PLAIN[0]!,
    clause('default', times(7, 9), BREAK),
    clause(1, times(11, 3), BREAK),
    clause(3, times(13, 5), BREAK),
  ],
  no_default_label: [PLAIN[1]!, PLAIN[3]!],
  default_only: [clause('default', times(3, 4))],
  empty_case_default: [clause([0, 'default'], times(3, 4)), clause(2, times(5, 6), BREAK)],
  fall_through: [PLAIN[0]!, clause(1, times(2, 1)), clause(2, times(3, 2)), clause(3, times(5, 4), BREAK)],
  fall_through_default: [
    PLAIN[0]!,
    clause(1, times(2, 1)),
    clause('default', times(3, 2)),
    clause(2, times(5, 4), BREAK),
    PLAIN[3]!,
  ],
  conditional_fall_through: [PLAIN[0]!, clause(1, times(2, 1), above(0), times(3, 1)), ...PLAIN.slice(2)],
  conditional_fall_through_2: [
    clause(0, times(2, 1), above(-2), times(3, 1), above(2)),
    clause(1, times(5, 1), above(1), times(7, 3)),
    clause('default', times(11, 6), above(0), times(13, 7), BREAK),
    clause(3, times(3, 8)),
  ],
  switch_in_switch: [
    PLAIN[0]!,
    clause(1, times(2, 1), {
      kind: 'switch',
      clauses: [clause(1, times(3, 2), BREAK), clause('default', times(5, 9))],
    }),
    clause(
      'default',
      { kind: 'switch', clauses: [clause('default', times(7, 3)), clause(3, times(2, 8), BREAK), clause(2, above(0))] },
      times(2, 3),
      BREAK,
    ),
    clause(7, times(9, 9)),
  ],
  if_in_switch: holding('if'),
  for_loop_in_switch: holding('for_loop'),
  while_loop_in_switch: holding('while_loop'),
  do_while_loop_in_switch: holding('do_while_loop'),
  default_first: [clause('default', times(3, 1)), clause(1, times(5, 2), BREAK), clause(2, times(7, 3))],
  default_shares_label: [PLAIN[0]!, clause([1, 'default', 3], times(3, 1), BREAK), clause(2, times(5, 2))],
};

/** Statements around the switch; SWITCH stands for it. In loops the body runs three times. */
const AROUND: Readonly<Record<string, { readonly text: string; readonly rounds: number }>> = {
  in_if: { text: 'if (res >= 0) { SWITCH }', rounds: 1 },
  in_for_loop: { text: 'for (int i = 0; i < 3; i++) { SWITCH res += 1; }', rounds: 3 },
  in_while_loop: { text: 'int i = 0; while (i++ < 3) { SWITCH res += 1; }', rounds: 3 },
  in_do_while_loop: { text: 'int i = 0; do { SWITCH res += 1; } while (++i < 3);', rounds: 3 },
  // Declarations of a clause hide those outside.
  scope: { text: 'int kept = res; { int res = 77; res++; } SWITCH res += kept * 3;', rounds: 0 },
};

type Source = 'static' | 'uniform' | 'dynamic';
const START = 3;
const SELECTORS = [0, 1, 2, 3, -4, 9];

function around(clauses: readonly Clause[], place: string | undefined, selector: number, bound: number): number {
  const rounds = place === undefined ? 1 : AROUND[place]!.rounds;
  if (place === undefined || place === 'in_if') return runSwitch(clauses, selector, bound, START);
  if (rounds === 0) return runSwitch(clauses, selector, bound, START) + START * 3;
  let result = START;
  for (let round = 0; round < rounds; round++) result = runSwitch(clauses, selector, bound, result) + 1;
  return result;
}

function checkSwitch(
  t: CaseContext,
  clauses: readonly Clause[],
  source: Source,
  stage: Stage,
  place: string | undefined,
): void {
  const { gl } = t;
  const values = Array.from({ length: MOST_RUNS }, (_, k) => [
    [SELECTORS[k % SELECTORS.length]!],
    [(Math.floor(k / SELECTORS.length) % 7) - 3],
  ]);
  const one = (selector: string): string => {
    const text = switchText(clauses, selector);
    return place === undefined ? text : AROUND[place]!.text.replace('SWITCH', text);
  };
  const selectors = SELECTORS.map((value, at) => (source === 'static' ? `${value}` : `u_selectors[${at}]`));
  const body =
    source === 'dynamic'
      ? one('in0')
      : SELECTORS.map((value, at) => `if (in0 == ${value}) { ${one(selectors[at]!)} }`).join('\n  ');
  checkExpression(t, {
    stage,
    inputs: [
      { type: 'int', precision: 'highp' },
      { type: 'int', precision: 'highp' },
    ],
    output: { type: 'int', precision: 'highp' },
    head: `uniform highp int u_selectors[${SELECTORS.length}];\nconst int two = 2;\n`,
    code: `res = ${START};\n  ${body}`,
    values,
    expected: values.map(([selector, bound]) => [around(clauses, place, selector![0]!, bound![0]!)]),
    setUp: (program) => {
      const location = gl.glGetUniformLocation(program, 'u_selectors');
      if (source === 'uniform') gl.glUniform1iv(location, SELECTORS.length, SELECTORS);
    },
  });
}

/** Labels in any order, `default` anywhere or nowhere, clauses that fall through, leave in the middle or hold another switch. */
function randomClauses(random: Random, depth: number): Clause[] {
  const labels: (number | 'default')[] = [-4, 0, 1, 2, 3, 5];
  if (random.bool(0.8)) labels.push('default');
  const order = labels.map((label) => ({ label, key: random.float(0, 1) })).sort((a, b) => a.key - b.key);
  const chosen = order.map(({ label }) => label).filter((label) => label === 'default' || random.bool(0.7));
  const clauses: Clause[] = [];
  while (chosen.length > 0) {
    const steps: Step[] = [times(random.int(1, 7), random.int(-9, 9))];
    if (random.bool(0.3)) steps.push(above(random.int(-3, 3)), times(random.int(1, 5), random.int(-9, 9)));
    if (depth > 0 && random.bool(0.3)) steps.push({ kind: 'switch', clauses: randomClauses(random, depth - 1) });
    if (random.bool(0.6)) steps.push(BREAK);
    clauses.push(clause(chosen.splice(0, random.int(1, 2)), ...steps));
  }
  return clauses;
}

export function* switchCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  for (const stage of STAGES) {
    for (const source of ['static', 'uniform', 'dynamic'] as const) {
      const make = (name: string, clauses: readonly Clause[], place?: string) =>
        functionalCase(
          3,
          `shaders.switch.${name}_${source}_${stage}`,
          (t) => checkSwitch(t, clauses, source, stage, place),
          SURFACE,
        );
      for (const [name, clauses] of Object.entries(SWITCHES)) yield make(name, clauses);
      for (const place of Object.keys(AROUND))
        yield make(place === 'scope' ? place : `switch_${place}`, SWITCHES['conditional_fall_through_2']!, place);
    }
    for (let index = 0; index < 20; index++)
      yield functionalCase(
        3,
        `shaders.switch.random.${stage}.${index}`,
        (t) => checkSwitch(t, randomClauses(t.random, 1), 'dynamic', stage, undefined),
        SURFACE,
      );
  }
}
