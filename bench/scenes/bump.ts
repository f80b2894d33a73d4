// bump: an asteroid with bumps of triangles, of a normal map, or of a height map.

import { createMatrix, identity, rotate, translate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import { createTexture } from '../gl/texture.ts';
import { type AttributeKind, expandModel } from '../models/model.ts';
import type { Scene } from '../scene.ts';
import { halfVector } from './shading.ts';
import { createTransformUniforms, TURN_SPEED } from './turning-model.ts';

const LAMP = [20, 20, 10, 1] as const;
const MAP_SIZE = 1024;

interface BumpKind {
  readonly model: string;
  readonly shaders: string;
  readonly attributes: readonly AttributeKind[];
  readonly map?: string;
  readonly constants?: Readonly<Record<string, number>>;
}

const KINDS: Readonly<Record<string, BumpKind>> = {
  off: { model: 'asteroid-low', shaders: 'bump-poly', attributes: ['position', 'normal'] },
  normals: {
    model: 'asteroid-low',
    shaders: 'bump-normals',
    attributes: ['position', 'texcoord'],
    map: 'asteroid-normal-map',
  },
  'normals-tangent': {
    model: 'asteroid-low',
    shaders: 'bump-normals-tangent',
    attributes: ['position', 'normal', 'texcoord', 'tangent'],
    map: 'asteroid-normal-map-tangent',
  },
  height: {
    model: 'asteroid-low',
    shaders: 'bump-height',
    attributes: ['position', 'normal', 'texcoord', 'tangent'],
    map: 'asteroid-height-map',
    constants: { TextureStepX: 1 / MAP_SIZE, TextureStepY: 1 / MAP_SIZE },
  },
  'high-poly': { model: 'asteroid-high', shaders: 'bump-poly', attributes: ['position', 'normal'] },
};

export const bump: Scene = {
  name: 'bump',
  help: 'a bumpy surface by several means',
  options: [{ name: 'bump-render', default: 'off', values: Object.keys(KINDS), help: 'what the bumps are made of' }],
  setup({ gl, data, options, projection, program: link }) {
    const kind = KINDS[options.text('bump-render')]!;
    const constants = { LightSourcePosition: LAMP, LightSourceHalfVector: halfVector(LAMP), ...kind.constants };
    const program = link(`${kind.shaders}.vert`, `${kind.shaders}.frag`, { fragment: { constants } });
    const mesh = createMesh(gl, expandModel(data.model(kind.model), kind.attributes));
    mesh.setLocations(kind.attributes.map((attribute) => program.attribute(attribute)));
    const map = kind.map ? createTexture(gl, data.texture(kind.map)) : null;
    const setUniforms = createTransformUniforms(gl, program);
    const view = createMatrix();
    let degrees = 0;
    program.use();
    gl.uniform1i(program.uniform('NormalMap'), 0);
    gl.uniform1i(program.uniform('HeightMap'), 0);
    return {
      update(elapsed) {
        degrees = TURN_SPEED * elapsed;
      },
      draw() {
        translate(identity(view), 0, 0, -3.5);
        rotate(view, degrees, 0, 1, 0);
        setUniforms(projection, view);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, map);
        mesh.draw();
      },
      dispose() {
        mesh.dispose();
        program.dispose();
        gl.deleteTexture(map);
      },
    };
  },
};
