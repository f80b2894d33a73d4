import { describe, expect, it } from 'vitest';
import { coreInfo, coreNamed } from '../../hwdb/core-info.ts';
import { openDevice, permissionMessage } from './device.ts';
import { ERRNO, type Libc } from './libc.ts';
import { chooseCore, type ProbedCore } from './probe.ts';

/** A C library whose nodes have drivers by name; null: may not be opened. */
function libcWith(drivers: Readonly<Record<string, string | null>>): { libc: Libc; open: Set<number> } {
  const memory = new ArrayBuffer(64);
  const names = Object.keys(drivers);
  const open = new Set<number>();
  const libc: Libc = {
    open(path) {
      const fd = names.indexOf(path.split('/').at(-1)!);
      if (drivers[names[fd]!] === null) return -1;
      open.add(fd);
      return fd;
    },
    close: (fd) => (open.delete(fd) ? 0 : -1),
    ioctl(fd, _request, argument) {
      const name = new TextEncoder().encode(drivers[names[fd]!]!);
      new Uint8Array(memory).set(name);
      new DataView(argument.buffer).setBigUint64(16, BigInt(name.length), true);
      return 0;
    },
    mmap: () => null,
    mmapAnonymous: () => 4096n,
    munmap: () => undefined,
    view: () => memory,
    sizeOf: () => -1,
    errno: () => ERRNO.EACCES,
  };
  return { libc, open };
}

describe('openDevice', () => {
  it('takes the node whose driver is etnaviv, whatever its number, and closes the others', () => {
    const { libc, open } = libcWith({ renderD128: 'vc4', renderD131: 'etnaviv' });
    const device = openDevice(libc, ['renderD128', 'renderD131']);
    expect(device.path).toBe('/dev/dri/renderD131');
    expect([...open]).toEqual([device.fd]);
  });

  it('says that there is no device, or what is there instead', () => {
    const { libc } = libcWith({ renderD128: 'vc4' });
    expect(() => openDevice(libc, [])).toThrow('no GPU device: there is no render node in /dev/dri');
    expect(() => openDevice(libc, ['renderD128'])).toThrow("no Vivante GPU; /dev/dri/renderD128 is driven by 'vc4'");
  });

  it('names the group that may use a node', () => {
    const { libc } = libcWith({ renderD128: null });
    expect(() => openDevice(libc, ['renderD128'])).toThrow(/^no permission to open \/dev\/dri\/renderD128: it is for /);
    expect(permissionMessage('/dev/dri/renderD128', 'video')).toBe(
      "no permission to open /dev/dri/renderD128: it is for group 'video'; join it (sudo usermod -aG video $USER) and log in again",
    );
  });
});

function probed(name: string, pipe: number): ProbedCore {
  const { identity, featureWords, limits } = coreInfo(coreNamed(name)!);
  return { pipe, report: { identity, featureWords, limits }, softpinStart: null };
}

describe('chooseCore', () => {
  it('takes the core with the 3D bit, wherever it stands', () => {
    expect(chooseCore([probed('gc320', 0), probed('gc2000', 1)], 'node').pipe).toBe(1);
    expect(chooseCore([probed('gc2000', 0), probed('gc320', 1)], 'node').pipe).toBe(0);
    expect(chooseCore([probed('gc8000-8002', 0), probed('gc7000', 2)], 'node').pipe).toBe(2);
  });

  it('lists the cores when none draws', () => {
    expect(() => chooseCore([probed('gc320', 0)], '/dev/dri/renderD128')).toThrow(
      '/dev/dri/renderD128 has no core that draws in 3D; its cores: 0x320/0x5007',
    );
  });
});
