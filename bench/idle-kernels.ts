// Geometry kernels and vertex shaders that can be told to do nothing: what a draw then costs is its JavaScript, all of it and no more.
// Each works for real first, so that what it left in memory leads the JavaScript the same way as before.

import { VERTEX_ENTRY } from '../src/raster/layout.ts';

const GEOMETRY_ENTRIES = ['assemble', 'transform', 'setup', VERTEX_ENTRY];

type Work = (a: number, b: number, c: number, d: number, e: number) => number;

/** Wraps what modules export from now on; the result switches them off. Tiles are left alone: without geometry there are none. */
export function installIdleKernels(): { isIdle: boolean } {
  const kernels = { isIdle: false };
  const { Instance } = WebAssembly;
  class IdleInstance {
    readonly exports: WebAssembly.Exports;

    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      this.exports = { ...new Instance(module, imports).exports };
      for (const name of GEOMETRY_ENTRIES) {
        const work = this.exports[name] as Work | undefined;
        if (work) this.exports[name] = ((a, b, c, d, e) => (kernels.isIdle ? 0 : work(a, b, c, d, e))) satisfies Work;
      }
    }
  }
  WebAssembly.Instance = IdleInstance;
  return kernels;
}
