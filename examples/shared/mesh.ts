// Uploads geometry into buffers and draws it: attribute 0 position, 1 normal, 2 texture coordinate.

import type { Geometry } from './geometry.ts';

type Gl = WebGLRenderingContext | WebGL2RenderingContext;

/** Names for `createProgram` where the shader language can't say locations itself. */
export const MESH_ATTRIBUTES = ['position', 'normal', 'uv'] as const;

const FLOATS = 8;

export interface Mesh {
  readonly count: number;
  /** Points the attributes at the mesh and its indices at the element array. */
  bind(): void;
  draw(): void;
  dispose(): void;
}

export function createMesh(gl: Gl, { positions, normals, uvs, indices }: Geometry): Mesh {
  const vertices = positions.length / 3;
  const data = new Float32Array(vertices * FLOATS);
  for (let vertex = 0; vertex < vertices; vertex++) {
    data.set(positions.slice(vertex * 3, vertex * 3 + 3), vertex * FLOATS);
    data.set(normals.slice(vertex * 3, vertex * 3 + 3), vertex * FLOATS + 3);
    data.set(uvs.slice(vertex * 2, vertex * 2 + 2), vertex * FLOATS + 6);
  }
  const vertexBuffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, vertexBuffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  const indexBuffer = gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indexBuffer);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices), gl.STATIC_DRAW);

  const bind = () => {
    gl.bindBuffer(gl.ARRAY_BUFFER, vertexBuffer);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indexBuffer);
    for (const [location, size, offset] of [
      [0, 3, 0],
      [1, 3, 12],
      [2, 2, 24],
    ] as const) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, FLOATS * 4, offset);
    }
  };
  return {
    count: indices.length,
    bind,
    draw() {
      bind();
      gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_SHORT, 0);
    },
    dispose() {
      gl.deleteBuffer(vertexBuffer);
      gl.deleteBuffer(indexBuffer);
    },
  };
}
