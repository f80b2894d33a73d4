// The public entry `indium-gl/gles`: the GLES face on the default backend, where it is not told which.

import { type GlesContext, type GlesContextOptions, createGlesContext as openGlesContext } from './gles/index.ts';
import { defaultBackend } from './open-backend.ts';

export type {
  DebugMessage,
  EntryPointName,
  GLsync,
  GlesConstants,
  GlesContext,
  GlesContextOptions,
  GlesFunctions,
  GlesLife,
  NumberList,
  Pointer,
  WideList,
} from './gles/index.ts';

/**
 * Opens a GLES 2 or 3 context. It works, or throws an error that says why not. Without `backend` or `screen` it draws with soft,
 * or with the backend that INDIUM_BACKEND names once `openBackend()` has opened it.
 */
export function createGlesContext(options: GlesContextOptions): GlesContext {
  const hasTarget = options.screen !== undefined || options.backend !== undefined;
  return openGlesContext(hasTarget ? options : { ...options, backend: defaultBackend() });
}
