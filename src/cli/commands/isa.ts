// `indium isa`: assembles, disassembles and documents the instruction sets of the GPU backends, and checks them by vectors.

import { readFileSync, writeFileSync } from 'node:fs';
import { readText, writeFile, writeJson } from '../files.ts';
import { UsageError } from '../usage-error.ts';

export interface IsaOptions {
  readonly isa?: string;
  readonly out?: string;
  readonly json?: string;
}

interface VectorRow {
  readonly line: number;
  readonly hex: string;
  readonly text: string;
  readonly error: string | null;
}

/** What an instruction set offers to the command. */
interface Toolset {
  /** Text to little-endian words. */
  assemble(text: string): Uint32Array;
  /** Words to a listing that `assemble` reads. */
  disassemble(words: Uint32Array): string;
  verify(jsonl: string): readonly VectorRow[];
  document(): string;
}

/** One row an instruction set. */
const TOOLSETS: Readonly<Record<string, () => Promise<Toolset>>> = {
  vivante: async () => {
    const [assemble, decode, disassemble, document, encode, verify] = await Promise.all([
      import('../../../backends/etnaviv/isa/assemble.ts'),
      import('../../../backends/etnaviv/isa/decode.ts'),
      import('../../../backends/etnaviv/isa/disassemble.ts'),
      import('../../../backends/etnaviv/isa/document.ts'),
      import('../../../backends/etnaviv/isa/encode.ts'),
      import('../../../backends/etnaviv/isa/verify.ts'),
    ]);
    return {
      assemble: (text) => encode.encodeProgram(assemble.assembleProgram(text)),
      disassemble: (words) => disassemble.disassembleProgram(decode.decodeProgram(words)),
      verify: verify.verifyVectors,
      document: document.isaDocument,
    };
  },
};

const ACTIONS = ['asm', 'disasm', 'verify', 'doc'];

async function openToolset(name = 'vivante'): Promise<Toolset> {
  const open = TOOLSETS[name];
  if (!open) throw new UsageError(`--isa ${name}: known are ${Object.keys(TOOLSETS).join(', ')}`);
  return open();
}

/** Words from a file: raw little-endian binary, or hexadecimal words in text. */
function readWords(path: string): Uint32Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`);
  }
  const text = new TextDecoder('latin1').decode(bytes);
  if (/^[\s0-9a-fx,]*$/i.test(text)) {
    const words = text.split(/[\s,]+/).filter((word) => word !== '');
    const wrong = words.find((word) => !/^(0x)?[0-9a-f]{1,8}$/i.test(word));
    if (wrong !== undefined) throw new UsageError(`${path}: '${wrong}' is not a 32-bit word in hexadecimal`);
    return Uint32Array.from(words, (word) => Number.parseInt(word, 16));
  }
  if (bytes.length % 4 !== 0) throw new UsageError(`${path}: ${bytes.length} bytes are not whole 32-bit words`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index, true));
}

function hexListing(words: Uint32Array): string {
  const hex = [...words].map((word) => word.toString(16).padStart(8, '0'));
  let text = '';
  for (let at = 0; at < hex.length; at += 4) text += `${hex.slice(at, at + 4).join(' ')}\n`;
  return text;
}

function print(text: string, out: string | undefined): void {
  if (out) writeFile(out, text);
  else process.stdout.write(text);
}

function assembleFile(tools: Toolset, file: string, out: string | undefined): number {
  const words = tools.assemble(readText(file));
  if (out?.endsWith('.bin')) {
    const bytes = new DataView(new ArrayBuffer(words.length * 4));
    for (const [index, word] of words.entries()) bytes.setUint32(4 * index, word, true);
    writeFileSync(out, new Uint8Array(bytes.buffer));
  } else print(hexListing(words), out);
  return 0;
}

function verifyFile(tools: Toolset, file: string, options: IsaOptions): number {
  const rows = tools.verify(readText(file));
  const failed = rows.filter(({ error }) => error !== null);
  for (const { line, hex, text, error } of failed.slice(0, 20))
    console.error(`${file}:${line}: ${hex}: ${error} ${text}`);
  if (failed.length > 20) console.error(`… and ${failed.length - 20} more`);
  const summary = { passed: rows.length - failed.length, failed: failed.length, skipped: 0 };
  console.log(`${summary.passed} of ${rows.length} vectors go round`);
  if (options.json) writeJson(options.json, { summary, rows });
  return failed.length === 0 ? 0 : 1;
}

/** Exit code of the command. */
export async function isa(action: string, file: string | undefined, options: IsaOptions): Promise<number> {
  if (!ACTIONS.includes(action)) throw new UsageError(`isa ${action}: known are ${ACTIONS.join(', ')}`);
  const tools = await openToolset(options.isa);
  if (action === 'doc') {
    print(tools.document(), options.out);
    return 0;
  }
  if (!file) throw new UsageError(`isa ${action} needs a file`);
  if (action === 'verify') return verifyFile(tools, file, options);
  try {
    if (action === 'asm') return assembleFile(tools, file, options.out);
    print(tools.disassemble(readWords(file)), options.out);
    return 0;
  } catch (error) {
    if ((error as Error).name !== 'IsaError') throw error;
    console.error(`indium isa ${action}: ${file}: ${(error as Error).message}`);
    return 1;
  }
}
