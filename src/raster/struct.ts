// Describes a structure in shared memory as a table of fields, so that JavaScript and generated code agree on offsets.

/** What one field holds. `vec4` is 16 bytes, aligned to 16; `i64` and `f64` are aligned to 8. */
export type FieldType = 'u32' | 'i32' | 'f32' | 'i64' | 'f64' | 'vec4';
/** A field: a type, or a type and the number of elements that follow each other. */
export type Field = FieldType | readonly [type: FieldType, count: number];

export type Struct<Name extends string = string> = {
  readonly name: string;
  /** Bytes from one structure to the next in an array: a multiple of 16. */
  readonly size: number;
  /** Byte offset of each field: for loads and stores of generated code. */
  readonly offset: { readonly [N in Name]: number };
  /** Index of each field in a 32-bit view of the structure: `u32[(address >>> 2) + S.word.field]`. */
  readonly word: { readonly [N in Name]: number };
  readonly type: { readonly [N in Name]: FieldType };
};

const SIZE: Record<FieldType, number> = { u32: 4, i32: 4, f32: 4, i64: 8, f64: 8, vec4: 16 };

/** Lays the fields out in the order given, each at its natural alignment; the size is rounded up to 16 bytes. */
export function struct<const F extends Record<string, Field>>(name: string, fields: F): Struct<keyof F & string> {
  const offset: Record<string, number> = {};
  const word: Record<string, number> = {};
  const types: Record<string, FieldType> = {};
  let end = 0;
  for (const [field, spec] of Object.entries(fields) as [string, Field][]) {
    const [type, count] = typeof spec === 'string' ? [spec, 1] : spec;
    const align = SIZE[type];
    end = Math.ceil(end / align) * align;
    offset[field] = end;
    word[field] = end >> 2;
    types[field] = type;
    end += align * count;
  }
  return { name, size: Math.ceil(end / 16) * 16, offset, word, type: types } as Struct<keyof F & string>;
}
