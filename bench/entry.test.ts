import { describe, expect, it } from 'vitest';
import { EntryError, parseEntries } from './entry.ts';
import { generatedData } from './generated-data.ts';
import { DEFAULT_ENTRIES, SCENES } from './scene-table.ts';

const parse = (...texts: string[]) => parseEntries(texts, generatedData);

describe('entries', () => {
  it('take options in any order and fill in the rest', () => {
    const [entry] = parse('shading:shading=phong:duration=2');
    expect(entry!.scene.name).toBe('shading');
    expect(entry!.options.text('shading')).toBe('phong');
    expect(entry!.options.number('duration')).toBe(2);
    expect(entry!.options.text('model')).toBe('cat');
    expect(entry!.title).toBe('shading:shading=phong:duration=2');
  });

  it('take defaults from entries without a scene, for those that follow', () => {
    const [first, second, third] = parse('build', ':duration=0.5:use-vbo=false', 'build', 'clear:duration=3');
    expect(first!.options.number('duration')).toBe(10);
    expect(second!.options.number('duration')).toBe(0.5);
    expect(second!.options.flag('use-vbo')).toBe(false);
    expect(second!.title).toBe('build');
    expect(third!.options.number('duration')).toBe(3);
  });

  it('keep semicolons and commas of kernels', () => {
    const [entry] = parse('effect2d:kernel=0,1,0;1,-4,1;0,1,0;');
    expect(entry!.options.text('kernel')).toBe('0,1,0;1,-4,1;0,1,0;');
  });

  it.each([
    ['nowhere', 'there are: build'],
    ['shading:shading=flat', 'gouraud, blinn-phong-inf'],
    ['shading:colour=red', 'options are shading'],
    ['shading:shading', 'is not option=value'],
    ['clear:duration=soon', 'duration is a time'],
    ['clear:nframes=1.5', 'nframes is a whole number'],
    [':colour=red', 'no scene has an option'],
    ['texture:model=nothing', 'asteroid-high'],
    ['clear:fragment-precision=high', 'four of'],
    ['clear:title-pos=1', 'two numbers'],
    ['clear:fps-size=0', 'a number above 0'],
    ['clear:show-fps=yes', 'false, true'],
    [':title-pos=here', 'two numbers'],
  ])('say what is wrong with %s', (text, part) => {
    expect(() => parse(text)).toThrow(EntryError);
    expect(() => parse(text)).toThrow(part);
  });

  it('are the 33 of the default list, over all scenes but clear', () => {
    const entries = parse(...DEFAULT_ENTRIES);
    expect(entries).toHaveLength(33);
    expect(SCENES.size).toBe(17);
    const used = new Set(entries.map(({ scene }) => scene.name));
    expect([...SCENES.keys()].filter((name) => !used.has(name))).toEqual(['clear']);
  });
});
