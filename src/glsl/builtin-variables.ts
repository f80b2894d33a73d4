// The variables and constants that the language declares (GLSL ES 1.00 §7, GLSL ES 3.00 §7).

import type { ShaderProfile, ShaderStage, ShaderVersion, VariableSymbol } from './ast.ts';
import type { ShaderLimits } from './limits.ts';
import { makeVariable } from './symbols.ts';
import {
  arrayType,
  BOOL,
  FLOAT,
  INT,
  type Precision,
  type StructType,
  structType,
  type Type,
  VEC2,
  VEC4,
} from './types.ts';

interface BuiltinVariableRow {
  readonly name: string;
  readonly type: Type;
  readonly storage: 'in' | 'out' | 'uniform';
  readonly precision: Precision | undefined;
  readonly versions: readonly ShaderVersion[];
  readonly stage: ShaderStage;
  readonly extension?: string;
}

function row(
  stage: ShaderStage,
  storage: 'in' | 'out',
  name: string,
  type: Type,
  precision: Precision | undefined,
  versions: readonly ShaderVersion[],
  extension?: string,
): BuiltinVariableRow {
  const core = { name, type, storage, precision, versions, stage };
  return extension === undefined ? core : { ...core, extension };
}

// gl_FragData is not a row: its size is a limit.
const VARIABLES: readonly BuiltinVariableRow[] = [
  row('vertex', 'out', 'gl_Position', VEC4, 'highp', [100, 300]),
  row('vertex', 'out', 'gl_PointSize', FLOAT, 'mediump', [100]),
  row('vertex', 'out', 'gl_PointSize', FLOAT, 'highp', [300]),
  row('vertex', 'in', 'gl_VertexID', INT, 'highp', [300]),
  row('vertex', 'in', 'gl_InstanceID', INT, 'highp', [300]),
  row('vertex', 'in', 'gl_DrawID', INT, 'highp', [100, 300], 'GL_ANGLE_multi_draw'),
  row('vertex', 'in', 'gl_BaseVertex', INT, 'highp', [300], 'GL_ANGLE_base_vertex_base_instance_shader_builtin'),
  row('vertex', 'in', 'gl_BaseInstance', INT, 'highp', [300], 'GL_ANGLE_base_vertex_base_instance_shader_builtin'),
  row('fragment', 'in', 'gl_FragCoord', VEC4, 'mediump', [100]),
  row('fragment', 'in', 'gl_FragCoord', VEC4, 'highp', [300]),
  row('fragment', 'in', 'gl_FrontFacing', BOOL, undefined, [100, 300]),
  row('fragment', 'in', 'gl_PointCoord', VEC2, 'mediump', [100, 300]),
  row('fragment', 'out', 'gl_FragColor', VEC4, 'mediump', [100]),
  row('fragment', 'out', 'gl_FragDepth', FLOAT, 'highp', [300]),
  row('fragment', 'in', 'gl_SampleID', INT, 'lowp', [300], 'GL_OES_sample_variables'),
  row('fragment', 'in', 'gl_SamplePosition', VEC2, 'mediump', [300], 'GL_OES_sample_variables'),
  // One word holds the bits of 32 samples, more than any backend has.
  row('fragment', 'in', 'gl_SampleMaskIn', arrayType(INT, 1), 'highp', [300], 'GL_OES_sample_variables'),
  row('fragment', 'out', 'gl_SampleMask', arrayType(INT, 1), 'highp', [300], 'GL_OES_sample_variables'),
  // A uniform in the extension's text; the backend knows it best.
  row('fragment', 'in', 'gl_NumSamples', INT, 'lowp', [300], 'GL_OES_sample_variables'),
  row('fragment', 'out', 'gl_SecondaryFragColorEXT', VEC4, 'mediump', [100], 'GL_EXT_blend_func_extended'),
  row('fragment', 'out', 'gl_FragDepthEXT', FLOAT, 'highp', [100], 'GL_EXT_frag_depth'),
];

interface BuiltinConstantRow {
  readonly name: string;
  readonly limit: keyof ShaderLimits;
  readonly versions: readonly ShaderVersion[];
  readonly extension?: string;
}

