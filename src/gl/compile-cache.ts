// What was compiled and linked before, by everything that it depends on: applications compile the same texts for every context,
// and the same programs after each context loss. In memory for the process, and on disk when INDIUM_CACHE_DIR asks for it.

import { type DiskCache, diskCache } from '../base/disk-cache.ts';
import { LruCache } from '../base/lru-cache.ts';
import { profile } from '../base/profile.ts';
import type { CheckedShader } from '../glsl/ast.ts';
import { type CompileOptions, type CompileResult, compileShader } from '../glsl/compile.ts';
import { linkProgram } from '../glsl/link.ts';
import type { LinkOptions, LinkResult } from '../glsl/link-result.ts';
import { noteShaderKey } from '../ir/shader-key.ts';

/** Characters of source whose trees are kept: a tree takes about a hundred times as many bytes. */
const MAX_SOURCE_CHARACTERS = 200_000;
/** Instructions of linked programs that are kept, at about 200 bytes each. */
const MAX_INSTRUCTIONS = 60_000;
/** What a program takes beside its instructions, in the same measure. */
const PROGRAM_COST = 200;

const compiled = new LruCache<CompileResult>(MAX_SOURCE_CHARACTERS);
const linked = new LruCache<LinkResult>(MAX_INSTRUCTIONS);
/** What each result was made from. */
const compileKeys = new WeakMap<CompileResult, string>();

/** Forgets everything that is in memory; for tests and for measuring. */
export function clearCompileCache(): void {
  compiled.clear();
  linked.clear();
}

/** `compileShader` of src/glsl, or its result from before. */
export function compileCached(source: string, options: CompileOptions): CompileResult {
  const key = `${JSON.stringify(options)}\n${source}`;
  let result = compiled.get(key);
  if (result === undefined) {
    const start = profile.begin();
    const disk = diskCache();
    result = disk === null ? compileShader(source, options) : compileOnDisk(disk, key, source, options);
    compileKeys.set(result, key);
    compiled.set(key, result, source.length + 1);
    profile.end('compile', start, options.stage);
  }
  return result;
}

/** `linkProgram` of src/glsl with two successful results of `compileCached`, or its result from before. */
export function linkCached(vertex: CompileResult, fragment: CompileResult, options: LinkOptions): LinkResult {
  const key = linkKey(vertex, fragment, options);
  let result = linked.get(key);
  if (result === undefined) {
    const start = profile.begin();
    const disk = diskCache();
    const link = () => linkProgram(vertex.shader!, fragment.shader!, options);
    result = disk === null ? link() : linkOnDisk(disk, key, link);
    linked.set(key, result, costOf(result));
    profile.end('link', start);
  }
  return result;
}

function costOf({ program }: LinkResult): number {
  if (program === undefined) return PROGRAM_COST;
  return PROGRAM_COST + program.vertex.shader.usage.instructions + program.fragment.shader.usage.instructions;
}

function linkKey(vertex: CompileResult, fragment: CompileResult, options: LinkOptions): string {
  const { attribBindings, ...rest } = options;
  const choices = JSON.stringify([[...(attribBindings ?? [])], rest]);
  const vertexKey = compileKeys.get(vertex)!;
  // The length tells where one text ends and the next begins.
  return `${choices}\n${vertexKey.length}\n${vertexKey}\n${compileKeys.get(fragment)!}`;
}

// ------------------------------------------------------------------------------------------------------------- on disk

type Serializer = Pick<typeof import('node:v8'), 'serialize' | 'deserialize'>;

function serializer(): Serializer {
  return globalThis.process.getBuiltinModule('node:v8');
}

function readValue<Value>(disk: DiskCache, digest: string): Value | undefined {
  const bytes = disk.read(digest);
  if (bytes === null) return undefined;
  try {
    return serializer().deserialize(bytes) as Value;
  } catch {
    // Whole, but of no use to this version of V8.
    disk.remove(digest);
    return undefined;
  }
}

function writeValue(disk: DiskCache, digest: string, value: unknown): void {
  try {
    disk.write(digest, serializer().serialize(value));
  } catch (error) {
    // Values that hang on each other in a chain of thousands do not fit V8's stack; such shaders are compiled each time.
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Status and log from disk; the tree is made only if someone asks for it, as a link that is on disk too does not. */
function compileOnDisk(disk: DiskCache, key: string, source: string, options: CompileOptions): CompileResult {
  const digest = disk.digest(`compile ${key}`);
  const known = readValue<Pick<CompileResult, 'ok' | 'log' | 'diagnostics'>>(disk, digest);
  if (known === undefined) {
    const result = compileShader(source, options);
    const { ok, log, diagnostics } = result;
    writeValue(disk, digest, { ok, log, diagnostics });
    return result;
  }
  if (!known.ok) return known;
  let shader: CheckedShader | undefined;
  return {
    ...known,
    get shader() {
      shader ??= compileShader(source, options).shader!;
      return shader;
    },
  };
}

function linkOnDisk(disk: DiskCache, key: string, link: () => LinkResult): LinkResult {
  const digest = disk.digest(`link ${key}`);
  let result = readValue<LinkResult>(disk, digest);
  if (result === undefined) {
    result = link();
    writeValue(disk, digest, result);
  }
  if (result.program !== undefined) {
    noteShaderKey(result.program.vertex.shader, `${digest} vertex`);
    noteShaderKey(result.program.fragment.shader, `${digest} fragment`);
  }
  return result;
}
