// What a test case of our own is: a dEQP name and a function that draws or asks, and compares with a reference.
// The rule: a case that compared nothing, or whose reference picture is blank, has failed.

import type { Gles } from '../src/gles/index.ts';
import { Random } from './reference/random.ts';
import type { CasePictures, Picture } from './result.ts';

/** The default framebuffer that a case wants; the depth and stencil buffers are there unless it says otherwise. */
export interface CaseSurface {
  readonly width: number;
  readonly height: number;
  readonly alpha?: boolean;
  readonly depth?: boolean;
  readonly stencil?: boolean;
  readonly samples?: number;
}

export const DEFAULT_SURFACE: CaseSurface = { width: 32, height: 32 };

export interface CaseDefinition {
  /** As in mustpass lists: `dEQP-GLES2.functional.fragment_ops.…`. */
  readonly name: string;
  readonly api: 2 | 3;
  readonly surface?: CaseSurface;
  /** Passes by returning after at least one comparison; fails and skips by throwing. */
  readonly run: (t: CaseContext) => void;
}

/** Groups are generators, so that a list of names costs no more than the names. */
export type CaseGroup = Iterable<CaseDefinition>;

/** A case below `functional`. */
export function functionalCase(
  api: 2 | 3,
  path: string,
  run: (t: CaseContext) => void,
  surface?: CaseSurface,
): CaseDefinition {
  return { name: `dEQP-GLES${api}.functional.${path}`, api, run, ...(surface ? { surface } : {}) };
}

export class CaseFailure extends Error {
  readonly pictures: CasePictures | undefined;
  constructor(message: string, pictures?: CasePictures) {
    super(message);
    this.pictures = pictures;
  }
}

export class CaseSkipped extends Error {}

export type Numbers = ArrayLike<number>;

/** How far a byte of a picture may lie from its reference, and how many pixels may lie farther. */
export interface PictureTolerance {
  /** A bound for all channels or one for each of r, g, b, a. Default 0. */
  readonly tolerance?: number | readonly [number, number, number, number];
  readonly wrongPixels?: number;
  /** Pixels that are not compared, e.g. those that the rules leave open: non-zero is left out. */
  readonly ignore?: Uint8Array;
}

/** What a running case works with. */
export class CaseContext {
  readonly gl: Gles;
  readonly name: string;
  readonly api: 2 | 3;
  /** Seeded by the case's name: the same numbers in each run. */
  readonly random: Random;
  readonly width: number;
  readonly height: number;
  comparisons = 0;
  pictureComparisons = 0;

  constructor(gl: Gles, definition: CaseDefinition) {
    this.gl = gl;
    this.name = definition.name;
    this.api = definition.api;
    this.random = new Random(definition.name);
    const { width, height } = definition.surface ?? DEFAULT_SURFACE;
    this.width = width;
    this.height = height;
  }

  fail(message: string, pictures?: CasePictures): never {
    throw new CaseFailure(message, pictures);
  }

  skip(reason: string): never {
    throw new CaseSkipped(reason);
  }

  /** One comparison that came out as `isRight`. */
  check(isRight: boolean, message: string | (() => string)): void {
    this.comparisons++;
    if (!isRight) this.fail(typeof message === 'string' ? message : message());
  }

  equal<T extends number | string | boolean | bigint>(got: T, want: T, what: string): void {
    this.check(Object.is(got, want) || got === want, () => `${what}: got ${got}, expected ${want}`);
  }

  /** Numbers within `tolerance` (absolute) of what they should be. NaN equals NaN only. */
  near(got: Numbers, want: Numbers, tolerance: number | ((want: number) => number), what: string): void {
    if (want.length === 0) this.fail(`${what}: the reference is empty, the case says nothing`);
    this.check(got.length >= want.length, () => `${what}: got ${got.length} values, expected ${want.length}`);
    for (let i = 0; i < want.length; i++) {
      const bound = typeof tolerance === 'number' ? tolerance : tolerance(want[i]!);
      const isRight = Object.is(got[i], want[i]) || Math.abs(got[i]! - want[i]!) <= bound;
      if (!isRight) this.fail(`${what}[${i}]: got ${got[i]}, expected ${want[i]} ± ${bound}`);
    }
  }

  /** The next GL error is `want`; `name` says of what call. */
  error(want: number, what: string): void {
    const got = this.gl.glGetError();
    this.check(got === want, () => `${what}: error 0x${got.toString(16)}, expected 0x${want.toString(16)}`);
  }

  noError(what: string): void {
    this.error(0, what);
  }

  /** RGBA8 pixels of the read framebuffer. */
  readPixels(x = 0, y = 0, width = this.width, height = this.height): Picture {
    const { gl } = this;
    const data = new Uint8Array(width * height * 4);
    gl.glReadPixels(x, y, width, height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data);
    return { width, height, data };
  }

  /** Compares the pixels; a failure carries both pictures and their difference. */
  comparePicture(result: Picture, reference: Picture, how: PictureTolerance = {}, what = 'picture'): void {
    this.comparisons++;
    this.pictureComparisons++;
    const { width, height } = reference;
    if (reference.data.every((value) => value === 0))
      this.fail(`${what}: the reference is blank, the case says nothing`);
    if (result.width !== width || result.height !== height)
      this.fail(`${what}: ${result.width} × ${result.height}, expected ${width} × ${height}`);
    const { tolerance = 0, wrongPixels = 0, ignore } = how;
    const bounds = typeof tolerance === 'number' ? [tolerance, tolerance, tolerance, tolerance] : tolerance;
    let looked = 0;
    let wrong = 0;
    let first = -1;
    for (let pixel = 0; pixel < width * height; pixel++) {
      if (ignore !== undefined && ignore[pixel] !== 0) continue;
      looked++;
      for (let channel = 0; channel < 4; channel++) {
        const at = pixel * 4 + channel;
        if (Math.abs(result.data[at]! - reference.data[at]!) > bounds[channel]!) {
          if (wrong++ === 0) first = pixel;
          break;
        }
      }
    }
    if (looked <= wrongPixels)
      this.fail(`${what}: of ${looked} pixels ${wrongPixels} may be wrong, the case says nothing`);
    if (wrong <= wrongPixels) return;
    const at = first * 4;
    const text = (picture: Picture) => [...picture.data.subarray(at, at + 4)].join(',');
    this.fail(
      `${what}: ${wrong} of ${width * height} pixels differ (${wrongPixels} may), first at ` +
        `${first % width},${Math.floor(first / width)}: got ${text(result)}, expected ${text(reference)} ± ${bounds.join(',')}`,
      { result, reference, difference: differenceOf(result, reference, bounds) },
    );
  }
}

/** Wrong channels in full brightness, allowed differences dark. */
function differenceOf(result: Picture, reference: Picture, bounds: readonly number[]): Picture {
  const data = new Uint8Array(reference.data.length);
  for (let at = 0; at < data.length; at++) {
    const distance = Math.abs(result.data[at]! - reference.data[at]!);
    data[at] = at % 4 === 3 ? 255 : distance > bounds[at % 4]! ? 255 : Math.min(64, distance * 8);
  }
  // A wrong alpha shows as blue-white, since the picture itself is opaque.
  for (let at = 0; at < data.length; at += 4) {
    if (Math.abs(result.data[at + 3]! - reference.data[at + 3]!) > bounds[3]!) data[at + 2] = 255;
  }
  return { width: reference.width, height: reference.height, data };
}
