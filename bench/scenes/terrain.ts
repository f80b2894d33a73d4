// terrain: hills from a height map that a shader computes for each frame, with light, fog, bloom and tilt-shift blur.

import { gridCells } from '../gl/grid.ts';
import { createMatrix, inverseTranspose, lookAt, multiply, perspective, rotate, translate } from '../gl/matrix.ts';
import { createMesh, type Mesh } from '../gl/mesh.ts';
import { createTexture } from '../gl/texture.ts';
import { FLAG, type Scene, type Stage } from '../scene.ts';
import {
  beginPass,
  blurProgram,
  createPass,
  type Destination,
  endPass,
  offScreen,
  onScreen,
  type Pass,
} from './terrain-passes.ts';

const CELLS = 256;
const SIDE = 6000;
const MAP_SIZE = 256;
const GRASS_SIZE = 512;
const FOG = [0.825, 0.7425, 0.61875] as const;
const HEIGHT_SCALE = 1.5;
/** Maps' widths that the hills move in a second. */
const SPEED = 0.05;

/** Corners of a cell's two triangles: right side, top side. */
const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
  [1, 1],
  [0, 1],
] as const;

function createGround({ gl }: Stage): Mesh {
  const corners = CELLS * CELLS * CORNERS.length;
  const [positions, normals, tangents] = [0, 1, 2].map(() => new Float32Array(corners * 3));
  const coords = new Float32Array(corners * 2);
  let at = 0;
  for (const cell of gridCells({ columns: CELLS, rows: CELLS, width: SIDE, height: SIDE })) {
    for (const [right, top] of CORNERS) {
      positions![at * 3] = right ? cell.right : cell.left;
      positions![at * 3 + 1] = top ? cell.top : cell.bottom;
      normals![at * 3 + 2] = 1;
      tangents![at * 3] = 1;
      coords[at * 2] = (cell.column + right) / CELLS;
      coords[at * 2 + 1] = 1 - (cell.row + 1 - top) / CELLS;
      at++;
    }
  }
  return createMesh(gl, [
    { size: 3, data: positions! },
    { size: 3, data: normals! },
    { size: 3, data: tangents! },
    { size: 2, data: coords },
  ]);
}

/** Uniforms of the hills that never change, by their number of parts. */
const CONSTANT_UNIFORMS: Readonly<Record<string, readonly number[]>> = {
  fogDensity: [0.00025],
  fogNear: [1],
  fogFar: [2000],
  fogColor: FOG,
  ambientLightColor: [1, 1, 1],
  'pointLightColor[0]': [1, 1, 1],
  'pointLightPosition[0]': [0, 0, 0],
  'pointLightDistance[0]': [0],
  uNormalScale: [3.5],
  uDisplacementBias: [0],
  uDisplacementScale: [375],
  uDiffuseColor: [1, 1, 1],
  uSpecularColor: [1, 1, 1],
  uAmbientColor: [0x88 / 255, 0x88 / 255, 0x88 / 255],
  uShininess: [30],
  uOpacity: [1],
  uOffset: [0, 0],
};

const SAMPLERS = ['tDiffuse1', 'tDiffuse2', 'tDetail', 'tNormal', 'tSpecular', 'tDisplacement'];

function createHills(stage: Stage, destination: Destination, repeat: number) {
  const { gl, width, height, program: link } = stage;
  const program = link('terrain.vert', 'terrain.frag');
  const mesh = createGround(stage);
  mesh.setLocations(['position', 'normal', 'tangent', 'uv'].map((name) => program.attribute(name)));
  program.use();
  for (const [name, value] of Object.entries({ ...CONSTANT_UNIFORMS, uRepeatOverlay: [repeat, repeat] })) {
    const location = program.uniform(name);
    if (value.length === 1) gl.uniform1f(location, value[0]!);
    else if (value.length === 2) gl.uniform2fv(location, value);
    else gl.uniform3fv(location, value);
  }
  for (const [unit, name] of SAMPLERS.entries()) gl.uniform1i(program.uniform(name), unit);
  const view = lookAt(createMatrix(), [-1200, 800, 1200], [0, 0, 0]);
  const modelView = translate(createMatrix(), 0, -125, 0);
  rotate(modelView, -90, 1, 0, 0);
  multiply(modelView, view, modelView);
  gl.uniformMatrix4fv(program.uniform('viewMatrix'), false, view);
  gl.uniformMatrix4fv(program.uniform('modelViewMatrix'), false, modelView);
  gl.uniformMatrix4fv(program.uniform('normalMatrix'), false, inverseTranspose(createMatrix(), modelView));
  const projection = perspective(createMatrix(), 40, width / height, 2, 4000);
  gl.uniformMatrix4fv(program.uniform('projectionMatrix'), false, projection);
  const offset = program.uniform('uOffset');
  return {
    program,
    setOffset(x: number) {
      program.use();
      gl.uniform2f(offset, x, 0);
    },
    render(textures: readonly WebGLTexture[]) {
      beginPass(gl, destination);
      gl.clearColor(FOG[0], FOG[1], FOG[2], 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      program.use();
      for (let unit = 0; unit < textures.length; unit++) {
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, textures[unit]!);
      }
      mesh.draw();
      endPass(gl, destination);
    },
    dispose() {
      mesh.dispose();
      program.dispose();
    },
  };
}

interface Link {
  readonly pass: Pass;
  readonly input: WebGLTexture;
}

