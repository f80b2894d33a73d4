// The simulated GPU behind its page tables.

import { expect, it } from 'vitest';
import { coreInfo, coreNamed } from '../hwdb/core-info.ts';
import { REGISTERS as R } from '../registers/registers.ts';
import { SimWinsys } from './sim.ts';
import type { BufferObject, Submit } from './winsys.ts';

function open(name: string): SimWinsys {
  return new SimWinsys(coreInfo(coreNamed(name)!), [], () => {});
}

/** The GPU writes the count of an occlusion query to an address. */
function countTo(address: number): Submit {
  const state = (register: { address: number }, value: number) => [
    ((1 << 27) | (1 << 16) | (register.address >>> 2)) >>> 0,
    value,
  ];
  const words = [...state(R.GL_OCCLUSION_QUERY_ADDR, address), ...state(R.GL_OCCLUSION_QUERY_CONTROL, 0x1df5e76)];
  return { words: Uint32Array.from(words), relocations: [], buffers: new Map() };
}

it.each([
  ['gc2000', /recover hung GPU! \(MMU v1, page not present: 0x80/],
  ['gc7000', /MMU 0 fault \(page not present\) addr 0x/],
])('%s reaches mapped pages, and tells of others as the kernel would', (core, report) => {
  const winsys = open(core);
  const buffers = [winsys.createBuffer(100)!, winsys.createBuffer(5000)!];
  for (const buffer of buffers) buffer.map().fill(0xff);
  winsys.submit(countTo(buffers[1]!.gpuAddress + 4096));
  expect([...buffers[1]!.map().subarray(4096, 4105)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 255]);
  expect(buffers[0]!.map()[0]).toBe(255);
  const { gpuAddress } = buffers[1]!;
  winsys.destroyBuffer(buffers[1]!);
  expect(() => winsys.submit(countTo(gpuAddress))).toThrow(report);
  // The address is given again, to other memory.
  const next = winsys.createBuffer(8192)!;
  expect(next.gpuAddress).toBe(gpuAddress);
  winsys.submit(countTo(gpuAddress));
  winsys.destroy();
});

it('addresses outside of the tables are told as such', () => {
  const winsys = open('gc2000');
  expect(() => winsys.submit(countTo(0x1000))).toThrow(/out of bounds: 0x00001000/);
  winsys.destroy();
  const second = open('gc7000');
  expect(() => second.submit(countTo(0x40000000))).toThrow(/slave not present/);
  second.destroy();
});

it.each(['gc2000', 'gc7000'])('%s sees each change of the page tables and nothing else', (core) => {
  const winsys = open(core);
  const live: BufferObject[] = [];
  const gone: number[] = [];
  let random = 7;
  const next = (below: number) => (random = (random * 48271) % 0x7fffffff) % below;
  for (let round = 0; round < 60; round++) {
    for (let change = next(5); change >= 0; change--) {
      if (live.length > 0 && next(3) === 0) {
        const [buffer] = live.splice(next(live.length), 1);
        winsys.destroyBuffer(buffer!);
        gone.push(buffer!.gpuAddress);
      } else live.push(winsys.createBuffer(1 + next(40_000))!);
    }
    for (const buffer of live) {
      const last = (buffer.sizeBytes - 1) & ~7;
      buffer.map().fill(0xff);
      winsys.submit(countTo(buffer.gpuAddress + Math.max(last - 8, 0)));
      expect(buffer.map().includes(0)).toBe(true);
    }
    const isLive = (address: number) =>
      live.some(({ gpuAddress, sizeBytes }) => address >= gpuAddress && address < gpuAddress + sizeBytes);
    for (const address of gone.filter((one) => !isLive(one)).slice(-3)) {
      expect(() => winsys.submit(countTo(address))).toThrow(/page not present/);
    }
  }
  winsys.destroy();
});
