// Contexts and programs for the tests of this folder. The backend is the test's: only tests may import one.

import { Canvas } from '../canvas/canvas.ts';
import type { DebugMessage } from '../gl/errors.ts';
import type { Backend } from '../pipe/screen.ts';
import type { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';
import { openSurface } from './surface.ts';

/** A canvas that draws with `backend`. */
export function testCanvas(backend: Backend, width = 16, height = 16, debug?: (message: DebugMessage) => void): Canvas {
  return new Canvas(width, height, (canvas, type, attributes) =>
    openSurface(canvas, type, attributes, { backend, debug }),
  );
}

export function testContext2(backend: Backend, attributes?: WebGLContextAttributes): WebGL2RenderingContext {
  return testCanvas(backend).getContext('webgl2', attributes) as unknown as WebGL2RenderingContext;
}

export function testContext1(backend: Backend, attributes?: WebGLContextAttributes): WebGLRenderingContext {
  return testCanvas(backend).getContext('webgl', attributes) as unknown as WebGLRenderingContext;
}

type AnyContext = WebGLRenderingContext | WebGL2RenderingContext;
type ProgramHandle = ReturnType<AnyContext['createProgram']>;

export const VERTEX_SHADER = 'attribute vec4 position; void main() { gl_Position = position; gl_PointSize = 1.0; }';
export const FRAGMENT_SHADER = 'precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }';

/**
 * Compiles, links and uses a program; throws with the log when that fails. `beforeLink` binds attributes and names what is captured.
 */
export function useProgram(
  gl: globalThis.WebGLRenderingContext | globalThis.WebGL2RenderingContext,
  vertex: string,
  fragment: string,
  beforeLink?: (program: WebGLProgram) => void,
): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(String(gl.getShaderInfoLog(shader)));
    gl.attachShader(program, shader);
  }
  beforeLink?.(program);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(String(gl.getProgramInfoLog(program)));
  gl.useProgram(program);
  return program;
}

/** A program whose attribute 0 is `position`. */
export function useTestProgram(gl: AnyContext, vertex = VERTEX_SHADER, fragment = FRAGMENT_SHADER) {
  const bind = (program: WebGLProgram): void => gl.bindAttribLocation(program as ProgramHandle, 0, 'position');
  return useProgram(gl, vertex, fragment, bind) as ProgramHandle;
}

/** A quad over the whole viewport in attribute 0. */
export function bindQuad(gl: AnyContext): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
}

export function readPixel(gl: AnyContext, x: number, y: number): number[] {
  const pixel = new Uint8Array(4);
  gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return [...pixel];
}
