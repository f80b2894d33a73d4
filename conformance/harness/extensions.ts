// Extensions that a case needs: the context has them, or the case is skipped and says so.

import type { CaseContext } from '../case.ts';

export function hasExtension(t: CaseContext, name: string): boolean {
  return ` ${t.gl.glGetString(t.gl.GL_EXTENSIONS)} `.includes(` GL_${name} `);
}

const FLOAT_TARGETS = 'EXT_color_buffer_float';
const FLOAT_FORMAT = /^(r|rg|rgb|rgba)32f$|^r11f_g11f_b10f$/;
const HALF_FORMAT = /^(r|rg|rgb|rgba)16f$/;

/** Floating-point formats are colour targets by extensions alone, in ES 2 and ES 3. */
export function requireColorRenderable(t: CaseContext, formatName: string): void {
  if (hasExtension(t, FLOAT_TARGETS)) return;
  const isHalf = HALF_FORMAT.test(formatName);
  if (isHalf && hasExtension(t, 'EXT_color_buffer_half_float')) return;
  if (isHalf || FLOAT_FORMAT.test(formatName)) t.skip(`${formatName} is no colour target without ${FLOAT_TARGETS}`);
}
