// Emits the interpolation of varyings for one quad, from the primitive record's barycentric gradients, by the one formula that
// PRIMITIVE in src/raster/layout.ts states. It starts from absolute pixel positions each time, never from a neighbour, so that
// a pixel gets the same value whatever the tile, the step or the order.
import type { Interpolation } from '../ir/ir.ts';
import { PRIMITIVE, PRIMITIVE_SLOT, primitiveVarying } from '../raster/layout.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';

type V = Local<'v128'>;

/** Which of the quantities below a shader needs. */
export interface InterpolationNeeds {
  /** Barycentrics in window space: noperspective varyings, pointCoord, and everything perspective. */
  readonly linear: boolean;
  readonly perspective: boolean;
  readonly invW: boolean;
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
    const { f, b1, b2, p1, p2, invW } = this;
    if (b1 === null || b2 === null) return;
    const at = PRIMITIVE.offset;
    f.scope(() => {
      const dx = f.let(f.f32x4.sub(x, this.splat(at.x0)));
      const dy = f.let(f.f32x4.sub(y, this.splat(at.y0)));
      f.set(b1, f.f32x4.add(f.f32x4.mul(this.splat(at.b1x), dx), f.f32x4.mul(this.splat(at.b1y), dy)));
      f.set(b2, f.f32x4.add(f.f32x4.mul(this.splat(at.b2x), dx), f.f32x4.mul(this.splat(at.b2y), dy)));
      if (invW === null) return;
      const rise1 = f.f32x4.mul(b1, this.splat(at.dInvW1));
      const rise2 = f.f32x4.mul(b2, this.splat(at.dInvW2));
      f.set(invW, f.f32x4.add(f.f32x4.add(this.splat(at.invW0), rise1), rise2));
      if (p1 === null || p2 === null) return;
      const w = f.let(f.f32x4.div(f.f32x4.const(1), invW));
      f.set(p1, f.f32x4.mul(f.f32x4.mul(b1, this.splat(at.invW1)), w));
      f.set(p2, f.f32x4.mul(f.f32x4.mul(b2, this.splat(at.invW2)), w));
    });
  }

  private splat(offset: number): Expr<'v128'> {
    return this.f.v128.load32_splat(this.primitive, offset);
  }

  /** A component of a varying slot at the positions of the weights. */
  varying(slot: number, component: number, interpolation: Interpolation): Expr<'v128'> {
    const { f } = this;
    const v0 = primitiveVarying(slot) + component * 4;
    if (interpolation === 'flat') return this.splat(v0);
    const [weight1, weight2] = interpolation === 'smooth' ? [this.p1, this.p2] : [this.b1, this.b2];
    const d1 = this.splat(v0 + PRIMITIVE_SLOT.offset.d1);
    const d2 = this.splat(v0 + PRIMITIVE_SLOT.offset.d2);
    return f.f32x4.add(f.f32x4.add(this.splat(v0), f.f32x4.mul(weight1!, d1)), f.f32x4.mul(weight2!, d2));
  }
}
