// Looks ahead over the shader for instruction selection: how often values are used, what folds into its user, and which
// values may be computed in place as part of a vector or an output.

import type { AluInstruction, Instruction, Shader, Slot, Value } from '../../../src/ir/ir.ts';
import { forEachBlock, forEachNode } from '../../../src/ir/walk.ts';
import type { AluRow } from './alu.table.ts';
import type { CompilerTarget } from './target.ts';

/** Where a value is computed: components of another value's register, or of an output. */
export type Home =
  | { readonly kind: 'vector'; readonly vector: Value; readonly components: readonly number[] }
  | { readonly kind: 'output'; readonly slot: Slot; readonly components: readonly number[] };

export interface Analysis {
  /** Instructions that their only user does in passing. */
  readonly folded: ReadonlySet<Instruction>;
  /** By fadd or fsub: the product it adds, and which operand that is. */
  readonly products: ReadonlyMap<Instruction, { product: AluInstruction; operand: 0 | 1; negate: boolean }>;
  /** fsat instructions whose operand clamps its result itself. */
  readonly saturated: ReadonlySet<Instruction>;
  /** Values that clamp their result. */
  readonly saturating: ReadonlySet<Value>;
  readonly homes: ReadonlyMap<Value, Home>;
}

const MODIFIERS = new Set(['fneg', 'fabs', 'swizzle', 'mov']);

/** Comparisons that a jump can do in its place, with the condition that is exactly their opposite, if there is one. */
export const JUMP_CONDITIONS: Readonly<
  Record<string, { condition: 'lt' | 'ge' | 'eq' | 'ne'; opposite: 'lt' | 'ge' | 'eq' | 'ne' | null }>
> = {
  // Not the opposite of each other when an operand is no number.
  flt: { condition: 'lt', opposite: null },
  fge: { condition: 'ge', opposite: null },
  feq: { condition: 'eq', opposite: 'ne' },
  fneu: { condition: 'ne', opposite: 'eq' },
  ilt: { condition: 'lt', opposite: 'ge' },
  ige: { condition: 'ge', opposite: 'lt' },
  ult: { condition: 'lt', opposite: 'ge' },
  uge: { condition: 'ge', opposite: 'lt' },
  ieq: { condition: 'eq', opposite: 'ne' },
  ine: { condition: 'ne', opposite: 'eq' },
};

