// Makes a shader ready for code that holds each component in a vector of its own: vector arithmetic becomes scalar arithmetic, so
// that components can be shared, folded and dropped one by one (a hash of vec2(x, y) and of vec2(x + 1, y) has half in common).
// The shader that is given stays as it is; it is prepared once, whatever the number of its variants.
import type { Builder } from '../ir/builder.ts';
import type { AluInstruction, Shader, Value } from '../ir/ir.ts';
import type { Opcode } from '../ir/opcodes.table.ts';
import { opcodeRow } from '../ir/opcodes.ts';
import { cloneList, createCloneMaps } from '../ir/passes/clone.ts';
import { gatherInfo } from '../ir/passes/gather-info.ts';
import { gatherUniform } from '../ir/passes/gather-uniform.ts';
import { algebraicRule } from '../ir/passes/opt-algebraic.ts';
import { constantFoldRule } from '../ir/passes/opt-constant-fold.ts';
import { copyPropagateRule } from '../ir/passes/opt-copy-propagate.ts';
import { cseRule } from '../ir/passes/opt-cse.ts';
import { optDeadCode } from '../ir/passes/opt-dead-code.ts';
import { swizzleRule } from '../ir/passes/opt-swizzle.ts';
import { type Rule, rewrite } from '../ir/passes/rewrite.ts';

const PREPARED = new WeakMap<Shader, Shader>();

/** The form of a lowered shader that code is made from. */
export function prepareShader(shader: Shader): Shader {
  let prepared = PREPARED.get(shader);
  if (prepared === undefined) {
    prepared = scalarizeShader(shader);
    PREPARED.set(shader, prepared);
    // A prepared shader is its own prepared form.
    PREPARED.set(prepared, prepared);
  }
  return prepared;
}

function scalarizeShader(shader: Shader): Shader {
  const main = { ...shader.main };
  const copy: Shader = { ...shader, main, functions: [main], nextValueId: 0, nextBlockId: 0 };
  main.body = cloneList(copy, shader.main.body, createCloneMaps());
  rewrite(copy, [
    copyPropagateRule(),
    swizzleRule(),
    scalarizeRule(),
    constantFoldRule(),
    algebraicRule(shader.isExact),
    cseRule(copy.nextValueId * 2),
  ]);
  optDeadCode(copy);
  gatherUniform(copy);
  gatherInfo(copy);
  // Optimising may have removed an output's last store; programs still ask for what the interface names.
  for (const slot of shader.usage.outputs) copy.usage.outputs.add(slot);
  copy.usage.derivatives ||= shader.usage.derivatives;
  return copy;
}

/** Splits componentwise opcodes, dot products and boolean reductions into scalar ones. */
function scalarizeRule(): Rule {
  return {
    name: 'scalarize',
    apply(instruction, { builder }) {
      if (instruction.kind !== 'alu') return null;
      const { op, components, sources } = instruction;
      if (op === 'fdot') return sources[0].components > 1 ? scalarDot(builder, sources[0], sources[1]) : null;
      if (op === 'ball' || op === 'bany') return scalarReduction(builder, instruction);
      if (components === 1 || op === 'vec' || op === 'swizzle' || opcodeRow(op).shape !== 'componentwise') return null;
      const scalars: Value[] = [];
      for (let c = 0; c < components; c++) {
        scalars.push(builder.alu(op as Opcode, ...sources.map((source) => builder.channel(source, c))));
      }
      return builder.vec(...scalars);
    },
  };
}

/** In the order of additions that fdot is defined with. */
function scalarDot(b: Builder, left: Value, right: Value): Value {
  const products = Array.from({ length: left.components }, (_, c) => b.fmul(b.channel(left, c), b.channel(right, c)));
  const sum = b.fadd(products[0], products[1]);
  if (products.length === 2) return sum;
  return b.fadd(sum, products.length === 3 ? products[2] : b.fadd(products[2], products[3]));
}

function scalarReduction(b: Builder, { op, sources }: AluInstruction): Value {
  let result = b.channel(sources[0], 0);
  for (let c = 1; c < sources[0].components; c++) {
    const next = b.channel(sources[0], c);
    result = op === 'ball' ? b.land(result, next) : b.lor(result, next);
  }
  return result;
}
