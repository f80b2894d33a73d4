// Packs vectors into rows of four components (GLSL ES 1.00 Appendix A.7, which GLSL ES 3.00 keeps for varyings).
// It decides whether a shader fits the limits, and where each varying stands.
// SPDX-License-Identifier: MIT

const ROW_COMPONENTS = 4;

export interface PackItem {
  /** Components of one row, 1 to 4. */
  readonly components: number;
  /** Consecutive rows: array elements and matrix columns. */
  readonly rows: number;
}

/** How a matrix (or array of them) counts against a limit: as its columns, but a mat2 takes whole rows (Appendix A.7). */
export function countedItem(rows: number, columns: number, size: number): PackItem {
  return { components: rows === 2 && columns === 2 ? ROW_COMPONENTS : rows, rows: columns * size };
}

export interface PackPlace {
  readonly row: number;
  readonly component: number;
}

export interface Packing {
  /** Parallel to the items. */
  readonly places: readonly PackPlace[];
  readonly rowCount: number;
}

/** Packs into as few rows as this way of packing can; undefined when even `maxRows` are not enough. */
export function packTightly(items: readonly PackItem[], maxRows: number): Packing | undefined {
  let area = 0;
  for (const item of items) area += item.components * item.rows;
  for (let rows = Math.ceil(area / ROW_COMPONENTS); rows <= maxRows; rows++) {
    const packing = packRows(items, rows);
    if (packing !== undefined) return packing;
  }
  return undefined;
}

/** Finds a place for every item in at most `maxRows` rows, wide and long items first; undefined when they do not fit. */
export function packRows(items: readonly PackItem[], maxRows: number): Packing | undefined {
  let area = 0;
  for (const item of items) area += item.components * item.rows;
  if (area > maxRows * ROW_COMPONENTS) return undefined;
  const order = items.map((_, index) => index);
  order.sort((a, b) => items[b].components - items[a].components || items[b].rows - items[a].rows || a - b);
  const grid = new Uint8Array(maxRows * ROW_COMPONENTS);
  const places: PackPlace[] = new Array(items.length);
  let rowCount = 0;
  for (const index of order) {
    const item = items[index];
    const place = findPlace(grid, item, maxRows);
    if (place === undefined) return undefined;
    for (let row = place.row; row < place.row + item.rows; row++) {
      const start = row * ROW_COMPONENTS + place.component;
      grid.fill(1, start, start + item.components);
    }
    places[index] = place;
    rowCount = Math.max(rowCount, place.row + item.rows);
  }
  return { places, rowCount };
}

function findPlace(grid: Uint8Array, item: PackItem, maxRows: number): PackPlace | undefined {
  if (item.components === 1) return findScalarPlace(grid, item.rows, maxRows);
  const columns = item.components === 2 ? [0, 2] : [0];
  for (const component of columns) {
    const row = firstGap(grid, component, item.components, item.rows, maxRows);
    if (row >= 0) return { row, component };
  }
  return undefined;
}

/** First of `rows` consecutive rows whose components from `component` on are free; −1 when there are none. */
function firstGap(grid: Uint8Array, component: number, width: number, rows: number, maxRows: number): number {
  let run = 0;
  for (let row = 0; row < maxRows; row++) {
    const start = row * ROW_COMPONENTS + component;
    let isFree = true;
    for (let i = start; i < start + width; i++) if (grid[i] !== 0) isFree = false;
    run = isFree ? run + 1 : 0;
    if (run === rows) return row - rows + 1;
  }
  return -1;
}

/** The column whose first fitting gap is the smallest keeps the large gaps for what comes later. */
function findScalarPlace(grid: Uint8Array, rows: number, maxRows: number): PackPlace | undefined {
  let best: PackPlace | undefined;
  let bestLength = Number.POSITIVE_INFINITY;
  for (let component = 0; component < ROW_COMPONENTS; component++) {
    const row = firstGap(grid, component, 1, rows, maxRows);
    if (row < 0) continue;
    let end = row;
    while (end < maxRows && grid[end * ROW_COMPONENTS + component] === 0) end++;
    if (end - row < bestLength) {
      bestLength = end - row;
      best = { row, component };
    }
  }
  return best;
}
