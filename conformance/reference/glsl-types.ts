// GLSL types as test cases spell them.

export type BaseType = 'float' | 'int' | 'uint' | 'bool';

export interface GlslType {
  readonly name: string;
  readonly base: BaseType;
  /** Rows: components of a vector or of a matrix's column. */
  readonly rows: number;
  readonly columns: number;
  readonly isMatrix: boolean;
}

export function glslType(name: string): GlslType {
  const matrix = /^mat(\d)(?:x(\d))?$/.exec(name);
  if (matrix)
    return { name, base: 'float', rows: Number(matrix[2] ?? matrix[1]), columns: Number(matrix[1]), isMatrix: true };
  const vector = /^([iub]?)vec(\d)$/.exec(name);
  if (vector) {
    const base = ({ '': 'float', i: 'int', u: 'uint', b: 'bool' } as const)[vector[1] as '' | 'i' | 'u' | 'b'];
    return { name, base, rows: Number(vector[2]), columns: 1, isMatrix: false };
  }
  return { name, base: name as BaseType, rows: 1, columns: 1, isMatrix: false };
}

export function componentCount(type: GlslType): number {
  return type.rows * type.columns;
}

/** The vector type of a base and a size. */
export function vectorName(base: BaseType, size: number): string {
  if (size === 1) return base;
  return `${{ float: '', int: 'i', uint: 'u', bool: 'b' }[base]}vec${size}`;
}

export type Precision = 'lowp' | 'mediump' | 'highp';
export const PRECISIONS: readonly Precision[] = ['lowp', 'mediump', 'highp'];
export const STAGES = ['vertex', 'fragment'] as const;
export type Stage = (typeof STAGES)[number];
