import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { testContext1, testContext2, useTestProgram } from './testing.ts';

describe('objects', () => {
  it('come back as they were handed out, with what scripts put on them', () => {
    const gl = testContext2(nullBackend);
    const buffer = Object.assign(gl.createBuffer(), { note: 'mine' });
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    expect(gl.getParameter(gl.ARRAY_BUFFER_BINDING)).toBe(buffer);
    expect((gl.getParameter(gl.ARRAY_BUFFER_BINDING) as typeof buffer).note).toBe('mine');
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    expect(gl.getVertexAttrib(0, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)).toBe(buffer);
    const program = useTestProgram(gl);
    expect(gl.getParameter(gl.CURRENT_PROGRAM)).toBe(program);
    expect(gl.getAttachedShaders(program)).toHaveLength(2);
    expect(gl.getAttachedShaders(program)![0]).toBe(gl.getAttachedShaders(program)![0]);
    expect(gl.getParameter(gl.TEXTURE_BINDING_2D)).toBeNull();
  });

  it('of other contexts are an INVALID_OPERATION, and are nothing here', () => {
    const gl = testContext2(nullBackend);
    const other = testContext2(nullBackend);
    const buffer = other.createBuffer();
    other.bindBuffer(other.ARRAY_BUFFER, buffer);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(gl.isBuffer(buffer)).toBe(false);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.deleteBuffer(buffer);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(other.isBuffer(buffer)).toBe(true);
  });

  it('that are deleted can not be bound; deleting again does nothing', () => {
    const gl = testContext1(nullBackend);
    const texture = gl.createTexture();
    gl.deleteTexture(texture);
    gl.deleteTexture(texture);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('shaders keep their name while they are attached, programs while they are in use', () => {
    const gl = testContext1(nullBackend);
    const program = useTestProgram(gl);
    const [shader] = gl.getAttachedShaders(program)!;
    gl.deleteShader(shader!);
    expect(gl.isShader(shader!)).toBe(true);
    expect(gl.getShaderParameter(shader!, gl.DELETE_STATUS)).toBe(true);
    gl.deleteProgram(program);
    expect(gl.isProgram(program)).toBe(true);
    gl.useProgram(null);
    expect(gl.isProgram(program)).toBe(false);
    expect(gl.isShader(shader!)).toBe(false);
    gl.getProgramParameter(program, gl.LINK_STATUS);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });

  it('uniform locations hold for one link of one program', () => {
    const gl = testContext1(nullBackend);
    const program = useTestProgram(gl);
    const location = gl.getUniformLocation(program, 'color')!;
    gl.uniform4f(location, 1, 0.5, 0.25, 1);
    expect(gl.getUniform(program, location)).toEqual(new Float32Array([1, 0.5, 0.25, 1]));
    gl.uniform4f(null, 1, 1, 1, 1);
    gl.uniform4fv(null, []);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.uniform4fv(location, [1, 2, 3]);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    gl.linkProgram(program);
    gl.uniform4f(location, 0, 0, 0, 0);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    useTestProgram(gl);
    gl.uniform4f(gl.getUniformLocation(program, 'color'), 0, 0, 0, 0);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('fences and queries show their results only in a later task', async () => {
    const gl = testContext2(nullBackend);
    const query = gl.createQuery();
    gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
    gl.endQuery(gl.ANY_SAMPLES_PASSED);
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
    gl.finish();
    const state = () => [
      gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE),
      gl.getSyncParameter(sync, gl.SYNC_STATUS) === gl.SIGNALED,
    ];
    expect(state()).toEqual([false, false]);
    await Promise.resolve();
    expect(state()).toEqual([false, false]);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(state()).toEqual([true, true]);
  });
});

describe('getParameter', () => {
  it('gives the types of the specification', () => {
    const gl = testContext2(nullBackend);
    expect(gl.getParameter(gl.SAMPLE_ALPHA_TO_COVERAGE)).toBe(false);
    expect(gl.getParameter(gl.ALIASED_LINE_WIDTH_RANGE)).toBeInstanceOf(Float32Array);
    expect(gl.getParameter(gl.VIEWPORT)).toEqual(new Int32Array([0, 0, 16, 16]));
    expect(gl.getParameter(gl.COLOR_WRITEMASK)).toEqual([true, true, true, true]);
    expect(gl.getParameter(gl.COMPRESSED_TEXTURE_FORMATS)).toBeInstanceOf(Uint32Array);
    expect(gl.getParameter(gl.VERSION)).toMatch(/^WebGL 2\.0 /);
    expect(gl.getParameter(gl.SHADING_LANGUAGE_VERSION)).toMatch(/^WebGL GLSL ES 3\.00 /);
    expect(gl.getParameter(gl.FRAMEBUFFER_BINDING)).toBeNull();
    expect(gl.getParameter(0x1234)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });
});
