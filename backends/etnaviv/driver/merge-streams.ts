// Draws that read more vertex buffers than the front end has streams: the last ones are copied into one, side by side.

import type { DrawInfo } from '../../../src/pipe/pipe.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import { indexReader } from './assemble-primitives.ts';
import type { EtnavivResource } from './resource.ts';
import type { EtnavivScreen } from './screen.ts';
import type { Fetch, VertexFetch, VertexStream } from './vertex-fetch.ts';

/** The CPU writes whole words. */
const GRAIN = 4;

interface Part {
  readonly source: VertexStream;
  readonly from: number;
  readonly bytes: number;
  readonly to: number;
}

/** The same fetch with at most `most` streams, of which the last is `merged`. Null: out of memory. */
export function mergeStreams(
  screen: EtnavivScreen,
  info: DrawInfo,
  { streams, fetches }: VertexFetch,
  most: number,
): (VertexFetch & { readonly merged: BufferObject }) | null {
  const last = most - 1;
  const parts: Part[] = [];
  let strideBytes = 0;
  const moved = fetches.map((fetch): Fetch => {
    if (fetch.stream < last) return fetch;
    const to = strideBytes;
    const { bytes } = fetch.format;
    strideBytes += Math.ceil(bytes / GRAIN) * GRAIN;
    parts.push({ source: streams[fetch.stream]!, from: fetch.offset, bytes, to });
    return { ...fetch, stream: last, offset: to };
  });
  const vertices = vertexCount(screen, info, parts);
  const merged = screen.createBuffer(Math.max(1, vertices * strideBytes));
  if (!merged) return null;
  for (const { source } of parts) screen.prepareBuffer(source.buffer, false);
  for (const part of parts) {
    const copy = copyOf(part, vertices);
    // Mapped after the source: the map of one buffer may end that of another.
    const target = merged.map();
    const { bytes, to } = part;
    for (let vertex = 0; vertex < vertices; vertex++) {
      target.set(copy.subarray(vertex * bytes, (vertex + 1) * bytes), vertex * strideBytes + to);
    }
  }
  for (const { source } of parts) screen.winsys.finish(source.buffer);
  screen.winsys.finish(merged);
  const kept = streams.slice(0, last);
  return { streams: [...kept, { buffer: merged, offsetBytes: 0, strideBytes, divisor: 0 }], fetches: moved, merged };
}

/** One element of all vertices, tightly; zeros behind the end of its buffer. */
function copyOf({ source, from, bytes }: Part, vertices: number): Uint8Array {
  const data = source.buffer.map();
  const copy = new Uint8Array(vertices * bytes);
  let at = source.offsetBytes + from;
  for (let vertex = 0; vertex < vertices && at < data.length; vertex++, at += source.strideBytes) {
    copy.set(data.subarray(at, at + bytes), vertex * bytes);
  }
  return copy;
}

/** Vertices from the first to the last that the draw reads, as far as any buffer has them. */
function vertexCount(screen: EtnavivScreen, info: DrawInfo, parts: readonly Part[]): number {
  let held = 1;
  for (const { source, from } of parts) {
    if (source.strideBytes === 0) continue;
    const available = source.buffer.sizeBytes - source.offsetBytes - from;
    held = Math.max(held, Math.ceil(available / source.strideBytes));
  }
  if (!info.indexBuffer) return Math.min(held, info.start + info.count);
  const { base, width } = info.indexBuffer as EtnavivResource;
  screen.prepareBuffer(base.buffer, false);
  const reader = indexReader(info, width, () => base.buffer.map());
  const indices = new Uint32Array(reader.count);
  reader.read(0, indices);
  screen.winsys.finish(base.buffer);
  let largest = 0;
  for (const index of indices) {
    if (index > largest && !(info.primitiveRestart && index === info.restartIndex >>> 0)) largest = index;
  }
  return Math.min(held, largest + 1);
}
