import { expect, test } from 'vitest';
import { prebuildKernels } from './prebuild.ts';

test('kernels of ordinary triangles are made in advance, whole modules with the exports they are asked for', () => {
  const kernels = prebuildKernels();
  const exportsOf = (key: string): string[] => {
    const module = new WebAssembly.Module(kernels.get(key) as Uint8Array<ArrayBuffer>);
    return WebAssembly.Module.exports(module).map(({ name }) => name);
  };
  expect(exportsOf('s:geometry/3/1/0/')).toEqual(['transform', 'setup']);
  expect(exportsOf('s:assemble/triangles/0/')).toEqual(['assemble']);
  expect(exportsOf('s:coverage/4//unorm24,less,w|')).toEqual(['coverage']);
  expect(exportsOf('s:rectangles')).toEqual(['fill', 'fillMasked', 'copy']);
  expect(exportsOf('s:tile-clear')).toEqual(['clear']);
  for (const key of kernels.keys()) expect(exportsOf(key)).not.toEqual([]);
});
