// clipping: points, lines and triangles that leave the view volume on every side.

import { type CaseContext, type CaseDefinition, type CaseSurface, functionalCase } from '../../case.ts';
import { drawArrays } from '../../harness/draw.ts';
import { buildProgram } from '../../harness/program.ts';
import { type ClipVertex, homogeneousTriangle, type Viewport } from '../../reference/homogeneous.ts';
import {
  EITHER,
  INSIDE,
  lineInterpolation,
  pointCoverage,
  ReferencePicture,
  wideLineCoverage,
} from '../../reference/raster.ts';

const SURFACE: CaseSurface = { width: 40, height: 40 };
const CLEAR = [0.25, 0.25, 0.25, 1] as const;
/** Colours interpolate over long clipped edges; a few steps of difference are the interpolation's right. */
const TOLERANCE = 3;

type Color = readonly [number, number, number, number];

interface ClipScene {
  readonly mode: 'triangles' | 'lines' | 'points';
  readonly vertices: readonly ClipVertex[];
  readonly colors: readonly Color[];
  readonly size?: number;
  readonly viewport?: 'full' | 'center' | 'corner';
}

function viewportOf(t: CaseContext, kind: ClipScene['viewport']): Viewport {
  const { width, height } = t;
  if (kind === 'center') return { x: width / 4, y: height / 4, width: width / 2, height: height / 2 };
  if (kind === 'corner') return { x: width / 2, y: height / 2, width, height };
  return { x: 0, y: 0, width, height };
}

function supportsSize(t: CaseContext, pname: number, size: number): void {
  const range = [0, 0];
  t.gl.glGetFloatv(pname, range);
  if (range[1]! < size) t.skip(`the largest size is ${range[1]}, the case needs ${size}`);
}

function runScene(t: CaseContext, scene: ClipScene): void {
  const { gl } = t;
  const { size = 1 } = scene;
  if (scene.mode === 'lines') supportsSize(t, gl.GL_ALIASED_LINE_WIDTH_RANGE, size);
  if (scene.mode === 'points') supportsSize(t, gl.GL_ALIASED_POINT_SIZE_RANGE, size);
  buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_color: 'highp vec4' },
    varyings: { v_color: 'highp vec4' },
    vertex: `gl_Position = a_position; v_color = a_color; gl_PointSize = ${size.toFixed(1)};`,
    fragment: 'o_color = v_color;',
  });
  const viewport = viewportOf(t, scene.viewport);
  gl.glClearColor(...CLEAR);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
  gl.glLineWidth(size);
  const mode = { triangles: gl.GL_TRIANGLES, lines: gl.GL_LINES, points: gl.GL_POINTS }[scene.mode];
  drawArrays(t, mode, [
    { size: 4, data: scene.vertices.flat() },
    { size: 4, data: scene.colors.flat() },
  ]);
  const reference = new ReferencePicture(t.width, t.height, CLEAR);
  if (scene.mode === 'triangles') drawTriangles(reference, scene, viewport);
  else drawThin(reference, scene, viewport, size);
  t.check(countInside(reference) > 4, 'the case has next to nothing to see');
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: TOLERANCE, ignore: reference.open });
}

/** Judged pixels that are not the clear colour. */
function countInside({ color, open }: ReferencePicture): number {
  let count = 0;
  for (let pixel = 0; pixel < open.length; pixel++)
    if (!open[pixel] && CLEAR.some((value, channel) => color[pixel * 4 + channel] !== value)) count++;
  return count;
}

function setPixel(reference: ReferencePicture, pixel: number, coverage: number, color: readonly number[]): void {
  if (coverage === EITHER) reference.open[pixel] = 1;
  else if (coverage === INSIDE) {
    reference.open[pixel] = 0;
    for (let channel = 0; channel < 4; channel++) reference.color[pixel * 4 + channel] = color[channel]!;
  }
}

