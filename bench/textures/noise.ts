// Seeded random numbers and smooth noise in two and three dimensions, the same in every run.

/** Uniform numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mixed(state) / 2 ** 32;
  };
}

function mixed(bits: number): number {
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}

function lattice(x: number, y: number, z: number): number {
  const bits = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(z, 0x1b873593);
  return (Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) >>> 8) / 2 ** 24;
}

const smooth = (t: number) => t * t * (3 - 2 * t);
const mix = (a: number, b: number, t: number) => a + (b - a) * t;

/** Value noise in [0, 1). */
export function noise3(x: number, y: number, z: number): number {
  const [ix, iy, iz] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [tx, ty, tz] = [smooth(x - ix), smooth(y - iy), smooth(z - iz)];
  const low = mix(
    mix(lattice(ix, iy, iz), lattice(ix + 1, iy, iz), tx),
    mix(lattice(ix, iy + 1, iz), lattice(ix + 1, iy + 1, iz), tx),
    ty,
  );
  const high = mix(
    mix(lattice(ix, iy, iz + 1), lattice(ix + 1, iy, iz + 1), tx),
    mix(lattice(ix, iy + 1, iz + 1), lattice(ix + 1, iy + 1, iz + 1), tx),
    ty,
  );
  return mix(low, high, tz);
}

/** Value noise on a lattice that repeats after `period` cells both ways. */
export function tiledNoise(x: number, y: number, period: number, seed: number): number {
  const [ix, iy] = [Math.floor(x), Math.floor(y)];
  const [tx, ty] = [smooth(x - ix), smooth(y - iy)];
  const [x0, y0] = [((ix % period) + period) % period, ((iy % period) + period) % period];
  const [x1, y1] = [(x0 + 1) % period, (y0 + 1) % period];
  return mix(
    mix(lattice(x0, y0, seed), lattice(x1, y0, seed), tx),
    mix(lattice(x0, y1, seed), lattice(x1, y1, seed), tx),
    ty,
  );
}

/** Octaves of tiled noise, each of half the size and weight, in [0, 1). */
export function tiledFractal(u: number, v: number, period: number, octaves: number, seed: number): number {
  let [sum, weight, total] = [0, 1, 0];
  for (let octave = 0; octave < octaves; octave++) {
    const cells = period << octave;
    sum += weight * tiledNoise(u * cells, v * cells, cells, seed + octave);
    total += weight;
    weight /= 2;
  }
  return sum / total;
}
