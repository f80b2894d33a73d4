// shading: a model lit at its vertices or its pixels, with several lamps if wanted, or in flat bands.

import { rotate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import { expandModel } from '../models/model.ts';
import type { ProgramAdditions, Scene } from '../scene.ts';
import { fitCamera } from './fitted-camera.ts';
import { createTurningModel } from './turning-model.ts';

const LAMP = [20, 20, 10, 1] as const;
const DIFFUSE = [0, 0, 1, 1] as const;

/** Halfway between a far lamp and the viewer. */
export function halfVector([x, y, z]: readonly number[]): number[] {
  const length = Math.hypot(x!, y!, z!);
  const half = [x! / length, y! / length, z! / length + 1];
  const halfLength = Math.hypot(...half);
  return half.map((part) => part / halfLength);
}

const MAX_LAMPS = 64;

/** Lamps on a spiral around the model, and the text that adds their light. */
function lamps(count: number): ProgramAdditions['fragment'] {
  const constants: Record<string, number | readonly number[]> = { MaterialDiffuse: DIFFUSE };
  const lines = ['    gl_FragColor = vec4(0.0);'];
  const around = (2 * Math.PI) / count;
  const brightness = 0.8 / count;
  for (let index = 0; index < count; index++) {
    const [angle, rise] = [around * index, (around / 2) * index];
    constants[`LightSourcePosition${index}`] = [
      Math.cos(rise) * Math.sin(angle),
      Math.cos(rise) * Math.cos(angle),
      Math.sin(rise),
      1,
    ];
    constants[`LightColor${index}`] = [brightness, brightness, brightness, 1];
    lines.push(`    gl_FragColor += compute_color(LightSourcePosition${index}, LightColor${index});`);
  }
  return { constants, holes: { DO_LIGHTS: lines.join('\n') } };
}

interface Shading {
  readonly shaders: readonly [string, string];
  additions(lampCount: number): ProgramAdditions;
}

const SHADINGS: Readonly<Record<string, Shading>> = {
  gouraud: {
    shaders: ['light-basic.vert', 'light-basic.frag'],
    additions: () => ({ vertex: { constants: { LightSourcePosition: LAMP, MaterialDiffuse: DIFFUSE } } }),
  },
  'blinn-phong-inf': {
    shaders: ['light-advanced.vert', 'light-advanced.frag'],
    additions: () => ({
      fragment: { constants: { LightSourcePosition: LAMP, LightSourceHalfVector: halfVector(LAMP) } },
    }),
  },
  phong: {
    shaders: ['light-phong.vert', 'light-phong.frag'],
    additions: (count) => ({ fragment: lamps(count)! }),
  },
  cel: { shaders: ['light-phong.vert', 'light-cel.frag'], additions: () => ({}) },
};

export const shading: Scene = {
  name: 'shading',
  help: 'a model under several ways of lighting',
  options: [
    { name: 'shading', default: 'gouraud', values: Object.keys(SHADINGS), help: 'way of lighting' },
    { name: 'num-lights', default: '1', help: 'number of lamps (phong)' },
    { name: 'model', default: 'cat', values: 'models', help: 'model to show' },
  ],
  setup({ gl, width, height, data, options, program: link }) {
    const { shaders, additions } = SHADINGS[options.text('shading')]!;
    const lampCount = options.number('num-lights');
    if (!Number.isInteger(lampCount) || lampCount < 1 || lampCount > MAX_LAMPS) {
      throw new Error(`num-lights=${lampCount}: give 1 to ${MAX_LAMPS}`);
    }
    const program = link(...shaders, additions(lampCount));
    const model = data.model(options.text('model'));
    const mesh = createMesh(gl, expandModel(model, ['position', 'normal']));
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
