// Makes the two shader texts of a case: fills the placeholders in, and writes the plain stage that goes with a `both` text.
//
// A value reaches the shader as an attribute (and a varying, for fragment cases); what it computes is compared with `ref_…`
// uniforms in the fragment shader, which answers in white or black. In GLSL ES 1.00 there are no integer attributes: ints
// and bools travel as floats there, bools everywhere.

import type { CaseValue, ShaderBlock } from './test-file.ts';

export type CaseStage = 'vertex' | 'fragment' | 'pair';

export interface CaseShaders {
  readonly vertex: string;
  readonly fragment: string;
}

type Scalar = 'float' | 'int' | 'uint' | 'bool';

export function scalarOf(type: string): Scalar {
  if (type === 'int' || type.startsWith('ivec')) return 'int';
  if (type === 'uint' || type.startsWith('uvec')) return 'uint';
  return type === 'bool' || type.startsWith('bvec') ? 'bool' : 'float';
}

/** True where the value itself can be an attribute or varying of the version. */
export function travelsAsIs(type: string, version: 100 | 300): boolean {
  const scalar = scalarOf(type);
  return scalar === 'float' || (version === 300 && scalar !== 'bool');
}

function floatTwin(type: string): string {
  return /vec\d$/.test(type) ? type.slice(-4) : 'float';
}

function precise(type: string): string {
  return scalarOf(type) === 'bool' ? type : `highp ${type}`;
}

/** Comparison functions for the types that outputs have; floats within 5 %, as the shader library does it. */
function compareFunctions(values: readonly CaseValue[]): string[] {
  const types = new Set(values.map((value) => value.type));
  return [...types].map((type) => {
    const t = precise(type);
    const head = `bool isOk(${t} a, ${t} b)`;
    const close = (x: string, y: string) => `abs(${x} - ${y}) <= 0.05 * abs(${y}) + 0.05`;
    if (type === 'float') return `${head} { return (${close('a', 'b')}); }`;
    const matrix = /^mat(\d)(?:x(\d))?$/.exec(type);
    if (matrix) {
      const rows = matrix[2] ?? matrix[1];
      const columns = Array.from({ length: Number(matrix[1]) }, (_, i) => `isOkColumn${rows}(a[${i}], b[${i}])`);
      return `bool isOkColumn${rows}(highp vec${rows} a, highp vec${rows} b) { return all(lessThanEqual(abs(a - b), 0.05 * abs(b) + 0.05)); } ${head} { return ${columns.join(' && ')}; }`;
    }
    if (/^vec/.test(type)) return `${head} { return all(lessThanEqual(abs(a - b), 0.05 * abs(b) + 0.05)); }`;
    return `${head} { return (a == b); }`;
  });
}

/** Two matrix types of equal rows share their column comparison. */
function withoutRepeats(lines: readonly string[]): string[] {
  const seen = new Set<string>();
  return lines.map((line) =>
    line.replace(/bool isOkColumn\d\([^)]*\) \{[^}]*\} /, (definition) => {
      if (seen.has(definition)) return '';
      seen.add(definition);
      return definition;
    }),
  );
}

function comparison(outputs: readonly CaseValue[], color: string): string {
  const checks = outputs.map((value) => `isOk(${value.name}, ref_${value.name})`);
  const ok = checks.length ? checks.join(' && ') : 'true';
  return `${color} = (${ok}) ? vec4(1.0) : vec4(0.0, 0.0, 0.0, 1.0);`;
}

/** Uniforms that are plain names are declared where the stages are given apart; a `both` text declares its own. */
function uniformDeclarations(block: ShaderBlock): string[] {
  return block.values
    .filter((value) => value.role === 'uniform' && /^[A-Za-z_]\w*$/.test(value.name))
    .map((value) => `uniform ${precise(value.type)} ${value.name};`);
}

interface Keywords {
  readonly attribute: string;
  readonly varyingOut: string;
  readonly varyingIn: string;
  readonly color: string;
  readonly colorDeclaration: string;
  readonly header: string;
}

function keywords(version: 100 | 300): Keywords {
  return version === 300
    ? {
        attribute: 'in',
        varyingOut: 'out',
        varyingIn: 'in',
        color: 'dEQP_FragColor',
        colorDeclaration: 'layout(location = 0) out mediump vec4 dEQP_FragColor;',
        header: '#version 300 es\n',
      }
    : {
        attribute: 'attribute',
        varyingOut: 'varying',
        varyingIn: 'varying',
        color: 'gl_FragColor',
        colorDeclaration: '',
        header: '',
      };
}

function byRole(block: ShaderBlock, role: CaseValue['role']): CaseValue[] {
  return block.values.filter((value) => value.role === role);
}

/** Attributes of the inputs; a value that cannot travel as it is comes as `a_…`. */
function attributeDeclarations(block: ShaderBlock, k: Keywords): string[] {
  return byRole(block, 'input').map(({ type, name }) =>
    travelsAsIs(type, block.version)
      ? `${k.attribute} highp ${type} ${name};`
      : `${k.attribute} highp ${floatTwin(type)} a_${name};`,
  );
}

function varyingOf(value: CaseValue, version: 100 | 300, keyword: string, name: string): string {
  const { type } = value;
  if (!travelsAsIs(type, version)) return `${keyword} highp ${floatTwin(type)} v_${value.name};`;
  const flat = scalarOf(type) === 'float' ? '' : 'flat ';
  return `${flat}${keyword} highp ${type} ${name};`;
}

function fromFloat(value: CaseValue, source: string): string {
  // Half up: interpolation may leave a whole number a little short.
  const scalar = scalarOf(value.type);
  const rounded = scalar === 'bool' ? source : `floor(${source} + 0.5)`;
  return `${value.type}(${rounded})`;
}

