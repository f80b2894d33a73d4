// scissor, depth_range, polygon_offset, rasterizer_discard, occlusion_query, dither: smaller per-fragment groups.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawArrays, drawFullQuad, drawRects } from '../../harness/draw.ts';
import { attachRenderbuffer, generate, requireComplete } from '../../harness/framebuffer.ts';
import { buildProgram, colorProgram } from '../../harness/program.ts';
import { bothFaces, FragmentScript } from '../../harness/script.ts';
import { ReferencePicture, type ShadedVertex } from '../../reference/raster.ts';
import { modeValue } from './rasterization.ts';

const SURFACE = { width: 32, height: 32 };
const BOX = { x: 8, y: 9, width: 15, height: 12 };

/** Triangles, wide lines and points against the scissor box. */
function runScissor(t: CaseContext, name: string): void {
  const { gl, width, height } = t;
  if (name.startsWith('clear')) return runScissoredClear(t, name);
  const at = (x: number, y: number, color: readonly [number, number, number, number]): ShadedVertex => ({
    x,
    y,
    color,
  });
  const [red, green] = [[1, 0, 0, 1] as const, [0, 1, 0, 1] as const];
  const shapes: Readonly<Record<string, { mode: 'triangles' | 'lines' | 'points'; vertices: ShadedVertex[] }>> = {
    contained_tri: { mode: 'triangles', vertices: [at(10, 11, red), at(20, 12, red), at(13, 19, red)] },
    partial_tri: { mode: 'triangles', vertices: [at(2, 3, red), at(28, 8, red), at(12, 30, red)] },
    enclosing_tri: { mode: 'triangles', vertices: [at(-30, -20, red), at(70, -20, red), at(16, 90, red)] },
    outside_render_tri: { mode: 'triangles', vertices: [at(1, 1, red), at(7, 1, red), at(1, 31, red)] },
    contained_line: { mode: 'lines', vertices: [at(11.3, 13.2, red), at(19.6, 16.8, red)] },
    partial_line: { mode: 'lines', vertices: [at(2, 10, red), at(30, 20, red)] },
    partial_lines: { mode: 'lines', vertices: [at(2, 10, red), at(30, 20, red), at(12, 1, green), at(14, 31, green)] },
    outside_render_line: { mode: 'lines', vertices: [at(2, 2, red), at(30, 3, red)] },
    contained_point: { mode: 'points', vertices: [at(15.5, 15.5, red)] },
    outside_point: { mode: 'points', vertices: [at(3.5, 3.5, red)] },
    outside_render_point: { mode: 'points', vertices: [at(27.5, 27.5, red)] },
    partial_points: { mode: 'points', vertices: [at(8.5, 9.5, red), at(22.5, 20.5, green), at(15.5, 15.5, red)] },
  };
  const shape = shapes[name.replace(/_tris$/, '_tri')]!;
  buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_color: 'highp vec4' },
    varyings: { v_color: 'highp vec4' },
    vertex: 'gl_Position = a_position; v_color = a_color; gl_PointSize = 6.0;',
    fragment: 'o_color = v_color;',
  });
  gl.glClearColor(0.25, 0.25, 0.25, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glEnable(gl.GL_SCISSOR_TEST);
  gl.glScissor(BOX.x, BOX.y, BOX.width, BOX.height);
  gl.glLineWidth(5);
  drawArrays(t, modeValue(t, shape.mode), [
    { size: 4, data: shape.vertices.flatMap(({ x, y }) => [(x / width) * 2 - 1, (y / height) * 2 - 1, 0, 1]) },
    { size: 4, data: shape.vertices.flatMap(({ color }) => [...color]) },
  ]);
  const reference = new ReferencePicture(width, height, [0.25, 0.25, 0.25, 1]);
  reference.draw(
    shape.mode,
    shape.vertices,
    shape.vertices.map((_, i) => i),
    { lineWidth: 5, pointSize: 6 },
  );
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isInside = x >= BOX.x && y >= BOX.y && x < BOX.x + BOX.width && y < BOX.y + BOX.height;
    if (isInside) continue;
    reference.open[pixel] = 0;
    reference.color.set([0.25, 0.25, 0.25, 1], pixel * 4);
  }
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: 1, ignore: reference.open });
}

