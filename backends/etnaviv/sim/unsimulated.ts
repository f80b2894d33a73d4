// States that change pictures and that the simulator does not act on: told once, by name.

import type { CoreFacts } from '../hwdb/derived.ts';
import { REGISTERS } from '../registers/registers.ts';
import type { GpuState } from './state.ts';
import type { Targets } from './targets.ts';

const R = REGISTERS;
const NO_DITHER = 0xffffffff;

/** Formats in which dithering shows. */
function isCoarse(format: string): boolean {
  return /B5G|B4G/.test(format);
}

/** What the draw's state asks for in vain. */
export function unsimulatedStates(state: GpuState, facts: CoreFacts, { colors, samples }: Targets): string[] {
  const notices: string[] = [];
  const tell = (isOn: boolean, text: string) => {
    if (isOn) notices.push(`not simulated: ${text}`);
  };
  const dithers = state.word(R.PE_DITHER, 0) !== NO_DITHER && state.word(R.PE_DITHER, 0) !== 0;
  tell(dithers && colors.some((color) => color !== null && isCoarse(color.format)), 'PE_DITHER (dithering)');
  tell(state.field(R.PE_DEPTH_CONFIG, 'DEPTH_MODE') === 2, 'PE_DEPTH_CONFIG.DEPTH_MODE = W (depth by w)');
  tell(samples > 1 && state.field(R.PS_MSAA_CONFIG, 'SAMPLE_COVERAGE') !== 0, 'PS_MSAA_CONFIG.SAMPLE_COVERAGE');
  if (facts.halti < 5) return notices;
  for (let target = 1; target < colors.length; target++) {
    const place = target - 1;
    tell(state.field(R.PE_HALTI5_RT_ALPHA_OP, 'ALPHA_TEST', place) !== 0, `PE_HALTI5_RT_ALPHA_OP[${place}].ALPHA_TEST`);
  }
  return notices;
}

/** States whose mere writing asks for a unit that does not exist here, by address. */
export const UNSIMULATED_UNITS: ReadonlyMap<number, string> = new Map([
  [R.TFB_COMMAND.address, 'not simulated: TFB_COMMAND (transform feedback)'],
  [R.TFB_QUERY_COMMAND.address, 'not simulated: TFB_QUERY_COMMAND (counts of primitives)'],
]);
