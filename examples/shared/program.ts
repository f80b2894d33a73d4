// Builds shader programs and tells what is wrong with them in a form a person can read.

type Gl = WebGLRenderingContext | WebGL2RenderingContext;

export interface ProgramOptions {
  /** Attribute names by location; WebGL 2 shaders say `layout(location = …)` instead. */
  readonly attributes?: readonly string[];
  /** Vertex outputs that transform feedback captures, interleaved. */
  readonly feedback?: readonly string[];
}

export interface Program {
  readonly handle: WebGLProgram;
  /** Location of an active uniform; null (which GL ignores) for others. */
  uniform(name: string): WebGLUniformLocation | null;
  use(): void;
  dispose(): void;
}

function compile(gl: Gl, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type)!;
  gl.shaderSource(shader, source.trim());
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
    const stage = type === gl.VERTEX_SHADER ? 'vertex' : 'fragment';
    const numbered = source
      .trim()
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(4)}  ${line}`);
    throw new Error(`${stage} shader:\n${gl.getShaderInfoLog(shader)}\n${numbered.join('\n')}`);
  }
  return shader;
}

/** A linked program of two sources (which may start with an empty line). Throws with the log and numbered lines. */
export function createProgram(gl: Gl, vertex: string, fragment: string, options: ProgramOptions = {}): Program {
  const handle = gl.createProgram()!;
  for (const shader of [compile(gl, gl.VERTEX_SHADER, vertex), compile(gl, gl.FRAGMENT_SHADER, fragment)]) {
    gl.attachShader(handle, shader);
    gl.deleteShader(shader);
  }
  for (const [location, name] of (options.attributes ?? []).entries()) gl.bindAttribLocation(handle, location, name);
  if (options.feedback) {
    const gl2 = gl as WebGL2RenderingContext;
    gl2.transformFeedbackVaryings(handle, [...options.feedback], gl2.INTERLEAVED_ATTRIBS);
  }
  gl.linkProgram(handle);
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS)) throw new Error(`link: ${gl.getProgramInfoLog(handle)}`);
  const locations = new Map<string, WebGLUniformLocation | null>();
  return {
    handle,
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
