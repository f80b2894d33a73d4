// The work whose cost is measured over growing amounts: pixels, triangles, draws, and the area of clears in the middle of a frame.

import { CUBE, cellMesh } from './gl/growth-meshes.ts';
import { linkProgram, type Program } from './gl/program.ts';
import type { Gl } from './scene.ts';

export interface Series {
  readonly name: string;
  /** Amounts in the order they are measured; an amount of 0 is what the frame costs without any. */
  readonly amounts: readonly number[];
  /** Edge of the picture, which is a square. */
  edge(amount: number): number;
  /** What draws one frame. */
  setUp(gl: Gl, amount: number): () => void;
}

const LIT_VERTEX = `
attribute vec3 position;
uniform mat4 transform;
varying vec3 normal;
void main() {
  normal = vec3(position.xy, 1.0);
  gl_Position = transform * vec4(position, 1.0);
}`;

const LIT_FRAGMENT = `
precision highp float;
varying vec3 normal;
uniform vec4 color;
void main() {
  vec3 n = normalize(normal);
  float shine = pow(max(dot(n, normalize(vec3(0.4, 0.7, 0.9))), 0.0), 24.0);
  gl_FragColor = vec4(color.rgb * (0.2 + 0.8 * n.z) + 0.5 * shine, 1.0);
}`;

const IDENTITY = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

function lit(gl: Gl, positions: Float32Array): Program {
  const program = linkProgram(gl, LIT_VERTEX, LIT_FRAGMENT);
  program.use();
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, positions, gl.STATIC_DRAW);
  const location = program.attribute('position');
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
  gl.uniformMatrix4fv(program.uniform('transform'), false, IDENTITY);
  gl.uniform4f(program.uniform('color'), 0.8, 0.5, 0.2, 1);
  return program;
}

const SQUARE = new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]);

const pixels: Series = {
  name: 'pixels',
  amounts: [64, 128, 256, 512, 1024, 2048].map((edge) => edge * edge),
  edge: (amount) => Math.max(1, Math.sqrt(amount)),
  setUp(gl) {
    const color = lit(gl, SQUARE).uniform('color');
    let frame = 0;
    return () => {
      gl.uniform4f(color, 0.8, (frame++ & 7) / 8, 0.2, 1);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    };
  },
};

/** Rows of cells; twice as many columns. Each cell has 6.4 × 3.2 pixels and two triangles, so that the picture grows with them. */
const CELL_ROWS = [16, 28, 50, 90, 160];

const triangles: Series = {
  name: 'triangles',
  amounts: CELL_ROWS.map((rows) => 4 * rows * rows),
  edge: (amount) => Math.max(1, Math.round(3.2 * Math.sqrt(amount))),
  setUp(gl, amount) {
    const rows = Math.sqrt(amount / 4);
    const { positions, indices } = cellMesh(2 * rows, rows);
    lit(gl, positions);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.enable(gl.DEPTH_TEST);
    return () => {
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      if (amount > 0) gl.drawElements(gl.TRIANGLES, amount * 3, gl.UNSIGNED_SHORT, 0);
    };
  },
};

/** Transforms and colours of the draws, made ahead: the frame is to measure calls. */
function objects(count: number): { transforms: Float32Array[]; colors: Float32Array[] } {
  let seed = 3;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const transforms: Float32Array[] = [];
  const colors: Float32Array[] = [];
  for (let at = 0; at < count; at++) {
    const [scale, angle] = [0.015, random() * 6];
    const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
    const place = [random() * 1.9 - 0.95, random() * 1.9 - 0.95, random() - 0.5, 1];
    transforms.push(new Float32Array([cos, sin, 0, 0, -sin, cos, scale, 0, sin, 0, scale, 0, ...place]));
    colors.push(new Float32Array([random(), random(), random(), 1]));
  }
  return { transforms, colors };
}

/** Behind all else, so that every tile is drawn in whatever the number of draws. */
const BACKGROUND = new Float32Array([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0.001, 0, 0, 0, 0.98, 1]);

export const drawsSeries: Series = {
  name: 'draws',
  amounts: [10, 32, 100, 320, 1000, 3200, 10_000],
  edge: () => 256,
  setUp(gl, amount) {
    const program = lit(gl, CUBE);
    const [transform, color] = [program.uniform('transform'), program.uniform('color')];
    const { transforms, colors } = objects(amount);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    return () => {
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix4fv(transform, false, BACKGROUND);
      gl.drawArrays(gl.TRIANGLES, 0, 36);
      for (let at = 0; at < amount; at++) {
        gl.uniformMatrix4fv(transform, false, transforms[at]!);
        gl.uniform4fv(color, colors[at]!);
        gl.drawArrays(gl.TRIANGLES, 0, 36);
      }
    };
  },
};

/** Two scissored clears, a draw before each: the frame stays one job and the clears cost what they cover. None: of a pixel each. */
const clears: Series = {
  name: 'clears',
  amounts: [128, 256, 512, 1024, 2048].map((edge) => edge * edge),
  edge: () => 2048,
  setUp(gl, amount) {
    lit(
      gl,
      SQUARE.map((value) => value * 0.01),
    );
    const edge = Math.max(2, Math.sqrt(amount));
    const half = edge / 2;
    const low = 1024 - half;
    const clearHalf = (x: number, red: number): void => {
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      gl.scissor(x, low, half, edge);
      gl.clearColor(red, 0.5, 0.2, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
    };
    gl.enable(gl.SCISSOR_TEST);
    let frame = 0;
    return () => {
      frame++;
      clearHalf(low, (frame & 7) / 8);
      clearHalf(1024, (frame & 3) / 4);
    };
  },
};

export const SERIES: readonly Series[] = [pixels, triangles, drawsSeries, clears];
