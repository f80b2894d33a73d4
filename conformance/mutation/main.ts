// `npm run mutate`: breaks a copy of the implementation in each place of mutations.table.ts and asks whether the cases notice.
// Every mutant must be caught; the same cases pass on the unbroken copy.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cac } from 'cac';
import { MUTATIONS, type Mutation } from './mutations.table.ts';
import type { MutantReport } from './run-until-failure.ts';
import { mutationProblem, ScratchTree } from './scratch-tree.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
/** Cases of one pattern, spread over all that match. */
const CASES_A_PATTERN = 24;
/** A mutant that has not answered by then says nothing: it may hang, or the machine is busy. */
const TIMEOUT_MS = 240_000;

type Verdict = { readonly caught: true; readonly by: string } | { readonly caught: false; readonly why: string };

function runCases(tree: ScratchTree, patterns: readonly string[]): MutantReport | string {
  const child = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'conformance/mutation/run-until-failure.ts', String(CASES_A_PATTERN), ...patterns],
    { cwd: tree.root, encoding: 'utf8', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
  );
  if (child.signal !== null) return `no answer within ${TIMEOUT_MS / 1000} s`;
  if (child.status !== 0)
    return `the process ended with code ${child.status}: ${child.stderr.trim().split('\n').at(-1)}`;
  return JSON.parse(child.stdout.trim().split('\n').at(-1)!) as MutantReport;
}

function judge(tree: ScratchTree, { cases }: Mutation): Verdict {
  const report = runCases(tree, cases);
  // A crash or a hang would be noticed too, but a mutant that does not even load says nothing about the cases.
  if (typeof report === 'string') return { caught: false, why: report };
  if (report.failed) return { caught: true, by: `${report.failed.name}: ${report.failed.message}` };
  return { caught: false, why: `${report.judged} cases passed, ${report.skipped} were skipped` };
}

/** Rows by number (`3`) or by a part of their name. */
function chosenRows(words: readonly string[]): readonly Mutation[] {
  if (words.length === 0) return MUTATIONS;
  return MUTATIONS.filter(({ name }, at) => words.some((word) => String(at + 1) === word || name.includes(word)));
}

function main(): number {
  const cli = cac('mutate');
  cli.usage('[ROW…]  rows by number or a part of their name; none: all');
  cli.option('--control', 'First run the cases on the unbroken copy: all must pass');
  cli.option('--list', 'List the rows and check that their texts are still there');
  cli.help();
  const { args, options } = cli.parse();
  if (options['help']) return 0;
  const rows = chosenRows(args);
  if (rows.length === 0) {
    console.error(`no row is called '${args.join(' ')}'; --list lists them`);
    return 2;
  }
  const problems = rows.flatMap((row) => {
    const problem = mutationProblem(CHECKOUT, row);
    return problem === null ? [] : [`${row.name}: ${problem}`];
  });
  if (options['list'])
    for (const [at, { name, file }] of MUTATIONS.entries()) console.log(`${at + 1} ${name} (${file})`);
  for (const problem of problems) console.error(`STALE ${problem}`);
  if (problems.length > 0) return 1;
  if (options['list']) return 0;

  const tree = new ScratchTree(CHECKOUT);
  try {
    if (options['control']) {
      const report = runCases(tree, [...new Set(rows.flatMap(({ cases }) => cases))]);
      let failure = typeof report === 'string' ? report : report.failed && `${report.failed.name} fails`;
      if (typeof report !== 'string' && report.unmatched.length > 0)
        failure ??= `no case gave a verdict for ${report.unmatched.join(', ')}`;
      if (failure) {
        console.error(`the unbroken copy: ${failure}`);
        return 1;
      }
      console.log(`${(report as MutantReport).judged} cases pass on the unbroken copy`);
    }
    return reportRows(tree, rows);
  } finally {
    tree.remove();
  }
}

function reportRows(tree: ScratchTree, rows: readonly Mutation[]): number {
  let caught = 0;
  for (const row of rows) {
    const restore = tree.apply(row);
    const verdict = judge(tree, row);
    restore();
    if (verdict.caught) caught++;
    console.log(
      verdict.caught ? `caught ${row.name}\n       ${verdict.by}` : `MISSED ${row.name}\n       ${verdict.why}`,
    );
  }
  console.log(`${caught} of ${rows.length} caught`);
  return caught === rows.length ? 0 : 1;
}

process.exitCode = main();
