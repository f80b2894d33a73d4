// All test groups of our own. A new group is a row here.

import type { CaseDefinition } from '../case.ts';
import { blendCases } from './shared/blend.ts';

/** Group functions by the API versions that they serve. */
const GROUPS: readonly {
  readonly apis: readonly (2 | 3)[];
  readonly cases: (api: 2 | 3) => Iterable<CaseDefinition>;
}[] = [{ apis: [2, 3], cases: blendCases }];

export function* ownCases(): Generator<CaseDefinition> {
  for (const { apis, cases } of GROUPS) for (const api of apis) yield* cases(api);
}
