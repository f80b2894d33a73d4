// A spiral galaxy of point sprites, each a soft round glow from gl_PointCoord, added up.

import { mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createProgram } from './shared/program.ts';
import { createRandom } from './shared/random.ts';

const VERTEX = `
attribute vec4 orbit; // radius, angle, height, size
attribute vec3 colour;
uniform mat4 modelView, projection;
uniform float time;
uniform float pixels;
varying vec3 glow;

void main() {
  // Inner stars go round faster.
  float angle = orbit.y + time * 0.5 / (0.25 + orbit.x);
  vec4 place = modelView * vec4(orbit.x * cos(angle), orbit.z, orbit.x * sin(angle), 1.0);
  gl_Position = projection * place;
  float size = orbit.w * pixels / -place.z;
  // A point smaller than a pixel keeps its size and fades instead.
  gl_PointSize = max(size, 1.5);
  float fade = min(size / 1.5, 1.0);
  glow = colour * fade * fade;
}`;

const FRAGMENT = `
precision mediump float;
varying vec3 glow;

void main() {
  vec2 place = gl_PointCoord * 2.0 - 1.0;
  float core = max(1.0 - dot(place, place), 0.0);
  gl_FragColor = vec4(glow * core * core * core, 1.0);
}`;

const STARS = 7000;
const FLOATS = 7;

/** Stars in two arms, a bright core, and wide faint clouds of gas. */
function createStars(): Float32Array {
  const random = createRandom(20);
  const bell = () => (random() + random() + random() + random() - 2) / 2;
  const data = new Float32Array(STARS * FLOATS);
  for (let star = 0; star < STARS; star++) {
    const kind = random();
    const isCore = kind < 0.25;
    const isGas = kind > 0.95;
    const radius = isCore ? Math.abs(bell()) * 0.75 : 0.25 + 2.15 * random() ** 0.85;
    const arm = random() < 0.5 ? 0 : Math.PI;
    const spread = isCore ? random() * 6.3 : bell() * (isGas ? 0.5 : 0.75);
    const angle = isCore ? spread : arm + spread - Math.log(radius + 0.15) * 2.6;
    const height = bell() * (isCore ? 0.28 : 0.09) * Math.exp(-radius * 0.3);
    const size = isGas ? 0.3 + random() * 0.25 : 0.018 + random() ** 6 * 0.075;
    let colour: readonly number[];
    if (isGas) colour = random() < 0.4 ? [0.075, 0.016, 0.045] : [0.018, 0.03, 0.08];
    else if (isCore) colour = [0.95, 0.72, 0.42].map((part) => part * (0.35 + random() * 0.4));
    else colour = (random() < 0.12 ? [1, 0.45, 0.5] : [0.55, 0.72, 1]).map((part) => part * (0.35 + random() * 0.65));
    data.set([radius, angle, height, size, ...colour], star * FLOATS);
  }
  return data;
}

export default {
  api: 'webgl',
  title: 'Point sprite galaxy',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT, { attributes: ['orbit', 'colour'] });
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, createStars(), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, FLOATS * 4, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 3, gl.FLOAT, false, FLOATS * 4, 16);
    const projection = mat4.perspective(mat4.create(), 0.8, width / height, 0.1, 50);
    const modelView = mat4.create();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.clearColor(0.008, 0.008, 0.024, 1);

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT);
        mat4.lookAt(modelView, [0.2, 3.2, 4.5], [0.2, -0.1, 0], [0.25, 1, 0]);
        program.use();
        gl.uniformMatrix4fv(program.uniform('projection'), false, projection);
        gl.uniformMatrix4fv(program.uniform('modelView'), false, modelView);
        gl.uniform1f(program.uniform('time'), time * 0.3);
        gl.uniform1f(program.uniform('pixels'), height * 1.2);
        gl.drawArrays(gl.POINTS, 0, STARS);
      },
      dispose() {
        gl.deleteBuffer(buffer);
        program.dispose();
      },
    };
  },
} satisfies DemoModule<WebGLRenderingContext>;
