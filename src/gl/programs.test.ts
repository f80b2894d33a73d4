import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { GL } from './constants.ts';
import * as ask from './program-queries.ts';
import * as programs from './programs.ts';
import * as shaders from './shaders.ts';
import { contextMaker, FRAGMENT_SHADER, takeErrors, testProgram, VERTEX_SHADER } from './testing.ts';
import { getUniform, setUniform, setUniformMatrix } from './uniforms.ts';

const testContext = contextMaker(nullBackend.createScreen);

const FRAGMENT = `precision mediump float;
uniform float f[3]; uniform ivec2 i; uniform bvec2 b; uniform mat2 m; uniform sampler2D s;
void main() {
  gl_FragColor = vec4(f[0] + f[1] + f[2], vec2(i), b.x && b.y ? 1.0 : 0.0) + vec4(m[0], m[1]) + texture2D(s, vec2(0.0));
}`;

describe('shaders and programs', () => {
  it('never throws on bad text and tells why it failed', () => {
    const context = testContext();
    const shader = shaders.createShader(context, GL.FRAGMENT_SHADER)!;
    shaders.shaderSource(context, shader, 'void main() { foo = 1; }');
    shaders.compileShader(context, shader);
    expect(shaders.getShaderParameter(context, shader, GL.COMPILE_STATUS)).toBe(false);
    expect(shader.infoLog).toMatch(/ERROR: 0:1:.*foo/);
  });

  it('keeps a deleted shader until its program lets go', () => {
    const context = testContext();
    const program = testProgram(context);
    const shader = program.vertexShader!;
    shaders.deleteShader(context, shader);
    expect(shaders.getShaderParameter(context, shader, GL.DELETE_STATUS)).toBe(true);
    expect(shader.destroyed).toBe(false);
    programs.detachShader(context, program, shader);
    expect(shader.destroyed).toBe(true);
  });

  it('keeps a deleted program until it is no longer used', () => {
    const context = testContext();
    const program = testProgram(context);
    programs.deleteProgram(context, program);
    expect(program.destroyed).toBe(false);
    programs.useProgram(context, null);
    expect(program.destroyed).toBe(true);
  });

  it('keeps the old code in use when a relink fails', () => {
    const context = testContext();
    const program = testProgram(context);
    const { executable } = program;
    programs.detachShader(context, program, program.fragmentShader!);
    programs.linkProgram(context, program);
    expect(program.linkStatus).toBe(false);
    expect(program.executable).toBe(executable);
    expect(ask.getUniformLocation(context, program, 'color')).toBe(-1);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
  });

  it('finds attributes and uniforms by name', () => {
    const context = testContext();
    const program = testProgram(context, VERTEX_SHADER, FRAGMENT, (one) =>
      programs.bindAttribLocation(context, one, 5, 'position'),
    );
    expect(ask.getAttribLocation(context, program, 'position')).toBe(5);
    expect(ask.getAttribLocation(context, program, 'nothing')).toBe(-1);
    const first = ask.getUniformLocation(context, program, 'f');
    expect(ask.getUniformLocation(context, program, 'f[0]')).toBe(first);
    expect(ask.getUniformLocation(context, program, 'f[2]')).toBe(first + 2);
    expect(ask.getUniformLocation(context, program, 'f[3]')).toBe(-1);
    expect(ask.getUniformLocation(context, program, 'f[02]')).toBe(-1);
    expect(ask.getProgramParameter(context, program, GL.ACTIVE_UNIFORMS)).toBe(5);
    expect(takeErrors(context)).toEqual([]);
  });
});

describe('uniforms', () => {
  it('convert to the type of the uniform and refuse other kinds', () => {
    const context = testContext();
    const program = testProgram(context, VERTEX_SHADER, FRAGMENT);
    const location = (name: string) => ask.getUniformLocation(context, program, name);
    const value = (name: string) => getUniform(context, program, location(name))!.values;
    setUniform(context, location('f[1]'), 'float', 1, 3, [1.5, 2.5, 3.5]);
    expect([value('f[0]'), value('f[1]'), value('f[2]')]).toEqual([[0], [1.5], [2.5]]);
    setUniform(context, location('b'), 'float', 2, 1, [0.25, 0]);
    expect(value('b')).toEqual([1, 0]);
    setUniform(context, location('i'), 'int', 2, 1, [-3, 4]);
    expect(value('i')).toEqual([-3, 4]);
    expect(takeErrors(context)).toEqual([]);
    setUniform(context, location('i'), 'float', 2, 1, [1, 1]);
    setUniform(context, location('f'), 'float', 2, 1, [1, 1]);
    setUniform(context, 9999, 'float', 1, 1, [1]);
    setUniform(context, -1, 'float', 1, 1, [1]);
    setUniform(context, location('i'), 'int', 2, 2, [1, 1, 1, 1]);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    expect(value('i')).toEqual([-3, 4]);
  });

  it('transpose matrices in version 3 only', () => {
    const context = testContext();
    const program = testProgram(context, VERTEX_SHADER, FRAGMENT);
    const m = ask.getUniformLocation(context, program, 'm');
    setUniformMatrix(context, m, 2, 2, 1, true, [1, 2, 3, 4]);
    expect(getUniform(context, program, m)!.values).toEqual([1, 3, 2, 4]);
    const old = testContext({ version: 2 });
    testProgram(old, VERTEX_SHADER, FRAGMENT);
    setUniformMatrix(old, m, 2, 2, 1, true, [1, 2, 3, 4]);
    expect(takeErrors(old)).toEqual(['INVALID_VALUE']);
  });

  it('hold sampler units in range', () => {
    const context = testContext();
    const program = testProgram(context, VERTEX_SHADER, FRAGMENT);
    const s = ask.getUniformLocation(context, program, 's');
    setUniform(context, s, 'int', 1, 1, [3]);
    setUniform(context, s, 'int', 1, 1, [32]);
    expect(takeErrors(context)).toEqual(['INVALID_VALUE']);
    setUniform(context, s, 'float', 1, 1, [1]);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    expect(getUniform(context, program, s)!.values).toEqual([3]);
  });

  it('start at zero again after a relink', () => {
    const context = testContext();
    const program = testProgram(context, VERTEX_SHADER, FRAGMENT_SHADER);
    const color = ask.getUniformLocation(context, program, 'color');
    setUniform(context, color, 'float', 4, 1, [1, 2, 3, 4]);
    programs.linkProgram(context, program);
    expect(getUniform(context, program, color)!.values).toEqual([0, 0, 0, 0]);
  });
});
