// fbo.completeness: which images, combinations, sizes, layers and sample counts make a complete framebuffer.
// The rules are those of ES 2.0.25 §4.4.5 and ES 3.0.6 §4.4.4, widened by the extensions that the context exposes.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { bindNewFramebuffer } from '../../harness/color-target.ts';
import { hasExtension } from '../../harness/extensions.ts';
import { attachRenderbuffer, generate, maxSamples } from '../../harness/framebuffer.ts';
import { attach, makeImage } from '../../harness/framebuffer-scene.ts';

const COMPLETE = 0x8cd5;
const INCOMPLETE_ATTACHMENT = 0x8cd6;
const MISSING_ATTACHMENT = 0x8cd7;
const INCOMPLETE_DIMENSIONS = 0x8cd9;
const UNSUPPORTED = 0x8cdd;
const INCOMPLETE_MULTISAMPLE = 0x8d56;

/** `*`: always; ``: never; `?`: left open; else names of extensions of which one suffices. */
type Rule = string;
type Aspect = 'color' | 'depth' | 'stencil' | 'both';

interface FormatRow {
  readonly name: string;
  readonly internal: number;
  readonly format: number;
  readonly type: number;
  readonly aspect: Aspect;
  /** Whether it can be rendered to as [ES 2 texture, ES 2 renderbuffer, ES 3 texture, ES 3 renderbuffer]. */
  readonly rules: readonly [Rule, Rule, Rule, Rule];
}

const [RED, RG, RGB, RGBA, BGRA] = [0x1903, 0x8227, 0x1907, 0x1908, 0x80e1];
const [RED_INTEGER, RG_INTEGER, RGB_INTEGER, RGBA_INTEGER] = [0x8d94, 0x8228, 0x8d98, 0x8d99];
const [DEPTH, DEPTH_STENCIL, STENCIL, SRGB, SRGB_ALPHA] = [0x1902, 0x84f9, 0x1901, 0x8c40, 0x8c42];
const [BYTE, UBYTE, SHORT, USHORT, INT, UINT, FLOAT] = [0x1400, 0x1401, 0x1402, 0x1403, 0x1404, 0x1405, 0x1406];
const [HALF, HALF_OES, US565, US4444, US5551] = [0x140b, 0x8d61, 0x8363, 0x8033, 0x8034];
const [U2101010, U11F, U5999, U248, F32U248] = [0x8368, 0x8c3b, 0x8c3e, 0x84fa, 0x8dad];

const HALF_TARGETS = 'EXT_color_buffer_half_float';
const FLOAT_TARGETS = 'EXT_color_buffer_float';
const BOTH_FLOATS = `${FLOAT_TARGETS} ${HALF_TARGETS}`;

function row(
  name: string,
  internal: number,
  format: number,
  type: number,
  rules: readonly [Rule, Rule, Rule, Rule],
  aspect: Aspect = 'color',
): FormatRow {
  return { name, internal, format, type, aspect, rules };
}

/** A format given by format and type: no renderbuffer has it. */
function unsized(name: string, format: number, type: number, es2: Rule, es3: Rule, aspect: Aspect = 'color') {
  return row(name, format, format, type, [es2, '', es3, ''], aspect);
}

/** A sized format: ES 2 textures have none. */
function sized(
  name: string,
  internal: number,
  format: number,
  type: number,
  es2: Rule,
  es3: Rule,
  aspect?: Aspect,
  texture = es3,
) {
  return row(name, internal, format, type, ['', es2, texture, es3], aspect);
}

