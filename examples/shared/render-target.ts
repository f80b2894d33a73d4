// A multisampled framebuffer with depth and stencil that resolves into a texture (WebGL 2).

export interface RenderTarget {
  readonly texture: WebGLTexture;
  readonly width: number;
  readonly height: number;
  /** Binds the multisampled framebuffer and sets the viewport. */
  begin(): void;
  /** Resolves into `texture` and binds the default framebuffer again. */
  resolve(): void;
  dispose(): void;
}

/** `samples` 0 gives an ordinary renderbuffer; more than the implementation has is lowered. */
export function createRenderTarget(
  gl: WebGL2RenderingContext,
  width: number,
  height: number,
  samples: number,
): RenderTarget {
  const available = Math.min(samples, gl.getParameter(gl.MAX_SAMPLES) as number);
  const drawn = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, drawn);
  const buffers = [
    [gl.COLOR_ATTACHMENT0, gl.RGBA8],
    [gl.DEPTH_STENCIL_ATTACHMENT, gl.DEPTH24_STENCIL8],
  ].map(([attachment, format]) => {
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, available, format!, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment!, gl.RENDERBUFFER, buffer);
    return buffer;
  });
  const texture = gl.createTexture()!;
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  const resolved = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, resolved);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  for (const framebuffer of [drawn, resolved]) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER);
    if (status !== gl.FRAMEBUFFER_COMPLETE) throw new Error(`framebuffer incomplete: 0x${status.toString(16)}`);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return {
    texture,
    width,
    height,
    begin() {
      gl.bindFramebuffer(gl.FRAMEBUFFER, drawn);
      gl.viewport(0, 0, width, height);
    },
    resolve() {
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, drawn);
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, resolved);
      gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, drawn);
      gl.invalidateFramebuffer(gl.READ_FRAMEBUFFER, [gl.COLOR_ATTACHMENT0, gl.DEPTH_STENCIL_ATTACHMENT]);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    },
    dispose() {
      gl.deleteFramebuffer(drawn);
      gl.deleteFramebuffer(resolved);
      gl.deleteTexture(texture);
      for (const buffer of buffers) gl.deleteRenderbuffer(buffer);
    },
  };
}
