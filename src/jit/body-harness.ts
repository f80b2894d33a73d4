// Test support: runs the body of a lowered shader as WebAssembly with inputs and outputs in plain arrays, so that it can be
// compared with the interpreter. `width` quads run in one step.
import { listOf } from '../base/list.ts';
import { interpret } from '../ir/interpret.ts';
import { SYSTEM_VALUES } from '../ir/intrinsics.ts';
import type { Shader, Slot, SystemValue } from '../ir/ir.ts';
import { STATUS, UBO } from '../raster/layout.ts';
import type { Local } from '../wasm/expr.ts';
import { ModuleBuilder } from '../wasm/module-builder.ts';
import { BodyCompiler, type StageAdapter } from './body-compiler.ts';
import { layoutLocals } from './memory-access.ts';

export interface HarnessInputs {
  /** Four words a lane by slot. */
  readonly inputs: ReadonlyMap<Slot, Uint32Array>;
  readonly uniforms: Uint32Array;
  readonly blocks: readonly Uint32Array[];
  readonly loopBudget?: number;
  /** Bit mask of covered lanes; if given, only those run (as in fragment shaders without derivatives). */
  readonly covered?: number;
}

export interface HarnessResult {
  readonly outputs: Map<Slot, Uint32Array>;
  readonly discarded: number;
  readonly timedOut: boolean;
  readonly budgetLeft: number;
}

const [STATUS_AT, UNIFORMS_AT, UBOS_AT, BLOCKS_AT, INPUTS_AT, OUTPUTS_AT, SCRATCH_AT] = [
  0x100, 0x1000, 0x2000, 0x3000, 0x4000, 0x6000, 0x8000,
];
const MEMORY_PAGES = 2;

/** The module of a function `run()` with its own memory. */
export function buildHarness(shader: Shader, width: 1 | 2, covered?: number): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  module.defineMemory({ minimumPages: MEMORY_PAGES }, 'memory');
  const layout = layoutLocals(shader, width);
  const address = layout.bytes === 0 ? null : module.global('i32', SCRATCH_AT);
  const sink = module.global('i32', 0);
  const f = module.function('run', [], [], { exported: true });
  const slots = shader.inputs.map((input) => input.slot);
  const adapter: StageAdapter = {
    uniforms: f.local('i32', UNIFORMS_AT),
    ubos: f.local('i32', UBOS_AT),
    textures: f.local('i32', 0),
    samplerKey: () => {
      throw new Error('no textures here');
    },
    input: (slot: Slot, _mask: number, k: number) => (component: number) =>
      f.v128.load(f.i32.const(INPUTS_AT), ((slots.indexOf(slot) * 4 + component) * width + k) * 16),
    inputAt: () => {
      throw new Error('the harness has no pixels to interpolate in');
    },
    // Every system value is the lane's lowest bit.
    directTarget: () => null,
    pushSystemValue: (name: SystemValue) =>
      f.i32x4.const(...[0, 1, 0, 1].map((bit) => (SYSTEM_VALUES[name].bits === 1 ? -bit : bit))).emit(f),
  };
  const status = f.local('i32', STATUS_AT);
  const never = f.local('i32', 0);
  const body = new BodyCompiler({ f, shader, width, adapter, status, never, sink }, { ...layout, address });
  body.emitPreamble();
  const lanes = covered ?? 0xff;
  const alive: Local<'v128'>[] = listOf(width, (k) =>
    f.let(f.i32x4.const(...[0, 1, 2, 3].map((lane) => -((lanes >> (k * 4 + lane)) & 1)))),
  );
  body.openTimeout();
  body.emitStep({ exec: covered === undefined ? null : alive, alive });
  let at = OUTPUTS_AT;
  for (const { slot } of shader.outputs) {
    for (let c = 0; c < 4; c++) {
      for (let k = 0; k < width; k++, at += 16) {
        f.v128.store(f.i32.const(at), body.output(slot, c, k) ?? f.i32x4.const(0));
      }
    }
  }
  for (let k = 0; k < width; k++, at += 16) f.v128.store(f.i32.const(at), alive[k]);
  body.closeTimeout();
  return module.build();
}

