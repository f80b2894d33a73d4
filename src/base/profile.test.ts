import { expect, test } from 'vitest';
import { now } from './clock.ts';
import { Profile } from './profile.ts';

test('counts and spans belong to the frame in which they end', () => {
  const profile = new Profile();
  profile.start();
  profile.counts.draws += 3;
  profile.end('link', now() - 5);
  profile.threadWorked(1, now(), 4, 2);
  profile.endFrame();
  profile.endFrame();
  const [first, second] = profile.frames;
  expect(first!.draws).toBe(3);
  expect(first!.milliseconds.link).toBeGreaterThanOrEqual(5);
  expect(first!.threadMs).toEqual([0, 2]);
  expect([second!.draws, second!.milliseconds.link, second!.threadMs]).toEqual([0, 0, []]);
});

test('a trace is JSON with complete events a thread', () => {
  const profile = new Profile();
  profile.start({ trace: true });
  profile.end('compile', now() - 1, 'vertex');
  profile.threadWorked(2, now(), 3, 3);
  const { traceEvents } = JSON.parse(profile.traceText()) as { traceEvents: Record<string, unknown>[] };
  const complete = traceEvents.filter(({ ph }) => ph === 'X');
  expect(complete.map(({ name, tid }) => [name, tid])).toEqual([
    ['compile', 0],
    ['tiles', 2],
  ]);
  expect(complete[0]!['args']).toEqual({ detail: 'vertex' });
  expect(complete[0]!['dur']).toBeGreaterThanOrEqual(1000);
  expect(traceEvents.filter(({ ph }) => ph === 'M').map(({ tid }) => tid)).toEqual([0, 2]);
});

test('off, nothing is kept', () => {
  const profile = new Profile();
  profile.end('link', 0);
  profile.endFrame();
  expect(profile.frames).toEqual([]);
});
