// The coverage of primitives of a few quads inside of one tile. BIN_FLAG.SMALL: triangles of which nothing is cut, so there is no
// box to apply. BIN_FLAG.BOX: points, which have nothing but a box. Quads are tested and appended without a branch on what they
// cover, which nobody can predict.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { PRIMITIVE, PRIMITIVE_START, QUADS_PER_ROW } from './layout.ts';

type I32 = Local<'i32'>;
type V128 = Local<'v128'>;

export type SmallTriangle = {
  readonly primitive: I32;
  readonly originX: I32;
  readonly originY: I32;
  /** Called at the start of each row of quads, with the row's first quad. */
  readonly startRow: (quadX: I32, quadY: I32) => void;
  /** Takes a quad; `outside` has a lane's sign bit set where the triangle does not cover it. */
  readonly takeQuad: (quad: I32, outside: V128) => void;
};

export type BoxPrimitive = {
  readonly primitive: I32;
  readonly originX: I32;
  readonly originY: I32;
  /** Called at the start of each row of quads, with the row's first quad. */
  readonly startRow: (quadX: I32, quadY: I32) => void;
  /** Takes a quad and the lanes of it that are covered, maybe none. */
  readonly takeQuad: (quad: I32, mask: I32) => void;
};

/** Walks the quads of the primitive's box. Up to two by two, which is most points, are done without a loop if `isUnrolled`. */
export function emitSmallBox(f: FunctionBuilder, box: BoxPrimitive, isUnrolled: boolean): void {
  const { primitive, originX, originY, startRow, takeQuad } = box;
  const at = PRIMITIVE.offset;
  const inTile = (field: 'minX' | 'minY' | 'maxX' | 'maxY', origin: I32): I32 =>
    f.let(f.i32.sub(f.i32.load(primitive, at[field]), origin));
  const [minX, minY] = [inTile('minX', originX), inTile('minY', originY)];
  const [maxX, maxY] = [inTile('maxX', originX), inTile('maxY', originY)];
  const quadX = f.let(f.i32.shr_u(minX, 1));
  const quadY = f.let(f.i32.shr_u(minY, 1));
  const lastX = f.let(f.i32.shr_u(f.i32.sub(maxX, 1), 1));
  const lastY = f.let(f.i32.shr_u(f.i32.sub(maxY, 1), 1));
  const odd = (value: I32, whenOdd: number): I32 =>
    f.let(f.select(f.i32.and(value, 1), f.i32.const(whenOdd), f.i32.const(15)));
  const [left, right] = [odd(minX, 0b1010), odd(maxX, 0b0101)];
  const [bottom, top] = [odd(minY, 0b1100), odd(maxY, 0b0011)];
  const loops = (): void => {
    const quad = f.local('i32');
    const x = f.local('i32');
    const firstRow = f.let(quadY);
    f.doWhile(1, f.i32.le_u(quadY, lastY), () => {
      const isFirst = f.i32.eq(quadY, firstRow);
      const isLast = f.i32.eq(quadY, lastY);
      const row = f.let(f.i32.and(f.select(isFirst, bottom, 15), f.select(isLast, top, 15)));
      startRow(quadX, quadY);
      f.set(x, quadX);
      f.set(quad, f.i32.add(f.i32.mul(quadY, QUADS_PER_ROW), quadX));
      f.doWhile(1, f.i32.le_u(x, lastX), () => {
        const column = f.i32.and(f.select(f.i32.eq(x, quadX), left, 15), f.select(f.i32.eq(x, lastX), right, 15));
        takeQuad(quad, f.let(f.i32.and(row, column)));
        f.set(x, f.i32.add(x, 1));
        f.set(quad, f.i32.add(quad, 1));
      });
      f.set(quadY, f.i32.add(quadY, 1));
    });
  };
  if (!isUnrolled) return loops();
  const columns = f.let(f.i32.sub(lastX, quadX));
  const rows = f.let(f.i32.sub(lastY, quadY));
  const unrolled = (): void => {
    // Where there is no second row or column its masks are empty and it stands for the first.
    const masks = (first: I32, last: I32, more: I32): [I32, I32] => [
      f.let(f.i32.and(first, f.select(more, f.i32.const(15), last))),
      f.let(f.i32.and(last, f.i32.sub(0, more))),
    ];
    const columnMasks = masks(left, right, columns);
    const rowMasks = masks(bottom, top, rows);
    const quad = f.let(f.i32.add(f.i32.mul(quadY, QUADS_PER_ROW), quadX));
    for (const row of [0, 1] as const) {
      startRow(quadX, quadY);
      takeQuad(quad, f.let(f.i32.and(rowMasks[row], columnMasks[0])));
      takeQuad(f.let(f.i32.add(quad, columns)), f.let(f.i32.and(rowMasks[row], columnMasks[1])));
      f.set(quad, f.i32.add(quad, f.i32.mul(rows, QUADS_PER_ROW)));
      f.set(quadY, lastY);
    }
  };
  f.if(f.i32.gt_u(f.i32.or(columns, rows), 1), loops, unrolled);
}

