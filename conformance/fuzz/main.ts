// The command `npm run fuzz`: runs random cases for a time; a finding is cut down, written as a replay file, and makes the exit code 1.

import * as files from 'node:fs';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeFolder } from '../../src/base/make-folder.ts';
import { openBackend } from '../../src/open-backend.ts';
import { Coverage } from './coverage.ts';
import { type Finding, signature } from './fault.ts';
import { FUZZ_KINDS, type FuzzCase, type FuzzKind, makeCase, partsOf } from './fuzz-case.ts';
import { type ProcessOptions, runOne, runRange, type SeedFinding } from './fuzz-process.ts';
import { attemptFor, minimise } from './minimise.ts';

const HELP = `npm run fuzz -- [options]

  --seconds N      How long, shared by the kinds (default 60)
  --kind KIND      shader or api (default: both in turn)
  --seed S         First seed (default: from the clock); the same seed gives the same cases
  --replay FILE    Runs the case of a replay file and nothing else
  --timeout N      Seconds of processor time that one case may take (default 60)
  --minimise N     Seconds for cutting a finding down (default 60; 0: not at all)
  --coverage       Tells which entry points the API cases have called, and which only with errors
  --keep-going     Goes on after findings, each kind of fault once
  --out FOLDER     Where replay files go (default out/fuzz)
  --backend NAME   Default soft
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    kind: { type: 'string' },
    seed: { type: 'string' },
    replay: { type: 'string' },
    timeout: { type: 'string', default: '60' },
    minimise: { type: 'string', default: '60' },
    coverage: { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
    out: { type: 'string', default: 'out/fuzz' },
    backend: { type: 'string', default: 'soft' },
    help: { type: 'boolean', default: false },
  },
});

interface Replay {
  readonly case: FuzzCase;
  readonly finding?: Finding;
}

const options: ProcessOptions = { backend: values.backend, timeoutMs: Number(values.timeout) * 1000 };

function say(text: string): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  console.log(text);
}

function describe({ seed, finding }: SeedFinding, kind: string): string {
  const stack = finding.stack?.split('\n').slice(1, 12).join('\n');
  return `${kind} seed ${seed}: ${finding.kind}: ${finding.message}${stack ? `\n${stack}` : ''}`;
}

async function replay(file: string): Promise<number> {
  const { case: theCase } = JSON.parse(readFileSync(file, 'utf8')) as Replay;
  const finding = await runOne(theCase, options);
  if (finding === null) {
    say('The case finds nothing.');
    return 0;
  }
  say(describe({ seed: theCase.seed, finding }, theCase.kind));
  return 1;
}

/** Writes the replay file, cut down if there is time for it. */
async function store(kind: FuzzKind, { seed, finding }: SeedFinding): Promise<void> {
  makeFolder(files, values.out);
  const file = `${values.out}/${kind}-${seed}.json`;
  let theCase = makeCase(kind, seed);
  const write = (): void => writeFileSync(file, `${JSON.stringify({ case: theCase, finding }, null, 1)}\n`);
  write();
  const budget = Number(values.minimise) * 1000;
  if (budget > 0 && finding.kind !== 'memory') {
    const attempt = attemptFor(finding, await openBackend(options.backend), options);
    const before = partsOf(theCase).length;
    theCase = await minimise(theCase, finding, attempt, budget);
    write();
    say(`cut down from ${before} to ${partsOf(theCase).length} parts`);
  }
  say(`replay with: npm run fuzz -- --replay ${file}`);
}

class Progress {
  readonly #start = performance.now();
  cases = 0;
  findings = 0;

  show(kind: FuzzKind, seed: number): void {
    this.cases++;
    if (!process.stdout.isTTY) return;
    const seconds = Math.round((performance.now() - this.#start) / 1000);
    process.stdout.write(
      `\r\u001b[K${seconds} s, ${this.cases} cases, ${this.findings} findings; ${kind} seed ${seed}`,
    );
  }
}

async function fuzz(): Promise<number> {
  const kinds = values.kind === undefined ? FUZZ_KINDS : FUZZ_KINDS.filter((kind) => kind === values.kind);
  if (kinds.length === 0) throw new Error(`--kind ${values.kind}: there are ${FUZZ_KINDS.join(' and ')}`);
  const seed = values.seed === undefined ? Math.floor(Date.now() / 1000) % 1_000_000_000 : Number(values.seed);
  const progress = new Progress();
  const coverage = new Coverage();
  const seen = new Set<string>();
  const share = (Number(values.seconds) * 1000) / kinds.length;
  for (const kind of kinds) {
    let next = seed;
    let left = share;
    while (left > 0) {
      const start = performance.now();
      const found = await runRange(kind, next, left, options, (done, counts) => {
        progress.show(kind, done);
        coverage.add(counts);
      });
      left -= performance.now() - start;
      if (found === null) break;
      next = found.seed + 1;
      const name = signature(found.finding);
      if (seen.has(name)) continue;
      seen.add(name);
      progress.findings++;
      say(describe(found, kind));
      await store(kind, found);
      if (!values['keep-going']) return 1;
    }
  }
  if (values.coverage) for (const line of coverage.lines()) say(line);
  say(`${progress.cases} cases from seed ${seed}, ${progress.findings} findings`);
  return progress.findings > 0 ? 1 : 0;
}

if (values.help) console.log(HELP);
else process.exitCode = values.replay === undefined ? await fuzz() : await replay(values.replay);
