// Losing and restoring a context: at once for calls, in a later task for events (WebGL 1 §5.15, WEBGL_lose_context).

import { GL } from '../gl/constants.ts';
import { queueEvent } from './event-task.ts';
import type { Face } from './face.ts';

interface Loss {
  /** By WEBGL_lose_context: only restoreContext brings it back. */
  readonly isManual: boolean;
  /** The event was sent, and its default prevented. */
  mayRestore: boolean;
}

const losses = new WeakMap<Face, Loss>();

/** `reason` goes to the debug listener and into the event's statusMessage. */
export function loseContext(face: Face, isManual: boolean, reason: string): void {
  if (face.isLost) {
    face.error(GL.INVALID_OPERATION, 'loseContext: the context is lost already');
    return;
  }
  const loss: Loss = { isManual, mayRestore: false };
  losses.set(face, loss);
  face.markLost(!isManual);
  face.debug?.({ code: GL.CONTEXT_LOST_WEBGL, name: 'CONTEXT_LOST_WEBGL', message: reason });
  queueEvent(() => {
    if (face.isDisposed || losses.get(face) !== loss) return;
    loss.mayRestore = face.host.dispatch('webglcontextlost', isManual ? '' : reason);
    if (loss.mayRestore && !isManual) queueRestore(face, loss);
  });
}

function queueRestore(face: Face, loss: Loss): void {
  queueEvent(() => {
    if (face.isDisposed || !face.isLost || losses.get(face) !== loss) return;
    if (face.restore()) face.host.dispatch('webglcontextrestored', '');
    else face.error(GL.OUT_OF_MEMORY, 'restoreContext: there is no memory for a new context');
  });
}

/** WEBGL_lose_context.restoreContext. */
export function restoreContext(face: Face): void {
  const loss = losses.get(face);
  if (!face.isLost || !loss?.isManual || !loss.mayRestore) {
    face.error(
      GL.INVALID_OPERATION,
      'restoreContext: the context is not lost by loseContext, or the default of webglcontextlost was not prevented',
    );
    return;
  }
  queueRestore(face, loss);
}
