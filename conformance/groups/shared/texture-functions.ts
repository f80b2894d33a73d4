// shaders.texture_functions: every lookup function of GLSL with every sampler, one texel and level at a time.
// Coordinates lie well inside of texels and levels of detail near whole numbers, so that one value is right.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { checkExpression, MOST_RUNS } from '../../harness/expression.ts';
import { makeTexture, samplerType, setSampler, type TestTexture } from '../../harness/texture.ts';
import { STAGES, type Stage } from '../../reference/glsl-types.ts';
import { formatNamed, sizedFormat, type TexelFormat, UNSIZED_FORMATS } from '../../reference/texture-formats.ts';
import { faceDirection, type TextureTarget } from '../../reference/texture-lookup.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };

/** How a function finds its level. */
type Level = 'implicit' | 'lod' | 'grad' | 'fetch';

interface LookupFunction {
  /** In GLSL ES 3.00, without `Offset`. */
  readonly call: string;
  readonly level: Level;
  readonly isProjected?: boolean;
  readonly hasOffset?: boolean;
}

const ES3_FUNCTIONS: readonly LookupFunction[] = [
  { call: 'texture', level: 'implicit' },
  { call: 'textureProj', level: 'implicit', isProjected: true },
  { call: 'textureLod', level: 'lod' },
  { call: 'textureProjLod', level: 'lod', isProjected: true },
  { call: 'textureGrad', level: 'grad' },
  { call: 'textureProjGrad', level: 'grad', isProjected: true },
  { call: 'texelFetch', level: 'fetch' },
].flatMap((one) => [one as LookupFunction, { ...one, hasOffset: true } as LookupFunction]);

interface LookupSpec extends LookupFunction {
  /** The name in the shader; offsets make it longer. */
  readonly text: string;
  readonly stage: Stage;
  readonly target: TextureTarget;
  readonly isShadow: boolean;
  readonly hasBias: boolean;
  /** Components of a projected coordinate. */
  readonly projectedSize?: 3 | 4;
}

const SIZES: Readonly<Record<TextureTarget, readonly [number, number, number]>> = {
  '2d': [16, 32, 1],
  cube: [16, 16, 1],
  '3d': [8, 16, 8],
  '2d_array': [16, 8, 5],
};
const OFFSET = [3, -5, 2];

/** One lookup: where in texels of which level, and what the shader is given. */
interface Probe {
  readonly coordinate: readonly number[];
  /** Center of the pixel, level or bias, comparison value, divisor. */
  readonly extra: readonly number[];
  readonly slope: readonly number[];
  readonly want: readonly number[];
}

function levelsOf(target: TextureTarget): number {
  const [width, height, depth] = SIZES[target];
  return Math.log2(Math.max(width, height, target === '3d' ? depth : 1)) + 1;
}

function levelSizes(target: TextureTarget, level: number): readonly [number, number, number] {
  const [width, height, depth] = SIZES[target];
  return [
    Math.max(width >> level, 1),
    Math.max(height >> level, 1),
    target === '3d' ? Math.max(depth >> level, 1) : depth,
  ];
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}

