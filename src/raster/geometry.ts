// Kernel module `geometry`: from shaded vertices to binned primitives, one module a (topology class, varyings) variant.
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { addClipLine, addClipTriangle, type ClippedPolygon, emitFan } from './clip.ts';
import { loadI32 } from './kernel.ts';
import { BATCH, CLIP, CLIP_NEEDED, CLIP_REJECT, CLIP_VIEW_SIDES, DRAW, VERTEX } from './layout.ts';
import { addSetupFunctions, extrasText, type I32, type SetupKey } from './primitive-record.ts';
import { addLine } from './setup-line.ts';
import { addOutline } from './setup-outline.ts';
import { addPoint } from './setup-point.ts';
import { addTriangle } from './setup-triangle.ts';
import { addTransform } from './transform.ts';

export type GeometryKey = SetupKey & {
  /** 1: points, 2: lines, 3: triangles. */
  readonly vertices: 1 | 2 | 3;
};

export function geometryKey(key: GeometryKey): string {
  const flags = `${key.provokingFirst ? 'f' : ''}${key.depthClamp ? 'c' : ''}${key.clipHalfZ ? 'h' : ''}`;
  return `geometry/${key.vertices}/${key.slots}/${key.flatMask}/${flags}${extrasText(key.extras)}`;
}

/**
 * Exports `transform(draw, batch)`, then `setup(draw, batch, job)`: 0 when all primitives of the batch are binned, 1 if the
 * job's arena needs a new block (call again after that: it goes on where it stopped).
 */
export function buildGeometry(module: ModuleBuilder, key: GeometryKey): void {
  addTransform(module, key);
  const { clipMask = 0, cullMask = 0 } = key.extras ?? {};
  const needed = CLIP_NEEDED | (clipMask * CLIP.DISTANCE0);
  const reject = CLIP_REJECT | ((clipMask | cullMask) * CLIP.DISTANCE0);
  const functions = addSetupFunctions(module);
  if (key.vertices === 1) {
    const point = addPoint(module, key, functions);
    addSetupLoop(module, key, (f, { draw, job, v }) => {
      const [v0] = v as [I32];
      // Points are not clipped at the sides of the view volume: what reaches in is drawn (ES 3.2 §12.4, ES 2.0.25 §2.13).
      const drop = needed | CLIP.NEGATIVE_W | (cullMask * CLIP.DISTANCE0);
      const isIn = f.i32.eqz(f.i32.and(f.i32.load(v0, VERTEX.offset.outcode), drop));
      return f.choose(isIn, f.call<'i32'>(point, draw, job, v0), 0);
    });
    return;
  }
  if (key.vertices === 2) {
    const line = addLine(module, key, functions);
    const clipLine = addClipLine(module, key, line);
    addSetupLoop(module, key, (f, { draw, job, batch, v, provoking }) => {
      const [v0, v1] = v as [I32, I32];
      const [c0, c1] = [loadI32(f, v0, VERTEX.offset.outcode), loadI32(f, v1, VERTEX.offset.outcode)];
      // Only wide lines are cut at the sides of the viewport: pixels of the others are cut by its rectangle.
      const isWide = f.i32.or(
        f.f32.gt(f.f32.load(draw, DRAW.offset.lineWidth), 1),
        f.i32.ne(f.i32.load(draw, DRAW.offset.samples), 1),
      );
      const bits = f.select(isWide, f.i32.const(needed | CLIP_VIEW_SIDES), needed);
      const codes = f.let(f.i32.and(f.i32.or(c0, c1), bits));
      const isOut = f.i32.and(f.i32.and(c0, c1), reject);
      const clipped = f.call<'i32'>(clipLine, draw, batch, job, v0, v1, provoking, codes);
      const whole = f.call<'i32'>(line, draw, job, v0, v1, provoking);
      return f.choose(isOut, f.i32.const(0), f.choose(codes, clipped, whole));
    });
    return;
  }
  const isOutline = key.extras?.outline === true;
  const triangle = isOutline ? null : addTriangle(module, key, functions);
  const emitPolygon = triangle ? emitFanOf(triangle) : addOutline(module, key, functions);
  const clipTriangle = addClipTriangle(module, key, emitPolygon);
  addSetupLoop(module, key, (f, { draw, job, batch, v, provoking }) => {
    const [v0, v1, v2] = v as [I32, I32, I32];
    const c0 = loadI32(f, v0, VERTEX.offset.outcode);
    const c1 = loadI32(f, v1, VERTEX.offset.outcode);
    const c2 = loadI32(f, v2, VERTEX.offset.outcode);
    const codes = f.let(f.i32.or(f.i32.or(c0, c1), c2));
    const isOut = f.i32.and(f.i32.and(f.i32.and(c0, c1), c2), reject);
    const clipped = f.call<'i32'>(clipTriangle, draw, batch, job, v0, v1, v2, provoking, codes);
    if (triangle === null) return f.choose(isOut, f.i32.const(0), clipped);
    const whole = f.call<'i32'>(triangle, draw, job, v0, v1, v2, provoking);
    return f.choose(isOut, f.i32.const(0), f.choose(f.i32.and(codes, needed), clipped, whole));
  });
}

function emitFanOf(triangle: FunctionBuilder) {
  return (f: FunctionBuilder, polygon: ClippedPolygon): void => emitFan(f, triangle, polygon);
}

type LoopLocals = { draw: I32; batch: I32; job: I32; v: I32[]; provoking: I32 };

function addSetupLoop(
  module: ModuleBuilder,
  key: GeometryKey,
  setupOne: (f: FunctionBuilder, locals: LoopLocals) => Expr<'i32'>,
): void {
  const f = module.function('setup', ['i32', 'i32', 'i32'], ['i32'], { exported: true });
  const [draw, batch, job] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2)];
  const bytes = key.vertices * 4;
  const cursor = loadI32(f, batch, BATCH.offset.cursor);
  const count = loadI32(f, batch, BATCH.offset.primitiveCount);
  const pointer = f.let(f.i32.add(f.i32.load(batch, BATCH.offset.primitives), f.i32.mul(cursor, bytes)));
  f.while(f.i32.lt_u(cursor, count), () => {
    const v: I32[] = [];
    for (let i = 0; i < key.vertices; i++) v.push(loadI32(f, pointer, i * 4));
    const provoking = (key.provokingFirst ? v[0] : v[key.vertices - 1]) as I32;
    const isFull = setupOne(f, { draw, batch, job, v, provoking });
    f.if(isFull, () => {
      f.i32.store(batch, cursor, BATCH.offset.cursor);
      f.return(1);
    });
    f.set(pointer, f.i32.add(pointer, bytes));
    f.set(cursor, f.i32.add(cursor, 1));
  });
  f.i32.store(batch, cursor, BATCH.offset.cursor);
  f.return(0);
  f.emitUnreachable();
}
