// Test support: a soft context with state that is set by name, rectangles in pixels, and pixels read as numbers.

import { listOf } from '../../src/base/list.ts';
import { type DepthArray, unpackDepth, unpackStencil } from '../../src/format/depth-stencil.ts';
import { blockBytes, type Format, formatDescription } from '../../src/format/format.ts';
import { unpackPixel } from '../../src/format/unpack.ts';
import type { Builder } from '../../src/ir/builder.ts';
import type { Shader, Slot } from '../../src/ir/ir.ts';
import {
  BIND,
  type BlendDescription,
  type BlendTarget,
  CLEAR,
  type ClearInfo,
  type ColorValue,
  type DepthStencilAlphaDescription,
  type DrawInfo,
  MAP,
  type PipeStatus,
  type RasterizerDescription,
  type Resource,
  type ResourceTemplate,
  type SamplerDescription,
  type SamplerView,
  type SamplerViewTemplate,
  type Surface,
} from '../../src/pipe/pipe.ts';
import type { SoftContext } from './context.ts';
import { SoftScreen } from './screen.ts';
import { clearInfo, createBuffer, createTexture, drawInfo, makeShader, OPAQUE, surfaceOf } from './testing.ts';

export const NO_DEPTH: DepthStencilAlphaDescription = {
  depthTest: false,
  depthWrite: false,
  depthFunc: 'less',
  stencil: null,
};

export const PLAIN_RASTERIZER: RasterizerDescription = {
  frontCounterClockwise: true,
  cullFace: 'none',
  polygonMode: 'fill',
  scissor: false,
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
};

export const NEAREST: SamplerDescription = {
  wrapS: 'clampToEdge',
  wrapT: 'clampToEdge',
  wrapR: 'clampToEdge',
  minFilter: 'nearest',
  magFilter: 'nearest',
  mipFilter: 'none',
  compare: null,
  lodBias: 0,
  minLod: 0,
  maxLod: 1000,
  maxAnisotropy: 1,
  seamlessCube: true,
  borderColor: [0, 0, 0, 0],
};

/** Floats of a vertex: position vec4, then a vec4 that shaders see as var0. */
const VERTEX_FLOATS = 8;

export function colorValue(format: Format, color: readonly number[]): ColorValue {
  const words = new Uint32Array(4);
  const { numericClass } = formatDescription(format);
  const value = {
    float: new Float32Array(words.buffer),
    int: new Int32Array(words.buffer),
    uint: words,
  };
  if (numericClass === 'int') value.int.set(color);
  else if (numericClass === 'uint') value.uint.set(color);
  else value.float.set(color);
  return value;
}

export interface RectOptions {
  z?: number;
  color?: readonly number[];
  /** Clockwise: back facing. */
  clockwise?: boolean;
  instances?: number;
}

/** Most tests share a screen: making one touches megabytes. */
let sharedScreen: SoftScreen | null = null;

/** A context with one set of surfaces bound. Tests of memory and loss give it a screen of its own. */
export class Rig {
  readonly screen: SoftScreen;
  readonly context: SoftContext;
  width = 1;
  height = 1;
  #colors: (Surface | null)[] = [];

  constructor(screen: SoftScreen = (sharedScreen ??= new SoftScreen({}))) {
    this.screen = screen;
    this.context = screen.createContext() as SoftContext;
    this.blend();
    this.depthStencil();
    this.rasterizer();
    this.context.bindVertexElementsState(
      this.context.createVertexElementsState({
        elements: [0, 16].map((offsetBytes) => ({
          bufferIndex: 0,
          offsetBytes,
          format: 'R32G32B32A32_FLOAT',
          instanceDivisor: 0,
        })),
      }),
    );
    this.vertexShader(passThrough());
    this.fragmentShader(showVarying());
  }