function makeProbe(t: CaseContext, texture: TestTexture, spec: LookupSpec, k: number): Probe {
  const { random } = t;
  const { target, level: kind, stage } = spec;
  const isCube = target === 'cube';
  const isImplicit = kind === 'implicit';
  const top = levelsOf(target) - 1;
  let level: number;
  let bias: number;
  let lod: number;
  // A step of one pixel must not leave a cube's face: its derivatives would be those of two faces.
  do {
    level = isImplicit && stage === 'vertex' ? 0 : random.int(0, top);
    bias = spec.hasBias ? random.int(-2, 2) + random.float(-0.2, 0.2) : 0;
    lod = level + random.float(-0.25, 0.25);
  } while (isCube && isImplicit && lod - bias > 2.8);
  const size = levelSizes(target, level);
  const offset = spec.hasOffset ? OFFSET.map((value, axis) => (axis === 2 && target !== '3d' ? 0 : value)) : [0, 0, 0];
  const face = isCube ? random.int(0, 5) : 0;
  const isFetch = kind === 'fetch';
  const cell = [0, 1, 2].map((axis) => {
    const count = size[axis]!;
    if (target === '2d_array' && axis === 2) return random.int(0, count - 1);
    if (isCube) return random.int(0, count - 1);
    // Fetches stay inside; other coordinates repeat.
    return isFetch ? random.int(0, count - 1) - offset[axis]! : random.int(-count, 2 * count - 1);
  });
  const inside = () => random.float(0.3, 0.7);
  const place = [0, 1, 2].map((axis) => {
    if (isFetch) return cell[axis]!;
    if (target === '2d_array' && axis === 2) return cell[axis]! + random.float(-0.3, 0.3);
    return (cell[axis]! + inside()) / size[axis]!;
  });
  const at = [0, 1, 2].map((axis) => {
    const moved = cell[axis]! + (isCube || (target === '2d_array' && axis === 2) ? 0 : offset[axis]!);
    return modulo(moved, size[axis]!);
  });
  const image = texture.reference.images[face]![level]!;
  const texel = image.texel(
    ((target === '3d' || target === '2d_array' ? at[2]! : 0) * image.height + at[1]!) * image.width + at[0]!,
  );
  const derived = 2 ** (lod - bias);
  let coordinate = place;
  let slope = [derived / SIZES[target][0], 0, 0];
  if (isCube) {
    const [s, r] = [place[0]! * 2 - 1, place[1]! * 2 - 1];
    coordinate = faceDirection(face, s, r);
    // Towards the middle of the face, in the direction in which this pixel's quad lies.
    const towards = (s > 0 ? -1 : 1) * (k % 2 === 0 ? 1 : -1);
    const beside = faceDirection(face, s + towards, r);
    slope = beside.map((value, axis) => ((value - coordinate[axis]!) * 2 * derived) / SIZES.cube[0]);
  }
  const reference = comparison(t, texel[0]!);
  const extra = [(k % 8) + 0.5, kind === 'lod' ? lod : isFetch ? level : bias, reference, random.pick([0.5, 1, 2, 4])];
  const want = spec.isShadow ? [reference <= texel[0]! ? 1 : 0] : texel;
  return { coordinate, extra, slope, want };
}

/** A value clearly below or above what is compared with. */
function comparison(t: CaseContext, depth: number): number {
  const isBelow = depth > 0.1 && (depth > 0.9 || t.random.bool());
  return isBelow ? t.random.float(0, depth - 0.05) : t.random.float(depth + 0.05, 1);
}

/** The coordinate of a call, from `base`, the comparison value `in1.z` and the divisor `in1.w`. */
function coordinateText(spec: LookupSpec): string {
  const { target, isShadow, isProjected, projectedSize } = spec;
  if (spec.level === 'fetch') return target === '2d' ? 'ivec2(in0.xy)' : 'ivec3(in0)';
  if (isProjected) {
    if (target === '3d') return 'vec4(base * in1.w, in1.w)';
    if (isShadow) return 'vec4(base.xy * in1.w, in1.z * in1.w, in1.w)';
    return projectedSize === 3 ? 'vec3(base.xy * in1.w, in1.w)' : 'vec4(base.xy * in1.w, 0.3, in1.w)';
  }
  if (target === '2d') return isShadow ? 'vec3(base.xy, in1.z)' : 'base.xy';
  return isShadow ? 'vec4(base, in1.z)' : 'base';
}

function codeOf(spec: LookupSpec): string {
  const { target, level, stage } = spec;
  // The slope runs along x; it is nothing at the pixel's own centre.
  const isSloped = level === 'implicit' && stage === 'fragment';
  const base = isSloped ? 'in0 + in2 * (gl_FragCoord.x - in1.x)' : 'in0';
  const gradients = target === '2d' || target === '2d_array' ? 'in2.xy, in2.xy * 0.5' : 'in2, in2 * 0.5';
  const args = ['u_sampler', coordinateText(spec)];
  if (level === 'lod') args.push('in1.y');
  if (level === 'fetch') args.push('int(in1.y)');
  if (level === 'grad') args.push(gradients);
  if (spec.hasOffset) args.push(target === '3d' ? `ivec3(${OFFSET.join(', ')})` : `ivec2(${OFFSET[0]}, ${OFFSET[1]})`);
  if (spec.hasBias) args.push('in1.y');
  return `highp vec3 base = ${base}; res = ${spec.text}(${args.join(', ')});`;
}