const FORMATS: readonly FormatRow[] = [
  unsized('bgra', BGRA, UBYTE, 'EXT_texture_format_BGRA8888', 'EXT_texture_format_BGRA8888'),
  unsized('red_float', RED, FLOAT, '', ''),
  unsized('red_half_float_oes', RED, HALF_OES, HALF_TARGETS, ''),
  unsized('red_unsigned_byte', RED, UBYTE, 'EXT_texture_rg', ''),
  unsized('rg_float', RG, FLOAT, '', ''),
  unsized('rg_half_float_oes', RG, HALF_OES, HALF_TARGETS, ''),
  unsized('rg_unsigned_byte', RG, UBYTE, 'EXT_texture_rg', ''),
  unsized('rgb_float', RGB, FLOAT, '', ''),
  unsized('rgb_half_float_oes', RGB, HALF_OES, HALF_TARGETS, ''),
  unsized('rgb_unsigned_byte', RGB, UBYTE, '*', '*'),
  unsized('rgb_unsigned_int_10f_11f_11f_rev', RGB, U11F, '', ''),
  unsized('rgb_unsigned_int_2_10_10_10_rev', RGB, U2101010, '', ''),
  unsized('rgb_unsigned_short_5_6_5', RGB, US565, '*', '*'),
  unsized('rgba_float', RGBA, FLOAT, '', ''),
  unsized('rgba_half_float_oes', RGBA, HALF_OES, HALF_TARGETS, ''),
  unsized('rgba_unsigned_byte', RGBA, UBYTE, '*', '*'),
  unsized('rgba_unsigned_int_2_10_10_10_rev', RGBA, U2101010, '', ''),
  unsized('rgba_unsigned_short_4_4_4_4', RGBA, US4444, '*', '*'),
  unsized('rgba_unsigned_short_5_5_5_1', RGBA, US5551, '*', '*'),
  unsized('srgb_alpha_unsigned_byte', SRGB_ALPHA, UBYTE, 'EXT_sRGB', ''),
  unsized('srgb_unsigned_byte', SRGB, UBYTE, '?', ''),
  unsized('depth_component_unsigned_int', DEPTH, UINT, 'OES_depth_texture', '?', 'depth'),
  unsized('depth_component_unsigned_short', DEPTH, USHORT, 'OES_depth_texture', '?', 'depth'),
  unsized('depth_stencil_unsigned_int_24_8', DEPTH_STENCIL, U248, 'OES_packed_depth_stencil', '?', 'both'),
  sized('bgra8_ext', 0x93a1, BGRA, UBYTE, 'EXT_texture_format_BGRA8888', 'EXT_texture_format_BGRA8888', 'color', '?'),
  sized('depth24_stencil8', 0x88f0, DEPTH_STENCIL, U248, 'OES_packed_depth_stencil', '*', 'both'),
  sized('depth32f_stencil8', 0x8cad, DEPTH_STENCIL, F32U248, '', '*', 'both'),
  sized('depth_component16', 0x81a5, DEPTH, USHORT, '*', '*', 'depth'),
  sized('depth_component24', 0x81a6, DEPTH, UINT, 'OES_depth24', '*', 'depth'),
  sized('depth_component32', 0x81a7, DEPTH, UINT, 'OES_depth32', 'OES_depth32', 'depth'),
  sized('depth_component32f', 0x8cac, DEPTH, FLOAT, '', '*', 'depth'),
  sized('stencil_index8', 0x8d48, STENCIL, UBYTE, '*', '*', 'stencil', 'OES_texture_stencil8'),
  sized('r11f_g11f_b10f', 0x8c3a, RGB, U11F, '', FLOAT_TARGETS),
  sized('r16f', 0x822d, RED, HALF, HALF_TARGETS, BOTH_FLOATS),
  sized('r16i', 0x8233, RED_INTEGER, SHORT, '', '*'),
  sized('r16ui', 0x8234, RED_INTEGER, USHORT, '', '*'),
  sized('r32f', 0x822e, RED, FLOAT, '', FLOAT_TARGETS),
  sized('r32i', 0x8235, RED_INTEGER, INT, '', '*'),
  sized('r32ui', 0x8236, RED_INTEGER, UINT, '', '*'),
  sized('r8', 0x8229, RED, UBYTE, 'EXT_texture_rg', '*'),
  sized('r8_snorm', 0x8f94, RED, BYTE, '', 'EXT_render_snorm'),
  sized('r8i', 0x8231, RED_INTEGER, BYTE, '', '*'),
  sized('r8ui', 0x8232, RED_INTEGER, UBYTE, '', '*'),
  sized('rg16f', 0x822f, RG, HALF, HALF_TARGETS, BOTH_FLOATS),
  sized('rg16i', 0x8239, RG_INTEGER, SHORT, '', '*'),
  sized('rg16ui', 0x823a, RG_INTEGER, USHORT, '', '*'),
  sized('rg32f', 0x8230, RG, FLOAT, '', FLOAT_TARGETS),
  sized('rg32i', 0x823b, RG_INTEGER, INT, '', '*'),
  sized('rg32ui', 0x823c, RG_INTEGER, UINT, '', '*'),
  sized('rg8', 0x822b, RG, UBYTE, 'EXT_texture_rg', '*'),
  sized('rg8_snorm', 0x8f95, RG, BYTE, '', 'EXT_render_snorm'),
  sized('rg8i', 0x8237, RG_INTEGER, BYTE, '', '*'),
  sized('rg8ui', 0x8238, RG_INTEGER, UBYTE, '', '*'),
  sized('rgb10', 0x8052, RGB, U2101010, '', ''),
  sized('rgb10_a2', 0x8059, RGBA, U2101010, '', '*'),
  sized('rgb10_a2ui', 0x906f, RGBA_INTEGER, U2101010, '', '*'),
  sized('rgb16f', 0x881b, RGB, HALF, HALF_TARGETS, HALF_TARGETS),
  sized('rgb16i', 0x8d89, RGB_INTEGER, SHORT, '', ''),
  sized('rgb16ui', 0x8d77, RGB_INTEGER, USHORT, '', ''),
  sized('rgb32i', 0x8d83, RGB_INTEGER, INT, '', ''),
  sized('rgb32ui', 0x8d71, RGB_INTEGER, UINT, '', ''),
  sized('rgb565', 0x8d62, RGB, US565, '*', '*'),
  sized('rgb5_a1', 0x8057, RGBA, US5551, '*', '*'),
  sized('rgb8', 0x8051, RGB, UBYTE, 'OES_rgb8_rgba8', '*'),
  sized('rgb8_snorm', 0x8f96, RGB, BYTE, '', ''),
  sized('rgb8i', 0x8d8f, RGB_INTEGER, BYTE, '', ''),
  sized('rgb8ui', 0x8d7d, RGB_INTEGER, UBYTE, '', ''),
  sized('rgb9_e5', 0x8c3d, RGB, U5999, '', 'QCOM_render_shared_exponent'),
  sized('rgba16f', 0x881a, RGBA, HALF, HALF_TARGETS, BOTH_FLOATS),
  sized('rgba16i', 0x8d88, RGBA_INTEGER, SHORT, '', '*'),
  sized('rgba16ui', 0x8d76, RGBA_INTEGER, USHORT, '', '*'),
  sized('rgba32f', 0x8814, RGBA, FLOAT, '', FLOAT_TARGETS),
  sized('rgba32i', 0x8d82, RGBA_INTEGER, INT, '', '*'),
  sized('rgba32ui', 0x8d70, RGBA_INTEGER, UINT, '', '*'),
  sized('rgba4', 0x8056, RGBA, US4444, '*', '*'),
  sized('rgba8', 0x8058, RGBA, UBYTE, 'OES_rgb8_rgba8 ARM_rgba8', '*'),
  sized('rgba8_snorm', 0x8f97, RGBA, BYTE, '', 'EXT_render_snorm'),
  sized('rgba8i', 0x8d8e, RGBA_INTEGER, BYTE, '', '*'),
  sized('rgba8ui', 0x8d7c, RGBA_INTEGER, UBYTE, '', '*'),
  sized('sr8_ext', 0x8fbd, RED, UBYTE, '', ''),
  sized('srg8_ext', 0x8fbe, RG, UBYTE, '', ''),
  sized('srgb8', 0x8c41, RGB, UBYTE, '', ''),
  sized('srgb8_alpha8', 0x8c43, RGBA, UBYTE, 'EXT_sRGB', '*'),
];

