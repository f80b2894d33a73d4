// texture: a textured model that turns around all axes, by kinds of filtering.

import { rotate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import { createTexture } from '../gl/texture.ts';
import { type AttributeKind, expandModel } from '../models/model.ts';
import { FLAG, type Gl, type Scene } from '../scene.ts';
import { fitCamera } from './fitted-camera.ts';
import { createTurningModel } from './turning-model.ts';

const FILTERS: Readonly<Record<string, (gl: Gl) => { minFilter: number; magFilter: number }>> = {
  nearest: (gl) => ({ minFilter: gl.NEAREST, magFilter: gl.NEAREST }),
  linear: (gl) => ({ minFilter: gl.LINEAR, magFilter: gl.LINEAR }),
  'linear-shader': (gl) => ({ minFilter: gl.NEAREST, magFilter: gl.NEAREST }),
  mipmap: (gl) => ({ minFilter: gl.LINEAR_MIPMAP_LINEAR, magFilter: gl.LINEAR }),
};

export const texture: Scene = {
  name: 'texture',
  help: 'a textured model',
  options: [
    { name: 'model', default: 'cube', values: 'models', help: 'model to show' },
    { name: 'texture-filter', default: 'nearest', values: Object.keys(FILTERS), help: 'how texels are filtered' },
    { name: 'texture', default: 'crate-base', values: 'textures', help: 'texture to show' },
    { name: 'texgen', default: 'false', values: FLAG, help: 'texture coordinates made by the shader' },
  ],
  setup({ gl, width, height, data, options, program: link }) {
    const filter = options.text('texture-filter');
    const image = data.texture(options.text('texture'));
    const handle = createTexture(gl, image, FILTERS[filter]!(gl));
    const isGenerated = options.flag('texgen');
    const inShader = filter === 'linear-shader';
    const program = link(
      isGenerated ? 'light-basic-texgen.vert' : 'light-basic.vert',
      inShader ? 'light-basic-tex-bilinear.frag' : 'light-basic-tex.frag',
      {
        vertex: {
          constants: {
            LightSourcePosition: [20, 20, 10, 1],
            MaterialDiffuse: [1, 1, 1, 1],
            ...(isGenerated && { PI: Math.PI }),
          },
        },
        fragment: { constants: inShader ? { TextureSize: [image.width, image.height] } : {} },
      },
    );
    const model = data.model(options.text('model'));
    const camera = fitCamera(model, options.text('model'), width / height, { distance: 2.5 });
    const kinds: AttributeKind[] = isGenerated ? ['position', 'normal'] : ['position', 'normal', 'texcoord'];
    const mesh = createMesh(gl, expandModel(model, kinds));
    mesh.setLocations(kinds.map((kind) => program.attribute(kind)));
    program.use();
    gl.uniform3f(program.uniform('CenterPoint'), ...camera.center);
    gl.uniform1i(program.uniform('MaterialTexture0'), 0);
    const turning = createTurningModel({
      gl,
      program,
      mesh,
      camera,
      turn(view, degrees) {
        rotate(view, degrees, 1, 0, 0);
        rotate(view, degrees, 0, 1, 0);
        rotate(view, degrees, 0, 0, 1);
      },
    });
    return {
      update: turning.update,
      draw() {
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, handle);
        turning.draw();
      },
      dispose() {
        turning.dispose();
        gl.deleteTexture(handle);
      },
    };
  },
};
