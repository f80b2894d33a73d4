// `indium run`: renders a demo module.

import { openBackend } from '../../open-backend.ts';
import { numberedPath, writeFile, writeJson } from '../files.ts';
import { loadDemo, renderDemo } from '../load-demo.ts';
import { type ProfilingOptions, startProfiling } from '../profiling.ts';
import { startProgress } from '../progress.ts';
import { parseCount, parseSize, UsageError } from '../usage-error.ts';

export interface RunOptions extends ProfilingOptions {
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
  const endProfiling = startProfiling(options);
  const progress = startProgress(demo.title ?? module, frames);
  const isSeries = options.out !== undefined && /%\d*d/.test(options.out);
  const written: string[] = [];
  const start = performance.now();
  let failure: unknown = null;
  try {
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
  } catch (error) {
    if (error instanceof UsageError) throw error;
    failure = error;
  } finally {
    progress.stop();
  }
  const milliseconds = performance.now() - start;
  for (const path of written) console.log(path);
  endProfiling();
  if (options.json) {
    const summary = { passed: failure ? 0 : 1, failed: failure ? 1 : 0, skipped: 0 };
    const error = failure ? String((failure as Error).message ?? failure) : null;
    writeJson(options.json, { summary, rows: [{ module, frames, milliseconds, pictures: written, error }] });
  }
  if (failure) throw failure;
  const each = `${(milliseconds / frames).toFixed(2)} ms a frame`;
  console.log(frames === 1 ? `1 frame in ${milliseconds.toFixed(0)} ms` : `${frames} frames, ${each}`);
  return 0;
}
