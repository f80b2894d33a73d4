// How long one submit may take: a GPU that does not end is reset, and so is this one. Work that ends in time is never changed.

/** What a submit that takes too long is reported as. */
export class GpuTimeout extends Error {
  override readonly name = 'GpuTimeout';
}

export class Patience {
  /** For one submit. */
  limitMs = 120_000;
  private deadline = Number.POSITIVE_INFINITY;

  start(): void {
    this.deadline = performance.now() + this.limitMs;
  }

  /** To be called wherever a stream decides how much there is to do. Throws GpuTimeout. */
  check(): void {
    if (performance.now() > this.deadline) throw new GpuTimeout(`a submit takes longer than ${this.limitMs} ms`);
  }
}
