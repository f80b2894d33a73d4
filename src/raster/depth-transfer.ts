// Kernels that move packed depth and stencil surfaces between linear memory and the separate planes of a tile.
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import type { I32 } from './primitive-record.ts';
import { addTileWalk, buildTileTransfer, type QuadMover } from './tile-transfer.ts';

/** Layouts of depth and stencil surfaces, named by their bits from the lowest up. */
export type DepthLayout = 'z16' | 'z24x8' | 'z24s8' | 'z32f' | 'z32fs8' | 's8';

export const DEPTH_LAYOUT_BYTES: Readonly<Record<DepthLayout, number>> = {
  z16: 2,
  z24x8: 4,
  z24s8: 4,
  z32f: 4,
  z32fs8: 8,
  s8: 1,
};

type Aspect = 'depth' | 'stencil';

const depthAt = (f: FunctionBuilder, plane: I32, quad: I32, lane: Expr<'i32'>): Expr<'i32'> =>
  f.i32.add(plane, f.i32.shl(f.i32.add(f.i32.shl(quad, 2), lane), 2));
const stencilAt = (f: FunctionBuilder, plane: I32, quad: I32, lane: Expr<'i32'>): Expr<'i32'> =>
  f.i32.add(plane, f.i32.add(f.i32.shl(quad, 2), lane));

type PixelMover = QuadMover['pixel'];

/** A mover of quads that moves four pixels. */
function fromPixels(bytes: number, pixel: PixelMover): QuadMover {
  return {
    pixel,
    quad: (f, plane, quad, row0, row1) => {
      const right0 = f.let(f.i32.add(row0, bytes));
      const right1 = f.let(f.i32.add(row1, bytes));
      pixel(f, plane, quad, f.i32.const(0), row0);
      pixel(f, plane, quad, f.i32.const(1), right0);
      pixel(f, plane, quad, f.i32.const(2), row1);
      pixel(f, plane, quad, f.i32.const(3), right1);
    },
  };
}

/** Depth of two rows of a quad as one vector. */
function loadRows(f: FunctionBuilder, row0: I32, row1: I32): Expr<'v128'> {
  return f.i64x2.replace_lane(f.v128.load64_zero(row0), f.i64.load(row1), 1);
}

const DEPTH_MASK_24 = 0xffffff;

const LOAD_DEPTH: Partial<Record<DepthLayout, QuadMover>> = {
  z16: fromPixels(2, (f, plane, quad, lane, address) => {
    f.i32.store(depthAt(f, plane, quad, lane), f.i32.load16_u(address));
  }),
  z24s8: {
    quad: (f, plane, quad, row0, row1) => {
      const depth = f.v128.and(loadRows(f, row0, row1), f.i32x4.const(DEPTH_MASK_24));
      f.v128.store(depthAt(f, plane, quad, f.i32.const(0)), depth);
    },
    pixel: (f, plane, quad, lane, address) => {
      f.i32.store(depthAt(f, plane, quad, lane), f.i32.and(f.i32.load(address), DEPTH_MASK_24));
    },
  },
  z32fs8: fromPixels(8, (f, plane, quad, lane, address) => {
    f.i32.store(depthAt(f, plane, quad, lane), f.i32.load(address));
  }),
};

const LOAD_STENCIL: Partial<Record<DepthLayout, QuadMover>> = {
  z24s8: fromPixels(4, (f, plane, quad, lane, address) => {
    f.i32.store8(stencilAt(f, plane, quad, lane), f.i32.load8_u(address, 3));
  }),
  z32fs8: fromPixels(8, (f, plane, quad, lane, address) => {
    f.i32.store8(stencilAt(f, plane, quad, lane), f.i32.load8_u(address, 4));
  }),
};

/** Stores of one aspect leave the other as it is. */
const STORE_DEPTH: Partial<Record<DepthLayout, QuadMover>> = {
  z16: fromPixels(2, (f, plane, quad, lane, address) => {
    f.i32.store16(address, f.i32.load(depthAt(f, plane, quad, lane)));
  }),
  z24s8: {
    quad: (f, plane, quad, row0, row1) => {
      const depth = f.v128.load(depthAt(f, plane, quad, f.i32.const(0)));
      const merged = f.let(f.v128.bitselect(depth, loadRows(f, row0, row1), f.i32x4.const(DEPTH_MASK_24)));
      f.i64.store(row0, f.i64x2.extract_lane(merged, 0));
      f.i64.store(row1, f.i64x2.extract_lane(merged, 1));
    },
    pixel: (f, plane, quad, lane, address) => {
      const stencil = f.i32.and(f.i32.load(address), ~DEPTH_MASK_24);
      f.i32.store(address, f.i32.or(stencil, f.i32.load(depthAt(f, plane, quad, lane))));
    },
  },
  z32fs8: fromPixels(8, (f, plane, quad, lane, address) => {
    f.i32.store(address, f.i32.load(depthAt(f, plane, quad, lane)));
  }),
};

const STORE_STENCIL: Partial<Record<DepthLayout, QuadMover>> = {
  z24s8: fromPixels(4, (f, plane, quad, lane, address) => {
    f.i32.store8(address, f.i32.load8_u(stencilAt(f, plane, quad, lane)), 3);
  }),
  z32fs8: fromPixels(8, (f, plane, quad, lane, address) => {
    f.i32.store8(address, f.i32.load8_u(stencilAt(f, plane, quad, lane)), 4);
  }),
};

/** Exports `load` and `store` (see `addTileWalk`) of one aspect of a depth and stencil layout. */
export function buildDepthTransfer(module: ModuleBuilder, layout: DepthLayout, aspect: Aspect): void {
  // Unused bits of Z24X8 are kept as they are, like a stencil.
  const key = layout === 'z24x8' ? 'z24s8' : layout;
  if (aspect === 'depth' && key === 'z32f') return buildTileTransfer(module, 4);
  if (aspect === 'stencil' && key === 's8') return buildTileTransfer(module, 1);
  const load = (aspect === 'depth' ? LOAD_DEPTH : LOAD_STENCIL)[key];
  const store = (aspect === 'depth' ? STORE_DEPTH : STORE_STENCIL)[key];
  if (load === undefined || store === undefined || (layout === 'z24x8' && aspect === 'stencil')) {
    throw new Error(`layout ${layout} has no ${aspect}`);
  }
  addTileWalk(module, 'load', DEPTH_LAYOUT_BYTES[layout], load);
  addTileWalk(module, 'store', DEPTH_LAYOUT_BYTES[layout], store);
}
