import { beforeEach, describe, expect, it } from 'vitest';
import type { NullContext } from '../../backends/null/context.ts';
import { NullScreen } from '../../backends/null/screen.ts';
import { MAP } from '../pipe/defines.ts';
import { GL } from './constants.ts';
import { Context, type ContextOptions, WEBGL_RULES } from './context.ts';
import { getError } from './errors.ts';
import { createSamplingState } from './sampler-state.ts';
import { activeTexture, bindTexture, createTexture, deleteTexture } from './texture.ts';
import { incompleteReason } from './texture-completeness.ts';
import { compressedTexImage2D, compressedTexSubImage2D } from './texture-compressed.ts';
import { texImage2D, texImage3D, texSubImage2D } from './texture-image.ts';
import { texStorage2D } from './texture-immutable.ts';
import { generateMipmap } from './texture-mipmap.ts';
import type { Texture } from './texture-object.ts';
import { getTexParameter, texParameter } from './texture-parameter.ts';
import { finalizeTexture } from './texture-storage.ts';

const framebuffer = { width: 16, height: 16, alpha: true, depth: true, stencil: true, samples: 0 };

function makeContext(options: Partial<ContextOptions> = {}): Context {
  return new Context(new NullScreen(), { version: 3, framebuffer, ...options });
}

function bound(context: Context, target: number): Texture {
  const texture = createTexture(context);
  bindTexture(context, target, texture);
  return texture;
}

/** The stored bytes of an image's rows. */
function stored(context: Context, texture: Texture, level = 0, face = 0): number[] {
  const image = texture.image(face, level)!;
  const box = { x: 0, y: 0, z: image.resourceLayer, width: image.width, height: image.height, depth: image.depth };
  const transfer = (context.pipe as NullContext).transferMap(image.resource!, image.resourceLevel, MAP.READ, box)!;
  return [...transfer.data.subarray(0, transfer.layerStrideBytes * image.depth)];
}

let context: Context;
beforeEach(() => {
  context = makeContext();
});

function errors(): number[] {
  const list: number[] = [];
  for (let code = getError(context); code !== GL.NO_ERROR; code = getError(context)) list.push(code);
  return list;
}

