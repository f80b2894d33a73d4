// Test support: shaders that never end.

import type { Builder } from '../../src/ir/builder.ts';
import { type Shader, type Value, vectorType } from '../../src/ir/ir.ts';
import { fragment } from './rig.ts';
import { makeShader } from './testing.ts';

/** Counts for ever; the compiler can neither see that nor do without the sum. */
function countForEver(b: Builder, never: Value): Value {
  const sum = b.temporary('sum', vectorType('float'));
  b.storeVar(sum, [], b.constFloat(0));
  b.loop(() => {
    b.if(b.flt(never, b.constFloat(-1)), () => b.break());
    b.storeVar(sum, [], b.fadd(b.loadVar(sum), b.constFloat(1)));
  });
  return b.loadVar(sum);
}

export const endlessFragment = (): Shader =>
  fragment((b) => {
    const red = b.channel(b.loadInput('var0', 4), 0);
    b.storeOutput('color0', b.splat(countForEver(b, red), 4));
  });

export const endlessVertex = (): Shader =>
  makeShader('vertex', ['attribute0', 'attribute1'], ['position', 'var0'], (b) => {
    const red = b.channel(b.loadInput('attribute1', 4), 0);
    b.storeOutput('position', b.loadInput('attribute0', 4));
    b.storeOutput('var0', b.splat(countForEver(b, red), 4));
  });
