// Free address ranges, sorted and merged: the coarse half of the allocator.

export class RangeList {
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  /** Takes the lowest range of this length whose start is a multiple of `alignment` (if given); 0 if there is none. */
  take(length: number, alignment = 1): number {
    const starts = this.#starts;
    const lengths = this.#lengths;
    for (let i = 0; i < starts.length; i++) {
      const start = starts[i] as number;
      const aligned = Math.ceil(start / alignment) * alignment;
      const end = start + (lengths[i] as number);
      if (aligned + length > end) continue;
      const before = aligned - start;
      const after = end - aligned - length;
      if (before > 0) {
        lengths[i] = before;
        if (after > 0) this.#insert(i + 1, aligned + length, after);
      } else if (after > 0) {
        starts[i] = aligned + length;
        lengths[i] = after;
      } else {
        starts.splice(i, 1);
        lengths.splice(i, 1);
      }
      return aligned;
    }
    return 0;
  }

  /** Adds a range and merges it with its neighbours. */
  release(start: number, length: number): void {
    const i = this.#lowerBound(start);
    const joinsPrevious = i > 0 && (this.#starts[i - 1] as number) + (this.#lengths[i - 1] as number) === start;
    const joinsNext = i < this.#starts.length && start + length === this.#starts[i];
    if (joinsPrevious && joinsNext) {
      (this.#lengths[i - 1] as number) += length + (this.#lengths[i] as number);
      this.#starts.splice(i, 1);
      this.#lengths.splice(i, 1);
    } else if (joinsPrevious) (this.#lengths[i - 1] as number) += length;
    else if (joinsNext) {
      this.#starts[i] = start;
      (this.#lengths[i] as number) += length;
    } else this.#insert(i, start, length);
  }

  /** Length of the free range that ends at `end`, or 0. */
  lengthEndingAt(end: number): number {
    const last = this.#starts.length - 1;
    return last >= 0 && (this.#starts[last] as number) + (this.#lengths[last] as number) === end
      ? (this.#lengths[last] as number)
      : 0;
  }

  #insert(i: number, start: number, length: number): void {
    this.#starts.splice(i, 0, start);
    this.#lengths.splice(i, 0, length);
  }

  #lowerBound(start: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
