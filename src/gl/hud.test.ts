import { afterEach, expect, test } from 'vitest';
import { hud, profile } from '../base/profile.ts';
import { createCanvas } from '../index.ts';
import { useProgram } from '../webgl/testing.ts';

afterEach(() => {
  hud.isOn = false;
  profile.stop();
});

function picture(antialias: boolean): Uint8ClampedArray | Uint8Array {
  const canvas = createCanvas(240, 160, { threads: 1 });
  const gl = canvas.getContext('webgl2', { antialias })!;
  gl.clearColor(1, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const { data } = canvas.toImageData();
  canvas.present();
  expect(gl.getError()).toBe(gl.NO_ERROR);
  canvas.dispose();
  return data;
}

const at = (data: ArrayLike<number>, x: number, y: number) => [data[(y * 240 + x) * 4], data[(y * 240 + x) * 4 + 1]];

test.each([false, true])(
  'the overlay stands in the upper left corner (antialias %s), and only when asked for',
  (antialias) => {
    expect(at(picture(antialias), 10, 10)).toEqual([255, 0]);
    hud.isOn = true;
    profile.start();
    const data = picture(antialias);
    expect(at(data, 10, 10)).toEqual([16, 20]);
    expect(at(data, 4, 10)).toEqual([255, 0]);
    expect(at(data, 10, 158)).toEqual([255, 0]);
    expect(profile.frames).toHaveLength(1);
  },
);

test('fragments and primitives are counted, also those that a shader kills', () => {
  profile.start();
  const canvas = createCanvas(64, 64, { threads: 1 });
  const gl = canvas.getContext('webgl2', { antialias: false })!;
  useProgram(
    gl,
    '#version 300 es\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }',
    '#version 300 es\nprecision highp float; out vec4 o; void main() { if (gl_FragCoord.x < 16.0) discard; o = vec4(1); }',
  );
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  canvas.present();
  const [frame] = profile.frames;
  expect(frame).toMatchObject({ draws: 1, primitivesIn: 1, primitivesOut: 1, fragments: 4096, fragmentsKilled: 1024 });
  expect(frame!.milliseconds.link).toBeGreaterThan(0);
  canvas.dispose();
});
