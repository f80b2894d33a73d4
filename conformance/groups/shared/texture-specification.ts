// texture.specification: every way of putting texels into a texture, checked texel by texel.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { makeBuffer } from '../../harness/draw.ts';
import { hasExtension } from '../../harness/extensions.ts';
import { generate } from '../../harness/framebuffer.ts';
import { levelCount, levelSize, type TextureShape, targetValue } from '../../harness/texture.ts';
import { checkTexture } from '../../harness/texture-levels.ts';
import {
  DEPTH_FORMATS,
  fillTexels,
  formatNamed,
  OTHER_FORMATS,
  SIZED_FORMATS,
  type TexelFormat,
  UNSIZED_FORMATS,
} from '../../reference/texture-formats.ts';
import { decodeImage, type ReferenceImage, type TextureTarget } from '../../reference/texture-lookup.ts';

const SURFACE = { width: 64, height: 64, depth: false, stencil: false };

interface Size {
  width: number;
  height: number;
  depth: number;
}

/** Pixel store state for an upload. */
interface Unpack {
  readonly alignment?: number;
  readonly rowLength?: number;
  readonly imageHeight?: number;
  readonly skipPixels?: number;
  readonly skipRows?: number;
  readonly skipImages?: number;
  /** Read from a buffer, this far into it; null from client memory. */
  readonly bufferOffset?: number | null;
  /** For 3D and array textures: 2D uploads know no images to skip (ES 3.0.6 §3.8.3). */
  readonly isLayered?: boolean;
}

/** Lays tightly packed texels out as the unpack state says (ES 3.0.6 §3.7.2.1), noise in between. */
function layOut(t: CaseContext, format: TexelFormat, tight: Uint8Array, size: Size, unpack: Unpack): Uint8Array {
  const { alignment = 4, rowLength = 0, imageHeight = 0, skipPixels = 0, skipRows = 0, skipImages = 0 } = unpack;
  const { bytes } = format;
  const texelsPerRow = rowLength || size.width;
  const rowBytes = Math.ceil((texelsPerRow * bytes) / alignment) * alignment;
  const imageBytes = rowBytes * (imageHeight || size.height);
  const start = skipImages * imageBytes + skipRows * rowBytes + skipPixels * bytes;
  const end = start + (size.depth - 1) * imageBytes + (size.height - 1) * rowBytes + size.width * bytes;
  const memory = new Uint8Array(end);
  for (let at = 0; at < end; at++) memory[at] = (at * 37 + t.random.int(0, 3)) & 255;
  for (let z = 0; z < size.depth; z++)
    for (let y = 0; y < size.height; y++) {
      const from = (z * size.height + y) * size.width * bytes;
      memory.set(tight.subarray(from, from + size.width * bytes), start + z * imageBytes + y * rowBytes);
    }
  return memory;
}

/** Sets the unpack state and gives what to pass as the pointer. */
function prepare(
  t: CaseContext,
  format: TexelFormat,
  tight: Uint8Array,
  size: Size,
  unpack: Unpack,
): Uint8Array | number {
  const { gl } = t;
  gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, unpack.alignment ?? 4);
  if (t.api === 3) {
    gl.glPixelStorei(gl.GL_UNPACK_ROW_LENGTH, unpack.rowLength ?? 0);
    gl.glPixelStorei(gl.GL_UNPACK_IMAGE_HEIGHT, unpack.imageHeight ?? 0);
    gl.glPixelStorei(gl.GL_UNPACK_SKIP_PIXELS, unpack.skipPixels ?? 0);
    gl.glPixelStorei(gl.GL_UNPACK_SKIP_ROWS, unpack.skipRows ?? 0);
    gl.glPixelStorei(gl.GL_UNPACK_SKIP_IMAGES, unpack.skipImages ?? 0);
  }
  const memory = layOut(
    t,
    format,
    tight,
    size,
    unpack.isLayered ? unpack : { ...unpack, skipImages: 0, imageHeight: 0 },
  );
  const { bufferOffset = null } = unpack;
  if (bufferOffset === null) return memory;
  const padded = new Uint8Array(memory.length + bufferOffset);
  padded.set(memory, bufferOffset);
  makeBuffer(t, gl.GL_PIXEL_UNPACK_BUFFER, padded);
  return bufferOffset;
}

