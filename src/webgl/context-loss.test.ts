import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { testCanvas } from './testing.ts';

const nextTask = () => new Promise((resolve) => setTimeout(resolve, 2));

function lossy() {
  const canvas = testCanvas(nullBackend);
  const gl = canvas.getContext('webgl2')!;
  return { canvas, gl, extension: gl.getExtension('WEBGL_lose_context')! };
}

describe('a lost context', () => {
  it('tells the loss once, does nothing, and answers null, 0, false', () => {
    const { gl, extension } = lossy();
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enable(0);
    extension.loseContext();
    expect(gl.isContextLost()).toBe(true);
    expect([gl.getError(), gl.getError()]).toEqual([gl.CONTEXT_LOST_WEBGL, gl.NO_ERROR]);
    expect(gl.getParameter(gl.VIEWPORT)).toBeNull();
    expect(gl.isBuffer(buffer)).toBe(false);
    expect(gl.isBuffer(gl.createBuffer())).toBe(false);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_UNSUPPORTED);
    expect(gl.getContextAttributes()).toBeNull();
    expect(gl.getSupportedExtensions()).toBeNull();
    expect(gl.getExtension('WEBGL_lose_context')).toBeNull();
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(() => gl.bindBuffer(gl.ARRAY_BUFFER, {} as WebGLBuffer)).toThrow(TypeError);
  });

  it('sends its events in later tasks, and comes back when the default was prevented', async () => {
    const { canvas, gl, extension } = lossy();
    const events: string[] = [];
    canvas.addEventListener('webglcontextlost', (event) => {
      events.push(event.type);
      event.preventDefault();
    });
    canvas.addEventListener('webglcontextrestored', (event) => events.push(event.type));
    const old = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, old);
    gl.clearColor(1, 1, 1, 1);
    const blend = gl.getExtension('EXT_color_buffer_float');
    extension.loseContext();
    expect(events).toEqual([]);
    await nextTask();
    extension.restoreContext();
    expect(gl.isContextLost()).toBe(true);
    await nextTask();
    expect(events).toEqual(['webglcontextlost', 'webglcontextrestored']);
    expect(gl.isContextLost()).toBe(false);
    expect(gl.getParameter(gl.COLOR_CLEAR_VALUE)).toEqual(new Float32Array(4));
    gl.bindTexture(gl.TEXTURE_2D, old);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(gl.getExtension('WEBGL_lose_context')).toBe(extension);
    expect(gl.getExtension('EXT_color_buffer_float')).not.toBe(blend);
  });

  it('stays lost without preventDefault', async () => {
    const { gl, extension } = lossy();
    extension.loseContext();
    await nextTask();
    gl.getError();
    extension.restoreContext();
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    await nextTask();
    expect(gl.isContextLost()).toBe(true);
  });
});

describe('dispose', () => {
  it('gives everything back and leaves a lost context', () => {
    const screens: { memoryStatistics(): { liveBytes: number } }[] = [];
    const backend = {
      name: 'counting',
      createScreen: (options: object) => {
        const screen = nullBackend.createScreen(options);
        screens.push(screen);
        return screen;
      },
    };
    const canvas = testCanvas(backend);
    const gl = canvas.getContext('webgl2')! as WebGL2RenderingContext & { dispose(): void };
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, 1000, gl.STATIC_DRAW);
    gl.dispose();
    gl.dispose();
    expect(screens[0]!.memoryStatistics().liveBytes).toBe(0);
    expect(gl.isContextLost()).toBe(true);
    expect(canvas.getContext('webgl2')).toBeNull();
  });
});
