// Clears: free when they are whole and come first in a job, else drawn.

import { depthToInteger } from '../../src/format/depth-stencil.ts';
import { formatDescription } from '../../src/format/format.ts';
import { floatBits } from '../../src/format/unpack.ts';
import { CLEAR, type ClearInfo, COLOR_MASK, type PipeStatus } from '../../src/pipe/pipe.ts';
import type { SoftContext } from './context.ts';
import type { Attachment, Job, LoadOperation } from './job.ts';

const LAST_BIT = CLEAR.COLOR0 << 7;

function coversAll(info: ClearInfo, job: Job): boolean {
  const { scissor } = info;
  if (scissor === null) return true;
  return scissor.minX <= 0 && scissor.minY <= 0 && scissor.maxX >= job.width && scissor.maxY >= job.height;
}

/** Depth as planes hold it: the rounding of the depth test's own conversion. */
function depthBits(value: number, job: Job): number {
  const { depthBits: bits, channels } = formatDescription(job.depth!.format);
  // Why fround: the drawn clear hands the value to kernels as a float. NaN clears to 0, as kernels have it.
  const depth = Math.fround(value > 0 ? Math.min(value, 1) : 0);
  return channels[0]?.type === 'float' ? floatBits(depth) : depthToInteger(depth, bits);
}

/** Bits of `COLOR_MASK` that make a difference in a format. */
function writtenChannels(attachment: Attachment): number {
  const { swizzle, channels } = formatDescription(attachment.format);
  let mask = 0;
  for (let component = 0; component < 4; component++) {
    if (channels[swizzle[component]!] !== undefined) mask |= 1 << component;
  }
  return mask;
}

function isMasked(info: ClearInfo, bit: number, attachment: Attachment): boolean {
  if (bit === CLEAR.DEPTH) return false;
  if (bit === CLEAR.STENCIL) return (info.stencilWriteMask & 0xff) !== 0xff;
  const target = 31 - Math.clz32(bit / CLEAR.COLOR0);
  const mask = info.colorMasks[target] ?? info.colorMasks[0] ?? COLOR_MASK.RGBA;
  return (~mask & writtenChannels(attachment)) !== 0;
}

/** What a job's buffers would be cleared to; kept so that a failure can take it back. */
interface Load {
  readonly attachment: Attachment;
  readonly load: LoadOperation;
  readonly store: boolean;
  readonly value: Uint32Array;
}

function setLoad(attachment: Attachment, bit: number, info: ClearInfo, job: Job): void {
  const { clearValue } = attachment;
  if (bit === CLEAR.DEPTH) clearValue[0] = depthBits(info.depth, job);
  else if (bit === CLEAR.STENCIL) clearValue[0] = info.stencil & 0xff;
  else clearValue.set(info.color.uint);
  attachment.load = 'clear';
  attachment.store = true;
}

/**
 * Clears the bound framebuffer. `draw` clears what is left by drawing; when it fails, nothing is cleared.
 * Throws OutOfMemoryError.
 */
export function clearFramebuffer(
  context: SoftContext,
  info: ClearInfo,
  draw: (rest: ClearInfo) => PipeStatus,
): PipeStatus {
  const job = context.currentJob();
  if (job === null) return 'lost';
  const isFree = job.drawCount === 0 && coversAll(info, job);
  const before: Load[] = [];
  let rest = 0;
  for (let bit = 1; bit <= LAST_BIT; bit <<= 1) {
    const attachment = info.buffers & bit ? job.attachmentOf(bit) : null;
    if (attachment === null) continue;
    if (isFree && !isMasked(info, bit, attachment)) {
      const { load, store, clearValue } = attachment;
      before.push({ attachment, load, store, value: clearValue.slice() });
      setLoad(attachment, bit, info, job);
    } else rest |= bit;
  }
  if (rest === 0) return 'ok';
  let status: PipeStatus = 'outOfMemory';
  try {
    status = draw({ ...info, buffers: rest });
  } finally {
    if (status !== 'ok' && !job.isDone) {
      for (const { attachment, load, store, value } of before) {
        attachment.load = load;
        attachment.store = store;
        attachment.clearValue.set(value);
      }
    }
  }
  return status;
}