function isLayered(target: TextureTarget): boolean {
  return target === '3d' || target === '2d_array';
}

function imageTarget(target: TextureTarget, face: number): number {
  return target === 'cube' ? 0x8515 + face : targetValue(target);
}

function texImage(
  t: CaseContext,
  target: TextureTarget,
  face: number,
  level: number,
  format: TexelFormat,
  size: Size,
  pointer: Uint8Array | number | null,
): void {
  const { gl } = t;
  const { internal, format: external, type } = format;
  if (isLayered(target))
    gl.glTexImage3D(
      targetValue(target),
      level,
      internal,
      size.width,
      size.height,
      size.depth,
      0,
      external,
      type,
      pointer,
    );
  else gl.glTexImage2D(imageTarget(target, face), level, internal, size.width, size.height, 0, external, type, pointer);
}

interface Box extends Size {
  x: number;
  y: number;
  z: number;
}

function texSubImage(
  t: CaseContext,
  target: TextureTarget,
  face: number,
  level: number,
  format: TexelFormat,
  box: Box,
  pointer: Uint8Array | number,
): void {
  const { gl } = t;
  const { x, y, z, width, height, depth } = box;
  if (isLayered(target))
    gl.glTexSubImage3D(targetValue(target), level, x, y, z, width, height, depth, format.format, format.type, pointer);
  else gl.glTexSubImage2D(imageTarget(target, face), level, x, y, width, height, format.format, format.type, pointer);
}

/** The texels of a whole image in client memory, so that parts can be replaced. */
class Canvas {
  readonly format: TexelFormat;
  readonly size: Size;
  readonly bytes: Uint8Array;

  constructor(
    format: TexelFormat,
    size: Size,
    bytes: Uint8Array = new Uint8Array(size.width * size.height * size.depth * format.bytes),
  ) {
    this.format = format;
    this.size = size;
    this.bytes = bytes;
  }

  replace(box: Box, tight: Uint8Array): void {
    const { bytes } = this.format;
    for (let z = 0; z < box.depth; z++)
      for (let y = 0; y < box.height; y++) {
        const from = (z * box.height + y) * box.width * bytes;
        const to = (((box.z + z) * this.size.height + box.y + y) * this.size.width + box.x) * bytes;
        this.bytes.set(tight.subarray(from, from + box.width * bytes), to);
      }
  }

  image(): ReferenceImage {
    const { width, height, depth } = this.size;
    return decodeImage(this.format, this.bytes, width, height, depth);
  }
}

function randomBox(t: CaseContext, size: Size): Box {
  const { random } = t;
  const span = (length: number): [number, number] => {
    const at = random.int(0, length - 1);
    return [at, random.int(1, length - at)];
  };
  const [x, width] = span(size.width);
  const [y, height] = span(size.height);
  const [z, depth] = span(size.depth);
  return { x, y, z, width, height, depth };
}

function fill(t: CaseContext, format: TexelFormat, { width, height, depth }: Size): Uint8Array {
  return fillTexels(format, t.random, width * height * depth);
}

interface UploadPlan {
  readonly format: TexelFormat;
  readonly shape: TextureShape;
  readonly unpack?: Unpack;
  /** Allocate how: glTexImage with texels, with null, or glTexStorage. */
  readonly start: 'image' | 'empty' | 'storage';
  /** Sub-images that follow. */
  readonly parts?: number;
  /** A particular part instead of random ones. */
  readonly part?: Box;
}

/** Bits of 8-bit display that a format's rounding may be off by; depth formats go through a comparison-free read. */
function toleranceOf(format: TexelFormat): number {
  return format.isSrgb ? 2 : 1;
}

