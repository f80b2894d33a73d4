// The winsys over a simulated GPU: buffers in the simulator's memory, submits that are done when the call returns.

import { OutOfMemoryError } from '../../../src/raster/memory.ts';
import type { CoreInfo } from '../hwdb/core-info.ts';
import { SimulatedGpu } from '../sim/gpu.ts';
import { GpuFault, type MappedBuffer } from '../sim/memory.ts';
import { faultReport, type Mmu, MmuV1, MmuV2, PAGE_BYTES } from '../sim/mmu.ts';
import { AddressSpace, pageBytes } from './address-space.ts';
import { closeSharedMemory, createSharedMemory, openSharedMemory, type SharedMemory } from './shared-memory.ts';
import {
  type BufferObject,
  GpuHangError,
  GpuMemoryError,
  type SharedHandle,
  type Submit,
  type Winsys,
} from './winsys.ts';

/** Where buffers go: above 2 GiB with the first MMU, everywhere but page 0 with the second. */
const SPACE = { v1: [0x80000000, 0x100000000], v2: [0x1000, 0xfffff000] } as const;

const DEFAULT_LIMIT_BYTES = 1 << 30;

class SimBuffer implements BufferObject, MappedBuffer {
  readonly sizeBytes: number;
  readonly gpuAddress: number;
  /** Of its first byte in the simulator's memory: the start of a page. */
  readonly address: number;
  /** The memory that holds it, not aligned. */
  readonly block: number;
  /** What others see of it, once it is shared. */
  shared: SharedMemory | null = null;
  /** How often it was made or imported, and not yet destroyed. */
  references = 1;
  readonly #gpu: SimulatedGpu;

  constructor(gpu: SimulatedGpu, sizeBytes: number, gpuAddress: number, block: number) {
    this.#gpu = gpu;
    this.sizeBytes = sizeBytes;
    this.gpuAddress = gpuAddress;
    this.block = block;
    this.address = pageBytes(block);
  }

  map(): Uint8Array {
    return this.#gpu.memory.raster.u8.subarray(this.address, this.address + this.sizeBytes);
  }

  /** Takes over what others have written. */
  pull(): void {
    if (!this.shared) return;
    this.map().set(this.shared.bytes);
    this.#gpu.invalidate(this);
  }

  /** Shows others what was written here. */
  push(): void {
    this.shared?.bytes.set(this.map());
  }
}

export class SimWinsys implements Winsys {
  readonly name = 'sim';
  readonly core: CoreInfo;
  readonly notices: readonly string[];
  readonly gpu: SimulatedGpu;
  readonly #space: AddressSpace;
  readonly #mmu: Mmu;
  readonly #buffers = new Set<SimBuffer>();
  readonly #limitBytes: number;
  readonly #onNotice: (text: string) => void;
  #liveBytes = 0;
  #fence = 0;
  /** Parts of the address space whose page table entries have changed since the last submit. */
  #changed: { readonly gpuAddress: number; readonly sizeBytes: number }[] = [];

  constructor(
    core: CoreInfo,
    notices: readonly string[],
    onNotice: (text: string) => void,
    limitBytes = DEFAULT_LIMIT_BYTES,
  ) {
    this.core = core;
    this.notices = notices;
    this.gpu = new SimulatedGpu(core);
    this.#onNotice = onNotice;
    this.#limitBytes = limitBytes;
    const version = core.features.has('MMU_VERSION') ? 'v2' : 'v1';
    this.#mmu = version === 'v2' ? new MmuV2() : new MmuV1();
    const [start, end] = SPACE[version];
    this.#space = new AddressSpace(start, end);
  }

