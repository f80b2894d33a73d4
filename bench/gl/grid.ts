// Rectangles of cells in the xy plane, centred at the origin.

/** Corners of one cell. */
export interface Cell {
  readonly column: number;
  readonly row: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface GridOptions {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  /** Distance between neighbouring cells. */
  readonly spacing?: number;
}

/** The cells column by column, each column from the top. */
export function* gridCells({ columns, rows, width, height, spacing = 0 }: GridOptions): Generator<Cell> {
  const cellWidth = (width - (columns - 1) * spacing) / columns;
  const cellHeight = (height - (rows - 1) * spacing) / rows;
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const left = -width / 2 + column * (cellWidth + spacing);
      const top = height / 2 - row * (cellHeight + spacing);
      yield { column, row, left, right: left + cellWidth, top, bottom: top - cellHeight };
    }
  }
}

/** Positions of two triangles for each cell. */
export function gridPositions(options: GridOptions): Float32Array {
  const positions = new Float32Array(options.columns * options.rows * 18);
  let at = 0;
  for (const { left, right, top, bottom } of gridCells(options)) {
    positions.set([left, top, 0, left, bottom, 0, right, top, 0], at);
    positions.set([left, bottom, 0, right, bottom, 0, right, top, 0], at + 9);
    at += 18;
  }
  return positions;
}
