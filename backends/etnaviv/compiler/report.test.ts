// The shader report over all examples and bench scenes against its baseline. INDIUM_UPDATE_BASELINE=1 writes a new one.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseEntries } from '../../../bench/entry.ts';
import { generatedData } from '../../../bench/generated-data.ts';
import { DEFAULT_ENTRIES } from '../../../bench/scene-table.ts';
import { setUpEntry } from '../../../bench/stage.ts';
import { listExamples } from '../../../src/cli/commands/demo.ts';
import { loadDemo } from '../../../src/cli/load-demo.ts';
import { linkOrThrow } from '../../../src/glsl/test-support.ts';
import { createCanvas, openBackend } from '../../../src/index.ts';
import { optimizeShader } from '../../../src/ir/optimize.ts';
import { compileShader } from './compile.ts';
import { findRegressions, findUnknown, reportLine, summarize } from './report.ts';
import { targetNamed } from './testing.ts';

const BASELINE = fileURLToPath(new URL('./report.baseline.txt', import.meta.url));
const SIZE = { width: 320, height: 240 };
const GPUS = ['gc2000', 'gc3000', 'gc7000'];

type Gl = WebGL2RenderingContext;

/** Calls `body` with a context whose linked programs' sources are gathered under a name. */
async function gather(
  name: string,
  api: 'webgl' | 'webgl2',
  programs: Map<string, [string, string]>,
  body: (gl: Gl, canvas: unknown) => unknown,
) {
  const canvas = createCanvas(SIZE.width, SIZE.height, { backend: await openBackend('null') });
  const gl = canvas.getContext(api) as Gl;
  const link = gl.linkProgram.bind(gl);
  let count = 0;
  gl.linkProgram = (program: WebGLProgram) => {
    const [vertex, fragment] = gl.getAttachedShaders(program)!.map((shader) => gl.getShaderSource(shader)!);
    const known = [...programs.values()].some((pair) => pair[0] === vertex && pair[1] === fragment);
    if (!known) programs.set(`${name}/${count++}`, [vertex!, fragment!]);
    link(program);
  };
  try {
    await body(gl, canvas);
  } finally {
    canvas.dispose();
  }
}

async function allPrograms(): Promise<Map<string, [string, string]>> {
  const programs = new Map<string, [string, string]>();
  const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
  for (const { name, path } of listExamples(examples)) {
    const demo = await loadDemo(path);
    await gather(name, demo.api ?? 'webgl2', programs, (gl, canvas) => demo.setup({ gl, canvas, ...SIZE, args: [] }));
  }
  for (const entry of parseEntries([...DEFAULT_ENTRIES], generatedData)) {
    await gather(entry.scene.name, 'webgl', programs, (gl) => setUpEntry(entry, { gl, ...SIZE, data: generatedData }));
  }
  return programs;
}

describe('the shader report', () => {
  it('is no worse than its baseline', async () => {
    const report: string[] = [];
    for (const [name, [vertex, fragment]] of await allPrograms()) {
      const program = linkOrThrow(vertex, fragment, { optimize: false, profile: 'webgl' });
      for (const stage of ['vertex', 'fragment'] as const) {
        const { shader } = program[stage];
        if (!optimizeShader(shader, { lowerTranscendentals: false }).ok) continue;
        for (const gpu of GPUS)
          report.push(reportLine(`${gpu} ${name} ${stage}`, compileShader(shader, targetNamed(gpu))));
      }
    }
    report.sort();
    expect(report.length).toBeGreaterThan(100);
    if (process.env['INDIUM_UPDATE_BASELINE']) {
      const sums = GPUS.map((gpu) => `# ${gpu}: ${summarize(report.filter((line) => line.startsWith(gpu)))}`);
      writeFileSync(BASELINE, `${[...sums, ...report].join('\n')}\n`);
    }
    const baseline = readFileSync(BASELINE, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(findRegressions(baseline, report)).toEqual([]);
    expect(findUnknown(baseline, report), 'write a new baseline: INDIUM_UPDATE_BASELINE=1').toEqual([]);
  }, 240_000);

  it('sees what becomes worse', () => {
    const line = 'gc2000 a vertex: 5 instructions, 2 temporaries, 0 loops, 1 immediates, 1 uniforms';
    expect(findRegressions([line], [line.replace('5 instr', '6 instr')])).toHaveLength(1);
    expect(findRegressions([line], [line.replace('5 instr', '4 instr')])).toHaveLength(0);
    expect(findRegressions([line], ['gc2000 a vertex: not on gc2000: too long'])).toHaveLength(1);
    expect(findUnknown([line], [line, line.replace(' a ', ' b ')])).toEqual(['gc2000 b vertex']);
  });
});
