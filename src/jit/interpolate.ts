// Emits the interpolation of varyings for one quad, from the primitive record's barycentric gradients, by the one formula that
// PRIMITIVE in src/raster/layout.ts states. It starts from absolute pixel positions each time, never from a neighbour's weights, so
// that a pixel gets the same value whatever the tile, the step or the order.
//
// Coefficients are loaded four at a time and spread by shuffles of one vector: V8 gives each `load32_splat` an address register of
// its own and spills those, while a plain load takes its offset into the instruction.
import type { Interpolation } from '../ir/ir.ts';
import { PRIMITIVE, PRIMITIVE_SLOT, primitiveVarying } from '../raster/layout.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';

type V = Local<'v128'>;

// startRow tests invW0, dInvW1, dInvW2, invW1 as one vector.
const { invW0, dInvW1, dInvW2, invW1 } = PRIMITIVE.offset;
if ((invW0 & 15) !== 0 || dInvW1 !== invW0 + 4 || dInvW2 !== invW0 + 8 || invW1 !== invW0 + 12) {
  throw new Error('the fields of 1/w in PRIMITIVE have moved');
}

/** Which of the quantities below a shader needs. */
export interface InterpolationNeeds {
  /** Barycentrics in window space: noperspective varyings, pointCoord, and everything perspective. */
  readonly linear: boolean;
  readonly perspective: boolean;
  readonly invW: boolean;
}

/** The parts of the weights that are the same all along a row of quads. */
export interface InterpolatorRow {
  readonly x0: V;
  readonly b1x: V;
  readonly b2x: V;
  /** The part of b1 and b2 that comes from y. */
  readonly b1y: V;
  readonly b2y: V;
  /** 1/w is one at all vertices; null if nobody asks. */
  readonly isAffine: Local<'i32'> | null;
}

/** Weights of a quad's four pixels at one set of positions; locals written once a step. */
export class Interpolator {
  readonly b1: V | null;
  readonly b2: V | null;
  readonly p1: V | null;
  readonly p2: V | null;
  readonly invW: V | null;
  private readonly f: FunctionBuilder;
  private readonly primitive: Local<'i32'>;
  /** Vectors of slots by offset in the record. */
  private readonly preloaded = new Map<number, V>();

  constructor(f: FunctionBuilder, primitive: Local<'i32'>, needs: InterpolationNeeds) {
    const { linear, perspective, invW } = needs;
    const make = (isNeeded: boolean): V | null => (isNeeded ? f.outerLocal('v128') : null);
    this.f = f;
    this.primitive = primitive;
    this.b1 = make(linear || perspective || invW);
    this.b2 = make(linear || perspective || invW);
    this.invW = make(perspective || invW);
    this.p1 = make(perspective);
    this.p2 = make(perspective);
  }

  /** Computes the weights at window positions x, y. */
  emitWeights(x: Expr<'v128'>, y: Expr<'v128'>): void {
    if (this.b1 === null) return;
    this.f.scope(() => this.emitInRow(this.startRow(y)!, x));
  }

  /** What the quads of a row have in common, in locals of the current scope; null: nothing is needed. */
  startRow(y: Expr<'v128'>): InterpolatorRow | null {
    const { f, primitive } = this;
    if (this.b1 === null) return null;
    const at = PRIMITIVE.offset;
    const splat = this.fields();
    const dy = f.let(f.f32x4.sub(y, splat(at.y0)));
    const x0 = f.let(splat(at.x0));
    const b1x = f.let(splat(at.b1x));
    const b2x = f.let(splat(at.b2x));
    const b1y = f.let(f.f32x4.mul(splat(at.b1y), dy));
    const b2y = f.let(f.f32x4.mul(splat(at.b2y), dy));
    if (this.p1 === null) return { x0, b1x, b2x, b1y, b2y, isAffine: null };
    const fields = f.v128.load(primitive, invW0);
    const isAffine = f.let(f.i32x4.all_true(f.i32x4.eq(fields, f.f32x4.const(1, 0, 0, 1))));
    return { x0, b1x, b2x, b1y, b2y, isAffine };
  }

