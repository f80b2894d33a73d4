// Opens `etnaviv:<core>`: the driver over the simulated GPU (`sim`) or the Linux device (`drm`).

import type { Backend } from '../../src/pipe/pipe.ts';
import { EtnavivScreen, type EtnavivScreenOptions } from './driver/screen.ts';
import { coreInfo, coreNamed } from './hwdb/core-info.ts';
import { CORES } from './hwdb/cores.table.ts';
import { identifyCore } from './hwdb/identify.ts';
import { SimWinsys } from './winsys/sim.ts';

/** The backend of a core by its name, simulated. Throws when no such core is known. */
export function etnavivBackend(coreName: string, screenOptions: EtnavivScreenOptions = {}): Backend {
  const row = coreNamed(coreName);
  if (!row) {
    const names = CORES.map(({ name }) => name).join(', ');
    throw new Error(`etnaviv: no core is named '${coreName}'; known: ${names}`);
  }
  return {
    name: `etnaviv:${coreName}`,
    createScreen: (options) => {
      const { identity, limits, featureWords } = coreInfo(row);
      const found = identifyCore({ identity, limits, featureWords }, globalThis.process?.env ?? {});
      const notice = (text: string) => console.warn(`indium: etnaviv: ${text}`);
      for (const text of found.notices) notice(text);
      return new EtnavivScreen(
        new SimWinsys(found.core, found.notices, notice, options.memoryLimitBytes),
        screenOptions,
      );
    },
  };
}
