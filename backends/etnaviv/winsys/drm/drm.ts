// The winsys over the Linux kernel's etnaviv device: buffers, submits and fences of the one core that draws in 3D.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { CoreInfo } from '../../hwdb/core-info.ts';
import { identifyCore } from '../../hwdb/identify.ts';
import { dumpStream } from '../../registers/dump-stream.ts';
import { AddressSpace, pageBytes } from '../address-space.ts';
import {
  type BufferObject,
  GpuHangError,
  GpuMemoryError,
  type SharedHandle,
  type Submit,
  type Winsys,
} from '../winsys.ts';
import { DrmBuffer, mapHandle, newHandle } from './buffer.ts';
import { type DrmDevice, IoctlError, openDevice } from './device.ts';
import { DeviceError } from './device-error.ts';
import { deadline, Fences, hangNanoseconds } from './fences.ts';
import { ERRNO, errnoName, type Libc } from './libc.ts';
import { chooseCore, type ProbedCore, probeCores } from './probe.ts';
import { SubmitMemory } from './submit-memory.ts';
import { CONSTANTS } from './uapi.table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const ADDRESS_END = 0xfffff000;
/** How many destroyed buffers may wait for the GPU before somebody looks. */
const MAX_LEAVING = 64;
const O_RDWR_CLOEXEC = 0o2000002;

export class DrmWinsys implements Winsys {
  readonly name = 'drm';
  readonly core: CoreInfo;
  readonly notices: readonly string[];
  readonly #device: DrmDevice;
  readonly #pipe: number;
  readonly #isSoftpin: boolean;
  readonly #hangNanoseconds: number;
  readonly #limitBytes: number;
  readonly #fences: Fences;
  readonly #memory: SubmitMemory;
  readonly #space: AddressSpace;
  readonly #buffers = new Map<number, DrmBuffer>();
  /** Addresses of destroyed buffers that the GPU may still be using. */
  #leaving: { address: number; sizeBytes: number; fence: number }[] = [];
  #liveBytes = 0;
  #lost: GpuHangError | null = null;
  #isOpen = true;

  constructor(device: DrmDevice, probed: ProbedCore, environment: Environment, limitBytes = totalmem()) {
    const { core, notices } = identifyCore(probed.report, environment);
    this.core = core;
    this.#device = device;
    this.#pipe = probed.pipe;
    this.#isSoftpin = probed.softpinStart !== null;
    if (!this.#isSoftpin && core.features.has('HALTI5')) {
      // Texture descriptors hold addresses that no relocation reaches.
      throw new DeviceError(
        `${core.name} needs a kernel that lets programs place buffers (softpin): Linux 5.4 or later`,
      );
    }
    this.notices = notices;
    this.#limitBytes = limitBytes;
    this.#hangNanoseconds = hangNanoseconds(environment['INDIUM_ETNAVIV_HANG_MS']);
    this.#fences = new Fences(device, probed.pipe, this.#hangNanoseconds);
    this.#memory = new SubmitMemory(device.libc);
    this.#space = new AddressSpace(pageBytes(probed.softpinStart ?? 1), ADDRESS_END);
  }

