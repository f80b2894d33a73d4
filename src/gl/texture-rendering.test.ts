// Textures and framebuffers through the soft backend: what goes in by one way comes out by another.

import { beforeEach, describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { blockBytes } from '../format/format.ts';
import { blitFramebuffer } from './blit-framebuffer.ts';
import { bindBuffer, createBuffer } from './buffer-bindings.ts';
import { bufferData } from './buffer-data.ts';
import { clear, clearBufferfi, clearBufferfv } from './clear.ts';
import { enumName, GL } from './constants.ts';
import type { Context } from './context.ts';
import { copyTexImage2D, copyTexSubImage3D } from './copy-texture.ts';
import { DIRTY_ALL } from './dirty.ts';
import { drawArrays } from './draw.ts';
import {
  bindFramebuffer,
  checkFramebufferStatus,
  createFramebuffer,
  drawBuffers,
  framebufferRenderbuffer,
  framebufferTexture2D,
  framebufferTextureLayer,
  readBuffer,
} from './framebuffer.ts';
import { transferRows } from './gl-formats.table.ts';
import { findTransfer, internalFormatRow, isColorRow, isRenderable, pixelLayout } from './gl-formats.ts';
import { readPixels } from './read-pixels.ts';
import {
  bindRenderbuffer,
  createRenderbuffer,
  renderbufferStorage,
  renderbufferStorageMultisample,
} from './renderbuffer.ts';
import { contextMaker, takeErrors, testProgram } from './testing.ts';
import { bindTexture, createTexture } from './texture.ts';
import { compressedTexImage2D } from './texture-compressed.ts';
import { texImage2D, texSubImage3D } from './texture-image.ts';
import { texStorage2D, texStorage3D } from './texture-immutable.ts';
import { generateMipmap } from './texture-mipmap.ts';
import type { Texture } from './texture-object.ts';
import { texParameter } from './texture-parameter.ts';
import { setAttributeArrayEnabled, vertexAttribPointer } from './vertex-arrays.ts';

const testContext = contextMaker((options) => softBackend.createScreen(options));

let context: Context;
beforeEach(() => {
  context = testContext();
});

function pixel(x: number, y: number): number[] {
  const bytes = new Uint8Array(4);
  readPixels(context, x, y, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, bytes);
  return [...bytes];
}

function clearTo(...color: number[]): void {
  context.clear.color.set(color);
  clear(context, GL.COLOR_BUFFER_BIT);
}

function newTexture(target: number, filter: number = GL.NEAREST): Texture {
  const texture = createTexture(context);
  bindTexture(context, target, texture);
  texParameter(context, 'texParameteri', target, GL.TEXTURE_MIN_FILTER, filter);
  texParameter(context, 'texParameteri', target, GL.TEXTURE_MAG_FILTER, GL.NEAREST);
  return texture;
}

function newFramebuffer(): void {
  bindFramebuffer(context, GL.FRAMEBUFFER, createFramebuffer(context));
}

function attach(
  texture: Texture,
  target: number = GL.TEXTURE_2D,
  level = 0,
  point: number = GL.COLOR_ATTACHMENT0,
): void {
  framebufferTexture2D(context, GL.FRAMEBUFFER, point, target, texture, level);
}

const VERTEX = `#version 300 es
layout(location = 0) in vec2 position;
out vec2 uv;
void main() { uv = position * 0.5 + 0.5; gl_Position = vec4(position, 0.0, 1.0); }`;

function fragment(declarations: string, expression: string): string {
  return `#version 300 es
precision highp float; precision highp int; precision highp sampler3D; precision highp sampler2DArray;
precision highp sampler2DShadow; precision highp isampler2D;
${declarations}
in vec2 uv;
out vec4 color;
void main() { color = ${expression}; }`;
}

/** Fills the bound framebuffer with an expression of `uv`. */
function drawQuad(fragmentShader: string): void {
  bindBuffer(context, GL.ARRAY_BUFFER, createBuffer(context));
  const corners = Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1);
  bufferData(context, GL.ARRAY_BUFFER, 32, new Uint8Array(corners.buffer), GL.STATIC_DRAW);
  setAttributeArrayEnabled(context, 0, true);
  vertexAttribPointer(context, 0, 2, GL.FLOAT, false, 0, 0);
  testProgram(context, VERTEX, fragmentShader);
  drawArrays(context, GL.TRIANGLE_STRIP, 0, 4);
}