function drawTriangles(reference: ReferencePicture, scene: ClipScene, viewport: Viewport): void {
  const { vertices, colors } = scene;
  for (let first = 0; first < vertices.length; first += 3) {
    const sample = homogeneousTriangle([vertices[first]!, vertices[first + 1]!, vertices[first + 2]!], viewport);
    for (let y = 0; y < reference.height; y++)
      for (let x = 0; x < reference.width; x++) {
        const { coverage, weights } = sample(x + 0.5, y + 0.5);
        const color = [0, 1, 2, 3].map((at) =>
          weights.reduce((sum, weight, i) => sum + weight * colors[first + i]![at]!, 0),
        );
        setPixel(reference, y * reference.width + x, coverage, color);
      }
  }
}

/** Lines and points with w = 1. What clipping of a wide primitive leaves beyond the viewport's edge is open. */
function drawThin(reference: ReferencePicture, scene: ClipScene, viewport: Viewport, size: number): void {
  const toWindow = ([x, y]: ClipVertex) => ({
    x: viewport.x + ((x + 1) / 2) * viewport.width,
    y: viewport.y + ((y + 1) / 2) * viewport.height,
  });
  const { vertices, colors } = scene;
  const step = scene.mode === 'lines' ? 2 : 1;
  for (let first = 0; first < vertices.length; first += step) {
    const a = toWindow(vertices[first]!);
    const b = toWindow(vertices[first + step - 1]!);
    for (let py = 0; py < reference.height; py++)
      for (let px = 0; px < reference.width; px++) {
        const [x, y] = [px + 0.5, py + 0.5];
        let coverage: number;
        let color: readonly number[];
        if (step === 1) {
          const [cx, cy, cz] = vertices[first]!;
          const isOutside = Math.abs(cx) > 1 || Math.abs(cy) > 1;
          coverage = Math.abs(cz) > 1 ? 0 : pointCoverage(a, size, x, y);
          // A point whose centre lies outside may be dropped or drawn: versions of the specification differ.
          if (isOutside && coverage === INSIDE) coverage = EITHER;
          color = colors[first]!;
        } else {
          const [u, v] = lineInterpolation(a, b, x, y);
          const z = u * vertices[first]![2] + v * vertices[first + 1]![2];
          coverage = wideLineCoverage(a, b, size, x, y);
          // Half the width of a wide line's end may lean over the plane that cuts it.
          const length = Math.hypot(b.x - a.x, b.y - a.y);
          const zSlope = Math.abs(vertices[first]![2] - vertices[first + 1]![2]) / length;
          if (Math.abs(z) > 1 + zSlope * (size / 2 + 1)) coverage = 0;
          else if (Math.abs(z) > 1 - zSlope * (size / 2 + 1) && coverage === INSIDE && zSlope > 0) coverage = EITHER;
          color = [0, 1, 2, 3].map((at) => u * colors[first]![at]! + v * colors[first + 1]![at]!);
        }
        const inside = Math.min(
          x - viewport.x,
          viewport.x + viewport.width - x,
          y - viewport.y,
          viewport.y + viewport.height - y,
        );
        if (inside < 0 && coverage !== 0) coverage = EITHER;
        // Beside the edge, the slant of a wide line's end leaves pixels open too.
        if (step === 2 && inside < size / 2 + 1 && coverage === INSIDE) coverage = EITHER;
        setPixel(reference, py * reference.width + px, coverage, color);
      }
  }
}

const RED: Color = [1, 0, 0, 1];
const GREEN: Color = [0, 1, 0, 1];
const BLUE: Color = [0, 0, 1, 1];
const YELLOW: Color = [1, 1, 0, 1];

/** Directions in the order in which names combine them. Those along z alone stand only in clip_one. */
const DIRECTIONS = [
  ...['neg_x', 'pos_x', 'pos_y', 'neg_y', 'neg_x_neg_y', 'pos_x_neg_y', 'pos_x_pos_y', 'neg_x_pos_y'],
  ...['neg_x_neg_z', 'pos_x_neg_z', 'neg_x_pos_z', 'pos_x_pos_z'],
  ...['neg_y_neg_z', 'pos_y_neg_z', 'neg_y_pos_z', 'pos_y_pos_z'],
  ...['neg_x_neg_y_pos_z', 'pos_x_neg_y_pos_z', 'pos_x_pos_y_pos_z', 'neg_x_pos_y_pos_z'],
  ...['neg_x_neg_y_neg_z', 'pos_x_neg_y_neg_z', 'pos_x_pos_y_neg_z', 'neg_x_pos_y_neg_z'],
];

