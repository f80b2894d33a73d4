// Kernel `assemble`: walks the elements of a draw (indices or a vertex range) and fills a batch with the vertices to shade,
// each once, and with the primitives made of them. Topology ends here: what leaves are separate triangles, lines or points.
import type { PrimitiveMode } from '../base/state-words.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { loadI32 } from './kernel.ts';
import { BATCH, VERTEX_CACHE_ENTRIES } from './layout.ts';

export type Topology = PrimitiveMode;

export type AssembleKey = {
  readonly topology: Topology;
  /** Bytes of an index; 0: no indices. */
  readonly indexBytes: 0 | 1 | 2 | 4;
  /** The largest index value starts a new primitive. */
  readonly restart: boolean;
  /** Flat values come from the first vertex, not the last (GL: last). */
  readonly provokingFirst: boolean;
};

/** Vertices of each primitive that comes out. */
export const PRIMITIVE_VERTICES: Readonly<Record<Topology, 1 | 2 | 3>> = {
  points: 1,
  lines: 2,
  lineLoop: 2,
  lineStrip: 2,
  triangles: 3,
  triangleStrip: 3,
  triangleFan: 3,
};

export function assembleKey(key: AssembleKey): string {
  return `assemble/${key.topology}/${key.indexBytes}/${key.restart ? 'r' : ''}${key.provokingFirst ? 'f' : ''}`;
}

/** A batch has room for at least this many new vertices and primitives when an element is taken. */
const VERTEX_MARGIN = 4;

/** Exports `assemble(batch)`: 1 if elements are left for another batch. */
export function buildAssemble(module: ModuleBuilder, key: AssembleKey): void {
  const f = module.function('assemble', ['i32'], ['i32'], { exported: true });
  const batch = f.param('i32', 0);
  const at = BATCH.offset;
  const ids = loadI32(f, batch, at.ids);
  const cache = loadI32(f, batch, at.cache);
  const vertices = loadI32(f, batch, at.vertices);
  const stride = loadI32(f, batch, at.vertexStride);
  const out = loadI32(f, batch, at.primitives);
  const outEnd = f.let(f.i32.add(out, f.i32.mul(f.i32.load(batch, at.maxPrimitives), outBytes(key))));
  const maxVertices = f.let(f.i32.sub(f.i32.load(batch, at.maxVertices), VERTEX_MARGIN));
  const indices = loadI32(f, batch, at.indices);
  const elementCount = loadI32(f, batch, at.elementCount);
  const element = loadI32(f, batch, at.element);
  const firstVertex = loadI32(f, batch, at.firstVertex);
  const maxVertex = loadI32(f, batch, at.maxVertex);
  const length = loadI32(f, batch, at.stripLength);
  const first = loadI32(f, batch, at.stripFirst);
  const previous = loadI32(f, batch, at.stripPrevious);
  const before = loadI32(f, batch, at.stripBefore);
  const count = f.local('i32', 0);
  const more = f.local('i32', 0);
  const id = f.local('i32');
  const slot = f.local('i32');
  const local = f.local('i32');

  /** Finds vertex `v` in the batch or adds it, and appends its record's address to the primitive. */
  const emitVertex = (v: Expr<'i32'>): void => {
    f.set(slot, f.i32.add(cache, f.i32.shl(f.i32.and(v, VERTEX_CACHE_ENTRIES - 1), 2)));
    f.set(local, f.i32.load(slot));
    const isKnown = f.choose(f.i32.lt_u(local, count), f.i32.eq(f.i32.load(f.i32.add(ids, f.i32.shl(local, 2))), v), 0);
    f.if(f.i32.eqz(isKnown), () => {
      f.set(local, count);
      f.i32.store(slot, count);
      f.i32.store(f.i32.add(ids, f.i32.shl(count, 2)), v);
      f.set(count, f.i32.add(count, 1));
    });
    f.i32.store(out, f.i32.add(vertices, f.i32.mul(local, stride)));
    f.set(out, f.i32.add(out, 4));
  };
  const emit = (...list: Expr<'i32'>[]): void => {
    for (const v of list) emitVertex(v);
  };

  f.loop(({ break: done, continue: next }) => {
    const isFull = f.i32.or(f.i32.ge_u(count, maxVertices), f.i32.ge_u(out, outEnd));
    f.if(f.i32.ge_u(element, elementCount), () => {
      if (key.topology === 'lineLoop') closeLoop(f, length, () => emit(previous, first), isFull, more);
      f.br(done);
    });
    f.if(isFull, () => {
      f.set(more, 1);
      f.br(done);
    });
    readIndex(f, key, indices, element, id);
    if (key.indexBytes !== 0 && key.restart) {
      f.if(f.i32.eq(id, f.i32.const(restartIndex(key.indexBytes))), () => {
        if (key.topology === 'lineLoop') closeLoop(f, length, () => emit(previous, first), f.i32.const(0), more);
        f.set(length, 0);
        f.set(element, f.i32.add(element, 1));
        f.br(next);
      });
    }
    f.set(element, f.i32.add(element, 1));
    f.set(id, f.i32.add(id, firstVertex));
    f.set(id, f.select(f.i32.lt_u(id, maxVertex), id, maxVertex));
    advance(f, key, { length, first, previous, before, id }, emit);
  });

  f.i32.store(batch, count, at.vertexCount);
  f.i32.store(batch, f.i32.div_u(f.i32.sub(out, f.i32.load(batch, at.primitives)), outBytes(key)), at.primitiveCount);
  f.i32.store(batch, 0, at.cursor);
  f.i32.store(batch, 0, at.fan);
  f.i32.store(batch, element, at.element);
  f.i32.store(batch, length, at.stripLength);
  f.i32.store(batch, first, at.stripFirst);
  f.i32.store(batch, previous, at.stripPrevious);
  f.i32.store(batch, before, at.stripBefore);
  // Vertex shaders work on four vertices: fill up with the last.
  f.if(count, () => {
    const end = f.let(f.i32.add(ids, f.i32.shl(count, 2)));
    const last = f.let(f.i32.load(f.i32.sub(end, 4)));
    for (let i = 0; i < 3; i++) f.i32.store(end, last, i * 4);
  });
  f.return(more);
}

