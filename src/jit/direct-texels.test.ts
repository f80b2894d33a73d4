import { expect, test } from 'vitest';
import { parseShader } from '../ir/parse.ts';
import { type DirectOutput, findDirectOutputs } from './direct-texels.ts';

function outputs(body: string): DirectOutput[] {
  const text = `shader fragment "direct"
input smooth float4 var0 "uv"
output smooth float4 color0 "color"
sampler 2d float "image"
function main() {
b0:
  %0:2 = loadInput var0
  %1:4 = tex sample 0 2d float coord %0
${body}
}
`;
  return [...findDirectOutputs(parseShader(text)).values()];
}

test('a texel stored as it is, or with moves and constants only, is found', () => {
  expect(outputs('  storeOutput color0 %1')).toEqual([{ slot: 'color0', components: [0, 1, 2, 3] }]);
  const moved = outputs(`  %2:3 = swizzle %1.zyx
  %3 = const 1.0
  %4 = swizzle %2.x
  %5 = swizzle %2.y
  %6:4 = vec %4 %5 %4 %3
  storeOutput color0 %6`);
  expect(moved).toEqual([{ slot: 'color0', components: [2, 1, 2, 'one'] }]);
});

test('a texel that is computed with, stored in parts or twice is not', () => {
  expect(outputs('  %2:4 = fmul %1 %1\n  storeOutput color0 %2')).toEqual([]);
  expect(outputs('  %2:3 = swizzle %1.xyz\n  storeOutput color0 %2')).toEqual([]);
  expect(outputs('  storeOutput color0 %1\n  storeOutput color0 %1')).toEqual([]);
});
