// state_query: initial values and values after changes, through every getter that takes the name.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { generate } from '../../harness/framebuffer.ts';

const SURFACE = { width: 16, height: 12 };

type Kind = 'boolean' | 'integer' | 'float';
type Getter = 'getboolean' | 'getinteger' | 'getinteger64' | 'getfloat' | 'isenabled';

/** One state variable: how many numbers it has, its first value, and calls that give it others. */
interface StateRow {
  readonly pname: number;
  readonly kind: Kind;
  readonly initial?: readonly number[];
  /** Changes the state and tells its value then. */
  readonly changes?: readonly ((t: CaseContext) => readonly number[])[];
  /** Colours and depths become integers over the whole range (ES 3.0.6 §6.1.2). */
  readonly isNormalized?: boolean;
  readonly enable?: boolean;
  readonly since?: 3;
  /** What cannot be told beforehand, only bounded. */
  readonly atLeast?: readonly number[];
}

function read(t: CaseContext, getter: Getter, pname: number, count: number): number[] {
  const { gl } = t;
  switch (getter) {
    case 'isenabled':
      return [gl.glIsEnabled(pname) ? 1 : 0];
    case 'getboolean': {
      const got = new Array<number>(count).fill(7);
      gl.glGetBooleanv(pname, got);
      return got.map(Number);
    }
    case 'getfloat': {
      const got = new Float32Array(count).fill(-7);
      gl.glGetFloatv(pname, got);
      return [...got];
    }
    case 'getinteger': {
      const got = new Int32Array(count).fill(-7);
      gl.glGetIntegerv(pname, got);
      return [...got];
    }
    case 'getinteger64': {
      const got = new BigInt64Array(count).fill(-7n);
      gl.glGetInteger64v(pname, got);
      return [...got].map(Number);
    }
  }
}

/** Values that a getter may give for a value of the state (§6.1.2). */
function isConversion(row: StateRow, getter: Getter, want: number, got: number): boolean {
  if (getter === 'getboolean' || getter === 'isenabled') return got === (want === 0 ? 0 : 1);
  if (getter === 'getfloat') return Math.abs(got - want) <= Math.abs(want) * 1e-6;
  if (row.kind !== 'float') return got === want || (got | 0) === (want | 0);
  if (row.isNormalized) {
    // Either end of the rounding is right; 64-bit queries may use either width.
    const full = 2 ** 31 - 1;
    return Math.abs(got - (want * (2 ** 32 - 1) - 1) / 2) <= 256 || Math.abs(got - want * full) <= 256;
  }
  // The nearest integer; halves may go either way.
  return Number.isInteger(got) && Math.abs(got - want) <= 0.5;
}

function expectState(t: CaseContext, row: StateRow, getter: Getter, want: readonly number[], when: string): void {
  const got = read(t, getter, row.pname, want.length);
  for (const [i, value] of want.entries())
    t.check(
      isConversion(row, getter, value, got[i]!),
      () => `${when}: value ${i} of 0x${row.pname.toString(16)} is ${got[i]}, expected ${value}`,
    );
  t.noError(when);
}

function runRow(t: CaseContext, row: StateRow, getter: Getter): void {
  if (row.atLeast) {
    const got = read(t, getter, row.pname, row.atLeast.length);
    for (const [i, least] of row.atLeast.entries())
      t.check(
        getter === 'getboolean' ? got[i] === 1 || least <= 0 : got[i]! >= least,
        `value ${i} is ${got[i]}, at least ${least} is asked for`,
      );
  }
  if (row.initial) expectState(t, row, getter, row.initial, 'at first');
  for (const [index, change] of (row.changes ?? []).entries())
    expectState(t, row, getter, change(t), `after change ${index + 1}`);
}

function toggle(pname: number, initial = 0, since?: 3): StateRow {
  const set = (on: boolean) => (t: CaseContext) => {
    if (on) t.gl.glEnable(pname);
    else t.gl.glDisable(pname);
    return [on ? 1 : 0];
  };
  return {
    pname,
    kind: 'boolean',
    initial: [initial],
    changes: [set(true), set(false), set(true)],
    enable: true,
    ...(since ? { since } : {}),
  };
}

