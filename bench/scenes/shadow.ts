// shadow: a model's depth as a lamp sees it, then the ground with the shadow, then the model.

import { createMatrix, lookAt, type Matrix, multiply, rotate, scale, translate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import { createRenderTarget } from '../gl/render-target.ts';
import { expandModel } from '../models/model.ts';
import { FLAG, type Scene, type Stage } from '../scene.ts';
import { fitCamera } from './fitted-camera.ts';
import { createTransformUniforms, TURN_SPEED } from './turning-model.ts';

const LAMP = [0, 3, 2, 1] as const;
const ORIGIN = [0, 0, 0] as const;
const FAR = 50;

/** From the world to the lamp's picture in [0, 1]. */
export function lampMatrix(projection: Matrix, lamp: ArrayLike<number>): Matrix {
  const matrix = translate(createMatrix(), 0.5, 0.5, 0.5);
  scale(matrix, 0.5, 0.5, 0.5);
  multiply(matrix, matrix, projection);
  return multiply(matrix, matrix, lookAt(createMatrix(), lamp, ORIGIN));
}

/** Twice the picture's size, or less where textures can't be that large. */
export function doubledSize({ gl, width, height }: Stage): { width: number; height: number } {
  const limit = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
  const factor = Math.min(2, limit / width, limit / height);
  return { width: Math.floor(width * factor), height: Math.floor(height * factor) };
}

function createGround({ gl, program: link }: Stage, projection: Matrix, shadowMap: WebGLTexture) {
  const program = link('shadow.vert', 'shadow.frag', {
    vertex: { constants: { MaterialDiffuse: [0.3, 0.3, 0.3, 1] } },
  });
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  const position = program.attribute('position');
  const fromLamp = lampMatrix(projection, LAMP);
  const placed = translate(createMatrix(), 0, -0.8, projection[14]! - 0.5);
  rotate(placed, -85, 1, 0, 0);
  scale(placed, 2, 2, 2);
  multiply(placed, projection, placed);
  const [lampUniform, placeUniform] = [program.uniform('LightMatrix'), program.uniform('ModelViewProjectionMatrix')];
  const mapUniform = program.uniform('ShadowMap');
  return {
    draw() {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      program.use();
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, shadowMap);
      gl.uniform1i(mapUniform, 0);
      gl.uniformMatrix4fv(lampUniform, false, fromLamp);
      gl.uniformMatrix4fv(placeUniform, false, placed);
      gl.enableVertexAttribArray(position);
      gl.vertexAttribPointer(position, 2, gl.FLOAT, false, 0, 0);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      gl.disableVertexAttribArray(position);
      gl.bindTexture(gl.TEXTURE_2D, null);
    },
    dispose() {
      gl.deleteBuffer(buffer);
      program.dispose();
    },
  };
}

export const shadow: Scene = {
  name: 'shadow',
  help: 'a model that casts a shadow by a depth map',
  options: [
    { name: 'use-vbo', default: 'true', values: FLAG, help: 'keep vertices in buffers' },
    { name: 'interleave', default: 'false', values: FLAG, help: 'one buffer for all attributes' },
  ],
  setup(stage) {
    const { gl, width, height, data, options, program: link } = stage;
    const constants = { LightSourcePosition: LAMP, MaterialDiffuse: [1, 1, 1, 1] };
    const program = link('light-basic.vert', 'light-basic.frag', { vertex: { constants } });
    const depthProgram = link('depth.vert', 'depth.frag');
    const model = data.model('horse');
    const mesh = createMesh(gl, expandModel(model, ['position', 'normal']), {
      interleave: options.flag('interleave'),
      isBuffered: options.flag('use-vbo'),
    });
    const camera = fitCamera(model, 'horse', width / height, { far: FAR });
    const target = createRenderTarget(gl, { ...doubledSize(stage), hasColor: false, depth: 'texture' });
    const ground = createGround(stage, camera.projection, target.depth!);
    const locations = [program.attribute('position'), program.attribute('normal')];
    const depthLocations = [depthProgram.attribute('position'), depthProgram.attribute('normal')];
    const setUniforms = createTransformUniforms(gl, program);
    const setDepthUniforms = createTransformUniforms(gl, depthProgram);
    const view = createMatrix();
    let degrees = 0;
    return {
      update(elapsed) {
        degrees = TURN_SPEED * elapsed;
      },
      draw() {
        lookAt(view, LAMP, ORIGIN);
        rotate(view, degrees, 0, 1, 0);
        depthProgram.use();
        setDepthUniforms(camera.projection, view);
        gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
        gl.viewport(0, 0, target.width, target.height);
        gl.colorMask(false, false, false, false);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        mesh.setLocations(depthLocations);
        mesh.draw();
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        gl.colorMask(true, true, true, true);

        ground.draw();

        camera.place(view);
        rotate(view, degrees, 0, 1, 0);
        program.use();
        setUniforms(camera.projection, view);
        mesh.setLocations(locations);
        mesh.draw();
      },
      dispose() {
        mesh.dispose();
        ground.dispose();
        target.dispose();
        program.dispose();
        depthProgram.dispose();
      },
    };
  },
};
