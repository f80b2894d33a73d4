// fbo.render: drawing into framebuffers whose images are resized, recreated, shared or cleared in parts.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { bindNewFramebuffer, RENDERABLE, randomColor, stored } from '../../harness/color-target.ts';
import { drawFullQuad } from '../../harness/draw.ts';
import { requireColorRenderable } from '../../harness/extensions.ts';
import {
  type Area,
  type AttachedImage,
  allocate,
  attach,
  clearScene,
  drawSceneRect,
  type ImageKind,
  judgeScene,
  makeImage,
  PixelModel,
  remove,
} from '../../harness/framebuffer-scene.ts';
import { buildProgram } from '../../harness/program.ts';
import { sizedFormat, type TexelFormat } from '../../reference/texture-formats.ts';

const SURFACE = { width: 64, height: 64 };
const SIZES = { pot: [32, 32], npot: [29, 23] } as const;

interface ColorKind {
  readonly image: ImageKind;
  /** What the pixels are judged as. */
  readonly format: TexelFormat;
}

/** A depth or stencil image and where it is attached. */
interface AspectKind {
  readonly image: ImageKind;
  readonly aspect: 'depth' | 'stencil' | 'depth_stencil';
}

export interface TargetConfig {
  readonly color: ColorKind;
  readonly others: readonly AspectKind[];
}

function colorKind(kind: 'rbo' | 'tex2d', name: string): ColorKind {
  const isUnsized = name === 'rgb' || name === 'rgba';
  const format = sizedFormat(isUnsized ? `${name}8` : name);
  const internal = isUnsized ? format.format : format.internal;
  return { format, image: { kind, internal, format: format.format, type: format.type } };
}

export function aspectKind(kind: 'rbo' | 'tex2d', name: string): AspectKind {
  if (name === 'stencil_index8')
    return { aspect: 'stencil', image: { kind, internal: 0x8d48, format: 0x1901, type: 0x1401 } };
  const format = sizedFormat(name);
  return {
    aspect: format.kind === 'depth' ? 'depth' : 'depth_stencil',
    image: { kind, internal: format.internal, format: format.format, type: format.type },
  };
}

export function targetConfig(kind: 'rbo' | 'tex2d', color: string, others: readonly AspectKind[] = []): TargetConfig {
  return { color: colorKind(kind, color), others };
}

/** A framebuffer object of a configuration, its images and its model. */
export class SceneTarget {
  readonly t: CaseContext;
  readonly config: TargetConfig;
  readonly framebuffer: number;
  color: AttachedImage;
  others: AttachedImage[];
  model: PixelModel;

  constructor(
    t: CaseContext,
    config: TargetConfig,
    width: number,
    height: number,
    shared: { color?: AttachedImage; others?: AttachedImage[] } = {},
    samples = 0,
  ) {
    requireColorRenderable(t, config.color.format.name);
    this.t = t;
    this.config = config;
    this.framebuffer = bindNewFramebuffer(t);
    this.color = shared.color ?? makeImage(t, config.color.image, width, height, samples);
    this.others = shared.others ?? config.others.map(({ image }) => makeImage(t, image, width, height, samples));
    this.model = this.newModel(width, height);
    this.attachColor();
    this.attachOthers();
  }

  newModel(width: number, height: number): PixelModel {
    const has = (aspect: 'depth' | 'stencil') => this.config.others.some((one) => one.aspect.includes(aspect));
    return new PixelModel(width, height, has('depth'), has('stencil'));
  }

  attachColor(): void {
    attach(this.t, this.t.gl.GL_COLOR_ATTACHMENT0, this.color);
  }

  attachOthers(): void {
    const { gl } = this.t;
    for (const [index, { aspect }] of this.config.others.entries()) {
      const image = this.others[index]!;
      if (aspect !== 'stencil') attach(this.t, gl.GL_DEPTH_ATTACHMENT, image);
      if (aspect !== 'depth') attach(this.t, gl.GL_STENCIL_ATTACHMENT, image);
    }
  }

