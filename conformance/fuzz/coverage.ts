// Which entry points a run of API cases has reached: how often, and how often without an error.

import type { FaceName } from './api-arguments.ts';
import { entryPoints } from './api-catalogue.ts';
import type { CallCounts } from './api-run.ts';

const FACES: readonly FaceName[] = ['webgl', 'webgl2', 'gles2', 'gles3'];

export class Coverage {
  readonly #counts: CallCounts = {};

  add(counts: CallCounts): void {
    for (const [name, [calls, good]] of Object.entries(counts)) {
      const sum = (this.#counts[name] ??= [0, 0]);
      sum[0] += calls;
      sum[1] += good;
    }
  }

  /** A line a face, and the names of what was not reached. */
  lines(): string[] {
    return FACES.flatMap((face) => {
      const names = entryPoints(face);
      const count = (name: string): [number, number] => this.#counts[`${face} ${name}`] ?? [0, 0];
      const missed = names.filter((name) => count(name)[0] === 0);
      const failing = names.filter((name) => count(name)[0] > 0 && count(name)[1] === 0);
      const calls = names.reduce((sum, name) => sum + count(name)[0], 0);
      return [
        `${face}: ${calls} calls of ${names.length - missed.length} of ${names.length} entry points`,
        ...(missed.length > 0 ? [`  not called: ${missed.join(' ')}`] : []),
        ...(failing.length > 0 ? [`  only with errors: ${failing.join(' ')}`] : []),
      ];
    });
  }
}