  /** Computes the weights at positions of a row. */
  emitInRow(row: InterpolatorRow, x: Expr<'v128'>): void {
    const { f, b1, b2, p1, p2, invW } = this;
    const at = PRIMITIVE.offset;
    f.scope(() => {
      const dx = f.let(f.f32x4.sub(x, row.x0));
      f.set(b1!, f.f32x4.add(f.f32x4.mul(row.b1x, dx), row.b1y));
      f.set(b2!, f.f32x4.add(f.f32x4.mul(row.b2x, dx), row.b2y));
      if (invW === null) return;
      const perspective = (): void => {
        const splat = this.fields();
        const rise1 = f.f32x4.mul(b1!, splat(at.dInvW1));
        const rise2 = f.f32x4.mul(b2!, splat(at.dInvW2));
        f.set(invW, f.f32x4.add(f.f32x4.add(splat(at.invW0), rise1), rise2));
        if (p1 === null || p2 === null) return;
        const w = f.let(f.f32x4.div(f.f32x4.const(1), invW));
        f.set(p1, f.f32x4.mul(f.f32x4.mul(b1!, splat(at.invW1)), w));
        f.set(p2, f.f32x4.mul(f.f32x4.mul(b2!, splat(at.invW2)), w));
      };
      if (p1 === null || p2 === null || row.isAffine === null) return perspective();
      // Where w is 1 at all vertices the formula gives b1 and b2 exactly: its longest step by far, the division, is saved.
      f.if(
        row.isAffine,
        () => {
          f.set(p1, b1!);
          f.set(p2, b2!);
          f.set(invW, f.f32x4.const(1));
        },
        perspective,
      );
    });
  }

  /** Access to fields of the record, spread over the lanes; vectors of four are loaded once, into locals of the current scope. */
  private fields(): (offset: number) => Expr<'v128'> {
    const { f, primitive } = this;
    const vectors = new Map<number, V>();
    return (offset) => {
      const start = offset & ~15;
      let loaded = vectors.get(start);
      if (loaded === undefined) vectors.set(start, (loaded = f.let(f.v128.load(primitive, start))));
      return spread(f, loaded, (offset & 15) >> 2);
    };
  }

  /** Loads a slot's vectors ahead, into locals of the current scope; to be forgotten at its end (`forgetVaryings`). */
  preloadVarying(slot: number, interpolation: Interpolation): void {
    const { f, primitive } = this;
    const { v0, d1, d2 } = PRIMITIVE_SLOT.offset;
    for (const offset of interpolation === 'flat' ? [v0] : [v0, d1, d2]) {
      const at = primitiveVarying(slot) + offset;
      this.preloaded.set(at, f.let(f.v128.load(primitive, at)));
    }
  }

  forgetVaryings(): void {
    this.preloaded.clear();
  }

  /** Loads what the components in `mask` of a varying slot need; the result gives each of them at the weights' positions. */
  varying(slot: number, mask: number, interpolation: Interpolation): (component: number) => Expr<'v128'> {
    const { f } = this;
    const v0 = primitiveVarying(slot);
    const base = this.coefficients(v0, mask);
    if (interpolation === 'flat') return base;
    const slope1 = this.coefficients(v0 + PRIMITIVE_SLOT.offset.d1, mask);
    const slope2 = this.coefficients(v0 + PRIMITIVE_SLOT.offset.d2, mask);
    const [weight1, weight2] = interpolation === 'smooth' ? [this.p1, this.p2] : [this.b1, this.b2];
    return (component) => {
      const first = f.f32x4.add(base(component), f.f32x4.mul(weight1!, slope1(component)));
      return f.f32x4.add(first, f.f32x4.mul(weight2!, slope2(component)));
    };
  }

  /** Four coefficients that stand together; only one of them is loaded by itself. */
  private coefficients(offset: number, mask: number): (component: number) => Expr<'v128'> {
    const { f, primitive } = this;
    const ready = this.preloaded.get(offset);
    if (ready !== undefined) return (c) => spread(f, ready, c);
    if ((mask & (mask - 1)) === 0) return (c) => f.f32x4.splat(f.f32.load(primitive, offset + c * 4));
    const vector = f.let(f.v128.load(primitive, offset));
    return (c) => spread(f, vector, c);
  }
}

/** One lane in all lanes. */
function spread(f: FunctionBuilder, vector: Local<'v128'>, lane: number): Expr<'v128'> {
  return f.shuffle32(vector, vector, [lane, lane, lane, lane]);
}
