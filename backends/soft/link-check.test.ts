import { expect, test } from 'vitest';
import { TooComplexError } from '../../src/base/too-complex.ts';
import { contextMaker, testProgram } from '../../src/gl/testing.ts';
import { createContext } from '../../src/index.ts';
import { createBuilder } from '../../src/ir/builder.ts';
import { createShader } from '../../src/ir/ir.ts';
import { gatherInfo } from '../../src/ir/passes/gather-info.ts';
import { checkComplexity } from './link-check.ts';
import { softBackend } from './screen.ts';

const FLOAT4 = { components: 4, base: 'float', interpolation: 'smooth', centroid: false } as const;

const VERTEX = `#version 300 es
in vec4 a; out vec4 v; void main() { v = a; gl_Position = a; }`;

function link(fragment: string): { isLinked: boolean; log: string; milliseconds: number } {
  const gl = createContext(4, 4, { threads: 1 });
  try {
    const program = gl.createProgram();
    const sources = [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const;
    for (const [type, source] of sources) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      expect(gl.getShaderInfoLog(shader)).toBe('');
      gl.attachShader(program, shader);
    }
    const start = performance.now();
    gl.linkProgram(program);
    const milliseconds = performance.now() - start;
    const isLinked = gl.getProgramParameter(program, gl.LINK_STATUS) as boolean;
    gl.useProgram(program);
    expect(gl.getError()).toBe(isLinked ? gl.NO_ERROR : gl.INVALID_OPERATION);
    return { isLinked, log: gl.getProgramInfoLog(program) ?? '', milliseconds };
  } finally {
    gl.dispose();
  }
}

test('a shader that fits no variant is found out before anything is drawn', () => {
  const shader = createShader('fragment');
  shader.locals.push({ name: 'a', length: 1_000_000, components: 4 });
  const b = createBuilder(shader);
  shader.outputs.push({ name: 'o', slot: 'color0', ...FLOAT4 });
  b.storeOutput('color0', b.loadLocal(0, b.constInt(3)));
  gatherInfo(shader);
  expect(() => checkComplexity(shader)).toThrow(TooComplexError);
});

test('the link fails and names the stage when the backend says so', () => {
  const context = contextMaker(softBackend.createScreen)();
  context.pipe.createFragmentShaderState = () => {
    throw new TooComplexError('5 locals');
  };
  expect(() => testProgram(context)).toThrow('ERROR: The fragment shader is too complex: 5 locals.\n');
});

test('a program of usual size links', () => {
  const { isLinked, log } = link(`#version 300 es
precision highp float; in vec4 v; out vec4 o; void main() { o = sin(v); }`);
  expect({ isLinked, log }).toEqual({ isLinked: true, log: '' });
});

test('a long program that fits links', () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `x = fract(x * v.y + ${(i * 0.37).toFixed(3)}) * x;`);
  const { isLinked } = link(`#version 300 es
precision highp float; in vec4 v; out vec4 o; void main() { vec4 x = v; ${lines.join('\n')} o = x; }`);
  expect(isLinked).toBe(true);
});
