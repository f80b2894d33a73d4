// `indium hwdb import`: reads a vendor's feature database header and prints what it says about cores, merged with our table.

import { findCore } from '../../../backends/etnaviv/hwdb/core-info.ts';
import { importHeader, mergeFeatureWords } from '../../../backends/etnaviv/hwdb/import-header.ts';
import { readText, writeJson } from '../files.ts';
import { UsageError } from '../usage-error.ts';

const hex = (value: number) => `0x${value.toString(16)}`;

/** Exit code of the command. */
export async function hwdb(action: string, file: string | undefined, options: { json?: string }): Promise<number> {
  if (action !== 'import') throw new UsageError(`hwdb ${action}: known is import`);
  if (!file) throw new UsageError('hwdb import needs a header file');
  let imported: ReturnType<typeof importHeader>;
  try {
    imported = importHeader(readText(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    console.error(`indium hwdb import: ${file}: ${(error as Error).message}`);
    return 1;
  }
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
    };
  });
  for (const row of rows) {
    const ids = [row.model, row.revision, row.productId, row.customerId, row.ecoId].map(hex).join(' ');
    console.log(`${row.isNew ? 'new  ' : 'known'} ${row.name}: ${ids}: ${row.featureWords.map(hex).join(' ')}`);
  }
  if (imported.unknownMembers.length > 0) {
    console.log(`members without a feature of ours: ${imported.unknownMembers.join(' ')}`);
  }
  if (options.json) {
    const summary = { passed: rows.length, failed: 0, skipped: 0 };
    writeJson(options.json, { summary, rows, unknownMembers: imported.unknownMembers });
  }
  return 0;
}
