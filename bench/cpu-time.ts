// Processor time of this process.

/** Milliseconds of all threads together: on a busy machine it says more than the clock. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