/** Names that only the ES 3 lists have. */
const ES3_ONLY =
  /^(r11f|r16i|r16ui|r32|rg16i|rg16ui|rg32|rgb16i|rgb16ui|rgb32|rgba16i|rgba16ui|rgba32|.*8u?i$|.*snorm|rgb9|rgb10_a2ui|depth32f|depth_component32f)/;
const ES2_ONLY = /^(rgb_float|rgb_half|rgba_float|rgba_half)/;
const POINTS = { color0: 'color', depth: 'depth', stencil: 'stencil' } as const;

function requireStatus(t: CaseContext, accepted: readonly number[], what: string): number {
  const { gl } = t;
  const status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER);
  const text = (value: number) => `0x${value.toString(16)}`;
  t.check(
    accepted.includes(status),
    () => `${what}: status ${text(status)}, expected ${accepted.map(text).join(' or ')}`,
  );
  // Rendering agrees with the status (ES 2.0.25 §4.4.5).
  while (gl.glGetError() !== 0);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  t.error(status === COMPLETE ? 0 : gl.GL_INVALID_FRAMEBUFFER_OPERATION, `glClear of ${what}`);
  return status;
}

function runRenderable(
  t: CaseContext,
  format: FormatRow,
  kind: 'texture' | 'renderbuffer',
  point: keyof typeof POINTS,
): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const rule = format.rules[(t.api === 3 ? 2 : 0) + (kind === 'texture' ? 0 : 1)]!;
  const isAllowed =
    rule === '*' || (rule !== '' && rule !== '?' && rule.split(' ').some((one) => hasExtension(t, one)));
  const image = makeImage(t, { ...format, kind: kind === 'texture' ? 'tex2d' : 'rbo' }, 16, 16);
  const error = gl.glGetError();
  t.check(
    [0, gl.GL_INVALID_ENUM, gl.GL_INVALID_VALUE, gl.GL_INVALID_OPERATION].includes(error),
    `allocating: 0x${error.toString(16)}`,
  );
  if (isAllowed) t.equal(error, 0, `allocating ${format.name}`);
  const places = {
    color0: gl.GL_COLOR_ATTACHMENT0,
    depth: gl.GL_DEPTH_ATTACHMENT,
    stencil: gl.GL_STENCIL_ATTACHMENT,
  };
  attach(t, places[point], image);
  const aspect = POINTS[point];
  const fits = format.aspect === aspect || (format.aspect === 'both' && aspect !== 'color');
  const accepted = !fits
    ? [INCOMPLETE_ATTACHMENT]
    : rule === '?'
      ? [COMPLETE, INCOMPLETE_ATTACHMENT, UNSUPPORTED]
      : isAllowed
        ? [COMPLETE]
        : [INCOMPLETE_ATTACHMENT, UNSUPPORTED];
  const status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER);
  t.check(
    accepted.includes(status),
    `${format.name} as ${point}: status 0x${status.toString(16)}, expected ${accepted.map((one) => `0x${one.toString(16)}`).join(' or ')}`,
  );
  // Integer colours cannot be cleared by glClear; a depth clear serves every complete framebuffer.
  gl.glClear(gl.GL_DEPTH_BUFFER_BIT);
  t.error(status === COMPLETE ? 0 : gl.GL_INVALID_FRAMEBUFFER_OPERATION, 'glClear');
}

