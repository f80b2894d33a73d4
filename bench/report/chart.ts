// Bar charts of frames a second on a logarithmic scale: one layout, written as SVG or painted as PNG.

import { PNG } from 'pngjs';
import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphRows } from '../../src/base/small-font.ts';
import { escapeXml } from './files.ts';

export interface ChartBar {
  readonly label: string;
  /** One value a series; null where there is none. */
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly string[];
  readonly bars: readonly ChartBar[];
}

type Item =
  | { readonly kind: 'box'; x: number; y: number; width: number; height: number; color: string }
  | { readonly kind: 'text'; x: number; y: number; text: string; color: string; anchor: 'start' | 'end' };

const COLORS = ['#5b4db2', '#d98c21', '#3f9b6b', '#b8475e', '#4a8fc2', '#7d7d7d'];
const INK = '#222222';
const FAINT = '#dddddd';
const LABEL_WIDTH = 430;
const BAR_WIDTH = 460;
const BAR_HEIGHT = 12;
const MARGIN = 16;
const LINE = 20;
const VALUE_WIDTH = 60;
const MAX_LABEL = 66;

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly items: readonly Item[];
}

const shorten = (text: string) => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 3)}...` : text);

function layOut({ title, unit, series, bars }: ChartData): Layout {
  const items: Item[] = [];
  const text = (x: number, y: number, content: string, anchor: 'start' | 'end' = 'start') =>
    items.push({ kind: 'text', x, y, text: content, color: INK, anchor });
  const values = bars.flatMap((bar) => bar.values.filter((value): value is number => value !== null && value > 0));
  const low = Math.floor(Math.log10(Math.min(...values, 10)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values, 1))), low + 1);
  const lengthOf = (value: number) => ((Math.log10(value) - low) / (high - low)) * BAR_WIDTH;
  const left = MARGIN + LABEL_WIDTH;
  text(MARGIN, MARGIN + 10, title);
  let y = MARGIN + LINE;
  for (const [index, name] of series.entries()) {
    items.push({ kind: 'box', x: MARGIN, y: y + 1, width: 10, height: 10, color: COLORS[index % COLORS.length]! });
    text(MARGIN + LINE, y + 10, name);
    y += LINE;
  }
  const top = y + LINE;
  const rowHeight = series.length * BAR_HEIGHT + 8;
  const bottom = top + bars.length * rowHeight;
  text(left + BAR_WIDTH + VALUE_WIDTH, top - 8 - LINE, unit, 'end');
  for (let power = low; power <= high; power++) {
    const x = left + lengthOf(10 ** power);
    items.push({ kind: 'box', x, y: top - 4, width: 1, height: bottom - top + 4, color: FAINT });
    text(x + 2, top - 8, String(10 ** power));
  }
  for (const [row, bar] of bars.entries()) {
    const rowTop = top + row * rowHeight;
    text(left - 8, rowTop + rowHeight / 2, shorten(bar.label), 'end');
    for (const [index, value] of bar.values.entries()) {
      const barTop = rowTop + index * BAR_HEIGHT;
      if (value === null || value <= 0) continue;
      const width = Math.max(lengthOf(value), 1);
      const color = COLORS[index % COLORS.length]!;
      items.push({ kind: 'box', x: left, y: barTop, width, height: BAR_HEIGHT - 2, color });
      text(left + width + 4, barTop + 9, value >= 100 ? value.toFixed(0) : value.toPrecision(3));
    }
  }
  return { width: left + BAR_WIDTH + VALUE_WIDTH + MARGIN, height: bottom + MARGIN, items };
}

export function chartSvg(data: ChartData): string {
  const { width, height, items } = layOut(data);
  const body = items.map((item) => {
    if (item.kind === 'box') {
      const { x, y, color } = item;
      const size = `width="${item.width.toFixed(1)}" height="${item.height.toFixed(1)}"`;
      return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${size} fill="${color}"/>`;
    }
    const place = `x="${item.x.toFixed(1)}" y="${item.y.toFixed(1)}"`;
    return `<text ${place} fill="${item.color}" text-anchor="${item.anchor}">${escapeXml(item.text)}</text>`;
  });
  const font = 'font-family="monospace" font-size="11"';
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ${font}>`;
  return `${open}\n<rect width="100%" height="100%" fill="#ffffff"/>\n${body.join('\n')}\n</svg>\n`;
}

export function chartPng(data: ChartData): Buffer {
  const { width, height, items } = layOut(data);
  const png = new PNG({ width: Math.ceil(width), height: Math.ceil(height) });
  png.data.fill(255);
  const fill = (x: number, y: number, w: number, h: number, color: string) => {
    const rgb = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    for (let row = Math.max(Math.round(y), 0); row < Math.min(Math.round(y + h), png.height); row++) {
      for (let column = Math.max(Math.round(x), 0); column < Math.min(Math.round(x + w), png.width); column++) {
        png.data.set(rgb, (row * png.width + column) * 4);
      }
    }
  };
  for (const item of items) {
    if (item.kind === 'box') {
      fill(item.x, item.y, item.width, item.height, item.color);
      continue;
    }
    const length = item.text.length * GLYPH_WIDTH;
    const start = Math.round(item.anchor === 'end' ? item.x - length : item.x);
    for (const [index, letter] of [...item.text].entries()) {
      for (const [row, bits] of glyphRows(letter).entries()) {
        for (let column = 0; column < bits.length; column++) {
          if (bits[column] !== '1') continue;
          fill(start + index * GLYPH_WIDTH + column, Math.round(item.y) - GLYPH_HEIGHT + row, 1, 1, item.color);
        }
      }
    }
  }
  return PNG.sync.write(png);
}
