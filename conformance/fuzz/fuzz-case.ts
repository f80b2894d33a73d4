// What the fuzzers have in common: a case comes from a kind and a seed, is plain data, and runs against a backend.

import type { Backend } from '../../src/pipe/pipe.ts';
import { type CallCounts, runApiCase } from './api-run.ts';
import { type ApiCase, makeApiCase } from './api-sequence.ts';
import { makeShaderCase, type ShaderCase } from './shader-case.ts';
import { runShaderCase } from './shader-run.ts';

export type FuzzCase = ApiCase | ShaderCase;
export type FuzzKind = FuzzCase['kind'];

export const FUZZ_KINDS: readonly FuzzKind[] = ['shader', 'api'];

export function makeCase(kind: FuzzKind, seed: number): FuzzCase {
  return kind === 'api' ? makeApiCase(seed) : makeShaderCase(seed);
}

/** Throws a Fault for what may not happen. `counts` gathers what an API case called. */
export function runCase(theCase: FuzzCase, backend: Backend, counts?: CallCounts): Promise<void> {
  return theCase.kind === 'api' ? runApiCase(theCase, backend, { counts }) : runShaderCase(theCase, backend);
}

/** Parts that a case can do without: the minimiser leaves out runs of them. */
export function partsOf(theCase: FuzzCase): readonly unknown[] {
  if (theCase.kind === 'api') return theCase.steps;
  return tokens(theCase.vertex).concat('\u0000', tokens(theCase.fragment));
}

export function withParts(theCase: FuzzCase, parts: readonly unknown[]): FuzzCase {
  if (theCase.kind === 'api') return { ...theCase, steps: parts as ApiCase['steps'] };
  const [vertex = '', fragment = ''] = (parts as string[]).join('').split('\u0000');
  return { ...theCase, vertex, fragment };
}

/** Words with the spaces after them. */
function tokens(text: string): string[] {
  return text.match(/\w+\s*|[^\w]\s*/g) ?? [];
}
