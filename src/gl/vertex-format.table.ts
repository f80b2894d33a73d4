// Which pipe format an attribute array has: (type, size, normalized, integer) → format; and where it is allowed.

import type { Format } from '../format/format.ts';
import { GL } from './constants.ts';
import type { ExtensionName } from './extensions.ts';

interface VertexTypeRow {
  /** Bytes a component; packed types: bytes of the whole. */
  readonly bytes: number;
  readonly packed: boolean;
  readonly version: 2 | 3;
  readonly extension?: ExtensionName;
  /** Accepted by vertexAttribIPointer. */
  readonly integer: boolean;
  /** Not accepted in WebGL. */
  readonly glesOnly?: boolean;
  /** Formats of size 1…4: not normalized, normalized, and as integers. */
  readonly scaled: readonly Format[];
  readonly normalized: readonly Format[];
  readonly asInteger: readonly Format[];
}

function sizes(bits: number, kind: string): Format[] {
  const one = (channels: string) => `${channels.replace(/./g, (channel) => `${channel}${bits}`)}_${kind}` as Format;
  return [one('R'), one('RG'), one('RGB'), one('RGBA')];
}

function integers(bits: number, sign: 'S' | 'U', extra: { version?: 3; webglToo?: false } = {}): VertexTypeRow {
  return {
    bytes: bits / 8,
    packed: false,
    version: extra.version ?? 2,
    integer: true,
    scaled: sizes(bits, `${sign}SCALED`),
    normalized: sizes(bits, sign === 'S' ? 'SNORM' : 'UNORM'),
    asInteger: sizes(bits, `${sign}INT`),
  };
}

function floats(
  bits: number,
  kind: 'FLOAT' | 'FIXED',
): Pick<VertexTypeRow, 'bytes' | 'packed' | 'integer' | 'scaled' | 'normalized' | 'asInteger'> {
  const formats = sizes(bits, kind);
  return { bytes: bits / 8, packed: false, integer: false, scaled: formats, normalized: formats, asInteger: [] };
}

function packed(sign: 'S' | 'U'): VertexTypeRow {
  const four = (format: Format) => [format, format, format, format];
  return {
    bytes: 4,
    packed: true,
    version: 3,
    integer: false,
    scaled: four(`R10G10B10A2_${sign}SCALED`),
    normalized: four(`R10G10B10A2_${sign === 'S' ? 'SNORM' : 'UNORM'}`),
    asInteger: [],
  };
}

/** ES 3.0.6 table 2.2. */
export const VERTEX_TYPES: ReadonlyMap<number, VertexTypeRow> = new Map<number, VertexTypeRow>([
  [GL.BYTE, integers(8, 'S')],
  [GL.UNSIGNED_BYTE, integers(8, 'U')],
  [GL.SHORT, integers(16, 'S')],
  [GL.UNSIGNED_SHORT, integers(16, 'U')],
  [GL.INT, integers(32, 'S', { version: 3 })],
  [GL.UNSIGNED_INT, integers(32, 'U', { version: 3 })],
  [GL.FLOAT, { ...floats(32, 'FLOAT'), version: 2 }],
  [GL.HALF_FLOAT, { ...floats(16, 'FLOAT'), version: 3 }],
  [GL.HALF_FLOAT_OES, { ...floats(16, 'FLOAT'), version: 3, extension: 'OES_vertex_half_float', glesOnly: true }],
  [GL.FIXED, { ...floats(32, 'FIXED'), version: 2, glesOnly: true }],
  [GL.INT_2_10_10_10_REV, packed('S')],
  [GL.UNSIGNED_INT_2_10_10_10_REV, packed('U')],
]);

/** Bytes of one element. The type was validated. */
export function vertexElementBytes(type: number, size: number): number {
  const row = VERTEX_TYPES.get(type)!;
  return row.packed ? row.bytes : row.bytes * size;
}

export function vertexFormat(type: number, size: number, normalized: boolean, integer: boolean): Format {
  const row = VERTEX_TYPES.get(type)!;
  return (integer ? row.asInteger : normalized ? row.normalized : row.scaled)[size - 1]!;
}
