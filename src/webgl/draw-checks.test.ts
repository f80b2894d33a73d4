import { expect, test } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { DIRTY_ALL } from '../gl/dirty.ts';
import { glOf } from './context-base.ts';
import { testContext2, useProgram } from './testing.ts';

type Gl = globalThis.WebGL2RenderingContext;

const HEAD = '#version 300 es\nprecision highp float;';
const SIMPLE = `${HEAD} layout(location = 0) in vec4 a; void main() { gl_Position = a; }`;
const INTEGER = `${HEAD} layout(location = 0) in vec4 a; layout(location = 1) in ivec4 b; void main() { gl_Position = a + vec4(b); }`;
const BLOCK = `${HEAD} layout(location = 0) in vec4 a; layout(std140) uniform B { vec4 c[4]; }; void main() { gl_Position = a + c[0]; }`;
const ONE = `${HEAD} out vec4 o; void main() { o = vec4(1); }`;
const UNSIGNED = `${HEAD} out uvec4 o; void main() { o = uvec4(1); }`;
const TWO = `${HEAD} layout(location = 0) out vec4 o; layout(location = 1) out vec4 p; void main() { o = p = vec4(1); }`;
const SAMPLED = `${HEAD} uniform sampler2D s; uniform highp usampler2D u; out vec4 o; void main() { o = texture(s, vec2(0)) + vec4(texture(u, vec2(0))); }`;

/** Everything that the steps below go back and forth between. */
function setUp(gl: Gl) {
  const programs = [
    useProgram(gl, SIMPLE, ONE),
    useProgram(gl, INTEGER, ONE),
    useProgram(gl, BLOCK, ONE),
    useProgram(gl, SIMPLE, UNSIGNED),
    useProgram(gl, SIMPLE, TWO),
    useProgram(gl, SIMPLE, SAMPLED),
  ];
  const buffers = [0, 1, 2].map((at) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, 48 + at * 64, gl.STATIC_DRAW);
    return buffer;
  });
  const arrays = [0, 1].map((at) => {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[at]!);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint8Array([0, 1, 2, 5]), gl.STATIC_DRAW);
    return array;
  });
  const textures = [gl.RGBA8, gl.RGBA8UI, gl.RGBA8].map((format) => {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, 4, 4);
    return texture;
  });
  const framebuffers = [
    null,
    ...[0, 1].map((at) => {
      const framebuffer = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, textures[at]!, 0);
      return framebuffer;
    }),
  ];
  return { programs, buffers, arrays, textures, framebuffers };
}

/** A step of random work; `n` decides what it does. */
type Step = (gl: Gl, things: ReturnType<typeof setUp>, n: number) => void;

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

