// Query objects: occlusion and transform feedback counts (ES 3.0.6 §2.14, §6.1.7), times (EXT_disjoint_timer_query).

import type { QueryType } from '../pipe/defines.ts';
import type { Query } from '../pipe/query.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { accepts, QUERY_TARGETS, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation } from './errors.ts';
import { exchange } from './gl-object.ts';
import { QueryObject } from './query-object.ts';

export function createQuery(context: Context): QueryObject {
  return context.track(new QueryObject());
}

type Slot = 'occlusionQuery' | 'feedbackQuery' | 'timeQuery';

/** Both occlusion targets share one slot. */
function slotOf(target: number): Slot {
  if (target === GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN) return 'feedbackQuery';
  return target === GL.TIME_ELAPSED_EXT ? 'timeQuery' : 'occlusionQuery';
}

function activeQuery(context: Context, target: number): QueryObject | null {
  return context[slotOf(target)];
}

function setActiveQuery(context: Context, target: number, query: QueryObject | null): void {
  const slot = slotOf(target);
  context[slot] = exchange(context, context[slot], query);
}

function startPipeQuery(context: Context, query: QueryObject, type: QueryType): Query {
  query.result = null;
  // A new pipe query each time: the old one's result may still be pending in a job.
  query.pipeQuery?.destroy();
  query.pipeQuery = context.pipe.createQuery(type, 0);
  return query.pipeQuery;
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
  context.pipe.beginQuery(startPipeQuery(context, query, toPipe(QUERY_TARGETS, target)));
  setActiveQuery(context, target, query);
}

/** Returns the query that ended; undefined after an error. */
export function endQuery(context: Context, target: number): QueryObject | undefined {
  const call = 'endQuery';
  if (!accepts(context, QUERY_TARGETS, target)) return invalidEnum(context, call, 'target', target);
  const query = activeQuery(context, target);
  if (query === null || query.target !== target)
    return invalidOperation(context, call, 'no query of this target is active');
  query.active = false;
  context.pipe.endQuery(query.pipeQuery!);
  setActiveQuery(context, target, null);
  return query;
}

/** The time at which all earlier work is done; never active, so it needs no slot. False after an error. */
export function queryCounter(context: Context, query: QueryObject, target: number): boolean {
  const call = 'queryCounter';
  if (target !== GL.TIMESTAMP_EXT || !hasTimes(context)) invalidEnum(context, call, 'target', target);
  else if (query.deleted) invalidOperation(context, call, 'the query is deleted');
  else if (query.target !== 0 && query.target !== target)
    invalidOperation(context, call, 'the query was used with another target before');
  else {
    query.target = target;
    context.pipe.endQuery(startPipeQuery(context, query, 'timestamp'));
    return true;
  }
  return false;
}

/** What TIMESTAMP_EXT is now, in nanoseconds. */
export function currentTimestamp(context: Context): number {
  const query = context.pipe.createQuery('timestamp', 0);
  context.pipe.endQuery(query);
  const time = context.pipe.getQueryResult(query, true) ?? 0;
  query.destroy();
  return time;
}

function hasTimes(context: Context): boolean {
  return context.isEnabled('EXT_disjoint_timer_query');
}

/** Deleting an active query ends it (ES 3.0.6 §2.14 leaves its result undefined, its name is free at once). */
export function deleteQuery(context: Context, query: QueryObject): void {
  if (query.deleted) return;
  if (query.active) endQuery(context, query.target);
  query.delete(context);
}

/** Results are JavaScript numbers: whole nanoseconds are exact to this many bits. */
const TIME_BITS = 53;

/** CURRENT_QUERY of a target, or QUERY_COUNTER_BITS_EXT of times; undefined after an error. */
export function getQuery(context: Context, target: number, pname: number): QueryObject | number | null | undefined {
  const isTimestamp = target === GL.TIMESTAMP_EXT && hasTimes(context);
  if (!isTimestamp && !accepts(context, QUERY_TARGETS, target))
    return invalidEnum(context, 'getQuery', 'target', target);
  if (pname === GL.QUERY_COUNTER_BITS_EXT && (isTimestamp || target === GL.TIME_ELAPSED_EXT)) return TIME_BITS;
  if (pname !== GL.CURRENT_QUERY) return invalidEnum(context, 'getQuery', 'pname', pname);
  if (isTimestamp) return null;
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
  const isBoolean = query.target === GL.ANY_SAMPLES_PASSED || query.target === GL.ANY_SAMPLES_PASSED_CONSERVATIVE;
  return isBoolean ? Math.min(result, 1) : result;
}