  bind(): void {
    this.t.gl.glBindFramebuffer(this.t.gl.GL_FRAMEBUFFER, this.framebuffer);
  }

  /** Separate depth and stencil images need not be supported (ES 2.0.25 §4.4.5). */
  requireComplete(): void {
    const { gl } = this.t;
    const status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER);
    if (status === gl.GL_FRAMEBUFFER_UNSUPPORTED && this.t.api === 2 && this.others.length > 1)
      this.t.skip('separate depth and stencil images are not supported');
    this.t.check(status === gl.GL_FRAMEBUFFER_COMPLETE, `the framebuffer is not complete: 0x${status.toString(16)}`);
  }

  get format(): TexelFormat {
    return this.config.color.format;
  }

  clear(values: { color?: readonly number[]; depth?: number; stencil?: number }, area: Area | null = null): void {
    clearScene(this.t, this.format, this.model, values, area);
  }

  clearAll(): void {
    this.clear({ color: randomColor(this.t, this.format), depth: 1, stencil: 0 });
  }

  /** Leaves three regions: stencil values below, near depths on the left, and the rest. */
  drawFirst(): void {
    const { width, height } = this.model;
    const draw = (rect: Omit<Parameters<typeof drawSceneRect>[3], 'color'>) =>
      drawSceneRect(this.t, this.format, this.model, { ...rect, color: randomColor(this.t, this.format) });
    draw({ x: 0, y: 0, width, height: height >> 1, depth: 0.25, stencil: { how: 'write', reference: 3 } });
    draw({ x: 0, y: 0, width: width >> 1, height, depth: -0.5, stencil: { how: 'equal', reference: 3 } });
  }

  /** Shows what depth and stencil the first part left. */
  drawSecond(): void {
    const { width, height } = this.model;
    const draw = (rect: Omit<Parameters<typeof drawSceneRect>[3], 'color'>) =>
      drawSceneRect(this.t, this.format, this.model, { ...rect, color: randomColor(this.t, this.format) });
    draw({ x: 2, y: 2, width: width - 6, height: height - 4, depth: -0.25 });
    const stencil = { how: 'equal', reference: 0 } as const;
    draw({ x: 4, y: 1, width: width >> 2, height: height - 2, depth: -0.75, stencil });
  }

  judge(extra = 0): void {
    judgeScene(this.t, this.format, this.model, extra);
  }
}

function runScene(t: CaseContext, config: TargetConfig, [width, height]: readonly [number, number] = SIZES.pot): void {
  const target = new SceneTarget(t, config, width, height);
  target.requireComplete();
  target.clearAll();
  target.drawFirst();
  target.drawSecond();
  target.judge();
}

function runResize(t: CaseContext, config: TargetConfig): void {
  const target = new SceneTarget(t, config, 24, 24);
  target.requireComplete();
  target.clearAll();
  target.drawFirst();
  target.judge();
  for (const [width, height] of [
    [40, 28],
    [13, 19],
  ] as const) {
    for (const image of [target.color, ...target.others]) allocate(t, image, width, height);
    target.model = target.newModel(width, height);
    target.requireComplete();
    target.clearAll();
    target.drawFirst();
    target.drawSecond();
    target.judge();
  }
}

