// ideas: a shape of pipes rises through a table with a sheet of paper; a lamp lights it, and it casts a shadow.
// Many small draws with a change of matrix before each. The course of the scene and its shapes are our own.

import {
  copy,
  createMatrix,
  identity,
  lookAt,
  type Matrix,
  multiply,
  normalMatrix3,
  rotate,
  scale,
  transform,
  translate,
} from '../gl/matrix.ts';
import type { Scene, SceneInstance, Stage } from '../scene.ts';
import { disablePart, enablePart, LetterBuffers, type PartProgram, partProgram, StripBuffers } from './ideas-parts.ts';
import { CYCLE, createPlaces, cycleTime, placesAt, START } from './ideas-path.ts';
import { elbow, lampOpening, lampShade, PIPE_LENGTHS, pipe, pipeRings, table } from './ideas-shapes.ts';

const TEXT_LINES = ['INDIUM', 'ON PAPER'] as const;
const LINE_HEIGHT = 13;
const SPACE = 4;
const PIPE_SCALE = 0.045;
/** Heights between which the shape goes through the table. */
const SURFACE = 0.33;
/** Squares of alternating dots for the shadow. */
const PATTERN_SIZE = 32;
/** The paper's corners, as a strip. */
const PAPER = new Float32Array([-0.9, 0, 0.5, -0.4, 0, -1.2, 0.5, 0, 0.9, 1, 0, -0.8]);
/** Segments of an elbow that is lit, and of one that is flat. */
const ELBOW_SEGMENTS = [6, 8] as const;

type PipeStyle = 'lit' | 'flat' | 'shadow';

