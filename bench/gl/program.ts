// A linked program with its locations looked up once.

import type { Gl } from '../scene.ts';

export interface Program {
  readonly handle: WebGLProgram;
  /** Location of an attribute, -1 when the shader does not use it. */
  attribute(name: string): number;
  /** Location of a uniform; null, which GL ignores, when there is none. */
  uniform(name: string): WebGLUniformLocation | null;
  use(): void;
  dispose(): void;
}

function compile(gl: Gl, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

/** Compiles and links; throws with the logs when that fails. */
export function linkProgram(gl: Gl, vertex: string, fragment: string): Program {
  const handle = gl.createProgram()!;
  const shaders = [compile(gl, gl.VERTEX_SHADER, vertex), compile(gl, gl.FRAGMENT_SHADER, fragment)];
  for (const shader of shaders) gl.attachShader(handle, shader);
  gl.linkProgram(handle);
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS)) {
    const logs = [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(handle)];
    const told = logs.filter(Boolean).join('\n');
    throw new Error(`program does not link: ${told}\n--- vertex\n${vertex}\n--- fragment\n${fragment}`);
  }
  for (const shader of shaders) gl.deleteShader(shader);
  const locations = new Map<string, WebGLUniformLocation | null>();
  return {
    handle,
    attribute: (name) => gl.getAttribLocation(handle, name),
    uniform(name) {
      let location = locations.get(name);
      if (location === undefined) {
        location = gl.getUniformLocation(handle, name);
        locations.set(name, location);
      }
      return location;
    },
    use: () => gl.useProgram(handle),
    dispose: () => gl.deleteProgram(handle),
  };
}
