// refract: a glass model. Its far side as a lamp sees it, depth and normals, then the model that bends a picture.

import { createMatrix, lookAt, rotate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import { createRenderTarget } from '../gl/render-target.ts';
import { createTexture } from '../gl/texture.ts';
import { expandModel } from '../models/model.ts';
import { FLAG, type Scene } from '../scene.ts';
import { fitCamera } from './fitted-camera.ts';
import { doubledSize, lampMatrix } from './shadow.ts';
import { createTransformUniforms, TURN_SPEED } from './turning-model.ts';

const LAMP = [1, 1, 2, 1] as const;
const ORIGIN = [0, 0, 0] as const;

export const refract: Scene = {
  name: 'refract',
  help: 'a model of glass',
  options: [
    { name: 'model', default: 'bunny', values: 'models', help: 'model to show' },
    { name: 'texture', default: 'nasa1', values: 'textures', help: 'picture behind it' },
    { name: 'index', default: '1.2', help: 'index of refraction' },
    { name: 'use-vbo', default: 'true', values: FLAG, help: 'keep vertices in buffers' },
    { name: 'interleave', default: 'false', values: FLAG, help: 'one buffer for all attributes' },
  ],
  setup(stage) {
    const { gl, width, height, data, options, program: link } = stage;
    const name = options.text('model');
    const program = link('light-refract.vert', 'light-refract.frag', {
      fragment: {
        constants: {
          LightColor: [0.4, 0.4, 0.4, 1],
          LightSourcePosition: LAMP,
          RefractiveIndex: options.number('index'),
        },
      },
    });
    const farProgram = link('depth.vert', 'depth.frag');
    const linear = { minFilter: gl.LINEAR, magFilter: gl.LINEAR };
    const picture = createTexture(gl, data.texture(options.text('texture')), linear);
    const model = data.model(name);
    const mesh = createMesh(gl, expandModel(model, ['position', 'normal']), {
      interleave: options.flag('interleave'),
      isBuffered: options.flag('use-vbo'),
    });
    const camera = fitCamera(model, name, width / height);
    const target = createRenderTarget(gl, {
      ...doubledSize(stage),
      depth: 'texture',
      minFilter: gl.LINEAR_MIPMAP_LINEAR,
    });
    const locations = [program.attribute('position'), program.attribute('normal')];
    const farLocations = [farProgram.attribute('position'), farProgram.attribute('normal')];
    const setUniforms = createTransformUniforms(gl, program);
    const setFarUniforms = createTransformUniforms(gl, farProgram);
    const view = createMatrix();
    let degrees = 0;
    program.use();
    gl.uniform1i(program.uniform('DistanceMap'), 0);
    gl.uniform1i(program.uniform('NormalMap'), 1);
    gl.uniform1i(program.uniform('ImageMap'), 2);
    gl.uniformMatrix4fv(program.uniform('LightMatrix'), false, lampMatrix(camera.projection, LAMP));
    return {
      update(elapsed) {
        degrees = TURN_SPEED * elapsed;
      },
      draw() {
        lookAt(view, LAMP, ORIGIN);
        rotate(view, degrees, 0, 1, 0);
        camera.orient(view);
        farProgram.use();
        setFarUniforms(camera.projection, view);
        gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
        gl.viewport(0, 0, target.width, target.height);
        gl.clear(gl.DEPTH_BUFFER_BIT | gl.COLOR_BUFFER_BIT);
        gl.cullFace(gl.FRONT);
        mesh.setLocations(farLocations);
        mesh.draw();
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        gl.cullFace(gl.BACK);
        gl.bindTexture(gl.TEXTURE_2D, target.color);
        if (target.isMipmapped) gl.generateMipmap(gl.TEXTURE_2D);

        camera.place(view);
        rotate(view, degrees, 0, 1, 0);
        camera.orient(view);
        program.use();
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, target.depth);
        gl.activeTexture(gl.TEXTURE1);
        gl.bindTexture(gl.TEXTURE_2D, target.color);
        gl.activeTexture(gl.TEXTURE2);
        gl.bindTexture(gl.TEXTURE_2D, picture);
        setUniforms(camera.projection, view);
        mesh.setLocations(locations);
        mesh.draw();
      },
      dispose() {
        mesh.dispose();
        target.dispose();
        gl.deleteTexture(picture);
        program.dispose();
        farProgram.dispose();
      },
    };
  },
};
