// The memory of the simulated GPU: buffers in one WebAssembly memory, seen through GPU addresses.
//
// Buffers lie where the engine of src/raster and src/jit can read them, so vertices, indices and uniform blocks are read in
// place. An address that no buffer holds is a fault, as it is on hardware with an MMU.

import { RasterMemory } from '../../../src/raster/memory.ts';

/** An access that the GPU's address space has no memory for. */
export class GpuFault extends Error {
  override readonly name = 'GpuFault';
  readonly address: number;

  constructor(address: number, what: string) {
    super(`${what}: no memory at GPU address 0x${(address >>> 0).toString(16).padStart(8, '0')}`);
    this.address = address >>> 0;
  }
}

/** A buffer that the GPU can reach. */
export interface MappedBuffer {
  readonly gpuAddress: number;
  readonly sizeBytes: number;
  /** Address of its first byte in the WebAssembly memory. */
  readonly address: number;
}

function holds({ gpuAddress, sizeBytes }: MappedBuffer, address: number): boolean {
  return address >= gpuAddress && address < gpuAddress + sizeBytes;
}

/** Vector loads of generated code may read past an element; the slack stays inside of the buffer's block. */
const SLACK_BYTES = 64;

export class GpuMemory {
  readonly raster: RasterMemory;
  /** Sorted by GPU address. */
  private mappings: MappedBuffer[] = [];
  private last: MappedBuffer | null = null;
  /** Grows when an address may lead to another place. */
  mappingVersion = 1;

  constructor(raster: RasterMemory = new RasterMemory()) {
    this.raster = raster;
  }

  /** Zeroed memory for a buffer. Throws OutOfMemoryError. */
  allocate(sizeBytes: number): number {
    return this.raster.allocateZeroed(sizeBytes + SLACK_BYTES);
  }

  free(address: number): void {
    this.raster.free(address);
  }

  /** Replaces what the GPU can reach. Buffers must not overlap. */
  setMappings(buffers: readonly MappedBuffer[]): void {
    this.mappings = [...buffers].sort((a, b) => a.gpuAddress - b.gpuAddress);
    this.last = null;
    this.mappingVersion++;
  }

  /** Replaces what the GPU can reach of a part of its address space. What was mapped before must not stand out of the part. */
  remap(gpuAddress: number, sizeBytes: number, buffers: readonly MappedBuffer[]): void {
    const first = this.firstFrom(gpuAddress);
    const end = this.firstFrom(gpuAddress + sizeBytes);
    this.mappings.splice(first, end - first, ...buffers);
    this.last = null;
    this.mappingVersion++;
  }

  /** Place of the first mapping that begins at an address or behind it. */
  private firstFrom(gpuAddress: number): number {
    let low = 0;
    let high = this.mappings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.mappings[middle]!.gpuAddress < gpuAddress) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  find(gpuAddress: number): MappedBuffer | null {
    const address = gpuAddress >>> 0;
    if (this.last && holds(this.last, address)) return this.last;
    let low = 0;
    let high = this.mappings.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const buffer = this.mappings[middle]!;
      if (holds(buffer, address)) {
        this.last = buffer;
        return buffer;
      }
      if (address < buffer.gpuAddress) high = middle - 1;
      else low = middle + 1;
    }
    return null;
  }

  /** The WebAssembly address of `sizeBytes` bytes at a GPU address. Throws GpuFault when they are not all there. */
  resolve(gpuAddress: number, sizeBytes: number, what: string): number {
    const buffer = this.find(gpuAddress);
    if (!buffer) throw new GpuFault(gpuAddress, what);
    const offset = (gpuAddress >>> 0) - buffer.gpuAddress;
    if (offset + sizeBytes > buffer.sizeBytes) throw new GpuFault(buffer.gpuAddress + buffer.sizeBytes, what);
    return buffer.address + offset;
  }

  /** The same without a size: the address, and how many bytes there are from it on. */
  resolveRange(gpuAddress: number, what: string): { address: number; available: number } {
    const buffer = this.find(gpuAddress);
    if (!buffer) throw new GpuFault(gpuAddress, what);
    const offset = (gpuAddress >>> 0) - buffer.gpuAddress;
    return { address: buffer.address + offset, available: buffer.sizeBytes - offset };
  }
}
