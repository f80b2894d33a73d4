// rasterization: which pixels primitives cover, culling, interpolation, flat shading, and fill rules.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawArrays } from '../../harness/draw.ts';
import { attachTarget, type TargetKind } from '../../harness/framebuffer.ts';
import { buildProgram } from '../../harness/program.ts';
import {
  type DrawOptions,
  decompose,
  type PrimitiveMode,
  ReferencePicture,
  type ShadedVertex,
} from '../../reference/raster.ts';
import { checkThinLines } from './thin-lines.ts';

const SURFACE = { width: 64, height: 64 };
const CLEAR = [0, 0, 0, 1] as const;
/** What interpolation of 8-bit colours over a few dozen pixels may be off by. */
const TOLERANCE = 3;
const LINE_WIDTH = 5;

export function modeValue(t: CaseContext, mode: PrimitiveMode): number {
  const { gl } = t;
  return {
    points: gl.GL_POINTS,
    lines: gl.GL_LINES,
    line_strip: gl.GL_LINE_STRIP,
    line_loop: gl.GL_LINE_LOOP,
    triangles: gl.GL_TRIANGLES,
    triangle_strip: gl.GL_TRIANGLE_STRIP,
    triangle_fan: gl.GL_TRIANGLE_FAN,
  }[mode];
}

interface RasterScene {
  readonly mode: PrimitiveMode;
  readonly isWide?: boolean;
  readonly isProjected?: boolean;
  readonly isFlat?: boolean;
  readonly cull?: 'front' | 'back' | 'both';
  readonly isReversed?: boolean;
  readonly target?: TargetKind;
  readonly hasOneColor?: boolean;
}

function randomVertices(t: CaseContext, scene: RasterScene, count: number): ShadedVertex[] {
  const { random, width, height } = t;
  return Array.from({ length: count }, () => ({
    x: random.float(2, width - 2),
    y: random.float(2, height - 2),
    w: scene.isProjected ? random.float(0.2, 4) : 1,
    color: scene.hasOneColor ? [1, 1, 1, 1] : [random.float(), random.float(), random.float(), 1],
  }));
}

function drawScene(t: CaseContext, scene: RasterScene, vertices: readonly ShadedVertex[], pointSize: number): void {
  const { gl } = t;
  buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_color: 'highp vec4' },
    varyings: { v_color: scene.isFlat ? 'flat highp vec4' : 'highp vec4' },
    vertex: `gl_Position = a_position; v_color = a_color; gl_PointSize = ${pointSize.toFixed(1)};`,
    fragment: 'o_color = v_color;',
  });
  gl.glClearColor(...CLEAR);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glLineWidth(scene.isWide ? LINE_WIDTH : 1);
  if (scene.cull !== undefined) {
    gl.glEnable(gl.GL_CULL_FACE);
    gl.glCullFace({ front: gl.GL_FRONT, back: gl.GL_BACK, both: gl.GL_FRONT_AND_BACK }[scene.cull]);
  }
  if (scene.isReversed) gl.glFrontFace(gl.GL_CW);
  const positions = vertices.flatMap(({ x, y, w = 1 }) => [
    ((x / t.width) * 2 - 1) * w,
    ((y / t.height) * 2 - 1) * w,
    0,
    w,
  ]);
  drawArrays(t, modeValue(t, scene.mode), [
    { size: 4, data: positions },
    { size: 4, data: vertices.flatMap(({ color }) => [...color]) },
  ]);
}

/** Vertex counts that make about four primitives. */
const COUNTS: Readonly<Record<PrimitiveMode, number>> = {
  points: 6,
  lines: 8,
  line_strip: 5,
  line_loop: 4,
  triangles: 9,
  triangle_strip: 6,
  triangle_fan: 6,
};