const CONSTANTS: readonly BuiltinConstantRow[] = [
  { name: 'gl_MaxVertexAttribs', limit: 'maxVertexAttribs', versions: [100, 300] },
  { name: 'gl_MaxVertexUniformVectors', limit: 'maxVertexUniformVectors', versions: [100, 300] },
  { name: 'gl_MaxVaryingVectors', limit: 'maxVaryingVectors', versions: [100] },
  { name: 'gl_MaxVertexOutputVectors', limit: 'maxVertexOutputVectors', versions: [300] },
  { name: 'gl_MaxFragmentInputVectors', limit: 'maxFragmentInputVectors', versions: [300] },
  { name: 'gl_MaxVertexTextureImageUnits', limit: 'maxVertexTextureImageUnits', versions: [100, 300] },
  { name: 'gl_MaxCombinedTextureImageUnits', limit: 'maxCombinedTextureImageUnits', versions: [100, 300] },
  { name: 'gl_MaxTextureImageUnits', limit: 'maxTextureImageUnits', versions: [100, 300] },
  { name: 'gl_MaxFragmentUniformVectors', limit: 'maxFragmentUniformVectors', versions: [100, 300] },
  { name: 'gl_MaxDrawBuffers', limit: 'maxDrawBuffers', versions: [100, 300] },
  { name: 'gl_MinProgramTexelOffset', limit: 'minProgramTexelOffset', versions: [300] },
  { name: 'gl_MaxProgramTexelOffset', limit: 'maxProgramTexelOffset', versions: [300] },
  {
    name: 'gl_MaxDualSourceDrawBuffersEXT',
    limit: 'maxDualSourceDrawBuffers',
    versions: [100, 300],
    extension: 'GL_EXT_blend_func_extended',
  },
  { name: 'gl_MaxSamples', limit: 'maxSamples', versions: [300], extension: 'GL_OES_sample_variables' },
];

/** gl_DepthRange's type; the same object in every shader, so both stages agree on it. */
const DEPTH_RANGE_TYPE: StructType = structType(
  'gl_DepthRangeParameters',
  ['near', 'far', 'diff'].map((name) => ({ name, type: FLOAT, precision: 'highp' as const, isRowMajor: false })),
);

export interface BuiltinEnvironment {
  readonly version: ShaderVersion;
  readonly stage: ShaderStage;
  readonly profile: ShaderProfile;
  readonly extensions: ReadonlySet<string>;
  readonly limits: ShaderLimits;
}

function constantVariable(name: string, type: Type, value: readonly number[]): VariableSymbol {
  return makeVariable({
    name,
    type,
    storage: 'const',
    precision: 'mediump',
    isBuiltin: true,
    isReadOnly: true,
    constant: value,
    position: 0,
  });
}

/** As large as they may be, until the shader declares them with a size; what counts is `distances`. */
function distanceVariables(stage: ShaderStage, limit: number): VariableSymbol[] {
  const constants = ['gl_MaxClipDistances', 'gl_MaxCullDistances', 'gl_MaxCombinedClipAndCullDistances'];
  const arrays = ['gl_ClipDistance', 'gl_CullDistance'].map((name) =>
    makeVariable({
      name,
      type: arrayType(FLOAT, limit),
      distances: { declaredSize: undefined, indexedSize: 0 },
      storage: stage === 'vertex' ? 'out' : 'in',
      isReadOnly: stage === 'fragment',
      precision: 'highp',
      isBuiltin: true,
      position: 0,
    }),
  );
  return [...arrays, ...constants.map((name) => constantVariable(name, INT, [limit]))];
}

/** Fresh symbols of everything built in for one shader. */
export function makeBuiltinVariables(environment: BuiltinEnvironment): VariableSymbol[] {
  const { version, stage, extensions, limits } = environment;
  const result: VariableSymbol[] = [];
  for (const each of VARIABLES) {
    if (each.stage !== stage || !each.versions.includes(version)) continue;
    if (each.extension !== undefined && !extensions.has(each.extension)) continue;
    const { name, type, storage, precision } = each;
    const interpolation = type === BOOL || type === INT ? 'flat' : 'smooth';
    const isReadOnly = storage === 'in';
    result.push(
      makeVariable({ name, type, storage, precision, interpolation, isReadOnly, isBuiltin: true, position: 0 }),
    );
  }
  // Without EXT_draw_buffers a WebGL 1 shader has one colour output, whatever the context could do.
  const hasDrawBuffers = version === 300 || environment.profile === 'gles' || extensions.has('GL_EXT_draw_buffers');
  if (version === 100 && stage === 'fragment') {
    const type = arrayType(VEC4, hasDrawBuffers ? limits.maxDrawBuffers : 1);
    result.push(
      makeVariable({ name: 'gl_FragData', type, storage: 'out', precision: 'mediump', isBuiltin: true, position: 0 }),
    );
    if (extensions.has('GL_EXT_blend_func_extended')) {
      const second = arrayType(VEC4, limits.maxDualSourceDrawBuffers);
      const name = 'gl_SecondaryFragDataEXT';
      const fields = { name, type: second, storage: 'out', precision: 'mediump' } as const;
      result.push(makeVariable({ ...fields, isBuiltin: true, position: 0 }));
    }
  }
  const hasDistances = extensions.has('GL_ANGLE_clip_cull_distance') || extensions.has('GL_EXT_clip_cull_distance');
  if (version === 300 && hasDistances) result.push(...distanceVariables(stage, limits.maxClipDistances));
  for (const { name, limit, versions, extension } of CONSTANTS) {
    if (!versions.includes(version) || (extension !== undefined && !extensions.has(extension))) continue;
    result.push(constantVariable(name, INT, [limits[limit]]));
  }
  result.push(
    makeVariable({
      name: 'gl_DepthRange',
      type: DEPTH_RANGE_TYPE,
      storage: 'uniform',
      isReadOnly: true,
      isBuiltin: true,
      position: 0,
    }),
  );
  return result;
}
