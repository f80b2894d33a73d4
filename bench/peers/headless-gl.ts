// headless-gl in a process of its own, through an adapter.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MicroResult } from '../micro.ts';
import { packageRoot } from '../package-root.ts';
import type { EntryResult } from '../run-entry.ts';
import { lastLines, missingDisplay, type Peer, type PeerResult, runProgram, toPeerResult } from './peer.ts';

const adapterPath = () => join(packageRoot(), 'bench/adapters/headless-gl.mjs');

/** Node with what it was started with, so that a loader for TypeScript stays. */
const nodeCommand = () => [process.execPath, ...process.execArgv];

/** The results of `indium bench` on the adapter. */
async function runOurs<Row>(options: readonly string[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'indium-bench-'));
  try {
    const path = join(folder, 'results.json');
    const main = fileURLToPath(new URL(`../../src/cli/main${import.meta.url.slice(-3)}`, import.meta.url));
    const command = [...nodeCommand(), main, 'bench', '--adapter', adapterPath(), '--json', path, ...options];
    const { code, errors } = await runProgram(command, { needsDisplay: true });
    if (code !== 0 && code !== 1) throw new Error(`headless-gl ended with ${code}: ${lastLines(errors)}`);
    return (JSON.parse(readFileSync(path, 'utf8')) as { rows: Row[] }).rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const headlessGl: Peer = {
  name: 'headless-gl',
  findMissing() {
    try {
      createRequire(join(process.cwd(), 'from-here.js')).resolve('gl');
    } catch {
      return 'the package gl is not installed here (npm install gl)';
    }
    return missingDisplay();
  },
  runList: async ({ entries, width, height, glmarkData, frameEnd }) => {
    const command = ['--size', `${width}x${height}`, '--frame-end', frameEnd];
    if (glmarkData) command.push('--glmark-data', glmarkData);
    for (const entry of entries) command.push('-b', entry);
    const rows = await runOurs<EntryResult>(command);
    return rows.map(({ title, fps, grid, message }): PeerResult => ({ title, fps, grid, ...(message && { message }) }));
  },
  runMicro: async ({ folder, scenes, sizes, ms }) => {
    const command = ['--micro', '--perf-data', folder, '--size', sizes, '--ms', String(ms)];
    return (await runOurs<MicroResult>([...command, '--scenes', scenes.join(',')])).map(toPeerResult);
  },
};