describe('uploads', () => {
  it('are read back as they were, for every triple that can be rendered to', () => {
    // These types have fewer or other bits than the image.
    const narrowing: readonly number[] = [
      GL.RGB5_A1,
      GL.RGBA4,
      GL.RGB565,
      GL.RGBA16F,
      GL.R16F,
      GL.RG16F,
      GL.RGB16F,
      GL.R11F_G11F_B10F,
    ];
    let count = 0;
    for (const row of transferRows) {
      const name = [row.internalFormat, row.format, row.type].map(enumName).join(' ');
      const effective = internalFormatRow(row.effective)!;
      if (!findTransfer(context, row.internalFormat, row.format, row.type)) continue;
      if (!isRenderable(context, effective) || !isColorRow(effective)) continue;
      if (narrowing.includes(row.internalFormat) && (row.type === GL.UNSIGNED_BYTE || row.type === GL.FLOAT)) continue;
      const texture = newTexture(GL.TEXTURE_2D);
      const bytes = blockBytes(pixelLayout(row.format, row.type)!.layout) * 16;
      const data = Uint8Array.from({ length: bytes }, (_, i) => (i * 7) % 60);
      texImage2D(context, GL.TEXTURE_2D, 0, row.internalFormat, 4, 4, 0, row.format, row.type, data);
      newFramebuffer();
      attach(texture);
      expect(takeErrors(context), name).toEqual([]);
      expect(checkFramebufferStatus(context, GL.FRAMEBUFFER), name).toBe(GL.FRAMEBUFFER_COMPLETE);
      const back = new Uint8Array(bytes);
      readPixels(context, 0, 0, 4, 4, row.format, row.type, back);
      if (takeErrors(context).length > 0) continue;
      expect([...back], name).toEqual([...data]);
      count++;
    }
    expect(count).toBeGreaterThan(25);
  });

  it.each([
    ['LUMINANCE', GL.LUMINANCE, [10], [10, 10, 10, 255]],
    ['ALPHA', GL.ALPHA, [10], [0, 0, 0, 10]],
    ['LUMINANCE_ALPHA', GL.LUMINANCE_ALPHA, [10, 20], [10, 10, 10, 20]],
    ['RGB', GL.RGB, [1, 2, 3], [1, 2, 3, 255]],
  ])('of %s are sampled as the base format says', (_, format, data, expected) => {
    newTexture(GL.TEXTURE_2D);
    texImage2D(context, GL.TEXTURE_2D, 0, format, 1, 1, 0, format, GL.UNSIGNED_BYTE, Uint8Array.from(data));
    drawQuad(fragment('uniform sampler2D t;', 'texture(t, uv)'));
    expect(pixel(2, 2)).toEqual(expected);
  });

  it('of blocks are decoded', () => {
    newTexture(GL.TEXTURE_2D);
    const block = Uint8Array.of(0xf8, 0x80, 0x08, 0x02, 0, 0, 0, 0);
    compressedTexImage2D(context, GL.TEXTURE_2D, 0, GL.COMPRESSED_RGB8_ETC2, 4, 4, 0, 8, block);
    drawQuad(fragment('uniform sampler2D t;', 'texture(t, uv)'));
    // Base colour (255, 132, 8) plus the first modifier of table 0.
    expect(pixel(5, 5)).toEqual([255, 134, 10, 255]);
  });
});

