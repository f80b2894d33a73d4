// Runs one recorded case on a fresh simulated GPU and reads its pictures back.

import { isFormat } from '../../../src/format/format.ts';
import { unpackRgba } from '../../../src/format/unpack.ts';
import { coreInfo, findCore } from '../hwdb/core-info.ts';
import type { Counters } from '../sim/counters.ts';
import { SimulatedGpu } from '../sim/gpu.ts';
import type { MappedBuffer } from '../sim/memory.ts';
import { loadCase, loadSubmit, type RecordedCase, type RecordedImage } from './recording.ts';

/** RGBA8, top row first. */
export interface Picture {
  readonly k: number;
  readonly image: RecordedImage;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface ReplayResult {
  readonly recorded: RecordedCase;
  readonly pictures: readonly Picture[];
  readonly notices: readonly string[];
  /** What stopped a submit, with its number. */
  readonly error: string | null;
  readonly counters: Counters & { readonly estimatedCycles: number };
}

export function replayCase(folder: string): ReplayResult {
  const recorded = loadCase(folder);
  const { model, revision, product_id, customer_id, eco_id } = recorded.gpu;
  const identity = {
    model: Number(model),
    revision: Number(revision),
    productId: Number(product_id),
    customerId: Number(customer_id),
    ecoId: Number(eco_id),
  };
  const core = findCore(identity);
  if (!core) throw new Error(`the hardware database has no core ${model} revision ${revision}`);
  const gpu = new SimulatedGpu(coreInfo(core, identity));
  try {
    return runCase(folder, recorded, gpu);
  } finally {
    gpu.destroy();
  }
}

function runCase(folder: string, recorded: RecordedCase, gpu: SimulatedGpu): ReplayResult {
  /** Memory of every buffer seen so far, by id. */
  const memory = new Map<number, number>();
  const pictures: Picture[] = [];
  const notices: string[] = [];
  let error: string | null = null;
  for (let index = 0; index < recorded.submits && error === null; index++) {
    const { submit, binary } = loadSubmit(folder, index);
    const buffers: MappedBuffer[] = submit.bos.map(({ bo, addr, size }) => {
      let address = memory.get(bo);
      if (address === undefined) memory.set(bo, (address = gpu.memory.allocate(size)));
      return { gpuAddress: Number(addr), sizeBytes: size, address };
    });
    for (const [bo, offset, length, at] of submit.updates) {
      gpu.memory.raster.u8.set(binary.subarray(at, at + length), memory.get(bo)! + offset);
    }
    gpu.mapBuffers(buffers);
    for (const [place, buffer] of buffers.entries()) {
      const { bo } = submit.bos[place]!;
      if (submit.updates.some(([updated]) => updated === bo)) gpu.invalidate(buffer);
    }
    const words = new Uint32Array(submit.stream.words);
    const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
    for (let word = 0; word < words.length; word++) words[word] = view.getUint32(submit.stream.at + word * 4, true);
    const result = gpu.submit(words);
    notices.push(...result.notices);
    if (result.error) {
      const { offset, word } = result.position!;
      error = `submit ${index}, offset ${offset}, word 0x${word.toString(16).padStart(8, '0')}: ${result.error.message}`;
    }
    for (const image of recorded.images) {
      if (image.readback?.after_submit === index) {
        pictures.push(readPicture(gpu, memory, image, recorded.target.startsWith('pbuffer')));
      }
    }
  }
  const counters = { ...gpu.counters, estimatedCycles: gpu.cycles };
  return { recorded, pictures, notices, error, counters };
}

/** Formats of readbacks as names of src/format. glReadPixels gives sRGB pixels as they are stored. */
function formatName(name: string): string {
  return name.toUpperCase().replace('_SRGB', '_UNORM');
}

function readPicture(
  gpu: SimulatedGpu,
  memory: ReadonlyMap<number, number>,
  image: RecordedImage,
  isTopFirst: boolean,
): Picture {
  const { bo, format, stride, level_offset, box_xywh: box } = image.readback!;
  const [x, y, width, height] = box;
  const name = formatName(format);
  if (!isFormat(name)) throw new Error(`readback format ${format}`);
  const start = memory.get(bo)! + level_offset;
  const pixels = new Float32Array(width * height * 4);
  const bytesPerPixel = BYTES[format] ?? 4;
  unpackRgba(
    name,
    pixels,
    0,
    width * 4,
    gpu.memory.raster.u8,
    start + y * stride + x * bytesPerPixel,
    stride,
    width,
    height,
  );
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = (isTopFirst ? row : height - 1 - row) * width * 4;
    for (let i = 0; i < width * 4; i++) {
      data[row * width * 4 + i] = Math.round(Math.min(Math.max(pixels[from + i]!, 0), 1) * 255);
    }
  }
  return { k: image.k, image, width, height, data };
}

const BYTES: Readonly<Record<string, number>> = {
  b5g6r5_unorm: 2,
  b5g5r5a1_unorm: 2,
  r8_unorm: 1,
  r8g8_unorm: 2,
};
