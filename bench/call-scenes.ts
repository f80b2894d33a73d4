// Draws whose calls are measured: a small triangle or cube each, and before it one kind of change.

import { CUBE } from './gl/growth-meshes.ts';
import { linkProgram, type Program } from './gl/program.ts';

type Gl2 = WebGL2RenderingContext;

export interface CallScene {
  readonly name: string;
  /** In a frame. */
  readonly draws: number;
  readonly what: string;
  setUp(gl: Gl2, draws: number): () => void;
}

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 transform;
void main() { gl_Position = transform * vec4(position, 1.0); }`;

const FRAGMENT = `#version 300 es
precision mediump float;
uniform vec4 color;
out vec4 result;
void main() { result = color; }`;

const TEXTURED = `#version 300 es
precision mediump float;
uniform sampler2D image;
uniform vec4 color;
out vec4 result;
void main() { result = color * texture(image, gl_FragCoord.xy * 0.01); }`;

const BLOCK_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(std140) uniform Object { mat4 transform; vec4 offset; };
void main() { gl_Position = transform * vec4(position, 1.0) + offset; }`;

/** Turned, so that the first face is seen. */
const SMALL = new Float32Array([0.01, 0, -0.02, 0, 0, 0.02, 0, 0, 0.02, 0, 0.01, 0, 0.1, 0.2, 0, 1]);
const DRAWS = 1000;
const TRIANGLE = 3;

function createBuffer(
  gl: Gl2,
  target: number,
  data: Float32Array | Uint16Array | number,
  usage: number = gl.STATIC_DRAW,
) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(target, buffer);
  if (typeof data === 'number') gl.bufferData(target, data, usage);
  else gl.bufferData(target, data, usage);
  return buffer;
}

function pointAt(gl: Gl2, buffer: WebGLBuffer): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
}

/** A cube in the bound vertex array; its first three vertices are the triangle of most scenes. */
function useCube(gl: Gl2): void {
  gl.enableVertexAttribArray(0);
  pointAt(gl, createBuffer(gl, gl.ARRAY_BUFFER, CUBE));
}

function useProgram(gl: Gl2, fragment = FRAGMENT): Program {
  const program = linkProgram(gl, VERTEX, fragment);
  program.use();
  gl.uniformMatrix4fv(program.uniform('transform'), false, SMALL);
  gl.uniform4f(program.uniform('color'), 1, 0.5, 0.25, 1);
  return program;
}

/** A scene of triangles: `change` comes before each draw and gets its number. */
function triangles(name: string, what: string, setUp: (gl: Gl2, draws: number) => (draw: number) => void): CallScene {
  return {
    name,
    what,
    draws: DRAWS,
    setUp(gl, draws) {
      useCube(gl);
      const change = setUp(gl, draws);
      return () => {
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        for (let draw = 0; draw < draws; draw++) {
          change(draw);
          gl.drawArrays(gl.TRIANGLES, 0, TRIANGLE);
        }
      };
    },
  };
}

