import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSTANTS, IOCTLS, type IoctlName, PARAMS, STRUCTS, type StructName } from './uapi.table.ts';
import { decodeStruct, encodeStruct, ioctlRequest, layoutOf, paramNumber } from './uapi.ts';

/** The kernel's own header: of its development package, of libdrm, or where ETNAVIV_UAPI says. */
function findHeader(): string | null {
  const sources = existsSync('/usr/src')
    ? readdirSync('/usr/src').filter((name) => /^linux-headers-.*-common$/.test(name))
    : [];
  const folders = [
    '/usr/include/drm',
    '/usr/include/libdrm',
    ...sources.map((name) => `/usr/src/${name}/include/uapi/drm`),
  ];
  const given = process.env['ETNAVIV_UAPI'];
  const paths = [...(given ? [given] : []), ...folders.map((folder) => join(folder, 'etnaviv_drm.h'))];
  return paths.find((path) => existsSync(path)) ?? null;
}

const STRUCT_NAMES = Object.keys(STRUCTS) as StructName[];
const IOCTL_NAMES = Object.keys(IOCTLS) as IoctlName[];

/** A C program that prints what the header says, one fact a line. */
function program(header: string): string {
  const lines: string[] = [];
  const print = (label: string, expression: string) =>
    lines.push(`printf("${label} %llu\\n", (unsigned long long)(${expression}));`);
  for (const struct of STRUCT_NAMES) {
    const name = `struct ${STRUCTS[struct].header}`;
    print(`sizeof ${struct}`, `sizeof(${name})`);
    for (const field of layoutOf(struct).fields) {
      print(`offset ${struct}.${field.name}`, `offsetof(${name}, ${field.name})`);
      print(`size ${struct}.${field.name}`, `sizeof(((${name} *)0)->${field.name})`);
    }
  }
  for (const ioctl of IOCTL_NAMES) print(`ioctl ${ioctl}`, `(unsigned int)${IOCTLS[ioctl].header}`);
  for (const param of PARAMS) print(`param ${param}`, `ETNAVIV_PARAM_${param}`);
  for (const constant of Object.keys(CONSTANTS)) print(`constant ${constant}`, constant);
  // `__user` is an annotation that headers lose when they are installed for programs.
  return `#define __user\n#include <stddef.h>\n#include <stdio.h>\n#include "${header}"\nint main(void) { ${lines.join('\n')} return 0; }\n`;
}

/** The same facts from the table. */
function facts(): string[] {
  const lines: string[] = [];
  for (const struct of STRUCT_NAMES) {
    const { sizeBytes, fields } = layoutOf(struct);
    lines.push(`sizeof ${struct} ${sizeBytes}`);
    for (const { name, type, count, offset } of fields) {
      const bytes = { u8: 1, u16: 2, u32: 4, s32: 4, u64: 8, s64: 8, long: 8, pointer: 8, timespec: 16 }[type as 'u8'];
      lines.push(`offset ${struct}.${name} ${offset}`, `size ${struct}.${name} ${bytes * count}`);
    }
  }
  for (const ioctl of IOCTL_NAMES) lines.push(`ioctl ${ioctl} ${ioctlRequest(ioctl)}`);
  for (const param of PARAMS) lines.push(`param ${param} ${paramNumber(param)}`);
  for (const [name, value] of Object.entries(CONSTANTS)) lines.push(`constant ${name} ${value}`);
  return lines;
}

const header = findHeader();
const hasCompiler = spawnSync('cc', ['--version']).status === 0;
const missing = [...(header ? [] : ['etnaviv_drm.h']), ...(hasCompiler ? [] : ['cc'])].join(', ');

describe('the user interface of the kernel', () => {
  it.skipIf(missing !== '')(`is what the real header says${missing && ` (skipped: there is no ${missing})`}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'indium-uapi-'));
    try {
      writeFileSync(join(folder, 'facts.c'), program(header!));
      execFileSync('cc', ['-o', join(folder, 'facts'), join(folder, 'facts.c')]);
      const said = execFileSync(join(folder, 'facts'), { encoding: 'utf8' }).trim().split('\n');
      expect(facts()).toEqual(said);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the request numbers that strace shows', () => {
    expect(ioctlRequest('getParam')).toBe(0xc0106440);
    expect(ioctlRequest('gemCpuFini')).toBe(0x40086445);
    expect(ioctlRequest('gemSubmit')).toBe(0xc0486446);
  });

  it('reads back what it wrote, nested and beyond 53 bits', () => {
    const view = new DataView(new ArrayBuffer(layoutOf('gemCpuPrep').sizeBytes));
    const values = { handle: 7, op: 3, 'timeout.tv_sec': -2n, 'timeout.tv_nsec': (1n << 62n) + 1n };
    encodeStruct('gemCpuPrep', values, view);
    expect(decodeStruct('gemCpuPrep', view)).toEqual(values);
  });
});
