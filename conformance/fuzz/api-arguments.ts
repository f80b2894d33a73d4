// Makes the arguments of a call from the kinds in `api-calls.table.ts`: mostly sensible, sometimes at a boundary, seldom nonsense.

import { EXTENSIONS, type ExtensionName, webglName } from '../../src/gl/extensions.ts';
import type { Random } from '../reference/random.ts';
import { ANY_ENUM, DOMAINS, TEXTURE_FORMATS } from './api-domains.table.ts';
import { PROGRAM_NAMES, SHADER_TEXTS } from './api-programs.ts';
import { type Encoded, ODD, ODD_NUMBERS, type ViewType } from './api-values.ts';

export type FaceName = 'gles2' | 'gles3' | 'webgl' | 'webgl2';

const OBJECT_KINDS = new Set(
  'Buffer Texture Framebuffer Renderbuffer Program Shader VertexArrayObject VertexArrayObjectOES TimerQueryEXT Query Sampler Sync TransformFeedback Location'.split(
    ' ',
  ),
);

/** Kinds that are plain numbers in C too. */
const NUMBERS = new Set(
  (
    'float int bits zero one index unit layer attrib components stride divisor border level levels samples size depth coord count ' +
    'base place draws first instances offset storeValue Buffer Texture Framebuffer Renderbuffer Program Shader VertexArrayObject Query Sampler'
  ).split(' '),
);

const VIEW_TYPES: readonly ViewType[] = [
  'Uint8Array',
  'Uint8Array',
  'Float32Array',
  'Float32Array',
  'Uint16Array',
  'Uint32Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Uint8ClampedArray',
  'Float64Array',
  'DataView',
];

const ODD_WORDS = Object.keys(ODD);

/** Special steps that conversions do. */
export const ACTS = ['@lose', '@dispose', '@small', '@present', '@image', '@context'];

export class Arguments {
  readonly random: Random;
  readonly face: FaceName;
  readonly contexts: number;
  /** How many arguments in a thousand are nonsense. */
  readonly hostility: number;
  /** The call's texture format, when one of its arguments has asked for it. */
  #format: readonly [number, number, number] = TEXTURE_FORMATS[0]!;

  constructor(random: Random, face: FaceName, contexts: number, hostility = 15) {
    this.random = random;
    this.face = face;
    this.contexts = contexts;
    this.hostility = hostility;
  }

