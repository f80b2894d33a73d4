// fbo.invalidate: what is invalidated may hold anything, all else has to stay, and new contents have to arrive.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { RENDERABLE, randomColor } from '../../harness/color-target.ts';
import { maxSamples } from '../../harness/framebuffer.ts';
import { clearScene, drawSceneRect, judgeScene, PixelModel } from '../../harness/framebuffer-scene.ts';
import { DEPTH_FORMATS, sizedFormat } from '../../reference/texture-formats.ts';
import { aspectKind, SceneTarget, type TargetConfig, targetConfig } from './framebuffer-render.ts';

const SIZE = 32;
const SURFACE = { width: SIZE, height: SIZE };
/** What a sub-invalidation names. */
const PART = { x: 7, y: 5, width: 14, height: 18 };

interface What {
  readonly color: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
}

function parseWhat(name: string): What {
  const isAll = name === 'all';
  return {
    color: isAll || name.includes('color'),
    depth: isAll || name.includes('depth'),
    stencil: isAll || name.includes('stencil'),
  };
}

function attachments(t: CaseContext, what: What, isDefault: boolean): number[] {
  const { gl } = t;
  return [
    ...(what.color ? [isDefault ? gl.GL_COLOR : gl.GL_COLOR_ATTACHMENT0] : []),
    ...(what.depth ? [isDefault ? gl.GL_DEPTH : gl.GL_DEPTH_ATTACHMENT] : []),
    ...(what.stencil ? [isDefault ? gl.GL_STENCIL : gl.GL_STENCIL_ATTACHMENT] : []),
  ];
}

function invalidate(t: CaseContext, target: number, names: readonly number[], isPart: boolean): void {
  const { gl } = t;
  if (isPart) gl.glInvalidateSubFramebuffer(target, names.length, [...names], PART.x, PART.y, PART.width, PART.height);
  else gl.glInvalidateFramebuffer(target, names.length, [...names]);
  t.noError('invalidating');
}

const FULL: TargetConfig = targetConfig('rbo', 'rgba8', [aspectKind('rbo', 'depth24_stencil8')]);

/** Gives what was invalidated new values in exactly that area, then shows all three buffers. */
function renew(scene: Pick<SceneTarget, 'clear' | 'drawSecond'>, t: CaseContext, what: What, isPart: boolean): void {
  scene.clear(
    {
      ...(what.color ? { color: randomColor(t, sizedFormat('rgba8')) } : {}),
      ...(what.depth ? { depth: 0.5 } : {}),
      ...(what.stencil ? { stencil: 0 } : {}),
    },
    isPart ? PART : null,
  );
  scene.drawSecond();
}

function runRender(t: CaseContext, what: What, isPart: boolean, config = FULL): void {
  const { gl } = t;
  const target = new SceneTarget(t, config, SIZE, SIZE);
  target.requireComplete();
  target.clearAll();
  target.drawFirst();
  invalidate(t, gl.GL_FRAMEBUFFER, attachments(t, what, false), isPart);
  const used = { ...what, depth: what.depth && target.model.depth !== null };
  target.clear(
    {
      ...(used.color ? { color: randomColor(t, target.format) } : {}),
      ...(used.depth ? { depth: 0.5 } : {}),
      ...(what.stencil ? { stencil: 0 } : {}),
    },
    isPart ? PART : null,
  );
  target.drawSecond();
  target.judge();
}

/** After invalidating, what is left is read through another framebuffer: attached there, or copied by a blit. */
function runUnbound(t: CaseContext, what: What, isPart: boolean, how: 'read' | 'blit', wantsSamples: boolean): void {
  const { gl } = t;
  const samples = wantsSamples ? Math.min(4, maxSamples(t)) : 0;
  const first = new SceneTarget(t, FULL, SIZE, SIZE, {}, samples);
  first.requireComplete();
  first.clearAll();
  first.drawFirst();
  invalidate(t, gl.GL_FRAMEBUFFER, attachments(t, what, false), isPart);
  const { model } = first;
  if (how === 'read') {
    // Colour and depth-stencil in turn come to a framebuffer of their own.
    if (!what.color || isPart) {
      const second = new SceneTarget(t, FULL, SIZE, SIZE, { color: first.color });
      second.requireComplete();
      second.model.color = [...model.color];
      if (what.color)
        second.model.each(PART, (pixel) => {
          second.model.color[pixel] = null;
        });
      second.judge();
    }
    const third = new SceneTarget(t, FULL, SIZE, SIZE, { others: first.others });
    third.requireComplete();
    third.model.depth = [...model.depth!];
    third.model.stencil = [...model.stencil!];
    renew(third, t, { ...what, color: true }, false);
    third.judge();
    return;
  }
  const second = new SceneTarget(t, FULL, SIZE, SIZE);
  second.requireComplete();
  second.clearAll();
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, first.framebuffer);
  const bits =
    (what.color ? 0 : gl.GL_COLOR_BUFFER_BIT) |
    (what.depth ? 0 : gl.GL_DEPTH_BUFFER_BIT) |
    (what.stencil ? 0 : gl.GL_STENCIL_BUFFER_BIT);
  gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, bits, gl.GL_NEAREST);
  if (bits !== 0) t.noError('glBlitFramebuffer');
  if (!what.color) second.model.color = [...model.color];
  if (!what.depth) second.model.depth = [...model.depth!];
  if (!what.stencil) second.model.stencil = [...model.stencil!];
  gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, second.framebuffer);
  second.drawSecond();
  second.judge();
}

