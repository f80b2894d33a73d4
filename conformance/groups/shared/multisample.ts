// multisample: how many samples a pixel has, that edges share none, and masks made of alpha and sample coverage.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawArrays } from '../../harness/draw.ts';
import { attachRenderbuffer, generate, maxSamples, requireComplete } from '../../harness/framebuffer.ts';
import { colorProgram } from '../../harness/program.ts';
import type { Picture } from '../../result.ts';

const SIZE = 32;
const DEFAULT_SAMPLES = 4;

/** 0: the default framebuffer; -1: as many as there are. */
type SampleChoice = 0 | 4 | 8 | -1;

interface MultisampleTarget {
  readonly samples: number;
  /** The resolved picture. */
  read(): Picture;
}

function makeTarget(t: CaseContext, choice: SampleChoice): MultisampleTarget {
  const { gl } = t;
  gl.glDisable(gl.GL_DITHER);
  gl.glViewport(0, 0, SIZE, SIZE);
  colorProgram(t);
  if (choice === 0) {
    const samples = [0];
    gl.glGetIntegerv(gl.GL_SAMPLES, samples);
    if (samples[0]! < 2) t.skip('the default framebuffer is not multisampled');
    return { samples: samples[0]!, read: () => t.readPixels(0, 0, SIZE, SIZE) };
  }
  const most = maxSamples(t);
  if (choice > most) t.skip(`there are no ${choice} samples`);
  const samples = choice === -1 ? most : choice;
  const single = generate(gl.glGenFramebuffers);
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, single);
  attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA8, 0, SIZE, SIZE);
  requireComplete(t);
  const multiple = generate(gl.glGenFramebuffers);
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, multiple);
  attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA8, samples, SIZE, SIZE);
  attachRenderbuffer(t, gl.GL_DEPTH_STENCIL_ATTACHMENT, gl.GL_DEPTH24_STENCIL8, samples, SIZE, SIZE);
  requireComplete(t);
  const read = () => {
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, single);
    gl.glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
    t.noError('resolving');
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, single);
    const picture = t.readPixels(0, 0, SIZE, SIZE);
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, multiple);
    return picture;
  };
  return { samples, read };
}

type Point = readonly [number, number];
type Color = readonly [number, number, number, number];

const WHITE: Color = [1, 1, 1, 1];
const GREY: Color = [128 / 255, 128 / 255, 128 / 255, 1];

function clear({ gl }: CaseContext): void {
  gl.glClearColor(0, 0, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT | gl.GL_STENCIL_BUFFER_BIT);
}

/** Triangles from window positions. */
function drawTriangles(
  t: CaseContext,
  points: readonly Point[],
  color: Color | ((point: Point) => Color),
  depthAt: (point: Point) => number = () => 0,
): void {
  const colorOf = typeof color === 'function' ? color : () => color;
  drawArrays(t, t.gl.GL_TRIANGLES, [
    { size: 4, data: points.flatMap((p) => [(p[0] / SIZE) * 2 - 1, (p[1] / SIZE) * 2 - 1, depthAt(p), 1]) },
    { size: 4, data: points.flatMap((p) => [...colorOf(p)]) },
  ]);
}

function quad(a: Point, b: Point, c: Point, d: Point): Point[] {
  return [a, b, c, a, c, d];
}

const FULL = quad([0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]);

/** Points of a grid over a pixel and a little beyond it: where the last ones agree, every sample does. */
const GRID = Array.from({ length: 16 }, (_, i) => (i + 0.5) / 16);
const RIM = [-0.1, 0.2, 0.5, 0.8, 1.1];

/** Pixels inside and outside of a region are white and black; on its edge they are levels that go with the covered area. */
function checkCoverage(
  t: CaseContext,
  picture: Picture,
  samples: number,
  isInside: (x: number, y: number) => boolean,
  leastLevels: number,
): void {
  t.pictureComparisons++;
  const levels = new Set<number>();
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const value = picture.data[(y * SIZE + x) * 4]! / 255;
      const level = Math.round(value * samples);
      const where = `pixel ${x},${y}`;
      t.check(Math.abs(value - level / samples) <= 1.01 / 255, () => `${where}: ${value} is no part of ${samples}`);
      levels.add(level);
      const rim = RIM.flatMap((dy) => RIM.map((dx) => isInside(x + dx, y + dy)));
      if (rim.every((inside) => inside) || rim.every((inside) => !inside)) {
        t.equal(level, rim[0] ? samples : 0, where);
        continue;
      }
      const area = GRID.flatMap((dy) => GRID.filter((dx) => isInside(x + dx, y + dy))).length / GRID.length ** 2;
      t.check(Math.abs(value - area) <= 0.5, () => `${where}: ${value}, but ${area} of it is covered`);
    }
  t.check(levels.size >= leastLevels, () => `only ${levels.size} different values along the edges`);
}

