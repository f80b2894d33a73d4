// Fragment outputs: names, colour numbers and slots (GLSL ES 3.00.6 §4.3.8.2).
// SPDX-License-Identifier: MIT
import type { Slot, SlotInfo } from '../ir/ir.ts';
import type { CheckedShader, VariableSymbol } from './ast.ts';
import { glInfoOf } from './link-names.ts';
import type { FragmentOutput, LinkOptions } from './link-result.ts';
import type { VectorSlot } from './lower-context.ts';

export interface OutputPlan {
  readonly outputs: FragmentOutput[];
  readonly slots: ReadonlyMap<string, readonly VectorSlot[]>;
  readonly slotInfos: readonly SlotInfo[];
  readonly fragColorCount: number;
  readonly broadcastsFragColor: boolean;
}

export function planFragmentOutputs(
  fragment: CheckedShader,
  used: ReadonlySet<VariableSymbol>,
  options: LinkOptions,
  errors: string[],
): OutputPlan {
  const outputs: FragmentOutput[] = [];
  const slots = new Map<string, VectorSlot[]>();
  const slotInfos: SlotInfo[] = [];
  const symbols = fragment.globals.filter((symbol) => symbol.storage === 'out');
  const owners = new Map<Slot, string>();
  for (const symbol of symbols) {
    const output = describe(symbol, symbols.length, errors);
    outputs.push(output);
    const own = occupy(output, owners, options, errors);
    if (!used.has(symbol)) continue;
    slots.set(symbol.name, own);
    for (const { slot } of own)
      slotInfos.push(slotInfo(symbol.name, slot, glInfoOf(elementType(symbol)).rows, output.baseType));
  }
  const broadcastsFragColor = fragment.extensions.has('GL_EXT_draw_buffers');
  const fragColorCount = broadcastsFragColor ? options.limits.maxDrawBuffers : 1;
  addBuiltins(fragment, used, fragColorCount, outputs, slotInfos);
  return { outputs, slots, slotInfos, fragColorCount, broadcastsFragColor };
}

function elementType(symbol: VariableSymbol) {
  return symbol.type.kind === 'array' ? symbol.type.element : symbol.type;
}

function describe(symbol: VariableSymbol, outputCount: number, errors: string[]): FragmentOutput {
  const info = glInfoOf(elementType(symbol));
  if (symbol.layout.location === undefined && outputCount > 1) {
    errors.push(`Fragment output '${symbol.name}' needs a location, because there are several outputs.`);
  }
  const baseType = info.baseType === 'int' || info.baseType === 'uint' ? info.baseType : 'float';
  return {
    name: symbol.name,
    type: info.enum,
    location: symbol.layout.location ?? 0,
    index: symbol.layout.index ?? 0,
    size: symbol.type.kind === 'array' ? symbol.type.size : 1,
    baseType,
  };
}

function occupy(
  output: FragmentOutput,
  owners: Map<Slot, string>,
  options: LinkOptions,
  errors: string[],
): VectorSlot[] {
  const own: VectorSlot[] = [];
  if (output.location + output.size > options.limits.maxDrawBuffers) {
    errors.push(`Fragment output '${output.name}' exceeds the ${options.limits.maxDrawBuffers} draw buffers.`);
    return own;
  }
  for (let i = output.location; i < output.location + output.size; i++) {
    const slot: Slot = output.index === 1 ? `color${i}Secondary` : `color${i}`;
    const owner = owners.get(slot);
    if (owner !== undefined) {
      errors.push(`Fragment outputs '${owner}' and '${output.name}' have the same location ${i}.`);
    }
    owners.set(slot, output.name);
    own.push({ slot, component: 0 });
  }
  return own;
}

function slotInfo(name: string, slot: Slot, components: number, base: SlotInfo['base']): SlotInfo {
  return { name, slot, components, base, interpolation: 'smooth', centroid: false };
}

function addBuiltins(
  fragment: CheckedShader,
  used: ReadonlySet<VariableSymbol>,
  fragColorCount: number,
  outputs: FragmentOutput[],
  slotInfos: SlotInfo[],
): void {
  for (const symbol of fragment.builtinVariables) {
    if (symbol.storage !== 'out' || !used.has(symbol)) continue;
    const type = glInfoOf(elementType(symbol));
    const size = symbol.type.kind === 'array' ? symbol.type.size : 1;
    if (symbol.name === 'gl_FragDepth' || symbol.name === 'gl_FragDepthEXT') {
      slotInfos.push(slotInfo(symbol.name, 'depth', 1, 'float'));
      continue;
    }
    if (symbol.name === 'gl_SampleMask') {
      slotInfos.push(slotInfo(symbol.name, 'sampleMask', 1, 'int'));
      continue;
    }
    const isSecondary = symbol.name.startsWith('gl_Secondary');
    const index = isSecondary ? 1 : 0;
    const count = symbol.name === 'gl_FragColor' ? fragColorCount : isSecondary ? 1 : size;
    outputs.push({ name: symbol.name, type: type.enum, location: 0, index, size: count, baseType: 'float' });
    for (let i = 0; i < count; i++) {
      slotInfos.push(slotInfo(symbol.name, isSecondary ? 'color0Secondary' : `color${i}`, 4, 'float'));
    }
  }
}