/** Replaces the colour, depth or stencil image by a new one while the others stay. */
function runRecreate(
  t: CaseContext,
  config: TargetConfig,
  what: 'color' | 'others',
  aspect = '',
  rebinds = false,
): void {
  const { gl } = t;
  const [width, height] = SIZES.pot;
  const target = new SceneTarget(t, config, width, height);
  target.requireComplete();
  target.clearAll();
  target.drawFirst();
  target.judge();
  if (rebinds) gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
  if (what === 'color') {
    remove(t, target.color);
    target.color = makeImage(t, config.color.image, width, height);
    if (rebinds) target.bind();
    target.attachColor();
    target.requireComplete();
    target.clear({ color: randomColor(t, target.format) });
  } else {
    const replaces = (index: number) => aspect === '' || config.others[index]!.aspect.includes(aspect);
    target.others = target.others.map((image, index) => {
      if (!replaces(index)) return image;
      remove(t, image);
      return makeImage(t, config.others[index]!.image, width, height);
    });
    if (rebinds) target.bind();
    target.attachOthers();
    target.requireComplete();
    const aspects = config.others.filter((_, index) => replaces(index)).map((one) => one.aspect);
    target.clear({
      ...(aspects.some((one) => one.includes('depth')) ? { depth: 0 } : {}),
      ...(aspects.some((one) => one.includes('stencil')) ? { stencil: 3 } : {}),
    });
  }
  target.drawSecond();
  target.judge();
}

function runSharedColor(t: CaseContext, config: TargetConfig): void {
  const [width, height] = SIZES.pot;
  const first = new SceneTarget(t, config, width, height);
  first.requireComplete();
  first.clearAll();
  first.drawFirst();
  const second = new SceneTarget(t, config, width, height, { color: first.color });
  second.requireComplete();
  second.model.color = first.model.color;
  second.clear({ depth: 0.5, stencil: 0 });
  second.drawSecond();
  second.judge();
  // The first one's depth and stencil are still those of the first part.
  first.bind();
  first.drawSecond();
  first.judge();
}

function runSharedColorClear(t: CaseContext, config: TargetConfig): void {
  const [width, height] = SIZES.pot;
  const first = new SceneTarget(t, config, width, height);
  first.requireComplete();
  first.clear({ color: randomColor(t, first.format) });
  const second = new SceneTarget(t, config, width, height, { color: first.color });
  second.requireComplete();
  second.model.color = first.model.color;
  for (const [index, target] of [second, first, second, first].entries()) {
    target.bind();
    const area = { x: 3 + index * 4, y: 20 - index * 5, width: 11, height: 9 };
    target.clear({ color: randomColor(t, target.format) }, area);
  }
  second.bind();
  second.judge();
  first.bind();
  first.judge();
}

function runSharedOthers(t: CaseContext, config: TargetConfig): void {
  const [width, height] = SIZES.pot;
  const first = new SceneTarget(t, config, width, height);
  first.requireComplete();
  first.clearAll();
  first.drawFirst();
  const second = new SceneTarget(t, config, width, height, { others: first.others });
  second.requireComplete();
  second.model.depth = first.model.depth;
  second.model.stencil = first.model.stencil;
  second.clear({ color: randomColor(t, second.format) });
  second.drawSecond();
  second.judge();
  first.bind();
  first.drawSecond();
  first.judge();
}

function runStencilClear(t: CaseContext, config: TargetConfig): void {
  const [width, height] = SIZES.pot;
  const target = new SceneTarget(t, config, width, height);
  target.requireComplete();
  target.clear({ color: randomColor(t, target.format), depth: 1, stencil: 0 });
  for (let index = 1; index < 8; index++) {
    const [x, y] = [t.random.int(0, width - 4), t.random.int(0, height - 4)];
    target.clear({ stencil: index * 36 }, { x, y, width: t.random.int(3, 16), height: t.random.int(3, 16) });
  }
  for (let index = 7; index >= 0; index--) {
    const stencil = { how: 'equal', reference: index * 36 } as const;
    const color = randomColor(t, target.format);
    drawSceneRect(t, target.format, target.model, {
      x: 0,
      y: 0,
      width,
      height,
      color,
      depth: 0.9 - index * 0.2,
      stencil,
    });
  }
  target.judge();
}

function runColorClear(t: CaseContext, config: TargetConfig): void {
  const [width, height] = SIZES.pot;
  const target = new SceneTarget(t, config, width, height);
  target.requireComplete();
  target.clearAll();
  for (let index = 0; index < 12; index++) {
    const [x, y] = [t.random.int(0, width - 4), t.random.int(0, height - 4)];
    const area = { x, y, width: t.random.int(3, 16), height: t.random.int(3, 16) };
    target.clear({ color: randomColor(t, target.format) }, area);
  }
  target.judge();
}

