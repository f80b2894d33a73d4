// A draw: brings the copies of its resources up to date, writes its states, then its command.

import type { DrawInfo, PipeStatus, PrimitiveMode } from '../../../src/pipe/pipe.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { REGISTERS } from '../registers/registers.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import { indexReader } from './assemble-primitives.ts';
import type { EtnavivContext } from './context.ts';
import {
  emitBlendColor,
  emitDepthStencil,
  emitFramebuffer,
  emitRasterizer,
  isScissorEmpty,
  testsDepthEarly,
} from './emit.ts';
import { emitAllUniforms, emitCode, emitInterface, emitTextures } from './emit-program.ts';
import { emitSamplePass, samplePasses } from './emit-samples.ts';
import { stallFrontEndForPixels } from './engine.ts';
import { mergeStreams } from './merge-streams.ts';
import { type EtnavivFragmentShader, type EtnavivVertexShader, type LinkedProgram, linkProgram } from './program.ts';
import type { EtnavivResource } from './resource.ts';
import { type DrawPart, MAX_COMMAND_INSTANCES, MAX_COMMAND_VERTICES, splitDraw } from './split-draw.ts';
import type { EtnavivBlend, EtnavivDepthStencil, EtnavivRasterizer } from './state-objects.ts';
import type { EtnavivSamplerView } from './texture.ts';
import { samplerStatus } from './tile-status.ts';
import { emitIndexStream, emitVertexFetch, planVertexFetch, type VertexFetch } from './vertex-fetch.ts';

const R = REGISTERS;
const OP = ENUMS.FE_OPCODE;
const TYPE = ENUMS.PRIMITIVE_TYPE;

interface PrimitiveRow {
  readonly type: number;
  readonly per: number;
  readonly extra: number;
  readonly least: number;
}

const PRIMITIVES: Readonly<Record<PrimitiveMode, PrimitiveRow>> = {
  points: { type: TYPE.POINTS, per: 1, extra: 0, least: 1 },
  lines: { type: TYPE.LINES, per: 2, extra: 0, least: 2 },
  lineStrip: { type: TYPE.LINE_STRIP, per: 1, extra: 1, least: 2 },
  lineLoop: { type: TYPE.LINE_LOOP, per: 1, extra: 0, least: 2 },
  triangles: { type: TYPE.TRIANGLES, per: 3, extra: 0, least: 3 },
  triangleStrip: { type: TYPE.TRIANGLE_STRIP, per: 1, extra: 2, least: 3 },
  triangleFan: { type: TYPE.TRIANGLE_FAN, per: 1, extra: 2, least: 3 },
};

/** The draw before, as far as the next one may be the same but for its constants and its range of vertices. */
interface LastDraw {
  readonly program: LinkedProgram;
  readonly primitive: PrimitiveRow;
  readonly mode: DrawInfo['mode'];
  readonly isIndexed: boolean;
  readonly baseVertex: number;
  /** Of the screen when the draw was done. */
  readonly changes: number;
  constantsVersion: number;
}

export class Drawer {
  readonly #context: EtnavivContext;
  /** Sixteen zero bytes and more: what attributes without a buffer read. */
  #zeros: BufferObject | null = null;
  readonly #links = new WeakMap<object, WeakMap<object, LinkedProgram>>();
  readonly #told = new Set<string>();
  #last: LastDraw | null = null;

  constructor(context: EtnavivContext) {
    this.#context = context;
  }

  destroy(): void {
    if (this.#zeros) this.#context.screen.releaseBuffer(this.#zeros);
    this.#zeros = null;
  }

  /** What the GPU can't do is said once in words, and the draw refused. */
  #refuse(message: string): PipeStatus {
    this.#tell(message);
    return 'tooComplex';
  }

