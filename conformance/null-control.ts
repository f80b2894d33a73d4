// Negative control: on the backend that draws nothing, no case that compares what was drawn may pass.

import { nullBackend } from '../backends/null/screen.ts';
import { Catalogue, CatalogueRunner } from './catalogue.ts';

/** Cases that may pass there, each with the reason. */
export const PASS_WITH_NOTHING_DRAWN: Readonly<Record<string, string>> = {};

export interface ControlReport {
  readonly run: number;
  /** Cases that compare pictures and passed with nothing drawn. */
  readonly wrong: readonly string[];
}

/** Runs the index-th of `count` parts of our own cases. */
export function runNullControl(index: number, count: number): ControlReport {
  const catalogue = new Catalogue({ own: true });
  const runner = new CatalogueRunner(catalogue, nullBackend);
  const names = catalogue.names().filter((_, at) => at % count === index);
  const wrong = names.filter((name) => {
    const { status, pictureComparisons = 0 } = runner.run(name);
    return status === 'passed' && pictureComparisons > 0 && !Object.hasOwn(PASS_WITH_NOTHING_DRAWN, name);
  });
  runner.dispose();
  return { run: names.length, wrong };
}
