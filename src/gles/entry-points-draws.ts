// GLES entry points of draws that extensions add: multi-draws, base vertices, base instances.

import { listOf } from '../base/list.ts';
import * as draw from '../gl/draw.ts';
import type { ExtensionName } from '../gl/extensions.ts';
import { multiDrawArrays, multiDrawElements } from '../gl/multi-draw.ts';
import type { GlesFace } from './face.ts';
import { type Pointer, viewOf } from './memory.ts';

type Numbers = ArrayLike<number>;

/** Draws that the lists handed in have entries for: what memory does not hold is not read. */
function listed(drawCount: number, ...lists: readonly ({ readonly length: number } | null)[]): number {
  return lists.reduce((count, list) => Math.min(count, list?.length ?? count), drawCount);
}

function multiArrays(
  face: GlesFace,
  call: string,
  mode: number,
  firsts: Numbers,
  counts: Numbers,
  drawCount: number,
  instanceCounts: Numbers | null = null,
  baseInstances: Numbers | null = null,
): void {
  const count = listed(drawCount, firsts, counts, instanceCounts, baseInstances);
  multiDrawArrays(face.context, call, mode, { firsts, counts, instanceCounts, baseInstances }, count);
}

function multiElements(
  face: GlesFace,
  call: string,
  mode: number,
  counts: Numbers,
  type: number,
  pointers: ArrayLike<Pointer>,
  drawCount: number,
  instanceCounts: Numbers | null = null,
  baseVertices: Numbers | null = null,
  baseInstances: Numbers | null = null,
): void {
  const count = listed(drawCount, counts, pointers, instanceCounts, baseVertices, baseInstances);
  const indices = listOf(Math.max(count, 0), (i) => viewOf(pointers[i]!));
  const lists = { counts, indices, instanceCounts, baseVertices, baseInstances };
  multiDrawElements(face.context, call, mode, type, lists, count);
}

function elementsBaseVertex(
  face: GlesFace,
  mode: number,
  count: number,
  type: number,
  indices: Pointer,
  baseVertex: number,
): void {
  draw.drawElementsBaseVertex(face.context, mode, count, type, viewOf(indices), baseVertex);
}

function rangeElementsBaseVertex(
  face: GlesFace,
  mode: number,
  start: number,
  end: number,
  count: number,
  type: number,
  indices: Pointer,
  baseVertex: number,
): void {
  draw.drawRangeElements(face.context, mode, start, end, count, type, viewOf(indices), baseVertex);
}

function elementsInstanced(
  face: GlesFace,
  mode: number,
  count: number,
  type: number,
  indices: Pointer,
  instances: number,
  baseVertex: number,
  baseInstance: number,
): void {
  const view = viewOf(indices);
  draw.drawElementsInstancedBaseVertexBaseInstance(
    face.context,
    mode,
    count,
    type,
    view,
    instances,
    baseVertex,
    baseInstance >>> 0,
  );
}

function elementsInstancedBaseVertex(
  face: GlesFace,
  mode: number,
  count: number,
  type: number,
  indices: Pointer,
  instances: number,
  baseVertex: number,
): void {
  elementsInstanced(face, mode, count, type, indices, instances, baseVertex, 0);
}

function arraysBaseInstance(
  face: GlesFace,
  mode: number,
  first: number,
  count: number,
  instances: number,
  baseInstance: number,
): void {
  draw.drawArraysInstancedBaseInstance(face.context, mode, first, count, instances, baseInstance >>> 0);
}

