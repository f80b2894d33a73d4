// Failing pictures as PNG files, and one HTML page to look at them side by side.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Writes `NAME.result.png`, `.reference.png`, `.difference.png` of each failure and `index.html`. */
export function writePicturePage(folder: string, results: readonly CaseResult[]): number {
  mkdirSync(folder, { recursive: true });
  const sections: string[] = [];
  for (const { name, message, pictures } of results) {
    if (!pictures) continue;
    const figures = KINDS.map((kind) => {
      const file = `${name}.${kind}.png`;
      writeFileSync(join(folder, file), png(pictures[kind]));
      return `<figure><img src="${file}" alt="${kind}"><figcaption>${kind}</figcaption></figure>`;
    });
    sections.push(`<section><h2>${escapeHtml(name)}</h2><p>${escapeHtml(message)}</p>${figures.join('')}</section>`);
  }
  const style =
    'body{font:14px sans-serif;background:#888}figure{display:inline-block;margin:4px}' +
    'img{width:256px;image-rendering:pixelated;background:repeating-conic-gradient(#999 0 25%,#777 0 50%) 0 0/16px 16px}h2{font-size:14px}';
  const page = `<!doctype html><meta charset="utf-8"><title>Failing pictures</title><style>${style}</style>
<h1>${sections.length} failing pictures</h1>\n${sections.join('\n')}\n`;
  writeFileSync(join(folder, 'index.html'), page);
  return sections.length;
}
