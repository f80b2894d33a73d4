// draw.state_change: two draws with one change of state between them. The second must see it, the first must not: what was drawn
// with what is kept, copied late or derived once shows here.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { makeBuffer } from '../../harness/draw.ts';
import { generate } from '../../harness/framebuffer.ts';
import { buildProgram, type TestProgram } from '../../harness/program.ts';

const SURFACE = { width: 16, height: 8 };

/** Red comes from an attribute, green from a uniform, blue from a texture of unit 1: all in bytes. */
const BASE: Bytes = [51, 102, 153];
const CLEAR: Bytes = [16, 32, 48];

type Bytes = readonly [number, number, number];

interface Scene {
  readonly t: CaseContext;
  readonly program: TestProgram;
  /** Values of attribute 1: eight vertices of BASE's red, then eight of 204, then eight of 221. */
  readonly values: number;
  readonly textures: readonly [number, number];
}

interface StateChange {
  readonly api?: 3;
  /** Before the first draw. */
  readonly prepare?: (scene: Scene) => void;
  readonly change: (scene: Scene) => void;
  /** What the second draw gives. */
  readonly second: Bytes;
}

function values(red: number): Float32Array {
  return new Float32Array(8).fill(red / 255);
}

function makeProgram(t: CaseContext, green: number, unit: number): TestProgram {
  const { gl } = t;
  const program = buildProgram(t, {
    attributes: { a_position: 'highp vec2', a_value: 'highp float' },
    varyings: { v_value: 'highp float' },
    vertex: 'gl_Position = vec4(a_position, 0.0, 1.0); v_value = a_value;',
    fragmentHead: 'uniform highp float u_green;\nuniform sampler2D u_samplers[2];',
    fragment:
      'o_color = vec4(v_value, u_green, texture2D(u_samplers[1], vec2(0.5)).z, texture2D(u_samplers[0], vec2(0.5)).w);',
  });
  gl.glUniform1f(program.uniform('u_green'), green / 255);
  gl.glUniform1iv(program.uniform('u_samplers'), 2, [0, unit]);
  return program;
}

function makeTexture({ gl }: CaseContext, unit: number, blue: number): number {
  const name = generate(gl.glGenTextures);
  gl.glActiveTexture(gl.GL_TEXTURE0 + unit);
  gl.glBindTexture(gl.GL_TEXTURE_2D, name);
  for (const pname of [gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER])
    gl.glTexParameteri(gl.GL_TEXTURE_2D, pname, gl.GL_NEAREST);
  const texel = Uint8Array.of(0, 119, blue, 255);
  gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 1, 1, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, texel);
  return name;
}

function pointValues({ t, values: buffer }: Scene, first: number): void {
  const { gl } = t;
  gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer);
  gl.glVertexAttribPointer(1, 1, gl.GL_FLOAT, false, 0, first * 4);
}

