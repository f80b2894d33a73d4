// Varyings: do both stages agree on them (GLSL ES 1.00 §4.3.5, 3.00 §4.3.9 and §9.2), and in which slots do they travel?
// SPDX-License-Identifier: MIT
import type { SlotInfo } from '../ir/ir.ts';
import type { CheckedShader, VariableSymbol } from './ast.ts';
import { forEachPart, glTypeOf } from './link-names.ts';
import { countedItem, type PackItem, type Packing, packRows, packTightly } from './link-packing.ts';
import type { LinkedVarying } from './link-result.ts';
import type { VectorSlot } from './lower-context.ts';
import { forEachVector } from './lower-values.ts';
import { areTypesEquivalent, componentCount, type Type } from './types.ts';

/** `var0` … `var31`. */
const MAX_SLOTS = 32;

export interface VaryingPlan {
  /** Slots of each varying that travels, by name. */
  readonly slots: ReadonlyMap<string, readonly VectorSlot[]>;
  readonly slotInfos: readonly SlotInfo[];
  readonly varyings: readonly LinkedVarying[];
}

function declared(shader: CheckedShader, storage: 'in' | 'out'): Map<string, VariableSymbol> {
  const result = new Map<string, VariableSymbol>();
  for (const symbol of shader.globals) if (symbol.storage === storage) result.set(symbol.name, symbol);
  return result;
}

/** Checks every varying of the fragment shader against the vertex shader's. */
export function matchVaryings(vertex: CheckedShader, fragment: CheckedShader, errors: string[]): void {
  const outputs = declared(vertex, 'out');
  for (const input of declared(fragment, 'in').values()) {
    const output = outputs.get(input.name);
    if (output === undefined) {
      if (input.isStaticallyUsed) {
        errors.push(`Varying '${input.name}' is used in the fragment shader but not declared in the vertex shader.`);
      }
      continue;
    }
    if (!areTypesEquivalent(output.type, input.type)) {
      errors.push(
        `Types of varying '${input.name}' differ: ${output.type.name} in the vertex shader, ${input.type.name} in the fragment shader.`,
      );
    } else if (output.interpolation !== input.interpolation) {
      errors.push(`Interpolation of varying '${input.name}' differs between the vertex and the fragment shader.`);
    } else if (vertex.version === 100 && output.isInvariant !== input.isInvariant) {
      errors.push(`Invariance of varying '${input.name}' differs between the vertex and the fragment shader.`);
    }
  }
  if (vertex.version === 100) matchBuiltinInvariance(vertex, fragment, errors);
}

/** GLSL ES 1.00 §4.6.4: what the fragment shader makes invariant must come from something invariant. */
function matchBuiltinInvariance(vertex: CheckedShader, fragment: CheckedShader, errors: string[]): void {
  const isInvariant = (shader: CheckedShader, name: string) =>
    shader.builtinVariables.some((symbol) => symbol.name === name && symbol.isInvariant);
  for (const [input, output] of [
    ['gl_FragCoord', 'gl_Position'],
    ['gl_PointCoord', 'gl_PointSize'],
  ]) {
    if (isInvariant(fragment, input) && !isInvariant(vertex, output)) {
      errors.push(`'${input}' is invariant in the fragment shader, so '${output}' must be in the vertex shader.`);
    }
  }
}

/** What must be equal in one slot. */
type Interpolated = Pick<SlotInfo, 'interpolation' | 'centroid' | 'sample'>;

/** Perspective first, so that slots that are interpolated alike stand together. */
const CLASSES_PER_INTERPOLATION = 3;
const FLAT_CLASS = 2 * CLASSES_PER_INTERPOLATION;
const FLAT_INTEGER_CLASS = FLAT_CLASS + 1;

function packClassOf({ interpolation, centroid, sample }: Interpolated, isInteger: boolean): number {
  if (interpolation === 'flat') return isInteger ? FLAT_INTEGER_CLASS : FLAT_CLASS;
  const place = sample ? 2 : centroid ? 1 : 0;
  return (interpolation === 'noperspective' ? CLASSES_PER_INTERPOLATION : 0) + place;
}

interface Travelling {
  readonly output: VariableSymbol;
  readonly how: Interpolated;
  readonly packClass: number;
  /** Rows of equal width, in memory order: one for each array of vectors, matrix or vector. */
  readonly items: readonly PackItem[];
}

/**
 * Gives slots to the vertex outputs that the fragment shader reads or transform feedback captures. One slot holds only
 * varyings that are interpolated alike.
 */
