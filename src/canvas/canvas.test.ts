import { describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { testCanvas } from '../webgl/testing.ts';
import { decodePng } from './image.ts';

function clearTo(canvas: ReturnType<typeof testCanvas>, red: number, alpha: number, attributes = {}) {
  const gl = canvas.getContext('webgl2', attributes)!;
  gl.clearColor(red, 0, 0, alpha);
  gl.clear(gl.COLOR_BUFFER_BIT);
  return gl;
}

describe('getContext', () => {
  it('gives the same context again, and null for another type', () => {
    const canvas = testCanvas(softBackend);
    const gl = canvas.getContext('webgl');
    expect(gl).not.toBeNull();
    expect(canvas.getContext('experimental-webgl')).toBe(gl);
    expect(canvas.getContext('webgl2')).toBeNull();
    expect(canvas.getContext('2d')).toBeNull();
    expect(gl!.canvas).toBe(canvas);
  });

  it('sends webglcontextcreationerror when there can be none', () => {
    const broken = {
      name: 'broken',
      createScreen: () => {
        throw new Error('no such device');
      },
    };
    const canvas = testCanvas(broken);
    let reason = '';
    canvas.addEventListener('webglcontextcreationerror', (event) => {
      reason = (event as WebGLContextEvent).statusMessage;
    });
    expect(canvas.getContext('webgl')).toBeNull();
    expect(reason).toBe('no such device');
  });
});

describe('the size', () => {
  it('resizes and clears the drawing buffer and keeps state', () => {
    const canvas = testCanvas(softBackend);
    const gl = clearTo(canvas, 1, 1);
    canvas.width = 8;
    expect(gl.drawingBufferWidth).toBe(8);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    expect([...pixel]).toEqual([0, 0, 0, 0]);
    expect(gl.getParameter(gl.VIEWPORT)).toEqual(new Int32Array([0, 0, 16, 16]));
    expect(gl.getParameter(gl.COLOR_CLEAR_VALUE)).toEqual(new Float32Array([1, 0, 0, 1]));
  });

  it('may be nothing, or more than there can be', () => {
    const canvas = testCanvas(softBackend, 0, 0);
    const gl = canvas.getContext('webgl2')!;
    expect([canvas.width, gl.drawingBufferWidth]).toEqual([0, 1]);
    expect(canvas.toDataURL()).toBe('data:,');
    canvas.width = 1_000_000;
    expect(canvas.width).toBe(1_000_000);
    expect(gl.drawingBufferWidth).toBeLessThanOrEqual(gl.getParameter(gl.MAX_RENDERBUFFER_SIZE));
    canvas.width = -1;
    expect(canvas.width).toBe(300);
  });
});

describe('pictures', () => {
  it('are upright', () => {
    const canvas = testCanvas(softBackend, 1, 2);
    const gl = clearTo(canvas, 0, 1, { antialias: false });
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 1, 1, 1);
    gl.clearColor(0, 1, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect([...canvas.toImageData().data]).toEqual([0, 255, 0, 255, 0, 0, 0, 255]);
    expect([...canvas.toBuffer('raw')]).toEqual([0, 255, 0, 255, 0, 0, 0, 255]);
  });

  it('undo the multiplication by alpha, as a compositor would', () => {
    const canvas = testCanvas(softBackend, 1, 1);
    clearTo(canvas, 0.25, 0.5);
    const [red, , , alpha] = canvas.toImageData().data;
    expect(red).toBe(128);
    expect(alpha).toBe(128);
    const straight = testCanvas(softBackend, 1, 1);
    clearTo(straight, 0.25, 0.5, { premultipliedAlpha: false });
    expect(straight.toImageData().data[0]).toBe(64);
  });

  it('are PNG files and URLs of them', async () => {
    const canvas = testCanvas(softBackend, 3, 2);
    clearTo(canvas, 1, 1);
    const image = decodePng(canvas.toBuffer('image/png'));
    expect([image.width, image.height, image.data[0]]).toEqual([3, 2, 255]);
    expect(canvas.toDataURL('image/jpeg')).toMatch(/^data:image\/png;base64,/);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    expect(blob!.type).toBe('image/png');
    expect(() => canvas.toBuffer('image/gif' as 'raw')).toThrow(/image\/gif/);
  });

  it('come to toBlob as they were when it was called, in a later task', async () => {
    const canvas = testCanvas(softBackend, 2, 1);
    const gl = clearTo(canvas, 1, 1);
    let isCalled = false;
    const blob = new Promise<Blob | null>((resolve) =>
      canvas.toBlob((result) => {
        isCalled = true;
        resolve(result);
      }, 'image/webp'),
    );
    gl.clearColor(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    await Promise.resolve();
    expect(isCalled).toBe(false);
    const picture = (await blob)!;
    expect(picture.type).toBe('image/png');
    const image = decodePng(Buffer.from(await picture.arrayBuffer()));
    expect([image.width, image.height, ...image.data.subarray(0, 4)]).toEqual([2, 1, 255, 0, 0, 255]);
    canvas.width = 0;
    expect(await new Promise((resolve) => canvas.toBlob(resolve))).toBeNull();
    expect(() => canvas.toBlob(null as never)).toThrow(TypeError);
  });
});

describe('present', () => {
  it('starts the next frame cleared, unless the buffer is preserved', () => {
    for (const preserveDrawingBuffer of [false, true]) {
      const canvas = testCanvas(softBackend, 1, 1);
      clearTo(canvas, 1, 1, { preserveDrawingBuffer });
      expect(canvas.toImageData().data[0]).toBe(255);
      canvas.present();
      expect(canvas.toImageData().data[0]).toBe(preserveDrawingBuffer ? 255 : 0);
    }
  });
});
