// vertex_arrays: attributes of every type, size, stride, offset and storage, one value a quad or vertex.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { makeBuffer } from '../../harness/draw.ts';
import { buildProgram } from '../../harness/program.ts';
import {
  elementBytes,
  INPUT_TYPES,
  type InputType,
  largestValue,
  randomRaw,
  shaderValue,
  writeElement,
} from '../../reference/vertex-data.ts';

const SURFACE = { width: 32, height: 32, depth: false, stencil: false };

interface AttributeSpec {
  readonly type: InputType;
  readonly components: number;
  readonly output: string;
  readonly isNormalized?: boolean;
  readonly stride: number;
  readonly offset: number;
  readonly storage: 'buffer' | 'user_ptr';
  readonly usage?: string;
}

interface Filled {
  readonly memory: Uint8Array;
  /** Raw components of each element. */
  readonly raw: readonly (readonly number[])[];
}

function fill(t: CaseContext, spec: AttributeSpec, count: number): Filled {
  const size = elementBytes(spec.type, spec.components);
  const step = spec.stride === 0 ? size : spec.stride;
  const memory = new Uint8Array(spec.offset + step * (count - 1) + size);
  for (let at = 0; at < memory.length; at++) memory[at] = t.random.int(0, 255);
  const view = new DataView(memory.buffer);
  const raw: number[][] = [];
  // Elements may overlap when the stride is smaller than an element: the reference reads back what is there.
  for (let quad = 0; quad < count / 6; quad++) {
    const value = Array.from({ length: spec.components }, (_, component) => randomRaw(t.random, spec.type, component));
    for (let vertex = 0; vertex < 6; vertex++) raw.push(value);
  }
  for (const [index, value] of raw.entries()) writeElement(view, spec.offset + index * step, spec.type, value);
  return { memory, raw };
}

function point(t: CaseContext, location: number, spec: AttributeSpec, memory: Uint8Array): void {
  const { gl } = t;
  const isInteger = /^[iu]vec/.test(spec.output);
  let pointer: Uint8Array | number = spec.offset;
  if (spec.storage === 'buffer') {
    makeBuffer(t, gl.GL_ARRAY_BUFFER, memory);
    if (spec.usage !== undefined) {
      const constants = gl as unknown as Record<string, number>;
      gl.glBufferData(gl.GL_ARRAY_BUFFER, memory.byteLength, memory, constants[`GL_${spec.usage.toUpperCase()}`]!);
    }
  } else {
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0);
    pointer = memory.subarray(spec.offset);
  }
  const type = INPUT_TYPES[spec.type].gl;
  gl.glEnableVertexAttribArray(location);
  if (isInteger) gl.glVertexAttribIPointer(location, spec.components, type, spec.stride, pointer);
  else gl.glVertexAttribPointer(location, spec.components, type, spec.isNormalized ?? false, spec.stride, pointer);
}

/** A shader expression that maps an attribute of any type to a vec4 in 0..1, and the same for the reference. */
function mapping(spec: AttributeSpec): {
  glsl: (name: string) => string;
  reference: (raw: readonly number[]) => number[];
} {
  const size = Number(spec.output.slice(-1));
  const isNormalized = spec.isNormalized ?? false;
  const scales = [0, 1, 2, 3].map((component) =>
    component < spec.components ? 0.5 / largestValue(spec.type, component, isNormalized) : 0.5,
  );
  const glsl = (name: string) => {
    const parts = [0, 1, 2, 3].map((at) => (at < size ? `float(${name}.${'xyzw'[at]})` : at === 3 ? '1.0' : '0.0'));
    return `vec4(${parts.join(', ')}) * vec4(${scales.map((scale) => scale.toExponential(9)).join(', ')}) + 0.5`;
  };
  const reference = (raw: readonly number[]) =>
    [0, 1, 2, 3].map((component) => {
      const isGiven = component < Math.min(spec.components, size);
      // Missing components of an attribute are 0, 0, 0, 1; those that the shader's type lacks we add alike.
      const value = isGiven
        ? shaderValue(spec.type, raw[component]!, component, isNormalized)
        : component === 3
          ? 1
          : 0;
      return value * scales[component]! + 0.5;
    });
  return { glsl, reference };
}

