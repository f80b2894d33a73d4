import { describe, expect, it } from 'vitest';
import { load3ds } from './load-3ds.ts';
import { ModelError } from './model-error.ts';

type Part = number[];

const u16 = (value: number): Part => [value & 0xff, value >> 8];
const u32 = (value: number): Part => [...u16(value & 0xffff), ...u16(value >>> 16)];
const f32 = (...values: number[]): Part => [...new Uint8Array(Float32Array.from(values).buffer)];
const chunk = (type: number, ...parts: Part[]): Part => {
  const body = parts.flat();
  return [...u16(type), ...u32(body.length + 6), ...body];
};
const name = (text: string): Part => [...Buffer.from(text), 0];

const vertices = chunk(0x4110, u16(3), f32(0, 0, 0, 1, 0, 0, 0, 2, 0));
const faces = chunk(0x4120, u16(1), u16(0), u16(1), u16(2), u16(7));
const mapping = chunk(0x4140, u16(3), f32(0, 0, 1, 0, 0, 1));
const file = (...mesh: Part[]): Uint8Array =>
  Uint8Array.from(
    chunk(0x4d4d, chunk(0x0002, u32(3)), chunk(0x3d3d, chunk(0x4000, name('box'), chunk(0x4100, ...mesh)))),
  );

describe('3ds', () => {
  it('gives vertices, faces and mapping of an object', () => {
    const { objects } = load3ds(file(vertices, faces, mapping));
    expect(objects).toHaveLength(1);
    expect(objects[0]!.name).toBe('box');
    expect([...objects[0]!.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0]);
    expect([...objects[0]!.faces]).toEqual([0, 1, 2]);
    expect([...objects[0]!.texcoords!]).toEqual([0, 0, 1, 0, 0, 1]);
  });

  it('skips chunks it does not know', () => {
    expect(load3ds(file(vertices, chunk(0x4160, f32(1, 2, 3)), faces)).objects[0]!.faces).toHaveLength(3);
  });

  it.each([
    ['nothing', new Uint8Array(), 'no mesh'],
    ['another kind of file', Uint8Array.from(chunk(0x1234, u32(0))), 'not a .3ds file'],
    [
      'a face beyond the vertices',
      file(vertices, chunk(0x4120, u16(1), u16(0), u16(1), u16(9), u16(0))),
      'vertex 9 of 3',
    ],
    ['a list that is too short', file(chunk(0x4110, u16(50), f32(0, 0, 0))), 'vertex list needs 600 bytes'],
    ['a number that is none', file(chunk(0x4110, u16(1), f32(0, Number.NaN, 0)), faces), 'not a number'],
    [
      'a chunk of no length',
      Uint8Array.from([...u16(0x4d4d), ...u32(20), ...u16(0x3d3d), ...u32(0), ...u32(0), ...u32(0)]),
      'chunk length 0',
    ],
    ['a chunk that is longer than the file', Uint8Array.from([...u16(0x4d4d), ...u32(0xffffff)]), 'are left'],
    ['a mesh outside of an object', Uint8Array.from(chunk(0x4d4d, vertices)), 'outside of an object'],
    ['an object without faces', file(vertices), 'has no faces'],
  ])('tells of %s with its offset', (_, bytes, part) => {
    expect(() => load3ds(bytes)).toThrow(ModelError);
    expect(() => load3ds(bytes)).toThrow(part);
  });

  it('never throws anything else, wherever a file is cut or changed', () => {
    const good = file(vertices, faces, mapping);
    for (let at = 0; at < good.length; at++) {
      for (const bad of [good.slice(0, at), good.map((byte, index) => (index === at ? byte ^ 0xff : byte))]) {
        try {
          load3ds(bad);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
        }
      }
    }
  });
});
