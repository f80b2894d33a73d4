// Vertex elements, vertex streams and the index stream as states.

import type { DrawInfo, VertexBuffer } from '../../../src/pipe/pipe.ts';
import type { Bindings } from '../../../src/util/bindings.ts';
import { packFields, REGISTERS } from '../registers/registers.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import type { CommandStream } from './command-stream.ts';
import { type VertexFormat, vertexFormat } from './formats.table.ts';
import type { LinkedProgram } from './program.ts';
import type { EtnavivResource } from './resource.ts';
import type { EtnavivScreen } from './screen.ts';

const R = REGISTERS;

export interface Fetch {
  readonly format: VertexFormat;
  /** Index of the stream: one for each vertex buffer and divisor in use. */
  readonly stream: number;
  readonly offset: number;
}

export interface VertexStream {
  readonly buffer: BufferObject;
  readonly offsetBytes: number;
  readonly strideBytes: number;
  readonly divisor: number;
}

/** What each input of a program is fetched from. */
export interface VertexFetch {
  readonly streams: readonly VertexStream[];
  readonly fetches: readonly Fetch[];
}

const FLOAT4: VertexFormat = { type: 8, components: 4, normalize: 0, bytes: 16 };
/** Offsets within a stream have eight bits. */
const MAX_OFFSET = 256;

/** Where a draw's vertices come from, or why they can't be fetched. There may be more streams than the front end has. */
export function planVertexFetch(
  screen: EtnavivScreen,
  program: LinkedProgram,
  bindings: Bindings,
  info: DrawInfo,
  zeros: BufferObject,
): VertexFetch | string {
  const { facts } = screen;
  const streams: VertexStream[] = [];
  const fetches: Fetch[] = [];
  const streamOf = (wanted: VertexStream): number => {
    const known = streams.findIndex(
      (one) =>
        one.buffer === wanted.buffer &&
        one.offsetBytes === wanted.offsetBytes &&
        one.strideBytes === wanted.strideBytes &&
        one.divisor === wanted.divisor,
    );
    if (known >= 0) return known;
    streams.push(wanted);
    return streams.length - 1;
  };
  const elements = bindings.vertexElements?.description.elements ?? [];
  for (const { slot } of program.vertex.compiled.inputs) {
    const element = elements[Number(slot.slice('attribute'.length))];
    const bound: VertexBuffer | undefined = element ? bindings.vertexBuffers[element.bufferIndex] : undefined;
    if (!element || !bound?.buffer) {
      fetches.push({
        format: FLOAT4,
        stream: streamOf({ buffer: zeros, offsetBytes: 0, strideBytes: 0, divisor: 0 }),
        offset: 0,
      });
      continue;
    }
    const format = vertexFormat(element.format, facts.halti);
    if (!format) return `${screen.name} can't fetch vertices of format ${element.format}`;
    if (element.instanceDivisor > 0 && !screen.caps.instancing) return `${screen.name} has no instancing`;
    // A far element gets a stream of its own that begins at it.
    const isFar = element.offsetBytes + format.bytes >= MAX_OFFSET;
    const first = element.instanceDivisor === 0 && info.indexBuffer !== null ? info.baseVertex * bound.strideBytes : 0;
    const wanted = {
      buffer: (bound.buffer as EtnavivResource).base.buffer,
      offsetBytes: bound.offsetBytes + first + (isFar ? element.offsetBytes : 0),
      strideBytes: bound.strideBytes,
      divisor: element.instanceDivisor,
    };
    fetches.push({ format, stream: streamOf(wanted), offset: isFar ? 0 : element.offsetBytes });
  }
  if (fetches.length === 0) {
    fetches.push({
      format: FLOAT4,
      stream: streamOf({ buffer: zeros, offsetBytes: 0, strideBytes: 0, divisor: 0 }),
      offset: 0,
    });
  }
  return { streams, fetches };
}

export function emitVertexFetch(stream: CommandStream, screen: EtnavivScreen, { streams, fetches }: VertexFetch): void {
  emitElements(stream, screen.facts.halti, fetches);
  emitStreams(stream, screen.facts.halti, screen.winsys.core.limits.streams, streams);
}

function emitElements(stream: CommandStream, halti: number, fetches: readonly Fetch[]): void {
  for (const [index, { format, stream: source, offset }] of fetches.entries()) {
    const next = fetches[index + 1];
    const end = offset + format.bytes;
    const isLast = !next || next.stream !== source || next.offset !== end;
    const common = {
      TYPE: format.type,
      STREAM: source,
      NUM: format.components & 3,
      NORMALIZE: format.normalize,
      START: offset,
    };
    if (halti >= 5) {
      stream.set(R.NFE_GENERIC_ATTRIB_CONFIG0, packFields(R.NFE_GENERIC_ATTRIB_CONFIG0, common), index);
      stream.setFloat(R.NFE_GENERIC_ATTRIB_SCALE, 1, index);
      const rest = packFields(R.NFE_GENERIC_ATTRIB_CONFIG1, { END: end, NONCONSECUTIVE: isLast });
      stream.set(R.NFE_GENERIC_ATTRIB_CONFIG1, rest, index);
    } else {
      const word = packFields(R.FE_VERTEX_ELEMENT_CONFIG, { ...common, END: end, NONCONSECUTIVE: isLast });
      stream.set(R.FE_VERTEX_ELEMENT_CONFIG, word, index);
      if (halti >= 2) stream.setFloat(R.FE_GENERIC_ATTRIB_SCALE, 1, index);
    }
  }
}

function emitStreams(stream: CommandStream, halti: number, count: number, streams: readonly VertexStream[]): void {
  for (const [index, { buffer, offsetBytes, strideBytes, divisor }] of streams.entries()) {
    if (halti >= 2) {
      stream.setBuffer(R.NFE_VERTEX_STREAMS_BASE_ADDR, buffer, offsetBytes, false, index);
      stream.set(R.NFE_VERTEX_STREAMS_CONTROL, strideBytes, index);
      stream.set(R.NFE_VERTEX_STREAMS_VERTEX_DIVISOR, divisor, index);
    } else if (count > 1) {
      stream.setBuffer(R.FE_VERTEX_STREAMS_BASE_ADDR, buffer, offsetBytes, false, index);
      stream.set(R.FE_VERTEX_STREAMS_CONTROL, strideBytes, index);
    } else {
      stream.setBuffer(R.FE_VERTEX_STREAM_BASE_ADDR, buffer, offsetBytes, false);
      stream.set(R.FE_VERTEX_STREAM_CONTROL, strideBytes);
    }
  }
}

const INDEX_TYPES: Readonly<Record<number, number>> = { 1: 0, 2: 1, 4: 2 };

export function emitIndexStream(
  stream: CommandStream,
  buffer: BufferObject,
  offsetBytes: number,
  info: Pick<DrawInfo, 'indexSize' | 'primitiveRestart' | 'restartIndex'>,
): void {
  stream.setBuffer(R.FE_INDEX_STREAM_BASE_ADDR, buffer, offsetBytes, false);
  stream.set(
    R.FE_INDEX_STREAM_CONTROL,
    packFields(R.FE_INDEX_STREAM_CONTROL, {
      TYPE: INDEX_TYPES[info.indexSize]!,
      PRIMITIVE_RESTART: info.primitiveRestart,
    }),
  );
  stream.set(R.FE_PRIMITIVE_RESTART_INDEX, info.primitiveRestart ? info.restartIndex >>> 0 : 0);
}
