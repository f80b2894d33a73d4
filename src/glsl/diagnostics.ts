// Collects the errors and warnings of one compilation and writes them as an info log.

import { positionLine, positionString, type SourcePosition } from './ast.ts';

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly position: SourcePosition;
  /** The offending token, as in `'foo' : undeclared identifier`; may be empty. */
  readonly token: string;
  readonly message: string;
}

/** Thrown to leave the compilation after an error that cannot be recovered from; `compileShader` catches it. */
export class CompilationAborted extends Error {}

/** After so many errors the rest of the log would help nobody. */
const MAX_ERRORS = 64;
const MAX_WARNINGS = 64;

export class Diagnostics {
  readonly list: Diagnostic[] = [];
  errorCount = 0;
  warningCount = 0;

  error(position: SourcePosition, token: string, message: string): void {
    this.list.push({ severity: 'error', position, token, message });
    if (++this.errorCount >= MAX_ERRORS) throw new CompilationAborted();
  }

  warning(position: SourcePosition, token: string, message: string): void {
    if (++this.warningCount <= MAX_WARNINGS) this.list.push({ severity: 'warning', position, token, message });
  }

  /** Reports an error and gives up. */
  fatal(position: SourcePosition, token: string, message: string): never {
    this.list.push({ severity: 'error', position, token, message });
    this.errorCount++;
    throw new CompilationAborted();
  }
}

/** The form that browsers give and tools parse: `ERROR: 0:12: 'foo' : undeclared identifier`. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const severity = diagnostic.severity === 'error' ? 'ERROR' : 'WARNING';
  const string = positionString(diagnostic.position);
  const line = positionLine(diagnostic.position);
  return `${severity}: ${string}:${line}: '${diagnostic.token}' : ${diagnostic.message}\n`;
}

/**
 * The same for a person: each line of the log with the source line it speaks of. Without the source lines where `#line`
 * makes the numbers speak of another text.
 */
export function formatWithSource(source: string, diagnostics: readonly Diagnostic[]): string {
  const lines = /^[ \t]*#[ \t]*line/m.test(source) ? [] : source.split(/\r\n|\n\r|\n|\r/);
  let text = '';
  for (const diagnostic of diagnostics) {
    text += formatDiagnostic(diagnostic);
    const line = lines[positionLine(diagnostic.position) - 1];
    if (line === undefined) continue;
    const start = Math.max(0, line.search(/\S/));
    const column = line.indexOf(diagnostic.token, start);
    const marker = column < 0 || diagnostic.token === '' ? '' : `      | ${' '.repeat(column)}^\n`;
    text += `${String(positionLine(diagnostic.position)).padStart(5)} | ${line}\n${marker}`;
  }
  return text;
}
