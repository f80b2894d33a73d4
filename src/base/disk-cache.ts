// Compiled things in a folder, for the next process (INDIUM_CACHE_DIR). The folder is an optimisation and never trusted: an entry
// carries a checksum of its bytes and of its full key, one that does not fit is removed, and no failure is ever the caller's.
// Entries are written under another name and renamed, so that processes which share the folder never see half of one.

import { makeFolder } from './make-folder.ts';

type FileSystem = typeof import('node:fs');
type Hashing = typeof import('node:crypto');

/** Where the platform has no folders (browsers, or Node before process.getBuiltinModule) there is no cache. */
function builtin<Module>(name: string): Module | null {
  const load = (globalThis.process as { getBuiltinModule?: (id: string) => unknown } | undefined)?.getBuiltinModule;
  return load === undefined ? null : ((load(name) as Module | undefined) ?? null);
}

/** Raised when the form of entries changes. */
const FORMAT = 1;
const MAGIC = 0x4943_0000 | FORMAT;
const CHECKSUM_BYTES = 32;
const HEADER_BYTES = 4 + CHECKSUM_BYTES;
const SUFFIX = '.entry';
/** Files kept; when there are more, the oldest quarter goes. Looked at once a process and every so many writes. */
const MAX_ENTRIES = 2048;
const WRITES_BETWEEN_SWEEPS = 256;

export class DiskCache {
  readonly folder: string;
  readonly #version: string;
  readonly #files: FileSystem;
  readonly #hashing: Hashing;
  #writes = 0;

  /** `version`: of the code that makes the entries. Null: not possible here. */
  static open(folder: string, version: string): DiskCache | null {
    const files = builtin<FileSystem>('node:fs');
    const hashing = builtin<Hashing>('node:crypto');
    return files && hashing ? new DiskCache(folder, version, files, hashing) : null;
  }

  private constructor(folder: string, version: string, files: FileSystem, hashing: Hashing) {
    this.folder = folder;
    this.#version = version;
    this.#files = files;
    this.#hashing = hashing;
  }

  /** A short name for a long key: equal for equal code and equal text only. */
  digest(key: string): string {
    return this.#hashing.createHash('sha256').update(`${this.#version}\n`).update(key).digest('hex');
  }

  #path(digest: string): string {
    return `${this.folder}/${digest}${SUFFIX}`;
  }

  #checksum(digest: string, payload: Uint8Array): Uint8Array {
    return this.#hashing.createHash('sha256').update(digest).update(payload).digest();
  }

  /** The bytes of an entry; null: there is none, or it was damaged. */
  read(digest: string): Uint8Array | null {
    const path = this.#path(digest);
    let bytes: Uint8Array;
    try {
      // Reading a pipe that somebody put there would wait for ever.
      if (!this.#files.statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
      bytes = this.#files.readFileSync(path);
    } catch {
      return null;
    }
    const payload = this.#payloadOf(digest, bytes);
    if (payload === null) this.remove(digest);
    return payload;
  }

  #payloadOf(digest: string, bytes: Uint8Array): Uint8Array | null {
    if (bytes.length < HEADER_BYTES) return null;
    const magic = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (magic !== MAGIC >>> 0) return null;
    const payload = bytes.subarray(HEADER_BYTES);
    const checksum = this.#checksum(digest, payload);
    for (let i = 0; i < CHECKSUM_BYTES; i++) if (checksum[i] !== bytes[4 + i]) return null;
    return payload;
  }

  /** Keeps an entry if it can. */
  write(digest: string, payload: Uint8Array): void {
    const bytes = new Uint8Array(HEADER_BYTES + payload.length);
    new DataView(bytes.buffer).setUint32(0, MAGIC, true);
    bytes.set(this.#checksum(digest, payload), 4);
    bytes.set(payload, HEADER_BYTES);
    const unique = this.#hashing.randomBytes(6).toString('hex');
    const temporary = `${this.folder}/${digest}.${globalThis.process.pid}.${unique}.part`;
    try {
      if (this.#writes++ % WRITES_BETWEEN_SWEEPS === 0) this.#sweep();
      this.#files.writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
      this.#files.renameSync(temporary, this.#path(digest));
    } catch {
      this.#unlink(temporary);
    }
  }

  /** Drops an entry that turned out to be of no use. */
  remove(digest: string): void {
    this.#unlink(this.#path(digest));
  }

  #unlink(path: string): void {
    try {
      this.#files.unlinkSync(path);
    } catch {
      // Another process was faster.
    }
  }

  /** Makes the folder, and room in it; what a dead process left half written goes too once it is an hour old. */
  #sweep(): void {
    const files = this.#files;
    makeFolder(files, this.folder, 0o700);
    const entries: { path: string; time: number }[] = [];
    for (const name of files.readdirSync(this.folder)) {
      const path = `${this.folder}/${name}`;
      const isPart = name.endsWith('.part');
      if (!isPart && !name.endsWith(SUFFIX)) continue;
      const time = files.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (!isPart) entries.push({ path, time });
      else if (Date.now() - time > 3_600_000) this.#unlink(path);
    }
    if (entries.length < MAX_ENTRIES) return;
    entries.sort((a, b) => a.time - b.time);
    for (const { path } of entries.slice(0, entries.length - (MAX_ENTRIES >> 2) * 3)) this.#unlink(path);
  }
}

let opened: DiskCache | null | undefined;

/**
 * The cache that INDIUM_CACHE_DIR asks for, or null. Entries are those of this very build: its version and the time of its files
 * are part of every key.
 */
export function diskCache(): DiskCache | null {
  if (opened === undefined) opened = openFromEnvironment();
  return opened;
}

function openFromEnvironment(): DiskCache | null {
  const folder = globalThis.process?.env?.['INDIUM_CACHE_DIR'];
  const files = folder ? builtin<FileSystem>('node:fs') : null;
  if (!folder || files === null) return null;
  try {
    return DiskCache.open(folder, buildStamp(files));
  } catch {
    return null;
  }
}

/** What compiles: a change in any of their files makes other code. A merged build has all of it in one file, and these only name it. */
const COMPILER_FOLDERS = ['base', 'glsl', 'ir', 'ir/passes', 'jit', 'wasm', 'raster', 'format'];
const MERGED_FILE = '../../core.js';

/** Tells one build from another. Sizes too: package managers may give all files one time. */
export function buildStamp(files: Pick<FileSystem, 'readdirSync' | 'statSync'>): string {
  let newest = 0;
  let count = 0;
  let bytes = 0;
  const add = (file: URL): void => {
    const stat = files.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return;
    count++;
    bytes += stat.size;
    newest = Math.max(newest, stat.mtimeMs);
  };
  add(new URL(MERGED_FILE, import.meta.url));
  for (const name of COMPILER_FOLDERS) {
    const folder = new URL(`../${name}/`, import.meta.url);
    for (const file of files.readdirSync(folder)) if (/\.[jt]s$/.test(file)) add(new URL(file, folder));
  }
  return `${FORMAT} ${count} ${bytes} ${newest} ${globalThis.process.version}`;
}
