// Paints the profile of the last frames as a small picture: lines of numbers and a graph of frame times.

import { listOf } from './list.ts';
import type { FrameProfile } from './profile.ts';
import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphRows } from './small-font.ts';

export interface Panel {
  readonly width: number;
  readonly height: number;
  /** RGBA, first row at the bottom. */
  readonly data: Uint8Array;
}

type Color = readonly [number, number, number];
const BACKGROUND: Color = [16, 20, 28];
const TEXT: Color = [230, 235, 240];
const FAINT: Color = [90, 100, 115];
const BAR: Color = [90, 200, 130];
const SLOW_BAR: Color = [235, 120, 80];

const MARGIN = 6;
const LINE = GLYPH_HEIGHT + 4;
const COLUMNS = 32;
const GRAPH_HEIGHT = 40;
/** A frame at 60 Hz. */
const FRAME_MS = 1000 / 60;

const WIDTH = COLUMNS * GLYPH_WIDTH + 2 * MARGIN;

/** 1234567 → 1.23m; at most five letters. */
function short(value: number): string {
  if (value < 10_000) return String(Math.round(value));
  return value < 1e6 ? `${(value / 1e3).toFixed(1)}k` : `${(value / 1e6).toFixed(2)}m`;
}

function mean(frames: readonly FrameProfile[], of: (frame: FrameProfile) => number): number {
  let sum = 0;
  for (const frame of frames) sum += of(frame);
  return frames.length === 0 ? 0 : sum / frames.length;
}

/** The lines of the panel: averages over the last frames. */
export function profileLines(frames: readonly FrameProfile[]): string[] {
  const last = frames.slice(-30);
  const ms = (name: keyof FrameProfile['milliseconds']) => mean(last, (frame) => frame.milliseconds[name]);
  const frameMs = ms('frame');
  const count = (of: (frame: FrameProfile) => number) => short(mean(last, of));
  const threads = Math.max(1, ...last.map(({ threadMs }) => threadMs.length));
  const busy = listOf(threads, (thread) => {
    const share = frameMs > 0 ? mean(last, ({ threadMs }) => threadMs[thread] ?? 0) / frameMs : 0;
    return `${Math.round(share * 100)}`;
  });
  return [
    `frame ${frameMs.toFixed(2)} ms  ${frameMs > 0 ? Math.round(1000 / frameMs) : 0} fps`,
    `draws ${count((f) => f.draws)}  tiles ${count((f) => f.tiles)}`,
    `primitives ${count((f) => f.primitivesIn)} > ${count((f) => f.primitivesOut)}`,
    `fragments ${count((f) => f.fragments)} killed ${count((f) => f.fragmentsKilled)}`,
    `compile ${(ms('compile') + ms('link') + ms('module')).toFixed(2)} wait ${ms('wait').toFixed(2)} ms`,
    `geometry ${ms('geometry').toFixed(2)} tiles ${ms('tiles').toFixed(2)} ms`,
    `busy ${busy.slice(0, 7).join(' ')} %`,
  ];
}

/** The panel for these frames (oldest first). */
export function paintPanel(frames: readonly FrameProfile[]): Panel {
  const lines = profileLines(frames);
  const height = 2 * MARGIN + lines.length * LINE + GRAPH_HEIGHT;
  const data = new Uint8Array(WIDTH * height * 4);
  /** `y` counts from the top. */
  const fill = (left: number, top: number, width: number, rows: number, [red, green, blue]: Color): void => {
    for (let y = Math.max(top, 0); y < Math.min(top + rows, height); y++) {
      for (let x = Math.max(left, 0); x < Math.min(left + width, WIDTH); x++) {
        const at = ((height - 1 - y) * WIDTH + x) * 4;
        data[at] = red;
        data[at + 1] = green;
        data[at + 2] = blue;
        data[at + 3] = 255;
      }
    }
  };
  fill(0, 0, WIDTH, height, BACKGROUND);
  lines.forEach((line, row) => {
    [...line].slice(0, COLUMNS).forEach((letter, column) => {
      glyphRows(letter).forEach((dots, y) => {
        for (let x = 0; x < dots.length; x++) {
          if (dots[x] === '1') fill(MARGIN + column * GLYPH_WIDTH + x, MARGIN + row * LINE + y, 1, 1, TEXT);
        }
      });
    });
  });
  const bottom = height - MARGIN;
  const room = WIDTH - 2 * MARGIN;
  const shown = frames.slice(-room);
  // Two frames of 60 Hz fill the graph, or twice the usual frame: one slow frame (the first compiles) may reach beyond.
  const sorted = shown.map(({ milliseconds }) => milliseconds.frame).sort((a, b) => a - b);
  const top = Math.max(2 * FRAME_MS, 2 * (sorted[sorted.length >> 1] ?? 0));
  shown.forEach(({ milliseconds: { frame } }, i) => {
    const rows = Math.max(1, Math.round(Math.min(frame / top, 1) * (GRAPH_HEIGHT - 2)));
    fill(MARGIN + i, bottom - rows, 1, rows, frame > FRAME_MS ? SLOW_BAR : BAR);
  });
  fill(MARGIN, bottom - Math.round((FRAME_MS / top) * (GRAPH_HEIGHT - 2)), room, 1, FAINT);
  return { width: WIDTH, height, data };
}
