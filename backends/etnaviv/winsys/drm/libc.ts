// The C library's calls that a device needs, through koffi. koffi is optional: it is loaded when a device is opened, not before.

import { DeviceError } from './device-error.ts';
import { POINTER_BYTES } from './uapi.ts';

/** A system call's result below 0 is an error; `errno` then tells which. */
export interface Libc {
  open(path: string, flags: number): number;
  close(fd: number): number;
  /** The argument is a struct that the kernel reads and writes in place. */
  ioctl(fd: number, request: number, argument: Uint8Array): number;
  /** Address of a shared mapping, or null. */
  mmap(sizeBytes: number, fd: number, offset: bigint): bigint | null;
  /** Address of private memory of the process, or null: room for what structs point to, since memory of JavaScript may move. */
  mmapAnonymous(sizeBytes: number): bigint | null;
  munmap(address: bigint, sizeBytes: number): void;
  /** The bytes at an address, without a copy. Good until munmap. */
  view(address: bigint, sizeBytes: number): ArrayBuffer;
  /** Size of what a descriptor stands for, or -1. */
  sizeOf(fd: number): number;
  errno(): number;
}

// biome-ignore format: a table is read by its columns
export const ERRNO = {
  EPERM: 1, ENOENT: 2, EINTR: 4, ENXIO: 6, EBADF: 9, EAGAIN: 11, ENOMEM: 12, EACCES: 13, EFAULT: 14, EBUSY: 16, ENODEV: 19, EINVAL: 22,
  ENFILE: 23, EMFILE: 24, ENOTTY: 25, ENOSPC: 28, ENOSYS: 38, ETIMEDOUT: 110,
} as const;

/** `EINVAL (22)`. */
export function errnoName(errno: number): string {
  const name = Object.entries(ERRNO).find(([, value]) => value === errno)?.[0];
  return name ? `${name} (${errno})` : `errno ${errno}`;
}

/** What is used of koffi. Why not its own types: it may not be installed. */
interface Koffi {
  load(path: null): {
    func(name: string, result: string, parameters: string[]): (...values: unknown[]) => number | bigint;
  };
  view(address: bigint, sizeBytes: number): ArrayBuffer;
  errno(): number;
}

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_PRIVATE_ANONYMOUS = 0x22;
const SEEK_END = 2;

async function loadKoffi(): Promise<Koffi> {
  // Why not a literal: compilers and bundlers would look for a package that need not be there.
  const name = 'koffi';
  try {
    const loaded = (await import(name)) as { default?: Koffi } & Koffi;
    return loaded.default ?? loaded;
  } catch (error) {
    throw new DeviceError(
      `etnaviv:drm needs the package koffi to reach the device: npm install koffi (${(error as Error).message})`,
    );
  }
}

function bindLibc(koffi: Koffi): Libc {
  // Why null: names are then looked up in the whole process, so a preloaded library gets the calls. A library by name would bypass it.
  const library = koffi.load(null);
  const open = library.func('open', 'int', ['str', 'int', 'int']);
  const close = library.func('close', 'int', ['int']);
  const ioctl = library.func('ioctl', 'int', ['int', 'ulong', 'void *']);
  // Why the names with 64: offsets of buffers lie beyond 4 GiB, also where `off_t` has 32 bits (ARM).
  const function64 = (name: string, result: string, parameters: string[]) => {
    try {
      return library.func(`${name}64`, result, parameters);
    } catch {
      return library.func(name, result, parameters); // musl: every off_t has 64 bits
    }
  };
  const mmap = function64('mmap', 'intptr_t', ['uintptr_t', 'size_t', 'int', 'int', 'int', 'int64_t']);
  const lseek = function64('lseek', 'int64_t', ['int', 'int64_t', 'int']);
  const munmap = library.func('munmap', 'int', ['uintptr_t', 'size_t']);
  const mapped = (sizeBytes: number, flags: number, fd: number, offset: bigint) => {
    const address = BigInt(mmap(0, sizeBytes, PROT_READ_WRITE, flags, fd, offset));
    // Why unsigned: with 32 bits the upper half of the addresses came as negative numbers.
    return address === -1n ? null : BigInt.asUintN(8 * POINTER_BYTES, address);
  };
  return {
    open: (path, flags) => Number(open(path, flags, 0)),
    close: (fd) => Number(close(fd)),
    ioctl: (fd, request, argument) => Number(ioctl(fd, request, argument)),
    mmap: (sizeBytes, fd, offset) => mapped(sizeBytes, MAP_SHARED, fd, offset),
    mmapAnonymous: (sizeBytes) => mapped(sizeBytes, MAP_PRIVATE_ANONYMOUS, -1, 0n),
    munmap: (address, sizeBytes) => void munmap(address, sizeBytes),
    view: (address, sizeBytes) => koffi.view(address, sizeBytes),
    sizeOf: (fd) => Number(lseek(fd, 0, SEEK_END)),
    errno: () => koffi.errno(),
  };
}

let loading: Promise<Libc> | null = null;

/** Rejects when koffi is not installed or does not work here. */
export function loadLibc(): Promise<Libc> {
  loading ??= loadKoffi().then(bindLibc);
  return loading;
}