type Vector = readonly [number, number, number];

function directionVector(direction: string): Vector {
  const along = (axis: string) => (direction.includes(`pos_${axis}`) ? 1 : direction.includes(`neg_${axis}`) ? -1 : 0);
  return [along('x'), along('y'), along('z')];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Two vertices out: those that do not make the triangle a line on the screen, and opposite ones. */
function isUsefulPair(a: Vector, b: Vector): boolean {
  return cross(a, b)[2] !== 0 || (a[0] === -b[0] && a[1] === -b[1] && a[2] === -b[2]);
}

/** Three vertices out: the triangle must still pass through the middle of the view. */
function passesThroughOrigin(a: Vector, b: Vector, c: Vector): boolean {
  const crosses = [cross(b, c), cross(c, a), cross(a, b)] as const;
  if (dot(a, crosses[0]) !== 0) return false;
  const normal = crosses.find((one) => dot(one, one) > 0);
  // A triangle that the eye sees edge-on shows nothing.
  if (normal === undefined || crosses.every((one) => one[2] === 0)) return false;
  const weights = crosses.map((one) => dot(normal, one));
  return weights.every((weight) => weight >= 0) || weights.every((weight) => weight <= 0);
}

/** A vertex beyond the planes that a name like `neg_x_pos_z` lists, near the middle in the other directions. */
function vertexBeyond(t: CaseContext, direction: string, index: number): ClipVertex {
  const { random } = t;
  const angle = (index / 3) * 2 * Math.PI + 0.5;
  const near = [Math.cos(angle) * 0.7, Math.sin(angle) * 0.7, random.float(-0.5, 0.5)];
  const w = random.pick([1, 1, 2, 0.5]);
  const coordinates = ['x', 'y', 'z'].map((axis, at) => {
    if (direction.includes(`pos_${axis}`)) return random.float(1.3, 3);
    if (direction.includes(`neg_${axis}`)) return -random.float(1.3, 3);
    return near[at]!;
  });
  return [coordinates[0]! * w, coordinates[1]! * w, coordinates[2]! * w, w];
}

function countVisible(t: CaseContext, vertices: readonly ClipVertex[]): number {
  const sample = homogeneousTriangle([vertices[0]!, vertices[1]!, vertices[2]!], viewportOf(t, 'full'));
  let count = 0;
  for (let y = 0; y < t.height; y++)
    for (let x = 0; x < t.width; x++) if (sample(x + 0.5, y + 0.5).coverage === INSIDE) count++;
  return count;
}

function triangleVertexCase(api: 2 | 3, group: string, directions: readonly string[]): CaseDefinition {
  const name = `clipping.triangle_vertex.${group}.clip_${directions.join('_and_')}`;
  return functionalCase(
    api,
    name,
    (t) => {
      let vertices: ClipVertex[];
      // Far vertices may pull the triangle out of view: draw again until there is something of it to see.
      do vertices = [0, 1, 2].map((at) => vertexBeyond(t, directions[at] ?? '', at));
      while (countVisible(t, vertices) < 16);
      runScene(t, { mode: 'triangles', vertices, colors: [RED, GREEN, BLUE] });
    },
    SURFACE,
  );
}

function* triangleVertexCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const a of [...DIRECTIONS, 'neg_z', 'pos_z']) yield triangleVertexCase(api, 'clip_one', [a]);
  const vectors = DIRECTIONS.map(directionVector);
  for (const [i, a] of DIRECTIONS.entries())
    for (let j = i + 1; j < DIRECTIONS.length; j++) {
      const b = DIRECTIONS[j]!;
      if (isUsefulPair(vectors[i]!, vectors[j]!)) yield triangleVertexCase(api, 'clip_two', [a, b]);
      for (let k = j + 1; k < DIRECTIONS.length; k++)
        if (passesThroughOrigin(vectors[i]!, vectors[j]!, vectors[k]!))
          yield triangleVertexCase(api, 'clip_three', [a, b, DIRECTIONS[k]!]);
    }
}

