#!/usr/bin/env node
// Runs the Khronos WebGL suite from a checkout, with a runner that hosts its pages in Node.
//
//   node conformance/webgl-cts/run.mjs --cts WEBGL/sdk/tests --runner RUNNER [--webgl 1|2] [more options of the runner]
//
// `--runner`: the folder of the runner (default: $WEBGL_CTS_RUNNER, or `cts` below $INDIUM_TEST_DATA); it must be installed.
// `--expected FILE`: pages known to fail, each with its reason (expected-failures.txt here). Another failure makes the exit
// code 1, and listed pages that pass are told.
// Everything else is passed on: --pages FILE, --filter RE, --sample N, --jobs N, --out results.json …

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);

function usage(message) {
  console.error(
    `${message}\nusage: run.mjs --cts WEBGL/sdk/tests [--runner FOLDER] [--webgl 1|2] [--expected FILE] [options of the runner]`,
  );
  process.exit(2);
}

/** Takes `--name value` out of the arguments. */
function take(name) {
  const at = args.indexOf(name);
  if (at < 0) return undefined;
  const [, value] = args.splice(at, 2);
  if (value === undefined) usage(`${name} needs a value`);
  return value;
}

const cts = take('--cts') ?? process.env.WEBGL_CTS;
const runner =
  take('--runner') ?? process.env.WEBGL_CTS_RUNNER ?? join(process.env.INDIUM_TEST_DATA ?? '../shared', 'cts');
const expected = take('--expected');
const root = fileURLToPath(new URL('../..', import.meta.url));
const adapter = fileURLToPath(new URL('adapter.mjs', import.meta.url));

if (!cts) usage('--cts is missing: a checkout of github.com/KhronosGroup/WebGL, its folder sdk/tests');
if (!existsSync(join(cts, '00_test_list.txt'))) usage(`${cts}: no 00_test_list.txt there`);
if (!existsSync(join(runner, 'run.mjs'))) usage(`${runner}: no run.mjs there`);
if (!existsSync(join(root, 'dist/src/index.js'))) usage('the package is not built: npm run build');

const { parseBaseline, judgeByBaseline } = await import('../../dist/conformance/runner/baseline.js');
let baseline;
try {
  if (expected) baseline = parseBaseline(readFileSync(expected, 'utf8'), expected);
} catch (error) {
  usage(error.message);
}
const outAt = args.indexOf('--out');
const out = outAt < 0 ? 'results.json' : args[outAt + 1];

const child = spawnSync(
  process.execPath,
  [join(runner, 'run.mjs'), '--impl', adapter, '--cts', resolve(cts), ...args],
  { stdio: 'inherit' },
);
if (!baseline || child.status !== 0) process.exit(child.status ?? 1);

const { pages } = JSON.parse(readFileSync(out, 'utf8'));
const results = pages.map(({ page, ok }) => ({ name: page, status: ok ? 'passed' : 'failed' }));
const { newFailures, knownFailures, fixed } = judgeByBaseline(results, baseline);
for (const { name } of newFailures) console.log(`new failure: ${name}`);
for (const { name } of fixed) console.log(`passes though ${expected} lists it: ${name}`);
console.log(`${newFailures.length} new failures, ${knownFailures.length} known, ${fixed.length} fixed`);
process.exit(newFailures.length > 0 ? 1 : 0);
