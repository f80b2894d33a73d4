import { describe, expect, it } from 'vitest';
import { CLEAR, type StencilFace } from '../../src/pipe/pipe.ts';
import { TILE_SIZE } from '../../src/raster/layout.ts';
import { fragment, Rig } from './rig.ts';
import { clearInfo } from './testing.ts';

const LEFT = [1, 0, 0, 1];
const RIGHT = [0, 1, 0, 1];
const NEW = [0, 0, 1, 0.5];
const WIDTH = 2 * TILE_SIZE;

/** Two tiles of different colours under one triangle that covers both; planes still hold the first when the second is drawn. */
function drawOverTwoTiles(set: (rig: Rig) => void, more: { samples?: 1 | 4; targets?: number } = {}): number[][][] {
  const { samples = 1, targets = 1 } = more;
  const rig = new Rig();
  const colors = Array.from({ length: targets }, () =>
    rig.texture('R8G8B8A8_UNORM', WIDTH, TILE_SIZE, samples > 1 ? { samples } : {}),
  );
  const depthStencil = rig.texture('Z24_UNORM_S8_UINT', WIDTH, TILE_SIZE, samples > 1 ? { samples } : {});
  const halves = [LEFT, RIGHT].map((color, half) => ({
    color,
    scissor: { minX: half * TILE_SIZE, minY: 0, maxX: (half + 1) * TILE_SIZE, maxY: TILE_SIZE },
  }));
  rig.target(colors, depthStencil);
  for (const { color, scissor } of halves) {
    rig.context.clear(
      clearInfo([], {
        ...rig.colorOf(color),
        scissor,
        buffers: targets > 1 ? CLEAR.COLOR0 | (CLEAR.COLOR0 << 1) : CLEAR.COLOR0,
      }),
    );
  }
  rig.clearDepthStencil(0.5, 0);
  rig.context.flush(0);
  set(rig);
  rig.rect(-1000, 0, WIDTH, 1.25 * TILE_SIZE, { z: 0.75, color: NEW });
  return colors.map((color) => {
    const single = samples > 1 ? rig.resolved(color) : color;
    return [rig.pixel(single, 3, 3), rig.pixel(single, WIDTH - 3, 3)];
  });
}

const code = (color: readonly number[]): number[] => color.map((value) => Math.round(value * 255));

describe('a primitive that covers whole tiles', () => {
  const additive = {
    enabled: true,
    sourceRgb: 'one',
    destinationRgb: 'one',
    sourceAlpha: 'zero',
    destinationAlpha: 'one',
  } as const;
  const failing: StencilFace = {
    func: 'never',
    failOp: 'keep',
    depthFailOp: 'keep',
    passOp: 'keep',
    compareMask: 0xff,
    writeMask: 0xff,
  };
  const cases: [name: string, set: (rig: Rig) => void, left: number[], right: number[]][] = [
    ['replaces what was there', () => {}, NEW, NEW],
    ['is added by blending', (rig) => rig.blend([additive]), [1, 0, 1, 1], [0, 1, 1, 1]],
    ['leaves masked channels', (rig) => rig.blend([{ colorMask: 4 }]), [1, 0, 1, 1], [0, 1, 1, 1]],
    ['leaves all where its depth fails', (rig) => rig.depthStencil({ depthTest: true }), LEFT, RIGHT],
    [
      'leaves all where its stencil fails',
      (rig) => rig.depthStencil({ stencil: { front: failing, back: failing } }),
      LEFT,
      RIGHT,
    ],
    ['leaves all where it is discarded', (rig) => rig.fragmentShader(discarding()), LEFT, RIGHT],
  ];
  for (const [name, set, left, right] of cases) {
    it(name, () => {
      const [pixels] = drawOverTwoTiles(set);
      expect(pixels!.map(code)).toEqual([left, right].map(code));
    });
  }

  it('leaves a target that its shader does not write', () => {
    const [first, second] = drawOverTwoTiles(() => {}, { targets: 2 });
    expect(first!.map(code)).toEqual([NEW, NEW].map(code));
    expect(second!.map(code)).toEqual([LEFT, RIGHT].map(code));
  });

  it('leaves the samples that the mask spares', () => {
    const [all] = drawOverTwoTiles(() => {}, { samples: 4 });
    expect(all!.map(code)).toEqual([NEW, NEW].map(code));
    const [one] = drawOverTwoTiles((rig) => rig.context.setSampleMask(0b0010), { samples: 4 });
    const mixed = (old: readonly number[]): number[] => old.map((value, i) => (3 * value + NEW[i]!) / 4);
    expect(one!.map(code)).toEqual([mixed(LEFT), mixed(RIGHT)].map(code));
  });
});

function discarding() {
  return fragment((b) => {
    b.discard(b.flt(b.channel(b.loadInput('var0', 4), 0), b.constFloat(0.5)));
    b.storeOutput('color0', b.loadInput('var0', 4));
  });
}