function runScissoredClear(t: CaseContext, name: string): void {
  const script = new FragmentScript(t);
  script.clear({ color: [0.5, 0.5, 1, 1], depth: 1, stencil: 9 });
  const scissor = { scissor: BOX };
  if (name === 'clear_depth') script.clear({ depth: 0.25 }, scissor);
  else if (name === 'clear_stencil') script.clear({ stencil: 123 }, scissor);
  else script.clear({ color: [1, 0.5, 0, 1] }, scissor);
  if (name !== 'clear_color') script.showDepthAndStencil();
  // What is shown of depth and stencil is exact: their neighbours are one step of red away.
  script.compare({ tolerance: name === 'clear_color' ? 1 : 0 });
}

function* scissorCases(api: 2 | 3): Generator<CaseDefinition> {
  const common = [
    'clear_color',
    'clear_depth',
    'clear_stencil',
    'contained_line',
    'contained_point',
    'contained_tri',
    'enclosing_tri',
    'outside_point',
    'outside_render_line',
    'outside_render_point',
    'outside_render_tri',
    'partial_line',
    'partial_lines',
    'partial_points',
    'partial_tri',
  ];
  const more = api === 2 ? ['contained_tris', 'partial_tris'] : [];
  for (const name of [...common, ...more])
    yield functionalCase(api, `fragment_ops.scissor.${name}`, (t) => runScissor(t, name), SURFACE);
}

/** Depth ranges by name: near and far (before clamping), and the range of normalised depths that is drawn. */
const DEPTH_RANGES: Readonly<Record<string, readonly [number, number]>> = {
  default: [0, 1],
  reverse: [1, 0],
  zero_to_half: [0, 0.5],
  half_to_one: [0.5, 1],
  one_to_half: [1, 0.5],
  half_to_zero: [0.5, 0],
  third_to_0_8: [1 / 3, 0.8],
  '0_8_to_third': [0.8, 1 / 3],
  zero_to_zero: [0, 0],
  half_to_half: [0.5, 0.5],
  one_to_one: [1, 1],
  clamp_near: [-1, 0.75],
  clamp_far: [0.25, 2],
  clamp_both: [-1, 2],
};

/** Columns of falling depth, mapped by the range: later rectangles at fixed depths show which of them are nearer. */
function runDepthRange(t: CaseContext, range: readonly [number, number], isWrite: boolean): void {
  const { gl, width, height } = t;
  colorProgram(t);
  const clamp = (value: number) => Math.min(Math.max(value, 0), 1);
  const [near, far] = [clamp(range[0]), clamp(range[1])];
  const columns = 8;
  const ndc = (column: number) => (column / (columns - 1)) * 1.8 - 0.9;
  const windowDepth = (column: number) => near + ((far - near) * (ndc(column) + 1)) / 2;
  const step = width / columns;
  const strips = Array.from({ length: columns }, (_, column) => ({
    x: column * step,
    y: 0,
    width: step,
    height,
    color: [1, 0, 0, 1] as const,
    depth: ndc(column),
  }));
  gl.glClearColor(0, 0, 0, 1);
  gl.glClearDepthf(1);
  gl.glEnable(gl.GL_DEPTH_TEST);
  const data = new Uint8Array(width * height * 4);
  const ignore = new Uint8Array(width * height);
  // Rows of known depths.
  const rows = 8;
  const rowDepth = (row: number) => (row + 0.5) / rows;
  const bands = Array.from({ length: rows }, (_, row) => ({
    x: 0,
    y: (row * height) / rows,
    width,
    height: height / rows,
    color: [0, 1, 0, 1] as const,
    depth: rowDepth(row) * 2 - 1,
  }));
  gl.glDepthFunc(gl.GL_ALWAYS);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT);
  const drawRanged = () => {
    gl.glDepthRangef(range[0], range[1]);
    drawRects(t, strips);
    gl.glDepthRangef(0, 1);
  };
  if (isWrite) drawRanged();
  else drawRects(t, bands);
  gl.glDepthFunc(gl.GL_LESS);
  if (isWrite) drawRects(t, bands);
  else drawRanged();
  for (let pixel = 0; pixel < width * height; pixel++) {
    const column = Math.floor((pixel % width) / step);
    const row = Math.floor(Math.floor(pixel / width) / (height / rows));
    const [ranged, fixed] = [windowDepth(column), rowDepth(row)];
    if (Math.abs(ranged - fixed) < 1e-4) ignore[pixel] = 1;
    const showsFixed = isWrite ? fixed < ranged : !(ranged < fixed);
    data.set(showsFixed ? [0, 255, 0, 255] : [255, 0, 0, 255], pixel * 4);
  }
  t.comparePicture(t.readPixels(), { width, height, data }, { ignore });
}

