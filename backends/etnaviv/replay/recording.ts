// Recorded command streams: a case folder with case.json and submits, as written by a driver on a recording kernel.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface RecordedImage {
  readonly k: number;
  readonly rect: readonly [x: number, y: number, width: number, height: number];
  readonly expected: { readonly file: string; readonly width: number; readonly height: number };
  readonly readback: {
    readonly bo: number;
    readonly format: string;
    readonly layout: string;
    readonly level_offset: number;
    readonly stride: number;
    readonly box_xywh: readonly [x: number, y: number, width: number, height: number];
    readonly after_submit: number;
  } | null;
}

export interface RecordedCase {
  readonly case: string;
  readonly gpu: {
    readonly model: string;
    readonly revision: string;
    readonly product_id: string;
    readonly customer_id: string;
    readonly eco_id: string;
  };
  readonly target: string;
  readonly submits: number;
  readonly images: readonly RecordedImage[];
}

export interface RecordedSubmit {
  readonly stream: { readonly words: number; readonly at: number };
  readonly exec_state: number;
  readonly bos: readonly {
    readonly bo: number;
    readonly addr: string;
    readonly size: number;
    readonly flags: number;
  }[];
  /** Buffer, offset, length, position in the binary. */
  readonly updates: readonly (readonly [bo: number, offset: number, length: number, at: number])[];
}

export interface LoadedSubmit {
  readonly submit: RecordedSubmit;
  readonly binary: Uint8Array;
}

/** Folders of cases in a GPU folder, by name. */
export function listCases(gpuFolder: string): string[] {
  return readdirSync(gpuFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(gpuFolder, entry.name, 'case.json')))
    .map((entry) => entry.name)
    .sort();
}

export function loadCase(folder: string): RecordedCase {
  return JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as RecordedCase;
}

export function loadSubmit(folder: string, index: number): LoadedSubmit {
  const name = join(folder, `submit-${String(index).padStart(2, '0')}`);
  const submit = JSON.parse(readFileSync(`${name}.json`, 'utf8')) as RecordedSubmit;
  const binary = existsSync(`${name}.bin.gz`) ? gunzipSync(readFileSync(`${name}.bin.gz`)) : new Uint8Array(0);
  return { submit, binary };
}

/** Path of the expected picture; the paths of case.json are relative to it. */
export function expectedPath(folder: string, image: RecordedImage): string {
  return resolve(folder, image.expected.file);
}
