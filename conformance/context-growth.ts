// `npx tsx conformance/context-growth.ts [1000]`: makes, uses and drops contexts in one process and says what memory stays.
// Exit code 1: the screen holds more than after the warm-up, or the process has grown beyond the bound.

import { pathToFileURL } from 'node:url';
import { createGlesContext } from '../src/gles/index.ts';
import type { Screen } from '../src/pipe/pipe.ts';

/** Contexts before the first look: caches and compiled code are full then. */
const WARM_UP = 50;
/** The heap breathes by this much from one collection to the next; 1,000 contexts that leaked 40 kB each would show. */
const RSS_BOUND = 40 << 20;

const VERTEX = 'attribute vec4 p; varying vec4 c; void main() { gl_Position = p; c = p * 0.5 + 0.5; }';
const FRAGMENT =
  'precision mediump float; uniform vec4 u; uniform sampler2D s; varying vec4 c; void main() { gl_FragColor = c * u + texture2D(s, c.xy); }';

/** A context with a program, a texture, buffers and a framebuffer object, drawn with and then dropped with all it owns. */
export function useContext(screen: Screen, index: number): void {
  const gl = createGlesContext({ width: 64, height: 64, api: index % 2 === 0 ? 2 : 3, screen });
  const name = (make: (n: number, names: number[]) => void): number => {
    const names = [0];
    make(1, names);
    return names[0]!;
  };
  const program = gl.glCreateProgram();
  for (const [type, text] of [
    [gl.GL_VERTEX_SHADER, VERTEX],
    [gl.GL_FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.glCreateShader(type);
    gl.glShaderSource(shader, 1, [text]);
    gl.glCompileShader(shader);
    gl.glAttachShader(program, shader);
  }
  gl.glBindAttribLocation(program, 0, 'p');
  gl.glLinkProgram(program);
  gl.glUseProgram(program);
  gl.glUniform4f(gl.glGetUniformLocation(program, 'u'), 0.5, 0.5, 0.5, 1);
  const texture = () => {
    gl.glBindTexture(gl.GL_TEXTURE_2D, name(gl.glGenTextures));
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 64, 64, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, null);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST);
  };
  texture();
  const [bound] = [[0]];
  gl.glGetIntegerv(gl.GL_TEXTURE_BINDING_2D, bound!);
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, name(gl.glGenFramebuffers));
  gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, bound![0]!, 0);
  texture();
  gl.glBindBuffer(gl.GL_ARRAY_BUFFER, name(gl.glGenBuffers));
  const corners = Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1);
  gl.glBufferData(gl.GL_ARRAY_BUFFER, corners.byteLength, corners, gl.GL_STATIC_DRAW);
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
  for (const framebuffer of [1, 0]) {
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4);
  }
  const pixel = new Uint8Array(4);
  gl.glReadPixels(32, 32, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixel);
  const error = gl.glGetError();
  if (error !== 0 || pixel[3] === 0) throw new Error(`context ${index} does not draw: error 0x${error.toString(16)}`);
  // The last work of every third context is still pending.
  if (index % 3 === 0) gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4);
  gl.dispose();
}

async function settledRss(): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc;
  for (let i = 0; i < 4; i++) {
    collect?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().rss;
}

async function main(count: number): Promise<number> {
  const { openBackend } = await import('../src/open-backend.ts');
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  (globalThis as { gc?: () => void }).gc = runInNewContext('gc') as () => void;
  const screen = (await openBackend('soft')).createScreen({});
  for (let i = 0; i < WARM_UP; i++) useContext(screen, i);
  const [live, rss] = [screen.memoryStatistics().liveBytes, await settledRss()];
  for (let i = 0; i < count; i++) useContext(screen, i);
  const grownLive = screen.memoryStatistics().liveBytes - live;
  const grownRss = (await settledRss()) - rss;
  console.log(
    `${count} contexts after ${WARM_UP}: the screen holds ${grownLive} bytes more, the process ${(grownRss / 2 ** 20).toFixed(1)} MB more (bound ${RSS_BOUND >> 20})`,
  );
  return grownLive > 0 || grownRss > RSS_BOUND ? 1 : 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exit(await main(Number(process.argv[2] ?? 1000)));
