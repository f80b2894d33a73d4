// buffer: a wireframe sheet with a wave, of which a part of the vertices changes in every frame.

import { gridCells } from '../gl/grid.ts';
import { createMatrix, identity, rotate, translate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import { FLAG, type Scene } from '../scene.ts';
import { createTransformUniforms } from './turning-model.ts';

const LENGTH = 5;
const WIDTH = 2;
const HEIGHT = 0.2;
/** Lengths of the sheet that the wave travels in a second. */
const SPEED = 0.1;
const MAX_CELLS = 100_000;

/** Corners of a cell: even ones lie on its left side, odd ones on its right side. */
const CORNERS = ['left bottom', 'right top', 'left top', 'right top', 'left bottom', 'right bottom'];

function sheetAttributes(columns: number, rows: number): Float32Array[] {
  const attributes = Array.from({ length: 4 }, () => new Float32Array(columns * rows * 18));
  let vertex = 0;
  for (const cell of gridCells({ columns, rows, width: LENGTH, height: WIDTH })) {
    const corners = CORNERS.map((corner) => [
      corner.startsWith('left') ? cell.left : cell.right,
      corner.endsWith('top') ? cell.top : cell.bottom,
      0,
    ]);
    for (let corner = 0; corner < 6; corner++) {
      // A vertex knows all three corners of its triangle, to tell how far the sides are.
      const first = corner < 3 ? 0 : 3;
      const known = [corners[corner]!, corners[first]!, corners[first + 1]!, corners[first + 2]!];
      for (const [attribute, place] of known.entries()) attributes[attribute]!.set(place, vertex * 3);
      vertex++;
    }
  }
  return attributes;
}

export const buffer: Scene = {
  name: 'buffer',
  help: 'a sheet whose vertices change in every frame',
  options: [
    { name: 'interleave', default: 'false', values: FLAG, help: 'one buffer for all attributes' },
    {
      name: 'update-method',
      default: 'map',
      values: ['map', 'subdata'],
      help: 'WebGL cannot map: one write for all that changes, or one for each range of it',
    },
    { name: 'update-fraction', default: '1.0', help: 'part of the sheet that changes in a frame, 0 to 1' },
    { name: 'update-dispersion', default: '0.0', help: 'how far apart the changes lie, 0 to 1' },
    { name: 'columns', default: '100', help: 'cells along the sheet' },
    { name: 'rows', default: '20', help: 'cells across it' },
    { name: 'buffer-usage', default: 'static', values: ['static', 'stream', 'dynamic'], help: 'hint of use' },
  ],
  setup({ gl, width, height, options, projection, program: link }) {
    const [columns, rows] = [options.number('columns'), options.number('rows')];
    if (!(columns >= 1 && rows >= 1 && columns * rows <= MAX_CELLS) || columns % 1 !== 0 || rows % 1 !== 0) {
      throw new Error(`columns=${columns}, rows=${rows}: whole numbers, at most ${MAX_CELLS} cells`);
    }
    const fraction = options.number('update-fraction');
    const period = fraction * (1 - options.number('update-dispersion') + 0.0001) * LENGTH;
    if (!(period > 0)) throw new Error('update-fraction and 1 - update-dispersion must be above 0');
    const distance = period / fraction;
    const usages = { static: gl.STATIC_DRAW, stream: gl.STREAM_DRAW, dynamic: gl.DYNAMIC_DRAW };
    const attributes = sheetAttributes(columns, rows);
    const mesh = createMesh(
      gl,
      attributes.map((data) => ({ size: 3, data })),
      {
        interleave: options.flag('interleave'),
        usage: usages[options.text('buffer-usage') as keyof typeof usages],
      },
    );
    const program = link('buffer-wireframe.vert', 'buffer-wireframe.frag');
    mesh.setLocations(['position', 'tvertex0', 'tvertex1', 'tvertex2'].map((name) => program.attribute(name)));
    const setUniforms = createTransformUniforms(gl, program);
    const view = createMatrix();
    const isOneWrite = options.text('update-method') === 'map';
    const lift = new Float64Array(columns + 1);
    const ranges = new Int32Array((columns + 2) * 2);
    const perColumn = rows * 6;

    const waveAt = (column: number, elapsed: number): number => {
      const x = (column * LENGTH) / columns - SPEED * LENGTH * elapsed;
      const phase = x - Math.floor(x / distance) * distance;
      return phase > period ? 0 : HEIGHT * Math.sin((2 * Math.PI * phase) / period);
    };
    /** Finds the columns of cells that change, as pairs of first and end. */
    const findRanges = (elapsed: number): number => {
      let count = 0;
      for (let column = 0; column <= columns; column++) {
        const value = waveAt(column, elapsed);
        if (value === lift[column]) continue;
        lift[column] = value;
        const [first, end] = [Math.max(column - 1, 0), Math.min(column + 1, columns)];
        if (count > 0 && ranges[count * 2 - 1]! >= first) ranges[count * 2 - 1] = end;
        else {
          ranges[count * 2] = first;
          ranges[count * 2 + 1] = end;
          count++;
        }
      }
      return count;
    };
    const moveColumns = (first: number, end: number): void => {
      for (let column = first; column < end; column++) {
        for (let vertex = column * perColumn; vertex < (column + 1) * perColumn; vertex++) {
          const triangle = vertex - (vertex % 3);
          attributes[0]![vertex * 3 + 2] = lift[column + (vertex & 1)]!;
          attributes[1]![vertex * 3 + 2] = lift[column + (triangle & 1)]!;
          attributes[2]![vertex * 3 + 2] = lift[column + ((triangle + 1) & 1)]!;
          attributes[3]![vertex * 3 + 2] = lift[column + (triangle & 1)]!;
        }
      }
    };

    gl.disable(gl.CULL_FACE);
    program.use();
    gl.uniform2f(program.uniform('Viewport'), width, height);
    return {
      update(elapsed) {
        const count = findRanges(elapsed);
        for (let range = 0; range < count; range++) moveColumns(ranges[range * 2]!, ranges[range * 2 + 1]!);
        if (count === 0) return;
        if (isOneWrite) {
          mesh.update(ranges[0]! * perColumn, (ranges[count * 2 - 1]! - ranges[0]!) * perColumn);
          return;
        }
        for (let range = 0; range < count; range++) {
          const [first, end] = [ranges[range * 2]!, ranges[range * 2 + 1]!];
          mesh.update(first * perColumn, (end - first) * perColumn);
        }
      },
      draw() {
        translate(identity(view), 0, 0, -4);
        rotate(view, 45, -1, 0, 0);
        setUniforms(projection, view);
        mesh.draw();
      },
      dispose() {
        mesh.dispose();
        program.dispose();
      },
    };
  },
};