function runLookup(t: CaseContext, spec: LookupSpec, format: TexelFormat): void {
  const [width, height, depth] = SIZES[spec.target];
  const texture = makeTexture(t, format, { target: spec.target, width, height, depth, levels: 'full' });
  setSampler(t, spec.target, {
    min: 'nearest_mipmap_nearest',
    mag: 'nearest',
    wrapS: 'repeat',
    wrapT: 'repeat',
    wrapR: 'repeat',
    ...(spec.isShadow ? { compare: 'lequal' } : {}),
  });
  const probes = Array.from({ length: MOST_RUNS }, (_, k) => makeProbe(t, texture, spec, k));
  const type = spec.isShadow ? 'float' : ({ int: 'ivec4', uint: 'uvec4' }[format.kind as string] ?? 'vec4');
  checkExpression(t, {
    stage: spec.stage,
    inputs: [
      { type: 'vec3', precision: 'highp' },
      { type: 'vec4', precision: 'highp' },
      { type: 'vec3', precision: 'highp' },
    ],
    output: { type, precision: 'highp' },
    head: `uniform highp ${samplerType(texture, spec.isShadow)} u_sampler;\n`,
    code: codeOf(spec),
    values: probes.map(({ coordinate, extra, slope }) => [coordinate, extra, slope]),
    expected: probes.map(({ want }) => want),
    tolerance: (want) => Math.abs(want) * 2 ** -20,
  });
}

function runSize(t: CaseContext, target: TextureTarget, isShadow: boolean, stage: Stage, format: TexelFormat): void {
  const [width, height, depth] = SIZES[target];
  const texture = makeTexture(t, format, { target, width, height, depth, levels: 'full' });
  setSampler(t, target, {
    min: 'nearest_mipmap_nearest',
    mag: 'nearest',
    wrapS: 'repeat',
    wrapT: 'repeat',
    ...(isShadow ? { compare: 'lequal' } : {}),
  });
  const isFlat = target === '2d' || target === 'cube';
  const levels = Array.from({ length: levelsOf(target) }, (_, level) => level);
  checkExpression(t, {
    stage,
    inputs: [{ type: 'int', precision: 'highp' }],
    output: { type: isFlat ? 'ivec2' : 'ivec3', precision: 'highp' },
    head: `uniform highp ${samplerType(texture, isShadow)} u_sampler;\n`,
    code: 'res = textureSize(u_sampler, in0);',
    values: levels.map((level) => [[level]]),
    expected: levels.map((level) => levelSizes(target, level).slice(0, isFlat ? 2 : 3)),
  });
}

const FORMATS = {
  fixed: 'rgba8',
  float: 'rgba16f',
  int: 'rgba8i',
  uint: 'rgba8ui',
  shadow: 'depth_component32f',
} as const;
const TARGETS: readonly TextureTarget[] = ['2d', 'cube', '2d_array', '3d'];

/** Whether GLSL ES 3.00 §8.8 has the function. */
function exists(one: LookupFunction, target: TextureTarget, isShadow: boolean): boolean {
  if (isShadow && target === '3d') return false;
  if (one.level === 'fetch' && (isShadow || target === 'cube')) return false;
  if (one.hasOffset && target === 'cube') return false;
  if (one.isProjected && (target === 'cube' || target === '2d_array')) return false;
  if (isShadow && one.level === 'lod' && target !== '2d') return false;
  return !(isShadow && target === '2d_array' && one.level === 'implicit' && one.hasOffset);
}

function* es3LookupCases(make: Make): Generator<CaseDefinition> {
  for (const one of ES3_FUNCTIONS)
    for (const target of TARGETS)
      for (const [kind, formatName] of Object.entries(FORMATS)) {
        const isShadow = kind === 'shadow';
        if (!exists(one, target, isShadow)) continue;
        const prefix = { int: 'i', uint: 'u' }[kind] ?? '';
        const sampler = `${prefix}sampler${target.replace('_', '')}${isShadow ? 'shadow' : ''}`;
        const suffix = kind === 'fixed' || kind === 'float' ? `_${kind}` : '';
        const text = `${one.call}${one.hasOffset ? 'Offset' : ''}`;
        const isSplit = one.isProjected && target === '2d' && !isShadow;
        for (const projectedSize of isSplit ? ([3, 4] as const) : [undefined])
          for (const hasBias of one.level === 'implicit' && !(isShadow && target === '2d_array')
            ? [false, true]
            : [false])
            for (const stage of STAGES) {
              if (hasBias && stage === 'vertex') continue;
              const vector = projectedSize ? `_vec${projectedSize}` : '';
              const spec: LookupSpec = {
                ...one,
                text,
                stage,
                target,
                isShadow,
                hasBias,
                ...(projectedSize ? { projectedSize } : {}),
              };
              yield make(`${text.toLowerCase()}.${sampler}${vector}${hasBias ? '_bias' : ''}${suffix}_${stage}`, (t) =>
                runLookup(t, spec, sizedFormat(formatName)),
              );
            }
      }
  for (const target of TARGETS)
    for (const [kind, formatName] of Object.entries(FORMATS)) {
      const isShadow = kind === 'shadow';
      if (isShadow && target === '3d') continue;
      const prefix = { int: 'i', uint: 'u' }[kind] ?? '';
      const suffix = kind === 'fixed' || kind === 'float' ? `_${kind}` : '';
      const sampler = `${prefix}sampler${target.replace('_', '')}${isShadow ? 'shadow' : ''}`;
      for (const stage of STAGES)
        yield make(`texturesize.${sampler}${suffix}_${stage}`, (t) =>
          runSize(t, target, isShadow, stage, sizedFormat(formatName)),
        );
    }
}