type Filling = 'none' | 'rbo' | 'tex';
const FILLINGS: readonly Filling[] = ['none', 'rbo', 'tex'];

/** Images for each attachment point: colour, further colours, depth, stencil. Gives the status. */
function combine(t: CaseContext, [color0, colorn, depth, stencil]: readonly Filling[]): number {
  const { gl } = t;
  bindNewFramebuffer(t);
  const es3 = t.api === 3;
  const images = {
    color: { rbo: es3 ? 0x8058 : 0x8056, format: RGBA, type: UBYTE, tex: es3 ? 0x8058 : RGBA },
    depth: { rbo: 0x81a5, format: DEPTH, type: USHORT, tex: es3 ? 0x81a5 : DEPTH },
    stencil: { rbo: 0x8d48, format: DEPTH_STENCIL, type: U248, tex: es3 ? 0x88f0 : DEPTH_STENCIL },
  };
  const put = (point: number, what: keyof typeof images, filling: Filling) => {
    if (filling === 'none') return;
    const { rbo, tex, format, type } = images[what];
    const kind = filling === 'rbo' ? 'rbo' : 'tex2d';
    attach(t, point, makeImage(t, { kind, internal: kind === 'rbo' ? rbo : tex, format, type }, 16, 16));
  };
  put(gl.GL_COLOR_ATTACHMENT0, 'color', color0!);
  const hasMore = es3 || hasExtension(t, 'EXT_draw_buffers');
  if (hasMore) for (let i = 1; i < 4; i++) put(gl.GL_COLOR_ATTACHMENT0 + i, 'color', colorn!);
  put(gl.GL_DEPTH_ATTACHMENT, 'depth', depth!);
  put(gl.GL_STENCIL_ATTACHMENT, 'stencil', stencil!);
  t.noError('attaching');
  const isEmpty = color0 === 'none' && (colorn === 'none' || !hasMore) && depth === 'none' && stencil === 'none';
  const isSplit = depth !== 'none' && stencil !== 'none';
  // ES 3: depth and stencil are one image. ES 2 leaves combinations to the implementation.
  const accepted = isEmpty
    ? [MISSING_ATTACHMENT]
    : !isSplit
      ? [COMPLETE]
      : es3
        ? [UNSUPPORTED]
        : [COMPLETE, UNSUPPORTED];
  return requireStatus(t, accepted, [color0, colorn, depth, stencil].join('_'));
}

