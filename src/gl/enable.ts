// glEnable, glDisable, glIsEnabled and their per-draw-buffer forms, from one table of capabilities.

import { listOf } from '../base/list.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidValue } from './errors.ts';
import type { ExtensionName } from './extensions.ts';

interface Capability {
  readonly version: 2 | 3;
  readonly dirty: number;
  readonly get: (context: Context) => boolean;
  readonly set: (context: Context, on: boolean) => void;
  /** Only with this extension. */
  readonly extension?: ExtensionName;
  /** Not a capability in WebGL. */
  readonly glesOnly?: boolean;
}

function clipDistanceRow(index: number): [number, Capability] {
  const bit = 1 << index;
  return [
    GL.CLIP_DISTANCE0_EXT + index,
    {
      version: 3,
      extension: 'WEBGL_clip_cull_distance',
      dirty: DIRTY.RASTERIZER,
      get: ({ rasterizer }) => (rasterizer.clipDistances & bit) !== 0,
      set: ({ rasterizer }, on) => {
        rasterizer.clipDistances = on ? rasterizer.clipDistances | bit : rasterizer.clipDistances & ~bit;
      },
    },
  ];
}

const CAPABILITIES: ReadonlyMap<number, Capability> = new Map<number, Capability>([
  [
    GL.BLEND,
    {
      version: 2,
      dirty: DIRTY.BLEND,
      get: (context) => context.blend.targets[0]!.enabled,
      set: (context, on) => {
        for (const target of context.blend.targets) target.enabled = on;
      },
    },
  ],
  [
    GL.CULL_FACE,
    {
      version: 2,
      dirty: DIRTY.RASTERIZER,
      get: (context) => context.rasterizer.cullEnabled,
      set: (context, on) => {
        context.rasterizer.cullEnabled = on;
      },
    },
  ],
  [
    GL.DEPTH_TEST,
    {
      version: 2,
      dirty: DIRTY.DEPTH_STENCIL,
      get: (context) => context.depth.testEnabled,
      set: (context, on) => {
        context.depth.testEnabled = on;
      },
    },
  ],
  [
    GL.STENCIL_TEST,
    {
      version: 2,
      dirty: DIRTY.DEPTH_STENCIL,
      get: (context) => context.stencil.testEnabled,
      set: (context, on) => {
        context.stencil.testEnabled = on;
      },
    },
  ],
  [
    GL.DITHER,
    {
      version: 2,
      dirty: DIRTY.BLEND,
      get: (context) => context.blend.dither,
      set: (context, on) => {
        context.blend.dither = on;
      },
    },
  ],
  [
    GL.POLYGON_OFFSET_FILL,
    {
      version: 2,
      dirty: DIRTY.RASTERIZER,
      get: (context) => context.rasterizer.polygonOffsetEnabled,
      set: (context, on) => {
        context.rasterizer.polygonOffsetEnabled = on;
      },
    },
  ],
  [
    GL.SAMPLE_ALPHA_TO_COVERAGE,
    {
      version: 2,
      dirty: DIRTY.BLEND,
      get: (context) => context.multisample.alphaToCoverage,
      set: (context, on) => {
        context.multisample.alphaToCoverage = on;
      },
    },
  ],
  [
    GL.SAMPLE_COVERAGE,
    {
      version: 2,
      dirty: DIRTY.SAMPLE_MASK,
      get: (context) => context.multisample.coverageEnabled,
      set: (context, on) => {
        context.multisample.coverageEnabled = on;
      },
    },
  ],
  [
    GL.SCISSOR_TEST,
    {
      version: 2,
      dirty: DIRTY.SCISSOR | DIRTY.RASTERIZER,
      get: (context) => context.scissor.enabled,
      set: (context, on) => {
        context.scissor.enabled = on;
      },
    },
  ],
  [
    GL.POLYGON_OFFSET_LINE_ANGLE,
    {
      version: 2,
      extension: 'WEBGL_polygon_mode',
      dirty: DIRTY.RASTERIZER,
      get: (context) => context.rasterizer.polygonOffsetLineEnabled,
      set: (context, on) => {
        context.rasterizer.polygonOffsetLineEnabled = on;
      },
    },
  ],
  ...listOf(8, (i) => clipDistanceRow(i)),
  [
    GL.RASTERIZER_DISCARD,
    {
      version: 3,
      dirty: DIRTY.RASTERIZER,
      get: (context) => context.rasterizer.discard,
      set: (context, on) => {
        context.rasterizer.discard = on;
      },
    },
  ],
  [
    GL.DEPTH_CLAMP_EXT,
    {
      version: 2,
      extension: 'EXT_depth_clamp',
      dirty: DIRTY.RASTERIZER,
      get: (context) => context.rasterizer.depthClamp,
      set: (context, on) => {
        context.rasterizer.depthClamp = on;
      },
    },
  ],
  [
    GL.PRIMITIVE_RESTART_FIXED_INDEX,
    {
      version: 3,
      dirty: 0,
      glesOnly: true,
      get: (context) => context.rasterizer.primitiveRestartFixedIndex,
      set: (context, on) => {
        context.rasterizer.primitiveRestartFixedIndex = on;
      },
    },
  ],
]);

function available(context: Context, capability: number): Capability | undefined {
  const row = CAPABILITIES.get(capability);
  if (row === undefined || row.version > context.version || (row.glesOnly && context.rules.webgl)) return undefined;
  return row.extension === undefined || context.isEnabled(row.extension) ? row : undefined;
}

function find(context: Context, call: string, capability: number): Capability | undefined {
  return available(context, capability) ?? invalidEnum(context, call, 'cap', capability);
}

function setEnabled(context: Context, capability: number, on: boolean): void {
  const row = find(context, on ? 'enable' : 'disable', capability);
  if (row === undefined) return;
  row.set(context, on);
  context.dirty |= row.dirty;
}

export function enable(context: Context, capability: number): void {
  setEnabled(context, capability, true);
}

export function disable(context: Context, capability: number): void {
  setEnabled(context, capability, false);
}

export function isEnabled(context: Context, capability: number): boolean {
  return find(context, 'isEnabled', capability)?.get(context) ?? false;
}

/** OES_draw_buffers_indexed: only BLEND has a value per draw buffer. */
export function setEnabledIndexed(context: Context, capability: number, index: number, on: boolean): void {
  const target = indexedTarget(context, on ? 'enablei' : 'disablei', capability, index);
  if (target === undefined) return;
  target.enabled = on;
  context.dirty |= DIRTY.BLEND;
}

export function isEnabledIndexed(context: Context, capability: number, index: number): boolean {
  return indexedTarget(context, 'isEnabledi', capability, index)?.enabled ?? false;
}

function indexedTarget(context: Context, call: string, capability: number, index: number) {
  if (capability !== GL.BLEND) return invalidEnum(context, call, 'cap', capability);
  const target = context.blend.targets[index];
  if (target !== undefined) return target;
  return invalidValue(context, call, `draw buffer ${index} is not below MAX_DRAW_BUFFERS`);
}

/** For the getters: every capability is also a boolean state. */
export function capabilityValue(context: Context, capability: number): boolean | undefined {
  return available(context, capability)?.get(context);
}
