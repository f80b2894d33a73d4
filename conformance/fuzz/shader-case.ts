// A case of the shader fuzzer: two texts and where they run.

import { Random } from '../reference/random.ts';
import type { FaceName } from './api-arguments.ts';
import { PROGRAMS } from './api-programs.ts';
import { randomProgram } from './shader-grammar.ts';
import { mutate } from './shader-mutate.ts';

export interface ShaderCase {
  readonly kind: 'shader';
  readonly seed: number;
  readonly face: FaceName;
  readonly vertex: string;
  readonly fragment: string;
  /** Written by the grammar and left as it was: it must compile, and compute what the interpreter computes. */
  readonly isValid: boolean;
}

export function makeShaderCase(seed: number): ShaderCase {
  const random = new Random(`shader ${seed}`);
  const isCorpus = random.bool(0.15);
  const { version, vertex, fragment } = isCorpus ? random.pick(PROGRAMS) : randomProgram(random);
  const faces: readonly FaceName[] = version === 300 ? ['gles3', 'webgl2'] : ['gles2', 'gles3', 'webgl', 'webgl2'];
  const face = random.pick(faces);
  if (!isCorpus && random.bool(0.4)) return { kind: 'shader', seed, face, vertex, fragment, isValid: true };
  const changed = random.int(0, 2);
  return {
    kind: 'shader',
    seed,
    face,
    vertex: changed === 0 ? mutate(vertex, random) : vertex,
    fragment: changed > 0 ? mutate(fragment, random) : fragment,
    isValid: false,
  };
}
