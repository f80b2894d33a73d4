// Queries as scripts see them: results stay hidden until control has returned to the event loop (WebGL 2 §3.7.12,
// EXT_disjoint_timer_query).

import { GL } from '../gl/constants.ts';
import * as queries from '../gl/queries.ts';
import type { QueryObject } from '../gl/query-object.ts';
import { currentEpoch } from './event-task.ts';
import type { Face } from './face.ts';
import { handleOf, unwrap, type WebGLQuery, type WebGLTimerQueryEXT } from './handles.ts';

type QueryHandle = WebGLQuery | WebGLTimerQueryEXT;

/** Epochs in which results were asked to become visible. */
const endedIn = new WeakMap<QueryObject, number>();

export function endQuery({ context }: Face, target: number): void {
  const ended = queries.endQuery(context, target);
  if (ended) endedIn.set(ended, currentEpoch());
}

export function queryCounter({ context }: Face, query: QueryHandle, target: number): void {
  if (queries.queryCounter(context, unwrap(query), target)) endedIn.set(unwrap(query), currentEpoch());
}

export function getQuery({ context }: Face, target: number, pname: number): QueryHandle | number | null {
  const value = queries.getQuery(context, target, pname) ?? null;
  return typeof value === 'number' ? value : (handleOf(value) as QueryHandle | null);
}

export function getQueryParameter({ context }: Face, query: QueryHandle, pname: number): number | boolean | null {
  const object = unwrap(query);
  const isHidden = !object.active && object.pipeQuery !== null && endedIn.get(object) === currentEpoch();
  if (isHidden && pname === GL.QUERY_RESULT_AVAILABLE) return false;
  if (isHidden && pname === GL.QUERY_RESULT) return 0;
  return queries.getQueryParameter(context, object, pname) ?? null;
}