/** Source over; what the target cannot hold exactly was rounded once for each layer. */
function runBlend(t: CaseContext, config: TargetConfig, [width, height]: readonly [number, number]): void {
  const { gl } = t;
  const target = new SceneTarget(t, config, width, height);
  target.requireComplete();
  const { format, model } = target;
  const under = stored(format, [0.2, 0.6, 0.4, 1]).want;
  target.clear({ color: under, depth: 1 });
  gl.glEnable(gl.GL_BLEND);
  gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ZERO, gl.GL_ONE);
  const alpha = 0.5;
  const color = [0.8, 0.2, 1, alpha];
  const rect = { x: 3, y: 2, width: width - 7, height: height - 9, color };
  drawSceneRect(t, format, model, rect);
  const blended = under.map((value, channel) =>
    channel === 3 ? value : color[channel]! * alpha + value * (1 - alpha),
  );
  model.each(rect, (pixel) => {
    model.color[pixel] = blended;
  });
  gl.glDisable(gl.GL_BLEND);
  target.judge(1 / 255);
}

/** Draws with the texture of another framebuffer: each half of the target shows the source, mirrored in one. */
function runMix(t: CaseContext, config: TargetConfig, [width, height]: readonly [number, number]): void {
  const { gl } = t;
  const source = new SceneTarget(t, config, width, height);
  source.requireComplete();
  source.clearAll();
  source.drawFirst();
  source.drawSecond();
  const target = new SceneTarget(t, config, width, height);
  target.requireComplete();
  target.clearAll();
  copyTexture(t, source.color, [1, 1, 0, 0], width, height);
  target.model.color = [...source.model.color];
  target.judge();
  copyTexture(t, source.color, [-1, 1, 1, 0], width, height);
  target.model.color = source.model.color.map(
    (_, pixel) => source.model.color[pixel - (pixel % width) + (width - 1 - (pixel % width))]!,
  );
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target.framebuffer);
  target.judge();
}

/** A full quad that shows the texture at (st · scale + offset). */
function copyTexture(
  t: CaseContext,
  image: AttachedImage,
  scaleOffset: readonly number[],
  width: number,
  height: number,
): void {
  const { gl } = t;
  gl.glBindTexture(gl.GL_TEXTURE_2D, image.name);
  const program = buildProgram(t, {
    attributes: { a_position: 'highp vec4' },
    varyings: { v_coord: 'highp vec2' },
    vertexHead: 'uniform highp vec4 u_change;',
    vertex: 'gl_Position = a_position; v_coord = (a_position.xy * 0.5 + 0.5) * u_change.xy + u_change.zw;',
    fragmentHead: 'uniform sampler2D u_sampler;',
    fragment: 'o_color = texture2D(u_sampler, v_coord);',
  });
  gl.glUniform4fv(program.uniform('u_change'), 1, Float32Array.from(scaleOffset));
  gl.glViewport(0, 0, width, height);
  drawFullQuad(t);
}

function runRepeatedClear(t: CaseContext, config: TargetConfig): void {
  const source = new SceneTarget(t, config, 8, 8);
  source.requireComplete();
  const target = new SceneTarget(t, config, 32, 32);
  target.requireComplete();
  target.clearAll();
  const { gl } = t;
  for (let index = 0; index < 16; index++) {
    source.bind();
    source.clear({ color: randomColor(t, source.format) });
    target.bind();
    gl.glEnable(gl.GL_SCISSOR_TEST);
    const area = { x: (index % 4) * 8, y: (index >> 2) * 8, width: 8, height: 8 };
    gl.glScissor(area.x, area.y, area.width, area.height);
    copyTexture(t, source.color, [1, 1, 0, 0], 32, 32);
    gl.glDisable(gl.GL_SCISSOR_TEST);
    const color = source.model.color[0]!;
    target.model.each(area, (pixel) => {
      target.model.color[pixel] = color;
    });
  }
  target.judge();
}

