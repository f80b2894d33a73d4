// Storage of the default framebuffer: made at first use from the context's attributes, resized by the face, resolved for reading.

import { BIND, CLEAR } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import type { DefaultFramebufferAttributes, DefaultStorage } from './framebuffer-object.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import { chooseStorage, internalFormatRow, type StorageChoice } from './gl-formats.ts';
import { storageEpoch } from './texture-storage.ts';

/** What is stored for the attributes. */
export interface DefaultFormats {
  readonly color: InternalFormatRow;
  readonly depthStencil: InternalFormatRow | null;
}

/** By alpha, depth and stencil: asked for at every draw. */
const knownFormats: DefaultFormats[] = [];

export function defaultFormats({ alpha, depth, stencil }: DefaultFramebufferAttributes): DefaultFormats {
  return (knownFormats[(alpha ? 1 : 0) + (depth ? 2 : 0) + (stencil ? 4 : 0)] ??= formatsFor(alpha, depth, stencil));
}

function formatsFor(alpha: boolean, depth: boolean, stencil: boolean): DefaultFormats {
  const depthFormat = stencil ? (depth ? GL.DEPTH24_STENCIL8 : GL.STENCIL_INDEX8) : depth ? GL.DEPTH_COMPONENT24 : 0;
  return {
    color: internalFormatRow(alpha ? GL.RGBA8 : GL.RGB8)!,
    depthStencil: depthFormat === 0 ? null : internalFormatRow(depthFormat)!,
  };
}

/** The smallest supported sample count that is not less than asked, or the largest; 1: none. Antialiasing is a wish (WebGL 1 §5.2). */
function sampleCount(context: Context, wanted: number): number {
  if (wanted <= 1) return 1;
  const counts = context.screen.caps.sampleCounts.filter((count) => count > 1 && count <= context.limits.maxSamples);
  return counts.find((count) => count >= wanted) ?? counts.at(-1) ?? 1;
}

export function defaultColorStorage(context: Context, samples: number): StorageChoice | null {
  return chooseStorage(
    context.screen,
    defaultFormats(context.framebufferAttributes).color,
    'texture2D',
    samples,
    'renderbuffer',
  );
}

function create(
  context: Context,
  storage: StorageChoice | null,
  width: number,
  height: number,
  samples: number,
  bind: number,
): Resource | null {
  if (!storage) return null;
  return context.screen.createResource({
    target: 'texture2D',
    format: storage.format,
    width,
    height,
    depth: 1,
    arraySize: 1,
    levels: 1,
    samples,
    bind: storage.bind | bind,
    usage: 'default',
  });
}

/** Makes storage for the attributes in force; null: no memory for it. */
function createStorage(context: Context): DefaultStorage | null {
  const attributes = context.framebufferAttributes;
  // A canvas of no size still has a drawing buffer of one pixel.
  const width = Math.max(attributes.width, 1);
  const height = Math.max(attributes.height, 1);
  if (Math.max(width, height) > context.limits.maxRenderbufferSize) return null;
  const formats = defaultFormats(attributes);
  let samples = sampleCount(context, attributes.samples);
  if (samples > 1 && !defaultColorStorage(context, samples)) samples = 1;
  const bind = samples === 1 ? BIND.DISPLAY_TARGET : 0;
  const color = create(context, defaultColorStorage(context, samples), width, height, samples, bind);
  if (!color) return null;
  if (!formats.depthStencil) return { color, depthStencil: null, resolved: null, width, height, samples };
  const choice = chooseStorage(context.screen, formats.depthStencil, 'texture2D', samples, 'renderbuffer');
  const depthStencil = create(context, choice, width, height, samples, 0);
  if (!depthStencil) {
    color.destroy();
    return null;
  }
  // A fresh drawing buffer has depth 1 (WebGL 1 §2.2).
  const surface = { resource: depthStencil, level: 0, firstLayer: 0, lastLayer: 0, format: depthStencil.format };
  const rect = { minX: 0, minY: 0, maxX: width, maxY: height };
  if (context.pipe.clearDepthStencil(surface, CLEAR.DEPTH_STENCIL, 1, 0, rect) !== 'ok') {
    color.destroy();
    depthStencil.destroy();
    return null;
  }
  return { color, depthStencil, resolved: null, width, height, samples };
}

/** The storage of the default framebuffer, made now if need be. Null: no memory. */
export function defaultStorage(context: Context): DefaultStorage | null {
  const framebuffer = context.defaultFramebuffer;
  if (framebuffer.defaultStorage === null) {
    framebuffer.defaultStorage = createStorage(context);
    if (framebuffer.defaultStorage) context.dirty |= DIRTY.FRAMEBUFFER;
  }
  return framebuffer.defaultStorage;
}

/**
 * Gives the default framebuffer another size; its contents are zero afterwards. False: no memory; size and contents are
 * as before. Also what a canvas does when set to the size it has.
 */
export function resizeDefaultFramebuffer(context: Context, width: number, height: number): boolean {
  const attributes = context.framebufferAttributes;
  const previous = { width: attributes.width, height: attributes.height };
  Object.assign(attributes, { width, height });
  const storage = createStorage(context);
  if (!storage) {
    Object.assign(attributes, previous);
    return false;
  }
  const old = context.defaultFramebuffer.defaultStorage;
  old?.color.destroy();
  old?.depthStencil?.destroy();
  old?.resolved?.destroy();
  context.defaultFramebuffer.defaultStorage = storage;
  storageEpoch.value++;
  context.dirty |= DIRTY.FRAMEBUFFER;
  return true;
}

/** The single-sampled colour of the default framebuffer, resolved now if it has samples. Null: no memory. */
export function resolvedDefaultColor(context: Context): Resource | null {
  const storage = defaultStorage(context);
  if (!storage) return null;
  if (storage.samples === 1) return storage.color;
  if (!storage.resolved) {
    const choice = defaultColorStorage(context, 1);
    storage.resolved = create(context, choice, storage.width, storage.height, 1, BIND.DISPLAY_TARGET);
  }
  const { resolved } = storage;
  if (!resolved) return null;
  const box = { x: 0, y: 0, z: 0, width: storage.width, height: storage.height, depth: 1 };
  const status = context.pipe.blit({
    source: { resource: storage.color, level: 0, box, format: storage.color.format },
    destination: { resource: resolved, level: 0, box, format: resolved.format },
    mask: 1,
    filter: 'nearest',
    scissor: null,
    followsRenderCondition: false,
  });
  return status === 'ok' ? resolved : null;
}

const BLACK = new ArrayBuffer(16);
const TRANSPARENT_BLACK = { float: new Float32Array(BLACK), int: new Int32Array(BLACK), uint: new Uint32Array(BLACK) };

/**
 * Clears the default framebuffer to what a fresh one holds (colour 0, depth 1, stencil 0), whatever is bound: the start of a
 * frame without preserveDrawingBuffer.
 */
export function clearDefaultFramebuffer(context: Context): boolean {
  const storage = defaultStorage(context);
  if (!storage) return false;
  const rect = { minX: 0, minY: 0, maxX: storage.width, maxY: storage.height };
  const { color, depthStencil } = storage;
  const surface = (resource: Resource) => ({
    resource,
    level: 0,
    firstLayer: 0,
    lastLayer: 0,
    format: resource.format,
  });
  if (context.pipe.clearRenderTarget(surface(color), TRANSPARENT_BLACK, rect) !== 'ok') return false;
  return (
    !depthStencil || context.pipe.clearDepthStencil(surface(depthStencil), CLEAR.DEPTH_STENCIL, 1, 0, rect) === 'ok'
  );
}
