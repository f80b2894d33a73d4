// Transform feedback: a kernel that copies outputs of assembled primitives to the bound buffer ranges.

import type { Resource, StreamOutputDescription, StreamOutputTarget } from '../../src/pipe/pipe.ts';
import { PRIMITIVE_VERTICES, type Topology } from '../../src/raster/assemble.ts';
import { KernelLibrary } from '../../src/raster/kernel.ts';
import { BATCH, VERTEX, vertexVarying } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import type { ModuleBuilder } from '../../src/wasm/module-builder.ts';
import { prepareWrite } from './hazards.ts';
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
  readonly #library: KernelLibrary;

  constructor(memory: RasterMemory) {
    this.#memory = memory;
    this.#library = new KernelLibrary(memory);
  }

  /** Ends earlier use of the buffers that are about to be written. */
  prepare(targets: readonly StreamOutputTarget[]): void {
    for (const target of targets) prepareWrite(target.buffer as SoftResource, false);
  }

  /** Captures the primitives of a shaded batch, as many as fit all targets. Returns how many did. */
  capture(
    batch: number,
    topology: Topology,
    description: StreamOutputDescription,
    targets: readonly SoftStreamOutputTarget[],
  ): number {
    const { u32 } = this.#memory;
    const base = batch >>> 2;
    const vertices = PRIMITIVE_VERTICES[topology];
    let primitives = u32[base + BATCH.word.primitiveCount]!;
    for (const [index, target] of targets.entries()) {
      const bytes = description.strideBytes[index]! * vertices;
      if (bytes > 0) primitives = Math.min(primitives, Math.floor(room(target) / bytes));
    }
    for (const [index, target] of targets.entries()) {
      const stride = description.strideBytes[index]!;
      if (stride === 0) continue;
      const key = `capture/${index}/${JSON.stringify(description)}`;
      const kernel = this.#library.get(key, (module) => buildCapture(module, description, index));
      const out = (target.buffer as SoftResource).storage.address + target.offsetBytes + target.writtenBytes;
      kernel['capture']!(u32[base + BATCH.word.primitives]!, primitives * vertices, out);
      target.writtenBytes += primitives * vertices * stride;
    }
    return primitives;
  }
}

/** Bytes left in the range; the buffer may be smaller than the range says. */
function room(target: SoftStreamOutputTarget): number {
  const end = Math.min(target.offsetBytes + target.sizeBytes, target.buffer.width);
  return Math.max(0, end - target.offsetBytes - target.writtenBytes);
}
