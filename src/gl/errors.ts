// The GL error model: one sticky flag a code, and a message in words for whoever listens.

import { enumName, GL } from './constants.ts';
import type { Context } from './context.ts';

/** One reported GL error, or a driver warning (code 0). */
export interface DebugMessage {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

/**
 * Records a GL error (ES 3.0.6 §2.5). Each code has its own flag, so a second INVALID_ENUM before getError adds nothing to the flags,
 * but every message reaches the debug sink. Returns undefined so that a caller may write `return recordError(…)`.
 */
export function recordError(context: Context, code: number, message: string): undefined {
  if (!context.pendingErrors.includes(code)) context.pendingErrors.push(code);
  context.debugSink?.({ code, name: enumName(code), message });
  return undefined;
}

export function invalidEnum(context: Context, call: string, parameter: string, value: number): undefined {
  return recordError(context, GL.INVALID_ENUM, `${call}: ${parameter} ${enumName(value)} is not accepted`);
}

export function invalidValue(context: Context, call: string, reason: string): undefined {
  return recordError(context, GL.INVALID_VALUE, `${call}: ${reason}`);
}

export function invalidOperation(context: Context, call: string, reason: string): undefined {
  return recordError(context, GL.INVALID_OPERATION, `${call}: ${reason}`);
}

export function outOfMemory(context: Context, call: string, reason: string): undefined {
  return recordError(context, GL.OUT_OF_MEMORY, `${call}: ${reason}`);
}

/** A remark that is no GL error: an unusual but legal use, a slow path. */
export function warn(context: Context, message: string): void {
  context.debugSink?.({ code: 0, name: 'WARNING', message });
}

/** glGetError: the oldest pending flag, cleared; NO_ERROR when none is set. A lost context is told by the face. */
export function getError(context: Context): number {
  return context.pendingErrors.shift() ?? GL.NO_ERROR;
}
