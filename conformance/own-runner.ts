// Runs cases of our own: each on a fresh context, so that no state leaks from one into the next.

import { createGlesContext, type Gles } from '../src/gles/index.ts';
import type { Backend, Screen } from '../src/pipe/pipe.ts';
import { CaseContext, type CaseDefinition, CaseFailure, CaseSkipped, DEFAULT_SURFACE } from './case.ts';
import type { CaseResult } from './result.ts';

/** Cases after which the screen is replaced, so that caches of dead programs cannot pile up. */
const CASES_PER_SCREEN = 400;

export class OwnCaseRunner {
  readonly #backend: Backend;
  #screen: Screen | null = null;
  #cases = 0;
  #isLost = false;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  run(definition: CaseDefinition): CaseResult {
    const { name, api } = definition;
    let gl: Gles | undefined;
    try {
      this.#screen ??= this.#createScreen();
      gl = createGlesContext({ ...(definition.surface ?? DEFAULT_SURFACE), api, screen: this.#screen });
    } catch (error) {
      this.dispose();
      return { name, status: 'skipped', message: `no GLES ${api} context: ${(error as Error).message}` };
    }
    const start = performance.now();
    const verdict = judge(gl, definition);
    try {
      gl.dispose();
    } catch (error) {
      this.#screen = null;
      if (verdict.status === 'passed')
        return { name, status: 'failed', message: `dispose: ${(error as Error).stack ?? error}` };
    }
    // A case that loses the GPU must not fail those behind it.
    if (this.#isLost || ++this.#cases >= CASES_PER_SCREEN) this.dispose();
    return { ...verdict, milliseconds: Math.round((performance.now() - start) * 10) / 10 };
  }

  #createScreen(): Screen {
    const screen = this.#backend.createScreen({});
    this.#isLost = false;
    screen.onLost(() => {
      this.#isLost = true;
    });
    return screen;
  }

  dispose(): void {
    this.#screen?.destroy();
    this.#screen = null;
    this.#cases = 0;
  }
}

function judge(gl: Gles, definition: CaseDefinition): CaseResult {
  const { name } = definition;
  try {
    const t = new CaseContext(gl, definition);
    definition.run(t);
    if (t.comparisons === 0) return { name, status: 'failed', message: 'the case compared nothing' };
    const error = gl.glGetError();
    if (error !== 0) return { name, status: 'failed', message: `GL error 0x${error.toString(16)} at the end` };
    const { pictureComparisons } = t;
    return { name, status: 'passed', message: '', ...(pictureComparisons > 0 ? { pictureComparisons } : {}) };
  } catch (error) {
    if (error instanceof CaseSkipped) return { name, status: 'skipped', message: error.message };
    if (error instanceof CaseFailure) {
      const { message, pictures } = error;
      return { name, status: 'failed', message, ...(pictures ? { pictures } : {}) };
    }
    return { name, status: 'failed', message: `exception: ${(error as Error).stack ?? error}` };
  }
}
