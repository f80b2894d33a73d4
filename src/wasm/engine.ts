// What the engine that runs the modules does by itself; code differs in speed by it, never in what it computes.

/** V8 up to that of Node 22 (12.4). */
function isOldV8(): boolean {
  const version = typeof process === 'undefined' ? undefined : process.versions?.v8;
  return version !== undefined && Number.parseInt(version, 10) < 13;
}

/**
 * Whether the engine moves vector constants out of loops. Those that do keep them better than we can: a constant in a local costs
 * `tex-linear` 4 % on Node 20. Without it each use makes the constant anew, by three instructions (a third of `blend-10` on Node 24).
 */
export const MOVES_CONSTANTS = isOldV8();
