// NEAREST blits drawn through soft, each pixel's texel against exact arithmetic.

import { describe, expect, it } from 'vitest';
import { Rig } from '../../../backends/soft/rig.ts';
import { BLIT, type Resource } from '../../pipe/pipe.ts';
import { Blitter, type BlitterOptions } from './blitter.ts';
import { expectedTexel, type NearestCase, nearestCases } from './testing.ts';

const SIZE = 61;
const FORMAT = 'R16G16_UINT';
const UNWRITTEN = 0xffff;

const OPTIONS: BlitterOptions = {
  singleTriangleNearest: true,
  exactNearest: true,
  depthStencilViews: 'uint',
  resolve: null,
};

class NearestRig {
  readonly rig = new Rig();
  readonly blitter: Blitter;
  readonly #source: Resource;
  readonly #destination: Resource;

  constructor(options: Partial<BlitterOptions> = {}) {
    const { rig } = this;
    this.blitter = new Blitter(rig.context, rig.context.bindings, { ...OPTIONS, ...options });
    this.#source = rig.texture(FORMAT, SIZE, SIZE);
    this.#destination = rig.texture(FORMAT, SIZE, SIZE);
    const places = new Uint16Array(SIZE * SIZE * 2);
    for (let i = 0; i < SIZE * SIZE; i++) places.set([i % SIZE, Math.floor(i / SIZE)], i * 2);
    rig.upload(this.#source, places);
  }

  /** The texel that each pixel took, as x and y one after the other. */
  blit({ source, destination, scissor }: NearestCase): Uint16Array {
    const { rig } = this;
    rig.upload(this.#destination, new Uint16Array(SIZE * SIZE * 2).fill(UNWRITTEN));
    const status = this.blitter.blit({
      source: { resource: this.#source, level: 0, box: source, format: FORMAT },
      destination: { resource: this.#destination, level: 0, box: destination, format: FORMAT },
      mask: BLIT.COLOR,
      filter: 'nearest',
      scissor,
      followsRenderCondition: false,
    });
    expect(status).toBe('ok');
    return new Uint16Array(rig.bytes(this.#destination).buffer);
  }
}

/** Pixels that are not what exact arithmetic says, written or not. */
function countWrong(one: NearestCase, texels: Uint16Array): number {
  let wrong = 0;
  for (let i = 0; i < SIZE * SIZE; i++) {
    const [x, y] = expectedTexel(one, i % SIZE, Math.floor(i / SIZE)) ?? [UNWRITTEN, UNWRITTEN];
    if (texels[i * 2] !== x || texels[i * 2 + 1] !== y) wrong++;
  }
  return wrong;
}

/**
 * What dEQP checks: within a blit every row takes its columns alike, and every column its rows. A seam along a diagonal breaks
 * it: the two sides round differently.
 */
function isConsistent(one: NearestCase, texels: Uint16Array): boolean {
  const columns = new Map<number, number>();
  const rows = new Map<number, number>();
  for (let i = 0; i < SIZE * SIZE; i++) {
    const [x, y] = [i % SIZE, Math.floor(i / SIZE)];
    if (expectedTexel(one, x, y) === null) continue;
    const [u, v] = [texels[i * 2]!, texels[i * 2 + 1]!];
    if ((columns.get(x) ?? u) !== u || (rows.get(y) ?? v) !== v) return false;
    columns.set(x, u);
    rows.set(y, v);
  }
  return true;
}

describe.each(['mag', 'min'] as const)('NEAREST blits, %s', (kind) => {
  it('take the texel that exact arithmetic says, flipped, scaled and scissored', () => {
    const rig = new NearestRig();
    for (const [i, one] of nearestCases(300, SIZE, kind, 3).entries()) {
      expect(countWrong(one, rig.blit(one)), `case ${i}: ${JSON.stringify(one)}`).toBe(0);
    }
  });

  it('are consistent by one triangle without integer arithmetic too', () => {
    const rig = new NearestRig({ exactNearest: false });
    for (const one of nearestCases(300, SIZE, kind, 5)) {
      expect(isConsistent(one, rig.blit(one)), JSON.stringify(one)).toBe(true);
    }
  });
});

describe('two triangles', () => {
  it('would be caught: their diagonal is a seam', () => {
    const rig = new NearestRig({ singleTriangleNearest: false, exactNearest: false });
    const cases = [...nearestCases(300, SIZE, 'mag', 5), ...nearestCases(300, SIZE, 'min', 5)];
    const seams = cases.filter((one) => !isConsistent(one, rig.blit(one)));
    expect(seams.length).toBeGreaterThan(0);
  });
});

describe('blits of large boxes', () => {
  it('are exact where the box reaches far over the surface', () => {
    const rig = new NearestRig();
    const box = (x: number, y: number, width: number, height: number) => ({ x, y, z: 0, width, height, depth: 1 });
    const one: NearestCase = {
      source: box(-29991, 0, 60000, SIZE),
      destination: box(-20000, SIZE, 40022, -SIZE),
      scissor: { minX: 8, minY: 0, maxX: 20, maxY: SIZE },
    };
    expect(countWrong(one, rig.blit(one))).toBe(0);
  });
});
