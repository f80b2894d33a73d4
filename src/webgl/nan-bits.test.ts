// What bits a NaN has where a program can see them: those that integers brought, or the one canonical NaN.
import { expect, test } from 'vitest';
import { createContext } from '../index.ts';
import { useProgram } from './testing.ts';

const CANONICAL = 0x7fc00000;
/** NaNs of both signs, quiet and signalling, and what is none. */
const PATTERNS = [0xffffffff, 0x7f800001, 0xffc12345, 0x7fbfffff, 0x80000001, 0x3f800000];

function link(gl: WebGL2RenderingContext, vertex: string, fragment: string, captured?: readonly string[]) {
  const [first, second] = [vertex, fragment].map(
    (text) => `#version 300 es\nprecision highp float; precision highp int;\n${text}`,
  ) as [string, string];
  const program = useProgram(gl, first, second, (made) => {
    if (captured) gl.transformFeedbackVaryings(made, [...captured], gl.INTERLEAVED_ATTRIBS);
  });
  expect(gl.getProgramInfoLog(program)).toBe('');
}

/** What a vertex shader writes to `result` for each of the patterns in `i`. */
function capture(declaration: string, statements: string): number[] {
  using gl = createContext(1, 1);
  const vertex = `in uint i; ${declaration} result;
    void main() { float f = uintBitsToFloat(i); gl_Position = vec4(0); gl_PointSize = 1.; ${statements} }`;
  link(gl, vertex, 'out vec4 o; void main() { o = vec4(0); }', ['result']);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Uint32Array(PATTERNS), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribIPointer(0, 1, gl.UNSIGNED_INT, 0, 0);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, PATTERNS.length * 4, gl.STREAM_READ);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, PATTERNS.length);
  gl.endTransformFeedback();
  const result = new Uint32Array(PATTERNS.length);
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, result);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return [...result];
}

test('transform feedback of floats keeps integer bits', () => {
  expect(capture('flat out float', 'result = f;')).toEqual(PATTERNS);
  expect(capture('out float', 'float other = f; result = other;')).toEqual(PATTERNS);
  expect(capture('out float', 'result = i == 0xffffffffu ? 1. : f;')).toEqual([0x3f800000, ...PATTERNS.slice(1)]);
});

test('transform feedback of floats makes the NaNs of arithmetic canonical', () => {
  const expected = PATTERNS.map((word) => ((word & 0x7fffffff) > 0x7f800000 ? CANONICAL : word));
  expect(capture('out float', 'result = f * (i == 0u ? 2. : 1.);')).toEqual(expected);
  expect(capture('out float', 'result = asin(2. + abs(f));')).toEqual(PATTERNS.map(() => CANONICAL));
});

test('no built-in function lets the sign of a NaN through to integers', () => {
  const ofLarge = [
    'asin(x)',
    'acos(x)',
    'log2(-x)',
    'pow(-x, x)',
    'sqrt(-x)',
    'atan(log(-x))',
    'sin(log(-x))',
    'cos(log(-x))',
  ];
  for (const call of [
    ...ofLarge,
    'tan(log(-x))',
    'exp2(log(-x))',
    '-acos(x)',
    'atan(sqrt(-x), x)',
    'atan(x, sqrt(-x))',
  ]) {
    const statements = `float x = 2. + float(i & 1u); result = floatBitsToUint(${call});`;
    expect([call, ...capture('flat out uint', statements)]).toEqual([call, ...PATTERNS.map(() => CANONICAL)]);
  }
});

test('float targets keep integer bits and make the NaNs of arithmetic canonical', () => {
  using gl = createContext(4, 1);
  gl.getExtension('EXT_color_buffer_float');
  const vertex = `in vec2 p; flat out uint i; void main() { i = 0xffc12345u; gl_Position = vec4(p, 0, 1); }`;
  const fragment = `flat in uint i; out vec4 o;
    void main() { o = vec4(uintBitsToFloat(i), sqrt(uintBitsToFloat(i)), sqrt(-1. - float(i)), 0.5); }`;
  link(gl, vertex, fragment);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const draw = (format: number): void => {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, 4, 1);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  draw(gl.RGBA32F);
  const words = new Uint32Array(4);
  gl.readPixels(2, 0, 1, 1, gl.RGBA, gl.FLOAT, new Float32Array(words.buffer));
  expect([...words]).toEqual([0xffc12345, CANONICAL, CANONICAL, 0x3f000000]);
  draw(gl.RGBA16F);
  const halves = new Uint16Array(4);
  gl.readPixels(2, 0, 1, 1, gl.RGBA, gl.HALF_FLOAT, halves);
  expect([...halves]).toEqual([0x7e00, 0x7e00, 0x7e00, 0x3800]);
});
