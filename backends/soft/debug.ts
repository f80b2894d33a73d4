// INDIUM_DEBUG flags of the soft backend. They change the way work is gathered, never a pixel.

const names = new Set((globalThis.process?.env['INDIUM_DEBUG'] ?? '').split(',').map((name) => name.trim()));

export const debugFlags = {
  /** `always_flush`: each draw and clear is a job of its own. */
  alwaysFlush: names.has('always_flush'),
  /** `no_merge`: going back to a framebuffer starts a new job instead of continuing the open one. */
  noMerge: names.has('no_merge'),
};
