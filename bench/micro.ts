// The micro scenes of a folder of performance scenes (`scenes.mjs` there), on any source of contexts.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Api, ContextSource } from './contexts.ts';
import type { Gl } from './scene.ts';

export interface MicroResult {
  readonly scene: string;
  readonly w: number;
  readonly h: number;
  readonly ms?: number;
  /** The slowest of the frames that `ms` is the median of. */
  readonly worstMs?: number;
  readonly frames?: number;
  readonly firstMs?: number;
  readonly fps?: number;
  /** Means over 8×8 cells as hexadecimal digits. */
  readonly image?: string;
  readonly err?: number;
  readonly error?: string;
}

export interface MicroScene {
  readonly name: string;
  readonly webgl: 1 | 2;
  readonly sizes?: 'first';
  setup(gl: Gl, width: number, height: number): { frame(index: number): void };
}

interface MicroModule {
  readonly SCENES: readonly MicroScene[];
  runScene(gl: Gl, name: string, width: number, height: number, options: object): MicroResult;
  sceneSizes(scene: MicroScene, sizes: readonly [number, number][]): readonly [number, number][];
}

export interface MicroOptions {
  readonly folder: string;
  /** Names; all when there are none. */
  readonly scenes: readonly string[];
  readonly sizes: readonly [number, number][];
  readonly ms: number;
  readonly warmMs: number;
  readonly onProgress?: (done: number, total: number, label: string) => void;
}

/** The folder of the scenes: the one given, or `perf` in the test data. */
export function perfFolder(given: string | undefined): string {
  return given ?? join(process.env['INDIUM_TEST_DATA'] ?? '../shared', 'perf');
}

export async function loadMicroScenes(folder: string): Promise<MicroModule> {
  const path = join(resolve(folder), 'scenes.mjs');
  if (!existsSync(path)) throw new Error(`${path}: no such file; --perf-data or INDIUM_TEST_DATA names its folder`);
  return (await import(pathToFileURL(path).href)) as MicroModule;
}

/** Sets a scene up on a context of its own, as `runScene` of its folder does; what it gives draws one frame. */
export function setUpMicro(scene: MicroScene, gl: Gl, width: number, height: number): (frame: number) => void {
  gl.pixelStorei(gl.PACK_ALIGNMENT, 1);
  gl.viewport(0, 0, width, height);
  const run = scene.setup(gl, width, height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return (frame) => run.frame(frame);
}

/** Notes when frames end, which is at a `readPixels` of one pixel. The result gives the longest of the last so many. */
function watchFrames(gl: Gl): (frames: number) => number {
  const ends: number[] = [];
  const { readPixels } = gl;
  gl.readPixels = (...parameters: unknown[]) => {
    Reflect.apply(readPixels, gl, parameters);
    if (parameters[2] === 1 && parameters[3] === 1) ends.push(performance.now());
  };
  return (frames) => {
    let worst = 0;
    for (let at = Math.max(1, ends.length - frames); at < ends.length; at++) {
      worst = Math.max(worst, ends[at]! - ends[at - 1]!);
    }
    return worst;
  };
}

export async function runMicro(open: (api: Api) => ContextSource, options: MicroOptions): Promise<MicroResult[]> {
  const module = await loadMicroScenes(options.folder);
  const unknown = options.scenes.filter((name) => !module.SCENES.some((scene) => scene.name === name));
  if (unknown.length > 0) {
    const known = module.SCENES.map(({ name }) => name).join(', ');
    throw new Error(`no micro scene '${unknown.join("', '")}'; there are: ${known}`);
  }
  const wanted = module.SCENES.filter(({ name }) => options.scenes.length === 0 || options.scenes.includes(name));
  const runs = wanted.flatMap((scene) => module.sceneSizes(scene, options.sizes).map(([w, h]) => ({ scene, w, h })));
  const results: MicroResult[] = [];
  for (const { scene, w, h } of runs) {
    options.onProgress?.(results.length, runs.length, `${scene.name} ${w}x${h}`);
    const { gl, close } = await open(scene.webgl === 2 ? 'webgl2' : 'webgl').open(w, h);
    try {
      const worstOf = watchFrames(gl);
      const result = module.runScene(gl, scene.name, w, h, { ms: options.ms, warmMs: options.warmMs, syncEvery: 1 });
      results.push({ ...result, worstMs: worstOf(result.frames ?? 0) });
    } catch (error) {
      results.push({ scene: scene.name, w, h, error: (error as Error).message });
    }
    await close();
  }
  return results;
}
