// Shader programs of the GPU: decoded and translated once per binary and interface, compiled once per variant key.

import { compileFragmentProgram } from '../../../src/jit/fragment-program.ts';
import { type FragmentKey, fragmentKeyText, type VertexKey, vertexKeyText } from '../../../src/jit/keys.ts';
import { chooseQuadsPerStep } from '../../../src/jit/quads-per-step.ts';
import type { ShaderModule } from '../../../src/jit/shader-module.ts';
import { compileVertexProgram } from '../../../src/jit/vertex-program.ts';
import { FRAGMENT_ENTRY, VERTEX_ENTRY } from '../../../src/raster/layout.ts';
import type { RasterMemory } from '../../../src/raster/memory.ts';
import { SCRATCH_EXPORT } from '../../../src/wasm/function-source.ts';
import { decodeProgram } from '../isa/decode.ts';
import type { Instruction } from '../isa/instruction.ts';
import type { ShadeFunction, VerticesFunction } from './job.ts';
import { type ShaderInterface, translateShader, type UniformPointer } from './shader/translate.ts';

const MAX_BINARIES = 512;
const MAX_VARIANTS = 1024;

/** A decoded binary with what was made from it. */
export interface Binary {
  readonly words: Uint32Array;
  readonly program: readonly Instruction[];
  /** One past the highest uniform that any instruction names, or the whole file where one is indexed. */
  readonly uniformSlots: number;
  readonly samplerUnits: readonly number[];
  /** The program writes t0.z: on pixels, their depth. */
  readonly writesDepth: boolean;
  /** Texture instructions. */
  readonly fetches: number;
}

/** A shader for one interface, with its compiled variants. */
export interface Translation {
  readonly ir: ReturnType<typeof translateShader>['shader'];
  readonly pointers: readonly UniformPointer[];
  readonly quadsPerStep: 1 | 2;
}

/** Scratch memory that generated code asks for: one block, grown to the largest need. */
class Scratch {
  private address = 0;
  private bytes = 0;
  private readonly globals: WebAssembly.Global[] = [];
  private readonly memory: RasterMemory;

  constructor(memory: RasterMemory) {
    this.memory = memory;
  }

  attach(global: WebAssembly.Global, bytes: number): void {
    if (bytes > this.bytes) {
      const address = this.memory.allocate(bytes);
      this.memory.free(this.address);
      this.address = address;
      this.bytes = bytes;
      for (const other of this.globals) other.value = address;
    }
    this.globals.push(global);
    global.value = this.address;
  }

  release(): void {
    this.memory.free(this.address);
    this.address = this.bytes = 0;
    this.globals.length = 0;
  }
}

/** The value of `key`, made when it is new; the oldest entry leaves when there are too many. */
function remember<Value>(map: Map<string, Value>, limit: number, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    if (map.size >= limit) map.delete(map.keys().next().value!);
    map.set(key, value);
  }
  return value;
}

const INDEXED_UNIFORMS = 512;

function describeBinary(words: Uint32Array): Binary {
  const program = decodeProgram(words);
  let uniformSlots = 0;
  const units = new Set<number>();
  let writesDepth = false;
  for (const { sources, texture, dst, op } of program) {
    if (texture) units.add(texture.unit);
    // An address register is no temporary.
    if (dst && dst.register === 0 && dst.mask & 4 && !op.startsWith('mova')) writesDepth = true;
    for (const source of sources) {
      if (source?.kind !== 'register' || !source.group.startsWith('uniform')) continue;
      const slot = source.register + (source.group === 'uniformHigh' ? 128 : 0);
      uniformSlots = Math.max(uniformSlots, source.addressing === 'direct' ? slot + 1 : INDEXED_UNIFORMS);
    }
  }
  return {
    words,
    program,
    uniformSlots,
    samplerUnits: [...units],
    writesDepth,
    fetches: program.filter((one) => one.texture).length,
  };
}

export class ProgramCache {
  private readonly memory: RasterMemory;
  private readonly scratch: Scratch;
  private readonly binaries = new Map<string, { key: string; binary: Binary }>();
  private readonly translations = new Map<string, { key: string; translation: Translation }>();
  /** Short names stand for long texts in the keys of what is made from them. */
  private names = 0;
  private readonly vertexVariants = new Map<string, VerticesFunction>();
  private readonly fragmentVariants = new Map<string, ShadeFunction>();

  constructor(memory: RasterMemory) {
    this.memory = memory;
    this.scratch = new Scratch(memory);
  }

  /** Decodes the words of a program. Throws IsaError. The key names the binary in `translate`. */
  binary(words: Uint32Array): { key: string; binary: Binary } {
    return remember(this.binaries, MAX_BINARIES, wordsKey(words), () => ({
      key: `b${this.names++}`,
      binary: describeBinary(words.slice()),
    }));
  }

  translate(key: string, binary: Binary, io: ShaderInterface): { key: string; translation: Translation } {
    return remember(this.translations, MAX_BINARIES, `${key}|${JSON.stringify(io)}`, () => {
      const { shader, pointers } = translateShader(binary.program, binary.program.length, io);
      const translation = { ir: shader, pointers, quadsPerStep: chooseQuadsPerStep(shader) };
      return { key: `t${this.names++}`, translation };
    });
  }

  vertices(key: string, translation: Translation, variant: VertexKey): VerticesFunction {
    return remember(this.vertexVariants, MAX_VARIANTS, `${key}|${vertexKeyText(variant)}`, () => {
      const module = compileVertexProgram(translation.ir, variant, { sharedMemory: this.memory.isShared });
      return this.instantiate(module, VERTEX_ENTRY) as VerticesFunction;
    });
  }

  shade(key: string, translation: Translation, variant: FragmentKey): ShadeFunction {
    return remember(this.fragmentVariants, MAX_VARIANTS, `${key}|${fragmentKeyText(variant)}`, () => {
      const module = compileFragmentProgram(translation.ir, variant, { sharedMemory: this.memory.isShared });
      return this.instantiate(module, FRAGMENT_ENTRY) as ShadeFunction;
    });
  }

  private instantiate({ bytes, scratchBytes }: ShaderModule, entry: string): WebAssembly.ExportValue {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory: this.memory.memory } });
    if (scratchBytes > 0) this.scratch.attach(instance.exports[SCRATCH_EXPORT] as WebAssembly.Global, scratchBytes);
    return instance.exports[entry]!;
  }

  destroy(): void {
    this.scratch.release();
  }
}

/** A text that is equal only for equal words (programs are short). */
function wordsKey(words: Uint32Array): string {
  let text = '';
  for (const word of words) text += String.fromCharCode(word & 0xffff, word >>> 16);
  return text;
}