/** A state that takes one of several values. */
function choice(
  pname: number,
  initial: number,
  values: readonly number[],
  set: (t: CaseContext, value: number) => void,
  since?: 3,
): StateRow {
  return {
    pname,
    kind: 'integer',
    initial: [initial],
    changes: values.map((value) => (t) => {
      set(t, value);
      return [value];
    }),
    ...(since ? { since } : {}),
  };
}

function floats(
  pname: number,
  initial: readonly number[],
  set: (t: CaseContext, values: number[]) => void,
  isNormalized = false,
  [low, high]: readonly [number, number] = [0, 1],
): StateRow {
  const change = (t: CaseContext) => {
    const chosen = initial.map(() => Math.fround(t.random.int(low * 64, high * 64) / 64));
    set(t, chosen);
    return chosen;
  };
  return { pname, kind: 'float', initial, isNormalized, changes: Array.from({ length: 6 }, () => change) };
}

const FACE = { front: 0x404, back: 0x405, both: 0x408 };
const COMPARES = [0x200, 0x201, 0x202, 0x203, 0x204, 0x205, 0x206, 0x207];
const OPERATIONS = [0x1e00, 0, 0x1e01, 0x1e02, 0x1e03, 0x150a, 0x8507, 0x8508];

const BOOLEANS: Readonly<Record<string, StateRow>> = {
  blend: toggle(0xbe2),
  cull_face: toggle(0xb44),
  depth_test: toggle(0xb71),
  dither: toggle(0xbd0, 1),
  polygon_offset_fill: toggle(0x8037),
  sample_alpha_to_coverage: toggle(0x809e),
  sample_coverage: toggle(0x80a0),
  scissor_test: toggle(0xc11),
  stencil_test: toggle(0xb90),
  primitive_restart_fixed_index: toggle(0x8d69, 0, 3),
  rasterizer_discard: toggle(0x8c89, 0, 3),
  sample_coverage_invert: {
    pname: 0x80ab,
    kind: 'boolean',
    initial: [0],
    changes: [true, false].map((on) => (t) => {
      t.gl.glSampleCoverage(1, on);
      return [Number(on)];
    }),
  },
  color_writemask: {
    pname: 0xc23,
    kind: 'boolean',
    initial: [1, 1, 1, 1],
    changes: [
      [false, true, true, false],
      [true, false, false, true],
      [false, false, false, false],
    ].map(([r, g, b, a]) => (t) => {
      t.gl.glColorMask(r!, g!, b!, a!);
      return [r, g, b, a].map(Number);
    }),
  },
  depth_writemask: {
    pname: 0xb72,
    kind: 'boolean',
    initial: [1],
    changes: [false, true].map((on) => (t) => {
      t.gl.glDepthMask(on);
      return [Number(on)];
    }),
  },
  shader_compiler: { pname: 0x8dfa, kind: 'boolean', initial: [1] },
};

/** Rounding to the nearest, to zero and down differ below zero. */
const SIGNED = [-4, 4] as const;

const FLOATS: Readonly<Record<string, StateRow>> = {
  depth_range: floats(0xb70, [0, 1], (t, [near, far]) => t.gl.glDepthRangef(near!, far!), true),
  line_width: {
    pname: 0xb21,
    kind: 'float',
    initial: [1],
    changes: [2.5, 1.75, 1, 3.25].map((width) => (t) => {
      t.gl.glLineWidth(width);
      return [width];
    }),
  },
  polygon_offset_factor: floats(0x8038, [0], (t, [value]) => t.gl.glPolygonOffset(value!, 0), false, SIGNED),
  polygon_offset_units: floats(0x2a00, [0], (t, [value]) => t.gl.glPolygonOffset(0, value!), false, SIGNED),
  sample_coverage_value: floats(0x80aa, [1], (t, [value]) => t.gl.glSampleCoverage(value!, false)),
  blend_color: floats(0x8005, [0, 0, 0, 0], (t, v) => t.gl.glBlendColor(v[0]!, v[1]!, v[2]!, v[3]!), true),
  color_clear_value: floats(0xc22, [0, 0, 0, 0], (t, v) => t.gl.glClearColor(v[0]!, v[1]!, v[2]!, v[3]!), true),
  depth_clear_value: floats(0xb73, [1], (t, [value]) => t.gl.glClearDepthf(value!), true),
  aliased_point_size_range: { pname: 0x846d, kind: 'float', atLeast: [0, 1] },
  aliased_line_width_range: { pname: 0x846e, kind: 'float', atLeast: [0, 1] },
  max_texture_lod_bias: { pname: 0x84fd, kind: 'float', atLeast: [2], since: 3 },
};