const outBytes = (key: AssembleKey): number => PRIMITIVE_VERTICES[key.topology] * 4;

const restartIndex = (bytes: 1 | 2 | 4): number => (bytes === 4 ? -1 : 2 ** (bytes * 8) - 1);

function readIndex(
  f: FunctionBuilder,
  key: AssembleKey,
  indices: Local<'i32'>,
  element: Local<'i32'>,
  id: Local<'i32'>,
): void {
  if (key.indexBytes === 0) f.set(id, element);
  else if (key.indexBytes === 1) f.set(id, f.i32.load8_u(f.i32.add(indices, element)));
  else if (key.indexBytes === 2) f.set(id, f.i32.load16_u(f.i32.add(indices, f.i32.shl(element, 1))));
  else f.set(id, f.i32.load(f.i32.add(indices, f.i32.shl(element, 2))));
}

function closeLoop(
  f: FunctionBuilder,
  length: Local<'i32'>,
  emitClosingLine: () => void,
  isFull: Expr<'i32'>,
  more: Local<'i32'>,
): void {
  f.if(f.i32.ge_u(length, 2), () => {
    f.if(
      isFull,
      () => f.set(more, 1),
      () => {
        emitClosingLine();
        f.set(length, 0);
      },
    );
  });
}

type StripState = Record<'length' | 'first' | 'previous' | 'before' | 'id', Local<'i32'>>;

/** Takes one more vertex into the strip and emits the primitive that it completes. */
function advance(f: FunctionBuilder, key: AssembleKey, s: StripState, emit: (...list: Expr<'i32'>[]) => void): void {
  const { length, first, previous, before, id } = s;
  const shift = (): void => {
    f.set(before, previous);
    f.set(previous, id);
    f.set(length, f.i32.add(length, 1));
  };
  switch (key.topology) {
    case 'points':
      emit(id);
      return;
    case 'lines':
      f.if(
        length,
        () => {
          emit(previous, id);
          f.set(length, 0);
        },
        shift,
      );
      return;
    case 'lineLoop':
    case 'lineStrip':
      f.if(
        length,
        () => emit(previous, id),
        () => f.set(first, id),
      );
      shift();
      return;
    case 'triangles':
      f.if(
        f.i32.eq(length, 2),
        () => {
          emit(before, previous, id);
          f.set(length, 0);
        },
        shift,
      );
      return;
    case 'triangleStrip':
      f.if(f.i32.ge_u(length, 2), () => {
        // GLES 3.0.6 §2.10.1: the first two vertices of every second triangle trade places to keep the winding.
        f.if(
          f.i32.and(length, 1),
          () => (key.provokingFirst ? emit(before, id, previous) : emit(previous, before, id)),
          () => emit(before, previous, id),
        );
      });
      shift();
      return;
    case 'triangleFan':
      f.if(
        length,
        () => {
          f.if(f.i32.ge_u(length, 2), () =>
            key.provokingFirst ? emit(previous, id, first) : emit(first, previous, id),
          );
        },
        () => f.set(first, id),
      );
      shift();
      return;
  }
}
