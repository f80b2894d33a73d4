import { describe, expect, it } from 'vitest';
import { validateShader } from '../ir/validate.ts';
import type { BuiltinFunction, ShaderStage, ShaderVersion } from './ast.ts';
import { FUNCTION_GROUPS, TEXTURE_FUNCTIONS } from './builtin-functions.table.ts';
import { BuiltinFunctions } from './builtin-functions.ts';
import { linkProgram } from './link.ts';
import { DEFAULT_LINK_LIMITS } from './link-result.ts';
import { compileOrThrow, TEST_EXTENSIONS } from './test-support.ts';

const NAMES = new Set([
  ...FUNCTION_GROUPS.flatMap(({ prototypes }) => [...prototypes.matchAll(/(\w+)\(/g)].map((match) => match[1])),
  ...TEXTURE_FUNCTIONS.map(({ name }) => name),
]);

/** A program one stage of which calls the overload with arguments that cannot be folded. */
function callShader(builtin: BuiltinFunction, version: ShaderVersion, stage: ShaderStage): string {
  const declarations = builtin.parameterTypes.map((type, i) =>
    type.kind === 'sampler' ? `uniform highp ${type.name} p${i};` : `${type.name} p${i};`,
  );
  const args = builtin.parameterTypes.map((type, i) =>
    builtin.texture?.roles[i] === 'offset' ? `${type.name}(1)` : `p${i}`,
  );
  const head =
    version === 300 ? '#version 300 es\n' : TEST_EXTENSIONS.map((name) => `#extension ${name} : enable\n`).join('');
  const result = `${builtin.returnType.name} r = ${builtin.name}(${args.join()});`;
  const output = version === 300 && stage === 'fragment' ? 'out vec4 color;' : '';
  const target = stage === 'vertex' ? 'gl_Position' : version === 300 ? 'color' : 'gl_FragColor';
  return `${head}precision highp float; precision highp int;\n${declarations.join('\n')}\n${output}
    void main() { ${result} ${target} = vec4(r == r); }`;
}

function passShader(version: ShaderVersion, stage: ShaderStage): string {
  const head = version === 300 ? '#version 300 es\n' : '';
  if (stage === 'vertex') return `${head}void main() { gl_Position = vec4(0.0); }`;
  return `${head}precision highp float; void main() {}`;
}

describe('built-in functions', () => {
  const environments: [ShaderVersion, ShaderStage][] = [
    [100, 'vertex'],
    [100, 'fragment'],
    [300, 'vertex'],
    [300, 'fragment'],
  ];
  it.each(environments)('all overloads of version %i in %s shaders become valid IR', (version, stage) => {
    const extensions = new Set(version === 100 && stage === 'fragment' ? TEST_EXTENSIONS : []);
    const functions = new BuiltinFunctions(version, stage, extensions);
    const vertexPass = compileOrThrow(passShader(version, 'vertex'), 'vertex');
    const fragmentPass = compileOrThrow(passShader(version, 'fragment'), 'fragment');
    let count = 0;
    for (const name of NAMES) {
      for (const builtin of functions.overloads(name).values()) {
        const shader = compileOrThrow(callShader(builtin, version, stage), stage);
        const pair = stage === 'vertex' ? ([shader, fragmentPass] as const) : ([vertexPass, shader] as const);
        const result = linkProgram(...pair, { limits: DEFAULT_LINK_LIMITS, profile: 'gles', optimize: false });
        expect(result.log).toBe('');
        expect(validateShader(result.program![stage].shader)).toEqual([]);
        count++;
      }
    }
    expect(count).toBeGreaterThan(100);
  });
});
