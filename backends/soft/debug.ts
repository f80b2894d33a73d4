// INDIUM_DEBUG flags of the soft backend. They change the way work is gathered, never a pixel.

export interface DebugFlags {
  /** `always_flush`: each draw and clear is a job of its own. */
  alwaysFlush: boolean;
  /** `no_merge`: going back to a framebuffer starts a new job instead of continuing the open one. */
  noMerge: boolean;
}

/** Reads a list like `always_flush,no_merge`; names of other parts of the driver are passed over. */
export function parseDebugFlags(text: string): DebugFlags {
  const names = new Set(text.split(',').map((name) => name.trim()));
  return { alwaysFlush: names.has('always_flush'), noMerge: names.has('no_merge') };
}

/** The flags in force; tests may set them. */
export const debugFlags: DebugFlags = parseDebugFlags(globalThis.process?.env['INDIUM_DEBUG'] ?? '');
