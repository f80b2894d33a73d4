import { describe, expect, it } from 'vitest';
import { NullScreen } from '../../backends/null/screen.ts';
import { blockBytes, formatDescription } from '../format/format.ts';
import { enumName, GL } from './constants.ts';
import { EXTENSIONS } from './extensions.ts';
import { clientAlias, internalFormatRows, transferRows } from './gl-formats.table.ts';
import {
  chooseStorage,
  compressedTextureFormats,
  type FormatRules,
  findSubTransfer,
  findTransfer,
  internalFormatRow,
  pixelLayout,
  requirementHolds,
} from './gl-formats.ts';

const gles2: FormatRules = { version: 2, rules: { webgl: false }, extensions: new Set() };
const gles3: FormatRules = { version: 3, rules: { webgl: false }, extensions: new Set() };
const webgl2: FormatRules = { version: 3, rules: { webgl: true }, extensions: new Set() };
const everything: FormatRules = { version: 2, rules: { webgl: false }, extensions: new Set(Object.keys(EXTENSIONS)) };

/** Named by specifications that no face offers yet: rows that wait for them. */
const WAITING = ['APPLE_texture_format_BGRA8888', 'EXT_texture_type_2_10_10_10_REV', 'OES_depth32'];

describe('GL format table', () => {
  it('names each internal format once', () => {
    const numbers = internalFormatRows.map((row) => row.internalFormat);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const row of internalFormatRows) expect(row.internalFormat, row.name).toBeGreaterThan(0);
  });

  it('has a memory layout and an effective format for every triple', () => {
    for (const row of transferRows) {
      const name = `${enumName(row.internalFormat)} ${enumName(row.format)} ${enumName(row.type)}`;
      const layout = pixelLayout(row.format, row.type);
      const effective = internalFormatRow(row.effective);
      expect(layout, name).toBeDefined();
      expect(effective, name).toBeDefined();
      for (const candidate of effective!.candidates) {
        const stored = formatDescription(clientAlias(candidate)).numericClass;
        expect(stored, `${name} in ${candidate.format}`).toBe(formatDescription(layout!.layout).numericClass);
      }
    }
  });

  it('gives aliases the bytes of what they stand for', () => {
    for (const row of internalFormatRows)
      for (const candidate of row.candidates)
        expect(blockBytes(clientAlias(candidate)), candidate.format).toBe(blockBytes(candidate.format));
  });

  it('stores every internal format on a screen that can do everything, in its own size', () => {
    const screen = new NullScreen();
    for (const row of internalFormatRows) {
      const storage = chooseStorage(screen, row, 'texture2D', 1, row.texture === '' ? 'renderbuffer' : 'texture');
      expect(storage?.format, row.name).toBe(row.candidates[0]!.format);
    }
  });

  it('names only extensions that exist', () => {
    const known = new Set<string>([...Object.keys(EXTENSIONS), ...WAITING, '2', '3', 'webgl', 'gles', '']);
    const requirements = internalFormatRows.flatMap((row) => [
      row.texture,
      row.storage,
      row.filter,
      row.render,
      row.renderbuffer,
    ]);
    for (const requirement of [...requirements, ...transferRows.map((row) => row.requirement)])
      for (const term of requirement.split(/[|&]/)) expect(known.has(term), term).toBe(true);
  });

  it('allows unsized triples only in GLES 2', () => {
    expect(findTransfer(gles2, GL.RGBA, GL.RGBA, GL.UNSIGNED_BYTE)?.effective).toBe(GL.RGBA8);
    expect(findTransfer(gles2, GL.RGB, GL.RGB, GL.UNSIGNED_SHORT_5_6_5)?.effective).toBe(GL.RGB565);
    expect(findTransfer(gles2, GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE)).toBeUndefined();
    expect(findTransfer(gles2, GL.RGBA, GL.RGB, GL.UNSIGNED_BYTE)).toBeUndefined();
    expect(findTransfer(gles2, GL.RGBA, GL.RGBA, GL.FLOAT)).toBeUndefined();
    expect(findTransfer(everything, GL.RGBA, GL.RGBA, GL.FLOAT)?.effective).toBe(GL.RGBA32F);
  });

  it('allows the sized triples of GLES 3', () => {
    expect(findTransfer(gles3, GL.RGB5_A1, GL.RGBA, GL.UNSIGNED_INT_2_10_10_10_REV)?.effective).toBe(GL.RGB5_A1);
    expect(findTransfer(gles3, GL.RGBA8, GL.RGBA, GL.FLOAT)).toBeUndefined();
    expect(findTransfer(gles3, GL.RGBA8UI, GL.RGBA, GL.UNSIGNED_BYTE)).toBeUndefined();
    expect(findTransfer(gles3, GL.R16_EXT, GL.RED, GL.UNSIGNED_SHORT)).toBeUndefined();
  });

  it('updates storage made with a sized format in GLES 2 by the unsized triples', () => {
    expect(findSubTransfer(gles2, GL.RGBA8, GL.RGBA8, GL.RGBA, GL.UNSIGNED_BYTE)).toBeDefined();
    expect(findSubTransfer(gles2, GL.RGBA8, GL.RGBA8, GL.RGB, GL.UNSIGNED_BYTE)).toBeUndefined();
  });

  it('takes ETC2 as core in GLES 3 and as an extension in WebGL 2', () => {
    expect(compressedTextureFormats(gles3)).toContain(GL.COMPRESSED_RGB8_ETC2);
    expect(compressedTextureFormats(webgl2)).toEqual([]);
    expect(requirementHolds(webgl2, '3&gles|WEBGL_compressed_texture_etc')).toBe(false);
  });

  it('keeps floating-point depth in 24 bits where the screen has no better', () => {
    const screen = new NullScreen();
    screen.isFormatSupported = (format) => format === 'X8Z24_UNORM' || format === 'S8_UINT_Z24_UNORM';
    for (const use of ['texture', 'renderbuffer'] as const) {
      const choose = (format: number) => chooseStorage(screen, internalFormatRow(format)!, 'texture2D', 1, use)?.format;
      expect(choose(GL.DEPTH_COMPONENT32F)).toBe('X8Z24_UNORM');
      expect(choose(GL.DEPTH32F_STENCIL8)).toBe('S8_UINT_Z24_UNORM');
    }
  });

  it('falls back when the screen lacks a format', () => {
    const screen = new NullScreen();
    screen.isFormatSupported = (format) => format === 'R8G8B8A8_UNORM';
    const storage = chooseStorage(screen, internalFormatRow(GL.RGB8)!, 'texture2D', 1, 'texture');
    expect(storage).toMatchObject({
      format: 'R8G8B8A8_UNORM',
      clientFormat: 'R8G8B8X8_UNORM',
      readSwizzle: ['x', 'y', 'z', '1'],
    });
    const alpha = chooseStorage(screen, internalFormatRow(GL.ALPHA8_EXT)!, 'texture2D', 1, 'texture');
    expect(alpha).toMatchObject({ format: 'R8G8B8A8_UNORM', readSwizzle: ['0', '0', '0', 'w'] });
  });
});
