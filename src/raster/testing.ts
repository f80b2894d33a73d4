// Test support: runs geometry and coverage on plain arrays of vertices, with JavaScript in the place of shaders.
import type { CoverageKey } from './coverage.ts';
import { type GeometryState, RasterEngine } from './engine.ts';
import {
  BIN,
  DEPTH_PLANE_BYTES,
  DRAW,
  GUARD_BAND_PIXELS,
  JOB,
  MAX_POINT_SIZE,
  PRIMITIVE,
  primitiveVarying,
  QUADS_PER_ROW,
  STENCIL_PLANE_BYTES,
  TILE,
  TILE_SIZE,
  VERTEX,
  vertexStride,
} from './layout.ts';
import { RasterMemory } from './memory.ts';

/** Clip coordinates, then varyings (4 floats a slot). */
export type TestVertex = { position: readonly number[]; varyings?: readonly number[]; pointSize?: number };
/** One covered quad, as the queue has it. */
export type Fragment = { primitive: number; x: number; y: number; mask: number };

const QUEUE_CAPACITY = 2048;

export const TRIANGLES: GeometryState = {
  topology: 'triangles',
  indexBytes: 0,
  restart: false,
  provokingFirst: false,
  depthClamp: false,
  clipHalfZ: false,
  slots: 0,
  flatMask: 0,
};

export class TestScene {
  readonly width: number;
  readonly height: number;
  readonly tilesX: number;
  readonly tilesY: number;
  readonly samples: 1 | 4;
  readonly memory: RasterMemory;
  readonly engine: RasterEngine;
  readonly job: number;
  readonly draw: number;
  readonly tile: number;
  /** Depth and stencil planes of each tile. */
  readonly depth: number[] = [];
  readonly stencil: number[] = [];
  /** Bytes of each arena block: small, to make setup stop and go on. */
  blockBytes = 0;

  /** Written to each TILE before its coverage runs. */
  tileWords: Partial<Record<keyof typeof TILE.word, number>> = {};

  constructor(width: number, height: number, samples: 1 | 4 = 1, shared = true) {
    this.memory = new RasterMemory({ shared });
    this.engine = new RasterEngine(this.memory);
    this.width = width;
    this.height = height;
    this.samples = samples;
    this.tilesX = Math.ceil(width / TILE_SIZE);
    this.tilesY = Math.ceil(height / TILE_SIZE);
    const { memory } = this;
    this.job = memory.allocateZeroed(JOB.size);
    this.draw = memory.allocateZeroed(DRAW.size);
    this.tile = memory.allocateZeroed(TILE.size);
    const tiles = this.tilesX * this.tilesY;
    for (let i = 0; i < tiles; i++) {
      this.depth.push(memory.allocateZeroed(DEPTH_PLANE_BYTES * samples));
      this.stencil.push(memory.allocateZeroed(STENCIL_PLANE_BYTES * samples));
    }
    this.setWords(this.job, JOB.word, {
      bins: memory.allocateZeroed(tiles * BIN.size),
      tilesX: this.tilesX,
      tilesY: this.tilesY,
    });
    this.setWords(this.draw, DRAW.word, {
      sampleMask: samples === 1 ? 1 : 15,
      samples,
      frontPositive: 1,
      scissorMaxX: width,
      scissorMaxY: height,
      clipMaxX: width,
      clipMaxY: height,
    });
    this.setFloats({ lineWidth: 1, pointSizeMin: 1, pointSizeMax: MAX_POINT_SIZE });
    this.setViewport(0, 0, width, height);
  }

  setWords<S extends Record<string, number>>(
    address: number,
    words: S,
    values: Partial<Record<keyof S, number>>,
  ): void {
    for (const [name, value] of Object.entries(values))
      this.memory.u32[(address >>> 2) + words[name]!] = value as number;
  }

  setFloats(values: Partial<Record<keyof typeof DRAW.word, number>>): void {
    for (const [name, value] of Object.entries(values)) {
      this.memory.f32[(this.draw >>> 2) + DRAW.word[name as keyof typeof DRAW.word]] = value as number;
    }
  }

  setViewport(x: number, y: number, width: number, height: number): void {
    this.setFloats({
      viewportScaleX: width / 2,
      viewportScaleY: height / 2,
      viewportScaleZ: 0.5,
      viewportTranslateX: x + width / 2,
      viewportTranslateY: y + height / 2,
      viewportTranslateZ: 0.5,
      guardX: (GUARD_BAND_PIXELS - Math.abs(x + width / 2)) / (width / 2),
      guardY: (GUARD_BAND_PIXELS - Math.abs(y + height / 2)) / (height / 2),
    });
  }

  /** A vertex at window position (x, y): exact if the viewport's size is a power of two. */
  at(x: number, y: number, z = 0, varyings: readonly number[] = []): TestVertex {
    return { position: [(x * 2) / this.width - 1, (y * 2) / this.height - 1, z, 1], varyings };
  }

