// Which pixels a primitive covers, by exact signed distances in doubles. Where the rules of GL leave a pixel open
// (centres on an edge, coordinates snapped to the subpixel grid) it is 'either', and callers do not judge it.

export interface Vertex {
  /** Window coordinates. */
  readonly x: number;
  readonly y: number;
  readonly z?: number;
  /** Clip w, 1 when absent. */
  readonly w?: number;
}

export const OUTSIDE = 0;
export const INSIDE = 1;
export const EITHER = 2;

/** A vertex may be moved by half a step of the coarsest grid that GL allows (4 bits; soft has 8). */
export const SNAP_SLACK = 1 / 32 + 1e-4;

/** Signed distance of a point from the line a→b; positive to its left. */
function distance(a: Vertex, b: Vertex, x: number, y: number): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = Math.hypot(dx, dy);
  return length === 0 ? 0 : (dx * (y - a.y) - dy * (x - a.x)) / length;
}

export function signedArea(a: Vertex, b: Vertex, c: Vertex): number {
  return ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
}

/** How a triangle covers a sample at (x, y); `slack` is how far an edge may be off. */
export function triangleCoverage(a: Vertex, b: Vertex, c: Vertex, x: number, y: number, slack = SNAP_SLACK): number {
  const [p, q, r] = signedArea(a, b, c) >= 0 ? [a, b, c] : [a, c, b];
  const least = Math.min(distance(p, q, x, y), distance(q, r, x, y), distance(r, p, x, y));
  return least > slack ? INSIDE : least < -slack ? OUTSIDE : EITHER;
}

/** Barycentric coordinates in window space; perspective-correct ones when vertices have a w. */
export function interpolation(a: Vertex, b: Vertex, c: Vertex, x: number, y: number): [number, number, number] {
  const area = signedArea(a, b, c);
  const at = { x, y };
  const u = signedArea(at, b, c) / area;
  const v = signedArea(a, at, c) / area;
  return perspective([u, v, 1 - u - v], [a, b, c]) as [number, number, number];
}

function perspective(weights: readonly number[], vertices: readonly Vertex[]): number[] {
  const scaled = weights.map((weight, index) => weight / (vertices[index]!.w ?? 1));
  const sum = scaled.reduce((total, value) => total + value, 0);
  return scaled.map((value) => value / sum);
}

/** Where along a line the nearest point of its centre lies, 0 to 1; perspective-correct. */
export function lineInterpolation(a: Vertex, b: Vertex, x: number, y: number): [number, number] {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const t = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy);
  return perspective([1 - t, t], [a, b]) as [number, number];
}

/** A point sprite's square: the pixel centre within half the size (ES 3.0.6 §3.4). */
export function pointCoverage(center: Vertex, size: number, x: number, y: number, slack = SNAP_SLACK): number {
  const reach = Math.max(Math.abs(x - center.x), Math.abs(y - center.y));
  return reach < size / 2 - slack ? INSIDE : reach > size / 2 + slack ? OUTSIDE : EITHER;
}

/**
 * The pixels of a line of width 1 by the diamond-exit rule (§3.5.1): those whose diamond the segment leaves.
 * Sampled finely along the major axis: a column's pixel is the one where the segment crosses the column's centre.
 */
export function diamondExitPixels(a: Vertex, b: Vertex): [number, number][] {
  const pixels: [number, number][] = [];
  const isXMajor = Math.abs(b.x - a.x) >= Math.abs(b.y - a.y);
  const [a0, a1, b0, b1] = isXMajor ? [a.x, a.y, b.x, b.y] : [a.y, a.x, b.y, b.x];
  const low = Math.floor(Math.min(a0, b0));
  const high = Math.floor(Math.max(a0, b0));
  for (let column = low; column <= high; column++) {
    const t = (column + 0.5 - a0) / (b0 - a0);
    const row = Math.floor(a1 + (b1 - a1) * t);
    const pixel: [number, number] = isXMajor ? [column, row] : [row, column];
    const isEntered = t >= 0 && t <= 1;
    const startsInside = insideDiamond(a, pixel);
    const endsInside = insideDiamond(b, pixel);
    // A segment that ends inside a diamond does not leave it; one that starts inside does, if it goes out.
    if (endsInside) continue;
    if (isEntered || startsInside) pixels.push(pixel);
  }
  return pixels;
}

function insideDiamond(point: Vertex, [px, py]: [number, number]): boolean {
  return Math.abs(point.x - (px + 0.5)) + Math.abs(point.y - (py + 0.5)) < 0.5;
}

/** A wide line: `width` pixels in the minor direction around the ideal line (§3.5.2), columns by the diamond rule. */
export function wideLineCoverage(a: Vertex, b: Vertex, width: number, x: number, y: number, slack = 0.51): number {
  const isXMajor = Math.abs(b.x - a.x) >= Math.abs(b.y - a.y);
  const [along, across, a0, a1, b0, b1] = isXMajor ? [x, y, a.x, a.y, b.x, b.y] : [y, x, a.y, a.x, b.y, b.x];
  const t = (along - a0) / (b0 - a0);
  const off = Math.abs(across - (a1 + (b1 - a1) * t));
  const ends = Math.min(along - Math.min(a0, b0), Math.max(a0, b0) - along);
  if (off < width / 2 - slack && ends > slack) return INSIDE;
  return off > width / 2 + slack || ends < -slack ? OUTSIDE : EITHER;
}

/** A primitive of one, two or three vertices of a list drawn in a mode, as index lists in provoking order. */
export type PrimitiveMode =
  | 'points'
  | 'lines'
  | 'line_strip'
  | 'line_loop'
  | 'triangles'
  | 'triangle_strip'
  | 'triangle_fan';

