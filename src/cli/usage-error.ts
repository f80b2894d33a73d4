// Exit codes of the command: 0 done, 1 something failed, 2 called wrongly.

/** The command was called wrongly: printed without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a command with results writes by `--json`. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** `640x480` as numbers. */
export function parseSize(text: string): { width: number; height: number } {
  const match = /^(\d+)x(\d+)$/.exec(text);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || width < 1 || height < 1 || width > 8192 || height > 8192) {
    throw new UsageError(`--size ${text}: give WIDTHxHEIGHT, each 1 to 8192, as in 640x480`);
  }
  return { width, height };
}

/** A whole number of at least `least`. */
export function parseCount(option: string, text: string | number, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new UsageError(`${option} ${text}: give a whole number from ${least}`);
  return value;
}
