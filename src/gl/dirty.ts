// Dirty bits: which groups of GL state changed since they were last handed to the pipe.

/** One bit a group ("atom"); `state-update.ts` holds the function that turns each into pipe calls. */
export const DIRTY = {
  BLEND: 1 << 0,
  BLEND_COLOR: 1 << 1,
  DEPTH_STENCIL: 1 << 2,
  STENCIL_REFERENCE: 1 << 3,
  RASTERIZER: 1 << 4,
  VIEWPORT: 1 << 5,
  SCISSOR: 1 << 6,
  SAMPLE_MASK: 1 << 7,
  /** Draw framebuffer binding, attachment, draw buffers or attached storage changed. */
  FRAMEBUFFER: 1 << 8,
  /** Vertex array binding, enables, formats, divisors. */
  VERTEX_ELEMENTS: 1 << 9,
  /** Vertex buffer bindings, offsets, storage, generic attribute values. */
  VERTEX_BUFFERS: 1 << 10,
  PROGRAM: 1 << 11,
  /** Default-block uniform values of the current program, by the stages that read them. */
  VERTEX_UNIFORMS: 1 << 12,
  FRAGMENT_UNIFORMS: 1 << 16,
  /** Uniform buffer bindings, block bindings or buffer storage. */
  UNIFORM_BUFFERS: 1 << 13,
  /** Texture bindings, texture parameters and storage, sampler objects, sampler uniforms. */
  TEXTURES: 1 << 14,
  TRANSFORM_FEEDBACK: 1 << 15,
} as const;

export const DIRTY_ALL = (1 << 17) - 1;
