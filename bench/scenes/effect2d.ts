// effect2d: a picture through a convolution of any size.

import { gridPositions } from '../gl/grid.ts';
import { createMesh } from '../gl/mesh.ts';
import { createTexture } from '../gl/texture.ts';
import { FLAG, type Scene } from '../scene.ts';
import { kernelText, normalizeKernel, parseKernel } from './convolution.ts';

export const effect2d: Scene = {
  name: 'effect2d',
  help: 'a picture through a convolution',
  options: [
    { name: 'kernel', default: '0,0,0;0,1,0;0,0,0', help: "the kernel's rows: numbers by commas, rows by semicolons" },
    { name: 'normalize', default: 'true', values: FLAG, help: "divide by the kernel's sum" },
  ],
  setup({ gl, width, height, data, options, program: link }) {
    const kernel = parseKernel(options.text('kernel'));
    const { constants, convolution } = kernelText(options.flag('normalize') ? normalizeKernel(kernel) : kernel);
    const program = link('effect-2d.vert', 'effect-2d-convolution.frag', {
      fragment: {
        constants: { TextureStepX: 1 / width, TextureStepY: 1 / height, ...constants },
        holes: { CONVOLUTION: convolution },
      },
    });
    const picture = createTexture(gl, data.texture('effect-2d'));
    const positions = gridPositions({ columns: 1, rows: 1, width: 2, height: 2 });
    const mesh = createMesh(gl, [{ size: 3, data: positions }]);
    mesh.setLocations([program.attribute('position')]);
    program.use();
    gl.uniform1i(program.uniform('Texture0'), 0);
    return {
      draw() {
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, picture);
        mesh.draw();
      },
      dispose() {
        mesh.dispose();
        program.dispose();
        gl.deleteTexture(picture);
      },
    };
  },
};
