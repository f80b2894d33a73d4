// Fences of one core: own growing numbers over the kernel's, and the decision that a GPU hangs.

import { SettingError } from '../../setting-error.ts';
import { type DrmDevice, IoctlError } from './device.ts';
import { ERRNO } from './libc.ts';
import { CONSTANTS } from './uapi.table.ts';
import type { Values } from './uapi.ts';

const DEFAULT_HANG_MILLISECONDS = 10_000;
const NANOSECONDS = 1_000_000_000n;

/** How long a GPU may take for what is queued: INDIUM_ETNAVIV_HANG_MS. The kernel resets a core that stands still much earlier. */
export function hangNanoseconds(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_HANG_MILLISECONDS * 1e6;
  const milliseconds = Number(text);
  if (!(milliseconds > 0 && milliseconds <= 3_600_000)) {
    throw new SettingError(`INDIUM_ETNAVIV_HANG_MS=${text}: give the milliseconds after which the GPU is said to hang`);
  }
  return milliseconds * 1e6;
}

/** The kernel takes points in time of the monotonic clock, so that a wait can be started again. */
export function deadline(nanoseconds: number): Values {
  const at = process.hrtime.bigint() + BigInt(Math.ceil(nanoseconds));
  return { 'timeout.tv_sec': at / NANOSECONDS, 'timeout.tv_nsec': at % NANOSECONDS };
}

interface Pending {
  readonly number: number;
  readonly kernelFence: number;
}

export class Fences {
  readonly #device: DrmDevice;
  readonly #pipe: number;
  readonly #hangNanoseconds: number;
  /** In the order of submits, which is the order in which a core does them. */
  #pending: Pending[] = [];
  #number = 0;
  #done = 0;
  /** When a fence was last seen to pass, or the queue was empty. */
  #progress = process.hrtime.bigint();

  constructor(device: DrmDevice, pipe: number, hang: number) {
    this.#device = device;
    this.#pipe = pipe;
    this.#hangNanoseconds = hang;
  }

  add(kernelFence: number): number {
    if (this.#pending.length === 0) this.#progress = process.hrtime.bigint();
    this.#pending.push({ number: ++this.#number, kernelFence });
    return this.#number;
  }

  /** The newest fence; 0 when there was none. */
  get last(): number {
    return this.#number;
  }

  isDone(fence: number): boolean {
    return fence <= this.#done;
  }

  /** `hang`: it waited, and nothing has passed for longer than work may take. */
  wait(fence: number, timeoutNanoseconds: number): 'done' | 'busy' | 'hang' {
    if (fence <= this.#done) return 'done';
    const index = this.#pending.findIndex(({ number }) => number === fence);
    if (index < 0) throw new Error(`no fence ${fence}`);
    const wait = Math.min(Math.max(timeoutNanoseconds, 0), this.#hangNanoseconds);
    const errno = this.#device.try('waitFence', {
      pipe: this.#pipe,
      fence: this.#pending[index]!.kernelFence,
      flags: wait > 0 ? 0 : CONSTANTS.ETNA_WAIT_NONBLOCK,
      ...deadline(wait),
    });
    if (errno === 0) {
      this.#pending = this.#pending.slice(index + 1);
      this.#done = fence;
      this.#progress = process.hrtime.bigint();
      return 'done';
    }
    if (errno !== ERRNO.ETIMEDOUT && errno !== ERRNO.EBUSY) throw new IoctlError('waitFence', errno);
    if (wait >= this.#hangNanoseconds) return 'hang';
    const first = this.#pending[0]!.number;
    if (first !== fence && this.wait(first, 0) === 'done') return 'busy';
    return process.hrtime.bigint() - this.#progress > BigInt(this.#hangNanoseconds) ? 'hang' : 'busy';
  }

  /** Looks which fences have passed; keeps the list short. */
  poll(): void {
    while (this.#pending.length > 0 && this.wait(this.#pending[0]!.number, 0) === 'done');
  }
}
