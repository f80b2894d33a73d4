// The u_blitter of the driver: blits, clears and mip levels drawn with ordinary pipe calls, for backends that have no engine for
// them. It saves everything that is bound, draws, and restores it.

import { type Format, formatDescription, isDepthOrStencil } from '../../format/format.ts';
import {
  BIND,
  BLIT,
  type BlitInfo,
  type Box,
  CLEAR,
  type ClearInfo,
  type Context,
  type DrawInfo,
  type FragmentShaderState,
  MAP,
  type PipeStatus,
  type Rect,
  type Resource,
  type StencilFace,
  type Surface,
  type Swizzle,
  type TextureFilter,
} from '../../pipe/pipe.ts';
import { type Bindings, restoreBindings, saveBindings } from '../bindings.ts';
import { COPY_SLOTS, COPY_WORD, type CopyShaderKey } from './blit-shaders.ts';
import { BlitterStates } from './blitter-states.ts';
import { boxRect, intersect, levelBox, levelSize, orient, overlaps } from './boxes.ts';
import { type ColorViewKind, depthStencilAsColor } from './depth-stencil-formats.ts';
import { tapsOf } from './mipmap-taps.ts';
import { type Rectangle, singleTriangle, twoTriangles, VERTEX_FLOATS } from './rectangle.ts';
import { mapTexels, type TexelMapping } from './texel-mapping.ts';

export interface BlitterOptions {
  /** Draw NEAREST blits as one triangle (see `rectangle.ts`). Never used for clears. */
  readonly singleTriangleNearest: boolean;
  /** Find texels of NEAREST blits by integer arithmetic. Wants `caps.nativeIntegers`. */
  readonly exactNearest: boolean;
  /** How depth and stencil bytes are copied as colours. */
  readonly depthStencilViews: ColorViewKind;
  /**
   * A single-sampled copy of one layer of a multisampled resource, seen as `format` (averaged, or sample 0 for integers,
   * depth and stencil); null when there is no memory. The blitter destroys it. Null option: the blitter never gets
   * multisampled sources.
   */
  readonly resolve: ((resource: Resource, layer: number, format: Format) => Resource | null) | null;
}

const MAX_VERTICES = 6;
const IDENTITY: readonly [Swizzle, Swizzle, Swizzle, Swizzle] = ['x', 'y', 'z', 'w'];

/** Formats whose bytes can be filtered and rendered as another format of the same layout. */
const RENDERABLE_TWIN: Partial<Record<Format, Format>> = {
  L8_UNORM: 'R8_UNORM',
  A8_UNORM: 'R8_UNORM',
  I8_UNORM: 'R8_UNORM',
  L8A8_UNORM: 'R8G8_UNORM',
  L16_UNORM: 'R16_UNORM',
  A16_UNORM: 'R16_UNORM',
  L16A16_UNORM: 'R16G16_UNORM',
  L16_FLOAT: 'R16_FLOAT',
  A16_FLOAT: 'R16_FLOAT',
  L16A16_FLOAT: 'R16G16_FLOAT',
  L32_FLOAT: 'R32_FLOAT',
  A32_FLOAT: 'R32_FLOAT',
  L32A32_FLOAT: 'R32G32_FLOAT',
};

/** A blit seen as colours. */
interface ColorBlit {
  readonly sourceFormat: Format;
  readonly destinationFormat: Format;
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
  readonly colorMask: number;
  readonly filter: TextureFilter;
}

/** One layer of a copy: what is read. */
interface SourceLayer {
  readonly resource: Resource;
  readonly level: number;
  readonly layer: number;
}

