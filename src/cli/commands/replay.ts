// `indium replay`: runs a recorded GLES program and writes what it read back as pictures.

import { encodePng, flipRows } from '../../canvas/image.ts';
import { createGlesContext } from '../../gles/index.ts';
import { parseCalls, type ReadPixelsResult, replayCalls, requiredVersion } from '../../gles/replay.ts';
import { openBackend } from '../../open-backend.ts';
import type { Backend } from '../../pipe/pipe.ts';
import { numberedPath, readText, writeFile, writeJson } from '../files.ts';
import { UsageError } from '../usage-error.ts';

/** The default framebuffer of recordings. */
const SURFACE_SIZE = 64;

export interface ReplayOptions {
  readonly backend?: string;
  readonly out?: string;
  readonly json?: string;
}

/** Runs the recording in `text` on `backend`; pictures are upright. */
export function replayText(text: string, backend: Backend): ReadPixelsResult[] {
  const calls = parseCalls(text);
  const gl = createGlesContext({ width: SURFACE_SIZE, height: SURFACE_SIZE, api: requiredVersion(calls), backend });
  try {
    return replayCalls(gl, calls).map(({ width, height, pixels }) => ({
      width,
      height,
      pixels: new Uint8Array(flipRows(pixels, width, height).buffer),
    }));
  } finally {
    gl.dispose();
  }
}

/** Exit code of the command. */
export async function replay(file: string, options: ReplayOptions): Promise<number> {
  if (!options.out) throw new UsageError('replay needs --out X.png: where the picture goes');
  const backend = await openBackend(options.backend);
  const text = readText(file);
  const written: string[] = [];
  let failure: string | null = null;
  try {
    const pictures = replayText(text, backend);
    if (pictures.length === 0) failure = 'the recording has no glReadPixels, so there is no picture';
    for (const [index, { width, height, pixels }] of pictures.entries()) {
      const path = pictures.length === 1 ? options.out : numberedPath(options.out, index);
      writeFile(path, encodePng({ width, height, data: pixels }));
      written.push(path);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    failure = (error as Error).message;
  }
  for (const path of written) console.log(path);
  if (failure) console.error(`indium replay: ${file}: ${failure}`);
  if (options.json) {
    const summary = { passed: failure ? 0 : 1, failed: failure ? 1 : 0, skipped: 0 };
    writeJson(options.json, { summary, rows: [{ file, pictures: written, error: failure }] });
  }
  return failure ? 1 : 0;
}
