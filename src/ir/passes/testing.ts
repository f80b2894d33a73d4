// Test support: applies a pass to a shader in text form.
import type { Shader } from '../ir.ts';
import { parseShader } from '../parse.ts';
import { printShader } from '../print.ts';
import { assertValid } from '../validate.ts';

const HEADER = `shader fragment
input smooth float4 var0
output smooth float4 color0
sampler 2d float "tex"
ubo 64 "block"
uniforms 16
`;

/** A valid shader from the body of main, or from whole functions if the text contains any. */
export function shaderOf(text: string): Shader {
  const functions = text.includes('function ') ? text : `function main() {\n${text}\n}\n`;
  const shader = parseShader(HEADER + functions);
  assertValid(shader);
  return shader;
}

/** The functions of a shader as text, without indentation. */
function functionsOf(shader: Shader): string {
  const lines = printShader(shader).split('\n');
  const first = lines.findIndex((line) => /^(function|local|global)/.test(line));
  return lines
    .slice(first)
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/** The text after some passes, each of which must leave a valid shader. */
export function afterPasses(text: string, ...passes: ((shader: Shader) => unknown)[]): string {
  const shader = shaderOf(text);
  for (const pass of passes) {
    pass(shader);
    assertValid(shader, { after: pass.name });
  }
  return functionsOf(shader);
}