const TRIANGLE: readonly Point[] = [
  [1.7, 2.3],
  [30.1, 6.9],
  [10.4, 30.6],
];

function insidePolygon(corners: readonly Point[]): (x: number, y: number) => boolean {
  return (x, y) =>
    corners.every(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length]!;
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
    });
}

function runPolygon(t: CaseContext, target: MultisampleTarget): void {
  clear(t);
  drawTriangles(t, TRIANGLE, WHITE);
  checkCoverage(t, target.read(), target.samples, insidePolygon(TRIANGLE), target.samples + 1);
}

function runLine(t: CaseContext, target: MultisampleTarget): void {
  clear(t);
  const [a, b]: readonly Point[] = [
    [3.2, 4.1],
    [28.7, 19.6],
  ];
  drawArrays(t, t.gl.GL_LINES, [
    { size: 4, data: [a!, b!].flatMap(([x, y]) => [(x / SIZE) * 2 - 1, (y / SIZE) * 2 - 1, 0, 1]) },
    { size: 4, data: [...WHITE, ...WHITE] },
  ]);
  // A rectangle of width one around the segment; ends may be cut straight or along the minor axis.
  const [dx, dy] = [b![0] - a![0], b![1] - a![1]];
  const length = Math.hypot(dx, dy);
  const picture = target.read();
  t.pictureComparisons++;
  const levels = new Set<number>();
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const [px, py] = [x + 0.5 - a![0], y + 0.5 - a![1]];
      const along = (px * dx + py * dy) / length;
      const across = Math.abs(px * dy - py * dx) / length;
      const value = picture.data[(y * SIZE + x) * 4]! / 255;
      const level = Math.round(value * target.samples);
      levels.add(level);
      t.check(Math.abs(value - level / target.samples) <= 1.01 / 255, () => `pixel ${x},${y}: ${value}`);
      if (across > 1.3 || along < -1.3 || along > length + 1.3) t.equal(level, 0, `pixel ${x},${y} beside the line`);
      if (across < 0.1 && along > 1 && along < length - 1)
        t.check(level * 2 >= target.samples, () => `pixel ${x},${y} on the line is ${value}`);
    }
  t.check(levels.size >= target.samples, () => `only ${levels.size} different values`);
}

/** Triangles that share edges add up grey: no sample is missed, none is drawn twice. */
function runCommonEdge(t: CaseContext, target: MultisampleTarget, kind: string): void {
  const { gl, random } = t;
  gl.glEnable(gl.GL_BLEND);
  gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE);
  for (let round = 0; round < 6; round++) {
    clear(t);
    const turn = random.float(0, Math.PI / 2);
    const radius = kind === 'small_quads' ? 3.1 : 20;
    const place = (i: number, j: number): Point =>
      kind === 'viewport_quad'
        ? [i * SIZE, j * SIZE]
        : [
            SIZE / 2 + radius * ((i - 0.5) * Math.cos(turn) - (j - 0.5) * Math.sin(turn)),
            SIZE / 2 + radius * ((i - 0.5) * Math.sin(turn) + (j - 0.5) * Math.cos(turn)),
          ];
    const span = kind === 'small_quads' ? [-3, -2, -1, 0, 1, 2, 3] : [0];
    const points = span.flatMap((j) =>
      span.flatMap((i) => quad(place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1))),
    );
    drawTriangles(t, points, GREY);
    const last = span.at(-1)! + 1;
    const inside = insidePolygon([
      place(span[0]!, span[0]!),
      place(last, span[0]!),
      place(last, last),
      place(span[0]!, last),
    ]);
    const picture = target.read();
    t.pictureComparisons++;
    for (let pixel = 0; pixel < SIZE * SIZE; pixel++) {
      const [x, y] = [pixel % SIZE, Math.floor(pixel / SIZE)];
      const value = picture.data[pixel * 4]!;
      const rim = RIM.flatMap((dy) => RIM.map((dx) => inside(x + dx, y + dy)));
      const isFull = kind === 'viewport_quad' || rim.every((one) => one);
      if (isFull) t.check(Math.abs(value - 128) <= 1, () => `pixel ${x},${y} is ${value}, expected 128`);
      else if (rim.every((one) => !one)) t.equal(value, 0, `pixel ${x},${y} outside`);
      else t.check(value <= 129, () => `pixel ${x},${y} on the border is ${value}: some sample was drawn twice`);
    }
  }
}

