// Memory that several simulated GPUs and the CPU outside of them know by name, as a dma-buf is known by its descriptor.

/** Bytes with a name. Whoever uses them through a GPU copies them in before its work and out behind it. */
export interface SharedMemory {
  readonly name: number;
  readonly bytes: Uint8Array;
}

interface Entry extends SharedMemory {
  holders: number;
}

const entries = new Map<number, Entry>();
let lastName = 0;

/** New zeroed memory; the caller holds it. */
export function createSharedMemory(sizeBytes: number): SharedMemory {
  const entry: Entry = { name: ++lastName, bytes: new Uint8Array(sizeBytes), holders: 1 };
  entries.set(entry.name, entry);
  return entry;
}

/** The memory of a name; the caller holds it, too. Throws when nobody holds it any more. */
export function openSharedMemory(name: number): SharedMemory {
  const entry = entries.get(name);
  if (!entry) throw new Error(`no shared buffer is named ${name}`);
  entry.holders++;
  return entry;
}

/** Gives up one hold; the last one's end is the memory's. */
export function closeSharedMemory({ name }: SharedMemory): void {
  const entry = entries.get(name);
  if (entry && --entry.holders === 0) entries.delete(name);
}
