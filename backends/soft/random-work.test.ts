// Random sequences of work give the same pixels however jobs are gathered, and give all their memory back.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { CLEAR, MAP, type Resource } from '../../src/pipe/pipe.ts';
import { debugFlags, parseDebugFlags } from './debug.ts';
import { fetchShader, Rig, showVarying } from './rig.ts';
import { SoftScreen } from './screen.ts';
import { surfaceOf } from './testing.ts';

afterEach(() => {
  Object.assign(debugFlags, parseDebugFlags(''));
});

const SIZE = 70;
const TARGETS = 4;

type Step =
  | { kind: 'target'; target: number; depth: boolean }
  | { kind: 'clear' | 'scissoredClear' | 'maskedClear'; value: number; x: number; y: number }
  | { kind: 'rect' | 'blended' | 'tested'; value: number; x: number; y: number; z: number }
  | { kind: 'sampled'; from: number; x: number; y: number }
  | { kind: 'upload' | 'mapWrite'; to: number; value: number }
  | { kind: 'copy' | 'blit'; from: number; to: number; x: number; y: number; flip: boolean }
  | { kind: 'clearSurface'; to: number; value: number; x: number }
  | { kind: 'mipmap'; to: number }
  | { kind: 'read'; from: number }
  | { kind: 'query'; value: number; x: number };

const index = fc.nat(TARGETS - 1);
const small = fc.nat(SIZE - 1);
const value = fc.nat(15);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('target' as const), target: index, depth: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom('clear' as const, 'scissoredClear' as const, 'maskedClear' as const),
    value,
    x: small,
    y: small,
  }),
  fc.record({
    kind: fc.constantFrom('rect' as const, 'blended' as const, 'tested' as const),
    value,
    x: small,
    y: small,
    z: fc.constantFrom(0.1, 0.5, 0.9),
  }),
  fc.record({ kind: fc.constant('sampled' as const), from: index, x: small, y: small }),
  fc.record({ kind: fc.constantFrom('upload' as const, 'mapWrite' as const), to: index, value }),
  fc.record({
    kind: fc.constantFrom('copy' as const, 'blit' as const),
    from: index,
    to: index,
    x: small,
    y: small,
    flip: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('clearSurface' as const), to: index, value, x: small }),
  fc.record({ kind: fc.constant('mipmap' as const), to: index }),
  fc.record({ kind: fc.constant('read' as const), from: index }),
  fc.record({ kind: fc.constant('query' as const), value, x: small }),
);

/** One of sixteen colours. */
function colorOf(code: number): number[] {
  return [code & 1, (code >> 1) & 1, (code >> 2) & 1, code & 8 ? 1 : 0.5];
}