/** Stencil state of a face, set for both faces at once, for one, or for each in turn. */
function stencilRows(): Record<string, StateRow> {
  const rows: Record<string, StateRow> = {};
  const parts: readonly [
    name: string,
    front: number,
    back: number,
    initial: number,
    values: readonly number[],
    set: (t: CaseContext, face: number, value: number) => void,
  ][] = [
    [
      'fail',
      0xb94,
      0x8801,
      0x1e00,
      OPERATIONS,
      (t, face, value) => t.gl.glStencilOpSeparate(face, value, 0x1e00, 0x1e00),
    ],
    [
      'depth_fail',
      0xb95,
      0x8802,
      0x1e00,
      OPERATIONS,
      (t, face, value) => t.gl.glStencilOpSeparate(face, 0x1e00, value, 0x1e00),
    ],
    [
      'depth_pass',
      0xb96,
      0x8803,
      0x1e00,
      OPERATIONS,
      (t, face, value) => t.gl.glStencilOpSeparate(face, 0x1e00, 0x1e00, value),
    ],
    ['func', 0xb92, 0x8800, 0x207, COMPARES, (t, face, value) => t.gl.glStencilFuncSeparate(face, value, 0, 255)],
    [
      'ref',
      0xb97,
      0x8ca3,
      0,
      [1, 77, 128, 255],
      (t, face, value) => t.gl.glStencilFuncSeparate(face, 0x207, value, 255),
    ],
    [
      'value_mask',
      0xb93,
      0x8ca4,
      -1,
      [0, 1, 85, 254],
      (t, face, value) => t.gl.glStencilFuncSeparate(face, 0x207, 0, value),
    ],
    ['writemask', 0xb98, 0x8ca5, -1, [0, 1, 85, 254], (t, face, value) => t.gl.glStencilMaskSeparate(face, value)],
  ];
  for (const [name, front, back, initial, values, set] of parts)
    for (const [prefix, pname, own] of [
      ['stencil', front, FACE.front],
      ['stencil_back', back, FACE.back],
    ] as const) {
      const isMask = name.endsWith('mask');
      // Masks begin with all bits of the type, or of the buffer.
      const first = isMask ? {} : { initial: [initial] };
      const row = (face: number): StateRow => {
        const { initial: _, ...rest } = choice(pname, initial, values, (t, value) => set(t, face, value));
        return { ...rest, ...first };
      };
      // One name is missing in the lists: the back function alone.
      if (!(prefix === 'stencil_back' && name === 'func')) rows[`${prefix}_${name}`] = row(FACE.both);
      rows[`${prefix}_${name}_separate`] = row(own);
      rows[`${prefix}_${name}_separate_both`] = row(FACE.both);
    }
  return rows;
}

const FACTORS = [0, 1, 0x300, 0x301, 0x306, 0x307, 0x302, 0x303, 0x304, 0x305, 0x8001, 0x8002, 0x8003, 0x8004];
const EQUATIONS = [0x8006, 0x800a, 0x800b];

