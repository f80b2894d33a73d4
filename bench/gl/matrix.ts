// 4×4 matrices as column-major Float32Arrays that are changed in place, so that frames make no garbage.

export type Matrix = Float32Array;

export function createMatrix(): Matrix {
  return identity(new Float32Array(16));
}

export function identity(out: Matrix): Matrix {
  out.fill(0);
  out[0] = out[5] = out[10] = out[15] = 1;
  return out;
}

export function copy(out: Matrix, from: Matrix): Matrix {
  out.set(from);
  return out;
}

/** out = a · b; `out` may be `a` or `b`. */
export function multiply(out: Matrix, a: Matrix, b: Matrix): Matrix {
  for (let column = 0; column < 16; column += 4) {
    const b0 = b[column]!;
    const b1 = b[column + 1]!;
    const b2 = b[column + 2]!;
    const b3 = b[column + 3]!;
    for (let row = 0; row < 4; row++) {
      SCRATCH[column + row] = a[row]! * b0 + a[row + 4]! * b1 + a[row + 8]! * b2 + a[row + 12]! * b3;
    }
  }
  return copy(out, SCRATCH);
}

const SCRATCH = new Float32Array(16);
const STEP = new Float32Array(16);

/** matrix = matrix · translation. */
export function translate(matrix: Matrix, x: number, y: number, z: number): Matrix {
  for (let row = 0; row < 4; row++) {
    matrix[12 + row]! += matrix[row]! * x + matrix[4 + row]! * y + matrix[8 + row]! * z;
  }
  return matrix;
}

/** matrix = matrix · scale. */
export function scale(matrix: Matrix, x: number, y: number, z: number): Matrix {
  for (let row = 0; row < 4; row++) {
    matrix[row]! *= x;
    matrix[4 + row]! *= y;
    matrix[8 + row]! *= z;
  }
  return matrix;
}

/** matrix = matrix · rotation by `degrees` around an axis. */
export function rotate(matrix: Matrix, degrees: number, x: number, y: number, z: number): Matrix {
  const length = Math.hypot(x, y, z) || 1;
  const radians = (degrees * Math.PI) / 180;
  const sin = Math.sin(radians);
  const cos = Math.cos(radians);
  const ux = x / length;
  const uy = y / length;
  const uz = z / length;
  const rest = 1 - cos;
  identity(STEP);
  STEP[0] = ux * ux * rest + cos;
  STEP[1] = uy * ux * rest + uz * sin;
  STEP[2] = uz * ux * rest - uy * sin;
  STEP[4] = ux * uy * rest - uz * sin;
  STEP[5] = uy * uy * rest + cos;
  STEP[6] = uz * uy * rest + ux * sin;
  STEP[8] = ux * uz * rest + uy * sin;
  STEP[9] = uy * uz * rest - ux * sin;
  STEP[10] = uz * uz * rest + cos;
  return multiply(matrix, matrix, STEP);
}

/** A perspective projection; `fieldOfView` is the vertical angle in degrees. */
export function perspective(out: Matrix, fieldOfView: number, aspect: number, near: number, far: number): Matrix {
  const focal = 1 / Math.tan((fieldOfView * Math.PI) / 360);
  out.fill(0);
  out[0] = focal / aspect;
  out[5] = focal;
  out[10] = (far + near) / (near - far);
  out[11] = -1;
  out[14] = (2 * far * near) / (near - far);
  return out;
}

/** The view from `eye` towards `centre` with y upward. */
export function lookAt(out: Matrix, eye: ArrayLike<number>, centre: ArrayLike<number>): Matrix {
  let fx = centre[0]! - eye[0]!;
  let fy = centre[1]! - eye[1]!;
  let fz = centre[2]! - eye[2]!;
  const forward = Math.hypot(fx, fy, fz) || 1;
  fx /= forward;
  fy /= forward;
  fz /= forward;
  // side = forward × y
  let sx = -fz;
  let sz = fx;
  const side = Math.hypot(sx, sz) || 1;
  sx /= side;
  sz /= side;
  const ux = -sz * fy;
  const uy = sz * fx - sx * fz;
  const uz = sx * fy;
  identity(out);
  out[0] = sx;
  out[4] = 0;
  out[8] = sz;
  out[1] = ux;
  out[5] = uy;
  out[9] = uz;
  out[2] = -fx;
  out[6] = -fy;
  out[10] = -fz;
  return translate(out, -eye[0]!, -eye[1]!, -eye[2]!);
}

/** The inverse transpose, which carries normals; `out` must not be `from`. */
export function inverseTranspose(out: Matrix, from: Matrix): Matrix {
  // Cofactors over the determinant are the transposed inverse.
  let determinant = 0;
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      const sign = (column + row) & 1 ? -1 : 1;
      out[column * 4 + row] = sign * minor(from, column, row);
    }
    determinant += from[column * 4]! * out[column * 4]!;
  }
  const inverse = determinant === 0 ? 0 : 1 / determinant;
  for (let index = 0; index < 16; index++) out[index]! *= inverse;
  return out;
}

function minor(m: Matrix, skipColumn: number, skipRow: number): number {
  const a = skipColumn === 0 ? 4 : 0;
  const b = skipColumn <= 1 ? 8 : 4;
  const c = skipColumn <= 2 ? 12 : 8;
  const x = skipRow === 0 ? 1 : 0;
  const y = skipRow <= 1 ? 2 : 1;
  const z = skipRow <= 2 ? 3 : 2;
  return (
    m[a + x]! * (m[b + y]! * m[c + z]! - m[c + y]! * m[b + z]!) -
    m[b + x]! * (m[a + y]! * m[c + z]! - m[c + y]! * m[a + z]!) +
    m[c + x]! * (m[a + y]! * m[b + z]! - m[b + y]! * m[a + z]!)
  );
}

/** The upper 3×3 of the inverse transpose. */
export function normalMatrix3(out: Float32Array, from: Matrix): Float32Array {
  inverseTranspose(SCRATCH, from);
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) out[column * 3 + row] = SCRATCH[column * 4 + row]!;
  }
  return out;
}

/** out = matrix · (x, y, z, w). */
export function transform(out: Float32Array, matrix: Matrix, x: number, y: number, z: number, w: number): Float32Array {
  for (let row = 0; row < 4; row++) {
    out[row] = matrix[row]! * x + matrix[4 + row]! * y + matrix[8 + row]! * z + matrix[12 + row]! * w;
  }
  return out;
}
