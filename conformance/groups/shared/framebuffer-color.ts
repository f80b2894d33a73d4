// fragment_out and fbo.{color, depth, stencil, msaa, blit}: render targets of every format.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad, drawRects, makeBuffer } from '../../harness/draw.ts';
import { attachRenderbuffer, generate, maxSamples, requireComplete } from '../../harness/framebuffer.ts';
import { buildProgram, colorProgram } from '../../harness/program.ts';
import { linearToSrgb, srgbToLinear } from '../../reference/fragment-pipeline.ts';
import { PRECISIONS, vectorName } from '../../reference/glsl-types.ts';
import { DEPTH_FORMATS, SIZED_FORMATS, type TexelFormat } from '../../reference/texture-formats.ts';

const SIZE = 16;
const SURFACE = { width: SIZE, height: SIZE };

const CHANNELS: Readonly<Record<string, number>> = { red: 1, rg: 2, rgb: 3, rgba: 4 };

/** Formats that ES 3.0 or EXT_color_buffer_float renders to. */
const RENDERABLE: readonly TexelFormat[] = SIZED_FORMATS.filter(
  ({ name, kind, base }) =>
    kind !== 'snorm' &&
    !['srgb8', 'rgb9_e5', 'rgb16f', 'rgb32f'].includes(name) &&
    !(base === 'rgb' && (kind === 'int' || kind === 'uint')),
);

