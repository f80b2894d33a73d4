import { beforeEach, describe, expect, it } from 'vitest';
import type { NullContext } from '../../backends/null/context.ts';
import { NullScreen } from '../../backends/null/screen.ts';
import { CLEAR } from '../pipe/defines.ts';
import { blitFramebuffer, sourceInside } from './blit-framebuffer.ts';
import { clear, clearBufferfi, clearBufferfv, clearBufferuiv } from './clear.ts';
import { GL } from './constants.ts';
import { Context, type ContextOptions, WEBGL_RULES } from './context.ts';
import { copyTexImage2D, copyTexSubImage2D } from './copy-texture.ts';
import { DIRTY_ALL } from './dirty.ts';
import { getError } from './errors.ts';
import {
  bindFramebuffer,
  checkFramebufferStatus,
  createFramebuffer,
  deleteFramebuffer,
  drawBuffers,
  framebufferRenderbuffer,
  framebufferTexture2D,
  framebufferTextureLayer,
  readBuffer,
} from './framebuffer.ts';
import { resizeDefaultFramebuffer } from './framebuffer-default.ts';
import { invalidateFramebuffer } from './framebuffer-invalidate.ts';
import { getFramebufferAttachmentParameter } from './framebuffer-query.ts';
import { implementationColorRead, readPixels } from './read-pixels.ts';
import {
  bindRenderbuffer,
  createRenderbuffer,
  deleteRenderbuffer,
  getInternalformatParameter,
  getRenderbufferParameter,
  renderbufferStorage,
  renderbufferStorageMultisample,
} from './renderbuffer.ts';
import type { Renderbuffer } from './renderbuffer-object.ts';
import { updateState } from './state-update.ts';
import { bindTexture, createTexture, deleteTexture } from './texture.ts';
import { texImage2D, texImage3D } from './texture-image.ts';
import type { Texture } from './texture-object.ts';
import { texParameter } from './texture-parameter.ts';

const attributes = { width: 16, height: 8, alpha: true, depth: true, stencil: true, samples: 0 };

let context: Context;
function open(options: Partial<ContextOptions> = {}): void {
  context = new Context(new NullScreen(), { version: 3, framebuffer: attributes, ...options });
}
beforeEach(() => open());

function errors(): number[] {
  const list: number[] = [];
  for (let code = getError(context); code !== GL.NO_ERROR; code = getError(context)) list.push(code);
  return list;
}

function record(): NullContext['record'] {
  return (context.pipe as NullContext).record;
}

function texture2D(
  internal: number,
  format: number,
  type: number,
  width = 4,
  height = 4,
  data: Uint8Array | null = null,
): Texture {
  const texture = createTexture(context);
  bindTexture(context, GL.TEXTURE_2D, texture);
  texImage2D(context, GL.TEXTURE_2D, 0, internal, width, height, 0, format, type, data);
  return texture;
}

function renderbuffer(format: number, samples = 0, width = 4, height = 4): Renderbuffer {
  const object = createRenderbuffer(context);
  bindRenderbuffer(context, GL.RENDERBUFFER, object);
  if (samples) renderbufferStorageMultisample(context, GL.RENDERBUFFER, samples, format, width, height);
  else renderbufferStorage(context, GL.RENDERBUFFER, format, width, height);
  return object;
}

function framebufferWith(...attachments: [point: number, object: Texture | Renderbuffer][]): void {
  bindFramebuffer(context, GL.FRAMEBUFFER, createFramebuffer(context));
  for (const [point, object] of attachments) {
    if ('images' in object) framebufferTexture2D(context, GL.FRAMEBUFFER, point, GL.TEXTURE_2D, object, 0);
    else framebufferRenderbuffer(context, GL.FRAMEBUFFER, point, GL.RENDERBUFFER, object);
  }
}

function status(): number {
  return checkFramebufferStatus(context, GL.FRAMEBUFFER);
}

