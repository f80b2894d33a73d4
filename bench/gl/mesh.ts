// A list of triangles in vertex buffers, drawn the way glmark2 draws: no indices, each attribute set for each draw.

import type { Gl } from '../scene.ts';

export interface MeshAttribute {
  readonly size: number;
  readonly data: Float32Array;
}

export interface MeshOptions {
  /** One buffer for all attributes instead of one for each. */
  readonly interleave?: boolean;
  /**
   * False specifies the vertices anew for every draw, as an implementation must do with vertex arrays in the
   * client's memory; WebGL has no such arrays.
   */
  readonly isBuffered?: boolean;
  readonly usage?: number;
}

export interface Mesh {
  readonly vertices: number;
  /** Where each attribute goes; -1 for one the program does not have. */
  setLocations(locations: readonly number[]): void;
  draw(): void;
  /** Copies a range of vertices from the attributes' arrays to the buffers. */
  update(first: number, count: number): void;
  dispose(): void;
}

/** One block of data in a buffer: an attribute alone, or all attributes of the vertices in turn. */
interface Block {
  readonly buffer: WebGLBuffer;
  readonly floats: number;
  readonly data: Float32Array;
}

function interleaved(attributes: readonly MeshAttribute[], first: number, count: number, out: Float32Array): void {
  const stride = attributes.reduce((sum, { size }) => sum + size, 0);
  let offset = 0;
  for (let index = 0; index < attributes.length; index++) {
    const { size, data } = attributes[index]!;
    for (let vertex = first; vertex < first + count; vertex++) {
      for (let part = 0; part < size; part++) out[vertex * stride + offset + part] = data[vertex * size + part]!;
    }
    offset += size;
  }
}

export function createMesh(gl: Gl, attributes: readonly MeshAttribute[], options: MeshOptions = {}): Mesh {
  const { interleave = false, isBuffered = true, usage = gl.STATIC_DRAW } = options;
  const vertices = attributes[0]!.data.length / attributes[0]!.size;
  const isWebgl2 = 'texStorage2D' in gl;
  const strideFloats = attributes.reduce((sum, { size }) => sum + size, 0);
  const blocks: Block[] = [];
  if (interleave) {
    const data = new Float32Array(vertices * strideFloats);
    interleaved(attributes, 0, vertices, data);
    blocks.push({ buffer: gl.createBuffer()!, floats: strideFloats, data });
  } else {
    for (const { size, data } of attributes) blocks.push({ buffer: gl.createBuffer()!, floats: size, data });
  }
  for (const { buffer, data } of blocks) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, isBuffered ? usage : gl.STREAM_DRAW);
  }
  let locations: readonly number[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const { size } of attributes) {
    offsets.push(interleave ? offset * 4 : 0);
    offset += size;
  }

  return {
    vertices,
    setLocations: (given) => {
      locations = given;
    },
    draw() {
      if (!isBuffered) {
        for (let index = 0; index < blocks.length; index++) {
          gl.bindBuffer(gl.ARRAY_BUFFER, blocks[index]!.buffer);
          gl.bufferData(gl.ARRAY_BUFFER, blocks[index]!.data, gl.STREAM_DRAW);
        }
      }
      for (let index = 0; index < attributes.length; index++) {
        const location = locations[index]!;
        if (location < 0) continue;
        gl.enableVertexAttribArray(location);
        gl.bindBuffer(gl.ARRAY_BUFFER, blocks[interleave ? 0 : index]!.buffer);
        const stride = interleave ? strideFloats * 4 : 0;
        gl.vertexAttribPointer(location, attributes[index]!.size, gl.FLOAT, false, stride, offsets[index]!);
      }
      gl.drawArrays(gl.TRIANGLES, 0, vertices);
      for (let index = 0; index < locations.length; index++) {
        if (locations[index]! >= 0) gl.disableVertexAttribArray(locations[index]!);
      }
    },
    update(first, count) {
      if (interleave) interleaved(attributes, first, count, blocks[0]!.data);
      for (let index = 0; index < blocks.length; index++) {
        const { buffer, floats, data } = blocks[index]!;
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        if (isWebgl2) {
          const gl2 = gl as WebGL2RenderingContext;
          gl2.bufferSubData(gl.ARRAY_BUFFER, first * floats * 4, data, first * floats, count * floats);
        } else {
          const part = data.subarray(first * floats, (first + count) * floats);
          gl.bufferSubData(gl.ARRAY_BUFFER, first * floats * 4, part);
        }
      }
    },
    dispose() {
      for (const { buffer } of blocks) gl.deleteBuffer(buffer);
    },
  };
}