function blendRows(): Record<string, StateRow> {
  const rows: Record<string, StateRow> = {};
  const slots = ['src_rgb', 'dst_rgb', 'src_alpha', 'dst_alpha'] as const;
  const pnames = { src_rgb: 0x80c9, dst_rgb: 0x80c8, src_alpha: 0x80cb, dst_alpha: 0x80ca };
  for (const [index, slot] of slots.entries()) {
    const initial = slot.startsWith('src') ? 1 : 0;
    rows[`blend_${slot}`] = choice(pnames[slot], initial, FACTORS, (t, value) =>
      slot.startsWith('src') ? t.gl.glBlendFunc(value, 0) : t.gl.glBlendFunc(0, value),
    );
    rows[`blend_${slot}_separate`] = choice(pnames[slot], initial, FACTORS, (t, value) => {
      const args = [0, 0, 0, 0];
      args[index] = value;
      t.gl.glBlendFuncSeparate(args[0]!, args[1]!, args[2]!, args[3]!);
    });
  }
  for (const [name, pname, isRgb] of [
    ['blend_equation_rgb', 0x8009, true],
    ['blend_equation_alpha', 0x883d, false],
  ] as const) {
    rows[name] = choice(pname, 0x8006, EQUATIONS, (t, value) => t.gl.glBlendEquation(value));
    rows[`${name}_separate`] = choice(pname, 0x8006, EQUATIONS, (t, value) =>
      isRgb ? t.gl.glBlendEquationSeparate(value, 0x8006) : t.gl.glBlendEquationSeparate(0x8006, value),
    );
  }
  return rows;
}

/** A binding point: a name that is generated, bound, and unbound. */
function binding(
  pname: number,
  make: (t: CaseContext) => number,
  bind: (t: CaseContext, name: number) => void,
  since?: 3,
): StateRow {
  let made = 0;
  return {
    pname,
    kind: 'integer',
    initial: [0],
    changes: [
      (t) => {
        made = make(t);
        bind(t, made);
        return [made];
      },
      (t) => {
        bind(t, 0);
        return [0];
      },
    ],
    ...(since ? { since } : {}),
  };
}

const buffer = (pname: number, target: number, since?: 3) =>
  binding(
    pname,
    (t) => generate(t.gl.glGenBuffers),
    (t, name) => t.gl.glBindBuffer(target, name),
    since,
  );
const texture = (pname: number, target: number, since?: 3) =>
  binding(
    pname,
    (t) => generate(t.gl.glGenTextures),
    (t, name) => t.gl.glBindTexture(target, name),
    since,
  );
const pixelStore = (pname: number, initial: number, values: readonly number[], since?: 3) =>
  choice(pname, initial, values, (t, value) => t.gl.glPixelStorei(pname, value), since);

function box(
  pname: number,
  set: (t: CaseContext, x: number, y: number, width: number, height: number) => void,
): StateRow {
  const change = (t: CaseContext) => {
    const [x, y, w, h] = [t.random.int(-9, 9), t.random.int(-9, 9), t.random.int(0, 40), t.random.int(0, 40)];
    set(t, x, y, w, h);
    return [x, y, w, h];
  };
  return { pname, kind: 'integer', initial: [0, 0, SURFACE.width, SURFACE.height], changes: [change, change] };
}

