// Compares a picture with its checked-in reference; leaves both and their difference in `out/` when they differ.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const REFERENCES = fileURLToPath(new URL('../references', import.meta.url));
const OUT = fileURLToPath(new URL('../../out', import.meta.url));

export interface Tolerance {
  /** pixelmatch's colour distance, 0 to 1, up to which pixels count as equal. */
  readonly threshold: number;
  /** Share of pixels that may differ by more. */
  readonly share: number;
}

/**
 * Says how an encoded picture differs from `references/NAME.png`; null when it doesn't. With `INDIUM_UPDATE_REFERENCES`
 * set the picture becomes the reference: look at it first.
 */
export function comparePicture(name: string, encoded: Buffer, { threshold, share }: Tolerance): string | null {
  const path = join(REFERENCES, `${name}.png`);
  if (process.env['INDIUM_UPDATE_REFERENCES']) {
    mkdirSync(REFERENCES, { recursive: true });
    writeFileSync(path, PNG.sync.write(PNG.sync.read(encoded), { colorType: 2, deflateLevel: 9 }));
    return null;
  }
  if (!existsSync(path)) return `no reference ${path}`;
  const picture = PNG.sync.read(encoded);
  const reference = PNG.sync.read(readFileSync(path));
  const { width, height } = reference;
  if (picture.width !== width || picture.height !== height) {
    return `${name} is ${picture.width}×${picture.height}, its reference ${width}×${height}`;
  }
  const difference = new PNG({ width, height });
  // Why includeAA: what pixelmatch takes for antialiasing would be left out, and edges are what a rasteriser gets wrong.
  const options = { threshold, includeAA: true };
  const count = pixelmatch(picture.data, reference.data, difference.data, width, height, options);
  if (count <= share * width * height) return null;
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, `${name}-result.png`), encoded);
  writeFileSync(join(OUT, `${name}-difference.png`), PNG.sync.write(difference));
  return `${count} of ${width * height} pixels differ: see out/${name}-result.png and out/${name}-difference.png`;
}
