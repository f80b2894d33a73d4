// Colour targets of every renderable format: attaching, drawing values into them, and judging what they hold.

import type { CaseContext } from '../case.ts';
import { linearToSrgb } from '../reference/fragment-pipeline.ts';
import { vectorName } from '../reference/glsl-types.ts';
import { SIZED_FORMATS, type TexelFormat } from '../reference/texture-formats.ts';
import { makeBuffer } from './draw.ts';
import { requireColorRenderable } from './extensions.ts';
import { attachRenderbuffer, generate } from './framebuffer.ts';
import { buildProgram } from './program.ts';

export const SIZE = 16;
export const SURFACE = { width: SIZE, height: SIZE };

export const CHANNELS: Readonly<Record<string, number>> = { red: 1, rg: 2, rgb: 3, rgba: 4 };

/** Formats that ES 3.0 or EXT_color_buffer_float renders to. */
export const RENDERABLE: readonly TexelFormat[] = SIZED_FORMATS.filter(
  ({ name, kind, base }) =>
    kind !== 'snorm' &&
    !['srgb8', 'rgb9_e5', 'rgb16f', 'rgb32f'].includes(name) &&
    !(base === 'rgb' && (kind === 'int' || kind === 'uint')),
);

/** Bits of each channel of the fixed-point formats. */
export function channelBits(format: TexelFormat): readonly number[] {
  const packed: Readonly<Record<string, readonly number[]>> = {
    rgb565: [5, 6, 5, 0],
    rgba4: [4, 4, 4, 4],
    rgb5_a1: [5, 5, 5, 1],
    rgb10_a2: [10, 10, 10, 2],
    rgb10_a2ui: [10, 10, 10, 2],
  };
  const own = packed[format.name];
  if (own) return own;
  const bits = Number(/(8|16|32)/.exec(format.name)![1]);
  return [0, 1, 2, 3].map((channel) => (channel < CHANNELS[format.base]! ? bits : 0));
}

export type Pixel = number[];

/** What a target holds after a value was written to it, as glReadPixels gives it, and how far it may be off. */
export function stored(format: TexelFormat, value: readonly number[]): { want: Pixel; tolerance: Pixel } {
  const channels = CHANNELS[format.base]!;
  const want: Pixel = [];
  const tolerance: Pixel = [];
  for (let channel = 0; channel < 4; channel++) {
    if (channel >= channels) {
      want.push(channel === 3 ? 1 : 0);
      tolerance.push(0);
      continue;
    }
    const given = value[channel]!;
    if (format.kind === 'unorm') {
      const steps = 2 ** channelBits(format)[channel]! - 1;
      const clamped = Math.min(Math.max(given, 0), 1);
      const shown = format.isSrgb && channel < 3 ? linearToSrgb(clamped) : clamped;
      const step = Math.round(shown * steps);
      want.push(step / steps);
      // What a step holds exactly is kept; in between either neighbour may be taken (ES 3.0 §2.1.6.2).
      tolerance.push((Math.abs(shown * steps - step) < 1e-4 ? 0.01 : 1.01) / steps);
    } else if (format.kind === 'float') {
      const fraction =
        format.name === 'r11f_g11f_b10f' ? (channel === 2 ? 5 : 6) : format.name.includes('16f') ? 10 : 23;
      const least = format.name === 'r11f_g11f_b10f' ? Math.max(given, 0) : given;
      want.push(least);
      tolerance.push(Math.abs(least) * 2 ** -fraction + 2 ** -14 * 2 ** -fraction);
    } else {
      const bits = channelBits(format)[channel]!;
      const [low, high] = format.kind === 'uint' ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
      want.push(Math.min(Math.max(given, low), high));
      tolerance.push(0);
    }
  }
  return { want, tolerance };
}

/** What glReadPixels is asked for, so that nothing is lost. */
interface ReadKind {
  readonly format: number;
  readonly type: number;
  readonly make: (count: number) => Uint8Array | Uint32Array | Int32Array | Float32Array;
}

function readKind(t: CaseContext, format: TexelFormat): ReadKind {
  const { gl } = t;
  if (format.kind === 'int')
    return { format: gl.GL_RGBA_INTEGER, type: gl.GL_INT, make: (count) => new Int32Array(count * 4) };
  if (format.kind === 'uint')
    return { format: gl.GL_RGBA_INTEGER, type: gl.GL_UNSIGNED_INT, make: (count) => new Uint32Array(count * 4) };
  if (format.kind === 'float')
    return { format: gl.GL_RGBA, type: gl.GL_FLOAT, make: (count) => new Float32Array(count * 4) };
  if (format.name === 'rgb10_a2')
    return { format: gl.GL_RGBA, type: gl.GL_UNSIGNED_INT_2_10_10_10_REV, make: (count) => new Uint32Array(count) };
  return { format: gl.GL_RGBA, type: gl.GL_UNSIGNED_BYTE, make: (count) => new Uint8Array(count * 4) };
}

