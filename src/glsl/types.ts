// The types of GLSL ES: scalars, vectors, matrices, samplers, arrays and structs.
// Rule: every type but a struct is interned, so two types are the same type exactly when they are the same object.
// Structs are nominal inside one shader; the linker compares across shaders with `areTypesEquivalent`.

export type ScalarKind = 'float' | 'int' | 'uint' | 'bool';
export type Precision = 'lowp' | 'mediump' | 'highp';
export type SamplerDimension = '2d' | '3d' | 'cube' | '2dArray';

export interface VoidType {
  readonly kind: 'void';
  readonly name: 'void';
}

/** float, int, uint, bool */
export interface ScalarType {
  readonly kind: 'scalar';
  readonly name: string;
  readonly base: ScalarKind;
  readonly rows: 1;
  readonly columns: 1;
}

/** vecN, ivecN, uvecN, bvecN: `rows` components in one column. */
export interface VectorType {
  readonly kind: 'vector';
  readonly name: string;
  readonly base: ScalarKind;
  readonly rows: 2 | 3 | 4;
  readonly columns: 1;
}

/** matCxR: `columns` columns of `rows` floats each (`mat3x2` has 3 columns of 2 rows). */
export interface MatrixType {
  readonly kind: 'matrix';
  readonly name: string;
  readonly base: 'float';
  readonly rows: 2 | 3 | 4;
  readonly columns: 2 | 3 | 4;
}

export interface SamplerType {
  readonly kind: 'sampler';
  readonly name: string;
  readonly dimension: SamplerDimension;
  /** Component type of what a lookup returns. */
  readonly base: 'float' | 'int' | 'uint';
  readonly isShadow: boolean;
  /** samplerExternalOES: sampled as a 2d texture, but a type of its own. */
  readonly isExternal: boolean;
}

/** One dimension only: neither GLSL ES 1.00 nor 3.00 has arrays of arrays. Always sized after checking. */
export interface ArrayType {
  readonly kind: 'array';
  readonly name: string;
  readonly element: ElementType;
  readonly size: number;
}

export interface StructMember {
  readonly name: string;
  readonly type: Type;
  /** Undefined for bool and struct members, and where no precision applies. */
  readonly precision: Precision | undefined;
  /** Only in interface blocks: the matrices inside this member are stored row by row. */
  readonly isRowMajor: boolean;
}

/** A struct, or the member list of an interface block (`isBlock`). Compared by identity. */
export interface StructType {
  readonly kind: 'struct';
  /** Empty for an anonymous struct. For a block: the block's name. */
  readonly name: string;
  readonly members: readonly StructMember[];
  readonly isBlock: boolean;
}

export type NumericType = ScalarType | VectorType | MatrixType;
export type ElementType = NumericType | SamplerType | StructType;
export type Type = VoidType | NumericType | SamplerType | ArrayType | StructType;

// ---- numeric types ------------------------------------------------------------------------------------------------

export const VOID: VoidType = { kind: 'void', name: 'void' };
/** Type of a wrong expression while checking goes on; never in a finished AST. */
export const ERROR_TYPE: VoidType = { kind: 'void', name: 'void' };

const VECTOR_PREFIX: Record<ScalarKind, string> = { float: 'vec', int: 'ivec', uint: 'uvec', bool: 'bvec' };

function makeScalarAndVectors(base: ScalarKind): (ScalarType | VectorType)[] {
  const vector = (rows: 2 | 3 | 4): VectorType => ({
    kind: 'vector',
    name: `${VECTOR_PREFIX[base]}${rows}`,
    base,
    rows,
    columns: 1,
  });
  return [{ kind: 'scalar', name: base, base, rows: 1, columns: 1 }, vector(2), vector(3), vector(4)];
}

const VECTORS: Record<ScalarKind, (ScalarType | VectorType)[]> = {
  float: makeScalarAndVectors('float'),
  int: makeScalarAndVectors('int'),
  uint: makeScalarAndVectors('uint'),
  bool: makeScalarAndVectors('bool'),
};

const MATRICES = ([2, 3, 4] as const).map((columns) =>
  ([2, 3, 4] as const).map(
    (rows): MatrixType => ({
      kind: 'matrix',
      name: rows === columns ? `mat${columns}` : `mat${columns}x${rows}`,
      base: 'float',
      rows,
      columns,
    }),
  ),
);

