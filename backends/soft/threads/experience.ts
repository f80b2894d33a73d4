// What became of jobs of one kind: how long they take one thread, and whether sharing them gains anything here and now.

/** After jobs that lost time by being shared, so many at most stay on the main thread. Tests share all. */
export const CAUTION = { mostSkipped: 256 };

/** What sharing has to gain, and what finding out whether it does may cost, as parts of the time of one thread. */
const LEAST_GAIN = 0.03;
const TRIAL_SHARE = 0.02;
/** What one job may lose at most, as it may be a mishap; what is left of earlier gains with each job. */
const MOST_LOSS = 2;
const MEMORY = 0.9;
const MOST_FACTOR = 2;

/**
 * What jobs of one kind have taken, and whether sharing them helps. It does not where other programs want the processors, or where
 * the system wakes workers on the processor of the main thread: Linux does when it is not told which caches processors share.
 */
export class Experience {
  /** What the last job took one thread or would have taken it; 0: there was none. */
  aloneMs = 0;
  /** What jobs take one thread by what that was guessed to be: half of a picture may fit a cache that all of it does not. */
  #factor = 1;
  #guessMs = 0;
  #skipped = 0;
  /** Gains less losses of late, in times of one thread. */
  #balance = 0;
  #wasTried = false;

  /** Whether the next job may be shared. Asked once a job. */
  mayShare(): boolean {
    if (this.#skipped === 0) return true;
    this.#skipped--;
    return false;
  }

  /** The main thread did a job by itself. */
  noteAlone(milliseconds: number): void {
    if (this.#guessMs > 0) {
      const factor = Math.max(1 / MOST_FACTOR, Math.min(milliseconds / this.#guessMs, MOST_FACTOR));
      this.#factor += (factor - this.#factor) * (1 - MEMORY);
      this.#guessMs = 0;
    }
    this.aloneMs = milliseconds;
  }

  /** A shared job took that long; the main thread would have taken `guessMs` by how fast it was with its part of it, 0: it had none. */
  noteShared(milliseconds: number, guessMs: number, wereAwake: boolean): void {
    this.#guessMs = guessMs;
    if (guessMs > 0) this.aloneMs = guessMs * this.#factor;
    const gain = 1 - milliseconds / Math.max(this.aloneMs, 1e-3) - LEAST_GAIN;
    this.#balance = this.#balance * MEMORY + Math.max(gain, -MOST_LOSS);
    // Workers that were asleep come late: what they are worth is seen at the next job.
    this.#wasTried = this.#balance < 0 && !this.#wasTried && !wereAwake;
    if (this.#balance >= 0 || this.#wasTried) return;
    this.#skipped = Math.min(Math.ceil(-this.#balance / TRIAL_SHARE), CAUTION.mostSkipped);
    this.#balance = 0;
  }
}
