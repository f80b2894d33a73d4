// texture.completeness.filter: textures that cannot be filtered are incomplete with filters that would (ES 3.0.6 §3.8.13), and then
// sample as 0, 0, 0, 1 (§3.9.2).

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad } from '../../harness/draw.ts';
import { generate } from '../../harness/framebuffer.ts';
import { buildProgram } from '../../harness/program.ts';
import { setSampler, uploadImage } from '../../harness/texture.ts';
import { DEPTH_FORMATS, formatNamed, SIZED_FORMATS, type TexelFormat } from '../../reference/texture-formats.ts';
import type { MinFilter } from '../../reference/texture-lookup.ts';
import { MIN_FILTERS } from './texture-filtering.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };
const FORMATS = ['r8ui', 'r16i', 'r32ui', 'rgba8i', 'rgba16ui', 'depth_component16', 'depth24_stencil8'];

/** Filters under which an unfilterable texture is complete. */
function isNearest(min: MinFilter, mag: 'nearest' | 'linear'): boolean {
  return mag === 'nearest' && (min === 'nearest' || min === 'nearest_mipmap_nearest');
}

function runFilter(t: CaseContext, format: TexelFormat, min: MinFilter, mag: 'nearest' | 'linear'): void {
  const { gl, width, height } = t;
  gl.glBindTexture(gl.GL_TEXTURE_2D, generate(gl.glGenTextures));
  for (let level = 0; level < 3; level++) {
    const side = 4 >> level;
    const bytes = new Uint8Array(side * side * format.bytes).fill(0x55);
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
    uploadImage(t, '2d', 0, level, format, { width: side, height: side, depth: 1 }, bytes);
  }
  setSampler(t, '2d', { min, mag, wrapS: 'clamp', wrapT: 'clamp' });
  const prefix = format.kind === 'int' ? 'i' : format.kind === 'uint' ? 'u' : '';
  buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_coord: 'highp vec2' },
    varyings: { v_coord: 'highp vec2' },
    vertex: 'gl_Position = a_position; v_coord = a_coord;',
    fragmentHead: `uniform highp ${prefix}sampler2D u_sampler;`,
    fragment:
      'highp vec4 texel = vec4(texture(u_sampler, v_coord)); o_color = vec4(texel.x == 0.0 ? 0.0 : 1.0, 1.0, texel.w == 0.0 ? 0.0 : 1.0, 1.0);',
  });
  drawFullQuad(t, [{ size: 2, data: [0, 0, 1, 0, 0, 1, 1, 1] }]);
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([isNearest(min, mag) ? 255 : 0, 255, 255, 255], at);
  t.comparePicture(t.readPixels(), { width, height, data });
}

export function* filterCompletenessCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  for (const name of FORMATS) {
    const format = formatNamed([...SIZED_FORMATS, ...DEPTH_FORMATS], name);
    for (const min of MIN_FILTERS)
      for (const mag of ['nearest', 'linear'] as const)
        yield functionalCase(
          3,
          `texture.completeness.filter.${name}_${min}_${mag}`,
          (t) => runFilter(t, format, min, mag),
          SURFACE,
        );
  }
}