class Ideas implements SceneInstance {
  readonly #stage: Stage;
  readonly #speed: number;
  readonly #places = createPlaces();
  readonly #programs: Record<'table' | 'paper' | 'text' | 'under' | 'lampLit' | 'lampUnlit' | PipeStyle, PartProgram>;
  readonly #table: StripBuffers;
  readonly #lamp: StripBuffers;
  readonly #pipes: StripBuffers;
  readonly #letters: LetterBuffers;
  readonly #paper: WebGLBuffer;
  readonly #pattern: WebGLTexture;
  readonly #parts = pipeRings();
  readonly #opening = lampOpening();
  readonly #view = createMatrix();
  readonly #model = createMatrix();
  readonly #part = createMatrix();
  readonly #throw = createMatrix();
  readonly #normals = new Float32Array(9);
  readonly #lightDirection = new Float32Array(3);
  readonly #eyeLights = [
    new Float32Array([0, 1, 0, 0]),
    new Float32Array([-1, 0, 0, 0]),
    new Float32Array([0, -1, 0, 0]),
  ];
  #time = START;

  constructor(stage: Stage, speed: number) {
    this.#stage = stage;
    this.#speed = speed;
    const { gl } = stage;
    const load = (name: string) => partProgram(stage.program(`ideas-${name}.vert`, `ideas-${name}.frag`));
    this.#programs = {
      table: load('table'),
      paper: load('paper'),
      text: load('text'),
      under: load('under-table'),
      lampLit: load('lamp-lit'),
      lampUnlit: load('lamp-unlit'),
      lit: load('logo'),
      flat: load('logo-flat'),
      shadow: load('logo-shadow'),
    };
    this.#table = new StripBuffers(gl, [table()]);
    this.#lamp = new StripBuffers(gl, [lampShade()], this.#opening);
    this.#pipes = new StripBuffers(gl, [...PIPE_LENGTHS.map(pipe), ...ELBOW_SEGMENTS.map(elbow)]);
    this.#letters = new LetterBuffers(gl, TEXT_LINES.join('').replaceAll(' ', ''));
    this.#paper = gl.createBuffer()!;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#paper);
    gl.bufferData(gl.ARRAY_BUFFER, PAPER, gl.STATIC_DRAW);
    this.#pattern = this.#createPattern();
    const shadow = this.#programs.shadow.program;
    shadow.use();
    gl.uniform1i(shadow.uniform('tex'), 0);
  }

  update(elapsed: number): void {
    this.#time = cycleTime(elapsed, this.#speed);
  }

  draw(): void {
    const { gl } = this.#stage;
    const { viewFrom, viewTo, light, shape } = this.#places;
    placesAt(this.#time, this.#places);
    lookAt(this.#view, viewFrom, viewTo);
    const isAbove = viewFrom[1]! > 0;
    if (isAbove) this.#drawTable();
    gl.enable(gl.CULL_FACE);
    gl.disable(gl.DEPTH_TEST);
    if (shape[1]! < 0) this.#drawBelow();
    if (shape[1]! > 0) this.#drawShadow();
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    this.#drawLamp();
    transform(this.#eyeLights[0]!, this.#view, light[0]!, light[1]!, light[2]!, 0);
    if (shape[1]! > -SURFACE) {
      translate(copy(this.#model, this.#view), shape[0]!, shape[1]!, shape[2]!);
      this.#turnShape();
      this.#drawPipes('lit');
    }
    if (!isAbove) this.#drawUnder();
  }

  dispose(): void {
    const { gl } = this.#stage;
    for (const { program } of Object.values(this.#programs)) program.dispose();
    for (const buffers of [this.#table, this.#lamp, this.#pipes, this.#letters]) buffers.dispose();
    gl.deleteBuffer(this.#paper);
    gl.deleteTexture(this.#pattern);
  }

  #createPattern(): WebGLTexture {
    const { gl } = this.#stage;
    const texture = gl.createTexture()!;
    const dots = Uint8Array.from({ length: PATTERN_SIZE ** 2 }, (_, at) => {
      return (at + Math.floor(at / PATTERN_SIZE)) & 1 ? 255 : 0;
    });
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    }
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.REPEAT);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.ALPHA, PATTERN_SIZE, PATTERN_SIZE, 0, gl.ALPHA, gl.UNSIGNED_BYTE, dots);
    return texture;
  }

  #setMatrices(part: PartProgram, modelView: Matrix): void {
    const { gl, projection } = this.#stage;
    gl.uniformMatrix4fv(part.projection, false, projection);
    gl.uniformMatrix4fv(part.modelView, false, modelView);
  }

  /** Uniforms of the light through the shape. */
  #setBeam({ program }: PartProgram): void {
    const { gl } = this.#stage;
    const [light, direction] = [this.#places.light, this.#lightDirection];
    gl.uniform3f(program.uniform('lightPosition'), light[0]!, light[1]!, light[2]!);
    gl.uniform3f(program.uniform('logoDirection'), direction[0]!, direction[1]!, direction[2]!);
    gl.uniform1f(program.uniform('currentTime'), this.#time);
  }

  #drawTable(): void {
    const { gl } = this.#stage;
    const { light, shape } = this.#places;
    const { table: top, paper } = this.#programs;
    const length = Math.hypot(light[0]! - shape[0]!, light[1]! - shape[1]!, light[2]! - shape[2]!) || 1;
    for (let axis = 0; axis < 3; axis++) this.#lightDirection[axis] = (light[axis]! - shape[axis]!) / length;
    gl.disable(gl.DEPTH_TEST);
    this.#table.bind();
    enablePart(gl, top);
    this.#setMatrices(top, this.#view);
    this.#setBeam(top);
    this.#table.draw(0, top);
    disablePart(gl, top);
    if (Math.abs(shape[1]!) < SURFACE) gl.enable(gl.DEPTH_TEST);
    enablePart(gl, paper);
    this.#setMatrices(paper, this.#view);
    this.#setBeam(paper);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#paper);
    gl.vertexAttribPointer(paper.vertex, 3, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    disablePart(gl, paper);
    gl.disable(gl.DEPTH_TEST);
    this.#drawText();
  }

  #drawText(): void {
    const { gl } = this.#stage;
    const { text } = this.#programs;
    enablePart(gl, text);
    gl.uniform1f(text.program.uniform('currentTime'), this.#time);
    for (let line = 0; line < TEXT_LINES.length; line++) {
      rotate(copy(this.#model, this.#view), -16.5, 0, 1, 0);
      translate(this.#model, -0.3, 0, -0.6);
      rotate(this.#model, -90, 1, 0, 0);
      scale(this.#model, 0.018, 0.018, 0.018);
      translate(this.#model, 0, -LINE_HEIGHT * line, 0);
      const words = TEXT_LINES[line]!;
      for (let index = 0; index < words.length; index++) {
        const name = words[index]!;
        if (name === ' ') {
          translate(this.#model, SPACE, 0, 0);
          continue;
        }
        this.#setMatrices(text, this.#model);
        this.#letters.draw(name, text);
        translate(this.#model, this.#letters.widthOf(name), 0, 0);
      }
    }
    disablePart(gl, text);
  }

  #turnShape(): void {
    const { turn } = this.#places;
    scale(this.#model, PIPE_SCALE, PIPE_SCALE, PIPE_SCALE);
    rotate(this.#model, turn[2]!, 0, 0, 1);
    rotate(this.#model, turn[1]!, 0, 1, 0);
    rotate(this.#model, turn[0]!, 1, 0, 0);
    // The ring of edges stands on its corner.
    rotate(this.#model, 35.3, 1, 0, 0);
    rotate(this.#model, 45, 0, 1, 0);
  }

  /** The shape below the table, pressed flat onto it. */
  #drawBelow(): void {
    const { gl } = this.#stage;
    const { shape } = this.#places;
    const { flat } = this.#programs;
    const emerging = shape[1]! > -SURFACE ? 1 + shape[1]! / SURFACE : 0;
    flat.program.use();
    gl.uniform4f(
      flat.program.uniform('logoColor'),
      0.25 + 0.2 * emerging,
      0.2 + 0.2 * emerging,
      0.35 + 0.1 * emerging,
      1,
    );
    scale(copy(this.#model, this.#view), 1, 0, 1);
    this.#turnShape();
    this.#drawPipes('flat');
  }

  /** The shape thrown from the lamp onto the table. */
  #drawShadow(): void {
    const { gl } = this.#stage;
    const { light, shape } = this.#places;
    const thrown = identity(this.#throw);
    thrown[0] = thrown[5] = thrown[10] = light[1]!;
    thrown[7] = -1;
    thrown[15] = 0;
    translate(copy(this.#model, this.#view), light[0]!, light[1]!, light[2]!);
    multiply(this.#model, this.#model, thrown);
    translate(this.#model, shape[0]! - light[0]!, shape[1]! - light[1]!, shape[2]! - light[2]!);
    this.#turnShape();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#pattern);
    this.#drawPipes('shadow');
  }

  #drawPipes(style: PipeStyle): void {
    const { gl, projection } = this.#stage;
    const part = this.#programs[style];
    const elbowShape = PIPE_LENGTHS.length + (style === 'lit' ? 0 : 1);
    this.#pipes.bind();
    enablePart(gl, part);
    gl.uniformMatrix4fv(part.projection, false, projection);
    if (style === 'lit') gl.uniform4fv(part.program.uniform('light0Position'), this.#eyeLights[0]!);
    for (let index = 0; index < this.#parts.length; index++) {
      const { place, straight } = this.#parts[index]!;
      multiply(this.#part, this.#model, place);
      gl.uniformMatrix4fv(part.modelView, false, this.#part);
      if (part.normalMatrix) gl.uniformMatrix3fv(part.normalMatrix, false, normalMatrix3(this.#normals, this.#part));
      this.#pipes.draw(straight >= 0 ? straight : elbowShape, part);
    }
    disablePart(gl, part);
  }

  #drawLamp(): void {
    const { gl } = this.#stage;
    const { light, shape } = this.#places;
    const { lampLit, lampUnlit } = this.#programs;
    const [x, y, z] = [0, 1, 2].map((axis) => light[axis]! - shape[axis]!) as [number, number, number];
    scale(translate(copy(this.#model, this.#view), light[0]!, light[1]!, light[2]!), 0.1, 0.1, 0.1);
    // The opening looks at the shape.
    rotate(this.#model, (-Math.atan2(z, x) * 180) / Math.PI, 0, 1, 0);
    rotate(this.#model, (-Math.atan2(Math.hypot(x, z), y) * 180) / Math.PI, 0, 0, 1);
    rotate(this.#model, -90, 1, 0, 0);
    this.#lamp.bind();
    enablePart(gl, lampLit);
    this.#setMatrices(lampLit, this.#model);
    gl.uniformMatrix3fv(lampLit.normalMatrix, false, normalMatrix3(this.#normals, this.#model));
    for (let index = 0; index < 3; index++) {
      gl.uniform4fv(lampLit.program.uniform(LIGHT_NAMES[index]!), this.#eyeLights[index]!);
    }
    this.#lamp.draw(0, lampLit);
    disablePart(gl, lampLit);
    enablePart(gl, lampUnlit);
    this.#setMatrices(lampUnlit, this.#model);
    gl.vertexAttribPointer(lampUnlit.vertex, 3, gl.FLOAT, false, 0, 0);
    gl.drawElements(gl.TRIANGLE_FAN, this.#opening.length, gl.UNSIGNED_SHORT, this.#lamp.extraAt);
    disablePart(gl, lampUnlit);
  }

  /** The table seen from below. */
  #drawUnder(): void {
    const { gl } = this.#stage;
    const { under } = this.#programs;
    gl.disable(gl.DEPTH_TEST);
    this.#table.bind();
    enablePart(gl, under);
    this.#setMatrices(under, this.#view);
    this.#table.draw(0, under);
    disablePart(gl, under);
    gl.enable(gl.DEPTH_TEST);
  }
}

const LIGHT_NAMES = ['light0Position', 'light1Position', 'light2Position'] as const;

export const ideas: Scene = {
  name: 'ideas',
  help: 'many small draws around a lamp and a table',
  options: [
    {
      name: 'speed',
      default: 'duration',
      help: "1 is the clock's; `duration` goes once through in the entry's duration",
    },
  ],
  setup(stage) {
    const { options } = stage;
    const isByDuration = options.text('speed') === 'duration';
    return new Ideas(stage, isByDuration ? (CYCLE - START) / options.number('duration') : options.number('speed'));
  },
};
