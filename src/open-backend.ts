// Opens a backend by the string that users write: `soft`, `soft:threads=1`, `null`…

import { softBackend } from '../backends/soft/screen.ts';
import { BackendNameError, BackendUnavailableError } from './backend-name-error.ts';
import type { Backend, Screen, ScreenOptions } from './pipe/pipe.ts';

interface BackendEntry {
  readonly help: string;
  /** `device`: the first word behind the name, for backends that have more than one. */
  readonly load: (device: string) => Promise<Backend>;
  /** The device that is meant when none is named. */
  readonly device?: string;
}

/** Names and how to get the backend; all but soft load when they are opened. */
const BACKENDS: Readonly<Record<string, BackendEntry>> = {
  soft: { help: 'software rasteriser (WebAssembly SIMD)', load: async () => softBackend },
  null: {
    help: 'accepts every call, draws nothing',
    load: async () => (await import('../backends/null/screen.ts')).nullBackend,
  },
  etnaviv: {
    help: 'Vivante GPUs: simulated (etnaviv:gc2000, etnaviv:gc3000, etnaviv:gc7000…) or of this machine (etnaviv:drm)',
    load: async (device) => {
      const { etnavivBackend, etnavivDeviceBackend } = await import('../backends/etnaviv/backend.ts');
      return device === 'drm' ? etnavivDeviceBackend() : etnavivBackend(device);
    },
    device: 'gc2000',
  },
};

/** Each backend that can be opened, with a line of help. */
export function listBackends(): { name: string; help: string }[] {
  return Object.entries(BACKENDS).map(([name, { help }]) => ({ name, help }));
}

/** Backends that `openBackend` has opened, by their string. */
const opened = new Map<string, Backend>([['soft', softBackend]]);

/** A backend with options of its string in force. */
function withOptions(backend: Backend, text: string, options: ScreenOptions): Backend {
  return {
    name: text,
    createScreen: (more): Screen => {
      try {
        return backend.createScreen({ ...options, ...more });
      } catch (error) {
        return explainSetting(error, text);
      }
    },
  };
}

function parseOptions(text: string, words: readonly string[]): ScreenOptions {
  let options: ScreenOptions = {};
  for (const word of words) {
    const match = /^threads=([1-9]\d*)$/.exec(word);
    if (!match) throw new BackendNameError(`backend '${text}': cannot read option '${word}'; known: threads=N, from 1`);
    options = { ...options, threads: Number(match[1]) };
  }
  return options;
}

function explainSetting(error: unknown, text: string): never {
  const { name, message } = error as Error;
  if (name === 'SettingError') throw new BackendNameError(`backend '${text}': ${message}`, { cause: error });
  throw error;
}

/** What is wrong with a name or a machine is told as such; other errors stay what they are. */
function explain(error: unknown, text: string): never {
  const { name, message } = error as Error;
  if (name === 'DeviceError') throw new BackendUnavailableError(`backend '${text}': ${message}`, { cause: error });
  if (name === 'Error') throw new BackendNameError(`backend '${text}': ${message}`, { cause: error });
  return explainSetting(error, text);
}

/**
 * Opens the backend that `text` names; without argument the one in `INDIUM_BACKEND`, or soft.
 * Rejects with the list of backends when there is none of that name.
 */
export async function openBackend(text: string = defaultBackendName()): Promise<Backend> {
  const known = opened.get(text);
  if (known) return known;
  const [name, ...words] = String(text).split(/[:,]/);
  const entry = Object.hasOwn(BACKENDS, name!) ? BACKENDS[name!] : undefined;
  if (!entry) throw new BackendNameError(`no backend '${text}'; there are: ${Object.keys(BACKENDS).join(', ')}`);
  const device = entry.device === undefined ? '' : (words.shift() ?? entry.device);
  const options = parseOptions(text, words);
  const backend = withOptions(await entry.load(device).catch((error) => explain(error, text)), text, options);
  opened.set(text, backend);
  return backend;
}

export function defaultBackendName(): string {
  return globalThis.process?.env['INDIUM_BACKEND'] || 'soft';
}

/** The backend that `INDIUM_BACKEND` names, for callers that can't wait. Throws when it has not been opened yet. */
export function defaultBackend(): Backend {
  const name = defaultBackendName();
  const backend = opened.get(name);
  if (!backend) throw new Error(`INDIUM_BACKEND is '${name}', which is not open yet: call await openBackend() first`);
  return backend;
}