/** Bits of each channel of the fixed-point formats. */
function channelBits(format: TexelFormat): readonly number[] {
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

type Pixel = number[];

/** What a target holds after a value was written to it, as glReadPixels gives it, and how far it may be off. */
function stored(format: TexelFormat, value: readonly number[]): { want: Pixel; tolerance: Pixel } {
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
      want.push(Math.round(shown * steps) / steps);
      tolerance.push(1.01 / steps);
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

/** Reads the read buffer as four numbers a pixel, in the type that loses nothing. */
function readTarget(t: CaseContext, format: TexelFormat, width = SIZE, height = SIZE): ArrayLike<number> {
  const { gl } = t;
  const count = width * height * 4;
  if (format.kind === 'int' || format.kind === 'uint') {
    const data = format.kind === 'int' ? new Int32Array(count) : new Uint32Array(count);
    gl.glReadPixels(
      0,
      0,
      width,
      height,
      gl.GL_RGBA_INTEGER,
      format.kind === 'int' ? gl.GL_INT : gl.GL_UNSIGNED_INT,
      data,
    );
    return data;
  }
  if (format.kind === 'float') {
    const data = new Float32Array(count);
    gl.glReadPixels(0, 0, width, height, gl.GL_RGBA, gl.GL_FLOAT, data);
    return data;
  }
  if (format.name === 'rgb10_a2') {
    const words = new Uint32Array(width * height);
    gl.glReadPixels(0, 0, width, height, gl.GL_RGBA, gl.GL_UNSIGNED_INT_2_10_10_10_REV, words);
    return [...words].flatMap((bits) => [
      (bits & 1023) / 1023,
      ((bits >>> 10) & 1023) / 1023,
      ((bits >>> 20) & 1023) / 1023,
      (bits >>> 30) / 3,
    ]);
  }
  const bytes = new Uint8Array(count);
  gl.glReadPixels(0, 0, width, height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, bytes);
  return Float64Array.from(bytes, (value) => value / 255);
}

function judgeTarget(
  t: CaseContext,
  format: TexelFormat,
  got: ArrayLike<number>,
  valueAt: (pixel: number) => readonly number[] | null,
  extra = 0,
): void {
  t.pictureComparisons++;
  for (let pixel = 0; pixel < got.length / 4; pixel++) {
    const value = valueAt(pixel);
    if (value === null) continue;
    const { want, tolerance } = stored(format, value);
    for (let channel = 0; channel < 4; channel++) {
      const result = got[pixel * 4 + channel]!;
      const bound =
        tolerance[channel]! +
        (channel < CHANNELS[format.base]! ? extra : 0) +
        (format.kind === 'unorm' ? 1.01 / 255 : 0);
      t.check(
        Math.abs(result - want[channel]!) <= bound,
        () => `${format.name} pixel ${pixel} channel ${channel}: got ${result}, expected ${want[channel]} ± ${bound}`,
      );
    }
  }
  t.noError('reading');
}

/** Values of a format's own range. */
function randomColor(t: CaseContext, format: TexelFormat): number[] {
  const { random } = t;
  return [0, 1, 2, 3].map((channel) => {
    if (format.kind === 'unorm') return Math.fround(random.float());
    if (format.kind === 'float') return Math.fround(random.float(format.name === 'r11f_g11f_b10f' ? 0 : -2, 2));
    const bits = Math.min(channelBits(format)[channel] || 8, 24);
    return format.kind === 'uint' ? random.int(0, 2 ** bits - 1) : random.int(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1);
  });
}

type Attachment = 'rbo' | 'tex2d' | 'texcube' | 'tex2darray' | 'tex3d';

/** Attaches a colour target of the format and kind to the bound framebuffer. */
function attachColor(t: CaseContext, format: TexelFormat, kind: Attachment, attachment = 0, samples = 0): number {
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

function bindNewFramebuffer(t: CaseContext): number {
  const name = generate(t.gl.glGenFramebuffers);
  t.gl.glBindFramebuffer(t.gl.GL_FRAMEBUFFER, name);
  return name;
}

function clearColorBuffer(t: CaseContext, format: TexelFormat, color: readonly number[], buffer = 0): void {
  const { gl } = t;
  if (format.kind === 'int') gl.glClearBufferiv(gl.GL_COLOR, buffer, color);
  else if (format.kind === 'uint') gl.glClearBufferuiv(gl.GL_COLOR, buffer, color);
  else gl.glClearBufferfv(gl.GL_COLOR, buffer, color);
}

function outputBase(format: TexelFormat): 'float' | 'int' | 'uint' {
  return format.kind === 'int' ? 'int' : format.kind === 'uint' ? 'uint' : 'float';
}

/** A quad whose colour differs by quadrant, through an output of some vector type. */
function drawQuadrants(
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

function quadrantOf(pixel: number): number {
  return (pixel % SIZE >= SIZE / 2 ? 1 : 0) + (Math.floor(pixel / SIZE) >= SIZE / 2 ? 2 : 0);
}

function runFragmentOut(
  t: CaseContext,
  format: TexelFormat,
  size: number,
  precision: string,
  arrayLength: number,
): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const count = Math.max(arrayLength, 1);
  for (let index = 0; index < count; index++) attachColor(t, format, 'rbo', index);
  gl.glDrawBuffers(
    count,
    Array.from({ length: count }, (_, index) => gl.GL_COLOR_ATTACHMENT0 + index),
  );
  requireComplete(t);
  const colors = Array.from({ length: 4 }, () => randomColor(t, format));
  drawQuadrants(t, format, colors, size, precision, arrayLength);
  for (let index = 0; index < count; index++) {
    gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT0 + index);
    // Channels that the output lacks are undefined: only given ones are looked at, missing ones of the format are fixed.
    const got = Array.from(readTarget(t, format));
    for (let at = 0; at < got.length; at++) {
      const channel = at % 4;
      if (channel >= size && channel < CHANNELS[format.base]!)
        got[at] = stored(format, colors[quadrantOf(Math.floor(at / 4))]!).want[channel]!;
    }
    judgeTarget(t, format, got, (pixel) => colors[quadrantOf(pixel)]!);
  }
}

function* fragmentOutCases(): Generator<CaseDefinition> {
  const kinds = { unorm: 'fixed', float: 'float', int: 'int', uint: 'uint' } as const;
  for (const format of RENDERABLE)
    for (const [group, arrayLength] of [
      ['basic', 0],
      ['array', 3],
    ] as const)
      for (const precision of PRECISIONS)
        for (const size of [1, 2, 3, 4])
          yield functionalCase(
            3,
            `fragment_out.${group}.${kinds[format.kind as keyof typeof kinds]}.${format.name}_${precision}_${vectorName(outputBase(format), size)}`,
            (t) => runFragmentOut(t, format, size, precision, arrayLength),
            SURFACE,
          );
}

function runColorTarget(t: CaseContext, format: TexelFormat, kind: Attachment): void {
  bindNewFramebuffer(t);
  attachColor(t, format, kind);
  requireComplete(t);
  const clear = randomColor(t, format);
  clearColorBuffer(t, format, clear);
  const colors = Array.from({ length: 3 }, () => randomColor(t, format));
  drawQuadrants(t, format, colors);
  judgeTarget(t, format, readTarget(t, format), (pixel) => colors[quadrantOf(pixel)] ?? clear);
}

function runColorClear(t: CaseContext, format: TexelFormat): void {
  const { gl, random } = t;
  bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  const pixels: number[][] = Array.from({ length: SIZE * SIZE }, () => []);
  gl.glEnable(gl.GL_SCISSOR_TEST);
  for (let index = 0; index < 8; index++) {
    const [x, y] = index === 0 ? [0, 0] : [random.int(0, SIZE - 2), random.int(0, SIZE - 2)];
    const [w, h] = index === 0 ? [SIZE, SIZE] : [random.int(1, SIZE - x), random.int(1, SIZE - y)];
    gl.glScissor(x, y, w, h);
    const color = randomColor(t, format);
    clearColorBuffer(t, format, color);
    for (let py = y; py < y + h; py++) for (let px = x; px < x + w; px++) pixels[py * SIZE + px] = color;
  }
  judgeTarget(t, format, readTarget(t, format), (pixel) => pixels[pixel]!);
}

function runColorBlend(t: CaseContext, format: TexelFormat): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  const under = [0.25, 0.5, 0.75, 0.5];
  clearColorBuffer(t, format, under);
  gl.glEnable(gl.GL_BLEND);
  gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA);
  const colors = Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => Math.fround(t.random.float())));
  drawQuadrants(t, format, colors);
  const held = stored(format, under).want;
  const dst = held.map((value, channel) => (format.isSrgb && channel < 3 ? srgbToLinear(value) : value));
  const blended = colors.map((src) => {
    const a = src[3]!;
    return [0, 1, 2, 3].map((channel) =>
      channel === 3 ? a + dst[3]! * (1 - a) : src[channel]! * a + dst[channel]! * (1 - a),
    );
  });
  judgeTarget(t, format, readTarget(t, format), (pixel) => blended[quadrantOf(pixel)]!, 0.004);
}