function referenceDeclarations(outputs: readonly CaseValue[]): string[] {
  return outputs.map((value) => `uniform ${precise(value.type)} ref_${value.name};`);
}

type Fill = Readonly<Record<string, string>>;

function fill(text: string, values: Fill): string {
  return text.replace(/\$\{([A-Z_]+)(:single-line)?\}/g, (whole, name: string, single?: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`unknown placeholder ${whole}`);
    return single ? value.replaceAll('\n', ' ') : value;
  });
}

function vertexCase(block: ShaderBlock, text: string): CaseShaders {
  const k = keywords(block.version);
  const outputs = byRole(block, 'output');
  const converted = byRole(block, 'input').filter((value) => !travelsAsIs(value.type, block.version));
  const carried = outputs.filter((value) => !travelsAsIs(value.type, block.version));
  const declarations = [
    `${k.attribute} highp vec4 dEQP_Position;`,
    ...attributeDeclarations(block, k),
    ...outputs.map((value) => varyingOf(value, block.version, k.varyingOut, value.name)),
    ...[...converted, ...carried].map(({ type, name }) => `${type} ${name};`),
  ];
  const vertex = fill(text, {
    DECLARATIONS: declarations.join('\n'),
    SETUP: converted.map((value) => `${value.name} = ${fromFloat(value, `a_${value.name}`)};`).join('\n'),
    OUTPUT: [
      'gl_Position = dEQP_Position;',
      ...carried.map((value) => `v_${value.name} = ${floatTwin(value.type)}(${value.name});`),
    ].join('\n'),
    POSITION_FRAG_COLOR: 'gl_Position',
  });
  const fragment = [
    `${k.header}precision mediump float;`,
    k.colorDeclaration,
    ...outputs.map((value) => varyingOf(value, block.version, k.varyingIn, value.name)),
    ...referenceDeclarations(outputs),
    ...withoutRepeats(compareFunctions(outputs)),
    'void main() {',
    ...carried.map((value) => `${value.type} ${value.name} = ${fromFloat(value, `v_${value.name}`)};`),
    comparison(outputs, k.color),
    '}',
  ];
  return { vertex, fragment: `${fragment.join('\n')}\n` };
}

function fragmentCase(block: ShaderBlock, text: string): CaseShaders {
  const k = keywords(block.version);
  const inputs = byRole(block, 'input');
  const outputs = byRole(block, 'output');
  const converted = inputs.filter((value) => !travelsAsIs(value.type, block.version));
  const attribute = (value: CaseValue) =>
    `${k.attribute} highp ${travelsAsIs(value.type, block.version) ? value.type : floatTwin(value.type)} a_${value.name};`;
  const varyingName = (value: CaseValue) => (travelsAsIs(value.type, block.version) ? value.name : `v_${value.name}`);
  const vertex = [
    `${k.header}${k.attribute} highp vec4 dEQP_Position;`,
    ...inputs.map(attribute),
    ...inputs.map((value) => varyingOf(value, block.version, k.varyingOut, value.name)),
    'void main() {',
    'gl_Position = dEQP_Position;',
    ...inputs.map((value) => `${varyingName(value)} = a_${value.name};`),
    '}',
  ];
  const declarations = [
    k.colorDeclaration,
    ...inputs.map((value) => varyingOf(value, block.version, k.varyingIn, value.name)),
    ...referenceDeclarations(outputs),
    ...[...converted, ...outputs].map(({ type, name }) => `${precise(type)} ${name};`),
    ...withoutRepeats(compareFunctions(outputs)),
  ];
  const fragment = fill(text, {
    DECLARATIONS: declarations.filter(Boolean).join('\n'),
    SETUP: converted.map((value) => `${value.name} = ${fromFloat(value, `v_${value.name}`)};`).join('\n'),
    OUTPUT: comparison(outputs, k.color),
    POSITION_FRAG_COLOR: k.color,
  });
  return { vertex: `${vertex.join('\n')}\n`, fragment };
}

function pairCase(block: ShaderBlock): CaseShaders {
  const k = keywords(block.version);
  const outputs = byRole(block, 'output');
  const converted = byRole(block, 'input').filter((value) => !travelsAsIs(value.type, block.version));
  const vertex = fill(block.vertex ?? '', {
    VERTEX_DECLARATIONS: [
      `${k.attribute} highp vec4 dEQP_Position;`,
      ...attributeDeclarations(block, k),
      ...uniformDeclarations(block),
    ].join('\n'),
    VERTEX_SETUP: converted
      .map((value) => `${value.type} ${value.name} = ${fromFloat(value, `a_${value.name}`)};`)
      .join('\n'),
    VERTEX_OUTPUT: 'gl_Position = dEQP_Position;',
  });
  const fragment = fill(block.fragment ?? '', {
    FRAGMENT_DECLARATIONS: [
      k.colorDeclaration,
      ...uniformDeclarations(block),
      ...referenceDeclarations(outputs),
      ...outputs.map(({ type, name }) => `${precise(type)} ${name};`),
      ...withoutRepeats(compareFunctions(outputs)),
    ]
      .filter(Boolean)
      .join('\n'),
    FRAGMENT_OUTPUT: comparison(outputs, k.color),
    FRAG_COLOR: k.color,
  });
  return { vertex, fragment };
}

/** The texts of a case, complete. Throws on an unknown placeholder. */
export function specialize(block: ShaderBlock, stage: CaseStage): CaseShaders {
  if (stage === 'pair') return pairCase(block);
  const text = block.both!;
  return stage === 'vertex' ? vertexCase(block, text) : fragmentCase(block, text);
}
