// Meshes whose number of triangles is chosen and not their shape: the picture cut into cells, and a cube.

/** The square from -1 to 1 as two triangles a cell, with 16-bit indices. */
export function cellMesh(columns: number, rows: number): { positions: Float32Array; indices: Uint16Array } {
  const positions = new Float32Array((columns + 1) * (rows + 1) * 3);
  for (let row = 0, at = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++, at += 3) {
      positions.set([(2 * column) / columns - 1, (2 * row) / rows - 1, 0.1 * Math.sin(column) * Math.cos(row)], at);
    }
  }
  const indices = new Uint16Array(columns * rows * 6);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at += 6) {
      const first = row * (columns + 1) + column;
      const above = first + columns + 1;
      indices.set([first, first + 1, above, above, first + 1, above + 1], at);
    }
  }
  return { positions, indices };
}

function cubePositions(): Float32Array {
  const corners: number[] = [];
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const corner = (a: number, b: number): number[] => {
        const point = [0, 0, 0];
        point[axis] = side;
        point[(axis + 1) % 3] = a * side;
        point[(axis + 2) % 3] = b;
        return point;
      };
      const [first, second, third, fourth] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      corners.push(...first!, ...second!, ...third!, ...first!, ...third!, ...fourth!);
    }
  }
  return new Float32Array(corners);
}

/** 12 triangles, wound outward. */
export const CUBE: Float32Array = cubePositions();