type Edge = { value: V128; row: V128; stepX: V128; stepY: V128 };

/** Walks the quads of the triangle's box. */
export function emitSmallTriangle(f: FunctionBuilder, triangle: SmallTriangle): void {
  const { primitive, originX, originY, startRow, takeQuad } = triangle;
  const at = PRIMITIVE.offset;
  const inTile = (field: 'minX' | 'minY' | 'maxX' | 'maxY', origin: I32): Expr<'i32'> =>
    f.i32.sub(f.i32.load(primitive, at[field]), origin);
  const quadX0 = f.let(f.i32.shr_u(inTile('minX', originX), 1));
  const quadY = f.let(f.i32.shr_u(inTile('minY', originY), 1));
  const quadX1 = f.let(f.i32.shr_u(f.i32.add(inTile('maxX', originX), 1), 1));
  const quadY1 = f.let(f.i32.shr_u(f.i32.add(inTile('maxY', originY), 1), 1));
  const edges = loadEdges(f, primitive);
  const rowQuad = f.let(f.i32.add(f.i32.mul(quadY, QUADS_PER_ROW), quadX0));
  const columns = f.let(f.i32.sub(quadX1, quadX0));
  const quad = f.local('i32');
  const end = f.local('i32');
  f.doWhile(columns, f.i32.lt_u(quadY, quadY1), () => {
    startRow(quadX0, quadY);
    for (const edge of edges) f.set(edge.value, edge.row);
    f.set(quad, rowQuad);
    f.set(end, f.i32.add(rowQuad, columns));
    f.doWhile(columns, f.i32.lt_u(quad, end), () => {
      const [e0, e1, e2] = edges as [Edge, Edge, Edge];
      const outside = f.let(f.v128.or(f.v128.or(e0.value, e1.value), e2.value));
      for (const edge of edges) f.set(edge.value, f.i32x4.add(edge.value, edge.stepX));
      takeQuad(quad, outside);
      f.set(quad, f.i32.add(quad, 1));
    });
    for (const edge of edges) f.set(edge.row, f.i32x4.add(edge.row, edge.stepY));
    f.set(rowQuad, f.i32.add(rowQuad, QUADS_PER_ROW));
    f.set(quadY, f.i32.add(quadY, 1));
  });
}

/** The three edges at the first quad of the box. */
function loadEdges(f: FunctionBuilder, primitive: I32): Edge[] {
  const a = f.let(f.v128.load(primitive, PRIMITIVE.offset.a0));
  const b = f.let(f.v128.load(primitive, PRIMITIVE.offset.b0));
  const start = f.let(f.v128.load(primitive, PRIMITIVE_START));
  return [0, 1, 2].map((i) => {
    const spread = (v: V128): Expr<'v128'> => f.shuffle32(v, v, [i, i, i, i]);
    const perX = f.let(spread(a));
    const perY = f.let(spread(b));
    const lanes = f.i32x4.add(
      f.v128.and(perX, f.i32x4.const(0, -1, 0, -1)),
      f.v128.and(perY, f.i32x4.const(0, 0, -1, -1)),
    );
    return {
      value: f.local('v128'),
      row: f.let(f.i32x4.add(spread(start), lanes)),
      stepX: f.let(f.i32x4.add(perX, perX)),
      stepY: f.let(f.i32x4.add(perY, perY)),
    };
  });
}