/** The scalar (`rows` = 1) or vector type of a component kind. */
export function vectorType(base: ScalarKind, rows: number): ScalarType | VectorType {
  return VECTORS[base][rows - 1];
}

export function matrixType(columns: number, rows: number): MatrixType {
  return MATRICES[columns - 2][rows - 2];
}

export const FLOAT = vectorType('float', 1) as ScalarType;
export const INT = vectorType('int', 1) as ScalarType;
export const UINT = vectorType('uint', 1) as ScalarType;
export const BOOL = vectorType('bool', 1) as ScalarType;
export const VEC2 = vectorType('float', 2) as VectorType;
export const VEC4 = vectorType('float', 4) as VectorType;

// ---- samplers -----------------------------------------------------------------------------------------------------

function sampler(
  name: string,
  dimension: SamplerDimension,
  base: 'float' | 'int' | 'uint' = 'float',
  isShadow = false,
  isExternal = false,
): SamplerType {
  return { kind: 'sampler', name, dimension, base, isShadow, isExternal };
}

const SAMPLERS: readonly SamplerType[] = [
  sampler('sampler2D', '2d'),
  sampler('samplerCube', 'cube'),
  sampler('sampler3D', '3d'),
  sampler('sampler2DArray', '2dArray'),
  sampler('sampler2DShadow', '2d', 'float', true),
  sampler('samplerCubeShadow', 'cube', 'float', true),
  sampler('sampler2DArrayShadow', '2dArray', 'float', true),
  sampler('isampler2D', '2d', 'int'),
  sampler('isamplerCube', 'cube', 'int'),
  sampler('isampler3D', '3d', 'int'),
  sampler('isampler2DArray', '2dArray', 'int'),
  sampler('usampler2D', '2d', 'uint'),
  sampler('usamplerCube', 'cube', 'uint'),
  sampler('usampler3D', '3d', 'uint'),
  sampler('usampler2DArray', '2dArray', 'uint'),
  sampler('samplerExternalOES', '2d', 'float', false, true),
];

/** Every built-in type name, `mat2x2` and the like included, to its type. Which version has it is the parser's business. */
export const TYPES_BY_NAME: ReadonlyMap<string, Type> = new Map<string, Type>([
  [VOID.name, VOID],
  ...Object.values(VECTORS)
    .flat()
    .map((type): [string, Type] => [type.name, type]),
  ...MATRICES.flat().map((type): [string, Type] => [`mat${type.columns}x${type.rows}`, type]),
  ...MATRICES.flat().map((type): [string, Type] => [type.name, type]),
  ...SAMPLERS.map((type): [string, Type] => [type.name, type]),
]);

/** A built-in type by its GLSL name; throws for a name that is not one (for tables and tests, not for user text). */
export function typeByName(name: string): Type {
  const type = TYPES_BY_NAME.get(name);
  if (type === undefined) throw new Error(`no GLSL type is called ${name}`);
  return type;
}

// ---- arrays and structs -------------------------------------------------------------------------------------------

const arraysByElement = new WeakMap<ElementType, Map<number, ArrayType>>();

export function arrayType(element: ElementType, size: number): ArrayType {
  let bySize = arraysByElement.get(element);
  if (bySize === undefined) arraysByElement.set(element, (bySize = new Map()));
  let type = bySize.get(size);
  if (type === undefined) {
    type = { kind: 'array', name: `${element.name}[${size}]`, element, size };
    bySize.set(size, type);
  }
  return type;
}

/** Makes a new struct type, different from every other. */
export function structType(name: string, members: readonly StructMember[], isBlock = false): StructType {
  return { kind: 'struct', name, members, isBlock };
}

// ---- questions ----------------------------------------------------------------------------------------------------

export function isNumeric(type: Type): type is NumericType {
  return type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'matrix';
}

export function isScalarOrVector(type: Type): type is ScalarType | VectorType {
  return type.kind === 'scalar' || type.kind === 'vector';
}

/** What is asked of a struct again and again; structs of structs would make it exponential to work out each time. */
interface Summary {
  readonly componentCount: number;
  /** Scalars and samplers. */
  readonly leafCount: number;
  readonly hasSampler: boolean;
  readonly hasArray: boolean;
  readonly hasBool: boolean;
  readonly hasInteger: boolean;
  /** How deep structs are nested: 1 for a struct of plain members. */
  readonly nesting: number;
}

