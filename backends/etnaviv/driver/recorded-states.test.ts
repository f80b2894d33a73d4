// What another driver sets in every recorded stream of a core, ours sets too: processes share a core, and what the one before
// has left is unknown. Skipped where the recordings are not there.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { addressName } from '../registers/registers.ts';
import { walkStream } from '../registers/walk-stream.ts';
import { listCases, loadCase, loadSubmit } from '../replay/recording.ts';

const GOLDEN = new URL('../../../../shared/golden/', import.meta.url).pathname;

/** The engines' states are set with each of their commands; the commands of a frame differ by driver. */
const ENGINES = /^(RS|BLT)_/;
/** What nobody looks at where it is not set: clear values without tile status; the other name of what is set. */
const NOT_NEEDED: Readonly<Record<string, readonly string[]>> = {
  gc400: ['TS_COLOR_CLEAR_VALUE', 'TS_COLOR_CLEAR_VALUE_EXT', 'TS_DEPTH_CLEAR_VALUE'],
  gc3000: ['SH_INST_MEM_MIRROR'],
};

const baseName = (address: number) => addressName(address).replace(/\[.*$/, '');

function addNames(words: Uint32Array, names: Set<string>): void {
  walkStream(words, { state: (address) => void names.add(baseName(address)) });
}

/** States that nine of ten recorded cases set. */
function recordedStates(folder: string): string[] {
  const counts = new Map<string, number>();
  const cases = listCases(folder);
  for (const name of cases) {
    const names = new Set<string>();
    for (let index = 0; index < loadCase(join(folder, name)).submits; index++) {
      const { submit, binary } = loadSubmit(join(folder, name), index);
      const start = binary.byteOffset + submit.stream.at;
      addNames(new Uint32Array(binary.buffer.slice(start, start + submit.stream.words * 4)), names);
    }
    for (const state of names) counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > cases.length * 0.9).map(([state]) => state);
}

/** The states of a frame of a bit of everything. */
function ownStates(core: string): Set<string> {
  const names = new Set<string>();
  const backend = etnavivBackend(core, { onSubmit: (words) => addNames(words, names) });
  using gl = createContext(64, 64, { backend, api: 'webgl', antialias: false });
  useProgram(
    gl,
    'attribute vec4 p; varying vec4 v; void main() { v = p; gl_Position = p; }',
    'precision mediump float; varying vec4 v; uniform vec4 c; void main() { gl_FragColor = v * c; }',
  );
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2]), gl.STATIC_DRAW);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, 64, 64, 0);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  useProgram(
    gl,
    'attribute vec4 p; void main() { gl_Position = p; }',
    'precision mediump float; uniform sampler2D t; void main() { gl_FragColor = texture2D(t, vec2(0.5)); }',
  );
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  gl.finish();
  return names;
}

describe.skipIf(!existsSync(GOLDEN))('states of every stream', () => {
  it.each(['gc400', 'gc880', 'gc2000', 'gc3000', 'gc7000'])('%s', { timeout: 60_000 }, (core) => {
    const recorded = recordedStates(join(GOLDEN, `etnaviv-${core}`));
    expect(recorded.length).toBeGreaterThan(60);
    const own = ownStates(core);
    expect(
      recorded.filter((state) => !own.has(state) && !ENGINES.test(state) && !NOT_NEEDED[core]?.includes(state)),
    ).toEqual([]);
  });
});
