// Failing pictures as PNG files, and one HTML page to look at them side by side.

import * as files from 'node:fs';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../src/base/make-folder.ts';
import { encodePng, flipRows } from '../../src/canvas/image.ts';
import type { CaseResult, Picture } from '../result.ts';

const KINDS = ['result', 'reference', 'difference'] as const;

function png(picture: Picture): Buffer {
  const { width, height, data } = picture;
  return encodePng({ width, height, data: flipRows(data, width, height) });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function pictureFile(name: string, kind: (typeof KINDS)[number]): string {
  return `${name}.${kind}.png`;
}

/** Failing pictures in a folder: written as they come, so that a run that is cut off has lost none. */
export class PicturePage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    makeFolder(files, folder);
  }

  /** Writes `NAME.result.png`, `.reference.png` and `.difference.png` of a failure that has pictures. */
  add({ name, pictures }: CaseResult): void {
    if (!pictures) return;
    for (const kind of KINDS) writeFileSync(join(this.#folder, pictureFile(name, kind)), png(pictures[kind]));
  }

  /** Writes `index.html`. Failures of a run that was resumed are on it if their files are there; tells how many are and are not. */
  write(results: readonly CaseResult[]): { shown: number; missing: number } {
    const failed = results.filter(({ pictures, hasPictures }) => pictures || hasPictures);
    const shown = failed.filter(({ name }) => existsSync(join(this.#folder, pictureFile(name, 'result'))));
    const style =
      'body{font:14px sans-serif;background:#888}figure{display:inline-block;margin:4px}' +
      'img{width:256px;image-rendering:pixelated;background:repeating-conic-gradient(#999 0 25%,#777 0 50%) 0 0/16px 16px}h2{font-size:14px}';
    const page = `<!doctype html><meta charset="utf-8"><title>Failing pictures</title><style>${style}</style>
<h1>${shown.length} failing pictures</h1>\n${shown.map(section).join('\n')}\n`;
    writeFileSync(join(this.#folder, 'index.html'), page);
    return { shown: shown.length, missing: failed.length - shown.length };
  }
}

function section({ name, message }: CaseResult): string {
  const figures = KINDS.map(
    (kind) => `<figure><img src="${pictureFile(name, kind)}" alt="${kind}"><figcaption>${kind}</figcaption></figure>`,
  );
  return `<section><h2>${escapeHtml(name)}</h2><p>${escapeHtml(message)}</p>${figures.join('')}</section>`;
}
