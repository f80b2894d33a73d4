// What a peer is: another implementation that runs the same entries, if it is installed.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { MicroResult } from '../micro.ts';
import { parseHexGrid } from '../picture.ts';

export interface PeerResult {
  /** The entry's title, or the micro scene and its size. */
  readonly title: string;
  readonly fps: number;
  /** Means over 8×8 cells, when the peer can hand out its picture. */
  readonly grid?: readonly number[];
  readonly message?: string;
}

export interface PeerRequest {
  /** Entries as they go on a command line, with the duration of each in them. */
  readonly entries: readonly string[];
  readonly titles: readonly string[];
  readonly width: number;
  readonly height: number;
  /** A folder of glmark2's data, or null for our own. */
  readonly glmarkData: string | null;
  readonly frameEnd: string;
}

export interface MicroRequest {
  readonly folder: string;
  /** Names of what is to be run: all of them, never none for all. */
  readonly scenes: readonly string[];
  readonly sizes: string;
  readonly ms: number;
  readonly warmMs: number;
}

export interface Peer {
  readonly name: string;
  /** Null when the peer can run; else what is missing. */
  findMissing(mode: 'list' | 'micro'): string | null;
  runList(request: PeerRequest): Promise<PeerResult[]>;
  runMicro(request: MicroRequest): Promise<PeerResult[]>;
}

/** The path of a program, or null. */
export function findProgram(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && existsSync(path)) return path;
  }
  return null;
}

/** Mesa's software renderer, without its cache on disk: every run compiles, as ours does. */
const MESA_ENVIRONMENT = { LIBGL_ALWAYS_SOFTWARE: '1', MESA_SHADER_CACHE_DISABLE: 'true', vblank_mode: '0' };

export interface RunOutcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program to its end; one that draws on a display gets a virtual one where there is none. */
export function runProgram(
  command: readonly string[],
  options: { readonly needsDisplay?: boolean; readonly env?: Record<string, string> } = {},
): Promise<RunOutcome> {
  const isVirtual = options.needsDisplay && !process.env['DISPLAY'];
  const words = isVirtual ? ['xvfb-run', '-a', '-s', '-screen 0 1280x1024x24', ...command] : [...command];
  return new Promise((resolve, reject) => {
    const child = spawn(words[0]!, words.slice(1), { env: { ...process.env, ...MESA_ENVIRONMENT, ...options.env } });
    const [output, errors]: Buffer[][] = [[], []];
    child.stdout.on('data', (part: Buffer) => output!.push(part));
    child.stderr.on('data', (part: Buffer) => errors!.push(part));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, output: Buffer.concat(output!).toString(), errors: Buffer.concat(errors!).toString() }),
    );
  });
}

/** What is missing to give a program a display. */
export function missingDisplay(): string | null {
  return process.env['DISPLAY'] || findProgram('xvfb-run') ? null : 'no display and no xvfb-run';
}

export const microTitle = ({ scene, w, h }: Pick<MicroResult, 'scene' | 'w' | 'h'>) => `${scene} ${w}x${h}`;

export function toPeerResult(result: MicroResult): PeerResult {
  return {
    title: microTitle(result),
    fps: result.fps ?? 0,
    ...(result.image && { grid: parseHexGrid(result.image) }),
    ...(result.error && { message: result.error }),
  };
}

export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ');
}
