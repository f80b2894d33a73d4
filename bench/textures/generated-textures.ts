// Stand-ins for glmark2's textures, generated: other pictures of the same sizes and kinds.

import { asteroidRadius, BUMPS, bumpHeight, directionOf } from '../models/asteroid-surface.ts';
import { glyphAtlas } from './glyph-atlas.ts';
import { noise3, tiledFractal, tiledNoise } from './noise.ts';
import type { TextureImage } from './texture-image.ts';

type Pixel = Float64Array;

/** Paints by a function of (u, v) at the pixels' centres, v from the bottom; colours in [0, 1]. */
function paint(
  width: number,
  height: number,
  channels: 3 | 4,
  color: (u: number, v: number, out: Pixel) => void,
): TextureImage {
  const data = new Uint8Array(width * height * channels);
  const out = new Float64Array([0, 0, 0, 1]);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      color((x + 0.5) / width, (y + 0.5) / height, out);
      for (let channel = 0; channel < channels; channel++) {
        data[at++] = Math.min(Math.max(out[channel]!, 0), 1) * 255 + 0.5;
      }
    }
  }
  return { width, height, channels, data };
}

function set(out: Pixel, red: number, green: number, blue: number, alpha = 1): void {
  out[0] = red;
  out[1] = green;
  out[2] = blue;
  out[3] = alpha;
}

const fraction = (value: number) => value - Math.floor(value);

/** Boards with nails in a frame. */
const crate = () =>
  paint(512, 512, 3, (u, v, out) => {
    const isFrame = Math.min(u, 1 - u, v, 1 - v) < 0.09;
    const board = isFrame ? u + v : fraction(u * 6);
    const grain = tiledFractal(isFrame ? u : u * 4, v / 4, 8, 5, 11);
    const gap = isFrame ? 1 : Math.min(1, Math.min(board, 1 - board) * 18);
    const nail = Math.hypot(fraction(u * 6) - 0.5, (fraction(v * 2) - 0.5) * 3) < 0.08 && !isFrame ? 0.45 : 1;
    const light = (0.45 + 0.55 * grain) * gap * nail * (isFrame ? 1.1 : 0.9);
    set(out, 0.72 * light, 0.5 * light, 0.28 * light);
  });

/** Hills in front of a sky with a grid of small things, so that edges of all directions are there. */
const landscape = () =>
  paint(800, 600, 3, (u, v, out) => {
    const ridge = 0.3 + 0.25 * tiledFractal(u, 0.5, 3, 5, 3);
    if (v < ridge) {
      const grass = tiledFractal(u, v, 24, 4, 5);
      const field = (Math.floor(u * 16) + Math.floor((v / ridge) * 6)) & 1 ? 0.8 : 1;
      set(out, 0.25 * field + 0.3 * grass, 0.5 * field + 0.3 * grass, 0.15 * field);
      return;
    }
    const cloud = Math.max(tiledFractal(u, v, 4, 6, 9) - 0.45, 0) * 2.5;
    set(out, 0.25 + v * 0.2 + cloud, 0.45 + v * 0.2 + cloud, 0.75 + v * 0.15 + cloud * 0.5);
  });

const star = (u: number, v: number, cells: number, seed: number) => {
  const [x, y] = [Math.floor(u * cells), Math.floor(v * cells)];
  const [sx, sy, size] = [noise3(x, y, seed), noise3(x, y, seed + 1), noise3(x, y, seed + 2)];
  const distance = Math.hypot(fraction(u * cells) - 0.2 - sx * 0.6, fraction(v * cells) - 0.2 - sy * 0.6);
  return size > 0.6 ? Math.max(0, 1 - distance * 12) : 0;
};

