// `indium info`: what a backend is and can do.

import { openBackend } from '../../open-backend.ts';
import { writeJson } from '../files.ts';

export interface InfoOptions {
  readonly backend?: string;
  readonly json?: string;
  /** Only the names by which a test farm knows the machine. */
  readonly tags?: boolean;
}

export async function info(options: InfoOptions): Promise<number> {
  const backend = await openBackend(options.backend);
  const screen = backend.createScreen({});
  const { name, renderer, caps } = screen;
  if (options.tags) {
    for (const tag of screen.tags ?? [name]) console.log(tag);
    screen.destroy();
    return 0;
  }
  console.log(`${name}: ${renderer}`);
  for (const line of screen.describe?.() ?? []) console.log(`  ${line}`);
  for (const [cap, value] of Object.entries(caps)) console.log(`  ${cap.padEnd(36)} ${inWords(value)}`);
  if (options.json) {
    writeJson(options.json, {
      summary: { passed: 1, failed: 0, skipped: 0 },
      name,
      renderer,
      tags: screen.tags ?? [],
      caps,
    });
  }
  screen.destroy();
  return 0;
}

/** Lists with commas, switches of an object as their names. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, setting]) => (setting === true ? name : `${name}: ${inWords(setting)}`))
    .join(', ');
}
