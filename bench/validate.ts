// Tells whether entries draw what they should: by glmark2's pixels with its data, by kept pictures with our own.

import type { Entry } from './entry.ts';
import { gridDistance, isPlain } from './picture.ts';
import { type RunOptions, takePicture } from './run-entry.ts';
import type { Gl } from './scene.ts';
import { clearFrame, setUpEntry } from './stage.ts';
import { PIXEL_CHECKS, type PixelCheck } from './validation.table.ts';

export const VALIDATION_SIZE = { width: 800, height: 600 } as const;

export interface Validation {
  readonly title: string;
  readonly scene: string;
  readonly result: 'success' | 'failure' | 'unknown';
  readonly message: string;
}

/** Kept pictures by entry's title: means over 8×8 cells. */
export type References = Readonly<Record<string, readonly number[]>>;

/** Largest difference of a cell's mean, in 1/255. */
const GRID_TOLERANCE = 2;

function appliesTo(check: PixelCheck, { scene, options }: Entry): boolean {
  if (scene.name !== check.scene) return false;
  return Object.entries(check.when).every(([name, value]) => {
    if (typeof value === 'number') return options.number(name) === value;
    return typeof value === 'boolean' ? options.flag(name) === value : options.text(name) === value;
  });
}

function checkPixel(gl: Gl, entry: Entry, options: RunOptions, check: PixelCheck): Omit<Validation, 'title' | 'scene'> {
  const instance = setUpEntry(entry, { gl, ...options });
  clearFrame(gl);
  instance.draw();
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const pixel = new Uint8Array(4);
  gl.readPixels(check.at[0], check.at[1], 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  const error = gl.getError();
  instance.dispose?.();
  if (error !== 0) throw new Error(`GL error 0x${error.toString(16)}`);
  const distance = Math.hypot(...check.color.map((value, at) => value - pixel[at]!));
  const isNear = distance < Math.sqrt(3) * check.tolerance + 0.01;
  const message = `pixel (${check.at.join(', ')}) is ${pixel.slice(0, 3).join(', ')}, expected ${check.color.join(', ')}`;
  return { result: isNear ? 'success' : 'failure', message };
}

function checkPicture(gl: Gl, entry: Entry, options: RunOptions, references: References) {
  const { grid } = takePicture(gl, entry, options);
  if (entry.scene.name !== 'clear' && isPlain(grid))
    return { result: 'failure', message: 'nothing was drawn' } as const;
  const reference = Object.hasOwn(references, entry.title) ? references[entry.title] : undefined;
  if (!reference || options.data.name !== 'generated') {
    return { result: 'unknown', message: 'draws something; no picture to compare with' } as const;
  }
  const distance = gridDistance(grid, reference);
  const message = `differs by ${distance.toFixed(2)} from the kept picture`;
  return { result: distance <= GRID_TOLERANCE ? 'success' : 'failure', message } as const;
}

/** `options` must have VALIDATION_SIZE. Never throws. */
export function validateEntry(gl: Gl, entry: Entry, options: RunOptions, references: References): Validation {
  const name = { title: entry.title, scene: entry.scene.name };
  try {
    const check = options.data.name === 'generated' ? undefined : PIXEL_CHECKS.find((row) => appliesTo(row, entry));
    if (check) return { ...name, ...checkPixel(gl, entry, options, check) };
    return { ...name, ...checkPicture(gl, entry, options, references) };
  } catch (error) {
    return { ...name, result: 'failure', message: (error as Error).message };
  }
}