  createBuffer(sizeBytes: number): BufferObject | null {
    if (this.#liveBytes + sizeBytes > this.#limitBytes) return null;
    const gpuAddress = this.#space.take(sizeBytes);
    if (gpuAddress === null) return null;
    let block: number;
    try {
      // A page more, so that whole pages of it can be mapped.
      block = this.gpu.memory.allocate(pageBytes(sizeBytes) + PAGE_BYTES);
    } catch (error) {
      this.#space.give(gpuAddress, sizeBytes);
      if (error instanceof OutOfMemoryError) return null;
      throw error;
    }
    const buffer = new SimBuffer(this.gpu, sizeBytes, gpuAddress, block);
    this.#mmu.map(gpuAddress, buffer.address, pageBytes(sizeBytes));
    this.#changed.push({ gpuAddress, sizeBytes: pageBytes(sizeBytes) });
    this.#buffers.add(buffer);
    this.#liveBytes += sizeBytes;
    return buffer;
  }

  destroyBuffer(buffer: BufferObject): void {
    const sim = buffer as SimBuffer;
    if (!this.#buffers.has(sim) || --sim.references > 0) return;
    this.#buffers.delete(sim);
    if (sim.shared) closeSharedMemory(sim.shared);
    this.#liveBytes -= sim.sizeBytes;
    this.#mmu.unmap(sim.gpuAddress, pageBytes(sim.sizeBytes));
    this.#changed.push({ gpuAddress: sim.gpuAddress, sizeBytes: pageBytes(sim.sizeBytes) });
    this.gpu.memory.free(sim.block);
    this.#space.give(sim.gpuAddress, sim.sizeBytes);
  }

  exportBuffer(buffer: BufferObject): SharedHandle {
    const sim = buffer as SimBuffer;
    sim.shared ??= createSharedMemory(sim.sizeBytes);
    sim.push();
    return { kind: 'name', handle: sim.shared.name };
  }

  importBuffer({ kind, handle }: SharedHandle): BufferObject {
    if (kind !== 'name') throw new Error('the simulated GPU shares buffers by name: it knows no descriptors');
    const known = [...this.#buffers].find(({ shared }) => shared?.name === handle);
    if (known) {
      known.references++;
      return known;
    }
    const shared = openSharedMemory(handle);
    const buffer = this.createBuffer(shared.bytes.byteLength) as SimBuffer | null;
    if (!buffer) {
      closeSharedMemory(shared);
      throw new Error(`out of memory for a shared buffer of ${shared.bytes.byteLength} bytes`);
    }
    buffer.shared = shared;
    buffer.pull();
    return buffer;
  }

  /** Brings what the GPU reaches up to date with the page tables. */
  #walkChanges(): void {
    for (const { gpuAddress, sizeBytes } of this.#changed) {
      const ranges = this.#mmu.ranges(gpuAddress, sizeBytes);
      this.gpu.remapBuffers(
        gpuAddress,
        sizeBytes,
        ranges.map(({ physicalAddress, ...range }) => ({ ...range, address: physicalAddress })),
      );
    }
    this.#changed.length = 0;
  }

  submit({ words, buffers }: Submit): number {
    this.#walkChanges();
    for (const buffer of buffers.keys()) (buffer as SimBuffer).pull();
    const { error, position, notices } = this.gpu.submit(words);
    for (const notice of notices) this.#onNotice(notice);
    if (error) {
      if (error instanceof OutOfMemoryError)
        throw new GpuMemoryError(`the simulated ${this.core.name} is ${error.message}`);
      const place = position ? ` at offset ${position.offset}, word 0x${position.word.toString(16)}` : '';
      const report = error instanceof GpuFault ? `; ${faultReport(this.#mmu, error.address)}` : '';
      throw new GpuHangError(`the simulated ${this.core.name} stopped${place}: ${error.message}${report}`);
    }
    for (const [buffer, { writes }] of buffers) if (writes) (buffer as SimBuffer).push();
    return ++this.#fence;
  }

  waitFence(): boolean {
    return true;
  }

  prepare(buffer: BufferObject): void {
    (buffer as SimBuffer).pull();
  }

  finish(buffer: BufferObject): void {
    (buffer as SimBuffer).push();
    this.gpu.invalidate(buffer as SimBuffer);
  }

  memory() {
    return { liveBytes: this.#liveBytes, liveAllocations: this.#buffers.size, capacityBytes: this.#limitBytes };
  }

  destroy(): void {
    for (const buffer of [...this.#buffers]) {
      buffer.references = 1;
      this.destroyBuffer(buffer);
    }
    this.gpu.destroy();
  }
}
