// The front end: shapes of commands, fixed point, links, calls, and streams that are wrong.

import { describe, expect, it } from 'vitest';
import { type CommandSink, fixedToFloatBits, runStream, type StreamError } from './front-end.ts';

const LOAD = (address: number, count: number, fixed = false) =>
  ((1 << 27) | (Number(fixed) << 26) | (count << 16) | (address >>> 2)) >>> 0;
const OP = (op: number, low = 0) => ((op << 27) | low) >>> 0;

function record(memory: Record<number, number[]> = {}) {
  const log: unknown[] = [];
  const sink: CommandSink = {
    loadState: (address, value) => void log.push(['state', address, value]),
    drawPrimitives: (...values) => void log.push(['draw', ...values]),
    drawIndexed: (...values) => void log.push(['indexed', ...values]),
    drawInstanced: (...values) => void log.push(['instanced', ...values]),
    stall: (...values) => void log.push(['stall', ...values]),
    event: (id) => void log.push(['event', id]),
    fetch: (address) => {
      const words = memory[address];
      if (!words) throw new Error('fault');
      return Uint32Array.from(words);
    },
  };
  return { log, sink, run: (...words: number[]) => runStream(Uint32Array.from(words), sink) };
}

describe('commands', () => {
  it('load states, padded to 64 bits, fixed point as floats', () => {
    const { log, run } = record();
    run(LOAD(0x600, 2), 7, 8, 0, LOAD(0xa00, 1, true), 0x00208000);
    expect(log).toEqual([
      ['state', 0x600, 7],
      ['state', 0x604, 8],
      ['state', 0xa00, fixedToFloatBits(0x00208000)],
    ]);
    expect(fixedToFloatBits(0x00208000)).toBe(0x42020000);
  });

  it('draw in all forms', () => {
    const { log, run } = record();
    run(OP(5), 4, 3, 2, OP(6), 5, 1, 6, 0xffffffff, 0, OP(12, (1 << 20) | (4 << 16) | 9), (1 << 24) | 6, 2, 0);
    expect(log).toEqual([
      ['draw', 4, 3, 2],
      ['indexed', 5, 1, 6, -1],
      ['instanced', 4, true, 65545, 6, 2],
    ]);
  });

  it('stop at END, with its event', () => {
    const { log, run } = record();
    run(OP(9), 0x0701, OP(2, 0x103), 0, LOAD(0, 1), 5);
    expect(log).toEqual([
      ['stall', 1, 7],
      ['event', 3],
    ]);
  });

  it('follow links, calls and returns', () => {
    const { log, run } = record({ 4096: [LOAD(0, 1), 1, OP(11), 0], 8192: [LOAD(4, 1), 2] });
    run(OP(10, 2), 0x1000, 0, 0, OP(8, 1), 0x2000);
    expect(log).toEqual([
      ['state', 0, 1],
      ['state', 4, 2],
    ]);
  });
});

describe('wrong streams', () => {
  const error = (run: (...words: number[]) => void, ...words: number[]) => {
    try {
      run(...words);
    } catch (caught) {
      return caught as StreamError;
    }
    throw new Error('no error');
  };

  it('name offset and word', () => {
    const { run } = record();
    expect(error(run, LOAD(0, 1), 5, OP(25), 0)).toMatchObject({ name: 'StreamError', offset: 8, word: OP(25) });
    expect(error(run, LOAD(0, 0), 1).message).toMatch(/cut off/);
    expect(error(run, OP(5), 4).message).toMatch(/cut off/);
    expect(error(run, OP(11), 0).message).toMatch(/without a call/);
  });

  it('that run in a circle end', () => {
    const { run } = record({ 4096: [OP(8, 1), 0x1000] });
    expect(error(run, OP(8, 1), 0x1000).message).toMatch(/circle/);
  });
});
