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
  readonly firstMs?: number;
  readonly fps?: number;
  /** Means over 8×8 cells as hexadecimal digits. */
  readonly image?: string;
  readonly err?: number;
  readonly error?: string;
}

interface MicroScene {
  readonly name: string;
  readonly webgl: 1 | 2;
  readonly sizes?: 'first';
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

export async function loadMicroScenes(folder: string): Promise<MicroModule> {
  const path = join(resolve(folder), 'scenes.mjs');
  if (!existsSync(path)) throw new Error(`${path}: no such file; --perf-data or INDIUM_TEST_DATA names its folder`);
  return (await import(pathToFileURL(path).href)) as MicroModule;
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
      results.push(module.runScene(gl, scene.name, w, h, { ms: options.ms, warmMs: options.warmMs, syncEvery: 1 }));
    } catch (error) {
      results.push({ scene: scene.name, w, h, error: (error as Error).message });
    }
    await close();
  }
  return results;
}
