// Turns attribute state into the pipe's vertex elements and vertex buffers, and copies client arrays at each draw.

import { bytesOf } from '../base/bytes-of.ts';
import type { Format } from '../format/format.ts';
import type { VertexBuffer } from '../pipe/context.ts';
import { BIND, MAP } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import type { VertexElement } from '../pipe/state.ts';
import type { Context } from './context.ts';
import type { CurrentAttribute } from './state.ts';
import type { VertexAttribute } from './vertex-array-object.ts';
import { attributeStride } from './vertex-arrays.ts';
import { vertexElementBytes, vertexFormat } from './vertex-format.table.ts';

/** Part of `PipeState`: vertex input as it was last translated. */
export interface VertexInput {
  readonly buffers: VertexBuffer[];
  /** Arrays in client memory: which entry of `buffers` each draw must fill. */
  readonly clientArrays: { readonly attribute: VertexAttribute; readonly bufferIndex: number }[];
  /** Enabled arrays that the program reads, for range checks. */
  readonly arrays: VertexAttribute[];
  /** As last bound: most changes are of buffers and offsets, and leave the layout as it was. */
  elements: readonly (VertexElement | null)[];
  /** Holds the values of attributes without array. */
  genericBuffer: Resource | null;
  /** The generic values could not be stored. */
  outOfMemory: boolean;
}

export function createVertexInput(): VertexInput {
  return { buffers: [], clientArrays: [], arrays: [], elements: [], genericBuffer: null, outOfMemory: false };
}

const GENERIC_FORMATS: Record<CurrentAttribute['type'], Format> = {
  float: 'R32G32B32A32_FLOAT',
  int: 'R32G32B32A32_SINT',
  uint: 'R32G32B32A32_UINT',
};

/** Runs when the program, the vertex array or anything in it changed. */
export function updateVertexElements(context: Context): void {
  const { executable, states, vertexInput: input } = context.pipeState;
  if (executable === null) return;
  input.buffers.length = input.clientArrays.length = input.arrays.length = 0;
  input.outOfMemory = false;
  const mask = executable.attributeMask;
  const elements: (VertexElement | null)[] = [];
  const generic: { location: number; element: number }[] = [];
  for (let location = 0; mask >>> location !== 0; location++) {
    const attribute = context.vertexArray.attributes[location]!;
    if ((mask & (1 << location)) === 0) elements.push(null);
    else if (attribute.enabled) elements.push(arrayElement(input, attribute));
    else {
      generic.push({ location, element: elements.length });
      elements.push(null);
    }
  }
  if (generic.length > 0) addGenericValues(context, elements, generic);
  if (!sameElements(elements, input.elements)) {
    input.elements = elements;
    states.bindVertexElements({ elements });
  }
  if (input.clientArrays.length === 0) context.pipe.setVertexBuffers(input.buffers);
}

function sameElements(a: readonly (VertexElement | null)[], b: readonly (VertexElement | null)[]): boolean {
  // An empty list is also what nothing bound looks like.
  if (a.length !== b.length || a.length === 0) return false;
  for (let i = 0; i < a.length; i++) {
    const one = a[i] ?? null;
    const other = b[i] ?? null;
    if (one === other) continue;
    if (one === null || other === null) return false;
    if (
      one.bufferIndex !== other.bufferIndex ||
      one.offsetBytes !== other.offsetBytes ||
      one.format !== other.format ||
      one.instanceDivisor !== other.instanceDivisor
    )
      return false;
  }
  return true;
}

function arrayElement(input: VertexInput, attribute: VertexAttribute): VertexElement {
  const format = vertexFormat(attribute.type, attribute.size, attribute.normalized, attribute.integer);
  const strideBytes = attributeStride(attribute);
  input.arrays.push(attribute);
  if (attribute.clientArray !== null) {
    const bufferIndex = input.buffers.push({ buffer: null, offsetBytes: 0, strideBytes }) - 1;
    input.clientArrays.push({ attribute, bufferIndex });
    return { bufferIndex, offsetBytes: 0, format, instanceDivisor: attribute.divisor };
  }
  const { bufferIndex, offsetBytes } = sharedBuffer(input, attribute, strideBytes);
  return { bufferIndex, offsetBytes, format, instanceDivisor: attribute.divisor };
}