export function runHarness(shader: Shader, width: 1 | 2, environment: HarnessInputs): HarnessResult {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(buildHarness(shader, width, environment.covered)));
  const { run, memory } = instance.exports as { run: () => void; memory: WebAssembly.Memory };
  const words = new Uint32Array(memory.buffer);
  const lanes = width * 4;
  words[(STATUS_AT + STATUS.offset.loopBudget) >> 2] = environment.loopBudget ?? 1_000_000;
  words.set(environment.uniforms, UNIFORMS_AT >> 2);
  let blockAt = BLOCKS_AT;
  environment.blocks.forEach((block, i) => {
    words.set(block, blockAt >> 2);
    words[(UBOS_AT + i * UBO.size + UBO.offset.address) >> 2] = blockAt;
    words[(UBOS_AT + i * UBO.size + UBO.offset.size) >> 2] = block.length * 4;
    blockAt += block.length * 4;
  });
  shader.inputs.forEach(({ slot }, i) => {
    const source = environment.inputs.get(slot)!;
    for (let lane = 0; lane < lanes; lane++) {
      for (let c = 0; c < 4; c++) words[(INPUTS_AT >> 2) + (i * 4 + c) * lanes + lane] = source[lane * 4 + c];
    }
  });
  run();
  const outputs = new Map<Slot, Uint32Array>();
  let at = OUTPUTS_AT >> 2;
  for (const { slot, base, rawComponents = 0 } of shader.outputs) {
    const result = new Uint32Array(lanes * 4);
    for (let c = 0; c < 4; c++) {
      for (let lane = 0; lane < lanes; lane++) {
        const word = words[at++];
        const isNotNumber = base === 'float' && !((rawComponents >> c) & 1) && (word & 0x7fffffff) > 0x7f800000;
        result[lane * 4 + c] = isNotNumber ? 0x7fc00000 : word;
      }
    }
    outputs.set(slot, result);
  }
  let discarded = 0;
  for (let lane = 0; lane < lanes; lane++) if (words[at + lane] === 0) discarded |= 1 << lane;
  const timedOut = words[(STATUS_AT + STATUS.offset.timedOut) >> 2] !== 0;
  return { outputs, discarded, timedOut, budgetLeft: words[(STATUS_AT + STATUS.offset.loopBudget) >> 2] };
}

/** The first difference between the interpreter and generated code, as text; null if there is none. */
export function compareWithInterpreter(
  shader: Shader,
  width: 1 | 2,
  environment: HarnessInputs,
  original: Shader = shader,
): string | null {
  const lanes = width * 4;
  const expected = interpret(original, {
    lanes,
    uniforms: environment.uniforms,
    uniformBlocks: [...environment.blocks],
    sysval: (_name, lane, result) => result.fill(lane & 1),
    input: (slot, lane, result) => result.set(environment.inputs.get(slot)!.subarray(lane * 4, lane * 4 + 4)),
  });
  const actual = runHarness(shader, width, environment);
  const idle = ~(environment.covered ?? -1) & (2 ** lanes - 1);
  const gone = expected.discarded | idle;
  if (gone !== actual.discarded) return `discarded ${actual.discarded} instead of ${gone}`;
  for (const [slot, words] of expected.outputs) {
    const got = actual.outputs.get(slot)!;
    for (let i = 0; i < words.length; i++) {
      const lane = i >> 2;
      if ((gone >> lane) & 1 || words[i] === got[i]) continue;
      return `${slot}.${'xyzw'[i & 3]} lane ${lane}: ${got[i].toString(16)} instead of ${words[i].toString(16)}`;
    }
  }
  return null;
}
