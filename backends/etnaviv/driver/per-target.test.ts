import { describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { coreInfo, coreNamed } from '../hwdb/core-info.ts';
import { etnavivCaps } from './caps.ts';

describe('targets with states of their own, on etnaviv:gc7000', () => {
  it('blends one target, masks another, and leaves out a third', () => {
    const backend = etnavivBackend('gc7000');
    const gl = createContext(8, 8, {
      backend,
      api: 'webgl2',
      antialias: false,
    }) as unknown as WebGL2RenderingContext & {
      dispose(): void;
    };
    const indexed = gl.getExtension('OES_draw_buffers_indexed')!;
    const vertex = 'void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }';
    const outputs = [0, 1, 3].map((place) => `layout(location = ${place}) out vec4 o${place};`).join(' ');
    const fragment = `precision highp float; ${outputs} void main() { o0 = vec4(0.4, 0.2, 0, 0.4); o1 = o0.zxyw; o3 = vec4(1); }`;
    useProgram(gl, `#version 300 es\n${vertex}`, `#version 300 es\n${fragment}`);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const attachments = [0, 1, 2, 3].map((place) => gl.COLOR_ATTACHMENT0 + place);
    for (const attachment of attachments) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, gl.getParameter(gl.RENDERBUFFER_BINDING));
    }
    gl.drawBuffers(attachments);
    gl.clearColor(0.2, 0.2, 0.2, 0.2);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawBuffers([attachments[0]!, attachments[1]!, gl.NONE, attachments[3]!]);
    indexed.enableiOES(gl.BLEND, 0);
    indexed.blendFunciOES(0, gl.ONE, gl.ONE);
    indexed.colorMaskiOES(1, false, true, false, true);
    indexed.enableiOES(gl.BLEND, 3);
    indexed.blendEquationiOES(3, gl.FUNC_REVERSE_SUBTRACT);
    indexed.blendFunciOES(3, gl.ZERO, gl.ONE);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    const pixels = attachments.map((attachment) => {
      gl.readBuffer(attachment);
      const pixel = new Uint8Array(4);
      gl.readPixels(5, 3, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel];
    });
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(pixels).toEqual([
      [153, 102, 51, 153],
      [51, 102, 51, 102],
      [51, 51, 51, 51],
      [51, 51, 51, 51],
    ]);
    gl.dispose();
  });

  it('are announced only where the hardware has them', () => {
    const announced = (core: string) => {
      const { independentBlend, independentBlendMask, maxColorTargets, polygonMode, glesVersion } = etnavivCaps(
        coreInfo(coreNamed(core)!),
      );
      return [independentBlend, independentBlendMask, maxColorTargets, polygonMode, glesVersion];
    };
    expect(announced('gc400')).toEqual([false, false, 1, false, 2]);
    expect(announced('gc2000')).toEqual([false, false, 4, false, 2]);
    expect(announced('gc3000')).toEqual([false, false, 8, false, 2]);
    expect(announced('gc7000')).toEqual([true, true, 8, false, 3]);
  });
});
