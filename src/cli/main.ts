#!/usr/bin/env node
// The `indium` command: reads the command line, runs a command, turns its outcome into an exit code.

import { readFileSync } from 'node:fs';
import { cac } from 'cac';
import { BackendNameError, BackendUnavailableError } from '../backend-name-error.ts';
import { UsageError } from './usage-error.ts';

type Action = (...args: never[]) => Promise<number>;

function version(): string {
  // Two folders up in the checkout, three in `dist`.
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string }).version;
    } catch {
      // The other place.
    }
  }
  return 'unknown';
}

/** Runs a command's action: its exit code, 2 when it was called wrongly, 1 when it failed. */
function guarded(action: Action): (...args: never[]) => Promise<void> {
  return async (...args) => {
    try {
      process.exitCode = await action(...args);
    } catch (error) {
      const isUsage = error instanceof UsageError || error instanceof BackendNameError;
      const isExplained = isUsage || error instanceof BackendUnavailableError;
      console.error(`indium: ${isExplained ? error.message : ((error as Error)?.stack ?? error)}`);
      process.exitCode = isUsage ? 2 : 1;
    }
  };
}

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const cli = cac('indium');
const BACKEND = ['--backend <name>', 'Backend, as `soft` (default: INDIUM_BACKEND, else soft)'] as const;
const STATS = ['--stats', 'Show where the time goes: averages over the frames'] as const;
const TRACE = [
  '--trace-events <file>',
  "Write events for Chrome's tracing view (chrome://tracing, ui.perfetto.dev)",
] as const;
const JSON_FILE = ['--json <file>', 'Write results as JSON'] as const;

cli
  .command('run <module>', 'Render a demo module')
  .option(...BACKEND)
  .option('--size <WxH>', 'Size of the picture', { default: '640x480' })
  .option('--frames <n>', 'Frames to render', { default: '1' })
  .option('--out <file>', 'frame.png (the last frame) or frame-%04d.png (every frame)')
  .option(...STATS)
  .option(...TRACE)
  .option(...JSON_FILE)
  .action(guarded(async (module, options) => (await import('./commands/run.ts')).run(module, options)));

cli
  .command('demo', 'Render every example to out/*.png')
  .option(...BACKEND)
  .option('--out <folder>', 'Folder for the pictures', { default: 'out' })
  .option(...STATS)
  .option(...TRACE)
  .action(guarded(async (options) => (await import('./commands/demo.ts')).demo(options)));

cli
  .command('replay <calls>', 'Run a recorded GLES program and save what it read back')
  .option(...BACKEND)
  .option('--out <file>', 'X.png; several pictures become X-0.png, X-1.png…')
  .option(...JSON_FILE)
  .action(guarded(async (calls, options) => (await import('./commands/replay.ts')).replay(calls, options)));

cli
  .command('conformance', 'Run dEQP cases')
  .option('--deqp-data <folder>', 'Folder with gles2/shaders/*.test and gles3/shaders/*.test')
  .option('--only-data', 'Run only the cases of the data folder (as without --own)')
  .option('--own', 'Run our own test groups; with --deqp-data, both')
  .option('--list', 'Print the names of the selected cases and stop')
  .option('--cases <glob>', 'Cases by full name; * and ? match dots too')
  .option('--include <glob>', 'Cases by full name; may be given more than once')
  .option('--exclude <glob>', 'Leave cases out; may be given more than once')
  .option('--caselist <file>', 'Only the names of a list, as a mustpass list (.gz too); may be given more than once')
  .option('--fraction <i/n>', 'The i-th of n parts')
  .option(...BACKEND)
  .option('--jobs <n>', 'Worker processes', { default: '1' })
  .option('--timeout <seconds>', 'Limit of a case (30 when there are several jobs)')
  .option('--retries <n>', 'Run failing cases again', { default: '0' })
  .option('--resume <file>', 'Record results in a file; go on from it when it is there')
  .option('--baseline <file>', 'Known failures, skips and flakes; exit 1 only for new failures')
  .option(...JSON_FILE)
  .option('--csv <file>', 'Write results as CSV')
  .option('--junit <file>', 'Write results as JUnit XML')
  .option('--qpa <file>', "Write results as a log in dEQP's manner")
  .option('--pictures <folder>', 'Write failing pictures and a page to look at them')
  .action(guarded(async (options) => (await import('./commands/conformance.ts')).conformance(options)));