function hash(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

class Player {
  readonly rig: Rig;
  readonly targets: Resource[];
  readonly #depth: Resource;
  readonly log: (string | number | null)[] = [];
  #target = 0;
  readonly #show;
  readonly #fetch;

  constructor(screen: SoftScreen) {
    this.rig = new Rig(screen);
    this.targets = Array.from({ length: TARGETS }, () => this.rig.texture('R8G8B8A8_UNORM', SIZE, SIZE, { levels: 3 }));
    this.#depth = this.rig.texture('Z24_UNORM_S8_UINT', SIZE, SIZE);
    const { context } = this.rig;
    this.#show = context.createFragmentShaderState({ ir: showVarying(), streamOutput: null });
    this.#fetch = context.createFragmentShaderState({ ir: SHARED_FETCH, streamOutput: null });
    this.play({ kind: 'target', target: 0, depth: false });
  }

  play(step: Step): void {
    const { rig, targets } = this;
    const { context } = rig;
    context.bindFragmentShaderState(this.#show);
    rig.blend();
    rig.depthStencil();
    switch (step.kind) {
      case 'target':
        this.#target = step.target;
        rig.target([surfaceOf(targets[step.target]!)], step.depth ? this.#depth : null);
        break;
      case 'clear':
        rig.clear(colorOf(step.value), { buffers: CLEAR.COLOR0 | CLEAR.DEPTH_STENCIL, depth: step.value / 15 });
        break;
      case 'scissoredClear':
        rig.clear(colorOf(step.value), { scissor: { minX: step.x, minY: 3, maxX: SIZE, maxY: step.y } });
        break;
      case 'maskedClear':
        rig.clear(colorOf(step.value), { colorMasks: [step.x & 15] });
        break;
      case 'blended':
        rig.blend([{ enabled: true, sourceRgb: 'constantColor', destinationRgb: 'sourceAlpha' }]);
        context.setBlendColor(0.5, 0.25, 1, 1);
        rig.rect(step.x, step.y, SIZE, SIZE, { color: colorOf(step.value) });
        break;
      case 'tested':
        rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less' });
        rig.rect(0, 0, step.x, step.y, { color: colorOf(step.value), z: step.z });
        break;
      case 'rect':
        rig.rect(step.x, 0, SIZE, step.y, { color: colorOf(step.value) });
        break;
      case 'sampled':
        // Its own target would be a feedback loop.
        if (step.from === this.#target) break;
        context.bindFragmentShaderState(this.#fetch);
        rig.sample([rig.view(targets[step.from]!)]);
        rig.rect(0, 0, step.x, step.y, { color: [0, 0, 0, step.x & 1] });
        context.setSamplerViews('fragment', []);
        break;
      case 'upload':
        rig.upload(targets[step.to]!, new Uint8Array(SIZE * SIZE * 4).fill(step.value * 17));
        break;
      case 'mapWrite': {
        const box = { x: 1, y: 2, z: 0, width: 9, height: 5, depth: 1 };
        const transfer = context.transferMap(targets[step.to]!, 0, MAP.WRITE, box)!;
        for (let y = 0; y < 5; y++)
          transfer.data.fill(step.value, y * transfer.strideBytes, y * transfer.strideBytes + 36);
        context.transferUnmap(transfer);
        break;
      }
      case 'copy': {
        const box = { x: 0, y: 0, z: 0, width: SIZE - step.x, height: SIZE - step.y, depth: 1 };
        if (step.from === step.to) break;
        context.copyRegion(targets[step.to]!, 0, step.x, step.y, 0, targets[step.from]!, 0, box);
        break;
      }
      case 'blit': {
        const format = 'R8G8B8A8_UNORM' as const;
        const [from, to] = [targets[step.from]!, targets[step.to]!];
        const width = step.x + 1;
        const box = { x: 0, y: 0, z: 0, width: SIZE, height: SIZE, depth: 1 };
        context.blit({
          source: { resource: from, level: 0, format, box: step.flip ? { ...box, x: SIZE, width: -SIZE } : box },
          destination: { resource: to, level: 0, format, box: { ...box, x: step.y, width } },
          mask: 1,
          filter: 'nearest',
          scissor: null,
          followsRenderCondition: false,
        });
        break;
      }
      case 'clearSurface': {
        const float = Float32Array.from(colorOf(step.value));
        const color = { float, int: new Int32Array(float.buffer), uint: new Uint32Array(float.buffer) };
        const rect = { minX: 0, minY: 0, maxX: step.x, maxY: SIZE };
        context.clearRenderTarget(surfaceOf(targets[step.to]!), color, rect);
        break;
      }
      case 'mipmap':
        context.generateMipmap(targets[step.to]!, 'R8G8B8A8_UNORM', 0, 2, 0, 0);
        break;
      case 'read':
        this.log.push(hash(rig.bytes(targets[step.from]!)));
        break;
      case 'query': {
        const query = context.createQuery('occlusionCounter', 0);
        context.beginQuery(query);
        rig.rect(0, 0, step.x, 9, { color: colorOf(step.value) });
        context.endQuery(query);
        this.log.push(context.getQueryResult(query));
        query.destroy();
        break;
      }
    }
  }

  results(): unknown {
    const { rig } = this;
    const levels = this.targets.flatMap((target) => [0, 1, 2].map((level) => hash(rig.bytes(target, level))));
    return { log: this.log, levels, depth: hash(rig.bytes(this.#depth)) };
  }

  destroy(): void {
    this.rig.context.destroy();
    for (const target of [...this.targets, this.#depth]) target.destroy();
  }
}

const SHARED_FETCH = fetchShader();

function play(screen: SoftScreen, steps: readonly Step[], flags: Partial<typeof debugFlags>): unknown {
  Object.assign(debugFlags, parseDebugFlags(''), flags);
  const player = new Player(screen);
  for (const one of steps) player.play(one);
  const results = player.results();
  player.destroy();
  return results;
}

describe('random work', () => {
  it('changes no pixel under any debug flag, and leaves no memory behind', () => {
    const screen = new SoftScreen({});
    play(screen, [], {});
    const before = screen.memoryStatistics();
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
        const gathered = play(screen, steps, {});
        expect(play(screen, steps, { alwaysFlush: true })).toEqual(gathered);
        expect(play(screen, steps, { noMerge: true })).toEqual(gathered);
        expect(play(screen, steps, { quadsPerStep: 2 })).toEqual(gathered);
        const after = screen.memoryStatistics();
        expect(after.liveBytes - before.liveBytes).toBeLessThan(1 << 21);
      }),
      { numRuns: 40, seed: 1 },
    );
    // What the engine itself keeps is made once.
    const after = screen.memoryStatistics().liveBytes;
    play(screen, [{ kind: 'clear', value: 3, x: 0, y: 0 }], {});
    expect(screen.memoryStatistics().liveBytes).toBe(after);
  });
});
