// color_clear and depth_stencil_clear: clears with scissors and masks, in all orders.

import { type CaseContext, type CaseDefinition, type CaseSurface, functionalCase } from '../../case.ts';
import { FragmentScript } from '../../harness/script.ts';
import type { Color, FragmentState } from '../../reference/fragment-pipeline.ts';

interface ColorClear {
  readonly count: readonly [number, number];
  readonly isMasked?: boolean;
  /** How many of the clears are scissored, and how large the rectangles may get. */
  readonly scissored?: 'never' | 'always' | 'sometimes';
  readonly largest?: number;
}

const COLOR_CLEARS: Readonly<Record<string, ColorClear>> = {
  single: { count: [1, 3] },
  multiple: { count: [10, 20] },
  long: { count: [100, 100] },
  subclears: { count: [10, 20], scissored: 'always' },
  short_scissored: { count: [2, 4], scissored: 'sometimes' },
  scissored: { count: [30, 30], scissored: 'sometimes' },
  masked: { count: [20, 20], isMasked: true },
  masked_scissored: { count: [30, 30], isMasked: true, scissored: 'sometimes' },
  complex: { count: [30, 40], isMasked: true, scissored: 'sometimes', largest: 9 },
  long_masked: { count: [60, 60], isMasked: true },
};

function randomScissor(t: CaseContext, largest = t.width): FragmentState['scissor'] {
  const { random } = t;
  // Some reach over the edges: the scissor box may lie anywhere.
  return {
    x: random.int(-4, t.width - 1),
    y: random.int(-4, t.height - 1),
    width: random.int(0, largest),
    height: random.int(0, largest),
  };
}

function runColorClear(t: CaseContext, clear: ColorClear, hasAlpha: boolean): void {
  const { random } = t;
  const script = new FragmentScript(t);
  const channel = () => random.int(0, 255) / 255;
  // Alpha stays 1 in the RGB cases: there is nothing to see in it.
  const color = (): Color => [channel(), channel(), channel(), hasAlpha ? channel() : 1];
  script.clear({ color: [0.2, 0.4, 0.6, 1] });
  const [least, most] = clear.count;
  const count = random.int(least, most);
  for (let index = 0; index < count; index++) {
    const isScissored =
      clear.scissored === 'always' || (clear.scissored === 'sometimes' && index > 0 && random.bool(0.7));
    script.clear(
      { color: color() },
      {
        scissor: isScissored ? randomScissor(t, clear.largest) : null,
        colorMask: clear.isMasked
          ? [random.bool(), random.bool(), random.bool(), random.bool()]
          : [true, true, true, true],
      },
    );
  }
  script.compare({ tolerance: 1 });
}

const COLOR_SURFACE: CaseSurface = { width: 40, height: 33, depth: false, stencil: false };

export function* colorClearCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [name, clear] of Object.entries(COLOR_CLEARS))
    for (const kind of ['rgb', 'rgba']) {
      if (name === 'short_scissored' && kind === 'rgba') continue;
      const run = (t: CaseContext) => runColorClear(t, clear, kind === 'rgba');
      yield functionalCase(api, `color_clear.${name}_${kind}`, run, COLOR_SURFACE);
    }
}

function runDepthStencilClear(t: CaseContext, name: string): void {
  const { random } = t;
  const script = new FragmentScript(t);
  script.clear({ color: [0, 0, 0, 1], depth: 1, stencil: 3 });
  const hasDepth = name.includes('depth');
  const hasStencil = name.includes('stencil');
  for (let index = 0; index < 8; index++) {
    const isMasked = name.includes('masked') && random.bool(0.6);
    script.clear(
      {
        ...(hasDepth ? { depth: random.int(0, 16) / 16, depthMask: !isMasked || random.bool() } : {}),
        ...(hasStencil ? { stencil: random.int(0, 255), stencilMask: isMasked ? random.int(0, 255) : 255 } : {}),
      },
      { scissor: name.includes('scissored') && random.bool(0.8) ? randomScissor(t) : null },
    );
  }
  script.showDepthAndStencil();
  script.compare();
}

const DEPTH_STENCIL_CLEARS = [
  'depth',
  'depth_scissored',
  'depth_scissored_masked',
  'stencil',
  'stencil_masked',
  'stencil_scissored',
  'stencil_scissored_masked',
  'depth_stencil',
  'depth_stencil_masked',
  'depth_stencil_scissored',
  'depth_stencil_scissored_masked',
];

export function* depthStencilClearCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const name of DEPTH_STENCIL_CLEARS)
    yield functionalCase(api, `depth_stencil_clear.${name}`, (t) => runDepthStencilClear(t, name));
}
