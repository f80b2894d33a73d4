import { describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import type { WebGL2RenderingContext } from './rendering-context.ts';
import { readPixel, testContext1, testContext2, useTestProgram } from './testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: extension objects have no types in the DOM lib yet
type Extension = any;

function open(...extensions: string[]): { gl: WebGL2RenderingContext; ext: Extension } {
  const gl = testContext2(softBackend, { antialias: false });
  const [ext] = extensions.map((name) => gl.getExtension(name));
  return { gl, ext };
}

/** A triangle over the whole 16 × 16 drawing buffer; `extra` floats follow x, y of each vertex in attribute 1. */
function bindTriangle(gl: WebGL2RenderingContext, extra: readonly [number[], number[], number[]]): void {
  const size = extra[0].length;
  const data = [-1, -1, ...extra[0], 3, -1, ...extra[1], -1, 3, ...extra[2]];
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, (2 + size) * 4, 0);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribPointer(1, size, gl.FLOAT, false, (2 + size) * 4, 8);
}

function compiles(gl: WebGL2RenderingContext, type: number, source: string): boolean {
  const shader = gl.createShader(type)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return gl.getShaderParameter(shader, gl.COMPILE_STATUS) as boolean;
}

/** Draws into four samples a pixel and resolves; returns the pixel at (7, 7). */
function drawMultisampled(gl: WebGL2RenderingContext, draw: () => void): number[] {
  const buffer = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
  gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl.RGBA8, 16, 16);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, buffer);
  gl.clear(gl.COLOR_BUFFER_BIT);
  draw();
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
  gl.blitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return readPixel(gl as never, 7, 7);
}

const NOPERSPECTIVE = '#extension GL_NV_shader_noperspective_interpolation : require\n';
const VARIABLES = '#extension GL_OES_sample_variables : require\n';
const INTERPOLATION = '#extension GL_OES_shader_multisample_interpolation : require\n';

function fragment(body: string, { extensions = '', declarations = '' } = {}): string {
  return `#version 300 es\n${extensions}precision highp float;\nprecision highp int;\n${declarations}
  layout(location = 0) out vec4 result;\nvoid main() { ${body} }`;
}

describe('noperspective varyings', () => {
  const vertex = (how: string) => `#version 300 es\n${NOPERSPECTIVE}
    layout(location = 0) in vec2 position; layout(location = 1) in vec2 more; ${how} out float value;
    void main() { gl_Position = vec4(position * more.x, 0, more.x); value = more.y; }`;

  it('are linear in the window', () => {
    const { gl } = open('NV_shader_noperspective_interpolation');
    bindTriangle(gl, [
      [1, 0],
      [3, 1],
      [1, 0],
    ] as never);
    const draw = (how: string): number => {
      const declarations = `${how} in float value;`;
      const source = fragment('result = vec4(value);', { extensions: NOPERSPECTIVE, declarations });
      useTestProgram(gl as never, vertex(how), source);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      return readPixel(gl as never, 7, 0)[0]!;
    };
    // Window x of pixel 7 is 7.5 / 32 of the way; with perspective 3 · (1 − b) + b weighs against the far end.
    expect(draw('noperspective')).toBe(Math.round((7.5 / 32) * 255));
    const b = 7.5 / 32;
    expect(draw('smooth')).toBe(Math.round((b / 3 / (1 - b + b / 3)) * 255));
  });

  it('must be so in both stages, and are no word without the extension', () => {
    const { gl } = open('NV_shader_noperspective_interpolation');
    const source = fragment('result = vec4(value);', { declarations: 'in float value;' });
    expect(() => useTestProgram(gl as never, vertex('noperspective'), source)).toThrow(/Interpolation of varying/);
    expect(compiles(gl, gl.FRAGMENT_SHADER, fragment('', { declarations: 'noperspective in float value;' }))).toBe(
      false,
    );
  });
});

describe('KHR_parallel_shader_compile', () => {
  it('tells that all is done, on lost contexts too', () => {
    const { gl, ext } = open('KHR_parallel_shader_compile');
    const shader = gl.createShader(gl.VERTEX_SHADER)!;
    const program = gl.createProgram()!;
    expect(gl.getShaderParameter(shader, ext.COMPLETION_STATUS_KHR)).toBe(true);
    expect(gl.getProgramParameter(program, ext.COMPLETION_STATUS_KHR)).toBe(true);
    const other = open().gl;
    expect(other.getShaderParameter(other.createShader(gl.VERTEX_SHADER)!, ext.COMPLETION_STATUS_KHR)).toBe(null);
    expect(other.getError()).toBe(gl.INVALID_ENUM);
    expect(other.getShaderParameter(shader, gl.COMPILE_STATUS)).toBe(null);
    expect(other.getError()).toBe(gl.INVALID_OPERATION);
    gl.getExtension('WEBGL_lose_context')!.loseContext();
    expect(gl.getShaderParameter(shader, ext.COMPLETION_STATUS_KHR)).toBe(true);
    expect(gl.getProgramParameter(program, ext.COMPLETION_STATUS_KHR)).toBe(true);
    expect(gl.getProgramParameter(program, gl.LINK_STATUS)).toBe(null);
  });
});