function* depthRangeCases(): Generator<CaseDefinition> {
  for (const [name, range] of Object.entries(DEPTH_RANGES))
    for (const group of ['write', 'compare'])
      yield functionalCase(
        2,
        `depth_range.${group}.${name}`,
        (t) => runDepthRange(t, range, group === 'write'),
        SURFACE,
      );
}

/** Offsets let one of two polygons in the same plane win, or a sloped one pass a test that it would fail. */
function runPolygonOffset(t: CaseContext, kind: string, depthFormat: number | null): void {
  const { gl, width, height } = t;
  if (depthFormat !== null) {
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
    attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, t.api === 3 ? gl.GL_RGBA8 : gl.GL_RGB565);
    attachRenderbuffer(t, gl.GL_DEPTH_ATTACHMENT, depthFormat);
    requireComplete(t);
  }
  colorProgram(t);
  gl.glClearColor(0, 0, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT);
  gl.glEnable(gl.GL_DEPTH_TEST);
  gl.glDepthFunc(gl.GL_LESS);
  const sloped = kind === 'render_with_factor' || kind === 'factor_0_slope';
  const draw = (color: readonly number[], left = -1, right = 1) => {
    const z = (x: number) => (sloped && kind !== 'factor_0_slope' ? x * 0.5 : 0.25);
    const corners = [
      [left, -1],
      [right, -1],
      [left, 1],
      [right, 1],
    ] as const;
    drawArrays(t, gl.GL_TRIANGLE_STRIP, [
      { size: 4, data: corners.flatMap(([x, y]) => [x, y, z(x), 1]) },
      { size: 4, data: corners.flatMap(() => [...color]) },
    ]);
  };
  draw([1, 0, 0, 1]);
  const [factor, units] = kind === 'render_with_factor' ? [-1, 0] : kind === 'factor_0_slope' ? [-4, 0] : [0, -2];
  gl.glPolygonOffset(factor, units);
  if (kind !== 'enable_off') gl.glEnable(gl.GL_POLYGON_OFFSET_FILL);
  draw([0, 1, 0, 1], -1, 0);
  gl.glDisable(gl.GL_POLYGON_OFFSET_FILL);
  // Without the offset the same plane fails the test.
  draw([0, 0, 1, 1], 0, 1);
  // No slope means that a factor alone changes nothing.
  const left = kind === 'factor_0_slope' ? [255, 0, 0, 255] : [0, 255, 0, 255];
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++)
    data.set(pixel % width < width / 2 ? left : [255, 0, 0, 255], pixel * 4);
  t.comparePicture(t.readPixels(), { width, height, data });
}

function* polygonOffsetCases(api: 2 | 3): Generator<CaseDefinition> {
  const formats: Readonly<Record<string, number | null>> = {
    default: null,
    fixed16: 0x81a5,
    ...(api === 3 ? { fixed24: 0x81a6, float32: 0x8cac } : {}),
  };
  for (const [name, format] of Object.entries(formats))
    for (const kind of [
      'enable',
      'displacement_with_units',
      'render_with_units',
      'render_with_factor',
      'factor_0_slope',
    ])
      yield functionalCase(api, `polygon_offset.${name}_${kind}`, (t) => runPolygonOffset(t, kind, format), SURFACE);
}

