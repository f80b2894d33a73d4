// Opens `etnaviv:<core>`, the driver over a simulated GPU, and `etnaviv:drm`, the driver over the Linux device.

import type { Backend } from '../../src/pipe/pipe.ts';
import { EtnavivScreen, type EtnavivScreenOptions } from './driver/screen.ts';
import { coreInfo, coreNamed } from './hwdb/core-info.ts';
import { CORES } from './hwdb/cores.table.ts';
import { identifyCore } from './hwdb/identify.ts';
import { SimWinsys } from './winsys/sim.ts';

const environment = () => globalThis.process?.env ?? {};
const notice = (text: string) => console.warn(`indium: etnaviv: ${text}`);

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
      const found = identifyCore({ identity, limits, featureWords }, environment());
      for (const text of found.notices) notice(text);
      return new EtnavivScreen(
        new SimWinsys(found.core, found.notices, notice, options.memoryLimitBytes),
        screenOptions,
      );
    },
  };
}

/** The backend of the GPU of this machine. Rejects with the reason when there is none that can be used. */
export async function etnavivDeviceBackend(screenOptions: EtnavivScreenOptions = {}): Promise<Backend> {
  // Why only now: the simulated GPUs also live where there is no Node.
  const [{ openDrmWinsys }, { loadLibc }] = await Promise.all([
    import('./winsys/drm/drm.ts'),
    import('./winsys/drm/libc.ts'),
  ]);
  const libc = await loadLibc();
  // Whoever asks for the backend shall hear what is wrong, not the first context.
  openDrmWinsys(libc, environment()).destroy();
  return {
    name: 'etnaviv:drm',
    createScreen: ({ memoryLimitBytes }) => {
      const winsys = openDrmWinsys(libc, environment(), memoryLimitBytes);
      for (const text of winsys.notices) notice(text);
      return new EtnavivScreen(winsys, screenOptions);
    },
  };
}