describe('levels', () => {
  it('can be drawn to one by one and sampled together', () => {
    const texture = newTexture(GL.TEXTURE_2D, GL.NEAREST_MIPMAP_NEAREST);
    for (const level of [0, 1, 2])
      texImage2D(context, GL.TEXTURE_2D, level, GL.RGBA, 4 >> level, 4 >> level, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    newFramebuffer();
    for (const level of [0, 1, 2]) {
      attach(texture, GL.TEXTURE_2D, level);
      clearTo(level * 0.4, 1, 0, 1);
    }
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    drawQuad(fragment('uniform sampler2D t;', 'textureLod(t, uv, uv.x * 4.0 - 1.0)'));
    expect([0, 7, 15].map((x) => pixel(x, 3)[0])).toEqual([0, 102, 204]);
    expect(takeErrors(context)).toEqual([]);
  });

  it('are black until generateMipmap completes them', () => {
    newTexture(GL.TEXTURE_2D, GL.LINEAR_MIPMAP_LINEAR);
    const data = new Uint8Array(16 * 4).fill(70);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 4, 4, 0, GL.RGBA, GL.UNSIGNED_BYTE, data);
    const shader = fragment('uniform sampler2D t;', 'textureLod(t, uv, 1.5)');
    drawQuad(shader);
    expect(pixel(2, 2)).toEqual([0, 0, 0, 255]);
    generateMipmap(context, GL.TEXTURE_2D);
    drawQuad(shader);
    expect(pixel(2, 2)).toEqual([70, 70, 70, 70]);
  });

  it.each([
    ['an array', GL.TEXTURE_2D_ARRAY, 'sampler2DArray', '3.0'],
    ['a 3D texture', GL.TEXTURE_3D, 'sampler3D', '0.8'],
  ])('of %s have layers that are drawn to, updated, copied to and sampled', (_, target, sampler, last) => {
    const texture = newTexture(target);
    texStorage3D(context, target, 1, GL.RGBA8, 4, 4, 4);
    newFramebuffer();
    const attachLayer = (layer: number): void =>
      framebufferTextureLayer(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, texture, 0, layer);
    for (let layer = 0; layer < 4; layer++) {
      attachLayer(layer);
      clearTo(layer * 0.2, 0, 0, 1);
    }
    texSubImage3D(context, target, 0, 1, 1, 2, 1, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, Uint8Array.of(9, 8, 7, 6));
    attachLayer(2);
    expect([pixel(1, 1), pixel(2, 1)]).toEqual([
      [9, 8, 7, 6],
      [102, 0, 0, 255],
    ]);
    copyTexSubImage3D(context, target, 0, 0, 0, 1, 1, 1, 1, 1);
    attachLayer(1);
    expect([pixel(0, 0), pixel(1, 0)]).toEqual([
      [9, 8, 7, 6],
      [51, 0, 0, 255],
    ]);
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    drawQuad(fragment(`uniform ${sampler} t;`, `texture(t, vec3(0.9, 0.9, ${last}))`));
    expect(pixel(5, 5)).toEqual([153, 0, 0, 255]);
    expect(takeErrors(context)).toEqual([]);
  });

  it('of a cube have faces that are drawn to and sampled', () => {
    const texture = newTexture(GL.TEXTURE_CUBE_MAP);
    texStorage2D(context, GL.TEXTURE_CUBE_MAP, 1, GL.RGBA8, 4, 4);
    newFramebuffer();
    for (let face = 0; face < 6; face++) {
      attach(texture, GL.TEXTURE_CUBE_MAP_POSITIVE_X + face);
      clearTo(face * 0.2, 0, 0, 1);
    }
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    for (const [face, direction] of ['1, 0, 0', '-1, 0, 0', '0, 1, 0', '0, -1, 0', '0, 0, 1', '0, 0, -1'].entries()) {
      drawQuad(fragment('uniform samplerCube t;', `texture(t, vec3(${direction}))`));
      expect(pixel(5, 5)).toEqual([face * 51, 0, 0, 255]);
    }
  });
});

describe('depth and integer textures', () => {
  it('are sampled by value and by comparison', () => {
    const texture = newTexture(GL.TEXTURE_2D);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.DEPTH_COMPONENT24, 4, 4, 0, GL.DEPTH_COMPONENT, GL.UNSIGNED_INT, null);
    newFramebuffer();
    attach(texture, GL.TEXTURE_2D, 0, GL.DEPTH_ATTACHMENT);
    clearBufferfv(context, GL.DEPTH, 0, [0.4]);
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    drawQuad(fragment('uniform sampler2D t;', 'texture(t, uv)'));
    expect(pixel(5, 5)).toEqual([102, 0, 0, 255]);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_COMPARE_MODE, GL.COMPARE_REF_TO_TEXTURE);
    drawQuad(fragment('uniform sampler2DShadow t;', 'vec4(texture(t, vec3(uv, uv.x)))'));
    expect([pixel(2, 2)[0], pixel(12, 2)[0]]).toEqual([255, 0]);
    expect(takeErrors(context)).toEqual([]);
  });

  it('keep signed values', () => {
    newTexture(GL.TEXTURE_2D);
    const data = new Uint8Array(Int16Array.of(-5, 300, 7, 1).buffer);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA16I, 1, 1, 0, GL.RGBA_INTEGER, GL.SHORT, data);
    drawQuad(fragment('uniform isampler2D t;', 'vec4(texture(t, uv) == ivec4(-5, 300, 7, 1))'));
    expect(pixel(5, 5)).toEqual([255, 255, 255, 255]);
  });
});