function runUpload(t: CaseContext, plan: UploadPlan): void {
  if (t.api === 2 && plan.format.name.endsWith('16f') && !hasExtension(t, 'OES_texture_half_float'))
    t.skip('there are no half-float textures');
  const { gl } = t;
  const { format, shape } = plan;
  const { target } = shape;
  const unpack: Unpack = { ...plan.unpack, isLayered: isLayered(target) };
  gl.glBindTexture(targetValue(target), generate(gl.glGenTextures));
  const levels = levelCount(shape);
  const faces = target === 'cube' ? 6 : 1;
  if (plan.start === 'storage') {
    if (isLayered(target))
      gl.glTexStorage3D(targetValue(target), levels, format.internal, shape.width, shape.height, shape.depth ?? 1);
    else gl.glTexStorage2D(targetValue(target), levels, format.internal, shape.width, shape.height);
    t.noError('glTexStorage');
  }
  const images: ReferenceImage[][] = [];
  for (let face = 0; face < faces; face++) {
    images.push([]);
    for (let level = 0; level < levels; level++) {
      const size = levelSize(shape, level);
      let canvas: Canvas;
      if (plan.start === 'image') {
        const tight = fill(t, format, size);
        texImage(t, target, face, level, format, size, prepare(t, format, tight, size, unpack));
        canvas = new Canvas(format, size, tight);
      } else {
        canvas = new Canvas(format, size);
        if (plan.start === 'empty') texImage(t, target, face, level, format, size, unbound(t));
      }
      const boxes = plan.part ? [plan.part] : Array.from({ length: plan.parts ?? 0 }, () => randomBox(t, size));
      // What was never written is only zero by courtesy: the first part covers everything.
      if (plan.start !== 'image' && boxes.length > 0) boxes.unshift({ x: 0, y: 0, z: 0, ...size });
      for (const box of boxes) {
        const tight = fill(t, format, box);
        texSubImage(t, target, face, level, format, box, prepare(t, format, tight, box, unpack));
        canvas.replace(box, tight);
      }
      images[face]!.push(canvas.image());
    }
  }
  t.noError('specifying the texture');
  if (t.api === 3) gl.glBindBuffer(gl.GL_PIXEL_UNPACK_BUFFER, 0);
  checkTexture(t, { target, format, images, tolerance: toleranceOf(format) });
}

/** A null pointer with no buffer bound: memory without contents. */
function unbound(t: CaseContext): null {
  if (t.api === 3) t.gl.glBindBuffer(t.gl.GL_PIXEL_UNPACK_BUFFER, 0);
  return null;
}

const SMALL: Readonly<Record<TextureTarget, TextureShape>> = {
  '2d': { target: '2d', width: 16, height: 8, levels: 'full' },
  cube: { target: 'cube', width: 8, height: 8, levels: 'full' },
  '3d': { target: '3d', width: 8, height: 4, depth: 4, levels: 'full' },
  '2d_array': { target: '2d_array', width: 8, height: 4, depth: 3, levels: 'full' },
};

type Make = (path: string, plan: UploadPlan) => CaseDefinition;

function* alignmentCases(
  make: Make,
  formats: Readonly<Record<string, TexelFormat>>,
  targets: readonly TextureTarget[],
): Generator<CaseDefinition> {
  for (const target of targets)
    for (const [name, format] of Object.entries(formats))
      for (const alignment of [1, 2, 4, 8]) {
        const width = { 1: 63, 3: 39, 2: 51, 4: 47 }[format.bytes as 1 | 2 | 3 | 4];
        const shape = { target, width, height: target === 'cube' ? width : 30, levels: 1 } as const;
        yield make(`teximage2d_align.${target}_${name}_${width}_${alignment}`, {
          format,
          shape,
          unpack: { alignment },
          start: 'image',
        });
        const part: Box = { x: 1, y: 3, z: 0, width: width - 2, height: 5, depth: 1 };
        const plan = {
          format,
          shape: { ...shape, width: 64, height: target === 'cube' ? 64 : 32 },
          unpack: { alignment },
          start: 'image',
          part,
        } as const;
        yield make(`texsubimage2d_align.${target}_${name}_${width}_${alignment}`, {
          ...plan,
          part: { ...part, width },
        });
        if (format.bytes !== 1) continue;
        if (alignment === 8)
          yield make(`teximage2d_align.${target}_${name}_4_8`, {
            format,
            shape: { ...shape, width: 4, height: 4 },
            unpack: { alignment },
            start: 'image',
          });
        yield make(`texsubimage2d_align.${target}_${name}_1_${alignment}`, { ...plan, part: { ...part, width: 1 } });
      }
}