export const DRAWS_EXTENSIONS = {
  glMultiDrawArraysEXT: (face: GlesFace, mode: number, first: Numbers, count: Numbers, drawCount: number): void =>
    multiArrays(face, 'glMultiDrawArraysEXT', mode, first, count, drawCount),
  glMultiDrawElementsEXT: (
    face: GlesFace,
    mode: number,
    count: Numbers,
    type: number,
    indices: ArrayLike<Pointer>,
    drawCount: number,
  ): void => multiElements(face, 'glMultiDrawElementsEXT', mode, count, type, indices, drawCount),
  glMultiDrawArraysANGLE: (face: GlesFace, mode: number, first: Numbers, count: Numbers, drawCount: number): void =>
    multiArrays(face, 'glMultiDrawArraysANGLE', mode, first, count, drawCount),
  glMultiDrawElementsANGLE: (
    face: GlesFace,
    mode: number,
    count: Numbers,
    type: number,
    indices: ArrayLike<Pointer>,
    drawCount: number,
  ): void => multiElements(face, 'glMultiDrawElementsANGLE', mode, count, type, indices, drawCount),
  glMultiDrawArraysInstancedANGLE: (
    face: GlesFace,
    mode: number,
    first: Numbers,
    count: Numbers,
    instances: Numbers,
    drawCount: number,
  ): void => multiArrays(face, 'glMultiDrawArraysInstancedANGLE', mode, first, count, drawCount, instances),
  glMultiDrawElementsInstancedANGLE: (
    face: GlesFace,
    mode: number,
    count: Numbers,
    type: number,
    indices: ArrayLike<Pointer>,
    instances: Numbers,
    drawCount: number,
  ): void => multiElements(face, 'glMultiDrawElementsInstancedANGLE', mode, count, type, indices, drawCount, instances),
  glDrawElementsBaseVertexEXT: elementsBaseVertex,
  glDrawElementsBaseVertexOES: elementsBaseVertex,
  glDrawRangeElementsBaseVertexEXT: rangeElementsBaseVertex,
  glDrawRangeElementsBaseVertexOES: rangeElementsBaseVertex,
  glDrawElementsInstancedBaseVertexEXT: elementsInstancedBaseVertex,
  glDrawElementsInstancedBaseVertexOES: elementsInstancedBaseVertex,
  glMultiDrawElementsBaseVertexEXT: (
    face: GlesFace,
    mode: number,
    count: Numbers,
    type: number,
    indices: ArrayLike<Pointer>,
    drawCount: number,
    baseVertex: Numbers,
  ): void =>
    multiElements(face, 'glMultiDrawElementsBaseVertexEXT', mode, count, type, indices, drawCount, null, baseVertex),
  glDrawArraysInstancedBaseInstanceEXT: arraysBaseInstance,
  glDrawArraysInstancedBaseInstanceANGLE: arraysBaseInstance,
  glDrawElementsInstancedBaseInstanceEXT: (
    face: GlesFace,
    mode: number,
    count: number,
    type: number,
    indices: Pointer,
    instances: number,
    baseInstance: number,
  ): void => elementsInstanced(face, mode, count, type, indices, instances, 0, baseInstance),
  glDrawElementsInstancedBaseVertexBaseInstanceEXT: elementsInstanced,
  glDrawElementsInstancedBaseVertexBaseInstanceANGLE: elementsInstanced,
  glMultiDrawArraysInstancedBaseInstanceANGLE: (
    face: GlesFace,
    mode: number,
    first: Numbers,
    count: Numbers,
    instances: Numbers,
    baseInstances: Numbers,
    drawCount: number,
  ): void => {
    const call = 'glMultiDrawArraysInstancedBaseInstanceANGLE';
    multiArrays(face, call, mode, first, count, drawCount, instances, baseInstances);
  },
  glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE: (
    face: GlesFace,
    mode: number,
    count: Numbers,
    type: number,
    indices: ArrayLike<Pointer>,
    instances: Numbers,
    baseVertices: Numbers,
    baseInstances: Numbers,
    drawCount: number,
  ): void => {
    const call = 'glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE';
    multiElements(face, call, mode, count, type, indices, drawCount, instances, baseVertices, baseInstances);
  },
};

const BASE_DRAWS = 'WEBGL_draw_instanced_base_vertex_base_instance';

export const DRAWS_EXTENSION_OF: Record<keyof typeof DRAWS_EXTENSIONS, ExtensionName> = {
  glMultiDrawArraysEXT: 'WEBGL_multi_draw',
  glMultiDrawElementsEXT: 'WEBGL_multi_draw',
  glMultiDrawArraysANGLE: 'WEBGL_multi_draw',
  glMultiDrawElementsANGLE: 'WEBGL_multi_draw',
  glMultiDrawArraysInstancedANGLE: 'WEBGL_multi_draw',
  glMultiDrawElementsInstancedANGLE: 'WEBGL_multi_draw',
  glDrawElementsBaseVertexEXT: 'EXT_draw_elements_base_vertex',
  glDrawElementsBaseVertexOES: 'EXT_draw_elements_base_vertex',
  glDrawRangeElementsBaseVertexEXT: 'EXT_draw_elements_base_vertex',
  glDrawRangeElementsBaseVertexOES: 'EXT_draw_elements_base_vertex',
  glDrawElementsInstancedBaseVertexEXT: 'EXT_draw_elements_base_vertex',
  glDrawElementsInstancedBaseVertexOES: 'EXT_draw_elements_base_vertex',
  glMultiDrawElementsBaseVertexEXT: 'EXT_draw_elements_base_vertex',
  glDrawArraysInstancedBaseInstanceEXT: 'EXT_base_instance',
  glDrawElementsInstancedBaseInstanceEXT: 'EXT_base_instance',
  glDrawElementsInstancedBaseVertexBaseInstanceEXT: 'EXT_base_instance',
  glDrawArraysInstancedBaseInstanceANGLE: BASE_DRAWS,
  glDrawElementsInstancedBaseVertexBaseInstanceANGLE: BASE_DRAWS,
  glMultiDrawArraysInstancedBaseInstanceANGLE: BASE_DRAWS,
  glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE: BASE_DRAWS,
};
