// GPU addresses for buffers: first fit over a sorted list of gaps, in pages.

/** The kernel's page, and the GPU's. */
const PAGE_BYTES = 4096;

interface Gap {
  start: number;
  end: number;
}

export class AddressSpace {
  readonly #gaps: Gap[];

  constructor(start: number, end: number) {
    this.#gaps = [{ start, end }];
  }

  /** The address of `sizeBytes` bytes (whole pages), or null. */
  take(sizeBytes: number): number | null {
    const bytes = pageBytes(sizeBytes);
    for (const [index, gap] of this.#gaps.entries()) {
      if (gap.end - gap.start < bytes) continue;
      const address = gap.start;
      gap.start += bytes;
      if (gap.start === gap.end) this.#gaps.splice(index, 1);
      return address;
    }
    return null;
  }

  give(address: number, sizeBytes: number): void {
    const end = address + pageBytes(sizeBytes);
    let index = this.#gaps.findIndex((gap) => gap.start >= end);
    if (index < 0) index = this.#gaps.length;
    const before = this.#gaps[index - 1];
    const after = this.#gaps[index];
    if (before && before.end === address) {
      before.end = end;
      if (after && after.start === end) {
        before.end = after.end;
        this.#gaps.splice(index, 1);
      }
    } else if (after && after.start === end) after.start = address;
    else this.#gaps.splice(index, 0, { start: address, end });
  }
}

export function pageBytes(sizeBytes: number): number {
  return Math.ceil(sizeBytes / PAGE_BYTES) * PAGE_BYTES;
}
