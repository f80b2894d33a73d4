// GLES entry points of queries: occlusion, transform feedback, and times (EXT_disjoint_timer_query).

import { invalidOperation } from '../gl/errors.ts';
import { beginQuery, deleteQuery, endQuery, getQuery, getQueryParameter, queryCounter } from '../gl/queries.ts';
import type { QueryObject } from '../gl/query-object.ts';
import { deleteNames, type GlesFace, generateNames } from './face.ts';
import { type NumberList, store, storeWide, type WideList } from './memory.ts';

/** The object of a generated name, made at its first use; null after an error. */
function queryToStart(face: GlesFace, call: string, name: number): QueryObject | null {
  if (name !== 0 && face.queries.isKnown(name)) return face.queries.bind(face.context, name);
  invalidOperation(face.context, call, `${name} was not generated`);
  return null;
}

function queryParameter(face: GlesFace, call: string, name: number, pname: number): number | undefined {
  const query = face.queries.find(name);
  if (!query) return invalidOperation(face.context, call, `${name} is no query`);
  const value = getQueryParameter(face.context, query, pname);
  return value === undefined ? undefined : Number(value);
}

export const QUERIES_ES3 = {
  glGenQueries: (face: GlesFace, n: number, names: NumberList): void =>
    generateNames(face, 'glGenQueries', face.queries, n, names),
  glDeleteQueries: (face: GlesFace, n: number, names: ArrayLike<number>): void =>
    deleteNames(face, 'glDeleteQueries', face.queries, n, names, deleteQuery),
  glIsQuery: (face: GlesFace, name: number): boolean => (face.queries.find(name)?.target ?? 0) !== 0,
  glBeginQuery: (face: GlesFace, target: number, name: number): void => {
    const query = queryToStart(face, 'glBeginQuery', name);
    if (query) beginQuery(face.context, target, query);
  },
  glEndQuery: (face: GlesFace, target: number): void => {
    endQuery(face.context, target);
  },
  glGetQueryiv: (face: GlesFace, target: number, pname: number, params: NumberList): void => {
    const value = getQuery(face.context, target, pname);
    if (value !== undefined) store(params, [typeof value === 'number' ? value : (value?.name ?? 0)]);
  },
  glGetQueryObjectuiv: (face: GlesFace, name: number, pname: number, params: NumberList): void => {
    const value = queryParameter(face, 'glGetQueryObjectuiv', name, pname);
    if (value !== undefined) store(params, [Math.min(value, 0xffffffff)]);
  },
};

/** Results too large for the type are its largest value (EXT_disjoint_timer_query). */
export const QUERIES_TIMES = {
  glQueryCounterEXT: (face: GlesFace, name: number, target: number): void => {
    const query = queryToStart(face, 'glQueryCounterEXT', name);
    if (query) queryCounter(face.context, query, target);
  },
  glGetQueryObjectivEXT: (face: GlesFace, name: number, pname: number, params: NumberList): void => {
    const value = queryParameter(face, 'glGetQueryObjectivEXT', name, pname);
    if (value !== undefined) store(params, [Math.min(value, 0x7fffffff)]);
  },
  glGetQueryObjecti64vEXT: (face: GlesFace, name: number, pname: number, params: WideList): void => {
    const value = queryParameter(face, 'glGetQueryObjecti64vEXT', name, pname);
    if (value !== undefined) storeWide(params, [value]);
  },
  glGetQueryObjectui64vEXT: (face: GlesFace, name: number, pname: number, params: WideList): void => {
    const value = queryParameter(face, 'glGetQueryObjectui64vEXT', name, pname);
    if (value !== undefined) storeWide(params, [value]);
  },
};
