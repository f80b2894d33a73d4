// The register tables: fields that do not overlap, addresses in the state space, masks, text.

import { describe, expect, it } from 'vitest';
import { dumpStream } from './dump-stream.ts';
import {
  addressName,
  fieldOf,
  mergeWord,
  packFields,
  REGISTERS,
  type Register,
  registerAt,
  STATE_BYTES,
  stateText,
} from './registers.ts';

describe('register tables', () => {
  it('have word-aligned addresses inside of the state space', () => {
    for (const [name, { address, repeat }] of Object.entries(REGISTERS) as [string, Register][]) {
      const end = repeat.reduce((at, [count, stride]) => at + (count - 1) * stride, address);
      expect(address % 4, name).toBe(0);
      expect(end, name).toBeLessThan(STATE_BYTES);
    }
  });

  it('have fields inside of a word', () => {
    for (const [name, { fields }] of Object.entries(REGISTERS) as [string, Register][]) {
      for (const [field, [low, high]] of Object.entries(fields)) {
        expect(low <= high && high < 32, `${name}.${field}`).toBe(true);
      }
    }
  });

  it('fields that are packed read back', () => {
    const word = packFields(REGISTERS.PE_DEPTH_CONFIG, { DEPTH_MODE: 1, DEPTH_FUNC: 7, WRITE_ENABLE: true });
    expect(word).toBe(0x1701);
    expect(fieldOf(REGISTERS.PE_DEPTH_CONFIG, 'DEPTH_FUNC', word)).toBe(7);
    expect(() => packFields(REGISTERS.PE_DEPTH_CONFIG, { DEPTH_FUNC: 8 })).toThrow(/fit/);
  });
});

describe('addresses', () => {
  it('find repeated registers', () => {
    expect(registerAt(0x2440)).toMatchObject({ name: 'TE_SAMPLER_LOD_ADDR', indices: [0, 1] });
    expect(addressName(0x2444)).toBe('TE_SAMPLER_LOD_ADDR[1][1]');
    expect(addressName(0x3f000)).toBe('state 3f000');
  });

  it('print fields by name', () => {
    expect(stateText(0x1400, 0x1701)).toBe(
      'PE_DEPTH_CONFIG = 00001701 (DEPTH_MODE=Z DEPTH_FORMAT=D16 DEPTH_FUNC=ALWAYS WRITE_ENABLE)',
    );
  });
});

describe('masked states', () => {
  it('keep the fields whose mask bit is set', () => {
    const config = REGISTERS.PE_STENCIL_CONFIG;
    const old = packFields(config, { REF_FRONT: 5, MASK_FRONT: 0xf0, MODE: 1 });
    const word = packFields(config, { REF_FRONT: 9, MASK_FRONT: 0x0f, MODE: 2, MODE_MASK: 1, MASK_FRONT_MASK: 1 });
    const merged = mergeWord(config.address, old, word);
    expect(fieldOf(config, 'REF_FRONT', merged)).toBe(9);
    expect(fieldOf(config, 'MASK_FRONT', merged)).toBe(0xf0);
    expect(fieldOf(config, 'MODE', merged)).toBe(1);
  });

  it('take the whole word elsewhere', () => {
    expect(mergeWord(0x1434, 7, 9)).toBe(9);
  });
});

describe('stream dumps', () => {
  it('name states and commands, and end where a stream makes no sense', () => {
    const load = ((1 << 27) | (1 << 26) | (1 << 16) | (0xa00 >>> 2)) >>> 0;
    const text = dumpStream([load, 0x00208000, (5 << 27) >>> 0, 4, 0, 1, (29 << 27) >>> 0, 0, 1, 2]);
    expect(text.split('\n')).toEqual([
      expect.stringContaining('PA_VIEWPORT_SCALE_X = 00208000'),
      '     2  DRAW_PRIMITIVES 28000000 00000004 00000000 00000001',
      '     6  command 29 e8000000 00000000',
      '',
    ]);
  });
});
