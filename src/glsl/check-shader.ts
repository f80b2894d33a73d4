// Checks that need the whole shader: main, recursion, calls of undefined functions, fragment outputs.

import type { CheckedShader, FunctionSymbol, VariableSymbol } from './ast.ts';
import type { Parser } from './parser.ts';

/** Calls may be so deep: bounds later recursion over the call graph. */
const MAX_CALL_DEPTH = 256;

/** Defined functions, callees first. Reports recursion and calls of functions without a body. */
function sortFunctions(p: Parser): FunctionSymbol[] {
  const sorted: FunctionSymbol[] = [];
  const depths = new Map<FunctionSymbol, number>();
  const open = new Set<FunctionSymbol>();
  for (const root of p.functions) {
    if (root.body === undefined || depths.has(root)) continue;
    const stack = [{ caller: root, rest: [...root.callees] }];
    open.add(root);
    while (stack.length > 0) {
      const { caller, rest } = stack[stack.length - 1];
      const callee = rest.pop();
      if (callee === undefined) {
        stack.pop();
        open.delete(caller);
        sorted.push(caller);
        let depth = 0;
        for (const each of caller.callees) depth = Math.max(depth, depths.get(each) ?? 0);
        if (depth >= MAX_CALL_DEPTH) p.tooComplex(caller.position, caller.name, 'call graph');
        depths.set(caller, depth + 1);
      } else if (callee.body === undefined) {
        p.error(caller.position, callee.name, 'function is called but has no body');
        depths.set(callee, 0);
      } else if (open.has(callee)) {
        p.diagnostics.fatal(caller.position, callee.name, 'recursive function call');
      } else if (!depths.has(callee)) {
        open.add(callee);
        stack.push({ caller: callee, rest: [...callee.callees] });
      }
    }
  }
  return sorted;
}

/** GLSL ES 3.00 §4.3.8.2: several outputs need locations, and those may not overlap. */
function checkFragmentOutputs(p: Parser): void {
  const outputs = p.globals.filter((variable) => variable.storage === 'out');
  const slots = new Map<string, VariableSymbol>();
  for (const output of outputs) {
    const count = output.type.kind === 'array' ? output.type.size : 1;
    const { location, index = 0 } = output.layout;
    const limit = index === 0 ? p.limits.maxDrawBuffers : p.limits.maxDualSourceDrawBuffers;
    if (location === undefined && outputs.length > 1) {
      p.error(
        output.position,
        output.name,
        'must explicitly specify all locations when using multiple fragment outputs',
      );
    }
    const first = location ?? 0;
    if (first + count > limit) {
      p.error(output.position, output.name, `output location exceeds the limit of ${limit} draw buffers`);
      continue;
    }
    for (let slot = first; slot < first + count; slot++) {
      const other = slots.get(`${slot} ${index}`);
      if (other !== undefined && location !== undefined) {
        p.error(output.position, output.name, `conflicting output locations with '${other.name}'`);
      }
      slots.set(`${slot} ${index}`, output);
    }
  }
}

/** GLSL ES 1.00 §7.2. */
function checkFragColorOrData(p: Parser): void {
  const assigned = (...names: string[]) =>
    p.builtinVariables.find(({ name, isStaticallyAssigned }) => isStaticallyAssigned && names.includes(name));
  const color = assigned('gl_FragColor', 'gl_SecondaryFragColorEXT');
  const data = assigned('gl_FragData', 'gl_SecondaryFragDataEXT');
  if (color !== undefined && data !== undefined)
    p.error(0, data.name, `cannot use both ${data.name} and ${color.name}`);
}

/** Finishes the checks and gathers the result; undefined when there is no main. */
export function finishShader(p: Parser): CheckedShader | undefined {
  const functions = sortFunctions(p);
  const main = functions.find(({ name, parameters }) => name === 'main' && parameters.length === 0);
  if (main === undefined) {
    p.error(p.token.position, 'main', 'missing main()');
    return undefined;
  }
  if (p.stage === 'fragment') {
    if (p.version === 300) checkFragmentOutputs(p);
    else checkFragColorOrData(p);
  }
  if (p.pragmas.invariantAll) {
    for (const variable of p.builtinVariables) if (variable.storage === 'out') variable.isInvariant = true;
  }
  return {
    stage: p.stage,
    version: p.version,
    profile: p.profile,
    pragmas: p.pragmas,
    extensions: p.extensions,
    structs: p.structs,
    globals: p.globals,
    blocks: p.blocks,
    builtinVariables: p.builtinVariables.filter(
      (variable) => variable.storage !== 'const' && (variable.isStaticallyUsed || variable.isInvariant),
    ),
    functions,
    main,
  };
}