/** Calls that GLSL ES 3.00 lacks: function, sampler, and the types of the other arguments. */
const INVALID_CALLS = `
texelFetch isamplerCube ivec3 int | texelFetch sampler2DArrayShadow ivec3 int | texelFetchOffset sampler2DArrayShadow ivec3 int ivec3
texelFetch sampler2DShadow ivec2 int | texelFetchOffset sampler2DShadow ivec2 int ivec2 | texelFetch samplerCube ivec3 int
texelFetchOffset samplerCube ivec3 int ivec3 | texelFetch samplerCubeShadow ivec3 int | texelFetchOffset samplerCubeShadow ivec3 int ivec3
texelFetch usamplerCube ivec3 int | texture sampler2DArrayShadow vec4 float | texture sampler3DShadow vec4
textureGrad sampler2DArray vec3 vec3 vec3 | textureGradOffset samplerCube vec3 vec3 vec3 ivec2
textureGradOffset samplerCube vec3 vec3 vec3 ivec3 | textureGradOffset samplerCubeShadow vec4 vec3 vec3 ivec2
textureGradOffset samplerCubeShadow vec4 vec3 vec3 ivec3 | textureLod sampler2DArrayShadow vec4 float
textureLod samplerCubeShadow vec4 float | textureLodOffset sampler2DArrayShadow vec3 float ivec2
textureLodOffset sampler2DArrayShadow vec3 float ivec3 | textureLodOffset samplerCube vec3 float ivec2
textureLodOffset samplerCube vec3 float ivec3 | textureLodOffset samplerCubeShadow vec3 float ivec3
textureOffset isamplerCube vec3 ivec2 | textureOffset isamplerCube vec3 ivec3 | textureOffset sampler2DArray vec3 ivec3 float
textureOffset sampler2DArray vec3 ivec3 | textureOffset sampler2DArrayShadow vec4 ivec2 float
textureOffset sampler2DArrayShadow vec4 ivec2 | textureOffset samplerCube vec3 ivec2 float | textureOffset samplerCube vec3 ivec2
textureOffset samplerCube vec3 ivec3 float | textureOffset samplerCube vec3 ivec3 | textureOffset samplerCubeShadow vec4 ivec2
textureOffset samplerCubeShadow vec4 ivec3 | textureOffset usamplerCube vec3 ivec2 | textureOffset usamplerCube vec3 ivec3
textureProj isamplerCube vec4 float | textureProj isamplerCube vec4 | textureProj sampler2DArrayShadow vec4 float
textureProj sampler2DArrayShadow vec4 | textureProj samplerCube vec4 float | textureProj samplerCube vec4
textureProj usamplerCube vec4 float | textureProj usamplerCube vec4 | textureProjGrad sampler2DArray vec4 vec2 vec2
textureProjGrad samplerCube vec4 vec3 vec3 | textureProjGradOffset sampler2DArray vec4 vec2 vec2 ivec2
textureProjGradOffset sampler2DArray vec4 vec2 vec2 ivec3 | textureProjGradOffset samplerCube vec4 vec3 vec3 ivec2
textureProjGradOffset samplerCube vec4 vec3 vec3 ivec3 | textureProjLod sampler2DArray vec4 float
textureProjLod sampler2DArrayShadow vec4 float | textureProjLod samplerCube vec4 float
textureProjOffset sampler2DArrayShadow vec4 ivec2 | textureProjOffset sampler2DArrayShadow vec4 ivec3
textureProjOffset samplerCube vec4 ivec2 | textureProjOffset samplerCube vec4 ivec3 | textureProjOffset samplerCubeShadow vec4 ivec3`
  .trim()
  .split(/\n| \| /)
  .map((line) => line.split(' '));

