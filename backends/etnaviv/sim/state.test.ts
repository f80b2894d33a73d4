import { expect, test } from 'vitest';
import { REGISTERS } from '../registers/registers.ts';
import { GpuState } from './state.ts';

const R = REGISTERS;

test('what was found from words holds while they are as they were', () => {
  const state = new GpuState();
  state.write(R.PA_CONFIG.address, 7);
  const { found, reads } = state.record(() => state.word(R.PA_CONFIG) + state.at(R.PA_CONFIG.address));
  expect(found).toBe(14);
  expect([...reads.indices]).toEqual([R.PA_CONFIG.address >>> 2]);
  state.write(R.PA_LINE_WIDTH.address, 1);
  expect(state.hold(reads)).toBe(true);
  state.write(R.PA_CONFIG.address, 8);
  expect(state.hold(reads)).toBe(false);
  state.write(R.PA_CONFIG.address, 7);
  expect(state.hold(reads)).toBe(true);
});

test('what is found inside of something else counts for both', () => {
  const state = new GpuState();
  const { reads } = state.record(() => state.record(() => state.float(R.PA_LINE_WIDTH)));
  state.write(R.PA_LINE_WIDTH.address, 1);
  expect(state.hold(reads)).toBe(false);
});

test('the hash of a state goes back with it, and knows neither uniforms nor engines nor places', () => {
  const state = new GpuState();
  state.write(R.PA_CONFIG.address, 1);
  const hash = state.drawHash;
  const version = state.drawVersion;
  state.write(R.SH_HALTI5_UNIFORMS.address, 5);
  state.write(R.BLT_SRC_STRIDE.address, 5);
  expect(state.drawVersion).toBe(version);
  state.write(R.PE_PIPE_COLOR_ADDR.address, 0x1000);
  expect(state.drawVersion).toBe(version + 1);
  expect(state.drawHash).toBe(hash);
  state.write(R.PA_CONFIG.address, 2);
  expect(state.drawHash).not.toBe(hash);
  state.write(R.PA_CONFIG.address, 1);
  expect(state.drawHash).toBe(hash);
});