  bin(vertices: readonly TestVertex[], state: Partial<GeometryState> = {}, indices?: readonly number[]): void {
    const { memory, engine } = this;
    const bytes = state.indexBytes ?? (indices ? 4 : 0);
    const full: GeometryState = { ...TRIANGLES, ...state, indexBytes: bytes };
    const kernels = engine.geometryKernels(full);
    let address = 0;
    if (indices) {
      address = memory.allocate(indices.length * bytes + 16);
      indices.forEach((value, i) => {
        if (bytes === 1) memory.u8[address + i] = value;
        else if (bytes === 2) memory.u16[(address >>> 1) + i] = value;
        else memory.u32[(address >>> 2) + i] = value;
      });
    }
    const shader = (_draw: number, ids: number, count: number, out: number): void => {
      const { u32, f32 } = memory;
      for (let i = 0; i < count; i++) {
        const vertex = vertices[u32[(ids >>> 2) + i]!]!;
        const base = (out + i * vertexStride(full.slots)) >>> 2;
        f32.set(vertex.position, base + VERTEX.word.position);
        f32[base + VERTEX.word.pointSize] = vertex.pointSize ?? 1;
        f32.set((vertex.varyings ?? []).slice(0, full.slots * 4), base + VERTEX.size / 4);
      }
    };
    const range = {
      indices: address,
      count: indices?.length ?? vertices.length,
      firstVertex: 0,
      maxVertex: vertices.length - 1,
      firstInstance: 0,
      instances: 1,
    };
    const addBlock = (bytes: number): boolean => {
      const size = Math.max(this.blockBytes, this.blockBytes ? 0 : bytes);
      const block = memory.allocate(size);
      this.setWords(this.job, JOB.word, { next: block, end: block + size });
      return true;
    };
    engine.runGeometry(kernels, this.draw, range, shader, {
      job: this.job,
      tiles: this.tilesX * this.tilesY,
      addBlock,
    });
  }

  /** Runs coverage over all tiles; `visit` gets each queue entry. */
  cover(key: Partial<CoverageKey>, visit: (fragment: Fragment) => void): void {
    const { memory, tile } = this;
    const coverage = this.engine.coverage({ samples: this.samples, early: {}, counts: true, ...key });
    const queue = memory.allocate(QUEUE_CAPACITY * 16);
    for (let ty = 0; ty < this.tilesY; ty++) {
      for (let tx = 0; tx < this.tilesX; tx++) {
        const index = ty * this.tilesX + tx;
        const bins = memory.u32[(this.job >>> 2) + JOB.word.bins]!;
        this.setWords(tile, TILE.word, {
          originX: tx * TILE_SIZE,
          originY: ty * TILE_SIZE,
          draw: this.draw,
          queue,
          queueCapacity: QUEUE_CAPACITY,
          chunk: memory.u32[(bins + index * BIN.size) >>> 2]!,
          entry: 0,
          depth: this.depth[index]!,
          stencil: this.stencil[index]!,
          ...this.tileWords,
        });
        while (memory.u32[(tile >>> 2) + TILE.word.chunk] !== 0) {
          const count = coverage(tile);
          for (let i = 0; i < count; i++) {
            const [primitive, first, mask, run] = memory.u32.subarray((queue >>> 2) + i * 4, (queue >>> 2) + i * 4 + 4);
            const x = tx * TILE_SIZE + (first! % QUADS_PER_ROW) * 2;
            const y = ty * TILE_SIZE + Math.floor(first! / QUADS_PER_ROW) * 2;
            for (let k = 0; k < run!; k++) visit({ primitive: primitive!, x: x + 2 * k, y, mask: mask! });
          }
        }
      }
    }
    memory.free(queue);
  }

  /** How often each sample of each pixel is covered, row by row: index (y · width + x) · samples + sample. */
  counts(key: Partial<CoverageKey> = {}): Uint8Array {
    const counts = new Uint8Array(this.width * this.height * this.samples);
    this.cover(key, ({ x, y, mask }) => {
      for (let bit = 0; bit < 4 * this.samples; bit++) {
        if (((mask >>> bit) & 1) === 0) continue;
        const [px, py] = [x + (bit & 1), y + ((bit >> 1) & 1)];
        if (px >= this.width || py >= this.height) throw new Error(`pixel ${px}, ${py} is outside`);
        counts[(py * this.width + px) * this.samples + (bit >> 2)]!++;
      }
    });
    return counts;
  }

  get samplesPassed(): number {
    return Number(this.memory.i64[(this.tile + TILE.offset.samplesPassed) >>> 3]);
  }

  float(address: number, field: keyof typeof PRIMITIVE.word): number {
    return this.memory.f32[(address >>> 2) + PRIMITIVE.word[field]]!;
  }

  /** A varying component at a window position, by the formula of the layout. */
  interpolate(primitive: number, x: number, y: number, slot: number, component: number): number {
    const p = (field: keyof typeof PRIMITIVE.word) => this.float(primitive, field);
    const [dx, dy] = [x - p('x0'), y - p('y0')];
    const b1 = p('b1x') * dx + p('b1y') * dy;
    const b2 = p('b2x') * dx + p('b2y') * dy;
    const r = 1 / (p('invW0') + b1 * p('dInvW1') + b2 * p('dInvW2'));
    const base = ((primitive + primitiveVarying(slot)) >>> 2) + component;
    const { f32 } = this.memory;
    return f32[base]! + b1 * p('invW1') * r * f32[base + 4]! + b2 * p('invW2') * r * f32[base + 8]!;
  }

  depthAt(primitive: number, x: number, y: number): number {
    const p = (field: keyof typeof PRIMITIVE.word) => this.float(primitive, field);
    return p('z0') + p('zx') * (x - p('x0')) + p('zy') * (y - p('y0'));
  }
}

/** A small random generator: numbers from 0 to 1. */
export function random(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), s | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
