// Query objects: occlusion and transform feedback counts (ES 3.0.6 §2.14, §6.1.7).

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { accepts, QUERY_TARGETS, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation } from './errors.ts';
import { exchange } from './gl-object.ts';
import { QueryObject } from './query-object.ts';

export function createQuery(context: Context): QueryObject {
  return context.track(new QueryObject());
}

/** Both occlusion targets share one slot. */
function activeQuery(context: Context, target: number): QueryObject | null {
  return target === GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN ? context.feedbackQuery : context.occlusionQuery;
}

function setActiveQuery(context: Context, target: number, query: QueryObject | null): void {
  if (target === GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN)
    context.feedbackQuery = exchange(context, context.feedbackQuery, query);
  else context.occlusionQuery = exchange(context, context.occlusionQuery, query);
}

export function beginQuery(context: Context, target: number, query: QueryObject): void {
  const call = 'beginQuery';
  if (!accepts(context, QUERY_TARGETS, target)) return invalidEnum(context, call, 'target', target);
  if (activeQuery(context, target) !== null)
    return invalidOperation(context, call, 'a query of this kind is active already');
  if (query.active) return invalidOperation(context, call, 'the query is active for another target');
  if (query.target !== 0 && query.target !== target)
    return invalidOperation(context, call, 'the query was used with another target before');
  if (query.deleted) return invalidOperation(context, call, 'the query is deleted');
  query.target = target;
  query.active = true;
  query.result = null;
  // A new pipe query each time: the old one's result may still be pending in a job.
  query.pipeQuery?.destroy();
  query.pipeQuery = context.pipe.createQuery(toPipe(QUERY_TARGETS, target), 0);
  context.pipe.beginQuery(query.pipeQuery);
  setActiveQuery(context, target, query);
}

export function endQuery(context: Context, target: number): void {
  const call = 'endQuery';
  if (!accepts(context, QUERY_TARGETS, target)) return invalidEnum(context, call, 'target', target);
  const query = activeQuery(context, target);
  if (query === null || query.target !== target)
    return invalidOperation(context, call, 'no query of this target is active');
  query.active = false;
  context.pipe.endQuery(query.pipeQuery!);
  setActiveQuery(context, target, null);
}

/** Deleting an active query ends it (ES 3.0.6 §2.14 leaves its result undefined, its name is free at once). */
export function deleteQuery(context: Context, query: QueryObject): void {
  if (query.deleted) return;
  if (query.active) endQuery(context, query.target);
  query.delete(context);
}

/** CURRENT_QUERY of a target; undefined after an error. */
export function getQuery(context: Context, target: number, pname: number): QueryObject | null | undefined {
  if (!accepts(context, QUERY_TARGETS, target)) return invalidEnum(context, 'getQuery', 'target', target);
  if (pname !== GL.CURRENT_QUERY) return invalidEnum(context, 'getQuery', 'pname', pname);
  const query = activeQuery(context, target);
  return query?.target === target ? query : null;
}

/** QUERY_RESULT waits; QUERY_RESULT_AVAILABLE tells the truth of now. WebGL's latching until the next task is the face's. */
export function getQueryParameter(context: Context, query: QueryObject, pname: number): number | boolean | undefined {
  const call = 'getQueryParameter';
  if (pname !== GL.QUERY_RESULT && pname !== GL.QUERY_RESULT_AVAILABLE)
    return invalidEnum(context, call, 'pname', pname);
  if (query.active) return invalidOperation(context, call, 'the query is active');
  if (query.pipeQuery === null) return invalidOperation(context, call, 'the query was never used');
  query.result ??= context.pipe.getQueryResult(query.pipeQuery, pname === GL.QUERY_RESULT);
  if (pname === GL.QUERY_RESULT_AVAILABLE) return query.result !== null;
  const result = query.result ?? 0;
  return query.target === GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN ? result : Math.min(result, 1);
}