function quadPositions(quads: number): { positions: Float32Array; columns: number } {
  const columns = Math.ceil(Math.sqrt(quads));
  const positions: number[] = [];
  for (let quad = 0; quad < quads; quad++) {
    const [i, j] = [quad % columns, Math.floor(quad / columns)];
    const [l, b, r, u] = [i, j, i + 1, j + 1].map((k) => (k / columns) * 2 - 1);
    positions.push(l!, b!, r!, b!, l!, u!, l!, u!, r!, b!, r!, u!);
  }
  return { positions: Float32Array.from(positions), columns };
}

function runAttributes(t: CaseContext, specs: readonly AttributeSpec[], quads: number, first = 0): void {
  const { gl, width, height } = t;
  const maps = specs.map(mapping);
  const attributes: Record<string, string> = { a_position: 'highp vec2' };
  for (const [index, spec] of specs.entries()) attributes[`a_${index}`] = `highp ${spec.output}`;
  const share = 1 / specs.length;
  const sum = maps.map(({ glsl }, index) => `(${glsl(`a_${index}`)}) * ${share.toFixed(8)}`).join(' + ');
  buildProgram(t, {
    attributes,
    varyings: { v_color: 'highp vec4' },
    vertex: `gl_Position = vec4(a_position, 0.0, 1.0); v_color = ${sum};`,
    fragment: 'o_color = v_color;',
  });
  const count = quads * 6;
  const { positions, columns } = quadPositions(quads);
  const shifted = new Float32Array(positions.length + first * 2);
  shifted.set(positions, first * 2);
  makeBuffer(t, gl.GL_ARRAY_BUFFER, shifted);
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
  // Elements before `first` must not be read as if they were the first ones.
  const filled = specs.map((spec) => fill(t, spec, count + Math.ceil(first / 6) * 6));
  for (const [index, spec] of specs.entries()) point(t, index + 1, spec, filled[index]!.memory);
  gl.glClearColor(0, 0, 0, 0);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glDrawArrays(gl.GL_TRIANGLES, first, count);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const quad = Math.floor(((y + 0.5) * columns) / height) * columns + Math.floor(((x + 0.5) * columns) / width);
      if (quad >= quads) continue;
      const color = [0, 0, 0, 0];
      for (const [index, { reference }] of maps.entries())
        for (const [channel, value] of reference(filled[index]!.raw[first + quad * 6]!).entries())
          color[channel]! += value * share;
      data.set(
        color.map((value) => Math.round(Math.min(Math.max(value, 0), 1) * 255)),
        (y * width + x) * 4,
      );
    }
  const ignore = new Uint8Array(width * height);
  // Cells of 5 quads do not end on whole pixels.
  for (let pixel = 0; pixel < ignore.length; pixel++) {
    const [x, y] = [((pixel % width) + 0.5) * columns, (Math.floor(pixel / width) + 0.5) * columns].map(
      (at) => (at / width) % 1,
    );
    if (Math.min(x!, 1 - x!, y!, 1 - y!) < 0.01) ignore[pixel] = 1;
  }
  // GLES 2 may map signed integers by (2c+1)/(2^b-1): one step of 8 bits apart from the other rule.
  t.comparePicture(t.readPixels(), { width, height, data }, { tolerance: t.api === 2 ? 2 : 1, ignore });
}

const ES2_TYPES: readonly InputType[] = ['float', 'fixed', 'byte', 'short', 'unsigned_byte', 'unsigned_short'];
const ES3_TYPES: readonly InputType[] = [...ES2_TYPES, 'int', 'unsigned_int', 'half'];
const PACKED: readonly InputType[] = ['int2_10_10_10', 'usigned_int2_10_10_10'];

function plain(type: InputType, components: number, output: string, more: Partial<AttributeSpec> = {}): AttributeSpec {
  return { type, components, output, stride: 0, offset: 0, storage: 'buffer', ...more };
}