/** Interleaved arrays share one vertex buffer: hardware has few of them. */
function sharedBuffer(
  input: VertexInput,
  attribute: VertexAttribute,
  strideBytes: number,
): { bufferIndex: number; offsetBytes: number } {
  const buffer = attribute.buffer?.resource ?? null;
  const base = Math.floor(attribute.offset / strideBytes) * strideBytes;
  let bufferIndex = input.buffers.findIndex(
    (entry) => entry.buffer === buffer && entry.strideBytes === strideBytes && entry.offsetBytes === base,
  );
  if (bufferIndex < 0) bufferIndex = input.buffers.push({ buffer, offsetBytes: base, strideBytes }) - 1;
  return { bufferIndex, offsetBytes: attribute.offset - base };
}

/** Attributes without array: 16 bytes each in one small buffer that does not advance. */
function addGenericValues(
  context: Context,
  elements: (VertexElement | null)[],
  generic: readonly { location: number; element: number }[],
): void {
  const input = context.pipeState.vertexInput;
  const data = new Float32Array(generic.length * 4);
  // As words: a float copy could change the bits of a NaN, and integers may look like one.
  const words = new Uint32Array(data.buffer);
  generic.forEach(({ location }, i) => {
    words.set(context.currentAttributes[location]!.uint, i * 4);
  });
  const buffer = (input.genericBuffer ??= createGenericBuffer(context));
  const bytes = new Uint8Array(data.buffer);
  if (buffer === null || context.pipe.bufferSubdata(buffer, MAP.DISCARD_WHOLE_RESOURCE, 0, bytes) !== 'ok') {
    input.outOfMemory = true;
    return;
  }
  const bufferIndex = input.buffers.push({ buffer, offsetBytes: 0, strideBytes: 0 }) - 1;
  generic.forEach(({ location, element }, i) => {
    const format = GENERIC_FORMATS[context.currentAttributes[location]!.type];
    elements[element] = { bufferIndex, offsetBytes: i * 16, format, instanceDivisor: 0 };
  });
}

function createGenericBuffer(context: Context): Resource | null {
  return context.screen.createResource({
    target: 'buffer',
    format: 'R8_UINT',
    width: context.limits.maxVertexAttribs * 16,
    height: 1,
    depth: 1,
    arraySize: 1,
    levels: 1,
    samples: 1,
    bind: BIND.VERTEX_BUFFER,
    usage: 'dynamic',
  });
}

/**
 * Copies the client arrays for vertices `first`…`last` and `instances` instances, then hands all vertex buffers over.
 * The copy keeps each element's index (room before `first` stays unwritten), so that arrays in buffers and arrays in memory mix.
 * Returns false when there is no memory.
 */
export function uploadClientArrays(
  context: Context,
  first: number,
  last: number,
  instances: number,
  baseInstance: number,
): boolean {
  const { vertexInput: input, uploads } = context.pipeState;
  for (const { attribute, bufferIndex } of input.clientArrays) {
    const from = attribute.divisor === 0 ? first : baseInstance;
    const to = attribute.divisor === 0 ? last : baseInstance + Math.ceil(instances / attribute.divisor) - 1;
    const source = clientBytes(attribute, from, to);
    const stride = attributeStride(attribute);
    const size = Math.max(to * stride + vertexElementBytes(attribute.type, attribute.size), 16);
    const place = uploads.allocate(size);
    if (place === null || (source.byteLength > 0 && !uploads.write(place, from * stride, source))) return false;
    input.buffers[bufferIndex] = { buffer: place.buffer, offsetBytes: place.offsetBytes, strideBytes: stride };
  }
  context.pipe.setVertexBuffers(input.buffers);
  return true;
}

/** The part of a client array that elements `from`…`to` take, as far as the memory handed in goes. */
function clientBytes(attribute: VertexAttribute, from: number, to: number): Uint8Array {
  const stride = attributeStride(attribute);
  const end = to * stride + vertexElementBytes(attribute.type, attribute.size);
  return bytesOf(attribute.clientArray!).subarray(from * stride, end);
}