function runScene(t: CaseContext, scene: RasterScene): void {
  const resolve = scene.target ? attachTarget(t, scene.target) : null;
  const vertices = randomVertices(t, scene, COUNTS[scene.mode]);
  const indices = vertices.map((_, index) => index);
  drawScene(t, scene, vertices, 6);
  resolve?.();
  const result = t.readPixels();
  if (scene.mode.startsWith('line') && !scene.isWide) {
    checkThinLines(
      t,
      result,
      decompose(scene.mode, indices).map(([a, b]) => [vertices[a!]!, vertices[b!]!]),
      {
        isFlat: scene.isFlat ?? false,
        isMultisampled: scene.target !== undefined && scene.target.samples !== 0,
      },
    );
    return;
  }
  const reference = new ReferencePicture(t.width, t.height, CLEAR);
  const options: DrawOptions = {
    pointSize: 6,
    lineWidth: LINE_WIDTH,
    isFlat: scene.isFlat ?? false,
    ...(scene.cull ? { cull: flipCull(scene) } : {}),
  };
  reference.draw(scene.mode, vertices, indices, options);
  if (scene.target?.samples) widenOpen(reference);
  // Tips of corners reach samples of pixels far from any covered centre.
  const wrongPixels = scene.target?.samples ? 6 : 0;
  t.comparePicture(result, reference.picture(), { tolerance: TOLERANCE, ignore: reference.open, wrongPixels });
}

function flipCull({ cull, isReversed }: RasterScene): 'front' | 'back' | 'both' {
  if (!isReversed || cull === 'both') return cull!;
  return cull === 'front' ? 'back' : 'front';
}

/** With several samples a pixel, neighbours of another colour may show: pixels beside a difference are open. */
export function widenOpen(reference: ReferencePicture): void {
  const { width, height, color, open } = reference;
  const before = open.slice();
  const differs = (a: number, b: number) =>
    before[b] !== 0 || [0, 1, 2].some((c) => Math.abs(color[a * 4 + c]! - color[b * 4 + c]!) > 0.12);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++)
          if (differs(pixel, ny * width + nx)) open[pixel] = 1;
    }
}

/** Neighbouring triangles cover each pixel inside exactly once: drawn with additive blending. */
function runFillRule(t: CaseContext, kind: string, target?: TargetKind): void {
  const { gl, width, height } = t;
  buildProgram(t, {
    attributes: { a_position: 'highp vec4' },
    vertex: 'gl_Position = a_position;',
    fragment: 'o_color = vec4(0.25, 0.5, 0.25, 0.5);',
  });
  gl.glClearColor(0, 0, 0, 0);
  gl.glEnable(gl.GL_BLEND);
  gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE);
  const isClipped = kind.startsWith('clipped');
  const reach = kind === 'clipped_full' ? 1.6 : kind === 'clipped_partly' ? 1.2 : 0.75;
  // Small triangles and such as reach over the whole surface: rasterisers have a way for each.
  for (const grid of [
    { cells: isClipped ? 5 : 8, reach },
    { cells: 2, reach: 3 },
  ]) {
    const resolve = target ? attachTarget(t, target) : null;
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    drawGrid(t, kind, grid);
    resolve?.();
    const reference = new ReferencePicture(width, height, [0, 0, 0, 0]);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const pixel = y * width + x;
        const off =
          grid.reach - Math.max(Math.abs(((x + 0.5) / width) * 2 - 1), Math.abs(((y + 0.5) / height) * 2 - 1));
        const slack = target?.samples ? 2 / width : 0.2 / width;
        if (Math.abs(off) < slack) reference.open[pixel] = 1;
        else if (off > 0) reference.color.set([0.25, 0.5, 0.25, 0.5], pixel * 4);
      }
    const what = `a grid of ${grid.cells} by ${grid.cells}`;
    t.comparePicture(t.readPixels(), reference.picture(), { tolerance: 1, ignore: reference.open }, what);
  }
}

/** A grid of quads, its inner points moved: along diagonals pixel centres lie exactly on edges. */
function drawGrid(t: CaseContext, kind: string, { cells, reach }: { cells: number; reach: number }): void {
  const { random } = t;
  const isExact = kind.startsWith('basic');
  const points = Array.from({ length: (cells + 1) ** 2 }, (_, index) => {
    const [i, j] = [index % (cells + 1), Math.floor(index / (cells + 1))];
    const isInner = i > 0 && j > 0 && i < cells && j < cells;
    const at = (k: number) => (k / cells) * 2 - 1 + (isInner && !isExact ? random.float(-0.4, 0.4) / cells : 0);
    const w = kind === 'projected' ? random.float(0.2, 3) : 1;
    return [at(i) * reach * w, at(j) * reach * w, 0, w];
  });
  const positions: number[] = [];
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) {
      const [a, b, c, d] = [0, 1, cells + 1, cells + 2].map((add) => points[j * (cells + 1) + i + add]!);
      const order = kind.endsWith('reverse') || (i + j) % 2 === 1 ? [a, c, b, b, c, d] : [a, b, d, a, d, c];
      for (const point of order) positions.push(...point!);
    }
  drawArrays(t, t.gl.GL_TRIANGLES, [{ size: 4, data: positions }]);
}

