// When jobs of one kind stay on the main thread because sharing them has cost time.

import { describe, expect, it } from 'vitest';
import { Experience } from './experience.ts';

function experienceOf(aloneMs: number): Experience {
  const experience = new Experience();
  experience.aloneMs = aloneMs;
  return experience;
}

/** Jobs that stay on the main thread until one may be shared again. */
function skipped(experience: Experience): number {
  let jobs = 0;
  while (!experience.mayShare()) jobs++;
  return jobs;
}

describe('experience', () => {
  it('goes on sharing what gains, a mishap notwithstanding', () => {
    const experience = experienceOf(1);
    for (let job = 0; job < 20; job++) {
      experience.noteShared(job === 15 ? 100 : 0.6, 0, true);
      expect(skipped(experience)).toBe(0);
    }
  });

  it('lets so many jobs be that what was lost is 2 % of their time', () => {
    const experience = experienceOf(1);
    experience.noteShared(1.065, 0, true);
    expect(skipped(experience)).toBe(5);
    experience.noteShared(0.98, 0, true);
    expect(skipped(experience)).toBe(1);
    // Of a mishap only so much.
    experience.noteShared(100, 0, true);
    expect(skipped(experience)).toBe(100);
  });

  it('judges by the second job when workers were asleep', () => {
    const experience = experienceOf(1);
    experience.noteShared(1.065, 0, false);
    expect(skipped(experience)).toBe(0);
    experience.noteShared(0.6, 0, true);
    expect(skipped(experience)).toBe(0);
    for (let job = 0; job < 10; job++) experience.noteShared(2, 0, false);
    expect(skipped(experience)).toBe(98);
  });

  it('compares guesses with what jobs take one thread', () => {
    const experience = experienceOf(1);
    for (let round = 0; round < 40; round++) {
      experience.noteShared(0.5, 0.5, true);
      experience.noteAlone(0.9);
    }
    experience.noteShared(0.5, 0.5, true);
    expect(experience.aloneMs).toBeCloseTo(0.9, 1);
    skipped(experience);
    for (let job = 0; job < 20; job++) experience.noteShared(0.5, 0.5, true);
    expect(skipped(experience)).toBe(0);
  });

  it('knows nothing at first', () => {
    const experience = experienceOf(0);
    experience.noteShared(0, 0, true);
    expect(skipped(experience)).toBe(0);
  });
});