/** Named unpack states of the *_unpack_params and *_pbo groups. */
const UNPACKS_2D: Readonly<Record<string, Unpack>> = {
  alignment: { alignment: 8 },
  row_length: { rowLength: 23, alignment: 1 },
  skip_pixels: { skipPixels: 5, rowLength: 30 },
  skip_rows: { skipRows: 3 },
  offset: { bufferOffset: 67, alignment: 1 },
};
const UNPACKS_3D: Readonly<Record<string, Unpack>> = {
  ...UNPACKS_2D,
  image_height: { imageHeight: 13 },
  skip_images: { skipImages: 2, imageHeight: 11 },
};
const COMPLEX: readonly Unpack[] = [
  { alignment: 1, rowLength: 22, skipRows: 2, skipPixels: 3, imageHeight: 12 },
  { alignment: 4, rowLength: 27, skipRows: 0, skipPixels: 4, skipImages: 1, imageHeight: 9 },
  { alignment: 8, rowLength: 25, skipRows: 5, skipPixels: 1, imageHeight: 16, skipImages: 1 },
  { alignment: 2, rowLength: 30, skipRows: 1, skipPixels: 7, imageHeight: 10 },
];

function* unpackCases(make: Make, dimensions: '2d' | '3d'): Generator<CaseDefinition> {
  const shape: TextureShape =
    dimensions === '2d' ? { target: '2d', width: 17, height: 9 } : { target: '3d', width: 17, height: 8, depth: 3 };
  const named =
    dimensions === '2d'
      ? ['alignment', 'row_length', 'skip_pixels', 'skip_rows']
      : ['image_height', 'row_length', 'skip_images', 'skip_pixels', 'skip_rows'];
  for (const call of ['teximage', 'texsubimage']) {
    const plan = (name: string, unpack: Unpack): UploadPlan => ({
      format: formatNamed(SIZED_FORMATS, name),
      shape,
      unpack,
      start: 'image',
      ...(call === 'texsubimage' ? { parts: 2 } : {}),
    });
    const group = `${call}${dimensions}_unpack_params`;
    for (const name of named) yield make(`${group}.rgb8_${name}`, plan('rgb8', UNPACKS_3D[name]!));
    for (const [index, unpack] of COMPLEX.entries())
      for (const name of ['r8', 'rgba8']) yield make(`${group}.${name}_complex${index + 1}`, plan(name, unpack));
    yield make(`${group}.rgba32f_complex`, plan('rgba32f', COMPLEX[0]!));
  }
}

