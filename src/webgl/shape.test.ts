import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import * as handles from './handles.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';
import { testContext1, testContext2 } from './testing.ts';

describe('the classes', () => {
  it('have prototypes directly on Object.prototype, and can not be constructed', () => {
    const classes = (Object.values(handles) as unknown[]).filter(
      (value): value is new () => object => typeof value === 'function' && /^WebGL/.test(value.name),
    );
    expect(classes.length).toBeGreaterThan(13);
    for (const type of [...classes, WebGLRenderingContext, WebGL2RenderingContext] as (new () => object)[]) {
      expect(Object.getPrototypeOf(type.prototype)).toBe(Object.prototype);
      expect(() => new type()).toThrow(TypeError);
    }
  });

  it('carry the constants on class and prototype, unchangeable', () => {
    expect(WebGLRenderingContext.prototype.RGBA).toBe(0x1908);
    expect((WebGLRenderingContext as unknown as { RGBA: number }).RGBA).toBe(0x1908);
    expect((WebGL2RenderingContext as unknown as { RGBA8: number }).RGBA8).toBe(0x8058);
    const { writable } = Object.getOwnPropertyDescriptor(WebGL2RenderingContext.prototype, 'RGBA8')!;
    expect(writable).toBe(false);
  });
});

describe('a context', () => {
  it('is an instance of its class and of no other', () => {
    const gl = testContext2(nullBackend);
    expect(gl).toBeInstanceOf(WebGL2RenderingContext);
    expect(gl).not.toBeInstanceOf(WebGLRenderingContext);
    expect(String(gl)).toBe('[object WebGL2RenderingContext]');
  });

  it('has nothing of its own, and shows only specified names', () => {
    const gl = testContext1(nullBackend);
    expect(Object.getOwnPropertyNames(gl)).toEqual([]);
    expect(Object.getOwnPropertySymbols(gl)).toEqual([]);
    const shown: string[] = [];
    for (const name in gl) shown.push(name);
    expect(shown.filter((name) => /dispose|face|constructor|^_/.test(name))).toEqual([]);
    expect(shown).toContain('drawArrays');
    expect(shown).toContain('drawingBufferWidth');
  });

  it('of WebGL 1 has no names of WebGL 2', () => {
    const gl = testContext1(nullBackend) as unknown as Record<string, unknown>;
    for (const name of ['drawArraysInstanced', 'texImage3D', 'RGB10_A2', 'createQuery', 'uniform1ui'])
      expect(name in gl).toBe(false);
  });

  it('refuses other receivers', () => {
    const gl = testContext2(nullBackend);
    expect(() => gl.clear.call({} as never, 0)).toThrow(TypeError);
    expect(() => gl.clear.call(Object.create(WebGL2RenderingContext.prototype), 0)).toThrow(TypeError);
  });

  it('tells the lengths and names of its methods', () => {
    const gl = testContext2(nullBackend);
    expect(gl.texImage2D.length).toBe(6);
    expect(gl.clearBufferfv.length).toBe(3);
    expect(gl.bindBuffer.name).toBe('bindBuffer');
  });
});
