// "Once control has returned to the event loop": runs callbacks in a later macrotask, without keeping the process alive.

// Taken when the module loads: pages and test environments replace globals.
const immediate = globalThis.setImmediate as typeof setImmediate | undefined;
const timeout = globalThis.setTimeout;

/** Runs `task` when the script that runs now, its microtasks included, has ended. */
function queueTask(task: () => void): void {
  if (immediate) {
    immediate(task).unref();
    return;
  }
  if (typeof MessageChannel !== 'undefined') {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      task();
    };
    port2.postMessage(null);
    return;
  }
  timeout(task, 0);
}

/** As `queueTask`, but the process stays alive until it has run: events that somebody waits for. */
export function queueEvent(task: () => void): void {
  if (immediate) immediate(task);
  else timeout(task, 0);
}

let epoch = 0;
let isScheduled = false;

/** A number that grows whenever control returns to the event loop after it was asked for. */
export function currentEpoch(): number {
  if (!isScheduled) {
    isScheduled = true;
    queueTask(() => {
      isScheduled = false;
      epoch++;
    });
  }
  return epoch;
}