const summaries = new WeakMap<StructType, Summary>();

function summarizeLeaf(type: VoidType | NumericType | SamplerType): Summary {
  const isNumber = type.kind !== 'void' && type.kind !== 'sampler';
  const componentCount = isNumber ? type.rows * type.columns : 0;
  return {
    componentCount,
    leafCount: Math.max(1, componentCount),
    hasSampler: type.kind === 'sampler',
    hasArray: false,
    hasBool: isNumber && type.base === 'bool',
    hasInteger: isNumber && (type.base === 'int' || type.base === 'uint'),
    nesting: 0,
  };
}

function summarizeStruct(type: StructType): Summary {
  const members = type.members.map((member) => summarize(member.type));
  return {
    componentCount: members.reduce((sum, member) => sum + member.componentCount, 0),
    leafCount: members.reduce((sum, member) => sum + member.leafCount, 0),
    hasSampler: members.some((member) => member.hasSampler),
    hasArray: members.some((member) => member.hasArray),
    hasBool: members.some((member) => member.hasBool),
    hasInteger: members.some((member) => member.hasInteger),
    nesting: 1 + members.reduce((deepest, member) => Math.max(deepest, member.nesting), 0),
  };
}

function summarize(type: Type): Summary {
  if (type.kind === 'array') {
    const element = summarize(type.element);
    const { componentCount, leafCount } = element;
    return {
      ...element,
      componentCount: type.size * componentCount,
      leafCount: type.size * leafCount,
      hasArray: true,
    };
  }
  if (type.kind !== 'struct') return summarizeLeaf(type);
  let summary = summaries.get(type);
  if (summary === undefined) summaries.set(type, (summary = summarizeStruct(type)));
  return summary;
}

/** Number of scalars in a value of the type, counted through arrays and structs; samplers and void count 0. */
export function componentCount(type: Type): number {
  if (type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'matrix') return type.rows * type.columns;
  return summarize(type).componentCount;
}

/** As `componentCount`, but a sampler counts as one. */
export function leafCount(type: Type): number {
  return summarize(type).leafCount;
}

export function containsSampler(type: Type): boolean {
  return summarize(type).hasSampler;
}

export function containsArray(type: Type): boolean {
  return type.kind === 'array' || (type.kind === 'struct' && summarize(type).hasArray);
}

export function containsBool(type: Type): boolean {
  return summarize(type).hasBool;
}

/** int or uint. */
export function containsInteger(type: Type): boolean {
  return summarize(type).hasInteger;
}

/** How deep structs contain structs; 0 without any. */
export function structNesting(type: Type): number {
  return summarize(type).nesting;
}

/** What `value[index]` gives: array element, matrix column or vector component; undefined if it cannot be indexed. */
export function indexedType(type: Type): Type | undefined {
  switch (type.kind) {
    case 'array':
      return type.element;
    case 'matrix':
      return vectorType('float', type.rows);
    case 'vector':
      return vectorType(type.base, 1);
    default:
      return undefined;
  }
}

/** How many things `value[index]` can select: array length, columns or components (0 when it cannot be indexed). */
export function indexedLength(type: Type): number {
  switch (type.kind) {
    case 'array':
      return type.size;
    case 'matrix':
      return type.columns;
    case 'vector':
      return type.rows;
    default:
      return 0;
  }
}

/**
 * Same type as seen from two shaders (GLSL ES 3.00.6 §9.2): structs by name, member names, types and order.
 * `comparePrecision`: also the members' precision, which uniforms need and varyings do not.
 */
export function areTypesEquivalent(a: Type, b: Type, comparePrecision = false): boolean {
  if (a === b) return true;
  if (a.kind === 'array' && b.kind === 'array') {
    return a.size === b.size && areTypesEquivalent(a.element, b.element, comparePrecision);
  }
  if (a.kind !== 'struct' || b.kind !== 'struct') return false;
  if (a.name !== b.name || a.isBlock !== b.isBlock || a.members.length !== b.members.length) return false;
  return a.members.every((member, index) => {
    const other = b.members[index];
    return (
      member.name === other.name &&
      member.isRowMajor === other.isRowMajor &&
      (!comparePrecision || member.precision === other.precision) &&
      areTypesEquivalent(member.type, other.type, comparePrecision)
    );
  });
}