describe('texImage2D', () => {
  it('stores tight and aligned rows', () => {
    context.unpack.alignment = 1;
    const texture = bound(context, GL.TEXTURE_2D);
    texImage2D(
      context,
      GL.TEXTURE_2D,
      0,
      GL.RGB,
      3,
      2,
      0,
      GL.RGB,
      GL.UNSIGNED_BYTE,
      Uint8Array.from({ length: 18 }, (_, i) => i),
    );
    expect(errors()).toEqual([]);
    expect(stored(context, texture).filter((_, i) => i % 4 !== 3)).toEqual(Array.from({ length: 18 }, (_, i) => i));

    context.unpack.alignment = 4;
    const padded = new Uint8Array(21).map((_, i) => i);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGB, 3, 2, 0, GL.RGB, GL.UNSIGNED_BYTE, padded);
    expect(stored(context, texture).filter((_, i) => i % 4 !== 3)).toEqual([
      ...padded.subarray(0, 9),
      ...padded.subarray(12, 21),
    ]);
  });

  it('honours row length and skips', () => {
    Object.assign(context.unpack, { alignment: 1, rowLength: 4, skipPixels: 1, skipRows: 1 });
    const texture = bound(context, GL.TEXTURE_2D);
    const data = Uint8Array.from({ length: 12 }, (_, i) => i);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.R8, 2, 2, 0, GL.RED, GL.UNSIGNED_BYTE, data);
    expect(errors()).toEqual([]);
    expect(stored(context, texture)).toEqual([5, 6, 9, 10]);
  });

  it('reports too little data and changes nothing', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 2, 2, 0, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(15));
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    expect(texture.image(0, 0)).toBeUndefined();
  });

  it.each([
    ['a wrong target', GL.TEXTURE_3D, 0, GL.RGBA, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, GL.INVALID_ENUM],
    ['a wrong type', GL.TEXTURE_2D, 0, GL.RGBA, 1, 0, GL.RGBA, 1, GL.INVALID_ENUM],
    ['a wrong format', GL.TEXTURE_2D, 0, GL.RGBA, 1, 0, 1, GL.UNSIGNED_BYTE, GL.INVALID_ENUM],
    ['a wrong internal format', GL.TEXTURE_2D, 0, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, GL.INVALID_VALUE],
    ['a wrong triple', GL.TEXTURE_2D, 0, GL.RGBA8, 1, 0, GL.RGB, GL.UNSIGNED_BYTE, GL.INVALID_OPERATION],
    ['a negative level', GL.TEXTURE_2D, -1, GL.RGBA, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, GL.INVALID_VALUE],
    ['a level too deep', GL.TEXTURE_2D, 30, GL.RGBA, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, GL.INVALID_VALUE],
    ['a size too large', GL.TEXTURE_2D, 0, GL.RGBA, 100000, 0, GL.RGBA, GL.UNSIGNED_BYTE, GL.INVALID_VALUE],
    ['a negative size', GL.TEXTURE_2D, 0, GL.RGBA, -1, 0, GL.RGBA, GL.UNSIGNED_BYTE, GL.INVALID_VALUE],
    ['a border', GL.TEXTURE_2D, 0, GL.RGBA, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, GL.INVALID_VALUE],
    [
      'a face that is not square',
      GL.TEXTURE_CUBE_MAP_POSITIVE_X,
      0,
      GL.RGBA,
      2,
      0,
      GL.RGBA,
      GL.UNSIGNED_BYTE,
      GL.INVALID_VALUE,
    ],
  ])('rejects %s', (_, target, level, internal, width, border, format, type, error) => {
    texImage2D(context, target, level, internal, width, 1, border, format, type, null);
    expect(errors()).toEqual([error]);
  });

  it('keeps the old image when there is no memory', () => {
    context = new Context(new NullScreen({ memoryLimitBytes: 8192 }), { version: 3, framebuffer });
    const texture = bound(context, GL.TEXTURE_2D);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 2, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(8).fill(7));
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 256, 256, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    expect(errors()).toEqual([GL.OUT_OF_MEMORY]);
    expect(stored(context, texture)).toEqual(new Array(8).fill(7));
  });

  it('gives zero for null pixels, in a place that was used too', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 2, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(8).fill(7));
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 2, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    expect(stored(context, texture)).toEqual(new Array(8).fill(0));
  });

  it('flips and premultiplies in WebGL only', () => {
    context = makeContext({ version: 2, rules: WEBGL_RULES });
    Object.assign(context.webglUnpack, { flipY: true, premultiplyAlpha: true });
    const texture = bound(context, GL.TEXTURE_2D);
    const pixels = Uint8Array.of(200, 100, 50, 128, 10, 20, 30, 255);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 1, 2, 0, GL.RGBA, GL.UNSIGNED_BYTE, pixels);
    expect(errors()).toEqual([]);
    expect(stored(context, texture)).toEqual([10, 20, 30, 255, 100, 50, 25, 128]);
  });

  it('converts a picture to the texture format', () => {
    context = makeContext({ version: 2, rules: WEBGL_RULES });
    const texture = bound(context, GL.TEXTURE_2D);
    const picture = { data: Uint8ClampedArray.of(255, 0, 255, 255), width: 1, height: 1, premultiplied: false };
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGB, 1, 1, 0, GL.RGB, GL.UNSIGNED_SHORT_5_6_5, picture);
    expect(errors()).toEqual([]);
    expect(stored(context, texture)).toEqual([0x1f, 0xf8]);
  });
});