/** The passes after the hills, each with the texture it takes. */
function createPostChain(stage: Stage, drawn: Destination, hasBloom: boolean, hasTiltShift: boolean): Link[] {
  const { gl, width, height, program: link } = stage;
  if (!drawn.target) return [];
  const picture = drawn.target.color!;
  const mipmapped = { minFilter: gl.LINEAR_MIPMAP_LINEAR, magFilter: gl.LINEAR };
  const chain: Link[] = [];
  const add = (pass: Pass, input: WebGLTexture): WebGLTexture | null => {
    chain.push({ pass, input });
    return pass.destination.target?.color ?? null;
  };
  const blur = (
    kind: { radius: number; sigma: number; tiltShift: number },
    direction: 'horizontal' | 'vertical',
    size: { width: number; height: number },
    destination: Destination,
  ) => createPass(gl, blurProgram(stage, { ...kind, direction, ...size }), destination);
  const screen = { width, height };
  if (hasBloom) {
    const kind = { radius: 2, sigma: 4, tiltShift: 0 };
    const small = { width: MAP_SIZE, height: MAP_SIZE };
    const across = add(blur(kind, 'horizontal', screen, offScreen(gl, { ...small, ...mipmapped })), picture)!;
    const both = add(blur(kind, 'vertical', small, offScreen(gl, { ...small, ...mipmapped })), across)!;
    const overlay = createPass(gl, link('terrain-texture.vert', 'terrain-overlay.frag'), drawn, { isAdded: true });
    gl.uniform1f(overlay.program.uniform('opacity'), 0.6);
    add(overlay, both);
  }
  if (hasTiltShift) {
    const kind = { radius: 4, sigma: 2.7, tiltShift: 0.5 };
    const across = add(blur(kind, 'horizontal', screen, offScreen(gl, { ...screen, ...mipmapped })), picture)!;
    add(blur(kind, 'vertical', screen, onScreen(stage)), across);
  } else {
    const copy = createPass(gl, link('terrain-texture.vert', 'terrain-overlay.frag'), onScreen(stage));
    gl.uniform1f(copy.program.uniform('opacity'), 1);
    add(copy, picture);
  }
  return chain;
}

export const terrain: Scene = {
  name: 'terrain',
  help: 'hills with many textures and effects on the whole picture',
  options: [
    { name: 'repeat-overlay', default: '6.0', help: 'times the ground texture repeats along each side' },
    { name: 'bloom', default: 'true', values: FLAG, help: 'bright parts shine' },
    { name: 'tilt-shift', default: 'true', values: FLAG, help: 'blur above and below the middle' },
  ],
  setup(stage) {
    const { gl, width, height, data, options, program: link } = stage;
    if ((gl.getParameter(gl.MAX_VERTEX_TEXTURE_IMAGE_UNITS) as number) < 2) {
      throw new Error('needs textures in the vertex shader');
    }
    const [hasBloom, hasTiltShift] = [options.flag('bloom'), options.flag('tilt-shift')];
    const repeat = options.number('repeat-overlay');
    const mipmapped = { minFilter: gl.LINEAR_MIPMAP_LINEAR, magFilter: gl.LINEAR };
    const textures = ['terrain-grasslight-512', 'terrain-backgrounddetailed6', 'terrain-grasslight-512-nm'].map(
      (name) => createTexture(gl, data.texture(name), { ...mipmapped, isRepeated: true }),
    );
    const heights = offScreen(gl, { width: MAP_SIZE, height: MAP_SIZE });
    const normals = offScreen(gl, { width: MAP_SIZE, height: MAP_SIZE });
    const gloss = offScreen(gl, { width: GRASS_SIZE, height: GRASS_SIZE, ...mipmapped, isRepeated: true });
    const isDirect = !hasBloom && !hasTiltShift;
    const drawn: Destination = isDirect
      ? onScreen(stage)
      : offScreen(gl, { width, height, depth: 'renderbuffer', ...mipmapped });

    const noise = createPass(gl, link('terrain-texture.vert', 'terrain-noise.frag'), heights, {
      uvScale: HEIGHT_SCALE,
    });
    gl.uniform1f(noise.program.uniform('time'), 1);
    const noiseOffset = noise.program.uniform('uvOffset');
    const slopes = createPass(gl, link('terrain-texture.vert', 'terrain-normalmap.frag'), normals);
    gl.uniform1f(slopes.program.uniform('height'), 0.05);
    gl.uniform2f(slopes.program.uniform('resolution'), MAP_SIZE, MAP_SIZE);
    const luminance = createPass(gl, link('terrain-texture.vert', 'terrain-luminance.frag'), gloss);
    luminance.render(textures[0]!);
    const hills = createHills(stage, drawn, repeat);
    const chain = createPostChain(stage, drawn, hasBloom, hasTiltShift);
    const bound = [...textures, normals.target.color!, gloss.target.color!, heights.target.color!];
    return {
      update(elapsed) {
        noise.program.use();
        gl.uniform2f(noiseOffset, SPEED * elapsed, 0);
        hills.setOffset((repeat / HEIGHT_SCALE) * SPEED * elapsed);
      },
      draw() {
        noise.render(null);
        slopes.render(heights.target.color);
        hills.render(bound);
        for (let index = 0; index < chain.length; index++) chain[index]!.pass.render(chain[index]!.input);
      },
      dispose() {
        hills.dispose();
        const passes = [noise, slopes, luminance, ...chain.map(({ pass }) => pass)];
        const targets = new Set([drawn, gloss, ...passes.map(({ destination }) => destination)]);
        for (const pass of passes) pass.dispose();
        for (const { target } of targets) target?.dispose();
        for (const texture of textures) gl.deleteTexture(texture);
      },
    };
  },
};