describe('completeness', () => {
  it('holds for the default framebuffer', () => {
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
  });

  it('needs an attachment with storage that can be rendered to', () => {
    framebufferWith();
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    const texture = createTexture(context);
    bindTexture(context, GL.TEXTURE_2D, texture);
    framebufferTexture2D(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 0);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA8, 4, 4, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGB9_E5, 4, 4, 0, GL.RGB, GL.FLOAT, null);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    expect(errors()).toEqual([]);
  });

  it('needs a max level that is not below the base level, even for the base level itself', () => {
    const texture = texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE);
    framebufferWith([GL.COLOR_ATTACHMENT0, texture]);
    texImage2D(context, GL.TEXTURE_2D, 1, GL.RGBA8, 2, 2, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_BASE_LEVEL, 1);
    framebufferTexture2D(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 1);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_MAX_LEVEL, 0);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
  });

  it('follows an extension that is enabled later', () => {
    framebufferWith([GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA16F, GL.RGBA, GL.FLOAT)]);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    context.extensions.add('EXT_color_buffer_float');
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
  });

  it('compares sizes in GLES 2 only', () => {
    for (const [version, expected] of [
      [2, GL.FRAMEBUFFER_INCOMPLETE_DIMENSIONS],
      [3, GL.FRAMEBUFFER_COMPLETE],
    ] as const) {
      open({ version });
      framebufferWith(
        [GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA, GL.RGBA, GL.UNSIGNED_BYTE, 4, 2)],
        [GL.DEPTH_ATTACHMENT, renderbuffer(GL.DEPTH_COMPONENT16, 0, 2, 4)],
      );
      expect(status()).toBe(expected);
    }
    updateState(context, DIRTY_ALL);
    expect(record().framebuffer).toMatchObject({ width: 2, height: 2 });
  });

  it('compares sample counts', () => {
    framebufferWith(
      [GL.COLOR_ATTACHMENT0, renderbuffer(GL.RGBA8, 4)],
      [GL.DEPTH_ATTACHMENT, renderbuffer(GL.DEPTH_COMPONENT16)],
    );
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE);
  });

  it('wants one image for depth and stencil', () => {
    const packed = renderbuffer(GL.DEPTH24_STENCIL8);
    framebufferWith([GL.DEPTH_STENCIL_ATTACHMENT, packed]);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    framebufferRenderbuffer(
      context,
      GL.FRAMEBUFFER,
      GL.STENCIL_ATTACHMENT,
      GL.RENDERBUFFER,
      renderbuffer(GL.STENCIL_INDEX8),
    );
    expect(status()).toBe(GL.FRAMEBUFFER_UNSUPPORTED);
    expect(
      getFramebufferAttachmentParameter(
        context,
        GL.FRAMEBUFFER,
        GL.DEPTH_STENCIL_ATTACHMENT,
        GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
      ),
    ).toBeUndefined();
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });

  it('keeps the attachment points of WebGL 1 apart', () => {
    open({ version: 2, rules: WEBGL_RULES });
    framebufferWith(
      [GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA, GL.RGBA, GL.UNSIGNED_BYTE)],
      [GL.DEPTH_STENCIL_ATTACHMENT, renderbuffer(GL.DEPTH_STENCIL)],
    );
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    framebufferRenderbuffer(
      context,
      GL.FRAMEBUFFER,
      GL.DEPTH_ATTACHMENT,
      GL.RENDERBUFFER,
      renderbuffer(GL.DEPTH_COMPONENT16),
    );
    expect(status()).toBe(GL.FRAMEBUFFER_UNSUPPORTED);
    framebufferRenderbuffer(context, GL.FRAMEBUFFER, GL.DEPTH_STENCIL_ATTACHMENT, GL.RENDERBUFFER, null);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    framebufferRenderbuffer(
      context,
      GL.FRAMEBUFFER,
      GL.DEPTH_ATTACHMENT,
      GL.RENDERBUFFER,
      renderbuffer(GL.DEPTH_STENCIL),
    );
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    expect(errors()).toEqual([]);
  });
});