function* sizedCases(make: Make): Generator<CaseDefinition> {
  const pbo: Unpack = { bufferOffset: 0 };
  for (const format of SIZED_FORMATS) {
    for (const target of ['2d', 'cube'] as const) {
      const shape = SMALL[target];
      const name = `${format.name}_${target}`;
      yield make(`basic_teximage2d.${name}`, { format, shape, start: 'image' });
      yield make(`basic_texsubimage2d.${name}`, { format, shape, start: 'image', parts: 1 });
      yield make(`teximage2d_pbo.${name}`, { format, shape: { ...shape, levels: 1 }, start: 'image', unpack: pbo });
      yield make(`texsubimage2d_pbo.${name}`, {
        format,
        shape: { ...shape, levels: 1 },
        start: 'image',
        unpack: pbo,
        parts: 1,
      });
      yield make(`texstorage2d.format.${name}`, { format, shape, start: 'storage', parts: 1 });
    }
    for (const target of ['3d', '2d_array'] as const) {
      const shape = SMALL[target];
      const name = `${format.name}_${target}`;
      yield make(`basic_teximage3d.${name}`, { format, shape, start: 'image' });
      if (target === '3d') yield make(`basic_texsubimage3d.${name}`, { format, shape, start: 'image', parts: 1 });
      yield make(`teximage3d_pbo.${name}`, { format, shape: { ...shape, levels: 1 }, start: 'image', unpack: pbo });
      yield make(`texsubimage3d_pbo.${name}`, {
        format,
        shape: { ...shape, levels: 1 },
        start: 'image',
        unpack: pbo,
        parts: 1,
      });
      yield make(`texstorage3d.format.${name}`, { format, shape, start: 'storage', parts: 1 });
    }
  }
  for (const format of DEPTH_FORMATS) {
    const [flat, cube, array] = [SMALL['2d'], SMALL.cube, SMALL['2d_array']];
    for (const shape of [flat, cube])
      yield make(`texstorage2d.format.${format.name}_${shape.target}`, { format, shape, start: 'storage', parts: 1 });
    yield make(`texstorage3d.format.${format.name}_2d_array`, { format, shape: array, start: 'storage', parts: 1 });
    for (const [suffix, unpack] of [
      ['', {}],
      ['_pbo', pbo],
    ] as const) {
      yield make(`teximage2d_depth${suffix}.${format.name}`, { format, shape: flat, start: 'image', unpack });
      if (suffix === '')
        yield make(`texsubimage2d_depth.${format.name}`, { format, shape: flat, start: 'image', parts: 1 });
      yield make(`teximage3d_depth${suffix}.${format.name}_2d_array`, { format, shape: array, start: 'image', unpack });
      if (suffix === '')
        yield make(`texsubimage3d_depth.${format.name}_2d_array`, { format, shape: array, start: 'image', parts: 1 });
    }
  }
  const rgb8 = formatNamed(SIZED_FORMATS, 'rgb8');
  const shapes: Readonly<Record<'2d' | '3d', readonly TextureShape[]>> = {
    '2d': [
      { target: '2d', width: 17, height: 9 },
      { target: 'cube', width: 17, height: 17 },
    ],
    '3d': [
      { target: '2d_array', width: 17, height: 8, depth: 3 },
      { target: '3d', width: 17, height: 8, depth: 3 },
    ],
  };
  for (const dimensions of ['2d', '3d'] as const)
    for (const shape of shapes[dimensions])
      for (const [name, unpack] of Object.entries(dimensions === '2d' ? UNPACKS_2D : UNPACKS_3D)) {
        const plan = { format: rgb8, shape, start: 'image', unpack: { bufferOffset: 0, ...unpack } } as const;
        yield make(`teximage${dimensions}_pbo.rgb8_${name}_${shape.target}`, plan);
        if (dimensions === '3d' && name === 'alignment') continue;
        yield make(`texsubimage${dimensions}_pbo.rgb8_${name}_${shape.target}`, { ...plan, parts: 1 });
      }
}

