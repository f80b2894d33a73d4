// Chooses cases: patterns, lists of names (plain or gzip), the n-th part of a run over several machines.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { nameMatcher } from '../deqp-data/cases.ts';

export interface Selection {
  /** Globs, any of which may match; none given: all cases. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Only these names. */
  readonly names?: ReadonlySet<string>;
  /** The index-th of count parts, index from 1. */
  readonly fraction?: Fraction;
}

export interface Fraction {
  readonly index: number;
  readonly count: number;
}

/** `2/8`: the second of eight parts. Throws when it is none. */
export function parseFraction(text: string): Fraction {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index < 1 || index > count) throw new Error(`'${text}' is no fraction: give i/n with i from 1 to n`);
  return { index, count };
}

/** The names of a case list: one a line, `#` starts a comment. Files that end in .gz are unpacked. */
export function readCaseList(path: string): string[] {
  let text = '';
  try {
    const bytes = readFileSync(path);
    text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    throw new Error(`cannot read ${path}: ${(error as Error).message}`);
  }
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}

/**
 * The selected names in their order. Neighbours go to different parts of a fraction, since neighbours cost
 * about the same.
 */
export function selectNames(names: readonly string[], selection: Selection): string[] {
  const include = (selection.include ?? []).map(nameMatcher);
  const exclude = (selection.exclude ?? []).map(nameMatcher);
  const selected = names.filter(
    (name) =>
      (selection.names === undefined || selection.names.has(name)) &&
      (include.length === 0 || include.some((matches) => matches(name))) &&
      !exclude.some((matches) => matches(name)),
  );
  const { fraction } = selection;
  return fraction ? selected.filter((_, at) => at % fraction.count === fraction.index - 1) : selected;
}
