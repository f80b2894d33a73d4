import { describe, expect, it } from 'vitest';
import { openBackend } from '../src/open-backend.ts';
import { indiumContexts } from './contexts.ts';
import { decorate } from './decoration.ts';
import { parseEntries } from './entry.ts';
import { generatedData } from './generated-data.ts';
import { layOutText } from './gl/text.ts';
import { SCENES } from './scene-table.ts';
import { clearFrame, setUpEntry } from './stage.ts';

const SIZE = { width: 64, height: 48 };
const DECORATED = ':show-fps=true:title=#info#:title-pos=-1,0.5:title-size=0.1:fps-size=0.1';

/** A frame before anything was written over one, one with it, and the next one without. */
async function frames(text: string, api: 'webgl' | 'webgl2' = 'webgl2') {
  const [entry] = parseEntries([DECORATED, text], generatedData);
  const { gl, close } = await indiumContexts(await openBackend('soft'), api).open(SIZE.width, SIZE.height);
  try {
    const options = { gl, ...SIZE, data: generatedData };
    const instance = setUpEntry(entry!, options);
    const decoration = decorate(entry!, options)!;
    const read = () => {
      const pixels = new Uint8Array(SIZE.width * SIZE.height * 4);
      gl.readPixels(0, 0, SIZE.width, SIZE.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels;
    };
    const draw = () => {
      clearFrame(gl);
      instance.draw();
    };
    // A scene may know only after its first frame where its lamp is.
    draw();
    draw();
    const before = read();
    draw();
    decoration.draw(100, 1);
    const written = read();
    draw();
    const after = read();
    decoration.dispose();
    instance.dispose?.();
    return { before, written, after, error: gl.getError() };
  } finally {
    await close();
  }
}

const countOf = (a: Uint8Array, b: Uint8Array, firstRow: number, rows: number) => {
  let count = 0;
  for (let at = firstRow * SIZE.width * 4; at < (firstRow + rows) * SIZE.width * 4; at++)
    count += a[at] === b[at] ? 0 : 1;
  return count;
};

describe('show-fps and title', () => {
  it.each([...SCENES.keys()])('are written over %s and leave its next frame as it was', async (name) => {
    const { before, written, after, error } = await frames(name);
    expect(error).toBe(0);
    expect(countOf(before, written, 0, 8)).toBeGreaterThan(20);
    expect(countOf(before, written, 36, 8)).toBeGreaterThan(20);
    expect(countOf(before, written, 16, 16)).toBe(0);
    expect(after).toEqual(before);
  });

  it('are written in WebGL 1', async () => {
    const { before, written, after } = await frames('build', 'webgl');
    expect(countOf(before, written, 0, 8)).toBeGreaterThan(20);
    expect(after).toEqual(before);
  });

  it('are off unless they are asked for', async () => {
    const [entry] = parseEntries(['clear'], generatedData);
    const { gl, close } = await indiumContexts(await openBackend('null'), 'webgl2').open(4, 4);
    expect(decorate(entry!, { gl, ...SIZE, data: generatedData })).toBeNull();
    await close();
  });

  it('take glyphs from the atlas by their place, and a space for what it lacks', () => {
    const place = { x: -1, y: -1, glyphWidth: 0.1, aspect: 1 };
    const [first, second] = [layOutText('!', place), layOutText('\n', place)];
    expect([first[2], first[3]].map((value) => value! * 512)).toEqual([29, 512 - 57]);
    expect(second[2]).toBe(0);
    expect(layOutText('ab', place)).toHaveLength(2 * 6 * 4);
  });
});
