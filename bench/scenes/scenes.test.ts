import { describe, expect, it } from 'vitest';
import { openBackend } from '../../src/open-backend.ts';
import { indiumContexts } from '../contexts.ts';
import { parseEntries } from '../entry.ts';
import { generatedData } from '../generated-data.ts';
import { gridDistance, isPlain } from '../picture.ts';
import { runEntry, takePicture } from '../run-entry.ts';
import { SCENES } from '../scene-table.ts';

const SIZE = { width: 48, height: 36 };
const OPTIONS = { ...SIZE, data: generatedData, frameEnd: 'readpixels' } as const;

async function picture(text: string, api: 'webgl' | 'webgl2' = 'webgl2') {
  const [entry] = parseEntries([text], generatedData);
  const { gl, close } = await indiumContexts(await openBackend('soft'), api).open(SIZE.width, SIZE.height);
  try {
    return takePicture(gl, entry!, OPTIONS);
  } finally {
    await close();
  }
}

/** Entries over what the scenes' options change. */
const VARIANTS = [
  'clear:rectangles=2:area=0.3',
  'build:use-vbo=false:interleave=true',
  'texture:texgen=true:texture-filter=mipmap',
  'texture:texture-filter=linear-shader',
  'shading:shading=phong:num-lights=3',
  'shading:shading=cel',
  'bump:bump-render=height',
  'effect2d:kernel=1,2,1;2,4,2;1,2,1',
  'pulsar:light=true:texture=true:random=true',
  'desktop:effect=shadow:shadow-size=4',
  'desktop:separable=false:passes=2:blur-radius=2',
  'buffer:interleave=true:update-method=subdata:columns=20:rows=4',
  'ideas:speed=4',
  'terrain:bloom=false:tilt-shift=false',
  'conditionals:vertex-conditionals=false:fragment-steps=3',
  'function:vertex-function=false:fragment-complexity=medium:fragment-steps=2',
  'loop:vertex-loop=false:fragment-uniform=false:fragment-steps=4',
];

describe('scenes', () => {
  it.each([...SCENES.keys()])('%s draws a picture without a GL error', async (name) => {
    const { grid, draws } = await picture(name);
    expect(isPlain(grid)).toBe(name === 'clear');
    expect(draws > 0).toBe(name !== 'clear');
  });

  it.each(VARIANTS)('%s does too', async (text) => {
    expect(isPlain((await picture(text)).grid)).toBe(false);
  });

  it.each(['build', 'loop:fragment-steps=3', 'shading:shading=phong'])('%s is the same in WebGL 1', async (text) => {
    const [first, second] = [await picture(text), await picture(text, 'webgl')];
    expect(gridDistance(first.grid, second.grid)).toBeLessThanOrEqual(1);
  });

  it('count what they draw', async () => {
    const { draws, triangles } = await picture('build');
    expect([draws, triangles]).toEqual([1, 7168]);
  });
});

describe('running an entry', () => {
  const run = async (text: string) => {
    const [entry] = parseEntries([text], generatedData);
    const { gl, close } = await indiumContexts(await openBackend('soft'), 'webgl2').open(SIZE.width, SIZE.height);
    const result = runEntry(gl, entry!, OPTIONS);
    await close();
    return result;
  };

  it('stops after its frames', async () => {
    const result = await run('texture:nframes=3');
    expect(result).toMatchObject({ status: 'success', frames: 3, scene: 'texture' });
    expect(result.fps).toBeCloseTo(3 / result.seconds);
    expect(result.worstMs).toBeLessThanOrEqual(result.seconds * 1000);
  });

  it('stops after its duration', async () => {
    const { seconds } = await run('clear:duration=0.05');
    expect(seconds).toBeGreaterThanOrEqual(0.05);
  });

  it('makes a failure a result', async () => {
    expect(await run('effect2d:kernel=1,2;3')).toMatchObject({ status: 'failed', message: 'kernel row 1: 1 of 2' });
    expect(await run('pulsar:quads=many')).toMatchObject({ status: 'failed' });
  });
});
