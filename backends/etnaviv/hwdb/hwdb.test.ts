// The hardware database: rows, matching, broken features, overrides, import of vendor headers, agreement with recordings.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coreInfo, coreNamed, decodeFeatures, featureBit, findCore } from './core-info.ts';
import { CORES } from './cores.table.ts';
import { coreFacts } from './derived.ts';
import { identifyCore, overrideFeatures } from './identify.ts';
import { importHeader, mergeFeatureWords, mergeImports } from './import-header.ts';

const GOLDEN = `${process.env.INDIUM_TEST_DATA ?? '../shared'}/golden`;
const GC2000 = coreNamed('gc2000')!;
const ids = (model: number, revision: number, productId = 0, customerId = 0, ecoId = 0) => ({
  model,
  revision,
  productId,
  customerId,
  ecoId,
});
const report = (identity = ids(0x2000, 0x5108), featureWords = GC2000.featureWords) => ({
  identity,
  featureWords,
  limits: GC2000.limits,
});

describe('rows', () => {
  it('GC2000 has the words its kernel reports', () => {
    expect(GC2000.featureWords).toEqual([0xe0296cad, 0xc9799eff, 0x2efbf2d9]);
  });

  it('are named and matched uniquely', () => {
    expect(new Set(CORES.map(({ name }) => name)).size).toBe(CORES.length);
    for (const row of CORES) {
      expect(findCore(coreInfo(row).identity)?.name).toBe(row.name);
    }
  });

  it('an exact row beats one that takes any id', () => {
    const rows = [
      { ...GC2000, name: 'any' },
      { ...GC2000, name: 'exact', productId: 7 },
    ];
    expect(findCore(ids(0x2000, 0x5108, 7), rows)?.name).toBe('exact');
    expect(findCore(ids(0x2000, 0x5108, 8), rows)?.name).toBe('any');
  });
});

describe('features', () => {
  it('a bit that says broken beats the one that announces', () => {
    const words = coreNamed('gc7000')!.featureWords;
    const { word, bit } = featureBit('TEXTURE_ASTC');
    expect((words[word]! >>> bit) & 1).toBe(1);
    expect(decodeFeatures(words).has('TEXTURE_ASTC')).toBe(false);
    expect(decodeFeatures(coreNamed('gc3000')!.featureWords).has('TEXTURE_ASTC')).toBe(true);
  });

  it('clear comes before set', () => {
    const environment = { INDIUM_ETNAVIV_FEATURES0_CLEAR: '0xff', INDIUM_ETNAVIV_FEATURES0_SET: '0x1' };
    expect(overrideFeatures([0xe0296cad], environment)).toEqual([0xe0296c01]);
  });
});

describe('identification', () => {
  it('takes the claimed identity', () => {
    const { core, notices } = identifyCore(report(), {
      INDIUM_ETNAVIV_CHIP_MODEL: '0x3000',
      INDIUM_ETNAVIV_CHIP_REVISION: '0x5450',
    });
    expect(core.name).toBe('gc3000');
    expect(notices).toHaveLength(1);
    expect(() => identifyCore(report(), { INDIUM_ETNAVIV_CHIP_MODEL: 'big' })).toThrow(/32-bit number/);
  });

  it('falls back to the words of the kernel, with a notice', () => {
    const { core, notices } = identifyCore(report(ids(0x2000, 0x9999)));
    expect(core.isKnown).toBe(false);
    expect(core.features.has('HALTI0')).toBe(true);
    expect(notices[0]).toMatch(/no entry/);
  });

  it('distrusts ids that contradict the words', () => {
    const { core, notices } = identifyCore(report(ids(0x2000, 0x5108), coreNamed('gc7000')!.featureWords));
    expect(core.isKnown).toBe(false);
    expect(core.features.has('HALTI5')).toBe(true);
    expect(notices[0]).toMatch(/not trusted/);
  });
});

