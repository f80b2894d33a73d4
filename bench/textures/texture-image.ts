// Pixels for a texture: rows from the bottom, three or four bytes a pixel.

export interface TextureImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

/** The image with its rows in the other order, and without alpha when it has none to tell. */
export function fromTopDownRgba(width: number, height: number, rgba: Uint8Array, channels: 3 | 4): TextureImage {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    let from = (height - 1 - y) * width * 4;
    let to = y * width * channels;
    for (let x = 0; x < width; x++, from += 4, to += channels) {
      data[to] = rgba[from]!;
      data[to + 1] = rgba[from + 1]!;
      data[to + 2] = rgba[from + 2]!;
      if (channels === 4) data[to + 3] = rgba[from + 3]!;
    }
  }
  return { width, height, channels, data };
}