function* storageSizes(make: Make): Generator<CaseDefinition> {
  const rgba8 = formatNamed(SIZED_FORMATS, 'rgba8');
  const sizes: readonly [TextureTarget, readonly number[], number][] = [
    ...(
      [
        [[1, 1], 1],
        [[2, 2], 2],
        [[64, 32], 7],
        [[32, 64], 4],
        [[57, 63], 1],
        [[57, 63], 2],
        [[57, 63], 6],
      ] as [number[], number][]
    ).map(([size, levels]) => ['2d', size, levels] as [TextureTarget, number[], number]),
    ...(
      [
        [[1, 1], 1],
        [[2, 2], 2],
        [[57, 57], 1],
        [[57, 57], 2],
        [[57, 57], 6],
        [[64, 64], 4],
        [[64, 64], 7],
      ] as [number[], number][]
    ).map(([size, levels]) => ['cube', size, levels] as [TextureTarget, number[], number]),
    ...(
      [
        [[1, 1, 1], 1],
        [[2, 2, 2], 2],
        [[64, 32, 3], 7],
        [[32, 64, 3], 4],
        [[57, 63, 5], 1],
        [[57, 63, 5], 2],
        [[57, 63, 5], 6],
      ] as [number[], number][]
    ).map(([size, levels]) => ['2d_array', size, levels] as [TextureTarget, number[], number]),
    ...(
      [
        [[1, 1, 1], 1],
        [[2, 2, 2], 2],
        [[64, 32, 16], 7],
        [[32, 64, 16], 4],
        [[32, 16, 64], 4],
        [[57, 63, 11], 1],
        [[57, 63, 11], 2],
        [[57, 63, 11], 6],
      ] as [number[], number][]
    ).map(([size, levels]) => ['3d', size, levels] as [TextureTarget, number[], number]),
  ];
  for (const [target, size, levels] of sizes) {
    const group = isLayered(target) ? 'texstorage3d' : 'texstorage2d';
    const shape: TextureShape = { target, width: size[0]!, height: size[1]!, depth: size[2] ?? 1, levels };
    yield make(`${group}.size.${target}_${size.join('x')}_${levels}_levels`, {
      format: rgba8,
      shape,
      start: 'storage',
      parts: 1,
    });
  }
}

/** glCopyTexImage2D and glCopyTexSubImage2D from a framebuffer of random blocks. */
function runCopy(t: CaseContext, base: string, target: '2d' | 'cube', isSub: boolean): void {
  const { gl, random, width, height } = t;
  const format = formatNamed(OTHER_FORMATS, { rgb: 'rgb_unsigned_byte', rgba: 'rgba_unsigned_byte' }[base] ?? base);
  const shape: TextureShape = { target, width: 32, height: target === 'cube' ? 32 : 16, levels: 'full' };
  const frame = new Uint8Array(width * height * 4);
  gl.glEnable(gl.GL_SCISSOR_TEST);
  for (let y = 0; y < height; y += 4)
    for (let x = 0; x < width; x += 4) {
      const color = [random.int(0, 255), random.int(0, 255), random.int(0, 255), random.int(0, 255)];
      gl.glScissor(x, y, 4, 4);
      gl.glClearColor(color[0]! / 255, color[1]! / 255, color[2]! / 255, color[3]! / 255);
      gl.glClear(gl.GL_COLOR_BUFFER_BIT);
      for (let pixel = 0; pixel < 16; pixel++) frame.set(color, ((y + (pixel >> 2)) * width + x + (pixel & 3)) * 4);
    }
  gl.glDisable(gl.GL_SCISSOR_TEST);
  gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
  gl.glBindTexture(targetValue(target), generate(gl.glGenTextures));
  const images: ReferenceImage[][] = [];
  for (let face = 0; face < (target === 'cube' ? 6 : 1); face++) {
    images.push([]);
    for (let level = 0; level < levelCount(shape); level++) {
      const size = levelSize(shape, level);
      const at = { x: random.int(0, width - size.width), y: random.int(0, height - size.height) };
      const box = isSub ? randomBox(t, size) : { x: 0, y: 0, z: 0, ...size };
      let canvas = new Canvas(format, size);
      if (isSub) {
        const tight = fill(t, format, size);
        texImage(t, target, face, level, format, size, tight);
        canvas = new Canvas(format, size, tight);
        gl.glCopyTexSubImage2D(imageTarget(target, face), level, box.x, box.y, at.x, at.y, box.width, box.height);
      } else
        gl.glCopyTexImage2D(imageTarget(target, face), level, format.internal, at.x, at.y, size.width, size.height, 0);
      const pixels = new Uint8Array(box.width * box.height * format.bytes);
      const channels = { alpha: [3], luminance: [0], luminance_alpha: [0, 3], rgb: [0, 1, 2], rgba: [0, 1, 2, 3] }[
        base
      ]!;
      for (let y = 0; y < box.height; y++)
        for (let x = 0; x < box.width; x++)
          for (const [i, channel] of channels.entries())
            pixels[(y * box.width + x) * format.bytes + i] = frame[((at.y + y) * width + at.x + x) * 4 + channel]!;
      canvas.replace(box, pixels);
      images[face]!.push(canvas.image());
    }
  }
  t.noError('copying');
  checkTexture(t, { target, format, images });
}

