// Which types and qualifiers a variable may have, by where it lives (GLSL ES 1.00 §4.3, GLSL ES 3.00 §4.3).

import type { StorageQualifier } from './ast.ts';
import { isInterpolated, type Qualifiers } from './parse-type.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import { containsBool, containsInteger, containsSampler, isNumeric, type Type } from './types.ts';

/** Why a vertex input cannot have the type. */
function vertexInputProblem(p: Parser, type: Type): string | undefined {
  if (!isNumeric(type)) return 'cannot be an array, a struct or a sampler';
  if (type.base === 'bool') return 'cannot be of bool type';
  return p.version === 100 && type.base !== 'float' ? 'must be of float type in GLSL ES 1.00' : undefined;
}

/** Why what passes between the stages cannot have the type. */
function varyingProblem(p: Parser, type: Type, isFlat: boolean): string | undefined {
  if (containsBool(type)) return 'cannot be of bool type';
  if (containsSampler(type)) return 'cannot be a sampler';
  if (p.version === 100) {
    const element = type.kind === 'array' ? type.element : type;
    return isNumeric(element) && element.base === 'float' ? undefined : 'must be of float type in GLSL ES 1.00';
  }
  if (type.kind === 'array' && type.element.kind === 'struct') return 'cannot be an array of structs';
  if (
    type.kind === 'struct' &&
    type.members.some(({ type: member }) => member.kind === 'array' || member.kind === 'struct')
  ) {
    return 'cannot be a struct that contains an array or a struct';
  }
  return containsInteger(type) && !isFlat ? "must be qualified 'flat', as it is or contains an integer" : undefined;
}

/** Why a fragment output cannot have the type. */
function fragmentOutputProblem(type: Type): string | undefined {
  const element = type.kind === 'array' ? type.element : type;
  if (element.kind === 'matrix') return 'cannot be a matrix';
  if (!isNumeric(element)) return 'cannot be a struct or a sampler';
  return element.base === 'bool' ? 'cannot be of bool type' : undefined;
}

function typeProblem(p: Parser, qualifiers: Qualifiers, type: Type, storage: StorageQualifier): string | undefined {
  switch (storage) {
    case 'in':
      if (p.stage === 'vertex') return vertexInputProblem(p, type);
      return varyingProblem(p, type, qualifiers.interpolation === 'flat');
    case 'out':
      if (p.stage === 'fragment') return fragmentOutputProblem(type);
      return varyingProblem(p, type, qualifiers.interpolation === 'flat');
    case 'uniform':
      return undefined;
    default:
      return containsSampler(type) ? 'samplers must be uniforms or function parameters' : undefined;
  }
}

/** Keywords that are wrong here whatever the type. */
function keywordProblem(p: Parser, qualifiers: Qualifiers): string | undefined {
  const { storage } = qualifiers;
  if (storage === 'inout') return "'inout' is only for function parameters";
  if (!p.symbols.isGlobal && storage !== undefined && storage !== 'const')
    return `'${storage}' is only allowed at global scope`;
  if (storage === 'attribute' && p.stage === 'fragment') return 'attributes are only in vertex shaders';
  if (p.version === 100 && (storage === 'in' || storage === 'out'))
    return `'${storage}' is only for function parameters`;
  return undefined;
}

/** What passes between the stages: the only thing that can be interpolated. */
function isVarying(p: Parser, storage: StorageQualifier): boolean {
  return p.stage === 'vertex' ? storage === 'out' : storage === 'in';
}

export function checkInterface(
  p: Parser,
  qualifiers: Qualifiers,
  type: Type,
  storage: StorageQualifier,
  name: Token,
): void {
  const { text, position } = name;
  const problem = keywordProblem(p, qualifiers) ?? typeProblem(p, qualifiers, type, storage);
  if (problem !== undefined) p.error(position, text, problem);
  const isVaryingHere = isVarying(p, storage);
  if (!isVaryingHere && isInterpolated(qualifiers)) {
    p.error(position, text, 'interpolation qualifiers are only for vertex outputs and fragment inputs');
  }
  if (qualifiers.isInvariant) {
    // GLSL ES 1.00 §4.6.1 also lets fragment shaders say it of their varyings; 3.00 §4.6.1 wants outputs.
    const isValid = p.version === 100 ? isVaryingHere : storage === 'out';
    if (!isValid) p.error(position, text, 'only outputs can be declared invariant');
  }
  checkLayout(p, qualifiers, storage, name);
}

function checkLayout(p: Parser, qualifiers: Qualifiers, storage: StorageQualifier, name: Token): void {
  const { layout } = qualifiers;
  if (layout === undefined) return;
  const { text, position } = name;
  if (layout.blockStorage !== undefined || layout.isRowMajor !== undefined) {
    p.error(position, text, 'invalid layout qualifier: only for uniform blocks');
  }
  if (layout.depth !== undefined) p.error(position, layout.depth, 'only valid on gl_FragDepth');
  if (layout.index !== undefined && (p.stage !== 'fragment' || storage !== 'out'))
    p.error(position, 'index', 'only valid on fragment outputs');
  if (layout.index !== undefined && layout.location === undefined)
    p.error(position, 'index', 'an index needs a location');
  if (layout.location === undefined) return;
  const takesLocation = p.stage === 'vertex' ? storage === 'in' : storage === 'out';
  if (!takesLocation) {
    p.error(position, 'location', 'only valid on vertex inputs and fragment outputs');
    return;
  }
  const limit = p.stage === 'vertex' ? p.limits.maxVertexAttribs : p.limits.maxDrawBuffers;
  if (layout.location >= limit)
    p.error(position, text, `location ${layout.location} is too large: the limit is ${limit}`);
}
