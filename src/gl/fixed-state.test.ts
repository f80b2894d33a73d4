import { describe, expect, it } from 'vitest';
import type { NullContext } from '../../backends/null/context.ts';
import { nullBackend } from '../../backends/null/screen.ts';
import { NumberMap } from '../base/number-key.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY_ALL } from './dirty.ts';
import { disable, enable, isEnabled, setEnabledIndexed } from './enable.ts';
import * as fixed from './fixed-state.ts';
import { asFloats, asIntegers, getIndexedParameter, getParameter } from './get.ts';
import { updateState } from './state-update.ts';
import { contextMaker, takeErrors } from './testing.ts';

const testContext = contextMaker(nullBackend.createScreen);

/** What the pipe below was given. */
const record = (context: Context) => (context.pipe as NullContext).record;

describe('the fixed-function state', () => {
  it('refuses enums of newer versions and takes those of extensions', () => {
    const context = testContext({ version: 2 });
    fixed.blendEquation(context, GL.MIN);
    expect(takeErrors(context)).toEqual([]);
    context.extensions.delete('EXT_blend_minmax');
    fixed.blendEquation(context, GL.MAX);
    expect(takeErrors(context)).toEqual(['INVALID_ENUM']);
    expect(context.blend.targets[0]!.equationRgb).toBe(GL.MIN);
  });

  it('keeps one sticky flag a code, in order', () => {
    const context = testContext();
    fixed.lineWidth(context, 0);
    enable(context, 12345);
    fixed.lineWidth(context, Number.NaN);
    expect(takeErrors(context)).toEqual(['INVALID_VALUE', 'INVALID_ENUM']);
  });

  it('hands depth and stencil to the pipe only when the framebuffer has them', () => {
    const context = testContext();
    enable(context, GL.DEPTH_TEST);
    enable(context, GL.STENCIL_TEST);
    fixed.stencilFuncSeparate(context, GL.BACK, GL.GREATER, 300, 0xff0f);
    fixed.stencilOpSeparate(context, GL.FRONT, GL.INCR, GL.KEEP, GL.DECR_WRAP);
    updateState(context, DIRTY_ALL);
    const { description } = record(context).depthStencilAlpha!;
    expect(description).toMatchObject({ depthTest: true, depthWrite: true, depthFunc: 'less' });
    expect(description.stencil!.back).toMatchObject({ func: 'greater', compareMask: 0x0f });
    expect(description.stencil!.front).toMatchObject({ failOp: 'increment', passOp: 'decrementWrap' });
    expect(record(context).stencilReference).toEqual({ front: 0, back: 255 });
  });

  it('describes equal draw buffers once and different ones each', () => {
    const context = testContext();
    updateState(context, DIRTY_ALL);
    expect(record(context).blend!.description.targets).toHaveLength(1);
    setEnabledIndexed(context, GL.BLEND, 2, true);
    updateState(context, DIRTY_ALL);
    const { targets } = record(context).blend!.description;
    expect(targets.map((target) => target.enabled)).toEqual([false, false, true, false, false, false, false, false]);
    expect(isEnabled(context, GL.BLEND)).toBe(false);
  });

  it('hands over the same descriptions whether it remembers them or not', () => {
    const changes: ((context: Context, on: boolean) => void)[] = [
      ...[GL.BLEND, GL.DITHER, GL.SAMPLE_ALPHA_TO_COVERAGE, GL.DEPTH_TEST, GL.STENCIL_TEST, GL.CULL_FACE].map(
        (name) => (context: Context, on: boolean) => (on ? enable : disable)(context, name),
      ),
      ...[GL.SCISSOR_TEST, GL.RASTERIZER_DISCARD, GL.POLYGON_OFFSET_FILL, GL.DEPTH_CLAMP_EXT].map(
        (name) => (context: Context, on: boolean) => (on ? enable : disable)(context, name),
      ),
      ...[GL.POLYGON_OFFSET_LINE_ANGLE, GL.CLIP_DISTANCE0_EXT + 1].map(
        (name) => (context: Context, on: boolean) => (on ? enable : disable)(context, name),
      ),
      (context, on) => setEnabledIndexed(context, GL.BLEND, 3, on),
      (context, on) => fixed.blendFuncSeparate(context, on ? GL.ONE : GL.SRC_ALPHA, GL.ZERO, GL.ONE, GL.ZERO),
      (context, on) => fixed.blendFuncSeparate(context, GL.ONE, on ? GL.ONE : GL.SRC_ALPHA, GL.ONE, GL.ZERO),
      (context, on) => fixed.blendFuncSeparate(context, GL.ONE, GL.ONE, on ? GL.ZERO : GL.DST_COLOR, GL.ZERO),
      (context, on) => fixed.blendFuncSeparatei(context, 2, GL.ONE, GL.ONE, GL.ONE, on ? GL.ZERO : GL.DST_COLOR),
      (context, on) => fixed.blendEquationSeparate(context, on ? GL.MAX : GL.FUNC_ADD, GL.FUNC_SUBTRACT),
      (context, on) => fixed.blendEquationSeparate(context, GL.MAX, on ? GL.MIN : GL.FUNC_SUBTRACT),
      (context, on) => fixed.colorMask(context, on, true, on, true),
      (context, on) => fixed.depthFunc(context, on ? GL.LEQUAL : GL.GREATER),
      (context, on) => fixed.depthMask(context, on),
      (context, on) => fixed.stencilFuncSeparate(context, GL.FRONT, on ? GL.EQUAL : GL.LESS, 1, 0x11),
      (context, on) => fixed.stencilFuncSeparate(context, GL.BACK, GL.LESS, 1, on ? 0x22 : 0x23),
      (context, on) => fixed.stencilOpSeparate(context, GL.FRONT, on ? GL.INCR : GL.KEEP, GL.ZERO, GL.INVERT),
      (context, on) => fixed.stencilOpSeparate(context, GL.BACK, GL.KEEP, on ? GL.INCR : GL.KEEP, GL.INVERT),
      (context, on) => fixed.stencilOpSeparate(context, GL.BACK, GL.KEEP, GL.KEEP, on ? GL.INCR : GL.KEEP),
      (context, on) => fixed.stencilMaskSeparate(context, GL.BACK, on ? 0xff : 0x0f),
      (context, on) => fixed.cullFace(context, on ? GL.FRONT : GL.FRONT_AND_BACK),
      (context, on) => fixed.frontFace(context, on ? GL.CW : GL.CCW),
      (context, on) => fixed.lineWidth(context, on ? 1 : 1.5),
      (context, on) => fixed.polygonOffset(context, on ? 0.5 : 0.25, 1),
      (context, on) => fixed.polygonOffsetClamp(context, 0.5, on ? 1 : 2, on ? 0 : 0.125),
      (context, on) => fixed.polygonMode(context, GL.FRONT_AND_BACK, on ? GL.LINE_ANGLE : GL.FILL_ANGLE),
      (context, on) =>
        fixed.provokingVertex(context, on ? GL.FIRST_VERTEX_CONVENTION_ANGLE : GL.LAST_VERTEX_CONVENTION_ANGLE),
      (context, on) => fixed.clipControl(context, on ? GL.UPPER_LEFT_EXT : GL.LOWER_LEFT_EXT, GL.ZERO_TO_ONE_EXT),
      (context, on) =>
        fixed.clipControl(context, GL.LOWER_LEFT_EXT, on ? GL.ZERO_TO_ONE_EXT : GL.NEGATIVE_ONE_TO_ONE_EXT),
    ];
    const [remembering, forgetting] = [testContext(), testContext()];
    let seed = 1;
    const random = (count: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * count);
    };
    for (let step = 0; step < 2000; step++) {
      const [change, on] = [changes[random(changes.length)]!, random(2) === 1];
      // Few states lie near the first one: it is gone back to, so that many come again.
      const isUndone = random(3) > 0;
      for (const context of [remembering, forgetting]) {
        change(context, on);
        if (isUndone) change(context, !on);
        updateState(context, DIRTY_ALL);
      }
      const [a, b] = [record(remembering), record(forgetting)];
      expect(a.blend!.description).toEqual(b.blend!.description);
      expect(a.depthStencilAlpha!.description).toEqual(b.depthStencilAlpha!.description);
      expect(a.rasterizer!.description).toEqual(b.rasterizer!.description);
      const fresh = { blends: new NumberMap(1), depthStencils: new NumberMap(1), rasterizers: new NumberMap(1) };
      Object.assign(forgetting.pipeState, fresh);
    }
    expect([...takeErrors(remembering), ...takeErrors(forgetting)]).toEqual([]);
  });

  it('maps normalized floats to the whole integer range', () => {
    const context = testContext();
    fixed.clearColor(context, 1, 0.5, -1, 3);
    expect(asIntegers(getParameter(context, GL.COLOR_CLEAR_VALUE)!, 32)).toEqual([
      0x7fffffff, 0x40000000, -0x7fffffff, 0x7fffffff,
    ]);
    expect(asFloats(getParameter(context, GL.COLOR_CLEAR_VALUE)!)).toEqual([1, 0.5, -1, 3]);
  });

  it('answers getters by version and reports what does not exist', () => {
    const context = testContext({ version: 2 });
    expect(getParameter(context, GL.MAX_3D_TEXTURE_SIZE)).toBeUndefined();
    expect(takeErrors(context)).toEqual(['INVALID_ENUM']);
    expect(getParameter(testContext(), GL.MAX_3D_TEXTURE_SIZE)!.value).toBe(2048);
    const three = testContext();
    expect(getIndexedParameter(three, GL.UNIFORM_BUFFER_SIZE, 999)).toBeUndefined();
    expect(takeErrors(three)).toEqual(['INVALID_VALUE']);
  });

  it('forbids constant colour with constant alpha in WebGL only', () => {
    const webgl = testContext({ webgl: true });
    fixed.blendFunc(webgl, GL.CONSTANT_COLOR, GL.ONE_MINUS_CONSTANT_ALPHA);
    expect(takeErrors(webgl)).toEqual(['INVALID_OPERATION']);
    const gles = testContext();
    fixed.blendFunc(gles, GL.CONSTANT_COLOR, GL.ONE_MINUS_CONSTANT_ALPHA);
    expect(takeErrors(gles)).toEqual([]);
  });
});
