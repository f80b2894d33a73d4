// The methods of WEBGL_multi_draw and WEBGL_multi_draw_instanced_base_vertex_base_instance: lists with offsets into them.

import { invalidOperation, invalidValue } from '../gl/errors.ts';
import { multiDrawArrays, multiDrawElements } from '../gl/multi-draw.ts';
import type { ExtensionMethod } from './extensions.table.ts';
import type { Face } from './face.ts';

type List = Int32Array | Uint32Array;

/**
 * The parts of lists that a call of `drawCount` draws reads; undefined after an error. They are copied: what shared memory holds
 * may change between check and draw.
 */
function parts(face: Face, call: string, drawCount: number, given: readonly (List | number)[]): List[] | undefined {
  if (drawCount < 0) return invalidValue(face.context, call, `drawcount ${drawCount} is negative`);
  const result: List[] = [];
  for (let i = 0; i < given.length; i += 2) {
    const list = given[i] as List;
    const offset = given[i + 1] as number;
    if (offset + drawCount > list.length)
      return invalidOperation(face.context, call, `a list of ${list.length} has no ${drawCount} entries at ${offset}`);
    const part = list.slice(offset, offset + drawCount);
    if (part.length !== drawCount)
      return invalidOperation(face.context, call, `a list has ${part.length} of ${drawCount} entries`);
    result.push(part);
  }
  return result;
}

function arraysMethod(call: string, signature: string): ExtensionMethod {
  return [
    signature,
    (face, mode: number, ...rest: (List | number)[]) => {
      const drawCount = rest.pop() as number;
      const lists = parts(face, call, drawCount, rest);
      if (lists === undefined) return;
      const [firsts, counts, instanceCounts = null, baseInstances = null] = lists as [List, List, List?, List?];
      multiDrawArrays(face.context, call, mode, { firsts, counts, instanceCounts, baseInstances }, drawCount);
    },
  ];
}

function elementsMethod(call: string, signature: string): ExtensionMethod {
  return [
    signature,
    (face, mode: number, countsList: List, countsOffset: number, type: number, ...rest: (List | number)[]) => {
      const drawCount = rest.pop() as number;
      const lists = parts(face, call, drawCount, [countsList, countsOffset, ...rest]);
      if (lists === undefined) return;
      const [counts, indices, instanceCounts = null, baseVertices = null, baseInstances = null] = lists as [
        List,
        List,
        List?,
        List?,
        List?,
      ];
      const all = { counts, indices, instanceCounts, baseVertices, baseInstances };
      multiDrawElements(face.context, call, mode, type, all, drawCount);
    },
  ];
}

const LIST = 'ints uint64';

export const MULTI_DRAWS: Readonly<Record<string, ExtensionMethod>> = {
  multiDrawArraysWEBGL: arraysMethod('multiDrawArraysWEBGL', `enum ${LIST} ${LIST} int`),
  multiDrawElementsWEBGL: elementsMethod('multiDrawElementsWEBGL', `enum ${LIST} enum ${LIST} int`),
  multiDrawArraysInstancedWEBGL: arraysMethod('multiDrawArraysInstancedWEBGL', `enum ${LIST} ${LIST} ${LIST} int`),
  multiDrawElementsInstancedWEBGL: elementsMethod(
    'multiDrawElementsInstancedWEBGL',
    `enum ${LIST} enum ${LIST} ${LIST} int`,
  ),
};

export const BASE_MULTI_DRAWS: Readonly<Record<string, ExtensionMethod>> = {
  multiDrawArraysInstancedBaseInstanceWEBGL: arraysMethod(
    'multiDrawArraysInstancedBaseInstanceWEBGL',
    `enum ${LIST} ${LIST} ${LIST} uints uint64 int`,
  ),
  multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL: elementsMethod(
    'multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL',
    `enum ${LIST} enum ${LIST} ${LIST} ${LIST} uints uint64 int`,
  ),
};