function runDepth(t: CaseContext, target: MultisampleTarget): void {
  const { gl } = t;
  clear(t);
  gl.glEnable(gl.GL_DEPTH_TEST);
  gl.glDepthFunc(gl.GL_LESS);
  drawTriangles(t, FULL, [0, 0, 0, 1]);
  const slope = ([x, y]: Point) => (x - 15.3 + 0.37 * (y - 16)) / 40;
  drawTriangles(t, FULL, WHITE, slope);
  checkCoverage(t, target.read(), target.samples, (x, y) => slope([x, y]) < 0, target.samples + 1);
}

function runStencil(t: CaseContext, target: MultisampleTarget): void {
  const { gl } = t;
  clear(t);
  gl.glEnable(gl.GL_STENCIL_TEST);
  gl.glStencilFunc(gl.GL_ALWAYS, 1, 255);
  gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_REPLACE);
  gl.glColorMask(false, false, false, false);
  drawTriangles(t, TRIANGLE, WHITE);
  gl.glColorMask(true, true, true, true);
  gl.glStencilFunc(gl.GL_EQUAL, 1, 255);
  gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_KEEP);
  drawTriangles(t, FULL, WHITE);
  checkCoverage(t, target.read(), target.samples, insidePolygon(TRIANGLE), target.samples + 1);
}

type MaskKind = 'alpha_to_coverage' | 'sample_coverage' | 'sample_coverage_inverted' | 'both' | 'both_inverted';

/** Draws columns whose mask comes from alpha, sample coverage or both; returns the share of samples that each should have. */
function drawMasked(t: CaseContext, kind: MaskKind, columns: number): readonly (readonly [number, number])[] {
  const { gl } = t;
  clear(t);
  const usesAlpha = kind === 'alpha_to_coverage' || kind.startsWith('both');
  const usesCoverage = kind !== 'alpha_to_coverage';
  const isInverted = kind.endsWith('inverted');
  if (usesAlpha) gl.glEnable(gl.GL_SAMPLE_ALPHA_TO_COVERAGE);
  if (usesCoverage) gl.glEnable(gl.GL_SAMPLE_COVERAGE);
  const shares = Array.from({ length: columns }, (_, column): readonly [number, number] => {
    const rising = column / (columns - 1);
    const alpha = usesAlpha ? rising : 1;
    const value = isInverted ? 1 - rising : rising;
    const coverage = usesCoverage ? (kind.startsWith('both') ? 0.5 : rising) : 1;
    if (usesCoverage) gl.glSampleCoverage(kind.startsWith('both') ? 0.5 : value, isInverted);
    const [left, right] = [(column * SIZE) / columns, ((column + 1) * SIZE) / columns];
    drawTriangles(t, quad([left, 0], [right, 0], [right, SIZE], [left, SIZE]), [1, 1, 1, alpha]);
    // Two masks overlap by chance: between none and all of what they could share.
    return [Math.max(0, alpha + coverage - 1), Math.min(alpha, coverage)];
  });
  gl.glDisable(gl.GL_SAMPLE_ALPHA_TO_COVERAGE);
  gl.glDisable(gl.GL_SAMPLE_COVERAGE);
  return shares;
}

function runMask(t: CaseContext, target: MultisampleTarget, kind: MaskKind): void {
  const columns = 16;
  const wide = SIZE / columns;
  const shares = drawMasked(t, kind, columns);
  const picture = target.read();
  t.pictureComparisons++;
  const means = shares.map(([low, high], column) => {
    let sum = 0;
    for (let y = 0; y < SIZE; y++)
      for (let x = column * wide; x < (column + 1) * wide; x++) sum += picture.data[(y * SIZE + x) * 4]! / 255;
    const mean = sum / (SIZE * wide);
    const slack = 1 / target.samples + 0.01;
    t.check(
      mean >= low - slack && mean <= high + slack,
      () => `column ${column}: ${mean} of the samples, expected ${low} to ${high} ± ${slack}`,
    );
    return mean;
  });
  for (let column = 1; column < columns; column++)
    t.check(
      means[column]! >= means[column - 1]! - 0.01,
      () => `column ${column} has fewer samples than the one before`,
    );
  t.check(means[0]! <= 0.01, () => `a mask of nothing lets ${means[0]} through`);
  if (!kind.startsWith('both')) t.check(means.at(-1)! >= 0.99, () => `a full mask lets ${means.at(-1)} through`);
  else t.check(means.at(-1)! > 0.2, () => `half of the samples are to be covered, got ${means.at(-1)}`);
}