function isCompiled(t: CaseContext, stage: Stage, head: string, body: string): boolean {
  const { gl } = t;
  const isVertex = stage === 'vertex';
  const shader = gl.glCreateShader(isVertex ? gl.GL_VERTEX_SHADER : gl.GL_FRAGMENT_SHADER);
  gl.glShaderSource(shader, 1, [`${head}void main() {\n${isVertex ? 'gl_Position = vec4(0.0);\n' : ''}${body}}\n`]);
  gl.glCompileShader(shader);
  const status = [0];
  gl.glGetShaderiv(shader, gl.GL_COMPILE_STATUS, status);
  gl.glDeleteShader(shader);
  return status[0] !== 0;
}

/** The call has to be refused while the same shader with a lookup that exists compiles. */
function runInvalid(t: CaseContext, stage: Stage, [call, sampler, ...args]: readonly string[]): void {
  const values = args.map((type) => (type === 'int' ? '0' : type === 'float' ? '0.0' : `${type}(0)`));
  const head = (type: string) => `#version 300 es\nprecision highp float;\nuniform highp ${type} u_sampler;\n`;
  t.check(isCompiled(t, stage, head('sampler2D'), 'texture(u_sampler, vec2(0));\n'), 'a right shader does not compile');
  const text = `${call}(u_sampler, ${values.join(', ')});\n`;
  t.check(!isCompiled(t, stage, head(sampler!), text), `${text.trim()} of a ${sampler} compiles`);
}

function* es2LookupCases(make: Make): Generator<CaseDefinition> {
  for (const stage of STAGES)
    for (const target of ['2d', 'cube'] as const)
      for (const projectedSize of target === '2d' ? ([undefined, 3, 4] as const) : [undefined])
        for (const more of ['', stage === 'vertex' ? 'Lod' : 'Bias']) {
          const level = more === 'Lod' ? 'lod' : 'implicit';
          const text = `texture${target === '2d' ? '2D' : 'Cube'}${projectedSize ? 'Proj' : ''}${level === 'lod' ? 'Lod' : ''}`;
          const spec: LookupSpec = {
            call: text,
            text,
            level,
            stage,
            target,
            isShadow: false,
            hasBias: more === 'Bias',
            ...(projectedSize ? { projectedSize, isProjected: true } : {}),
          };
          const name = `${text.toLowerCase()}${projectedSize ? `_vec${projectedSize}` : ''}${spec.hasBias ? '_bias' : ''}`;
          yield make(`${stage}.${name}`, (t) => runLookup(t, spec, formatNamed(UNSIZED_FORMATS, 'rgba8888')));
        }
  yield make('invalid.texturecubelod_in_fragment', (t) => {
    const head = 'precision mediump float;\nuniform samplerCube u_sampler;\n';
    t.check(
      isCompiled(t, 'fragment', head, 'gl_FragColor = textureCube(u_sampler, vec3(1.0));\n'),
      'textureCube fails',
    );
    t.check(
      !isCompiled(t, 'fragment', head, 'gl_FragColor = textureCubeLod(u_sampler, vec3(1.0), 0.0);\n'),
      'textureCubeLod compiles in a fragment shader',
    );
  });
}

type Make = (path: string, run: (t: CaseContext) => void) => CaseDefinition;

export function* textureFunctionCases(api: 2 | 3): Generator<CaseDefinition> {
  const make: Make = (path, run) => functionalCase(api, `shaders.texture_functions.${path}`, run, SURFACE);
  if (api === 2) {
    yield* es2LookupCases(make);
    return;
  }
  yield* es3LookupCases(make);
  for (const call of INVALID_CALLS)
    for (const stage of STAGES) {
      // The lists name these by the function without `Offset` where texelFetch takes one.
      const [name, ...types] = call;
      const listed = name!.startsWith('texelFetch') ? 'texelfetch' : name!.toLowerCase();
      yield make(`invalid.${[listed, ...types.map((type) => type.toLowerCase())].join('_')}_${stage}`, (t) =>
        runInvalid(t, stage, call),
      );
    }
}
