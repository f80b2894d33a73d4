// Serves the built bench, and glmark2's data in a form a page can use, to a browser on this machine.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import type { BenchData } from '../scene.ts';

export interface PageServer {
  readonly origin: string;
  close(): void;
}

/** Typed arrays as objects that the page turns back. */
function modelJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Float32Array) return { floats: Array.from(part) };
    if (part instanceof Uint32Array) return { indices: Array.from(part) };
    return part instanceof Uint16Array ? { shorts: Array.from(part) } : part;
  });
}

function dataFile(data: BenchData, kind: string, name: string): Buffer | string {
  if (kind === 'shaders') return data.shader(name);
  if (kind === 'models') return modelJson(data.model(name));
  const { width, height, channels, data: pixels } = data.texture(name);
  const head = Buffer.alloc(12);
  for (const [at, value] of [width, height, channels].entries()) head.writeUInt32LE(value, at * 4);
  return Buffer.concat([head, pixels]);
}

/** `root`: the folder whose `bench/page.js` the page loads. */
export async function startPageServer(root: string, data: BenchData): Promise<PageServer> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://page').pathname));
    // Isolation gives the page a fine clock.
    const headers = {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cache-Control': 'no-store',
    };
    const answer = (status: number, type: string, body: string | Buffer = '') =>
      response.writeHead(status, { ...headers, 'Content-Type': type }).end(body);
    try {
      if (path === '/') return answer(200, 'text/html', '<!doctype html><title>bench</title>');
      const [, folder, kind, name] = path.split('/');
      if (folder === 'data' && kind && name) return answer(200, 'application/octet-stream', dataFile(data, kind, name));
      const file = join(root, path);
      if (!path.endsWith('.js') || !existsSync(file)) return answer(404, 'text/plain');
      return answer(200, 'text/javascript', readFileSync(file));
    } catch (error) {
      return answer(500, 'text/plain', (error as Error).message);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
