// 60 contexts made, used and dropped in one process leave the screen as it was; the figure of 1,000 is `npx tsx
// conformance/context-growth.ts`.

import { describe, expect, it } from 'vitest';
import { SoftScreen } from '../backends/soft/screen.ts';
import { useContext } from './context-growth.ts';

describe('contexts that are dropped', () => {
  it('give all memory of the screen back', () => {
    const screen = new SoftScreen({});
    for (let i = 0; i < 4; i++) useContext(screen, i);
    const before = screen.memoryStatistics();
    for (let i = 0; i < 60; i++) useContext(screen, i);
    const after = screen.memoryStatistics();
    expect(after.liveBytes).toBe(before.liveBytes);
    expect(after.liveAllocations).toBe(before.liveAllocations);
    screen.destroy();
  });
});
