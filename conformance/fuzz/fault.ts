// What a fuzzer finds, and how one finding is told from another.

export type FaultKind =
  /** Something was thrown that may not be. */
  | 'exception'
  /** No end within the time. */
  | 'hang'
  /** The process died. */
  | 'crash'
  /** Memory stays that belongs to nobody. */
  | 'memory'
  /** Other contexts suffer. */
  | 'others'
  /** A valid shader does not compile. */
  | 'refused'
  /** WebAssembly and interpreter differ. */
  | 'difference';

export class Fault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string, stack?: string) {
    super(message);
    this.kind = kind;
    if (stack !== undefined) this.stack = stack;
  }

  static from(error: unknown, where: string): Fault {
    if (error instanceof Fault) return error;
    const isError = error instanceof Error;
    const text = isError ? `${error.name}: ${error.message}` : String(error);
    return new Fault('exception', `${where}: ${text}`, isError ? error.stack : undefined);
  }
}

/** A finding as it crosses processes. */
export interface Finding {
  readonly kind: FaultKind;
  readonly message: string;
  readonly stack?: string;
}

export function findingOf(error: unknown): Finding {
  const { kind, message, stack } = Fault.from(error, 'case');
  return { kind, message, ...(stack === undefined ? {} : { stack }) };
}

/** Two findings with the same signature are one fault: kind, and the innermost place in our code. */
export function signature({ kind, message, stack }: Finding): string {
  const place = stack?.split('\n').find((line) => /\/(src|backends)\//.test(line));
  const name = place?.replace(/^\s*at\s+/, '').replace(/\(?(?:file:\/\/)?\S*\/(src|backends)\//, '($1/');
  return `${kind} ${
    name ??
    message
      .replace(/^step \d+: /, '')
      .replace(/\d+/g, '#')
      .slice(0, 80)
  }`;
}
