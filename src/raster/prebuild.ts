// Which kernels the build makes in advance: those of ordinary triangles. To make them takes cold code a tenth of the time of a first
// frame; all others are made when they are first needed. Runs in the build only.

import type { ModuleBuilder } from '../wasm/module-builder.ts';
import type { DepthStencilKey } from './depth-stencil.ts';
import { RasterEngine } from './engine.ts';
import { type KernelExports, KernelLibrary, kernelBytes, moduleKey } from './kernel.ts';
import { RasterMemory } from './memory.ts';
import { buildRectangles } from './rectangles.ts';
import { averageBytes } from './resolve.ts';
import { buildTileClear } from './tile-clear.ts';

/** Keeps the bytes of what an engine asks for. */
class Recorder extends KernelLibrary {
  readonly kernels = new Map<string, Uint8Array>();

  override get(key: string, build: (module: ModuleBuilder) => void): KernelExports {
    this.kernels.set(moduleKey(key, true), kernelBytes(true, build));
    return {};
  }
}

const SAMPLES = [1, 4] as const;
/** Varying slots, whose number decides how much of a vertex is copied. */
const SLOTS = [0, 1, 2, 3, 4];

function depthTest(func: 'less' | 'lessEqual'): DepthStencilKey {
  return { depth: { format: 'unorm24', func, write: true, clamp: false } };
}

/** Key → bytes, for memories that threads can share. */
export function prebuildKernels(): ReadonlyMap<string, Uint8Array> {
  const memory = new RasterMemory();
  const recorder = new Recorder(memory);
  const engine = new RasterEngine(memory, recorder);
  const state = { restart: false, provokingFirst: false, depthClamp: false, clipHalfZ: false, flatMask: 0 };
  for (const slots of SLOTS) engine.geometryKernels({ ...state, topology: 'triangles', indexBytes: 0, slots });
  engine.geometryKernels({ ...state, topology: 'triangleStrip', indexBytes: 0, slots: 0 });
  for (const indexBytes of [2, 4] as const)
    for (const restart of [false, true])
      engine.geometryKernels({ ...state, topology: 'triangles', indexBytes, restart, slots: 0 });
  for (const samples of SAMPLES)
    for (const early of [{}, depthTest('less'), depthTest('lessEqual')])
      engine.coverage({ samples, early, counts: false });
  engine.tileTransfer(4);
  engine.depthTransfer('z24x8', 'depth');
  engine.resolve('bytes', 4, averageBytes);
  recorder.get('rectangles', buildRectangles);
  recorder.get('tile-clear', buildTileClear);
  return recorder.kernels;
}
