import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { softBackend } from '../../backends/soft/screen.ts';
import { testContext1, testContext2 } from './testing.ts';

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe('EXT_disjoint_timer_query', () => {
  it('goes by its own name in each version, and needs a backend with a clock', () => {
    const [gl1, gl2] = [testContext1(softBackend), testContext2(softBackend)];
    expect(gl1.getExtension('EXT_disjoint_timer_query')).not.toBeNull();
    expect(gl1.getExtension('EXT_disjoint_timer_query_webgl2')).toBeNull();
    expect(gl2.getExtension('EXT_disjoint_timer_query')).toBeNull();
    expect(String(gl2.getExtension('EXT_disjoint_timer_query_webgl2'))).toBe(
      '[object EXT_disjoint_timer_query_webgl2]',
    );
    expect(gl2.getSupportedExtensions()).toContain('EXT_disjoint_timer_query_webgl2');
    expect(testContext1(nullBackend).getExtension('EXT_disjoint_timer_query')).toBeNull();
  });

  it('is silent until it is enabled', () => {
    const gl = testContext2(softBackend);
    const query = gl.createQuery();
    gl.beginQuery(0x88bf, query);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(gl.getParameter(0x8e28)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(gl.getQuery(gl.ANY_SAMPLES_PASSED, 0x8864)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });

  it('times the work between begin and end, seen from the next task on', async () => {
    const gl = testContext2(softBackend);
    const ext = gl.getExtension('EXT_disjoint_timer_query_webgl2')!;
    const [elapsed, before, after] = [gl.createQuery(), gl.createQuery(), gl.createQuery()];
    ext.queryCounterEXT(before, ext.TIMESTAMP_EXT);
    gl.beginQuery(ext.TIME_ELAPSED_EXT, elapsed);
    expect(gl.getQuery(ext.TIME_ELAPSED_EXT, gl.CURRENT_QUERY)).toBe(elapsed);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.endQuery(ext.TIME_ELAPSED_EXT);
    ext.queryCounterEXT(after, ext.TIMESTAMP_EXT);
    gl.finish();
    const queries = [elapsed, before, after];
    const available = () => queries.map((query) => gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE));
    expect(available()).toEqual([false, false, false]);
    await nextTask();
    expect(available()).toEqual([true, true, true]);
    const [time, start, end] = queries.map((query) => gl.getQueryParameter(query, gl.QUERY_RESULT) as number);
    expect(time).toBeGreaterThan(0);
    expect(end! - start!).toBeGreaterThanOrEqual(time!);
    expect(gl.getParameter(ext.TIMESTAMP_EXT)).toBeGreaterThanOrEqual(end!);
    expect(gl.getParameter(ext.GPU_DISJOINT_EXT)).toBe(false);
    expect(gl.getQuery(ext.TIMESTAMP_EXT, ext.QUERY_COUNTER_BITS_EXT)).toBeGreaterThanOrEqual(30);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('has a slot of its own beside occlusion and feedback', () => {
    const gl = testContext2(softBackend);
    const ext = gl.getExtension('EXT_disjoint_timer_query_webgl2')!;
    const [time, samples] = [gl.createQuery(), gl.createQuery()];
    gl.beginQuery(ext.TIME_ELAPSED_EXT, time);
    gl.beginQuery(gl.ANY_SAMPLES_PASSED, samples);
    gl.beginQuery(gl.ANY_SAMPLES_PASSED_CONSERVATIVE, gl.createQuery());
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.deleteQuery(time);
    expect(gl.getQuery(ext.TIME_ELAPSED_EXT, gl.CURRENT_QUERY)).toBeNull();
    expect(gl.getQuery(gl.ANY_SAMPLES_PASSED, gl.CURRENT_QUERY)).toBe(samples);
    ext.queryCounterEXT(samples, ext.TIMESTAMP_EXT);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('gives WebGL 1 query objects', async () => {
    const gl = testContext1(softBackend);
    const ext = gl.getExtension('EXT_disjoint_timer_query');
    const query = ext.createQueryEXT();
    expect(String(query)).toBe('[object WebGLTimerQueryEXT]');
    expect(ext.isQueryEXT(query)).toBe(false);
    ext.beginQueryEXT(ext.TIMESTAMP_EXT, query);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    ext.beginQueryEXT(ext.TIME_ELAPSED_EXT, query);
    ext.getQueryObjectEXT(query, ext.QUERY_RESULT_EXT);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    ext.endQueryEXT(ext.TIME_ELAPSED_EXT);
    expect(ext.isQueryEXT(query)).toBe(true);
    expect(ext.getQueryObjectEXT(query, ext.QUERY_RESULT_AVAILABLE_EXT)).toBe(false);
    await nextTask();
    expect(ext.getQueryObjectEXT(query, ext.QUERY_RESULT_EXT)).toBeGreaterThan(0);
    expect(() => ext.beginQueryEXT(ext.TIME_ELAPSED_EXT, null)).toThrow(TypeError);
    ext.deleteQueryEXT(query);
    ext.beginQueryEXT(ext.TIME_ELAPSED_EXT, query);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });
});
