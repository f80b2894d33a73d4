// Where contexts come from: Indium on a backend, or an adapter module of another implementation.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext } from '../src/index.ts';
import type { Backend } from '../src/pipe/pipe.ts';
import { CONTEXT_ATTRIBUTES } from './context-attributes.ts';
import type { Gl } from './scene.ts';

export interface ContextSource {
  readonly name: string;
  open(width: number, height: number): Promise<{ readonly gl: Gl; close(): Promise<void> }>;
}

export type Api = 'webgl' | 'webgl2';

export function indiumContexts(backend: Backend, api: Api): ContextSource {
  return {
    name: `indium ${backend.name}`,
    async open(width, height) {
      const options = { ...CONTEXT_ATTRIBUTES, backend };
      const gl =
        api === 'webgl2'
          ? createContext(width, height, { ...options, api: 'webgl2' })
          : createContext(width, height, { ...options, api: 'webgl' });
      return { gl, close: async () => gl.dispose() };
    },
  };
}

interface Adapter {
  readonly name?: string;
  createContext(
    width: number,
    height: number,
    options: { webgl: 1 | 2; attrs: object },
  ): Promise<Gl | null> | Gl | null;
  destroyContext?(gl: Gl): Promise<void> | void;
}

/** Contexts of an adapter module. Without WebGL 2 it gives version 1, unless the version is said to be needed. */
export async function adapterContexts(path: string, api: Api, needsVersion = false): Promise<ContextSource> {
  const adapter = (await import(pathToFileURL(resolve(path)).href)) as Adapter;
  const wanted = api === 'webgl2' ? 2 : 1;
  const versions: readonly (1 | 2)[] = wanted === 2 && !needsVersion ? [2, 1] : [wanted];
  return {
    name: adapter.name ?? path,
    async open(width, height) {
      for (const webgl of versions) {
        const gl = await adapter.createContext(width, height, { webgl, attrs: CONTEXT_ATTRIBUTES });
        if (gl) return { gl, close: async () => adapter.destroyContext?.(gl) };
      }
      throw new Error(`${adapter.name ?? path} gives no context of WebGL ${wanted}, ${width}x${height}`);
    },
  };
}