describe('EXT_conservative_depth', () => {
  it('lets gl_FragDepth be declared again, once and before it is used', () => {
    const { gl } = open('EXT_conservative_depth');
    const extensions = '#extension GL_EXT_conservative_depth : require\n';
    const check = (declarations: string, body = 'gl_FragDepth = 0.5; result = vec4(1);'): boolean =>
      compiles(gl, gl.FRAGMENT_SHADER, fragment(body, { extensions, declarations }));
    expect(check('layout(depth_greater) out highp float gl_FragDepth;')).toBe(true);
    expect(check('layout(depth_greater) out highp float gl_FragDepth; out float gl_FragDepth;')).toBe(false);
    expect(check('void f() { gl_FragDepth = 1.0; } layout(depth_any) out highp float gl_FragDepth;')).toBe(false);
    expect(check('layout(depth_any) out vec2 gl_FragDepth;')).toBe(false);
    expect(check('layout(depth_any) out float other;')).toBe(false);
    expect(check('', 'out float gl_FragDepth;')).toBe(false);
  });
});

describe('WEBGL_provoking_vertex', () => {
  it('takes flat values from the first or the last vertex, in strips and fans too', () => {
    const { gl, ext } = open('WEBGL_provoking_vertex');
    useTestProgram(
      gl as never,
      `#version 300 es
      layout(location = 0) in vec2 position; flat out int id;
      void main() { gl_Position = vec4(position, 0, 1); id = gl_VertexID + 1; }`,
      fragment('result = vec4(float(id) / 255.0);', { declarations: 'flat in int id;' }),
    );
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    // As a strip and as a fan the second triangle covers the upper right half.
    const corners = [-1, -1, 1, -1, -1, 1, 1, 1, -1, -1, 1, -1, 1, 1, -1, 1];
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    const draw = (mode: number, first: number): number[] => {
      gl.drawArrays(mode, first, 4);
      return [readPixel(gl as never, 12, 2)[0]!, readPixel(gl as never, 3, 13)[0]!];
    };
    // (12, 2) is in triangle 0 of the strip and of the fan, (3, 13) only in the fan's triangle 1.
    expect(draw(gl.TRIANGLE_FAN, 4)).toEqual([7, 8]);
    ext.provokingVertexWEBGL(ext.FIRST_VERTEX_CONVENTION_WEBGL);
    expect(draw(gl.TRIANGLE_FAN, 4)).toEqual([6, 7]);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect([readPixel(gl as never, 1, 1)[0], readPixel(gl as never, 14, 14)[0]]).toEqual([1, 2]);
    ext.provokingVertexWEBGL(ext.LAST_VERTEX_CONVENTION_WEBGL);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect([readPixel(gl as never, 1, 1)[0], readPixel(gl as never, 14, 14)[0]]).toEqual([3, 4]);
    ext.provokingVertexWEBGL(0);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });
});

/** x and y in pixels as varyings. */
const PIXELS = (how: string) => `#version 300 es\n${INTERPOLATION}
  layout(location = 0) in vec2 position; ${how} out vec2 place; centroid out vec2 inside;
  void main() { gl_Position = vec4(position, 0, 1); place = inside = (position + 1.0) * 8.0; }`;

