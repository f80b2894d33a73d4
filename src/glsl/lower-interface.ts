// The edges of a stage: inputs are read into globals before GLSL's main runs, outputs are written from globals after it.
// SPDX-License-Identifier: MIT
import { listOf } from '../base/list.ts';
import type { Slot, Value } from '../ir/ir.ts';
import type { VariableSymbol } from './ast.ts';
import { type LowerContext, type VectorSlot, variableOf } from './lower-context.ts';
import { loadPlace, storePlace, variablePlace } from './lower-places.ts';
import { buildTree, isVector, type Tree } from './lower-values.ts';
import type { ArrayType } from './types.ts';

/** Built-in inputs by name. */
const SYSTEM_INPUTS: Record<string, (ctx: LowerContext) => Tree> = {
  gl_VertexID: ({ b }) => b.sysval('vertexId'),
  gl_InstanceID: ({ b }) => b.sysval('instanceId'),
  gl_DrawID: ({ b }) => b.sysval('drawId'),
  gl_BaseVertex: ({ b }) => b.sysval('baseVertex'),
  gl_BaseInstance: ({ b }) => b.sysval('baseInstance'),
  gl_FragCoord: ({ b }) => b.sysval('fragCoord'),
  gl_FrontFacing: ({ b }) => b.sysval('frontFacing'),
  gl_PointCoord: ({ b }) => b.sysval('pointCoord'),
  gl_SampleID: ({ b }) => b.sysval('sampleId'),
  gl_SamplePosition: ({ b }) => b.sysval('samplePosition'),
  gl_SampleMaskIn: ({ b }) => [b.sysval('sampleMaskIn')],
  gl_NumSamples: ({ b }) => b.sysval('sampleCount'),
};

/** Built-in outputs with one slot. */
const SYSTEM_OUTPUTS: Record<string, Slot> = {
  gl_Position: 'position',
  gl_PointSize: 'pointSize',
  gl_FragDepth: 'depth',
  gl_FragDepthEXT: 'depth',
  gl_SampleMask: 'sampleMask',
  gl_SecondaryFragColorEXT: 'color0Secondary',
};

/** Built-in variables that stand in constant buffer 0. */
export const DEPTH_RANGE = 'gl_DepthRange';

/** Emits the loads of all inputs that reachable code names. */
export function loadInputs(ctx: LowerContext): void {
  for (const symbol of ctx.checked.builtinVariables) {
    const load = ctx.io.used.has(symbol) ? SYSTEM_INPUTS[symbol.name] : undefined;
    if (load !== undefined) storeGlobal(ctx, symbol, load(ctx));
    else if (symbol.distances !== undefined && symbol.storage === 'in' && ctx.io.used.has(symbol))
      loadDistances(ctx, symbol);
  }
  for (const symbol of ctx.checked.globals) {
    if (symbol.storage !== 'in' || !ctx.io.used.has(symbol)) continue;
    const slots = ctx.io.inputs.get(symbol.name);
    // Without a place nobody wrote it: it keeps the zeros that globals start with.
    if (slots === undefined) continue;
    let next = 0;
    const value = buildTree(symbol.type, (leaf) => {
      const { slot, component } = slots[next++];
      return ctx.b.loadInput(slot, leaf.kind === 'vector' ? leaf.rows : 1, component);
    });
    storeGlobal(ctx, symbol, value);
  }
}

/** Elements that the vertex shader does not write are zero. */
function loadDistances(ctx: LowerContext, symbol: VariableSymbol): void {
  const slots = ctx.io.inputs.get(symbol.name) ?? [];
  const elements = listOf((symbol.type as ArrayType).size, (i) => {
    const place = slots[i];
    return place === undefined ? ctx.b.constFloat(0) : ctx.b.loadInput(place.slot, 1, place.component);
  });
  storeGlobal(ctx, symbol, elements);
}

/** Runs the initialisers of plain globals in order (GLSL ES 3.00.6 §4.3). */
export function initializeGlobals(ctx: LowerContext, storeInitializer: (symbol: VariableSymbol) => void): void {
  for (const symbol of ctx.checked.globals) {
    const isPlain = symbol.storage === 'global' && symbol.initializer !== undefined;
    if (isPlain && ctx.io.used.has(symbol)) storeInitializer(symbol);
  }
}

/** Emits the stores of all outputs that somebody reads. */
export function storeOutputs(ctx: LowerContext): void {
  for (const symbol of ctx.checked.builtinVariables) {
    if (symbol.storage === 'out' && ctx.io.used.has(symbol)) storeBuiltinOutput(ctx, symbol);
  }
  if (ctx.checked.stage === 'vertex' && !usesBuiltin(ctx, 'gl_Position')) {
    // Not writing gl_Position is legal and leaves it undefined; backends get a value all the same.
    ctx.b.storeOutput('position', ctx.b.constFloat(0, 0, 0, 0));
  }
  if (ctx.io.outputs.has('gl_PointSize') && !usesBuiltin(ctx, 'gl_PointSize')) {
    ctx.b.storeOutput('pointSize', ctx.b.constFloat(0));
  }
  for (const symbol of ctx.checked.globals) {
    const slots = symbol.storage === 'out' ? ctx.io.outputs.get(symbol.name) : undefined;
    if (slots !== undefined) storeSlots(ctx, loadGlobal(ctx, symbol), slots);
  }
}

function usesBuiltin(ctx: LowerContext, name: string): boolean {
  return ctx.checked.builtinVariables.some((symbol) => symbol.name === name && ctx.io.used.has(symbol));
}

function storeBuiltinOutput(ctx: LowerContext, symbol: VariableSymbol): void {
  const { b } = ctx;
  const slot = SYSTEM_OUTPUTS[symbol.name];
  if (slot !== undefined) {
    const value = loadGlobal(ctx, symbol);
    b.storeOutput(slot, isVector(value) ? value : (value[0] as Value));
  } else if (symbol.name === 'gl_FragColor') {
    const value = loadGlobal(ctx, symbol) as Value;
    for (let i = 0; i < ctx.io.fragColorCount; i++) b.storeOutput(`color${i}`, value);
  } else if (symbol.name === 'gl_FragData') {
    const elements = loadGlobal(ctx, symbol) as readonly Value[];
    for (const index of ctx.fragDataWritten) b.storeOutput(`color${index}`, elements[index]);
  } else if (symbol.distances !== undefined) {
    const slots = ctx.io.outputs.get(symbol.name)!;
    storeSlots(ctx, (loadGlobal(ctx, symbol) as readonly Value[]).slice(0, slots.length), slots);
  } else if (symbol.name === 'gl_SecondaryFragDataEXT') {
    b.storeOutput('color0Secondary', (loadGlobal(ctx, symbol) as readonly Value[])[0]);
  } else throw new Error(`no slot for the built-in output ${symbol.name}`);
}

function storeSlots(ctx: LowerContext, value: Tree, slots: readonly VectorSlot[]): void {
  let next = 0;
  const visit = (tree: Tree): void => {
    if (!isVector(tree)) {
      for (const child of tree) visit(child);
      return;
    }
    const { slot, component } = slots[next++];
    ctx.b.storeOutput(slot, tree, component);
  };
  visit(value);
}

function storeGlobal(ctx: LowerContext, symbol: VariableSymbol, value: Tree): void {
  storePlace(ctx, variablePlace(variableOf(ctx, symbol), symbol.type), value);
}

function loadGlobal(ctx: LowerContext, symbol: VariableSymbol): Tree {
  return loadPlace(ctx, variablePlace(variableOf(ctx, symbol), symbol.type));
}