function toNumbers(format: TexelFormat, memory: ReturnType<ReadKind['make']>): ArrayLike<number> {
  if (format.kind !== 'unorm') return memory;
  if (format.name !== 'rgb10_a2') return Float64Array.from(memory, (value) => value / 255);
  return [...memory].flatMap((bits) => [
    (bits & 1023) / 1023,
    ((bits >>> 10) & 1023) / 1023,
    ((bits >>> 20) & 1023) / 1023,
    (bits >>> 30) / 3,
  ]);
}

/** Reads the read buffer as four numbers a pixel, in the type that loses nothing. */
export function readTarget(t: CaseContext, format: TexelFormat, width = SIZE, height = SIZE): ArrayLike<number> {
  const kind = readKind(t, format);
  const memory = kind.make(width * height);
  t.gl.glReadPixels(0, 0, width, height, kind.format, kind.type, memory);
  return toNumbers(format, memory);
}

/** The same through a pixel pack buffer, at an offset; bytes around the pixels have to stay. */
export function readTargetThroughBuffer(t: CaseContext, format: TexelFormat): ArrayLike<number> {
  const { gl } = t;
  const kind = readKind(t, format);
  const memory = kind.make(SIZE * SIZE);
  const [before, after] = [64, 32];
  const filler = new Uint8Array(before + memory.byteLength + after).fill(0x5a);
  makeBuffer(t, gl.GL_PIXEL_PACK_BUFFER, filler);
  gl.glReadPixels(0, 0, SIZE, SIZE, kind.format, kind.type, before);
  t.noError('glReadPixels into a buffer');
  const mapped = gl.glMapBufferRange(gl.GL_PIXEL_PACK_BUFFER, 0, filler.length, gl.GL_MAP_READ_BIT);
  if (!mapped) t.fail('the pixel pack buffer cannot be mapped');
  const bytes = (mapped as Uint8Array).slice();
  gl.glUnmapBuffer(gl.GL_PIXEL_PACK_BUFFER);
  gl.glBindBuffer(gl.GL_PIXEL_PACK_BUFFER, 0);
  const isKept = (part: Uint8Array) => part.every((value) => value === 0x5a);
  t.check(isKept(bytes.subarray(0, before)), 'bytes before the pixels were written');
  t.check(isKept(bytes.subarray(before + memory.byteLength)), 'bytes after the pixels were written');
  new Uint8Array(memory.buffer).set(bytes.subarray(before, before + memory.byteLength));
  return toNumbers(format, memory);
}

/** Whether reading converts: what has fewer bits than a byte comes as bytes, which rounds. */
function isReadRounded(format: TexelFormat): boolean {
  return format.kind === 'unorm' && channelBits(format)[0]! < 8;
}

export function judgeTarget(
  t: CaseContext,
  format: TexelFormat,
  got: ArrayLike<number>,
  valueAt: (pixel: number) => readonly number[] | null,
  extra: number | readonly number[] = 0,
): void {
  const extras = typeof extra === 'number' ? [extra, extra, extra, extra] : extra;
  t.pictureComparisons++;
  for (let pixel = 0; pixel < got.length / 4; pixel++) {
    const value = valueAt(pixel);
    if (value === null) continue;
    const { want, tolerance } = stored(format, value);
    for (let channel = 0; channel < 4; channel++) {
      const result = got[pixel * 4 + channel]!;
      const bound =
        tolerance[channel]! +
        (channel < CHANNELS[format.base]! ? extras[channel]! : 0) +
        (isReadRounded(format) ? 1.01 / 255 : 0);
      t.check(
        Math.abs(result - want[channel]!) <= bound,
        () => `${format.name} pixel ${pixel} channel ${channel}: got ${result}, expected ${want[channel]} ± ${bound}`,
      );
    }
  }
  t.noError('reading');
}

/**
 * Values of a format: steps that it holds exactly, values between and beyond them; channels of one or two bits only get steps.
 * Integers have all bits that the format has.
 */
export function randomColor(t: CaseContext, format: TexelFormat): number[] {
  const { random } = t;
  return [0, 1, 2, 3].map((channel) => {
    if (format.kind === 'unorm') {
      const steps = 2 ** channelBits(format)[channel]! - 1;
      if (steps === 1 || steps === 3 || random.bool(0.3)) return Math.fround(random.int(0, steps) / Math.max(steps, 1));
      return Math.fround(random.bool(0.15) ? random.float(-1, 2) : random.float());
    }
    if (format.kind === 'float') return Math.fround(random.float(format.name === 'r11f_g11f_b10f' ? -0.5 : -2, 2));
    const bits = channelBits(format)[channel] || 8;
    return format.kind === 'uint' ? random.int(0, 2 ** bits - 1) : random.int(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1);
  });
}

