// A short run of both fuzzers with fixed seeds, and what they rest on: seeds repeat, tables are whole, findings are cut down.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { LOOPS } from '../../backends/soft/threads/tile-runner.ts';
import { PATIENCE } from '../../backends/soft/vertex-observer.ts';
import { ES2, ES3, EXTENSION_POINTS } from '../../src/gles/entry-points.ts';
import { createGlesContext } from '../../src/gles/index.ts';
import { createCanvas } from '../../src/index.ts';
import type { FaceName } from './api-arguments.ts';
import { glesWords } from './api-catalogue.ts';
import { fitsFace, PROGRAMS, type ProgramText } from './api-programs.ts';
import { Fault, type Finding, signature } from './fault.ts';
import { FUZZ_KINDS, makeCase, partsOf, runCase } from './fuzz-case.ts';
import { minimise } from './minimise.ts';

const SEEDS = Array.from({ length: 200 }, (_, i) => i + 1000);
const BUDGET_MS = 3500;

/** Huge draws are given up sooner than users would want, so that the run stays short. */
const patience = { ...PATIENCE };
const { budget } = LOOPS;
beforeAll(() => {
  Object.assign(PATIENCE, { drawMs: 300, tilesMs: 2000 });
  LOOPS.budget = 1 << 23;
});
afterAll(() => {
  Object.assign(PATIENCE, patience);
  LOOPS.budget = budget;
});

/** Empty: it links. */
function linkLog({ vertex, fragment, extensions = [] }: ProgramText, face: FaceName): string {
  const sources = [vertex, fragment];
  if (face === 'webgl' || face === 'webgl2') {
    const gl = createCanvas(4, 4, { backend: softBackend }).getContext(face as 'webgl')!;
    for (const name of extensions) gl.getExtension(name);
    const program = gl.createProgram()!;
    const logs = [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].map((type, i) => {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, sources[i]!);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      return gl.getShaderInfoLog(shader);
    });
    gl.linkProgram(program);
    return `${logs.join('')}${gl.getProgramInfoLog(program)}`;
  }
  const gl = createGlesContext({ width: 4, height: 4, api: face === 'gles2' ? 2 : 3, backend: softBackend });
  const program = gl.glCreateProgram();
  const logs = [gl.GL_VERTEX_SHADER, gl.GL_FRAGMENT_SHADER].map((type, i) => {
    const shader = gl.glCreateShader(type);
    gl.glShaderSource(shader, 1, sources[i]!);
    gl.glCompileShader(shader);
    gl.glAttachShader(program, shader);
    return gl.glGetShaderInfoLog(shader);
  });
  gl.glLinkProgram(program);
  return `${logs.join('')}${gl.glGetProgramInfoLog(program)}`;
}

describe('fuzzing', () => {
  it.each(FUZZ_KINDS)('finds nothing in a short run: %s', async (kind) => {
    const end = performance.now() + BUDGET_MS;
    let count = 0;
    for (const seed of SEEDS) {
      if (performance.now() > end) break;
      await runCase(makeCase(kind, seed), softBackend).catch((error: Error) => {
        throw new Error(`${kind} seed ${seed}: ${error.message}`, { cause: error });
      });
      count++;
    }
    expect(count).toBeGreaterThan(0);
  });

  it.each(FUZZ_KINDS)('makes the same case from the same seed, as plain data: %s', (kind) => {
    const once = makeCase(kind, 5);
    expect(makeCase(kind, 5)).toEqual(once);
    expect(JSON.parse(JSON.stringify(once))).toEqual(once);
    expect(makeCase(kind, 6)).not.toEqual(once);
  });

  it('has programs that link in the faces that take them', async () => {
    for (const [index, program] of PROGRAMS.entries())
      for (const face of ['webgl', 'webgl2', 'gles2', 'gles3'] as const)
        if (fitsFace(program, face)) expect(linkLog(program, face), `${index} ${face}`).toBe('');
  });

  it('has arguments for every GLES function', () => {
    const names = Object.keys({ ...ES2, ...ES3, ...EXTENSION_POINTS });
    expect(names.filter((name) => glesWords(name) === undefined)).toEqual([]);
  });

  it('cuts a case down to the part that matters', async () => {
    const theCase = makeCase('api', 7);
    const culprit = partsOf(theCase)[20];
    const finding: Finding = { kind: 'exception', message: 'boom' };
    const attempt = async (candidate: typeof theCase) => (partsOf(candidate).includes(culprit) ? finding : null);
    expect(partsOf(await minimise(theCase, finding, attempt, 5000))).toEqual([culprit]);
  });

  it('keeps the kind of a finding: a rest that hangs once and is then refused is not taken', async () => {
    const theCase = makeCase('shader', 7);
    const finding: Finding = { kind: 'hang', message: 'no end within 1 s' };
    const tried = new Set<string>();
    const attempt = async (candidate: typeof theCase): Promise<Finding> => {
      const isNew = !tried.has(JSON.stringify(candidate));
      tried.add(JSON.stringify(candidate));
      return isNew ? finding : { kind: 'refused', message: 'a valid shader does not compile' };
    };
    expect(await minimise(theCase, finding, attempt, 5000)).toBe(theCase);
  });

  it('tells faults apart by where they are thrown', () => {
    const at = (place: string) => new Fault('exception', 'x', `Error: x\n    at f (/a/src/gl/${place}:1:2)`);
    expect(signature(at('draw.ts'))).toBe(signature(at('draw.ts')));
    expect(signature(at('draw.ts'))).not.toBe(signature(at('clear.ts')));
  });
});