/** Nothing may be written while primitives are discarded. */
function runDiscard(t: CaseContext, name: string, target: string): void {
  const { gl } = t;
  if (target === 'fbo') {
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
    attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA8);
    attachRenderbuffer(t, gl.GL_DEPTH_STENCIL_ATTACHMENT, gl.GL_DEPTH24_STENCIL8);
    requireComplete(t);
  }
  const script = new FragmentScript(t);
  script.clear({ color: [0.5, 0.25, 0.75, 1], depth: 0.5, stencil: 3 });
  if (target === 'scissor') {
    gl.glEnable(gl.GL_SCISSOR_TEST);
    gl.glScissor(0, 0, t.width, t.height);
  }
  gl.glEnable(gl.GL_RASTERIZER_DISCARD);
  if (name.startsWith('clear')) {
    gl.glClearColor(1, 1, 1, 1);
    gl.glClearDepthf(0);
    gl.glClearStencil(255);
    // Clears are fragments of a kind too (ES 3.0.6 §3.1).
    gl.glClear(
      name === 'clear_color'
        ? gl.GL_COLOR_BUFFER_BIT
        : name === 'clear_depth'
          ? gl.GL_DEPTH_BUFFER_BIT
          : gl.GL_STENCIL_BUFFER_BIT,
    );
  } else {
    const mode = name.replace(/^write_(depth|stencil)_/, '') as Parameters<typeof modeValue>[1];
    gl.glEnable(name.includes('depth') ? gl.GL_DEPTH_TEST : gl.GL_STENCIL_TEST);
    gl.glDepthFunc(gl.GL_ALWAYS);
    gl.glStencilFunc(gl.GL_ALWAYS, 200, 255);
    gl.glStencilOp(gl.GL_REPLACE, gl.GL_REPLACE, gl.GL_REPLACE);
    const corners = [-1, -1, -0.5, 1, 1, -1, -0.5, 1, -1, 1, -0.5, 1, 1, 1, -0.5, 1];
    drawArrays(t, modeValue(t, mode), [
      { size: 4, data: corners },
      { size: 4, data: new Array(16).fill(1) },
    ]);
    gl.glDisable(gl.GL_DEPTH_TEST);
    gl.glDisable(gl.GL_STENCIL_TEST);
  }
  gl.glDisable(gl.GL_RASTERIZER_DISCARD);
  script.compare({ tolerance: 1 }, 'colours');
  script.showDepthAndStencil();
  script.compare({}, 'depth and stencil');
}

function* discardCases(): Generator<CaseDefinition> {
  const modes = ['points', 'lines', 'line_strip', 'line_loop', 'triangles', 'triangle_strip', 'triangle_fan'];
  const names = [
    'clear_color',
    'clear_depth',
    'clear_stencil',
    ...['depth', 'stencil'].flatMap((buffer) => modes.map((mode) => `write_${buffer}_${mode}`)),
  ];
  for (const target of ['basic', 'fbo', 'scissor'])
    for (const name of names)
      yield functionalCase(3, `rasterizer_discard.${target}.${name}`, (t) => runDiscard(t, name, target), SURFACE);
}

const COLORED = {
  attributes: { a_position: 'highp vec4', a_color: 'highp vec4' },
  varyings: { v_color: 'highp vec4' },
  vertex: 'gl_Position = a_position; v_color = a_color;',
};

/** Whether any fragment of a rectangle passes, by the model and by the query. */
function runOcclusion(t: CaseContext, name: string): void {
  const { gl, random } = t;
  const isConservative = name.startsWith('conservative_');
  const parts =
    name === 'all_occluders' || name === 'conservative_all_occluders'
      ? 'scissor_depth_write_depth_clear_stencil_write_stencil_clear'
      : name;
  const target = isConservative ? gl.GL_ANY_SAMPLES_PASSED_CONSERVATIVE : gl.GL_ANY_SAMPLES_PASSED;
  const script = new FragmentScript(t);
  const late = buildProgram(t, { ...COLORED, fragment: 'if (v_color.x > 2.0) discard; o_color = v_color;' });
  const plain = buildProgram(t, { ...COLORED, fragment: 'o_color = v_color;' });
  for (let round = 0; round < 6; round++) {
    // A shader that might discard is tested after it has run: what fails then must not count.
    gl.glUseProgram((round % 2 === 0 ? late : plain).name);
    script.clear({ color: [0, 0, 0, 1], depth: 1, stencil: 0 });
    const rect = () => {
      const [x, y] = [random.int(0, 20), random.int(0, 20)];
      return { x, y, width: random.int(2, 32 - x), height: random.int(2, 32 - y) };
    };
    if (parts.includes('depth_write'))
      script.draw([{ ...rect(), color: [1, 0, 0, 1], depth: -0.5 }], { depth: { func: 'always', writes: true } });
    if (parts.includes('depth_clear')) script.clear({ depth: 0 }, { scissor: rect() });
    if (parts.includes('stencil_write'))
      script.draw([{ ...rect(), color: [0, 0, 1, 1] }], { stencil: bothFaces({ ref: 1, pass: 'replace' }) });
    if (parts.includes('stencil_clear')) script.clear({ stencil: 1 }, { scissor: rect() });
    const tested = {
      scissor: parts.includes('scissor') ? rect() : null,
      depth: { func: 'less', writes: false } as const,
      stencil: bothFaces({ func: 'equal', ref: 0 }),
    };
    // Small and large targets: some are hidden, others not.
    const size = random.pick([2, 3, 8]);
    const place = {
      x: random.int(0, 32 - size),
      y: random.int(0, 32 - size),
      width: size,
      height: size,
      color: [0, 1, 0, 1] as const,
      depth: 0,
    };
    const query = generate(gl.glGenQueries);
    gl.glBeginQuery(target, query);
    let passed = 0;
    const model = script.reference;
    const fragment = model.fragment.bind(model);
    model.fragment = (...args) => {
      const isDrawn = fragment(...args);
      if (isDrawn) passed++;
      return isDrawn;
    };
    script.draw([place], tested);
    // Work is cut off, and what follows passes nowhere: the query is of all that was drawn.
    if (round >= 3) t.readPixels(0, 0, 1, 1);
    script.draw([place], { ...tested, depth: { func: 'never', writes: false } });
    model.fragment = fragment;
    gl.glEndQuery(target);
    const result = [7];
    gl.glGetQueryObjectuiv(query, gl.GL_QUERY_RESULT, result);
    const isSeen = result[0] !== 0;
    // The conservative kind may claim more than there is, never less.
    t.check(
      isConservative ? isSeen || passed === 0 : isSeen === passed > 0,
      `round ${round}: the query says ${result[0]}, ${passed} fragments passed`,
    );
  }
  script.compare({ tolerance: 1 });
}

