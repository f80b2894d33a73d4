// `indium hwdb import`: reads headers of a vendor's feature database and prints what they say about cores, merged with our table.

import { findCore } from '../../../backends/etnaviv/hwdb/core-info.ts';
import {
  importHeader,
  type MergedImport,
  mergeFeatureWords,
  mergeImports,
} from '../../../backends/etnaviv/hwdb/import-header.ts';
import { readText, writeJson } from '../files.ts';
import { UsageError } from '../usage-error.ts';

const hex = (value: number) => `0x${value.toString(16)}`;

/** What all files say; null: one of them is no such header, which was said. */
function importFiles(files: readonly string[]): MergedImport | null {
  const imports: ReturnType<typeof importHeader>[] = [];
  for (const file of files) {
    try {
      imports.push(importHeader(readText(file)));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      console.error(`indium hwdb import: ${file}: ${(error as Error).message}`);
      return null;
    }
  }
  return mergeImports(imports);
}

/** Exit code of the command. */
export async function hwdb(action: string, files: readonly string[], options: { json?: string }): Promise<number> {
  if (action !== 'import') throw new UsageError(`hwdb ${action}: known is import`);
  if (files.length === 0) throw new UsageError('hwdb import needs a header file');
  const imported = importFiles(files);
  if (imported === null) return 1;
  const rows = imported.cores.map((core) => {
    const { model, revision, productId, customerId, ecoId } = core;
    const known = findCore({ model, revision, productId, customerId, ecoId });
    const featureWords = mergeFeatureWords(core, known);
    return {
      name: known?.name ?? core.name,
      isNew: known === undefined,
      model,
      revision,
      productId,
      customerId,
      ecoId,
      featureWords,
      limits: { ...known?.limits, ...core.limits },
    };
  });
  for (const row of rows) {
    const ids = [row.model, row.revision, row.productId, row.customerId, row.ecoId].map(hex).join(' ');
    console.log(`${row.isNew ? 'new  ' : 'known'} ${row.name}: ${ids}: ${row.featureWords.map(hex).join(' ')}`);
    const limits = Object.entries(row.limits).map(([name, value]) => `${name} ${value}`);
    if (limits.length > 0) console.log(`      ${limits.join(', ')}`);
  }
  for (const line of imported.disagreements) console.log(`headers disagree: ${line}`);
  if (imported.unknownMembers.length > 0) {
    console.log(`members without a feature of ours: ${imported.unknownMembers.join(' ')}`);
  }
  if (options.json) {
    const summary = { passed: rows.length, failed: 0, skipped: 0 };
    writeJson(options.json, { summary, rows, unknownMembers: imported.unknownMembers });
  }
  return 0;
}
