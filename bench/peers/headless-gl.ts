// headless-gl in a process of its own, through an adapter.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../package-root.ts';
import type { EntryResult } from '../run-entry.ts';
import { lastLines, missingDisplay, type Peer, type PeerResult, readMicroJson, runProgram } from './peer.ts';

const adapterPath = () => join(packageRoot(), 'bench/adapters/headless-gl.mjs');

/** Node with what it was started with, so that a loader for TypeScript stays. */
const nodeCommand = () => [process.execPath, ...process.execArgv];

async function withFile<T>(run: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'indium-bench-'));
  try {
    return await run(join(folder, 'results.json'));
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
  runList: ({ entries, width, height, glmarkData, frameEnd }) =>
    withFile(async (path) => {
      const main = fileURLToPath(new URL(`../../src/cli/main${import.meta.url.slice(-3)}`, import.meta.url));
      const command = [...nodeCommand(), main, 'bench', '--adapter', adapterPath(), '--json', path];
      command.push('--size', `${width}x${height}`, '--frame-end', frameEnd);
      if (glmarkData) command.push('--glmark-data', glmarkData);
      for (const entry of entries) command.push('-b', entry);
      const { code, errors } = await runProgram(command, { needsDisplay: true });
      if (code !== 0 && code !== 1) throw new Error(`headless-gl ended with ${code}: ${lastLines(errors)}`);
      const { rows } = JSON.parse(readFileSync(path, 'utf8')) as { rows: EntryResult[] };
      return rows.map(
        ({ title, fps, grid, message }): PeerResult => ({ title, fps, grid, ...(message && { message }) }),
      );
    }),
  runMicro: ({ folder, scenes, sizes, ms, warmMs }) =>
    withFile(async (path) => {
      const command = [process.execPath, join(folder, 'run-node.mjs'), '--adapter', adapterPath(), '--out', path];
      command.push('--sizes', sizes, '--ms', String(ms), '--warm', String(warmMs), '--scenes', scenes.join(','));
      const { code, errors } = await runProgram(command, { needsDisplay: true });
      if (code !== 0) throw new Error(`headless-gl ended with ${code}: ${lastLines(errors)}`);
      return readMicroJson(readFileSync(path, 'utf8'));
    }),
};
