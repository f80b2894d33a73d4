// Codecs of the kernel's structs and the numbers of its requests, derived from the table.

import {
  IOCTLS,
  type IoctlName,
  PARAMS,
  type ParamName,
  type ScalarType,
  STRUCTS,
  type StructName,
} from './uapi.table.ts';

export interface FieldLayout {
  readonly name: string;
  readonly type: ScalarType | StructName;
  readonly count: number;
  readonly offset: number;
}

export interface StructLayout {
  readonly sizeBytes: number;
  readonly alignBytes: number;
  readonly fields: readonly FieldLayout[];
}

/** Numbers up to 32 bits and results that fit; bigint beyond. Missing fields are 0. */
export type Values = Readonly<Record<string, number | bigint>>;

/** Bytes of a pointer in this process. */
export const POINTER_BYTES = ['arm', 'mips', 'mipsel', 'ppc'].includes(globalThis.process?.arch ?? '') ? 4 : 8;

const SCALAR_BYTES: Readonly<Record<ScalarType, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  s32: 4,
  u64: 8,
  s64: 8,
  long: POINTER_BYTES,
  pointer: POINTER_BYTES,
};

function isScalar(type: string): type is ScalarType {
  return Object.hasOwn(SCALAR_BYTES, type);
}

const layouts = new Map<StructName, StructLayout>();

/** Offsets as C has them on the machines with such GPUs: each field aligned to its size, nested structs to their widest field. */
export function layoutOf(struct: StructName): StructLayout {
  const known = layouts.get(struct);
  if (known) return known;
  let offset = 0;
  let alignBytes = 1;
  const fields: FieldLayout[] = [];
  for (const [name, type, count = 1] of STRUCTS[struct].fields as readonly (readonly [string, string, number?])[]) {
    const inner = isScalar(type) ? null : layoutOf(type as StructName);
    const bytes = inner ? inner.sizeBytes : SCALAR_BYTES[type as ScalarType];
    const align = inner ? inner.alignBytes : bytes;
    offset = Math.ceil(offset / align) * align;
    fields.push({ name, type: type as ScalarType | StructName, count, offset });
    offset += bytes * count;
    alignBytes = Math.max(alignBytes, align);
  }
  const layout = { sizeBytes: Math.ceil(offset / alignBytes) * alignBytes, alignBytes, fields };
  layouts.set(struct, layout);
  return layout;
}

function writeScalar(view: DataView, offset: number, type: ScalarType, value: number | bigint): void {
  const bytes = SCALAR_BYTES[type];
  if (bytes === 8) view.setBigUint64(offset, BigInt.asUintN(64, BigInt(value)), true);
  else if (bytes === 4) view.setUint32(offset, Number(value) >>> 0, true);
  else if (bytes === 2) view.setUint16(offset, Number(value), true);
  else view.setUint8(offset, Number(value));
}

function readScalar(view: DataView, offset: number, type: ScalarType): number | bigint {
  if (type === 's32') return view.getInt32(offset, true);
  const bytes = SCALAR_BYTES[type];
  if (bytes === 8) return type === 's64' ? view.getBigInt64(offset, true) : view.getBigUint64(offset, true);
  if (bytes === 4) return view.getUint32(offset, true);
  return bytes === 2 ? view.getUint16(offset, true) : view.getUint8(offset);
}

/** Writes a struct; fields of a nested one are named `outer.inner`. Arrays are left zero. */
export function encodeStruct(struct: StructName, values: Values, view: DataView, at = 0, prefix = ''): void {
  for (const { name, type, count, offset } of layoutOf(struct).fields) {
    if (!isScalar(type)) encodeStruct(type, values, view, at + offset, `${prefix}${name}.`);
    else if (count === 1) writeScalar(view, at + offset, type, values[prefix + name] ?? 0);
  }
}

/** The scalars of a struct. */
export function decodeStruct(struct: StructName, view: DataView, at = 0, prefix = ''): Record<string, number | bigint> {
  const values: Record<string, number | bigint> = {};
  for (const { name, type, count, offset } of layoutOf(struct).fields) {
    if (!isScalar(type)) Object.assign(values, decodeStruct(type, view, at + offset, `${prefix}${name}.`));
    else if (count === 1) values[prefix + name] = readScalar(view, at + offset, type);
  }
  return values;
}

const DRM_LETTER = 0x64;
const DIRECTION = { w: 1, rw: 3 } as const;

/** The number of a request: direction, size of its struct, letter of the subsystem, number in it. */
export function ioctlRequest(name: IoctlName): number {
  const { number, direction, struct } = IOCTLS[name];
  return ((DIRECTION[direction] << 30) | (layoutOf(struct).sizeBytes << 16) | (DRM_LETTER << 8) | number) >>> 0;
}

export function paramNumber(name: ParamName): number {
  return PARAMS.indexOf(name) + 1;
}
