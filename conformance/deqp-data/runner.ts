// Runs shader cases one after another, each on a context of its API version; contexts are reused until one is lost.

import { createGlesContext, type Gles } from '../../src/gles/index.ts';
import type { Backend } from '../../src/pipe/pipe.ts';
import type { CaseResult } from '../result.ts';
import type { ShaderCase } from './cases.ts';
import { CASE_SURFACE_SIZE, runShaderCase } from './run-case.ts';

/** Cases after which a context is replaced, so that one case's leftovers cannot reach far. */
const CASES_PER_CONTEXT = 500;

export class ShaderCaseRunner {
  readonly #backend: Backend;
  readonly #contexts = new Map<number, { gl: Gles; cases: number }>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  run(shaderCase: ShaderCase): CaseResult {
    const { api, name } = shaderCase;
    let entry = this.#contexts.get(api);
    if (!entry) {
      try {
        const gl = createGlesContext({
          width: CASE_SURFACE_SIZE,
          height: CASE_SURFACE_SIZE,
          api,
          backend: this.#backend,
        });
        entry = { gl, cases: 0 };
        this.#contexts.set(api, entry);
      } catch (error) {
        return { name, status: 'skipped', message: `no GLES ${api} context: ${(error as Error).message}` };
      }
    }
    const result = runShaderCase(entry.gl, shaderCase);
    if (++entry.cases >= CASES_PER_CONTEXT) {
      entry.gl.dispose();
      this.#contexts.delete(api);
    }
    return result;
  }

  dispose(): void {
    for (const { gl } of this.#contexts.values()) gl.dispose();
    this.#contexts.clear();
  }
}
