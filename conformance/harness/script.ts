// Steps that run both on GL and on the reference model: clears and rectangles under a fragment state.

import type { CaseContext, PictureTolerance } from '../case.ts';
import {
  type Color,
  type FragmentState,
  PLAIN_STATE,
  ReferenceFramebuffer,
  type StencilFace,
} from '../reference/fragment-pipeline.ts';
import { drawRects, type PixelRect } from './draw.ts';
import { setFragmentState } from './fragment-state.ts';
import { colorProgram } from './program.ts';

export interface ClearValues {
  readonly color?: Color;
  readonly depth?: number;
  readonly stencil?: number;
  readonly stencilMask?: number;
  readonly depthMask?: boolean;
}

export const ALWAYS_STENCIL: StencilFace = {
  func: 'always',
  ref: 0,
  readMask: 255,
  writeMask: 255,
  fail: 'keep',
  depthFail: 'keep',
  pass: 'keep',
};

/** A stencil test with the same rules for both faces. */
export function bothFaces(face: Partial<StencilFace>): FragmentState['stencil'] {
  return { front: { ...ALWAYS_STENCIL, ...face }, back: { ...ALWAYS_STENCIL, ...face } };
}

export class FragmentScript {
  readonly t: CaseContext;
  readonly reference: ReferenceFramebuffer;

  constructor(t: CaseContext) {
    this.t = t;
    this.reference = new ReferenceFramebuffer(t.width, t.height);
    colorProgram(t);
  }

  clear(values: ClearValues, state: Partial<FragmentState> = {}): void {
    const { gl } = this.t;
    const full = { ...PLAIN_STATE, ...state };
    setFragmentState(this.t, full);
    gl.glStencilMask(values.stencilMask ?? 255);
    gl.glDepthMask(values.depthMask ?? true);
    let mask = 0;
    if (values.color !== undefined) {
      gl.glClearColor(values.color[0], values.color[1], values.color[2], values.color[3]);
      mask |= gl.GL_COLOR_BUFFER_BIT;
    }
    if (values.depth !== undefined) {
      gl.glClearDepthf(values.depth);
      mask |= gl.GL_DEPTH_BUFFER_BIT;
    }
    if (values.stencil !== undefined) {
      gl.glClearStencil(values.stencil);
      mask |= gl.GL_STENCIL_BUFFER_BIT;
    }
    gl.glClear(mask);
    this.reference.clear(full, values);
  }

  draw(rects: readonly PixelRect[], state: Partial<FragmentState> = {}): void {
    const full = { ...PLAIN_STATE, ...state };
    setFragmentState(this.t, full);
    drawRects(this.t, rects);
    for (const rect of rects) this.reference.rect(rect, full);
  }

  /** A rectangle over everything. */
  full(color: Color, depth = 0): PixelRect {
    return { x: 0, y: 0, width: this.t.width, height: this.t.height, color, depth };
  }

  /**
   * Shows the stencil value in red (bit by bit, added up) and the depth in steps of 1/16 in green. All sums are exact: compare
   * without tolerance, or values that are off by one pass.
   */
  showDepthAndStencil(): void {
    this.clear({ color: [0, 0, 0.5, 1] });
    const added = {
      rgbEquation: 'add',
      alphaEquation: 'add',
      srcRgb: 'one',
      dstRgb: 'one',
      srcAlpha: 'one',
      dstAlpha: 'one',
      constant: [0, 0, 0, 0],
    } as const;
    for (let bit = 0; bit < 8; bit++) {
      const mask = 1 << bit;
      this.draw([this.full([mask / 255, 0, 0, 0])], {
        stencil: bothFaces({ func: 'equal', ref: mask, readMask: mask }),
        blend: added,
      });
    }
    const rects = Array.from({ length: 17 }, (_, step) => this.full([0, 15 / 255, 0, 0], step / 8 - 1));
    this.draw(rects, { depth: { func: 'lequal', writes: false }, blend: added });
  }

  compare(how: PictureTolerance = {}, what?: string): void {
    this.t.comparePicture(this.t.readPixels(), this.reference.picture(), how, what);
  }
}
