import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import type { DemoModule } from '../demo.ts';
import { loadDemo, renderDemo } from './load-demo.ts';
import { UsageError } from './usage-error.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'indium-demo-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('loadDemo', () => {
  it('loads a module that default-exports a demo', async () => {
    const demo = await loadDemo(write('good.mjs', 'export default { setup: () => ({ frame() {} }) };'));
    expect(demo.setup).toBeTypeOf('function');
  });

  it.each([
    ['no such file', () => join(folder, 'absent.mjs')],
    ['not a file', () => folder],
    ['not a demo module', () => write('other.mjs', 'export const answer = 42;')],
    ["its api is 'webgl9'", () => write('api.mjs', "export default { api: 'webgl9', setup() {} };")],
  ])('says %s', async (reason, path) => {
    const loading = loadDemo(path());
    await expect(loading).rejects.toThrow(reason);
    await expect(loading).rejects.toBeInstanceOf(UsageError);
  });
});

describe('renderDemo', () => {
  const render = (demo: DemoModule) =>
    renderDemo(demo, { backend: softBackend, width: 4, height: 4, frames: 2, onFrame: () => {} });

  it('tells a GL error in words', async () => {
    const demo: DemoModule = { setup: ({ gl }) => ({ frame: () => gl.enable(1) }) };
    await expect(render(demo)).rejects.toThrow('INVALID_ENUM: enable');
  });

  it('refuses a setup that gives nothing to draw', async () => {
    const demo = { setup: () => undefined } as unknown as DemoModule;
    await expect(render(demo)).rejects.toThrow('{ frame() }');
  });

  it('disposes the demo when a frame throws', async () => {
    let isDisposed = false;
    const frame = () => {
      throw new Error('out of ideas');
    };
    const dispose = () => {
      isDisposed = true;
    };
    await expect(render({ setup: () => ({ frame, dispose }) })).rejects.toThrow('out of ideas');
    expect(isDisposed).toBe(true);
  });
});