/** Clears several times and copies or samples the target after each clear: stale contents would show. */
function runRepeatedClear(t: CaseContext, format: TexelFormat, how: 'blit' | 'sample', kind: 'rbo' | 'tex2d'): void {
  const { gl } = t;
  const source = bindNewFramebuffer(t);
  const texture = attachColor(t, format, kind);
  requireComplete(t);
  const destination = bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  clearColorBuffer(t, format, [0, 0, 0, 0]);
  const colors = Array.from({ length: 16 }, () => randomColor(t, format));
  const cell = SIZE / 4;
  for (const [index, color] of colors.entries()) {
    const [x, y] = [(index % 4) * cell, Math.floor(index / 4) * cell];
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, source);
    clearColorBuffer(t, format, color);
    if (how === 'blit') {
      gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
      gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, destination);
      gl.glBlitFramebuffer(0, 0, cell, cell, x, y, x + cell, y + cell, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
      continue;
    }
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, destination);
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST);
    const prefix = { float: '', int: 'i', uint: 'u' }[outputBase(format)];
    buildProgram(t, {
      attributes: { a_position: 'highp vec4' },
      vertex: 'gl_Position = a_position;',
      fragmentHead: `uniform highp ${prefix}sampler2D u_sampler;`,
      outputs: `layout(location = 0) out highp ${prefix}vec4 o_value;\n`,
      fragment: 'o_value = texelFetch(u_sampler, ivec2(1), 0);',
    });
    gl.glViewport(x, y, cell, cell);
    drawFullQuad(t);
  }
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, destination);
  // sRGB is decoded by sampling and encoded again by writing: one more rounding.
  judgeTarget(
    t,
    format,
    readTarget(t, format),
    (pixel) => colors[Math.floor((pixel % SIZE) / cell) + 4 * Math.floor(pixel / SIZE / cell)]!,
    how === 'sample' && format.isSrgb ? 1 / 255 : 0,
  );
}

