// A fixed piece of work whose time tells how fast the machine is at the moment.

const SIZE = 1 << 15;
const PASSES = 12;
const REPEATS = 5;

const values = new Float32Array(SIZE).map((_, at) => ((at * 7919) % SIZE) / SIZE);
const sums = new Float32Array(SIZE);

function kernel(): number {
  let total = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    for (let at = 0; at < SIZE; at++) {
      const x = values[at]!;
      const other = values[(at * 31 + pass) & (SIZE - 1)]!;
      sums[at] = sums[at]! * 0.5 + Math.sqrt(x * x + other) * (x - other) + Math.floor(x * 8) * 0.125;
      total += sums[at]!;
    }
  }
  return total;
}

/** Milliseconds of the kernel: the fastest of a few runs. */
export function calibrate(): number {
  let best = Infinity;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = performance.now();
    const total = kernel();
    best = Math.min(best, performance.now() - start);
    if (!Number.isFinite(total)) throw new Error('the calibration kernel went wrong');
  }
  return best;
}
