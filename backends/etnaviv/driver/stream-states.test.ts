import { expect, it } from 'vitest';
import { REGISTERS } from '../registers/registers.ts';
import { CommandStream } from './command-stream.ts';
import { collectStates, differingStates, type StreamStates } from './stream-states.ts';

function statesOf(write: (stream: CommandStream) => void): StreamStates {
  const stream = new CommandStream();
  write(stream);
  const states: StreamStates = new Map();
  collectStates(stream.finish().words, states);
  return states;
}

it('tells states that differ, and states that one GPU never sets', () => {
  const padded = (stream: CommandStream) => {
    // Two states in one command: an odd count of words, which a word of padding follows.
    stream.set(REGISTERS.SE_DEPTH_SCALE, 1);
    stream.set(REGISTERS.SE_DEPTH_BIAS, 2);
  };
  const a = statesOf((stream) => {
    padded(stream);
    stream.set(REGISTERS.PE_COLOR_STRIDE, 256);
    stream.set(REGISTERS.PA_CONFIG, 0x412000);
    stream.command(0x28000000, 4, 0, 1);
  });
  const b = statesOf((stream) => {
    padded(stream);
    stream.set(REGISTERS.PE_COLOR_STRIDE, 512);
    stream.set(REGISTERS.PA_CONFIG, 0x412000);
    stream.set(REGISTERS.SH_CONFIG, 2);
  });
  expect(differingStates([a, b]).map(({ name, values }) => [name, values.map((list) => list.length)])).toEqual([
    ['PE_COLOR_STRIDE', [1, 1]],
    ['SH_CONFIG', [0, 1]],
  ]);
});