/** Stars in front of a cloud of gas. */
const nebula = (seed: number) => () =>
  paint(512, 512, 4, (u, v, out) => {
    const gas = Math.max(tiledFractal(u, v, 3, 6, seed) - 0.35, 0) * 1.8;
    const tint = tiledFractal(u, v, 2, 3, seed + 20);
    const light = star(u, v, 48, seed) + star(u, v, 17, seed + 5);
    set(out, gas * (1.2 - tint) + light, gas * 0.5 + light, gas * (0.4 + tint) + light);
  });

const SIZE = 1024;

let keptHeights: Float32Array | undefined;

/** Heights of the asteroid's bumps over its map; kept, as three maps come from them. */
function heights(): Float32Array {
  if (keptHeights) return keptHeights;
  const out = new Float32Array(SIZE * SIZE);
  const direction = new Float64Array(3);
  for (let y = 0, at = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const [dx, dy, dz] = directionOf((x + 0.5) / SIZE, (y + 0.5) / SIZE, direction);
      out[at++] = bumpHeight(dx!, dy!, dz!);
    }
  }
  keptHeights = out;
  return out;
}

const heightMap = () => {
  const height = heights();
  return paint(SIZE, SIZE, 4, (u, v, out) => {
    const value = height[Math.floor(v * SIZE) * SIZE + Math.floor(u * SIZE)]!;
    set(out, value, value, value);
  });
};

/** Slopes of the bumps eastward and northward, in heights a map's width. */
function slopesAt(height: Float32Array, u: number, v: number): [number, number] {
  const [x, y] = [Math.floor(u * SIZE), Math.floor(v * SIZE)];
  const here = height[y * SIZE + x]!;
  const east = height[y * SIZE + ((x + 1) % SIZE)]! - here;
  const north = height[Math.min(y + 1, SIZE - 1) * SIZE + x]! - here;
  return [east * SIZE, north * SIZE];
}

const tangentNormalMap = () => {
  const height = heights();
  return paint(SIZE, SIZE, 3, (u, v, out) => {
    const [east, north] = slopesAt(height, u, v);
    const [x, y, z] = [-east * 0.02, -north * 0.02, 1];
    const length = Math.hypot(x, y, z);
    set(out, (x / length) * 0.5 + 0.5, (y / length) * 0.5 + 0.5, (z / length) * 0.5 + 0.5);
  });
};

/** Normals in the model's own axes. */
const objectNormalMap = () => {
  const height = heights();
  const outward = new Float64Array(3);
  return paint(SIZE, SIZE, 3, (u, v, out) => {
    const [east, north] = slopesAt(height, u, v);
    const [x, y, z] = directionOf(u, v, outward) as unknown as [number, number, number];
    const circle = Math.hypot(x, z) || 1;
    const radius = asteroidRadius(x, y, z, false);
    const across = (-BUMPS * east) / (2 * Math.PI * circle * radius);
    const up = (-BUMPS * north) / (Math.PI * radius);
    // East is (z, 0, -x) and north its cross product with the outward direction.
    const nx = x + across * (z / circle) - up * ((y * x) / circle);
    const ny = y + up * circle;
    const nz = z - across * (x / circle) - up * ((y * z) / circle);
    const length = Math.hypot(nx, ny, nz);
    set(out, (nx / length) * 0.5 + 0.5, (ny / length) * 0.5 + 0.5, (nz / length) * 0.5 + 0.5);
  });
};

/** A window with a title bar, buttons and lines of text, a little translucent. */
const desktopWindow = () =>
  paint(512, 512, 4, (u, v, out) => {
    if (v > 0.93) {
      const button = Math.hypot((u - 0.95) * 1, v - 0.965) < 0.02;
      set(out, button ? 0.9 : 0.2, 0.25, button ? 0.25 : 0.4, 0.95);
      return;
    }
    const line = fraction(v * 24);
    const word = tiledNoise(u * 40, Math.floor(v * 24) * 3.7, 64, 2) > 0.4 && u > 0.05 && u < 0.9;
    const ink = line > 0.3 && line < 0.6 && word ? 0.2 : 0.95;
    set(out, ink, ink, ink * 0.95, 0.8);
  });

