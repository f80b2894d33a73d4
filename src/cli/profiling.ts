// `--stats` and `--trace-events` of the commands that render.

import { profileLines } from '../base/hud-panel.ts';
import { profile } from '../base/profile.ts';
import { writeFile } from './files.ts';

export interface ProfilingOptions {
  /** Show averages of the frames at the end. */
  readonly stats?: boolean;
  /** Write events for Chrome's tracing view to this file. */
  readonly traceEvents?: string;
}

/** Begins to measure if an option asks for it; call before a context is made. The result ends it. */
export function startProfiling({ stats, traceEvents }: ProfilingOptions): () => void {
  if (!stats && traceEvents === undefined) return () => {};
  profile.start({ trace: traceEvents !== undefined });
  return () => {
    if (stats) for (const line of profileLines(profile.frames)) console.log(line);
    if (traceEvents === undefined) return;
    writeFile(traceEvents, Buffer.from(profile.traceText()));
    console.log(traceEvents);
  };
}
