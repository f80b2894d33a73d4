// glPixelStorei: how client pixels lie in memory (ES 3.0.6 §3.7.1, §4.3.1; WebGL 1 §5.14.8).

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidValue } from './errors.ts';
import type { ExtensionName } from './extensions.ts';
import type { PixelStoreState } from './state.ts';

interface PixelStoreRow {
  readonly direction: 'pack' | 'unpack';
  readonly field: keyof PixelStoreState;
  readonly version: 2 | 3;
  readonly extension?: ExtensionName;
}

const PARAMETERS: ReadonlyMap<number, PixelStoreRow> = new Map<number, PixelStoreRow>([
  [GL.PACK_ALIGNMENT, { direction: 'pack', field: 'alignment', version: 2 }],
  [GL.PACK_ROW_LENGTH, { direction: 'pack', field: 'rowLength', version: 3 }],
  [GL.PACK_SKIP_PIXELS, { direction: 'pack', field: 'skipPixels', version: 3 }],
  [GL.PACK_SKIP_ROWS, { direction: 'pack', field: 'skipRows', version: 3 }],
  [GL.UNPACK_ALIGNMENT, { direction: 'unpack', field: 'alignment', version: 2 }],
  [GL.UNPACK_ROW_LENGTH, { direction: 'unpack', field: 'rowLength', version: 3, extension: 'EXT_unpack_subimage' }],
  [GL.UNPACK_SKIP_PIXELS, { direction: 'unpack', field: 'skipPixels', version: 3, extension: 'EXT_unpack_subimage' }],
  [GL.UNPACK_SKIP_ROWS, { direction: 'unpack', field: 'skipRows', version: 3, extension: 'EXT_unpack_subimage' }],
  [GL.UNPACK_IMAGE_HEIGHT, { direction: 'unpack', field: 'imageHeight', version: 3 }],
  [GL.UNPACK_SKIP_IMAGES, { direction: 'unpack', field: 'skipImages', version: 3 }],
]);

export function pixelStorei(context: Context, pname: number, value: number): void {
  const call = 'pixelStorei';
  if (context.rules.webgl && setWebglParameter(context, pname, value)) return;
  const row = PARAMETERS.get(pname);
  const isKnown =
    row !== undefined &&
    (row.version <= context.version || (row.extension !== undefined && context.isEnabled(row.extension)));
  if (!isKnown) return invalidEnum(context, call, 'pname', pname);
  if (value < 0) return invalidValue(context, call, `${value} is negative`);
  if (row.field === 'alignment' && ![1, 2, 4, 8].includes(value))
    return invalidValue(context, call, `alignment ${value} is not 1, 2, 4 or 8`);
  context[row.direction][row.field] = value;
}

/** True when the pname is WebGL's own; then it was set, or an error was recorded. */
function setWebglParameter(context: Context, pname: number, value: number): boolean {
  const state = context.webglUnpack;
  if (pname === GL.UNPACK_FLIP_Y_WEBGL) state.flipY = value !== 0;
  else if (pname === GL.UNPACK_PREMULTIPLY_ALPHA_WEBGL) state.premultiplyAlpha = value !== 0;
  else if (pname === GL.UNPACK_COLORSPACE_CONVERSION_WEBGL) {
    if (value === GL.BROWSER_DEFAULT_WEBGL || value === GL.NONE) state.colorspaceConversion = value;
    else invalidValue(context, 'pixelStorei', 'the colour space conversion is not BROWSER_DEFAULT_WEBGL or NONE');
  } else return false;
  return true;
}
