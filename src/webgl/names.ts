// WebGL's limits on names of uniforms and attributes (WebGL 1 §6.16, §6.18; WebGL 2 §5.38).

import type { Context } from '../gl/context.ts';
import { invalidValue } from '../gl/errors.ts';

/** Printable ASCII that GLSL may contain: all but " $ ` @ \ ' and, in names, no control characters but white space. */
const OUTSIDE_CHARACTER_SET = /[^\x20-\x7e\t\n\v\f\r]|["$`@\\']/;

/** INVALID_VALUE for names that are too long or have characters outside of the shading language's set. */
export function checkName(context: Context, call: string, name: string): boolean {
  const limit = context.version === 2 ? 256 : 1024;
  if (name.length > limit) invalidValue(context, call, `the name has ${name.length} characters, ${limit} are allowed`);
  else if (OUTSIDE_CHARACTER_SET.test(name)) invalidValue(context, call, 'the name has a character that GLSL does not');
  else return true;
  return false;
}

/** Prefixes that belong to WebGL and GL. */
export function isReservedName(name: string): boolean {
  return name.startsWith('webgl_') || name.startsWith('_webgl_') || name.startsWith('gl_');
}
