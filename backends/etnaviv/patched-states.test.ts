// States that our driver never asks for, on the simulated GC7000: a frame's stream and descriptors are changed on their way.

import { expect, it } from 'vitest';
import { createContext } from '../../src/index.ts';
import { useProgram } from '../../src/webgl/testing.ts';
import { EtnavivScreen } from './driver/screen.ts';
import { coreInfo, coreNamed } from './hwdb/core-info.ts';
import { ENUMS } from './registers/enums.table.ts';
import { packFields, REGISTERS as R } from './registers/registers.ts';
import { walkStream } from './registers/walk-stream.ts';
import { SimWinsys } from './winsys/sim.ts';
import type { BufferObject, Submit } from './winsys/winsys.ts';

type Gl = WebGL2RenderingContext & { dispose(): void };

/** Another word for a state, or the same. */
type Patch = (address: number, word: number, buffers: readonly BufferObject[]) => number;

class PatchingWinsys extends SimWinsys {
  patch: Patch | null = null;

  override submit(submit: Submit): number {
    const words = submit.words.slice();
    walkStream(submit.words, {
      state: (address, word, _, at) => {
        if (this.patch) words[at] = this.patch(address, word, [...submit.buffers.keys()]);
      },
    });
    return super.submit({ ...submit, words });
  }
}

function open(): { gl: Gl; winsys: PatchingWinsys; notices: string[] } {
  const notices: string[] = [];
  const winsys = new PatchingWinsys(coreInfo(coreNamed('gc7000')!), [], (text) => notices.push(text));
  const backend = { name: 'etnaviv', createScreen: () => new EtnavivScreen(winsys) };
  const gl = createContext(8, 8, { backend, api: 'webgl2', antialias: false }) as unknown as Gl;
  return { gl, winsys, notices };
}

const TRIANGLE = 'void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }';

function programFor(gl: Gl, fragment: string): void {
  useProgram(gl, `#version 300 es\n${TRIANGLE}`, `#version 300 es\nprecision highp float; ${fragment}`);
}

function pixel(gl: Gl): number[] {
  const data = new Uint8Array(4);
  gl.readPixels(3, 3, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, data);
  return [...data];
}

it('takes the border colour of a descriptor outside of a texture', () => {
  const { gl, winsys, notices } = open();
  programFor(gl, 'uniform sampler2D t; out vec4 o; void main() { o = texture(t, vec2(2.0, 0.5)); }');
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 0, 0, 255]));
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  winsys.patch = (address, word, buffers) => {
    if (address === R.NTE_DESCRIPTOR_SAMP_CTRL0.address) {
      const { CLAMP_TO_BORDER } = ENUMS.TEXTURE_WRAPMODE;
      return word | packFields(R.NTE_DESCRIPTOR_SAMP_CTRL0, { UWRAP: CLAMP_TO_BORDER, VWRAP: CLAMP_TO_BORDER });
    }
    if (address === R.NTE_DESCRIPTOR_ADDR.address && word !== 0) {
      const bytes = buffers.find(({ gpuAddress }) => gpuAddress === word)!.map();
      new Float32Array(bytes.buffer, bytes.byteOffset + 0x8c, 4).set([0.2, 0.4, 0.6, 1]);
    }
    return word;
  };
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  expect(pixel(gl)).toEqual([51, 102, 153, 255]);
  expect(notices).toEqual([]);
  gl.dispose();
});

it('blends each target with its own constant colour', () => {
  const { gl, winsys, notices } = open();
  programFor(gl, 'layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = b = vec4(1); }');
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const attachments = [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1];
  for (const attachment of attachments) {
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
  }
  gl.drawBuffers(attachments);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.CONSTANT_COLOR, gl.ZERO);
  gl.blendColor(0.2, 0.4, 0.6, 1);
  // Halves: 1, 0.5 and 0, 1.
  winsys.patch = (address, word) =>
    address === R.PE_HALTI5_RT_ALPHA_COLOR_EXT0.address
      ? 0x38003c00
      : address === R.PE_HALTI5_RT_ALPHA_COLOR_EXT1.address
        ? 0x3c000000
        : word;
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const got = attachments.map((attachment) => {
    gl.readBuffer(attachment);
    return pixel(gl);
  });
  expect(got[0]).toEqual([51, 102, 153, 255]);
  expect(got[1]).toEqual([255, 128, 0, 255]);
  expect(notices).toEqual([]);
  gl.dispose();
});