/** Which framebuffer is meant by a target: the other one keeps all it has. */
function runTarget(t: CaseContext, bindTarget: string, callTarget: string, what: What): void {
  const { gl } = t;
  const targets: Readonly<Record<string, number>> = {
    framebuffer: gl.GL_FRAMEBUFFER,
    draw_framebuffer: gl.GL_DRAW_FRAMEBUFFER,
    read_framebuffer: gl.GL_READ_FRAMEBUFFER,
  };
  const target = new SceneTarget(t, FULL, SIZE, SIZE);
  target.requireComplete();
  target.clearAll();
  target.drawFirst();
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
  gl.glBindFramebuffer(targets[bindTarget]!, target.framebuffer);
  const side = callTarget === 'read_framebuffer' ? 'read' : 'draw';
  const isOurs = bindTarget === 'framebuffer' || bindTarget.startsWith(side);
  invalidate(t, targets[callTarget]!, attachments(t, what, !isOurs), false);
  target.bind();
  if (isOurs) renew(target, t, what, false);
  else target.drawSecond();
  target.judge();
}

function runDefault(t: CaseContext, what: What, isPart: boolean, target: number): void {
  const { gl } = t;
  const format = sizedFormat('rgba8');
  const model = new PixelModel(SIZE, SIZE, true, true);
  const scene = {
    clear: (values: Parameters<typeof clearScene>[3], area: Parameters<typeof clearScene>[4] = null) =>
      clearScene(t, format, model, values, area),
    drawSecond: () => {
      const color = randomColor(t, format);
      drawSceneRect(t, format, model, { x: 3, y: 2, width: 20, height: 28, color, depth: 0 });
      const stencil = { how: 'equal', reference: 3 } as const;
      drawSceneRect(t, format, model, { ...PART, color: randomColor(t, format), depth: -0.5, stencil });
    },
  };
  scene.clear({ color: randomColor(t, format), depth: 1, stencil: 0 });
  const stencil = { how: 'write', reference: 3 } as const;
  drawSceneRect(t, format, model, {
    x: 5,
    y: 4,
    width: 16,
    height: 9,
    color: randomColor(t, format),
    depth: -0.25,
    stencil,
  });
  const names = [
    ...(what.color ? [gl.GL_COLOR] : []),
    ...(what.depth ? [gl.GL_DEPTH] : []),
    ...(what.stencil ? [gl.GL_STENCIL] : []),
  ];
  invalidate(t, target, names, isPart);
  renew(scene, t, what, isPart);
  judgeScene(t, format, model);
}

/** Each format by itself is invalidated and filled again, in a part and as a whole. */
function runFormat(t: CaseContext, config: TargetConfig, what: What): void {
  runRender(t, what, false, config);
  runRender(t, what, true, config);
}

export function* framebufferInvalidateCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  const make = (path: string, run: (t: CaseContext) => void) =>
    functionalCase(3, `fbo.invalidate.${path}`, run, { ...SURFACE, depth: true, stencil: true });
  for (const [group, isPart] of [
    ['whole', false],
    ['sub', true],
  ] as const) {
    for (const name of ['all', 'color', 'depth', 'depth_stencil', 'none', 'stencil'])
      yield make(`${group}.render_${name}`, (t) => runRender(t, parseWhat(name), isPart));
    for (const name of ['color', 'color_stencil', 'depth', 'depth_stencil', 'stencil'])
      yield make(`${group}.unbind_read_${name}`, (t) => runUnbound(t, parseWhat(name), isPart, 'read', false));
    for (const name of ['color', 'depth', 'depth_stencil', 'stencil']) {
      yield make(`${group}.unbind_blit_${name}`, (t) => runUnbound(t, parseWhat(name), isPart, 'blit', false));
      yield make(`${group}.unbind_blit_msaa_${name}`, (t) => runUnbound(t, parseWhat(name), isPart, 'blit', true));
    }
  }
  const bindings = ['framebuffer', 'draw_framebuffer', 'read_framebuffer'];
  for (const bound of bindings)
    for (const called of bindings)
      for (const name of ['all', 'color', 'depth_stencil'])
        yield make(`target.${bound}_${called}_${name}`, (t) => runTarget(t, bound, called, parseWhat(name)));
  const [whole, draw, read] = [0x8d40, 0x8ca9, 0x8ca8];
  for (const name of ['all', 'color', 'depth', 'depth_stencil', 'stencil'])
    for (const prefix of ['bind', 'render', 'sub_bind', 'sub_render'])
      yield make(`default.${prefix}_${name}`, (t) =>
        runDefault(t, parseWhat(name), prefix.startsWith('sub'), prefix.endsWith('bind') ? draw : whole),
      );
  yield make('default.render_none', (t) => runDefault(t, parseWhat('none'), false, whole));
  for (const name of ['all', 'color']) {
    yield make(`default.draw_framebuffer_${name}`, (t) => runDefault(t, parseWhat(name), false, draw));
    yield make(`default.read_framebuffer_${name}`, (t) => runDefault(t, parseWhat(name), false, read));
  }
  for (const { name } of RENDERABLE)
    yield make(`format.${name}`, (t) => runFormat(t, targetConfig('rbo', name), parseWhat('color')));
  for (const name of [...DEPTH_FORMATS.map((format) => format.name), 'stencil_index8'])
    yield make(`format.${name}`, (t) => {
      const other = aspectKind('rbo', name);
      runFormat(t, targetConfig('rbo', 'rgba8', [other]), parseWhat(other.aspect));
    });
}
