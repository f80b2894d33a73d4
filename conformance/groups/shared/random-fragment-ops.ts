// fragment_ops.random: several passes with random scissor, stencil, depth, blending and masks.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { FragmentScript } from '../../harness/script.ts';
import type { BlendEquation, BlendFactor, BlendState } from '../../reference/fragment-pipeline.ts';
import type { Random } from '../../reference/random.ts';
import { randomDepthState, randomRect, randomStencilFace } from './depth-stencil.ts';

const SURFACE = { width: 24, height: 24 };
const PASSES = 6;
/** Roundings of one pass are seen by the next ones; differences may add up but not grow by factors up to 1. */
const TOLERANCE = 4;

const FACTORS: readonly BlendFactor[] = [
  'zero',
  'one',
  'src_color',
  'one_minus_src_color',
  'dst_color',
  'one_minus_dst_color',
  'src_alpha',
  'one_minus_src_alpha',
  'dst_alpha',
  'one_minus_dst_alpha',
  'constant_color',
  'one_minus_constant_color',
  'constant_alpha',
  'one_minus_constant_alpha',
];

export function randomBlend(random: Random, api: 2 | 3): BlendState {
  const equations: readonly BlendEquation[] =
    api === 3 ? ['add', 'subtract', 'reverse_subtract', 'min', 'max'] : ['add', 'subtract', 'reverse_subtract'];
  const channel = () => random.int(0, 255) / 255;
  return {
    rgbEquation: random.pick(equations),
    alphaEquation: random.pick(equations),
    srcRgb: random.pick([...FACTORS, 'src_alpha_saturate' as const]),
    dstRgb: random.pick(FACTORS),
    srcAlpha: random.pick(FACTORS),
    dstAlpha: random.pick(FACTORS),
    constant: [channel(), channel(), channel(), channel()],
  };
}

function runRandom(t: CaseContext): void {
  const { random } = t;
  const script = new FragmentScript(t);
  script.clear({ color: [0.2, 0.4, 0.6, 0.8], depth: 0.5, stencil: 7 });
  for (let pass = 0; pass < PASSES; pass++) {
    const { x, y, width, height } = randomRect(t);
    script.draw([randomRect(t), randomRect(t)], {
      scissor: random.bool(0.3) ? { x, y, width, height } : null,
      stencil: random.bool(0.4) ? { front: randomStencilFace(random), back: randomStencilFace(random) } : null,
      depth: randomDepthState(random),
      blend: random.bool(0.5) ? randomBlend(random, t.api) : null,
      colorMask: random.bool(0.3)
        ? [random.bool(), random.bool(), random.bool(), random.bool()]
        : [true, true, true, true],
    });
  }
  script.compare({ tolerance: TOLERANCE }, 'colours');
  script.showDepthAndStencil();
  script.compare({}, 'depth (green) and stencil (red)');
}

export function* randomFragmentOpsCases(api: 2 | 3): Generator<CaseDefinition> {
  for (let index = 0; index < 100; index++)
    yield functionalCase(api, `fragment_ops.random.${index}`, runRandom, SURFACE);
}
