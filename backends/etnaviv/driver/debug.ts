// INDIUM_ETNAVIV_DEBUG: words by commas that make the driver talk, or take the slow and sure way.

import { SettingError } from '../setting-error.ts';

const WORDS = {
  cmdstream: 'print each command stream by state names',
  shaders: 'print each program as assembly',
  no_ts: 'no tile status: clears write all pixels',
  no_supertile: 'tiles of 4×4 pixels in rows, no supertiles of 64×64',
  linear_pe: 'draw to shared linear buffers without a copy, where the GPU can',
  flush_all: 'submit after each draw',
} as const;

export type DebugWord = keyof typeof WORDS;

/** The words that are on. Throws on a word that nobody knows. */
export function etnavivDebug(text: string = globalThis.process?.env['INDIUM_ETNAVIV_DEBUG'] ?? ''): Set<DebugWord> {
  const words = text.split(',').filter((word) => word !== '');
  for (const word of words) {
    if (Object.hasOwn(WORDS, word)) continue;
    const known = Object.entries(WORDS).map(([name, help]) => `${name} (${help})`);
    throw new SettingError(`INDIUM_ETNAVIV_DEBUG: no word '${word}'; known: ${known.join(', ')}`);
  }
  return new Set(words as DebugWord[]);
}
