// `npm run bench:nodes`: every micro scene, median and worst frame, on several versions of Node with several numbers of threads.
// Usage: node dist/bench/nodes.js [--node PATH]... [--threads 2,1] [--rounds 3] [--size 512x512] [--scenes NAMES] [--ms 700]
//          [--perf-data DIR] [--folder DIR] [--markdown FILE]
// Results of runs stay in --folder; one that is there already is not run again, so a row of rounds can go on another time.

import { spawnSync } from 'node:child_process';
import * as files from 'node:fs';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeFolder } from '../src/base/make-folder.ts';
import { type MicroResult, perfFolder } from './micro.ts';
import { mergeRuns, type NodeRun, nodeTableColumns, nodeTableNotes } from './report/node-table.ts';
import { toMarkdown, toText } from './report/rows.ts';

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [process.execPath] },
    threads: { type: 'string', default: '2,1' },
    rounds: { type: 'string', default: '3' },
    size: { type: 'string', default: '512x512' },
    scenes: { type: 'string', default: '' },
    ms: { type: 'string', default: '700' },
    'perf-data': { type: 'string' },
    folder: { type: 'string' },
    markdown: { type: 'string' },
  },
});

function versionOf(node: string): string {
  const { stdout, status, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${node} does not run: ${error?.message ?? `it ended with ${status}`}`);
  return stdout.trim();
}

const nodes = values.node.map((path) => ({ path, version: versionOf(path) }));
const threadCounts = values.threads.split(',').map(Number);
const rounds = Number(values.rounds);
for (const count of [...threadCounts, rounds]) {
  if (!Number.isInteger(count) || count < 1) throw new Error('--threads and --rounds take whole numbers from 1');
}
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'indium-nodes-'));
makeFolder(files, folder);

const main = fileURLToPath(new URL(`../src/cli/main${import.meta.url.slice(-3)}`, import.meta.url));

/** Runs the scenes in a process of its own, unless the file of its results is there. */
function measure(node: string, threads: number, path: string): void {
  if (existsSync(path)) return;
  const parameters = ['bench', '--micro', '--backend', 'soft', '--threads', String(threads), '--json', path];
  parameters.push('--size', values.size, '--ms', values.ms, '--perf-data', perfFolder(values['perf-data']));
  if (values.scenes) parameters.push('--scenes', values.scenes);
  const { status, stderr } = spawnSync(node, [main, ...parameters], { encoding: 'utf8' });
  // 1: a scene failed, which the table shows.
  if (status !== 0 && status !== 1) throw new Error(`${node} ended with ${status}: ${stderr}`);
  if (stderr) console.error(stderr.trim());
}

const runs: NodeRun[] = [];
for (let round = 1; round <= rounds; round++) {
  for (const { path: node, version } of nodes) {
    for (const threads of threadCounts) {
      const path = join(folder, `${version}-threads-${threads}-round-${round}.json`);
      console.error(`round ${round} of ${rounds}: Node ${version}, threads: ${threads}`);
      measure(node, threads, path);
      const { rows } = JSON.parse(readFileSync(path, 'utf8')) as { rows: MicroResult[] };
      runs.push({ node: version, threads, rows });
    }
  }
}

const table = mergeRuns(runs);
const columns = nodeTableColumns(table);
const versions = nodes.map(({ version }) => version).join(', ');
const heading = `${new Date().toISOString().slice(0, 10)}, ${values.size}, Node ${versions}, rounds: ${rounds}`;
const notes = nodeTableNotes(table);
console.log([heading, toText(columns, table.rows), ...notes].join('\n'));
console.log(`results: ${folder}`);
if (values.markdown) {
  const list = notes.map((note) => `- ${note}`).join('\n');
  writeFileSync(values.markdown, `${heading}\n\n${toMarkdown(columns, table.rows)}\n\n${list}\n`);
  console.log(values.markdown);
}
