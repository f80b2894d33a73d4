// clear and clearBuffer (ES 3.0.6 §4.2.3): which buffers, under which masks; the pipe does the rest.

import { CLEAR, type Rect } from '../pipe/defines.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue, warn } from './errors.ts';
import { checkDrawFramebuffer, checkSharedExponentMask, drawnColor, framebufferSize } from './framebuffer-update.ts';
import type { ComponentKind } from './gl-formats.table.ts';
import { reportStatus } from './pixel-status.ts';
import { DIRTY_FOR_CLEAR, updateState } from './state-update.ts';

const words = new ArrayBuffer(16);
/** The clear colour in three views; reused, as the pipe takes what it needs before it returns. */
const color = { float: new Float32Array(words), int: new Int32Array(words), uint: new Uint32Array(words) };

/** What a clear works on: null when nothing is in the scissor box or rasterization is off. */
function clearRect(context: Context): { scissor: Rect | null } | null {
  if (context.rasterizer.discard) return null;
  const { scissor } = context;
  if (!scissor.enabled) return { scissor: null };
  const { width, height } = framebufferSize(context, context.drawFramebuffer);
  const rect = {
    minX: Math.max(scissor.x, 0),
    minY: Math.max(scissor.y, 0),
    maxX: Math.min(scissor.x + scissor.width, width),
    maxY: Math.min(scissor.y + scissor.height, height),
  };
  if (rect.minX >= rect.maxX || rect.minY >= rect.maxY) return null;
  const isWhole = rect.minX === 0 && rect.minY === 0 && rect.maxX === width && rect.maxY === height;
  return { scissor: isWhole ? null : rect };
}

/** How values of a draw buffer's format are given; undefined: there is no such buffer. */
function colorKind(context: Context, index: number): ComponentKind | undefined {
  const framebuffer = context.drawFramebuffer;
  if (framebuffer.isDefault) return index === 0 && framebuffer.drawBuffers[0] !== GL.NONE ? 'unorm' : undefined;
  return drawnColor(framebuffer, index)?.row.kind;
}

function pipeClear(context: Context, call: string, buffers: number, depth: number, stencil: number): void {
  const area = clearRect(context);
  if (!area) return;
  updateState(context, DIRTY_FOR_CLEAR);
  const { pipeState, depth: depthState, stencil: stencilState, blend } = context;
  let wanted = buffers;
  if (!depthState.writeMask || !pipeState.hasDepth) wanted &= ~CLEAR.DEPTH;
  const stencilWriteMask = stencilState.front.writeMask & 0xff;
  if (stencilWriteMask === 0 || !pipeState.hasStencil) wanted &= ~CLEAR.STENCIL;
  const colorMasks = blend.targets.map((target) => target.writeMask);
  colorMasks.forEach((mask, index) => {
    if (mask === 0) wanted &= ~(CLEAR.COLOR0 << index);
  });
  if (wanted === 0) return;
  const status = context.pipe.clear({
    buffers: wanted,
    color,
    depth,
    stencil: stencil & 0xff,
    stencilWriteMask,
    colorMasks,
    scissor: area.scissor,
  });
  reportStatus(context, call, status);
}

export function clear(context: Context, mask: number): void {
  const call = 'clear';
  if (mask & ~(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT))
    return invalidValue(context, call, `mask 0x${mask.toString(16)} has unknown bits`);
  if (!checkDrawFramebuffer(context, call)) return;
  let buffers = 0;
  if (mask & GL.COLOR_BUFFER_BIT) {
    for (let index = 0; index < context.limits.maxDrawBuffers; index++) {
      const kind = colorKind(context, index);
      if (kind === undefined) continue;
      if (kind === 'int' || kind === 'uint') {
        // GLES leaves the result undefined, WebGL 2 makes it an error.
        if (context.rules.webgl)
          return invalidOperation(context, call, `colour buffer ${index} holds integers: use clearBuffer`);
        continue;
      }
      if (!checkSharedExponentMask(context, call, index)) return;
      buffers |= CLEAR.COLOR0 << index;
    }
  }
  if (mask & GL.DEPTH_BUFFER_BIT) buffers |= CLEAR.DEPTH;
  if (mask & GL.STENCIL_BUFFER_BIT) buffers |= CLEAR.STENCIL;
  color.float.set(context.clear.color);
  pipeClear(context, call, buffers, context.clear.depth, context.clear.stencil);
}

