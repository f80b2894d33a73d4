// `indium etnaviv`: tools of the Vivante backend. `replay` runs recorded command streams on the simulated GPU.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { comparePictures, type Rgba } from '../../../backends/etnaviv/replay/compare.ts';
import { expectedPath, listCases } from '../../../backends/etnaviv/replay/recording.ts';
import { type Picture, replayCase } from '../../../backends/etnaviv/replay/replay-case.ts';
import { unreproducibleReason } from '../../../backends/etnaviv/replay/unreproducible.table.ts';
import { decodePng, encodePng } from '../../canvas/image.ts';
import { writeFile, writeJson } from '../files.ts';
import { startProgress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';

export interface EtnavivOptions {
  readonly cases?: string;
  readonly out?: string;
  readonly json?: string;
  /** diff: two GPUs, and how many frames are drawn. */
  readonly gpu?: string | readonly string[];
  readonly frames?: string;
}

interface Row {
  readonly case: string;
  readonly status: 'passed' | 'failed';
  readonly pictures: readonly {
    readonly k: number;
    readonly wrongPixels: number;
    readonly largestDifference: number;
  }[];
  readonly error: string | null;
  readonly notices: readonly string[];
  /** What the simulated GPU did, by unit; null: the case did not run. */
  readonly counters: ReturnType<typeof replayCase>['counters'] | null;
  /** Why the recording cannot give its picture, where that is known. */
  readonly reason?: string;
}

/** `*` and `?` as in file names. */
function globPattern(glob: string): RegExp {
  const escaped = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${escaped}$`);
}

function readPicture(path: string): Rgba | null {
  if (!existsSync(path)) return null;
  return decodePng(readFileSync(path));
}

function references(folder: string, picture: Picture): Rgba[] {
  const path = expectedPath(folder, picture.image);
  return [path, path.replace(/\.png$/, '.softpipe.png')].map(readPicture).filter((p): p is Rgba => p !== null);
}

function runOne(gpuFolder: string, name: string, out: string | undefined): Row {
  const folder = join(gpuFolder, name);
  try {
    const { pictures, notices, error, recorded, counters } = replayCase(folder);
    let isRight = error === null && pictures.length === recorded.images.length;
    const rows = pictures.map((picture) => {
      if (out) writeFile(join(out, `${name}-${picture.k}.png`), encodePng(picture));
      const {
        isRight: right,
        wrongPixels,
        largestDifference,
      } = comparePictures(name, picture, references(folder, picture));
      isRight &&= right;
      return { k: picture.k, wrongPixels, largestDifference };
    });
    return { case: name, status: isRight ? 'passed' : 'failed', pictures: rows, error, notices, counters };
  } catch (error) {
    return { case: name, status: 'failed', pictures: [], error: (error as Error).message, notices: [], counters: null };
  }
}

async function replay(gpuFolder: string | undefined, options: EtnavivOptions): Promise<number> {
  if (!gpuFolder) throw new UsageError('etnaviv replay needs the folder of a recorded GPU');
  if (!existsSync(gpuFolder)) throw new UsageError(`there is no folder ${gpuFolder}`);
  const pattern = globPattern(options.cases ?? '*');
  const names = listCases(gpuFolder).filter((name) => pattern.test(name));
  if (names.length === 0) throw new UsageError(`${gpuFolder} has no case that matches ${options.cases ?? '*'}`);
  const progress = startProgress('replay', names.length);
  const rows: Row[] = [];
  for (const name of names) {
    const result = runOne(gpuFolder, name, options.out);
    const reason = result.status === 'failed' ? unreproducibleReason(basename(gpuFolder), name) : null;
    const row: Row = reason === null ? result : { ...result, reason };
    rows.push(row);
    progress.step(name);
    if (row.status === 'failed') {
      const pictures = row.pictures.map(
        (p) => `picture ${p.k}: ${p.wrongPixels} wrong, by up to ${p.largestDifference}`,
      );
      console.log(`failed ${name}: ${[row.error, ...pictures].filter((part) => part !== null).join('; ')}`);
    }
    if (row.reason) console.log(`  the recording cannot give this picture: ${row.reason}`);
    for (const notice of row.notices) console.log(`  ${name}: ${notice}`);
  }
  progress.stop();
  const passed = rows.filter(({ status }) => status === 'passed').length;
  console.log(`${passed} of ${rows.length} cases right`);
  if (options.json) writeJson(options.json, { summary: { passed, failed: rows.length - passed, skipped: 0 }, rows });
  return passed === rows.length ? 0 : 1;
}

/** Exit code of the command. */
export async function etnaviv(action: string, target: string | undefined, options: EtnavivOptions): Promise<number> {
  if (action === 'replay') return replay(target, options);
  if (action === 'diff') return (await import('./etnaviv-diff.ts')).diff(target, options);
  throw new UsageError(`etnaviv ${action}: known are replay and diff`);
}
