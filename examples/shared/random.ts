// Seeded random numbers and lattice noise, so that every run of a demo draws the same picture.

/** Uniform numbers in [0, 1) from a 32-bit seed: a Weyl sequence through a mixing function. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** A function of the lattice point (x, y), in [0, 1). */
function latticeValue(x: number, y: number, seed: number): number {
  let bits = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

const wrap = (value: number, period: number) => ((value % period) + period) % period;
const smooth = (t: number) => t * t * t * (t * (t * 6 - 15) + 10);
const mix = (a: number, b: number, t: number) => a + (b - a) * t;

/** Smooth value noise that repeats after `period` lattice cells both ways. */
export function noise(x: number, y: number, period: number, seed = 0): number {
  const [cellX, cellY] = [Math.floor(x), Math.floor(y)];
  const [tx, ty] = [smooth(x - cellX), smooth(y - cellY)];
  const at = (dx: number, dy: number) => latticeValue(wrap(cellX + dx, period), wrap(cellY + dy, period), seed);
  return mix(mix(at(0, 0), at(1, 0), tx), mix(at(0, 1), at(1, 1), tx), ty);
}

/** Octaves of noise with halving weights; repeats like `noise`. Result about 0 to 1. */
export function fractalNoise(x: number, y: number, period: number, octaves: number, seed = 0): number {
  let [sum, weight, total] = [0, 1, 0];
  for (let octave = 0; octave < octaves; octave++) {
    const scale = 2 ** octave;
    sum += weight * noise(x * scale, y * scale, period * scale, seed + octave);
    total += weight;
    weight *= 0.5;
  }
  return sum / total;
}
