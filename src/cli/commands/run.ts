// `indium run`: renders a demo module.

import { openBackend } from '../../open-backend.ts';
import { numberedPath, writeFile, writeJson } from '../files.ts';
import { loadDemo, renderDemo } from '../load-demo.ts';
import { startProgress } from '../progress.ts';
import { parseCount, parseSize } from '../usage-error.ts';

export interface RunOptions {
  readonly backend?: string;
  readonly size: string;
  readonly frames: string;
  readonly out?: string;
  readonly json?: string;
  readonly '--'?: readonly string[];
}

export async function run(module: string, options: RunOptions): Promise<number> {
  const { width, height } = parseSize(options.size);
  const frames = parseCount('--frames', options.frames, 1);
  const demo = await loadDemo(module);
  const backend = await openBackend(options.backend);
  const progress = startProgress(demo.title ?? module, frames);
  const isSeries = options.out !== undefined && /%\d*d/.test(options.out);
  const written: string[] = [];
  const start = performance.now();
  await renderDemo(demo, {
    backend,
    width,
    height,
    frames,
    args: options['--'] ?? [],
    onFrame: (index, toPng) => {
      progress.step(`frame ${index}`);
      if (!options.out || (!isSeries && index !== frames - 1)) return;
      const path = isSeries ? numberedPath(options.out, index) : options.out;
      writeFile(path, toPng());
      written.push(path);
    },
  });
  progress.stop();
  const milliseconds = performance.now() - start;
  for (const path of written) console.log(path);
  console.log(`${frames} frames in ${milliseconds.toFixed(0)} ms, ${(milliseconds / frames).toFixed(2)} ms a frame`);
  if (options.json) {
    const summary = { passed: 1, failed: 0, skipped: 0 };
    writeJson(options.json, { summary, rows: [{ module, frames, milliseconds, pictures: written }] });
  }
  return 0;
}
