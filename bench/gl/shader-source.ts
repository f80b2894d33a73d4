// Completes shader templates: constants, `$NAME$` holes, default precision, and translation to GLSL ES 3.00.

export type ShaderStage = 'vertex' | 'fragment';

export interface ShaderAdditions {
  /** Global constants: a number, or a vector of 2 to 4 numbers. */
  readonly constants?: Readonly<Record<string, number | readonly number[]>>;
  /** Text for holes written as `$NAME$`. */
  readonly holes?: Readonly<Record<string, string>>;
  /** Declarations after the constants. */
  readonly declarations?: string;
  /** As the option `fragment-precision`: int, float, sampler2D, samplerCube; each low, medium, high or default. */
  readonly precision?: string;
  /** Writes the shader in GLSL ES 3.00, whose loops may run to a uniform bound. */
  readonly isEs300?: boolean;
}

const PRECISION_TYPES = ['int', 'float', 'sampler2D', 'samplerCube'] as const;
const PRECISION_WORDS: Readonly<Record<string, string>> = { low: 'lowp', medium: 'mediump', high: 'highp' };

const number = (value: number) => value.toFixed(6);

function constantLine([name, value]: readonly [string, number | readonly number[]]): string {
  if (typeof value === 'number') return `const float ${name} = ${number(value)};\n`;
  return `const vec${value.length} ${name} = vec${value.length}(${value.map(number).join(', ')});\n`;
}

/** True for a precision option's value. */
export function isPrecision(text: string): boolean {
  const words = text.split(',');
  return words.length === 4 && words.every((word) => word === '' || word === 'default' || word in PRECISION_WORDS);
}

function precisionLines(stage: ShaderStage, text: string): string {
  const words = text.split(',');
  return PRECISION_TYPES.map((type, index) => {
    const word = PRECISION_WORDS[words[index] ?? ''];
    if (word) return `precision ${word} ${type};\n`;
    return type === 'float' && stage === 'fragment' ? 'precision mediump float;\n' : '';
  }).join('');
}

/** Names the templates use where a variable needs more than the default precision. */
const PRECISION_NAMES = '#define HIGHP_OR_DEFAULT highp\n#define MEDIUMP_OR_DEFAULT mediump\n';

function translateToEs300(stage: ShaderStage, text: string): string {
  const out = stage === 'fragment' ? 'layout(location = 0) out mediump vec4 fragmentColor;\n' : '';
  const translated = text
    .replace(/\battribute\b/g, 'in')
    .replace(/\bvarying\b/g, stage === 'vertex' ? 'out' : 'in')
    .replace(/\btexture(?:2D|Cube)\b/g, 'texture')
    .replace(/\bgl_FragColor\b/g, 'fragmentColor');
  return `#version 300 es\n${out}${translated}`;
}

/** The whole source of a shader from its template. Throws when a hole is left open. */
export function completeShader(stage: ShaderStage, template: string, additions: ShaderAdditions = {}): string {
  const { constants = {}, holes = {}, declarations = '', precision = '', isEs300 = false } = additions;
  const body = template.replace(/\$(\w+)\$/g, (hole, name: string) => {
    const text = holes[name];
    if (text === undefined) throw new Error(`shader template: nothing given for ${hole}`);
    return text;
  });
  const text = [
    PRECISION_NAMES,
    precisionLines(stage, precision),
    ...Object.entries(constants).map(constantLine),
    declarations,
    body,
  ].join('');
  return isEs300 ? translateToEs300(stage, text) : text;
}