/** What three.js does for a mesh: matrices for each, a material's values for every few, one geometry. */
const meshes: CallScene = {
  name: 'meshes',
  what: 'three matrices + drawElements; each 8th: four values, bindTexture, bindVertexArray',
  draws: DRAWS,
  setUp(gl, draws) {
    const vertex = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 model, view, projection;
uniform mat3 normals;
out vec3 normal;
void main() { normal = normals * position; gl_Position = projection * view * model * vec4(position, 1.0); }`;
    const fragment = `#version 300 es
precision mediump float;
uniform sampler2D image;
uniform vec3 diffuse, specular;
uniform float shininess, opacity;
in vec3 normal;
out vec4 result;
void main() { result = vec4(diffuse * normal.z + specular * pow(max(normal.x, 0.0), shininess), opacity) * texture(image, normal.xy); }`;
    const program = linkProgram(gl, vertex, fragment);
    program.use();
    const [model, view, normals] = ['model', 'view', 'normals'].map((name) => program.uniform(name));
    const [diffuse, specular] = [program.uniform('diffuse'), program.uniform('specular')];
    const [shininess, opacity] = [program.uniform('shininess'), program.uniform('opacity')];
    const identity = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    gl.uniformMatrix4fv(program.uniform('projection'), false, identity);
    const arrays = [0, 1].map(() => {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      useCube(gl);
      createBuffer(
        gl,
        gl.ELEMENT_ARRAY_BUFFER,
        new Uint16Array(36).map((_, at) => at),
      );
      return array;
    });
    const textures = [createPixel(gl, 200), createPixel(gl, 100)];
    const rotation = new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const color = new Float32Array([0.5, 0.25, 0.75]);
    gl.enable(gl.DEPTH_TEST);
    return () => {
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      for (let draw = 0; draw < draws; draw++) {
        if ((draw & 7) === 0) {
          const which = (draw >> 3) & 1;
          gl.uniform3fv(diffuse!, color);
          gl.uniform3fv(specular!, color);
          gl.uniform1f(shininess!, 30);
          gl.uniform1f(opacity!, 1);
          gl.bindTexture(gl.TEXTURE_2D, textures[which]!);
          gl.bindVertexArray(arrays[which]!);
        }
        gl.uniformMatrix4fv(view!, false, identity);
        gl.uniformMatrix3fv(normals!, false, rotation);
        gl.uniformMatrix4fv(model!, false, SMALL);
        gl.drawElements(gl.TRIANGLES, 36, gl.UNSIGNED_SHORT, 0);
      }
    };
  },
};

function createPixel(gl: Gl2, value: number): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  const pixel = new Uint8Array([value, value, value, 255]);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return texture;
}

/** Micro scenes that are measured too, and the draws of a frame, which they do not tell. */
export const MICRO_DRAWS: Readonly<Record<string, number>> = { 'many-draws': 5000, 'ubo-many-draws': 2000 };

export const CALL_SCENES: readonly CallScene[] = [
  triangles('draw', 'drawArrays', (gl) => {
    useProgram(gl);
    return () => {};
  }),
  triangles('uniforms', 'uniform4f, uniformMatrix4fv, drawArrays', (gl) => {
    const program = useProgram(gl);
    const [transform, color] = [program.uniform('transform'), program.uniform('color')];
    return () => {
      gl.uniform4f(color, 1, 0.5, 0.25, 1);
      gl.uniformMatrix4fv(transform, false, SMALL);
    };
  }),
  triangles('program', 'useProgram, drawArrays', (gl) => {
    const programs = [useProgram(gl).handle, useProgram(gl).handle];
    return (draw) => gl.useProgram(programs[draw & 1]!);
  }),
  triangles('texture', 'bindTexture, drawArrays', (gl) => {
    useProgram(gl, TEXTURED);
    const textures = [createPixel(gl, 200), createPixel(gl, 100)];
    return (draw) => gl.bindTexture(gl.TEXTURE_2D, textures[draw & 1]!);
  }),
  triangles('vertex-array', 'bindVertexArray, drawArrays', (gl) => {
    useProgram(gl);
    const arrays = [0, 1].map(() => {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      useCube(gl);
      return array;
    });
    return (draw) => gl.bindVertexArray(arrays[draw & 1]!);
  }),
  triangles('pointer', 'bindBuffer, vertexAttribPointer, drawArrays', (gl) => {
    useProgram(gl);
    const buffers = [0, 1].map(() => createBuffer(gl, gl.ARRAY_BUFFER, CUBE));
    return (draw) => pointAt(gl, buffers[draw & 1]!);
  }),
  triangles('blend', 'blendFunc, drawArrays', (gl) => {
    useProgram(gl);
    gl.enable(gl.BLEND);
    return (draw) => gl.blendFunc(gl.SRC_ALPHA, draw & 1 ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
  }),
  triangles('upload', 'bufferSubData of 36 bytes, drawArrays', (gl) => {
    useProgram(gl);
    pointAt(gl, createBuffer(gl, gl.ARRAY_BUFFER, CUBE, gl.DYNAMIC_DRAW));
    const corner = CUBE.slice(0, 9);
    return () => gl.bufferSubData(gl.ARRAY_BUFFER, 0, corner);
  }),
  triangles('block', 'bindBufferRange, drawArrays', (gl, draws) => {
    const program = linkProgram(gl, BLOCK_VERTEX, FRAGMENT);
    program.use();
    gl.uniform4f(program.uniform('color'), 1, 0.5, 0.25, 1);
    const [strideBytes, usedBytes] = [256, 80];
    const buffer = createBuffer(gl, gl.UNIFORM_BUFFER, strideBytes * draws);
    for (let draw = 0; draw < draws; draw++) gl.bufferSubData(gl.UNIFORM_BUFFER, draw * strideBytes, SMALL);
    return (draw) => gl.bindBufferRange(gl.UNIFORM_BUFFER, 0, buffer, draw * strideBytes, usedBytes);
  }),
  meshes,
];
