// Test support: a soft context with plain state bound, and shaders written in IR.

import type { Format } from '../../src/format/format.ts';
import { type Builder, createBuilder } from '../../src/ir/builder.ts';
import { createShader, type Shader, type Slot } from '../../src/ir/ir.ts';
import { optimizeShader } from '../../src/ir/optimize.ts';
import {
  BIND,
  type BlendTarget,
  CLEAR,
  type ClearInfo,
  type Context,
  type DrawInfo,
  MAP,
  type Resource,
  type ResourceTemplate,
  type Surface,
} from '../../src/pipe/pipe.ts';
import type { SoftScreen } from './screen.ts';

export function resourceTemplate(template: Partial<ResourceTemplate> & { format: Format }): ResourceTemplate {
  return {
    target: 'texture2D',
    width: 16,
    height: 16,
    depth: 1,
    arraySize: 1,
    levels: 1,
    samples: 1,
    bind: BIND.RENDER_TARGET | BIND.SAMPLER_VIEW,
    usage: 'default',
    ...template,
  };
}

export function createTexture(screen: SoftScreen, template: Partial<ResourceTemplate> & { format: Format }): Resource {
  const resource = screen.createResource(resourceTemplate(template));
  if (!resource) throw new Error('out of memory');
  return resource;
}

export function surfaceOf(resource: Resource, level = 0, layer = 0): Surface {
  return { resource, level, firstLayer: layer, lastLayer: layer, format: resource.format };
}

export function createBuffer(screen: SoftScreen, context: Context, data: ArrayBufferView): Resource {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const buffer = createTexture(screen, {
    target: 'buffer',
    format: 'R8_UNORM',
    width: bytes.length,
    height: 1,
    bind: BIND.VERTEX_BUFFER,
  });
  context.bufferSubdata(buffer, MAP.WRITE, 0, bytes);
  return buffer;
}

/** A shader of one stage; `inputs` and `outputs` are vec4 slots. */
export function makeShader(
  stage: 'vertex' | 'fragment',
  inputs: readonly Slot[],
  outputs: readonly Slot[],
  build: (b: Builder, shader: Shader) => void,
): Shader {
  const shader = createShader(stage, 'test');
  const slot = (name: Slot) =>
    ({ name, slot: name, components: 4, base: 'float', interpolation: 'smooth', centroid: false }) as const;
  shader.inputs.push(...inputs.map(slot));
  shader.outputs.push(...outputs.map(slot));
  build(createBuilder(shader), shader);
  const result = optimizeShader(shader);
  if (!result.ok) throw new Error(result.message);
  return shader;
}

export const OPAQUE: BlendTarget = {
  enabled: false,
  equationRgb: 'add',
  sourceRgb: 'one',
  destinationRgb: 'zero',
  equationAlpha: 'add',
  sourceAlpha: 'one',
  destinationAlpha: 'zero',
  colorMask: 15,
};

/** Binds state that draws everything everywhere to `surface`. */
export function bindPlainState(context: Context, surface: Surface): void {
  const { resource, level } = surface;
  const width = Math.max(1, resource.width >> level);
  const height = Math.max(1, resource.height >> level);
  context.bindBlendState(
    context.createBlendState({ targets: [OPAQUE], alphaToCoverage: false, alphaToOne: false, dither: false }),
  );
  context.bindDepthStencilAlphaState(
    context.createDepthStencilAlphaState({ depthTest: false, depthWrite: false, depthFunc: 'less', stencil: null }),
  );
  context.bindRasterizerState(
    context.createRasterizerState({
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
    }),
  );
  context.setFramebufferState({
    width,
    height,
    samples: resource.samples,
    layers: 1,
    colors: [surface],
    depthStencil: null,
  });
  context.setViewport({ scale: [width / 2, height / 2, 0.5], translate: [width / 2, height / 2, 0.5] });
}

export function drawInfo(info: Partial<DrawInfo> & { count: number }): DrawInfo {
  return {
    mode: 'triangles',
    start: 0,
    instanceCount: 1,
    startInstance: 0,
    indexBuffer: null,
    indexOffsetBytes: 0,
    indexSize: 2,
    baseVertex: 0,
    primitiveRestart: false,
    restartIndex: 0,
    drawId: 0,
    ...info,
  };
}

export function clearInfo(color: readonly number[], more: Partial<ClearInfo> = {}): ClearInfo {
  const float = Float32Array.from(color);
  return {
    buffers: CLEAR.COLOR0,
    color: { float, int: new Int32Array(float.buffer), uint: new Uint32Array(float.buffer) },
    depth: 1,
    stencil: 0,
    stencilWriteMask: 0xff,
    colorMasks: [15],
    scissor: null,
    ...more,
  };
}

/** The bytes of a level, rows tightly packed. */
export function readLevel(context: Context, resource: Resource, pixelBytes: number, level = 0): Uint8Array {
  const width = Math.max(1, resource.width >> level);
  const height = Math.max(1, resource.height >> level);
  const transfer = context.transferMap(resource, level, MAP.READ, { x: 0, y: 0, z: 0, width, height, depth: 1 });
  if (!transfer) throw new Error('no transfer');
  const bytes = new Uint8Array(width * pixelBytes * height);
  for (let row = 0; row < height; row++) {
    const start = row * transfer.strideBytes;
    bytes.set(transfer.data.subarray(start, start + width * pixelBytes), row * width * pixelBytes);
  }
  context.transferUnmap(transfer);
  return bytes;
}

export function pixelAt(bytes: Uint8Array, width: number, x: number, y: number): number[] {
  return [...bytes.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}
