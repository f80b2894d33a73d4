import { expect, it } from 'vitest';
import { completeShader, isPrecision } from './shader-source.ts';

it('adds constants, fills holes and gives fragments a default precision', () => {
  const text = completeShader('fragment', 'void main() { $BODY$ }', {
    constants: { Size: 2, Place: [1, 0.5, 0, 1] },
    holes: { BODY: 'x();' },
  });
  expect(text).toContain('precision mediump float;');
  expect(text).toContain('const float Size = 2.000000;');
  expect(text).toContain('const vec4 Place = vec4(1.000000, 0.500000, 0.000000, 1.000000);');
  expect(text).toContain('void main() { x(); }');
  expect(completeShader('vertex', '')).not.toContain('precision mediump');
});

it('takes precisions as the options write them', () => {
  expect(completeShader('fragment', '', { precision: ',high,,low' })).toMatch(
    /precision highp float;\nprecision lowp samplerCube;/,
  );
  expect(isPrecision('default,high,low,medium')).toBe(true);
  expect(isPrecision('high')).toBe(false);
});

it('throws for a hole nothing is given for', () => {
  expect(() => completeShader('vertex', '$MAIN$')).toThrow('$MAIN$');
});

it('writes GLSL ES 3.00', () => {
  const vertex = completeShader('vertex', 'attribute vec2 a; varying vec2 b;', { isEs300: true });
  expect(vertex).toMatch(/^#version 300 es\n/);
  expect(vertex).toContain('in vec2 a; out vec2 b;');
  const fragment = completeShader('fragment', 'varying vec2 b; void main() { gl_FragColor = texture2D(t, b); }', {
    isEs300: true,
  });
  expect(fragment).toContain('in vec2 b; void main() { fragmentColor = texture(t, b); }');
});
