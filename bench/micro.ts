// The micro scenes of a folder of performance scenes (`scenes.mjs` and `three-scenes.mjs` there), on any source of contexts.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
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
  /** Of all bytes of frame 0. */
  readonly hash?: string | number;
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

type SceneName = Pick<MicroScene, 'name' | 'webgl'>;

interface ThreeModule {
  readonly SCENES: readonly SceneName[];
  runScene(gl: Gl, name: string, width: number, height: number, options: object): MicroResult;
}

/** A scene and how it is run. */
interface MicroCase {
  readonly scene: SceneName;
  readonly sizes: readonly [number, number][];
  run(gl: Gl, width: number, height: number): MicroResult;
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

async function loadModule<Module>(folder: string, file: string): Promise<Module> {
  const path = join(resolve(folder), file);
  if (!existsSync(path)) throw new Error(`${path}: no such file; --perf-data or INDIUM_TEST_DATA names its folder`);
  return (await import(pathToFileURL(path).href)) as Module;
}

export const loadMicroScenes = (folder: string) => loadModule<MicroModule>(folder, 'scenes.mjs');

/** Scenes of three.js have this in front of their names. */
const THREE_PREFIX = 'three-';

/** Of names of scenes those of three.js, and the others. */
export function partScenes(names: readonly string[]): { readonly micro: string[]; readonly three: string[] } {
  const isOfThree = (name: string) => name.startsWith(THREE_PREFIX);
  return { micro: names.filter((name) => !isOfThree(name)), three: names.filter(isOfThree) };
}

/** The file of three.js that is installed where the command runs, or null. */
export function findThree(): string | null {
  try {
    const main = createRequire(join(process.cwd(), 'from-here.js')).resolve('three');
    const path = join(dirname(main), 'three.module.js');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

export const THREE_IS_MISSING = 'the package three is not installed here (npm install three)';

/** three.js takes these from a page. */
function standInForPage(): void {
  const globals = globalThis as { self?: unknown; requestAnimationFrame?: unknown; cancelAnimationFrame?: unknown };
  globals.self ??= globalThis;
  globals.requestAnimationFrame ??= (callback: () => void) => setTimeout(callback, 0);
  globals.cancelAnimationFrame ??= clearTimeout;
}

/** The names of all scenes, in the order in which they run; those of three.js where it is installed. */
export async function listMicroScenes(folder: string): Promise<string[]> {
  const modules: { readonly SCENES: readonly SceneName[] }[] = [await loadMicroScenes(folder)];
  if (findThree()) modules.push(await loadModule<ThreeModule>(folder, 'three-scenes.mjs'));
  return modules.flatMap(({ SCENES }) => SCENES.map(({ name }) => name));
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

async function microCases({ folder, sizes, ms, warmMs }: MicroOptions): Promise<MicroCase[]> {
  const module = await loadMicroScenes(folder);
  const cases = module.SCENES.map(
    (scene): MicroCase => ({
      scene,
      sizes: module.sceneSizes(scene, sizes),
      run: (gl, width, height) => module.runScene(gl, scene.name, width, height, { ms, warmMs, syncEvery: 1 }),
    }),
  );
  const path = findThree();
  if (!path) return cases;
  standInForPage();
  const THREE: unknown = await import(pathToFileURL(path).href);
  const three = await loadModule<ThreeModule>(folder, 'three-scenes.mjs');
  const ofThree = three.SCENES.map(
    (scene): MicroCase => ({
      scene,
      sizes,
      run: (gl, width, height) => three.runScene(gl, scene.name, width, height, { ms, warmMs, THREE }),
    }),
  );
  return [...cases, ...ofThree];
}

export async function runMicro(open: (api: Api) => ContextSource, options: MicroOptions): Promise<MicroResult[]> {
  const cases = await microCases(options);
  const unknown = options.scenes.filter((name) => !cases.some(({ scene }) => scene.name === name));
  if (unknown.length > 0) {
    const known = cases.map(({ scene }) => scene.name).join(', ');
    const hint = partScenes(unknown).three.length > 0 && !findThree() ? `; ${THREE_IS_MISSING}` : '';
    throw new Error(`no micro scene '${unknown.join("', '")}'; there are: ${known}${hint}`);
  }
  const runs = cases
    .filter(({ scene }) => options.scenes.length === 0 || options.scenes.includes(scene.name))
    .flatMap((item) => item.sizes.map(([w, h]) => ({ ...item, w, h })));
  const results: MicroResult[] = [];
  for (const { scene, run, w, h } of runs) {
    options.onProgress?.(results.length, runs.length, `${scene.name} ${w}x${h}`);
    try {
      const { gl, close } = await open(scene.webgl === 2 ? 'webgl2' : 'webgl').open(w, h);
      try {
        const worstOf = watchFrames(gl);
        const result = run(gl, w, h);
        results.push({ ...result, worstMs: worstOf(result.frames ?? 0) });
      } finally {
        await close();
      }
    } catch (error) {
      results.push({ scene: scene.name, w, h, error: (error as Error).message });
    }
  }
  return results;
}
