import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { testContext1, testContext2 } from './testing.ts';

describe('extensions', () => {
  it('are the same object each time, whatever the case of the name', () => {
    const gl = testContext1(nullBackend);
    const extension = gl.getExtension('OES_vertex_array_object');
    expect(gl.getExtension('oes_VERTEX_array_OBJECT')).toBe(extension);
    expect(String(extension)).toBe('[object OES_vertex_array_object]');
    expect(gl.getExtension('WEBGL_no_such_thing')).toBeNull();
  });

  it('are listed in order, and all of them can be had', () => {
    for (const gl of [testContext1(nullBackend), testContext2(nullBackend)]) {
      const names = gl.getSupportedExtensions()!;
      expect(names).toEqual([...names].sort());
      for (const name of names) expect(gl.getExtension(name)).not.toBeNull();
    }
  });

  it('make their enums valid only when enabled', () => {
    const gl = testContext1(nullBackend);
    gl.blendEquation(0x8007);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    const extension = gl.getExtension('EXT_blend_minmax');
    gl.blendEquation(extension.MIN_EXT);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('have methods that convert and check as those of contexts', () => {
    const gl = testContext1(nullBackend);
    const extension = gl.getExtension('OES_vertex_array_object');
    const array = extension.createVertexArrayOES();
    expect(extension.isVertexArrayOES(array)).toBe(false);
    extension.bindVertexArrayOES(array);
    expect(extension.isVertexArrayOES(array)).toBe(true);
    expect(gl.getParameter(extension.VERTEX_ARRAY_BINDING_OES)).toBe(array);
    expect(() => extension.bindVertexArrayOES(gl.createBuffer())).toThrow(TypeError);
    expect(() => extension.createVertexArrayOES.call({})).toThrow(TypeError);
  });
});
