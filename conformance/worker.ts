// A worker process of the runner: gets case names over IPC, answers with one result each.

import { openBackend } from '../src/open-backend.ts';
import { Catalogue, type CatalogueOptions, CatalogueRunner } from './catalogue.ts';
import type { CaseResult } from './result.ts';

export type WorkerRequest =
  | {
      readonly kind: 'start';
      readonly catalogue: CatalogueOptions;
      readonly backend: string | undefined;
      readonly wantsPictures: boolean;
    }
  | { readonly kind: 'run'; readonly name: string };

export type WorkerReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: CaseResult }
  | { readonly kind: 'refused'; readonly message: string };

function reply(message: WorkerReply): void {
  process.send?.(message);
}

let runner: CatalogueRunner | null = null;
let wantsPictures = false;

process.on('message', async (request: WorkerRequest) => {
  try {
    if (request.kind === 'start') {
      runner = new CatalogueRunner(new Catalogue(request.catalogue), await openBackend(request.backend));
      wantsPictures = request.wantsPictures;
      reply({ kind: 'ready' });
    } else {
      const { pictures, ...result } = runner!.run(request.name);
      reply({ kind: 'result', result: pictures && wantsPictures ? { ...result, pictures } : result });
    }
  } catch (error) {
    reply({ kind: 'refused', message: (error as Error).message });
  }
});
process.on('disconnect', () => process.exit(0));