type ClearKind = 'float' | 'int' | 'uint';

const COLOR_VIEWS = { float: color.float, int: color.int, uint: color.uint };

/** Colours of the wrong kind give undefined values in GLES and an error in WebGL. */
function fitsKind(kind: ComponentKind, given: ClearKind): boolean {
  return kind === 'int' || kind === 'uint' ? kind === given : given === 'float';
}

function clearColorBuffer(
  context: Context,
  call: string,
  drawBuffer: number,
  values: ArrayLike<number>,
  given: ClearKind,
): void {
  if (!(drawBuffer >= 0 && drawBuffer < context.limits.maxDrawBuffers))
    return invalidValue(context, call, `draw buffer ${drawBuffer} does not exist`);
  if (!checkDrawFramebuffer(context, call)) return;
  const kind = colorKind(context, drawBuffer);
  if (kind === undefined) return;
  if (!fitsKind(kind, given)) {
    const reason = `colour buffer ${drawBuffer} holds ${kind} values, not ${given}`;
    return context.rules.webgl
      ? invalidOperation(context, call, reason)
      : warn(context, `${call}: ${reason}; nothing is cleared`);
  }
  if (!checkSharedExponentMask(context, call, drawBuffer)) return;
  const view = COLOR_VIEWS[given];
  for (let i = 0; i < 4; i++) view[i] = values[i] ?? 0;
  pipeClear(context, call, CLEAR.COLOR0 << drawBuffer, 0, 0);
}

function clampDepth(depth: number): number {
  // Written so that NaN becomes 0.
  return depth > 0 ? Math.min(depth, 1) : 0;
}

/** DEPTH and STENCIL have the one draw buffer 0. False after an error. */
function checkSingle(context: Context, call: string, drawBuffer: number): boolean {
  if (drawBuffer === 0) return checkDrawFramebuffer(context, call);
  invalidValue(context, call, `draw buffer ${drawBuffer} is not 0`);
  return false;
}

export function clearBufferfv(context: Context, buffer: number, drawBuffer: number, values: ArrayLike<number>): void {
  const call = 'clearBufferfv';
  if (buffer === GL.COLOR) return clearColorBuffer(context, call, drawBuffer, values, 'float');
  if (buffer !== GL.DEPTH) return invalidEnum(context, call, 'buffer', buffer);
  if (checkSingle(context, call, drawBuffer)) pipeClear(context, call, CLEAR.DEPTH, clampDepth(values[0] ?? 0), 0);
}

export function clearBufferiv(context: Context, buffer: number, drawBuffer: number, values: ArrayLike<number>): void {
  const call = 'clearBufferiv';
  if (buffer === GL.COLOR) return clearColorBuffer(context, call, drawBuffer, values, 'int');
  if (buffer !== GL.STENCIL) return invalidEnum(context, call, 'buffer', buffer);
  if (checkSingle(context, call, drawBuffer)) pipeClear(context, call, CLEAR.STENCIL, 0, values[0] ?? 0);
}

export function clearBufferuiv(context: Context, buffer: number, drawBuffer: number, values: ArrayLike<number>): void {
  const call = 'clearBufferuiv';
  if (buffer !== GL.COLOR) return invalidEnum(context, call, 'buffer', buffer);
  clearColorBuffer(context, call, drawBuffer, values, 'uint');
}

export function clearBufferfi(
  context: Context,
  buffer: number,
  drawBuffer: number,
  depth: number,
  stencil: number,
): void {
  const call = 'clearBufferfi';
  if (buffer !== GL.DEPTH_STENCIL) return invalidEnum(context, call, 'buffer', buffer);
  if (checkSingle(context, call, drawBuffer)) pipeClear(context, call, CLEAR.DEPTH_STENCIL, clampDepth(depth), stencil);
}