function* colorCases(): Generator<CaseDefinition> {
  const make = (path: string, run: (t: CaseContext) => void) => functionalCase(3, `fbo.color.${path}`, run, SURFACE);
  for (const format of RENDERABLE) {
    for (const kind of ['tex2d', 'texcube', 'tex2darray', 'tex3d'] as const)
      yield make(`${kind}.${format.name}`, (t) => runColorTarget(t, format, kind));
    yield make(`clear.${format.name}`, (t) => runColorClear(t, format));
    yield make(`repeated_clear.sample.tex2d.${format.name}`, (t) => runRepeatedClear(t, format, 'sample', 'tex2d'));
    for (const kind of ['rbo', 'tex2d'] as const)
      yield make(`repeated_clear.blit.${kind}.${format.name}`, (t) => runRepeatedClear(t, format, 'blit', kind));
    if ((format.kind === 'unorm' || format.kind === 'float') && !format.name.includes('32f'))
      yield make(`blend.${format.name}_src_over`, (t) => runColorBlend(t, format));
  }
}

/** The kinds of value that a blit may convert between (§4.3.2). */
function blitClass(format: TexelFormat): string {
  return format.kind === 'unorm' ? 'float' : format.kind;
}

function runConversion(t: CaseContext, from: TexelFormat, to: TexelFormat): void {
  const { gl } = t;
  const source = bindNewFramebuffer(t);
  attachColor(t, from, 'rbo');
  requireComplete(t);
  const colors = Array.from({ length: 4 }, () => {
    const color = randomColor(t, from);
    return from.kind === 'float' && to.kind === 'float' ? color.map(Math.abs) : color;
  });
  drawQuadrants(t, from, colors);
  bindNewFramebuffer(t);
  attachColor(t, to, 'rbo');
  requireComplete(t);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
  gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
  t.noError('glBlitFramebuffer');
  const drawn = [0];
  gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, drawn);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, drawn[0]!);
  let step = 0;
  const held = colors.map((color) => {
    const { want, tolerance } = stored(from, color);
    step = Math.max(step, ...tolerance);
    // Blits decode sRGB sources and encode sRGB targets.
    return want.map((value, channel) => (from.isSrgb && channel < 3 ? srgbToLinear(value) : value));
  });
  const slope = to.isSrgb && !from.isSrgb ? 13 : from.isSrgb && !to.isSrgb ? 2.3 : 1;
  judgeTarget(
    t,
    to,
    readTarget(t, to),
    (pixel) => held[quadrantOf(pixel)]!,
    from.kind === 'int' || from.kind === 'uint' ? 0 : step * slope,
  );
}

function* conversionCases(): Generator<CaseDefinition> {
  for (const from of RENDERABLE)
    for (const to of RENDERABLE) {
      if (blitClass(from) !== blitClass(to)) continue;
      yield functionalCase(
        3,
        `fbo.blit.conversion.${from.name}_to_${to.name}`,
        (t) => runConversion(t, from, to),
        SURFACE,
      );
    }
}

