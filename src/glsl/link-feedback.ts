// Transform feedback: resolves the captured names and lays them out in buffers (OpenGL ES 3.0.6 §2.12.8).
// SPDX-License-Identifier: MIT
import type { CheckedShader } from './ast.ts';
import { forEachPart, glInfoOf, type NamedPart } from './link-names.ts';
import type { FeedbackLayout, FeedbackPiece, FeedbackVarying, LinkOptions } from './link-result.ts';
import type { VectorSlot } from './lower-context.ts';
import { FLOAT, VEC4 } from './types.ts';

/** A part of an output together with its vectors' slots. */
interface Capturable {
  readonly part: NamedPart;
  readonly slots: readonly VectorSlot[];
}

const BUILTIN_OUTPUTS = [
  { name: 'gl_Position', type: VEC4, slot: 'position' },
  { name: 'gl_PointSize', type: FLOAT, slot: 'pointSize' },
] as const;

/** `name`, `name[2]`, `name[2].member` → name. */
export function baseName(name: string): string {
  return /^[^.[]*/.exec(name)![0];
}

export function linkFeedback(
  vertex: CheckedShader,
  slots: ReadonlyMap<string, readonly VectorSlot[]>,
  options: LinkOptions,
  errors: string[],
): FeedbackLayout | undefined {
  const names = options.transformFeedbackVaryings ?? [];
  if (names.length === 0) return undefined;
  const mode = options.transformFeedbackMode ?? 'interleaved';
  const parts = capturableParts(vertex, slots);
  const varyings: FeedbackVarying[] = [];
  const strideWords: number[] = [];
  const seen = new Set<string>();
  let offsetWords = 0;
  for (const name of names) {
    const buffer = mode === 'separate' ? varyings.length : 0;
    if (mode === 'separate') offsetWords = 0;
    const varying = seen.has(name) ? undefined : capture(parts, name, buffer, offsetWords);
    if (varying === undefined) {
      const problem = seen.has(name) ? 'is captured twice' : 'is not an output of the vertex shader';
      errors.push(`Transform feedback varying '${name}' ${problem}.`);
      continue;
    }
    seen.add(name);
    varyings.push(varying);
    const words = varying.pieces.reduce((sum, piece) => sum + piece.componentCount, 0);
    offsetWords += words;
    strideWords[buffer] = offsetWords;
  }
  checkOverlap(names, seen, errors);
  checkLimits(mode, strideWords, varyings.length, options, errors);
  return { mode, varyings, strideWords };
}

/** An array and one of its elements may not both be captured. */
function checkOverlap(names: readonly string[], seen: ReadonlySet<string>, errors: string[]): void {
  for (const name of names) {
    const whole = /^(.*)\[\d+\]$/.exec(name)?.[1];
    if (whole !== undefined && seen.has(whole)) {
      errors.push(`Transform feedback varying '${name}' is captured twice: '${whole}' contains it.`);
    }
  }
}

function checkLimits(
  mode: FeedbackLayout['mode'],
  strideWords: readonly number[],
  count: number,
  { limits }: LinkOptions,
  errors: string[],
): void {
  if (mode === 'interleaved') {
    const words = strideWords[0] ?? 0;
    if (words > limits.maxTransformFeedbackInterleavedComponents) {
      errors.push(`Transform feedback captures ${words} components in one buffer, which is too many.`);
    }
    return;
  }
  if (count > limits.maxTransformFeedbackSeparateAttribs) {
    errors.push(`Transform feedback captures ${count} varyings in separate buffers, which is too many.`);
  }
  if (strideWords.some((words) => words > limits.maxTransformFeedbackSeparateComponents)) {
    errors.push('A varying captured by transform feedback has too many components.');
  }
}

function capturableParts(
  vertex: CheckedShader,
  slots: ReadonlyMap<string, readonly VectorSlot[]>,
): Map<string, Capturable> {
  const result = new Map<string, Capturable>();
  for (const symbol of vertex.globals) {
    const own = symbol.storage === 'out' ? slots.get(symbol.name) : undefined;
    if (own === undefined) continue;
    let next = 0;
    forEachPart(symbol.type, symbol.name, (part) => {
      const count = part.size * glInfoOf(part.type).columns;
      result.set(part.name, { part, slots: own.slice(next, next + count) });
      next += count;
    });
  }
  // The built-in outputs exist whether or not the shader names them.
  for (const { name, type, slot } of BUILTIN_OUTPUTS) {
    forEachPart(type, name, (part) => result.set(name, { part, slots: [{ slot, component: 0 }] }));
  }
  return result;
}

function capture(
  parts: ReadonlyMap<string, Capturable>,
  name: string,
  buffer: number,
  offsetWords: number,
): FeedbackVarying | undefined {
  let capturable = parts.get(name);
  let size = capturable?.part.size ?? 0;
  if (capturable === undefined) {
    const element = /^(.*)\[(\d+)\]$/.exec(name);
    const whole = element === null ? undefined : parts.get(element[1]);
    if (element === null || whole === undefined || !whole.part.isArray || Number(element[2]) >= whole.part.size) {
      return undefined;
    }
    const columns = glInfoOf(whole.part.type).columns;
    const first = Number(element[2]) * columns;
    capturable = { part: whole.part, slots: whole.slots.slice(first, first + columns) };
    size = 1;
  }
  const info = glInfoOf(capturable.part.type);
  const pieces = capturable.slots.map(
    ({ slot, component }, i): FeedbackPiece => ({
      slot,
      firstComponent: component,
      componentCount: info.rows,
      offsetWords: offsetWords + i * info.rows,
    }),
  );
  return { name, type: info.enum, size, buffer, offsetWords, pieces };
}
