// The compiler's stages one by one: copies, uniform file, register allocation, and the text of small programs.

import { describe, expect, it } from 'vitest';
import { allocateRegisters } from './allocate-registers.ts';
import { assignUniforms } from './assign-uniforms.ts';
import { finishProgram } from './finish.ts';
import { buildInterference, nodeOf, removeDeadWrites } from './liveness.ts';
import { MachineProgram, machineInstruction, operand, virtualDestination } from './machine.ts';
import { orderCopies } from './parallel-copies.ts';
import { lowered, mustCompile, targetNamed, textOf } from './testing.ts';

const mov = (to: number, from: number, components = [0]) =>
  machineInstruction('mov', {
    dst: virtualDestination(to, components),
    sources: [null, null, operand('virtual', from, components)],
  });
const add = (to: number, a: number, b: number) =>
  machineInstruction('add', {
    dst: virtualDestination(to, [0]),
    sources: [operand('virtual', a, [0]), null, operand('virtual', b, [0])],
  });

/** Runs copies on registers that hold their own number. */
function runCopies(program: MachineProgram, copies: ReturnType<typeof orderCopies>): (register: number) => number {
  const values = program.registers.map((_, index) => index);
  for (const { dst, source } of copies) values[dst.index] = values[source.index]!;
  return (register) => values[register]!;
}

describe('parallel copies', () => {
  const copy = (dst: number, source: number) => ({
    dst: virtualDestination(dst, [0]),
    source: operand('virtual', source, [0]),
  });
  it('order chains and break circles', () => {
    for (const copies of [
      [copy(1, 0), copy(2, 1)],
      [copy(0, 1), copy(1, 0)],
      [copy(0, 1), copy(1, 2), copy(2, 0), copy(3, 0)],
    ]) {
      const program = new MachineProgram();
      for (let i = 0; i < 4; i++) program.newRegister(1);
      const held = runCopies(program, orderCopies(program, copies));
      for (const { dst, source } of copies) expect(held(dst.index)).toBe(source.index);
    }
  });
  it('drop what already stands there', () => {
    const program = new MachineProgram();
    program.newRegister(1);
    expect(orderCopies(program, [copy(0, 0)])).toEqual([]);
  });
});

describe('liveness', () => {
  it('removes writes that nobody reads and shortens masks', () => {
    const program = new MachineProgram();
    const [input, wide, unused, out] = [4, 4, 1, 1].map((n) => program.newRegister(n)) as [
      number,
      number,
      number,
      number,
    ];
    program.code = [mov(wide, input, [0, 1, 2, 3]), mov(unused, input), mov(out, wide, [0])];
    program.liveAtEnd.push(out);
    removeDeadWrites(program);
    expect(program.code.map(({ dst }) => dst!.components)).toEqual([[0], [0]]);
  });
  it('knows that a copy is no conflict, but a later write is', () => {
    const program = new MachineProgram();
    const [a, b, c] = [1, 1, 1].map((n) => program.newRegister(n)) as [number, number, number];
    program.code = [add(a, c, c), mov(b, a), add(c, a, b)];
    program.liveAtEnd.push(c);
    expect(buildInterference(program).neighbours[nodeOf(a, 0)]?.has(nodeOf(b, 0)) ?? false).toBe(false);
    program.code = [add(a, c, c), mov(b, a), add(b, b, b), add(c, a, b)];
    expect(buildInterference(program).neighbours[nodeOf(a, 0)]!.has(nodeOf(b, 0))).toBe(true);
  });
});

describe('register allocation', () => {
  it('fills the free components of partly used temporaries', () => {
    const program = new MachineProgram();
    const parts = [3, 1, 2, 2].map((n) => program.newRegister(n));
    for (const [index, part] of parts.entries()) {
      const components = [0, 1, 2, 3].slice(0, program.registers[part]!.components);
      program.code.push(
        machineInstruction('mov', {
          dst: virtualDestination(part, components),
          sources: [null, null, operand('uniform', index, components)],
        }),
      );
    }
    program.liveAtEnd.push(...parts);
    const { temporaries, places } = allocateRegisters(program, 64, new Set());
    expect(temporaries).toBe(2);
    const used = parts
      .flatMap((part) => [0, 1, 2, 3].map((c) => places[nodeOf(part, c)]!))
      .filter((place) => place >= 0);
    expect(new Set(used).size).toBe(8);
  });
  it('makes copies vanish', () => {
    const program = new MachineProgram();
    const [a, b] = [program.newRegister(1), program.newRegister(1)];
    program.code = [mov(a, b)];
    program.liveAtEnd.push(a);
    const finished = finishProgram(program, allocateRegisters(program, 64, new Set()));
    expect(finished.program.map(({ op }) => op)).toEqual(['nop']);
  });
});

