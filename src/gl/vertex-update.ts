// Turns attribute state into the pipe's vertex elements and vertex buffers, and copies client arrays at each draw.

import { bytesOf } from '../base/bytes-of.ts';
import type { Format } from '../format/format.ts';
import type { VertexBuffer } from '../pipe/context.ts';
import { BIND, MAP } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import type { VertexElement, VertexElementsDescription } from '../pipe/state.ts';
import type { Context } from './context.ts';
import type { CurrentAttribute } from './state.ts';
import type { VertexAttribute } from './vertex-array-object.ts';
import { attributeStride } from './vertex-arrays.ts';
import { vertexElementBytes, vertexFormat } from './vertex-format.table.ts';

/** What a vertex array is to the pipe, for programs that read the same attributes. The vertex array keeps it until it changes. */
export interface VertexLayout {
  /** Attributes that are read, and `context.bufferEpoch`, when it was made. */
  readonly attributeMask: number;
  readonly bufferEpoch: number;
  readonly buffers: VertexBuffer[];
  /** Arrays in client memory: which entry of `buffers` each draw must fill. */
  readonly clientArrays: { readonly attribute: VertexAttribute; readonly bufferIndex: number }[];
  /** The object of the layout before it, when it is the same: most changes are of buffers and offsets. */
  description: VertexElementsDescription;
}

/** Part of `PipeState`: vertex input as it was last translated. */
export interface VertexInput {
  layout: VertexLayout;
  /** Holds the values of attributes without array. */
  genericBuffer: Resource | null;
  /** The generic values could not be stored. */
  outOfMemory: boolean;
}

export function createVertexInput(): VertexInput {
  return { layout: createLayout(0, 0, { elements: [] }), genericBuffer: null, outOfMemory: false };
}

function createLayout(
  attributeMask: number,
  bufferEpoch: number,
  description: VertexElementsDescription,
): VertexLayout {
  return { attributeMask, bufferEpoch, buffers: [], clientArrays: [], description };
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
  const { attributeMask } = executable;
  let { layout } = context.vertexArray;
  if (layout?.attributeMask !== attributeMask || layout.bufferEpoch !== context.bufferEpoch) {
    input.outOfMemory = false;
    layout = layOut(context, attributeMask);
  }
  input.layout = layout;
  states.bindVertexElements(layout.description);
  if (layout.clientArrays.length === 0) context.pipe.setVertexBuffers(layout.buffers);
}

function layOut(context: Context, attributeMask: number): VertexLayout {
  const { vertexArray, pipeState } = context;
  const before = pipeState.vertexInput.layout.description;
  const layout = createLayout(attributeMask, context.bufferEpoch, before);
  const elements: (VertexElement | null)[] = [];
  const generic: { location: number; element: number }[] = [];
  for (let location = 0; attributeMask >>> location !== 0; location++) {
    const attribute = vertexArray.attributes[location]!;
    if ((attributeMask & (1 << location)) === 0) elements.push(null);
    else if (attribute.enabled) elements.push(arrayElement(layout, attribute));
    else {
      generic.push({ location, element: elements.length });
      elements.push(null);
    }
  }
  if (generic.length > 0) addGenericValues(context, layout, elements, generic);
  if (!sameElements(elements, before.elements)) layout.description = { elements };
  // The buffer of generic values serves all vertex arrays in turn.
  vertexArray.layout = generic.length > 0 ? null : layout;
  return layout;
}

function sameElements(a: readonly (VertexElement | null)[], b: readonly (VertexElement | null)[]): boolean {
  if (a.length !== b.length) return false;
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

function arrayElement(layout: VertexLayout, attribute: VertexAttribute): VertexElement {
  const format = vertexFormat(attribute.type, attribute.size, attribute.normalized, attribute.integer);
  const strideBytes = attributeStride(attribute);
  if (attribute.clientArray !== null) {
    const bufferIndex = layout.buffers.push({ buffer: null, offsetBytes: 0, strideBytes }) - 1;
    layout.clientArrays.push({ attribute, bufferIndex });
    return { bufferIndex, offsetBytes: 0, format, instanceDivisor: attribute.divisor };
  }
  const { bufferIndex, offsetBytes } = sharedBuffer(layout, attribute, strideBytes);
  return { bufferIndex, offsetBytes, format, instanceDivisor: attribute.divisor };
}

/** Interleaved arrays share one vertex buffer: hardware has few of them. */
function sharedBuffer(
  { buffers }: VertexLayout,
  attribute: VertexAttribute,
  strideBytes: number,
): { bufferIndex: number; offsetBytes: number } {
  const buffer = attribute.buffer?.resource ?? null;
  const base = Math.floor(attribute.offset / strideBytes) * strideBytes;
  let bufferIndex = buffers.findIndex(
    (entry) => entry.buffer === buffer && entry.strideBytes === strideBytes && entry.offsetBytes === base,
  );
  if (bufferIndex < 0) bufferIndex = buffers.push({ buffer, offsetBytes: base, strideBytes }) - 1;
  return { bufferIndex, offsetBytes: attribute.offset - base };
}

/** Attributes without array: 16 bytes each in one small buffer that does not advance. */
function addGenericValues(
  context: Context,
  layout: VertexLayout,
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
  const bufferIndex = layout.buffers.push({ buffer, offsetBytes: 0, strideBytes: 0 }) - 1;
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
  const { vertexInput, uploads } = context.pipeState;
  const { layout } = vertexInput;
  for (const { attribute, bufferIndex } of layout.clientArrays) {
    const from = attribute.divisor === 0 ? first : baseInstance;
    const to = attribute.divisor === 0 ? last : baseInstance + Math.ceil(instances / attribute.divisor) - 1;
    const source = clientBytes(attribute, from, to);
    const stride = attributeStride(attribute);
    const size = Math.max(to * stride + vertexElementBytes(attribute.type, attribute.size), 16);
    const place = uploads.allocate(size);
    if (place === null || (source.byteLength > 0 && !uploads.write(place, from * stride, source))) return false;
    layout.buffers[bufferIndex] = { buffer: place.buffer, offsetBytes: place.offsetBytes, strideBytes: stride };
  }
  context.pipe.setVertexBuffers(layout.buffers);
  return true;
}

/** The part of a client array that elements `from`…`to` take, as far as the memory handed in goes. */
function clientBytes(attribute: VertexAttribute, from: number, to: number): Uint8Array {
  const stride = attributeStride(attribute);
  const end = to * stride + vertexElementBytes(attribute.type, attribute.size);
  return bytesOf(attribute.clientArray!).subarray(from * stride, end);
}
