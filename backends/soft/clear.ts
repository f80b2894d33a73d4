// Clears: free when they are whole and come first in a job, else drawn.

import { depthToInteger } from '../../src/format/depth-stencil.ts';
import { formatDescription } from '../../src/format/format.ts';
import { floatBits } from '../../src/format/unpack.ts';
import { CLEAR, type ClearInfo, COLOR_MASK, type PipeStatus } from '../../src/pipe/pipe.ts';
import type { SoftContext } from './context.ts';
import type { Job } from './job.ts';

function coversAll(info: ClearInfo, job: Job): boolean {
  const { scissor } = info;
  if (scissor === null) return true;
  return scissor.minX <= 0 && scissor.minY <= 0 && scissor.maxX >= job.width && scissor.maxY >= job.height;
}

/** Depth as planes hold it: the rounding of the depth test's own conversion. */
function depthBits(value: number, job: Job): number {
  const { depthBits: bits, channels } = formatDescription(job.depth!.format);
  // Why fround: the drawn clear hands the value to kernels as a float.
  const depth = Math.fround(Math.min(Math.max(value, 0), 1));
  return channels[0]?.type === 'float' ? floatBits(depth) : depthToInteger(depth, bits);
}

/** Makes the buffers that can be cleared for nothing so; returns the bits of `CLEAR` that are left to draw. */
function takeFreeClears(info: ClearInfo, job: Job): number {
  if (job.commands.length > 0 || !coversAll(info, job)) return info.buffers;
  let left = 0;
  for (let bit = 1; bit <= CLEAR.COLOR0 << 7; bit <<= 1) {
    if (!(info.buffers & bit)) continue;
    const attachment = job.attachmentOf(bit);
    if (attachment === null) continue;
    if (bit === CLEAR.DEPTH) attachment.clearValue[0] = depthBits(info.depth, job);
    else if (bit === CLEAR.STENCIL) {
      if ((info.stencilWriteMask & 0xff) !== 0xff) {
        left |= bit;
        continue;
      }
      attachment.clearValue[0] = info.stencil & 0xff;
    } else {
      const target = 31 - Math.clz32(bit / CLEAR.COLOR0);
      if ((info.colorMasks[target] ?? info.colorMasks[0]) !== COLOR_MASK.RGBA) {
        left |= bit;
        continue;
      }
      attachment.clearValue.set(info.color.uint);
    }
    attachment.load = 'clear';
    attachment.store = true;
  }
  return left;
}

/** Clears the bound framebuffer. `draw` clears what is left by drawing. Throws OutOfMemoryError. */
export function clearFramebuffer(
  context: SoftContext,
  info: ClearInfo,
  draw: (rest: ClearInfo) => PipeStatus,
): PipeStatus {
  const job = context.currentJob();
  const buffers = takeFreeClears(info, job);
  return buffers === 0 ? 'ok' : draw({ ...info, buffers });
}
