// A simulated GPU behind the kernel's rules: a submit that a kernel would refuse, or whose relocations don't say what its words say, throws.

import { SimWinsys } from '../../sim.ts';
import type { BufferObject, Submit } from '../../winsys.ts';
import { buffersOf } from '../submit-memory.ts';
import { submitFault } from './validate-submit.ts';

export class CheckedWinsys extends SimWinsys {
  override submit(submit: Submit): number {
    const fault = faultOf(submit);
    if (fault !== null) throw new Error(`the kernel would refuse this: ${fault}`);
    return super.submit(submit);
  }
}

function faultOf(submit: Submit): string | null {
  const buffers = [...(buffersOf(submit) as Map<BufferObject, boolean>)];
  const indices = new Map(buffers.map(([buffer], index) => [buffer, index]));
  for (const { word, buffer, offsetBytes, writes } of submit.relocations) {
    if (submit.words[word] !== buffer.gpuAddress + offsetBytes) return `word ${word} is not what its relocation says`;
    if (writes && !submit.buffers.get(buffer)?.writes)
      return `word ${word} is written through, its buffer is listed as read`;
  }
  return submitFault(
    {
      execState: 0,
      flags: 0,
      streamBytes: submit.words.byteLength,
      buffers: buffers.map(([, writes], index) => ({ flags: writes ? 3 : 1, handle: index + 1, presumed: 0n })),
      relocations: [...submit.relocations]
        .sort((a, b) => a.word - b.word)
        .map(({ word, buffer, offsetBytes }) => ({
          submitOffset: word * 4,
          bufferIndex: indices.get(buffer)!,
          bufferOffset: BigInt(offsetBytes),
          flags: 0,
        })),
      words: submit.words,
    },
    (handle) => buffers[handle - 1]?.[0].sizeBytes,
    false,
  );
}
