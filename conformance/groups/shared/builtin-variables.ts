// shaders.builtin_variable: what a fragment knows of its place, of its point and of its triangle.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawArrays } from '../../harness/draw.ts';
import { buildProgram } from '../../harness/program.ts';
import { ReferencePicture } from '../../reference/raster.ts';

const SURFACE = { width: 64, height: 64 };
const CORNERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

type Color = readonly [number, number, number, number];

/** Draws positions with a fragment shader, and compares with a colour for each pixel; null: either way is right. */
function check(
  t: CaseContext,
  mode: number,
  positions: readonly number[],
  fragment: string,
  colorAt: (x: number, y: number) => Color | null,
  pointSize = 1,
): void {
  const { gl, width, height } = t;
  buildProgram(t, {
    attributes: { a_position: 'highp vec4' },
    vertex: `gl_Position = a_position; gl_PointSize = ${pointSize.toFixed(4)};`,
    fragment,
  });
  gl.glClearColor(0, 0, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  drawArrays(t, mode, [{ size: 4, data: positions }]);
  const reference = new ReferencePicture(width, height, [0, 0, 0, 1]);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const color = colorAt(x + 0.5, y + 0.5);
      if (color) reference.color.set(color, (y * width + x) * 4);
      else reference.open[y * width + x] = 1;
    }
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: 1, ignore: reference.open });
}

/** A value that is linear over the window, at normalized device coordinates. */
function plane(x: number, y: number): number {
  return 0.5 + 0.3 * x - 0.15 * y;
}

function fragCoordXyz(t: CaseContext): void {
  const { gl, width, height } = t;
  const positions = CORNERS.flatMap(([x, y]) => [x, y, 2 * plane(x, y) - 1, 1]);
  const fragment = `o_color = vec4(gl_FragCoord.x / ${width}.0, gl_FragCoord.y / ${height}.0, gl_FragCoord.z, 1.0);`;
  check(t, gl.GL_TRIANGLE_STRIP, positions, fragment, (x, y) => [
    x / width,
    y / height,
    plane((x / width) * 2 - 1, (y / height) * 2 - 1),
    1,
  ]);
}

function fragCoordW(t: CaseContext): void {
  const { gl, width, height } = t;
  const positions = CORNERS.flatMap(([x, y]) => {
    const w = 1 / plane(x, y);
    return [x * w, y * w, 0, w];
  });
  check(t, gl.GL_TRIANGLE_STRIP, positions, 'o_color = vec4(0.0, gl_FragCoord.w, 0.0, 1.0);', (x, y) => [
    0,
    plane((x / width) * 2 - 1, (y / height) * 2 - 1),
    0,
    1,
  ]);
}

/** The coordinate grows to the right and downwards (ES 2.0.25 §3.3, ES 3.0.6 §3.4). */
function pointCoord(t: CaseContext): void {
  const { gl, width, height, random } = t;
  for (const size of [5.5, 12, 23.25]) {
    const [xw, yw] = [random.float(24, 40), random.float(24, 40)];
    const position = [(xw / width) * 2 - 1, (yw / height) * 2 - 1, 0, 1];
    const at = (x: number, y: number): Color | null => {
      const [s, r] = [0.5 + (x - xw) / size, 0.5 - (y - yw) / size];
      const inside = Math.min(s, 1 - s, r, 1 - r) * size;
      if (Math.abs(inside) < 0.02) return null;
      return inside > 0 ? [s, r, 0, 1] : [0, 0, 0, 1];
    };
    check(t, gl.GL_POINTS, position, 'o_color = vec4(gl_PointCoord, 0.0, 1.0);', at, size);
  }
}

function frontFacing(t: CaseContext): void {
  const { gl, width, height } = t;
  // One triangle of each winding, apart by a line no pixel centre lies on.
  const [a, b, c, d] = CORNERS;
  const positions = [a, b, d, a, c, d].flatMap(([x, y]) => [x, y, 0, 1]);
  for (const isReversed of [false, true]) {
    gl.glFrontFace(isReversed ? gl.GL_CW : gl.GL_CCW);
    const fragment = 'o_color = gl_FrontFacing ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(0.0, 0.0, 1.0, 1.0);';
    check(t, gl.GL_TRIANGLES, positions, fragment, (x, y) => {
      const side = x / width - y / height;
      if (Math.abs(side) < 0.01) return null;
      return side > 0 !== isReversed ? [0, 1, 0, 1] : [0, 0, 1, 1];
    });
  }
}

export function* builtinVariableCases(api: 2 | 3): Generator<CaseDefinition> {
  const cases = {
    fragcoord_xyz: fragCoordXyz,
    fragcoord_w: fragCoordW,
    pointcoord: pointCoord,
    frontfacing: frontFacing,
  };
  for (const [name, run] of Object.entries(cases))
    yield functionalCase(api, `shaders.builtin_variable.${name}`, run, SURFACE);
}
