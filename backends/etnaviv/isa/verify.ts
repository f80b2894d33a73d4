// Judges the description by recorded instruction vectors: decode, print, read back, encode, compare.

import { assembleInstruction } from './assemble.ts';
import { decodeInstruction } from './decode.ts';
import { disassembleInstruction } from './disassemble.ts';
import { encodeInstruction } from './encode.ts';
import { INSTRUCTION_WORDS } from './fields.table.ts';

export interface VectorResult {
  readonly line: number;
  readonly hex: string;
  /** Our text, '' when it did not decode. */
  readonly text: string;
  /** What the recording says. */
  readonly expectedText: string;
  /** Null when the vector went round. */
  readonly error: string | null;
}

/** Whether two texts name the same operation and operands, apart from how numbers and padding are written. */
export function sameText(ours: string, theirs: string): boolean {
  const normal = (text: string) => text.trim().replace(/\s+/g, ' ').replace('.zx,', '.x_z_,').replace('.zy,', '._yz_,');
  return normal(ours) === normal(theirs);
}

export function verifyVector(hex: string): { text: string; error: string | null } {
  const words = hex.trim().split(/\s+/);
  if (words.length !== INSTRUCTION_WORDS || words.some((word) => !/^[0-9a-f]{1,8}$/i.test(word)))
    return { text: '', error: `'${hex}' is not four 32-bit words in hexadecimal` };
  const binary = Uint32Array.from(words, (word) => Number.parseInt(word, 16));
  let text = '';
  try {
    const decoded = decodeInstruction(binary);
    text = disassembleInstruction(decoded);
    const again = encodeInstruction(assembleInstruction(text));
    const wrong = again.findIndex((word, index) => word !== binary[index]);
    if (wrong < 0) return { text, error: null };
    const actual = again[wrong]!.toString(16).padStart(8, '0');
    return { text, error: `word ${wrong} comes back as ${actual}, not ${words[wrong]}` };
  } catch (error) {
    return { text, error: (error as Error).message };
  }
}

/** Every line of a `.jsonl` file of vectors ({"hex": "…", "text": "…"}). */
export function verifyVectors(jsonl: string): VectorResult[] {
  const results: VectorResult[] = [];
  for (const [index, line] of jsonl.split('\n').entries()) {
    if (line.trim() === '') continue;
    let vector: { hex?: string; text?: string };
    try {
      vector = JSON.parse(line);
    } catch (error) {
      results.push({ line: index + 1, hex: '', text: '', expectedText: '', error: (error as Error).message });
      continue;
    }
    const hex = String(vector?.hex ?? '');
    results.push({ line: index + 1, hex, expectedText: String(vector?.text ?? ''), ...verifyVector(hex) });
  }
  return results;
}
