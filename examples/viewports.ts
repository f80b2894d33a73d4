// Four views of one model, as in a drawing program: scissored clears, viewports, and lines for grid and axes.

import { mat3, mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { lathe } from './shared/geometry.ts';
import { createMesh, MESH_ATTRIBUTES } from './shared/mesh.ts';
import { createProgram } from './shared/program.ts';
import { SUN_AND_SKY, TONE } from './shared/shading.ts';

const VERTEX = `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 view, projection;
uniform mat3 normalMatrix;
varying vec3 eyePosition;
varying vec3 eyeNormal;

void main() {
  vec4 place = view * vec4(position, 1.0);
  eyePosition = place.xyz;
  eyeNormal = normalMatrix * normal;
  gl_Position = projection * place;
}`;

const FRAGMENT = `
precision highp float;
uniform vec3 colour;
uniform vec3 towards; // the eye's direction of orthographic views
varying vec3 eyePosition;
varying vec3 eyeNormal;
${TONE}
${SUN_AND_SKY}
void main() {
  vec3 toEye = towards.z > 0.0 ? towards : normalize(-eyePosition);
  vec3 normal = normalize(gl_FrontFacing ? eyeNormal : -eyeNormal);
  vec3 light = shade(colour, normal, toEye, normalize(vec3(-0.5, 0.7, 0.6)),
    vec3(1.9, 1.85, 1.75), vec3(0.4, 0.45, 0.52), vec3(0.2, 0.17, 0.15), 0.75);
  gl_FragColor = vec4(tone(light), 1.0);
}`;

const LINE_VERTEX = `
attribute vec3 position;
attribute vec3 colour;
uniform mat4 view, projection;
varying vec3 shade;

void main() {
  shade = colour;
  gl_Position = projection * view * vec4(position, 1.0);
}`;

const LINE_FRAGMENT = `
precision mediump float;
varying vec3 shade;

void main() {
  gl_FragColor = vec4(shade, 1.0);
}`;

/** A chess pawn: radius and height from the base up, rounded by enough points. */
function pawnProfile(): (readonly [number, number])[] {
  const profile: (readonly [number, number])[] = [
    [0, -1.2],
    [0.72, -1.2],
    [0.78, -1.17],
    [0.78, -1.08],
    [0.74, -1.04],
  ];
  const curve = (steps: number, point: (t: number) => readonly [number, number]) => {
    for (let step = 0; step <= steps; step++) profile.push(point(step / steps));
  };
  curve(6, (t) => [0.7 - 0.16 * t, -1.0 + 0.16 * Math.sin(t * Math.PI * 0.5)]);
  curve(12, (t) => [0.54 - 0.3 * Math.sin(t * Math.PI * 0.5), -0.82 + t * 0.92]);
  curve(8, (t) => [0.26 + 0.28 * Math.sin(t * Math.PI), 0.12 + t * 0.13]);
  curve(20, (t) => {
    const angle = -1.02 + t * (1.02 + Math.PI / 2);
    return [Math.max(0.43 * Math.cos(angle), 0), 0.62 + 0.43 * Math.sin(angle)];
  });
  return profile;
}

/** A grid in the plane y = −1.2 and the three axes: position and colour of each line's ends. */
function gridLines(): Float32Array {
  const data: number[] = [];
  const line = (from: number[], to: number[], colour: number[]) => data.push(...from, ...colour, ...to, ...colour);
  // First, so that the grid's lines in the same place lose the depth test against them.
  line([-2, -1.2, -2], [-1.2, -1.2, -2], [0.95, 0.3, 0.25]);
  line([-2, -1.2, -2], [-2, -0.4, -2], [0.4, 0.85, 0.3]);
  line([-2, -1.2, -2], [-2, -1.2, -1.2], [0.35, 0.55, 1]);
  for (let step = -4; step <= 4; step++) {
    const colour = step === 0 ? [0.42, 0.44, 0.48] : [0.27, 0.29, 0.33];
    line([step * 0.5, -1.2, -2], [step * 0.5, -1.2, 2], colour);
    line([-2, -1.2, step * 0.5], [2, -1.2, step * 0.5], colour);
  }
  return new Float32Array(data);
}

const UP = [0, 1, 0] as const;
const VIEWS = [
  { column: 0, row: 1, background: [0.15, 0.165, 0.19], eye: [0, 10, 0], up: [0, 0, -1] as const },
  { column: 1, row: 1, background: [0.115, 0.13, 0.16], eye: null, up: UP },
  { column: 0, row: 0, background: [0.13, 0.145, 0.17], eye: [0, -0.15, 10], up: UP },
  { column: 1, row: 0, background: [0.15, 0.165, 0.19], eye: [10, -0.15, 0], up: UP },
] as const;

export default {
  api: 'webgl',
  title: 'Four viewports',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT, { attributes: MESH_ATTRIBUTES });
    const lineProgram = createProgram(gl, LINE_VERTEX, LINE_FRAGMENT, { attributes: ['position', 'colour'] });
    const pawn = createMesh(gl, lathe(pawnProfile(), 48));
    const lines = gridLines();
    const lineBuffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, lines, gl.STATIC_DRAW);
    const [view, projection, normalMatrix] = [mat4.create(), mat4.create(), mat3.create()];
    gl.enable(gl.DEPTH_TEST);

    const drawScene = (isOrthographic: boolean) => {
      lineProgram.use();
      gl.uniformMatrix4fv(lineProgram.uniform('view'), false, view);
      gl.uniformMatrix4fv(lineProgram.uniform('projection'), false, projection);
      gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
      gl.disableVertexAttribArray(2);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, 0);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, 12);
      gl.enableVertexAttribArray(1);
      gl.drawArrays(gl.LINES, 0, lines.length / 6);

      program.use();
      gl.uniformMatrix4fv(program.uniform('view'), false, view);
      gl.uniformMatrix4fv(program.uniform('projection'), false, projection);
      gl.uniformMatrix3fv(program.uniform('normalMatrix'), false, mat3.fromMat4(normalMatrix, view));
      gl.uniform3f(program.uniform('towards'), 0, 0, isOrthographic ? 1 : 0);
      gl.uniform3f(program.uniform('colour'), 0.78, 0.2, 0.05);
      pawn.draw();
    };

    return {
      frame(time) {
        const gap = Math.max(Math.round(height / 120), 1);
        const [cellWidth, cellHeight] = [Math.floor((width - gap) / 2), Math.floor((height - gap) / 2)];
        const aspect = cellWidth / cellHeight;
        gl.clearColor(0.04, 0.045, 0.055, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.SCISSOR_TEST);
        for (const { column, row, background, eye, up } of VIEWS) {
          const [x, y] = [column * (cellWidth + gap), row * (cellHeight + gap)];
          gl.viewport(x, y, cellWidth, cellHeight);
          gl.scissor(x, y, cellWidth, cellHeight);
          gl.clearColor(background[0], background[1], background[2], 1);
          gl.clear(gl.COLOR_BUFFER_BIT);
          if (eye) {
            mat4.lookAt(view, eye, [0, Math.min(eye[1], 0), 0], up);
            mat4.ortho(projection, -1.6 * aspect, 1.6 * aspect, -1.6, 1.6, 1, 20);
          } else {
            const angle = 0.65 + time * 0.5;
            mat4.lookAt(view, [Math.sin(angle) * 5, 1.6, Math.cos(angle) * 5], [0, -0.15, 0], up);
            mat4.perspective(projection, 0.66, aspect, 0.5, 20);
          }
          drawScene(eye !== null);
        }
        gl.disable(gl.SCISSOR_TEST);
      },
      dispose() {
        gl.deleteBuffer(lineBuffer);
        pawn.dispose();
        program.dispose();
        lineProgram.dispose();
      },
    };
  },
} satisfies DemoModule<WebGLRenderingContext>;
