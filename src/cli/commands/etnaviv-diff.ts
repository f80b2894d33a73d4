// `indium etnaviv diff`: draws a demo on two Vivante GPUs and tells which states of their command streams differ.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { etnavivBackend } from '../../../backends/etnaviv/backend.ts';
import { collectStates, differingStates, type StreamStates } from '../../../backends/etnaviv/driver/stream-states.ts';
import { writeJson } from '../files.ts';
import { loadDemo, renderDemo } from '../load-demo.ts';
import { UsageError } from '../usage-error.ts';
import { examplesFolder, listExamples } from './demo.ts';
import type { EtnavivOptions } from './etnaviv.ts';

/** A demo by path, or an example by name. */
function demoPath(target: string): string {
  if (existsSync(target)) return target;
  const folder = examplesFolder();
  const found = listExamples(folder).find(({ name }) => name === target);
  if (!found) throw new UsageError(`etnaviv diff: no demo '${target}': give a path or an example of ${join(folder)}`);
  return found.path;
}

export async function diff(target: string | undefined, options: EtnavivOptions): Promise<number> {
  if (!target) throw new UsageError('etnaviv diff needs a demo: a path, or the name of an example');
  const gpus = [options.gpu ?? []].flat();
  if (gpus.length !== 2) throw new UsageError('etnaviv diff needs two GPUs: --gpu gc2000 --gpu gc3000');
  const frames = Number(options.frames ?? 1);
  if (!Number.isInteger(frames) || frames < 1)
    throw new UsageError(`--frames ${options.frames}: give a count of frames`);
  const demo = await loadDemo(demoPath(target));
  const all: StreamStates[] = [];
  for (const gpu of gpus) {
    const states: StreamStates = new Map();
    const backend = etnavivBackend(gpu, { onSubmit: (words) => collectStates(words, states) });
    await renderDemo(demo, { backend, width: 64, height: 64, frames, onFrame: () => {} });
    all.push(states);
  }
  const differences = differingStates(all);
  for (const { name, values } of differences) {
    console.log(name);
    for (const [index, list] of values.entries()) {
      console.log(`  ${gpus[index]!.padEnd(10)} ${list.length === 0 ? 'not set' : list.join('; ')}`);
    }
  }
  console.log(`${differences.length} states differ`);
  if (options.json) {
    const rows = differences.map(({ name, values }) => ({ state: name, values }));
    writeJson(options.json, { summary: { passed: 1, failed: 0, skipped: 0 }, gpus, rows });
  }
  return 0;
}
