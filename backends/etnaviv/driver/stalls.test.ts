// Stalls and flushes stand between draws where something needs them, and nowhere else.

import { describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { fieldOf, REGISTERS as R } from '../registers/registers.ts';
import { walkStream } from '../registers/walk-stream.ts';

const SIZE = 32;
const OP = ENUMS.FE_OPCODE;
const DRAWS: readonly number[] = [OP.DRAW_PRIMITIVES, OP.DRAW_INDEXED_PRIMITIVES, OP.DRAW_INSTANCED];

/** What stands before each draw of a stream: `stall FE`, `stall RA`, `flush pixels`, `flush textures`, `uniforms`, `states`. */
function betweenDraws(words: Uint32Array): string[][] {
  const draws: string[][] = [];
  let before = new Set<string>();
  walkStream(words, {
    state(address, word) {
      if (address === R.GL_STALL_TOKEN.address) before.add('stall RA');
      else if (address === R.GL_FLUSH_CACHE.address) {
        before.add(fieldOf(R.GL_FLUSH_CACHE, 'TEXTURE', word) ? 'flush textures' : 'flush pixels');
      } else if (![R.GL_SEMAPHORE_TOKEN, R.TS_FLUSH_CACHE].some((register) => register.address === address)) {
        before.add('states');
      }
    },
    command(op) {
      if (op === OP.STALL) before.add('stall FE');
      if (!DRAWS.includes(op)) return;
      draws.push([...before].sort());
      before = new Set();
    },
  });
  return draws;
}

type Gl = ReturnType<typeof open>['gl'];

function open(core: string) {
  const streams: Uint32Array[] = [];
  const backend = etnavivBackend(core, { onSubmit: (words) => streams.push(words.slice()) });
  const gl = createContext(SIZE, SIZE, { backend, api: 'webgl', antialias: false });
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return { gl, streams };
}

const VERTEX = 'attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }';

function program(gl: Gl, fragment: string): WebGLProgram {
  return useProgram(gl, VERTEX, `precision mediump float; ${fragment}`);
}

function targetTexture(gl: Gl): WebGLFramebuffer {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  return framebuffer;
}

describe.each(['gc400', 'gc880', 'gc2000', 'gc3000', 'gc7000'])('between draws on %s', (core) => {
  const stall = core === 'gc400' ? [] : ['stall FE'];

  it('nothing stalls for what pixels at work do not read', () => {
    const { gl, streams } = open(core);
    const color = gl.getUniformLocation(program(gl, 'uniform vec4 c; void main() { gl_FragColor = c; }'), 'c');
    const draw = () => gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.uniform4f(color, 1, 0, 0, 1);
    draw();
    draw();
    gl.enable(gl.BLEND);
    draw();
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(1, 2, 3, 4);
    draw();
    gl.uniform4f(color, 1, 0, 1, 1);
    draw();
    gl.uniform4f(color, 0, 0, 1, 1);
    gl.scissor(2, 2, 3, 4);
    draw();
    gl.finish();
    const [first, ...others] = betweenDraws(streams.at(-1)!);
    expect(first).toContain('flush textures');
    expect(others).toEqual([[], ['states'], ['states'], [...stall, 'states'].sort(), [...stall, 'states'].sort()]);
    gl.dispose();
  });

  it('texture caches are flushed once for what was drawn, and never for uploads', () => {
    const { gl, streams } = open(core);
    const plain = program(gl, 'void main() { gl_FragColor = vec4(0, 1, 0, 1); }');
    const sampling = program(gl, 'uniform sampler2D t; void main() { gl_FragColor = texture2D(t, vec2(0.5)); }');
    const framebuffer = targetTexture(gl);
    const draw = (made: WebGLProgram, target: WebGLFramebuffer | null) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      gl.useProgram(made);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    };
    draw(plain, null);
    draw(plain, framebuffer);
    draw(sampling, null);
    gl.enable(gl.BLEND);
    draw(sampling, null);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    draw(sampling, null);
    gl.finish();
    const draws = betweenDraws(streams.at(-1)!);
    const flushes = draws.map((before) => before.filter((what) => what.startsWith('flush')));
    // Another target, then the texture: the engine may have to copy it before.
    expect(flushes[1]).toEqual(['flush pixels']);
    expect(flushes[2]).toContain('flush textures');
    expect(flushes.slice(3)).toEqual([[], []]);
    gl.dispose();
  });
});