const STEPS: readonly Step[] = [
  (gl, { programs }, n) => gl.useProgram(pick(programs, n)),
  // Without a shader the link fails.
  (gl, { programs }, n) => {
    const program = pick(programs, n);
    const shader = gl.getAttachedShaders(program)![0]!;
    if (n % 5 === 0) gl.detachShader(program, shader);
    gl.linkProgram(program);
    if (n % 5 === 0) gl.attachShader(program, shader);
    if (n % 3 === 0) gl.linkProgram(program);
  },
  (gl, { arrays }, n) => gl.bindVertexArray(pick(arrays, n)),
  (gl, { buffers }, n) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, pick(buffers, n));
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, (n & 1) * 16);
  },
  (gl, { buffers }, n) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, pick(buffers, n));
    gl.bufferData(gl.ARRAY_BUFFER, 16 + (n % 5) * 32, gl.STATIC_DRAW);
  },
  (gl, _, n) => (n & 1 ? gl.enableVertexAttribArray(1) : gl.disableVertexAttribArray(1)),
  (gl, { buffers }, n) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, pick(buffers, n));
    if (n & 1) gl.vertexAttribIPointer(1, 4, gl.INT, 0, 0);
    else gl.vertexAttribPointer(1, 4, gl.INT, false, 0, 0);
  },
  (gl, _, n) => (n & 1 ? gl.vertexAttribI4i(1, 1, 2, 3, 4) : gl.vertexAttrib4f(1, 1, 2, 3, 4)),
  (gl, _, n) => gl.vertexAttribDivisor(n & 1, n % 3),
  (gl, { buffers }, n) => gl.bindBufferBase(gl.UNIFORM_BUFFER, n & 1, n % 3 === 0 ? null : pick(buffers, n)),
  (gl, { buffers }, n) => gl.bindBufferRange(gl.UNIFORM_BUFFER, 0, pick(buffers, n), 0, 16 + (n & 3) * 16),
  (gl, { programs }, n) => gl.uniformBlockBinding(programs[2]!, 0, n & 1),
  (gl, { buffers }, n) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, n & 1 ? null : pick(buffers, n)),
  (gl, { framebuffers }, n) => gl.bindFramebuffer(gl.FRAMEBUFFER, pick(framebuffers, n)),
  (gl, { textures, framebuffers }, n) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffers[1]!);
    const place = n & 1 ? gl.COLOR_ATTACHMENT0 : gl.COLOR_ATTACHMENT0 + 1;
    gl.framebufferTexture2D(gl.FRAMEBUFFER, place, gl.TEXTURE_2D, n % 3 === 0 ? null : pick(textures, n), 0);
  },
  (gl, { framebuffers }, n) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffers[1]!);
    gl.drawBuffers(n & 1 ? [gl.COLOR_ATTACHMENT0] : [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 1]);
  },
  (gl, { textures }, n) => {
    gl.activeTexture(gl.TEXTURE0 + (n & 1));
    gl.bindTexture(gl.TEXTURE_2D, n % 7 === 0 ? null : pick(textures, n));
  },
  (gl, _, n) => {
    gl.activeTexture(gl.TEXTURE0 + (n & 1));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, n & 2 ? gl.NEAREST : gl.LINEAR);
  },
  (gl, { programs }, n) => {
    gl.useProgram(programs[5]!);
    gl.uniform1i(gl.getUniformLocation(programs[5]!, n & 1 ? 's' : 'u'), n & 1 ? 0 : (n >> 1) & 1);
  },
  (gl, _, n) => gl.stencilMaskSeparate(n & 1 ? gl.FRONT : gl.BACK, n & 2 ? 0xff : 0x0f),
  (gl, _, n) => gl.stencilFuncSeparate(n & 1 ? gl.FRONT : gl.BACK, gl.ALWAYS, n & 2, 0xff),
  (gl, _, n) => (n & 1 ? gl.enable(gl.STENCIL_TEST) : gl.disable(gl.STENCIL_TEST)),
  (gl, _, n) => (n & 1 ? gl.enable(gl.RASTERIZER_DISCARD) : gl.disable(gl.RASTERIZER_DISCARD)),
  (gl, _, n) => (n & 1 ? gl.enable(gl.BLEND) : gl.disable(gl.BLEND)),
  (gl, _, n) => gl.colorMask((n & 1) === 1, (n & 2) === 2, true, true),
  // What hands state to the pipe without being a draw.
  (gl) => gl.clear(gl.COLOR_BUFFER_BIT),
];

test('draws are refused for the same reasons whether all is looked at or only what changed', () => {
  const messages = new Set<string>();
  const contexts = [0, 1].map(() => {
    const gl = testContext2(nullBackend, { stencil: true }) as unknown as Gl;
    return { gl, things: setUp(gl) };
  });
  let seed = 5;
  const random = (count: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * count);
  };
  let drawn = 0;
  for (let step = 0; step < 6000; step++) {
    const [change, n, kind] = [STEPS[random(STEPS.length)]!, random(210), random(4)];
    const errors = contexts.map(({ gl, things }, at) => {
      change(gl, things, n);
      const before = gl.getError();
      const context = glOf(gl as never);
      if (at === 1) context.unchecked = DIRTY_ALL;
      context.debugSink = ({ message }) => messages.add(message.replaceAll(/\d+/g, '#'));
      if (kind === 0) gl.drawElements(gl.TRIANGLES, 3 + (n & 1), gl.UNSIGNED_BYTE, 0);
      else if (kind === 1) gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, 1 + (n & 7));
      else gl.drawArrays(gl.TRIANGLES, 0, n & 1 ? 3 : 6);
      return [before, gl.getError()];
    });
    expect(errors[0], `step ${step}: ${change}`).toEqual(errors[1]);
    if (errors[0]![1] === 0) drawn++;
  }
  // Both ends, and reasons of all kinds.
  expect(drawn).toBeGreaterThan(300);
  expect(drawn).toBeLessThan(5700);
  expect([...messages].filter((text) => text.startsWith('drawArrays:')).length).toBeGreaterThan(15);
});
