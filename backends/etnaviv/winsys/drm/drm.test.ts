import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { etnavivBackend } from '../../backend.ts';
import { FakeKernel, type FakeNode } from './testing/fake-kernel.ts';
import { drawScene } from './testing/scene.ts';

function hasKoffi(): boolean {
  try {
    createRequire(import.meta.url).resolve('koffi');
    return true;
  } catch {
    return false;
  }
}

const missing = [
  ...(process.platform === 'linux' ? [] : ['Linux']),
  ...(hasKoffi() ? [] : ['koffi']),
  ...(spawnSync('cc', ['--version']).status === 0 ? [] : ['cc']),
].join(', ');
const note = missing && ` (skipped: there is no ${missing})`;

const OTHER: FakeNode = { driver: 'vc4', cores: [] };

/** Runs tasks of `program.ts` on a fake kernel with these nodes. */
async function run(nodes: Readonly<Record<string, FakeNode>>, tasks: readonly string[], environment = {}) {
  const kernel = new FakeKernel(nodes);
  try {
    await kernel.start();
    const program = new URL('./testing/program.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--import', 'tsx', program, ...tasks], {
      env: { ...process.env, ...kernel.environment, ...environment },
    });
    let out = '';
    let errors = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (errors += data));
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) throw new Error(`the program ended with ${code}: ${errors}\n${kernel.faults.join('\n')}`);
    return { results: JSON.parse(out.trim().split('\n').at(-1)!), faults: kernel.faults, counts: kernel.counts };
  } finally {
    kernel.stop();
  }
}

describe.skipIf(missing !== '')(`etnaviv:drm on a stand-in for the kernel${note}`, { timeout: 180_000 }, () => {
  it('draws with relocations on the 3D core beside a 2D core, as simulated', async () => {
    const { results, faults, counts } = await run(
      { renderD128: OTHER, renderD129: { driver: 'etnaviv', cores: ['gc320', 'gc2000'] } },
      ['identity', 'draw'],
    );
    expect(faults).toEqual([]);
    expect(results.identity).toEqual({ name: 'gc2000', streams: 8 });
    expect(Buffer.from(results.draw, 'base64').equals(drawScene(etnavivBackend('gc2000')))).toBe(true);
    expect(counts.gemSubmit).toBeGreaterThan(1);
    expect(counts.gemClose).toBe(counts.gemNew);
  });

  // Why one program for all: starting it takes most of the time.
  it('draws at addresses of its own, shares buffers, and says what is wrong: no memory, a hang, a refused stream', async () => {
    const { results, faults } = await run(
      { renderD128: { driver: 'etnaviv', cores: ['gc7000'], memoryBytes: 8 << 20 } },
      ['draw', 'memory', 'share', 'short', 'hang', 'refused'],
      { INDIUM_ETNAVIV_HANG_MS: '300' },
    );
    expect(Buffer.from(results.draw, 'base64').equals(drawScene(etnavivBackend('gc7000')))).toBe(true);
    expect(results.memory).toEqual({ first: 8, second: 8, liveBytes: 8 << 20 });
    expect(results.share).toEqual({ isSame: true, byte: 77, after: 'Error: the buffer was destroyed' });
    expect(results.short).toEqual({
      message: 'GpuMemoryError: gc7000: the kernel is out of memory for a command stream (ENOMEM (12))',
      isDone: true,
    });
    const { hang } = results;
    expect([hang.isFirstDone, hang.isDoneAtOnce]).toEqual([true, false]);
    expect(hang.message).toMatch(
      /^GpuHangError: gc7000: the GPU hangs: nothing was finished for 300 ms; the last command stream is in /,
    );
    expect(hang.later).toBe(hang.message);
    expect(hang.saved).toMatch(/NOP 1800dead/);
    expect(results.refused).toMatch(/^GpuHangError: gc7000: the kernel did not take a command stream: EINVAL \(22\)/);
    expect(faults).toEqual(['command 2 at offset 0 is not allowed']);
    for (const message of [hang.message, results.refused]) {
      rmSync(dirname(/ is in (.*)$/.exec(message)![1]!), { recursive: true });
    }
  });
});
