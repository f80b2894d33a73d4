// Rounds of Indium and its peers on the same scenes, and what they say: ratios formed within a round, their spread,
// and how far the pictures are apart.

import { gridDistance } from '../picture.ts';
import type { Column } from '../report/rows.ts';
import { significant } from '../report/rows.ts';
import type { PeerResult } from './peer.ts';

/** A contestant's results by round; null for a round that failed. */
export interface Contestant {
  readonly name: string;
  readonly rounds: readonly (readonly PeerResult[] | null)[];
}

export interface Comparison {
  readonly title: string;
  /** Median frames a second over the rounds, for each contestant; NaN when it never ran. */
  readonly fps: readonly number[];
  /** How many times as fast as each peer the first contestant is: the median over the rounds. */
  readonly ratios: readonly number[];
  /** The largest over the contestants of fastest by slowest round. */
  readonly spread: number;
  /** The largest difference of a peer's picture from the first contestant's, in 1/255; NaN without pictures. */
  readonly distance: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const fpsOf = (results: readonly PeerResult[] | null | undefined, title: string): number => {
  const fps = results?.find((result) => result.title === title)?.fps ?? 0;
  return fps > 0 ? fps : Number.NaN;
};

export function compare(titles: readonly string[], contestants: readonly Contestant[]): Comparison[] {
  const [own, ...peers] = contestants;
  return titles.map((title) => {
    const fps = contestants.map(({ rounds }) => rounds.map((results) => fpsOf(results, title)));
    const ratios = peers.map((_, peer) => median(fps[0]!.map((value, round) => value / fps[peer + 1]![round]!)));
    const spreads = fps.map((values) => {
      const ran = values.filter(Number.isFinite);
      return ran.length > 1 ? Math.max(...ran) / Math.min(...ran) : 1;
    });
    const grids = [own!, ...peers].map(({ rounds }) => {
      const results = rounds.find((round) => round !== null);
      return results?.find((result) => result.title === title)?.grid;
    });
    const distances = grids
      .slice(1)
      .flatMap((grid) => (grid?.length && grids[0] ? [gridDistance(grid, grids[0])] : []));
    return {
      title,
      fps: fps.map(median),
      ratios,
      spread: Math.max(...spreads),
      distance: distances.length > 0 ? Math.max(...distances) : Number.NaN,
    };
  });
}

export function geometricMean(values: readonly number[]): number {
  const finite = values.filter((value) => Number.isFinite(value) && value > 0);
  if (finite.length === 0) return Number.NaN;
  return Math.exp(finite.reduce((sum, value) => sum + Math.log(value), 0) / finite.length);
}

export function comparisonColumns(names: readonly string[]): Column<Comparison>[] {
  const [own, ...peers] = names;
  return [
    { title: 'entry', cell: ({ title }) => title },
    ...names.map((name, at) => ({ title: name, isNumber: true, cell: ({ fps }: Comparison) => significant(fps[at]!) })),
    ...peers.map((name, at) => ({
      title: `${own} ×${name}`,
      isNumber: true,
      cell: ({ ratios }: Comparison) => significant(ratios[at]!),
    })),
    { title: 'spread', isNumber: true, cell: ({ spread }) => spread.toFixed(2) },
    {
      title: 'image',
      isNumber: true,
      cell: ({ distance }) => (Number.isFinite(distance) ? distance.toFixed(1) : '–'),
    },
  ];
}
