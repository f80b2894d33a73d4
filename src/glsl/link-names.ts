// The names under which GL shows the parts of a variable: structs are taken apart, arrays of basic types stay whole
// (OpenGL ES 3.0.6 §2.12.6: `s.a`, `t[1].b`, `c[0]`).
// SPDX-License-Identifier: MIT
import { type GlType, type GlTypeInfo, glTypeOfKeyword } from './gl-types.ts';
import type { ElementType, Type } from './types.ts';

/** A part of a variable that has a GL type: a scalar, vector, matrix or sampler, or an array of those. */
export interface NamedPart {
  /** Without `[0]`. */
  readonly name: string;
  readonly type: ElementType;
  readonly size: number;
  readonly isArray: boolean;
}

/** Visits the parts of a type in memory order. */
export function forEachPart(type: Type, name: string, visit: (part: NamedPart) => void): void {
  if (type.kind === 'struct') {
    for (const member of type.members) forEachPart(member.type, `${name}.${member.name}`, visit);
  } else if (type.kind === 'array' && type.element.kind === 'struct') {
    for (let i = 0; i < type.size; i++) forEachPart(type.element, `${name}[${i}]`, visit);
  } else if (type.kind === 'array') {
    visit({ name, type: type.element, size: type.size, isArray: true });
  } else if (type.kind !== 'void') {
    visit({ name, type, size: 1, isArray: false });
  }
}

/** GL's description of a scalar, vector, matrix or sampler type. */
export function glInfoOf(type: Type): GlTypeInfo {
  const info = glTypeOfKeyword(type.name);
  if (info === undefined) throw new Error(`GL has no enum for ${type.name}`);
  return info;
}

export function glTypeOf(type: Type): GlType {
  return glInfoOf(type).enum;
}