function runSizes(t: CaseContext, isZero: boolean): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA4, 0, isZero ? 0 : 128, isZero ? 0 : 128);
  if (isZero) {
    requireStatus(t, [INCOMPLETE_ATTACHMENT], 'an image without size');
    attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA4, 0, 0, 16);
    requireStatus(t, [INCOMPLETE_ATTACHMENT], 'an image without width');
    return;
  }
  attachRenderbuffer(t, gl.GL_DEPTH_ATTACHMENT, gl.GL_DEPTH_COMPONENT16, 0, 64, 96);
  requireStatus(t, [t.api === 2 ? INCOMPLETE_DIMENSIONS : COMPLETE], 'images of two sizes');
  attachRenderbuffer(t, gl.GL_DEPTH_ATTACHMENT, gl.GL_DEPTH_COMPONENT16, 0, 128, 128);
  requireStatus(t, [COMPLETE], 'images of one size');
}

function runLayer(t: CaseContext, is3d: boolean, layers: number, layer: number): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const target = is3d ? gl.GL_TEXTURE_3D : gl.GL_TEXTURE_2D_ARRAY;
  const texture = generate(gl.glGenTextures);
  gl.glBindTexture(target, texture);
  gl.glTexStorage3D(target, 1, gl.GL_RGBA8, 16, 16, layers);
  gl.glFramebufferTextureLayer(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, texture, 0, layer);
  t.noError('glFramebufferTextureLayer');
  requireStatus(t, [layer < layers ? COMPLETE : INCOMPLETE_ATTACHMENT], `layer ${layer} of ${layers}`);
}