function runTexSubImage(t: CaseContext, config: TargetConfig, isBetween: boolean): void {
  const { gl } = t;
  const [width, height] = SIZES.pot;
  const target = new SceneTarget(t, config, width, height);
  target.requireComplete();
  target.clearAll();
  target.drawFirst();
  const upload = () => {
    const color = [51, 204, 102, 153];
    const channels = config.color.image.format === gl.GL_RGB ? 3 : 4;
    const area = { x: 5, y: 6, width: 20, height: 16 };
    const bytes = Uint8Array.from({ length: 20 * 16 * channels }, (_, at) => color[at % channels]!);
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
    const { format, type } = config.color.image;
    gl.glBindTexture(gl.GL_TEXTURE_2D, target.color.name);
    gl.glTexSubImage2D(gl.GL_TEXTURE_2D, 0, area.x, area.y, area.width, area.height, format, type, bytes);
    target.model.each(area, (pixel) => {
      target.model.color[pixel] = color.map((value) => value / 255);
    });
  };
  if (isBetween) upload();
  target.drawSecond();
  if (!isBetween) upload();
  target.judge();
}

type Make = (path: string, run: (t: CaseContext) => void) => CaseDefinition;

function* es2RenderCases(make: Make): Generator<CaseDefinition> {
  const depth = aspectKind('rbo', 'depth_component16');
  const stencil = aspectKind('rbo', 'stencil_index8');
  const colors = [
    ['tex2d', 'rgb'],
    ['tex2d', 'rgba'],
    ['rbo', 'rgb565'],
    ['rbo', 'rgb5_a1'],
    ['rbo', 'rgba4'],
  ] as const;
  for (const [kind, name] of colors)
    for (const [suffix, others] of [
      ['', []],
      ['_depth_component16', [depth]],
      ['_stencil_index8', [stencil]],
      ['_depth_component16_stencil_index8', [depth, stencil]],
    ] as const) {
      const config = targetConfig(kind, name, others);
      const title = `${kind}_${name}${suffix}`;
      const hasDepth = suffix.includes('depth');
      const hasStencil = suffix.includes('stencil');
      yield make(`color_clear.${title}`, (t) => runColorClear(t, config));
      yield make(`resize.${title}`, (t) => runResize(t, config));
      yield make(`shared_colorbuffer.${title}`, (t) => runSharedColor(t, config));
      if (suffix === '') yield make(`shared_colorbuffer_clear.${title}`, (t) => runSharedColorClear(t, config));
      if (hasDepth) yield make(`shared_depthbuffer.${title}`, (t) => runSharedOthers(t, config));
      if (hasStencil) yield make(`stencil_clear.${title}`, (t) => runStencilClear(t, config));
      for (const [prefix, rebinds] of [
        ['rebind_', true],
        ['no_rebind_', false],
      ] as const) {
        yield make(`recreate_colorbuffer.${prefix}${title}`, (t) => runRecreate(t, config, 'color', '', rebinds));
        if (hasDepth)
          yield make(`recreate_depthbuffer.${prefix}${title}`, (t) =>
            runRecreate(t, config, 'others', 'depth', rebinds),
          );
        if (hasStencil)
          yield make(`recreate_stencilbuffer.${prefix}${title}`, (t) =>
            runRecreate(t, config, 'others', 'stencil', rebinds),
          );
      }
      for (const [prefix, size] of [
        ['', SIZES.pot],
        ['npot_', SIZES.npot],
      ] as const) {
        if (!hasStencil) {
          yield make(`color.blend_${prefix}${title}`, (t) => runBlend(t, config, size));
          if (kind === 'tex2d') yield make(`color.mix_${prefix}${title}`, (t) => runMix(t, config, size));
        }
        if (hasDepth && !hasStencil) yield make(`depth.${prefix}${title}`, (t) => runScene(t, config, size));
        if (hasStencil) yield make(`stencil.${prefix}${title}`, (t) => runScene(t, config, size));
      }
    }
  for (const name of ['rgb', 'rgba']) {
    const config = targetConfig('tex2d', name);
    yield make(`repeated_clear.tex2d_${name}`, (t) => runRepeatedClear(t, config));
    yield make(`texsubimage.after_render_tex2d_${name}`, (t) => runTexSubImage(t, config, false));
    yield make(`texsubimage.between_render_tex2d_${name}`, (t) => runTexSubImage(t, config, true));
  }
}

