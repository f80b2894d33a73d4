// Micro scenes on several versions of Node with several numbers of threads, as one table: medians of rounds.

import type { MicroResult } from '../micro.ts';
import { geometricMean, median } from '../peers/compare.ts';
import { microTitle } from '../peers/peer.ts';
import { type Column, significant } from './rows.ts';

/** The results of one process. */
export interface NodeRun {
  /** As `process.version` gives it. */
  readonly node: string;
  readonly threads: number;
  readonly rows: readonly MicroResult[];
}

interface Cell {
  readonly ms: number;
  readonly worstMs: number;
}

export interface NodeRow {
  readonly title: string;
  /** By configuration, in the order of `configurations`. */
  readonly cells: readonly Cell[];
  /** By version of Node: the time with the fewest threads by that with the most; median of ratios within a round. */
  readonly scaling: readonly number[];
  /** Largest slowest by fastest round of a configuration. */
  readonly spread: number;
  /** Whether all runs drew the same bytes in frame 0. */
  readonly isSame: boolean;
}

export interface Configuration {
  readonly node: string;
  readonly threads: number;
}

export interface NodeTable {
  readonly configurations: readonly Configuration[];
  readonly nodes: readonly string[];
  readonly rows: readonly NodeRow[];
}

const majorOf = (node: string): string => `Node ${/\d+/.exec(node)?.[0] ?? node}`;

export function mergeRuns(runs: readonly NodeRun[]): NodeTable {
  const nodes = [...new Set(runs.map(({ node }) => node))];
  const threads = [...new Set(runs.map((run) => run.threads))].sort((a, b) => b - a);
  const roundsOf = (configuration: Configuration) =>
    runs.filter((run) => run.node === configuration.node && run.threads === configuration.threads);
  const configurations = nodes
    .flatMap((node) => threads.map((count): Configuration => ({ node, threads: count })))
    .filter((configuration) => roundsOf(configuration).length > 0);
  const titles = [...new Set(runs.flatMap(({ rows }) => rows.map(microTitle)))];
  const rows = titles.map((title): NodeRow => {
    const find = ({ rows: found }: NodeRun) => found.find((row) => microTitle(row) === title);
    const timesOf = (configuration: Configuration, of: 'ms' | 'worstMs') =>
      roundsOf(configuration).map((run) => find(run)?.[of] ?? Number.NaN);
    const spreads = configurations.map((configuration) => {
      const times = timesOf(configuration, 'ms').filter(Number.isFinite);
      return times.length > 1 ? Math.max(...times) / Math.min(...times) : 1;
    });
    const hashes = new Set(runs.flatMap((run) => find(run)?.hash ?? []));
    return {
      title,
      cells: configurations.map((configuration) => ({
        ms: median(timesOf(configuration, 'ms')),
        worstMs: median(timesOf(configuration, 'worstMs')),
      })),
      scaling: nodes.map((node) => {
        const few = timesOf({ node, threads: threads.at(-1)! }, 'ms');
        const many = timesOf({ node, threads: threads[0]! }, 'ms');
        return threads.length > 1 ? median(few.map((time, round) => time / (many[round] ?? Number.NaN))) : Number.NaN;
      }),
      spread: Math.max(...spreads),
      isSame: hashes.size <= 1,
    };
  });
  return { configurations, nodes, rows };
}

const labelOf = ({ node, threads }: Configuration) => `${majorOf(node)}, ${threads} thread${threads === 1 ? '' : 's'}`;

export function nodeTableColumns({ configurations, nodes, rows }: NodeTable): Column<NodeRow>[] {
  const scaling = nodes.map((node, at): Column<NodeRow> & { isKnown: boolean } => ({
    title: `×${majorOf(node).slice('Node '.length)}`,
    isNumber: true,
    isKnown: rows.some((row) => Number.isFinite(row.scaling[at])),
    cell: (row) => significant(row.scaling[at]!),
  }));
  return [
    { title: 'scene (median / worst ms)', cell: ({ title }) => title },
    ...configurations.map((configuration, at) => ({
      title: labelOf(configuration),
      isNumber: true,
      cell: ({ cells }: NodeRow) => `${significant(cells[at]!.ms)} / ${significant(cells[at]!.worstMs)}`,
    })),
    ...scaling.filter(({ isKnown }) => isKnown),
    { title: 'spread', isNumber: true, cell: ({ spread }) => spread.toFixed(2) },
  ];
}

/** How fast each configuration is by the first one's measure, and whether the pictures are the same. */
export function nodeTableNotes({ configurations, rows }: NodeTable): string[] {
  const means = configurations.slice(1).map((configuration, at) => {
    const ratios = rows.map(({ cells }) => cells[0]!.ms / cells[at + 1]!.ms);
    return `${labelOf(configuration)}: ${significant(geometricMean(ratios))} times as fast as ${labelOf(configurations[0]!)} (geometric mean)`;
  });
  const others = rows.filter(({ isSame }) => !isSame).map(({ title }) => title);
  return [
    ...means,
    others.length === 0 ? 'All runs drew the same bytes.' : `Not the same bytes: ${others.join(', ')}.`,
  ];
}