const MODES: readonly PrimitiveMode[] = [
  'triangles',
  'triangle_strip',
  'triangle_fan',
  'lines',
  'line_strip',
  'line_loop',
];
const FILL_RULES = ['basic_quad', 'basic_quad_reverse', 'clipped_full', 'clipped_partly', 'projected'];

const TARGETS: Readonly<Record<string, TargetKind>> = {
  texture_2d: { kind: 'texture', samples: 0 },
  rbo_singlesample: { kind: 'renderbuffer', samples: 0 },
  rbo_multisample_4: { kind: 'renderbuffer', samples: 4 },
  rbo_multisample_max: { kind: 'renderbuffer', samples: -1 },
};

export function* rasterizationCases(api: 2 | 3): Generator<CaseDefinition> {
  const make = (name: string, scene: RasterScene) =>
    functionalCase(api, `rasterization.${name}`, (t) => runScene(t, scene), SURFACE);
  for (const mode of MODES)
    for (const isWide of mode.startsWith('line') ? [false, true] : [false]) {
      const name = `${mode}${isWide ? '_wide' : ''}`;
      yield make(`primitives.${name}`, { mode, isWide, hasOneColor: true });
      yield make(`interpolation.basic.${name}`, { mode, isWide });
      yield make(`interpolation.projected.${name}`, { mode, isWide, isProjected: true });
      if (api === 3) yield make(`flatshading.${name}`, { mode, isWide, isFlat: true });
    }
  yield make('primitives.points', { mode: 'points', hasOneColor: true });
  for (const cull of ['front', 'back', 'both'] as const)
    for (const mode of ['triangles', 'triangle_strip', 'triangle_fan'] as const) {
      // The outcome of "both" is the clear colour alone: the case draws once more without culling to see something.
      const run = (isReversed: boolean) => (t: CaseContext) => runCulling(t, { mode, cull, isReversed });
      yield functionalCase(api, `rasterization.culling.${cull}_${mode}`, run(false), SURFACE);
      yield functionalCase(api, `rasterization.culling.${cull}_${mode}_reverse`, run(true), SURFACE);
    }
  for (const kind of FILL_RULES)
    yield functionalCase(api, `rasterization.fill_rules.${kind}`, (t) => runFillRule(t, kind), SURFACE);
  if (api === 2) return;
  for (const [targetName, target] of Object.entries(TARGETS)) {
    const base = `fbo.${targetName}`;
    for (const kind of FILL_RULES)
      yield functionalCase(
        api,
        `rasterization.${base}.fill_rules.${kind}`,
        (t) => runFillRule(t, kind, target),
        SURFACE,
      );
    for (const [name, mode, isWide] of [
      ['lines', 'lines', false],
      ['lines_wide', 'lines', true],
      ['triangles', 'triangles', false],
    ] as const) {
      yield make(`${base}.interpolation.${name}`, { mode, isWide, target });
      yield make(`${base}.primitives.${name}`, { mode, isWide, target, hasOneColor: true });
    }
    yield make(`${base}.primitives.points`, { mode: 'points', target, hasOneColor: true });
  }
}

/** Culled primitives leave no trace; a frame drawn by a scissored clear shows that the picture is real. */
function runCulling(t: CaseContext, scene: RasterScene): void {
  const { gl } = t;
  const vertices = randomVertices(t, scene, COUNTS[scene.mode]);
  drawScene(t, scene, vertices, 1);
  const reference = new ReferencePicture(t.width, t.height, CLEAR);
  reference.draw(
    scene.mode,
    vertices,
    vertices.map((_, index) => index),
    { cull: flipCull(scene) },
  );
  gl.glDisable(gl.GL_CULL_FACE);
  const corner: ShadedVertex[] = [
    { x: 0, y: 0, color: [1, 1, 1, 1] },
    { x: 12, y: 0, color: [1, 1, 1, 1] },
    { x: 0, y: 12, color: [1, 1, 1, 1] },
  ];
  drawArrays(t, gl.GL_TRIANGLES, [
    { size: 4, data: corner.flatMap(({ x, y }) => [(x / t.width) * 2 - 1, (y / t.height) * 2 - 1, 0, 1]) },
    { size: 4, data: corner.flatMap(({ color }) => [...color]) },
  ]);
  reference.draw('triangles', corner, [0, 1, 2]);
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: TOLERANCE, ignore: reference.open });
}
