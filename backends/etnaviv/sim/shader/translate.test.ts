// Translated programs against the interpreter of instructions: random programs, hand-made ones, structure, refusals.

import { describe, expect, it } from 'vitest';
import { interpret } from '../../../../src/ir/interpret.ts';
import { assembleProgram } from '../../isa/assemble.ts';
import type { Instruction } from '../../isa/instruction.ts';
import { interpretProgram } from './interpret.ts';
import { PROGRAM_TEMPORARIES, PROGRAM_UNIFORMS, ProgramGenerator, randomSource } from './random-program.ts';
import { structureProgram } from './structure.ts';
import { type ShaderInterface, translateShader } from './translate.ts';

const LANES = 4;

function io(changes: Partial<ShaderInterface> = {}): ShaderInterface {
  return {
    stage: 'fragment',
    inputs: Array.from({ length: PROGRAM_TEMPORARIES }, (_, register) => ({
      register,
      slot: `var${register}` as const,
      components: 4,
      interpolation: 'smooth' as const,
    })),
    outputs: Array.from({ length: PROGRAM_TEMPORARIES }, (_, register) => ({
      register,
      slot: `color${register}` as const,
      components: 4,
      component: 0,
      saturate: false,
    })),
    samplers: [],
    samplerBase: 0,
    uniformSlots: PROGRAM_UNIFORMS,
    vertexIdPlace: null,
    instanceIdPlace: null,
    zeroToOneDepth: false,
    alphaTest: null,
    earlyTests: false,
    ...changes,
  };
}

const canonical = (word: number) => ((word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word >>> 0);

/** Runs a program both ways; the first difference as text, or null. */
function difference(program: readonly Instruction[], seed: number): string | null {
  const next = randomSource(seed + 99);
  const values = [0, 1, -1, 0.5, 2.75, -3.25, 100, 1e-3, -0.125, 7];
  const bits = new Float32Array(1);
  const words = new Uint32Array(bits.buffer);
  const word = () => {
    bits[0] = values[next(values.length)]! + next(4) / 8;
    return words[0]!;
  };
  const inputs = Uint32Array.from({ length: LANES * PROGRAM_TEMPORARIES * 4 }, word);
  const uniforms = Uint32Array.from({ length: PROGRAM_UNIFORMS * 4 }, word);
  const temporaries = new Uint32Array(LANES * 128 * 4);
  for (let lane = 0; lane < LANES; lane++) {
    const from = lane * PROGRAM_TEMPORARIES * 4;
    temporaries.set(inputs.subarray(from, from + PROGRAM_TEMPORARIES * 4), lane * 128 * 4);
  }
  const oracle = interpretProgram(program, { lanes: LANES, temporaries, uniforms });
  if (oracle.timedOut) return 'the oracle did not end';
  const { shader } = translateShader(program, program.length, io());
  const result = interpret(shader, {
    lanes: LANES,
    uniforms,
    uniformBlocks: [],
    sysval: (_name, _lane, out) => out.fill(0),
    input: (slot, lane, out) => {
      const at = (lane * PROGRAM_TEMPORARIES + Number(slot.slice(3))) * 4;
      out.set(inputs.subarray(at, at + 4));
    },
  });
  if (result.discarded !== oracle.killed) return `discarded ${result.discarded}, not ${oracle.killed}`;
  for (let register = 0; register < PROGRAM_TEMPORARIES; register++) {
    const got = result.outputs.get(`color${register}`)!;
    for (let lane = 0; lane < LANES; lane++) {
      if ((oracle.killed >> lane) & 1) continue;
      for (let c = 0; c < 4; c++) {
        const expected = canonical(temporaries[(lane * 128 + register) * 4 + c]!);
        const actual = canonical(got[lane * 4 + c]!);
        if (expected !== actual) {
          return `lane ${lane} t${register}.${'xyzw'[c]}: ${actual.toString(16)}, not ${expected.toString(16)}`;
        }
      }
    }
  }
  return null;
}

describe('translated programs', () => {
  for (const integers of [false, true]) {
    it(`agree with the interpreter over random ${integers ? 'integer' : 'float'} programs`, () => {
      for (let seed = 1; seed <= 50; seed++) {
        const text = new ProgramGenerator(seed, integers).generate(12);
        const fault = difference(assembleProgram(text), seed);
        expect(fault, `seed ${seed}\n${text}`).toBeNull();
      }
    });
  }

  it('run programs without structure', () => {
    // Two jumps that cross: into the middle of what the other one skips.
    const program = assembleProgram(`
      branch.gt void, t0.xxxx, t1.xxxx, second
      add t2, t2.xyzw, void, 1.0
      first:
      add t3, t3.xyzw, void, 1.0
      branch.gt void, t3.xxxx, 5.0, end
      second:
      add t4, t4.xyzw, void, 1.0
      branch.lt void, t4.xxxx, 9.0, first
      end:
      nop void, void, void, void`);
    expect(structureProgram(program, 0, program.length)).toBeNull();
    for (let seed = 0; seed < 20; seed++) expect(difference(program, seed)).toBeNull();
  });

  it('leave at a jump to the end, from any depth', () => {
    const program = assembleProgram(`
      head:
      add t0, t0.xyzw, void, 1.0
      branch.gt void, t0.xxxx, 50.0, out
      branch.gt void, t1.xxxx, 1.0, done
      branch.lt void, t0.xxxx, 20.0, head
      out:
      mov t2, void, void, t0.xyzw
      done:`);
    for (let seed = 0; seed < 20; seed++) expect(difference(program, seed)).toBeNull();
  });

  it('index uniforms by the address register', () => {
    const program = assembleProgram(`
      movar t0.x___, void, void, 2.0
      mov t1, void, void, u0[a.x].xyzw
      mov t2, void, void, u1[a.x].wzyx`);
    expect(difference(program, 3)).toBeNull();
  });

  it('index temporaries by the address register', () => {
    const program = assembleProgram(`
      movar t0._y__, void, void, 1.0
      mov t1[a.y].xy__, void, void, u0.xyzw
      add t3, t1[a.y].xyzw, void, t3.xyzw`);
    expect(difference(program, 5)).toBeNull();
  });
});

describe('structure', () => {
  it('finds if, else, loop, break and continue', () => {
    const program = assembleProgram(`
      head:
      branch.ge void, t0.xxxx, 4.0, exit
      branch.nz void, t1.xxxx, void, otherwise
      nop void, void, void, void
      branch void, void, void, join
      otherwise:
      branch.gt void, t2.xxxx, 1.0, head
      join:
      branch void, void, void, head
      exit:
      nop void, void, void, void`);
    const regions = structureProgram(program, 0, program.length)!;
    expect(regions.map((region) => region.kind)).toEqual(['loop', 'code']);
    const body = regions[0]!.kind === 'loop' ? regions[0]!.body : [];
    expect(body.map((region) => region.kind)).toEqual(['break', 'if', 'continue', 'break']);
  });
});

describe('what cannot be translated', () => {
  it('is refused by name', () => {
    expect(() => translateShader(assembleProgram('litp t0, t1.xyzw, t2.xyzw, t3.xyzw'), 1, io())).toThrow(
      /litp.*not simulated/,
    );
    const load = assembleProgram('load.u32 t0, t1.xxxx, t2.xxxx, void');
    expect(() => translateShader(load, 1, io())).toThrow(/not simulated/);
  });
});
