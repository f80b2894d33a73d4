import { expect, it } from 'vitest';
import { REGISTERS } from '../registers/registers.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import { CommandStream } from './command-stream.ts';

const R = REGISTERS;
const buffer: BufferObject = { sizeBytes: 4096, gpuAddress: 0x80001000, map: () => new Uint8Array(4096) };

it('merges neighbouring states into one command and pads to 64 bits', () => {
  const stream = new CommandStream();
  stream.set(R.SE_DEPTH_SCALE, 1);
  stream.set(R.SE_DEPTH_BIAS, 2);
  stream.set(R.PE_COLOR_STRIDE, 3);
  expect([...stream.finish().words]).toEqual([
    (0x08020000 | (R.SE_DEPTH_SCALE.address >> 2)) >>> 0,
    1,
    2,
    0,
    (0x08010000 | (R.PE_COLOR_STRIDE.address >> 2)) >>> 0,
    3,
  ]);
});

it('leaves out what a stream has set already, and knows nothing in the next one', () => {
  const stream = new CommandStream();
  stream.set(R.PE_COLOR_STRIDE, 3);
  stream.set(R.PE_COLOR_STRIDE, 3);
  expect(stream.finish().words).toHaveLength(2);
  stream.restart();
  stream.set(R.PE_COLOR_STRIDE, 3);
  expect(stream.finish().words).toHaveLength(2);
});

it('writes triggers each time', () => {
  const stream = new CommandStream();
  stream.trigger(R.RS_KICKER, 1);
  stream.trigger(R.RS_KICKER, 1);
  expect(stream.finish().words).toHaveLength(4);
});

it('does not mix fixed point with words in one command', () => {
  const stream = new CommandStream();
  stream.setFixed(R.PA_VIEWPORT_SCALE_X, 0.5);
  stream.setFixed(R.PA_VIEWPORT_SCALE_Y, 1);
  stream.setFloat(R.PA_VIEWPORT_SCALE_Z, 1);
  const { words } = stream.finish();
  expect([words[0]! >>> 16, words[1], words[2], words[4]! >>> 16, words[5]]).toEqual([
    0x0c02, 0x8000, 0x10000, 0x0801, 0x3f800000,
  ]);
});

it('remembers which words are addresses, and which buffers are used for what', () => {
  const stream = new CommandStream();
  stream.set(R.PE_COLOR_STRIDE, 3);
  stream.setBuffer(R.PE_COLOR_ADDR, buffer, 64, true);
  stream.triggerBuffer(R.GL_OCCLUSION_QUERY_ADDR, buffer, 8, true);
  stream.reference(buffer, false);
  const { words, relocations, buffers } = stream.finish();
  expect(relocations.map(({ offsetBytes, writes }) => [offsetBytes, writes])).toEqual([
    [64, true],
    [8, true],
  ]);
  expect(relocations.map(({ word }) => words[word])).toEqual([0x80001040, 0x80001008]);
  expect(buffers.get(buffer)).toEqual({ writes: true });
});

it('writes what must stand before a state only where a state is written', () => {
  const stream = new CommandStream();
  const before = (one: CommandStream) => one.trigger(R.RS_KICKER, 1);
  stream.set(R.PE_COLOR_STRIDE, 3);
  stream.beforeNextState(before);
  stream.set(R.PE_COLOR_STRIDE, 3);
  stream.endBefore();
  stream.set(R.PE_DEPTH_STRIDE, 3);
  expect(stream.lengthWords).toBe(4);
  stream.beforeNextState(before);
  stream.set(R.PE_COLOR_STRIDE, 4);
  stream.set(R.PE_COLOR_STRIDE, 5);
  const words = [...stream.finish().words];
  expect(words.filter((word) => (word & 0xffff) === R.RS_KICKER.address >> 2)).toHaveLength(1);
  expect(words.slice(5)).toEqual([1, words[6], 4, words[8], 5]);
});
