// The standard pipeline: from what a front end makes to the lowered form that backends read.
import { TooComplexError } from '../base/too-complex.ts';
import type { Shader } from './ir.ts';
import { gatherInfo } from './passes/gather-info.ts';
import { gatherRawOutputs } from './passes/gather-raw-outputs.ts';
import { gatherUniform } from './passes/gather-uniform.ts';
import { lowerContinues } from './passes/lower-continues.ts';
import { lowerLocalArrays } from './passes/lower-local-arrays.ts';
import { packRule } from './passes/lower-pack.ts';
import { lowerReturns } from './passes/lower-returns.ts';
import { scalarsRule } from './passes/lower-to-scalars.ts';
import { transcendentalsRule } from './passes/lower-transcendentals.ts';
import { lowerVariablesToSsa } from './passes/lower-variables-to-ssa.ts';
import { algebraicRule } from './passes/opt-algebraic.ts';
import { constantFoldRule } from './passes/opt-constant-fold.ts';
import { copyPropagateRule } from './passes/opt-copy-propagate.ts';
import { cseRule } from './passes/opt-cse.ts';
import { optDeadCode } from './passes/opt-dead-code.ts';
import { optDeadControlFlow } from './passes/opt-dead-control-flow.ts';
import { optIfToSelect } from './passes/opt-if-to-select.ts';
import { optInline } from './passes/opt-inline.ts';
import { optLoopInvariant } from './passes/opt-loop-invariant.ts';
import { DEFAULT_UNROLL, optLoopUnroll, type UnrollLimits } from './passes/opt-loop-unroll.ts';
import { rawBitsRule } from './passes/opt-raw-bits.ts';
import { swizzleRule } from './passes/opt-swizzle.ts';
import { type Rule, rewrite } from './passes/rewrite.ts';
import { splitVariables } from './passes/split-variables.ts';
import { assertValid } from './validate.ts';
import { countInstructions, renumber } from './walk.ts';

export interface OptimizeOptions {
  /** Spell out fsin, fexp2 and the like (default true: soft has no instruction for them). */
  lowerTranscendentals?: boolean;
  /** Spell out packHalf2x16 and the like (default true). */
  lowerPack?: boolean;
  /** Make all arithmetic scalar (default false), for machines that compute one component of many pixels at a time. */
  scalars?: boolean;
  /** False leaves loops alone. */
  unroll?: UnrollLimits | false;
  /** False keeps every if. */
  ifToSelect?: boolean;
  /** Check the shader after every pass (default: INDIUM_DEBUG contains `validate`). */
  validate?: boolean;
  /** Instructions that the result may have (default 100,000). */
  maxInstructions?: number;
  /** Instructions that all passes together may look at (default 1,000,000): what bounds the time that a hostile text takes. */
  maxWork?: number;
  /** Called after each pass that made progress, for dumps. */
  onPass?: (name: string, shader: Shader) => void;
}

/** `ok` false: the shader exceeds a limit; it is then in no usable state. */
export type OptimizeResult = { ok: true } | { ok: false; message: string };

const MAX_ROUNDS = 8;

/** A pass takes 1 to 2 µs for an instruction, and a long shader goes through about 33: a second or two at most. */
const MAX_WORK = 1_000_000;
/** At least so many passes see every instruction of the front end: a hostile text is refused before the first. */
const LEAST_PASSES = 12;

function totalInstructions(shader: Shader): number {
  let total = 0;
  for (const fn of shader.functions) total += countInstructions(fn.body);
  return total;
}

function debugValidate(): boolean {
  const flags = typeof process === 'undefined' ? undefined : process.env['INDIUM_DEBUG'];
  return flags?.split(',').includes('validate') ?? false;
}

/** Brings a shader into lowered form, in place. */
export function optimizeShader(shader: Shader, options: OptimizeOptions = {}): OptimizeResult {
  try {
    runPipeline(shader, options);
  } catch (error) {
    if (error instanceof TooComplexError) return { ok: false, message: `too complex: ${error.message}` };
    throw error;
  }
  return { ok: true };
}

