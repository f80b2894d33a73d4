import { expect, test } from 'vitest';
import { paintPanel, profileLines } from './hud-panel.ts';
import { Profile } from './profile.ts';

function frames(count: number) {
  const profile = new Profile();
  profile.start();
  for (let i = 0; i < count; i++) {
    profile.counts.draws = 12;
    profile.counts.fragments = 1_500_000;
    profile.endFrame();
  }
  return profile.frames;
}

test('lines tell averages, and nothing has happened before the first frame', () => {
  expect(profileLines([])[1]).toBe('draws 0  tiles 0');
  const lines = profileLines(frames(3));
  expect(lines[1]).toBe('draws 12  tiles 0');
  expect(lines[3]).toBe('fragments 1.50m killed 0');
});

test('the panel is opaque, has text in it, and only the last frames as bars', () => {
  const panel = paintPanel(frames(300));
  const colors = new Set<number>();
  const words = new Uint32Array(panel.data.buffer);
  for (const word of words) colors.add(word >>> 0);
  expect([...colors].every((color) => color >>> 24 === 255)).toBe(true);
  expect(colors.size).toBeGreaterThanOrEqual(3);
});
