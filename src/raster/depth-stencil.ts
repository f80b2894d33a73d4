// Emits the depth and stencil tests of one quad and sample: for the coverage kernel (early) and fragment shaders (late).
// Depth is compared as the integers that planes hold; D32F bits of values from 0 to 1 order like integers too.
import type { CompareFunction, StencilOperation } from '../base/state-words.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { DRAW, PRIMITIVE } from './layout.ts';

export type DepthFormat = 'unorm16' | 'unorm24' | 'float32';
export type StencilFace = {
  readonly func: CompareFunction;
  readonly stencilFail: StencilOperation;
  readonly depthFail: StencilOperation;
  readonly pass: StencilOperation;
};

/** The static part of depth and stencil state. Absent: no such test (always passes, nothing written). */
export type DepthStencilKey = {
  readonly depth?: {
    readonly format: DepthFormat;
    readonly func: CompareFunction;
    readonly write: boolean;
    /** Depth is brought into the viewport's depth range first (EXT_depth_clamp). */
    readonly clamp?: boolean;
  };
  readonly stencil?: { readonly front: StencilFace; readonly back: StencilFace };
};

/** A text that determines the generated code. */
export function depthStencilText({ depth, stencil }: DepthStencilKey): string {
  const face = (s: StencilFace): string => `${s.func},${s.stencilFail},${s.depthFail},${s.pass}`;
  return [
    depth ? `${depth.format},${depth.func}${depth.write ? ',w' : ''}${depth.clamp ? ',c' : ''}` : '',
    stencil ? `${face(stencil.front)}/${face(stencil.back)}` : '',
  ].join('|');
}

/** Whether the tests neither reject nor write anything. */
export function isDepthStencilIdle({ depth, stencil }: DepthStencilKey): boolean {
  return (depth === undefined || (depth.func === 'always' && !depth.write)) && stencil === undefined;
}

type V = Expr<'v128'>;
type I = Expr<'i32'>;

/** Lanes of a quad whose bits 0…3 are set in `bits`, as all-ones lanes. */
export function emitLaneMask(f: FunctionBuilder, bits: I): V {
  const lanes = f.i32x4.const(1, 2, 4, 8);
  return f.i32x4.eq(f.v128.and(f.i32x4.splat(bits), lanes), lanes);
}

/** Interpolated depth (before the clamp) of a quad: x, y are the samples' window coordinates. The one formula for all. */
export function emitPlaneDepth(f: FunctionBuilder, primitive: I, x: V, y: V): V {
  const at = PRIMITIVE.offset;
  const splat = (offset: number): V => f.v128.load32_splat(primitive, offset);
  const alongX = f.f32x4.mul(splat(at.zx), f.f32x4.sub(x, splat(at.x0)));
  const alongY = f.f32x4.mul(splat(at.zy), f.f32x4.sub(y, splat(at.y0)));
  return f.f32x4.add(f.f32x4.add(splat(at.z0), alongX), alongY);
}

/** Depth as the test of `key` takes it: what the plane holds, after the clamp to the depth range if there is one. */
export function emitTestDepth(f: FunctionBuilder, draw: I, depth: V, key: NonNullable<DepthStencilKey['depth']>): V {
  if (!key.clamp) return emitDepthConversion(f, depth, key.format);
  const at = DRAW.offset;
  const low = f.v128.load32_splat(draw, at.depthMin);
  const high = f.v128.load32_splat(draw, at.depthMax);
  return emitDepthConversion(f, f.f32x4.pmin(f.f32x4.pmax(low, depth), high), key.format);
}

/** Float depth to what a depth plane holds: clamped to 0…1 (not a number: 0), rounded to nearest. */
function emitDepthConversion(f: FunctionBuilder, depth: V, format: DepthFormat): V {
  // Operand order matters: pmax gives +0 for −0 and NaN, so that float bits compare as signed integers.
  const clamped = f.f32x4.pmin(f.f32x4.pmax(f.f32x4.const(0), depth), f.f32x4.const(1));
  if (format === 'float32') return clamped;
  if (format === 'unorm16') {
    // Adding 1.5 · 2^23 leaves the rounded integer in the low bits.
    const magic = 1.5 * 2 ** 23;
    return f.i32x4.sub(f.f32x4.add(f.f32x4.mul(clamped, 65535), magic), 0x4b400000);
  }
  // The same for 24 bits: from 2^23 on a float is an integer as it is, so that nothing is added and the bits weigh double.
  const value = f.let(f.f32x4.mul(clamped, 16777215));
  const isSmall = f.let(f.f32x4.lt(value, 2 ** 23));
  const rounded = f.f32x4.add(value, f.v128.and(isSmall, f.f32x4.const(2 ** 23)));
  return f.i32x4.sub(f.i32x4.sub(rounded, 0x4a800000), f.v128.and(isSmall, f.i32x4.const(2 ** 23)));
}

function compare(f: FunctionBuilder, func: CompareFunction, a: V, b: V): V | 'never' | 'always' {
  switch (func) {
    case 'less':
      return f.i32x4.lt_s(a, b);
    case 'equal':
      return f.i32x4.eq(a, b);
    case 'lessEqual':
      return f.i32x4.le_s(a, b);
    case 'greater':
      return f.i32x4.gt_s(a, b);
    case 'notEqual':
      return f.i32x4.ne(a, b);
    case 'greaterEqual':
      return f.i32x4.ge_s(a, b);
    default:
      return func;
  }
}