function polygon(
  t: CaseContext,
  radius: number,
  z: (angle: number) => number,
  sides = 6,
): { vertices: ClipVertex[]; colors: Color[] } {
  const vertices: ClipVertex[] = [];
  const colors: Color[] = [];
  const corner = (index: number): ClipVertex => {
    const angle = (index / sides) * 2 * Math.PI + 0.3;
    return [Math.cos(angle) * radius, Math.sin(angle) * radius, z(angle), 1];
  };
  for (let side = 0; side < sides; side++) {
    vertices.push([0, 0, 0, 1], corner(side), corner(side + 1));
    colors.push([t.random.float(), t.random.float(), t.random.float(), 1], RED, GREEN);
  }
  return { vertices, colors };
}

const VIEWPORTS = ['', '_viewport_center', '_viewport_corner'] as const;

function viewportKind(suffix: string): NonNullable<ClipScene['viewport']> {
  return suffix === '' ? 'full' : (suffix.replace('_viewport_', '') as 'center' | 'corner');
}

function* polygonCases(api: 2 | 3): Generator<CaseDefinition> {
  const kinds: readonly [name: string, radius: number, z: (angle: number) => number][] = [
    ['poly_clip', 1.6, () => 0],
    ['poly_z_clip', 0.8, (angle) => Math.cos(angle) * 1.8],
    ['poly_attrib_clip', 2.4, () => 0.5],
    ['large_poly_clip', 30, () => 0],
    ['large_poly_z_clip', 30, (angle) => Math.sin(angle) * 40],
  ];
  for (const [name, radius, z] of kinds)
    for (const suffix of VIEWPORTS) {
      if (suffix === '' && (name === 'poly_clip' || name === 'large_poly_clip')) continue;
      yield functionalCase(
        api,
        `clipping.polygon.${name}${suffix}`,
        (t) => runScene(t, { mode: 'triangles', ...polygon(t, radius, z), viewport: viewportKind(suffix) }),
        SURFACE,
      );
    }
  for (let index = 0; index < 12; index++)
    for (const suffix of VIEWPORTS)
      yield functionalCase(
        api,
        `clipping.polygon.multiple_${index}${suffix}`,
        (t) => {
          const { random } = t;
          const vertices: ClipVertex[] = [];
          const colors: Color[] = [];
          for (let at = 0; at < 30; at++) {
            const w = random.float(0.5, 2);
            vertices.push([random.float(-2, 2) * w, random.float(-2, 2) * w, random.float(-1.5, 1.5) * w, w]);
            colors.push([random.float(), random.float(), random.float(), 1]);
          }
          runScene(t, { mode: 'triangles', vertices, colors, viewport: viewportKind(suffix) });
        },
        SURFACE,
      );
}

/** Every pixel of the viewport must be drawn exactly once by triangles that meet inside and outside of it. */
function runPolygonEdge(t: CaseContext, vertices: readonly ClipVertex[]): void {
  const { gl } = t;
  buildProgram(t, {
    attributes: { a_position: 'highp vec4' },
    vertex: 'gl_Position = a_position;',
    fragment: 'o_color = vec4(0.25);',
  });
  gl.glClearColor(0.25, 0.25, 0.25, 0.25);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glEnable(gl.GL_BLEND);
  gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE);
  drawArrays(t, gl.GL_TRIANGLES, [{ size: 4, data: vertices.flat() }]);
  const reference = new ReferencePicture(t.width, t.height, [0.5, 0.5, 0.5, 0.5]);
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: 2 });
}

/** A fan around a centre whose outline encloses the whole view. */
function enclosingFan(
  center: readonly [number, number],
  corners: readonly (readonly [number, number])[],
): ClipVertex[] {
  const at = ([x, y]: readonly [number, number]): ClipVertex => [x, y, 0, 1];
  return corners.flatMap((corner, i) => [at(center), at(corner), at(corners[(i + 1) % corners.length]!)]);
}

