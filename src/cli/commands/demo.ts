// `indium demo`: renders every example to pictures.

import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBackend } from '../../open-backend.ts';
import { writeFile } from '../files.ts';
import { loadDemo, renderDemo } from '../load-demo.ts';
import { type ProfilingOptions, startProfiling } from '../profiling.ts';
import { startProgress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';

const WIDTH = 480;
const HEIGHT = 360;
/** The frame that is saved: by then animated examples have moved away from their start. */
const FRAMES = 31;

/** The examples beside this file's tree: TypeScript in the checkout, JavaScript in `dist`. */
export function examplesFolder(): string {
  const folder = fileURLToPath(new URL('../../../examples', import.meta.url));
  if (!existsSync(folder)) throw new UsageError(`no examples at ${folder}: run npm run build in the checkout`);
  return folder;
}

/** Example modules of a folder by name. */
export function listExamples(folder: string): { name: string; path: string }[] {
  return readdirSync(folder)
    .filter((file) => /\.(ts|js)$/.test(file) && !/\.(test|d)\.(ts|js)$/.test(file))
    .map((file) => ({ name: basename(file, extname(file)), path: join(folder, file) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface DemoOptions extends ProfilingOptions {
  readonly backend?: string;
  readonly out: string;
}

export async function demo(options: DemoOptions): Promise<number> {
  const backend = await openBackend(options.backend);
  const endProfiling = startProfiling(options);
  const screen = backend.createScreen({});
  const { glesVersion } = screen.caps;
  screen.destroy();
  const examples = listExamples(examplesFolder());
  const progress = startProgress('rendering', examples.length);
  let failed = 0;
  let skipped = 0;
  for (const { name, path } of examples) {
    try {
      const loaded = await loadDemo(path);
      if ((loaded.api ?? 'webgl2') === 'webgl2' && glesVersion < 3) {
        skipped++;
        progress.step(name);
        continue;
      }
      await renderDemo(loaded, {
        backend,
        width: WIDTH,
        height: HEIGHT,
        frames: FRAMES,
        onFrame: (index, toPng) => {
          if (index === FRAMES - 1) writeFile(join(options.out, `${name}.png`), toPng());
        },
      });
    } catch (error) {
      failed++;
      console.error(`indium demo: ${name}: ${(error as Error).message}`);
    }
    progress.step(name);
  }
  progress.stop();
  endProfiling();
  const made = examples.length - failed - skipped;
  const rest = skipped > 0 ? `; ${skipped} examples skipped: they need WebGL 2, ${backend.name} has WebGL 1` : '';
  console.log(`${made} pictures in ${resolve(options.out)}${rest}`);
  return failed > 0 ? 1 : 0;
}