/** Dark at the top, gone at the bottom. */
const shadowEdge = () => paint(64, 64, 4, (_, v, out) => set(out, 0, 0, 0, 0.6 * v * v));

const shadowCorner = () =>
  paint(64, 64, 4, (u, v, out) => set(out, 0, 0, 0, 0.6 * Math.max(1 - Math.hypot(u, 1 - v), 0) ** 2));

const jellyfishSkin = () =>
  paint(256, 256, 4, (u, v, out) => {
    const vein = Math.abs(fraction(u * 12 + 0.4 * tiledFractal(u, v, 6, 3, 4)) - 0.5) * 2;
    const spot = tiledFractal(u, v, 8, 4, 6);
    set(out, 0.75 + 0.25 * spot, 0.45 + 0.35 * vein, 0.7 + 0.3 * spot, 0.35 + 0.4 * (1 - vein));
  });

const CAUSTIC_FRAMES = 32;

/** Light through waves: bright lines where two moving noises are equal. */
const caustic = (frame: number) => () =>
  paint(256, 256, 3, (u, v, out) => {
    const turn = (frame / CAUSTIC_FRAMES) * 2 * Math.PI;
    const [sway, swing] = [Math.sin(turn) * 0.04, Math.cos(turn) * 0.04];
    const first = tiledNoise((u + sway) * 8, (v + swing) * 8, 8, 31);
    const second = tiledNoise((u - swing) * 8 + 0.5, (v + sway) * 8 + 0.5, 8, 32);
    const light = Math.max(1 - Math.abs(first - second) * 4, 0) ** 3;
    set(out, light, light, light);
  });

const ground = (red: number, green: number, blue: number, seed: number) => () =>
  paint(512, 512, 3, (u, v, out) => {
    const coarse = tiledFractal(u, v, 6, 5, seed);
    const fine = tiledNoise(u * 128, v * 128, 128, seed + 9);
    const light = 0.45 + 0.5 * coarse + 0.15 * fine;
    set(out, red * light, green * light, blue * light);
  });

const groundNormals = () =>
  paint(512, 512, 3, (u, v, out) => {
    const here = tiledFractal(u, v, 24, 3, 51);
    const east = tiledFractal(u + 1 / 512, v, 24, 3, 51) - here;
    const north = tiledFractal(u, v + 1 / 512, 24, 3, 51) - here;
    const length = Math.hypot(east * 8, north * 8, 1);
    set(out, 0.5 - (east * 4) / length, 0.5 - (north * 4) / length, 0.5 + 0.5 / length);
  });

const caustics = Array.from({ length: CAUSTIC_FRAMES }, (_, frame) => [
  `jellyfish-caustics-${String(frame + 1).padStart(2, '0')}`,
  caustic(frame),
]);

/** By glmark2's names, which the options of the scenes take. */
export const GENERATED_TEXTURES: Readonly<Record<string, () => TextureImage>> = {
  'asteroid-height-map': heightMap,
  'asteroid-normal-map': objectNormalMap,
  'asteroid-normal-map-tangent': tangentNormalMap,
  'crate-base': crate,
  'desktop-shadow': shadowEdge,
  'desktop-shadow-corner': shadowCorner,
  'desktop-window': desktopWindow,
  'effect-2d': landscape,
  'glyph-atlas': glyphAtlas,
  jellyfish256: jellyfishSkin,
  nasa1: nebula(1),
  nasa2: nebula(2),
  nasa3: nebula(3),
  'terrain-backgrounddetailed6': ground(0.55, 0.45, 0.33, 71),
  'terrain-grasslight-512': ground(0.4, 0.55, 0.25, 72),
  'terrain-grasslight-512-nm': groundNormals,
  ...(Object.fromEntries(caustics) as Record<string, () => TextureImage>),
};
