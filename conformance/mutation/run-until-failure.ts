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
  const names = patterns.flatMap((pattern) => spread(selectNames(all, { include: [pattern] }), Number(most)));
  const runner = new CatalogueRunner(catalogue, await openBackend('soft'));
  let judged = 0;
  let skipped = 0;
  let failed: MutantReport['failed'] = null;
  for (const name of names) {
    const { status, message } = runner.run(name);
    if (status === 'skipped') skipped++;
    else judged++;
    if (status === 'failed') {
      failed = { name, message: message.split('\n')[0]! };
      break;
    }
  }
  runner.dispose();
  const report: MutantReport = { judged, skipped, failed };
  console.log(JSON.stringify(report));
}

await main(process.argv.slice(2));
