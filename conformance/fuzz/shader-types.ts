// The types of generated shaders, and which names GLSL gives them.

export type Base = 'float' | 'int' | 'uint' | 'bool';

export type Type =
  | { readonly kind: 'vector'; readonly base: Base; readonly size: 1 | 2 | 3 | 4 }
  | { readonly kind: 'matrix'; readonly columns: 2 | 3 | 4; readonly rows: 2 | 3 | 4 }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly Field[] }
  | { readonly kind: 'array'; readonly element: Type; readonly length: number };

export interface Field {
  readonly name: string;
  readonly type: Type;
}

export type Size = 1 | 2 | 3 | 4;

export function vector(base: Base, size: number): Type {
  return { kind: 'vector', base, size: size as Size };
}

export function matrix(columns: number, rows: number): Type {
  return { kind: 'matrix', columns: columns as 2, rows: rows as 2 };
}

export const FLOAT = vector('float', 1);
export const INT = vector('int', 1);
export const BOOL = vector('bool', 1);

const PREFIX = { float: '', int: 'i', uint: 'u', bool: 'b' };

/** Without the length of an array. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'vector':
      return type.size === 1 ? type.base : `${PREFIX[type.base]}vec${type.size}`;
    case 'matrix':
      return type.columns === type.rows ? `mat${type.columns}` : `mat${type.columns}x${type.rows}`;
    case 'struct':
      return type.name;
    case 'array':
      return typeName(type.element);
  }
}

/** `float x[3]`. */
export function declaration(type: Type, name: string): string {
  return type.kind === 'array' ? `${typeName(type)} ${name}[${type.length}]` : `${typeName(type)} ${name}`;
}

export function sameType(a: Type, b: Type): boolean {
  if (a.kind === 'array' || b.kind === 'array')
    return a.kind === 'array' && b.kind === 'array' && a.length === b.length && sameType(a.element, b.element);
  return typeName(a) === typeName(b);
}

/** Has a type that may hold an array or a struct with one: no comparison in ES 1.00, no return of it there. */
export function holdsArray(type: Type): boolean {
  if (type.kind === 'array') return true;
  return type.kind === 'struct' && type.fields.some((field) => holdsArray(field.type));
}