describe('attachments', () => {
  it('leave the bound framebuffer with their object', () => {
    const texture = texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE);
    const depth = renderbuffer(GL.DEPTH_COMPONENT16);
    framebufferWith([GL.COLOR_ATTACHMENT0, texture], [GL.DEPTH_ATTACHMENT, depth]);
    const bound = context.drawFramebuffer;
    deleteTexture(context, texture);
    deleteRenderbuffer(context, depth);
    expect(bound.attachments()).toEqual([]);
    deleteFramebuffer(context, bound);
    expect(context.drawFramebuffer).toBe(context.defaultFramebuffer);
  });

  it('stay in a framebuffer that is not bound', () => {
    const texture = texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE);
    framebufferWith([GL.COLOR_ATTACHMENT0, texture]);
    const object = context.drawFramebuffer;
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    deleteTexture(context, texture);
    bindFramebuffer(context, GL.FRAMEBUFFER, object);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    deleteFramebuffer(context, object);
    context.defaultFramebuffer.dispose(context);
    expect(context.screen.memoryStatistics().liveBytes).toBe(0);
  });

  it('may be layers', () => {
    const texture = createTexture(context);
    bindTexture(context, GL.TEXTURE_2D_ARRAY, texture);
    texImage3D(context, GL.TEXTURE_2D_ARRAY, 0, GL.RGBA8, 4, 4, 3, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    framebufferWith();
    framebufferTextureLayer(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, texture, 0, 2);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    updateState(context, DIRTY_ALL);
    expect(record().framebuffer?.colors[0]).toMatchObject({ firstLayer: 2, lastLayer: 2 });
    framebufferTextureLayer(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, texture, 0, 3);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
  });

  it.each([
    ['a wrong attachment', GL.FRAMEBUFFER, GL.TEXTURE_2D, GL.TEXTURE_2D, 0, GL.INVALID_ENUM],
    ['an attachment too high', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0 + 31, GL.TEXTURE_2D, 0, GL.INVALID_OPERATION],
    ['a wrong target', GL.TEXTURE_2D, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, 0, GL.INVALID_ENUM],
    [
      'a face of a 2D texture',
      GL.FRAMEBUFFER,
      GL.COLOR_ATTACHMENT0,
      GL.TEXTURE_CUBE_MAP_POSITIVE_X,
      0,
      GL.INVALID_OPERATION,
    ],
    ['a wrong texture target', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_3D, 0, GL.INVALID_ENUM],
    ['a negative level', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, -1, GL.INVALID_VALUE],
  ])('reject %s', (_, target, attachment, textureTarget, level, error) => {
    framebufferWith();
    framebufferTexture2D(
      context,
      target,
      attachment,
      textureTarget,
      texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE),
      level,
    );
    expect(errors()).toEqual([error]);
  });

  it('of the default framebuffer have a type, but no name', () => {
    const ask = (pname: number): unknown => getFramebufferAttachmentParameter(context, GL.FRAMEBUFFER, GL.BACK, pname);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)).toBe(GL.FRAMEBUFFER_DEFAULT);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME)).toBe(undefined);
    expect(errors()).toEqual([GL.INVALID_ENUM]);
  });

  it('tell about themselves', () => {
    const texture = texture2D(GL.RGB5_A1, GL.RGBA, GL.UNSIGNED_BYTE);
    framebufferWith([GL.COLOR_ATTACHMENT0, texture]);
    const ask = (pname: number, attachment: number = GL.COLOR_ATTACHMENT0): unknown =>
      getFramebufferAttachmentParameter(context, GL.FRAMEBUFFER, attachment, pname);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)).toBe(GL.TEXTURE);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME)).toBe(texture);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_RED_SIZE)).toBe(5);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE)).toBe(1);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING)).toBe(GL.LINEAR);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL.DEPTH_ATTACHMENT)).toBe(GL.NONE);
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    expect(ask(GL.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE, GL.DEPTH)).toBe(24);
    expect(errors()).toEqual([]);
  });
});

describe('draw and read buffers', () => {
  it('belong to their framebuffer', () => {
    drawBuffers(context, [GL.COLOR_ATTACHMENT0]);
    readBuffer(context, GL.COLOR_ATTACHMENT0);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    drawBuffers(context, [GL.NONE]);
    updateState(context, DIRTY_ALL);
    expect(record().framebuffer?.colors).toEqual([]);
    framebufferWith(
      [GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE)],
      [GL.COLOR_ATTACHMENT1, texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE)],
    );
    drawBuffers(context, [GL.COLOR_ATTACHMENT1]);
    drawBuffers(context, [GL.BACK]);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    drawBuffers(context, [GL.NONE, GL.COLOR_ATTACHMENT1]);
    updateState(context, DIRTY_ALL);
    expect(record().framebuffer?.colors.map((surface) => surface !== null)).toEqual([false, true]);
  });
});

