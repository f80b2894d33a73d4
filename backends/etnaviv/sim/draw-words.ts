// The part of the engine's DRAW structure that comes from the state alone: viewport, scissor, culling, blend colour, stencil values.

import { DRAW, GUARD_BAND_PIXELS, MAX_POINT_SIZE } from '../../../src/raster/layout.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { type RasterState, readBlendColor, readSampleMask, readStencilValues } from './draw-state.ts';
import type { GpuState } from './state.ts';
import type { Targets } from './targets.ts';

/** The words of a DRAW; addresses and identity are still 0. */
export function drawWords(state: GpuState, facts: CoreFacts, targets: Targets, raster: RasterState): Uint32Array {
  const u32 = new Uint32Array(DRAW.size >>> 2);
  const f32 = new Float32Array(u32.buffer);
  const i32 = new Int32Array(u32.buffer);
  const { word } = DRAW;
  f32.set(readBlendColor(state, facts), word.blendColor);
  const stencil = readStencilValues(state);
  u32[word.stencilRefFront] = stencil.refFront;
  u32[word.stencilRefBack] = stencil.refBack;
  u32[word.stencilReadMaskFront] = stencil.readFront;
  u32[word.stencilReadMaskBack] = stencil.readBack;
  u32[word.stencilWriteMaskFront] = stencil.writeFront;
  u32[word.stencilWriteMaskBack] = stencil.writeBack;
  u32[word.sampleMask] = readSampleMask(state, targets.samples);
  u32[word.samples] = targets.samples === 1 ? 1 : 4;
  const [scaleX, scaleY, scaleZ] = raster.scale;
  const [translateX, translateY, translateZ] = raster.translate;
  f32.set([scaleX, scaleY, scaleZ], word.viewportScaleX);
  f32.set([translateX, translateY, translateZ], word.viewportTranslateX);
  f32[word.depthMin] = translateZ - scaleZ;
  f32[word.depthMax] = translateZ + scaleZ;
  const scissor = clipRect(raster.scissor, [0, 0, targets.width, targets.height]);
  i32.set(scissor, word.scissorMinX);
  const [halfWidth, halfHeight] = [Math.abs(scaleX), Math.abs(scaleY)];
  const viewport = [
    Math.floor(translateX - halfWidth),
    Math.floor(translateY - halfHeight),
    Math.ceil(translateX + halfWidth),
    Math.ceil(translateY + halfHeight),
  ] as const;
  i32.set(clipRect(scissor, viewport), word.clipMinX);
  f32[word.guardX] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translateX)) / Math.max(halfWidth, 0.5));
  f32[word.guardY] = Math.max(1, (GUARD_BAND_PIXELS - Math.abs(translateY)) / Math.max(halfHeight, 0.5));
  f32[word.offsetFactor] = raster.offsetFactor;
  f32[word.offsetUnits] = raster.offsetUnits;
  // Windows of the hardware run downwards in memory, the engine's upwards: what the hardware calls clockwise (which is its
  // front) is counter-clockwise to the engine.
  u32[word.cullPositive] = Number(raster.cull === 'cw');
  u32[word.cullNegative] = Number(raster.cull === 'ccw');
  u32[word.frontPositive] = 1;
  f32[word.lineWidth] = Math.max(raster.lineWidth, 1);
  const fixedSize = raster.programPointSize ? null : raster.pointSize;
  f32[word.pointSizeMin] = fixedSize ?? 1;
  f32[word.pointSizeMax] = fixedSize ?? MAX_POINT_SIZE;
  return u32;
}

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

function clipRect(a: Box, b: Box): [number, number, number, number] {
  const minX = Math.max(a[0], b[0]);
  const minY = Math.max(a[1], b[1]);
  return [minX, minY, Math.max(minX, Math.min(a[2], b[2])), Math.max(minY, Math.min(a[3], b[3]))];
}
