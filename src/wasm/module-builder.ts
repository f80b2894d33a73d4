// Assembles a WebAssembly module: types, imports, functions, globals, exports, code, and names for debugging.
import { ByteWriter } from './byte-writer.ts';
import { FunctionBuilder, type GlobalHandle } from './function-builder.ts';
import { type Callable, VALUE_TYPE_CODES, type ValueType, WasmBuildError } from './types.ts';

export interface MemoryType {
  /** 64 KiB pages the memory has at least. */
  readonly minimumPages: number;
  /** Upper limit of growth; a shared memory must have one, and an importer's must not be smaller than the memory's own. */
  readonly maximumPages?: number;
  readonly shared?: boolean;
}

type Import =
  | { readonly kind: 'function'; readonly module: string; readonly name: string; readonly type: number }
  | { readonly kind: 'memory'; readonly module: string; readonly name: string; readonly memory: MemoryType };

const SECTION = { type: 1, import: 2, function: 3, memory: 5, global: 6, export: 7, code: 10 } as const;
const EXPORT_KIND = { function: 0, memory: 2, global: 3 } as const;

export class ModuleBuilder {
  private readonly types: string[] = [];
  private readonly typeBytes: Uint8Array[] = [];
  private readonly imports: Import[] = [];
  private readonly functions: FunctionBuilder[] = [];
  private readonly callables: Callable[] = [];
  private readonly exports: { name: string; kind: number; index: number }[] = [];
  private readonly globals: { type: ValueType; mutable: boolean; value: number }[] = [];
  private memory: MemoryType | null = null;

  private typeIndex(params: readonly ValueType[], results: readonly ValueType[]): number {
    const key = `${params.join()}>${results.join()}`;
    const found = this.types.indexOf(key);
    if (found >= 0) return found;
    const out = new ByteWriter(32);
    out.u8(0x60);
    for (const list of [params, results]) {
      out.u32(list.length);
      for (const type of list) out.u8(VALUE_TYPE_CODES[type]);
    }
    this.typeBytes.push(out.written());
    return this.types.push(key) - 1;
  }

  importMemory(module: string, name: string, memory: MemoryType): void {
    this.checkMemory(memory);
    this.imports.push({ kind: 'memory', module, name, memory });
  }

  /** The module's own memory. */
  defineMemory(memory: MemoryType, exportName?: string): void {
    this.checkMemory(memory);
    this.memory = memory;
    if (exportName !== undefined) this.exports.push({ name: exportName, kind: EXPORT_KIND.memory, index: 0 });
  }

  private checkMemory(memory: MemoryType): void {
    if (this.memory !== null || this.imports.some((entry) => entry.kind === 'memory')) {
      throw new WasmBuildError('a module has one memory');
    }
    if (memory.shared && memory.maximumPages === undefined) throw new WasmBuildError('a shared memory needs a maximum');
  }

  importFunction(module: string, name: string, params: readonly ValueType[], results: readonly ValueType[]): Callable {
    if (this.functions.length > 0) throw new WasmBuildError('imports come before functions');
    this.imports.push({ kind: 'function', module, name, type: this.typeIndex(params, results) });
    const callable = { index: this.callables.length, name, params, results };
    this.callables.push(callable);
    return callable;
  }

  /** Starts a function; it may be called at once (also by itself). Exported under its name on request. */
  function(
    name: string,
    params: readonly ValueType[],
    results: readonly ValueType[] = [],
    options: { readonly exported?: boolean } = {},
  ): FunctionBuilder {
    const builder = new FunctionBuilder(this.callables.length, name, params, results);
    this.callables.push(builder);
    this.functions.push(builder);
    if (options.exported) this.export(name, builder);
    return builder;
  }

  global<T extends ValueType>(
    type: T,
    value: number,
    options: { mutable?: boolean; exportName?: string } = {},
  ): GlobalHandle<T> {
    if (type === 'v128') throw new WasmBuildError('v128 globals are not supported');
    const index = this.globals.push({ type, mutable: options.mutable ?? true, value }) - 1;
    if (options.exportName !== undefined)
      this.exports.push({ name: options.exportName, kind: EXPORT_KIND.global, index });
    return { index, type };
  }

  export(name: string, callable: Callable): void {
    this.exports.push({ name, kind: EXPORT_KIND.function, index: callable.index });
  }

  build(options: { readonly names?: boolean } = {}): Uint8Array<ArrayBuffer> {
    // Bodies first: they are the bulk, and their encoding reports functions that are too complex.
    const bodies = this.functions.map((builder) => builder.encodeBody());
    const out = new ByteWriter(bodies.reduce((sum, body) => sum + body.length + 64, 1024));
    out.append(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    const functionTypes = this.functions.map((builder) => this.typeIndex(builder.params, builder.results));
    section(out, SECTION.type, this.typeBytes, (w, bytes) => w.append(bytes));
    section(out, SECTION.import, this.imports, writeImport);
    section(out, SECTION.function, functionTypes, (w, type) => w.u32(type));
    section(out, SECTION.memory, this.memory === null ? [] : [this.memory], writeMemoryType);
    section(out, SECTION.global, this.globals, (w, { type, mutable, value }) => {
      w.u8(VALUE_TYPE_CODES[type]);
      w.u8(mutable ? 1 : 0);
      w.u8({ i32: 0x41, i64: 0x42, f32: 0x43, f64: 0x44, v128: 0 }[type]);
      if (type === 'i32') w.s32(value);
      else if (type === 'i64') w.s64(BigInt(value));
      else if (type === 'f32') w.f32(value);
      else w.f64(value);
      w.u8(0x0b);
    });
    section(out, SECTION.export, this.exports, (w, { name, kind, index }) => {
      w.text(name);
      w.u8(kind);
      w.u32(index);
    });
    section(out, SECTION.code, bodies, (w, body) => w.sized(body));
    if (options.names) this.writeNames(out);
    return out.written().slice();
  }

  /** The custom section 'name' with function names, so that profiles and traps are readable. */
  private writeNames(out: ByteWriter): void {
    const names = new ByteWriter();
    names.u32(this.callables.length);
    for (const callable of this.callables) {
      names.u32(callable.index);
      names.text(callable.name);
    }
    const content = new ByteWriter(names.length + 16);
    content.text('name');
    content.u8(1);
    content.sized(names.written());
    out.u8(0);
    out.sized(content.written());
  }
}

function section<T>(
  out: ByteWriter,
  id: number,
  entries: readonly T[],
  write: (w: ByteWriter, entry: T) => void,
): void {
  if (entries.length === 0) return;
  const content = new ByteWriter();
  content.u32(entries.length);
  for (const entry of entries) write(content, entry);
  out.u8(id);
  out.sized(content.written());
}

function writeMemoryType(w: ByteWriter, memory: MemoryType): void {
  w.u8((memory.maximumPages === undefined ? 0 : 1) | (memory.shared ? 2 : 0));
  w.u32(memory.minimumPages);
  if (memory.maximumPages !== undefined) w.u32(memory.maximumPages);
}

function writeImport(w: ByteWriter, entry: Import): void {
  w.text(entry.module);
  w.text(entry.name);
  if (entry.kind === 'function') {
    w.u8(0);
    w.u32(entry.type);
  } else {
    w.u8(2);
    writeMemoryType(w, entry.memory);
  }
}