function* singleAttributeEs2(): Generator<CaseDefinition> {
  const make = (group: string, quads: number, spec: AttributeSpec): CaseDefinition => {
    const normalized = spec.isNormalized ? '_normalized' : '';
    const name = `${spec.storage}_${spec.offset}_${spec.stride}_${spec.type}${spec.components}${normalized}_${spec.output}_${spec.usage ?? 'dynamic_draw'}_quads_${quads}`;
    return functionalCase(
      2,
      `vertex_arrays.single_attribute.${group}.${name}`,
      (t) => runAttributes(t, [spec], quads),
      SURFACE,
    );
  };
  for (const type of ES2_TYPES)
    for (const quads of [1, 256]) {
      for (const components of [2, 3, 4]) {
        yield make('normalize', quads, plain(type, components, 'vec4', { isNormalized: true, storage: 'user_ptr' }));
        for (const output of ['vec2', 'vec3', 'vec4'])
          yield make('output_types', quads, plain(type, components, output, { storage: 'user_ptr' }));
      }
    }
  yield* stridesAndOffsets(make);
}

type MakeSingle = (group: string, quads: number, spec: AttributeSpec) => CaseDefinition;

/** Alignments that GLES asks for: a multiple of the component's size. */
function isAligned(type: InputType, bytes: number): boolean {
  return bytes % INPUT_TYPES[type].bytes === 0;
}

function* stridesAndOffsets(make: MakeSingle): Generator<CaseDefinition> {
  for (const quads of [1, 256]) {
    for (const type of ['float', 'fixed', 'short', 'byte'] as const) {
      for (const components of [2, 3, 4])
        for (const stride of [elementBytes(type, components), 17, 32])
          if (isAligned(type, stride)) yield make('strides', quads, plain(type, components, 'vec4', { stride }));
      for (const usage of ['static_draw', 'stream_draw', 'dynamic_draw'])
        for (const stride of [0, elementBytes(type, 2), 17, 32])
          if (isAligned(type, stride)) yield make('usages', quads, plain(type, 2, 'vec2', { stride, usage }));
      for (const offset of type === 'short' ? [] : [1, 4, 17, 32])
        for (const stride of [elementBytes(type, 2), 17, 32])
          if (isAligned(type, stride) && isAligned(type, offset))
            yield make('offset', quads, plain(type, 2, 'vec2', { stride, offset }));
    }
  }
}

function* firstCases(api: 2 | 3): Generator<CaseDefinition> {
  const types: readonly InputType[] = api === 2 ? ['byte', 'fixed', 'float'] : ['byte', 'float', 'int2_10_10_10'];
  for (const type of types)
    for (const first of [6, 24])
      for (const offset of [1, 16, 17])
        for (const stride of [type === 'byte' ? 2 : 8, 17, 32])
          for (const quads of [5, 256]) {
            const components = type === 'int2_10_10_10' ? 4 : 2;
            if (!isAligned(type, stride) || !isAligned(type, offset) || stride < elementBytes(type, components))
              continue;
            const spec = plain(type, components, components === 4 ? 'vec4' : 'vec2', { stride, offset });
            const name = `first${first}_offset${offset}_stride${stride}_quads${quads}`;
            const path = `vertex_arrays.single_attribute.first.${api === 2 ? `${type}_` : `${type}.`}${name}`;
            yield functionalCase(api, path, (t) => runAttributes(t, [spec], quads, first), SURFACE);
          }
}