/** Lanes of `mask` for which the comparison holds. */
function narrow(f: FunctionBuilder, mask: Local<'v128'>, func: CompareFunction, a: V, b: V): V {
  const result = compare(f, func, a, b);
  if (result === 'always') return mask;
  return result === 'never' ? f.i32x4.const(0) : f.v128.and(mask, result);
}

function stencilResult(f: FunctionBuilder, operation: StencilOperation, s: Local<'v128'>, ref: Local<'v128'>): V {
  switch (operation) {
    case 'keep':
      return s;
    case 'zero':
      return f.i32x4.const(0);
    case 'replace':
      return ref;
    case 'increment':
      return f.i32x4.min_s(f.i32x4.add(s, 1), 255);
    case 'decrement':
      return f.i32x4.max_s(f.i32x4.sub(s, 1), 0);
    case 'incrementWrap':
      return f.v128.and(f.i32x4.add(s, 1), f.i32x4.const(255));
    case 'decrementWrap':
      return f.v128.and(f.i32x4.sub(s, 1), f.i32x4.const(255));
    case 'invert':
      return f.v128.xor(s, f.i32x4.const(255));
  }
}

export type DepthStencilQuad = {
  readonly key: DepthStencilKey;
  /** Address of the DRAW: reference values and masks. */
  readonly draw: I;
  /** 1 if the primitive is front facing. */
  readonly frontFacing: I;
  /** Address of the quad's 16 bytes of depth and 4 bytes of stencil of this sample. */
  readonly depthAddress: I;
  readonly stencilAddress: I;
  /** Depth of the lanes as the plane holds it (`emitTestDepth`). */
  readonly depth: V;
  /** Live lanes (all ones); on return those that passed. */
  readonly mask: Local<'v128'>;
};

/** Tests the live lanes of a quad, writes depth and stencil, and narrows `mask` to the lanes that passed both tests. */
export function emitDepthStencil(f: FunctionBuilder, quad: DepthStencilQuad): void {
  const { depth, stencil } = quad.key;
  if (stencil === undefined) {
    if (depth !== undefined) f.scope(() => emitDepthOnly(f, quad, depth));
    return;
  }
  const isSame =
    depthStencilText({ stencil }) === depthStencilText({ stencil: { front: stencil.back, back: stencil.front } });
  if (isSame) f.scope(() => emitFace(f, quad, stencil.front));
  else {
    f.if(
      quad.frontFacing,
      () => emitFace(f, quad, stencil.front),
      () => emitFace(f, quad, stencil.back),
    );
  }
}

function emitDepthOnly(
  f: FunctionBuilder,
  quad: DepthStencilQuad,
  { func, write }: NonNullable<DepthStencilKey['depth']>,
): void {
  const value = f.let(quad.depth);
  const address = f.let(quad.depthAddress);
  const old = f.let(f.v128.load(address));
  f.set(quad.mask, narrow(f, quad.mask, func, value, old));
  if (write) f.v128.store(address, f.v128.bitselect(value, old, quad.mask));
}

function emitFace(f: FunctionBuilder, quad: DepthStencilQuad, face: StencilFace): void {
  const { depth } = quad.key;
  const at = DRAW.offset;
  // Back values follow front values by 4 bytes.
  const draw = f.let(f.i32.add(quad.draw, f.select(quad.frontFacing, f.i32.const(0), 4)));
  const ref = f.let(f.v128.load32_splat(draw, at.stencilRefFront));
  const readMask = f.let(f.v128.load32_splat(draw, at.stencilReadMaskFront));
  const address = f.let(quad.stencilAddress);
  const bytes = f.v128.load32_zero(address);
  const old = f.let(f.i32x4.extend_low_i16x8_u(f.i16x8.extend_low_i8x16_u(bytes)));
  const alive = f.let(quad.mask);
  const passedStencil = f.let(narrow(f, alive, face.func, f.v128.and(ref, readMask), f.v128.and(old, readMask)));
  if (depth === undefined) f.set(quad.mask, passedStencil);
  else {
    const value = f.let(quad.depth);
    const depthAddress = f.let(quad.depthAddress);
    const oldDepth = f.let(f.v128.load(depthAddress));
    f.set(quad.mask, narrow(f, passedStencil, depth.func, value, oldDepth));
    if (depth.write) f.v128.store(depthAddress, f.v128.bitselect(value, oldDepth, quad.mask));
  }
  const operations = [face.stencilFail, face.depthFail, face.pass];
  if (operations.every((operation) => operation === 'keep')) return;
  const result = (operation: StencilOperation): V => stencilResult(f, operation, old, ref);
  const afterDepth =
    face.depthFail === face.pass || depth === undefined
      ? result(face.pass)
      : f.v128.bitselect(result(face.pass), result(face.depthFail), quad.mask);
  const updated =
    face.stencilFail === face.pass && face.depthFail === face.pass
      ? result(face.pass)
      : f.v128.bitselect(afterDepth, result(face.stencilFail), passedStencil);
  const writeMask = f.v128.load32_splat(draw, at.stencilWriteMaskFront);
  const merged = f.let(f.v128.bitselect(updated, old, f.v128.and(writeMask, alive)));
  const halves = f.i16x8.narrow_i32x4_u(merged, merged);
  const packed = f.let(halves);
  f.i32.store(address, f.i32x4.extract_lane(f.i8x16.narrow_i16x8_u(packed, packed), 0));
}
