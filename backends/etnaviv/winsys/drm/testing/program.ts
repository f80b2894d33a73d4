// A program that uses the device as any would, run by the tests under the stand-in: its arguments say what to do, it prints JSON.

import { readFileSync } from 'node:fs';
import { openBackend } from '../../../../../src/open-backend.ts';
import { ENUMS } from '../../../registers/enums.table.ts';
import type { BufferObject } from '../../winsys.ts';
import { type DrmWinsys, openDrmWinsys } from '../drm.ts';
import { loadLibc } from '../libc.ts';
import { HANG_WORD, NO_MEMORY_WORD } from './fake-kernel.ts';
import { drawScene } from './scene.ts';

const NOP = ENUMS.FE_OPCODE.NOP << 27;
const stream = (first: number, buffers: readonly BufferObject[] = []) => ({
  words: new Uint32Array([first, 0]),
  relocations: [],
  buffers: new Map(buffers.map((buffer) => [buffer, { writes: true }] as const)),
});

function messageOf(action: () => unknown): string {
  try {
    action();
    return 'no error';
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const TASKS: Readonly<Record<string, (open: () => DrmWinsys) => unknown>> = {
  identity(open) {
    const winsys = open();
    const { name, limits } = winsys.core;
    winsys.destroy();
    return { name, streams: limits.streams };
  },

  /** Buffers until there are none, and again when they were given back. */
  memory(open) {
    const winsys = open();
    const fill = () => {
      const buffers: BufferObject[] = [];
      for (let buffer = winsys.createBuffer(1 << 20); buffer; buffer = winsys.createBuffer(1 << 20))
        buffers.push(buffer);
      return buffers;
    };
    const first = fill();
    winsys.submit(stream(NOP, first));
    const { liveBytes } = winsys.memory();
    for (const buffer of first) winsys.destroyBuffer(buffer);
    const second = fill();
    winsys.submit(stream(NOP, second));
    winsys.destroy();
    return { first: first.length, second: second.length, liveBytes };
  },

  /** A buffer exported and imported again, and one imported twice. */
  share(open) {
    const winsys = open();
    const buffer = winsys.createBuffer(8192)!;
    buffer.map()[5000] = 77;
    const shared = winsys.exportBuffer(buffer);
    const again = winsys.importBuffer(shared);
    const third = winsys.importBuffer(shared);
    const isSame = again === buffer && third === buffer;
    winsys.destroyBuffer(again);
    winsys.destroyBuffer(buffer);
    const byte = third.map()[5000];
    winsys.prepare(third, true);
    winsys.finish(third);
    winsys.destroyBuffer(third);
    const after = messageOf(() => third.map());
    winsys.destroy();
    return { isSame, byte, after };
  },

  /** A stream that never ends, in a wait and before the CPU's access. */
  hang(open) {
    const winsys = open();
    const buffer = winsys.createBuffer(4096)!;
    const first = winsys.submit(stream(NOP, [buffer]));
    const isFirstDone = winsys.waitFence(first, 1e9);
    const fence = winsys.submit(stream(HANG_WORD, [buffer]));
    const isDoneAtOnce = winsys.waitFence(fence, 0);
    const message = messageOf(() => winsys.prepare(buffer, false));
    const later = messageOf(() => winsys.submit(stream(NOP)));
    const path = / is in (.*)$/.exec(message)?.[1];
    winsys.destroy();
    return { isFirstDone, isDoneAtOnce, message, later, path, saved: path && readFileSync(path, 'utf8') };
  },

  /** No memory for a stream; there is for the next. */
  short(open) {
    const winsys = open();
    const message = messageOf(() => winsys.submit(stream(NO_MEMORY_WORD)));
    const fence = winsys.submit(stream(NOP));
    const isDone = winsys.waitFence(fence, 1e9);
    winsys.destroy();
    return { message, isDone };
  },

  refused(open) {
    const winsys = open();
    const message = messageOf(() => winsys.submit(stream(ENUMS.FE_OPCODE.END << 27)));
    winsys.destroy();
    return message;
  },
};

const results: Record<string, unknown> = {};
for (const task of process.argv.slice(2)) {
  if (task === 'draw') {
    results[task] = await openBackend('etnaviv:drm').then(
      (backend) => Buffer.from(drawScene(backend)).toString('base64'),
      (error: Error) => `${error.name}: ${error.message}`,
    );
  } else {
    const libc = await loadLibc();
    results[task] = TASKS[task]!(() => openDrmWinsys(libc, process.env));
  }
}
console.log(JSON.stringify(results));