const INTEGERS: Readonly<Record<string, StateRow>> = {
  ...stencilRows(),
  ...blendRows(),
  stencil_clear_value: choice(0xb91, 0, [1, 77, 255], (t, value) => t.gl.glClearStencil(value)),
  active_texture: choice(0x84e0, 0x84c0, [0x84c1, 0x84c4, 0x84c7], (t, value) => t.gl.glActiveTexture(value)),
  cull_face_mode: choice(0xb45, FACE.back, [FACE.front, FACE.both, FACE.back], (t, value) => t.gl.glCullFace(value)),
  front_face_mode: choice(0xb46, 0x901, [0x900, 0x901], (t, value) => t.gl.glFrontFace(value)),
  depth_func: choice(0xb74, 0x201, COMPARES, (t, value) => t.gl.glDepthFunc(value)),
  generate_mipmap_hint: choice(0x8192, 0x1100, [0x1101, 0x1102, 0x1100], (t, value) => t.gl.glHint(0x8192, value)),
  fragment_shader_derivative_hint: choice(
    0x8b8b,
    0x1100,
    [0x1101, 0x1102, 0x1100],
    (t, value) => t.gl.glHint(0x8b8b, value),
    3,
  ),
  unpack_alignment: pixelStore(0xcf5, 4, [1, 2, 8, 4]),
  pack_alignment: pixelStore(0xd05, 4, [1, 2, 8, 4]),
  unpack_row_length: pixelStore(0xcf2, 0, [3, 99], 3),
  unpack_skip_rows: pixelStore(0xcf3, 0, [3, 99], 3),
  unpack_skip_pixels: pixelStore(0xcf4, 0, [3, 99], 3),
  unpack_skip_images: pixelStore(0x806d, 0, [3, 99], 3),
  unpack_image_height: pixelStore(0x806e, 0, [3, 99], 3),
  pack_row_length: pixelStore(0xd02, 0, [3, 99], 3),
  pack_skip_rows: pixelStore(0xd03, 0, [3, 99], 3),
  pack_skip_pixels: pixelStore(0xd04, 0, [3, 99], 3),
  array_buffer_binding: buffer(0x8894, 0x8892),
  element_array_buffer_binding: buffer(0x8895, 0x8893),
  copy_read_buffer_binding: buffer(0x8f36, 0x8f36, 3),
  copy_write_buffer_binding: buffer(0x8f37, 0x8f37, 3),
  pixel_pack_buffer_binding: buffer(0x88ed, 0x88eb, 3),
  pixel_unpack_buffer_binding: buffer(0x88ef, 0x88ec, 3),
  uniform_buffer_binding: buffer(0x8a28, 0x8a11, 3),
  transform_feedback_buffer_binding: buffer(0x8c8f, 0x8c8e, 3),
  texture_binding_2d: texture(0x8069, 0xde1),
  texture_binding_cube_map: texture(0x8514, 0x8513),
  texture_binding_3d: texture(0x806a, 0x806f, 3),
  texture_binding_2d_array: texture(0x8c1d, 0x8c1a, 3),
  renderbuffer_binding: binding(
    0x8ca7,
    (t) => generate(t.gl.glGenRenderbuffers),
    (t, name) => t.gl.glBindRenderbuffer(0x8d41, name),
  ),
  framebuffer_binding: binding(
    0x8ca6,
    (t) => generate(t.gl.glGenFramebuffers),
    (t, name) => t.gl.glBindFramebuffer(0x8d40, name),
  ),
  vertex_array_binding: binding(
    0x85b5,
    (t) => generate(t.gl.glGenVertexArrays),
    (t, name) => t.gl.glBindVertexArray(name),
    3,
  ),
  sampler_binding: binding(
    0x8919,
    (t) => generate(t.gl.glGenSamplers),
    (t, name) => t.gl.glBindSampler(0, name),
    3,
  ),
  transform_feedback_binding: binding(
    0x8e25,
    (t) => generate(t.gl.glGenTransformFeedbacks),
    (t, name) => t.gl.glBindTransformFeedback(0x8e22, name),
    3,
  ),
  viewport: box(0xba2, (t, x, y, w, h) => t.gl.glViewport(x, y, w, h)),
  scissor_box: box(0xc10, (t, x, y, w, h) => t.gl.glScissor(x, y, w, h)),
  max_viewport_dims: { pname: 0xd3a, kind: 'integer', atLeast: [SURFACE.width, SURFACE.height] },
};

/** State rows by the names that the lists have, through the getters of the version. */
function* rowCases(api: 2 | 3, group: string, rows: Readonly<Record<string, StateRow>>): Generator<CaseDefinition> {
  for (const [name, row] of Object.entries(rows)) {
    if (row.since === 3 && api === 2) continue;
    // GLES 2's lists leave the blend colour out, and those of integers that this table shares with GLES 3.
    if (api === 2 && name === 'blend_color') continue;
    const getters: Getter[] = ['getboolean', 'getinteger', 'getfloat'];
    if (api === 3) getters.push('getinteger64');
    if (row.enable) getters.push('isenabled');
    for (const getter of getters)
      yield functionalCase(api, `state_query.${group}.${name}_${getter}`, (t) => runRow(t, row, getter), SURFACE);
  }
}

export function* stateQueryCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* rowCases(api, 'boolean', BOOLEANS);
  yield* rowCases(api, 'floats', FLOATS);
  yield* rowCases(api, 'integers', INTEGERS);
}
