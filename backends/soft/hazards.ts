// Keeps the order of pending jobs and everything that touches their memory from outside.

import type { RenamedContents, SoftResource, Storage } from './resource.ts';

/** Runs the jobs that have still to write `storage`: its contents are wanted now. */
export function finishWriters(storage: Storage): void {
  if (storage.writers.size > 0) for (const job of [...storage.writers]) job.run();
}

/** Runs every pending job that uses `storage`: it is about to change. */
export function finishUsers(storage: Storage): void {
  if (storage.readers.size > 0) for (const job of [...storage.readers]) job.run();
  finishWriters(storage);
}

/** As `finishUsers`, but jobs that only clear are left: `Job.adoptClears` takes over what they would do. */
export function finishDrawers(storage: Storage): void {
  for (const job of [...storage.readers]) job.run();
  for (const job of [...storage.writers]) if (!job.onlyClears) job.run();
}

/** Buffers up to this size are copied rather than waited for when a pending draw still reads them. */
const RENAME_LIMIT_BYTES = 1 << 16;

/**
 * Makes `resource` free to be written by the CPU. A buffer that only pending draws read is renamed, with its contents
 * when they are still needed; else the jobs run.
 */
export function prepareWrite(resource: SoftResource, contents: RenamedContents): void {
  const { storage } = resource;
  if (!storage.isPending()) return;
  const isRenamable = resource.target === 'buffer' && storage.writers.size === 0;
  const isCheap = contents !== 'kept' || storage.bytes <= RENAME_LIMIT_BYTES;
  if (isRenamable && isCheap && resource.rename(contents)) return;
  finishUsers(storage);
}
