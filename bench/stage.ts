// Sets up entries on a context: the state a scene starts from, and the stage it gets.

import type { Entry } from './entry.ts';
import { createMatrix, perspective } from './gl/matrix.ts';
import { linkProgram } from './gl/program.ts';
import { completeShader } from './gl/shader-source.ts';
import type { BenchData, Gl, SceneInstance, Stage } from './scene.ts';

export interface StageOptions {
  readonly gl: Gl;
  readonly width: number;
  readonly height: number;
  readonly data: BenchData;
}

const FIELD_OF_VIEW = 60;
const [NEAR, FAR] = [1, 1024];

/** Brings the state that scenes rely on back to what they start from. */
export function resetState(gl: Gl, width: number, height: number): void {
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, width, height);
  gl.enable(gl.DEPTH_TEST);
  gl.depthMask(true);
  gl.depthFunc(gl.LEQUAL);
  gl.enable(gl.CULL_FACE);
  gl.cullFace(gl.BACK);
  gl.disable(gl.BLEND);
  gl.colorMask(true, true, true, true);
  gl.activeTexture(gl.TEXTURE0);
  clearFrame(gl);
}

/** What starts every frame. */
export function clearFrame(gl: Gl): void {
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
}

export function createStage({ options }: Entry, { gl, width, height, data }: StageOptions): Stage {
  const projection = perspective(createMatrix(), FIELD_OF_VIEW, width / height, NEAR, FAR);
  return {
    gl,
    isWebgl2: 'texStorage2D' in gl,
    width,
    height,
    data,
    options,
    projection,
    program(vertex, fragment, additions = {}) {
      const vertexPrecision = options.text('vertex-precision');
      const fragmentPrecision = options.text('fragment-precision');
      return linkProgram(
        gl,
        completeShader('vertex', data.shader(vertex), { precision: vertexPrecision, ...additions.vertex }),
        completeShader('fragment', data.shader(fragment), { precision: fragmentPrecision, ...additions.fragment }),
      );
    },
  };
}

export function setUpEntry(entry: Entry, stageOptions: StageOptions): SceneInstance {
  const { gl, width, height } = stageOptions;
  resetState(gl, width, height);
  const instance = entry.scene.setup(createStage(entry, stageOptions));
  // Set-up may have drawn into textures.
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, width, height);
  return instance;
}
