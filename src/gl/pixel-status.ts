// Turns the pipe's answers into GL errors, for clears, copies, blits and reads.

import type { PipeStatus } from '../pipe/defines.ts';
import type { Context } from './context.ts';
import { outOfMemory, warn } from './errors.ts';

/** True when the operation was carried out. A lost device is reported by the face, not as a GL error. */
export function reportStatus(context: Context, call: string, status: PipeStatus): boolean {
  if (status === 'ok') return true;
  if (status === 'lost') warn(context, `${call}: the device is lost`);
  else
    outOfMemory(
      context,
      call,
      status === 'tooComplex' ? 'the backend cannot make code for this' : 'the backend ran out of memory',
    );
  return false;
}
