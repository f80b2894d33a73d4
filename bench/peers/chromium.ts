// Chromium, headless, through playwright-core (not installed with us): with SwiftShader, and with ANGLE on Mesa's llvmpipe.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONTEXT_ATTRIBUTES } from '../context-attributes.ts';
import { generatedData } from '../generated-data.ts';
import { openGlmarkData } from '../glmark-data.ts';
import { type MicroResult, partScenes } from '../micro.ts';
import type { PageRequest } from '../page.ts';
import type { EntryResult, FrameEnd } from '../run-entry.ts';
import { startPageServer } from './page-server.ts';
import {
  findProgram,
  lastLines,
  type MicroRequest,
  missingDisplay,
  type Peer,
  type PeerResult,
  runProgram,
  toPeerResult,
} from './peer.ts';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
const ARGUMENTS = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu-watchdog',
  '--ignore-gpu-blocklist',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** The part of playwright-core that is used here. */
interface Playwright {
  readonly chromium: {
    launchPersistentContext(folder: string, options: object): Promise<BrowserContext>;
  };
}
interface BrowserContext {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  goto(address: string): Promise<unknown>;
  evaluate<Result>(expression: string): Promise<Result>;
}

const fromHere = () => createRequire(join(process.cwd(), 'from-here.js'));

function findChromium(): string | null {
  const named = process.env['INDIUM_CHROMIUM'];
  if (named) return existsSync(named) ? named : null;
  return PROGRAMS.map(findProgram).find((path) => path !== null) ?? null;
}

/** Where the built package's `bench` is, or null when this runs from the sources. */
function builtRoot(): string | null {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  return existsSync(join(root, 'bench/page.js')) ? root : null;
}

/** Root needs Chromium without its sandbox. */
const sandbox = () => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);

export const chromium: Peer = {
  name: 'chromium',
  findMissing(mode) {
    if (!findChromium()) return 'no chromium found (INDIUM_CHROMIUM names one)';
    try {
      fromHere().resolve('playwright-core');
    } catch {
      return 'the package playwright-core is not installed here (npm install playwright-core)';
    }
    return mode === 'list' && !builtRoot() ? 'needs the built package (npm run build)' : null;
  },
  async runList({ entries, titles, width, height, glmarkData, frameEnd }) {
    const { chromium: browser } = fromHere()('playwright-core') as Playwright;
    const data = glmarkData ? openGlmarkData(glmarkData) : generatedData;
    const server = await startPageServer(builtRoot()!, data);
    const folder = mkdtempSync(join(tmpdir(), 'indium-bench-'));
    const context = await browser.launchPersistentContext(folder, {
      executablePath: findChromium(),
      headless: true,
      args: [...sandbox(), ...ARGUMENTS],
    });
    try {
      const page = await context.newPage();
      await page.goto(`${server.origin}/`);
      const results: PeerResult[] = [];
      for (const [index, entry] of entries.entries()) {
        const request: PageRequest = {
          entry,
          width,
          height,
          frameEnd: frameEnd as FrameEnd,
          served: glmarkData ? { models: data.models, textures: data.textures } : null,
          attributes: CONTEXT_ATTRIBUTES,
        };
        // As text: a function would come with what the compiler adds to its imports.
        const call = `import('/bench/page.js').then(({ runInPage }) => runInPage(${JSON.stringify(request)}))`;
        const { fps, grid, message } = await page.evaluate<EntryResult>(call);
        results.push({ title: titles[index]!, fps, grid, ...(message && { message }) });
      }
      return results;
    } finally {
      await context.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  runMicro: (request) => runMicroPages('swiftshader', request),
};

/** The same browser on the software renderer that headless-gl has, also for the WebGL 2 that headless-gl lacks. */
export const chromiumLlvmpipe: Peer = {
  name: 'chromium-llvmpipe',
  findMissing(mode) {
    if (mode === 'list') return 'it runs micro scenes only';
    return chromium.findMissing(mode) ?? missingDisplay();
  },
  runList: () => Promise.reject(new Error('chromium-llvmpipe runs micro scenes only')),
  runMicro: (request) => runMicroPages('gl-egl', request),
};

type Angle = 'swiftshader' | 'gl-egl';

/** The micro scenes' own runner knows pages of plain scenes and of three.js. */
async function runMicroPages(angle: Angle, request: MicroRequest): Promise<PeerResult[]> {
  const { micro, three } = partScenes(request.scenes);
  return [
    ...(micro.length > 0 ? await runMicroPage(angle, 'scenes', { ...request, scenes: micro }) : []),
    ...(three.length > 0 ? await runMicroPage(angle, 'three', { ...request, scenes: three }) : []),
  ];
}

async function runMicroPage(
  angle: Angle,
  page: 'scenes' | 'three',
  { folder, scenes, sizes, ms, warmMs }: MicroRequest,
): Promise<PeerResult[]> {
  const out = mkdtempSync(join(tmpdir(), 'indium-bench-'));
  try {
    const path = join(out, 'results.json');
    const command = [process.execPath, join(folder, 'run-chromium.mjs'), '--executable', findChromium()!];
    command.push('--angle', angle, '--page', page, '--out', path, '--scenes', scenes.join(','));
    command.push('--sizes', sizes, '--ms', String(ms), '--warm', String(warmMs));
    const { code, errors } = await runProgram(command, { needsDisplay: angle === 'gl-egl' });
    if (code !== 0) throw new Error(`chromium ended with ${code}: ${lastLines(errors)}`);
    return (JSON.parse(readFileSync(path, 'utf8')) as { results: MicroResult[] }).results.map(toPeerResult);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
