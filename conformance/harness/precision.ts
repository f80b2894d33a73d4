// Which pairs of precision and stage are run, and the errors that a precision may leave.

import type { Precision, Stage } from '../reference/glsl-types.ts';

/** All of highp, one stage of the others (they are the same code here). */
export function isRun(precision: Precision | '', stage: Stage): boolean {
  return precision === 'highp' || precision === '' || (precision === 'mediump') === (stage === 'fragment');
}

/** An error that computing in a precision may leave, for values of a magnitude. */
export function errorOf(precision: Precision, magnitude: number): number {
  return magnitude * { highp: 2 ** -20, mediump: 2 ** -8, lowp: 2 ** -6 }[precision];
}