  texture(format: Format, width: number, height: number, more: Partial<ResourceTemplate> = {}): Resource {
    const isDepthStencil = formatDescription(format).space === 'zs';
    const bind = BIND.SAMPLER_VIEW | (isDepthStencil ? BIND.DEPTH_STENCIL : BIND.RENDER_TARGET);
    return createTexture(this.screen, { format, width, height, bind, ...more });
  }

  buffer(data: ArrayBufferView): Resource {
    return createBuffer(this.screen, this.context, data);
  }

  /** Binds surfaces (or level 0, layer 0 of resources) and a viewport over them. */
  target(colors: readonly (Resource | Surface | null)[], depthStencil: Resource | Surface | null = null): void {
    const surface = (item: Resource | Surface | null): Surface | null =>
      item === null ? null : 'resource' in item ? item : surfaceOf(item);
    this.#colors = colors.map(surface);
    const zs = surface(depthStencil);
    const all = [...this.#colors, zs].filter((item) => item !== null);
    this.width = Math.min(...all.map(({ resource, level }) => Math.max(1, resource.width >> level)));
    this.height = Math.min(...all.map(({ resource, level }) => Math.max(1, resource.height >> level)));
    this.context.setFramebufferState({
      width: this.width,
      height: this.height,
      samples: all[0]?.resource.samples ?? 1,
      layers: 1,
      colors: this.#colors,
      depthStencil: zs,
    });
    this.viewport(0, 0, this.width, this.height);
  }

  viewport(x: number, y: number, width: number, height: number): void {
    this.context.setViewport({
      scale: [width / 2, height / 2, 0.5],
      translate: [x + width / 2, y + height / 2, 0.5],
    });
  }

  blend(targets: readonly Partial<BlendTarget>[] = [{}], more: Partial<BlendDescription> = {}): void {
    const all = targets.map((target) => ({ ...OPAQUE, ...target }));
    const description = { targets: all, alphaToCoverage: false, alphaToOne: false, dither: false, ...more };
    this.context.bindBlendState(this.context.createBlendState(description));
  }

  depthStencil(state: Partial<DepthStencilAlphaDescription> = {}): void {
    this.context.bindDepthStencilAlphaState(this.context.createDepthStencilAlphaState({ ...NO_DEPTH, ...state }));
  }

  rasterizer(state: Partial<RasterizerDescription> = {}): void {
    this.context.bindRasterizerState(this.context.createRasterizerState({ ...PLAIN_RASTERIZER, ...state }));
  }

  vertexShader(ir: Shader): void {
    this.context.bindVertexShaderState(this.context.createVertexShaderState({ ir, streamOutput: null }));
  }

  fragmentShader(ir: Shader): void {
    this.context.bindFragmentShaderState(this.context.createFragmentShaderState({ ir, streamOutput: null }));
  }

  view(resource: Resource, more: Partial<SamplerViewTemplate> = {}): SamplerView {
    const isDepth = formatDescription(resource.format).hasDepth;
    return this.context.createSamplerView({
      resource,
      target: resource.target as Exclude<Resource['target'], 'buffer'>,
      format: resource.format,
      aspect: isDepth ? 'depth' : 'color',
      firstLevel: 0,
      lastLevel: resource.levels - 1,
      firstLayer: 0,
      lastLayer: resource.arraySize - 1,
      swizzle: ['x', 'y', 'z', 'w'],
      ...more,
    });
  }

  /** Binds textures of the fragment stage, all sampled alike. */
  sample(views: readonly SamplerView[], sampler: Partial<SamplerDescription> = {}): void {
    const state = this.context.createSamplerState({ ...NEAREST, ...sampler });
    this.context.bindSamplerStates(
      'fragment',
      views.map(() => state),
    );
    this.context.setSamplerViews('fragment', views);
  }

  /** Vertices as eight floats each: clip position, then what var0 gets. */
  vertices(data: readonly number[]): Resource {
    const buffer = this.buffer(Float32Array.from(data));
    this.context.setVertexBuffers([{ buffer, offsetBytes: 0, strideBytes: VERTEX_FLOATS * 4 }]);
    return buffer;
  }

  draw(info: Partial<DrawInfo> & { count: number }): PipeStatus {
    return this.context.drawVbo(drawInfo(info));
  }

  /** Draws pixels [x0, x1) × [y0, y1) as two triangles; z is window depth 0…1. */
  rect(x0: number, y0: number, x1: number, y1: number, options: RectOptions = {}): PipeStatus {
    const { z = 0, color = [1, 1, 1, 1], clockwise = false, instances = 1 } = options;
    const clip = (x: number, y: number) => [(2 * x) / this.width - 1, (2 * y) / this.height - 1, 2 * z - 1, 1];
    const corners = [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y0],
      [x1, y1],
      [x0, y1],
    ] as const;
    const ordered = clockwise ? [...corners].reverse() : corners;
    const buffer = this.vertices(ordered.flatMap(([x, y]) => [...clip(x, y), ...color]));
    const status = this.draw({ count: 6, instanceCount: instances });
    buffer.destroy();
    return status;
  }

