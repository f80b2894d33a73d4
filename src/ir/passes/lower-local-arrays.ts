// Turns array variables that are still indexed dynamically into `shader.locals` with loadLocal and storeLocal. Arrays of
// arrays become flat; booleans are kept as 0 and 1. Needs split-variables (final) before: elements are vectors.
import { TooComplexError } from '../../base/too-complex.ts';
import { type Builder, createBuilder } from '../builder.ts';
import {
  type Block,
  dynamicStepSource,
  type Intrinsic,
  type IrType,
  type Shader,
  type Value,
  type Variable,
  type VectorType,
} from '../ir.ts';
import { forEachBlock, Replacements } from '../walk.ts';
import { isVariableAccess } from './split-variables.ts';

/** All arrays of one invocation together. */
const MAX_LOCAL_WORDS = 65536;

interface FlatArray {
  index: number;
  lengths: number[];
  element: VectorType;
}

export function lowerLocalArrays(shader: Shader): boolean {
  const arrays = new Map<Variable, FlatArray>();
  const replacements = new Replacements(shader);
  const builder = createBuilder(shader);
  let progress = false;

  forEachBlock(shader.main.body, (block: Block) => {
    if (!block.instructions.some((i) => isVariableAccess(i) && i.info.variable.type.kind === 'array')) return;
    const old = block.instructions;
    block.instructions = [];
    builder.setBlock(block);
    for (const instruction of old) {
      if (!isVariableAccess(instruction) || instruction.info.variable.type.kind !== 'array') {
        block.instructions.push(instruction);
      } else {
        if (instruction.op === 'copyVar') throw new Error('lower-local-arrays needs split-variables before');
        const array = flatten(shader, arrays, instruction.info.variable);
        const lowered = lowerAccess(builder, array, instruction);
        if (lowered !== null) replacements.set(instruction, lowered);
        progress = true;
      }
    }
  });
  replacements.applyTo(shader.main.body);
  return progress;
}

function flatten(shader: Shader, arrays: Map<Variable, FlatArray>, variable: Variable): FlatArray {
  const known = arrays.get(variable);
  if (known !== undefined) return known;
  const lengths: number[] = [];
  let type: IrType = variable.type;
  for (; type.kind === 'array'; type = type.element) lengths.push(type.length);
  if (type.kind !== 'vector') throw new Error(`${variable.name} is not split`);
  const array: FlatArray = { index: shader.locals.length, lengths, element: type };
  arrays.set(variable, array);
  const length = lengths.reduce((product, n) => product * n, 1);
  shader.locals.push({ name: variable.name, length, components: type.components });
  const words = shader.locals.reduce((sum, local) => sum + local.length * local.components, 0);
  if (words > MAX_LOCAL_WORDS) throw new TooComplexError('the arrays are too large');
  return array;
}

function lowerAccess(b: Builder, array: FlatArray, access: Intrinsic<'loadVar'> | Intrinsic<'storeVar'>): Value | null {
  const { path } = access.info;
  const steps = path.map((step) => (step >= 0 ? step : access.sources[dynamicStepSource(step)]!));
  const index = flatIndex(b, array.lengths, steps.slice(0, array.lengths.length));
  const component = steps[array.lengths.length];
  const isBool = array.element.base === 'bool';
  if (access.op === 'loadVar') {
    let value: Value = b.loadLocal(array.index, index);
    if (isBool) value = b.ine(value, b.constInt(...new Array<number>(value.components).fill(0)));
    if (typeof component === 'number') value = b.channel(value, component);
    else if (component !== undefined) throw new Error('lower-local-arrays needs split-variables before');
    return value;
  }
  let value = access.sources[0]!;
  if (isBool) value = b.b2i(value);
  let mask = access.info.writeMask;
  if (typeof component === 'number') {
    value = b.splat(value, array.element.components);
    mask = 1 << component;
  }
  b.storeLocal(array.index, index, value, mask);
  return null;
}

/** The index into the flat array; each dynamic step is clamped to its own dimension. */
function flatIndex(b: Builder, lengths: readonly number[], steps: readonly (number | Value)[]): Value {
  let sum: Value | null = null;
  let constant = 0;
  let stride = 1;
  for (let i = lengths.length - 1; i >= 0; i--) {
    const step = steps[i]!;
    if (typeof step === 'number') constant += step * stride;
    else {
      // A single dimension is clamped by loadLocal and storeLocal themselves.
      const clamped: Value = lengths.length === 1 ? step : b.umin(step, b.constInt(lengths[i]! - 1));
      const term: Value = stride === 1 ? clamped : b.imul(clamped, b.constInt(stride));
      sum = sum === null ? term : b.iadd(sum, term);
    }
    stride *= lengths[i]!;
  }
  if (sum === null) return b.constInt(constant);
  return constant === 0 ? sum : b.iadd(sum, b.constInt(constant));
}