cli
  .command('bench', 'Run the scenes of glmark2, or micro scenes, and tell how fast they are')
  .option(...BACKEND)
  .option('-b, --benchmark <entry>', 'scene:option=value:…, or :option=value for defaults; may be given more than once')
  .option('-f, --benchmark-file <file>', 'A file with an entry a line; may be given more than once')
  .option('-s, --size <WxH>', 'Size of the picture', { default: '800x600' })
  .option('--off-screen', "Always so: taken so that glmark2's command lines work")
  .option('--annotate', 'Write scene, options and frames a second over the frames')
  .option('--duration <seconds>', 'Duration of each entry (as -b :duration=…)')
  .option('--api <name>', 'webgl or webgl2', { default: 'webgl2' })
  .option('--frame-end <how>', 'What ends a frame: readpixels (of one pixel), finish or none', {
    default: 'readpixels',
  })
  .option('--glmark-data <folder>', "Models, textures and shaders of glmark2's data, as /usr/share/glmark2")
  .option('--threads <n>', 'Threads of soft (as --backend soft:threads=…)')
  .option('--adapter <module>', "Run another implementation by the micro scenes' adapter contract")
  .option('-l, --list', 'Show the scenes and their options')
  .option('--validate', 'Check what each entry draws instead of how fast')
  .option('--update-references', 'Keep the pictures that --validate compares with')
  .option(
    '--stats',
    'Show median and worst frame, and what a frame is made of: draws, primitives, fragments, busy threads…',
  )
  .option(...TRACE)
  .option('--micro', 'Run the micro scenes of --perf-data, with those of three.js where it is installed')
  .option('--scenes <names>', 'Micro scenes, by commas')
  .option('--perf-data <folder>', 'Folder of scenes.mjs (default: perf in INDIUM_TEST_DATA)')
  .option('--ms <n>', 'Time of each micro scene', { default: '700' })
  .option(
    '--against <peers>',
    'Compare with headless-gl, chromium, chromium-llvmpipe, glmark2 (by commas; each when it is installed)',
  )
  .option('--rounds <n>', 'Rounds of all contestants (default 3)')
  .option(...JSON_FILE)
  .option('--csv <file>', 'Write results as CSV')
  .option('--xml <file>', 'Write results as XML')
  .option('--markdown <file>', 'Write the table for a document')
  .option('--chart <file>', 'Write a bar chart, .svg or .png; may be given more than once')
  .action(guarded(async (options) => (await import('./commands/bench.ts')).bench(options)));

cli
  .command('info', 'Show what a backend can do')
  .option(...BACKEND)
  .option('--tags', 'Only the names by which a test farm knows the machine')
  .option(...JSON_FILE)
  .action(guarded(async (options) => (await import('./commands/info.ts')).info(options)));

cli
  .command('isa <action> [file]', 'Instruction sets: asm, disasm, verify (recorded vectors) or doc')
  .option('--isa <name>', 'Instruction set', { default: 'vivante' })
  .option('--out <file>', 'Where the output goes (asm: .bin for binary, else hexadecimal)')
  .option(...JSON_FILE)
  .action(guarded(async (action, file, options) => (await import('./commands/isa.ts')).isa(action, file, options)));

cli
  .command(
    'etnaviv <action> [target]',
    'Vivante tools: replay GPU_FOLDER runs recorded streams; diff DEMO compares the streams of two GPUs',
  )
  .option('--gpu <name>', 'diff: a GPU, as gc2000; give two')
  .option('--frames <n>', 'diff: frames to draw', { default: '1' })
  .option('--cases <glob>', 'Cases by name')
  .option('--out <folder>', 'Folder for the pictures')
  .option(...JSON_FILE)
  .action(
    guarded(async (action, target, options) =>
      (await import('./commands/etnaviv.ts')).etnaviv(action, target, options),
    ),
  );

cli
  .command('hwdb <action> [...files]', 'Hardware database: import merges vendor feature headers with ours')
  .option(...JSON_FILE)
  .action(guarded(async (action, files, options) => (await import('./commands/hwdb.ts')).hwdb(action, files, options)));

cli.command('[command]', '').action((name?: string) => {
  if (name === undefined) return cli.outputHelp();
  console.error(`indium: no command '${name}'; indium --help lists them`);
  process.exitCode = 2;
});
cli.help();
cli.version(version());
try {
  cli.parse();
} catch (error) {
  console.error(`indium: ${(error as Error).message}; indium --help lists commands and options`);
  process.exitCode = 2;
}