export class Blitter {
  readonly #context: Context;
  readonly #bindings: Bindings;
  readonly #options: BlitterOptions;
  readonly #states: BlitterStates;
  readonly #vertices = new Float32Array(MAX_VERTICES * VERTEX_FLOATS);
  readonly #constants = new Int32Array(COPY_SLOTS * 4);
  readonly #draw: DrawInfo = {
    mode: 'triangles',
    start: 0,
    count: 3,
    instanceCount: 1,
    startInstance: 0,
    indexBuffer: null,
    indexOffsetBytes: 0,
    indexSize: 2,
    baseVertex: 0,
    primitiveRestart: false,
    restartIndex: 0,
    drawId: 0,
  };
  #vertexBuffer: Resource | null = null;

  /** `bindings` is what the backend keeps current about `context`. */
  constructor(context: Context, bindings: Bindings, options: BlitterOptions) {
    this.#context = context;
    this.#bindings = bindings;
    this.#options = options;
    this.#states = new BlitterStates(context);
  }

  /** Compiled shaders, for tests. */
  get shaderCount(): number {
    return this.#states.fragmentShaderCount;
  }

  /** Draws a blit. Everything bound is the same afterwards; queries and stream output see nothing of it. */
  blit(info: BlitInfo): PipeStatus {
    const { filter, destination, source, mask } = info;
    if (mask & BLIT.COLOR) {
      return this.#blitAs(info, {
        sourceFormat: source.format,
        destinationFormat: destination.format,
        swizzle: IDENTITY,
        colorMask: 15,
        filter,
      });
    }
    const copy = depthStencilAsColor(source.format, destination.format, mask, this.#options.depthStencilViews);
    if (copy === null) {
      throw new Error(`blit: no copy of depth or stencil from ${source.format} to ${destination.format}`);
    }
    return copy.colorMask === 0 ? 'ok' : this.#blitAs(info, { ...copy, filter: 'nearest' });
  }

  #blitAs(info: BlitInfo, blit: ColorBlit): PipeStatus {
    return this.#guarded(info.followsRenderCondition, () => {
      if (!this.#readsItsTarget(info)) return this.#blitLayers(info, blit, null);
      const copy = this.#copySource(info);
      if (copy === null) return 'outOfMemory';
      const status = this.#blitLayers(info, blit, copy);
      copy.destroy();
      return status;
    });
  }

  /** Source and destination share texels: the blit would read what it has just written. */
  #readsItsTarget({ source, destination }: BlitInfo): boolean {
    return (
      source.resource === destination.resource &&
      source.level === destination.level &&
      source.resource.samples === 1 &&
      overlaps(source.box, destination.box)
    );
  }

  /** The level's layers that a blit reads, as they are now. Null: no memory. */
  #copySource({ source: { resource, level, box } }: BlitInfo): Resource | null {
    const size = levelSize(resource, level);
    const layers = Math.abs(box.depth);
    const copy = this.#context.screen.createResource({
      target: 'texture2DArray',
      format: resource.format,
      width: size.width,
      height: size.height,
      depth: 1,
      arraySize: layers,
      levels: 1,
      samples: 1,
      bind: BIND.SAMPLER_VIEW,
      usage: 'default',
    });
    if (copy === null) return null;
    const all = { x: 0, y: 0, z: box.z, width: size.width, height: size.height, depth: layers };
    if (this.#context.copyRegion(copy, 0, 0, 0, 0, resource, level, all) === 'ok') return copy;
    copy.destroy();
    return null;
  }

  /** `copy`: where the source's layers are read from instead; its layer 0 is the first of the box. */
  #blitLayers(info: BlitInfo, blit: ColorBlit, copy: Resource | null): PipeStatus {
    const { source, destination, scissor } = info;
    const layers = Math.abs(destination.box.depth);
    for (let layer = 0; layer < layers; layer++) {
      const offset = Math.floor(((layer + 0.5) * source.box.depth) / layers);
      let from: SourceLayer = { resource: source.resource, level: source.level, layer: source.box.z + offset };
      let resolved: Resource | null = null;
      if (copy !== null) from = { resource: copy, level: 0, layer: offset };
      else if (from.resource.samples > 1) {
        resolved = this.#options.resolve?.(from.resource, from.layer, blit.sourceFormat) ?? null;
        if (resolved === null) return 'outOfMemory';
        from = { resource: resolved, level: 0, layer: 0 };
      }
      const z = destination.box.z + layer;
      const surface: Surface = {
        resource: destination.resource,
        level: destination.level,
        firstLayer: z,
        lastLayer: z,
        format: blit.destinationFormat,
      };
      const status = this.#copyLayer(from, surface, blit, source.box, destination.box, scissor);
      resolved?.destroy();
      if (status !== 'ok') return status;
    }
    return 'ok';
  }

  #copyLayer(
    from: SourceLayer,
    to: Surface,
    blit: ColorBlit,
    sourceBox: Box,
    destinationBox: Box,
    scissor: Rect | null,
  ): PipeStatus {
    const box = orient(sourceBox, destinationBox);
    const { width, height } = levelSize(to.resource, to.level);
    const visible = intersect(boxRect(box.destination), scissor, width, height);
    if (visible.minX >= visible.maxX || visible.minY >= visible.maxY) return 'ok';
    const { source, destination } = box;
    const exact = this.#options.exactNearest && blit.filter === 'nearest';
    const mapX = exact ? mapTexels(source.x, source.width, destination.x, destination.width, visible.minX) : null;
    const mapY = exact ? mapTexels(source.y, source.height, destination.y, destination.height, visible.minY) : null;
    const isExact = mapX !== null && mapY !== null;
    const isUnscaled = isExact && mapX.isUnscaled && mapY.isUnscaled;
    const { numericClass } = formatDescription(blit.sourceFormat);
    const key: CopyShaderKey = {
      dim: from.resource.target === 'texture3D' ? '3d' : '2d',
      resultType: numericClass === 'int' || numericClass === 'uint' ? numericClass : 'float',
      mode: blit.filter === 'linear' ? 'linear' : isUnscaled ? 'unscaled' : isExact ? 'exact' : 'interpolated',
      flipX: isExact && mapX.isFlipped,
      flipY: isExact && mapY.isFlipped,
      swizzle: blit.swizzle,
    };
    this.#setCopyConstants(mapX, mapY, from);
    const isSingle = this.#options.singleTriangleNearest && blit.filter === 'nearest';
    return this.#drawTextured(
      from,
      blit.sourceFormat,
      to,
      this.#states.copyShader(key),
      blit.filter,
      blit.colorMask,
      visible,
      textureRectangle(source, destination, from, blit.filter === 'linear'),
      isSingle,
    );
  }

  #setCopyConstants(x: TexelMapping | null, y: TexelMapping | null, from: SourceLayer): void {
    const ints = this.#constants;
    if (x !== null && y !== null) {
      ints.set([x.origin, y.origin], COPY_WORD.origin);
      ints.set([x.step, y.step], COPY_WORD.step);
      ints.set([x.first, y.first], COPY_WORD.first);
      ints.set([x.divisor, y.divisor], COPY_WORD.divisor);
      ints.set([x.offset, y.offset], COPY_WORD.offset);
    }
    ints[COPY_WORD.slice] = from.layer;
    const { depth } = levelSize(from.resource, from.level);
    new Float32Array(ints.buffer)[COPY_WORD.normalizedSlice] = (from.layer + 0.5) / depth;
  }

  /** Draws into one surface with one texture bound, whose constants are set. */
  #drawTextured(
    from: SourceLayer,
    format: Format,
    to: Surface,
    shader: FragmentShaderState,
    filter: TextureFilter,
    colorMask: number,
    scissor: Rect,
    rectangle: Rectangle,
    isSingle: boolean,
  ): PipeStatus {
    const context = this.#context;
    const { width, height } = levelSize(to.resource, to.level);
    const is3D = from.resource.target === 'texture3D';
    const view = context.createSamplerView({
      resource: from.resource,
      target: is3D ? 'texture3D' : 'texture2D',
      format,
      aspect: 'color',
      firstLevel: from.level,
      lastLevel: from.level,
      firstLayer: is3D ? 0 : from.layer,
      lastLayer: is3D ? 0 : from.layer,
      swizzle: IDENTITY,
    });
    context.setFramebufferState({
      width,
      height,
      samples: to.resource.samples,
      layers: 1,
      colors: [to],
      depthStencil: null,
    });
    this.#bindCommon(width, height, 0);
    context.bindBlendState(this.#states.blend([colorMask]));
    context.bindDepthStencilAlphaState(
      this.#states.depthStencil({ depthTest: false, depthWrite: false, depthFunc: 'always', stencil: null }),
    );
    context.bindFragmentShaderState(shader);
    context.setConstants('fragment', new Uint32Array(this.#constants.buffer));
    context.bindSamplerStates('fragment', [this.#states.sampler(filter)]);
    context.setSamplerViews('fragment', [view]);
    context.setScissor(scissor);
    const status = this.#drawRectangle(rectangle, width, height, isSingle);
    context.setSamplerViews('fragment', []);
    view.destroy();
    return status;
  }

  /** Draws a clear of the bound framebuffer; for clears that are scissored, masked or in the middle of a job. */
  clear(info: ClearInfo): PipeStatus {
    return this.#guarded(true, () => {
      const context = this.#context;
      const { width, height, colors } = this.#bindings.framebuffer;
      const masks = colors.map((surface, i) =>
        surface && info.buffers & (CLEAR.COLOR0 << i) ? (info.colorMasks[i] ?? info.colorMasks[0] ?? 15) : 0,
      );
      const depth = (info.buffers & CLEAR.DEPTH) !== 0;
      const stencil = (info.buffers & CLEAR.STENCIL) !== 0 && info.stencilWriteMask !== 0;
      const face: StencilFace = {
        func: 'always',
        failOp: 'keep',
        depthFailOp: 'replace',
        passOp: 'replace',
        compareMask: 0xff,
        writeMask: info.stencilWriteMask & 0xff,
      };
      this.#bindCommon(width, height, info.depth);
      context.bindBlendState(this.#states.blend(masks.length > 0 ? masks : [0]));
      context.bindDepthStencilAlphaState(
        this.#states.depthStencil({
          depthTest: depth,
          depthWrite: depth,
          depthFunc: 'always',
          stencil: stencil ? { front: face, back: face } : null,
        }),
      );
      context.setStencilReference({ front: info.stencil & 0xff, back: info.stencil & 0xff });
      context.bindFragmentShaderState(this.#states.clearShader(masks.length));
      context.setConstants('fragment', info.color.uint);
      const all = { minX: 0, minY: 0, maxX: width, maxY: height };
      context.setScissor(intersect(all, info.scissor, width, height));
      const rectangle: Rectangle = { x0: 0, y0: 0, x1: width, y1: height, u0: 0, v0: 0, u1: 0, v1: 0 };
      return this.#drawRectangle(rectangle, width, height, false);
    });
  }

  /** Fills levels baseLevel + 1 … lastLevel, each from the one before: box-filtered, or by NEAREST copies of what has no mean. */
  generateMipmap(
    resource: Resource,
    format: Format,
    baseLevel: number,
    lastLevel: number,
    firstLayer: number,
    lastLayer: number,
  ): PipeStatus {
    const viewFormat = RENDERABLE_TWIN[format] ?? format;
    const is3D = resource.target === 'texture3D';
    return this.#guarded(false, () => {
      for (let level = baseLevel + 1; level <= lastLevel; level++) {
        const first = is3D ? 0 : firstLayer;
        const last = is3D ? levelSize(resource, level).depth - 1 : lastLayer;
        for (let layer = first; layer <= last; layer++) {
          const status = this.#mipLayer(resource, viewFormat, level, layer);
          if (status !== 'ok') return status;
        }
      }
      return 'ok';
    });
  }

  #mipLayer(resource: Resource, format: Format, level: number, layer: number): PipeStatus {
    const above = levelSize(resource, level - 1);
    const size = levelSize(resource, level);
    const from: SourceLayer = { resource, level: level - 1, layer };
    const to: Surface = { resource, level, firstLayer: layer, lastLayer: layer, format };
    if (formatDescription(format).numericClass !== 'float') {
      return this.#mipNearest(from, to);
    }
    const is3D = resource.target === 'texture3D';
    this.#constants.set([size.width, size.height, size.depth, layer]);
    const shader = this.#states.mipmapShader({
      dim: is3D ? '3d' : '2d',
      tapsX: tapsOf(above.width),
      tapsY: tapsOf(above.height),
      tapsZ: is3D ? tapsOf(above.depth) : 1,
    });
    const all = { minX: 0, minY: 0, maxX: size.width, maxY: size.height };
    const rectangle: Rectangle = { x0: 0, y0: 0, x1: size.width, y1: size.height, u0: 0, v0: 0, u1: 0, v1: 0 };
    return this.#drawTextured(from, format, to, shader, 'nearest', 15, all, rectangle, false);
  }

  /**
   * Samples that a backend keeps as texels side by side become one texel each block: their mean, or the block's first texel
   * where `format` has no mean. `from` is `scaleX` × `scaleY` times as large as `to`; both are single-sampled.
   */
  resolveBlocks(from: Resource, to: Resource, format: Format, scaleX: 1 | 2, scaleY: 1 | 2): PipeStatus {
    const { width, height } = to;
    const source: SourceLayer = { resource: from, level: 0, layer: 0 };
    const surface: Surface = { resource: to, level: 0, firstLayer: 0, lastLayer: 0, format };
    return this.#guarded(false, () => {
      if (formatDescription(format).numericClass === 'float' && !isDepthOrStencil(from.format)) {
        this.#constants.set([width, height, 1, 0]);
        const shader = this.#states.mipmapShader({ dim: '2d', tapsX: scaleX, tapsY: scaleY, tapsZ: 1 });
        const all = { minX: 0, minY: 0, maxX: width, maxY: height };
        const rectangle: Rectangle = { x0: 0, y0: 0, x1: width, y1: height, u0: 0, v0: 0, u1: 0, v1: 0 };
        return this.#drawTextured(source, format, surface, shader, 'nearest', 15, all, rectangle, false);
      }
      const blit: ColorBlit = {
        sourceFormat: format,
        destinationFormat: format,
        swizzle: IDENTITY,
        colorMask: 15,
        filter: 'nearest',
      };
      // A pixel takes the texel at its centre: moved by half a block, that is the first one.
      const samples = { ...levelBox(from, 0), x: 1 - scaleX, y: 1 - scaleY };
      return this.#copyLayer(source, surface, blit, samples, levelBox(to, 0), null);
    });
  }

  /** Every second texel of the level above. */
  #mipNearest(from: SourceLayer, to: Surface): PipeStatus {
    const { format } = to;
    const mask = BLIT.DEPTH | BLIT.STENCIL;
    const depthStencil = depthStencilAsColor(format, format, mask, this.#options.depthStencilViews);
    const blit: ColorBlit = {
      sourceFormat: depthStencil?.sourceFormat ?? format,
      destinationFormat: depthStencil?.destinationFormat ?? format,
      swizzle: depthStencil?.swizzle ?? IDENTITY,
      colorMask: depthStencil?.colorMask ?? 15,
      filter: 'nearest',
    };
    const surface = { ...to, format: blit.destinationFormat };
    const boxes = [levelBox(from.resource, from.level), levelBox(to.resource, to.level)] as const;
    return this.#copyLayer(from, surface, blit, boxes[0], boxes[1], null);
  }

  /** Saves, pauses what must not see the blitter's draws, runs, restores. Nests: each level has a snapshot of its own. */
  #guarded(followsRenderCondition: boolean, work: () => PipeStatus): PipeStatus {
    const context = this.#context;
    const saved = saveBindings(this.#bindings);
    context.setActiveQueryState(false);
    context.setStreamOutputTargets([], true);
    if (!followsRenderCondition) context.renderCondition(null, false, false);
    try {
      return work();
    } finally {
      restoreBindings(context, saved);
    }
  }

  /** Vertex stage, viewport over the whole target, rasterizer with scissor. z is `depth` everywhere. */
  #bindCommon(width: number, height: number, depth: number): void {
    const context = this.#context;
    context.bindVertexShaderState(this.#states.vertexShader);
    context.bindVertexElementsState(this.#states.vertexElements);
    context.bindRasterizerState(this.#states.rasterizer);
    context.setSampleMask(0xffffffff);
    context.setSampleCoverage(1, false);
    context.setViewport({ scale: [width / 2, height / 2, 0], translate: [width / 2, height / 2, depth] });
  }

  #drawRectangle(rectangle: Rectangle, width: number, height: number, isSingle: boolean): PipeStatus {
    const context = this.#context;
    const fill = isSingle ? singleTriangle : twoTriangles;
    const count = fill(this.#vertices, rectangle, width, height);
    this.#vertexBuffer ??= context.screen.createResource({
      target: 'buffer',
      format: 'R8_UNORM',
      width: this.#vertices.byteLength,
      height: 1,
      depth: 1,
      arraySize: 1,
      levels: 1,
      samples: 1,
      bind: BIND.VERTEX_BUFFER,
      usage: 'stream',
    });
    if (this.#vertexBuffer === null) return 'outOfMemory';
    const bytes = new Uint8Array(this.#vertices.buffer, 0, count * VERTEX_FLOATS * 4);
    const status = context.bufferSubdata(this.#vertexBuffer, MAP.WRITE | MAP.DISCARD_WHOLE_RESOURCE, 0, bytes);
    if (status !== 'ok') return status;
    context.setVertexBuffers([{ buffer: this.#vertexBuffer, offsetBytes: 0, strideBytes: VERTEX_FLOATS * 4 }]);
    this.#draw.count = count;
    return context.drawVbo(this.#draw);
  }

  destroy(): void {
    this.#states.destroy();
    this.#vertexBuffer?.destroy();
    this.#vertexBuffer = null;
  }
}

function textureRectangle(source: Box, destination: Box, from: SourceLayer, isNormalized: boolean): Rectangle {
  const { width, height } = levelSize(from.resource, from.level);
  const scaleX = isNormalized ? 1 / width : 1;
  const scaleY = isNormalized ? 1 / height : 1;
  return {
    x0: destination.x,
    y0: destination.y,
    x1: destination.x + destination.width,
    y1: destination.y + destination.height,
    u0: source.x * scaleX,
    v0: source.y * scaleY,
    u1: (source.x + source.width) * scaleX,
    v1: (source.y + source.height) * scaleY,
  };
}
