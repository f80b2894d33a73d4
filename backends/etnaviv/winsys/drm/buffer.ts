// A buffer of the kernel: its handle, where the GPU and the CPU see it, and who holds it.

import type { BufferObject } from '../winsys.ts';
import { type DrmDevice, IoctlError } from './device.ts';
import { ERRNO } from './libc.ts';
import { CONSTANTS } from './uapi.table.ts';

export class DrmBuffer implements BufferObject {
  readonly handle: number;
  readonly sizeBytes: number;
  /** Where buffers have no fixed address: a number that no other buffer has, for the driver to compare. */
  readonly gpuAddress: number;
  readonly #device: DrmDevice;
  readonly #address: bigint;
  #bytes: Uint8Array | null;
  /** An imported buffer is one object, however often it was imported. */
  holders = 1;
  /** Other processes or devices use it too. */
  isShared = false;
  /** The last fence of work that uses it. */
  lastFence = 0;
  /** Between CPU_PREP and CPU_FINI. */
  isPrepared = false;

  constructor(device: DrmDevice, handle: number, sizeBytes: number, gpuAddress: number, address: bigint) {
    this.#device = device;
    this.handle = handle;
    this.sizeBytes = sizeBytes;
    this.gpuAddress = gpuAddress;
    this.#address = address;
    this.#bytes = new Uint8Array(device.libc.view(address, sizeBytes));
  }

  map(): Uint8Array {
    if (!this.#bytes) throw new Error('the buffer was destroyed');
    return this.#bytes;
  }

  /** Gives mapping and handle back. The kernel keeps the memory until the GPU is done with it. */
  close(): void {
    if (!this.#bytes) return;
    // Whoever kept the bytes reads unmapped memory from here on, which ends the process: views of foreign memory can't be detached.
    this.#bytes = null;
    this.#device.libc.munmap(this.#address, this.sizeBytes);
    this.#device.call('gemClose', { handle: this.handle });
  }
}

/** Address of a mapping of a handle; null when there is no memory or address space for it. */
export function mapHandle(device: DrmDevice, handle: number, sizeBytes: number): bigint | null {
  const { offset } = device.call('gemInfo', { handle });
  const address = device.libc.mmap(sizeBytes, device.fd, BigInt(offset!));
  if (address !== null) return address;
  const errno = device.libc.errno();
  if (errno === ERRNO.ENOMEM) return null;
  throw new IoctlError('gemInfo', errno);
}

/** A new handle over zeroed memory, or null: out of memory. */
export function newHandle(device: DrmDevice, sizeBytes: number): number | null {
  // Why write-combined: GPU and CPU caches know nothing of each other on these boards, and it needs no flushing.
  const errno = device.try('gemNew', { size: sizeBytes, flags: CONSTANTS.ETNA_BO_WC });
  if (errno === ERRNO.ENOMEM || errno === ERRNO.ENOSPC) return null;
  if (errno !== 0) throw new IoctlError('gemNew', errno);
  return Number(device.result('gemNew')['handle']);
}
