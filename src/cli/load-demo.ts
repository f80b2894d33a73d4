// Loads demo modules, from JavaScript or (where the runtime can) TypeScript, and renders their frames.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DemoModule } from '../demo.ts';
import { createCanvas } from '../index.ts';
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
  if (!existsSync(file)) throw new UsageError(`${path}: no such file`);
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw new UsageError(
        `${path}: this Node cannot load TypeScript; build it, or start node with a loader (npx tsx)`,
      );
    }
    throw error;
  }
  if (!isDemoModule(module.default)) {
    throw new UsageError(
      `${path}: not a demo module; it must default-export { setup({ gl, width, height }) → { frame() } }`,
    );
  }
  return module.default;
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
  const canvas = createCanvas(width, height, { backend });
  const gl = canvas.getContext(demo.api ?? 'webgl2') as WebGL2RenderingContext;
  const instance = await demo.setup({ gl, canvas, width, height, args });
  try {
    for (let index = 0; index < frames; index++) {
      instance.frame(index / FRAME_RATE, index);
      onFrame(index, () => canvas.toBuffer('image/png'));
      canvas.present();
    }
    const error = gl.getError();
    if (error !== 0) throw new Error(`the demo left GL error 0x${error.toString(16)}`);
  } finally {
    instance.dispose?.();
    canvas.dispose();
  }
}