/** Decomposes `count` indices into primitives (§2.6.1). The last vertex of each is its provoking one. */
export function decompose(mode: PrimitiveMode, indices: readonly number[]): number[][] {
  const primitives: number[][] = [];
  const n = indices.length;
  const add = (...at: number[]): void => {
    primitives.push(at.map((index) => indices[index]!));
  };
  switch (mode) {
    case 'points':
      for (let i = 0; i < n; i++) add(i);
      break;
    case 'lines':
      for (let i = 0; i + 1 < n; i += 2) add(i, i + 1);
      break;
    case 'line_strip':
    case 'line_loop':
      for (let i = 0; i + 1 < n; i++) add(i, i + 1);
      if (mode === 'line_loop' && n > 1) add(n - 1, 0);
      break;
    case 'triangles':
      for (let i = 0; i + 2 < n; i += 3) add(i, i + 1, i + 2);
      break;
    case 'triangle_strip':
      for (let i = 0; i + 2 < n; i++) i % 2 === 0 ? add(i, i + 1, i + 2) : add(i + 1, i, i + 2);
      break;
    case 'triangle_fan':
      for (let i = 1; i + 1 < n; i++) add(0, i, i + 1);
      break;
  }
  return primitives;
}

export interface ShadedVertex extends Vertex {
  readonly color: readonly [number, number, number, number];
}

export interface DrawOptions {
  readonly pointSize?: number;
  readonly lineWidth?: number;
  /** The last vertex of a primitive colours it. */
  readonly isFlat?: boolean;
  readonly cull?: 'front' | 'back' | 'both';
}

/**
 * A picture of primitives over what is there, with pixels that may come out either way marked in `open`.
 * Colours are bytes in doubles; a later primitive covers an earlier one.
 */
export class ReferencePicture {
  readonly width: number;
  readonly height: number;
  readonly color: Float64Array;
  readonly open: Uint8Array;

  constructor(width: number, height: number, clear: readonly number[]) {
    this.width = width;
    this.height = height;
    this.color = new Float64Array(width * height * 4);
    for (let at = 0; at < this.color.length; at++) this.color[at] = clear[at % 4]!;
    this.open = new Uint8Array(width * height);
  }

  /** Draws window-space vertices; returns nothing but the picture. */
  draw(mode: PrimitiveMode, vertices: readonly ShadedVertex[], indices: readonly number[], options: DrawOptions = {}) {
    for (const primitive of decompose(mode, indices)) {
      const corners = primitive.map((index) => vertices[index]!);
      if (corners.length === 3) this.#triangle(corners as [ShadedVertex, ShadedVertex, ShadedVertex], options);
      else if (corners.length === 2) this.#line(corners as [ShadedVertex, ShadedVertex], options);
      else this.#point(corners[0]!, options.pointSize ?? 1);
    }
  }

  #set(pixel: number, coverage: number, color: readonly number[]): void {
    if (coverage === OUTSIDE) return;
    if (coverage === EITHER) {
      this.open[pixel] = 1;
      return;
    }
    this.open[pixel] = 0;
    for (let channel = 0; channel < 4; channel++) this.color[pixel * 4 + channel] = color[channel]!;
  }

  #each(corners: readonly Vertex[], margin: number, visit: (pixel: number, x: number, y: number) => void): void {
    const xs = corners.map(({ x }) => x);
    const ys = corners.map(({ y }) => y);
    const left = Math.max(0, Math.floor(Math.min(...xs) - margin));
    const right = Math.min(this.width - 1, Math.ceil(Math.max(...xs) + margin));
    const bottom = Math.max(0, Math.floor(Math.min(...ys) - margin));
    const top = Math.min(this.height - 1, Math.ceil(Math.max(...ys) + margin));
    for (let y = bottom; y <= top; y++) for (let x = left; x <= right; x++) visit(y * this.width + x, x + 0.5, y + 0.5);
  }

  #triangle(corners: [ShadedVertex, ShadedVertex, ShadedVertex], { isFlat, cull }: DrawOptions): void {
    const [a, b, c] = corners;
    const area = signedArea(a, b, c);
    if (cull === 'both' || (cull === 'back' && area < 0) || (cull === 'front' && area > 0)) return;
    this.#each(corners, 1, (pixel, x, y) => {
      const coverage = triangleCoverage(a, b, c, x, y);
      if (coverage !== INSIDE || isFlat) this.#set(pixel, coverage, c.color);
      else {
        const [u, v, w] = interpolation(a, b, c, x, y);
        const color = c.color.map((last, at) => u * a.color[at]! + v * b.color[at]! + w * last);
        this.#set(pixel, INSIDE, color);
      }
    });
  }

  #line(corners: [ShadedVertex, ShadedVertex], { lineWidth = 1, isFlat }: DrawOptions): void {
    const [a, b] = corners;
    this.#each(corners, lineWidth / 2 + 1, (pixel, x, y) => {
      const coverage = wideLineCoverage(a, b, lineWidth, x, y);
      const [u, v] = lineInterpolation(a, b, x, y);
      this.#set(pixel, coverage, isFlat ? b.color : b.color.map((last, at) => u * a.color[at]! + v * last));
    });
  }

  #point(vertex: ShadedVertex, size: number): void {
    this.#each([vertex], size / 2 + 1, (pixel, x, y) => {
      this.#set(pixel, pointCoverage(vertex, size, x, y), vertex.color);
    });
  }

  /** Colours of 0..1 as bytes. */
  picture(): { width: number; height: number; data: Uint8Array } {
    const data = Uint8Array.from(this.color, (value) => Math.round(Math.min(Math.max(value, 0), 1) * 255));
    return { width: this.width, height: this.height, data };
  }
}