/** Colour attachments with sample counts: complete if all images really have the same. */
function runSamples(t: CaseContext, fillings: readonly string[]): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const counts: number[] = [];
  for (const [index, filling] of fillings.entries()) {
    if (filling === 'none') continue;
    const point = gl.GL_COLOR_ATTACHMENT0 + index;
    if (filling === 'tex') {
      attach(t, point, makeImage(t, { kind: 'tex2d', internal: gl.GL_RGBA8, format: RGBA, type: UBYTE }, 16, 16));
      counts.push(0);
      continue;
    }
    const wanted = Number(filling.slice(3));
    if (wanted > maxSamples(t)) t.skip(`there are no ${wanted} samples`);
    attachRenderbuffer(t, point, gl.GL_RGBA8, wanted, 16, 16);
    const got = [-1];
    gl.glGetRenderbufferParameteriv(gl.GL_RENDERBUFFER, gl.GL_RENDERBUFFER_SAMPLES, got);
    t.check(wanted === 0 ? got[0] === 0 : got[0]! >= wanted, `${wanted} samples asked for, there are ${got[0]}`);
    counts.push(got[0]!);
  }
  t.noError('attaching');
  const isUniform = counts.every((count) => count === counts[0]);
  requireStatus(t, [isUniform ? COMPLETE : INCOMPLETE_MULTISAMPLE], `samples ${counts.join(', ')}`);
}

const LAYERS = ['2darr_1_0', '2darr_1_3', '2darr_4_3', '2darr_4_15', '3d_1_0', '3d_1_15', '3d_4_15', '3d_64_15'];
const SAMPLES = [
  'rbo0_none_none',
  'rbo1_none_none',
  'rbo2_none_none',
  'rbo0_rbo0_tex',
  'rbo0_tex_none',
  'rbo1_tex_none',
  'rbo2_tex_none',
  'rbo1_rbo1_rbo1',
  'rbo1_rbo2_rbo0',
  'rbo1_rbo2_rbo4',
  'rbo2_rbo1_none',
  'rbo2_rbo2_none',
  'rbo2_rbo2_rbo0',
];

export function* framebufferCompletenessCases(api: 2 | 3): Generator<CaseDefinition> {
  const make = (path: string, run: (t: CaseContext) => void) => functionalCase(api, `fbo.completeness.${path}`, run);
  for (const kind of ['renderbuffer', 'texture'] as const)
    for (const point of ['color0', 'depth', 'stencil'] as const)
      for (const format of FORMATS) {
        if ((api === 2 ? ES3_ONLY : ES2_ONLY).test(format.name) && format.name !== 'r11f_g11f_b10f') continue;
        yield make(`renderable.${kind}.${point}.${format.name}`, (t) => runRenderable(t, format, kind, point));
      }
  for (let index = 0; index < 81; index++) {
    const fillings = [27, 9, 3, 1].map((place) => FILLINGS[Math.floor(index / place) % 3]!);
    yield make(`attachment_combinations.${fillings.join('_')}`, (t) => void combine(t, fillings));
  }
  if (api === 2)
    yield make('attachment_combinations.exists_supported', (t) => {
      const statuses = (['rbo', 'tex'] as const).flatMap((color) =>
        (['none', 'rbo'] as const).map((depth) => combine(t, [color, 'none', depth, 'none'])),
      );
      t.check(statuses.includes(COMPLETE), 'no combination is complete');
    });
  yield make('size.distinct', (t) => runSizes(t, false));
  yield make('size.zero', (t) => runSizes(t, true));
  if (api === 2) return;
  for (const name of LAYERS) {
    const [kind, layers, layer] = name.split('_');
    yield make(`layer.${name}`, (t) => runLayer(t, kind === '3d', Number(layers), Number(layer)));
  }
  for (const name of SAMPLES) yield make(`samples.${name}`, (t) => runSamples(t, name.split('_')));
}