describe('copies and blits', () => {
  it('resolve samples', () => {
    const samples = createRenderbuffer(context);
    bindRenderbuffer(context, GL.RENDERBUFFER, samples);
    renderbufferStorageMultisample(context, GL.RENDERBUFFER, 4, GL.RGBA8, 16, 16);
    newFramebuffer();
    framebufferRenderbuffer(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, samples);
    clearTo(0.2, 0.4, 0.6, 0.8);
    bindFramebuffer(context, GL.DRAW_FRAMEBUFFER, null);
    blitFramebuffer(context, 0, 0, 16, 16, 0, 0, 16, 16, GL.COLOR_BUFFER_BIT, GL.NEAREST);
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    expect(pixel(5, 5)).toEqual([51, 102, 153, 204]);
    expect(takeErrors(context)).toEqual([]);
  });

  it('convert to the texture and zero what lies outside', () => {
    clearTo(0.2, 0.4, 0.6, 0.8);
    const texture = newTexture(GL.TEXTURE_2D);
    copyTexImage2D(context, GL.TEXTURE_2D, 0, GL.RGB, -2, -2, 4, 4, 0);
    newFramebuffer();
    attach(texture);
    expect([pixel(0, 0), pixel(3, 3)]).toEqual([
      [0, 0, 0, 255],
      [51, 102, 153, 255],
    ]);
  });

  it('flip, scale and leave out what the source does not cover', () => {
    const texture = newTexture(GL.TEXTURE_2D);
    const data = Uint8Array.from({ length: 64 }, (_, i) => i);
    texImage2D(context, GL.TEXTURE_2D, 0, GL.RGBA, 4, 4, 0, GL.RGBA, GL.UNSIGNED_BYTE, data);
    newFramebuffer();
    attach(texture);
    bindFramebuffer(context, GL.DRAW_FRAMEBUFFER, null);
    clearTo(0, 0, 0, 0);
    blitFramebuffer(context, -4, 0, 4, 4, 16, 0, 0, 16, GL.COLOR_BUFFER_BIT, GL.NEAREST);
    bindFramebuffer(context, GL.READ_FRAMEBUFFER, null);
    expect([0, 2, 7, 8, 15].map((x) => pixel(x, 0)[0])).toEqual([12, 8, 0, 0, 0]);
    expect(pixel(8, 0)).toEqual([0, 0, 0, 0]);
    expect(pixel(7, 0)).toEqual([0, 1, 2, 3]);
  });

  it('move depth and stencil', () => {
    const packed = createRenderbuffer(context);
    bindRenderbuffer(context, GL.RENDERBUFFER, packed);
    renderbufferStorage(context, GL.RENDERBUFFER, GL.DEPTH24_STENCIL8, 16, 16);
    newFramebuffer();
    framebufferRenderbuffer(context, GL.FRAMEBUFFER, GL.DEPTH_STENCIL_ATTACHMENT, GL.RENDERBUFFER, packed);
    clearBufferfi(context, GL.DEPTH_STENCIL, 0, 0.25, 7);
    bindFramebuffer(context, GL.DRAW_FRAMEBUFFER, null);
    blitFramebuffer(context, 0, 0, 16, 16, 0, 0, 16, 16, GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT, GL.NEAREST);
    bindFramebuffer(context, GL.FRAMEBUFFER, null);
    const { stencil, depth } = context;
    stencil.testEnabled = depth.testEnabled = true;
    for (const face of [stencil.front, stencil.back]) Object.assign(face, { func: GL.EQUAL, reference: 7 });
    for (const [func, expected] of [
      [GL.GREATER, 255],
      [GL.LESS, 0],
    ] as const) {
      depth.func = func;
      context.dirty = DIRTY_ALL;
      clearTo(0, 0, 0, 0);
      drawQuad(fragment('', 'vec4(1)'));
      expect(pixel(4, 4)[0]).toBe(expected);
    }
  });
});

it('several draw buffers take sRGB and integer values', () => {
  const encoded = newTexture(GL.TEXTURE_2D);
  texStorage2D(context, GL.TEXTURE_2D, 1, GL.SRGB8_ALPHA8, 8, 8);
  const integers = newTexture(GL.TEXTURE_2D);
  texStorage2D(context, GL.TEXTURE_2D, 1, GL.RGBA32UI, 8, 8);
  newFramebuffer();
  attach(encoded);
  attach(integers, GL.TEXTURE_2D, 0, GL.COLOR_ATTACHMENT1);
  drawBuffers(context, [GL.COLOR_ATTACHMENT0, GL.COLOR_ATTACHMENT1]);
  drawQuad(`#version 300 es
precision highp float;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec4 value;
void main() { color = vec4(0.5, 0.0, 1.0, 0.5); value = uvec4(1u, 2u, 3u, 4294967295u); }`);
  expect(pixel(3, 3)).toEqual([188, 0, 255, 128]);
  readBuffer(context, GL.COLOR_ATTACHMENT1);
  const words = new Uint32Array(4);
  readPixels(context, 1, 1, 1, 1, GL.RGBA_INTEGER, GL.UNSIGNED_INT, new Uint8Array(words.buffer));
  expect([...words]).toEqual([1, 2, 3, 0xffffffff]);
  expect(takeErrors(context)).toEqual([]);
});