describe('texSubImage2D', () => {
  it('replaces a box and checks its bounds', () => {
    context.unpack.alignment = 1;
    const texture = bound(context, GL.TEXTURE_2D);
    texSubImage2D(context, GL.TEXTURE_2D, 0, 0, 0, 1, 1, GL.RED, GL.UNSIGNED_BYTE, new Uint8Array(1));
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.R8, 3, 2, 0, GL.RED, GL.UNSIGNED_BYTE, new Uint8Array(6));
    texSubImage2D(context, GL.TEXTURE_2D, 0, 1, 1, 2, 1, GL.RED, GL.UNSIGNED_BYTE, Uint8Array.of(8, 9));
    expect(stored(context, texture)).toEqual([0, 0, 0, 0, 8, 9]);
    texSubImage2D(context, GL.TEXTURE_2D, 0, 2, 0, 2, 1, GL.RED, GL.UNSIGNED_BYTE, Uint8Array.of(8, 9));
    texSubImage2D(context, GL.TEXTURE_2D, 0, 0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(4));
    expect(errors()).toEqual([GL.INVALID_VALUE, GL.INVALID_OPERATION]);
  });
});

describe('levels', () => {
  it('come together in one resource whatever their order', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    context.unpack.alignment = 1;
    for (const level of [2, 1, 0]) {
      const size = 4 >> level;
      const data = new Uint8Array(size * size).fill(level + 1);
      texImage2D(context, GL.TEXTURE_2D, level, GL.R8, size, size, 0, GL.RED, GL.UNSIGNED_BYTE, data);
    }
    expect(texture.resources().size).toBe(3);
    expect(finalizeTexture(context, texture, 0, 2)).toBe(true);
    expect(texture.resources().size).toBe(1);
    expect([0, 1, 2].map((level) => stored(context, texture, level)[0])).toEqual([1, 2, 3]);
    deleteTexture(context, texture);
    expect(context.screen.memoryStatistics().liveBytes).toBe(0);
  });

  it('decide on completeness', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    const sampling = createSamplingState();
    const image = (level: number, size: number): void =>
      texImage2D(context, GL.TEXTURE_2D, level, GL.RGBA8, size, size, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    expect(incompleteReason(context, texture, sampling)).not.toBeNull();
    image(0, 4);
    expect(incompleteReason(context, texture, sampling)).not.toBeNull();
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_MAX_LEVEL, 0);
    expect(incompleteReason(context, texture, sampling)).toBeNull();
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_MAX_LEVEL, 1000);
    image(1, 2);
    image(2, 2);
    expect(incompleteReason(context, texture, sampling)).not.toBeNull();
    image(2, 1);
    expect(incompleteReason(context, texture, sampling)).toBeNull();
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_BASE_LEVEL, 3);
    expect(incompleteReason(context, texture, sampling)).not.toBeNull();
  });

  it('follow the rules of GLES 2 for sizes that are not powers of two', () => {
    context = makeContext({ version: 2, rules: WEBGL_RULES });
    const texture = bound(context, GL.TEXTURE_2D);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 3, 4, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    const { sampling } = texture;
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.LINEAR);
    expect(incompleteReason(context, texture, sampling)).toContain('CLAMP_TO_EDGE');
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_WRAP_S, GL.CLAMP_TO_EDGE);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_WRAP_T, GL.CLAMP_TO_EDGE);
    expect(incompleteReason(context, texture, sampling)).toBeNull();
    generateMipmap(context, GL.TEXTURE_2D);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });

  it('of integer and float textures ask for NEAREST filters', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    const sampling = createSamplingState();
    Object.assign(sampling, { minFilter: GL.LINEAR, magFilter: GL.LINEAR });
    for (const [internal, format, type] of [
      [GL.RGBA8UI, GL.RGBA_INTEGER, GL.UNSIGNED_BYTE],
      [GL.RGBA32F, GL.RGBA, GL.FLOAT],
      [GL.DEPTH_COMPONENT24, GL.DEPTH_COMPONENT, GL.UNSIGNED_INT],
    ] as const) {
      texImage2D(context, GL.TEXTURE_2D, 0, internal, 1, 1, 0, format, type, null);
      expect(incompleteReason(context, texture, sampling)).toContain('NEAREST');
    }
    expect(errors()).toEqual([]);
  });

  it('are made by generateMipmap', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 5, 3, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    generateMipmap(context, GL.TEXTURE_2D);
    expect(errors()).toEqual([]);
    expect(texture.images[0]!.map((image) => [image!.width, image!.height])).toEqual([
      [5, 3],
      [2, 1],
      [1, 1],
    ]);
    expect(incompleteReason(context, texture, createSamplingState())).toBeNull();
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA32F, 2, 2, 0, GL.RGBA, GL.FLOAT, null);
    generateMipmap(context, GL.TEXTURE_2D);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });
});

