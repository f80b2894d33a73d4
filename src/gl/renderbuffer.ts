// Calls on renderbuffers: bind, storage (with samples), queries, deletion (ES 3.0.6 §4.4.2).

import { CLEAR } from '../pipe/defines.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory } from './errors.ts';
import { detachFromBound } from './framebuffer.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import { chooseStorage, internalFormatRow, isDepthRow, requirementHolds, sampleCounts } from './gl-formats.ts';
import { exchange } from './gl-object.ts';
import { Renderbuffer } from './renderbuffer-object.ts';
import { storageEpoch } from './texture-storage.ts';

export function createRenderbuffer(context: Context): Renderbuffer {
  return context.track(new Renderbuffer());
}

/** Unbinds it and detaches it from the bound framebuffers; others keep it alive (ES 3.0.6 §4.4.2.1). */
export function deleteRenderbuffer(context: Context, renderbuffer: Renderbuffer): void {
  if (renderbuffer.deleted) return;
  if (context.renderbuffer === renderbuffer)
    context.renderbuffer = exchange<Renderbuffer | null>(context, renderbuffer, null);
  detachFromBound(context, renderbuffer);
  renderbuffer.delete(context);
}

export function bindRenderbuffer(context: Context, target: number, renderbuffer: Renderbuffer | null): void {
  if (target !== GL.RENDERBUFFER) return invalidEnum(context, 'bindRenderbuffer', 'target', target);
  context.renderbuffer = exchange(context, context.renderbuffer, renderbuffer);
  if (renderbuffer) renderbuffer.wasBound = true;
}

export function isRenderbuffer(renderbuffer: Renderbuffer): boolean {
  return renderbuffer.wasBound && !renderbuffer.deleted;
}

export function renderbufferStorage(
  context: Context,
  target: number,
  internalFormat: number,
  width: number,
  height: number,
): void {
  storage(context, 'renderbufferStorage', target, 0, internalFormat, width, height);
}

export function renderbufferStorageMultisample(
  context: Context,
  target: number,
  samples: number,
  internalFormat: number,
  width: number,
  height: number,
): void {
  storage(context, 'renderbufferStorageMultisample', target, samples, internalFormat, width, height);
}

/** Rows that renderbufferStorage accepts in this context. WebGL also has the unsized DEPTH_STENCIL (WebGL 1 §5.14.7). */
function renderbufferRow(context: Context, internalFormat: number): InternalFormatRow | undefined {
  const isWebglDepthStencil = context.rules.webgl && internalFormat === GL.DEPTH_STENCIL;
  const row = internalFormatRow(isWebglDepthStencil ? GL.DEPTH24_STENCIL8 : internalFormat);
  if (!row || !requirementHolds(context, row.renderbuffer)) return undefined;
  // WebGL 1 names packed depth-stencil by DEPTH_STENCIL only.
  if (context.rules.webgl && context.version === 2 && internalFormat === GL.DEPTH24_STENCIL8) return undefined;
  return row;
}