export function* textureSpecificationCases(api: 2 | 3): Generator<CaseDefinition> {
  const base = 'texture.specification';
  const make: Make = (path, plan) => functionalCase(api, `${base}.${path}`, (t) => runUpload(t, plan), SURFACE);
  for (const target of ['2d', 'cube'] as const) {
    for (const name of ['alpha', 'luminance', 'luminance_alpha', 'rgb', 'rgba'])
      for (const [group, isSub] of [
        ['basic_copyteximage2d', false],
        ['basic_copytexsubimage2d', true],
      ] as const)
        yield functionalCase(
          api,
          `${base}.${group}.${target}_${name}`,
          (t) => runCopy(t, name, target, isSub),
          SURFACE,
        );
    const formats = api === 2 ? UNSIZED_FORMATS : SIZED_FORMATS;
    for (let index = 0; index < 10; index++)
      yield functionalCase(
        api,
        `${base}.random_teximage2d.${target}_${index}`,
        (t) => {
          // GLES 2 finds levels by the scale alone, which is exact for powers of two.
          const edge = () => (api === 2 ? 2 ** t.random.int(0, 6) : t.random.int(1, 60));
          const width = edge();
          const shape: TextureShape = {
            target,
            width,
            height: target === 'cube' ? width : edge(),
            levels: 'full',
          };
          runUpload(t, {
            format: t.random.pick(formats),
            shape,
            start: 'image',
            parts: t.random.int(0, 1),
            unpack: { alignment: t.random.pick([1, 2, 4, 8]) },
          });
        },
        SURFACE,
      );
  }
  if (api === 2) {
    const halves = OTHER_FORMATS.filter(({ name }) => name.endsWith('16f'));
    for (const format of [...UNSIZED_FORMATS, ...halves])
      for (const target of ['2d', 'cube'] as const) {
        const shape = SMALL[target];
        yield make(`basic_teximage2d.${format.name}_${target}`, { format, shape, start: 'image' });
        yield make(`basic_texsubimage2d.${format.name}_${target}`, { format, shape, start: 'image', parts: 1 });
        yield make(`texsubimage2d_empty_tex.${format.name}_${target}`, { format, shape, start: 'empty', parts: 1 });
      }
    const named = (name: string) => formatNamed(UNSIZED_FORMATS, name);
    yield* alignmentCases(
      make,
      { l8: named('l8'), rgba4444: named('rgba4444'), rgb888: named('rgb888'), rgba8888: named('rgba8888') },
      ['2d', 'cube'],
    );
    return;
  }
  const named = (name: string) => formatNamed(SIZED_FORMATS, name);
  yield* alignmentCases(make, { r8: named('r8'), rgba4: named('rgba4'), rgb8: named('rgb8'), rgba8: named('rgba8') }, [
    '2d',
    'cube',
  ]);
  yield* sizedCases(make);
  yield* storageSizes(make);
  for (const dimensions of ['2d', '3d'] as const) yield* unpackCases(make, dimensions);
  for (const format of OTHER_FORMATS.slice(0, 8))
    for (const target of ['2d', 'cube'] as const) {
      const name = /unsigned/.test(format.name) ? format.name : `${format.name}_unsigned_byte`;
      yield make(`texsubimage2d_empty_tex.${name}_${target}`, {
        format,
        shape: SMALL[target],
        start: 'empty',
        parts: 1,
      });
    }
}
