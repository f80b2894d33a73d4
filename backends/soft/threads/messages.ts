// What the main thread posts to workers.

export type WorkerMessage =
  | { readonly kind: 'screen'; readonly id: number; readonly memory: WebAssembly.Memory }
  | { readonly kind: 'dropScreen'; readonly id: number }
  | { readonly kind: 'function'; readonly id: number; readonly module: WebAssembly.Module; readonly name: string }
  | { readonly kind: 'dropFunction'; readonly id: number };

/** What a worker is started with. */
export interface WorkerSetup {
  readonly control: Int32Array<SharedArrayBuffer>;
  /** Its number; the main thread is 0. */
  readonly worker: number;
  /** Where messages come in, and the count of those that count as received from the start. */
  readonly port: unknown;
  readonly received: number;
}

export const KIND = { TILES: 0, GEOMETRY: 1 } as const;