export function analyze(shader: Shader, target: CompilerTarget, rows: Readonly<Record<string, AluRow>>): Analysis {
  const uses: Instruction[][] = [];
  const conditionUses = new Set<Value>();
  const place: number[] = [];
  const addUse = (value: Value, user: Instruction) => {
    const list = uses[value.id];
    if (list) list.push(user);
    else uses[value.id] = [user];
  };
  forEachBlock(shader.main.body, (block) => {
    for (const instruction of block.instructions) {
      place[instruction.id] = block.id;
      for (const source of instruction.sources) addUse(source, instruction);
    }
  });
  forEachNode(shader.main.body, (node) => {
    if (node.kind === 'if') conditionUses.add(node.condition);
  });
  const isSingle = (value: Value) => uses[value.id]?.length === 1 && !conditionUses.has(value);

  const folded = new Set<Instruction>();
  const products: Map<Instruction, { product: AluInstruction; operand: 0 | 1; negate: boolean }> = new Map();
  const saturated = new Set<Instruction>();
  const saturating = new Set<Value>();
  const homes = new Map<Value, Home>();

  forEachBlock(shader.main.body, (block) => {
    for (const instruction of block.instructions) {
      if (instruction.kind !== 'alu') continue;
      if (instruction.op === 'fadd' || instruction.op === 'fsub') {
        const found = findProduct(instruction);
        if (found) {
          products.set(instruction, found);
          folded.add(found.product);
        }
      } else if (instruction.op === 'fsat') {
        const source = instruction.sources[0]!;
        const row = source.kind === 'alu' ? rows[source.op] : undefined;
        const isSum = source.kind === 'alu' && (source.op === 'fsub' || source.op === 'fdot');
        const isPair = target.pairTranscendentals && source.op === 'flog2';
        if ((row?.saturates || isSum) && !isPair && isSingle(source) && !folded.has(source)) {
          saturated.add(instruction);
          saturating.add(source);
        }
      }
    }
  });

  function findProduct(sum: AluInstruction): { product: AluInstruction; operand: 0 | 1; negate: boolean } | null {
    for (const operand of [1, 0] as const) {
      let value = sum.sources[operand]!;
      let negate = sum.op === 'fsub' && operand === 1;
      if (value.kind === 'alu' && value.op === 'fneg' && isSingle(value)) {
        value = value.sources[0]!;
        negate = !negate;
      }
      if (value.kind !== 'alu' || value.op !== 'fmul' || !isSingle(value) || saturating.has(value)) continue;
      if (place[value.id] === place[sum.id] && !folded.has(value)) return { product: value, operand, negate };
    }
    return null;
  }

  /** Whether selection makes an instruction for the value that writes its components, so that their place can be chosen. */
  const isComputed = (value: Value): boolean => {
    if (folded.has(value) || homes.has(value) || saturated.has(value)) return false;
    if (value.kind === 'tex') return value.op !== 'size';
    if (value.kind === 'intrinsic')
      return value.op === 'loadLocal' || (value.op === 'loadUniform' && value.sources.length > 0);
    if (value.kind !== 'alu' || MODIFIERS.has(value.op) || value.op === 'vec') return false;
    if (value.op === 'b2f' || value.op === 'b2i') return target.hasIntegers;
    return true;
  };
  /** The value that computes what `value` is a name of (a clamped one). */
  const computing = (value: Value): Value => (value.kind === 'alu' && saturated.has(value) ? value.sources[0]! : value);

  const stores = new Map<string, number>();
  forEachBlock(shader.main.body, (block) => {
    for (const { kind, op, info, sources } of block.instructions as readonly Instruction[]) {
      if (kind !== 'intrinsic' || op !== 'storeOutput') continue;
      const { slot } = info as { slot: Slot; component: number };
      const first = (info as { component: number }).component;
      for (let c = 0; c < sources[0]!.components; c++) {
        const key = `${slot}.${first + c}`;
        stores.set(key, (stores.get(key) ?? 0) + 1);
      }
    }
  });
  // Vectors first, so that a vector which is an output takes its parts along.
  for (const node of shader.main.body) {
    if (node.kind !== 'block') continue;
    for (const instruction of node.instructions) {
      if (instruction.kind !== 'intrinsic' || instruction.op !== 'storeOutput') continue;
      const value = instruction.sources[0]!;
      const { slot, component } = instruction.info;
      const components = Array.from({ length: value.components }, (_, c) => component + c);
      const isOnce = components.every((c) => stores.get(`${slot}.${c}`) === 1);
      const isVector = value.kind === 'alu' && value.op === 'vec';
      if (!isOnce || slot === 'depth' || !isSingle(value)) continue;
      if (isVector || isComputed(computing(value))) homes.set(computing(value), { kind: 'output', slot, components });
    }
  }
  forEachBlock(shader.main.body, (block) => {
    for (const instruction of block.instructions) {
      if (instruction.kind !== 'alu' || instruction.op !== 'vec') continue;
      placeParts(instruction);
    }
  });

  function placeParts(vector: AluInstruction): void {
    const seen = new Set<Value>();
    vector.sources.forEach((part, index) => {
      if (isSingle(part) && part.components === 1 && isComputed(computing(part))) {
        homes.set(computing(part), { kind: 'vector', vector, components: [index] });
        return;
      }
      // A vector that only lends its components to this one, each once.
      if (part.kind !== 'alu' || part.op !== 'swizzle') return;
      const whole = part.sources[0]!;
      if (seen.has(whole)) return;
      seen.add(whole);
      const users = uses[whole.id]!;
      if (conditionUses.has(whole) || users.length !== whole.components || !isComputed(computing(whole))) return;
      const places = new Array<number>(whole.components).fill(-1);
      for (const user of users) {
        if (user.kind !== 'alu' || user.op !== 'swizzle' || user.components !== 1 || !isSingle(user)) return;
        if (uses[user.id]![0] !== vector) return;
        const component = user.info![0]!;
        const target = vector.sources.indexOf(user);
        if (places[component] !== -1 || vector.sources.lastIndexOf(user) !== target) return;
        places[component] = target;
      }
      homes.set(computing(whole), { kind: 'vector', vector, components: places });
    });
  }

  // Comparisons that jumps do themselves.
  const fold = (list: typeof shader.main.body): void => {
    for (let i = 0; i < list.length; i++) {
      const node = list[i]!;
      if (node.kind === 'block') continue;
      if (node.kind === 'if') {
        const { condition } = node;
        const before = list[i - 1];
        const isHere = before?.kind === 'block' && before.instructions.includes(condition);
        const isCompare = condition.kind === 'alu' && condition.op in JUMP_CONDITIONS && condition.components === 1;
        const isUsed = (uses[condition.id]?.length ?? 0) > 0;
        if (isHere && isCompare && !isUsed && conditionCount(condition) === 1) folded.add(condition);
        fold(node.thenBody);
        fold(node.elseBody);
      } else fold(node.body);
    }
  };
  const conditionCounts = new Map<Value, number>();
  forEachNode(shader.main.body, (node) => {
    if (node.kind === 'if') conditionCounts.set(node.condition, (conditionCounts.get(node.condition) ?? 0) + 1);
  });
  function conditionCount(value: Value): number {
    return conditionCounts.get(value) ?? 0;
  }
  fold(shader.main.body);
  return { folded, products, saturated, saturating, homes };
}