function* polygonEdgeCases(api: 2 | 3): Generator<CaseDefinition> {
  const square: readonly (readonly [number, number])[] = [
    [-9, -8],
    [7, -11],
    [12, 10],
    [-6, 13],
  ];
  yield functionalCase(
    api,
    'clipping.polygon_edge.poly_fan',
    (t) => {
      const corners = Array.from({ length: 15 }, (_, i) => {
        const angle = (i / 15) * 2 * Math.PI;
        const radius = t.random.float(3, 20);
        return [Math.cos(angle) * radius, Math.sin(angle) * radius] as const;
      });
      runPolygonEdge(t, enclosingFan([0.1, -0.2], corners));
    },
    SURFACE,
  );
  for (let index = 0; index < 5; index++)
    yield functionalCase(
      api,
      `clipping.polygon_edge.quad_at_origin_${index}`,
      (t) => runPolygonEdge(t, enclosingFan([(index - 2) / 20, (2 - index) / 20], square)),
      SURFACE,
    );
  for (let index = 0; index < 3; index++)
    yield functionalCase(
      api,
      `clipping.polygon_edge.quad_near_edge_${index}`,
      (t) => runPolygonEdge(t, enclosingFan([0.9 + index * 0.1, -1.05 + index * 0.02], square)),
      SURFACE,
    );
}

function* lineCases(api: 2 | 3): Generator<CaseDefinition> {
  const scene = (kind: string): Pick<ClipScene, 'vertices' | 'colors'> => {
    const z = kind.includes('z_clip') ? [-1.6, 1.4, 1.9, -0.4] : [0, 0, 0, 0];
    const reach = kind.startsWith('long') ? 60 : kind.includes('z_clip') ? 0.8 : 1.7;
    return {
      vertices: [
        [-reach, -0.3, z[0]!, 1],
        [reach, 0.2, z[1]!, 1],
        [0.4, reach, z[2]!, 1],
        [0.3, -reach, z[3]!, 1],
      ],
      colors: kind.includes('attrib') ? [RED, GREEN, BLUE, YELLOW] : [GREEN, GREEN, YELLOW, YELLOW],
    };
  };
  const names = [
    'line_attrib_clip',
    'line_clip_viewport_center',
    'line_clip_viewport_corner',
    'line_z_clip',
    'line_z_clip_viewport_center',
    'line_z_clip_viewport_corner',
    'long_line_clip',
    'long_wide_line_clip',
    'wide_line_attrib_clip',
    'wide_line_clip',
    'wide_line_clip_viewport_center',
    'wide_line_clip_viewport_corner',
    'wide_line_z_clip',
    'wide_line_z_clip_viewport_center',
    'wide_line_z_clip_viewport_corner',
  ];
  for (const name of names) {
    const kind = name.replace(/_viewport_.*/, '');
    const suffix = name.slice(kind.length);
    // Thin lines are judged by what surrounds them; wide ones by their middle.
    const run = (t: CaseContext) =>
      kind.includes('wide')
        ? runScene(t, { mode: 'lines', size: 7, ...scene(kind), viewport: viewportKind(suffix) })
        : runThinLines(t, { mode: 'lines', ...scene(kind), viewport: viewportKind(suffix) });
    yield functionalCase(api, `clipping.line.${name}`, run, SURFACE);
  }
}

