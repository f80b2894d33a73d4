// All scenes of the bench, by name.

import { FLAG, type OptionRow, type Scene } from './scene.ts';
import { buffer } from './scenes/buffer.ts';
import { build } from './scenes/build.ts';
import { bump } from './scenes/bump.ts';
import { clear } from './scenes/clear.ts';
import { conditionals } from './scenes/conditionals.ts';
import { desktop } from './scenes/desktop.ts';
import { effect2d } from './scenes/effect2d.ts';
import { functionCalls } from './scenes/function.ts';
import { ideas } from './scenes/ideas.ts';
import { jellyfish } from './scenes/jellyfish.ts';
import { loop } from './scenes/loop.ts';
import { pulsar } from './scenes/pulsar.ts';
import { refract } from './scenes/refract.ts';
import { shading } from './scenes/shading.ts';
import { shadow } from './scenes/shadow.ts';
import { terrain } from './scenes/terrain.ts';
import { texture } from './scenes/texture.ts';

/** Options that every scene takes. */
export const COMMON_OPTIONS: readonly OptionRow[] = [
  { name: 'duration', default: '10.0', help: 'seconds that the entry runs' },
  { name: 'nframes', default: '', help: 'frames after which it ends' },
  {
    name: 'vertex-precision',
    default: 'default,default,default,default',
    help: 'of int, float, sampler2D, samplerCube',
  },
  {
    name: 'fragment-precision',
    default: 'default,default,default,default',
    help: 'of int, float, sampler2D, samplerCube',
  },
  { name: 'show-fps', default: 'false', values: FLAG, help: 'frames a second, over the frames' },
  { name: 'fps-pos', default: '-1.0,-1.0', help: 'where: x,y of the lower left corner, -1 to 1' },
  { name: 'fps-size', default: '0.03', help: 'width of a letter; the picture is 2 wide' },
  { name: 'title', default: '', help: 'text over the frames; #info# is the scene with its options, #name# its name' },
  { name: 'title-pos', default: '-0.7,-1.0', help: 'where: x,y of the lower left corner, -1 to 1' },
  { name: 'title-size', default: '0.03', help: 'width of a letter' },
];

export const SCENES: ReadonlyMap<string, Scene> = new Map(
  [
    build,
    texture,
    shading,
    bump,
    effect2d,
    pulsar,
    desktop,
    buffer,
    ideas,
    jellyfish,
    terrain,
    shadow,
    refract,
    conditionals,
    functionCalls,
    loop,
    clear,
  ].map((scene) => [scene.name, scene]),
);

/** glmark2's default list. */
export const DEFAULT_ENTRIES: readonly string[] = [
  'build:use-vbo=false',
  'build:use-vbo=true',
  'texture:texture-filter=nearest',
  'texture:texture-filter=linear',
  'texture:texture-filter=mipmap',
  'shading:shading=gouraud',
  'shading:shading=blinn-phong-inf',
  'shading:shading=phong',
  'shading:shading=cel',
  'bump:bump-render=high-poly',
  'bump:bump-render=normals',
  'bump:bump-render=height',
  'effect2d:kernel=0,1,0;1,-4,1;0,1,0;',
  'effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;',
  'pulsar:quads=5:texture=false:light=false',
  'desktop:windows=4:effect=blur:blur-radius=5:passes=1:separable=true',
  'desktop:windows=4:effect=shadow',
  'buffer:update-fraction=0.5:update-dispersion=0.9:columns=200:update-method=map:interleave=false',
  'buffer:update-fraction=0.5:update-dispersion=0.9:columns=200:update-method=subdata:interleave=false',
  'buffer:update-fraction=0.5:update-dispersion=0.9:columns=200:update-method=map:interleave=true',
  'ideas:speed=duration',
  'jellyfish',
  'terrain',
  'shadow',
  'refract',
  'conditionals:vertex-steps=0:fragment-steps=0',
  'conditionals:vertex-steps=0:fragment-steps=5',
  'conditionals:vertex-steps=5:fragment-steps=0',
  'function:fragment-steps=5:fragment-complexity=low',
  'function:fragment-steps=5:fragment-complexity=medium',
  'loop:vertex-steps=5:fragment-steps=5:fragment-loop=false',
  'loop:vertex-steps=5:fragment-steps=5:fragment-uniform=false',
  'loop:vertex-steps=5:fragment-steps=5:fragment-uniform=true',
];