describe('import of vendor headers', () => {
  const header = `
    typedef struct { gctUINT32 chipID; gctUINT32 chipVersion; gctUINT32 productID; gctUINT32 ecoID; gctUINT32 customerID;
      gctUINT32 formalRelease:1; gctUINT32 NumShaderCores; gctUINT32 REG_FastClear:1; gctUINT32 REG_Halti5:1; } gcFEATURE_DATABASE;
    static gcFEATURE_DATABASE gChipInfo[] = {
      { 0x2000, /* ChipID */ 0x5108, 0x0, 0x0, 0x0, 0x1, 0x4, 0x0, 0x0, },
    };`;

  it('maps members to our names and keeps what the header does not name', () => {
    const { cores, unknownMembers } = importHeader(header);
    expect(cores).toHaveLength(1);
    expect(cores[0]).toMatchObject({ model: 0x2000, revision: 0x5108, members: { NumShaderCores: 4 } });
    expect(unknownMembers).toEqual(['formalRelease']);
    expect(cores[0]!.limits).toEqual({ shaderCores: 4 });
    expect(mergeFeatureWords(cores[0]!, GC2000).slice(0, 3)).toEqual([0xe0296cac, 0xc9799eff, 0x2efbf2d9]);
  });

  it('puts headers with other members together, and tells where they disagree', () => {
    const other = header
      .replace('NumShaderCores', 'VertexCacheSize')
      .replace('REG_Halti5:1', 'REG_Halti0:1')
      .replace('0x1, 0x4, 0x0, 0x0', '0x1, 0x10, 0x1, 0x1')
      .replace('},\n    };', '}, { 0x7777, 0x1, 0, 0, 0, 1, 8, 1, 0 },\n    };');
    const { cores, disagreements } = mergeImports([importHeader(header), importHeader(other)]);
    expect(cores.map(({ model }) => model)).toEqual([0x2000, 0x7777]);
    expect(cores[0]!.limits).toEqual({ shaderCores: 4, vertexCache: 16 });
    expect(Object.fromEntries(cores[0]!.features)).toEqual({ FAST_CLEAR: true, HALTI5: false, HALTI0: true });
    expect(disagreements).toEqual(['0x2000 0x5108 0x0 0x0 0x0: FAST_CLEAR: false, then true']);
  });

  it('says what is wrong', () => {
    expect(() => importHeader('int x;')).toThrow(/no structure/);
    expect(() => importHeader(header.replace('0x4, ', ''))).toThrow(/8 values for 9/);
  });
});

describe('recorded GPUs', () => {
  for (const name of ['gc400', 'gc880', 'gc2000', 'gc3000', 'gc7000']) {
    const path = `${GOLDEN}/etnaviv-${name}/gpu.json`;
    it.skipIf(!existsSync(path))(`${name} agrees with what a driver saw`, () => {
      const gpu = JSON.parse(readFileSync(path, 'utf8'));
      const core = coreInfo(coreNamed(name)!);
      const facts = coreFacts(core);
      expect(core.identity.model).toBe(Number(gpu.identity.model));
      expect(facts.halti).toBe(gpu.halti);
      expect(facts.pixelPipes).toBe(gpu.limits.pixel_pipes);
      expect(facts.tileStatusBits).toBe(gpu.driver_view.ts_bits_per_tile);
      expect(Number(facts.pairTranscendentals)).toBe(gpu.driver_view.new_transcendentals);
      expect(Number(facts.manyUniformsPerInstruction)).toBe(gpu.driver_view.no_oneconst_limit);
      expect(Number(facts.singleBuffer)).toBe(gpu.driver_view.single_buffer);
      expect(Number(facts.hasBlt)).toBe(gpu.driver_view.use_blt);
      expect(Number(facts.hasInstructionCache)).toBe(gpu.driver_view.icache);
      expect(facts.vertexSamplerOffset).toBe(gpu.driver_view.vertex_sampler_offset);
      expect(facts.vertexSamplers).toBe(gpu.driver_view.vertex_samplers);
      expect(facts.renderTargets).toBe(gpu.driver_view.num_rts);
    });
  }
});
