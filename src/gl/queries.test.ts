import { describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { bindBuffer, createBuffer } from './buffer-bindings.ts';
import { bufferData } from './buffer-data.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { drawArrays } from './draw.ts';
import { bindFramebuffer, createFramebuffer, framebufferTexture2D } from './framebuffer.ts';
import { beginQuery, createQuery, currentTimestamp, endQuery, getQueryParameter, queryCounter } from './queries.ts';
import type { QueryObject } from './query-object.ts';
import { contextMaker, takeErrors, testProgram } from './testing.ts';
import { bindTexture, createTexture } from './texture.ts';
import { texImage2D } from './texture-image.ts';
import { setAttributeArrayEnabled, vertexAttribPointer } from './vertex-arrays.ts';

const testContext = contextMaker((options) => softBackend.createScreen(options));

/** A context ready to draw triangles, some of them outside the view volume. */
function setUp(): { context: Context; draw: (isInside: boolean) => void; asks: boolean[] } {
  const context = testContext();
  testProgram(context);
  bindBuffer(context, GL.ARRAY_BUFFER, createBuffer(context));
  const corners = Float32Array.of(-1, -1, 1, -1, -1, 1, 5, 5, 6, 5, 5, 6);
  bufferData(context, GL.ARRAY_BUFFER, corners.byteLength, new Uint8Array(corners.buffer), GL.STATIC_DRAW);
  setAttributeArrayEnabled(context, 0, true);
  vertexAttribPointer(context, 0, 2, GL.FLOAT, false, 0, 0);
  const asks: boolean[] = [];
  const { pipe } = context;
  const getQueryResult = pipe.getQueryResult.bind(pipe);
  pipe.getQueryResult = (query, wait) => {
    asks.push(wait);
    return getQueryResult(query, wait);
  };
  return { context, draw: (isInside) => drawArrays(context, GL.TRIANGLES, isInside ? 0 : 3, 3), asks };
}

function offscreen(context: Context): void {
  bindTexture(context, GL.TEXTURE_2D, createTexture(context));
  texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 8, 8, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
  bindFramebuffer(context, GL.FRAMEBUFFER, createFramebuffer(context));
  framebufferTexture2D(
    context,
    GL.FRAMEBUFFER,
    GL.COLOR_ATTACHMENT0,
    GL.TEXTURE_2D,
    context.textureUnits[0]!.textures[0]!,
    0,
  );
}

function query(context: Context, target: number, work: () => void): QueryObject {
  const object = createQuery(context);
  beginQuery(context, target, object);
  work();
  endQuery(context, target);
  return object;
}

describe('queries', () => {
  it('over several framebuffers add up', () => {
    for (const [first, second, expected] of [
      [true, false, 1],
      [false, true, 1],
      [false, false, 0],
    ] as const) {
      const { context, draw } = setUp();
      const samples = query(context, GL.ANY_SAMPLES_PASSED, () => {
        draw(first);
        offscreen(context);
        context.pipe.flush(0);
        draw(second);
        bindFramebuffer(context, GL.FRAMEBUFFER, null);
        draw(false);
      });
      expect(getQueryParameter(context, samples, GL.QUERY_RESULT)).toBe(expected);
      expect(takeErrors(context)).toEqual([]);
    }
  });

  it('wait when the result is asked for, and only then', () => {
    const { context, draw, asks } = setUp();
    const samples = query(context, GL.ANY_SAMPLES_PASSED, () => draw(true));
    expect(getQueryParameter(context, samples, GL.QUERY_RESULT_AVAILABLE)).toBe(false);
    expect(asks).toEqual([false]);
    expect(getQueryParameter(context, samples, GL.QUERY_RESULT)).toBe(1);
    expect(asks).toEqual([false, true]);
    // What was fetched is kept.
    expect(getQueryParameter(context, samples, GL.QUERY_RESULT_AVAILABLE)).toBe(true);
    expect(asks).toEqual([false, true]);
  });

  it('that are polled come to an end', () => {
    const { context, draw } = setUp();
    const samples = query(context, GL.ANY_SAMPLES_PASSED, () => draw(true));
    let polls = 1;
    while (!getQueryParameter(context, samples, GL.QUERY_RESULT_AVAILABLE) && polls < 10) polls++;
    expect(polls).toBeLessThan(10);
    const flushed = query(context, GL.ANY_SAMPLES_PASSED, () => draw(true));
    context.pipe.flush(0);
    expect(getQueryParameter(context, flushed, GL.QUERY_RESULT_AVAILABLE)).toBe(true);
  });

  it('of time include the drawing itself, and stamps grow', () => {
    const { context, draw } = setUp();
    const before = currentTimestamp(context);
    const elapsed = query(context, GL.TIME_ELAPSED_EXT, () => draw(true));
    const stamp = createQuery(context);
    queryCounter(context, stamp, GL.TIMESTAMP_EXT);
    const after = getQueryParameter(context, stamp, GL.QUERY_RESULT) as number;
    expect(getQueryParameter(context, elapsed, GL.QUERY_RESULT)).toBeGreaterThan(0);
    expect(getQueryParameter(context, elapsed, GL.QUERY_RESULT)).toBeLessThanOrEqual(after - before);
    queryCounter(context, elapsed, GL.TIMESTAMP_EXT);
    queryCounter(context, stamp, GL.TIME_ELAPSED_EXT);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION', 'INVALID_ENUM']);
  });
});