/** glBlitFramebuffer of rectangles: scaled, mirrored, and reaching over edges; nearest is exact, linear by the book. */
function runBlitRect(t: CaseContext, name: string): void {
  const { gl, random } = t;
  const source = bindNewFramebuffer(t);
  const rgba8 = SIZED_FORMATS.find((format) => format.name === 'rgba8')!;
  attachColor(t, rgba8, 'rbo');
  requireComplete(t);
  colorProgram(t);
  const texels: number[][] = [];
  gl.glViewport(0, 0, SIZE, SIZE);
  for (let pixel = 0; pixel < SIZE * SIZE; pixel++)
    texels.push([random.int(0, 255), random.int(0, 255), random.int(0, 255), 255]);
  drawRects(
    t,
    texels.map((color, pixel) => ({
      x: pixel % SIZE,
      y: Math.floor(pixel / SIZE),
      width: 1,
      height: 1,
      color: color.map((value) => value / 255) as [number, number, number, number],
    })),
    SIZE,
    SIZE,
  );
  bindNewFramebuffer(t);
  attachColor(t, rgba8, 'rbo');
  requireComplete(t);
  gl.glClearColor(0.2, 0.4, 0.6, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
  const isScaled = !name.startsWith('basic');
  const isOut = name.startsWith('out_of_bounds') || name.includes('out_of_bounds');
  let src = isOut ? [-3, -2, 13, 12] : [2, 1, 12, 11];
  let dst = name.startsWith('basic') ? [3, 4, 13, 14] : name.includes('_min') ? [4, 5, 11, 11] : [0, 1, 16, 15];
  if (name.includes('min')) src = isOut ? [-4, -3, 19, 18] : [0, 0, 16, 16];
  if (name.includes('mag')) src = isOut ? [-2, -1, 5, 4] : [3, 4, 8, 9];
  const flip = (box: number[], axis: number) => box.map((_, i) => box[i % 2 === axis ? (i + 2) % 4 : i]!);
  for (const axis of [0, 1]) {
    const letter = 'xy'[axis]!;
    if (name.includes(`reverse_src_${letter}`) || name.includes(`reverse_src_dst_${letter}`)) src = flip(src, axis);
    if (name.includes(`reverse_dst_${letter}`) || name.includes(`reverse_src_dst_${letter}`)) dst = flip(dst, axis);
  }
  const isLinear = name.endsWith('_linear');
  gl.glBlitFramebuffer(
    src[0]!,
    src[1]!,
    src[2]!,
    src[3]!,
    dst[0]!,
    dst[1]!,
    dst[2]!,
    dst[3]!,
    gl.GL_COLOR_BUFFER_BIT,
    isLinear ? gl.GL_LINEAR : gl.GL_NEAREST,
  );
  t.noError('glBlitFramebuffer');
  const drawn = [0];
  gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, drawn);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, drawn[0]!);
  const data = new Uint8Array(SIZE * SIZE * 4);
  const ignore = new Uint8Array(SIZE * SIZE);
  const [left, right] = [Math.min(dst[0]!, dst[2]!), Math.max(dst[0]!, dst[2]!)];
  const [bottom, top] = [Math.min(dst[1]!, dst[3]!), Math.max(dst[1]!, dst[3]!)];
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const pixel = y * SIZE + x;
      data.set([51, 102, 153, 255], pixel * 4);
      if (x < left || x >= right || y < bottom || y >= top) continue;
      const u = src[0]! + ((x + 0.5 - dst[0]!) / (dst[2]! - dst[0]!)) * (src[2]! - src[0]!);
      const v = src[1]! + ((y + 0.5 - dst[1]!) / (dst[3]! - dst[1]!)) * (src[3]! - src[1]!);
      // Pixels outside of the source buffer leave the destination as it is.
      if (u < 0 || v < 0 || u >= SIZE || v >= SIZE) continue;
      const nearEdge = (at: number) => Math.abs(at - Math.round(at)) < 1e-3;
      if (isScaled && !isLinear && (nearEdge(u) || nearEdge(v))) ignore[pixel] = 1;
      const clampIndex = (at: number) => Math.min(Math.max(at, 0), SIZE - 1);
      const texel = (i: number, j: number) => texels[clampIndex(j) * SIZE + clampIndex(i)]!;
      if (!isLinear) data.set(texel(Math.floor(u), Math.floor(v)), pixel * 4);
      else {
        const [i, j] = [Math.floor(u - 0.5), Math.floor(v - 0.5)];
        const [fu, fv] = [u - 0.5 - i, v - 0.5 - j];
        const mixed = [0, 1, 2, 3].map(
          (c) =>
            (texel(i, j)[c]! * (1 - fu) + texel(i + 1, j)[c]! * fu) * (1 - fv) +
            (texel(i, j + 1)[c]! * (1 - fu) + texel(i + 1, j + 1)[c]! * fu) * fv,
        );
        data.set(mixed.map(Math.round), pixel * 4);
      }
    }
  t.comparePicture(
    t.readPixels(0, 0, SIZE, SIZE),
    { width: SIZE, height: SIZE, data },
    { tolerance: isLinear ? 3 : 0, ignore },
  );
}

