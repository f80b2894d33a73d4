import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DEFAULT_LINK_LIMITS } from '../glsl/link-result.ts';
import { compileCached, linkCached } from './compile-cache.ts';

const VERTEX = 'attribute vec4 a; attribute vec4 b; void main() { gl_Position = a + b; }';
const FRAGMENT = 'precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }';

const vertex = () => compileCached(VERTEX, { stage: 'vertex', profile: 'gles', api: 2 });
const fragment = () => compileCached(FRAGMENT, { stage: 'fragment', profile: 'gles', api: 2 });
const LINK = { limits: DEFAULT_LINK_LIMITS, profile: 'gles' } as const;

test('equal text and options are compiled and linked once', () => {
  expect(vertex()).toBe(vertex());
  expect(linkCached(vertex(), fragment(), LINK)).toBe(linkCached(vertex(), fragment(), { ...LINK }));
});

test('whatever the outcome depends on makes another', () => {
  const webgl = compileCached(VERTEX, { stage: 'vertex', profile: 'webgl', api: 2 });
  expect(webgl).not.toBe(vertex());
  const plain = linkCached(vertex(), fragment(), LINK);
  const bound = linkCached(vertex(), fragment(), { ...LINK, attribBindings: new Map([['b', 5]]) });
  const locationOf = (result: typeof plain) => result.program!.attributes.find(({ name }) => name === 'b')!.location;
  expect([locationOf(plain) === 5, locationOf(bound)]).toEqual([false, 5]);
  expect(linkCached(vertex(), fragment(), { ...LINK, optimize: { scalars: true } })).not.toBe(plain);
});

test('INDIUM_CACHE_DIR changes no pixel: cold, warm, and with every entry damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'indium-cache-'));
  const script = `
    const { createContext } = await import(process.argv[1]);
    const gl = createContext(16, 16, { threads: 1 });
    const program = gl.createProgram();
    const compile = (type, source) => {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    };
    compile(gl.VERTEX_SHADER, '#version 300 es\\nout vec2 v; void main() { v = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0; gl_Position = vec4(v * 2.0 - 1.0, 0, 1); }');
    compile(gl.FRAGMENT_SHADER, '#version 300 es\\nprecision highp float; in vec2 v; out vec4 o; uniform float u[3]; void main() { float s = 0.0; for (int i = 0; i < 3; i++) s += sin(v.x * u[i]); o = vec4(v, s, 1); }');
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.uniform1fv(gl.getUniformLocation(program, 'u'), [1, 2, 3]);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    const pixels = new Uint8Array(1024);
    gl.readPixels(0, 0, 16, 16, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    console.log(gl.getError(), gl.getProgramInfoLog(program), Buffer.from(pixels).toString('base64'));`;
  const run = (cache: string) =>
    execFileSync(
      process.execPath,
      [
        ...['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script],
        fileURLToPath(new URL('../index.ts', import.meta.url)),
      ],
      { encoding: 'utf8', env: { ...process.env, INDIUM_CACHE_DIR: cache } },
    );
  try {
    const expected = run('');
    expect(run(folder)).toBe(expected);
    const entries = readdirSync(folder);
    // Two compilations, a link, two modules.
    expect(entries).toHaveLength(5);
    expect(run(folder)).toBe(expected);
    expect(readdirSync(folder).sort()).toEqual(entries.sort());
    entries.forEach((name, i) => {
      const bytes = readFileSync(join(folder, name));
      bytes.fill(i, 40 + i, 60 + i);
      writeFileSync(join(folder, name), i % 2 ? bytes : bytes.subarray(0, 50 * i));
    });
    expect(run(folder)).toBe(expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
