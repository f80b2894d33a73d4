// INDIUM_DEBUG flags of the soft backend. They change the way work is gathered and shaded, never a pixel.

import type { QuadsPerStep } from '../../src/jit/keys.ts';

export interface DebugFlags {
  /** `always_flush`: each draw and clear is a job of its own. */
  alwaysFlush: boolean;
  /** `no_merge`: going back to a framebuffer starts a new job instead of continuing the open one. */
  noMerge: boolean;
  /** `one_quad`, `two_quads`: so many quads a step in every fragment program; 0: as the shader is. */
  quadsPerStep: 0 | QuadsPerStep;
}

/** Reads a list like `always_flush,no_merge`; names of other parts of the driver are passed over. */
export function parseDebugFlags(text: string): DebugFlags {
  const names = new Set(text.split(',').map((name) => name.trim()));
  return {
    alwaysFlush: names.has('always_flush'),
    noMerge: names.has('no_merge'),
    quadsPerStep: names.has('one_quad') ? 1 : names.has('two_quads') ? 2 : 0,
  };
}

/** The flags in force; tests may set them. */
export const debugFlags: DebugFlags = parseDebugFlags(globalThis.process?.env['INDIUM_DEBUG'] ?? '');
