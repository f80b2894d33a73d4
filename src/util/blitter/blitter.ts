// The u_blitter of the driver: blits, clears and mip levels drawn with ordinary pipe calls, for backends that have no engine for
// them. It saves everything that is bound, draws, and restores it.

import { type Format, formatDescription, isDepthOrStencil } from '../../format/format.ts';
import {
  BIND,
  BLIT,
  type BlendDescription,
  type BlendState,
  type BlitInfo,
  type Box,
  CLEAR,
  type ClearInfo,
  type Context,
  type DepthStencilAlphaDescription,
  type DepthStencilAlphaState,
  type DrawInfo,
  type FragmentShaderState,
  MAP,
  type PipeStatus,
  type RasterizerState,
  type Rect,
  type Resource,
  type SamplerState,
  type StencilFace,
  type Surface,
  type Swizzle,
  type TextureFilter,
  type VertexElementsState,
  type VertexShaderState,
} from '../../pipe/pipe.ts';
import { type Bindings, restoreBindings, saveBindings } from '../bindings.ts';
import {
  COPY_SLOTS,
  type CopyShaderKey,
  createClearShader,
  createCopyShader,
  createVertexShader,
} from './blit-shaders.ts';
import { depthStencilAsColor } from './depth-stencil-formats.ts';
import { type Rectangle, singleTriangle, twoTriangles, VERTEX_FLOATS } from './rectangle.ts';

export interface BlitterOptions {
  /** Draw NEAREST blits as one triangle (see `rectangle.ts`). Never used for clears. */
  readonly singleTriangleNearest: boolean;
  /** Find texels of NEAREST blits by integer arithmetic. Wants `caps.nativeIntegers`. */
  readonly exactNearest: boolean;
  /**
   * A single-sampled copy of one layer of a multisampled resource, seen as `format` (averaged, or sample 0 for integers,
   * depth and stencil); null when there is no memory. The blitter destroys it.
   */
  readonly resolve: ((resource: Resource, layer: number, format: Format) => Resource | null) | null;
}

const MAX_VERTICES = 6;
const IDENTITY: readonly [Swizzle, Swizzle, Swizzle, Swizzle] = ['x', 'y', 'z', 'w'];

/** Formats whose bytes can be filtered and rendered as another format of the same layout. */
const RENDERABLE_TWIN: Partial<Record<Format, Format>> = {
  L8_UNORM: 'R8_UNORM',
  A8_UNORM: 'R8_UNORM',
  L8A8_UNORM: 'R8G8_UNORM',
};

/** The pieces of one copy, resolved and seen as colours. */
interface Copy {
  readonly source: Resource;
  readonly sourceLevel: number;
  readonly sourceFormat: Format;
  readonly sourceLayer: number;
  readonly destination: Surface;
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
  readonly colorMask: number;
  readonly filter: TextureFilter;
  /** Normalized slice of a 3D source, for filtered copies. */
  readonly slice: number;
}

export class Blitter {
  readonly #context: Context;
  readonly #bindings: Bindings;
  readonly #options: BlitterOptions;
  readonly #copyShaders = new Map<string, FragmentShaderState>();
  readonly #clearShaders = new Map<number, FragmentShaderState>();
  readonly #blends = new Map<string, BlendState>();
  readonly #depthStencils = new Map<string, DepthStencilAlphaState>();
  readonly #samplers = new Map<TextureFilter, SamplerState>();
  readonly #vertices = new Float32Array(MAX_VERTICES * VERTEX_FLOATS);
  readonly #constants = new Uint32Array(COPY_SLOTS * 4);
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
  #vertexShader: VertexShaderState | null = null;
  #vertexElements: VertexElementsState | null = null;
  #rasterizer: RasterizerState | null = null;
  #vertexBuffer: Resource | null = null;

  /** `bindings` is what the backend keeps current about `context`. */
  constructor(context: Context, bindings: Bindings, options: BlitterOptions) {
    this.#context = context;
    this.#bindings = bindings;
    this.#options = options;
  }

