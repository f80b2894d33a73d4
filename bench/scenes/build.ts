// build: a model with one light at the vertices; vertices in buffers or given anew for each draw.

import { rotate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import { expandModel } from '../models/model.ts';
import { FLAG, type Scene } from '../scene.ts';
import { fitCamera } from './fitted-camera.ts';
import { createTurningModel } from './turning-model.ts';

export const build: Scene = {
  name: 'build',
  help: 'a model of many small triangles, lit at its vertices',
  options: [
    { name: 'use-vbo', default: 'true', values: FLAG, help: 'keep vertices in buffers' },
    { name: 'interleave', default: 'false', values: FLAG, help: 'one buffer for all attributes' },
    { name: 'model', default: 'horse', values: 'models', help: 'model to show' },
  ],
  setup({ gl, width, height, data, options, program: link }) {
    const model = data.model(options.text('model'));
    const constants = { LightSourcePosition: [20, 20, 10, 1], MaterialDiffuse: [1, 1, 1, 1] };
    const program = link('light-basic.vert', 'light-basic.frag', { vertex: { constants } });
    const mesh = createMesh(gl, expandModel(model, ['position', 'normal']), {
      interleave: options.flag('interleave'),
      isBuffered: options.flag('use-vbo'),
    });
    mesh.setLocations([program.attribute('position'), program.attribute('normal')]);
    const camera = fitCamera(model, options.text('model'), width / height);
    return createTurningModel({
      gl,
      program,
      mesh,
      camera,
      turn: (view, degrees) => rotate(view, degrees, 0, 1, 0),
    });
  },
};
