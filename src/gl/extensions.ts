// The extension table: which names exist, which API they belong to, and what the pipe must be able to do.

import type { Screen } from '../pipe/screen.ts';
import type { Limits } from './limits.ts';

interface ExtensionRow {
  /** GL_EXTENSIONS string in the GLES face, without 'GL_'; several when it stands for several. Absent: WebGL only. */
  gles?: readonly string[];
  /** Name in WebGL; absent: GLES only. */
  webgl?: string;
  /** API versions in which it adds something. */
  versions: readonly (2 | 3)[];
}

/** Key = the name that `context.extensions` and the other tables use. */
export const EXTENSIONS = {
  ANGLE_instanced_arrays: { gles: ['ANGLE_instanced_arrays', 'EXT_instanced_arrays', 'EXT_draw_instanced'], webgl: 'ANGLE_instanced_arrays', versions: [2] },
} as const satisfies Record<string, ExtensionRow>;

export type ExtensionName = keyof typeof EXTENSIONS;

export function supportedExtensions(_screen: Screen, _limits: Limits, _version: 2 | 3, _webgl: boolean): Set<ExtensionName> {
  return new Set();
}
