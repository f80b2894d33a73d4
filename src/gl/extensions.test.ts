import { describe, expect, it } from 'vitest';
import { etnavivBackend } from '../../backends/etnaviv/backend.ts';
import { nullBackend } from '../../backends/null/screen.ts';
import { softBackend } from '../../backends/soft/screen.ts';
import { BIND } from '../pipe/defines.ts';
import type { Backend } from '../pipe/screen.ts';
import { EXTENSIONS, type ExtensionName, supportedExtensions, webglName } from './extensions.ts';
import { internalFormatRows } from './gl-formats.table.ts';
import { chooseStorage, type FormatRules, isColorRow, requirementHolds } from './gl-formats.ts';

const BACKENDS: readonly [string, Backend][] = [
  ['soft', softBackend],
  ['null', nullBackend],
  ...['gc2000', 'gc3000', 'gc7000'].map((name): [string, Backend] => [name, etnavivBackend(name)]),
];

const names = Object.keys(EXTENSIONS) as ExtensionName[];

describe('extensions', () => {
  it.each(BACKENDS)('make no format legal that %s cannot store and draw to', (_name, backend) => {
    const screen = backend.createScreen({});
    for (const version of [2, 3] as const)
      for (const webgl of [false, true]) {
        if (version > screen.caps.glesVersion) continue;
        const extensions = supportedExtensions(screen, version, webgl);
        const rules: FormatRules = { version, rules: { webgl }, extensions };
        const core: FormatRules = { ...rules, extensions: new Set() };
        const isNew = (requirement: string): boolean =>
          requirementHolds(rules, requirement) && !requirementHolds(core, requirement);
        for (const row of internalFormatRows) {
          const isTexture = isNew(row.texture);
          const isDrawnTo = isNew(row.render);
          if (!isTexture && !isDrawnTo) continue;
          const choice = chooseStorage(screen, row, 'texture2D', 1, isTexture ? 'texture' : 'renderbuffer');
          expect(choice, `${row.name} in ${version} webgl=${webgl}`).not.toBeNull();
          const bind = isColorRow(row) ? BIND.RENDER_TARGET : BIND.DEPTH_STENCIL;
          if (isDrawnTo) expect(choice!.bind & bind, `${row.name} in ${version} webgl=${webgl}`).not.toBe(0);
        }
      }
    screen.destroy();
  });

  it('go by one name in a version', () => {
    for (const version of [2, 3] as const) {
      const offered = names.filter((name) => (EXTENSIONS[name].webglVersions as readonly number[]).includes(version));
      const inWebgl = offered.map((name) => webglName(name, version));
      expect(new Set(inWebgl).size).toBe(inWebgl.length);
      expect(inWebgl).not.toContain('');
    }
  });

  it('stand in docs/extensions.md as in the table', async () => {
    const cell = (isThere: boolean): string => (isThere ? '✓' : ' ');
    const rows = names
      .flatMap((name) => {
        const { gles, glesVersions, webglVersions } = EXTENSIONS[name] as {
          gles: readonly string[];
          glesVersions: readonly number[];
          webglVersions: readonly number[];
        };
        const entries = new Map<string, { webgl: number[]; gles: readonly number[] }>();
        for (const text of gles) entries.set(text, { webgl: [], gles: glesVersions });
        for (const version of [2, 3] as const) {
          if (!webglVersions.includes(version)) continue;
          const text = webglName(name, version);
          const entry = entries.get(text) ?? { webgl: [], gles: [] };
          entry.webgl.push(version);
          entries.set(text, entry);
        }
        return [...entries];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const width = Math.max(...rows.map(([name]) => name.length));
    const table = rows.map(
      ([name, { webgl, gles }]) =>
        `| ${name.padEnd(width)} |    ${cell(webgl.includes(2))}    |    ${cell(webgl.includes(3))}    |   ${cell(gles.includes(2))}    |   ${cell(gles.includes(3))}    |`,
    );
    const text = [
      '# Extensions by API version',
      '',
      'Written by `src/gl/extensions.test.ts` from the table in `src/gl/extensions.ts` (`npx vitest run src/gl/extensions.test.ts -u` writes it',
      'anew). The `soft` backend has all of them; what another backend needs for one stands in its row of the table.',
      '',
      `| ${'extension'.padEnd(width)} | WebGL 1 | WebGL 2 | GLES 2 | GLES 3 |`,
      `| ${'-'.repeat(width)} | :-----: | :-----: | :----: | :----: |`,
      ...table,
      '',
    ].join('\n');
    await expect(text).toMatchFileSnapshot('../../docs/extensions.md');
  });

  it('are all had by soft', () => {
    const screen = softBackend.createScreen({});
    for (const webgl of [false, true])
      for (const version of [2, 3] as const) {
        const supported = supportedExtensions(screen, version, webgl);
        for (const name of names) {
          const versions: readonly number[] = EXTENSIONS[name][webgl ? 'webglVersions' : 'glesVersions'];
          expect(supported.has(name), name).toBe(versions.includes(version));
        }
      }
    screen.destroy();
  });
});