describe('sample shading', () => {
  const samples = [
    [96, 32],
    [224, 96],
    [32, 160],
    [160, 224],
  ] as const;

  it('runs the shader for each covered sample', () => {
    const { gl } = open('OES_shader_multisample_interpolation', 'OES_sample_variables');
    bindTriangle(gl, [[0], [0], [0]] as never);
    const shade = (how: string, body: string): number[] => {
      const declarations = `${how} in vec2 place;`;
      const extensions = INTERPOLATION + VARIABLES;
      useTestProgram(gl as never, PIXELS(''), fragment(body, { extensions, declarations }));
      return drawMultisampled(gl, () => gl.drawArrays(gl.TRIANGLES, 0, 3));
    };
    // Two of the samples are right of the centre.
    expect(shade('sample', 'result = vec4(fract(place.x) > 0.51);')[0]).toBe(128);
    expect(shade('', 'result = vec4(fract(place.x) > 0.51);')[0]).toBe(0);
    expect(shade('', 'result = vec4(gl_SampleID == 2);')[0]).toBe(64);
    expect(shade('', 'result = vec4(gl_SamplePosition.y < 0.3, gl_SamplePosition.x > 0.8, 0, 0);').slice(0, 2)).toEqual(
      [64, 64],
    );
    expect(shade('', 'result = vec4(gl_SampleMaskIn[0] == 15, gl_NumSamples == 4, gl_MaxSamples >= 4, 1);')).toEqual([
      255, 255, 255, 255,
    ]);
    expect(shade('sample', 'result = vec4(gl_SampleMaskIn[0] == 2);')[0]).toBe(64);
    expect(shade('', 'gl_SampleMask[0] = 5; result = vec4(1);')[0]).toBe(128);
    expect(shade('sample', 'gl_SampleMask[0] = 7; result = vec4(1);')[0]).toBe(191);
    expect(shade('sample', 'if (gl_SampleID == 1) discard; result = vec4(fract(place.x));')[0]).toBe(
      Math.round(((96 + 32 + 160) / 256 / 4) * 255),
    );
  });

  it('tests depth at each sample, in order with what is drawn before', () => {
    const { gl } = open('OES_sample_variables');
    bindTriangle(gl, [[0], [0], [0]] as never);
    useTestProgram(
      gl as never,
      PIXELS('').replace(INTERPOLATION, ''),
      fragment('gl_FragDepth = gl_SampleID < 2 ? 0.25 : 0.75; result = vec4(1);', { extensions: VARIABLES }),
    );
    const depth = gl.createRenderbuffer();
    const result = drawMultisampled(gl, () => {
      gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl.DEPTH_COMPONENT24, 16, 16);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
      gl.clearDepth(0.5);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      gl.disable(gl.DEPTH_TEST);
    });
    expect(result[0]).toBe(128);
  });

  it('interpolates anywhere in the pixel', () => {
    const { gl } = open('OES_shader_multisample_interpolation', 'OES_sample_variables');
    bindTriangle(gl, [[0], [0], [0]] as never);
    const shade = (body: string): number[] => {
      const declarations = 'in vec2 place; centroid in vec2 inside; uniform int one;';
      useTestProgram(gl as never, PIXELS(''), fragment(body, { extensions: INTERPOLATION, declarations }));
      return drawMultisampled(gl, () => gl.drawArrays(gl.TRIANGLES, 0, 3));
    };
    samples.forEach(([x, y], i) => {
      const [red, green] = shade(`result = vec4(fract(interpolateAtSample(place, ${i} + one)), 0, 0);`);
      expect([red, green]).toEqual([Math.round((x / 256) * 255), Math.round((y / 256) * 255)]);
    });
    expect(shade('result = vec4(fract(interpolateAtOffset(place, vec2(0.25, -0.25))), 0, 0);')).toEqual([
      191, 64, 0, 0,
    ]);
    expect(shade('result = vec4(interpolateAtCentroid(place) == inside);')).toEqual([255, 255, 255, 255]);
    // One sample a pixel: its centre.
    const declarations = 'in vec2 place;';
    const body = 'result = vec4(fract(interpolateAtSample(place, 3)), fract(interpolateAtCentroid(place)));';
    useTestProgram(gl as never, PIXELS(''), fragment(body, { extensions: INTERPOLATION, declarations }));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(readPixel(gl as never, 3, 4)).toEqual([128, 128, 128, 128]);
  });

  it('interpolates elements of arrays, chosen at run time', () => {
    const { gl } = open('OES_shader_multisample_interpolation', 'OES_sample_variables');
    bindTriangle(gl, [[0], [0], [0]] as never);
    const vertex = `#version 300 es
      layout(location = 0) in vec2 position; out float parts[3];
      void main() { gl_Position = vec4(position, 0, 1); for (int i = 0; i < 3; i++) parts[i] = position.x * 8.0 + 8.0 + 0.1 * float(i); }`;
    const declarations = 'in float parts[3]; uniform int which;';
    const body = 'result = vec4(fract(interpolateAtOffset(parts[which + 2], vec2(0))));';
    useTestProgram(gl as never, vertex, fragment(body, { extensions: INTERPOLATION, declarations }));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(readPixel(gl as never, 3, 4)[0]).toBe(Math.round(0.7 * 255));
  });

  it('refuses what is no input variable', () => {
    const { gl } = open('OES_shader_multisample_interpolation', 'OES_sample_variables');
    const check = (expression: string): boolean => {
      const source = fragment(`result = vec4(${expression});`, {
        extensions: INTERPOLATION,
        declarations: 'in vec2 place; uniform vec2 other;',
      });
      return compiles(gl, gl.FRAGMENT_SHADER, source);
    };
    expect(check('interpolateAtCentroid(place), 0, 0')).toBe(true);
    for (const wrong of ['place * 2.0', 'place.xy', 'other', 'gl_PointCoord', 'gl_FragCoord.xy'])
      expect(check(`interpolateAtCentroid(${wrong}), 0, 0`)).toBe(false);
    expect(compiles(gl, gl.FRAGMENT_SHADER, fragment('', { declarations: 'sample in vec2 place;' }))).toBe(false);
    expect(compiles(gl, gl.VERTEX_SHADER, '#version 300 es\nvoid main() { gl_SampleID; }')).toBe(false);
  });
});

