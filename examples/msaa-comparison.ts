// One star drawn coarsely without and with four samples a pixel, and both enlarged: what resolving does to edges.

import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle, FULLSCREEN_VERTEX_300 } from './shared/fullscreen.ts';
import { createProgram } from './shared/program.ts';
import { createRenderTarget } from './shared/render-target.ts';

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position; // x, y, and place from the centre (0) to the tip (1)
uniform float angle, aspect;
out float outward;

void main() {
  mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
  vec2 place = turn * position.xy;
  outward = position.z;
  gl_Position = vec4(place * vec2(1.0, aspect) * 1.12 / max(aspect, 1.0), 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
in float outward;
out vec4 result;

void main() {
  vec3 colour = mix(vec3(1.0, 0.78, 0.3), vec3(0.98, 0.3, 0.42), outward);
  result = vec4(colour, 1.0);
}`;

const COPY_FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D picture;
in vec2 uv;
out vec4 result;

void main() {
  result = texture(picture, uv);
}`;

/** Thin rays as triangles from the centre, with a ring of quads around them. */
function createStar(): Float32Array {
  const data: number[] = [];
  const RAYS = 14;
  for (let ray = 0; ray < RAYS; ray++) {
    const angle = (ray / RAYS) * 2 * Math.PI;
    const at = (radius: number, turn: number, outward: number) => [
      radius * Math.cos(angle + turn),
      radius * Math.sin(angle + turn),
      outward,
    ];
    const long = ray % 2 ? 0.7 : 0.58;
    data.push(...at(0.14, -0.21, 0), ...at(long, 0, 1), ...at(0.14, 0.21, 0));
    data.push(0, 0, 0, ...at(0.14, -0.225, 0), ...at(0.14, 0.225, 0));
  }
  const SEGMENTS = 64;
  for (let segment = 0; segment < SEGMENTS; segment++) {
    const corner = (radius: number, step: number) => {
      const angle = ((segment + step) / SEGMENTS) * 2 * Math.PI;
      return [radius * Math.cos(angle), radius * Math.sin(angle), 0.75];
    };
    data.push(...corner(0.79, 0), ...corner(0.84, 0), ...corner(0.84, 1));
    data.push(...corner(0.79, 0), ...corner(0.84, 1), ...corner(0.79, 1));
  }
  return new Float32Array(data);
}

export default {
  title: 'Multisampling compared',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT);
    const copy = createProgram(gl, FULLSCREEN_VERTEX_300, COPY_FRAGMENT);
    const triangle = createFullscreenTriangle(gl);
    /** Screen pixels a drawn pixel covers, each way. */
    const zoom = Math.max(Math.round(height / 72), 2);
    const halfWidth = Math.floor(width / 2) - 1;
    const [coarseWidth, coarseHeight] = [Math.ceil(halfWidth / zoom), Math.ceil(height / zoom)];
    const targets = [0, 4].map((samples) => createRenderTarget(gl, coarseWidth, coarseHeight, samples));
    const star = createStar();
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, star, gl.STATIC_DRAW);

    return {
      frame(time) {
        for (const target of targets) {
          target.begin();
          gl.clearColor(0.1, 0.11, 0.16, 1);
          gl.clear(gl.COLOR_BUFFER_BIT);
          program.use();
          gl.uniform1f(program.uniform('angle'), 0.1 + time * 0.2);
          gl.uniform1f(program.uniform('aspect'), coarseWidth / coarseHeight);
          gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
          gl.enableVertexAttribArray(0);
          gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
          gl.drawArrays(gl.TRIANGLES, 0, star.length / 3);
          target.resolve();
        }
        gl.clearColor(0.7, 0.72, 0.78, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        copy.use();
        gl.enable(gl.SCISSOR_TEST);
        for (const [index, target] of targets.entries()) {
          const x = index === 0 ? 0 : width - halfWidth;
          gl.scissor(x, 0, halfWidth, height);
          // Whole enlarged pixels, even where the last column or row is cut off.
          gl.viewport(x, 0, coarseWidth * zoom, coarseHeight * zoom);
          gl.bindTexture(gl.TEXTURE_2D, target.texture);
          triangle.draw();
        }
        gl.disable(gl.SCISSOR_TEST);
        gl.bindTexture(gl.TEXTURE_2D, null);
      },
      dispose() {
        for (const target of targets) target.dispose();
        gl.deleteBuffer(buffer);
        triangle.dispose();
        program.dispose();
        copy.dispose();
      },
    };
  },
} satisfies DemoModule;