export function planVaryings(
  vertex: CheckedShader,
  fragment: CheckedShader,
  fragmentUsed: ReadonlySet<VariableSymbol>,
  captured: ReadonlySet<string>,
  maxVectors: number,
  distances: number,
  errors: string[],
): VaryingPlan {
  const inputs = declared(fragment, 'in');
  const travelling: Travelling[] = [];
  const counted: PackItem[] = distances > 0 ? [{ components: 1, rows: distances }] : [];
  for (const output of declared(vertex, 'out').values()) {
    const input = inputs.get(output.name);
    const isRead = input !== undefined && fragmentUsed.has(input);
    if (componentCount(output.type) > MAX_SLOTS * 4) {
      errors.push(`Varying '${output.name}' is too large.`);
      continue;
    }
    if (isRead || (input?.isStaticallyUsed ?? false)) counted.push(...itemsOf(output.type, countedItem));
    if (isRead || captured.has(output.name)) travelling.push(describe(output, input ?? output));
  }
  if (packRows(counted, maxVectors) === undefined) {
    errors.push(`Too many varyings: they do not fit into ${maxVectors} vectors.`);
  }
  return assignSlots(travelling, MAX_SLOTS - Math.ceil(distances / 4), errors);
}

function describe(output: VariableSymbol, reader: VariableSymbol): Travelling {
  let isInteger = false;
  forEachVector(output.type, (leaf) => {
    if ((leaf.kind === 'scalar' || leaf.kind === 'vector') && leaf.base !== 'float') isInteger = true;
  });
  const { interpolation, isCentroid, isSample } = reader;
  const how = { interpolation, centroid: isCentroid, ...(isSample && interpolation !== 'flat' && { sample: true }) };
  return { output, how, packClass: packClassOf(how, isInteger), items: itemsOf(output.type) };
}

const travellingItem: typeof countedItem = (rows, columns, size) => ({ components: rows, rows: columns * size });

function itemsOf(type: Type, itemOf = travellingItem): PackItem[] {
  const items: PackItem[] = [];
  forEachPart(type, '', (part) => {
    if (part.type.kind === 'struct' || part.type.kind === 'sampler') return;
    items.push(itemOf(part.type.rows, part.type.columns, part.size));
  });
  return items;
}

function assignSlots(travelling: readonly Travelling[], maxSlots: number, errors: string[]): VaryingPlan {
  const slots = new Map<string, VectorSlot[]>();
  const varyings: LinkedVarying[] = [];
  const slotInfos: SlotInfo[] = [];
  let firstRow = 0;
  for (let packClass = 0; packClass <= FLAT_INTEGER_CLASS; packClass++) {
    const members = travelling.filter((each) => each.packClass === packClass);
    const packing = packTightly(
      members.flatMap((each) => each.items),
      maxSlots - firstRow,
    );
    if (packing === undefined) {
      errors.push(`Too many varyings: they do not fit into ${maxSlots} slots.`);
      break;
    }
    placeClass(members, packing, firstRow, slots, slotInfos, varyings);
    firstRow += packing.rowCount;
  }
  return { slots, slotInfos, varyings };
}

function placeClass(
  members: readonly Travelling[],
  packing: Packing,
  firstRow: number,
  slots: Map<string, VectorSlot[]>,
  slotInfos: SlotInfo[],
  varyings: LinkedVarying[],
): void {
  const infos: (SlotInfo | undefined)[] = new Array(packing.rowCount);
  let item = 0;
  for (const { output, how, items, packClass } of members) {
    const own: VectorSlot[] = [];
    const base = packClass === FLAT_INTEGER_CLASS ? 'int' : 'float';
    for (const { components, rows } of items) {
      const { row, component } = packing.places[item++];
      for (let i = row; i < row + rows; i++) {
        own.push({ slot: `var${firstRow + i}`, component });
        const before = infos[i];
        infos[i] = {
          name: before === undefined ? output.name : `${before.name}, ${output.name}`,
          slot: `var${firstRow + i}`,
          components: Math.max(before?.components ?? 0, component + components),
          base,
          ...how,
        };
      }
    }
    slots.set(output.name, own);
    varyings.push(describeLinked(output, own, how));
  }
  for (const info of infos) if (info !== undefined) slotInfos.push(info);
}

function describeLinked(
  output: VariableSymbol,
  own: readonly VectorSlot[],
  { interpolation, centroid }: Interpolated,
): LinkedVarying {
  const leaf = output.type.kind === 'array' ? output.type.element : output.type;
  return {
    name: output.name,
    // A struct has no GL type; its members are what GL shows, and only through transform feedback.
    type: leaf.kind === 'struct' ? 0 : glTypeOf(leaf),
    size: output.type.kind === 'array' ? output.type.size : 1,
    slot: own.length === 0 ? 0 : Number(own[0].slot.slice(3)),
    slotCount: own.length,
    flat: interpolation === 'flat',
    centroid,
    invariant: output.isInvariant,
  };
}