  /** The arguments of one call. */
  make(words: string): Encoded[] {
    const { random } = this;
    this.#format = random.pick(TEXTURE_FORMATS);
    const kinds = words.split(' ').filter((word) => word !== '');
    const args = kinds.map((kind) => (random.bool(this.hostility / 1000) ? this.#oddFor(kind) : this.argument(kind)));
    if (this.#isWeb && random.bool(0.01)) args.pop();
    if (this.#isWeb && random.bool(0.01)) args.push(this.#odd());
    return args;
  }

  get #isWeb(): boolean {
    return this.face === 'webgl' || this.face === 'webgl2';
  }

  /** Memory and strings cannot be nonsense in C; in WebGL everything can. */
  #oddFor(kind: string): Encoded {
    return this.#isWeb || NUMBERS.has(kind) || kind in DOMAINS ? this.#odd() : this.argument(kind);
  }

  #odd(): Encoded {
    const { random } = this;
    if (!this.#isWeb || random.bool(0.4)) return random.pick(ODD_NUMBERS);
    if (random.bool(0.2)) return { act: random.pick(ACTS), value: random.pick([0, 1, 4, 16, 'x']) };
    if (random.bool(0.2)) {
      const [length, cut] = [random.int(1, 60), random.pick([0, 3, 8, 64])];
      return { view: random.pick(VIEW_TYPES), length, seed: random.int(0, 0xffff), cut };
    }
    return { odd: random.pick(ODD_WORDS) };
  }

  argument(kind: string): Encoded {
    const domain = DOMAINS[kind];
    if (domain !== undefined) return this.#enum(domain);
    const make = MAKERS[kind];
    if (make !== undefined) return make(this, this.random);
    if (kind.startsWith('format.')) return this.#formatPart(kind);
    if (kind.endsWith('.list')) return { list: [this.object(kind.slice(0, -'.list'.length))] };
    const name = kind.replace(/[?*]$/, '');
    if (OBJECT_KINDS.has(name)) return this.object(name);
    throw new Error(`fuzz: no arguments of kind '${kind}'`);
  }

  object(kind: string): Encoded {
    const { random } = this;
    if (random.bool(0.08)) return this.#isWeb ? null : random.pick([0, 77, -1]);
    const at = random.bool(0.5) ? -1 : random.int(0, 11);
    // An object of another context, or of another kind.
    if (this.contexts > 1 && random.bool(0.03)) return { object: kind, at, from: random.int(0, this.contexts - 1) };
    if (random.bool(0.01)) return { object: random.pick([...OBJECT_KINDS]), at };
    return { object: kind, at };
  }

  #enum(domain: readonly number[]): Encoded {
    const { random } = this;
    if (random.bool(0.93)) return random.pick(domain);
    return random.bool(0.7) ? random.pick(ANY_ENUM) : random.pick(ODD_NUMBERS);
  }

  #formatPart(kind: string): Encoded {
    const { random } = this;
    const part = { 'format.internal': 0, 'format.format': 1, 'format.type': 2 }[kind];
    if (part === undefined) throw new Error(`fuzz: no kind '${kind}'`);
    return (random.bool(0.95) ? this.#format : random.pick(TEXTURE_FORMATS))[part]!;
  }

  view(length: number, types: readonly ViewType[] = VIEW_TYPES): Encoded {
    const { random } = this;
    const type = random.pick(types);
    return { view: type, length, seed: random.int(0, 0xffff), ...(random.bool(0.1) ? { offset: 8 } : {}) };
  }
}

type Maker = (args: Arguments, random: Random) => Encoded;

/** Usually small, sometimes from `edges`. */
function number(low: number, high: number, edges: readonly Encoded[] = [], chance = 0.06): Maker {
  return (_args, random) => (edges.length > 0 && random.bool(chance) ? random.pick(edges) : random.int(low, high));
}

const SIZES = [0, 1, -1, 255, 300, 1024, 4096, 8192, 8193, 16384, 16385, 0x7fffffff, -0x80000000, 1.5];
const OFFSETS = [1, 2, 3, 7, -1, -4, 0x7fffffff, 0x7ffffffc, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 1e6];
const FLOATS: readonly Encoded[] = [
  0,
  1,
  -1,
  0.5,
  0.25,
  2,
  -0.75,
  3e38,
  1e-40,
  1e10,
  { odd: 'NaN' },
  { odd: 'Infinity' },
  { odd: '-Infinity' },
];

const MAKERS: Readonly<Record<string, Maker>> = {
  any: (_args, random) => random.pick(ANY_ENUM),
  bool: (_args, random) => random.bool(),
  float: (_args, random) => (random.bool(0.5) ? random.float(0, 1) : random.pick(FLOATS)),
  int: number(-3, 70, [0x7fffffff, -0x80000000, 0xffffffff]),
  bits: (_args, random) => (random.bool(0.7) ? random.pick([0, 1, 2, 0xff, 0xf0, 0x80, 0xffffffff]) : random.bits()),
  zero: number(0, 0, [1, 1000, 0xffffffff]),
  one: number(1, 1, [0, -1]),
  forever: number(-1, -1, [0, 1]),
  n: number(0, 4, [-1]),
  n4: number(0, 2, [-1, 4]),
  index: number(0, 5, [-1, 100, 0xffffffff]),
  unit: number(0, 4, [15, 16, 31, 32, 80, 0xffffffff, -1]),
  layer: number(0, 2, [3, 4, 7, 8, -1, 255, 0x7fffffff]),
  attrib: number(0, 3, [15, 16, -1, 0xffffffff]),
  components: number(1, 4, [0, 5, -1]),
  stride: (_args, random) => random.pick([0, 0, 0, 4, 8, 12, 16, 16, 32, 3, 255, 256, -1]),
  divisor: (_args, random) => random.pick([0, 0, 1, 1, 2, 7, 0xffffffff]),
  border: number(0, 0, [1, -1]),
  level: (_args, random) => (random.bool(0.7) ? 0 : random.pick([1, 2, 3, 4, 5, 6, 12, 13, 30, -1, 0x7fffffff])),
  levels: number(1, 5, [0, -1, 6, 7, 14, 30, 0x7fffffff]),
  samples: number(0, 4, [-1, 8, 16, 100, 0x7fffffff]),
  size: (_args, random) => {
    if (random.bool(0.04)) return random.pick(SIZES);
    return random.bool(0.6) ? random.pick([1, 2, 4, 8, 16, 32, 64]) : random.int(0, 70);
  },
  depth: number(1, 6, [0, -1, 64, 256, 2048, 2049, 0x7fffffff]),
  coord: number(0, 40, [-1, -10, 64, 8192, 0x7fffffff, -0x80000000, 0x7ffffff0], 0.12),
  count: (_args, random) => {
    if (random.bool(0.04)) return random.pick([-1, 1000, 65536, 100_000, 0x7fffffff, 2 ** 31, 2 ** 32 + 3]);
    return random.bool(0.7) ? 3 * random.int(0, 12) : random.int(0, 100);
  },
  first: number(0, 12, [-1, 100, 65535, 0x7fffffff, 0x7ffffffd]),
  instances: number(0, 5, [-1, 100, 1000, 0x7fffffff]),
  offset: (_args, random) => (random.bool(0.06) ? random.pick(OFFSETS) : 4 * random.int(0, 16)),
  storeValue: (_args, random) => random.pick([0, 1, 1, 2, 4, 4, 8, 3, 5, 16, 100, -1, 0x7fffffff, true]),
  bytes: (args, random) => (random.bool(0.3) ? bytesSize(random) : args.view(random.int(0, 300))),
  view: (args, random) => args.view(random.bool(0.02) ? 0 : random.int(1, 400)),
  view0: (args, random) => (random.bool(0.3) ? null : args.view(random.int(0, 400))),
  pixels: (args, random) => {
    const choice = random.int(0, 9);
    if (choice < 2) return null;
    if (choice < 3) return 4 * random.int(0, 16);
    if (choice < 5) return args.view(16384, ['Float32Array', 'Uint16Array', 'Uint32Array']);
    return args.view(choice < 9 ? 4096 * 4 : random.int(0, 200), choice < 8 ? ['Uint8Array'] : undefined);
  },
  pointer: (args, random) => {
    if (random.bool(0.6)) return random.bool(0.9) ? 4 * random.int(0, 16) : random.pick(OFFSETS);
    return random.bool(0.1) ? null : args.view(random.int(0, 400));
  },
  image: (_args, random) => {
    if (random.bool(0.3)) return { canvas: random.int(0, 3) };
    const [width, height] = [random.int(0, 20), random.int(0, 20)];
    const bytes = width * height * 4;
    if (random.bool(0.05)) return { image: [width, height, bytes], act: random.pick(ACTS) };
    return { image: random.bool(0.9) ? [width, height, bytes] : [random.pick([-1, 1e9, 3]), height, bytes] };
  },
  floats: (args, random) => {
    if (random.bool(0.3)) return { list: Array.from({ length: random.int(0, 17) }, () => args.argument('float')) };
    return args.view(random.pick([1, 2, 3, 4, 4, 4, 8, 9, 16, 16, 32]), ['Float32Array']);
  },
  ints: (args, random) => args.view(random.pick([1, 2, 3, 4, 4, 4, 8, 16]), ['Int32Array']),
  uints: (args, random) => args.view(random.pick([1, 2, 3, 4, 4, 4, 8, 16]), ['Uint32Array']),
  indices: (args, random) => ({ list: Array.from({ length: random.int(0, 4) }, () => args.argument('index')) }),
  attachments: (args, random) => ({
    list: Array.from({ length: random.int(0, 3) }, () => args.argument('invalidated')),
  }),
  drawBuffers: (args, random) => {
    if (random.bool(0.5)) return { list: [random.pick([0x8ce0, 0x8ce0, 0x405])] };
    return { list: Array.from({ length: random.int(0, 5) }, () => args.argument('drawBuffer')) };
  },
  name: (_args, random) => random.pick(PROGRAM_NAMES),
  names: (_args, random) => ({ list: Array.from({ length: random.int(0, 4) }, () => random.pick(PROGRAM_NAMES)) }),
  shaderText: (_args, random) => random.pick(SHADER_TEXTS),
  extension: (_args, random) => random.pick(EXTENSION_NAMES),
  out: (_args, random) => outOf(random, ['Int32Array', 'Float32Array']),
  wideOut: (_args, random) => outOf(random, ['BigInt64Array', 'BigInt64Array', 'Int32Array']),
  // Multi-draws: lists of a few draws, places in them, how many are drawn.
  firsts: (args, random) => listOf(args, random, 'first'),
  counts: (args, random) => listOf(args, random, 'count'),
  offsets: (args, random) => listOf(args, random, 'offset'),
  pointers: (args, random) => listOf(args, random, 'pointer'),
  instanceCounts: (args, random) => listOf(args, random, 'instances'),
  bases: (args, random) => listOf(args, random, 'base'),
  base: number(0, 3, [-1, -100, 0x7fffffff, -0x80000000, 0xffffffff]),
  place: number(0, 0, [1, 3, 2 ** 53 - 1, 2 ** 32]),
  draws: number(1, 3, [0, -1, 4, 1000, 0x7fffffff]),
  // Kinds of WebIDL, for methods without a row.
  enum: (_args, random) => random.pick(ANY_ENUM),
  uint: number(0, 4, [-1, 0xffffffff]),
  int64: number(0, 64, [-1, 2 ** 53 - 1]),
  uint64: number(0, 64, [-1, 2 ** 53 - 1]),
  string: (_args, random) => random.pick(PROGRAM_NAMES),
  strings: (_args, random) => ({ list: [random.pick(PROGRAM_NAMES)] }),
  enums: (args) => ({ list: [args.argument('enum'), args.argument('enum')] }),
  source: (args) => args.view(64),
  sizeOrSource: (args) => args.view(64),
  'view?': (args, random) => (random.bool(0.3) ? null : args.view(300)),
};

function outOf(random: Random, kinds: readonly ('BigInt64Array' | 'Int32Array' | 'Float32Array')[]): Encoded {
  const out = random.int(0, 16);
  return random.bool(0.7) ? { out } : { out, kind: random.pick(kinds) };
}

function listOf(args: Arguments, random: Random, kind: string): Encoded {
  return { list: Array.from({ length: random.int(2, 4) }, () => args.argument(kind)) };
}

function bytesSize(random: Random): Encoded {
  return random.bool(0.93) ? random.int(0, 2000) : random.pick([-1, 1 << 20, 1 << 26, 0x7fffffff, 2 ** 32, 2 ** 40]);
}

/** What getExtension is asked for. */
export const EXTENSION_NAMES: readonly string[] = [
  ...new Set(
    ([2, 3] as const).flatMap((version) =>
      (Object.keys(EXTENSIONS) as ExtensionName[])
        .map((name) => webglName(name, version))
        .filter((name) => name !== ''),
    ),
  ),
  'nonsense',
];