  #tell(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    console.warn(`indium: ${message}`);
  }

  draw(info: DrawInfo): PipeStatus {
    const last = this.#last;
    if (last && this.#repeats(last, info)) return this.#repeat(last, info);
    this.#last = null;
    const context = this.#context;
    const { bindings, screen } = context;
    const primitive = PRIMITIVES[info.mode];
    const isPolygon = info.mode.startsWith('triangle');
    const rasterizer = bindings.rasterizer as EtnavivRasterizer;
    if (info.count < primitive.least || info.instanceCount < 1) return 'ok';
    if (rasterizer.description.rasterizerDiscard || isScissorEmpty(bindings)) return 'ok';
    if (isPolygon && rasterizer.cullMode === null) return 'ok';
    const vertexShader = bindings.vertexShader as EtnavivVertexShader;
    const fragmentShader = bindings.fragmentShader as EtnavivFragmentShader;
    const vertex = vertexShader.variant();
    const fragment = fragmentShader.variant(context.targets.fragmentKey());
    if (typeof vertex === 'string') return this.#refuse(vertex);
    if (typeof fragment === 'string') return this.#refuse(fragment);
    let links = this.#links.get(vertex);
    if (!links) this.#links.set(vertex, (links = new WeakMap()));
    let program = links.get(fragment);
    if (!program) links.set(fragment, (program = linkProgram(vertex, fragment)));
    this.#zeros ??= screen.createBuffer(64);
    if (!this.#zeros) return 'outOfMemory';

    const isStrip = this.#drawsLoopAsStrip(info);
    const parts = splitDraw(isStrip ? 'lineStrip' : info.mode, info.count + Number(isStrip));
    const isSplit = parts !== null && parts.length > 1;
    // Parts of instances would be drawn in another order, and a restart may begin anywhere.
    const hasParts = !isSplit || (info.instanceCount === 1 && !(info.indexBuffer && info.primitiveRestart));
    if (!parts || !hasParts || info.instanceCount > MAX_COMMAND_INSTANCES) {
      return this.#refuse(`${screen.name} has no command for ${info.instanceCount} × ${info.count} vertices`);
    }
    const fetch = planVertexFetch(screen, program, bindings, info, this.#zeros);
    if (typeof fetch === 'string') return this.#refuse(fetch);
    const loop = isStrip ? this.#loopIndices(info) : null;
    if (isStrip && !loop) return 'outOfMemory';
    try {
      return this.#drawFetched(info, program, parts, loop, fetch);
    } finally {
      if (loop) screen.releaseBuffer(loop);
    }
  }

  /** Streams that are too many become fewer. */
  #drawFetched(
    info: DrawInfo,
    program: LinkedProgram,
    parts: readonly DrawPart[],
    loop: BufferObject | null,
    fetch: VertexFetch,
  ): PipeStatus {
    const { screen } = this.#context;
    const most = screen.winsys.core.limits.streams;
    if (fetch.streams.length <= most) return this.#drawParts(info, program, parts, loop, fetch);
    if (fetch.streams.some(({ divisor }) => divisor > 0))
      return this.#refuse(`${screen.name} has ${most} vertex streams, the draw needs ${fetch.streams.length}`);
    const fewer = mergeStreams(screen, info, fetch, most);
    if (!fewer) return 'outOfMemory';
    try {
      return this.#drawParts(info, program, parts, loop, fewer);
    } finally {
      // The vertices of this draw alone.
      this.#last = null;
      screen.releaseBuffer(fewer.merged);
    }
  }

  /** GPUs without loops, and loops that no command holds. */
  #drawsLoopAsStrip({ mode, count, primitiveRestart }: DrawInfo): boolean {
    if (mode !== 'lineLoop') return false;
    const { features } = this.#context.screen.winsys.core;
    return !features.has('LINE_LOOP') || (count > MAX_COMMAND_VERTICES && !primitiveRestart);
  }

  #drawParts(
    info: DrawInfo,
    program: LinkedProgram,
    parts: readonly DrawPart[],
    loop: BufferObject | null,
    fetch: VertexFetch,
  ): PipeStatus {
    const context = this.#context;
    const { bindings, screen } = context;
    const vertexShader = bindings.vertexShader as EtnavivVertexShader;
    const fragmentShader = bindings.fragmentShader as EtnavivFragmentShader;
    const rasterizer = bindings.rasterizer as EtnavivRasterizer;
    const framebuffer = context.targets.bound();
    if (!framebuffer) return 'outOfMemory';
    const isStale = this.#updateTextures(program);
    context.beginStream();
    if (isStale) context.copies.flushTextures();
    context.targets.switchTo(framebuffer);
    const { stream } = context;
    const blend = bindings.blend as EtnavivBlend;
    const depthStencil = bindings.depthStencilAlpha as EtnavivDepthStencil;
    const isPoints = info.mode === 'points';
    const writesPointSize = isPoints && program.pointSizeRegister !== null;
    emitVertexFetch(stream, screen, fetch);
    emitFramebuffer(stream, screen, framebuffer, blend, bindings);
    emitBlendColor(stream, screen, bindings.blendColor, framebuffer.colors);
    const isEarly = testsDepthEarly(screen, framebuffer, depthStencil, blend, program);
    emitDepthStencil(stream, screen, framebuffer.depth, depthStencil, rasterizer, bindings, isEarly);
    emitRasterizer(stream, screen, rasterizer, bindings, framebuffer, program, isPoints, isEarly);
    emitInterface(stream, screen, program, framebuffer, writesPointSize);
    this.#guardPrograms();
    const hasAll =
      emitTextures(stream, screen, program, bindings.vertex, bindings.fragment) &&
      emitCode(stream, screen, program, { vertex: vertexShader, fragment: fragmentShader });
    if (hasAll) emitAllUniforms(stream, screen, program, bindings, false);
    stream.endBefore();
    if (!hasAll) return 'outOfMemory';
    const primitive = PRIMITIVES[loop ? 'lineStrip' : info.mode];
    const passes = samplePasses(screen, framebuffer.samples, blend, bindings);
    for (let pass = 0; pass < passes; pass++) {
      if (passes > 1 && !emitSamplePass(stream, framebuffer.samples, pass, bindings)) continue;
      for (const { first, count } of parts) {
        if (loop) this.#indexed(info, loop, first * 4, count, primitive, 4);
        else this.#part(info, primitive, first, count);
      }
    }
    context.targets.afterDraw(framebuffer);
    if (!loop && parts.length === 1 && passes === 1) {
      this.#last = {
        program,
        primitive,
        mode: info.mode,
        isIndexed: info.indexBuffer !== null,
        baseVertex: info.baseVertex,
        changes: screen.changes,
        constantsVersion: context.constantsVersion,
      };
    }
    return 'ok';
  }

  /** Code, uniforms and texture states are read by pixels that are still at work; the first GPUs see to that themselves. */
  #guardPrograms(): void {
    const { stream, screen } = this.#context;
    if (screen.facts.halti >= 0) stream.beforeNextState(stallFrontEndForPixels);
  }

  /** Nothing has changed since the draw before but constants, and which vertices are drawn. */
  #repeats(last: LastDraw, info: DrawInfo): boolean {
    const { screen, stream } = this.#context;
    return (
      last.changes === screen.changes &&
      last.mode === info.mode &&
      last.isIndexed === (info.indexBuffer !== null) &&
      last.baseVertex === info.baseVertex &&
      info.count >= last.primitive.least &&
      info.count <= MAX_COMMAND_VERTICES &&
      info.instanceCount >= 1 &&
      info.instanceCount <= MAX_COMMAND_INSTANCES &&
      !stream.isLong
    );
  }

  #repeat(last: LastDraw, info: DrawInfo): PipeStatus {
    const { bindings, screen, stream, constantsVersion } = this.#context;
    const { program, primitive } = last;
    if (last.constantsVersion !== constantsVersion) {
      this.#guardPrograms();
      emitAllUniforms(stream, screen, program, bindings, true);
      stream.endBefore();
      last.constantsVersion = constantsVersion;
    }
    this.#part(info, primitive, 0, info.count);
    return 'ok';
  }

  #part(info: DrawInfo, primitive: PrimitiveRow, first: number, count: number): void {
    if (!info.indexBuffer) {
      this.#sequential(info.start + first, count, info.instanceCount, primitive);
      return;
    }
    const { buffer } = (info.indexBuffer as EtnavivResource).base;
    const offsetBytes = info.indexOffsetBytes + (info.start + first) * info.indexSize;
    this.#indexed(info, buffer, offsetBytes, count, primitive, info.indexSize);
  }

  /**
   * Textures whose newest texels lie where only the pixel engine looks are copied to where samplers look. True: texture
   * caches may hold older texels.
   */
  #updateTextures(program: LinkedProgram): boolean {
    const { bindings, screen } = this.#context;
    let isStale = false;
    for (const [{ compiled }, stage] of [
      [program.vertex, bindings.vertex],
      [program.fragment, bindings.fragment],
    ] as const) {
      for (const { sampler, unit } of compiled.samplers) {
        const view = stage.views[sampler] as EtnavivSamplerView | null | undefined;
        if (!view) continue;
        const { resource, firstLevel, lastLevel } = view;
        if (!samplerStatus(screen, view, unit)) this.#context.copies.updateForSampling(resource, firstLevel, lastLevel);
        isStale ||= this.#context.copies.isStaleForSampling(resource.base.buffer);
      }
    }
    return isStale;
  }

  #sequential(start: number, count: number, instances: number, { type, per, extra }: PrimitiveRow): void {
    const { stream, screen } = this.#context;
    stream.set(R.FE_INDEX_STREAM_CONTROL, 0);
    if (screen.facts.halti >= 2) {
      this.#instanced(type, false, instances, count, start);
      return;
    }
    const primitives = Math.floor((count - extra) / per);
    stream.command((OP.DRAW_PRIMITIVES << 27) >>> 0, type, start, primitives);
  }

  #indexed(
    info: DrawInfo,
    buffer: BufferObject,
    offsetBytes: number,
    count: number,
    { type, per, extra }: PrimitiveRow,
    indexSize: 1 | 2 | 4,
  ): void {
    const { stream, screen } = this.#context;
    const { primitiveRestart, restartIndex } = info;
    emitIndexStream(stream, buffer, offsetBytes, { indexSize, primitiveRestart, restartIndex });
    if (screen.facts.halti >= 2) {
      this.#instanced(type, true, info.instanceCount, count, 0);
      return;
    }
    const primitives = Math.floor((count - extra) / per);
    stream.command((OP.DRAW_INDEXED_PRIMITIVES << 27) >>> 0, type, 0, primitives, 0, 0);
  }

  #instanced(type: number, isIndexed: boolean, instances: number, count: number, start: number): void {
    const header = (OP.DRAW_INSTANCED << 27) | (Number(isIndexed) << 20) | (type << 16) | (instances & 0xffff);
    this.#context.stream.command(header >>> 0, ((instances >>> 16) << 24) | (count & 0xffffff), start, 0);
  }

  /** Indices of a strip that closes the loop. Null: out of memory. */
  #loopIndices(info: DrawInfo): BufferObject | null {
    const { screen } = this.#context;
    const made = screen.createBuffer((info.count + 1) * 4);
    if (!made) return null;
    if (info.indexBuffer) {
      const { base, width } = info.indexBuffer as EtnavivResource;
      screen.prepareBuffer(base.buffer, false);
      const indices = wordsOf(made, info.count + 1);
      indexReader(info, width, () => base.buffer.map()).read(0, indices);
      screen.winsys.finish(base.buffer);
    } else {
      const indices = wordsOf(made, info.count);
      for (let i = 0; i < info.count; i++) indices[i] = info.start + i;
    }
    const indices = wordsOf(made, info.count + 1);
    indices[info.count] = indices[0]!;
    screen.winsys.finish(made);
    return made;
  }
}

function wordsOf(buffer: BufferObject, count: number): Uint32Array {
  const bytes = buffer.map();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
}
