import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { softBackend } from '../../backends/soft/screen.ts';
import { ES2, ES3 } from './entry-points.ts';
import { createGlesContext, type DebugMessage } from './index.ts';

function open(api: 2 | 3 = 3) {
  const messages: DebugMessage[] = [];
  const gl = createGlesContext({ width: 8, height: 8, api, backend: nullBackend, debug: (one) => messages.push(one) });
  return { gl, messages };
}

describe('the GLES face', () => {
  it('gives the lowest free names and frees them on deletion', () => {
    const { gl } = open();
    const names = new Uint32Array(3);
    gl.glGenBuffers(3, names);
    expect([...names]).toEqual([1, 2, 3]);
    expect(gl.glIsBuffer(2)).toBe(false);
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 2);
    expect(gl.glIsBuffer(2)).toBe(true);
    gl.glDeleteBuffers(2, [2, 0, 99]);
    const again: number[] = [];
    gl.glGenBuffers(1, again);
    expect(again).toEqual([2]);
    const bound: number[] = [];
    gl.glGetIntegerv(gl.GL_ARRAY_BUFFER_BINDING, bound);
    expect(bound).toEqual([0]);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
  });

  it('ends at once for counts far beyond the memory handed in', () => {
    const { gl } = open();
    gl.glDeleteSamplers(0xffffffff, [77]);
    gl.glDeleteTransformFeedbacks(0xffffffff, [77]);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
    gl.glGenBuffers(0x7fffffff, []);
    expect(gl.glGetError()).toBe(gl.GL_OUT_OF_MEMORY);
  });

  it('tells shaders from programs', () => {
    const { gl } = open();
    const program = gl.glCreateProgram();
    const shader = gl.glCreateShader(gl.GL_VERTEX_SHADER);
    expect([program, shader]).toEqual([1, 2]);
    gl.glLinkProgram(shader);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_OPERATION);
    gl.glLinkProgram(7);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
    gl.glAttachShader(program, shader);
    gl.glDeleteShader(shader);
    expect(gl.glIsShader(shader)).toBe(true);
    gl.glDeleteProgram(program);
    expect(gl.glIsShader(shader)).toBe(false);
    expect(gl.glIsProgram(program)).toBe(false);
  });

  it('cuts strings as C would and joins shader parts', () => {
    const { gl } = open();
    const shader = gl.glCreateShader(gl.GL_VERTEX_SHADER);
    gl.glShaderSource(shader, 2, ['void main() {xxx', '}'], [13, -1]);
    const length: number[] = [];
    expect(gl.glGetShaderSource(shader, 5, length)).toBe('void');
    expect(length).toEqual([4]);
    expect(gl.glGetShaderSource(shader)).toBe('void main() {}');
  });

  it('has every function in both versions and says what a version lacks', () => {
    const { gl, messages } = open(2);
    for (const name of [...Object.keys(ES2), ...Object.keys(ES3)])
      expect(typeof (gl as unknown as Record<string, unknown>)[name], name).toBe('function');
    gl.glDrawArraysInstanced(gl.GL_TRIANGLES, 0, 3, 1);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_OPERATION);
    expect(messages[0]!.message).toBe('glDrawArraysInstanced: needs OpenGL ES 3.0');
    gl.glDrawArraysInstancedEXT(gl.GL_TRIANGLES, 0, 3, 1);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
  });

  it('answers getters into arrays of every kind', () => {
    const { gl } = open();
    const wide = new BigInt64Array(1);
    gl.glGetInteger64v(gl.GL_MAX_ELEMENT_INDEX, wide);
    expect(wide[0]).toBe(0xfffffffen);
    gl.glPolygonOffset(Number.NaN, Number.NEGATIVE_INFINITY);
    gl.glGetInteger64v(gl.GL_POLYGON_OFFSET_FACTOR, wide);
    expect(wide[0]).toBe(0n);
    gl.glGetInteger64v(gl.GL_POLYGON_OFFSET_UNITS, wide);
    expect(wide[0]).toBe(-(2n ** 63n));
    const viewport = new Int32Array(4);
    gl.glGetIntegerv(gl.GL_VIEWPORT, viewport);
    expect([...viewport]).toEqual([0, 0, 8, 8]);
    expect(gl.glGetString(gl.GL_VERSION)).toMatch(/^OpenGL ES 3\.0 /);
    const bits = new Int32Array(1);
    gl.glGetIntegerv(gl.GL_DEPTH_BITS, bits);
    expect(bits[0]).toBe(24);
  });

  it('times work, with the names of the extension in both versions', () => {
    for (const api of [2, 3] as const) {
      const gl = createGlesContext({ width: 8, height: 8, api, backend: softBackend });
      expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_EXT_disjoint_timer_query');
      const names: number[] = [];
      gl.glGenQueriesEXT(2, names);
      const [elapsed, stamp] = names as [number, number];
      gl.glBeginQueryEXT(gl.GL_TIME_ELAPSED_EXT, elapsed);
      gl.glClear(gl.GL_COLOR_BUFFER_BIT);
      gl.glEndQueryEXT(gl.GL_TIME_ELAPSED_EXT);
      gl.glQueryCounterEXT(stamp, gl.GL_TIMESTAMP_EXT);
      const wide = new BigInt64Array(1);
      gl.glGetQueryObjectui64vEXT(elapsed, gl.GL_QUERY_RESULT, wide);
      const narrow: number[] = [];
      gl.glGetQueryObjectivEXT(elapsed, gl.GL_QUERY_RESULT, narrow);
      expect(narrow[0]).toBeGreaterThan(0);
      expect(narrow[0]).toBe(Number(wide[0]));
      gl.glGetQueryObjecti64vEXT(stamp, gl.GL_QUERY_RESULT, wide);
      expect(wide[0]! > BigInt(narrow[0]!)).toBe(true);
      const bits: number[] = [];
      gl.glGetQueryivEXT(gl.GL_TIMESTAMP_EXT, gl.GL_QUERY_COUNTER_BITS_EXT, bits);
      expect(bits).toEqual([53]);
      gl.glQueryCounterEXT(elapsed, gl.GL_TIMESTAMP_EXT);
      expect(gl.glGetError()).toBe(gl.GL_INVALID_OPERATION);
      gl.glBeginQueryEXT(gl.GL_TIMESTAMP_EXT, stamp);
      expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
    }
  });

  it('records INVALID_VALUE for what is no sync object, deleted ones too', () => {
    const { gl } = open();
    const deleted = gl.glFenceSync(gl.GL_SYNC_GPU_COMMANDS_COMPLETE, 0)!;
    gl.glDeleteSync(deleted);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
    for (const sync of [deleted, 77 as never]) {
      expect(gl.glIsSync(sync)).toBe(false);
      expect(gl.glClientWaitSync(sync, 0, 0)).toBe(gl.GL_WAIT_FAILED);
      expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
      gl.glWaitSync(sync, 0, -1);
      expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
      gl.glDeleteSync(sync);
      expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
    }
    gl.glDeleteSync(null);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
  });

  it('follows the drawing buffer size and gives all memory back', () => {
    const screen = nullBackend.createScreen({});
    const gl = createGlesContext({ width: 8, height: 8, api: 3, screen });
    gl.resize(20, 10);
    expect([gl.width, gl.height]).toEqual([20, 10]);
    gl.glGenTextures(1, [0]);
    gl.glBindTexture(gl.GL_TEXTURE_2D, 1);
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 4, 4, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, null);
    gl.dispose();
    expect(screen.memoryStatistics().liveAllocations).toBe(0);
  });

  it('cuts fractions off integer arguments, and keeps them for floats', () => {
    const { gl } = open();
    gl.glViewport(0.9, 0, 2.7, Number.NaN);
    const viewport = [0, 0, 0, 0];
    gl.glGetIntegerv(gl.GL_VIEWPORT, viewport);
    expect(viewport).toEqual([0, 0, 2, 0]);
    gl.glLineWidth(1.5);
    const width = [0];
    gl.glGetFloatv(gl.GL_LINE_WIDTH, width);
    expect(width).toEqual([1.5]);
    gl.dispose();
  });

  it('takes negative indices for the large unsigned ones they are in C', () => {
    const gl = createGlesContext({ width: 8, height: 8, api: 3, backend: nullBackend });
    const out: number[] = [];
    gl.glGetIntegeri_v(gl.GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, -1, out);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
    gl.glGetInteger64i_v(gl.GL_UNIFORM_BUFFER_START, -1, []);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
    const program = gl.glCreateProgram();
    gl.glBindAttribLocation(program, -1, 'position');
    expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
    for (const call of [
      () => gl.glEnableVertexAttribArray(-1),
      () => gl.glVertexAttribPointer(-1, 2, gl.GL_FLOAT, false, 0, 0),
      () => gl.glVertexAttribDivisor(-1, 1),
      () => gl.glVertexAttrib1f(-1, 0),
      () => gl.glGetVertexAttribiv(-1, gl.GL_VERTEX_ATTRIB_ARRAY_SIZE, out),
      () => gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, -1, 0),
      () => gl.glUniformBlockBinding(program, 0, -1),
      () => gl.glGetStringi(gl.GL_EXTENSIONS, -1),
      () => gl.glBindSampler(-1, 0),
    ]) {
      call();
      expect([gl.GL_INVALID_VALUE, gl.GL_INVALID_OPERATION]).toContain(gl.glGetError());
    }
    expect(out).toEqual([]);
    gl.dispose();
  });
});
