// The shader report: what each program costs on each GPU, as lines of text that a baseline file keeps.

import type { CompileResult, ShaderStatistics } from './compiled-shader.ts';

const COLUMNS = [
  'instructions',
  'temporaries',
  'loops',
  'immediates',
  'uniforms',
] as const satisfies readonly (keyof ShaderStatistics)[];

/** `name: 12 instructions, 3 temporaries, …`, or the reason why there is no program. */
export function reportLine(name: string, result: CompileResult): string {
  if (!result.ok) return `${name}: ${result.message.replace(/^.* cannot run on /, 'not on ')}`;
  return `${name}: ${COLUMNS.map((column) => `${result.shader.statistics[column]} ${column}`).join(', ')}`;
}

/** The columns of a line, or null where there is no program. */
function numbersOf(line: string): number[] | null {
  const columns = line.slice(line.indexOf(': ') + 2).split(', ');
  const numbers = columns.map((column) => Number(/^(\d+) \w+$/.exec(column)?.[1] ?? Number.NaN));
  return numbers.some(Number.isNaN) ? null : numbers;
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(': '));

/** What became worse against a baseline, a line each: more instructions or temporaries, or no program any more. */
export function findRegressions(baseline: readonly string[], report: readonly string[]): string[] {
  const before = new Map(baseline.map((line) => [nameOf(line), line]));
  const worse: string[] = [];
  for (const line of report) {
    const old = before.get(nameOf(line));
    if (old === undefined || old === line) continue;
    const [was, is] = [numbersOf(old), numbersOf(line)];
    if (was === null) continue;
    if (is === null || is[0]! > was[0]! || is[1]! > was[1]!)
      worse.push(`${old}  →  ${line.slice(nameOf(line).length + 2)}`);
  }
  return worse;
}

/** Programs of a report that a baseline does not know: what becomes worse of them nobody would see. */
export function findUnknown(baseline: readonly string[], report: readonly string[]): string[] {
  const known = new Set(baseline.map(nameOf));
  return report.map(nameOf).filter((name) => !known.has(name));
}

/** Sums over a report's programs. */
export function summarize(report: readonly string[]): string {
  const rows = report.map(numbersOf);
  const compiled = rows.filter((row) => row !== null);
  const sums = COLUMNS.map((column, i) => `${compiled.reduce((sum, row) => sum + row[i]!, 0)} ${column}`);
  return `${compiled.length} of ${rows.length} programs: ${sums.join(', ')}`;
}