  /** A rectangle over everything. */
  fill(options: RectOptions = {}): PipeStatus {
    return this.rect(0, 0, this.width, this.height, options);
  }

  /** A colour in the form that calls take it, for the first colour target's format. */
  colorOf(color: readonly number[]): { color: ColorValue } {
    const format = this.#colors.find((surface) => surface !== null)?.format ?? 'R8G8B8A8_UNORM';
    return { color: colorValue(format, color) };
  }

  /** Clears the first colour target. */
  clear(color: readonly number[], more: Partial<ClearInfo> = {}): PipeStatus {
    return this.context.clear(clearInfo([], { ...this.colorOf(color), ...more }));
  }

  clearDepthStencil(depth: number, stencil: number, more: Partial<ClearInfo> = {}): PipeStatus {
    return this.context.clear(clearInfo([0, 0, 0, 0], { buffers: CLEAR.DEPTH_STENCIL, depth, stencil, ...more }));
  }

  /** The bytes of one layer of a level, rows tightly packed. Multisampled resources: sample 0 … 3 averaged by a blit. */
  bytes(resource: Resource, level = 0, layer = 0): Uint8Array {
    const width = Math.max(1, resource.width >> level);
    const height = Math.max(1, resource.height >> level);
    const pixelBytes = blockBytes(resource.format);
    const box = { x: 0, y: 0, z: layer, width, height, depth: 1 };
    const transfer = this.context.transferMap(resource, level, MAP.READ, box);
    if (!transfer) throw new Error('no transfer');
    const bytes = new Uint8Array(width * pixelBytes * height);
    for (let row = 0; row < height; row++) {
      const start = row * transfer.strideBytes;
      bytes.set(transfer.data.subarray(start, start + width * pixelBytes), row * width * pixelBytes);
    }
    this.context.transferUnmap(transfer);
    return bytes;
  }

  /** Colours of every pixel, row by row. */
  pixels(resource: Resource, level = 0, layer = 0): number[][] {
    const bytes = this.bytes(resource, level, layer);
    const size = blockBytes(resource.format);
    return listOf(bytes.length / size, (i) => [...unpackPixel(resource.format, bytes, i * size)]);
  }

  pixel(resource: Resource, x: number, y: number, level = 0, layer = 0): number[] {
    return this.pixels(resource, level, layer)[y * Math.max(1, resource.width >> level) + x]!;
  }

  depths(resource: Resource, level = 0, layer = 0): number[] {
    const bytes = this.bytes(resource, level, layer);
    const count = bytes.length / blockBytes(resource.format);
    const out: DepthArray = new Float64Array(count);
    unpackDepth(resource.format, out, 0, count, bytes, 0, bytes.length, count, 1);
    return [...out];
  }

  stencils(resource: Resource, level = 0, layer = 0): number[] {
    const bytes = this.bytes(resource, level, layer);
    const count = bytes.length / blockBytes(resource.format);
    const out = new Uint8Array(count);
    unpackStencil(resource.format, out, 0, count, bytes, 0, bytes.length, count, 1);
    return [...out];
  }