function* occlusionCases(): Generator<CaseDefinition> {
  const occluders = ['depth_write', 'depth_clear', 'stencil_write', 'stencil_clear'];
  for (const prefix of ['', 'conservative_']) {
    yield functionalCase(
      3,
      `occlusion_query.${prefix}all_occluders`,
      (t) => runOcclusion(t, `${prefix}all_occluders`),
      SURFACE,
    );
    for (const scissor of ['', 'scissor'])
      for (let set = 0; set < 16; set++) {
        const chosen = [...(scissor ? [scissor] : []), ...occluders.filter((_, bit) => set & (1 << bit))];
        if (chosen.length === 0 || chosen.length === 5) continue;
        yield functionalCase(
          3,
          `occlusion_query.${prefix}${chosen.join('_')}`,
          (t) => runOcclusion(t, `${prefix}${chosen.join('_')}`),
          SURFACE,
        );
      }
  }
}

/** With 8 bits a channel a smooth picture stays within a step of its colours, dithered or not. */
function runDither(t: CaseContext, name: string, isEnabled: boolean): void {
  const { gl, width, height } = t;
  colorProgram(t);
  if (isEnabled) gl.glEnable(gl.GL_DITHER);
  else gl.glDisable(gl.GL_DITHER);
  const channel = { red: 0, green: 1, blue: 2, alpha: 3 }[name.replace(/^(gradient|unicolored_quad)_/, '') as 'red'];
  const isGradient = name.startsWith('gradient');
  const color = (level: number) =>
    [0, 1, 2, 3].map((at) => (channel === undefined || at === channel ? level : at === 3 && channel !== 3 ? 1 : 0));
  const ends = isGradient ? [0.1, 0.9] : [0.37, 0.37];
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  drawFullQuad(t, [
    { size: 4, data: [...color(ends[0]!), ...color(ends[1]!), ...color(ends[0]!), ...color(ends[1]!)] },
  ]);
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const level = ends[0]! + (ends[1]! - ends[0]!) * (((pixel % width) + 0.5) / width);
    data.set(
      color(level).map((value) => Math.round(value * 255)),
      pixel * 4,
    );
  }
  t.comparePicture(t.readPixels(), { width, height, data }, { tolerance: isEnabled ? 2 : 1 });
}

function* ditherCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [group, isEnabled] of [
    ['enabled', true],
    ['disabled', false],
  ] as const)
    for (const kind of ['gradient', 'unicolored_quad'])
      for (const color of ['red', 'green', 'blue', 'alpha', 'white'])
        yield functionalCase(
          api,
          `dither.${group}.${kind}_${color}`,
          (t) => runDither(t, `${kind}_${color}`, isEnabled),
          SURFACE,
        );
}

export function* fragmentMiscCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* scissorCases(api);
  yield* polygonOffsetCases(api);
  yield* ditherCases(api);
  if (api === 2) yield* depthRangeCases();
  else {
    yield* discardCases();
    yield* occlusionCases();
  }
}