function* blitRectCases(): Generator<CaseDefinition> {
  const flips = [
    '',
    '_reverse_src_x',
    '_reverse_src_y',
    '_reverse_dst_x',
    '_reverse_dst_y',
    '_reverse_src_dst_x',
    '_reverse_src_dst_y',
  ];
  const make = (name: string) => functionalCase(3, `fbo.blit.rect.${name}`, (t) => runBlitRect(t, name), SURFACE);
  for (const flip of flips) {
    for (const filter of ['nearest', 'linear'])
      for (const base of ['basic', 'scale', 'out_of_bounds']) yield make(`${base}${flip}_${filter}`);
    for (const base of [
      'nearest_consistency_mag',
      'nearest_consistency_min',
      'nearest_consistency_out_of_bounds_mag',
      'nearest_consistency_out_of_bounds_min',
    ])
      yield make(`${base}${flip}`);
  }
}

/** Multisampled targets: a full-size clear and a quad resolve to exact colours away from edges. */
function runMsaaColor(t: CaseContext, format: TexelFormat, samples: number): void {
  const { gl } = t;
  const most = [0];
  gl.glGetInternalformativ(gl.GL_RENDERBUFFER, format.internal, gl.GL_SAMPLES, 1, most);
  if (Math.max(most[0]!, 0) < samples || maxSamples(t) < samples) t.skip(`${format.name} has no ${samples} samples`);
  const source = bindNewFramebuffer(t);
  attachColor(t, format, 'rbo', 0, samples);
  requireComplete(t);
  const clear = randomColor(t, format);
  clearColorBuffer(t, format, clear);
  const colors = Array.from({ length: 3 }, () => randomColor(t, format));
  drawQuadrants(t, format, colors);
  const resolved = bindNewFramebuffer(t);
  attachColor(t, format, 'rbo');
  requireComplete(t);
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
  gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
  t.noError('resolving');
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, resolved);
  judgeTarget(
    t,
    format,
    readTarget(t, format),
    (pixel) => colors[quadrantOf(pixel)] ?? clear,
    format.name === 'r11f_g11f_b10f' ? 0.02 : 0.002,
  );
}