describe('renderbuffers', () => {
  it('report sizes, bits and samples', () => {
    renderbuffer(GL.RGB565, 2, 5, 6);
    const ask = (pname: number): unknown => getRenderbufferParameter(context, GL.RENDERBUFFER, pname);
    expect(
      [GL.RENDERBUFFER_WIDTH, GL.RENDERBUFFER_HEIGHT, GL.RENDERBUFFER_GREEN_SIZE, GL.RENDERBUFFER_SAMPLES].map(ask),
    ).toEqual([5, 6, 6, 4]);
    expect(getInternalformatParameter(context, GL.RENDERBUFFER, GL.RGBA8, GL.SAMPLES)).toEqual([4]);
    expect(getInternalformatParameter(context, GL.RENDERBUFFER, GL.RGBA8UI, GL.NUM_SAMPLE_COUNTS)).toEqual([0]);
    expect(errors()).toEqual([]);
  });

  it.each([
    ['a texture-only format', GL.RGB9_E5, 0, 4, GL.INVALID_ENUM],
    ['a negative size', GL.RGBA8, 0, -1, GL.INVALID_VALUE],
    ['a size too large', GL.RGBA8, 0, 1 << 20, GL.INVALID_VALUE],
    ['too many samples', GL.RGBA8, 99, 4, GL.INVALID_OPERATION],
  ])('reject %s', (_, format, samples, size, error) => {
    renderbuffer(format, samples, size, size);
    expect(errors()).toEqual([error]);
  });
});

describe('clears', () => {
  it('keep to masks, scissor and buffers that exist', () => {
    clear(context, GL.COLOR_BUFFER_BIT);
    const before = record().clears;
    context.scissor.enabled = true;
    Object.assign(context.scissor, { x: 2, y: -3, width: 100, height: 5 });
    context.stencil.front.writeMask = 0x0f;
    context.depth.writeMask = false;
    clear(context, GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT);
    expect(errors()).toEqual([]);
    expect(record().lastClear).toMatchObject({
      buffers: CLEAR.COLOR0 | CLEAR.STENCIL,
      stencilWriteMask: 15,
      scissor: { minX: 2, minY: 0, maxX: 16, maxY: 2 },
    });
    Object.assign(context.scissor, { x: 40 });
    clear(context, GL.COLOR_BUFFER_BIT);
    clear(context, 1);
    expect(errors()).toEqual([GL.INVALID_VALUE]);
    expect(record().clears).toBe(before + 1);
  });

  it('name single buffers and keep to their kind', () => {
    framebufferWith(
      [GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE)],
      [GL.COLOR_ATTACHMENT1, texture2D(GL.RGBA32UI, GL.RGBA_INTEGER, GL.UNSIGNED_INT)],
    );
    drawBuffers(context, [GL.COLOR_ATTACHMENT0, GL.COLOR_ATTACHMENT1]);
    clearBufferuiv(context, GL.COLOR, 1, [0xffffffff, 1, 2, 3]);
    expect(record().lastClear?.buffers).toBe(CLEAR.COLOR0 << 1);
    expect([...record().lastClear!.color.uint]).toEqual([0xffffffff, 1, 2, 3]);
    clearBufferfv(context, GL.COLOR, 1, [1, 1, 1, 1]);
    expect(record().clears).toBe(1);
    clearBufferfv(context, GL.COLOR, 99, [1]);
    clearBufferfv(context, GL.STENCIL, 0, [1]);
    clearBufferfi(context, GL.DEPTH_STENCIL, 1, 0, 0);
    expect(errors()).toEqual([GL.INVALID_VALUE, GL.INVALID_ENUM]);
    clear(context, GL.COLOR_BUFFER_BIT);
    expect(record().lastClear?.buffers).toBe(CLEAR.COLOR0);
  });

  it('need a complete framebuffer', () => {
    framebufferWith();
    clear(context, GL.COLOR_BUFFER_BIT);
    invalidateFramebuffer(context, GL.FRAMEBUFFER, [GL.COLOR_ATTACHMENT0]);
    invalidateFramebuffer(context, GL.FRAMEBUFFER, [GL.COLOR]);
    expect(errors()).toEqual([GL.INVALID_FRAMEBUFFER_OPERATION, GL.INVALID_ENUM]);
  });
});