function* singleAttributeEs3(): Generator<CaseDefinition> {
  const make = (path: string, quads: number, spec: AttributeSpec) =>
    functionalCase(
      3,
      `vertex_arrays.single_attribute.${path}_quads${quads}`,
      (t) => runAttributes(t, [spec], quads),
      SURFACE,
    );
  for (const quads of [1, 256]) {
    for (const type of [...ES3_TYPES, ...PACKED])
      for (const components of PACKED.includes(type) ? [4] : [2, 3, 4]) {
        yield make(
          `normalize.${type}.components${components}`,
          quads,
          plain(type, components, 'vec4', { isNormalized: true, storage: 'user_ptr' }),
        );
        const { isInteger, isSigned, isPacked } = INPUT_TYPES[type];
        const outputs = ['vec2', 'vec3', 'vec4'];
        if (isInteger && !isPacked) outputs.push(...outputs.map((output) => (isSigned ? 'i' : 'u') + output));
        for (const output of outputs)
          yield make(
            `output_types.${type}.components${components}_${output}`,
            quads,
            plain(type, components, output, { storage: 'user_ptr' }),
          );
      }
    for (const type of ['float', 'fixed', 'short', 'byte', 'int2_10_10_10'] as const) {
      const sizes = type === 'int2_10_10_10' ? [4] : [2, 3, 4];
      for (const storage of ['buffer', 'user_ptr'] as const)
        for (const components of sizes)
          for (const stride of [type === 'int2_10_10_10' ? 16 : elementBytes(type, components), 17, 32])
            if (storage === 'user_ptr' || isAligned(type, stride))
              yield make(
                `strides.${type}.${storage}_stride${stride}_components${components}`,
                quads,
                plain(type, components, 'vec4', { stride, storage }),
              );
    }
    for (const usage of ['static', 'stream', 'dynamic'].flatMap((a) =>
      ['draw', 'read', 'copy'].map((b) => `${a}_${b}`),
    ))
      for (const type of ['float', 'fixed', 'short', 'byte'] as const)
        for (const stride of [0, elementBytes(type, 2), 17, 32])
          if (isAligned(type, stride))
            yield make(`usages.${usage}.stride${stride}_${type}`, quads, plain(type, 2, 'vec2', { stride, usage }));
    for (const type of ['byte', 'float', 'int2_10_10_10'] as const)
      for (const offset of [1, 4, 17, 32])
        for (const stride of [type === 'byte' ? 2 : type === 'float' ? 8 : 4, 17, 32]) {
          const components = type === 'int2_10_10_10' ? 4 : 2;
          if (isAligned(type, stride) && isAligned(type, offset))
            yield make(
              `offset.${type}.offset${offset}_stride${stride}`,
              quads,
              plain(type, components, components === 4 ? 'vec4' : 'vec2', { stride, offset }),
            );
        }
  }
}

function* multipleAttributes(api: 2 | 3): Generator<CaseDefinition> {
  const make = (path: string, specs: readonly AttributeSpec[]) =>
    functionalCase(api, `vertex_arrays.multiple_attributes.${path}`, (t) => runAttributes(t, specs, 64), SURFACE);
  for (const count of [2, 3, 4, 5, 6, 7, 8])
    yield make(
      `attribute_count.${count}`,
      Array.from({ length: count }, () => plain('float', 4, 'vec4')),
    );
  const storages = ['buffer', 'user_ptr'] as const;
  for (const a of storages)
    for (const b of storages)
      for (const c of storages)
        if (a === 'buffer' || b === 'buffer' || c === 'buffer')
          yield make(
            `storage.3_${a}_${b}_${c}`,
            [a, b, c].map((storage) => plain('float', 2, 'vec2', { storage })),
          );
  const strides = [0, 8, 17, 32];
  for (const a of strides)
    for (const b of strides)
      for (const c of strides)
        yield make(
          `stride.3_float2_${a}_float2_${b}_float2_${c}`,
          [a, b, c].map((stride) =>
            plain('float', 2, 'vec2', { stride, storage: stride === 17 ? 'user_ptr' : 'buffer' }),
          ),
        );
  const types: readonly InputType[] = ['byte', 'fixed', 'short', 'unsigned_byte', 'unsigned_short'];
  for (const a of types)
    for (const b of types)
      for (const c of types)
        yield make(
          `input_types.3_${a}2_vec2_${b}2_vec2_${c}2_vec2`,
          [a, b, c].map((type) => plain(type, 2, 'vec2')),
        );
}

export function* vertexArrayCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* api === 2 ? singleAttributeEs2() : singleAttributeEs3();
  yield* firstCases(api);
  yield* multipleAttributes(api);
}