/** Thin lines: each drawn pixel lies within one of the ideal line, and each column of the ideal line is drawn. */
function runThinLines(t: CaseContext, scene: ClipScene): void {
  const { gl } = t;
  buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_color: 'highp vec4' },
    varyings: { v_color: 'highp vec4' },
    vertex: 'gl_Position = a_position; v_color = a_color;',
    fragment: 'o_color = v_color;',
  });
  const viewport = viewportOf(t, scene.viewport);
  gl.glClearColor(0, 0, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
  const expected = new Uint8Array(t.width * t.height);
  const wanted: [number, number, boolean][] = [];
  drawArrays(t, gl.GL_LINES, [
    { size: 4, data: scene.vertices.flat() },
    { size: 4, data: scene.colors.flat() },
  ]);
  const { data } = t.readPixels();
  for (let first = 0; first < scene.vertices.length; first += 2) {
    const [a, b] = [scene.vertices[first]!, scene.vertices[first + 1]!];
    const ax = viewport.x + ((a[0] + 1) / 2) * viewport.width;
    const ay = viewport.y + ((a[1] + 1) / 2) * viewport.height;
    const bx = viewport.x + ((b[0] + 1) / 2) * viewport.width;
    const by = viewport.y + ((b[1] + 1) / 2) * viewport.height;
    const isXMajor = Math.abs(bx - ax) > Math.abs(by - ay);
    const [low, high] = isXMajor
      ? [viewport.x, viewport.x + viewport.width]
      : [viewport.y, viewport.y + viewport.height];
    for (let column = Math.floor(low); column < Math.min(high, isXMajor ? t.width : t.height); column++) {
      const at = isXMajor ? (column + 0.5 - ax) / (bx - ax) : (column + 0.5 - ay) / (by - ay);
      if (at < 0 || at > 1) continue;
      const z = Math.abs(a[2] + (b[2] - a[2]) * at);
      const across = Math.floor(isXMajor ? ay + (by - ay) * at : ax + (bx - ax) * at);
      const [x, y] = isXMajor ? [column, across] : [across, column];
      if (x < viewport.x || y < viewport.y || x >= t.width || y >= t.height) continue;
      if (x >= viewport.x + viewport.width || y >= viewport.y + viewport.height) continue;
      if (z > 1.12) continue;
      for (let ny = -1; ny <= 1; ny++)
        for (let nx = -1; nx <= 1; nx++)
          if (x + nx >= 0 && x + nx < t.width && y + ny >= 0 && y + ny < t.height)
            expected[(y + ny) * t.width + x + nx] = 1;
      wanted.push([x, y, isXMajor]);
      if (z > 0.88) wanted.pop();
    }
  }
  for (let pixel = 0; pixel < expected.length; pixel++) {
    const isDrawn = data[pixel * 4]! + data[pixel * 4 + 1]! + data[pixel * 4 + 2]! > 0;
    if (isDrawn && !expected[pixel])
      t.fail(`pixel ${pixel % t.width},${Math.floor(pixel / t.width)} is off every line`);
  }
  t.check(wanted.length > 4, 'the case has no line to see');
  for (const [x, y, isXMajor] of wanted) {
    const isDrawn = [-1, 0, 1].some((step) => {
      const [px, py] = isXMajor ? [x, y + step] : [x + step, y];
      if (px < 0 || py < 0 || px >= t.width || py >= t.height) return false;
      const at = (py * t.width + px) * 4;
      return data[at]! + data[at + 1]! + data[at + 2]! > 0;
    });
    t.check(isDrawn, `no line near ${x},${y}`);
  }
}

function* pointCases(api: 2 | 3): Generator<CaseDefinition> {
  const names = [
    'point_clip_viewport_center',
    'point_clip_viewport_corner',
    'point_z_clip',
    'point_z_clip_viewport_center',
    'point_z_clip_viewport_corner',
    'wide_point_clip',
    'wide_point_clip_viewport_center',
    'wide_point_clip_viewport_corner',
    'wide_point_z_clip',
    'wide_point_z_clip_viewport_center',
    'wide_point_z_clip_viewport_corner',
  ];
  for (const name of names) {
    const kind = name.replace(/_viewport_.*/, '');
    const vertices: ClipVertex[] = kind.includes('z_clip')
      ? [
          [-0.6, -0.5, -0.9, 1],
          [-0.5, 0.5, -1.2, 1],
          [0, 0, 0.95, 1],
          [0.6, 0.4, 1.3, 1],
          [0.55, -0.55, 0.2, 1],
        ]
      : [
          [-0.6, -0.5, 0, 1],
          [0.5, 1.04, 0, 1],
          [0, 0, 0, 1],
          [2, 0.4, 0, 1],
          [0.55, -0.9, 0, 1],
        ];
    // A point of three pixels always has a pixel whose centre is well inside.
    const size = kind.startsWith('wide') ? 8 : 3;
    yield functionalCase(
      api,
      `clipping.point.${name}`,
      (t) =>
        runScene(t, {
          mode: 'points',
          vertices,
          colors: [RED, GREEN, BLUE, YELLOW, GREEN],
          size,
          viewport: viewportKind(name.slice(kind.length)),
        }),
      SURFACE,
    );
  }
}

export function* clippingCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* triangleVertexCases(api);
  yield* polygonCases(api);
  yield* polygonEdgeCases(api);
  yield* lineCases(api);
  yield* pointCases(api);
}
