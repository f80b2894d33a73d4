// Attributes of contexts, the same for all implementations.

export const CONTEXT_ATTRIBUTES = {
  alpha: true,
  depth: true,
  stencil: false,
  antialias: false,
  preserveDrawingBuffer: true,
  premultipliedAlpha: true,
} as const;