const CHANGES: Readonly<Record<string, StateChange>> = {
  attribute_pointer: { change: (scene) => pointValues(scene, 8), second: [204, 102, 153] },
  attribute_buffer: {
    change: ({ t }) => {
      const { gl } = t;
      makeBuffer(t, gl.GL_ARRAY_BUFFER, values(221));
      gl.glVertexAttribPointer(1, 1, gl.GL_FLOAT, false, 0, 0);
    },
    second: [221, 102, 153],
  },
  attribute_array: {
    prepare: ({ t: { gl } }) => gl.glVertexAttrib1f(1, 170 / 255),
    change: ({ t: { gl } }) => gl.glDisableVertexAttribArray(1),
    second: [170, 102, 153],
  },
  current_attribute: {
    prepare: ({ t: { gl } }) => {
      gl.glDisableVertexAttribArray(1);
      gl.glVertexAttrib1f(1, BASE[0] / 255);
    },
    change: ({ t: { gl } }) => gl.glVertexAttrib1f(1, 170 / 255),
    second: [170, 102, 153],
  },
  buffer_sub_data: {
    change: ({ t: { gl }, values: buffer }) => {
      gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer);
      gl.glBufferSubData(gl.GL_ARRAY_BUFFER, 0, 32, values(170));
    },
    second: [170, 102, 153],
  },
  buffer_data: {
    change: ({ t: { gl }, values: buffer }) => {
      gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer);
      gl.glBufferData(gl.GL_ARRAY_BUFFER, 32, values(170), gl.GL_STATIC_DRAW);
    },
    second: [170, 102, 153],
  },
  uniform: {
    change: ({ t: { gl }, program }) => gl.glUniform1f(program.uniform('u_green'), 187 / 255),
    second: [51, 187, 153],
  },
  program: {
    // Made before: its uniforms and its sampler's unit are its own.
    prepare: ({ t, program }) => {
      others.set(t, makeProgram(t, 187, 0).name);
      t.gl.glUseProgram(program.name);
    },
    change: ({ t }) => t.gl.glUseProgram(others.get(t)!),
    second: [51, 187, 238],
  },
  sampler_unit: {
    change: ({ t: { gl }, program }) => gl.glUniform1i(program.uniform('u_samplers[1]'), 0),
    second: [51, 102, 238],
  },
  texture_binding: {
    change: ({ t: { gl }, textures }) => {
      gl.glActiveTexture(gl.GL_TEXTURE1);
      gl.glBindTexture(gl.GL_TEXTURE_2D, textures[1]);
    },
    second: [51, 102, 238],
  },
  texture_sub_image: {
    change: ({ t: { gl } }) => {
      gl.glActiveTexture(gl.GL_TEXTURE1);
      const texel = Uint8Array.of(0, 0, 85, 255);
      gl.glTexSubImage2D(gl.GL_TEXTURE_2D, 0, 0, 0, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, texel);
    },
    second: [51, 102, 85],
  },
  texture_completeness: {
    change: ({ t: { gl } }) => {
      gl.glActiveTexture(gl.GL_TEXTURE1);
      gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 0, 0, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, null);
    },
    second: [51, 102, 0],
  },
  texture_swizzle: {
    api: 3,
    change: ({ t: { gl } }) => {
      gl.glActiveTexture(gl.GL_TEXTURE1);
      gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_SWIZZLE_B, gl.GL_GREEN);
    },
    second: [51, 102, 119],
  },
  vertex_array: {
    api: 3,
    prepare: (scene) => {
      const { gl } = scene.t;
      const name = generate(gl.glGenVertexArrays);
      gl.glBindVertexArray(name);
      pointPositions(scene.t);
      gl.glEnableVertexAttribArray(1);
      pointValues(scene, 16);
      gl.glBindVertexArray(0);
      others.set(scene.t, name);
    },
    change: ({ t }) => t.gl.glBindVertexArray(others.get(t)!),
    second: [221, 102, 153],
  },
  color_mask: { change: ({ t: { gl } }) => gl.glColorMask(true, false, true, true), second: [51, 32, 153] },
  blend: {
    change: ({ t: { gl } }) => {
      gl.glEnable(gl.GL_BLEND);
      gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE);
    },
    second: [67, 134, 201],
  },
  blend_color: {
    prepare: ({ t: { gl } }) => {
      gl.glEnable(gl.GL_BLEND);
      gl.glBlendFunc(gl.GL_CONSTANT_COLOR, gl.GL_ZERO);
      gl.glBlendColor(1, 1, 1, 1);
    },
    change: ({ t: { gl } }) => gl.glBlendColor(1, 0, 1, 1),
    second: [51, 0, 153],
  },
  scissor: {
    prepare: ({ t: { gl } }) => gl.glEnable(gl.GL_SCISSOR_TEST),
    change: ({ t: { gl } }) => gl.glScissor(0, 0, 0, 0),
    second: CLEAR,
  },
  cull_face: {
    change: ({ t: { gl } }) => {
      gl.glEnable(gl.GL_CULL_FACE);
      gl.glCullFace(gl.GL_FRONT);
    },
    second: CLEAR,
  },
  depth_func: {
    prepare: ({ t: { gl } }) => gl.glEnable(gl.GL_DEPTH_TEST),
    change: ({ t: { gl } }) => gl.glDepthFunc(gl.GL_GREATER),
    second: CLEAR,
  },
  stencil_reference: {
    prepare: ({ t: { gl } }) => {
      gl.glEnable(gl.GL_STENCIL_TEST);
      gl.glStencilFunc(gl.GL_EQUAL, 0, 255);
    },
    change: ({ t: { gl } }) => gl.glStencilFunc(gl.GL_EQUAL, 1, 255),
    second: CLEAR,
  },
};

/** The second object of a case: a program or a vertex array. */
const others = new WeakMap<CaseContext, number>();

/** Two strips of four vertices: the left half and the right one. */
function pointPositions(t: CaseContext): void {
  const { gl } = t;
  const corners = [-1, -1, 0, -1, -1, 1, 0, 1, 0, -1, 1, -1, 0, 1, 1, 1];
  makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(corners));
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
}

function runChange(t: CaseContext, { prepare, change, second: secondColor }: StateChange): void {
  const { gl, width, height } = t;
  const other = makeTexture(t, 0, 238);
  const texture = makeTexture(t, 1, BASE[2]);
  const program = makeProgram(t, BASE[1], 1);
  pointPositions(t);
  const buffer = makeBuffer(
    t,
    gl.GL_ARRAY_BUFFER,
    Float32Array.from([51, 204, 221].flatMap((red) => [...values(red)])),
  );
  const scene: Scene = { t, program, values: buffer, textures: [texture, other] };
  gl.glEnableVertexAttribArray(1);
  pointValues(scene, 0);
  gl.glClearColor(CLEAR[0] / 255, CLEAR[1] / 255, CLEAR[2] / 255, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT | gl.GL_STENCIL_BUFFER_BIT);
  prepare?.(scene);
  drawHalf(t, 0);
  change(scene);
  drawHalf(t, 1);
  t.noError('drawing');
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++)
    data.set([...(pixel % width < width / 2 ? BASE : secondColor), 255], pixel * 4);
  t.comparePicture(t.readPixels(), { width, height, data });
}

/** Without a call between that would hand over state by the way. */
function drawHalf({ gl }: CaseContext, half: number): void {
  gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, half * 4, 4);
}

export function* stateChangeCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [name, change] of Object.entries(CHANGES))
    if (change.api === undefined || change.api === api)
      yield functionalCase(api, `draw.state_change.${name}`, (t) => runChange(t, change), SURFACE);
}