function runPipeline(shader: Shader, options: OptimizeOptions): void {
  const validate = options.validate ?? debugValidate();
  const maxInstructions = options.maxInstructions ?? 100_000;
  let work = options.maxWork ?? MAX_WORK;
  let size = totalInstructions(shader);
  const run = (name: string, pass: (shader: Shader) => boolean): boolean => {
    const progress = pass(shader);
    // Passes that make code are charged for it, those that remove code for what there was.
    const sizeNow = totalInstructions(shader);
    work -= Math.max(size, sizeNow);
    size = sizeNow;
    if (work < 0) throw new TooComplexError('the shader is too large');
    if (validate) assertValid(shader, { after: name });
    if (progress) options.onPass?.(name, shader);
    return progress;
  };
  const simplify = (extra: readonly Rule[] = []) =>
    run('simplify', (s) => {
      const shape = s.isScalar ? [scalarsRule()] : [];
      const local = [copyPropagateRule(), swizzleRule(), ...shape, constantFoldRule(), algebraicRule(s.isExact)];
      return rewrite(s, [...local, ...extra, cseRule(s.nextValueId)]);
    });
  // Changes the bits of NaNs, which an exact shader must not.
  const rawBits = shader.isExact ? [] : [rawBitsRule()];
  /** Local rewrites and dead code until control flow stays as it is, or for some rounds. */
  const settle = (): void => {
    renumber(shader);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      simplify(rawBits);
      const again = run('opt-dead-control-flow', optDeadControlFlow);
      run('opt-dead-code', optDeadCode);
      // Selects seldom show that more control flow is dead: that they are simplified with the rest, later, is enough.
      if (options.ifToSelect !== false) run('opt-if-to-select', optIfToSelect);
      if (!again) return;
    }
  };
  const toSsa = (final: boolean): boolean => {
    let progress = run('split-variables', (s) => splitVariables(s, { final }));
    if (final && run('lower-local-arrays', lowerLocalArrays)) progress = true;
    return run('lower-variables-to-ssa', lowerVariablesToSsa) || progress;
  };

  if (validate) assertValid(shader, { after: 'the front end' });
  if (size * LEAST_PASSES > work) throw new TooComplexError('the shader has too many statements');
  run('lower-returns', lowerReturns);
  run('lower-continues', lowerContinues);
  run('opt-inline', optInline);
  toSsa(false);
  const limits = options.unroll ?? DEFAULT_UNROLL;
  const unroll = (): boolean => limits !== false && run('opt-loop-unroll', (s) => optLoopUnroll(s, limits));
  // Loops that are plainly short are simplified once unrolled, not before and after.
  unroll();
  settle();
  let hasUnrolled = unroll();
  // Unrolling an inner loop may bring an outer one within reach, and constant indices make variables splittable.
  for (let round = 0; round < 3 && hasUnrolled; round++) {
    settle();
    if (toSsa(false)) settle();
    hasUnrolled = round < 2 && unroll();
  }
  if (toSsa(true)) settle();
  run('opt-loop-invariant', optLoopInvariant);
  if (!shader.isExact) run('gather-raw-outputs', gatherRawOutputs);
  renumber(shader);
  // Only now: what holds for whole vectors has been found, and is cheaper to find there.
  shader.isScalar = options.scalars ?? false;
  const lowerings: Rule[] = [];
  if (options.lowerPack !== false) lowerings.push(packRule());
  if (options.lowerTranscendentals !== false) lowerings.push(transcendentalsRule());
  simplify(lowerings);
  run('opt-dead-code', optDeadCode);
  if (run('opt-loop-invariant', optLoopInvariant)) simplify();
  shader.main.locals = [];
  shader.globals = [];
  if (countInstructions(shader.main.body) > maxInstructions) throw new TooComplexError('too many instructions');
  renumber(shader);
  gatherUniform(shader);
  gatherInfo(shader);
  if (validate) assertValid(shader, { lowered: true, after: 'the pipeline' });
}
