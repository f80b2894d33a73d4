// The opened device: the render node whose driver is etnaviv, found by name, and its requests. Handles belong to its descriptor.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { DeviceError } from './device-error.ts';
import { ERRNO, errnoName, type Libc } from './libc.ts';
import { IOCTLS, type IoctlName } from './uapi.table.ts';
import { decodeStruct, encodeStruct, ioctlRequest, layoutOf, type Values } from './uapi.ts';

const FOLDER = '/dev/dri';
const DRIVER = 'etnaviv';
const O_RDWR = 2;
const O_CLOEXEC = 0o2000000;

/** A request failed. */
export class IoctlError extends Error {
  override readonly name = 'IoctlError';
  readonly errno: number;

  constructor(request: IoctlName, errno: number) {
    super(`${IOCTLS[request].header} failed: ${errnoName(errno)}`);
    this.errno = errno;
  }
}

export class DrmDevice {
  readonly path: string;
  readonly fd: number;
  readonly libc: Libc;
  /** One buffer for a request: every request's struct is used up before the next. */
  readonly #bytes = new Uint8Array(256);
  readonly #view = new DataView(this.#bytes.buffer);

  constructor(libc: Libc, path: string, fd: number) {
    this.libc = libc;
    this.path = path;
    this.fd = fd;
  }

  /** Sends a request; 0, or the errno it failed with. A signal in between only makes it start again. */
  try(request: IoctlName, values: Values): number {
    const { struct } = IOCTLS[request];
    this.#bytes.fill(0, 0, layoutOf(struct).sizeBytes);
    encodeStruct(struct, values, this.#view);
    for (;;) {
      if (this.libc.ioctl(this.fd, ioctlRequest(request), this.#bytes) >= 0) return 0;
      const errno = this.libc.errno();
      if (errno !== ERRNO.EINTR && errno !== ERRNO.EAGAIN) return errno;
    }
  }

  /** What the kernel wrote into the struct of the last request. */
  result(request: IoctlName): Record<string, number | bigint> {
    return decodeStruct(IOCTLS[request].struct, this.#view);
  }

  /** Sends a request and returns its struct. Throws IoctlError. */
  call(request: IoctlName, values: Values): Record<string, number | bigint> {
    const errno = this.try(request, values);
    if (errno !== 0) throw new IoctlError(request, errno);
    return this.result(request);
  }

  close(): void {
    this.libc.close(this.fd);
  }
}

const NAME_BYTES = 64;

/** The name of the driver behind a descriptor, or null when it is no DRM device. */
function driverName(device: DrmDevice): string | null {
  const { libc } = device;
  const address = libc.mmapAnonymous(NAME_BYTES);
  if (address === null) throw new DeviceError('out of memory');
  try {
    if (device.try('version', { name_len: NAME_BYTES, name: address }) !== 0) return null;
    const length = Math.min(Number(device.result('version')['name_len']), NAME_BYTES);
    return String.fromCharCode(...new Uint8Array(libc.view(address, NAME_BYTES)).subarray(0, length));
  } finally {
    libc.munmap(address, NAME_BYTES);
  }
}

/** The group that may use a node: its name, or its number, or null. */
function groupOf(path: string): string | null {
  try {
    const { gid } = statSync(path);
    const line = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .find((text) => text.split(':')[2] === String(gid));
    return line?.split(':')[0] ?? String(gid);
  } catch {
    return null;
  }
}

export function permissionMessage(path: string, group: string | null): string {
  const who = group === null ? "the node's group (often 'render' or 'video')" : `group '${group}'`;
  const command = `sudo usermod -aG ${group ?? 'render'} $USER`;
  return `no permission to open ${path}: it is for ${who}; join it (${command}) and log in again`;
}

function renderNodes(): string[] {
  let names: string[];
  try {
    names = readdirSync(FOLDER);
  } catch {
    return [];
  }
  const number = (name: string) => Number(name.slice('renderD'.length));
  return names.filter((name) => /^renderD\d+$/.test(name)).sort((a, b) => number(a) - number(b));
}

/** Opens the first render node of the etnaviv driver. Throws DeviceError, telling what was found instead. */
export function openDevice(libc: Libc, nodes: readonly string[] = renderNodes()): DrmDevice {
  if (nodes.length === 0) {
    throw new DeviceError(
      `no GPU device: there is no render node in ${FOLDER} (is the kernel's etnaviv driver loaded?)`,
    );
  }
  const others: string[] = [];
  const denied: string[] = [];
  for (const node of nodes) {
    const path = `${FOLDER}/${node}`;
    const fd = libc.open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
      const errno = libc.errno();
      if (errno === ERRNO.EACCES || errno === ERRNO.EPERM) denied.push(permissionMessage(path, groupOf(path)));
      else others.push(`${path} can't be opened: ${errnoName(errno)}`);
      continue;
    }
    const device = new DrmDevice(libc, path, fd);
    const name = driverName(device);
    if (name === DRIVER) return device;
    device.close();
    others.push(name === null ? `${path} is no DRM device` : `${path} is driven by '${name}'`);
  }
  // Why first: the node that could not be opened may be the right one.
  throw new DeviceError([...denied, ...(denied.length > 0 ? [] : ['no Vivante GPU']), ...others].join('; '));
}