describe('readPixels', () => {
  const pixels = Uint8Array.from({ length: 4 * 4 * 4 }, (_, i) => i);

  it('converts and leaves what is outside alone', () => {
    framebufferWith([GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE, 4, 4, pixels)]);
    const into = new Uint8Array(16).fill(255);
    readPixels(context, -1, 3, 2, 2, GL.RGBA, GL.UNSIGNED_BYTE, into);
    expect(errors()).toEqual([]);
    expect([...into]).toEqual([255, 255, 255, 255, 48, 49, 50, 51, ...new Array(8).fill(255)]);
  });

  it('honours pack parameters', () => {
    framebufferWith([GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE, 4, 4, pixels)]);
    Object.assign(context.pack, { rowLength: 3, skipPixels: 1, skipRows: 1 });
    const into = new Uint8Array(36);
    readPixels(context, 0, 0, 1, 2, GL.RGBA, GL.UNSIGNED_BYTE, into);
    expect([...into.subarray(16, 20)]).toEqual([0, 1, 2, 3]);
    expect([...into.subarray(28, 32)]).toEqual([16, 17, 18, 19]);
    readPixels(context, 0, 0, 1, 2, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(31));
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });

  it('reads a multisampled default framebuffer', () => {
    open({ framebuffer: { ...attributes, alpha: false, samples: 4 } });
    const into = new Uint8Array(4);
    readPixels(context, 0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, into);
    expect(errors()).toEqual([]);
    expect([...into]).toEqual([0, 0, 0, 255]);
    expect(record().blits).toBe(1);
    expect(resizeDefaultFramebuffer(context, 3, 3)).toBe(true);
    expect(resizeDefaultFramebuffer(context, 3, 2 ** 31)).toBe(false);
    readPixels(context, 0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, into);
    expect(errors()).toEqual([]);
  });

  it('allows one pair by kind and one by choice', () => {
    const cases = [
      [GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE, GL.RGBA, GL.UNSIGNED_BYTE],
      [GL.RGB565, GL.RGB, GL.UNSIGNED_SHORT_5_6_5, GL.RGB, GL.UNSIGNED_SHORT_5_6_5],
      [GL.RGBA16UI, GL.RGBA_INTEGER, GL.UNSIGNED_SHORT, GL.RGBA_INTEGER, GL.UNSIGNED_INT],
      [GL.R8, GL.RED, GL.UNSIGNED_BYTE, GL.RED, GL.UNSIGNED_BYTE],
      [GL.RGB10_A2, GL.RGBA, GL.UNSIGNED_INT_2_10_10_10_REV, GL.RGBA, GL.UNSIGNED_INT_2_10_10_10_REV],
    ] as const;
    for (const [internal, format, type, readFormat, readType] of cases) {
      framebufferWith([GL.COLOR_ATTACHMENT0, texture2D(internal, format, type)]);
      readPixels(context, 0, 0, 4, 4, readFormat, readType, new Uint8Array(256));
      expect(implementationColorRead(context)).toMatchObject({ format, type });
    }
    expect(errors()).toEqual([]);
    readPixels(context, 0, 0, 1, 1, GL.RGB, GL.UNSIGNED_BYTE, new Uint8Array(4));
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    readPixels(context, 0, 0, 1, 1, GL.DEPTH_COMPONENT, GL.UNSIGNED_BYTE, new Uint8Array(4));
    expect(errors()).toEqual([GL.INVALID_ENUM]);
    framebufferWith([GL.COLOR_ATTACHMENT0, renderbuffer(GL.RGBA8, 4)]);
    readPixels(context, 0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(4));
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });
});

describe('copies to textures', () => {
  const pixels = Uint8Array.from({ length: 4 * 4 * 4 }, (_, i) => i);
  const read = (texture: Texture): number[] => {
    const image = texture.image(0, 0)!;
    const box = { x: 0, y: 0, z: 0, width: image.width, height: image.height, depth: 1 };
    return [...context.pipe.transferMap(image.resource!, image.resourceLevel, 1, box)!.data];
  };

  it('take bytes, convert luminance and alpha, and zero what is outside', () => {
    framebufferWith([GL.COLOR_ATTACHMENT0, texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE, 4, 4, pixels)]);
    const copy = createTexture(context);
    bindTexture(context, GL.TEXTURE_2D, copy);
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, -1, 0, 2, 1, 0);
    expect(read(copy).slice(0, 8)).toEqual([0, 0, 0, 0, 0, 1, 2, 3]);
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.LUMINANCE_ALPHA, 1, 1, 1, 1, 0);
    expect(read(copy).slice(0, 2)).toEqual([20, 23]);
    copyTexSubImage2D(context, GL.TEXTURE_2D, 0, 0, 0, 0, 0, 1, 1);
    expect(read(copy).slice(0, 2)).toEqual([0, 3]);
    expect(errors()).toEqual([]);
    copyTexSubImage2D(context, GL.TEXTURE_2D, 0, 0, 0, 0, 0, 2, 1);
    expect(errors()).toEqual([GL.INVALID_VALUE]);
  });

  it('may read the texture that they redefine in GLES', () => {
    const texture = texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE, 4, 4, pixels);
    framebufferWith([GL.COLOR_ATTACHMENT0, texture]);
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 1, 1, 2, 2, 0);
    expect(errors()).toEqual([]);
    expect(read(texture).slice(0, 4)).toEqual([20, 21, 22, 23]);
  });

  it('reject components and kinds that the framebuffer lacks', () => {
    framebufferWith([GL.COLOR_ATTACHMENT0, texture2D(GL.RGB8, GL.RGB, GL.UNSIGNED_BYTE)]);
    bindTexture(context, GL.TEXTURE_2D, createTexture(context));
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 0, 0, 2, 2, 0);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA8UI, 0, 0, 2, 2, 0);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.DEPTH_COMPONENT16, 0, 0, 2, 2, 0);
    expect(errors()).toEqual([GL.INVALID_ENUM]);
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.RGB, 0, 0, 2, 2, 0);
    expect(errors()).toEqual([]);
  });
});