describe('texStorage2D', () => {
  it('defines all levels and forbids changes', () => {
    const texture = bound(context, GL.TEXTURE_CUBE_MAP);
    texStorage2D(context, GL.TEXTURE_CUBE_MAP, 3, GL.RGBA8, 4, 4);
    expect(errors()).toEqual([]);
    expect(texture.images.every((levels) => levels.length === 3)).toBe(true);
    expect(getTexParameter(context, 'getTexParameter', GL.TEXTURE_CUBE_MAP, GL.TEXTURE_IMMUTABLE_FORMAT)).toBe(true);
    texImage2D(context, GL.TEXTURE_CUBE_MAP_POSITIVE_X, 0, GL.RGBA, 4, 4, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    texStorage2D(context, GL.TEXTURE_CUBE_MAP, 1, GL.RGBA8, 4, 4);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });

  it.each([
    ['an unsized format', 1, GL.RGBA, 4, GL.INVALID_ENUM],
    ['no level', 0, GL.RGBA8, 4, GL.INVALID_VALUE],
    ['no size', 1, GL.RGBA8, 0, GL.INVALID_VALUE],
    ['too many levels', 4, GL.RGBA8, 4, GL.INVALID_OPERATION],
  ])('rejects %s', (_, levels, internal, size, error) => {
    bound(context, GL.TEXTURE_2D);
    texStorage2D(context, GL.TEXTURE_2D, levels, internal, size, size);
    expect(errors()).toEqual([error]);
  });
});

describe('compressed images', () => {
  it('are stored as blocks, in whole and in part', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    const blocks = Uint8Array.from({ length: 32 }, (_, i) => i);
    compressedTexImage2D(context, GL.TEXTURE_2D, 0, GL.COMPRESSED_RGB8_ETC2, 8, 8, 0, 32, blocks);
    expect(errors()).toEqual([]);
    const image = texture.image(0, 0)!;
    expect(image.storage.format).toBe('ETC2_RGB8');
    compressedTexSubImage2D(
      context,
      GL.TEXTURE_2D,
      0,
      4,
      4,
      4,
      4,
      GL.COMPRESSED_RGB8_ETC2,
      8,
      new Uint8Array(8).fill(99),
    );
    expect(stored(context, texture).slice(16, 32)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, ...new Array(8).fill(99)]);
    compressedTexSubImage2D(context, GL.TEXTURE_2D, 0, 1, 0, 4, 4, GL.COMPRESSED_RGB8_ETC2, 8, new Uint8Array(8));
    compressedTexImage2D(context, GL.TEXTURE_2D, 0, GL.COMPRESSED_RGB8_ETC2, 8, 8, 0, 31, blocks);
    compressedTexImage2D(context, GL.TEXTURE_2D, 0, GL.COMPRESSED_RGB_S3TC_DXT1_EXT, 8, 8, 0, 32, blocks);
    expect(errors()).toEqual([GL.INVALID_OPERATION, GL.INVALID_VALUE, GL.INVALID_ENUM]);
  });

  it('takes PVRTC in powers of two, and replaces whole images only', () => {
    context = makeContext({ version: 2, rules: WEBGL_RULES, enableAllExtensions: true });
    bound(context, GL.TEXTURE_2D);
    const blocks = new Uint8Array(32);
    const format = GL.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;
    const image = (level: number, width: number, height: number) =>
      compressedTexImage2D(context, GL.TEXTURE_2D, level, format, width, height, 0, 32, blocks);
    image(0, 4, 4);
    image(1, 2, 2);
    expect(errors()).toEqual([]);
    for (const [width, height] of [
      [3, 4],
      [4, 3],
      [2, 4],
      [4, 2],
    ] as const) {
      image(0, width, height);
      expect(errors(), `${width} × ${height}`).toEqual([GL.INVALID_OPERATION]);
    }
    compressedTexSubImage2D(context, GL.TEXTURE_2D, 0, 0, 0, 4, 4, format, 32, blocks);
    expect(errors()).toEqual([]);
    compressedTexSubImage2D(context, GL.TEXTURE_2D, 0, 0, 0, 2, 4, format, 32, blocks);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });

  it('asks for a pixel unpack buffer before it looks at the number of bytes', () => {
    bound(context, GL.TEXTURE_2D);
    compressedTexImage2D(context, GL.TEXTURE_2D, 0, GL.COMPRESSED_R11_EAC, 4, 4, 0, 0, 0);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });

  it('are decoded where the screen stores no blocks', () => {
    const screen = new NullScreen();
    const all = screen.isFormatSupported.bind(screen);
    screen.isFormatSupported = (format, ...rest) => !format.startsWith('ETC') && all(format, ...rest);
    context = new Context(screen, { version: 3, framebuffer });
    const texture = bound(context, GL.TEXTURE_2D);
    compressedTexImage2D(context, GL.TEXTURE_2D, 0, GL.COMPRESSED_RGB8_ETC2, 4, 4, 0, 8, new Uint8Array(8));
    expect(errors()).toEqual([]);
    expect(texture.image(0, 0)!.storage.format).toBe('R8G8B8X8_UNORM');
    expect(new Set(stored(context, texture).filter((_, i) => i % 4 === 0)).size).toBeLessThan(3);
  });
});

