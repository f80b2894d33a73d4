// Procedural pictures as textures: each is a function of the place, sampled into bytes.

type Gl = WebGLRenderingContext | WebGL2RenderingContext;
type Colour = readonly [number, number, number];

/** Bytes of an RGBA picture; `pixel` gets the place in [0, 1)² and gives 0 to 1, display-encoded. */
export function paintPixels(size: number, pixel: (u: number, v: number) => Colour): Uint8Array {
  const bytes = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const colour = pixel((x + 0.5) / size, (y + 0.5) / size);
      const at = (y * size + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        bytes[at + channel] = Math.round(Math.min(Math.max(colour[channel]!, 0), 1) * 255);
      }
      bytes[at + 3] = 255;
    }
  }
  return bytes;
}

/** A repeating, mipmapped, trilinearly filtered texture of a power-of-two size. */
export function createTexture(gl: Gl, size: number, pixel: (u: number, v: number) => Colour): WebGLTexture {
  const texture = gl.createTexture()!;
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, paintPixels(size, pixel));
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  return texture;
}

/** A mipmapped cube map of a function of the direction (not a unit vector: the largest component is ±1). */
export function createCubeTexture(
  gl: Gl,
  size: number,
  pixel: (x: number, y: number, z: number) => Colour,
): WebGLTexture {
  // The face layout of GLES 3.0.6 § 3.8.10: (s, t) in [−1, 1] to a direction.
  const faces: readonly ((s: number, t: number) => Colour)[] = [
    (s, t) => [1, -t, -s],
    (s, t) => [-1, -t, s],
    (s, t) => [s, 1, t],
    (s, t) => [s, -1, -t],
    (s, t) => [s, -t, 1],
    (s, t) => [-s, -t, -1],
  ];
  const texture = gl.createTexture()!;
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
  for (const [index, direction] of faces.entries()) {
    const bytes = paintPixels(size, (u, v) => pixel(...direction(u * 2 - 1, v * 2 - 1)));
    const face = gl.TEXTURE_CUBE_MAP_POSITIVE_X + index;
    gl.texImage2D(face, 0, gl.RGBA, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  }
  gl.generateMipmap(gl.TEXTURE_CUBE_MAP);
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  return texture;
}

/** Linear blend of two colours. */
export function blend(a: Colour, b: Colour, amount: number): Colour {
  const t = Math.min(Math.max(amount, 0), 1);
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}