describe('WEBGL_blend_func_extended', () => {
  const declarations = 'layout(location = 0, index = 1) out vec4 second; uniform vec4 a; uniform vec4 b;';
  const extensions = '#extension GL_EXT_blend_func_extended : require\n';

  it('blends with two sources', () => {
    const { gl, ext } = open('WEBGL_blend_func_extended');
    bindTriangle(gl, [[0], [0], [0]] as never);
    const program = useTestProgram(
      gl as never,
      PIXELS('').replace(INTERPOLATION, ''),
      fragment('result = a; second = b;', { extensions, declarations }),
    );
    const set = (name: string, ...values: [number, number, number, number]): void =>
      gl.uniform4f(gl.getUniformLocation(program as never, name), ...values);
    set('a', 1, 0.5, 0, 1);
    set('b', 0.5, 0.25, 1, 0.5);
    gl.enable(gl.BLEND);
    gl.clearColor(0, 1, 1, 1);
    const blend = (source: number, destination: number): number[] => {
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.blendFunc(source, destination);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      return readPixel(gl as never, 5, 5);
    };
    expect(blend(ext.SRC1_COLOR_WEBGL, ext.ONE_MINUS_SRC1_COLOR_WEBGL)).toEqual([128, 223, 0, 255]);
    expect(blend(ext.SRC1_ALPHA_WEBGL, gl.ZERO)).toEqual([128, 64, 0, 128]);
    expect(blend(gl.ZERO, ext.ONE_MINUS_SRC1_ALPHA_WEBGL)).toEqual([0, 128, 128, 128]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('wants a second output and one draw buffer', () => {
    const { gl, ext } = open('WEBGL_blend_func_extended');
    bindTriangle(gl, [[0], [0], [0]] as never);
    useTestProgram(gl as never, PIXELS('').replace(INTERPOLATION, ''), fragment('result = vec4(1);'));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, ext.SRC1_ALPHA_WEBGL);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.disable(gl.BLEND);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const check = (text: string): boolean =>
      compiles(gl, gl.FRAGMENT_SHADER, fragment('result = vec4(1);', { extensions, declarations: text }));
    expect(check('layout(location = 0, index = 1) out vec4 two;')).toBe(true);
    expect(check('layout(location = 1, index = 1) out vec4 two;')).toBe(false);
    expect(check('layout(location = 0, index = 2) out vec4 two;')).toBe(false);
    expect(check('layout(location = 0, index = 0) out vec4 two;')).toBe(false);
    expect(check('layout(index = 1) out vec4 two;')).toBe(false);
  });

  it('works in WebGL 1', () => {
    const gl = testContext1(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_blend_func_extended');
    expect(gl.getParameter(ext.MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL)).toBe(1);
    useTestProgram(
      gl,
      'attribute vec2 position; void main() { gl_Position = vec4(position, 0, 1); gl_PointSize = 64.0; }',
      `#extension GL_EXT_blend_func_extended : require
      precision highp float;
      void main() { gl_FragData[0] = vec4(1); gl_SecondaryFragDataEXT[gl_MaxDualSourceDrawBuffersEXT - 1] = vec4(0.5); }`,
    );
    gl.enable(gl.BLEND);
    gl.blendFunc(ext.SRC1_COLOR_WEBGL, gl.ZERO);
    gl.vertexAttrib2f(0, 0, 0);
    gl.drawArrays(gl.POINTS, 0, 1);
    expect(readPixel(gl, 5, 5)).toEqual([128, 128, 128, 128]);
  });
});