/** Depth and stencil images of ES 3 under the names of the lists. */
const ES3_OTHERS: readonly (readonly [string, AspectKind])[] = [
  ...(['rbo', 'tex2d'] as const).flatMap((kind) => [
    ...['depth_component16', 'depth_component24', 'depth_component32f'].map(
      (name) => [`depth_${kind}_${name}`, aspectKind(kind, name)] as const,
    ),
    ...['depth24_stencil8', 'depth32f_stencil8'].map(
      (name) => [`depth_stencil_${kind}_${name}`, aspectKind(kind, name)] as const,
    ),
  ]),
  ['stencil_rbo_stencil_index8', aspectKind('rbo', 'stencil_index8')],
];

function* es3RenderCases(make: Make): Generator<CaseDefinition> {
  const packed = aspectKind('rbo', 'depth24_stencil8');
  // Attached as depth alone: the stencil values of the image play no part.
  const depthOfPacked: AspectKind = { ...packed, aspect: 'depth' };
  for (const kind of ['rbo', 'tex2d'] as const)
    for (const { name, kind: texels } of RENDERABLE) {
      const title = `${kind}_${name}`;
      const plain = targetConfig(kind, name);
      const full = targetConfig(kind, name, [packed]);
      const withDepth = targetConfig(kind, name, [depthOfPacked]);
      yield make(`recreate_color.${title}_depth_stencil_rbo_depth24_stencil8`, (t) => runRecreate(t, full, 'color'));
      yield make(`resize.${title}`, (t) => runResize(t, plain));
      if (texels === 'int' || texels === 'uint') continue;
      yield make(`shared_colorbuffer_clear.${title}`, (t) => runSharedColorClear(t, plain));
      yield make(`shared_colorbuffer.${title}`, (t) => runSharedColor(t, plain));
      yield make(`shared_colorbuffer.${title}_depth_rbo_depth24_stencil8`, (t) => runSharedColor(t, withDepth));
      yield make(`shared_colorbuffer.${title}_depth_stencil_rbo_depth24_stencil8`, (t) => runSharedColor(t, full));
    }
  for (const [suffix, other] of ES3_OTHERS) {
    const config = targetConfig('tex2d', 'rgba8', [other]);
    yield make(`recreate_depth_stencil.tex2d_rgba8_${suffix}`, (t) => runRecreate(t, config, 'others'));
    for (const color of ['rgba8', 'rgba16f'])
      yield make(`resize.tex2d_${color}_${suffix}`, (t) => runResize(t, targetConfig('tex2d', color, [other])));
    if (other.aspect !== 'stencil')
      yield make(`shared_depth_stencil.tex2d_rgba8_${suffix}`, (t) => runSharedOthers(t, config));
  }
  for (const name of ['depth24_stencil8', 'depth32f_stencil8', 'stencil_index8']) {
    const other = { ...aspectKind('rbo', name), aspect: 'stencil' } as const;
    yield make(`stencil_clear.tex2d_rgba8_stencil_rbo_${name}`, (t) =>
      runStencilClear(t, targetConfig('tex2d', 'rgba8', [other])),
    );
  }
}

export function* framebufferRenderCases(api: 2 | 3): Generator<CaseDefinition> {
  const make: Make = (path, run) => functionalCase(api, `fbo.render.${path}`, run, SURFACE);
  yield* api === 2 ? es2RenderCases(make) : es3RenderCases(make);
}