  createBuffer(sizeBytes: number): BufferObject | null {
    const bytes = pageBytes(sizeBytes);
    if (bytes === 0 || this.#liveBytes + bytes > this.#limitBytes) return null;
    let handle = newHandle(this.#device, bytes);
    if (handle === null && this.#fences.last > 0) {
      // Destroyed buffers keep their memory until the GPU is done with them.
      this.#settle(this.#fences.last);
      handle = newHandle(this.#device, bytes);
    }
    return handle === null ? null : this.#adopt(handle, bytes);
  }

  /** An object for a handle, which it takes along: closed again when there is no room. */
  #adopt(handle: number, sizeBytes: number): DrmBuffer | null {
    let gpuAddress: number | null = null;
    let address: bigint | null = null;
    try {
      gpuAddress = this.#takeAddress(sizeBytes);
      address = gpuAddress === null ? null : mapHandle(this.#device, handle, sizeBytes);
    } finally {
      if (address === null) {
        if (gpuAddress !== null) this.#space.give(gpuAddress, sizeBytes);
        this.#device.try('gemClose', { handle });
      }
    }
    if (gpuAddress === null || address === null) return null;
    const buffer = new DrmBuffer(this.#device, handle, sizeBytes, gpuAddress, address);
    this.#buffers.set(handle, buffer);
    this.#liveBytes += sizeBytes;
    return buffer;
  }

  #takeAddress(sizeBytes: number): number | null {
    if (this.#leaving.length > MAX_LEAVING) this.#sweep();
    const found = this.#space.take(sizeBytes);
    if (found !== null || this.#leaving.length === 0) return found;
    this.#settle(this.#leaving[this.#leaving.length - 1]!.fence);
    this.#sweep();
    return this.#space.take(sizeBytes);
  }

  /** Addresses of destroyed buffers come back when the GPU is done with them. */
  #sweep(): void {
    this.#fences.poll();
    this.#leaving = this.#leaving.filter(({ address, sizeBytes, fence }) => {
      if (!this.#fences.isDone(fence)) return true;
      this.#space.give(address, sizeBytes);
      return false;
    });
  }

  destroyBuffer(buffer: BufferObject): void {
    const drm = buffer as DrmBuffer;
    if (this.#buffers.get(drm.handle) !== drm || --drm.holders > 0) return;
    this.#buffers.delete(drm.handle);
    this.#liveBytes -= drm.sizeBytes;
    drm.close();
    const { gpuAddress: address, sizeBytes, lastFence: fence } = drm;
    // Only addresses that the GPU knows must stay free; others are names.
    if (!this.#isSoftpin || this.#fences.isDone(fence)) this.#space.give(address, sizeBytes);
    else this.#leaving.push({ address, sizeBytes, fence });
  }

  /** A descriptor of the buffer for other processes and devices; the caller closes it. */
  exportBuffer(buffer: BufferObject): SharedHandle {
    const drm = buffer as DrmBuffer;
    const { fd } = this.#device.call('primeExport', { handle: drm.handle, flags: O_RDWR_CLOEXEC });
    drm.isShared = true;
    return { kind: 'fd', handle: Number(fd) };
  }

  /** The buffer behind a descriptor, which stays the caller's; one that is known already is the same object. */
  importBuffer({ kind, handle: fd }: SharedHandle): BufferObject {
    if (kind !== 'fd')
      throw new DeviceError('buffers are imported by descriptor: names of buffers are of one process only');
    const handle = Number(this.#device.call('primeImport', { fd })['handle']);
    // The kernel gives one handle to one buffer, and one GEM_CLOSE ends it, however often it was asked.
    const known = this.#buffers.get(handle);
    if (known) {
      known.holders++;
      known.isShared = true;
      return known;
    }
    const sizeBytes = this.#device.libc.sizeOf(fd);
    if (sizeBytes <= 0) {
      this.#device.try('gemClose', { handle });
      throw new DeviceError(`the size of the buffer behind descriptor ${fd} can't be found`);
    }
    const buffer = this.#adopt(handle, sizeBytes);
    if (!buffer) throw new DeviceError(`out of memory for a shared buffer of ${sizeBytes} bytes`);
    buffer.isShared = true;
    return buffer;
  }

  submit(submit: Submit): number {
    if (this.#lost) throw this.#lost;
    const values = this.#memory.write(submit, this.#isSoftpin);
    if (!values) throw new GpuMemoryError(`${this.core.name}: out of memory for a command stream`);
    let errno = this.#device.try('gemSubmit', { ...values, pipe: this.#pipe });
    if (errno === ERRNO.ENOMEM || errno === ERRNO.ENOSPC) {
      // Memory of buffers comes with their first use, and addresses of old work are taken until it is done.
      this.#settle(this.#fences.last);
      errno = this.#device.try('gemSubmit', { ...values, pipe: this.#pipe });
    }
    if (errno === ERRNO.ENOMEM || errno === ERRNO.ENOSPC) {
      throw new GpuMemoryError(
        `${this.core.name}: the kernel is out of memory for a command stream (${errnoName(errno)})`,
      );
    }
    if (errno !== 0) throw this.#lose(`the kernel did not take a command stream: ${errnoName(errno)}`);
    const fence = this.#fences.add(Number(this.#device.result('gemSubmit')['fence']));
    for (const buffer of submit.buffers.keys()) (buffer as DrmBuffer).lastFence = fence;
    for (const { buffer } of submit.relocations) (buffer as DrmBuffer).lastFence = fence;
    return fence;
  }

  waitFence(fence: number, timeoutNanoseconds: number): boolean {
    if (this.#fences.isDone(fence)) return true;
    if (this.#lost) throw this.#lost;
    const result = this.#fences.wait(fence, timeoutNanoseconds);
    if (result === 'hang') throw this.#hang();
    return result === 'done';
  }

  /** Waits however long it takes. */
  #settle(fence: number): void {
    if (this.#fences.isDone(fence) || this.#lost) return;
    if (this.#fences.wait(fence, this.#hangNanoseconds) === 'hang') throw this.#hang();
  }

  prepare(buffer: BufferObject, writes: boolean): void {
    const drm = buffer as DrmBuffer;
    // Nothing of ours runs on it and nobody else has it: no need to ask.
    if (this.#lost || (!drm.isShared && this.#fences.isDone(drm.lastFence))) return;
    const op = CONSTANTS.ETNA_PREP_READ | (writes ? CONSTANTS.ETNA_PREP_WRITE : 0);
    const errno = this.#device.try('gemCpuPrep', { handle: drm.handle, op, ...deadline(this.#hangNanoseconds) });
    if (errno === ERRNO.ETIMEDOUT || errno === ERRNO.EBUSY) throw this.#hang();
    if (errno !== 0) throw new IoctlError('gemCpuPrep', errno);
    drm.isPrepared = true;
    this.#fences.poll();
  }

  finish(buffer: BufferObject): void {
    const drm = buffer as DrmBuffer;
    if (!drm.isPrepared) return;
    drm.isPrepared = false;
    this.#device.call('gemCpuFini', { handle: drm.handle });
  }

  #hang(): GpuHangError {
    return this.#lose(`the GPU hangs: nothing was finished for ${this.#hangNanoseconds / 1e6} ms`);
  }

  /** From now on nothing is submitted. The last stream is kept for whoever looks for the reason. */
  #lose(reason: string): GpuHangError {
    if (this.#lost) return this.#lost;
    let place: string;
    try {
      const path = join(mkdtempSync(join(tmpdir(), 'indium-etnaviv-')), 'last-stream.txt');
      writeFileSync(path, `${this.core.name}: ${reason}\n${dumpStream(this.#memory.stream)}\n`);
      place = `the last command stream is in ${path}`;
    } catch (error) {
      place = `the last command stream could not be saved: ${(error as Error).message}`;
    }
    this.#lost = new GpuHangError(`${this.core.name}: ${reason}; ${place}`);
    return this.#lost;
  }

  memory() {
    return {
      liveBytes: this.#liveBytes,
      liveAllocations: this.#buffers.size,
      capacityBytes: Math.min(this.#limitBytes, ADDRESS_END),
    };
  }

  destroy(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const buffer of this.#buffers.values()) buffer.close();
    this.#buffers.clear();
    this.#liveBytes = 0;
    this.#memory.destroy();
    this.#device.close();
  }
}

/** Opens the device of this machine. Throws DeviceError when there is none to use. */
export function openDrmWinsys(libc: Libc, environment: Environment, limitBytes?: number): DrmWinsys {
  const device = openDevice(libc);
  try {
    return new DrmWinsys(device, chooseCore(probeCores(device), device.path), environment, limitBytes);
  } catch (error) {
    device.close();
    throw error;
  }
}
