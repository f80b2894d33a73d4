// pulsar: translucent quads that turn and grow, each a draw of its own.

import { createMatrix, identity, rotate, scale, translate } from '../gl/matrix.ts';
import { createMesh, type MeshAttribute } from '../gl/mesh.ts';
import { createTexture } from '../gl/texture.ts';
import { FLAG, type Scene } from '../scene.ts';
import { createRandom } from '../textures/noise.ts';
import { createTransformUniforms } from './turning-model.ts';

/** Two triangles: numbers of the corners below. */
const CORNERS = [0, 1, 2, 0, 2, 3];
const PLACES = [
  [-1, -1, 0],
  [-1, 1, 0],
  [1, 1, 0],
  [1, -1, 0],
];
const COLORS = [
  [1, 0, 0, 0.4],
  [0, 1, 0, 0.4],
  [0, 0, 1, 0.4],
  [1, 1, 1, 1],
];
const TEXCOORDS = [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, 0],
];
const NORMALS = [0, 1, 2, 3].map(() => [0, 0, 1]);

const attribute = (rows: readonly number[][]): MeshAttribute => ({
  size: rows[0]!.length,
  data: Float32Array.from(CORNERS.flatMap((corner) => rows[corner]!)),
});

const fraction = (value: number) => value - Math.floor(value);
const MAX_QUADS = 100_000;

export const pulsar: Scene = {
  name: 'pulsar',
  help: 'translucent quads that turn and grow',
  options: [
    { name: 'quads', default: '5', help: 'number of quads' },
    { name: 'texture', default: 'false', values: FLAG, help: 'with a texture' },
    { name: 'light', default: 'false', values: FLAG, help: 'with a lamp' },
    { name: 'random', default: 'false', values: FLAG, help: 'speeds from a (seeded) random generator' },
  ],
  setup({ gl, data, options, projection, program: link }) {
    const quads = options.number('quads');
    if (!Number.isInteger(quads) || quads < 0 || quads > MAX_QUADS) throw new Error(`quads=${quads}`);
    const [isTextured, isLit] = [options.flag('texture'), options.flag('light')];
    const program = link(
      isLit ? 'pulsar-light.vert' : 'pulsar.vert',
      isTextured ? 'light-basic-tex.frag' : 'light-basic.frag',
      { vertex: { constants: isLit ? { LightSourcePosition: [-20, 20, -20, 1] } : {} } },
    );
    const parts: [string, MeshAttribute][] = [
      ['position', attribute(PLACES)],
      ['vtxcolor', attribute(COLORS)],
      ...(isTextured ? [['texcoord', attribute(TEXCOORDS)] as [string, MeshAttribute]] : []),
      ...(isLit ? [['normal', attribute(NORMALS)] as [string, MeshAttribute]] : []),
    ];
    const mesh = createMesh(
      gl,
      parts.map(([, part]) => part),
    );
    mesh.setLocations(parts.map(([name]) => program.attribute(name)));
    const picture = isTextured ? createTexture(gl, data.texture('crate-base')) : null;
    const random = createRandom(5);
    const speeds = new Float64Array(quads * 2);
    for (let quad = 0; quad < quads; quad++) {
      const isRandom = options.flag('random');
      speeds[quad * 2] = (isRandom ? random() : fraction((quad + 1) * Math.PI)) * 5 * 60;
      speeds[quad * 2 + 1] = (isRandom ? random() : fraction((quad + 1) * Math.E)) * 5 * 60;
    }
    const setUniforms = createTransformUniforms(gl, program);
    const view = createMatrix();
    let time = 0;
    let [scaleX, scaleY] = [1, 1];
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
    program.use();
    gl.uniform1i(program.uniform('MaterialTexture0'), 0);
    return {
      update(elapsed) {
        time = elapsed;
        scaleX = Math.cos(elapsed / 3.6) * 10;
        scaleY = Math.sin(elapsed / 3.6) * 10;
      },
      draw() {
        if (isTextured) {
          gl.activeTexture(gl.TEXTURE0);
          gl.bindTexture(gl.TEXTURE_2D, picture);
        }
        for (let quad = 0; quad < quads; quad++) {
          scale(identity(view), scaleX, scaleY, 1);
          translate(view, 0, 0, -10);
          rotate(view, speeds[quad * 2]! * time, 1, 0, 0);
          rotate(view, speeds[quad * 2 + 1]! * time, 0, 1, 0);
          setUniforms(projection, view);
          mesh.draw();
        }
      },
      dispose() {
        mesh.dispose();
        program.dispose();
        gl.deleteTexture(picture);
      },
    };
  },
};
