// `indium bench`: glmark2's scenes, or micro scenes, on Indium or against other implementations.

import { startProfiling } from '../profiling.ts';
import { runAgainst } from './bench/against.ts';
import { listScenes, runEntries } from './bench/entries.ts';
import { reportMicro } from './bench/micro.ts';
import { type BenchOptions, prepare } from './bench/run.ts';
import { validate } from './bench/validate.ts';

export async function bench(options: BenchOptions): Promise<number> {
  const { traceEvents } = options;
  const endProfiling = startProfiling(traceEvents === undefined ? {} : { traceEvents });
  const exitCode = await runBench(options);
  endProfiling();
  return exitCode;
}

async function runBench(options: BenchOptions): Promise<number> {
  const run = prepare(options);
  if (options.list) return listScenes(run.data);
  if (options.against !== undefined) return runAgainst(run);
  if (options.micro) return reportMicro(run);
  return options.validate || options.updateReferences ? validate(run) : runEntries(run);
}
