// SPDX-License-Identifier: MIT
// Emits vertex fetch: one attribute of four vertices, from four addresses to four component vectors. Reads exactly the bytes
// of the attribute, at any alignment.
import { type Format, formatDescription } from '../format/format.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { type FourAddresses, gatherWords } from './pixel-gather.ts';
import { newVec4, type Vec4Locals } from './pixel-math.ts';
import { unpackWords } from './pixel-unpack.ts';

export type { FourAddresses } from './pixel-gather.ts';

/** Whether the format can be a vertex attribute. */
export function isVertexFormat(format: Format): boolean {
  const { isCompressed, space, layout, isSrgb } = formatDescription(format);
  return !isCompressed && !isSrgb && space === 'rgb' && (layout === 'array' || layout === 'packed');
}

/**
 * Fetches attribute values; lane i from `addresses[i]`. Results are floats (normalized, scaled, fixed, half and float formats) or
 * integers (UINT, SINT), missing components 0, 0, 0, 1 (1.0 or integer 1 by the format's class). The four locals are fresh;
 * the caller may release them. `components` (bit mask, default 15) says which results are read; the others are unspecified.
 */
export function emitVertexFetch(
  f: FunctionBuilder,
  format: Format,
  addresses: FourAddresses,
  components = 15,
): Vec4Locals {
  if (!isVertexFormat(format)) throw new Error(`${format} is no vertex format`);
  const result = newVec4(f);
  f.scope(() => {
    const words = gatherWords(f, addresses, formatDescription(format).blockBytes);
    const values = unpackWords(f, format, words, components);
    for (let c = 0; c < 4; c++) f.set(result[c]!, values[c]!);
  });
  return result;
}
