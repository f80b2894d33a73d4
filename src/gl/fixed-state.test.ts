import { describe, expect, it } from 'vitest';
import type { NullContext } from '../../backends/null/context.ts';
import { nullBackend } from '../../backends/null/screen.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY_ALL } from './dirty.ts';
import { enable, isEnabled, setEnabledIndexed } from './enable.ts';
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