describe('blitFramebuffer', () => {
  function bindPair(read: Texture | Renderbuffer, draw: Texture | Renderbuffer): void {
    framebufferWith([GL.COLOR_ATTACHMENT0, read]);
    const source = context.drawFramebuffer;
    framebufferWith([GL.COLOR_ATTACHMENT0, draw]);
    bindFramebuffer(context, GL.READ_FRAMEBUFFER, source);
  }

  it('checks formats, samples, filters and aliasing', () => {
    const rgba = texture2D(GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE);
    const other = texture2D(GL.RGB8, GL.RGB, GL.UNSIGNED_BYTE);
    const ints = texture2D(GL.RGBA8I, GL.RGBA_INTEGER, GL.BYTE);
    const blit = (mask: number = GL.COLOR_BUFFER_BIT, filter: number = GL.NEAREST, size = 4): number[] => {
      blitFramebuffer(context, 0, 0, 4, 4, 0, 0, size, size, mask, filter);
      return errors();
    };
    bindPair(rgba, other);
    expect(blit(GL.COLOR_BUFFER_BIT, GL.LINEAR, 2)).toEqual([]);
    expect(record().blits).toBe(1);
    expect(blit(1)).toEqual([GL.INVALID_VALUE]);
    expect(blit(GL.COLOR_BUFFER_BIT, GL.REPEAT)).toEqual([GL.INVALID_ENUM]);
    expect(blit(GL.DEPTH_BUFFER_BIT, GL.LINEAR)).toEqual([GL.INVALID_OPERATION]);
    expect(blit(GL.DEPTH_BUFFER_BIT)).toEqual([]);
    bindPair(rgba, ints);
    expect(blit()).toEqual([GL.INVALID_OPERATION]);
    bindPair(ints, ints);
    expect(blit()).toEqual([GL.INVALID_OPERATION]);
    bindPair(rgba, renderbuffer(GL.RGBA8, 4));
    expect(blit()).toEqual([GL.INVALID_OPERATION]);
    bindPair(renderbuffer(GL.RGBA8, 4), rgba);
    expect(blit()).toEqual([]);
    expect(blit(GL.COLOR_BUFFER_BIT, GL.NEAREST, 2)).toEqual([GL.INVALID_OPERATION]);
    bindPair(renderbuffer(GL.RGB8, 4), rgba);
    expect(blit()).toEqual([GL.INVALID_OPERATION]);
  });

  it('writes exactly the pixels whose source is inside', () => {
    const slow = (s0: number, s1: number, d0: number, d1: number, limit: number): number[] => {
      const list: number[] = [];
      for (let x = d0; x < d1; x++) {
        const s = s0 + ((x + 0.5 - d0) * (s1 - s0)) / (d1 - d0);
        if (s >= 0 && s < limit) list.push(x);
      }
      return list;
    };
    for (const [s0, s1, d0, d1] of [
      [-3, 9, 2, 14],
      [9, -3, 2, 14],
      [-5, 20, 0, 7],
      [20, -5, -4, 9],
      [2, 4, 0, 10],
      [30, 40, 0, 10],
      [-40, -30, 0, 10],
    ] as const) {
      const [first, last] = sourceInside(s0, s1, d0, d1, 8, d0, d1);
      expect(Array.from({ length: Math.max(last - first, 0) }, (_, i) => first + i)).toEqual(slow(s0, s1, d0, d1, 8));
    }
  });
});
