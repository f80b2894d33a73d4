// The winsys over a simulated GPU: buffers in the simulator's memory, submits that are done when the call returns.

import { OutOfMemoryError } from '../../../src/raster/memory.ts';
import type { CoreInfo } from '../hwdb/core-info.ts';
import { SimulatedGpu } from '../sim/gpu.ts';
import type { MappedBuffer } from '../sim/memory.ts';
import { AddressSpace, pageBytes } from './address-space.ts';
import { closeSharedMemory, createSharedMemory, openSharedMemory, type SharedMemory } from './shared-memory.ts';
import { type BufferObject, GpuHangError, type SharedHandle, type Submit, type Winsys } from './winsys.ts';

/** Where buffers go: above 2 GiB with the first MMU, everywhere but page 0 with the second. */
const SPACE = { v1: [0x80000000, 0x100000000], v2: [0x1000, 0xfffff000] } as const;

const DEFAULT_LIMIT_BYTES = 1 << 30;

class SimBuffer implements BufferObject, MappedBuffer {
  readonly sizeBytes: number;
  readonly gpuAddress: number;
  readonly address: number;
  /** What others see of it, once it is shared. */
  shared: SharedMemory | null = null;
  /** How often it was made or imported, and not yet destroyed. */
  references = 1;
  readonly #gpu: SimulatedGpu;

  constructor(gpu: SimulatedGpu, sizeBytes: number, gpuAddress: number, address: number) {
    this.#gpu = gpu;
    this.sizeBytes = sizeBytes;
    this.gpuAddress = gpuAddress;
    this.address = address;
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
  readonly #buffers = new Set<SimBuffer>();
  readonly #limitBytes: number;
  readonly #onNotice: (text: string) => void;
  #liveBytes = 0;
  #fence = 0;
  #mappingsChanged = true;

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
    const [start, end] = core.features.has('MMU_VERSION') ? SPACE.v2 : SPACE.v1;
    this.#space = new AddressSpace(start, end);
  }

  createBuffer(sizeBytes: number): BufferObject | null {
    if (this.#liveBytes + sizeBytes > this.#limitBytes) return null;
    const gpuAddress = this.#space.take(sizeBytes);
    if (gpuAddress === null) return null;
    let address: number;
    try {
      address = this.gpu.memory.allocate(pageBytes(sizeBytes));
    } catch (error) {
      this.#space.give(gpuAddress, sizeBytes);
      if (error instanceof OutOfMemoryError) return null;
      throw error;
    }
    const buffer = new SimBuffer(this.gpu, sizeBytes, gpuAddress, address);
    this.#buffers.add(buffer);
    this.#liveBytes += sizeBytes;
    this.#mappingsChanged = true;
    return buffer;
  }

  destroyBuffer(buffer: BufferObject): void {
    const sim = buffer as SimBuffer;
    if (!this.#buffers.has(sim) || --sim.references > 0) return;
    this.#buffers.delete(sim);
    if (sim.shared) closeSharedMemory(sim.shared);
    this.#liveBytes -= sim.sizeBytes;
    this.gpu.memory.free(sim.address);
    this.#space.give(sim.gpuAddress, sim.sizeBytes);
    this.#mappingsChanged = true;
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

  submit({ words, buffers }: Submit): number {
    if (this.#mappingsChanged) {
      this.gpu.mapBuffers([...this.#buffers]);
      this.#mappingsChanged = false;
    }
    for (const buffer of buffers.keys()) (buffer as SimBuffer).pull();
    const { error, position, notices } = this.gpu.submit(words);
    for (const notice of notices) this.#onNotice(notice);
    if (error) {
      const place = position ? ` at offset ${position.offset}, word 0x${position.word.toString(16)}` : '';
      throw new GpuHangError(`the simulated ${this.core.name} stopped${place}: ${error.message}`);
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
