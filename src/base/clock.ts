// Milliseconds that all threads count from the same moment.

const hrtime = globalThis.process?.hrtime;

/** Node loads a dozen modules when `performance` is first touched, a tenth of what a first triangle takes; this clock is there. */
function nodeClock(): number {
  const time = hrtime!();
  return time[0]! * 1e3 + time[1]! / 1e6;
}

function pageClock(): number {
  return performance.timeOrigin + performance.now();
}

export const now: () => number = hrtime === undefined ? pageClock : nodeClock;
