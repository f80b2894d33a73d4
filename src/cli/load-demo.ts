// Loads demo modules, from JavaScript or (where the runtime can) TypeScript, and renders their frames.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DemoModule } from '../demo.ts';
import { createContext, type DebugMessage } from '../index.ts';
import type { Backend } from '../pipe/pipe.ts';
import { UsageError } from './usage-error.ts';

/** Frames a second of recorded time. */
const FRAME_RATE = 60;

function isDemoModule(value: unknown): value is DemoModule {
  return typeof value === 'object' && value !== null && typeof (value as DemoModule).setup === 'function';
}

/** The demo that `path` default-exports. */
export async function loadDemo(path: string): Promise<DemoModule> {
  const file = resolve(path);
  const entry = statSync(file, { throwIfNoEntry: false });
  if (!entry?.isFile()) throw new UsageError(entry ? `${path}: not a file` : `${path}: no such file`);
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(file)) {
      throw new UsageError(
        `${path}: this Node cannot load TypeScript; build it, or start node with a loader (NODE_OPTIONS='--import tsx')`,
      );
    }
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION' || code?.startsWith('ERR_IMPORT_')) throw notADemo(path);
    throw error;
  }
  const demo = module.default;
  if (!isDemoModule(demo)) throw notADemo(path);
  const { api = 'webgl2' } = demo;
  if (api !== 'webgl' && api !== 'webgl2')
    throw new UsageError(`${path}: its api is '${String(api)}'; it must be 'webgl' or 'webgl2'`);
  return demo;
}

function notADemo(path: string): UsageError {
  return new UsageError(
    `${path}: not a demo module; it must default-export { setup({ gl, width, height }) → { frame() } }`,
  );
}

export interface RenderOptions {
  readonly backend: Backend;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly args?: readonly string[];
  /** Called after each frame with a function that encodes it. */
  readonly onFrame: (index: number, toPng: () => Buffer) => void;
}

/** Sets a demo up, renders its frames one after another, and gives everything back. */
export async function renderDemo(demo: DemoModule, options: RenderOptions): Promise<void> {
  const { backend, width, height, frames, args = [], onFrame } = options;
  let complaint = '';
  const debug = ({ code, name, message }: DebugMessage): void => {
    if (code !== 0) complaint ||= `${name}: ${message}`;
  };
  using gl = createContext(width, height, { api: demo.api ?? 'webgl2', backend, debug });
  const { canvas } = gl;
  const instance = await demo.setup({ gl: gl as WebGL2RenderingContext, canvas, width, height, args });
  if (typeof instance?.frame !== 'function') throw new Error('setup() of the demo gave no { frame() }');
  try {
    for (let index = 0; index < frames; index++) {
      instance.frame(index / FRAME_RATE, index);
      onFrame(index, () => canvas.toBuffer('image/png'));
      canvas.present();
    }
    const error = gl.getError();
    if (error !== 0) throw new Error(`the demo left a GL error: ${complaint || `0x${error.toString(16)}`}`);
  } finally {
    instance.dispose?.();
  }
}