describe('the uniform file', () => {
  const build = (gpu: string) => {
    const program = new MachineProgram();
    const user = [0, 1, 2, 3, 4, 5, 6, 7].map((word) => program.word({ kind: 'uniform', word, convert: false }));
    const out = program.newRegister(4);
    const four = [0, 1, 2, 3];
    program.code = [
      machineInstruction('mul', {
        dst: virtualDestination(out, four),
        sources: [operand('word', 0, user.slice(0, 4)), operand('word', 0, user.slice(4)), null],
      }),
      machineInstruction('add', {
        dst: virtualDestination(out, four),
        sources: [
          operand('virtual', out, four),
          null,
          operand(
            'word',
            0,
            four.map(() => program.immediate(0x3f800000)),
          ),
        ],
      }),
    ];
    const file = assignUniforms(program, [], targetNamed(gpu), 64);
    return { ops: program.code.map(({ op }) => op), slots: file.words.length / 4, immediates: file.immediates };
  };
  it('is read once an instruction where the hardware has one port', () => {
    expect(build('gc2000')).toEqual({ ops: ['mov', 'mul', 'add'], slots: 3, immediates: 1 });
    expect(build('gc3000').ops).toEqual(['mov', 'mul', 'add']);
  });
  it('is read freely elsewhere, and immediates need no place', () => {
    expect(build('gc7000')).toEqual({ ops: ['mul', 'add'], slots: 2, immediates: 0 });
  });
});

describe('small programs', () => {
  const text = (gpu: string, body: string) =>
    textOf(
      mustCompile(
        lowered(
          `precision highp float; varying vec4 v; uniform vec4 u; uniform sampler2D s; void main() { ${body} }`,
          'fragment',
        ),
        targetNamed(gpu),
      ),
    )
      .split('\n')
      .map((line) => line.trim().replace(/ +/g, ' '));
  it('are what a person would write', () => {
    expect(text('gc2000', 'gl_FragColor = texture2D(s, v.xy) * u + 0.5;')).toMatchInlineSnapshot(`
      [
        "0 texld t1, tex0.xyzw, t1.xyyy, void, void",
        "1 mov t2.x___, void, void, u1.xxxx",
        "2 mad t1, t1.xyzw, u0.xyzw, t2.xxxx",
      ]
    `);
    expect(text('gc7000', 'gl_FragColor = texture2D(s, v.xy) * u + 0.5;')).toMatchInlineSnapshot(`
      [
        "0 texld t1, tex0.xyzw, t1.xyyy, void, void",
        "1 mad t1, t1.xyzw, u0.xyzw, 0.5",
      ]
    `);
    expect(text('gc2000', 'gl_FragColor = vec4(normalize(v.xyz), sin(v.w * 3.0));')).toMatchInlineSnapshot(`
      [
        "0 dp3 t2.x___, t1.xyzz, t1.xyzz, void",
        "1 rsq t2.x___, void, void, t2.xxxx",
        "2 mul t1.xyz_, t1.xyzx, t2.xxxx, void",
        "3 mul t1.___w, t1.wwww, u0.xxxx, void",
        "4 sin t1.___w, void, void, t1.wwww",
      ]
    `);
    expect(text('gc7000', 'gl_FragColor = v.x > 0.0 ? vec4(log2(v.y)) : u;')).toMatchInlineSnapshot(`
      [
        "0 cmp.lt t1.x___, 0.0, t1.xxxx, -1",
        "1 branch.not.u32 void, t1.xxxx, void, l6",
        "2 log.rtz t1.xy__, void, void, t1.yyyy",
        "3 mul t1.x___, t1.xxxx, t1.yyyy, void",
        "4 mov t1._yzw, void, void, t1.xxxx",
        "5 branch void, void, void, l7",
        "6 mov t1, void, void, u0.xyzw",
        "7 nop void, void, void, void",
      ]
    `);
  });
});