function storage(
  context: Context,
  call: string,
  target: number,
  samples: number,
  internalFormat: number,
  width: number,
  height: number,
): void {
  if (target !== GL.RENDERBUFFER) return invalidEnum(context, call, 'target', target);
  const row = renderbufferRow(context, internalFormat);
  if (!row) return invalidEnum(context, call, 'internalformat', internalFormat);
  if (width < 0 || height < 0) return invalidValue(context, call, `size ${width} × ${height} is negative`);
  const { maxRenderbufferSize } = context.limits;
  if (width > maxRenderbufferSize || height > maxRenderbufferSize)
    return invalidValue(
      context,
      call,
      `size ${width} × ${height} exceeds MAX_RENDERBUFFER_SIZE ${maxRenderbufferSize}`,
    );
  if (samples < 0) return invalidValue(context, call, `sample count ${samples} is negative`);
  const counts = sampleCounts(context, row);
  if (samples > (counts[0] ?? 0))
    return invalidOperation(context, call, `${samples} samples are more than ${row.name} supports here`);
  if (samples > 0 && internalFormat === GL.DEPTH_STENCIL)
    return invalidOperation(context, call, 'DEPTH_STENCIL has no samples: use DEPTH24_STENCIL8');
  const renderbuffer = context.renderbuffer;
  if (!renderbuffer) return invalidOperation(context, call, 'no renderbuffer is bound');

  // The smallest supported count that is not less (ES 3.0.6 §4.4.2.1); counts stand in falling order.
  const count = samples === 0 ? 0 : (counts.filter((one) => one >= samples).at(-1) ?? 0);
  const choice = chooseStorage(context.screen, row, 'texture2D', Math.max(count, 1), 'renderbuffer');
  if (!choice) return outOfMemory(context, call, `${row.name} can't be stored on ${context.screen.name}`);
  const resource =
    width === 0 || height === 0
      ? null
      : context.screen.createResource({
          target: 'texture2D',
          format: choice.format,
          width,
          height,
          depth: 1,
          arraySize: 1,
          levels: 1,
          samples: Math.max(count, 1),
          bind: choice.bind,
          usage: 'default',
        });
  if (resource === null && width > 0 && height > 0)
    return outOfMemory(context, call, `no memory for ${width} × ${height} ${row.name}`);
  // Depth that was never cleared lets everything pass, as WebGL's pages expect of a fresh buffer.
  if (resource && isDepthRow(row)) {
    const surface = { resource, level: 0, firstLayer: 0, lastLayer: 0, format: resource.format };
    const rect = { minX: 0, minY: 0, maxX: width, maxY: height };
    if (context.pipe.clearDepthStencil(surface, CLEAR.DEPTH, 1, 0, rect) !== 'ok') {
      resource.destroy();
      return outOfMemory(context, call, 'the depth buffer could not be cleared');
    }
  }
  renderbuffer.resource?.destroy();
  Object.assign(renderbuffer, { width, height, internalFormat, samples: count, row, storage: choice, resource });
  storageEpoch.value++;
  context.dirty |= DIRTY.FRAMEBUFFER;
}

/** Undefined after an error. */
export function getRenderbufferParameter(context: Context, target: number, pname: number): number | undefined {
  const call = 'getRenderbufferParameter';
  if (target !== GL.RENDERBUFFER) return invalidEnum(context, call, 'target', target);
  const renderbuffer = context.renderbuffer;
  if (!renderbuffer) return invalidOperation(context, call, 'no renderbuffer is bound');
  const bits = renderbuffer.row?.bits ?? [0, 0, 0, 0, 0, 0];
  switch (pname) {
    case GL.RENDERBUFFER_WIDTH:
      return renderbuffer.width;
    case GL.RENDERBUFFER_HEIGHT:
      return renderbuffer.height;
    case GL.RENDERBUFFER_INTERNAL_FORMAT:
      return renderbuffer.internalFormat;
    case GL.RENDERBUFFER_RED_SIZE:
      return bits[0];
    case GL.RENDERBUFFER_GREEN_SIZE:
      return bits[1];
    case GL.RENDERBUFFER_BLUE_SIZE:
      return bits[2];
    case GL.RENDERBUFFER_ALPHA_SIZE:
      return bits[3];
    case GL.RENDERBUFFER_DEPTH_SIZE:
      return bits[4];
    case GL.RENDERBUFFER_STENCIL_SIZE:
      return bits[5];
    case GL.RENDERBUFFER_SAMPLES:
      if (context.version === 3) return renderbuffer.samples;
      break;
  }
  return invalidEnum(context, call, 'pname', pname);
}

/**
 * getInternalformativ (ES 3.0.6 §6.1.15): SAMPLES gives the supported counts in falling order, NUM_SAMPLE_COUNTS their
 * number. Undefined after an error.
 */
export function getInternalformatParameter(
  context: Context,
  target: number,
  internalFormat: number,
  pname: number,
): number[] | undefined {
  const call = 'getInternalformatParameter';
  if (target !== GL.RENDERBUFFER) return invalidEnum(context, call, 'target', target);
  const isUnsized = internalFormat === GL.RGB || internalFormat === GL.RGBA;
  const row = isUnsized
    ? internalFormatRow(internalFormat === GL.RGB ? GL.RGB8 : GL.RGBA8)
    : renderbufferRow(context, internalFormat);
  if (!row) return invalidEnum(context, call, 'internalformat', internalFormat);
  const counts = sampleCounts(context, row);
  if (pname === GL.SAMPLES) return counts;
  if (pname === GL.NUM_SAMPLE_COUNTS && !context.rules.webgl) return [counts.length];
  return invalidEnum(context, call, 'pname', pname);
}
