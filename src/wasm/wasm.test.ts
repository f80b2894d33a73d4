import { expect, test } from 'vitest';
import { TooComplexError } from '../base/too-complex.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { ModuleBuilder } from './module-builder.ts';
import { ModuleCache } from './module-cache.ts';
import { OPCODES, type OpcodeName, type OpcodeRow } from './opcodes.table.ts';
import { MAX_FUNCTION_LOCALS, TYPE_OF_LETTER, type TypeLetter, type ValueType, WasmBuildError } from './types.ts';

/** Builds a module of one exported function 'run' with a memory of one page and returns the function and the memory. */
function compile(params: ValueType[], results: ValueType[], body: (f: FunctionBuilder) => void) {
  const module = new ModuleBuilder();
  module.defineMemory({ minimumPages: 1 }, 'memory');
  body(module.function('run', params, results, { exported: true }));
  const { run, memory } = new WebAssembly.Instance(new WebAssembly.Module(module.build())).exports;
  return { run: run as (...args: number[]) => number, memory: memory as WebAssembly.Memory };
}

const LANES_16 = [...Array(16).keys()];

test.each(Object.keys(OPCODES) as OpcodeName[])(
  '%s validates and instantiates with its operand and result types',
  (name) => {
    const row: OpcodeRow = OPCODES[name];
    const module = new ModuleBuilder();
    module.importMemory('env', 'memory', { minimumPages: 1, maximumPages: 1, shared: true });
    const params = [...row[2]].map((letter) => TYPE_OF_LETTER[letter as TypeLetter]);
    const results = row[3] === '' ? [] : [TYPE_OF_LETTER[row[3] as TypeLetter]];
    const f = module.function('run', params, results, { exported: true });
    for (let i = 0; i < params.length; i++) f.localGet(i);
    if (row[4] === 'shuffle') f.shuffle(LANES_16);
    else f.op(name, 1, 0);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build({ names: true })), {
      env: { memory },
    });
    expect(instance.exports['run']).toBeTypeOf('function');
  },
);

test('expressions nest, literals become constants, stores and loads take an offset', () => {
  const { run, memory } = compile(['i32', 'f32'], ['f32'], (f) => {
    const address = f.param('i32', 0);
    const x = f.param('f32', 1);
    f.v128.store(address, f.f32x4.mul(f.f32x4.splat(x), 2), 16);
    f.return(f.f32.add(f.f32.load(address, 24), 0.5));
  });
  expect(run(64, 3)).toBe(6.5);
  expect([...new Float32Array(memory.buffer, 80, 4)]).toEqual([6, 6, 6, 6]);
});

test('structured loops count, break and continue', () => {
  const { run } = compile(['i32'], ['i32'], (f) => {
    const sum = f.local('i32', 0);
    const i = f.local('i32');
    f.for(i, 0, f.param('i32', 0), 1, ({ break: out, continue: next }) => {
      f.brIf(next, f.i32.and(i, 1));
      f.brIf(out, f.i32.gt_u(i, 10));
      f.set(sum, f.i32.add(sum, i));
    });
    f.while(f.i32.lt_s(sum, 100), () => f.set(sum, f.i32.mul(sum, 3)));
    f.if(
      f.i32.eq(sum, 162),
      () => f.return(-1),
      () => f.set(sum, f.i32.add(sum, 1)),
    );
    f.return(f.select(f.i32.eqz(0), sum, 7));
  });
  expect(run(6)).toBe(-1);
  expect(run(100)).toBe(271);
});

test('functions call each other and imports, and multiple variables of ended scopes share locals', () => {
  const module = new ModuleBuilder();
  const log = module.importFunction('env', 'log', ['i32'], []);
  const double = module.function('double', ['i32'], ['i32']);
  double.return(double.i32.shl(double.param('i32', 0), 1));
  const f = module.function('run', [], [], { exported: true });
  for (let i = 0; i < 50; i++) f.scope(() => f.callVoid(log, f.let(f.call<'i32'>(double, f.local('i32', i)))));
  expect(f.localCount).toBe(2);
  const logged: number[] = [];
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), {
    env: { log: (x: number) => logged.push(x) },
  });
  (instance.exports['run'] as () => void)();
  expect(logged).toEqual([...Array(50).keys()].map((x) => 2 * x));
});

test('mistakes are reported where they are made', () => {
  compile([], [], (f) => {
    expect(() => f.i32.add(f.f32.const(1) as never, 1)).toThrow('i32.add operand 0 takes i32, got f32');
    expect(() => f.i32.add(0.5, 1)).toThrow('0.5 is no 32-bit integer');
    expect(() => f.v128.and(f.i32x4.const(1), 3)).toThrow('needs a lane type');
    expect(() => f.end()).toThrow(WasmBuildError);
    let inner = f.local('i32', 0);
    f.scope(() => {
      inner = f.local('i32', 0);
    });
    expect(() => f.set(inner, 1)).toThrow('ended local');
    expect(() => f.drop(f.i32.add(inner, 1))).toThrow('used after its scope ended');
  });
});

test('a function beyond the limits of V8 is too complex', () => {
  const f = new ModuleBuilder().function('huge', [], []);
  for (let i = 0; i < MAX_FUNCTION_LOCALS; i++) f.newLocal('v128');
  expect(() => f.newLocal('v128')).toThrow(TooComplexError);
  const module = new ModuleBuilder();
  const long = module.function('long', [], []);
  for (let i = 0; i < 450_000; i++) {
    long.splatConst(0);
    long.emitDrop();
  }
  expect(() => module.build()).toThrow("function 'long' is too complex");
});

test('the module cache keeps the most recently used modules', () => {
  const cache = new ModuleCache(2);
  let builds = 0;
  const get = (key: string) =>
    cache.get(key, () => {
      builds++;
      return new ModuleBuilder().build();
    });
  const a = get('a');
  get('b');
  expect(get('a')).toBe(a);
  get('c');
  expect(get('a')).toBe(a);
  get('b');
  expect(builds).toBe(4);
  expect(cache.size).toBe(2);
});