/** Depth and stencil attachments: values written by clears and draws decide what later draws may show. */
function runDepthTarget(t: CaseContext, format: TexelFormat | null, samples: number, isDepthUsed: boolean): void {
  const { gl } = t;
  if (samples > maxSamples(t)) t.skip(`there are no ${samples} samples`);
  const rgba8 = SIZED_FORMATS.find(({ name }) => name === 'rgba8')!;
  const source = bindNewFramebuffer(t);
  attachColor(t, rgba8, 'rbo', 0, samples);
  const hasDepth = format !== null;
  const hasStencil = format === null || format.kind === 'depth_stencil';
  const point =
    hasDepth && hasStencil
      ? gl.GL_DEPTH_STENCIL_ATTACHMENT
      : hasDepth
        ? gl.GL_DEPTH_ATTACHMENT
        : gl.GL_STENCIL_ATTACHMENT;
  attachRenderbuffer(t, point, format?.internal ?? gl.GL_STENCIL_INDEX8, samples, SIZE, SIZE);
  requireComplete(t);
  gl.glClearColor(0, 0, 0, 1);
  gl.glClearDepthf(1);
  gl.glClearStencil(0);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT | gl.GL_STENCIL_BUFFER_BIT);
  colorProgram(t);
  const testsDepth = hasDepth && isDepthUsed;
  if (testsDepth) {
    gl.glEnable(gl.GL_DEPTH_TEST);
    gl.glDepthFunc(gl.GL_LESS);
    drawRects(t, [{ x: 0, y: 0, width: SIZE / 2, height: SIZE, color: [1, 0, 0, 1], depth: -0.5 }], SIZE, SIZE);
    drawRects(t, [{ x: 0, y: 0, width: SIZE, height: SIZE / 2, color: [0, 1, 0, 1], depth: 0.25 }], SIZE, SIZE);
    gl.glDisable(gl.GL_DEPTH_TEST);
  } else {
    gl.glEnable(gl.GL_STENCIL_TEST);
    gl.glStencilFunc(gl.GL_ALWAYS, 5, 255);
    gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_REPLACE);
    drawRects(t, [{ x: 0, y: 0, width: SIZE / 2, height: SIZE, color: [1, 0, 0, 1] }], SIZE, SIZE);
    gl.glStencilFunc(gl.GL_NOTEQUAL, 5, 255);
    gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_KEEP);
    drawRects(t, [{ x: 0, y: 0, width: SIZE, height: SIZE / 2, color: [0, 1, 0, 1] }], SIZE, SIZE);
    gl.glDisable(gl.GL_STENCIL_TEST);
  }
  if (samples > 0) {
    const resolved = bindNewFramebuffer(t);
    attachColor(t, rgba8, 'rbo');
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source);
    gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, resolved);
  }
  const data = new Uint8Array(SIZE * SIZE * 4);
  for (let pixel = 0; pixel < SIZE * SIZE; pixel++) {
    const isLeft = pixel % SIZE < SIZE / 2;
    const isLow = Math.floor(pixel / SIZE) < SIZE / 2;
    data.set(isLeft ? [255, 0, 0, 255] : isLow ? [0, 255, 0, 255] : [0, 0, 0, 255], pixel * 4);
  }
  t.comparePicture(t.readPixels(0, 0, SIZE, SIZE), { width: SIZE, height: SIZE, data });
}

function* depthStencilTargets(): Generator<CaseDefinition> {
  for (const format of DEPTH_FORMATS)
    yield functionalCase(3, `fbo.depth.basic.${format.name}`, (t) => runDepthTarget(t, format, 0, true), SURFACE);
  for (const format of DEPTH_FORMATS.filter(({ kind }) => kind === 'depth_stencil'))
    for (const suffix of ['', '_depth'])
      yield functionalCase(
        3,
        `fbo.stencil.basic.${format.name}${suffix}`,
        (t) => runDepthTarget(t, format, 0, suffix !== ''),
        SURFACE,
      );
  yield functionalCase(3, 'fbo.stencil.basic.stencil_index8', (t) => runDepthTarget(t, null, 0, false), SURFACE);
  for (const samples of [2, 4, 8]) {
    for (const format of RENDERABLE)
      if (format.kind === 'unorm' || format.kind === 'float')
        yield functionalCase(
          3,
          `fbo.msaa.${samples}_samples.${format.name}`,
          (t) => runMsaaColor(t, format, samples),
          SURFACE,
        );
    for (const format of DEPTH_FORMATS)
      yield functionalCase(
        3,
        `fbo.msaa.${samples}_samples.${format.name}`,
        (t) => runDepthTarget(t, format, samples, true),
        SURFACE,
      );
    yield functionalCase(
      3,
      `fbo.msaa.${samples}_samples.stencil_index8`,
      (t) => runDepthTarget(t, null, samples, false),
      SURFACE,
    );
  }
}

export function* framebufferColorCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  yield* fragmentOutCases();
  yield* colorCases();
  yield* conversionCases();
  yield* blitRectCases();
  yield* depthStencilTargets();
}