  /** A single-sampled resolve of a multisampled colour resource. */
  resolved(resource: Resource): Resource {
    const copy = this.texture(resource.format, resource.width, resource.height);
    const box = { x: 0, y: 0, z: 0, width: resource.width, height: resource.height, depth: 1 };
    this.context.blit({
      source: { resource, level: 0, box, format: resource.format },
      destination: { resource: copy, level: 0, box, format: resource.format },
      mask: 1,
      filter: 'nearest',
      scissor: null,
      followsRenderCondition: false,
    });
    return copy;
  }

  upload(resource: Resource, data: ArrayBufferView, level = 0, layer = 0): void {
    const width = Math.max(1, resource.width >> level);
    const height = Math.max(1, resource.height >> level);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const box = { x: 0, y: 0, z: layer, width, height, depth: 1 };
    const stride = bytes.length / height;
    this.context.textureSubdata(resource, level, box, bytes, stride, bytes.length);
  }

  /** Sets default-block uniforms of the fragment stage. */
  constants(values: readonly number[]): void {
    this.context.setConstants('fragment', new Uint32Array(Float32Array.from(values).buffer));
  }
}

let passThroughShader: Shader | null = null;
let showVaryingShader: Shader | null = null;

export function passThrough(): Shader {
  return (passThroughShader ??= makeShader('vertex', ['attribute0', 'attribute1'], ['position', 'var0'], (b) => {
    b.storeOutput('position', b.loadInput('attribute0', 4));
    b.storeOutput('var0', b.loadInput('attribute1', 4));
  }));
}

export function showVarying(): Shader {
  return (showVaryingShader ??= fragment((b) => b.storeOutput('color0', b.loadInput('var0', 4))));
}

/** A fragment shader with var0 as input. */
export function fragment(
  build: (b: Builder, shader: Shader) => void,
  outputs: readonly Slot[] = ['color0'],
  uniformSlots = 0,
): Shader {
  return makeShader('fragment', ['var0'], outputs, (b, shader) => {
    shader.uniformSlots = uniformSlots;
    build(b, shader);
  });
}

export interface SampledShader {
  dim?: '2d' | '3d' | 'cube' | '2dArray';
  resultType?: 'float' | 'int' | 'uint';
}

/** Fetches the texel of the pixel's own position; z from var0.z, level from var0.w. */
export function fetchShader({ dim = '2d', resultType = 'float' }: SampledShader = {}): Shader {
  return makeShader('fragment', ['var0'], ['color0'], (b, s) => {
    s.samplers.push({ name: 'texture', dim, shadow: false, resultType });
    const input = b.loadInput('var0', 4);
    const xy = b.f2i(b.swizzle(b.sysval('fragCoord'), [0, 1]));
    const z = b.f2i(b.channel(input, 2));
    const coord = dim === '2d' ? xy : b.vec(b.channel(xy, 0), b.channel(xy, 1), z);
    b.storeOutput(
      'color0',
      b.tex({ op: 'fetch', sampler: 0, dim, resultType, coord, lod: b.f2i(b.channel(input, 3)) }),
    );
  });
}

/** Samples with coordinates from var0. */
export function sampleShader(dim: '2d' | '3d' | 'cube' | '2dArray' = '2d', lod?: number): Shader {
  return makeShader('fragment', ['var0'], ['color0'], (b, s) => {
    s.samplers.push({ name: 'texture', dim, shadow: false, resultType: 'float' });
    const coord = b.loadInput('var0', dim === '2d' ? 2 : 3);
    b.storeOutput(
      'color0',
      lod === undefined
        ? b.tex({ op: 'sample', sampler: 0, dim, coord })
        : b.tex({ op: 'lod', sampler: 0, dim, coord, lod: b.constFloat(lod) }),
    );
  });
}
