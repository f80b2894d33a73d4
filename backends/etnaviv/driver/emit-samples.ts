// States of multisampling: which samples are drawn to, where they lie, and alpha as coverage.

import type { Bindings } from '../../../src/util/bindings.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS } from '../registers/registers.ts';
import type { CommandStream } from './command-stream.ts';
import type { EtnavivScreen } from './screen.ts';
import type { EtnavivBlend } from './state-objects.ts';

const R = REGISTERS;

/** The pixel shader's unit turns alpha into coverage. */
function hasAlphaToCoverage({ halti }: EtnavivScreen['facts']): boolean {
  return halti >= 4;
}

/** No mask, no coverage value, no alpha to coverage; and bits that recorded streams always have. */
const MSAA_CONFIG_BASE = 0x6706667f;

export function emitSamples(
  stream: CommandStream,
  facts: EtnavivScreen['facts'],
  samples: number,
  blend: EtnavivBlend,
  bindings: Bindings,
): void {
  emitSampleBits(stream, samples, sampleBits(samples, bindings));
  stream.set(R.PE_ALPHA_OP, 0);
  if (facts.halti < 5) emitSamplePlaces(stream, samples);
  if (!hasAlphaToCoverage(facts)) return;
  const hasAlpha = samples > 1 && blend.description.alphaToCoverage;
  stream.set(R.PS_MSAA_CONFIG, MSAA_CONFIG_BASE | packFields(R.PS_MSAA_CONFIG, { ALPHA_TO_COVERAGE: hasAlpha }));
}

interface SamplePlaces {
  /** Four samples a word, of eight bits each. */
  readonly samples: readonly number[];
  readonly centroids: readonly number[];
}

/** Words of recorded streams. HALTI5 knows its places by itself. */
// biome-ignore format: a table is read by its columns
const SAMPLE_PLACES: Readonly<Record<number, SamplePlaces>> = {
  1: { samples: [], centroids: [] },
  2: { samples: [0x0000aa22], centroids: [0x66aa2288, 0x88558800, 0x88881100, 0x33888800] },
  4: {
    samples: [0xeaa26e26, 0xe6ae622a, 0xaaa22a22],
    centroids: [
      0x4a6e2688, 0x888888a2, 0x888888ea, 0x888888c6, 0x46622a88, 0x888888ae,
      0x888888e6, 0x888888ca, 0x262a2288, 0x886688a2, 0x888866aa, 0x668888a6,
    ],
  },
};

/** Where a pixel's samples lie, and where varyings are taken when only some of them are covered. */
function emitSamplePlaces(stream: CommandStream, count: number): void {
  const { samples, centroids } = SAMPLE_PLACES[count]!;
  stream.set(R.RA_MULTISAMPLE_UNK00E04, 0);
  for (let word = 0; word < 4; word++) stream.set(R.RA_MULTISAMPLE_UNK00E10, samples[word] ?? 0, word);
  for (let word = 0; word < 16; word++) stream.set(R.RA_CENTROID_TABLE, centroids[word] ?? 0, word);
}

function emitSampleBits(stream: CommandStream, samples: number, bits: number): void {
  const mode = samples === 4 ? ENUMS.MSAA_SAMPLES['4X'] : samples === 2 ? ENUMS.MSAA_SAMPLES['2X'] : 0;
  const fields = { MSAA_SAMPLES: mode, MSAA_ENABLES: bits };
  stream.set(R.GL_MULTI_SAMPLE_CONFIG, packFields(R.GL_MULTI_SAMPLE_CONFIG, fields));
}

/** Draws that a draw takes: one a sample where alpha decides about samples and the hardware has nothing for it. */
export function samplePasses(
  { facts }: EtnavivScreen,
  samples: number,
  blend: EtnavivBlend,
  { rasterizer }: Bindings,
): number {
  const isEmulated = blend.description.alphaToCoverage && rasterizer?.description.multisample;
  return isEmulated && !hasAlphaToCoverage(facts) ? samples : 1;
}

/** One sample alone, where the alpha test finds enough alpha for it. False: nothing is drawn to it. */
export function emitSamplePass(stream: CommandStream, samples: number, sample: number, bindings: Bindings): boolean {
  const bits = sampleBits(samples, bindings) & (1 << sample);
  if (bits === 0) return false;
  emitSampleBits(stream, samples, bits);
  const least = Math.round(((sample + 0.5) / samples) * 255);
  const test = { ALPHA_TEST: 1, ALPHA_FUNC: ENUMS.COMPARE_FUNC.GEQUAL, ALPHA_REF: least };
  stream.set(R.PE_ALPHA_OP, packFields(R.PE_ALPHA_OP, test));
  return true;
}

/** The samples that the sample mask and the coverage value (a share of the samples) leave. */
function sampleBits(samples: number, { sampleMask, sampleCoverage, rasterizer }: Bindings): number {
  if (samples === 1 || !rasterizer?.description.multisample) return 15;
  const { value, invert } = sampleCoverage;
  const covered = (1 << Math.round(Math.min(Math.max(value, 0), 1) * samples)) - 1;
  return sampleMask & (invert ? ~covered : covered) & ((1 << samples) - 1);
}
