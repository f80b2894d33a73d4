// One triangle that covers the viewport, for passes that compute each pixel from its place.

type Gl = WebGLRenderingContext | WebGL2RenderingContext;

/** Vertex shader of GLSL ES 1.00 for it; `place` is −1 to 1, `uv` 0 to 1. Bind attribute 0 to `corner`. */
export const FULLSCREEN_VERTEX = `
attribute vec2 corner;
varying vec2 place;
varying vec2 uv;

void main() {
  place = corner;
  uv = corner * 0.5 + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/** The same in GLSL ES 3.00. */
export const FULLSCREEN_VERTEX_300 = `#version 300 es
layout(location = 0) in vec2 corner;
out vec2 place;
out vec2 uv;

void main() {
  place = corner;
  uv = corner * 0.5 + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

export interface FullscreenTriangle {
  /** Draws with the current program. Leaves attributes 1 and 2 off. */
  draw(): void;
  dispose(): void;
}

export function createFullscreenTriangle(gl: Gl): FullscreenTriangle {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  return {
    draw() {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(0);
      gl.disableVertexAttribArray(1);
      gl.disableVertexAttribArray(2);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    dispose: () => gl.deleteBuffer(buffer),
  };
}
