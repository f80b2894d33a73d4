// The cores we know: one row an identity, with its limits and its feature words.
//
// Facts: the Linux kernel's etnaviv hardware database and boot messages of boards, as collected by the etnaviv project
// (etna_viv, tools/data/gpus.json). A row whose product, customer or eco id is null takes every id.

export interface CoreLimits {
  readonly streams: number;
  readonly registers: number;
  readonly threads: number;
  readonly shaderCores: number;
  readonly vertexCache: number;
  readonly vertexOutputBuffer: number;
  readonly pixelPipes: number;
  readonly instructions: number;
  readonly constants: number;
  readonly varyings: number;
}

export interface CoreRow {
  /** The name people use, with the revision where several are known. */
  readonly name: string;
  readonly model: number;
  readonly revision: number;
  readonly productId: number | null;
  readonly customerId: number | null;
  readonly ecoId: number | null;
  readonly limits: CoreLimits;
  /** The kernel's feature words: features, then minor features 0, 1, … Missing words are 0. */
  readonly featureWords: readonly number[];
}

type Ids = readonly [productId: number | null, customerId: number | null, ecoId: number | null];
const ANY: Ids = [null, null, null];

function limits(
  streams: number,
  threads: number,
  shaderCores: number,
  vertexCache: number,
  vertexOutputBuffer: number,
  pixelPipes: number,
  instructions: number,
  constants: number,
  varyings: number,
): CoreLimits {
  return {
    streams,
    registers: 64,
    threads,
    shaderCores,
    vertexCache,
    vertexOutputBuffer,
    pixelPipes,
    instructions,
    constants,
    varyings,
  };
}

function core(
  name: string,
  model: number,
  revision: number,
  [productId, customerId, ecoId]: Ids,
  coreLimits: CoreLimits,
  ...featureWords: number[]
): CoreRow {
  return { name, model, revision, productId, customerId, ecoId, limits: coreLimits, featureWords };
}

// biome-ignore format: a table is read by its columns
export const CORES: readonly CoreRow[] = [
  //                                       ids                        streams threads cores cache output pipes instr const vary
  core('gc320',       0x320,  0x5007, ANY,                       limits( 1, 1024, 4, 16, 1024, 2, 256, 256,  8), 0xe02c7eca, 0xc1399eff, 0x020fb2db),
  core('gc400',       0x400,  0x4652, [0x70001, 0x100, 0],       limits( 4,  128, 1,  8, 1024, 1, 256, 320,  8), 0xa0e9e004, 0xe1299fff, 0xbe13b219, 0xce110010, 0x08000001, 0x00020102, 0x00120000),
  core('gc530',       0x530,  0x4303, ANY,                       limits( 1,  128, 1,  8,  128, 1, 256, 168,  8), 0x212c66ed, 0x0000017f),
  core('gc600',       0x600,  0x0019, ANY,                       limits( 1,  256, 1,  8,  512, 1, 256, 168,  8), 0x00087ecd, 0x00000007),
  core('gc800',       0x800,  0x4604, ANY,                       limits( 1,  256, 1,  8,  512, 1, 256, 168,  8), 0xa02c6eed, 0xe1399fff, 0x00000019),
  core('gc860',       0x860,  0x4603, ANY,                       limits( 1,  256, 1,  8,  512, 1, 256, 168,  8), 0xe02c6eed, 0xcbf99fff),
  core('gc860-4621',  0x860,  0x4621, ANY,                       limits( 1,  256, 1,  8,  512, 1, 256, 168,  8), 0xe0286ecd, 0xcbf99fff, 0x0003b219),
  core('gc880',       0x880,  0x5106, ANY,                       limits( 8,  256, 1,  8,  512, 1, 512, 256, 12), 0xe02864ad, 0xc1f99eff, 0xeefbf2d9, 0x02100284),
  core('gc1000',      0x1000, 0x5015, ANY,                       limits( 4,  512, 2,  8,  512, 1, 256, 168,  8), 0xe0286eed, 0xc3799eff, 0x2e13b2d9, 0x00100000),
  core('gc2000',      0x2000, 0x5108, ANY,                       limits( 8, 1024, 4, 16,  512, 2, 512, 168, 12), 0xe0296cad, 0xc9799eff, 0x2efbf2d9),
  core('gc3000',      0x3000, 0x5450, ANY,                       limits(16, 1024, 4, 16, 1024, 2, 512, 320, 16), 0xe0287cad, 0xc9799efb, 0xfefbfadb, 0xeb9d4bbf, 0xedffdced, 0x930d2f47, 0x10000133),
  core('gc7000-6202', 0x7000, 0x6202, [0x70003, 0, 0],           limits( 8,  512, 2, 16, 1024, 1, 512, 320, 16), 0xe0287cad, 0xc1489eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333, 0xfccee201, 0x03fffa6f, 0x00e10ef0, 0x0088003c, 0x00004040, 0x00000024),
  core('gc7000-6203', 0x7000, 0x6203, [0x70003, 4, 0],           limits(16,  512, 2, 16, 1024, 1, 512, 320, 16), 0xe0287c8d, 0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333, 0xfcce6000, 0xfffbfa6f, 0x00e10ef3, 0x00c8003c, 0x00004040, 0x00000024),
  core('gc7000-6204', 0x7000, 0x6204, [null, null, 0],           limits(16,  512, 2, 16, 1024, 1, 512, 320, 16), 0xe0287c8d, 0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333, 0xfcce6000, 0xfffbfa6f, 0x00e10ef3, 0x04c8003c, 0x00004060, 0x00000024),
  core('gc7000',      0x7000, 0x6214, ANY,                       limits(16, 1024, 4, 16, 1024, 2, 512, 320, 16), 0xe0287cad, 0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0xbb5ac333, 0xfc8ee200, 0x03fbfa6f, 0x00ef0ef0, 0x0edbf03c, 0x90044250, 0x00000024),
  core('gc8000-7120', 0x8000, 0x7120, [0x45080009, 0x88, 0],     limits( 8,  256, 1, 16, 1024, 1, 512, 320, 16), 0xe0287cac, 0xc1799eff, 0xfefbfadb, 0xeb9d6fbf, 0xedfffced, 0xd30dafc7, 0x7b5ac333, 0xfc8ee200, 0x03fffa6f, 0x00fe0ef0, 0x0088003c, 0x108048c0, 0x00000010),
  core('gc8000-8002', 0x8000, 0x8002, [0x5080009, 0x9f, 0x6000000], limits(8, 256, 1, 16, 1024, 1, 512, 320, 16), 0xe0287cac, 0xc1799eff, 0xfefbfadb, 0xeb9d6fbf, 0xedfffced, 0xd30dafc7, 0x7b5ac333, 0xfc8ee200, 0x03fffa6f, 0x00fe0ef0, 0x0088003c, 0x108048c0, 0x00000010),
];