/** A mask and its inverse share no sample and leave none out. */
function runInvert(t: CaseContext, target: MultisampleTarget): void {
  const { gl } = t;
  gl.glEnable(gl.GL_BLEND);
  gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE);
  gl.glEnable(gl.GL_SAMPLE_COVERAGE);
  for (const value of [0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1]) {
    clear(t);
    gl.glSampleCoverage(value, false);
    drawTriangles(t, FULL, [1, 0, 0, 0]);
    gl.glSampleCoverage(value, true);
    drawTriangles(t, FULL, [0, 1, 0, 0]);
    const { data } = target.read();
    t.pictureComparisons++;
    for (let pixel = 0; pixel < SIZE * SIZE; pixel++) {
      const [red, green] = [data[pixel * 4]!, data[pixel * 4 + 1]!];
      t.check(Math.abs(red + green - 255) <= 2, () => `coverage ${value}: mask ${red} and its inverse ${green}`);
      t.check(Math.abs(red / 255 - value) <= 1 / target.samples, () => `coverage ${value} gives ${red} of 255`);
    }
  }
}

const RUNS: Readonly<Record<string, (t: CaseContext, target: MultisampleTarget) => void>> = {
  num_samples_polygon: runPolygon,
  num_samples_line: runLine,
  common_edge_big_quad: (t, target) => runCommonEdge(t, target, 'big_quad'),
  common_edge_small_quads: (t, target) => runCommonEdge(t, target, 'small_quads'),
  common_edge_viewport_quad: (t, target) => runCommonEdge(t, target, 'viewport_quad'),
  depth: runDepth,
  stencil: runStencil,
  sample_coverage_invert: runInvert,
  proportionality_alpha_to_coverage: (t, target) => runMask(t, target, 'alpha_to_coverage'),
  proportionality_sample_coverage: (t, target) => runMask(t, target, 'sample_coverage'),
  proportionality_sample_coverage_inverted: (t, target) => runMask(t, target, 'sample_coverage_inverted'),
  constancy_alpha_to_coverage: (t, target) => runConstancy(t, target, 'alpha_to_coverage'),
  constancy_sample_coverage: (t, target) => runConstancy(t, target, 'sample_coverage'),
  constancy_sample_coverage_inverted: (t, target) => runConstancy(t, target, 'sample_coverage_inverted'),
  constancy_both: (t, target) => runConstancy(t, target, 'both'),
  constancy_both_inverted: (t, target) => runConstancy(t, target, 'both_inverted'),
};

/** A mask is the same all over the picture: columns are even, and the shares are right. */
function runConstancy(t: CaseContext, target: MultisampleTarget, kind: MaskKind): void {
  runMask(t, target, kind);
  drawMasked(t, kind, 8);
  const { data } = target.read();
  for (let x = 0; x < SIZE; x++)
    for (let y = 0; y < SIZE; y++) {
      const first = data[(x - (x % 4)) * 4]!;
      t.equal(data[(y * SIZE + x) * 4]!, first, `pixel ${x},${y} against the first of its column`);
    }
}

export function* multisampleCases(api: 2 | 3): Generator<CaseDefinition> {
  const groups: readonly (readonly [string, SampleChoice])[] =
    api === 2
      ? [['', 0]]
      : [
          ['default_framebuffer.', 0],
          ['fbo_4_samples.', 4],
          ['fbo_8_samples.', 8],
          ['fbo_max_samples.', -1],
        ];
  for (const [group, choice] of groups)
    for (const [name, run] of Object.entries(RUNS))
      yield functionalCase(api, `multisample.${group}${name}`, (t) => run(t, makeTarget(t, choice)), {
        width: SIZE,
        height: SIZE,
        ...(choice === 0 ? { samples: DEFAULT_SAMPLES } : {}),
      });
}