export type Attachment = 'rbo' | 'tex2d' | 'texcube' | 'tex2darray' | 'tex3d';

/** Attaches a colour target of the format and kind to the bound framebuffer. */
export function attachColor(
  t: CaseContext,
  format: TexelFormat,
  kind: Attachment,
  attachment = 0,
  samples = 0,
): number {
  requireColorRenderable(t, format.name);
  const { gl } = t;
  const point = gl.GL_COLOR_ATTACHMENT0 + attachment;
  if (kind === 'rbo') return attachRenderbuffer(t, point, format.internal, samples, SIZE, SIZE);
  const texture = generate(gl.glGenTextures);
  const target = {
    tex2d: gl.GL_TEXTURE_2D,
    texcube: gl.GL_TEXTURE_CUBE_MAP,
    tex2darray: gl.GL_TEXTURE_2D_ARRAY,
    tex3d: gl.GL_TEXTURE_3D,
  }[kind];
  gl.glBindTexture(target, texture);
  if (kind === 'tex2d' || kind === 'texcube') {
    gl.glTexStorage2D(target, 1, format.internal, SIZE, SIZE);
    gl.glFramebufferTexture2D(
      gl.GL_FRAMEBUFFER,
      point,
      kind === 'tex2d' ? target : gl.GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
      texture,
      0,
    );
  } else {
    gl.glTexStorage3D(target, 1, format.internal, SIZE, SIZE, 4);
    gl.glFramebufferTextureLayer(gl.GL_FRAMEBUFFER, point, texture, 0, 2);
  }
  return texture;
}

export function bindNewFramebuffer(t: CaseContext): number {
  const name = generate(t.gl.glGenFramebuffers);
  t.gl.glBindFramebuffer(t.gl.GL_FRAMEBUFFER, name);
  return name;
}

export function clearColorBuffer(t: CaseContext, format: TexelFormat, color: readonly number[], buffer = 0): void {
  const { gl } = t;
  if (format.kind === 'int') gl.glClearBufferiv(gl.GL_COLOR, buffer, color);
  else if (format.kind === 'uint') gl.glClearBufferuiv(gl.GL_COLOR, buffer, color);
  else gl.glClearBufferfv(gl.GL_COLOR, buffer, color);
}

export function outputBase(format: TexelFormat): 'float' | 'int' | 'uint' {
  return format.kind === 'int' ? 'int' : format.kind === 'uint' ? 'uint' : 'float';
}

/** A quad whose colour differs by quadrant, through an output of some vector type. */
export function drawQuadrants(
  t: CaseContext,
  format: TexelFormat,
  colors: readonly (readonly number[])[],
  size = 4,
  precision = 'highp',
  arrayLength = 0,
): void {
  const { gl } = t;
  const base = outputBase(format);
  const type = vectorName(base, size);
  const carrier = vectorName(base, 4);
  const take = size === 4 ? 'v_value' : `v_value.${'xyzw'.slice(0, size)}`;
  const outputs =
    arrayLength > 0
      ? `layout(location = 0) out ${precision} ${type} o_value[${arrayLength}];\n`
      : `layout(location = 0) out ${precision} ${type} o_value;\n`;
  const writes =
    arrayLength > 0
      ? Array.from({ length: arrayLength }, (_, i) => `o_value[${i}] = ${take};`).join(' ')
      : `o_value = ${take};`;
  buildProgram(t, {
    attributes: { a_position: 'highp vec2', a_value: `highp ${carrier}` },
    varyings: { v_value: `flat highp ${carrier}` },
    vertex: 'gl_Position = vec4(a_position, 0.0, 1.0); v_value = a_value;',
    outputs,
    fragment: writes,
  });
  const positions: number[] = [];
  const values: number[] = [];
  for (const [quadrant, color] of colors.entries()) {
    const [x, y] = [quadrant % 2 ? 0 : -1, quadrant >= 2 ? 0 : -1];
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 1],
    ]) {
      positions.push(x + dx!, y + dy!);
      values.push(...color);
    }
  }
  makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(positions));
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
  gl.glEnableVertexAttribArray(1);
  if (base === 'float') {
    makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(values));
    gl.glVertexAttribPointer(1, 4, gl.GL_FLOAT, false, 0, 0);
  } else {
    makeBuffer(t, gl.GL_ARRAY_BUFFER, (base === 'int' ? Int32Array : Uint32Array).from(values));
    gl.glVertexAttribIPointer(1, 4, base === 'int' ? gl.GL_INT : gl.GL_UNSIGNED_INT, 0, 0);
  }
  gl.glDrawArrays(gl.GL_TRIANGLES, 0, positions.length / 2);
}

export function quadrantOf(pixel: number): number {
  return (pixel % SIZE >= SIZE / 2 ? 1 : 0) + (Math.floor(pixel / SIZE) >= SIZE / 2 ? 2 : 0);
}
