// fragment_ops.{depth, stencil, depth_stencil}: every comparison and stencil operation over a field of values.

import { type CaseContext, type CaseDefinition, type CaseSurface, functionalCase } from '../../case.ts';
import type { PixelRect } from '../../harness/draw.ts';
import { ALWAYS_STENCIL, bothFaces, FragmentScript } from '../../harness/script.ts';
import type {
  CompareFunction,
  FragmentState,
  StencilFace,
  StencilOperation,
} from '../../reference/fragment-pipeline.ts';
import type { Random } from '../../reference/random.ts';

const COMPARES: readonly CompareFunction[] = [
  'never',
  'always',
  'less',
  'lequal',
  'equal',
  'gequal',
  'greater',
  'notequal',
];
const OPERATIONS: readonly StencilOperation[] = [
  'keep',
  'zero',
  'replace',
  'incr',
  'decr',
  'invert',
  'incr_wrap',
  'decr_wrap',
];
/** The comparisons as the depth and stencil groups spell them. */
const LONG_NAMES: Readonly<Record<CompareFunction, string>> = {
  never: 'cmp_never',
  always: 'cmp_always',
  less: 'cmp_less_than',
  lequal: 'cmp_less_or_equal',
  equal: 'cmp_equal',
  gequal: 'cmp_greater_or_equal',
  greater: 'cmp_greater_than',
  notequal: 'cmp_not_equal',
};

const SURFACE: CaseSurface = { width: 16, height: 16 };
/** Stencil values of the columns: limits of wrapping and a few bits. */
const STENCILS = [0, 1, 2, 85, 128, 170, 254, 255];
/** Depths of the rows, as exact fractions. */
const DEPTHS = [0, 0.25, 0.5, 0.75];

/** Columns of stencil values, rows of depths, over a grey picture. */
function fillField(script: FragmentScript): void {
  script.clear({ color: [0.25, 0.25, 0.25, 1], depth: 1, stencil: 0 });
  const { width, height } = script.t;
  for (const [index, stencil] of STENCILS.entries())
    script.clear({ stencil }, { scissor: { x: (index * width) / 8, y: 0, width: width / 8, height } });
  for (const [index, depth] of DEPTHS.entries())
    script.clear({ depth }, { scissor: { x: 0, y: (index * height) / 4, width, height: height / 4 } });
}

/** The left half of each column front-facing, the right half back-facing, at depth 0.5. */
function fieldRects(script: FragmentScript): PixelRect[] {
  const { width, height } = script.t;
  return Array.from({ length: width }, (_, x) => ({
    x,
    y: 0,
    width: 1,
    height,
    color: x % 2 === 0 ? ([1, 0, 0, 1] as const) : ([0, 1, 0, 1] as const),
    depth: 0,
    facing: x % 2 === 0 ? ('front' as const) : ('back' as const),
  }));
}

function runOnField(t: CaseContext, state: Partial<FragmentState>): void {
  const script = new FragmentScript(t);
  fillField(script);
  script.draw(fieldRects(script), state);
  script.compare({}, 'colours');
  script.showDepthAndStencil();
  script.compare({}, 'depth (green) and stencil (red)');
}

function* depthCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const func of COMPARES)
    yield functionalCase(
      api,
      `fragment_ops.depth.${LONG_NAMES[func]}`,
      (t) => runOnField(t, { depth: { func, writes: true } }),
      SURFACE,
    );
}

/** Stencil cases by name: the face's rules, and whether there is a depth test. */
const STENCIL_CASES: Readonly<Record<string, { face: Partial<StencilFace>; depth?: boolean }>> = {
  cmp_equal: { face: { func: 'equal', ref: 85, pass: 'zero', fail: 'incr' } },
  cmp_not_equal: { face: { func: 'notequal', ref: 85, pass: 'zero', fail: 'incr' } },
  cmp_less_than: { face: { func: 'less', ref: 128, pass: 'invert' } },
  cmp_less_or_equal: { face: { func: 'lequal', ref: 128, pass: 'invert' } },
  cmp_greater_than: { face: { func: 'greater', ref: 128, pass: 'invert' } },
  cmp_greater_or_equal: { face: { func: 'gequal', ref: 128, pass: 'invert' } },
  cmp_mask_equal: { face: { func: 'equal', ref: 0x82, readMask: 0x0a, pass: 'replace' } },
  stencil_fail_replace: { face: { func: 'never', ref: 51, fail: 'replace' } },
  depth_fail_replace: { face: { ref: 51, depthFail: 'replace' }, depth: true },
  depth_pass_replace: { face: { ref: 51, pass: 'replace' }, depth: true },
  incr_stencil_fail: { face: { func: 'never', fail: 'incr' } },
  decr_stencil_fail: { face: { func: 'never', fail: 'decr' } },
  incr_wrap_stencil_fail: { face: { func: 'never', fail: 'incr_wrap' } },
  decr_wrap_stencil_fail: { face: { func: 'never', fail: 'decr_wrap' } },
  zero_stencil_fail: { face: { func: 'never', fail: 'zero' } },
  invert_stencil_fail: { face: { func: 'never', fail: 'invert' } },
};

function* stencilCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [name, { face, depth }] of Object.entries(STENCIL_CASES)) {
    const state: Partial<FragmentState> = {
      stencil: bothFaces(face),
      ...(depth ? { depth: { func: 'less', writes: true } } : {}),
    };
    yield functionalCase(api, `fragment_ops.stencil.${name}`, (t) => runOnField(t, state), SURFACE);
  }
  yield functionalCase(
    api,
    'fragment_ops.stencil.clear',
    (t) => {
      const script = new FragmentScript(t);
      script.clear({ color: [0, 0, 0, 1], depth: 1, stencil: 0x1a3 });
      script.clear({ stencil: 0x5c, stencilMask: 0x0f }, { scissor: { x: 3, y: 2, width: 9, height: 7 } });
      script.showDepthAndStencil();
      script.compare();
    },
    SURFACE,
  );
}

function* depthStencilCases(api: 2 | 3): Generator<CaseDefinition> {
  const base = 'fragment_ops.depth_stencil';
  const stencils = [null, ...COMPARES];
  for (const stencil of stencils)
    for (const depth of stencils) {
      const name = `${stencil ? `stencil_${stencil}` : 'no_stencil'}_${depth ? `depth_${depth}` : 'no_depth'}`;
      const state: Partial<FragmentState> = {
        stencil: stencil
          ? bothFaces({ func: stencil, ref: 128, fail: 'incr', depthFail: 'decr', pass: 'invert' })
          : null,
        depth: depth ? { func: depth, writes: true } : null,
      };
      yield functionalCase(api, `${base}.stencil_depth_funcs.${name}`, (t) => runOnField(t, state), SURFACE);
    }
  for (const fail of OPERATIONS)
    for (const depthFail of OPERATIONS)
      for (const pass of OPERATIONS) {
        const front: StencilFace = { ...ALWAYS_STENCIL, func: 'lequal', ref: 128, fail, depthFail, pass };
        // The back face has the operations in another order, so that mixing the faces up shows.
        const back: StencilFace = { ...front, ref: 86, fail: depthFail, depthFail: pass, pass: fail };
        yield functionalCase(
          api,
          `${base}.stencil_ops.${fail}_${depthFail}_${pass}`,
          (t) => runOnField(t, { stencil: { front, back }, depth: { func: 'lequal', writes: true } }),
          SURFACE,
        );
      }
  for (const name of ['depth', 'stencil', 'both'] as const) {
    const stencil = name === 'depth' ? 255 : 0x0c;
    const state: Partial<FragmentState> = {
      stencil: bothFaces({ ref: 0xff, func: 'always', pass: 'replace', writeMask: stencil }),
      depth: { func: 'less', writes: name === 'stencil' },
    };
    yield functionalCase(api, `${base}.write_mask.${name}`, (t) => runOnField(t, state), SURFACE);
  }
  for (let index = 0; index < 25; index++)
    yield functionalCase(api, `${base}.random.${index}`, runRandomDepthStencil, SURFACE);
}

export function randomStencilFace(random: Random): StencilFace {
  return {
    func: random.pick(COMPARES),
    ref: random.bool(0.15) ? random.pick([-1, -200, 256, 300]) : random.int(0, 255),
    readMask: random.bool() ? 255 : random.int(0, 255),
    writeMask: random.bool() ? 255 : random.int(0, 255),
    fail: random.pick(OPERATIONS),
    depthFail: random.pick(OPERATIONS),
    pass: random.pick(OPERATIONS),
  };
}

export function randomRect(t: CaseContext): PixelRect {
  const { random, width, height } = t;
  const x = random.int(0, width - 2);
  const y = random.int(0, height - 2);
  return {
    x,
    y,
    width: random.int(1, width - x),
    height: random.int(1, height - y),
    color: [random.int(0, 255) / 255, random.int(0, 255) / 255, random.int(0, 255) / 255, random.int(0, 255) / 255],
    depth: random.int(-8, 8) / 8,
    facing: random.bool() ? 'front' : 'back',
  };
}

export function randomDepthState(random: Random): FragmentState['depth'] {
  return random.bool(0.7) ? { func: random.pick(COMPARES), writes: random.bool(0.7) } : null;
}

function runRandomDepthStencil(t: CaseContext): void {
  const { random } = t;
  const script = new FragmentScript(t);
  fillField(script);
  for (let pass = 0; pass < 6; pass++)
    script.draw(
      Array.from({ length: 3 }, () => randomRect(t)),
      {
        stencil: random.bool(0.8) ? { front: randomStencilFace(random), back: randomStencilFace(random) } : null,
        depth: randomDepthState(random),
      },
    );
  script.compare({}, 'colours');
  script.showDepthAndStencil();
  script.compare({}, 'depth (green) and stencil (red)');
}

export function* depthAndStencilCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* depthCases(api);
  yield* stencilCases(api);
  yield* depthStencilCases(api);
}
