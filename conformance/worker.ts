// A worker process of the runner: gets case names over IPC, answers with one result each.

import { openBackend } from '../src/open-backend.ts';
import { loadShaderCases, type ShaderCase } from './deqp-data/cases.ts';
import { ShaderCaseRunner } from './deqp-data/runner.ts';
import type { CaseResult } from './result.ts';

export type WorkerRequest =
  | { readonly kind: 'start'; readonly folder: string; readonly backend: string | undefined }
  | { readonly kind: 'run'; readonly name: string };

export type WorkerReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: CaseResult }
  | { readonly kind: 'refused'; readonly message: string };

function reply(message: WorkerReply): void {
  process.send?.(message);
}

const cases = new Map<string, ShaderCase>();
let runner: ShaderCaseRunner | null = null;

process.on('message', async (request: WorkerRequest) => {
  try {
    if (request.kind === 'start') {
      for (const shaderCase of loadShaderCases(request.folder)) cases.set(shaderCase.name, shaderCase);
      runner = new ShaderCaseRunner(await openBackend(request.backend));
      reply({ kind: 'ready' });
    } else reply({ kind: 'result', result: runner!.run(cases.get(request.name)!) });
  } catch (error) {
    reply({ kind: 'refused', message: (error as Error).message });
  }
});
process.on('disconnect', () => process.exit(0));
