// readPixels (ES 2.0.25 §4.3.1, ES 3.0.6 §4.3.2): allowed formats, pack parameters, pack buffers. Pixels outside of the framebuffer change nothing.

import { blockBytes, type Format, rowBytes } from '../format/format.ts';
import { MAP } from '../pipe/defines.ts';
import { contentsChanged, isBoundForFeedback } from './buffer-data.ts';
import type { BufferObject } from './buffer-object.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory } from './errors.ts';
import { type AttachedImage, isFramebufferComplete } from './framebuffer-completeness.ts';
import { defaultFormats } from './framebuffer-default.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import { pixelLayout, transfersTo } from './gl-formats.ts';
import { clipRect, readAttachment, readRows, readSource, readTight } from './pixel-read.ts';
import { fitsDataStore, pixelBlock, typeBytes, type UnusablePixels } from './pixel-transfer.ts';

export interface ReadFormat {
  readonly format: number;
  readonly type: number;
}

/** Formats and types that the enum check knows; what may be combined is another matter. */
const FORMATS_2: readonly number[] = [GL.ALPHA, GL.RGB, GL.RGBA];
const FORMATS_3: readonly number[] = [
  ...FORMATS_2,
  GL.LUMINANCE,
  GL.LUMINANCE_ALPHA,
  GL.RED,
  GL.RG,
  GL.RED_INTEGER,
  GL.RG_INTEGER,
  GL.RGB_INTEGER,
  GL.RGBA_INTEGER,
];
const TYPES_2: readonly number[] = [
  GL.UNSIGNED_BYTE,
  GL.UNSIGNED_SHORT_5_6_5,
  GL.UNSIGNED_SHORT_4_4_4_4,
  GL.UNSIGNED_SHORT_5_5_5_1,
];
const TYPES_3: readonly number[] = [
  ...TYPES_2,
  GL.BYTE,
  GL.SHORT,
  GL.UNSIGNED_SHORT,
  GL.INT,
  GL.UNSIGNED_INT,
  GL.HALF_FLOAT,
  GL.FLOAT,
  GL.UNSIGNED_INT_2_10_10_10_REV,
  GL.UNSIGNED_INT_10F_11F_11F_REV,
  GL.UNSIGNED_INT_5_9_9_9_REV,
];

function knowsFormat(context: Context, format: number): boolean {
  const isLuminance = format === GL.LUMINANCE || format === GL.LUMINANCE_ALPHA;
  if (isLuminance && context.rules.webgl) return false;
  if ((context.version === 3 ? FORMATS_3 : FORMATS_2).includes(format)) return true;
  const { extensions } = context;
  if (format === GL.BGRA_EXT) return extensions.has('EXT_texture_format_BGRA8888');
  return (format === GL.RED || format === GL.RG) && extensions.has('EXT_texture_rg');
}

function knowsType(context: Context, type: number): boolean {
  if ((context.version === 3 ? TYPES_3 : TYPES_2).includes(type)) return true;
  const { extensions } = context;
  const hasFloat =
    extensions.has('OES_texture_float') ||
    extensions.has('WEBGL_color_buffer_float') ||
    extensions.has('EXT_color_buffer_half_float');
  if (type === GL.FLOAT) return hasFloat;
  return (
    type === GL.HALF_FLOAT_OES &&
    (extensions.has('OES_texture_half_float') || extensions.has('EXT_color_buffer_half_float'))
  );
}

/** The pair that every buffer of this kind can be read with (ES 3.0.6 §4.3.2; EXT_color_buffer_half_float for floats). */
function basePair(row: InternalFormatRow): ReadFormat {
  switch (row.kind) {
    case 'int':
      return { format: GL.RGBA_INTEGER, type: GL.INT };
    case 'uint':
      return { format: GL.RGBA_INTEGER, type: GL.UNSIGNED_INT };
    case 'float':
      return { format: GL.RGBA, type: GL.FLOAT };
    case 'snorm':
      return { format: GL.RGBA, type: row.bits[0] > 8 ? GL.SHORT : GL.BYTE };
    default:
      return { format: GL.RGBA, type: GL.UNSIGNED_BYTE };
  }
}

/** The second pair that an implementation chooses: the one nearest to what is stored. */
function implementationPair(context: Context, row: InternalFormatRow): ReadFormat {
  const fitting = transfersTo(context, row.internalFormat);
  const native = row.candidates[0]?.format;
  const exact = fitting.find(({ format, type }) => pixelLayout(format, type)?.layout === native);
  return exact ?? fitting[0] ?? basePair(row);
}

/** IMPLEMENTATION_COLOR_READ_FORMAT and _TYPE of the read framebuffer; undefined while it can't be read. */
export function implementationColorRead(context: Context): ReadFormat | undefined {
  const framebuffer = context.readFramebuffer;
  if (framebuffer.readBuffer === GL.NONE) return undefined;
  if (framebuffer.isDefault) return implementationPair(context, defaultFormats(context.framebufferAttributes).color);
  if (!isFramebufferComplete(context, framebuffer)) return undefined;
  const row = readAttachment(framebuffer)?.row;
  return row && implementationPair(context, row);
}

