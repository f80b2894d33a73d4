// Pictures that are drawn into and drawn from as quads: the surfaces of the scene desktop.

import type { Program } from '../gl/program.ts';
import { createRenderTarget, type RenderTarget } from '../gl/render-target.ts';
import { createTexture } from '../gl/texture.ts';
import type { Gl, Stage } from '../scene.ts';

export interface Surface {
  /** Null: the screen. */
  readonly target: RenderTarget | null;
  readonly width: number;
  readonly height: number;
}

/** A program for quads with its places looked up. */
export interface QuadProgram {
  readonly program: Program;
  readonly position: number;
  readonly texcoord: number;
}

const QUAD_FLOATS = 8;

export class DesktopPainter {
  readonly #gl: Gl;
  readonly #stage: Stage;
  readonly #vertices = new Float32Array(2 * QUAD_FLOATS);
  readonly #buffer: WebGLBuffer;
  readonly #targets: RenderTarget[] = [];
  readonly #textures: WebGLTexture[] = [];
  readonly plain: QuadProgram;
  readonly #programs: Program[] = [];

  constructor(stage: Stage) {
    this.#gl = stage.gl;
    this.#stage = stage;
    this.#buffer = stage.gl.createBuffer()!;
    this.plain = this.quadProgram(stage.program('desktop.vert', 'desktop.frag'));
  }

  quadProgram(program: Program): QuadProgram {
    this.#programs.push(program);
    return { program, position: program.attribute('position'), texcoord: program.attribute('texcoord') };
  }

  surface(width: number, height: number): Surface {
    const size = { width: Math.max(1, Math.floor(width)), height: Math.max(1, Math.floor(height)) };
    const target = createRenderTarget(this.#gl, size);
    this.#targets.push(target);
    return { target, width, height };
  }

  image(name: string): WebGLTexture {
    const gl = this.#gl;
    const texture = createTexture(gl, this.#stage.data.texture(name), { minFilter: gl.LINEAR, magFilter: gl.LINEAR });
    this.#textures.push(texture);
    return texture;
  }

  /** A surface with an image on it. */
  imageSurface(name: string, width: number, height: number): Surface {
    const surface = this.surface(width, height);
    this.clearTo(surface, this.image(name));
    return surface;
  }

  begin({ target, width, height }: Surface): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target ? target.framebuffer : null);
    gl.viewport(0, 0, width, height);
  }

  /** Clears and draws an image over all of a surface. */
  clearTo(surface: Surface, image: WebGLTexture): void {
    const gl = this.#gl;
    this.begin(surface);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.#corners(0, -1, -1, 2, 0, 0, 2);
    this.#corners(QUAD_FLOATS, 0, 0, 1, 0, 0, 1);
    this.#draw(image, this.plain);
    gl.disable(gl.BLEND);
  }

  /** Draws a surface's picture into another at (x, y), turned around that corner by quarters. */
  draw(from: Surface, into: Surface, x: number, y: number, quarterTurns: 0 | 1 | -1, program: QuadProgram): void {
    const [right, up] = [(2 * from.width) / into.width, (2 * from.height) / into.height];
    const [left, bottom] = [(2 * x) / into.width - 1, (2 * y) / into.height - 1];
    this.begin(into);
    if (quarterTurns === 0) this.#corners(0, left, bottom, right, 0, 0, up);
    else {
      const along = (2 * from.width * quarterTurns) / into.height;
      const across = (-2 * from.height * quarterTurns) / into.width;
      this.#corners(0, left, bottom, 0, along, across, 0);
    }
    this.#corners(QUAD_FLOATS, 0, 0, 1, 0, 0, 1);
    this.#draw(from.target!.color!, program);
  }

  /** Fills a surface with what lies at (x, y) in another one. */
  grab(into: Surface, from: Surface, x: number, y: number, program: QuadProgram): void {
    this.begin(into);
    this.#corners(0, -1, -1, 2, 0, 0, 2);
    const [u, v] = [x / from.width, y / from.height];
    this.#corners(QUAD_FLOATS, u, v, into.width / from.width, 0, 0, into.height / from.height);
    this.#draw(from.target!.color!, program);
  }

  dispose(): void {
    const gl = this.#gl;
    for (const target of this.#targets) target.dispose();
    for (const texture of this.#textures) gl.deleteTexture(texture);
    for (const program of this.#programs) program.dispose();
    gl.deleteBuffer(this.#buffer);
  }

  /** Four corners: (x, y), plus the first side, plus the second, plus both. */
  #corners(at: number, x: number, y: number, ax: number, ay: number, bx: number, by: number): void {
    const vertices = this.#vertices;
    for (let corner = 0; corner < 4; corner++) {
      const [a, b] = [corner & 1, corner >> 1];
      vertices[at + corner * 2] = x + a * ax + b * bx;
      vertices[at + corner * 2 + 1] = y + a * ay + b * by;
    }
  }

  #draw(texture: WebGLTexture, { program, position, texcoord }: QuadProgram): void {
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    program.use();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.#vertices, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(position);
    gl.enableVertexAttribArray(texcoord);
    gl.vertexAttribPointer(position, 2, gl.FLOAT, false, 0, 0);
    gl.vertexAttribPointer(texcoord, 2, gl.FLOAT, false, 0, QUAD_FLOATS * 4);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disableVertexAttribArray(texcoord);
    gl.disableVertexAttribArray(position);
  }
}
