// The front end: takes a command stream apart and hands each command on. It knows the commands' shapes, nothing of the units.

import { ENUMS } from '../registers/enums.table.ts';

const OP = ENUMS.FE_OPCODE;

/** A stream that hardware would choke on: where, and on which word. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  /** In bytes from the start of the stream. */
  readonly offset: number;
  readonly word: number;

  constructor(message: string, offset: number, word: number) {
    super(`${message} (stream offset ${offset}, word 0x${(word >>> 0).toString(16).padStart(8, '0')})`);
    this.offset = offset;
    this.word = word >>> 0;
  }
}

/** What a stream asks for, in its terms. */
export interface CommandSink {
  /** One state word; `fixedPoint` words are 16.16 numbers that become floats. */
  loadState(address: number, value: number): void;
  drawPrimitives(type: number, start: number, primitives: number): void;
  drawIndexed(type: number, start: number, primitives: number, baseVertex: number): void;
  drawInstanced(type: number, isIndexed: boolean, instances: number, vertices: number, start: number): void;
  /** Synchronisation between units: an in-order simulator has nothing to wait for. */
  stall(from: number, to: number): void;
  /** The words at a GPU address, for LINK and CALL. */
  fetch(gpuAddress: number, words: number): Uint32Array;
  /** An event was asked for. */
  event(id: number): void;
}

/** Links that one stream may follow before it is taken to run in a circle. */
const MAX_LINKS = 1024;
const MAX_CALL_DEPTH = 16;

const floatView = new Float32Array(1);
const wordView = new Uint32Array(floatView.buffer);

/** 16.16 fixed point to the bits of a float. */
export function fixedToFloatBits(value: number): number {
  floatView[0] = (value | 0) / 65536;
  return wordView[0]!;
}

interface Position {
  words: Uint32Array;
  at: number;
  end: number;
}

/** Where a stream has come to: of the command (or state word) at work, in bytes from the start of its buffer. */
export interface StreamPosition {
  offset: number;
  word: number;
}

/**
 * Runs a stream to its end (of words, or an END command), keeping `position` up to date. Throws StreamError, and what the sink
 * throws.
 */
export function runStream(
  stream: Uint32Array,
  sink: CommandSink,
  position: StreamPosition = { offset: 0, word: 0 },
): void {
  let here: Position = { words: stream, at: 0, end: stream.length };
  const calls: Position[] = [];
  let links = 0;
  while (here.at < here.end) {
    const { words, at } = here;
    const header = words[at]!;
    const op = header >>> 27;
    position.offset = at * 4;
    position.word = header;
    switch (op) {
      case OP.LOAD_STATE: {
        const count = (header >>> 16) & 0x3ff || 1024;
        need(here, 1 + count);
        loadStates(words, at, count, sink, position);
        // Commands start at multiples of 64 bits.
        here.at = at + ((1 + count + 1) & ~1);
        break;
      }
      case OP.END:
        if (header & 0x100) sink.event(header & 31);
        return;
      case OP.NOP:
      case OP.WAIT:
      case OP.SNAP_PAGES:
      case OP.CHIP_SELECT:
        here.at = at + 2;
        break;
      case OP.DRAW_PRIMITIVES:
        need(here, 4);
        here.at = at + 4;
        sink.drawPrimitives(words[at + 1]! & 0xff, words[at + 2]!, words[at + 3]!);
        break;
      case OP.DRAW_INDEXED_PRIMITIVES:
        need(here, 5);
        here.at = at + 6;
        sink.drawIndexed(words[at + 1]! & 0xff, words[at + 2]!, words[at + 3]!, words[at + 4]! | 0);
        break;
      case OP.DRAW_INSTANCED: {
        need(here, 3);
        here.at = at + 4;
        const counts = words[at + 1]!;
        const instances = (header & 0xffff) | ((counts >>> 24) << 16);
        const isIndexed = ((header >>> 20) & 1) !== 0;
        sink.drawInstanced((header >>> 16) & 15, isIndexed, instances, counts & 0xffffff, words[at + 2]! | 0);
        break;
      }
      case OP.STALL:
        need(here, 2);
        here.at = at + 2;
        sink.stall(words[at + 1]! & 31, (words[at + 1]! >>> 8) & 31);
        break;
      case OP.LINK:
      case OP.CALL: {
        need(here, op === OP.CALL ? 4 : 2);
        if (++links > MAX_LINKS) throw new StreamError('the stream links in a circle', at * 4, header);
        const prefetch = header & 0xffff;
        if (op === OP.CALL) {
          if (calls.length >= MAX_CALL_DEPTH) throw new StreamError('calls are nested too deeply', at * 4, header);
          calls.push({ words, at: at + 4, end: here.end });
        }
        const target = sink.fetch(words[at + 1]!, prefetch * 2);
        here = { words: target, at: 0, end: target.length };
        break;
      }
      case OP.RETURN: {
        const back = calls.pop();
        if (!back) throw new StreamError('a return without a call', at * 4, header);
        here = back;
        break;
      }
      default:
        throw new StreamError(`no command has operation code ${op}`, at * 4, header);
    }
  }
}

/** The command at work has so many words. */
function need({ words, at, end }: Position, count: number): void {
  const header = words[at]!;
  if (at + count > end) throw new StreamError(`command ${header >>> 27} is cut off`, at * 4, header);
}

function loadStates(words: Uint32Array, at: number, count: number, sink: CommandSink, position: StreamPosition): void {
  const header = words[at]!;
  const isFixed = ((header >>> 26) & 1) !== 0;
  let address = (header & 0xffff) * 4;
  for (let index = 1; index <= count; index++, address += 4) {
    const word = words[at + index]!;
    position.offset = (at + index) * 4;
    position.word = word;
    sink.loadState(address, isFixed ? fixedToFloatBits(word) : word);
  }
}