function canRead(context: Context, row: InternalFormatRow, format: number, type: number): boolean {
  const base = basePair(row);
  if (format === base.format && type === base.type) return true;
  const chosen = implementationPair(context, row);
  if (format === chosen.format && type === chosen.type) return true;
  if (row.kind !== 'unorm') return false;
  // GLES 3 always allows the packed pair for RGB10_A2, EXT_read_format_bgra bytes in the other order.
  if (row.internalFormat === GL.RGB10_A2 && format === GL.RGBA && type === GL.UNSIGNED_INT_2_10_10_10_REV) return true;
  if (
    context.extensions.has('EXT_texture_norm16') &&
    row.bits[0] === 16 &&
    format === GL.RGBA &&
    type === GL.UNSIGNED_SHORT
  )
    return true;
  return format === GL.BGRA_EXT && type === GL.UNSIGNED_BYTE && context.extensions.has('EXT_texture_format_BGRA8888');
}

/** Client memory, a byte offset into the bound pixel pack buffer, or what a face could not make sense of. */
export type PixelDestination = Uint8Array | number | UnusablePixels;

export function readPixels(
  context: Context,
  x: number,
  y: number,
  width: number,
  height: number,
  format: number,
  type: number,
  destination: PixelDestination,
): void {
  const call = 'readPixels';
  if (width < 0 || height < 0) return invalidValue(context, call, `size ${width} × ${height} is negative`);
  if (!knowsFormat(context, format)) return invalidEnum(context, call, 'format', format);
  if (!knowsType(context, type)) return invalidEnum(context, call, 'type', type);
  const source = readSource(context, call);
  if (!source) return;
  if (typeof destination === 'object' && 'problem' in destination)
    return invalidOperation(context, call, destination.problem);
  if (!canRead(context, source.row, format, type))
    return invalidOperation(context, call, `a ${source.row.name} buffer can't be read with this format and type`);
  const layout = pixelLayout(format, type)!.layout;
  const pixelBytes = blockBytes(layout);
  const { pack } = context;
  const block = pixelBlock(pack, pixelBytes, width, height, 1, false);
  if (context.rules.webgl && !fitsDataStore(pack, width, height, false))
    return invalidOperation(context, call, 'PACK_SKIP_PIXELS plus the width exceeds PACK_ROW_LENGTH');
  const buffer = checkDestination(context, call, destination, type, block.end);
  if (buffer === undefined) return;
  const rect = clipRect(x, y, width, height, source.width, source.height);
  if (!rect) return;
  const offset = block.start + rect.skipY * block.stride + rect.skipX * pixelBytes;
  const done =
    typeof destination === 'number'
      ? readIntoBuffer(context, source, rect, layout, buffer!, destination + offset, block.stride)
      : readRows(context, source, rect, layout, destination, offset, block.stride);
  if (!done) outOfMemory(context, call, 'the pixels could not be read');
}

/** The pack buffer, null for client memory; undefined after an error. */
function checkDestination(
  context: Context,
  call: string,
  destination: Uint8Array | number,
  type: number,
  needed: number,
): BufferObject | null | undefined {
  const buffer = context.pixelPackBuffer;
  if (typeof destination !== 'number') {
    if (buffer)
      return invalidOperation(context, call, 'a buffer is bound to PIXEL_PACK_BUFFER, so pixels go to an offset in it');
    if (needed > destination.byteLength)
      return invalidOperation(context, call, `${destination.byteLength} bytes are too few, ${needed} are needed`);
    return null;
  }
  if (!buffer) return invalidOperation(context, call, 'no buffer is bound to PIXEL_PACK_BUFFER');
  if (buffer.mapping) return invalidOperation(context, call, 'the pixel pack buffer is mapped');
  if (destination % typeBytes(type) !== 0)
    return invalidOperation(context, call, `offset ${destination} is no multiple of the type's size`);
  if (destination + needed > buffer.size) return invalidOperation(context, call, 'the pixel pack buffer is too small');
  if (context.rules.feedbackLoopIsError && isBoundForFeedback(context, buffer))
    return invalidOperation(context, call, 'the pixel pack buffer is bound for transform feedback');
  return buffer;
}

function readIntoBuffer(
  context: Context,
  source: AttachedImage,
  rect: { x: number; y: number; width: number; height: number; skipX: number; skipY: number },
  layout: Format,
  buffer: BufferObject,
  offset: number,
  stride: number,
): boolean {
  const rows = readTight(context, source, rect, layout);
  if (!rows || !buffer.resource) return false;
  const bytes = rowBytes(layout, rect.width);
  const length = (rect.height - 1) * stride + bytes;
  const box = { x: offset, y: 0, z: 0, width: length, height: 1, depth: 1 };
  // Bytes between the rows keep their values, so they have to be read.
  const transfer = context.pipe.transferMap(buffer.resource, 0, MAP.READ | MAP.WRITE, box);
  if (!transfer) return false;
  for (let y = 0; y < rect.height; y++) transfer.data.set(rows.subarray(y * bytes, (y + 1) * bytes), y * stride);
  context.pipe.transferUnmap(transfer);
  contentsChanged(buffer);
  return true;
}
