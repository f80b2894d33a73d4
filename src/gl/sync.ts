// Fences, flush and finish (ES 3.0.6 §5.2).

import { FLUSH } from '../pipe/query.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { SyncObject } from './query-object.ts';

export function fenceSync(context: Context, condition: number, flags: number): SyncObject | null {
  if (condition !== GL.SYNC_GPU_COMMANDS_COMPLETE) {
    invalidEnum(context, 'fenceSync', 'condition', condition);
    return null;
  }
  if (flags !== 0) {
    invalidValue(context, 'fenceSync', `flags ${flags} are not 0`);
    return null;
  }
  return context.track(new SyncObject(context.pipe.flush(FLUSH.DEFERRED)));
}

export function deleteSync(context: Context, sync: SyncObject): void {
  if (!sync.deleted) sync.delete(context);
}

function isSignaled(sync: SyncObject): boolean {
  if (!sync.signaled && sync.fence?.isSignalled()) sync.signaled = true;
  return sync.signaled;
}

/** `timeout` in nanoseconds. */
export function clientWaitSync(context: Context, sync: SyncObject, flags: number, timeout: number): number {
  const call = 'clientWaitSync';
  if ((flags & ~GL.SYNC_FLUSH_COMMANDS_BIT) !== 0) {
    invalidValue(context, call, 'flags has unknown bits');
    return GL.WAIT_FAILED;
  }
  if (context.rules.webgl && timeout > context.limits.maxClientWaitTimeoutWebgl) {
    invalidOperation(context, call, 'timeout is greater than MAX_CLIENT_WAIT_TIMEOUT_WEBGL');
    return GL.WAIT_FAILED;
  }
  if (isSignaled(sync)) return GL.ALREADY_SIGNALED;
  if ((flags & GL.SYNC_FLUSH_COMMANDS_BIT) !== 0 || timeout > 0) context.pipe.flush(0);
  if (sync.fence !== null && context.screen.fenceFinish(sync.fence, timeout)) {
    sync.signaled = true;
    return GL.CONDITION_SATISFIED;
  }
  return GL.TIMEOUT_EXPIRED;
}

/** Work of a context runs in order, so waiting on the server side needs nothing beyond the checks. */
export function waitSync(context: Context, sync: SyncObject, flags: number, timeout: bigint | number): void {
  if (flags !== 0) return invalidValue(context, 'waitSync', `flags ${flags} are not 0`);
  const isIgnored = timeout === -1 || timeout === -1n || timeout === 0xffffffffffffffffn;
  if (!isIgnored) return invalidValue(context, 'waitSync', 'timeout is not TIMEOUT_IGNORED');
  if (sync.deleted) invalidValue(context, 'waitSync', 'the sync object is deleted');
}

export function getSyncParameter(context: Context, sync: SyncObject, pname: number): number | undefined {
  switch (pname) {
    case GL.OBJECT_TYPE:
      return GL.SYNC_FENCE;
    case GL.SYNC_STATUS:
      return isSignaled(sync) ? GL.SIGNALED : GL.UNSIGNALED;
    case GL.SYNC_CONDITION:
      return sync.condition;
    case GL.SYNC_FLAGS:
      return sync.flags;
  }
  return invalidEnum(context, 'getSyncParameter', 'pname', pname);
}

export function flush(context: Context): void {
  context.pipe.flush(0);
}

/** Waits until everything given so far is done. */
export function finish(context: Context): void {
  context.screen.fenceFinish(context.pipe.flush(0), Number.POSITIVE_INFINITY);
}
