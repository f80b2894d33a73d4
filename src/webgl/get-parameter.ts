// getParameter: GL's values in the types that WebGL hands out (WebGL 1 §5.14.3, WebGL 2 §3.7.2).

import { listOf } from '../base/list.ts';
import { GL } from '../gl/constants.ts';
import { invalidEnum } from '../gl/errors.ts';
import { getParameter as getGlParameter, getIndexedParameter, type Parameter, rendererString } from '../gl/get.ts';
import type { GlObject } from '../gl/gl-object.ts';
import type { Face } from './face.ts';
import { handleOf } from './handles.ts';

/** Strings of the context. */
const STRINGS: ReadonlyMap<number, (face: Face) => string> = new Map<number, (face: Face) => string>([
  [GL.VENDOR, () => 'Indium'],
  [GL.RENDERER, (face) => rendererString(face.context)],
  [GL.VERSION, (face) => `WebGL ${face.version}.0 (Indium)`],
  [
    GL.SHADING_LANGUAGE_VERSION,
    (face) => (face.version === 1 ? 'WebGL GLSL ES 1.0 (Indium)' : 'WebGL GLSL ES 3.00 (Indium)'),
  ],
]);

/** Arrays of enums and sizes are typed arrays of these kinds. */
function typedArray(parameter: Parameter, values: ArrayLike<number>): unknown {
  switch (parameter.kind) {
    case 'float':
    case 'normalized':
      return Float32Array.from(values);
    case 'enum':
      return Uint32Array.from(values);
    default:
      return Int32Array.from(values);
  }
}

function convert(parameter: Parameter): unknown {
  const { value } = parameter;
  if (value === null || typeof value !== 'object') return value;
  if ('length' in value) {
    const list = value as ArrayLike<number | boolean>;
    if (parameter.kind === 'bool') return listOf(list.length, (i) => Boolean(list[i]));
    return typedArray(parameter, list as ArrayLike<number>);
  }
  return handleOf(value as GlObject);
}

export function getParameter(face: Face, pname: number): unknown {
  const { context } = face;
  const text = STRINGS.get(pname);
  if (text !== undefined) return text(face);
  if (pname === GL.UNMASKED_VENDOR_WEBGL || pname === GL.UNMASKED_RENDERER_WEBGL) {
    if (!context.isEnabled('WEBGL_debug_renderer_info'))
      return invalidEnum(context, 'getParameter', 'pname', pname) ?? null;
    return pname === GL.UNMASKED_VENDOR_WEBGL ? 'Indium' : rendererString(context);
  }
  const parameter = getGlParameter(context, pname);
  return parameter === undefined ? null : convert(parameter);
}

export function getIndexed(face: Face, target: number, index: number): unknown {
  const parameter = getIndexedParameter(face.context, target, index);
  return parameter === undefined ? null : convert(parameter);
}
