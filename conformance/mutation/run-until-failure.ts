// The child of a mutation run: runs cases of this tree until one fails, and prints what happened as JSON.
//
//   run-until-failure.ts MOST PATTERN…

import { openBackend } from '../../src/open-backend.ts';
import { Catalogue, CatalogueRunner } from '../catalogue.ts';
import { selectNames } from '../runner/selection.ts';

/** What the child tells. */
export interface MutantReport {
  /** Cases that gave a verdict. */
  readonly judged: number;
  readonly skipped: number;
  /** Patterns none of whose cases gave a verdict, among those that were reached. */
  readonly unmatched: readonly string[];
  readonly failed: { readonly name: string; readonly message: string } | null;
}

/** At most `most` names, spread evenly over the list. */
function spread(names: readonly string[], most: number): string[] {
  const count = Math.min(most, names.length);
  return Array.from({ length: count }, (_, at) => names[Math.floor((at * names.length) / count)]!);
}

async function main([most, ...patterns]: readonly string[]): Promise<void> {
  const catalogue = new Catalogue({ own: true });
  const all = catalogue.names();
  const runner = new CatalogueRunner(catalogue, await openBackend('soft'));
  let judged = 0;
  let skipped = 0;
  let failed: MutantReport['failed'] = null;
  const unmatched: string[] = [];
  for (const pattern of patterns) {
    const before = judged;
    for (const name of spread(selectNames(all, { include: [pattern] }), Number(most))) {
      const { status, message } = runner.run(name);
      if (status === 'skipped') skipped++;
      else judged++;
      if (status === 'failed') {
        failed = { name, message: message.split('\n')[0]! };
        break;
      }
    }
    if (failed) break;
    if (judged === before) unmatched.push(pattern);
  }
  runner.dispose();
  const report: MutantReport = { judged, skipped, unmatched, failed };
  console.log(JSON.stringify(report));
}

await main(process.argv.slice(2));
