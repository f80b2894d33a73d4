// WebGLContextAttributes: conversion of what was asked for (WebGL 1 §5.2), and what a context answers.

/** Everything asked for, with the specification's defaults filled in. */
export interface RequestedAttributes {
  readonly alpha: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
  readonly antialias: boolean;
  readonly premultipliedAlpha: boolean;
  readonly preserveDrawingBuffer: boolean;
  readonly powerPreference: WebGLPowerPreference;
  readonly failIfMajorPerformanceCaveat: boolean;
  readonly desynchronized: boolean;
  readonly xrCompatible: boolean;
}

const DEFAULTS: RequestedAttributes = {
  alpha: true,
  depth: true,
  stencil: false,
  antialias: true,
  premultipliedAlpha: true,
  preserveDrawingBuffer: false,
  powerPreference: 'default',
  failIfMajorPerformanceCaveat: false,
  desynchronized: false,
  xrCompatible: false,
};

const POWER_PREFERENCES: readonly string[] = ['default', 'low-power', 'high-performance'];

/** The dictionary conversion of WebIDL: a TypeError for what is no object, and for unknown enumeration values. */
export function convertAttributes(value: unknown): RequestedAttributes {
  if (value === undefined || value === null) return DEFAULTS;
  if (typeof value !== 'object' && typeof value !== 'function')
    throw new TypeError('the context attributes are not an object');
  const given = value as Record<string, unknown>;
  const result: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, fallback] of Object.entries(DEFAULTS)) {
    const member = given[name];
    if (member === undefined) continue;
    if (typeof fallback === 'boolean') result[name] = Boolean(member);
    else if (POWER_PREFERENCES.includes(String(member))) result[name] = String(member);
    else throw new TypeError(`'${String(member)}' is no value of ${name}`);
  }
  return result as unknown as RequestedAttributes;
}

/** What the context has in fact: `antialias` only when there are samples. */
export function actualAttributes(requested: RequestedAttributes, samples: number): WebGLContextAttributes {
  return { ...requested, antialias: samples > 1, desynchronized: false, xrCompatible: false };
}
