// Transform feedback: a kernel that copies outputs of assembled primitives to the bound buffer ranges.

import type { Resource, StreamOutputDescription, StreamOutputTarget } from '../../src/pipe/pipe.ts';
import { PRIMITIVE_VERTICES, type Topology } from '../../src/raster/assemble.ts';
import { type KernelExports, KernelLibrary } from '../../src/raster/kernel.ts';
import { BATCH, VERTEX, vertexVarying } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import type { ModuleBuilder } from '../../src/wasm/module-builder.ts';
import type { SoftResource } from './resource.ts';

export class SoftStreamOutputTarget implements StreamOutputTarget {
  readonly buffer: Resource;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /** How far it is filled. */
  writtenBytes = 0;

  constructor(buffer: Resource, offsetBytes: number, sizeBytes: number) {
    this.buffer = buffer;
    this.offsetBytes = offsetBytes;
    this.sizeBytes = sizeBytes;
  }

  /** Bytes left in the range; the buffer may be smaller than the range says. */
  get room(): number {
    const end = Math.min(this.offsetBytes + this.sizeBytes, this.buffer.width);
    return Math.max(0, end - this.offsetBytes - this.writtenBytes);
  }

  destroy(): void {
    this.writtenBytes = 0;
  }
}

function recordOffset(slot: string): number {
  if (slot === 'position') return VERTEX.offset.position;
  if (slot === 'pointSize') return VERTEX.offset.pointSize;
  return vertexVarying(Number(slot.slice(3)));
}

/** Exports `capture(vertices, count, out)` for one buffer: `vertices` points at `count` addresses of vertex records. */
function buildCapture(module: ModuleBuilder, description: StreamOutputDescription, buffer: number): void {
  const f = module.function('capture', ['i32', 'i32', 'i32'], [], { exported: true });
  const [list, count, out] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2)];
  const end = f.let(f.i32.add(list, f.i32.shl(count, 2)));
  f.while(f.i32.lt_u(list, end), () => {
    const record = f.let(f.i32.load(list));
    for (const varying of description.varyings) {
      if (varying.buffer !== buffer) continue;
      const from = recordOffset(varying.slot) + varying.firstComponent * 4;
      for (let component = 0; component < varying.components; component++) {
        const value = f.i32.load(record, from + component * 4);
        f.i32.store(out, value, varying.offsetBytes + component * 4);
      }
    }
    f.set(out, f.i32.add(out, description.strideBytes[buffer]!));
    f.set(list, f.i32.add(list, 4));
  });
}

/** Writes what batches of one context emit. */
export class StreamOutput {
  readonly #memory: RasterMemory;
  /** The kernel of each buffer, for as long as the shader's description lives. */
  readonly #kernels = new WeakMap<StreamOutputDescription, KernelExports[]>();

  constructor(memory: RasterMemory) {
    this.#memory = memory;
  }

  /** Captures the primitives of a shaded batch, as many as fit all targets. Returns how many did. */
  capture(
    batch: number,
    topology: Topology,
    description: StreamOutputDescription,
    targets: readonly SoftStreamOutputTarget[],
  ): number {
    const base = batch >>> 2;
    const { u32 } = this.#memory;
    const vertices = PRIMITIVE_VERTICES[topology];
    const kernels = this.#kernelsOf(description);
    let primitives = u32[base + BATCH.word.primitiveCount]!;
    for (let index = 0; index < kernels.length; index++) {
      const bytes = description.strideBytes[index]! * vertices;
      if (bytes > 0) primitives = Math.min(primitives, Math.floor((targets[index]?.room ?? 0) / bytes));
    }
    for (let index = 0; index < kernels.length; index++) {
      const bytes = description.strideBytes[index]! * vertices * primitives;
      if (bytes === 0) continue;
      const target = targets[index]!;
      const out = (target.buffer as SoftResource).storage.address + target.offsetBytes + target.writtenBytes;
      kernels[index]!['capture']!(u32[base + BATCH.word.primitives]!, primitives * vertices, out);
      target.writtenBytes += bytes;
    }
    return primitives;
  }

  #kernelsOf(description: StreamOutputDescription): KernelExports[] {
    let kernels = this.#kernels.get(description);
    if (kernels === undefined) {
      // A library of its own: its instances go with the shader.
      const library = new KernelLibrary(this.#memory);
      const text = JSON.stringify(description);
      kernels = description.strideBytes.map((_, index) =>
        library.get(`capture/${index}/${text}`, (module) => buildCapture(module, description, index)),
      );
      this.#kernels.set(description, kernels);
    }
    return kernels;
  }
}