describe('parameters and bindings', () => {
  it('know their version', () => {
    context = makeContext({ version: 2 });
    bound(context, GL.TEXTURE_2D);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_WRAP_R, GL.REPEAT);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.REPEAT);
    bindTexture(context, GL.TEXTURE_3D, null);
    expect(errors()).toEqual([GL.INVALID_ENUM]);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_WRAP_S, GL.MIRRORED_REPEAT);
    expect(getTexParameter(context, 'getTexParameter', GL.TEXTURE_2D, GL.TEXTURE_WRAP_S)).toBe(GL.MIRRORED_REPEAT);
  });

  it('keep a texture to its first target and drop it when deleted', () => {
    const texture = bound(context, GL.TEXTURE_2D);
    bindTexture(context, GL.TEXTURE_CUBE_MAP, texture);
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
    activeTexture(context, GL.TEXTURE0 + 3);
    bindTexture(context, GL.TEXTURE_2D, texture);
    deleteTexture(context, texture);
    expect(context.textureUnits.every((unit) => unit.textures[0] === context.defaultTextures[0])).toBe(true);
  });

  it('store 3D and array images', () => {
    context.unpack.alignment = 1;
    const texture = bound(context, GL.TEXTURE_3D);
    const data = Uint8Array.from({ length: 8 }, (_, i) => i);
    texImage3D(context, GL.TEXTURE_3D, 0, GL.R8, 2, 2, 2, 0, GL.RED, GL.UNSIGNED_BYTE, data);
    expect(stored(context, texture)).toEqual([...data]);
    texImage3D(
      context,
      GL.TEXTURE_3D,
      0,
      GL.DEPTH_COMPONENT16,
      2,
      2,
      2,
      0,
      GL.DEPTH_COMPONENT,
      GL.UNSIGNED_SHORT,
      null,
    );
    expect(errors()).toEqual([GL.INVALID_OPERATION]);
  });
});
