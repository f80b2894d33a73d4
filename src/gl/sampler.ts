// Calls on sampler objects: create, delete, bind, set and get parameters (ES 3.0.6 §3.8.2).

import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidValue } from './errors.ts';
import { exchange } from './gl-object.ts';
import { Sampler } from './sampler-object.ts';
import { getSamplingParameter, isSamplingParameter, setSamplingParameter } from './sampler-state.ts';

export function createSampler(context: Context): Sampler {
  return context.track(new Sampler());
}

/** Unbinds it from every unit first (ES 3.0.6 §3.8.2). */
export function deleteSampler(context: Context, sampler: Sampler): void {
  if (sampler.deleted) return;
  for (const unit of context.textureUnits) {
    if (unit.sampler !== sampler) continue;
    unit.sampler = exchange<Sampler | null>(context, unit.sampler, null);
    context.dirty |= DIRTY.TEXTURES;
  }
  sampler.delete(context);
}

/** `unit` is an index, not a TEXTUREi enum. */
export function bindSampler(context: Context, unit: number, sampler: Sampler | null): void {
  const slot = context.textureUnits[unit];
  if (!slot) return invalidValue(context, 'bindSampler', `unit ${unit} is not below ${context.textureUnits.length}`);
  if (slot.sampler === sampler) return;
  slot.sampler = exchange(context, slot.sampler, sampler);
  context.dirty |= DIRTY.TEXTURES;
}

/** samplerParameter{i,f}[v]: vectors have one element for every parameter. */
export function samplerParameter(context: Context, call: string, sampler: Sampler, pname: number, value: number): void {
  if (setSamplingParameter(context, call, sampler.sampling, pname, value)) context.dirty |= DIRTY.TEXTURES;
}

/** Undefined after an error. */
export function getSamplerParameter(
  context: Context,
  call: string,
  sampler: Sampler,
  pname: number,
): number | undefined {
  if (!isSamplingParameter(context, pname)) return invalidEnum(context, call, 'pname', pname);
  return getSamplingParameter(context, sampler.sampling, pname);
}
