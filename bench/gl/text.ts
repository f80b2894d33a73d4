// Text over a picture, from an atlas of glyphs as glmark2's data has one. Leaves the state of the scene as it was.

import type { Gl } from '../scene.ts';
import type { Program } from './program.ts';

/** The atlas: printable ASCII from the space on, row by row from the top. */
export const ATLAS = { size: 512, glyphWidth: 29, glyphHeight: 57, columns: 17, first: 32, end: 127 } as const;

const FLOATS_A_VERTEX = 4;
const VERTICES_A_GLYPH = 6;
const BYTES_A_VERTEX = FLOATS_A_VERTEX * 4;

export interface TextPlace {
  /** The lower left corner of the first glyph and a glyph's width, in clip space. */
  readonly x: number;
  readonly y: number;
  readonly glyphWidth: number;
  /** Width by height of the picture. */
  readonly aspect: number;
}

/** Two triangles a glyph: position and texture coordinate of each vertex. */
export function layOutText(text: string, { x, y, glyphWidth, aspect }: TextPlace): Float32Array<ArrayBuffer> {
  const height = (glyphWidth * aspect * ATLAS.glyphHeight) / ATLAS.glyphWidth;
  const [u, v] = [ATLAS.glyphWidth / ATLAS.size, ATLAS.glyphHeight / ATLAS.size];
  const vertices: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const glyph = code >= ATLAS.first && code < ATLAS.end ? code - ATLAS.first : 0;
    const [left, low] = [x + at * glyphWidth, y];
    const [s, t] = [(glyph % ATLAS.columns) * u, 1 - (Math.floor(glyph / ATLAS.columns) + 1) * v];
    const corner = (right: 0 | 1, top: 0 | 1) =>
      vertices.push(left + right * glyphWidth, low + top * height, s + right * u, t + top * v);
    corner(0, 0);
    corner(1, 0);
    corner(0, 1);
    corner(0, 1);
    corner(1, 0);
    corner(1, 1);
  }
  return Float32Array.from(vertices);
}

export interface Text {
  set(text: string): void;
  draw(): void;
  dispose(): void;
}

/** Runs `draw` and puts back what it changes: program, buffer, blending, depth test, texture of unit 0, two attributes. */
function withStateOf(gl: Gl, attributes: readonly number[], draw: () => void): void {
  const program = gl.getParameter(gl.CURRENT_PROGRAM) as WebGLProgram | null;
  const buffer = gl.getParameter(gl.ARRAY_BUFFER_BINDING) as WebGLBuffer | null;
  const unit = gl.getParameter(gl.ACTIVE_TEXTURE) as number;
  gl.activeTexture(gl.TEXTURE0);
  const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture | null;
  const isBlending = gl.isEnabled(gl.BLEND);
  const isDepthTested = gl.isEnabled(gl.DEPTH_TEST);
  const factors = [gl.BLEND_SRC_RGB, gl.BLEND_DST_RGB, gl.BLEND_SRC_ALPHA, gl.BLEND_DST_ALPHA].map(
    (name) => gl.getParameter(name) as number,
  );
  const arrays = attributes.map((index) => ({
    index,
    isEnabled: gl.getVertexAttrib(index, gl.VERTEX_ATTRIB_ARRAY_ENABLED) as boolean,
    buffer: gl.getVertexAttrib(index, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) as WebGLBuffer | null,
    size: gl.getVertexAttrib(index, gl.VERTEX_ATTRIB_ARRAY_SIZE) as number,
    type: gl.getVertexAttrib(index, gl.VERTEX_ATTRIB_ARRAY_TYPE) as number,
    isNormalized: gl.getVertexAttrib(index, gl.VERTEX_ATTRIB_ARRAY_NORMALIZED) as boolean,
    stride: gl.getVertexAttrib(index, gl.VERTEX_ATTRIB_ARRAY_STRIDE) as number,
    offset: gl.getVertexAttribOffset(index, gl.VERTEX_ATTRIB_ARRAY_POINTER),
  }));
  draw();
  for (const { index, isEnabled, buffer: bound, size, type, isNormalized, stride, offset } of arrays) {
    if (bound) {
      gl.bindBuffer(gl.ARRAY_BUFFER, bound);
      gl.vertexAttribPointer(index, size, type, isNormalized, stride, offset);
    }
    if (!isEnabled) gl.disableVertexAttribArray(index);
  }
  if (isDepthTested) gl.enable(gl.DEPTH_TEST);
  if (!isBlending) gl.disable(gl.BLEND);
  gl.blendFuncSeparate(factors[0]!, factors[1]!, factors[2]!, factors[3]!);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.activeTexture(unit);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.useProgram(program);
}

/** `atlas`: a texture of the atlas; it stays the caller's, as the program does. */
export function createText(gl: Gl, program: Program, atlas: WebGLTexture, place: TextPlace): Text {
  const buffer = gl.createBuffer()!;
  const [position, coordinate] = [program.attribute('position'), program.attribute('texcoord')];
  let vertices: Float32Array<ArrayBuffer> = new Float32Array(0);
  let isNew = false;
  const drawGlyphs = () => {
    gl.bindTexture(gl.TEXTURE_2D, atlas);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (isNew) gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.DYNAMIC_DRAW);
    isNew = false;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    program.use();
    gl.uniform1i(program.uniform('Texture0'), 0);
    gl.enableVertexAttribArray(position);
    gl.enableVertexAttribArray(coordinate);
    gl.vertexAttribPointer(position, 2, gl.FLOAT, false, BYTES_A_VERTEX, 0);
    gl.vertexAttribPointer(coordinate, 2, gl.FLOAT, false, BYTES_A_VERTEX, BYTES_A_VERTEX / 2);
    gl.drawArrays(gl.TRIANGLES, 0, vertices.length / FLOATS_A_VERTEX);
  };
  return {
    set(text) {
      vertices = layOutText(text, place);
      isNew = true;
    },
    draw() {
      if (vertices.length >= VERTICES_A_GLYPH * FLOATS_A_VERTEX) withStateOf(gl, [position, coordinate], drawGlyphs);
    },
    dispose: () => gl.deleteBuffer(buffer),
  };
}