  /** Draws a blit. Everything bound is the same afterwards; queries and stream output see nothing of it. */
  blit(info: BlitInfo): PipeStatus {
    const { filter, destination, source, mask } = info;
    return this.#guarded(info.followsRenderCondition, () => {
      if (mask & BLIT.COLOR) {
        return this.#blitAs(info, source.format, destination.format, IDENTITY, 15, filter);
      }
      const copy = depthStencilAsColor(source.format, destination.format, mask);
      if (copy === null) {
        throw new Error(`blit: no copy of depth or stencil from ${source.format} to ${destination.format}`);
      }
      return this.#blitAs(info, copy.sourceFormat, copy.destinationFormat, copy.swizzle, copy.colorMask, 'nearest');
    });
  }

  #blitAs(
    info: BlitInfo,
    sourceFormat: Format,
    destinationFormat: Format,
    swizzle: Copy['swizzle'],
    colorMask: number,
    filter: TextureFilter,
  ): PipeStatus {
    const { source, destination, scissor } = info;
    const layers = Math.max(1, Math.abs(destination.box.depth));
    for (let layer = 0; layer < layers; layer++) {
      const sourceLayer = source.box.z + Math.floor(((layer + 0.5) * source.box.depth) / layers);
      let resource = source.resource;
      let resolved: Resource | null = null;
      if (resource.samples > 1) {
        resolved = this.#options.resolve?.(resource, sourceLayer, sourceFormat) ?? null;
        if (resolved === null) return 'outOfMemory';
        resource = resolved;
      }
      const status = this.#copy(
        {
          source: resource,
          sourceLevel: resolved ? 0 : source.level,
          sourceFormat,
          sourceLayer: resolved ? 0 : sourceLayer,
          destination: {
            resource: destination.resource,
            level: destination.level,
            firstLayer: destination.box.z + layer,
            lastLayer: destination.box.z + layer,
            format: destinationFormat,
          },
          swizzle,
          colorMask,
          filter,
          slice: (sourceLayer + 0.5) / Math.max(1, resource.depth >> source.level),
        },
        source.box,
        destination.box,
        scissor,
      );
      resolved?.destroy();
      if (status !== 'ok') return status;
    }
    return 'ok';
  }

  #copy(copy: Copy, sourceBox: Box, destinationBox: Box, scissor: Rect | null): PipeStatus {
    const box = orient(sourceBox, destinationBox);
    if (box.destination.width === 0 || box.destination.height === 0) return 'ok';
    const { resource, level } = copy.destination;
    const width = Math.max(1, resource.width >> level);
    const height = Math.max(1, resource.height >> level);
    const is3D = copy.source.target === 'texture3D';
    const { numericClass } = formatDescription(copy.sourceFormat);
    const mode = copy.filter === 'linear' ? 'linear' : this.#options.exactNearest ? 'exact' : 'interpolated';
    const key: CopyShaderKey = {
      dim: is3D ? '3d' : '2d',
      resultType: numericClass === 'int' || numericClass === 'uint' ? numericClass : 'float',
      mode,
      flipX: mode === 'exact' && box.source.width < 0,
      flipY: mode === 'exact' && box.source.height < 0,
      swizzle: copy.swizzle,
    };
    const view = this.#context.createSamplerView({
      resource: copy.source,
      target: is3D ? 'texture3D' : 'texture2D',
      format: copy.sourceFormat,
      aspect: 'color',
      firstLevel: copy.sourceLevel,
      lastLevel: copy.sourceLevel,
      firstLayer: is3D ? 0 : copy.sourceLayer,
      lastLayer: is3D ? 0 : copy.sourceLayer,
      swizzle: IDENTITY,
    });
    this.#bindTarget([copy.destination], null, width, height, resource.samples, 0, 1);
    this.#bindBlend([copy.colorMask]);
    this.#bindDepthStencil({ depthTest: false, depthWrite: false, depthFunc: 'always', stencil: null });
    this.#context.bindFragmentShaderState(this.#copyShader(key));
    this.#context.bindSamplerStates('fragment', [this.#sampler(copy.filter)]);
    this.#context.setSamplerViews('fragment', [view]);
    this.#setCopyConstants(copy, box.source, box.destination);
    this.#context.setScissor(intersect(boxRect(box.destination), scissor, width, height));
    const status = this.#drawRectangle(
      textureRectangle(box.source, box.destination, copy, mode === 'linear'),
      width,
      height,
      this.#options.singleTriangleNearest && copy.filter === 'nearest',
    );
    this.#context.setSamplerViews('fragment', []);
    view.destroy();
    return status;
  }

  #setCopyConstants(copy: Copy, source: Box, destination: Box): void {
    const ints = new Int32Array(this.#constants.buffer);
    ints.set([source.x, source.y, Math.abs(source.width), Math.abs(source.height)], 0);
    ints.set([destination.x, destination.y, destination.width, destination.height], 4);
    ints[8] = copy.sourceLayer;
    new Float32Array(this.#constants.buffer)[9] = copy.slice;
    this.#context.setConstants('fragment', this.#constants);
  }

  /** Draws a clear of the bound framebuffer; for clears that are scissored, masked or in the middle of a job. */
  clear(info: ClearInfo): PipeStatus {
    return this.#guarded(true, () => {
      const { width, height, colors } = this.#bindings.framebuffer;
      const masks = colors.map((surface, i) =>
        surface && info.buffers & (CLEAR.COLOR0 << i) ? (info.colorMasks[i] ?? info.colorMasks[0] ?? 15) : 0,
      );
      const depth = (info.buffers & CLEAR.DEPTH) !== 0;
      const stencil = (info.buffers & CLEAR.STENCIL) !== 0 && info.stencilWriteMask !== 0;
      this.#bindCommon(width, height, info.depth, 0);
      this.#bindBlend(masks.length > 0 ? masks : [0]);
      const face: StencilFace = {
        func: 'always',
        failOp: 'keep',
        depthFailOp: 'replace',
        passOp: 'replace',
        compareMask: 0xff,
        writeMask: info.stencilWriteMask & 0xff,
      };
      this.#bindDepthStencil({
        depthTest: depth,
        depthWrite: depth,
        depthFunc: 'always',
        stencil: stencil ? { front: face, back: face } : null,
      });
      this.#context.setStencilReference({ front: info.stencil & 0xff, back: info.stencil & 0xff });
      this.#context.bindFragmentShaderState(this.#clearShader(masks.length));
      this.#context.setConstants('fragment', info.color.uint);
      this.#context.setScissor(intersect({ minX: 0, minY: 0, maxX: width, maxY: height }, info.scissor, width, height));
      const all: Rectangle = { x0: 0, y0: 0, x1: width, y1: height, u0: 0, v0: 0, u1: 0, v1: 0 };
      return this.#drawRectangle(all, width, height, false);
    });
  }

  /** Fills levels baseLevel + 1 … lastLevel, each by a LINEAR copy of the one before. */
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
        const depth = Math.max(1, resource.depth >> level);
        const layers = is3D ? { first: 0, last: depth - 1 } : { first: firstLayer, last: lastLayer };
        for (let layer = layers.first; layer <= layers.last; layer++) {
          const status = this.#copy(
            {
              source: resource,
              sourceLevel: level - 1,
              sourceFormat: viewFormat,
              sourceLayer: layer,
              destination: { resource, level, firstLayer: layer, lastLayer: layer, format: viewFormat },
              swizzle: IDENTITY,
              colorMask: 15,
              filter: isDepthOrStencil(format) ? 'nearest' : 'linear',
              slice: (layer + 0.5) / depth,
            },
            levelBox(resource, level - 1),
            levelBox(resource, level),
            null,
          );
          if (status !== 'ok') return status;
        }
      }
      return 'ok';
    });
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

  #bindTarget(
    colors: readonly Surface[],
    depthStencil: Surface | null,
    width: number,
    height: number,
    samples: number,
    depth: number,
    depthScale: number,
  ): void {
    this.#context.setFramebufferState({ width, height, samples, layers: 1, colors, depthStencil });
    this.#bindCommon(width, height, depth, depthScale);
  }

  /** Vertex stage, viewport over the whole target, rasterizer with scissor. z is `depth` everywhere when `depthScale` is 0. */
  #bindCommon(width: number, height: number, depth: number, depthScale: number): void {
    const context = this.#context;
    this.#vertexShader ??= context.createVertexShaderState({ ir: createVertexShader(), streamOutput: null });
    this.#vertexElements ??= context.createVertexElementsState({
      elements: [0, 16].map((offsetBytes) => ({
        bufferIndex: 0,
        offsetBytes,
        format: 'R32G32B32A32_FLOAT',
        instanceDivisor: 0,
      })),
    });
    this.#rasterizer ??= context.createRasterizerState({
      frontCounterClockwise: true,
      cullFace: 'none',
      polygonMode: 'fill',
      scissor: true,
      rasterizerDiscard: false,
      depthClip: true,
      clipHalfZ: false,
      multisample: true,
      lineWidth: 1,
      pointSize: 1,
      provokingVertexFirst: false,
      pointCoordUpperLeft: true,
      polygonOffset: null,
      clipDistances: 0,
    });
    context.bindVertexShaderState(this.#vertexShader);
    context.bindVertexElementsState(this.#vertexElements);
    context.bindRasterizerState(this.#rasterizer);
    context.setSampleMask(0xffffffff);
    context.setSampleCoverage(1, false);
    context.setViewport({ scale: [width / 2, height / 2, depthScale], translate: [width / 2, height / 2, depth] });
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

  #bindBlend(masks: readonly number[]): void {
    const key = masks.join();
    let state = this.#blends.get(key);
    if (state === undefined) {
      const description: BlendDescription = {
        targets: masks.map((colorMask) => ({
          enabled: false,
          equationRgb: 'add',
          sourceRgb: 'one',
          destinationRgb: 'zero',
          equationAlpha: 'add',
          sourceAlpha: 'one',
          destinationAlpha: 'zero',
          colorMask,
        })),
        alphaToCoverage: false,
        alphaToOne: false,
        dither: false,
      };
      state = this.#context.createBlendState(description);
      this.#blends.set(key, state);
    }
    this.#context.bindBlendState(state);
  }

  #bindDepthStencil(description: DepthStencilAlphaDescription): void {
    const key = JSON.stringify(description);
    let state = this.#depthStencils.get(key);
    if (state === undefined) {
      state = this.#context.createDepthStencilAlphaState(description);
      this.#depthStencils.set(key, state);
    }
    this.#context.bindDepthStencilAlphaState(state);
  }

  #copyShader(key: CopyShaderKey): FragmentShaderState {
    const text = JSON.stringify(key);
    let state = this.#copyShaders.get(text);
    if (state === undefined) {
      state = this.#context.createFragmentShaderState({ ir: createCopyShader(key), streamOutput: null });
      this.#copyShaders.set(text, state);
    }
    return state;
  }

  #clearShader(targets: number): FragmentShaderState {
    let state = this.#clearShaders.get(targets);
    if (state === undefined) {
      state = this.#context.createFragmentShaderState({ ir: createClearShader(targets), streamOutput: null });
      this.#clearShaders.set(targets, state);
    }
    return state;
  }

  #sampler(filter: TextureFilter): SamplerState {
    let state = this.#samplers.get(filter);
    if (state === undefined) {
      state = this.#context.createSamplerState({
        wrapS: 'clampToEdge',
        wrapT: 'clampToEdge',
        wrapR: 'clampToEdge',
        minFilter: filter,
        magFilter: filter,
        mipFilter: 'none',
        compare: null,
        lodBias: 0,
        minLod: 0,
        maxLod: 0,
        maxAnisotropy: 1,
        seamlessCube: false,
        borderColor: [0, 0, 0, 0],
      });
      this.#samplers.set(filter, state);
    }
    return state;
  }

  destroy(): void {
    const context = this.#context;
    if (this.#vertexShader) context.deleteVertexShaderState(this.#vertexShader);
    if (this.#vertexElements) context.deleteVertexElementsState(this.#vertexElements);
    if (this.#rasterizer) context.deleteRasterizerState(this.#rasterizer);
    for (const state of [...this.#copyShaders.values(), ...this.#clearShaders.values()]) {
      context.deleteFragmentShaderState(state);
    }
    for (const state of this.#blends.values()) context.deleteBlendState(state);
    for (const state of this.#depthStencils.values()) context.deleteDepthStencilAlphaState(state);
    for (const state of this.#samplers.values()) context.deleteSamplerState(state);
    this.#vertexBuffer?.destroy();
  }
}

/** Makes the destination box run forward; the source box keeps the sign. */
function orient(source: Box, destination: Box): { source: Box; destination: Box } {
  const from = { ...source };
  const to = { ...destination };
  if (to.width < 0) {
    to.x += to.width;
    to.width = -to.width;
    from.x += from.width;
    from.width = -from.width;
  }
  if (to.height < 0) {
    to.y += to.height;
    to.height = -to.height;
    from.y += from.height;
    from.height = -from.height;
  }
  return { source: from, destination: to };
}

function boxRect(box: Box): Rect {
  return { minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height };
}

function intersect(rect: Rect, other: Rect | null, width: number, height: number): Rect {
  const limit = other ?? { minX: 0, minY: 0, maxX: width, maxY: height };
  return {
    minX: Math.max(rect.minX, limit.minX, 0),
    minY: Math.max(rect.minY, limit.minY, 0),
    maxX: Math.min(rect.maxX, limit.maxX, width),
    maxY: Math.min(rect.maxY, limit.maxY, height),
  };
}

function textureRectangle(source: Box, destination: Box, copy: Copy, isNormalized: boolean): Rectangle {
  const scaleX = isNormalized ? 1 / Math.max(1, copy.source.width >> copy.sourceLevel) : 1;
  const scaleY = isNormalized ? 1 / Math.max(1, copy.source.height >> copy.sourceLevel) : 1;
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

function levelBox(resource: Resource, level: number): Box {
  return {
    x: 0,
    y: 0,
    z: 0,
    width: Math.max(1, resource.width >> level),
    height: Math.max(1, resource.height >> level),
    depth: 1,
  };
}
